//! The fields of an object, read with their path in hand.

use serde_json::Map;

use crate::native::{Read, malformed};
use ask_core::Json;
use ask_core::time::Time;

/// An object and where it stands, for messages.
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Json>,
    path: &'a str,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(value: &'a Json, path: &'a str) -> Read<Self> {
        match value.as_object() {
            Some(map) => Ok(Self { map, path }),
            None => malformed(path, "must be an object"),
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn optional_text(&self, key: &str) -> Option<String> {
        self.get(key).and_then(Json::as_str).map(str::to_owned)
    }

    /// A text that may be left out, and is nothing else where it stands.
    pub(crate) fn text_if_any(&self, key: &str) -> Read<Option<String>> {
        match self.get(key) {
            None => Ok(None),
            Some(_) => self.text(key).map(Some),
        }
    }

    pub(crate) fn text(&self, key: &str) -> Read<String> {
        match self.optional_text(key) {
            Some(text) => Ok(text),
            None => malformed(&format!("{}.{key}", self.path), "must be a string"),
        }
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.get(key).and_then(Json::as_u64)
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Json::as_bool).unwrap_or(false)
    }

    pub(crate) fn optional_time(&self, key: &str) -> Read<Option<Time>> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.as_str().and_then(Time::parse) {
                Some(time) => Ok(Some(time)),
                None => malformed(
                    &format!("{}.{key}", self.path),
                    "must be a time in RFC 3339",
                ),
            },
        }
    }

    pub(crate) fn time(&self, key: &str) -> Read<Time> {
        match self.optional_time(key)? {
            Some(time) => Ok(time),
            None => malformed(
                &format!("{}.{key}", self.path),
                "must be a time in RFC 3339",
            ),
        }
    }
}
