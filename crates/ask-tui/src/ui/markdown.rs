//! Agents' Markdown as rows of a terminal: wrapped, with a text style for each piece, which a
//! surface paints in its own way or ignores.

mod table;

use ask_config::i18n::Words;
use ask_config::text;
use ask_core::SafeText;
use ask_core::markdown::{Block, BlockKind, Document, Item, Line, place};

/// Below this width, nothing is indented.
const NARROW: usize = 12;
/// The indent of fenced code.
const FENCED: usize = 2;
/// The indent of indented code in its source (CommonMark: four columns).
const SET_IN: usize = 4;
/// The further indent of the rest of a wrapped line of code.
const BROKEN: usize = 2;

/// The kind of a piece of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Ink {
    /// Ordinary text.
    #[default]
    Text,
    /// A headline.
    Heading,
    /// Code.
    Code,
    /// The address of a link, or the description of an image.
    Link,
    /// A mark of the structure: before an item, a headline or a quote, or between cells.
    Mark,
    /// An added line of a diff.
    Added,
    /// A removed line of a diff.
    Removed,
}

/// The style of a piece of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct TextStyle {
    /// The kind of the piece.
    pub ink: Ink,
    /// Strong emphasis.
    pub strong: bool,
    /// Emphasis.
    pub emphasis: bool,
    /// Strikethrough.
    pub struck: bool,
}

/// A row of wrapped text.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrappedLine {
    /// The indent in columns.
    pub indent: usize,
    /// The pieces of the row.
    pub pieces: Vec<(SafeText, TextStyle)>,
}

/// Wraps a document to a width in columns.
pub(crate) fn rows(document: &Document, columns: usize, words: Words) -> Vec<WrappedLine> {
    let painter = Painter { document, words };
    painter.blocks(&document.blocks, columns.max(1))
}

impl WrappedLine {
    /// The row as plain text.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        let mut out = " ".repeat(self.indent);
        for (piece, _) in &self.pieces {
            out.push_str(piece.as_str());
        }
        out
    }

    /// The width in columns.
    #[cfg(test)]
    pub(crate) fn width(&self) -> usize {
        let wide = |(piece, _): &(SafeText, TextStyle)| text::width(piece.as_str());
        self.indent + self.pieces.iter().map(wide).sum::<usize>()
    }

    fn from_text(words: &str, ink: Ink) -> Self {
        Self {
            indent: 0,
            pieces: vec![(SafeText::line(words), TextStyle::for_ink(ink))],
        }
    }

    /// Puts pieces in front of the row, in place of its indent.
    fn prefix(&mut self, lead: Vec<(SafeText, TextStyle)>) {
        let mut pieces = lead;
        if self.indent > 0 {
            pieces.push((
                SafeText::line(&" ".repeat(self.indent)),
                TextStyle::default(),
            ));
        }
        pieces.append(&mut self.pieces);
        self.indent = 0;
        self.pieces = pieces;
    }
}

impl TextStyle {
    fn for_ink(ink: Ink) -> Self {
        Self {
            ink,
            ..Self::default()
        }
    }
}

struct Painter<'a> {
    document: &'a Document,
    words: Words,
}

