//! Text made safe to show: only [`SafeText`] is painted, printed or sent to a page.
//!
//! An agent's text may try to move the cursor, to reverse lines, to hide words or to flood the
//! screen. Safe text can do none of that. Cleaning it again changes nothing.

mod ansi;
mod unicode;

use std::fmt;
use std::path::Path;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use unicode::CharClass;

/// Agents' text without anything that can trick a terminal or a reader.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SafeText(String);

/// How many combining marks one character keeps. No language needs more.
const MAX_MARKS: usize = 4;

/// How many blank lines in a row are kept.
const MAX_BLANK_LINES: usize = 2;

/// How many spaces in a row are kept: enough to indent code, too few to push
/// words off the screen.
const MAX_SPACES: usize = 64;

/// What replaces a tab in a block.
const TAB: &str = "    ";

impl SafeText {
    /// Cleans a text for one line: every line break becomes one space.
    pub fn line(text: &str) -> Self {
        Self(clean(text, Shape::Line))
    }

    /// Cleans a text for several lines.
    pub fn block(text: &str) -> Self {
        Self(clean(text, Shape::Block))
    }

    /// Cleans a path for one line: the author of a checkout may have named its files.
    pub fn path(path: &Path) -> Self {
        Self::line(&path.to_string_lossy())
    }

    /// The safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a character is never shown, whatever is next to it.
    pub fn hides(character: char) -> bool {
        unicode::kind(character) == CharClass::Forbidden
    }

    /// How many columns it takes. For a block, how many its widest line takes.
    pub fn width(&self) -> usize {
        self.0
            .split('\n')
            .map(UnicodeWidthStr::width)
            .max()
            .unwrap_or(0)
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Line,
    Block,
}

fn clean(text: &str, shape: Shape) -> String {
    let mut painter = Painter::new(shape, text.len());
    let mut rest = text.chars();
    loop {
        let ahead = rest.as_str();
        let run = ahead.bytes().take_while(u8::is_ascii_graphic).count();
        if run > 0 {
            painter.run(&ahead[..run]);
            rest = ahead[run..].chars();
        }
        let Some(character) = rest.next() else { break };
        match character {
            '\u{1b}' => ansi::skip_escape(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => ansi::skip_string(&mut rest),
            '\u{9b}' => ansi::skip_control(&mut rest),
            '\r' => {
                if rest.as_str().starts_with('\n') {
                    rest.next();
                }
                painter.line_break();
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => painter.line_break(),
            '\t' => painter.tab(),
            other => painter.put(other),
        }
    }
    painter.finish()
}

/// Writes characters. Each decision depends only on what is already written, so cleaning the result
/// again changes nothing.
struct Painter {
    shape: Shape,
    out: String,
    /// White space that is written once something visible follows.
    spaces: String,
    space_count: usize,
    /// Whether a line was broken: one space, if anything follows.
    broken: bool,
    /// A joiner that is written once something to join follows.
    joiner: Option<char>,
    /// The last character of `out`, if its line has anything visible.
    last: Option<char>,
    marks: usize,
    line_breaks: usize,
}

impl Painter {
    fn new(shape: Shape, capacity: usize) -> Self {
        Self {
            shape,
            out: String::with_capacity(capacity),
            spaces: String::new(),
            space_count: 0,
            broken: false,
            joiner: None,
            last: None,
            marks: 0,
            // The beginning of a text counts as after a line break.
            line_breaks: 1,
        }
    }

    /// Writes many visible characters at once. Most texts are little else.
    fn run(&mut self, text: &str) {
        self.joiner = None;
        self.flush();
        self.out.push_str(text);
        self.last = text.chars().next_back();
        self.line_breaks = 0;
        self.marks = 0;
    }

    fn put(&mut self, character: char) {
        match unicode::kind(character) {
            CharClass::Forbidden => {}
            CharClass::Space => self.space(character),
            CharClass::Joiner => self.joiner = self.joiner.or(Some(character)),
            CharClass::Selector => self.selector(character),
            CharClass::Visible if character.width() == Some(0) => self.mark(character),
            CharClass::Visible => {
                self.join(character);
                self.push_visible(character);
                self.marks = 0;
            }
        }
    }

    fn space(&mut self, character: char) {
        self.joiner = None;
        if self.space_count < MAX_SPACES {
            // Only white space is trimmed, and an empty braille pattern doesn't count as such.
            let is_trimmed = character.is_whitespace();
            self.spaces.push(if is_trimmed { character } else { ' ' });
            self.space_count += 1;
        }
    }

    fn tab(&mut self) {
        match self.shape {
            Shape::Line => self.space(' '),
            Shape::Block => TAB.chars().for_each(|space| self.space(space)),
        }
    }

    fn line_break(&mut self) {
        self.joiner = None;
        match self.shape {
            Shape::Line => self.broken = !self.out.is_empty(),
            Shape::Block => {
                if self.last.is_some() {
                    self.flush();
                }
                self.spaces.clear();
                self.space_count = 0;
                self.last = None;
                if self.line_breaks <= MAX_BLANK_LINES {
                    self.out.push('\n');
                    self.line_breaks += 1;
                }
            }
        }
    }

    /// A selector changes the character right before it, once.
    fn selector(&mut self, selector: char) {
        let base = self
            .last
            .filter(|_| !self.after_space() && self.joiner.is_none());
        if base.is_some_and(|base| unicode::selects(base, selector)) {
            self.push_visible(selector);
        }
    }

    /// A mark needs a character on its line to combine with. Otherwise it would combine with
    /// whatever a surface paints before the text.
    fn mark(&mut self, mark: char) {
        let on_space = self.after_space();
        if self.last.is_none() && !on_space {
            return;
        }
        let piled = if on_space { 0 } else { self.marks };
        if piled < MAX_MARKS {
            self.join(mark);
            self.push_visible(mark);
            self.marks = piled + 1;
        }
    }

    fn join(&mut self, next: char) {
        if let Some(joiner) = self.joiner.take()
            && !self.after_space()
            && self
                .last
                .is_some_and(|last| unicode::joins(last, joiner, next))
        {
            self.out.push(joiner);
        }
    }

    fn push_visible(&mut self, character: char) {
        self.flush();
        self.out.push(character);
        self.last = Some(character);
        self.line_breaks = 0;
    }

    fn after_space(&self) -> bool {
        self.space_count > 0 || self.broken
    }

    fn flush(&mut self) {
        if self.broken && self.spaces.is_empty() {
            self.out.push(' ');
        }
        self.broken = false;
        self.out.push_str(&self.spaces);
        self.spaces.clear();
        self.space_count = 0;
    }

    fn finish(mut self) -> String {
        self.broken = false;
        self.flush();
        self.out
    }
}
