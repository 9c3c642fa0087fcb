//! What only a strict reader reports: properties that a published schema doesn't know. The schema
//! itself is the list, so that the two can't drift apart.

use crate::lenient::{self, MAX_CHOICES};
use ask_core::json::{Object, ProblemCollector};
use ask_core::{Json, Problem};

/// Properties that a dialect accepts beyond its schema, each list with its place, such as
/// `questions[].options[]`.
pub(crate) type ExtraProperties = &'static [(&'static str, &'static [&'static str])];

/// Properties that a contract's input schema doesn't know, each with its path.
pub(crate) fn unknown(contract: &str, arguments: &Json, extra: ExtraProperties) -> Vec<Problem> {
    let Ok(arguments) = lenient::root(arguments) else {
        return Vec::new();
    };
    let contract: Json = serde_json::from_str(contract).unwrap_or_default();
    let mut walk = Walk {
        whole: &contract["inputSchema"],
        extra,
        reader: ProblemCollector::default(),
    };
    walk.value(walk.whole, &arguments, "", "");
    walk.reader.problems()
}

struct Walk<'a> {
    whole: &'a Json,
    extra: ExtraProperties,
    reader: ProblemCollector,
}

impl<'a> Walk<'a> {
    /// Checks a value. `path` leads to it, and `place` is the path without its indices.
    fn value(&mut self, schema: &'a Json, value: &Json, path: &str, place: &str) {
        let schema = match schema["$ref"].as_str() {
            Some(name) => self
                .whole
                .pointer(name.trim_start_matches('#'))
                .unwrap_or(&Json::Null),
            None => schema,
        };
        if schema.get("items").is_some() && !value.is_null() {
            self.items(&schema["items"], value, path, place);
        }
        let Some(known) = schema["properties"].as_object() else {
            return;
        };
        let Some(object) = Object::from_json(value, path) else {
            return;
        };
        for (key, value) in object.fields {
            let path = object.path_of(key);
            match known.get(key) {
                Some(schema) if place.is_empty() => self.value(schema, value, &path, key),
                Some(schema) => self.value(schema, value, &path, &format!("{place}.{key}")),
                None if schema["additionalProperties"] == true || self.takes(place, key) => {}
                None => self.reader.refuse(path, "is not a known property"),
            }
        }
    }

    fn items(&mut self, schema: &'a Json, value: &Json, path: &str, place: &str) {
        let Some(items) = lenient::list(value, path, &mut ProblemCollector::default()) else {
            return;
        };
        let place = format!("{place}[]");
        for (at, item) in items.iter().take(MAX_CHOICES).enumerate() {
            self.value(schema, item, &format!("{path}[{at}]"), &place);
        }
    }

    fn takes(&self, place: &str, key: &str) -> bool {
        self.extra
            .iter()
            .any(|(at, keys)| *at == place && keys.contains(&key))
    }
}
