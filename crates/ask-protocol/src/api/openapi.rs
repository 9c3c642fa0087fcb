//! The OpenAPI document, written from the table of routes.

mod headers;
mod schemas;
mod unknown_fields;

use serde_json::{Map, json};

use crate::api::routes::{Devices, ROUTES, Route, Schema, Scope};
use ask_core::Json;
use ask_core::history::{End, UNTOLD};

pub use unknown_fields::{expected, refuse_unknown};

/// How any request may fail, whatever it wants.
const SHARED: &[(u16, &str)] = &[
    (
        400,
        "the request can't be read: its body, or a word of its query",
    ),
    (401, "no credential, or none that holds"),
    (
        403,
        "not with this credential, not by a page of another site, or not by a device now",
    ),
    (413, "the body is too large"),
    (421, "the hub is not called so"),
    (503, "the hub or its store can't be reached now"),
];

/// The document, for a hub of this version.
pub fn document(version: &str) -> Json {
    let mut paths = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_ascii_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "ask-user",
            "version": version,
            "summary": "Agents ask, people answer",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:4127", "description": "The hub of this machine; hub.json has its port"}],
        "paths": paths,
        "components": {
            "schemas": schemas::all(),
            "responses": shared(),
            "securitySchemes": {
                "ask": {"type": "http", "scheme": "bearer", "description": "The token of agents, in the file `token`: asks, and never answers"},
                "answer": {"type": "http", "scheme": "bearer", "description": "The token of programs that answer, in the file `answer-token`"},
                "device": {"type": "apiKey", "in": "cookie", "name": "ask_user_session", "description": "A device that the person let in, at the address that `ask-user pair` prints; behind the name stand eight characters that are this hub's own; what changes anything needs the header `X-Ask-User: page`, too"},
                "page": {"type": "apiKey", "in": "cookie", "name": "ask_user_session", "description": "A browser that `ask-user web` signed in; behind the name stand eight characters that are this hub's own; what changes anything needs the header `X-Ask-User: page`, too"},
            },
        },
    })
}

fn operation(route: &Route) -> Json {
    let mut out = json!({
        "operationId": name(route),
        "summary": route.does,
        "security": security(route),
    });
    let parameters = parameters(route);
    if !parameters.is_empty() {
        out["parameters"] = parameters.into();
    }
    if let Some(schema) = route.takes {
        out["requestBody"] = json!({"required": true, "content": content(schema)});
    }
    out["responses"] = responses(route);
    out
}

/// As its enum calls it, in the manner of JSON.
fn name(route: &Route) -> String {
    let word = format!("{:?}", route.op);
    let (first, rest) = word.split_at(1);
    first.to_ascii_lowercase() + rest
}

fn security(route: &Route) -> Json {
    let words: &[&str] = match route.scope {
        Scope::Nobody => return json!([]),
        Scope::Ask => &["ask", "answer", "page"],
        Scope::Answer => &["answer", "page"],
    };
    let device: &[&str] = match route.devices {
        Devices::See | Devices::Answer => &["device"],
        Devices::Never | Devices::Strangers => &[],
    };
    let all = words.iter().chain(device);
    all.map(|word| json!({*word: []})).collect()
}

fn parameters(route: &Route) -> Vec<Json> {
    let text = json!({"type": "string"});
    let mut out = Vec::new();
    if let Some((_, rest)) = route.path.split_once('{') {
        let part = rest.split('}').next().unwrap_or_default();
        let (does, schema) = match part {
            "digest" => (
                "The SHA-256 of the file",
                json!({"type": "string", "pattern": "^[0-9a-f]{64}$"}),
            ),
            "request" => (
                "The secret of a device's request, or at the computer its id",
                text.clone(),
            ),
            "device" => ("The id of the device", text.clone()),
            _ => (
                "The id of the ask, the beginning of it, or `latest`",
                text.clone(),
            ),
        };
        out.push(json!({"name": part, "in": "path", "required": true, "description": does, "schema": schema}));
    }
    for (name, does) in route.query.iter().copied().flatten() {
        out.push(json!({"name": name, "in": "query", "description": does, "schema": worded(name)}));
    }
    if route.does.contains("Idempotency-Key") {
        out.push(json!({"name": "Idempotency-Key", "in": "header", "description": "Names this attempt: the same again changes nothing more", "schema": text}));
    }
    if route.does.contains("Last-Event-ID") {
        out.push(json!({"name": "Last-Event-ID", "in": "header", "description": "The last id that was told", "schema": text}));
    }
    out
}

/// What a word of a query can be.
fn worded(name: &str) -> Json {
    match name {
        "state" => json!({"enum": ["waiting", "closed"]}),
        "outcome" => {
            let ends = End::ALL.iter().map(|(_, word)| *word);
            json!({"enum": ends.chain([UNTOLD]).collect::<Vec<_>>()})
        }
        "format" => json!({"enum": ["json", "csv", "md"]}),
        "recommended" | "all" | "count" | "untold" => json!({"type": "boolean"}),
        "first" | "before" | "limit" => json!({"type": "integer", "minimum": 0}),
        "since" | "until" => json!({"type": "string", "format": "date-time"}),
        _ => json!({"type": "string"}),
    }
}

fn responses(route: &Route) -> Json {
    let mut out = Map::new();
    let (status, schema) = route.gives;
    let mut done = json!({"description": "Done", "headers": headers::done(route)});
    if let Some(schema) = schema {
        done["content"] = content(schema);
    }
    out.insert(status.to_string(), done);
    for (status, _) in SHARED {
        let is_credential = *status == 401;
        if !is_credential || route.scope != Scope::Nobody {
            let shared = json!({"$ref": format!("#/components/responses/{status}")});
            out.insert(status.to_string(), shared);
        }
    }
    for (status, says) in route.fails {
        out.insert(status.to_string(), problem(*status, says));
    }
    Json::Object(out)
}

fn shared() -> Json {
    let all = SHARED.iter();
    let all = all.map(|(status, says)| (status.to_string(), problem(*status, says)));
    Json::Object(all.collect())
}

fn problem(status: u16, says: &str) -> Json {
    let schema = json!({"$ref": "#/components/schemas/Problem"});
    json!({"description": says, "headers": headers::problem(status), "content": {"application/problem+json": {"schema": schema}}})
}

fn content(schema: Schema) -> Json {
    let reference = json!({"schema": {"$ref": format!("#/components/schemas/{schema}")}});
    let text = json!({"schema": {"type": "string"}});
    match schema {
        "Bytes" => json!({"application/octet-stream": {}}),
        "Kept" => json!({"application/octet-stream": {}, "image/*": {}}),
        "Text" => json!({"text/plain": text}),
        "OpenMetrics" => json!({"application/openmetrics-text": text}),
        "Written" => {
            json!({"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Record"}}}, "text/csv": text, "text/markdown": text})
        }
        "Any" => json!({"application/json": {"schema": {"type": "object"}}}),
        "Events" => json!({"text/event-stream": text}),
        _ => json!({"application/json": reference}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_this() {
        let text = serde_json::to_string_pretty(&document("0.0.0")).unwrap();
        insta::assert_snapshot!("openapi", text);
    }

    #[test]
    fn every_schema_that_is_named_is_there() {
        let all = schemas::all();
        let text = document("0").to_string();
        for part in text.split("#/components/schemas/").skip(1) {
            let name = part.split('"').next().unwrap();
            assert!(all.get(name).is_some(), "{name}");
        }
    }
}
