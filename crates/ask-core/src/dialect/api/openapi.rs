//! The OpenAPI document, written from the table of routes.

mod schemas;

use serde_json::{Map, json};

use super::super::Json;
use super::routes::{Devices, ROUTES, Route, Schema, Scope};

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
        out.push(json!({"name": name, "in": "query", "description": does, "schema": text}));
    }
    if route.does.contains("Idempotency-Key") {
        out.push(json!({"name": "Idempotency-Key", "in": "header", "description": "Names this attempt: the same again changes nothing more", "schema": text}));
    }
    if route.does.contains("Last-Event-ID") {
        out.push(json!({"name": "Last-Event-ID", "in": "header", "description": "The last id that was told", "schema": text}));
    }
    out
}

fn responses(route: &Route) -> Json {
    let mut out = Map::new();
    let (status, schema) = route.gives;
    let mut done = json!({"description": "Done"});
    if let Some(schema) = schema {
        done["content"] = content(schema);
    }
    out.insert(status.to_string(), done);
    let shared: &[(u16, &str)] = match route.scope {
        Scope::Nobody => &[],
        Scope::Ask => &[(401, "no credential, or none that holds")],
        Scope::Answer => &[
            (401, "no credential, or none that holds"),
            (403, "an agent's token, or a page of another site"),
        ],
    };
    let sized: &[(u16, &str)] = match route.takes {
        None => &[],
        Some("Call") => &[
            (400, "the body can't be read"),
            (413, "the body is too large"),
            (
                429,
                "too many asks in this minute; Retry-After says when to come again",
            ),
        ],
        Some(_) => &[
            (400, "the body can't be read"),
            (413, "the body is too large"),
        ],
    };
    for (status, says) in shared.iter().chain(sized).chain(route.fails) {
        let problem = json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
        out.insert(
            status.to_string(),
            json!({"description": says, "content": problem}),
        );
    }
    Json::Object(out)
}

fn content(schema: Schema) -> Json {
    let reference = json!({"schema": {"$ref": format!("#/components/schemas/{schema}")}});
    match schema {
        "Bytes" => json!({"application/octet-stream": {}}),
        "Text" => json!({"text/plain": {"schema": {"type": "string"}}}),
        "Any" => json!({"application/json": {"schema": {"type": "object"}}}),
        "Events" => json!({"text/event-stream": {"schema": {"type": "string"}}}),
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
