//! The table of clients, the strategies that follow from it, and what a person may override.

use std::collections::HashSet;
use std::time::Duration;

use ask_protocol::text_json;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use super::fields::MOST_MS;
use super::labels::Progress;
use super::strategy::{Strategy, Transport, strategy};
use super::table::{TABLE, all_clients, called, fits};
use super::{Client, Overrides, mistakes, page};

const NOBODY: &Overrides = &Overrides::new();

/// A name that the pattern matches.
fn example(pattern: &str) -> String {
    pattern.replace('*', " and more")
}

#[test]
fn every_row_is_valid_and_matches_its_own_names() {
    let mut names = HashSet::new();
    let page = page::page();
    let whole: toml::Table = TABLE.parse().expect("clients.toml is valid TOML");
    assert_eq!(
        whole.len(),
        all_clients().count(),
        "rows are cut where tables begin"
    );
    for client in all_clients() {
        let key = &client.key;
        let row = whole[key].as_table().expect("each row is a table");
        assert_eq!(mistakes(row), [], "{key}");
        let mut read = Client::blank(key);
        read.take(row, &mut |_, _| {});
        assert_eq!(
            client, read,
            "a row is the same alone and in the whole table"
        );
        assert!(client.name.is_some(), "{key} has a name for people");
        assert!(
            page.contains(&format!("| {} | `{key}` |", client.title())),
            "{key} is on the page"
        );
        for pattern in &client.names {
            let name = example(pattern);
            assert!(
                names.insert(pattern.clone()),
                "{pattern}: no other row has it"
            );
            let found = called(&name, NOBODY, None).map(|found| found.key);
            assert_eq!(found.as_ref(), Some(key), "{name}");
            let fitting = all_clients().flat_map(|client| client.names);
            let fitting = fitting.filter(|pattern| fits(pattern, &name)).count();
            assert_eq!(fitting, 1, "{name}: no two patterns fit");
        }
        for path in &client.unverified {
            let mut keys = path.split('.');
            let value = keys.try_fold(&whole[key], |row, key| row.get(key));
            assert!(value.is_some(), "{key} leaves {path} open");
        }
    }
}

#[test]
fn every_registration_can_be_written() {
    for client in all_clients() {
        let (key, register) = (&client.key, &client.register);
        for entry in register.stdio.iter().chain(&register.http) {
            assert!(
                text_json(entry).is_ok_and(|json| json.is_object()),
                "{key}: {entry}"
            );
        }
        let places = [
            &register.file,
            &register.file_macos,
            &register.project,
            &register.add,
        ];
        let has_file = places.iter().any(|place| place.is_some());
        if has_file && register.folder.is_none() {
            let format = register.format.as_deref().unwrap_or_default();
            assert!(
                ["json", "jsonc", "toml", "yaml"].contains(&format),
                "{key}: {format}"
            );
            assert!(register.at.is_some(), "{key}");
        }
        let factor = match register.timeout_unit.as_deref() {
            Some("ms") => 1,
            Some("s") => 1_000,
            other => {
                assert_eq!(
                    (other, register.timeout, &register.timeout_key),
                    (None, None, &None)
                );
                continue;
            }
        };
        let ms = register.timeout.expect("a row with a key has a limit") * factor;
        assert!(
            (1..=MOST_MS).contains(&ms) && register.timeout_key.is_some(),
            "{key}"
        );
        let now = client.limit_ms.unwrap_or_default();
        assert!(ms > now, "{key}: the limit that is written is a longer one");
    }
}

