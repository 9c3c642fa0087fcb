//! The key table: the one place that says what a key does where. Decoding, the
//! footer and the help page are read from it, so they can't disagree.

mod table;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use table::TABLE;

/// Where a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The list of asks.
    Inbox,
    /// The rows of a question with one answer.
    Pick,
    /// The rows of a question with any number of answers.
    Tick,
    /// The rows Yes and No.
    Confirm,
    /// A text question whose field was left.
    Rest,
    /// The field of a text question.
    Answering,
    /// The field of Other.
    Other,
    /// The last tab of an ask with several questions.
    Review,
    /// The dialog before anything is thrown away.
    Discard,
    /// The field for why an ask is declined.
    Reason,
    /// The field for what the person asks back.
    AskBack,
    /// The question whether a long answer may go out.
    Long,
    /// The full-screen text.
    Reader,
    /// An ask that was closed elsewhere.
    Notice,
    /// The help page.
    Help,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Move within what is shown.
    Move(Move),
    /// Change the text, or move the caret along its line.
    Edit(Edit),
    /// To the next tab.
    TabNext,
    /// To the previous tab.
    TabBack,
    /// The row or thing with this number.
    Number(u8),
    /// To Other, and start typing.
    Other,
    /// Mark the row, or unmark it where several can be marked.
    Mark,
    /// Go on: mark, open, done or send, as the footer says.
    Enter,
    /// Mark Yes, or the dialog's Yes.
    Yes,
    /// Mark No, or the dialog's No.
    No,
    /// Leave it waiting.
    Leave,
    /// One layer out.
    Escape,
    /// The way out of everything.
    Interrupt,
    /// Paint anew.
    Redraw,
    /// What the keys do here.
    Help,
    /// The whole text, full screen.
    Read,
    /// Decline with a reason.
    Decline,
    /// Ask the agent back.
    AskBack,
    /// The next ask.
    NextAsk,
    /// The previous ask.
    PastAsk,
    /// What was typed before the ask was closed.
    ShowDraft,
    /// Out of the program or the card, and all stays waiting.
    Quit,
    /// Close what is open, and nothing else.
    Close,
}

/// A move within what is shown: rows of a list, rows and lines of a field, pages of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the first row, or the beginning of the line.
    First,
    /// To the last row, or the end of the line.
    Last,
    /// A page back.
    PageUp,
    /// A page on.
    PageDown,
}

/// A change of a text, or a step of its caret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The caret back.
    CaretLeft,
    /// The caret on.
    CaretRight,
    /// The caret a word back.
    WordLeft,
    /// The caret a word on.
    WordRight,
    /// Type a character.
    Insert(char),
    /// Type a line break.
    NewLine,
    /// Delete back.
    Erase,
    /// Delete on.
    EraseNext,
    /// Delete a word back.
    EraseWord,
}

/// A key as the table writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key alone, or with Shift where that gives another character.
    Key(KeyCode),
    /// A letter with Ctrl.
    Ctrl(char),
    /// A key with Ctrl.
    CtrlKey(KeyCode),
    /// A key with Alt.
    Alt(KeyCode),
    /// Shift and Enter, where the terminal can tell.
    ShiftEnter,
    /// One of 1 to 9.
    Digit,
    /// Any character.
    Typed,
    /// Any key at all.
    Any,
}

/// When a row of the table is worth a place in the footer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Always.
    Always,
    /// When there is an ask in the list.
    Listed,
    /// With several questions.
    Tabs,
    /// With several asks.
    Asks,
    /// When text overflows.
    Overflow,
    /// When there is a draft to look at.
    Draft,
    /// When something was filled in that was not sent.
    Filled,
    /// When nothing was.
    Unfilled,
    /// Never: help alone shows it.
    Help,
}

/// One row of the table.
pub struct Binding {
    /// Where it holds.
    pub contexts: &'static [Context],
    /// The keys, any of them.
    pub presses: &'static [Press],
    /// What they do.
    pub action: Action,
    /// The keys in words.
    pub keys: &'static str,
    /// What they do in words; `{go}` and `{esc}` depend on the ask.
    pub words: &'static str,
    /// The same where there is little room; empty leaves the row out there.
    pub short: &'static str,
    /// When the footer shows it.
    pub only: Only,
}

