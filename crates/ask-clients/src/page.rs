//! The table of clients for people: `docs/reference/clients.md`, and the output for a single client.

mod registration;

use std::time::Duration;

use super::Client;
use super::labels::{Apps, Images, Progress, Shows};
use super::strategy::{Strategy, Transport, strategy};
use super::table::all_clients;

const BEFORE: &str = r#"
# Clients

ask-user knows these agent clients. The table says how it treats a call from each. [Connect agent clients](../how-to/clients.md) says how to set one up. ask-user recognizes a client by the name that it sends (`clientInfo`). An empty field means that the fact isn't known.

A client that isn't in the table gets progress notifications, and its calls wait until the person has answered.

## Limits

*Limit* is how long a client waits for a call that sends nothing, unless the client is configured otherwise.

- If progress extends the limit, the call waits until the person has answered.
- If nothing extends it, the call returns shortly before the limit. The agent reads that the ask is still open, and fetches the answer with `ask_user_result`. The person notices nothing.

ask-user can't see how a client is configured. If you raise a limit in the settings of a client, set `ASK_USER_LIMIT_MS` in the environment of its server to the same number of milliseconds; 0 means no limit. Or set `limit_ms` in `config.toml`:

```toml
[clients.codex]
limit_ms = 86400000
```

Every field of `clients.toml` can be set so, and a table with `names` of its own adds a client. The variable counts more than the file. `ask-user docs clients NAME` says what then holds for a client of that name.

## The card in a chat

A client that shows MCP Apps (the extension `io.modelcontextprotocol/ui`) can have the question as a card in its chat: every kind of question, notes, asking back, declining, and a draft that is shared with the terminal and the page. It is off for every client, because none could be tried: what stands behind it was tested with a host of our own in Chromium, with the real program, and with no client of anybody else's. To try it on stdio:

```toml
[clients.claude-desktop]
apps = "beside"
```

- `"beside"`: the card is answered while the call waits.
- `"after"`: for a client that carries nothing to its servers while a call waits. The card then says after some seconds that the client passes nothing on. The call returns at once, and the answer comes as your next message in the chat.

**Before you leave it on**, ask the model in that client which tools it has. The card's tools answer in your place, and the client must keep them from its model: it must not name `ask_ui_submit`. They need a key that only the card has, besides; `docs/decisions/0014-the-card-in-chat-clients-is-off-until-named.md` says what keeps an agent from answering itself, and what is left.
"#;

/// The whole of `docs/reference/clients.md`.
pub fn page() -> String {
    let mut text = String::from(BEFORE);
    text.push_str("\n## Table\n\n| client | key | calls itself | limit | a call | dialogs | model sees | our tool |\n|---|---|---|---|---|---|---|---|\n");
    for client in all_clients() {
        text.push_str(&row(&client));
    }
    text.push_str("\n## Notes\n\n");
    for client in all_clients() {
        for note in notes(&client) {
            text.push_str(&format!("- {}: {note}\n", client.title()));
        }
    }
    text.push_str(registration::LEGEND);
    for client in all_clients() {
        text.push_str(&registration::section(&client));
    }
    text
}

/// What is known of one client, or the text for an unknown one.
pub fn one(name: &str, known: Option<&Client>) -> String {
    let Some(client) = known else {
        return format!("{name}: not known; a call waits until its person has answered\n");
    };
    let mut text = format!("{name}: {} [{}]\n", client.title(), client.key);
    let dialogs: Vec<&str> = client.dialogs.iter().map(|dialog| dialog.word()).collect();
    let lines = [
        ("limit", limit(client)),
        ("a call", waits(client)),
        ("dialogs", dialogs.join(", ")),
        (
            "model sees",
            client.shows.map_or("", Shows::word).to_owned(),
        ),
        ("our card", client.apps.map_or("", Apps::says).to_owned()),
        ("our tool", client.tool_name.clone().unwrap_or_default()),
    ];
    for (what, said) in lines.iter().filter(|(_, said)| !said.is_empty()) {
        text.push_str(&format!("  {what}: {said}\n"));
    }
    for note in notes(client) {
        text.push_str(&format!("  {note}\n"));
    }
    text.push_str(&registration::section(client));
    text
}

