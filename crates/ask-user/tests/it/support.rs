//! Support for the tests: a home of their own, agents and people in it, and streams that are read
//! line by line with a time limit.

pub mod agent;
pub mod app;
pub mod authority;
pub mod host;
pub mod http;
pub mod hub;
pub mod key;
pub mod lines;
pub mod person;
pub mod phone;
pub mod reply;
pub mod routes;
pub mod sandbox;
pub mod screen;
pub mod traps;
pub mod web;

use ask_core::Json;

/// Parses JSON; panics with the text if it isn't.
pub fn json(text: &str) -> Json {
    text.parse()
        .unwrap_or_else(|error| panic!("not JSON ({error}): {text}"))
}

/// The text at a key; panics if it is missing.
pub fn text(value: &Json, key: &str) -> String {
    let found = value.get(key).and_then(Json::as_str);
    found
        .unwrap_or_else(|| panic!("{key} is missing in {value}"))
        .to_owned()
}
