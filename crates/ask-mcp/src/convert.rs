//! Converts tools and replies to MCP types.

use ask_core::Json;
use ask_protocol::Reply;
use ask_protocol::ipc::base64;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, JsonObject, MetaObject, Tool, ToolAnnotations,
};

use super::Offered;

/// A tool for `tools/list`.
pub(crate) fn tool(offered: &Offered) -> Tool {
    let contract = offered.contract();
    let description = contract
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default()
        .to_owned();
    let schema: JsonObject = match contract.get("inputSchema") {
        Some(Json::Object(schema)) => schema.clone(),
        _ => JsonObject::new(),
    };
    let mut meta = JsonObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), true.into());
    let annotations = ToolAnnotations::new()
        .read_only(true)
        .destructive(false)
        .idempotent(false)
        .open_world(false);
    Tool::new_with_raw(offered.name.clone(), Some(description.into()), schema)
        .with_title(offered.tool.title)
        .with_annotations(annotations)
        .with_meta(MetaObject(meta))
}

/// A reply as the result of `tools/call`.
pub(crate) fn tool_result(reply: Reply) -> CallToolResult {
    let file_names = reply.names_files();
    let value = reply.whole_value().cloned();
    let mut content = vec![ContentBlock::text(reply.text)];
    content.extend(file_names.map(ContentBlock::text));
    content.extend(reply.mention.map(ContentBlock::text));
    content.extend(reply.doubt.map(ContentBlock::text));
    content.extend(reply.files.into_iter().filter_map(|image| {
        let data = base64(&image.bytes?);
        Some(ContentBlock::image(data, image.file.media.word()))
    }));
    let mut result = if reply.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = value;
    if !reply.is_error {
        result.is_error = None;
    }
    if !reply.meta.is_empty() {
        let facts = reply
            .meta
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        result.meta = Some(MetaObject(facts.collect()));
    }
    result
}

/// The response to a cancelled call, which the client ignores.
pub(crate) fn ignored_response() -> CallToolResponse {
    CallToolResponse::Complete(CallToolResult::success(Vec::new()))
}
