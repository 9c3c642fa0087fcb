//! The key table: the only place that defines what a key does in which context. Decoding, the
//! footer and the help page read it, so they can't disagree. [`Keymap`] is the table with a
//! person's changes.

mod key;
mod label;
mod map;
mod table;

use crossterm::event::KeyEvent;

use crate::i18n::Words;

pub(crate) use key::DIGITS;
pub use key::{KeyError, KeyPress};
pub use label::{all_keys, brief};
pub use map::{Changes, Keymap, Row};
pub(crate) use table::SECTIONS;
pub use table::Section;

/// Where a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// The list of asks.
    Inbox,
    /// The field that filters the list.
    Find,
    /// The choice of how long an ask is snoozed.
    Snooze,
    /// The list of browsers that are signed in to the page.
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
    /// The field that filters a list of choices.
    Filter,
    /// The last tab of an ask with several questions.
    Review,
    /// The dialog before input is discarded.
    Discard,
    /// The field for why an ask is declined.
    Reason,
    /// The field for a question to the agent.
    AskBack,
    /// The field for the path of a file to attach.
    Attach,
    /// The dialog before a long answer is sent.
    Long,
    /// The full-screen text.
    Reader,
    /// An ask that was closed elsewhere.
    Notice,
    /// The popup of files above a field.
    Paths,
    /// The help page.
    Help,
    /// The list of closed asks.
    History,
    /// The field that searches closed asks.
    HistorySearch,
    /// The other filters of closed asks.
    HistoryFilters,
    /// One closed ask in full.
    HistoryWhole,
    /// The statistics of closed asks.
    HistoryStats,
}

/// A group of actions on the help page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// To move between rows, tabs and asks.
    Moving,
    /// To answer, and what belongs to an answer.
    Answering,
    /// To change text in a field.
    Typing,
    /// To reply to the agent without an answer.
    Replying,
    /// To see more than the screen shows.
    Looking,
    /// To leave what is open.
    Leaving,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Move within what is shown.
    Move(Move),
    /// Change the text, or move the caret along its line.
    Edit(Edit),
    /// Go to the next tab.
    TabNext,
    /// Go to the previous tab.
    TabBack,
    /// Take the row or item with this number.
    Number(u8),
    /// Go to Other and start typing.
    Other,
    /// Go to Other with this character, where letters are typed.
    Jump(char),
    /// Mark the row, or unmark it where several can be marked.
    Mark,
    /// Go on: mark, open, done or send, as the footer says.
    Enter,
    /// Mark Yes, or the dialog's Yes.
    Yes,
    /// Mark No, or the dialog's No.
    No,
    /// Leave the ask waiting.
    Leave,
    /// Leave the innermost layer, such as a field.
    Escape,
    /// Ctrl+C, the way out that works everywhere.
    Interrupt,
    /// Paint the whole screen again.
    Redraw,
    /// Show what the keys do here.
    Help,
    /// Snooze the ask, or end its snooze.
    Snooze,
    /// Extend the deadline of the ask.
    MoreTime,
    /// Load what was filled in elsewhere, or the person's own input again.
    LoadOther,
    /// Take back the answer that was sent last, before its agent has it.
    TakeBack,
    /// Mute notifications, or unmute them.
    Mute,
    /// Show a link to the page.
    PageLink,
    /// Show the browsers that are signed in to the page.
    Sessions,
    /// Go to the note of this question; in the review, to the note for all answers.
    Note,
    /// Mark what the agent recommends here.
    Recommended,
    /// Mark what the agent recommends wherever nothing is marked, and go to the review.
    AllRecommended,
    /// Fill in what is empty with the answer to the same ask shortly before.
    EarlierAnswer,
    /// Attach what is in the clipboard.
    AttachCopied,
    /// Attach a file by its path.
    Attach,
    /// Remove the file that was attached last.
    Detach,
    /// Filter the list that is shown.
    Filter,
    /// Copy the question; in a notice, the text that was typed.
    Copy,
    /// Copy the answers as text.
    Export,
    /// Hand the ask back to the client's dialog from which it was taken over.
    HandBack,
    /// Show the whole text, full screen.
    Read,
    /// Show the preview of the focused choice, full screen.
    Preview,
    /// Decline with a reason.
    Decline,
    /// Ask the agent back.
    AskBack,
    /// Go to the next ask.
    NextAsk,
    /// Go to the previous ask.
    PastAsk,
    /// Show what was typed before the ask was closed.
    ShowDraft,
    /// Leave the program or the card. All asks stay waiting.
    Quit,
    /// Close what is open, and nothing else.
    Close,
    /// Stop the program, and go to the shell that started it.
    Suspend,
    /// Replace the text of the field.
    ReplaceText(ReplaceText),
    /// An action on closed asks.
    History(HistoryAction),
}

