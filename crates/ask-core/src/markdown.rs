//! Agents' Markdown, parsed once into a small tree that any surface can show. The tree has no
//! markup and only safe text. Text that was never meant as Markdown keeps its lines, its indents
//! and its characters.

mod builder;
mod delimiters;
mod inline;
mod parse;
pub mod place;

use crate::SafeText;

/// The size in bytes above which a text is shown verbatim, so that parsing never takes long.
pub const MAX_BYTES: usize = 256 * 1024;

/// The number of pieces in one paragraph or table above which a text is shown verbatim, too: a page
/// draws them at once, and would freeze meanwhile. A list of many items is drawn bit by bit.
pub(crate) const MAX_PIECES: usize = 10_000;

/// How deep quotes and lists are nested. What is deeper is shown in the deepest one.
pub const MAX_DEPTH: usize = 12;

/// A text as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Document {
    /// Its blocks, from the top down.
    pub blocks: Vec<Block>,
    /// The destinations of its links, in order of appearance.
    pub links: Vec<SafeText>,
}

/// One block of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Whether a blank line comes before it.
    pub apart: bool,
    /// What kind of block it is.
    pub kind: BlockKind,
}

/// The kind of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of six levels.
    Heading {
        /// From 1, the highest, to 6.
        level: usize,
        /// Whether it was written with one `#` per level.
        hashes: bool,
        /// Its lines: one, and hardly ever more.
        lines: Vec<Line>,
    },
    /// Lines of words. Line breaks of the agent stay.
    Paragraph(Vec<Line>),
    /// Code, which is shown to the letter.
    Code {
        /// Its language by the fence; empty if it has none.
        language: SafeText,
        /// Whether it was between fences. Otherwise it was indented by four columns.
        fenced: bool,
        /// The text of the code.
        text: SafeText,
    },
    /// Items, each with its marker.
    List(Vec<Item>),
    /// Blocks of a quotation.
    Quote(Vec<Block>),
    /// A table.
    Table {
        /// How its columns are aligned.
        aligned: Vec<Aligned>,
        /// The names of the columns.
        head: Vec<Line>,
        /// The cells, one list per row. Empty cells at the end of a row are left out.
        rows: Vec<Vec<Line>>,
    },
    /// A horizontal line across.
    Rule,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The marker as written: `-`, `+`, `3.`.
    pub mark: SafeText,
    /// For a task, whether it is done.
    pub done: Option<bool>,
    /// The blocks of the item.
    pub blocks: Vec<Block>,
}

/// How a column of a table is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aligned {
    /// To the left, as nearly everywhere.
    #[default]
    Left,
    /// In the middle.
    Middle,
    /// To the right, as numbers are.
    Right,
}

/// One line of words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Line {
    /// How many columns it was indented by.
    pub indent: usize,
    /// Its words, in order.
    pub spans: Vec<Span>,
}

/// Words of the same style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The words, on one line.
    pub text: SafeText,
    /// The style of the words.
    pub marks: Marks,
    /// The index of the document's link that they belong to.
    pub link: Option<usize>,
}

/// The style of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Strong emphasis, usually bold.
    pub strong: bool,
    /// Emphasis, usually in italics.
    pub emphasis: bool,
    /// Struck through, as deleted.
    pub struck: bool,
    /// Code, which is shown to the letter.
    pub code: bool,
    /// The alternative text of an image. Images themselves are never fetched.
    pub image: bool,
}

impl Document {
    /// Parses a text. A text that is too long, or has too many pieces at once, is shown verbatim.
    pub fn read(text: &str) -> Self {
        let safe = SafeText::block(text.trim_end().trim_start_matches(['\n', '\r']));
        let is_short = safe.as_str().len() <= MAX_BYTES;
        let read = is_short.then(|| parse::read(safe.as_str())).flatten();
        read.unwrap_or_else(|| Self::verbatim(&safe))
    }

    /// A text without any Markdown.
    pub fn verbatim(text: &SafeText) -> Self {
        let lines = text.as_str().split('\n').map(Line::verbatim).collect();
        Self {
            blocks: vec![Block {
                apart: false,
                kind: BlockKind::Paragraph(lines),
            }],
            links: Vec::new(),
        }
    }

    /// All its words on one line, without styles, for names.
    pub fn line(&self) -> SafeText {
        let mut words = Vec::new();
        gather(&self.blocks, &mut words);
        SafeText::line(&words.join(" "))
    }

    /// Whether it has nothing to show.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

fn gather(blocks: &[Block], words: &mut Vec<String>) {
    for block in blocks {
        match &block.kind {
            BlockKind::Heading { lines, .. } | BlockKind::Paragraph(lines) => {
                words.extend(lines.iter().map(Line::words));
            }
            BlockKind::Code { text, .. } => words.push(text.to_string()),
            BlockKind::List(items) => {
                for item in items {
                    words.push(item.mark.to_string());
                    gather(&item.blocks, words);
                }
            }
            BlockKind::Quote(within) => gather(within, words),
            BlockKind::Table { head, rows, .. } => {
                words.extend(head.iter().chain(rows.iter().flatten()).map(Line::words));
            }
            BlockKind::Rule => {}
        }
    }
}

impl Line {
    fn verbatim(line: &str) -> Self {
        let words = line.trim_start_matches(' ');
        let text = SafeText::line(words);
        let span = Span {
            text,
            marks: Marks::default(),
            link: None,
        };
        Self {
            indent: line.len() - words.len(),
            spans: if words.is_empty() {
                Vec::new()
            } else {
                vec![span]
            },
        }
    }

    /// Its words without their styles.
    pub fn words(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
