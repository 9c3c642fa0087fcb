//! Support for the tests: a home of their own, agents and people in it, and streams that are read
//! line by line with a time limit.

pub(crate) mod agent;
pub(crate) mod app;
pub(crate) mod authority;
pub(crate) mod host;
pub(crate) mod http;
pub(crate) mod hub;
pub(crate) mod key;
pub(crate) mod lines;
pub(crate) mod person;
pub(crate) mod phone;
pub(crate) mod reply;
pub(crate) mod routes;
pub(crate) mod sandbox;
pub(crate) mod screen;
pub(crate) mod traps;
pub(crate) mod web;

use ask_core::Json;

/// Parses JSON; panics with the text if it isn't.
pub(crate) fn json(text: &str) -> Json {
    text.parse()
        .unwrap_or_else(|error| panic!("not JSON ({error}): {text}"))
}

/// The text at a key; panics if it is missing.
pub(crate) fn text(value: &Json, key: &str) -> String {
    let found = value.get(key).and_then(Json::as_str);
    found
        .unwrap_or_else(|| panic!("{key} is missing in {value}"))
        .to_owned()
}
