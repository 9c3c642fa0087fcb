//! Who asks over HTTP, from the URL's query: `?project=…&directory=…&agent=…&session=…&instance=…`.
//! The server's own directory says nothing about its clients.

use std::collections::HashMap;
use std::path::PathBuf;

use ask_config::asker;
use ask_core::Asker;

/// The asker from the parameters of a query. Empty values and a relative `directory` are ignored.
pub fn said(mut said: HashMap<String, String>) -> Asker {
    said.retain(|_, value| !value.trim().is_empty());
    let directory = said.remove("directory").map(PathBuf::from);
    let place = match directory {
        Some(directory) if directory.is_absolute() => asker::in_folder(Some(directory)),
        _ => asker::in_folder(None),
    };
    Asker {
        agent: said.remove("agent"),
        session: said.remove("session"),
        instance: said.remove("instance"),
        project: said.remove("project").or(place.project),
        ..place
    }
}
