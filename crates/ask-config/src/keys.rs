//! The key table: the one place that says what a key does where. Decoding, the
//! footer and the help page are read from it, so they can't disagree. A person's changes to it
//! are in [`Keymap`].

mod key;
mod label;
mod map;
mod table;

use crossterm::event::KeyEvent;

use crate::i18n::Words;

pub use key::{DIGITS, KeyError, KeyPress};
pub use label::{all_keys, brief};
pub use map::{Changes, Keymap, Row};
pub use table::{SECTIONS, Section};

/// Where a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// The list of asks.
    Inbox,
    /// The field that narrows the list down.
    Find,
    /// For how long an ask is put aside.
    Snooze,
    /// Who is signed in to the page.
    Sessions,
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
    /// The field of a note.
    Note,
    /// The field that makes a list of choices shorter.
    Filter,
    /// The last tab of an ask with several questions.
    Review,
    /// The dialog before anything is thrown away.
    Discard,
    /// The field for why an ask is declined.
    Reason,
    /// The field for what the person asks back.
    AskBack,
    /// The field for the path of a file to attach.
    Attach,
    /// The question whether a long answer may go out.
    Long,
    /// The full-screen text.
    Reader,
    /// An ask that was closed elsewhere.
    Notice,
    /// The popup of files above a field.
    Paths,
    /// The help page.
    Help,
    /// What is over.
    History,
    /// The field that searches it.
    HistorySearch,
    /// What else narrows it down.
    HistoryFilters,
    /// One closed ask, whole.
    HistoryWhole,
    /// The statistics.
    HistoryStats,
}

/// What the help page puts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Going about.
    Moving,
    /// Giving an answer.
    Answering,
    /// Changing text.
    Typing,
    /// What goes to the agent in place of an answer.
    Replying,
    /// Seeing more.
    Looking,
    /// Going.
    Leaving,
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
    /// To Other with this character, where letters are typed.
    Jump(char),
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
    /// Put the ask aside, or back.
    Snooze,
    /// Take more time.
    MoreTime,
    /// Load what was filled in elsewhere, or one's own again.
    LoadOther,
    /// Mute notifications, or no more.
    Mute,
    /// Show a link to the page.
    PageLink,
    /// Show who is signed in to the page.
    Sessions,
    /// The note of this question, or on the review the one for all answers.
    Note,
    /// Mark what the agent recommends here.
    Recommended,
    /// Mark what the agent recommends wherever nothing is marked, and go to the review.
    AllRecommended,
    /// Attach what was copied.
    AttachCopied,
    /// Attach a file by its path.
    Attach,
    /// Take off the file that was attached last.
    Detach,
    /// Make the list shorter.
    Filter,
    /// Copy the question; in a notice what was typed here.
    Copy,
    /// Copy the answers as text.
    Export,
    /// Back to the dialog of the client that it was taken over from.
    HandBack,
    /// The whole text, full screen.
    Read,
    /// What the focused choice would look like, full screen.
    Preview,
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
    /// Stop the program, and go to the shell that started it.
    Suspend,
    /// Replace the text of the field.
    ReplaceText(ReplaceText),
    /// Something about closed asks.
    History(HistoryAction),
}

/// What is called for about closed asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryAction {
    /// Their screen.
    Open,
    /// What narrows them down.
    Filters,
    /// The statistics.
    Stats,
    /// A file with all that was found.
    Write,
    /// The person's own words in one of them, to be given again.
    Again,
}

/// What the text of a field is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceText {
    /// What the person writes in their own editor.
    Editor,
    /// The answer given before the one that is shown.
    Older,
    /// The answer given after it.
    Newer,
}

impl Action {
    /// What it belongs to on the help page.
    pub fn group(self) -> Group {
        match self {
            Self::Move(_) | Self::TabNext | Self::TabBack | Self::NextAsk | Self::PastAsk => {
                Group::Moving
            }
            Self::Number(_)
            | Self::Other
            | Self::Jump(_)
            | Self::Mark
            | Self::Note
            | Self::AttachCopied
            | Self::Attach
            | Self::Detach
            | Self::Recommended
            | Self::AllRecommended
            | Self::LoadOther
            | Self::Enter
            | Self::Yes
            | Self::No => Group::Answering,
            Self::Edit(_) | Self::ReplaceText(_) => Group::Typing,
            Self::Decline | Self::AskBack | Self::Snooze | Self::MoreTime => Group::Replying,
            Self::Redraw
            | Self::Help
            | Self::Read
            | Self::Preview
            | Self::ShowDraft
            | Self::Filter
            | Self::Mute
            | Self::PageLink
            | Self::Sessions
            | Self::Copy
            | Self::History(_)
            | Self::Export => Group::Looking,
            Self::Leave
            | Self::HandBack
            | Self::Escape
            | Self::Interrupt
            | Self::Quit
            | Self::Close
            | Self::Suspend => Group::Leaving,
        }
    }
}

