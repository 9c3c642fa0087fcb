//! Texts that agents really write, and hostile ones.

use super::*;

/// The tree in a short notation: what a surface would show.
fn seen(text: &str) -> String {
    let document = Document::read(text);
    let mut out = String::new();
    blocks(&document.blocks, 0, &document, &mut out);
    out
}

fn blocks(blocks: &[Block], depth: usize, document: &Document, out: &mut String) {
    for block in blocks {
        if block.apart {
            out.push('\n');
        }
        let pad = " ".repeat(depth);
        match &block.kind {
            BlockKind::Heading { level, lines, .. } => {
                let words: Vec<String> = lines.iter().map(|line| shown(line, document)).collect();
                out.push_str(&format!("{pad}h{level} {}\n", words.join(" / ")));
            }
            BlockKind::Paragraph(lines) => {
                for line in lines {
                    let indent = " ".repeat(line.indent);
                    out.push_str(&format!("{pad}{indent}{}\n", shown(line, document)));
                }
            }
            BlockKind::Code {
                language,
                fenced,
                text,
            } => {
                let kind = if *fenced { "code" } else { "set in" };
                out.push_str(&format!("{pad}<{kind} {language}>\n"));
                for line in text.as_str().lines() {
                    out.push_str(&format!("{pad}|{line}\n"));
                }
            }
            BlockKind::List(items) => {
                for item in items {
                    let task = item
                        .done
                        .map_or("", |done| if done { " [x]" } else { " [ ]" });
                    out.push_str(&format!("{pad}{}{task}\n", item.mark));
                    self::blocks(&item.blocks, depth + 2, document, out);
                }
            }
            BlockKind::Quote(inner) => {
                out.push_str(&format!("{pad}>\n"));
                self::blocks(inner, depth + 2, document, out);
            }
            BlockKind::Table { head, rows, .. } => {
                for row in std::iter::once(head).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| shown(cell, document)).collect();
                    out.push_str(&format!("{pad}| {}\n", cells.join(" | ")));
                }
            }
            BlockKind::Rule => out.push_str(&format!("{pad}---\n")),
        }
    }
}

fn shown(line: &Line, document: &Document) -> String {
    let mut out = String::new();
    for span in &line.spans {
        let Marks {
            strong,
            emphasis,
            struck,
            code,
            image,
        } = span.marks;
        let mut words = span.text.to_string();
        for (on, name) in [
            (strong, "b"),
            (emphasis, "i"),
            (struck, "s"),
            (code, "c"),
            (image, "img"),
        ] {
            if on {
                words = format!("{name}({words})");
            }
        }
        if let Some(link) = span.link {
            words = format!("{words}@{}", document.links[link]);
        }
        out.push_str(&words);
    }
    out
}

