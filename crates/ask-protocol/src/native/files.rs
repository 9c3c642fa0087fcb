//! Files attached to answers, in the project's own form.

use serde_json::{Map, json};

use crate::native::{Fields, Read, malformed};
use ask_core::Json;
use ask_core::attachment::{Attachment, Digest, Media, safe_name};
use ask_core::draft::Answer;

/// Writes the files of an answer, where it has any.
pub(super) fn write_into(out: &mut Map<String, Json>, answer: &Answer) {
    if !answer.attachments.is_empty() {
        let files = answer.attachments.iter().map(write).collect();
        out.insert("attachments".into(), Json::Array(files));
    }
}

fn write(attachment: &Attachment) -> Json {
    let mut out = json!({
        "name": attachment.name,
        "mediaType": attachment.media.word(),
        "bytes": attachment.bytes,
        "sha256": attachment.digest.to_string(),
    });
    if let Some((width, height)) = attachment.pixels {
        out["width"] = width.into();
        out["height"] = height.into();
    }
    if let Some(path) = &attachment.path {
        out["path"] = path.as_str().into();
    }
    out
}

/// Reads the files of an answer.
pub(super) fn read(from: &Fields<'_>) -> Read<Vec<Attachment>> {
    match from.get("attachments") {
        None => Ok(Vec::new()),
        Some(Json::Array(items)) => items.iter().map(read_one).collect(),
        Some(_) => malformed("attachments", "must be an array"),
    }
}

fn read_one(value: &Json) -> Read<Attachment> {
    let from = Fields::of(value, "attachments")?;
    let Some(digest) = Digest::parse(&from.text("sha256")?) else {
        return malformed("attachments.sha256", "must be 64 hexadecimal digits");
    };
    let side = |key: &str| u32::try_from(from.number(key)?).ok();
    Ok(Attachment {
        name: safe_name(&from.text("name")?),
        media: Media::named(&from.text("mediaType")?),
        bytes: from.number("bytes").unwrap_or(0),
        pixels: side("width").zip(side("height")),
        digest,
        path: from.optional_text("path"),
    })
}
