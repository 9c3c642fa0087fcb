//! Turns the parser's events into the tree. Each event has its place in the text, so that text that
//! wasn't meant as Markdown can be restored as it was written.

use std::ops::Range;

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd};

use crate::SafeText;
use crate::markdown::builder::{Builder, Container, Table};
use crate::markdown::inline::Style;
use crate::markdown::{Aligned, BlockKind, Document, MAX_PIECES, delimiters};

/// Parses a safe text; `None` if a paragraph or a table has more than [`MAX_PIECES`].
pub(super) fn read(source: &str) -> Option<Document> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(source, options).into_offset_iter();
    let mut definitions: Vec<Range<usize>> = events
        .reference_definitions()
        .iter()
        .map(|(_, definition)| definition.span.clone())
        .collect();
    definitions.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut reader = TreeBuilder {
        tree: Builder::new(source),
        definitions,
        seen: 0,
        refused: Vec::new(),
        code: None,
        verbatim: None,
        table: None,
        in_heading: false,
    };
    let mut pieces = 0;
    for (event, range) in events {
        pieces = match &event {
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::Table(_)) => 0,
            _ => pieces + 1,
        };
        if pieces > MAX_PIECES {
            return None;
        }
        reader.take(event, range);
    }
    reader.show_definitions(source.len());
    Some(reader.tree.finish())
}

struct TreeBuilder<'a> {
    tree: Builder<'a>,
    /// The definitions of links, the last one first. They are shown as written, since they may be
    /// words.
    definitions: Vec<Range<usize>>,
    /// The end of the text that has been read.
    seen: usize,
    /// For each open style and link, the length of the delimiter to write at its end if it wasn't
    /// meant; `None` if it was.
    refused: Vec<Option<usize>>,
    code: Option<String>,
    verbatim: Option<String>,
    table: Option<Table>,
    in_heading: bool,
}

