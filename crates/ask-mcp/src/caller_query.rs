//! The asker of a request over HTTP: the caller that the transport found, and the description in
//! the URL's query.

use std::collections::HashMap;

use ask_core::{Asker, Caller};
use ask_hub::http::caller::asker_from_query;
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
        ..asker_from_query(query.map(|query| query.0).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn parameters_that_mean_nothing_are_ignored() {
        let asker_at = |uri: &str| {
            let request = Request::get(uri).body(()).expect("a request");
            let mut extensions = Extensions::new();
            extensions.insert(request.into_parts().0);
            asker(&extensions)
        };
        let found = asker_at("/mcp?bogus=1&agent=a&agent=b&directory=/one&directory=/two");
        assert_eq!(found.agent.as_deref(), Some("b"));
        assert_eq!(found.directory.as_deref(), Some("/two"));
        assert_eq!(asker_at("/mcp?directory=../x").directory, None);
    }
}