impl Painter<'_> {
    fn blocks(&self, blocks: &[Block], columns: usize) -> Vec<WrappedLine> {
        let mut rows = Vec::new();
        for block in blocks {
            if block.apart && !rows.is_empty() {
                rows.push(WrappedLine::default());
            }
            self.block(&block.kind, columns, &mut rows);
        }
        rows
    }

    fn block(&self, kind: &BlockKind, columns: usize, rows: &mut Vec<WrappedLine>) {
        match kind {
            BlockKind::Paragraph(lines) => {
                for line in lines {
                    rows.extend(self.line(line, TextStyle::default(), columns));
                }
            }
            BlockKind::Heading {
                level,
                hashes,
                lines,
            } => {
                let tone = TextStyle {
                    strong: true,
                    ..TextStyle::for_ink(Ink::Heading)
                };
                let heading = |columns| -> Vec<WrappedLine> {
                    let lines = lines.iter().map(|line| self.line(line, tone, columns));
                    lines.flatten().collect()
                };
                if *hashes {
                    let mark = vec![(
                        SafeText::line(&format!("{} ", "#".repeat(*level))),
                        TextStyle::for_ink(Ink::Mark),
                    )];
                    rows.extend(hang(mark, columns, heading));
                } else {
                    rows.extend(heading(columns));
                }
            }
            BlockKind::Code {
                language,
                fenced,
                text,
            } => code(language.as_str(), *fenced, text.as_str(), columns, rows),
            BlockKind::List(items) => {
                for item in items {
                    self.item(item, columns, rows);
                }
            }
            BlockKind::Quote(blocks) => {
                let room = columns.saturating_sub(2);
                let bar = |columns: usize| columns >= NARROW;
                let inner = if bar(columns) { room } else { columns };
                for mut row in self.blocks(blocks, inner) {
                    if bar(columns) {
                        row.prefix(vec![(SafeText::line("│ "), TextStyle::for_ink(Ink::Mark))]);
                    }
                    rows.push(row);
                }
            }
            BlockKind::Table {
                aligned,
                head,
                rows: cells,
            } => table::paint(self, aligned, head, cells, columns, rows),
            BlockKind::Rule => rows.push(WrappedLine::from_text(&"─".repeat(columns), Ink::Mark)),
        }
    }

    fn item(&self, item: &Item, columns: usize, rows: &mut Vec<WrappedLine>) {
        let task = match item.done {
            None => "",
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
        };
        let mark = SafeText::line(&format!("{} {task}", item.mark));
        if item.blocks.first().is_some_and(|first| first.apart) && !rows.is_empty() {
            rows.push(WrappedLine::default());
        }
        let mark = vec![(mark, TextStyle::for_ink(Ink::Mark))];
        let start = rows.len();
        rows.extend(hang(mark.clone(), columns, |columns| {
            self.blocks(&item.blocks, columns)
        }));
        if rows.len() == start {
            rows.push(WrappedLine {
                indent: 0,
                pieces: mark,
            });
        }
    }

    /// A line of text, wrapped.
    fn line(&self, line: &Line, tone: TextStyle, columns: usize) -> Vec<WrappedLine> {
        let indent = if columns < NARROW {
            0
        } else {
            line.indent.min(columns / 2)
        };
        flow(&self.pieces(line, tone), indent, columns)
    }

    /// The pieces of a line with their styles; a link is followed by its address.
    fn pieces(&self, line: &Line, tone: TextStyle) -> Vec<(String, TextStyle)> {
        let mut pieces = Vec::new();
        for (at, span) in line.spans.iter().enumerate() {
            let marks = span.marks;
            let ink = match tone.ink {
                Ink::Text if marks.image => Ink::Link,
                _ if marks.code => Ink::Code,
                Ink::Text
                | Ink::Heading
                | Ink::Code
                | Ink::Link
                | Ink::Mark
                | Ink::Added
                | Ink::Removed => tone.ink,
            };
            let tone = TextStyle {
                ink,
                strong: tone.strong || marks.strong,
                emphasis: tone.emphasis || marks.emphasis,
                struck: tone.struck || marks.struck,
            };
            let words = match (marks.image, span.text.as_str()) {
                (true, "") => self.words.say("card-image-unnamed"),
                (true, alt) => self.words.format("card-image", &[("alt", alt.into())]),
                (false, words) => words.to_owned(),
            };
            pieces.push((words, tone));
            let ends = line
                .spans
                .get(at + 1)
                .is_none_or(|next| next.link != span.link);
            if let Some(link) = span.link.filter(|_| ends) {
                let begins = line.spans.iter().position(|span| span.link == Some(link));
                let said: String = line.spans[begins.unwrap_or(at)..=at]
                    .iter()
                    .map(|span| span.text.as_str())
                    .collect();
                if let Some(link) = self.document.links.get(link)
                    && let Some(place) = place::displayed_destination(link.as_str(), &said)
                {
                    let place = place::bare(&place);
                    pieces.push((format!(" ({place})"), TextStyle::for_ink(Ink::Link)));
                }
            }
        }
        pieces
    }
}

