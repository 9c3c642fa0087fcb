//! The daemon, which opens and closes asks. One hub serves one person: it passes events to the
//! engine, and carries out the effects. The code that the MCP server, the page and the terminal
//! share is here, too.

pub mod client;
mod connection;
pub mod context;
pub mod fallback;
pub mod http;
pub mod hub;
pub mod in_process;
pub mod lock;
pub mod metrics;
pub mod note_writer;
pub mod notify;
pub mod ops;
pub mod polling;
pub mod server;
pub mod shared_state;
pub mod spawn;
pub mod streams;
pub mod surface;
mod wake;

use std::path::Path;

use ask_config::home::Home;
use ask_protocol::ipc::Address;
use ask_store::sqlite::is_known;

/// The version that hubs and clients exchange in their greeting.
pub fn version() -> String {
    #[cfg(feature = "testing")]
    if let Ok(version) = std::env::var("ASK_USER_VERSION") {
        return version;
    }
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Whether one version is newer than another, compared number by number.
pub fn is_newer(this: &str, than: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        version
            .split(['.', '-', '+'])
            .map_while(|part| part.parse().ok())
            .collect()
    };
    numbers(this) > numbers(than)
}

/// Whether this program takes the place of a running hub: it has a newer version, or the same one,
/// and is the file that has replaced the hub's, as another build does. Only Linux tells the latter.
pub fn replaces(home: &Home, hub: &Address) -> bool {
    let ours = version();
    let is_other_build = || has_replaced_program_of(hub.pid) && is_known(&home.store_file());
    is_newer(&ours, &hub.version) || (hub.version == ours && is_other_build())
}

fn has_replaced_program_of(pid: u32) -> bool {
    let program = |process: &str| std::fs::read_link(format!("/proc/{process}/exe")).ok();
    let (theirs, ours) = (program(&pid.to_string()), program("self"));
    let theirs = theirs.as_deref().and_then(Path::to_str);
    let replaced = theirs.and_then(|theirs| theirs.strip_suffix(" (deleted)"));
    replaced.is_some() && replaced == ours.as_deref().and_then(Path::to_str)
}

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn versions_compare_by_number() {
        assert!(is_newer("0.10.0", "0.9.9"));
        assert!(!is_newer("0.1.0", "0.1.0"));
        assert!(!is_newer("0.1.0", "1.0.0"));
        assert!(is_newer("1.0.0", "unknown"));
    }
}
