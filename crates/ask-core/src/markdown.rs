//! Agents' Markdown, read once into a small tree that any surface can show: no
//! markup is left in it, nothing in it is more than safe text, and text that was
//! never meant as Markdown keeps its lines, its indents and its signs.

mod builder;
mod delimiters;
mod inline;
mod parse;
pub mod place;

use crate::SafeText;

/// Longer texts are taken as they are, so that reading one never takes long.
pub const MAX_BYTES: usize = 256 * 1024;

/// Texts that have more pieces in one paragraph or one table are taken as they are, too: a page draws that
/// at once, and would stand still meanwhile. A list of many items comes bit by bit.
pub const MAX_PIECES: usize = 10_000;

/// How deep quotes and lists are nested; what is deeper stands in the deepest one.
pub const MAX_DEPTH: usize = 12;

/// A text, read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Document {
    /// Its parts, from the top down.
    pub blocks: Vec<Block>,
    /// Where its links lead, in order of appearance.
    pub links: Vec<SafeText>,
}

/// One part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Whether a blank line stands before it.
    pub apart: bool,
    /// What it is.
    pub kind: BlockKind,
}

/// What a part of a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A headline.
    Heading {
        /// From 1, the highest, to 6.
        level: usize,
        /// Whether it was written with a `#` a level.
        hashes: bool,
        /// Its lines: one, hardly ever more.
        lines: Vec<Line>,
    },
    /// Lines of words. A line that the agent broke stays broken.
    Paragraph(Vec<Line>),
    /// Code, to be shown to the letter.
    Code {
        /// What it is said to be written in; empty if nothing is said.
        language: SafeText,
        /// Whether it stood between fences; else it was set in by four columns.
        fenced: bool,
        /// The code.
        text: SafeText,
    },
    /// Items, each with its mark.
    List(Vec<Item>),
    /// What somebody else said.
    Quote(Vec<Block>),
    /// A table.
    Table {
        /// How its columns are aligned.
        aligned: Vec<Aligned>,
        /// The names of the columns.
        head: Vec<Line>,
        /// The cells, a list a row; a row ends with its last cell that isn't empty.
        rows: Vec<Vec<Line>>,
    },
    /// A line across.
    Rule,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The mark as written: `-`, `+`, `3.`.
    pub mark: SafeText,
    /// Of a task: whether it is done.
    pub done: Option<bool>,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// How a column of a table is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aligned {
    /// To the left, as nearly everything is.
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
    /// How many columns it was set in.
    pub indent: usize,
    /// Its words.
    pub spans: Vec<Span>,
}

/// Words that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The words, on one line.
    pub text: SafeText,
    /// How they look.
    pub marks: Marks,
    /// Which of the document's links they are part of.
    pub link: Option<usize>,
}

/// How words look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Important.
    pub strong: bool,
    /// Stressed.
    pub emphasis: bool,
    /// Crossed out.
    pub struck: bool,
    /// Code, to the letter.
    pub code: bool,
    /// What an image shows; images themselves are never fetched.
    pub image: bool,
}

impl Document {
    /// Reads a text. What is too long to be read, or has too many pieces at once, is shown as it is.
    pub fn read(text: &str) -> Self {
        let safe = SafeText::block(text.trim_end().trim_start_matches(['\n', '\r']));
        let is_short = safe.as_str().len() <= MAX_BYTES;
        let read = is_short.then(|| parse::read(safe.as_str())).flatten();
        read.unwrap_or_else(|| Self::verbatim(&safe))
    }

    /// A text with nothing in it that means anything.
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

    /// All its words on one line, without their looks: to be called by.
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

    /// Its words without their looks.
    pub fn words(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
