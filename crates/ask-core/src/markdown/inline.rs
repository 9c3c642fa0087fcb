//! Lines of words while they are collected.

use crate::SafeText;
use crate::markdown::{Line, Marks, Span};

/// Lines that are being written.
#[derive(Default)]
pub struct Inline {
    lines: Vec<Line>,
    spans: Vec<Piece>,
    indent: usize,
    /// How often each look was begun and not ended.
    strong: usize,
    emphasis: usize,
    struck: usize,
    /// The link that is open.
    pub link: Option<usize>,
    /// What the open image shows.
    image: Option<(usize, String)>,
    /// A line was broken: the next words begin one.
    pub broken: bool,
    /// Whether anything was written.
    pub begun: bool,
}

/// A look that is begun and ended.
#[derive(Clone, Copy)]
pub enum Look {
    /// Strong.
    Strong,
    /// Stressed.
    Emphasis,
    /// Crossed out.
    Struck,
}

struct Piece {
    text: String,
    marks: Marks,
    link: Option<usize>,
}

impl Inline {
    /// Begins or ends a look.
    pub fn turn(&mut self, look: Look, on: bool) {
        let depth = match look {
            Look::Strong => &mut self.strong,
            Look::Emphasis => &mut self.emphasis,
            Look::Struck => &mut self.struck,
        };
        *depth = if on {
            *depth + 1
        } else {
            depth.saturating_sub(1)
        };
    }

    /// Writes words in the looks that are on.
    pub fn write(&mut self, words: &str) {
        self.put(words, false, false);
    }

    /// Writes code.
    pub fn code(&mut self, words: &str) {
        self.put(words, true, false);
    }

    /// Begins an image: what is written until it ends is what it shows.
    pub fn begin_image(&mut self) {
        match &mut self.image {
            Some((depth, _)) => *depth += 1,
            None => self.image = Some((1, String::new())),
        }
    }

    /// Ends it.
    pub fn end_image(&mut self) {
        let Some((depth, alt)) = self.image.take() else {
            return;
        };
        if depth > 1 {
            self.image = Some((depth - 1, alt));
        } else {
            self.put(&alt, false, true);
        }
    }

    /// Begins a line that is set in by so many columns.
    pub fn begin_line(&mut self, indent: usize) {
        if self.broken {
            self.end_line();
            self.broken = false;
        }
        self.begun = true;
        if self.spans.is_empty() {
            self.indent = indent;
        }
    }

    /// Ends what is written and hands it over.
    pub fn finish(&mut self) -> Vec<Line> {
        if !self.spans.is_empty() {
            self.end_line();
        }
        let lines = std::mem::take(&mut self.lines);
        *self = Self::default();
        lines
    }

    /// A line break: within an image's words it is a space.
    pub fn line_break(&mut self) {
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
