//! The events that can wake the terminal surface, and the effects that it can request.

use ask_core::devices::{Device, PairingCommand};
use ask_core::record::Snooze;
use ask_core::stats::HistoryStats;
use ask_core::{AskId, Attachment, Draft, Record, Time};
use ask_protocol::ipc::{Day, Filter, Verdict};
use crossterm::event::{KeyEvent, MouseEvent};

use super::background_color::BackgroundColor;
use crate::attach::AttachError;
use crate::editor::Edited;
use crate::ui::editor_file::EditorFile;
use crate::{Closing, Ended};

/// An event.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted, with its line breaks.
    Paste(String),
    /// A line break within letters that came faster than anybody types.
    Break,
    /// A mouse button or the wheel was used.
    Mouse(MouseEvent),
    /// The terminal gained or lost the focus.
    Focus(bool),
    /// The terminal distinguishes keys such as Enter and Shift+Enter (kitty keyboard protocol).
    Keyboard,
    /// The person's editor ended.
    Edited(Edited),
    /// Matching files, for [`Effect::FindPaths`].
    Paths {
        /// The letters of the search.
        letters: String,
        /// The best matches, relative to the directory.
        found: Vec<String>,
        /// How many paths match.
        total: usize,
        /// Whether the search is finished.
        ended: bool,
        /// How many files were searched, if the search stopped at its limit.
        cut: Option<usize>,
    },
    /// Closed asks, the newest first, for [`Effect::Recall`].
    Recalled {
        /// The ask that is being answered.
        id: AskId,
        /// The closed asks that the hub keeps.
        records: Vec<Record>,
    },
    /// The terminal's new size in columns and rows.
    Resize(u16, u16),
    /// The whole list, read again.
    Records(Vec<Record>),
    /// Changes since the last list.
    Changed {
        /// Records that are new or differ.
        records: Vec<Record>,
        /// Ids that are gone from the list.
        gone: Vec<AskId>,
    },
    /// The result of an attempt to settle an ask.
    Settled {
        /// The ask's id.
        id: AskId,
        /// The record as it is now, or why it is unknown.
        closing: Closing,
    },
    /// The day's summary: how many asks were answered, how many are still to come, and whether
    /// notifications are muted.
    Day(Day),
    /// The hub's reply to a snooze or a request for more time.
    Done {
        /// The request.
        wish: AskRequest,
        /// The updated record, or why the request failed.
        result: Result<Box<Record>, String>,
    },
    /// Whether notifications are muted now.
    Muted(bool),
    /// A link to the page; `None` if the page is off; or why it is unknown.
    PageLink(Result<Option<String>, String>),
    /// The browsers and devices that are signed in to the page, or why they are unknown.
    SignedIn(Result<Vec<Device>, String>),
    /// A draft was refused, because another surface had saved one. This is the record with that
    /// draft.
    Overtaken(Box<Record>),
    /// The result of an attachment.
    Attached {
        /// The ask's id.
        id: AskId,
        /// The index of the question.
        question: usize,
        /// The attachment, or why there is none.
        file: Result<Attachment, AttachError>,
    },
    /// The terminal replied with its background.
    BackgroundColor(BackgroundColor),
    /// Whether the hub can be reached.
    Link(bool),
    /// The time requested with [`Effect::Wake`] has come.
    Tick,
    /// The keys that were typed before the screen changed have been discarded.
    InputDrained,
    /// A page of closed asks and the row where the next one begins, or why there is none.
    HistoryPage(Result<(Vec<Record>, u64), String>),
    /// Statistics over closed asks.
    Counted(Box<HistoryStats>),
    /// How many closed asks were exported and to which file, or why they weren't.
    Written(Result<(u64, String), String>),
}

/// A request about an ask that doesn't settle it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskRequest {
    /// Snooze the ask, or end its snooze.
    Snooze,
    /// Extend its deadline.
    Extend {
        /// Whether typing made the request, without a command of the person.
        typing: bool,
    },
}

/// An effect: the reducer requests it, the runner performs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Save a draft.
    SaveDraft {
        /// The ask's id.
        id: AskId,
        /// The answers so far.
        draft: Draft,
        /// The revision of the draft that this one is built on.
        built_on: u64,
    },
    /// Snooze an ask, or end its snooze.
    Snooze {
        /// The ask's id.
        id: AskId,
        /// When the snooze ends; `None` ends it now.
        snooze: Option<Snooze>,
    },
    /// Request more time for an ask.
    Extend {
        /// The ask's id.
        id: AskId,
        /// The wanted deadline.
        until: Time,
        /// Whether typing makes the request, without a command of the person.
        typing: bool,
    },
    /// Mute or unmute notifications.
    Mute {
        /// True to mute.
        on: bool,
    },
    /// Create a link to the page, then send [`Event::PageLink`].
    PageLink,
    /// Sign somebody out if wanted, then list who is signed in with [`Event::SignedIn`].
    Sessions {
        /// Whom to sign out; `None` only lists.
        end: Option<PairingCommand>,
    },
    /// Read a file, store it in the hub, then send [`Event::Attached`].
    Attach {
        /// The ask's id.
        id: AskId,
        /// The index of the question.
        question: usize,
        /// Where the file comes from.
        source: FileSource,
        /// The directory that a relative path starts at.
        from: Option<String>,
    },
    /// Settle an ask.
    Settle {
        /// The ask's id.
        id: AskId,
        /// The verdict: answer, decline, ask back or hand back.
        verdict: Verdict,
    },
    /// Report that the person can see an ask.
    Shown {
        /// The ask's id.
        id: AskId,
    },
    /// Read an ask that isn't listed and send it as [`Event::Changed`].
    Fetch {
        /// The ask's id.
        id: AskId,
    },
    /// Send [`Event::Tick`] at this time. A new one replaces the last.
    Wake {
        /// The time.
        at: Time,
    },
    /// Discard the keys that were typed but not read, then send [`Event::InputDrained`].
    DrainInput,
    /// Lend the terminal to the person's editor, then send [`Event::Edited`].
    Edit(EditorFile),
    /// Stop, as Ctrl+Z does, until the person's shell resumes the program.
    Suspend,
    /// Find files and send the matches as [`Event::Paths`], repeatedly while the search goes on.
    FindPaths {
        /// The directory to search below.
        directory: String,
        /// Letters that a path contains in this order.
        letters: String,
    },
    /// Read closed asks and send them as [`Event::Recalled`].
    Recall {
        /// The ask that is being answered.
        id: AskId,
    },
    /// Copy a text to the clipboard through the terminal.
    Copy {
        /// Safe text.
        text: String,
    },
    /// Read a page of closed asks and send it as [`Event::HistoryPage`].
    ReadHistory {
        /// Which closed asks.
        filter: Filter,
    },
    /// Count closed asks and send the statistics as [`Event::Counted`].
    Count {
        /// Which closed asks.
        filter: Filter,
    },
    /// Export closed asks to a new file and send [`Event::Written`].
    WriteOut {
        /// Which closed asks.
        filter: Filter,
    },
    /// Paint the whole screen, because another program wrote on it.
    Repaint,
    /// End the surface.
    Quit(Ended),
}

/// Where an attachment comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileSource {
    /// The clipboard.
    Copied,
    /// This path, as the person gave it.
    Path(String),
}