impl Action {
    /// The same where a list is looked at and nothing is answered: there Enter shows more.
    pub fn group_in(self, context: Context) -> Group {
        let opens = matches!(
            context,
            Context::Inbox
                | Context::Find
                | Context::History
                | Context::HistorySearch
                | Context::HistoryFilters
                | Context::HistoryWhole
                | Context::HistoryStats
        );
        match self.group() {
            Group::Answering if opens => Group::Looking,
            group => group,
        }
    }
}

impl Group {
    /// All of them, in the order of the help page.
    pub const ALL: [Self; 6] = [
        Self::Moving,
        Self::Answering,
        Self::Typing,
        Self::Replying,
        Self::Looking,
        Self::Leaving,
    ];

    /// Its heading.
    pub fn heading(self, words: Words) -> String {
        match self {
            Self::Moving => words.say("keys-group-moving"),
            Self::Answering => words.say("keys-group-answering"),
            Self::Typing => words.say("keys-group-typing"),
            Self::Replying => words.say("keys-group-replying"),
            Self::Looking => words.say("keys-group-looking"),
            Self::Leaving => words.say("keys-group-leaving"),
        }
    }
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
    /// Delete a word on.
    EraseNextWord,
    /// Delete to the end of the line.
    EraseLineEnd,
    /// Take the last change back.
    Undo,
    /// Make it again.
    Redo,
}

/// When a row of the table is worth a place in the footer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Always.
    Always,
    /// When there is an ask in the list.
    Listed,
    /// Where the focused ask waits for its person.
    Waits,
    /// With several questions.
    Tabs,
    /// With several asks.
    Asks,
    /// When there is a deadline.
    Timed,
    /// When the question was filled in elsewhere, too.
    Elsewhere,
    /// When text overflows.
    Overflow,
    /// When the focused choice has a preview.
    Previewed,
    /// When the agent recommends an answer.
    Recommended,
    /// When there are so many choices that they scroll.
    Many,
    /// When there is a draft to look at.
    Draft,
    /// When something was filled in that was not sent.
    Filled,
    /// When nothing was.
    Unfilled,
    /// Where letters are typed; elsewhere it isn't there at all.
    Jump,
    /// Never: help alone shows it, where the agent recommends an answer to any question.
    Recommending,
    /// Never: help alone shows it.
    Help,
}

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// What `config.toml` calls it, in its section; empty if it can't be changed.
    pub name: &'static str,
    /// Where it holds.
    pub contexts: &'static [Context],
    /// The keys, any of them; the first ones are named where there is little room.
    pub presses: &'static [KeyPress],
    /// What they do.
    pub action: Action,
    /// The message that says what they do; its arguments are told in keys.ftl. Empty where a row
    /// stands beside this one and tells both.
    pub words: &'static str,
    /// The same where there is little room; empty leaves the row out there.
    pub short: &'static str,
    /// When the footer shows it.
    pub only: Only,
    /// The row of its section that is told together with it, as ↑ is with ↓; or empty.
    pub beside: &'static str,
    /// How many of its keys the footer names.
    pub showing: usize,
    /// When the footer leaves it out for want of room.
    pub yields: FooterPriority,
}

/// What goes first where the footer is too small for all that is worth a place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FooterPriority {
    /// What stands further back goes before what stands in front, but never the last two.
    InTurn,
    /// Before those, where there is little room: the greatest first.
    Narrow(u8),
    /// Before everything else, everywhere.
    First,
}

/// Whether it is the way out that works everywhere: Ctrl+C.
pub fn is_interrupt(key: KeyEvent) -> bool {
    KeyPress::from_event(key) == Some(KeyPress::Ctrl('c'))
}

/// Whether a key begins Ctrl+X Ctrl+E, by which shells open an editor, too.
pub fn begins_chord(key: KeyEvent) -> bool {
    KeyPress::from_event(key) == Some(KeyPress::Ctrl('x'))
}

/// Whether a key ends Ctrl+X Ctrl+E.
pub fn ends_chord(key: KeyEvent) -> bool {
    KeyPress::from_event(key) == Some(KeyPress::Ctrl('e'))
}

impl Context {
    /// Whether it is a tab of a card on which nothing is typed.
    pub fn is_card(self) -> bool {
        matches!(
            self,
            Self::Pick | Self::Tick | Self::Confirm | Self::Rest | Self::Review
        )
    }
}

#[cfg(test)]
mod tests;
