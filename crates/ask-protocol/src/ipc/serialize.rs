//! Writes and parses messages, one line each.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::ipc::{Address, Request, Status};
use crate::native::{Malformed, from_text};
use crate::{compact, json_text, to_json};
use ask_core::Json;

/// Writes the content of `hub.json`.
pub fn write_address(address: &Address) -> String {
    format!("{}\n", json_text(address))
}

/// Parses what [`write_address`] wrote.
pub fn read_address(text: &str) -> Result<Address, Malformed> {
    from_text(text)
}

/// A request with its number.
#[derive(Serialize)]
struct Numbered<'a> {
    n: u64,
    #[serde(flatten)]
    request: &'a Request,
}

/// The number of a request, whatever else its line contains.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Number {
    n: u64,
}

/// Writes a request with its number as one line.
pub fn write_request(number: u64, request: &Request) -> Vec<u8> {
    closed_line(&Numbered { n: number, request })
}

/// Parses what [`write_request`] wrote. The number is known even if the rest can't be parsed.
pub fn read_request(line: &[u8]) -> (u64, Result<Request, Malformed>) {
    let number: Number = serde_json::from_slice(line).unwrap_or_default();
    (number.n, read_line(line))
}

/// A status for `--json`. Without a status, it says that no hub runs.
pub fn status_json(status: Option<&Status>) -> String {
    json_text(&status_fields(status))
}

/// Like [`status_json`], with the folder of the tokens, for programs that are about to connect.
pub fn hub_json(status: Option<&Status>, folder: &str) -> String {
    let mut fields = status_fields(status);
    fields.insert("state".into(), folder.into());
    json_text(&fields)
}

fn status_fields(status: Option<&Status>) -> Map<String, Json> {
    let mut fields = match to_json(status.unwrap_or(&Status::default())) {
        Json::Object(fields) => fields,
        _ => Map::new(),
    };
    if status.is_none() {
        // With a process id of 0, its reader would `kill` its own process group.
        fields.retain(|name, _| !matches!(name.as_str(), "pid" | "version" | "aloneMs"));
    }
    fields.insert("running".into(), status.is_some().into());
    fields
}

pub(super) fn closed_line(message: &impl Serialize) -> Vec<u8> {
    let mut line = compact(message).into_bytes();
    line.push(b'\n');
    line
}

pub(super) fn read_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, Malformed> {
    let text = std::str::from_utf8(line).map_err(|error| Malformed(error.to_string()))?;
    from_text(text)
}

/// Writes a value of any protocol as one line.
pub fn line(message: &impl Serialize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = serde_json::to_vec(message).map_err(|error| Malformed(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Parses a value of any protocol from one line.
pub fn unline<T: DeserializeOwned>(line: &[u8]) -> Result<T, Malformed> {
    serde_json::from_slice(line).map_err(|error| Malformed(error.to_string()))
}
