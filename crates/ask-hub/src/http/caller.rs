//! The asker of a request over HTTP, from the URL's query:
//! `?project=…&directory=…&agent=…&session=…&instance=…`. The server's own directory is not used,
//! because it has no relation to its clients.

use std::collections::HashMap;
use std::path::PathBuf;

use ask_config::asker;
use ask_core::Asker;

/// The asker from the parameters of a query. Empty values and a relative `directory` are ignored.
pub fn asker_from_query(mut query: HashMap<String, String>) -> Asker {
    query.retain(|_, value| !value.trim().is_empty());
    let directory = query.remove("directory").map(PathBuf::from);
    let place = match directory {
        Some(directory) if directory.is_absolute() => asker::in_folder(Some(directory)),
        _ => asker::in_folder(None),
    };
    Asker {
        agent: query.remove("agent"),
        session: query.remove("session"),
        instance: query.remove("instance"),
        project: query.remove("project").or(place.project),
        ..place
    }
}
