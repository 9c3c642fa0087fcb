//! How many files and connections this process may have open at a time, and how many of them
//! connections over HTTP may take: agents on the hub's own socket, and the store, keep their room.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More are never needed, and some systems grant no more whatever they say.
const MOST: u64 = 10_240;

/// Takes as many as the system grants for the asking. Most sessions begin with 1,024.
pub fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(MOST, |most| most.min(MOST));
    if current.is_some_and(|current| current < wanted) {
        let current = Some(wanted);
        // Where that can't be had, it goes on with what there is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
}

/// How many connections there may be over HTTP: half of all.
pub fn for_http() -> usize {
    let all = getrlimit(Resource::Nofile).current;
    let half = all.map_or(MOST, |all| all.min(MOST)) / 2;
    usize::try_from(half).unwrap_or(usize::MAX)
}