#[test]
fn calls_wait_as_long_as_their_client_allows() {
    use Transport::{Http, Stdio};
    let day = Some("86400000");
    for (name, token, transport, registered, seconds) in [
        ("claude-code", true, Stdio, None, Some(99_970)),
        ("claude-code", false, Stdio, None, Some(1_770)),
        ("claude-code", false, Http, None, Some(285)),
        ("claude-code", false, Http, day, Some(86_370)),
        ("claude-ai", true, Stdio, None, Some(57)),
        (
            "claude-ai (via mcp-remote 0.1.37)",
            true,
            Http,
            None,
            Some(57),
        ),
        ("codex-mcp-client", true, Stdio, None, Some(285)),
        ("codex-mcp-client", true, Stdio, day, Some(86_370)),
        ("codex-mcp-client", true, Stdio, Some("0"), None),
        ("codex-mcp-client", true, Stdio, Some("soon"), Some(285)),
        ("opencode", true, Stdio, None, None),
        ("opencode", false, Http, None, Some(57)),
        ("gemini-cli-mcp-client", true, Stdio, None, Some(570)),
        ("qwen-cli-mcp-client-ask", true, Stdio, None, Some(285)),
        ("copilot-cli", true, Stdio, None, None),
        ("Visual Studio Code - Insiders", false, Stdio, None, None),
        ("Zed", true, Stdio, None, Some(57)),
        ("@cline/core", false, Stdio, None, Some(57)),
        ("factory-cli", false, Stdio, None, Some(171)),
        ("cursor-vscode", true, Stdio, None, None),
        ("mcp", false, Stdio, None, None),
        ("mcp", false, Stdio, Some("5000"), Some(3)),
        ("somebody", false, Http, None, None),
        ("", true, Stdio, None, None),
    ] {
        let known = called(name, NOBODY, registered);
        let wanted = seconds.map_or(Strategy::Block, |seconds| {
            Strategy::ReturnAfter(Duration::from_secs(seconds))
        });
        let found = strategy(known.as_ref(), token, transport);
        assert_eq!(
            found, wanted,
            "{name}, token {token}, {transport:?}, {registered:?}"
        );
    }
}

#[test]
fn a_person_can_change_a_row_and_add_one() {
    let text = "
[codex]
progress = 'extends'
dialogs = []
register.project = 'mine.toml'
[zed]
names = ['Zed Preview']
limit_ms = 'wrong'
[house]
names = ['house-*', 'Cline']
limit_ms = 40000
";
    let table: toml::Table = text.parse().expect("the literal is TOML");
    let rows = table.into_iter();
    let rows = rows.map(|(key, row)| (key, row.as_table().expect("each row is a table").clone()));
    let overrides: Overrides = rows.collect();
    let found = |name: &str| called(name, &overrides, None);
    let codex = found("codex-mcp-client").expect("the table has a row for Codex");
    assert_eq!(
        codex.limit_ms,
        Some(300_000),
        "fields that aren't overridden stay"
    );
    assert_eq!(
        strategy(Some(&codex), true, Transport::Stdio),
        Strategy::Block
    );
    assert!(codex.dialogs.is_empty());
    assert_eq!(codex.register.project.as_deref(), Some("mine.toml"));
    assert_eq!(codex.register.format.as_deref(), Some("toml"));
    let zed = found("Zed Preview").expect("the override gives Zed its new name");
    assert_eq!((zed.key.as_str(), zed.limit_ms), ("zed", Some(60_000)));
    assert_eq!(found("Zed"), None, "names are replaced");
    for name in ["house-7", "Cline"] {
        let house = found(name).expect("the settings add this client");
        assert_eq!(
            (house.title(), house.limit_ms),
            ("house", Some(40_000)),
            "{name}"
        );
    }
}

proptest! {
    #[test]
    fn a_limit_leaves_time_for_the_person_and_for_the_response(
        limit in 1..=MOST_MS,
        wall in proptest::option::of(1..=MOST_MS),
        token in any::<bool>(),
        extends in any::<bool>(),
    ) {
        let client = Client {
            limit_ms: Some(limit),
            wall_ms: wall,
            progress: Some(if extends { Progress::Extends } else { Progress::Ignored }),
            ..Client::default()
        };
        let nearest = match (extends && token, wall) {
            (true, wall) => wall,
            (false, wall) => Some(wall.map_or(limit, |wall| wall.min(limit))),
        };
        match (strategy(Some(&client), token, Transport::Stdio), nearest) {
            (Strategy::Block, nearest) => prop_assert_eq!(nearest, None),
            (Strategy::ReturnAfter(time), None) => prop_assert!(false, "{time:?}"),
            (Strategy::ReturnAfter(time), Some(nearest)) => {
                let waits = u64::try_from(time.as_millis()).expect("the time fits into 64 bits");
                let back = nearest - waits;
                prop_assert!(waits >= nearest / 2 && back <= 30_000);
                prop_assert!(back >= 2_000 || back == nearest / 2);
            }
        }
    }
}
