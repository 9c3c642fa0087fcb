//! Whose row it is: the table of clients, searched by the name that a client gives itself,
//! with what the person and the registration say besides. Only the row that is wanted is
//! read as TOML, because an agent waits for it.

use super::{Client, Overrides};

/// A registration that raises a client's limit says so to the server in this variable, in
/// milliseconds (0: no limit): the server can't see what its client was configured with.
pub const LIMIT_VARIABLE: &str = "ASK_USER_LIMIT_MS";

/// The whole table.
pub(super) const TABLE: &str = include_str!("clients.toml");

/// What holds for a client of that name: the row of the table, what the person has set, and
/// what the registration says of its limit, in this order.
pub fn called(name: &str, overrides: &Overrides, registered: Option<&str>) -> Option<Client> {
    let mut found = own(name, overrides).or_else(|| shipped(name));
    if let Some(client) = &mut found
        && let Some(row) = overrides.get(&client.key)
    {
        client.take(row, &mut |_, _| {});
    }
    // The person's names for a known client replace those of the table.
    let found = found.filter(|client| client.names.iter().any(|pattern| fits(pattern, name)));
    let stated = registered.and_then(|text| text.trim().parse().ok());
    match stated {
        Some(ms) => Some(found.unwrap_or_else(|| Client::blank(name)).limited(ms)),
        None => found,
    }
}

/// The client that the person's settings give that name.
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

/// The row of the table for that name. Only that row is read as TOML.
fn shipped(name: &str) -> Option<Client> {
    let (key, text) = chunks().find(|(_, text)| {
        let line = text.lines().find_map(|line| line.strip_prefix("names = "));
        // Names hold no quotes: what stands between them are names and commas.
        let mut names = line.unwrap_or_default().split('"').skip(1).step_by(2);
        names.any(|pattern| fits(pattern, name))
    })?;
    Some(Client::read(key, text))
}

/// Every row of the table.
pub fn all() -> impl Iterator<Item = Client> {
    chunks().map(|(key, text)| Client::read(key, text))
}

/// Every client, as this person has it: the rows of the table with what their settings say,
/// and the clients that those add.
pub fn everybody(overrides: &Overrides) -> Vec<Client> {
    let own = overrides.keys().filter(|key| !is_known(key));
    let mut clients: Vec<Client> = all().chain(own.map(|key| Client::blank(key))).collect();
    for client in &mut clients {
        if let Some(row) = overrides.get(&client.key) {
            client.take(row, &mut |_, _| {});
        }
    }
    clients
}

/// The rows as text, each with its key: a row begins where a line begins with a bracket.
fn chunks() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = TABLE.split("\n[").skip(1);
    rows.filter_map(|row| row.split_once("]\n"))
}

/// Whether a name is meant by a pattern.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => pattern == name,
    }
}

/// Whether the table has a row of that key.
pub fn is_known(key: &str) -> bool {
    chunks().any(|(known, _)| known == key)
}
