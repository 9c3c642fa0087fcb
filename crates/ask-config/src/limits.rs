//! Limits of this process, which it has from the command that started it: how many files and
//! connections may be open, and how large files may grow.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than we ever need. Some systems refuse a higher limit even if they report one.
const MAX_DESCRIPTORS: u64 = 10_240;

/// Raises the limits as far as the system allows. Most sessions begin with 1,024 open files. A hub
/// serves others than the command that started it, whose limit on file sizes isn't theirs.
pub fn raise() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Fsize);
    let current = maximum;
    // If it can't be raised, the process runs with the current limit.
    let _ = setrlimit(Resource::Fsize, Rlimit { current, maximum });

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(MAX_DESCRIPTORS, |most| most.min(MAX_DESCRIPTORS));
    if current.is_some_and(|current| current < wanted) {
        let current = Some(wanted);
        // If it can't be raised, the process runs with the current limit.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
}

/// How many HTTP connections may be open: half of all descriptors. The hub's own socket and the store
/// need the rest.
pub fn for_http() -> usize {
    let all = getrlimit(Resource::Nofile).current;
    let half = all.map_or(MAX_DESCRIPTORS, |all| all.min(MAX_DESCRIPTORS)) / 2;
    usize::try_from(half).unwrap_or(usize::MAX)
}
