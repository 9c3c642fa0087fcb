//! The fields of a client: one table, by which the rows of `clients.toml` and of `config.toml` are
//! parsed.

use super::Client;
use super::labels::{
    APPS, Apps, DIALOGS, Dialog, IMAGES, Images, PROGRESS, Progress, SHOWS, Shows, find, words,
};

/// A field of a client.
pub struct Field {
    /// Its path in a row, such as `register.file`.
    pub path: &'static str,
    /// The type of its value, and the place in [`Client`].
    kind: Kind,
}

enum Kind {
    Text(fn(&mut Client) -> &mut Option<String>),
    Texts(fn(&mut Client) -> &mut Vec<String>),
    Number(fn(&mut Client) -> &mut Option<u64>),
    Flag(fn(&mut Client) -> &mut bool),
    Progress(fn(&mut Client) -> &mut Option<Progress>),
    Shows(fn(&mut Client) -> &mut Option<Shows>),
    Images(fn(&mut Client) -> &mut Option<Images>),
    Dialogs(fn(&mut Client) -> &mut Vec<Dialog>),
    Apps(fn(&mut Client) -> &mut Option<Apps>),
}

/// The largest value in milliseconds that timers of all clients accept: above it, some clients lose
/// the whole server.
pub(crate) const MOST_MS: u64 = i32::MAX as u64;

/// Every field.
pub const FIELDS: &[Field] = &[
    field("name", Kind::Text(|client| &mut client.name)),
    field("names", Kind::Texts(|client| &mut client.names)),
    field("limit_ms", Kind::Number(|client| &mut client.limit_ms)),
    field(
        "http_limit_ms",
        Kind::Number(|client| &mut client.http_limit_ms),
    ),
    field("wall_ms", Kind::Number(|client| &mut client.wall_ms)),
    field("progress", Kind::Progress(|client| &mut client.progress)),
    field("dialogs", Kind::Dialogs(|client| &mut client.dialogs)),
    field("apps", Kind::Apps(|client| &mut client.apps)),
    field(
        "declines_at_once",
        Kind::Flag(|client| &mut client.declines_at_once),
    ),
    field(
        "dialog_pauses",
        Kind::Flag(|client| &mut client.dialog_pauses),
    ),
    field("shows", Kind::Shows(|client| &mut client.shows)),
    field("images", Kind::Images(|client| &mut client.images)),
    field(
        "images_bytes",
        Kind::Number(|client| &mut client.images_bytes),
    ),
    field("tool_name", Kind::Text(|client| &mut client.tool_name)),
    field("note", Kind::Text(|client| &mut client.note)),
    field("unverified", Kind::Texts(|client| &mut client.unverified)),
    field(
        "register.file",
        Kind::Text(|client| &mut client.register.file),
    ),
    field(
        "register.file_macos",
        Kind::Text(|client| &mut client.register.file_macos),
    ),
    field(
        "register.file_windows",
        Kind::Text(|client| &mut client.register.file_windows),
    ),
    field(
        "register.also",
        Kind::Texts(|client| &mut client.register.also),
    ),
    field(
        "register.alternatives",
        Kind::Texts(|client| &mut client.register.alternatives),
    ),
    field(
        "register.project",
        Kind::Text(|client| &mut client.register.project),
    ),
    field(
        "register.found",
        Kind::Texts(|client| &mut client.register.found),
    ),
    field(
        "register.format",
        Kind::Text(|client| &mut client.register.format),
    ),
    field("register.at", Kind::Text(|client| &mut client.register.at)),
    field(
        "register.stdio",
        Kind::Text(|client| &mut client.register.stdio),
    ),
    field(
        "register.http",
        Kind::Text(|client| &mut client.register.http),
    ),
    field(
        "register.timeout_key",
        Kind::Text(|client| &mut client.register.timeout_key),
    ),
    field(
        "register.timeout_unit",
        Kind::Text(|client| &mut client.register.timeout_unit),
    ),
    field(
        "register.timeout",
        Kind::Number(|client| &mut client.register.timeout),
    ),
    field(
        "register.settings",
        Kind::Texts(|client| &mut client.register.settings),
    ),
    field(
        "register.folder",
        Kind::Text(|client| &mut client.register.folder),
    ),
    field(
        "register.then",
        Kind::Text(|client| &mut client.register.then),
    ),
    field(
        "register.add",
        Kind::Text(|client| &mut client.register.add),
    ),
    field(
        "takeover.settings",
        Kind::Texts(|client| &mut client.takeover.settings),
    ),
    field(
        "takeover.folder",
        Kind::Text(|client| &mut client.takeover.folder),
    ),
    field(
        "takeover.does",
        Kind::Text(|client| &mut client.takeover.does),
    ),
];

const fn field(path: &'static str, kind: Kind) -> Field {
    Field { path, kind }
}

impl Field {
    /// The accepted values, in words for an error message.
    pub fn takes(&self) -> String {
        match self.kind {
            Kind::Text(_) => "a text".to_owned(),
            Kind::Texts(_) => "a list of texts".to_owned(),
            Kind::Number(_) => format!("a whole number, 0 to {MOST_MS}"),
            Kind::Flag(_) => "true or false".to_owned(),
            Kind::Progress(_) => words(PROGRESS),
            Kind::Shows(_) => words(SHOWS),
            Kind::Images(_) => words(IMAGES),
            Kind::Apps(_) => words(APPS),
            Kind::Dialogs(_) => format!("a list of {}", words(DIALOGS)),
        }
    }

    /// Sets the field from a value; `None` if the value isn't accepted.
    pub fn take(&self, client: &mut Client, value: &toml::Value) -> Option<()> {
        match self.kind {
            Kind::Text(place) => *place(client) = Some(value.as_str()?.to_owned()),
            Kind::Texts(place) => *place(client) = list(value, |text| Some(text.to_owned()))?,
            Kind::Number(place) => {
                let number = u64::try_from(value.as_integer()?).ok()?;
                *place(client) = Some((number <= MOST_MS).then_some(number)?);
            }
            Kind::Flag(place) => *place(client) = value.as_bool()?,
            Kind::Progress(place) => *place(client) = Some(find(PROGRESS, value.as_str()?)?),
            Kind::Shows(place) => *place(client) = Some(find(SHOWS, value.as_str()?)?),
            Kind::Images(place) => *place(client) = Some(find(IMAGES, value.as_str()?)?),
            Kind::Apps(place) => *place(client) = Some(find(APPS, value.as_str()?)?),
            Kind::Dialogs(place) => *place(client) = list(value, |word| find(DIALOGS, word))?,
        }
        Some(())
    }
}

fn list<T>(value: &toml::Value, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let entries = value.as_array()?.iter();
    entries.map(|entry| read(entry.as_str()?)).collect()
}
