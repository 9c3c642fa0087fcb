//! What only a strict reader minds: properties that a published schema doesn't
//! know. The schema itself is the list, so that the two can't drift apart.

use super::json::{Object, Reader};
use super::liberal::{self, MAX_CHOICES};
use super::{Json, Problem};

/// Properties that a contract's input schema doesn't know, each with its path.
/// `also` names what a dialect takes besides.
pub(super) fn unknown(contract: &str, arguments: &Json, also: &[&str]) -> Vec<Problem> {
    let Ok(arguments) = liberal::root(arguments) else {
        return Vec::new();
    };
    let contract: Json = serde_json::from_str(contract).unwrap_or_default();
    let schema = &contract["inputSchema"];
    let mut reader = Reader::default();
    walk(schema, schema, &arguments, "", also, &mut reader);
    reader.problems()
}

fn walk(whole: &Json, schema: &Json, value: &Json, path: &str, also: &[&str], reader: &mut Reader) {
    let schema = match schema["$ref"].as_str() {
        Some(name) => whole
            .pointer(name.trim_start_matches('#'))
            .unwrap_or(&Json::Null),
        None => schema,
    };
    if schema.get("items").is_some() && !value.is_null() {
        let mut ignored = Reader::default();
        if let Some(items) = liberal::list(value, path, &mut ignored) {
            for (at, item) in items.iter().take(MAX_CHOICES).enumerate() {
                walk(
                    whole,
                    &schema["items"],
                    item,
                    &format!("{path}[{at}]"),
                    also,
                    reader,
                );
            }
        }
    }
    let (Some(known), Some(object)) = (schema["properties"].as_object(), Object::of(value, path))
    else {
        return;
    };
    let open = schema["additionalProperties"] == true;
    for (key, value) in object.fields {
        match known.get(key) {
            Some(schema) => walk(whole, schema, value, &object.at(key), also, reader),
            None if open || also.contains(&key.as_str()) => {}
            None => reader.refuse(object.at(key), "is not a known property"),
        }
    }
}
