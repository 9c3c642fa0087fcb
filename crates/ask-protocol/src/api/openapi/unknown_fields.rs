//! Fields of a body that its schema doesn't know: whoever misspells one means something by it. And those that
//! it knows, for whoever sends no JSON.

use std::sync::LazyLock;

use serde_json::Map;

use crate::api::openapi::schemas;
use crate::api::routes::Schema;
use ask_core::json::brief;
use ask_core::{Json, Problem};

static SCHEMAS: LazyLock<Json> = LazyLock::new(schemas::all);

/// Refuses a body with a field that nothing would read. What agents send is read in their own wordings, which
/// know more than one name of a thing.
pub fn refuse_unknown(schema: Schema, body: &Json) -> Result<(), Problem> {
    match schema {
        "Call" => Ok(()),
        _ => within(&SCHEMAS[schema], body, "body"),
    }
}

/// What to send in place of what is no JSON.
pub fn expected(schema: Schema) -> String {
    match schema {
        "Call" => r#"send an object, such as {"question":"Ship it?"}"#.to_owned(),
        _ => match &SCHEMAS[schema]["properties"] {
            Json::Object(known) => format!("send an object with {}", names(known)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                "send an object".to_owned()
            }
        },
    }
}

fn names(known: &Map<String, Json>) -> String {
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    names.join(", ")
}

fn within(schema: &Json, value: &Json, path: &str) -> Result<(), Problem> {
    if let Some(named) = schema["$ref"].as_str() {
        let name = named.rsplit('/').next().unwrap_or_default();
        return within(&SCHEMAS[name], value, path);
    }
    match (value, &schema["properties"]) {
        (Json::Object(fields), Json::Object(known)) => {
            fields.iter().try_for_each(|(key, value)| {
                let path = format!("{path}.{}", brief(key));
                match known.get(key) {
                    Some(schema) => within(schema, value, &path),
                    None => {
                        let said = format!("there is no such field; there are {}", names(known));
                        Err(Problem::new(path, said))
                    }
                }
            })
        }
        (Json::Array(items), _) => items
            .iter()
            .enumerate()
            .try_for_each(|(at, item)| within(&schema["items"], item, &format!("{path}[{at}]"))),
        _ => Ok(()),
    }
}
