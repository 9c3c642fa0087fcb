//! The umask. Every process of ours begins with [`restrict`], so that whatever it creates is
//! private. What belongs to the person is made with the person's own umask, by [`ordinary`]: files
//! that they share, such as AGENTS.md, and programs that they use, such as their editor.

use std::sync::{Mutex, PoisonError};

use rustix::fs::Mode;
use rustix::process::umask;

/// The person's umask, once it is set aside.
static PERSONS: Mutex<Option<Mode>> = Mutex::new(None);

/// Makes everything private that this process creates from here on.
pub fn restrict() {
    let mut persons = PERSONS.lock().unwrap_or_else(PoisonError::into_inner);
    let before = umask(Mode::RWXG | Mode::RWXO);
    persons.get_or_insert(before);
}

/// Creates something with the person's own umask. What other threads create meanwhile has it, too,
/// so private files get their mode when they are created and don't depend on the umask.
pub fn ordinary<T>(create: impl FnOnce() -> T) -> T {
    let persons = PERSONS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(persons) = *persons else {
        return create();
    };
    let restricted = umask(persons);
    let created = create();
    umask(restricted);
    created
}
