//! Agents' Markdown as rows of a terminal: wrapped, with a text style for each piece. How a style
//! looks is left to the surface.

mod table;

use ask_config::i18n::Words;
use ask_config::text;
use ask_core::SafeText;
use ask_core::markdown::{Block, BlockKind, Document, Item, Line, place};

/// Below this width in columns, nothing is indented.
const NARROW: usize = 12;
/// The indent of fenced code.
const FENCED_INDENT: usize = 2;
/// The indent of indented code in its source (CommonMark: four columns).
const CODE_INDENT: usize = 4;
/// The further indent of the rest of a wrapped line of code.
const CONTINUATION_INDENT: usize = 2;

/// The kind of a piece of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum TextKind {
    #[default]
    Text,
    Heading,
    Code,
    /// The address of a link, or the description of an image.
    Link,
    /// A mark of the structure, such as the sign of a list item or a line between cells.
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
    pub kind: TextKind,
    pub strong: bool,
    pub emphasis: bool,
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
    let renderer = Renderer { document, words };
    renderer.blocks(&document.blocks, columns.max(1))
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

    fn from_text(words: &str, kind: TextKind) -> Self {
        Self {
            indent: 0,
            pieces: vec![(SafeText::line(words), TextStyle::for_kind(kind))],
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
    fn for_kind(kind: TextKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }
}

struct Renderer<'a> {
    document: &'a Document,
    words: Words,
}

impl Renderer<'_> {
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
                let style = TextStyle {
                    strong: true,
                    ..TextStyle::for_kind(TextKind::Heading)
                };
                let heading = |columns| -> Vec<WrappedLine> {
                    let lines = lines.iter().map(|line| self.line(line, style, columns));
                    lines.flatten().collect()
                };
                if *hashes {
                    let mark = vec![(
                        SafeText::line(&format!("{} ", "#".repeat(*level))),
                        TextStyle::for_kind(TextKind::Mark),
                    )];
                    rows.extend(hanging_rows(mark, columns, heading));
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
                        row.prefix(vec![(
                            SafeText::line("│ "),
                            TextStyle::for_kind(TextKind::Mark),
                        )]);
                    }
                    rows.push(row);
                }
            }
            BlockKind::Table {
                aligned,
                head,
                rows: cells,
            } => table::render(self, aligned, head, cells, columns, rows),
            BlockKind::Rule => {
                rows.push(WrappedLine::from_text(&"─".repeat(columns), TextKind::Mark))
            }
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
        let mark = vec![(mark, TextStyle::for_kind(TextKind::Mark))];
        let start = rows.len();
        rows.extend(hanging_rows(mark.clone(), columns, |columns| {
            self.blocks(&item.blocks, columns)
        }));
        if rows.len() == start {
            rows.push(WrappedLine {
                indent: 0,
                pieces: mark,
            });
        }
    }

    /// Wraps a line of text.
    fn line(&self, line: &Line, style: TextStyle, columns: usize) -> Vec<WrappedLine> {
        let indent = if columns < NARROW {
            0
        } else {
            line.indent.min(columns / 2)
        };
        wrap_pieces(&self.pieces(line, style), indent, columns)
    }

    /// The pieces of a line with their styles; a link is followed by its address.
    fn pieces(&self, line: &Line, style: TextStyle) -> Vec<(String, TextStyle)> {
        let mut pieces = Vec::new();
        for (at, span) in line.spans.iter().enumerate() {
            let marks = span.marks;
            let kind = match style.kind {
                TextKind::Text if marks.image => TextKind::Link,
                _ if marks.code => TextKind::Code,
                TextKind::Text
                | TextKind::Heading
                | TextKind::Code
                | TextKind::Link
                | TextKind::Mark
                | TextKind::Added
                | TextKind::Removed => style.kind,
            };
            let style = TextStyle {
                kind,
                strong: style.strong || marks.strong,
                emphasis: style.emphasis || marks.emphasis,
                struck: style.struck || marks.struck,
            };
            let words = match (marks.image, span.text.as_str()) {
                (true, "") => self.words.say("card-image-unnamed"),
                (true, alt) => self.words.format("card-image", &[("alt", alt.into())]),
                (false, words) => words.to_owned(),
            };
            pieces.push((words, style));
            let ends = line
                .spans
                .get(at + 1)
                .is_none_or(|next| next.link != span.link);
            if let Some(link) = span.link.filter(|_| ends) {
                let begins = line.spans.iter().position(|span| span.link == Some(link));
                let linked: String = line.spans[begins.unwrap_or(at)..=at]
                    .iter()
                    .map(|span| span.text.as_str())
                    .collect();
                if let Some(link) = self.document.links.get(link)
                    && let Some(destination) = place::displayed_destination(link.as_str(), &linked)
                {
                    let destination = place::bare(&destination);
                    pieces.push((
                        format!(" ({destination})"),
                        TextStyle::for_kind(TextKind::Link),
                    ));
                }
            }
        }
        pieces
    }
}

/// Rows beside a mark, or below it if there is no room.
fn hanging_rows(
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
fn wrap_pieces(pieces: &[(String, TextStyle)], indent: usize, columns: usize) -> Vec<WrappedLine> {
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
        while let Some((piece, style)) = pieces.get(at) {
            let end = start + piece.len();
            let shown = range.start.max(start)..range.end.min(end);
            if let Some(words) = whole.get(shown.clone()).filter(|words| !words.is_empty()) {
                row.pieces.push((SafeText::line(words), *style));
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
    let base_indent = match (fenced, columns < 2 * NARROW) {
        (_, true) => 0,
        (true, false) => FENCED_INDENT,
        (false, false) => CODE_INDENT,
    };
    let is_diff = is_diff(language, code);
    for line in code.split('\n') {
        let kind = match line.as_bytes().first() {
            Some(b'+') if is_diff => TextKind::Added,
            Some(b'-') if is_diff => TextKind::Removed,
            Some(b'@') if is_diff => TextKind::Mark,
            Some(_) | None => TextKind::Code,
        };
        let words = line.trim_start_matches(' ');
        let own_indent = line.len() - words.len();
        let indent = (base_indent + own_indent).min(base_indent + columns / 2);
        let pieces = [(words.to_owned(), TextStyle::for_kind(kind))];
        // The rest of a wrapped line of code is indented further, so that it isn't mistaken for a
        // line of its own.
        let mut wrapped = wrap_pieces(&pieces, indent, columns.saturating_sub(CONTINUATION_INDENT));
        if columns < indent + text::width(words) {
            for row in wrapped.iter_mut().skip(1) {
                row.indent += CONTINUATION_INDENT;
            }
        } else {
            wrapped = wrap_pieces(&pieces, indent, columns);
        }
        rows.extend(wrapped);
    }
}

/// Whether code is a diff.
fn is_diff(language: &str, code: &str) -> bool {
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
