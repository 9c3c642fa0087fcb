//! Fields of a body that its schema doesn't know: whoever misspells a field means something by it.
//! Also the fields that it knows, for a sender whose body isn't JSON.

use serde_json::Map;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::native::Malformed;
use crate::to_json;
use ask_core::json::brief;
use ask_core::{Json, Problem};

/// Refuses a body with a field that nothing would read.
pub(super) fn refuse<T: ToSchema>(body: &Json) -> Result<(), Malformed> {
    let (schemas, schema) = Schemas::of_type::<T>();
    let refused = schemas.check_value(&schema, body, "body");
    refused.map_err(|problem| Malformed(problem.to_string()))
}

/// The fields that can be sent, for a body that isn't JSON.
pub(super) fn expected<T: ToSchema>() -> String {
    let (schemas, schema) = Schemas::of_type::<T>();
    format!("send an object with {}", names(&schemas.fields(&schema)))
}

fn names(fields: &[(&String, &Json)]) -> String {
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

/// The schemas that a form refers to, by their names.
struct Schemas(Map<String, Json>);

impl Schemas {
    fn of_type<T: ToSchema>() -> (Self, Json) {
        let mut named: Vec<(String, RefOr<Schema>)> = Vec::new();
        T::schemas(&mut named);
        let named = named.iter();
        let named = named.map(|(name, schema)| (name.clone(), to_json(schema)));
        (Self(named.collect()), to_json(&T::schema()))
    }

    /// The parts of a schema: the schema itself, the one it refers to, and its alternatives.
    fn parts<'a>(&'a self, schema: &'a Json) -> Vec<&'a Json> {
        let named = schema["$ref"].as_str();
        let named = named.and_then(|path| self.0.get(path.rsplit('/').next()?));
        let kinds = ["allOf", "oneOf", "anyOf"].iter();
        let within = kinds.flat_map(|kind| schema[*kind].as_array().into_iter().flatten());
        let deeper = named.into_iter().chain(within);
        let mut parts: Vec<&Json> = deeper.flat_map(|part| self.parts(part)).collect();
        parts.push(schema);
        parts
    }

    fn fields<'a>(&'a self, schema: &'a Json) -> Vec<(&'a String, &'a Json)> {
        let parts = self.parts(schema).into_iter();
        let fields = parts.filter_map(|part| part["properties"].as_object());
        fields.flatten().collect()
    }

    fn check_value(&self, schema: &Json, value: &Json, path: &str) -> Result<(), Problem> {
        match value {
            Json::Object(fields) => {
                let known = self.fields(schema);
                fields
                    .iter()
                    .filter(|_| !known.is_empty())
                    .try_for_each(|(key, value)| {
                        let path = format!("{path}.{}", brief(key));
                        match known.iter().find(|(name, _)| *name == key) {
                            Some((_, schema)) => self.check_value(schema, value, &path),
                            None => {
                                let known = names(&known);
                                let said = format!("there is no such field; there are {known}");
                                Err(Problem::new(path, said))
                            }
                        }
                    })
            }
            Json::Array(items) => {
                let parts = self.parts(schema);
                let of_items = parts.iter().find_map(|part| part.get("items"));
                // Serde would accept an array with the fields of the object in their order.
                if of_items.is_none() && parts.iter().any(|part| part["properties"].is_object()) {
                    return Err(Problem::new(path, "must be an object"));
                }
                let of_items = of_items.unwrap_or(&Json::Null);
                items.iter().enumerate().try_for_each(|(at, item)| {
                    self.check_value(of_items, item, &format!("{path}[{at}]"))
                })
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Ok(()),
        }
    }
}
