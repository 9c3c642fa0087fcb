//! The known agent clients: `clients.toml`, overridden by this person's `config.toml`. A row
//! determines how long a call of that client may wait. Nothing is parsed before the first call, and
//! then only one row.

pub mod fields;
pub mod labels;
pub mod page;
pub mod registration;
pub mod strategy;
pub mod table;

use std::collections::BTreeMap;

use fields::{FIELDS, Field};
use labels::{Apps, Dialog, Images, Progress, Shows};

/// What is known of a client. Unknown fields are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// Its key in `config.toml`.
    pub key: String,
    /// Its name for people.
    pub name: Option<String>,
    /// The names in its `clientInfo`; a trailing `*` matches any ending.
    pub names: Vec<String>,
    /// How long it waits for a silent call, in milliseconds; 0 for ever.
    pub limit_ms: Option<u64>,
    /// The same over HTTP, if it differs.
    pub http_limit_ms: Option<u64>,
    /// How long it waits in any case, in milliseconds, even with progress.
    pub wall_ms: Option<u64>,
    /// How progress affects the limit.
    pub progress: Option<Progress>,
    /// The kinds of dialogs that it offers.
    pub dialogs: Vec<Dialog>,
    /// When our card can be answered, if the client may show it as an app.
    pub apps: Option<Apps>,
    /// Whether it declines dialogs by itself in one-shot runs, so that a decline may be no
    /// person's.
    pub declines_at_once: bool,
    /// Whether its limit pauses while a dialog is open.
    pub dialog_pauses: bool,
    /// What its model sees of a result.
    pub shows: Option<Shows>,
    /// How images of a result are passed on.
    pub images: Option<Images>,
    /// The most bytes of images in one result, in base64.
    pub images_bytes: Option<u64>,
    /// The name that our tool must have there.
    pub tool_name: Option<String>,
    /// A note for people.
    pub note: Option<String>,
    /// Fields whose values come from its documentation and were not tried.
    pub unverified: Vec<String>,
    /// How to register our server there.
    pub register: Register,
    /// How to take over its own question tool.
    pub takeover: Takeover,
}

/// Where and how a server is registered in a client's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Register {
    /// The person's settings file.
    pub file: Option<String>,
    /// The same on macOS, if it differs.
    pub file_macos: Option<String>,
    /// The same on Windows, if it differs.
    pub file_windows: Option<String>,
    /// Further files that get the same entry.
    pub also: Vec<String>,
    /// Other names of the file in the same folder; one that exists is used.
    pub alternatives: Vec<String>,
    /// The settings file of a project.
    pub project: Option<String>,
    /// Signs of an installation: paths, or names of programs.
    pub found: Vec<String>,
    /// The format: json, jsonc, toml or yaml.
    pub format: Option<String>,
    /// The keys under which entries are, with `/` between them.
    pub at: Option<String>,
    /// The template of an entry for stdio, as JSON.
    pub stdio: Option<String>,
    /// The template of an entry for HTTP, as JSON.
    pub http: Option<String>,
    /// The key of the time limit of calls.
    pub timeout_key: Option<String>,
    /// The unit of that limit: ms or s.
    pub timeout_unit: Option<String>,
    /// The value to write there.
    pub timeout: Option<u64>,
    /// Further settings, each as file, keys and value.
    pub settings: Vec<String>,
    /// The folder for our extension's files, if the client loads such.
    pub folder: Option<String>,
    /// What is left for the person to do.
    pub then: Option<String>,
    /// The client's own command that adds a server.
    pub add: Option<String>,
}

/// How a client's built-in question tool is taken over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Takeover {
    /// Settings, in the form of [`Register::settings`].
    pub settings: Vec<String>,
    /// The folder for our plugin's files.
    pub folder: Option<String>,
    /// What the takeover does, for people.
    pub does: Option<String>,
}

/// The person's rows in `config.toml`, by key.
pub type Overrides = BTreeMap<String, toml::Table>;

impl Client {
    fn blank(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..Self::default()
        }
    }

    fn read(key: &str, text: &str) -> Self {
        let mut client = Self::blank(key);
        // A test checks every field of every row, so errors can be ignored here.
        let row: toml::Table = text.parse().unwrap_or_default();
        client.take(&row, &mut |_, _| {});
        client
    }

    /// Sets the fields of a row. Calls `wrong` for each that is not accepted, with its path and, if
    /// there is such a field, the field.
    fn take(&mut self, row: &toml::Table, wrong: &mut dyn FnMut(&str, Option<&Field>)) {
        for (key, value) in row {
            if let Some(inner) = value.as_table() {
                for (part, value) in inner {
                    self.take_field(&format!("{key}.{part}"), value, wrong);
                }
            } else {
                self.take_field(key, value, wrong);
            }
        }
    }

    fn take_field(
        &mut self,
        path: &str,
        value: &toml::Value,
        wrong: &mut dyn FnMut(&str, Option<&Field>),
    ) {
        let field = FIELDS.iter().find(|field| field.path == path);
        if field.and_then(|field| field.take(self, value)).is_none() {
            wrong(path, field);
        }
    }

    /// Applies the limit that a registration has written. It replaces an absolute limit, too.
    fn limited(mut self, ms: u64) -> Self {
        self.limit_ms = Some(ms);
        self.http_limit_ms = None;
        self.wall_ms = self.wall_ms.map(|_| ms);
        self
    }

    /// The name for people.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.key)
    }
}

/// The faults of a row in the person's settings: each path, with the accepted values if there is
/// such a field.
pub fn mistakes(row: &toml::Table) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    Client::default().take(row, &mut |path, field| {
        found.push((path.to_owned(), field.map(Field::takes)));
    });
    found
}

#[cfg(test)]
mod tests;
