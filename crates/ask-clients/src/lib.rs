//! The agent clients that we know: `clients.toml`, and what is different for this
//! person in `config.toml`. From a row follows how long a call from that client may
//! wait. Nothing is read before the first call, and then one row alone.

pub mod fields;
pub mod labels;
pub mod page;
pub mod registration;
pub mod strategy;
pub mod table;

use std::collections::BTreeMap;

use fields::{FIELDS, Field};
use labels::{Apps, Dialog, Images, Progress, Shows};

/// What is known of a client. What isn't is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// How `config.toml` calls it.
    pub key: String,
    /// How people call it.
    pub name: Option<String>,
    /// How it calls itself; a trailing `*` stands for any ending.
    pub names: Vec<String>,
    /// How long it waits for a silent call; 0 for ever.
    pub limit_ms: Option<u64>,
    /// The same over HTTP, where it differs.
    pub http_limit_ms: Option<u64>,
    /// How long it waits whatever it is sent meanwhile.
    pub wall_ms: Option<u64>,
    /// What progress does to the limit.
    pub progress: Option<Progress>,
    /// The dialogs it can show its person for us.
    pub dialogs: Vec<Dialog>,
    /// Whether it may show our card as an app, and when that can be answered.
    pub apps: Option<Apps>,
    /// In one-shot runs it declines them by itself, so that a decline may be nobody's.
    pub declines_at_once: bool,
    /// Its limit stands still while a dialog is open.
    pub dialog_pauses: bool,
    /// What its model sees of a result.
    pub shows: Option<Shows>,
    /// What becomes of the images of a result.
    pub images: Option<Images>,
    /// How much of them it takes in one result, as base64.
    pub images_bytes: Option<u64>,
    /// The name that our tool needs there.
    pub tool_name: Option<String>,
    /// What else people should know.
    pub note: Option<String>,
    /// Fields that are told but not confirmed.
    pub unverified: Vec<String>,
    /// How our server is entered there.
    pub register: Register,
    /// How its own question tool is taken over.
    pub takeover: Takeover,
}

/// Where and how a server is entered in a client's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Register {
    /// The person's own file.
    pub file: Option<String>,
    /// The same on macOS, where it differs.
    pub file_macos: Option<String>,
    /// The same on Windows, where it differs.
    pub file_windows: Option<String>,
    /// Further files that get the same entry.
    pub also: Vec<String>,
    /// Other names of the file, in the same folder, where one of them is there already.
    pub alternatives: Vec<String>,
    /// The file of one project.
    pub project: Option<String>,
    /// How an install is known: paths, or names of programs.
    pub found: Vec<String>,
    /// json, jsonc, toml or yaml.
    pub format: Option<String>,
    /// What the entry stands in, under the server's name.
    pub at: Option<String>,
    /// The entry of a server on stdio.
    pub stdio: Option<String>,
    /// The entry of one that is spoken to over HTTP.
    pub http: Option<String>,
    /// The key of the limit for a call.
    pub timeout_key: Option<String>,
    /// What that counts in.
    pub timeout_unit: Option<String>,
    /// What to write there.
    pub timeout: Option<u64>,
    /// Further settings, each as file, place and value.
    pub settings: Vec<String>,
    /// Where the files of our extension go, for a client that takes such.
    pub folder: Option<String>,
    /// What is left to do for the person.
    pub then: Option<String>,
    /// The client's own command.
    pub add: Option<String>,
}

/// How a client's built-in question tool is taken over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Takeover {
    /// Settings, as those of [`Register`].
    pub settings: Vec<String>,
    /// Where the files of our plugin go.
    pub folder: Option<String>,
    /// What it does, for the person.
    pub does: Option<String>,
}

/// What `config.toml` says of clients, by key.
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
        // A test reads every row, and minds every word of it.
        let row: toml::Table = text.parse().unwrap_or_default();
        client.take(&row, &mut |_, _| {});
        client
    }

    /// Takes what a row says. What it can't mean is told with its path, and where that is a
    /// field, with the field.
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

    /// With the limit that its registration has written. Where there is a wall, it is that.
    fn limited(mut self, ms: u64) -> Self {
        self.limit_ms = Some(ms);
        self.http_limit_ms = None;
        self.wall_ms = self.wall_ms.map(|_| ms);
        self
    }

    /// How people call it.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.key)
    }
}

/// What a row of the person's settings can't mean: each path, with what it takes if it is a field.
pub fn mistakes(row: &toml::Table) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    Client::default().take(row, &mut |path, field| {
        found.push((path.to_owned(), field.map(Field::takes)));
    });
    found
}

#[cfg(test)]
mod tests;