/// An action on closed asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryAction {
    /// Show the screen of closed asks.
    Open,
    /// Show the filters of closed asks.
    Filters,
    /// Show the statistics of closed asks.
    Stats,
    /// Write a file with all asks that were found.
    Write,
    /// Copy the person's own words from one of them, for another answer.
    Again,
}

/// The text that replaces the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceText {
    /// The text that the person writes in their own editor.
    Editor,
    /// The answer given before the one that is shown.
    Older,
    /// The answer given after it.
    Newer,
}

impl Action {
    /// Its group on the help page.
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
            | Self::EarlierAnswer
            | Self::LoadOther
            | Self::Enter
            | Self::Yes
            | Self::No => Group::Answering,
            Self::Edit(_) | Self::ReplaceText(_) => Group::Typing,
            Self::Decline | Self::AskBack | Self::Snooze | Self::MoreTime | Self::TakeBack => {
                Group::Replying
            }
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
    /// Its group in a context. A list is looked at and nothing is answered there: Enter shows more.
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
    /// Move the caret one character back.
    CaretLeft,
    /// Move the caret one character forward.
    CaretRight,
    /// Move the caret one word back.
    WordLeft,
    /// Move the caret one word forward.
    WordRight,
    /// Type a character.
    Insert(char),
    /// Type a line break.
    NewLine,
    /// Delete the character before the caret.
    Erase,
    /// Delete the character after the caret.
    EraseNext,
    /// Delete the word before the caret.
    EraseWord,
    /// Delete the word after the caret.
    EraseNextWord,
    /// Delete to the end of the line.
    EraseLineEnd,
    /// Undo the last change.
    Undo,
    /// Make an undone change again.
    Redo,
}

/// When the footer shows a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Always.
    Always,
    /// When there is an ask in the list.
    Listed,
    /// When an answer can be taken back.
    Held,
    /// When the focused ask waits for the person.
    Waits,
    /// With several questions.
    Tabs,
    /// With several asks.
    Asks,
    /// When there is a deadline.
    Timed,
    /// When the question was also filled in elsewhere.
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
    /// When something was filled in and not sent.
    Filled,
    /// When nothing was filled in.
    Unfilled,
    /// Where letters are typed. Elsewhere the row doesn't exist.
    Jump,
    /// When an earlier answer is offered. The help page shows it only for such an ask.
    EarlierAnswer,
    /// Never. The help page shows it if the agent recommends an answer to any question.
    Recommending,
    /// Never. Only the help page shows it.
    Help,
}

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Its name in its section of `config.toml`; empty if it can't be changed.
    pub name: &'static str,
    /// The contexts in which it applies.
    pub contexts: &'static [Context],
    /// The keys, each of which works. The first ones are named where there is little space.
    pub presses: &'static [KeyPress],
    /// What each of them does.
    pub action: Action,
    /// The id of the message that describes the keys; keys.ftl lists its arguments. Empty if a row
    /// that is paired with this one describes both.
    pub words: &'static str,
    /// The id of the message where there is little space. If it is empty, the row is left out
    /// there.
    pub short: &'static str,
    /// When the footer shows it.
    pub only: Only,
    /// The row of its section that is described together with it, as ↑ is with ↓; empty if none is.
    pub beside: &'static str,
    /// How many of its keys the footer names.
    pub showing: usize,
    /// When the footer drops it for lack of space.
    pub yields: FooterPriority,
}

/// Which rows a footer drops first that has too little space for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FooterPriority {
    /// Later rows are dropped before earlier ones. The last two are never dropped.
    InTurn,
    /// Dropped before those where there is little space, the greatest number first.
    Narrow(u8),
    /// Dropped before everything else, at any width.
    First,
}

/// Whether it is Ctrl+C, the way out that works everywhere.
pub fn is_interrupt(key: KeyEvent) -> bool {
    KeyPress::from_event(key) == Some(KeyPress::Ctrl('c'))
}

/// Whether a key begins Ctrl+X Ctrl+E, which opens an editor in shells, too.
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