/// Rows behind a mark; below it if there is no room.
fn hang(
    mark: Vec<(SafeText, TextStyle)>,
    columns: usize,
    inner: impl Fn(usize) -> Vec<WrappedLine>,
) -> Vec<WrappedLine> {
    let wide: usize = mark
        .iter()
        .map(|(mark, _)| text::width(mark.as_str()))
        .sum();
    if columns < wide + NARROW {
        let mut rows = vec![WrappedLine {
            indent: 0,
            pieces: mark,
        }];
        rows.extend(inner(columns));
        return rows;
    }
    let mut rows = inner(columns - wide);
    for (at, row) in rows.iter_mut().enumerate() {
        if at == 0 {
            row.prefix(mark.clone());
        } else if !row.pieces.is_empty() {
            row.indent += wide;
        }
    }
    rows
}

/// Wraps pieces into rows with the same indent.
fn flow(pieces: &[(String, TextStyle)], indent: usize, columns: usize) -> Vec<WrappedLine> {
    let whole: String = pieces.iter().map(|(piece, _)| piece.as_str()).collect();
    let room = columns.saturating_sub(indent).max(1);
    let mut rows = Vec::new();
    let mut first = (0, 0);
    for range in text::breaks(whole.trim_end(), room) {
        let mut row = WrappedLine {
            indent,
            pieces: Vec::new(),
        };
        let (mut at, mut start) = first;
        while let Some((piece, tone)) = pieces.get(at) {
            let end = start + piece.len();
            let seen = range.start.max(start)..range.end.min(end);
            if let Some(words) = whole.get(seen.clone()).filter(|words| !words.is_empty()) {
                row.pieces.push((SafeText::line(words), *tone));
            }
            if end > range.end {
                break;
            }
            at += 1;
            start = end;
        }
        first = (at, start);
        if row.pieces.is_empty() {
            row.indent = 0;
        }
        rows.push(row);
    }
    rows
}

fn code(language: &str, fenced: bool, code: &str, columns: usize, rows: &mut Vec<WrappedLine>) {
    let set_in = match (fenced, columns < 2 * NARROW) {
        (_, true) => 0,
        (true, false) => FENCED,
        (false, false) => SET_IN,
    };
    let is_change = is_change(language, code);
    for line in code.split('\n') {
        let ink = match line.as_bytes().first() {
            Some(b'+') if is_change => Ink::Added,
            Some(b'-') if is_change => Ink::Removed,
            Some(b'@') if is_change => Ink::Mark,
            Some(_) | None => Ink::Code,
        };
        let words = line.trim_start_matches(' ');
        let own = line.len() - words.len();
        let indent = (set_in + own).min(set_in + columns / 2);
        let pieces = [(words.to_owned(), TextStyle::for_ink(ink))];
        // The rest of a wrapped line of code is indented further, so that it isn't mistaken for a
        // line of its own.
        let mut broken = flow(&pieces, indent, columns.saturating_sub(BROKEN));
        if columns < indent + text::width(words) {
            for row in broken.iter_mut().skip(1) {
                row.indent += BROKEN;
            }
        } else {
            broken = flow(&pieces, indent, columns);
        }
        rows.extend(broken);
    }
}

/// Whether code is a diff.
fn is_change(language: &str, code: &str) -> bool {
    let named = language.split([' ', '{', ',']).next().unwrap_or_default();
    match named {
        "diff" | "patch" | "udiff" => true,
        "" => code.lines().any(|line| {
            line.starts_with("@@ -")
                || line.split(' ').take(2).eq(["diff", "--git"])
                || line.starts_with("--- a/")
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
