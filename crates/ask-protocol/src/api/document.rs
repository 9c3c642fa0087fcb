//! The OpenAPI document: what the handlers declare, and what applies to all of them.

use serde_json::json;
use utoipa::openapi::{OpenApi, RefOr, Response, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::problem::type_of;
use super::{Event, ProblemDocument};
use crate::{native, to_json};
use ask_core::Json;

/// A call of the native tool. A single question may be at its root.
pub struct Call;

impl PartialSchema for Call {
    fn schema() -> RefOr<Schema> {
        let contract = crate::text_json(native::CALL_CONTRACT).unwrap_or_default();
        let mut schema = contract["inputSchema"].clone();
        if let Some(schema) = schema.as_object_mut() {
            schema.remove("$schema");
            schema.remove("required");
            let alone = schema["properties"]["questions"]["items"]["properties"].clone();
            if let (Some(Json::Object(all)), Json::Object(alone)) =
                (schema.get_mut("properties"), alone)
            {
                all.extend(alone);
            }
        }
        serde_json::from_value(schema).expect("the contract is a schema")
    }
}

impl ToSchema for Call {}

/// One way in which requests fail: a status, problem types for programs, and a description.
pub struct Failure {
    /// The status of the response.
    pub status: u16,
    /// The possible endings of the problem document's `type`.
    pub kinds: Vec<&'static str>,
    /// What the status means.
    pub says: &'static str,
}

impl Failure {
    /// The response that a handler declares for this failure.
    pub fn response(&self) -> RefOr<Response> {
        serde_json::from_value(self.json()).expect("the JSON is a response")
    }

    fn json(&self) -> Json {
        let kinds: Vec<String> = self.kinds.iter().map(|kind| type_of(kind)).collect();
        let schema = json!({"allOf": [
            {"$ref": "#/components/schemas/Problem"},
            {"type": "object", "properties": {"type": {"type": "string", "enum": kinds}}},
        ]});
        json!({"description": self.says, "content": {"application/problem+json": {"schema": schema}}})
    }
}

/// Writes the document for a hub of this version, with the failures that any request may have and
/// the headers of responses.
pub fn write_document(openapi: &OpenApi, version: &str, shared: &[Failure]) -> Json {
    let mut out = to_json(openapi);
    out["openapi"] = "3.1.1".into();
    out["info"] = json!({
        "title": "ask-user",
        "version": version,
        "summary": "Agents ask, people answer",
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    out["servers"] = json!([{"url": "http://127.0.0.1:4127", "description": "The hub of this machine; hub.json has its port"}]);
    for path in objects(&mut out["paths"]) {
        for operation in objects(path) {
            complete(operation, shared);
        }
    }
    out["components"]["securitySchemes"] = schemes();
    for failure in shared {
        let mut response = failure.json();
        response["headers"] = headers(&failure.status.to_string(), &response);
        out["components"]["responses"][failure.status.to_string()] = response;
    }
    let mut schemas = vec![(Event::name().into_owned(), Event::schema())];
    schemas.push((
        ProblemDocument::name().into_owned(),
        ProblemDocument::schema(),
    ));
    Event::schemas(&mut schemas);
    ProblemDocument::schemas(&mut schemas);
    for (name, schema) in schemas {
        out["components"]["schemas"][name] = to_json(&schema);
    }
    out
}

fn objects(value: &mut Json) -> impl Iterator<Item = &mut Json> {
    let fields = value.as_object_mut().into_iter();
    fields.flat_map(|fields| fields.values_mut())
}

fn complete(operation: &mut Json, shared: &[Failure]) {
    let is_open = operation["security"] == json!([]);
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    for (status, response) in responses.iter_mut() {
        let own = headers(status, response);
        match (response["headers"].as_object_mut(), own) {
            (Some(headers), Json::Object(own)) => headers.extend(own),
            (_, own) => response["headers"] = own,
        }
    }
    for failure in shared
        .iter()
        .filter(|failure| !is_open || failure.status != 401)
    {
        let status = failure.status.to_string();
        let reference = json!({"$ref": format!("#/components/responses/{status}")});
        responses.entry(status).or_insert(reference);
    }
}

/// The headers of all responses with this status.
fn headers(status: &str, response: &Json) -> Json {
    let is_problem = response["content"]["application/problem+json"].is_object();
    let named = "What the request is called, here and in the hub's log";
    let mut out = json!({"X-Request-Id": header(named, status != "503", "string")});
    match status {
        "401" if is_problem => {
            let does = "`Bearer`; at the address of devices, which take no tokens, `Cookie`; where the cookie of a session came without its proof, `DPoP`";
            out["WWW-Authenticate"] = header(does, true, "string");
            let does = "With `DPoP`, the nonce that the proof is to hold";
            out["DPoP-Nonce"] = header(does, false, "string");
        }
        "429" => {
            let does = "Seconds to wait before retrying";
            out["Retry-After"] = header(does, true, "integer");
        }
        "503" => {
            let does = "Seconds to wait before retrying. Missing X-Request-Id means the connection limit was reached.";
            out["Retry-After"] = header(does, false, "integer");
        }
        _ => {}
    }
    out
}

fn header(does: &str, required: bool, kind: &str) -> Json {
    json!({"description": does, "required": required, "schema": {"type": kind}})
}

fn schemes() -> Json {
    let cookie = |whose: &str| {
        let described = format!(
            "{whose}; behind the name stand eight characters that are this hub's own; what changes anything needs the header `X-Ask-User: page`, too. On this machine and by HTTPS each request needs the header `DPoP`, a proof as in RFC 9449 of the key that the session began with; replies say in `DPoP-Nonce` which nonce the next one is to hold"
        );
        json!({"type": "apiKey", "in": "cookie", "name": "ask_user_session", "description": described})
    };
    json!({
        "ask": {"type": "http", "scheme": "bearer", "description": "The token of agents, in the file `token`: asks, and never answers"},
        "answer": {"type": "http", "scheme": "bearer", "description": "The token of programs that answer, in the file `answer-token`"},
        "device": cookie("A device that the person let in, at the address that `ask-user pair` prints, and what it must have been let in for: to `see` or to `answer`"),
        "page": cookie("A browser that `ask-user web` signed in"),
    })
}
