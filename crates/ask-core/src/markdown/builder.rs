//! The tree under construction: which blocks are open, and where the next one belongs.

use std::ops::Range;

use crate::SafeText;
use crate::markdown::inline::Inline;
use crate::markdown::{Aligned, Block, BlockKind, Document, Item, MAX_DEPTH, delimiters};

/// A tree that is built along a text.
pub(super) struct Builder<'a> {
    /// The text that is parsed.
    pub source: &'a str,
    /// The words that are being collected.
    pub inline: Inline,
    /// The destinations of the links.
    pub links: Vec<SafeText>,
    open: Vec<Open>,
    /// How many quotes, lists and items are open beyond the greatest depth.
    too_deep: usize,
    /// Whether a blank line comes before the words that are collected.
    apart: bool,
}

/// An open block that contains others.
struct Open {
    kind: Container,
    apart: bool,
    blocks: Vec<Block>,
    items: Vec<Item>,
    /// For an item: its marker, whether its task is done, and the column of its words.
    mark: SafeText,
    done: Option<bool>,
    column: usize,
}

/// The kind of a block that contains others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    /// The whole text.
    Root,
    /// A quote.
    Quote,
    /// A list, which holds items.
    List,
    /// An item of a list.
    Item,
}

/// A table under construction.
#[derive(Default)]
pub(super) struct Table {
    /// How its columns are aligned.
    pub aligned: Vec<Aligned>,
    /// Its rows. The first one is the head.
    pub rows: Vec<Vec<crate::markdown::Line>>,
    /// Whether a blank line comes before it.
    pub apart: bool,
}

impl<'a> Builder<'a> {
    /// An empty tree.
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            inline: Inline::default(),
            links: Vec::new(),
            open: vec![Open::new(Container::Root, false)],
            too_deep: 0,
            apart: false,
        }
    }

    /// Opens a block that contains others.
    pub(super) fn open(&mut self, kind: Container, range: &Range<usize>) {
        self.end_words();
        if self.too_deep > 0 || self.open.len() > MAX_DEPTH * 2 {
            self.too_deep += 1;
            return;
        }
        let mut open = Open::new(kind, self.is_apart(range.start));
        if kind == Container::Item {
            let words = &self.source[range.clone()];
            let mark = words
                .split([' ', '\n'])
                .next()
                .unwrap_or_default()
                .to_owned();
            let rest = &words[mark.len()..];
            let gap = rest.len() - rest.trim_start_matches(' ').len();
            open.column =
                delimiters::column(self.source, range.start) + mark.len() + gap.clamp(1, 4);
            open.mark = SafeText::line(&mark);
        }
        self.open.push(open);
    }

    /// Closes the innermost open block.
    pub(super) fn close(&mut self) {
        self.end_words();
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        if self.open.len() < 2 {
            return;
        }
        let Some(closed) = self.open.pop() else {
            return;
        };
        let Some(outer) = self.open.last_mut() else {
            return;
        };
        let apart = closed.apart;
        match closed.kind {
            Container::Root => {}
            Container::Item => {
                let mut blocks = closed.blocks;
                if let Some(first) = blocks.first_mut() {
                    first.apart = apart;
                }
                outer.items.push(Item {
                    mark: closed.mark,
                    done: closed.done,
                    blocks,
                });
            }
            Container::Quote => outer.blocks.push(Block {
                apart,
                kind: BlockKind::Quote(closed.blocks),
            }),
            Container::List => outer.blocks.push(Block {
                apart,
                kind: BlockKind::List(closed.items),
            }),
        }
    }

    /// Makes the innermost item a task.
    pub(super) fn task(&mut self, done: bool) {
        if self.too_deep == 0
            && let Some(item) = self.open.last_mut()
        {
            item.done = Some(done);
        }
    }

    /// Adds a block to the innermost open one.
    pub(super) fn push(&mut self, apart: bool, kind: BlockKind) {
        if let Some(open) = self.open.last_mut() {
            let apart = apart && !open.blocks.is_empty();
            open.blocks.push(Block { apart, kind });
        }
    }

    /// Whether a blank line separates a block that begins here from the one before.
    pub(super) fn is_apart(&self, start: usize) -> bool {
        let open = self.open.last();
        let follows = open.is_some_and(|open| !open.blocks.is_empty() || !open.items.is_empty());
        follows && delimiters::is_apart(self.source, start)
    }

    /// Continues with words at a place of the text.
    pub(super) fn words_at(&mut self, start: usize) {
        if !self.inline.begun {
            self.apart = self.is_apart(start);
        }
        if !self.inline.begun || self.inline.broken {
            let base = self.open.last().map_or(0, |open| open.column);
            let indent = delimiters::indent(self.source, start, base);
            self.inline.begin_line(indent);
        }
    }

    /// Ends the collected words as a paragraph.
    pub(super) fn end_words(&mut self) {
        if self.inline.begun {
            let apart = self.apart;
            let lines = self.inline.finish();
            if !lines.is_empty() {
                self.push(apart, BlockKind::Paragraph(lines));
            }
        }
    }

    /// Ends the collected words as a heading.
    pub(super) fn end_heading(&mut self, level: usize, range: &Range<usize>) {
        let apart = self.is_apart(range.start);
        let lines = self.inline.finish();
        let hashes = self.source[range.start..].starts_with('#');
        self.push(
            apart,
            BlockKind::Heading {
                level,
                hashes,
                lines,
            },
        );
    }

    /// Adds lines that are shown verbatim.
    pub(super) fn verbatim(&mut self, text: &str, start: usize) {
        let apart = self.is_apart(start);
        let text = SafeText::block(text.trim_end_matches('\n'));
        let lines = text
            .as_str()
            .split('\n')
            .map(crate::markdown::Line::verbatim);
        let lines = lines.collect();
        self.push(apart, BlockKind::Paragraph(lines));
    }

    /// Adds a finished table. The parser fills up every row, which would turn a small text into a
    /// huge table, so empty cells at the end of a row are removed.
    pub(super) fn table(&mut self, table: Table) {
        let mut rows = table.rows.into_iter();
        let head = rows.next().unwrap_or_default();
        let rows = rows.map(|mut row| {
            let is_filled = |cell: &crate::markdown::Line| !cell.spans.is_empty();
            row.truncate(row.iter().rposition(is_filled).map_or(0, |last| last + 1));
            row
        });
        self.push(
            table.apart,
            BlockKind::Table {
                aligned: table.aligned,
                head,
                rows: rows.collect(),
            },
        );
    }

    /// Closes all open blocks.
    pub(super) fn finish(mut self) -> Document {
        self.too_deep = 0;
        while self.open.len() > 1 {
            self.close();
        }
        self.end_words();
        Document {
            blocks: self.open.pop().map(|root| root.blocks).unwrap_or_default(),
            links: self.links,
        }
    }
}

impl Open {
    fn new(kind: Container, apart: bool) -> Self {
        Self {
            kind,
            apart,
            blocks: Vec::new(),
            items: Vec::new(),
            mark: SafeText::default(),
            done: None,
            column: 0,
        }
    }
}
