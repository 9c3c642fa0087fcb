//! The resources, their contents, and completions of arguments.

use rmcp::model::{
    CompleteRequestParams, CompletionInfo, ErrorData, ReadResourceResult, Reference, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::json;

use crate::content::PIXEL;

/// Every resource with a fixed URI.
pub(crate) fn list() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, kind: &str| {
        let resource = Resource::new(uri, name).with_mime_type(kind);
        resource.with_description(format!("{name}, for tests"))
    };
    vec![
        resource("test://static-text", "A text", "text/plain"),
        resource("test://static-binary", "An image", "image/png"),
        resource("test://watched-resource", "A watched text", "text/plain"),
    ]
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let data = ResourceTemplate::new("test://template/{id}/data", "Data by number");
    vec![
        data.with_mime_type("application/json")
            .with_description("Data that has its number in it"),
    ]
}

/// The contents of a resource.
pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let template_path = uri.strip_prefix("test://template/");
    let number = template_path.and_then(|rest| rest.strip_suffix("/data"));
    let found = match (uri, number) {
        ("test://static-text", _) => {
            let text = "This is the content of the static text resource.";
            ResourceContents::text(text, uri).with_mime_type("text/plain")
        }
        ("test://static-binary", _) => {
            ResourceContents::blob(PIXEL, uri).with_mime_type("image/png")
        }
        ("test://watched-resource", _) => {
            ResourceContents::text("Nothing happened yet.", uri).with_mime_type("text/plain")
        }
        (_, Some(id)) => {
            let data = format!("Data for ID: {id}");
            let data = json!({"id": id, "templateTest": true, "data": data}).to_string();
            ResourceContents::text(data, uri).with_mime_type("application/json")
        }
        _ => {
            let message = format!("there is no resource at {uri}");
            let data = json!({"uri": uri});
            return Err(ErrorData::resource_not_found(message, Some(data)));
        }
    };
    Ok(ReadResourceResult::new(vec![found]))
}

/// Completions of an argument.
pub(crate) fn completions(request: &CompleteRequestParams) -> CompletionInfo {
    let words: &[&str] = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Resource(_), "id") => &["1", "12", "123"],
        (Reference::Prompt(_), "arg1") => &["paris", "park", "party"],
        _ => &[],
    };
    let prefix = request.argument.value.as_str();
    let words = words.iter().filter(|word| word.starts_with(prefix));
    let words = words.map(|word| (*word).to_owned()).collect();
    CompletionInfo::with_all_values(words).unwrap_or_default()
}
