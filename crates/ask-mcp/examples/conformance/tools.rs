//! The list of tools. The modules named in [`list`] implement their calls.

use rmcp::model::{JsonObject, Tool, object};
use serde_json::json;

use crate::{client_messages, content, fixture, rounds, tasks};

/// Tools of one module: each name and its description.
pub(crate) type Tools = &'static [(&'static str, &'static str)];

/// Whether the tool belongs to this module.
pub(crate) fn has_tool(tools: Tools, name: &str) -> bool {
    tools.iter().any(|(known, _)| *known == name)
}

pub(crate) fn list() -> Vec<Tool> {
    let tools = [
        content::TOOLS,
        client_messages::TOOLS,
        rounds::TOOLS,
        tasks::TOOLS,
        fixture::TOOLS,
    ];
    let tool = |(name, about): (&'static str, &'static str)| Tool::new(name, about, schema(name));
    tools.concat().into_iter().map(tool).collect()
}

/// The tool of this name.
pub(crate) fn find(name: &str) -> Option<Tool> {
    list().into_iter().find(|tool| tool.name == name)
}

/// The input schema of a tool.
fn schema(name: &str) -> JsonObject {
    let required = |field: &str, kind: &str| json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    object(match name {
        "test_sampling" => required("prompt", "string"),
        "test_elicitation" => required("message", "string"),
        "greet" => required("name", "string"),
        "confirm_delete" => required("filename", "string"),
        "slow_compute" => json!({
            "type": "object",
            "properties": {"seconds": {"type": "number", "minimum": 0}, "label": {"type": "string"}},
            "required": ["seconds"],
        }),
        "test_header_param" => json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "required": ["region"],
        }),
        "json_schema_2020_12_tool" => json_schema_keywords(),
        _ => json!({"type": "object", "properties": {}}),
    })
}

/// The JSON Schema 2020-12 whose keywords must reach the client unchanged.
fn json_schema_keywords() -> serde_json::Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
