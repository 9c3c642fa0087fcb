//! What was changed in a text, so that it can be undone. Letters that are typed
//! one after the other are undone word by word.

/// The most changes that are remembered,
const MOST: usize = 1_000;
/// and the most bytes of them.
const MOST_BYTES: usize = 1024 * 1024;

/// The changes of one text.
#[derive(Clone, Debug, Default)]
pub struct UndoHistory {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// The caret was moved since: the next letter begins a change of its own.
    paused: bool,
}

/// One piece of text that took another's place.
#[derive(Clone, Debug)]
struct Change {
    /// Where the caret stood before.
    caret: usize,
    at: usize,
    removed: String,
    added: String,
}

impl Change {
    fn bytes(&self) -> usize {
        self.removed.len() + self.added.len()
    }

    /// Whether a change goes on with this one: another letter of a word, or another letter deleted.
    fn goes_on(&self, next: &Self) -> bool {
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
    /// Remembers a change that was made.
    pub fn keep(&mut self, caret: usize, at: usize, removed: String, added: &str) {
        self.undone.clear();
        let next = Change {
            caret,
            at,
            removed,
            added: added.to_owned(),
        };
        let paused = std::mem::take(&mut self.paused);
        match self.done.last_mut() {
            Some(last) if !paused && last.goes_on(&next) => {
                last.at = last.at.min(next.at);
                last.added.push_str(&next.added);
                last.removed.insert_str(0, &next.removed);
            }
            Some(_) | None => {
                self.done.push(next);
                self.shorten();
            }
        }
    }

    /// The caret was moved.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Takes the last change out of a text: where the caret stood before it.
    pub fn undo(&mut self, text: &mut String) -> Option<usize> {
        let change = self.done.pop()?;
        text.replace_range(change.at..change.at + change.added.len(), &change.removed);
        let caret = change.caret;
        self.undone.push(change);
        self.paused = true;
        Some(caret)
    }

    /// Makes the change again that was taken out last: where the caret stands after it.
    pub fn redo(&mut self, text: &mut String) -> Option<usize> {
        let change = self.undone.pop()?;
        text.replace_range(change.at..change.at + change.removed.len(), &change.added);
        let caret = change.at + change.added.len();
        self.done.push(change);
        self.paused = true;
        Some(caret)
    }

    fn shorten(&mut self) {
        let mut bytes: usize = self.done.iter().map(Change::bytes).sum();
        let mut gone = 0;
        while self.done.len() - gone > MOST || (bytes > MOST_BYTES && self.done.len() - gone > 1) {
            bytes -= self.done[gone].bytes();
            gone += 1;
        }
        self.done.drain(..gone);
    }
}
