//! Agents' Markdown as lines for a speech synthesizer: its syntax is removed except for list
//! markers, nothing is cut, and code stays as it is.

use ask_config::i18n::Words;
use ask_core::markdown::{Block, BlockKind, Document, Item, Line, place};

/// Renders an agent's text for a speech synthesizer.
pub(crate) fn speech(words: Words, text: &str) -> String {
    let document = Document::read(text.trim());
    let renderer = SpeechRenderer {
        words,
        document: &document,
    };
    renderer.blocks(&document.blocks).join("\n")
}

struct SpeechRenderer<'a> {
    words: Words,
    document: &'a Document,
}

impl SpeechRenderer<'_> {
    fn blocks(&self, blocks: &[Block]) -> Vec<String> {
        let mut lines = Vec::new();
        for block in blocks {
            let rendered = self.block(&block.kind);
            if block.apart && !lines.is_empty() && !rendered.is_empty() {
                lines.push(String::new());
            }
            lines.extend(rendered);
        }
        lines
    }

    fn block(&self, kind: &BlockKind) -> Vec<String> {
        match kind {
            BlockKind::Heading { lines, .. } | BlockKind::Paragraph(lines) => {
                lines.iter().map(|line| self.line(line)).collect()
            }
            BlockKind::Code { text, .. } => text.as_str().lines().map(str::to_owned).collect(),
            BlockKind::List(items) => items.iter().flat_map(|item| self.item(item)).collect(),
            BlockKind::Quote(blocks) => {
                let text = self.blocks(blocks).join("\n");
                vec![self.words.format("line-quote", &[("text", text.into())])]
            }
            BlockKind::Table { head, rows, .. } => {
                rows.iter().map(|row| self.row(head, row)).collect()
            }
            BlockKind::Rule => Vec::new(),
        }
    }

    fn item(&self, item: &Item) -> Vec<String> {
        let mut lines = self.blocks(&item.blocks);
        let first = if lines.is_empty() {
            String::new()
        } else {
            lines.remove(0)
        };
        let mark = item.mark.as_str();
        let facts = [("mark", mark.into()), ("text", first.as_str().into())];
        let first = match item.done {
            Some(true) => self.words.format("line-item-done", &facts),
            Some(false) => self.words.format("line-item-open", &facts),
            None => format!("{mark} {first}"),
        };
        let rest = lines.into_iter().map(|line| {
            if line.is_empty() {
                line
            } else {
                format!("  {line}")
            }
        });
        std::iter::once(first).chain(rest).collect()
    }

    /// A table row on one line, each cell behind the name of its column.
    fn row(&self, head: &[Line], row: &[Line]) -> String {
        let cells = row.iter().enumerate().filter_map(|(at, cell)| {
            let text = self.line(cell);
            let name = head.get(at).map(|name| self.line(name)).unwrap_or_default();
            match (name.is_empty(), text.is_empty()) {
                (_, true) => None,
                (true, false) => Some(text),
                (false, false) => {
                    let facts = [("name", name.into()), ("text", text.into())];
                    Some(self.words.format("line-cell", &facts))
                }
            }
        });
        cells.collect::<Vec<_>>().join("; ")
    }

    /// The text of a line; a link is followed by its address.
    fn line(&self, line: &Line) -> String {
        let mut text = " ".repeat(line.indent);
        let mut linked = String::new();
        for (at, span) in line.spans.iter().enumerate() {
            let content = match (span.marks.image, span.text.as_str()) {
                (true, "") => self.words.say("card-image-unnamed"),
                (true, alt) => self.words.format("card-image", &[("alt", alt.into())]),
                (false, content) => content.to_owned(),
            };
            text.push_str(&content);
            let Some(link) = span.link else { continue };
            linked.push_str(&content);
            let next = line.spans.get(at + 1).and_then(|next| next.link);
            if next != Some(link) {
                if let Some(link) = self.document.links.get(link)
                    && let Some(destination) = place::displayed_destination(link.as_str(), &linked)
                {
                    text.push_str(&format!(" ({destination})"));
                }
                linked.clear();
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_config::i18n::Language;

    #[test]
    fn markdown_is_read_out_without_its_syntax() {
        let text = "## Plan\n\nWe **must** move `db` to [the docs](https://example.com/a), \
                    *really*.\n\n- one\n- two\n  - [x] deep\n  - [ ] deeper\n\n1. first\n\n\
                    > said so\n\n```rust\nfn a() {\n    b();\n}\n```\n\n---\n\n\
                    | Name | Size |\n|---|---|\n| orders | 12 |\n| mails | |\n\n\
                    <https://example.com>";
        let speech = speech(Words::for_language(Language::English), text);
        insta::assert_snapshot!("markdown", speech);
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        for text in [
            "plain words",
            "two\nlines",
            "a * b * c",
            "snake_case_name",
            "",
        ] {
            assert_eq!(speech(Words::for_language(Language::English), text), text);
        }
    }
}
