//! The elicitation forms of revisions before 2026-07-28.

use serde_json::{Value, json};

/// A form with two text fields.
pub(crate) fn address() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    })
}

/// A form with a default for every kind of field.
pub(crate) fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": true},
        },
    })
}

/// A form with every kind of choice.
pub(crate) fn choices() -> Value {
    let three = ["option1", "option2", "option3"];
    let titled = |kind: &str| {
        json!([
            {"const": "value1", "title": format!("First {kind}")},
            {"const": "value2", "title": format!("Second {kind}")},
            {"const": "value3", "title": format!("Third {kind}")},
        ])
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": three},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": three}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
        },
    })
}
