//! The umask. Every process calls [`restrict`] first, so that whatever it creates is private. What
//! belongs to the person is created with the person's own umask by [`ordinary`]: files that they
//! share, such as AGENTS.md, and programs that they use, such as their editor.

use std::sync::{Mutex, PoisonError};

use rustix::fs::Mode;
use rustix::process::umask;

/// The person's umask. `None` before [`restrict`].
static PERSONS: Mutex<Option<Mode>> = Mutex::new(None);

/// Makes everything private that this process creates from now on.
pub fn restrict() {
    let mut persons = PERSONS.lock().unwrap_or_else(PoisonError::into_inner);
    let before = umask(Mode::RWXG | Mode::RWXO);
    persons.get_or_insert(before);
}

/// Creates something with the person's own umask. What other threads create at the same time gets
/// it, too. Private files therefore name their mode when they are created.
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