impl TreeBuilder<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(words) => self.text(&words, &range),
            Event::Code(words) => {
                self.tree.words_at(range.start);
                self.tree.inline.code(&words);
                self.seen = range.end;
            }
            Event::InlineHtml(words) => self.text(&words, &range),
            Event::Html(words) => match &mut self.verbatim {
                Some(text) => text.push_str(&words),
                None => self.text(&words, &range),
            },
            Event::SoftBreak | Event::HardBreak => {
                if self.tree.source[range.clone()].starts_with('\\') {
                    self.tree.inline.write("\\");
                }
                self.tree.inline.line_break();
                self.seen = range.end;
            }
            Event::Rule => {
                self.tree.end_words();
                self.show_definitions(range.start);
                let apart = self.tree.is_apart(range.start);
                self.tree.push(apart, BlockKind::Rule);
            }
            Event::TaskListMarker(done) => self.tree.task(done),
            // The extensions for these are off.
            Event::FootnoteReference(words)
            | Event::InlineMath(words)
            | Event::DisplayMath(words) => self.text(&words, &range),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        if is_block(&tag) {
            self.tree.end_words();
            self.show_definitions(range.start);
        }
        match tag {
            Tag::BlockQuote(_) => self.tree.open(Container::Quote, range),
            Tag::List(_) => self.tree.open(Container::List, range),
            Tag::Item => self.tree.open(Container::Item, range),
            Tag::Heading { .. } => self.in_heading = true,
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::HtmlBlock => self.verbatim = Some(String::new()),
            Tag::Table(aligned) => {
                self.table = Some(Table {
                    aligned: aligned.into_iter().map(column).collect(),
                    rows: Vec::new(),
                    apart: self.tree.is_apart(range.start),
                });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => {
                self.tree.inline.begin_line(0);
                self.seen = range.start;
            }
            Tag::Emphasis => {
                let meant = delimiters::emphasis(self.tree.source, range, 1);
                self.begin(Style::Emphasis, meant, 1, range);
            }
            Tag::Strong => {
                let meant = delimiters::emphasis(self.tree.source, range, 2);
                self.begin(Style::Strong, meant, 2, range);
            }
            Tag::Strikethrough => {
                let meant = delimiters::strike(self.tree.source, range);
                self.begin(Style::Struck, meant, 1, range);
            }
            Tag::Link { dest_url, .. } => {
                self.tree.words_at(range.start);
                let meant = delimiters::is_link(&dest_url);
                if meant {
                    self.tree.inline.link = Some(self.tree.links.len());
                    self.tree.links.push(SafeText::line(&dest_url));
                } else {
                    self.tree.inline.write("[");
                }
                self.refused.push((!meant).then_some(0));
                self.seen = range.start + 1;
            }
            Tag::Image { .. } => {
                self.tree.words_at(range.start);
                self.tree.inline.begin_image();
                self.seen = range.start + 2;
            }
            Tag::Paragraph => self.seen = range.start,
            // The extensions for these are off.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Paragraph => self.tree.end_words(),
            TagEnd::Heading(level) => {
                self.in_heading = false;
                self.tree.end_heading(level as usize, range);
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                self.tree.end_words();
                self.show_definitions(range.end);
                self.tree.close();
            }
            TagEnd::CodeBlock => self.end_code(range),
            TagEnd::HtmlBlock => {
                if let Some(text) = self.verbatim.take() {
                    self.tree.verbatim(&text, range.start);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.tree.table(table);
                }
            }
            TagEnd::TableCell => {
                let cell = self.tree.inline.finish().into_iter().next();
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(cell.unwrap_or_default());
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {}
            TagEnd::Emphasis => self.finish_style(Style::Emphasis, range),
            TagEnd::Strong => self.finish_style(Style::Strong, range),
            TagEnd::Strikethrough => self.finish_style(Style::Struck, range),
            TagEnd::Link => {
                if self.refused.pop().flatten().is_some() {
                    let rest = self.tree.source.get(self.seen..range.end);
                    self.tree.inline.write(rest.unwrap_or_default());
                } else {
                    self.tree.inline.link = None;
                }
                self.seen = range.end;
            }
            TagEnd::Image => {
                self.tree.inline.end_image();
                self.seen = range.end;
            }
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Begins a style, or writes its delimiter if it wasn't meant.
    fn begin(&mut self, style: Style, meant: Option<usize>, marks: usize, range: &Range<usize>) {
        self.tree.words_at(range.start);
        let marks = meant.unwrap_or(marks);
        self.seen = range.start + marks;
        if meant.is_some() {
            self.tree.inline.set_style(style, true);
        } else {
            let written = &self.tree.source[range.start..self.seen];
            self.tree.inline.write(written);
        }
        self.refused.push(meant.is_none().then_some(marks));
    }

    fn finish_style(&mut self, style: Style, range: &Range<usize>) {
        match self.refused.pop().flatten() {
            Some(marks) => {
                let written = &self.tree.source[range.end - marks..range.end];
                self.tree.inline.write(written);
            }
            None => self.tree.inline.set_style(style, false),
        }
        self.seen = range.end;
    }

    fn text(&mut self, words: &str, range: &Range<usize>) {
        if let Some(code) = &mut self.code {
            code.push_str(words);
            return;
        }
        let escaped = delimiters::keeps_backslash(self.tree.source, range.start, self.seen);
        self.tree
            .words_at(range.start.saturating_sub(usize::from(escaped)));
        if escaped {
            self.tree.inline.write("\\");
        }
        self.tree.inline.write(words);
        self.seen = range.end;
    }

    fn end_code(&mut self, range: &Range<usize>) {
        let text = self.code.take().unwrap_or_default();
        let written = &self.tree.source[range.clone()];
        let fence = written
            .trim_start()
            .split('\n')
            .next()
            .filter(|line| line.starts_with("```") || line.starts_with("~~~"));
        let language = fence.map(|line| line.trim_start_matches(['`', '~']).trim());
        let apart = self.tree.is_apart(range.start);
        self.tree.push(
            apart,
            BlockKind::Code {
                language: SafeText::line(language.unwrap_or_default()),
                fenced: fence.is_some(),
                text: SafeText::block(text.trim_end_matches('\n')),
            },
        );
    }

    /// Shows the definitions of links that come before a place.
    fn show_definitions(&mut self, before: usize) {
        if self.in_heading || self.table.is_some() {
            return;
        }
        while let Some(span) = self.definitions.pop_if(|span| span.start < before) {
            let written = &self.tree.source[span.clone()];
            self.tree.verbatim(written, span.start);
        }
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

fn column(alignment: Alignment) -> Aligned {
    match alignment {
        Alignment::None | Alignment::Left => Aligned::Left,
        Alignment::Center => Aligned::Middle,
        Alignment::Right => Aligned::Right,
    }
}
