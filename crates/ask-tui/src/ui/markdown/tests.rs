//! Texts wrapped into rows.

use ask_config::i18n::Language;
use ask_core::markdown::Document;

use super::*;

fn shown(text: &str, columns: usize) -> String {
    let rows = rows(
        &Document::read(text),
        columns,
        Words::for_language(Language::English),
    );
    for row in &rows {
        assert!(
            row.width() <= columns.max(2),
            "{} columns: {row:?}",
            columns
        );
    }
    let lines: Vec<String> = rows.iter().map(WrappedLine::text).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

const EVERYTHING: &str = "# Which database?\n\nWe have **two** options, see [the docs](https://user@example.org/pg/) \
and ![a graph](x.png):\n\n1. `PostgreSQL` is already there and needs a server in the tests\n2. SQLite\n   - small\n   \
- [x] tried\n\n> Somebody said that this is long enough to be wrapped\n\n```rust\nfn main() {\n    \
println!(\"a line that is too long for a narrow screen\");\n}\n```\n\n| name | rows |\n|---|--:|\n| orders | 1200 |\n| mail | 7 |\n";

#[test]
fn every_element_is_rendered_at_every_width() {
    insta::assert_snapshot!("everything_60", shown(EVERYTHING, 60));
    insta::assert_snapshot!("everything_30", shown(EVERYTHING, 30));
    insta::assert_snapshot!("everything_10", shown(EVERYTHING, 10));
    for columns in 8..60 {
        shown(EVERYTHING, columns);
    }
}

#[test]
fn a_table_without_room_has_a_line_for_each_cell() {
    let text = "| name | what it is for |\n|---|---|\n| orders | everything that is bought |\n| mail | |\n";
    insta::assert_snapshot!(shown(text, 24), @r"
    name: orders
    what it is for:
    everything that is
    bought

    name: mail
    ");
}

#[test]
fn added_and_removed_lines_of_a_diff_have_kinds() {
    let document = Document::read("```diff\n+ new\n- old\n  same\n```");
    let kinds: Vec<TextKind> = rows(&document, 40, Words::for_language(Language::English))
        .iter()
        .map(|row| row.pieces[0].1.kind)
        .collect();
    assert_eq!(kinds, [TextKind::Added, TextKind::Removed, TextKind::Code]);
}

#[test]
fn a_link_shows_its_destination() {
    assert_eq!(
        shown(
            "[https://good.example](https://good.example@evil.example/a)",
            80
        ),
        "https://good.example (evil.example/a)"
    );
    assert_eq!(
        shown("[good.example/a](https://good.example/a/)", 80),
        "good.example/a"
    );
    assert_eq!(shown("[run](javascript:x)", 80), "run (javascript:x)");
    assert_eq!(shown("<https://a.example>", 80), "https://a.example");
}
