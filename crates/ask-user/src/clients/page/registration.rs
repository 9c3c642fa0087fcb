//! How our server is entered in a client's settings, for people.

use super::code;
use crate::clients::Client;

/// What the sections mean.
pub const LEGEND: &str = "
# Registration

What to write where. `CMD` is the program, `ARGS` its arguments, `ENV` and `HEADERS` names with values, `ASK` the name of the server. Entries are shown as JSON, whatever the format of the file.
";

/// The section of one client, if anything is known.
pub fn section(client: &Client) -> String {
    let register = &client.register;
    let stands = |what: &str, place: &Option<String>| {
        let place = place.as_ref()?;
        Some(format!("- {what}: {}\n", code(place)))
    };
    let timeout = register.timeout_key.as_ref().zip(register.timeout);
    let timeout = timeout.map(|(key, value)| {
        let unit = register.timeout_unit.as_deref().unwrap_or_default();
        format!("- limit for a call: `{key}`, {value} {unit}\n")
    });
    let at = register.at.as_ref().map(|at| {
        let format = register.format.as_deref().unwrap_or_default();
        format!("- in `{at}`, as {format}\n")
    });
    let lines = [
        stands("file", &register.file),
        stands("file on macOS", &register.file_macos),
        stands("file on Windows", &register.file_windows),
        stands("file where it was moved", &register.moved),
        stands("file of a project", &register.project),
        at,
        stands("entry on stdio", &register.stdio),
        stands("entry over HTTP", &register.http),
        timeout,
        stands("command", &register.add),
    ];
    let text: String = lines.into_iter().flatten().collect();
    if text.is_empty() {
        return text;
    }
    format!("\n## {}\n\n{text}", client.title())
}