#[test]
fn markdown_of_agents_is_parsed() {
    let text = "# Database\n\nWe have **two** options for *orders*:\n\n1. `PostgreSQL`, see \
                [the docs](https://example.org/pg)\n2. ~~SQLite~~\n   - small\n   - [x] done\n\n> \
                quoted\n> more\n\n```sql\nSELECT 1;\n\n  -- two\n```\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n";
    insta::assert_snapshot!(seen(text), @r"
    h1 Database

    We have b(two) options for i(orders):

    1.
      c(PostgreSQL), see the docs@https://example.org/pg
    2.
      s(SQLite)
      -
        small
      - [x]
        done

    >
      quoted
      more

    <code sql>
    |SELECT 1;
    |
    |  -- two
    ---

    | a | b
    | 1 | 2
    ");
}

#[test]
fn a_name_has_no_markup() {
    for (text, name) in [
        (
            "Keep `old_name` or **rename** it?",
            "Keep old_name or rename it?",
        ),
        (
            "# Which?\n\n- one\n- *two*\n\n```\nlet a;\n```",
            "Which? - one - two let a;",
        ),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"),
        ("snake_case * 2 * x", "snake_case * 2 * x"),
    ] {
        assert_eq!(Document::read(text).line().as_str(), name);
    }
}

#[test]
fn text_that_is_no_markdown_stays_as_it_is() {
    for text in [
        "Delete src/*.rs and tests/*.rs?",
        "2 * 3 * 4, or 2*3*4, or 2**3**4",
        "Rename __init__ and snake_case_names and **kwargs",
        "~/src or ~/tmp, ~5~6 of them",
        r"Match \d+\.\d+ and ^\[a\]$ in C:\temp\new and \\host\share",
        "Vec<String> and <b>bold</b> & co",
        "handlers[0](event) and list[1][2]",
        "[WARN]: disk",
        "#1 is done, issue #2 isn't",
        "a | b | c",
        "Line one\nline two\n   set in\nline four",
        "  one\n    two\n  three",
        "curl \\\n  -X POST \\\n  https://example.org",
        "3. third\n7. seventh\n7) eighth",
        "+ one engine\n- needs a server\n* a star",
        "/srv/*/data/*",
        "`unclosed and ``more",
        "x = y\\",
    ] {
        assert_eq!(plainly(text), text, "{}", seen(text));
    }
}

/// The words of a text without styles, with the markers of items, and lists and quotes indented as
/// written.
fn plainly(text: &str) -> String {
    fn put(blocks: &[Block], lines: &mut Vec<String>) {
        for block in blocks {
            match &block.kind {
                BlockKind::Paragraph(inner) => {
                    for line in inner {
                        let indent = " ".repeat(line.indent);
                        lines.push(format!("{indent}{}", line.words()));
                    }
                }
                BlockKind::List(items) => {
                    for item in items {
                        let at = lines.len();
                        put(&item.blocks, lines);
                        lines[at] = format!("{} {}", item.mark, lines[at]);
                    }
                }
                other => lines.push(format!("{other:?}")),
            }
        }
    }
    let mut lines = Vec::new();
    put(&Document::read(text).blocks, &mut lines);
    lines.join("\n")
}

#[test]
fn drawings_keep_their_shape() {
    let drawing = "Layout:\n  +----+\n  | ab |\n  +----+\n      |\n  done";
    assert_eq!(plainly(drawing), drawing);
    insta::assert_snapshot!(seen("Before\n\n    set in\n      more\n\nafter"), @r"
    Before

    <set in >
    |set in
    |  more

    after
    ");
}

#[test]
fn images_are_words_and_links_say_where_they_lead() {
    insta::assert_snapshot!(
        seen("![a *cat*](http://x/y.png) and [https://good.example](https://evil.example/a) and <https://auto.example>"),
        @"img(a cat) and https://good.example@https://evil.example/a and https://auto.example@https://auto.example"
    );
    insta::assert_snapshot!(seen("See [docs][1].\n\n[1]: https://example.org/a"), @r"
    See docs@https://example.org/a.

    [1]: https://example.org/a
    ");
}

#[test]
fn hidden_characters_never_reach_the_tree() {
    let text = "a&#27;[31m &#x202e;b&#x200b; [x&#7;](http://e/&#27;) `\u{1b}[2J`\n\n```\u{9b}31m\n\u{1b}]0;t\u{7}\n```\n<a\u{1b}[1m>";
    let document = format!("{:?}", Document::read(text));
    for bad in ["\\u{1b}", "\\u{202e}", "\\u{200b}", "\\u{7}", "\\u{9b}"] {
        assert!(!document.contains(bad), "{bad} in {document}");
    }
}

fn depth(blocks: &[Block]) -> usize {
    let inner = blocks.iter().map(|block| match &block.kind {
        BlockKind::Quote(inner) => 1 + depth(inner),
        BlockKind::List(items) => {
            let items = items.iter().map(|item| depth(&item.blocks));
            2 + items.max().unwrap_or(0)
        }
        BlockKind::Heading { .. }
        | BlockKind::Paragraph(_)
        | BlockKind::Code { .. }
        | BlockKind::Table { .. }
        | BlockKind::Rule => 0,
    });
    inner.max().unwrap_or(0)
}

#[test]
fn hostile_nesting_stays_shallow_and_quick() {
    let ten_megabytes = "> - ".repeat(2_500_000);
    assert_eq!(depth(&Document::read(&ten_megabytes).blocks), 0);
    for piece in [
        "> ",
        "- ",
        "* ",
        "[",
        "![",
        "*",
        "_",
        "__a",
        "**a ",
        "`",
        "``` ",
        "<",
        "<a ",
        "<!--",
        "&",
        "\\",
        "|",
        "|a",
        "1. ",
        "~~",
        "[a](",
        "[a]: b\n",
        "a\n===\n",
        "# ",
        "- a\n",
        "> a\n\n",
        "*a_ ",
        "[a][",
        "</",
        "<![CDATA[",
        "<?",
        "![a](b) ",
        "\t",
        "  ",
        "- [ ] ",
        "~~a ",
        "*_",
        "_a_b",
        "``a`",
    ] {
        let count = MAX_BYTES / piece.len();
        let document = Document::read(&piece.repeat(count));
        assert!(depth(&document.blocks) <= 2 * MAX_DEPTH + 1, "{piece}");
    }
    let table = format!(
        "|{}\n|{}\n{}",
        "a|".repeat(20_000),
        "-|".repeat(20_000),
        "|\n".repeat(60_000)
    );
    let cells = match &Document::read(&table).blocks[..] {
        [
            Block {
                kind: BlockKind::Table { rows, .. },
                ..
            },
            ..,
        ] => rows.iter().map(Vec::len).sum(),
        _ => 0,
    };
    assert_eq!(cells, 0, "cells that aren't written take no memory");
}

#[test]
fn a_text_with_too_many_pieces_at_once_is_shown_verbatim() {
    for (head, piece) in [
        ("", "`a` "),
        ("|a|b|\n|-|-|\n", "|a|b|\n"),
        ("", "![a](b) "),
    ] {
        let few = format!("{head}{}", piece.repeat(100));
        assert_ne!(shown_whole(&few), few.trim_end(), "{piece}");
        let text = format!("{head}{}", piece.repeat(MAX_PIECES));
        assert_eq!(shown_whole(&text), text.trim_end(), "{piece}");
    }
    let items = Document::read(&"- an item of **many**\n".repeat(MAX_PIECES));
    assert!(matches!(&items.blocks[0].kind, BlockKind::List(items) if items.len() == MAX_PIECES));
}

/// The words of a text that is one paragraph, line by line.
fn shown_whole(text: &str) -> String {
    match &Document::read(text).blocks[..] {
        [
            Block {
                kind: BlockKind::Paragraph(lines),
                ..
            },
        ] => {
            let lines: Vec<String> = lines.iter().map(Line::words).collect();
            lines.join("\n")
        }
        _ => String::new(),
    }
}

#[test]
fn a_text_without_words_is_empty() {
    assert!(Document::read("").is_empty());
    assert!(Document::read(" \n\n").is_empty());
}
