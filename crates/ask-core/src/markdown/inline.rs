//! Collects words into lines.

use crate::SafeText;
use crate::markdown::{Line, Marks, Span};

/// Lines that are being collected.
#[derive(Default)]
pub(super) struct Inline {
    lines: Vec<Line>,
    spans: Vec<Piece>,
    indent: usize,
    /// How many of each style are open.
    strong: usize,
    emphasis: usize,
    struck: usize,
    /// The link that is open.
    pub link: Option<usize>,
    /// The depth of open images, and their alternative text.
    image: Option<(usize, String)>,
    /// Whether the line was broken, so that the next words begin a new one.
    pub broken: bool,
    /// Whether a line was begun.
    pub begun: bool,
}

/// A style that begins and ends.
#[derive(Clone, Copy)]
pub(super) enum Style {
    /// Strong emphasis, usually bold.
    Strong,
    /// Emphasis, usually in italics.
    Emphasis,
    /// Struck through, as deleted.
    Struck,
}

struct Piece {
    text: String,
    marks: Marks,
    link: Option<usize>,
}

impl Inline {
    /// Begins or ends a style.
    pub(super) fn set_style(&mut self, style: Style, on: bool) {
        let depth = match style {
            Style::Strong => &mut self.strong,
            Style::Emphasis => &mut self.emphasis,
            Style::Struck => &mut self.struck,
        };
        *depth = if on {
            *depth + 1
        } else {
            depth.saturating_sub(1)
        };
    }

    /// Adds words in the open styles.
    pub(super) fn write(&mut self, words: &str) {
        self.put(words, false, false);
    }

    /// Adds words of code.
    pub(super) fn code(&mut self, words: &str) {
        self.put(words, true, false);
    }

    /// Begins an image: the words until its end are its alternative text.
    pub(super) fn begin_image(&mut self) {
        match &mut self.image {
            Some((depth, _)) => *depth += 1,
            None => self.image = Some((1, String::new())),
        }
    }

    /// Ends the innermost image.
    pub(super) fn end_image(&mut self) {
        let Some((depth, alt)) = self.image.take() else {
            return;
        };
        if depth > 1 {
            self.image = Some((depth - 1, alt));
        } else {
            self.put(&alt, false, true);
        }
    }

    /// Begins a line with this indent.
    pub(super) fn begin_line(&mut self, indent: usize) {
        if self.broken {
            self.end_line();
            self.broken = false;
        }
        self.begun = true;
        if self.spans.is_empty() {
            self.indent = indent;
        }
    }

    /// Ends the last line and returns all lines.
    pub(super) fn finish(&mut self) -> Vec<Line> {
        if !self.spans.is_empty() {
            self.end_line();
        }
        let lines = std::mem::take(&mut self.lines);
        *self = Self::default();
        lines
    }

    /// Breaks the line. In an image's text this is a space.
    pub(super) fn line_break(&mut self) {
        match &mut self.image {
            Some((_, alt)) => alt.push(' '),
            None => self.broken = true,
        }
    }

    fn end_line(&mut self) {
        let finished = |piece: Piece| Span {
            text: SafeText::line(&piece.text),
            marks: piece.marks,
            link: piece.link,
        };
        let spans = self.spans.drain(..).map(finished);
        let spans = spans.filter(|span| span.marks.image || !span.text.as_str().is_empty());
        self.lines.push(Line {
            indent: self.indent,
            spans: spans.collect(),
        });
        self.indent = 0;
    }

    fn put(&mut self, words: &str, code: bool, image: bool) {
        if let Some((_, alt)) = &mut self.image {
            alt.push_str(words);
            return;
        }
        let marks = Marks {
            strong: self.strong > 0,
            emphasis: self.emphasis > 0,
            struck: self.struck > 0,
            code,
            image,
        };
        match self.spans.last_mut() {
            Some(last) if last.marks == marks && last.link == self.link && !image && !code => {
                last.text.push_str(words);
            }
            Some(_) | None => self.spans.push(Piece {
                text: words.to_owned(),
                marks,
                link: self.link,
            }),
        }
    }
}
