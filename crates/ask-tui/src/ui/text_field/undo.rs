//! Records the changes of a text and undoes them. Letters that were typed in a row are undone word
//! by word.

/// The most changes in the history.
const MOST: usize = 1_000;
/// The most bytes of all changes in the history.
const MOST_BYTES: usize = 1024 * 1024;

/// The changes of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct UndoHistory {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// Whether the caret has moved since the last change, so that the next letter begins a new
    /// change.
    paused: bool,
}

/// A text that replaced another one.
#[derive(Clone, Debug)]
struct Change {
    /// The position of the caret before the change, in bytes.
    caret: usize,
    at: usize,
    removed: String,
    added: String,
}

impl Change {
    fn bytes(&self) -> usize {
        self.removed.len() + self.added.len()
    }

    /// Whether a change continues this one: another letter of a word, or another deleted letter.
    fn continues_with(&self, next: &Self) -> bool {
        if self.removed.is_empty() && next.removed.is_empty() {
            let is_letter = |text: &str| text.chars().nth(1).is_none() && text != "\n";
            let begins_word = self.added.ends_with(char::is_whitespace)
                && !next.added.starts_with(char::is_whitespace);
            return is_letter(&next.added)
                && !self.added.ends_with('\n')
                && !begins_word
                && self.at + self.added.len() == next.at;
        }
        self.added.is_empty()
            && next.added.is_empty()
            && next.at + next.removed.len() == self.at
            && !next.removed.contains(char::is_whitespace)
    }
}

impl UndoHistory {
    pub(super) fn record(&mut self, caret: usize, at: usize, removed: String, added: &str) {
        self.undone.clear();
        let next = Change {
            caret,
            at,
            removed,
            added: added.to_owned(),
        };
        let paused = std::mem::take(&mut self.paused);
        match self.done.last_mut() {
            Some(last) if !paused && last.continues_with(&next) => {
                last.at = last.at.min(next.at);
                last.added.push_str(&next.added);
                last.removed.insert_str(0, &next.removed);
            }
            Some(_) | None => {
                self.done.push(next);
                self.trim();
            }
        }
    }

    /// Records that the caret was moved.
    pub(super) fn pause(&mut self) {
        self.paused = true;
    }

    /// Undoes the last change in a text. Returns the caret's position before it.
    pub(super) fn undo(&mut self, text: &mut String) -> Option<usize> {
        let change = self.done.pop()?;
        text.replace_range(change.at..change.at + change.added.len(), &change.removed);
        let caret = change.caret;
        self.undone.push(change);
        self.paused = true;
        Some(caret)
    }

    /// Redoes the change that was undone last. Returns the caret's position after it.
    pub(super) fn redo(&mut self, text: &mut String) -> Option<usize> {
        let change = self.undone.pop()?;
        text.replace_range(change.at..change.at + change.removed.len(), &change.added);
        let caret = change.at + change.added.len();
        self.done.push(change);
        self.paused = true;
        Some(caret)
    }

    fn trim(&mut self) {
        let mut bytes: usize = self.done.iter().map(Change::bytes).sum();
        let mut dropped = 0;
        while self.done.len() - dropped > MOST
            || (bytes > MOST_BYTES && self.done.len() - dropped > 1)
        {
            bytes -= self.done[dropped].bytes();
            dropped += 1;
        }
        self.done.drain(..dropped);
    }
}
