//! The events that can wake the terminal surface, and the effects that it can request.

use ask_core::devices::{Device, PairingCommand};
use ask_core::record::Snooze;
use ask_core::stats::HistoryStats;
use ask_core::{AskId, Attachment, Draft, Record, Time};
use ask_protocol::ipc::{Day, Filter, Verdict};
use crossterm::event::{KeyEvent, MouseEvent};

use super::background_color::BackgroundColor;
use crate::attach::{AttachError, AttachmentSource};
use crate::editor::EditResult;
use crate::ui::editor_file::EditorFile;
use crate::{SettleResult, SurfaceEnd};

/// An event that the reducer handles.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted, with its line breaks.
    Paste(String),
    /// A line break among letters that arrived faster than anybody types.
    PastedNewline,
    /// A mouse button or the wheel was used.
    Mouse(MouseEvent),
    /// The terminal gained or lost the focus.
    Focus(bool),
    /// The terminal supports the kitty keyboard protocol, which distinguishes keys such as Enter
    /// and Shift+Enter.
    KeyboardProtocol,
    /// The person's editor ended.
    Edited(EditResult),
    /// Matching files, for [`Effect::FindPaths`].
    PathsFound {
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
        id: AskId,
        /// The record as it is now, or why the ask wasn't settled.
        result: SettleResult,
    },
    /// The day's summary: how many asks were answered, how many the list doesn't hold yet, and
    /// whether notifications are muted.
    Day(Day),
    /// The hub's reply to a snooze or a request for more time.
    RequestDone {
        request: AskRequest,
        /// The updated record, or why the request failed.
        result: Result<Box<Record>, String>,
    },
    /// Whether notifications are muted now.
    Muted(bool),
    /// A link to the page; `None` if the page is off; or why it is unknown.
    PageLink(Result<Option<String>, String>),
    /// The browsers and devices that are signed in to the page, or why they are unknown.
    Devices(Result<Vec<Device>, String>),
    /// The hub refused a draft, because another surface had saved one. The record has that draft.
    DraftRefused(Box<Record>),
    /// The hub doesn't keep a draft of this ask, for this reason.
    DraftNotKept(AskId, String),
    /// The hub has saved a draft.
    DraftSaved(AskId, Draft),
    /// A draft isn't saved because no hub could be reached.
    DraftUnsaved(AskId),
    /// The result of an attachment.
    Attached {
        id: AskId,
        /// The index of the question.
        question: usize,
        /// The attachment, or why there is none.
        file: Result<Attachment, AttachError>,
    },
    /// The terminal replied with its background.
    BackgroundColor(BackgroundColor),
    /// Whether the hub can be reached.
    Connected(bool),
    /// The time of [`Effect::Wake`] has come.
    Tick,
    /// The keys that were typed before the screen changed have been discarded.
    InputDrained,
    /// A page of closed asks and the row where the next one begins, or why there is none.
    HistoryPage(Result<(Vec<Record>, u64), String>),
    /// The statistics over closed asks.
    Stats(Box<HistoryStats>),
    /// How many closed asks were exported and to which file, or why they weren't.
    Exported(Result<(u64, String), String>),
}

/// A request about an ask that doesn't settle it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskRequest {
    /// Snooze the ask, or end its snooze.
    Snooze,
    Extend {
        /// Whether typing made the request, without a command of the person.
        typing: bool,
    },
    /// Take an outcome back.
    TakeBack,
    /// Give the agent an outcome at once that is still held.
    EndHold,
}

/// An effect: the reducer requests it, the runner performs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    SaveDraft {
        id: AskId,
        /// The answers so far.
        draft: Draft,
        /// The revision of the draft that this one is built on.
        built_on: u64,
    },
    /// Snooze an ask, or end its snooze.
    Snooze {
        id: AskId,
        /// When the snooze ends; `None` ends it now.
        snooze: Option<Snooze>,
    },
    /// Request more time for an ask.
    Extend {
        id: AskId,
        until: Time,
        /// Whether typing makes the request, without a command of the person.
        typing: bool,
    },
    /// Mute or unmute notifications.
    Mute {
        /// True mutes, false unmutes.
        on: bool,
    },
    /// Create a link to the page, then send [`Event::PageLink`].
    PageLink,
    /// Sign somebody out if wanted, then list who is signed in with [`Event::Devices`].
    Sessions {
        /// Whom to sign out; `None` only lists.
        sign_out: Option<PairingCommand>,
    },
    /// Read a file, store it in the hub, then send [`Event::Attached`].
    Attach {
        id: AskId,
        /// The index of the question.
        question: usize,
        /// Where the file comes from.
        source: AttachmentSource,
        /// The directory that a relative path starts at.
        from: Option<String>,
    },
    Settle {
        id: AskId,
        /// The verdict: answer, decline, ask back or hand back.
        verdict: Verdict,
        /// Whether one key sends it, so that it can be taken back.
        hold: bool,
    },
    /// Take back the outcome of this attempt, before an agent has it.
    TakeBack {
        id: AskId,
        attempt: u64,
    },
    /// Give the agent the outcome of this attempt at once.
    EndHold {
        id: AskId,
        attempt: u64,
    },
    /// Report that the person can see an ask.
    Shown {
        id: AskId,
    },
    /// Read an ask that isn't listed and send it as [`Event::Changed`].
    Fetch {
        id: AskId,
    },
    /// Send [`Event::Tick`] at this time. A new one replaces the last.
    Wake {
        at: Time,
    },
    /// Discard the keys that were typed but not read, then send [`Event::InputDrained`].
    DrainInput,
    /// Lend the terminal to the person's editor, then send [`Event::Edited`].
    Edit(EditorFile),
    /// Stop, as Ctrl+Z does, until the person's shell resumes the program.
    Suspend,
    /// Find files and send the matches as [`Event::PathsFound`], repeatedly while the search goes
    /// on.
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
        /// The text, which is safe.
        text: String,
    },
    /// Read a page of closed asks and send it as [`Event::HistoryPage`].
    ReadHistory {
        filter: Filter,
    },
    /// Count closed asks and send the statistics as [`Event::Stats`].
    ReadStats {
        filter: Filter,
    },
    /// Export closed asks to a new file and send [`Event::Exported`].
    Export {
        filter: Filter,
    },
    /// Paint the whole screen, because another program wrote on it.
    Repaint,
    Quit(SurfaceEnd),
}