/// The time limit that calls have even after a registration raised it as far as possible; `None` if
/// they can wait for half a day or longer.
pub fn registered_limit(client: &Client) -> Option<String> {
    let register = &client.register;
    let factor = if register.timeout_unit.as_deref() == Some("s") {
        1_000
    } else {
        1
    };
    let written = register.timeout_key.as_ref().and(register.timeout);
    let limited = match written {
        Some(timeout) => client.clone().limited(timeout * factor),
        None => client.clone(),
    };
    let token = client.progress != Some(Progress::NoToken);
    match strategy(Some(&limited), token, Transport::Stdio) {
        // A person who leaves an ask unanswered for hours isn't affected when the agent has to call
        // again.
        Strategy::ReturnAfter(time) if time < Duration::from_secs(12 * 3_600) => Some(format!(
            "its calls can't wait longer than {}: then the agent is told to come back for the answer",
            length(time)
        )),
        Strategy::ReturnAfter(_) | Strategy::Block => None,
    }
}

fn row(client: &Client) -> String {
    let names: Vec<String> = client.names.iter().map(|name| code(name)).collect();
    let dialogs: Vec<&str> = client.dialogs.iter().map(|dialog| dialog.word()).collect();
    format!(
        "| {} | `{}` | {} | {} | {} | {} | {} | {} |\n",
        client.title(),
        client.key,
        names.join(", "),
        limit(client),
        waits(client),
        dialogs.join(", "),
        client.shows.map_or("", Shows::word),
        client.tool_name.as_deref().map(code).unwrap_or_default(),
    )
}

fn limit(client: &Client) -> String {
    let said = |ms: u64| match ms {
        0 => "none".to_owned(),
        ms => length(Duration::from_millis(ms)),
    };
    let mut text = client.limit_ms.map(said).unwrap_or_default();
    if let Some(http) = client.http_limit_ms {
        text.push_str(&format!(", over HTTP {}", said(http)));
    }
    match client.progress {
        Some(Progress::Extends) => text.push_str("; progress extends it"),
        Some(Progress::NoToken) => text.push_str("; it wants no progress"),
        Some(Progress::Ignored) | None => {}
    }
    if let Some(wall) = client.wall_ms {
        text.push_str(&format!("; at most {}", said(wall)));
    }
    text
}

/// How long a call of this client waits, in words.
fn waits(client: &Client) -> String {
    let token = client.progress != Some(Progress::NoToken);
    let said = |transport| match strategy(Some(client), token, transport) {
        Strategy::Block => "waits".to_owned(),
        Strategy::ReturnAfter(time) => format!("returns after {}", length(time)),
    };
    let (stdio, http) = (said(Transport::Stdio), said(Transport::Http));
    if stdio == http {
        stdio
    } else {
        format!("{stdio}, over HTTP {http}")
    }
}

fn notes(client: &Client) -> Vec<String> {
    let mut notes: Vec<String> = client.note.iter().cloned().collect();
    if client.declines_at_once {
        notes.push("In one-shot runs it turns dialogs down by itself.".to_owned());
    }
    if client.dialog_pauses {
        notes.push("Its limit stands still while a dialog is open.".to_owned());
    }
    if client.images == Some(Images::Named) {
        notes.push("It would show its model the bytes of images as text: they are named with their paths instead.".to_owned());
    }
    if !client.unverified.is_empty() {
        let fields = client.unverified.join(", ");
        notes.push(format!("Told, but not confirmed: {fields}."));
    }
    notes
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// A duration in its two largest units.
fn length(time: Duration) -> String {
    let seconds = time.as_secs();
    let parts = match seconds {
        0..60 => return format!("{} s", time.as_secs_f64()),
        60..3_600 => [(seconds / 60, "min"), (seconds % 60, "s")],
        _ => [(seconds / 3_600, "h"), (seconds % 3_600 / 60, "min")],
    };
    let said = parts.iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = said
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    said.join(" ")
}
