//! How our server is registered in a client's settings, as text for people.

use super::code;
use crate::Client;

/// The legend above the sections.
pub(super) const LEGEND: &str = "
## Registration

`ask-user register` writes the entry on stdio of each client. Entries are shown as JSON, whatever the format of the file.

| in an entry | stands for |
|---|---|
| `CMD`, `ARGS` | the program and its arguments |
| `ENV`, `HEADERS` | names with values |
| `ASK` | the name of the server |
| `TOOL`, `TOOLS` | the name of our tool, the names of our tools |
| `${NAME:-PATH}` | the value of a variable, or a path if it isn't set |
";

/// The section of one client; empty if nothing is known.
pub(super) fn section(client: &Client) -> String {
    let register = &client.register;
    let value_line = |what: &str, place: &Option<String>| {
        let place = place.as_ref()?;
        Some(format!("- {what}: {}\n", code(place)))
    };
    let list_line = |what: &str, values: &[String]| {
        let values: Vec<String> = values.iter().map(|value| code(value)).collect();
        (!values.is_empty()).then(|| format!("- {what}: {}\n", values.join(", ")))
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
        value_line("file", &register.file),
        value_line("file on macOS", &register.file_macos),
        value_line("file on Windows", &register.file_windows),
        list_line("also the file", &register.also),
        list_line("or, where it is there, beside it", &register.alternatives),
        value_line("file of a project", &register.project),
        at,
        value_line("entry on stdio", &register.stdio),
        value_line("entry over HTTP", &register.http),
        timeout,
        list_line("further settings", &register.settings),
        value_line("folder of our extension", &register.folder),
        list_line("found by", &register.found),
        value_line("command", &register.add),
        list_line("takeover", &client.takeover.settings),
        value_line("takeover, folder of our plugin", &client.takeover.folder),
    ];
    let text: String = lines.into_iter().flatten().collect();
    if text.is_empty() {
        return text;
    }
    format!("\n### {}\n\n{text}", client.title())
}
