//! The lookup in the table of clients, by the name that a client gives itself, with the person's
//! overrides and the limit of the registration. Only the wanted row is parsed as TOML, because an
//! agent waits for it.

use super::{Client, Overrides};

/// The environment variable in which a registration tells the server the limit that it configured,
/// in milliseconds (0: no limit). The server can't read the client's configuration.
pub const LIMIT_VARIABLE: &str = "ASK_USER_LIMIT_MS";

/// The whole table.
pub(super) const TABLE: &str = include_str!("clients.toml");

/// What is known of a client with this name: the table's row, overridden by the person's settings,
/// overridden by the registration's limit.
pub fn called(name: &str, overrides: &Overrides, registered: Option<&str>) -> Option<Client> {
    let mut found = own(name, overrides).or_else(|| shipped(name));
    if let Some(client) = &mut found
        && let Some(row) = overrides.get(&client.key)
    {
        client.take(row, &mut |_, _| {});
    }
    // The person's names for a known client replace those of the table.
    let found = found.filter(|client| client.names.iter().any(|pattern| fits(pattern, name)));
    let limit = registered.and_then(|text| text.trim().parse().ok());
    match limit {
        Some(ms) => Some(found.unwrap_or_else(|| Client::blank(name)).limited(ms)),
        None => found,
    }
}

/// The client to which the person's settings give this name.
fn own(name: &str, overrides: &Overrides) -> Option<Client> {
    let rows = overrides.iter().filter_map(|(key, row)| {
        let names = row.get("names")?.as_array()?;
        let mut names = names.iter().filter_map(toml::Value::as_str);
        names.any(|pattern| fits(pattern, name)).then_some(key)
    });
    let key = rows.into_iter().next()?;
    let known = chunks().find(|(known, _)| known == key);
    Some(known.map_or_else(|| Client::blank(key), |(key, text)| Client::read(key, text)))
}

/// The table's row for this name. Only that row is parsed as TOML.
fn shipped(name: &str) -> Option<Client> {
    let (key, text) = chunks().find(|(_, text)| {
        let line = text.lines().find_map(|line| line.strip_prefix("names = "));
        // Names contain no quotes, so every second part between quotes is a name.
        let mut names = line.unwrap_or_default().split('"').skip(1).step_by(2);
        names.any(|pattern| fits(pattern, name))
    })?;
    Some(Client::read(key, text))
}

/// Every row of the table.
pub(crate) fn all_clients() -> impl Iterator<Item = Client> {
    chunks().map(|(key, text)| Client::read(key, text))
}

/// Every client as this person has it: the table's rows with the person's overrides, and the
/// clients that the person added.
pub fn everybody(overrides: &Overrides) -> Vec<Client> {
    let own = overrides.keys().filter(|key| !is_known(key));
    let mut clients: Vec<Client> = all_clients()
        .chain(own.map(|key| Client::blank(key)))
        .collect();
    for client in &mut clients {
        if let Some(row) = overrides.get(&client.key) {
            client.take(row, &mut |_, _| {});
        }
    }
    clients
}

/// The rows as text, each with its key. A row begins at a line that begins with a bracket.
fn chunks() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = TABLE.split("\n[").skip(1);
    rows.filter_map(|row| row.split_once("]\n"))
}

/// Whether a pattern matches a name.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => pattern == name,
    }
}

/// Whether the table has a row with this key.
pub fn is_known(key: &str) -> bool {
    chunks().any(|(known, _)| known == key)
}
