//! Who asks over HTTP, from the URL's query: `?project=…&directory=…&agent=…&session=…&instance=…`.
//! The server's own directory says nothing about its clients.

use std::collections::HashMap;

use ask_core::{Asker, Caller};
use ask_hub::http::caller::said;
use axum::extract::Query;
use axum::http::request::Parts;
use rmcp::model::Extensions;

/// The sending program, as the system knows it.
pub(crate) fn caller(extensions: &Extensions) -> Option<Caller> {
    let parts = extensions.get::<Parts>()?;
    parts.extensions.get::<Caller>().cloned()
}

/// The asker of a request, from the parts that rmcp passes on.
pub(crate) fn asker(extensions: &Extensions) -> Asker {
    let uri = extensions.get::<Parts>().map(|parts| &parts.uri);
    let query = uri.and_then(|uri| Query::<HashMap<String, String>>::try_from_uri(uri).ok());
    Asker {
        caller: caller(extensions),
        ..said(query.map(|query| query.0).unwrap_or_default())
    }
}
