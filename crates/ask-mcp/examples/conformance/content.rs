//! Tools that answer at once, one for each kind of content.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ResourceContents};
use serde_json::Value;

use crate::tools::Tools;

/// The tools of [`call`].
pub(crate) const TOOLS: Tools = &[
    ("test_simple_text", "Answers with a text"),
    ("test_image_content", "Answers with an image"),
    ("test_audio_content", "Answers with a sound"),
    ("test_embedded_resource", "Answers with a resource"),
    (
        "test_multiple_content_types",
        "Answers with a text, an image and a resource",
    ),
    ("test_error_handling", "Always fails"),
    (
        "test_header_param",
        "Answers with an argument that also travels as a header",
    ),
    (
        "json_schema_2020_12_tool",
        "Has a schema with rare keywords of JSON Schema 2020-12",
    ),
];

/// One red pixel, as a PNG in base64.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
/// Eight samples of silence, as a WAV in base64.
const SILENCE: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

/// A result of one text.
pub(crate) fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

pub(crate) fn resource(uri: &str, kind: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(kind))
}

pub(crate) fn call(name: &str, arguments: &JsonObject) -> CallToolResult {
    let image = || ContentBlock::image(PIXEL, "image/png");
    let content = match name {
        "test_simple_text" => ContentBlock::text("This is a simple text response for testing."),
        "test_image_content" => image(),
        "test_audio_content" => ContentBlock::audio(SILENCE, "audio/wav"),
        "test_embedded_resource" => resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        ),
        "test_multiple_content_types" => {
            let mixed = "test://mixed-content-resource";
            let data = r#"{"test":"data","value":123}"#;
            return CallToolResult::success(vec![
                ContentBlock::text("Multiple content types test:"),
                image(),
                resource(mixed, "application/json", data),
            ]);
        }
        "test_error_handling" => {
            let problem = "This tool intentionally returns an error for testing";
            return CallToolResult::error(vec![ContentBlock::text(problem)]);
        }
        _ => ContentBlock::text(Value::Object(arguments.clone()).to_string()),
    };
    CallToolResult::success(vec![content])
}