/// What a key does in a context, if anything.
pub fn decode(context: Context, key: KeyEvent) -> Option<Action> {
    let here = TABLE.iter().filter(|row| row.contexts.contains(&context));
    here.flat_map(|row| row.presses.iter().map(|press| (*press, row.action)))
        .find_map(|(press, action)| meet(press, action, key))
}

/// Whether it is the way out that works everywhere: Ctrl+C.
pub fn is_interrupt(key: KeyEvent) -> bool {
    meet(Press::Ctrl('c'), Action::Interrupt, key).is_some()
}

/// The rows that hold in a context, in the order of the table.
pub fn rows(context: Context) -> impl Iterator<Item = &'static Binding> {
    TABLE
        .iter()
        .filter(move |row| row.contexts.contains(&context))
}

fn meet(press: Press, action: Action, key: KeyEvent) -> Option<Action> {
    let bare = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let met = match press {
        // Shift changes what Enter does and nothing else: letters carry it in themselves.
        Press::Key(KeyCode::Enter) => key.modifiers.is_empty() && key.code == KeyCode::Enter,
        Press::Key(code) => bare && key.code == code,
        Press::Ctrl(letter) => ctrl && !alt && key.code == KeyCode::Char(letter),
        Press::CtrlKey(code) => ctrl && !alt && key.code == code,
        Press::Alt(code) => alt && !ctrl && key.code == code,
        Press::ShiftEnter => {
            key.modifiers.contains(KeyModifiers::SHIFT) && key.code == KeyCode::Enter
        }
        Press::Digit => {
            return match key.code {
                KeyCode::Char(digit @ '1'..='9') if bare => {
                    let number = digit
                        .to_digit(10)
                        .and_then(|digit| u8::try_from(digit).ok());
                    number.map(Action::Number)
                }
                _ => None,
            };
        }
        Press::Typed => {
            // AltGr arrives as Ctrl and Alt together on some terminals: it types.
            return match key.code {
                KeyCode::Char(typed) if bare || (ctrl && alt) => {
                    Some(Action::Edit(Edit::Insert(typed)))
                }
                _ => None,
            };
        }
        Press::Any => true,
    };
    met.then_some(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(press: Press) -> Option<KeyEvent> {
        let (code, modifiers) = match press {
            Press::Key(code) => (code, KeyModifiers::NONE),
            Press::Ctrl(letter) => (KeyCode::Char(letter), KeyModifiers::CONTROL),
            Press::CtrlKey(code) => (code, KeyModifiers::CONTROL),
            Press::Alt(code) => (code, KeyModifiers::ALT),
            Press::ShiftEnter => (KeyCode::Enter, KeyModifiers::SHIFT),
            Press::Digit => (KeyCode::Char('7'), KeyModifiers::NONE),
            Press::Typed | Press::Any => return None,
        };
        Some(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn no_row_of_the_table_is_hidden_behind_another() {
        for row in TABLE {
            for &context in row.contexts {
                for key in row.presses.iter().filter_map(|&press| pressed(press)) {
                    let does = decode(context, key);
                    let wanted = match row.action {
                        Action::Number(_) => Some(Action::Number(7)),
                        action => Some(action),
                    };
                    assert_eq!(does, wanted, "{} in {context:?}", row.keys);
                }
            }
        }
    }

    #[test]
    fn every_row_is_explained() {
        for row in TABLE {
            assert!(!row.keys.is_empty() && !row.words.is_empty());
            assert!(
                !row.contexts.is_empty() && !row.presses.is_empty(),
                "{}",
                row.keys
            );
        }
    }

    #[test]
    fn capitals_and_other_alphabets_are_typed() {
        for typed in ['Ä', 'ß', 'я', '語'] {
            for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
                let key = KeyEvent::new(KeyCode::Char(typed), modifiers);
                let does = decode(Context::Answering, key);
                assert_eq!(does, Some(Action::Edit(Edit::Insert(typed))));
            }
        }
        let at = KeyModifiers::CONTROL | KeyModifiers::ALT;
        let key = KeyEvent::new(KeyCode::Char('@'), at);
        assert_eq!(
            decode(Context::Other, key),
            Some(Action::Edit(Edit::Insert('@')))
        );
    }
}
