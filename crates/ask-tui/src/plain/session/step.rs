//! The events and effects of a plain session.

use ask_core::record::Snooze;
use ask_core::stats::HistoryStats;
use ask_core::{AskId, Attachment, Draft, Record, Time};
use ask_protocol::ipc::Verdict;

use crate::attach::{AttachError, AttachmentSource};
use crate::editor::EditResult;
use crate::ui::editor_file::EditorFile;
use crate::{SettleResult, SurfaceEnd};

/// An event that a plain session handles.
#[derive(Clone, Debug)]
pub(crate) enum PlainEvent {
    /// A line that the person typed.
    Line(String),
    /// A line that was in the terminal before anybody waited for it, or that has another one behind
    /// it: nobody types as fast, so it is of a paste.
    PastedLine(String),
    /// The end of the input.
    End,
    /// The whole list, read again.
    Records(Vec<Record>),
    /// Changes since the last list.
    Changed {
        /// Records that are new or differ.
        records: Vec<Record>,
        /// Ids that are gone from the list.
        gone: Vec<AskId>,
    },
    /// The open ask with the hub's view of its draft, or `None` if it can't be read.
    Refreshed(Option<Box<Record>>),
    /// The result of the attempt to settle the open ask.
    Settled(SettleResult),
    /// The editor's result; `None` without a terminal.
    Edited(Option<EditResult>),
    /// The person's earlier answers, the newest first.
    Recalled(Vec<String>),
    /// The attached file, or why it isn't attached.
    Attached(Result<Attachment, AttachError>),
    /// The paths that match best, and how many match.
    FilesFound(Vec<String>, usize),
    /// Closed asks, and the row where the next page begins.
    HistoryPage(Vec<Record>, u64),
    /// The statistics over all asks.
    Stats(Box<HistoryStats>),
    /// Whether notifications are muted now.
    Muted(bool),
    /// An outcome was taken back, and the ask is as it is now.
    TakenBack(Box<Record>),
    /// A failed effect; the text is shown to the person.
    Failed(String),
    /// A draft that isn't saved, and why; `None` if no hub could be reached.
    DraftNotKept(AskId, Option<String>),
    /// The ask is left, and its draft was saved or not.
    Left,
    /// The hub's reply to a request for more time.
    Extended {
        /// Whether typing made the request.
        typing: bool,
        /// The updated record, or why the request was refused.
        result: Result<Box<Record>, String>,
    },
}

/// An effect that a plain session requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlainEffect {
    SaveDraft {
        id: AskId,
        /// The answers so far.
        draft: Draft,
    },
    /// Read an ask again, and reply with [`PlainEvent::Refreshed`].
    Refresh {
        id: AskId,
    },
    Settle {
        id: AskId,
        /// The verdict: answer, decline or ask back.
        verdict: Verdict,
    },
    /// Report that the person can see an ask.
    Shown {
        id: AskId,
    },
    /// Reply with [`PlainEvent::Left`], after the effects before it.
    ReportLeft,
    /// Drop what was typed before the person could read what is shown now.
    DropTyped,
    /// Snooze an ask, or end its snooze.
    Snooze {
        id: AskId,
        /// When the snooze ends; `None` ends it now.
        until: Option<Snooze>,
    },
    /// Request more time for an ask, and reply with [`PlainEvent::Extended`].
    Extend {
        id: AskId,
        until: Time,
        /// Whether typing makes the request.
        typing: bool,
    },
    /// Run the person's editor on their own text, and reply with [`PlainEvent::Edited`].
    Edit(EditorFile),
    /// Read the person's earlier answers, and reply with [`PlainEvent::Recalled`].
    Recall {
        /// Answers from this project come first.
        project: Option<String>,
    },
    /// Attach a file, and reply with [`PlainEvent::Attached`].
    Attach {
        /// Where the file comes from.
        source: AttachmentSource,
        /// The directory that relative paths start at.
        from: Option<String>,
    },
    /// Find files, and reply with [`PlainEvent::FilesFound`].
    FindFiles {
        /// The directory to search below.
        directory: String,
        /// Letters that a path contains in this order.
        letters: String,
    },
    /// Read closed asks, and reply with [`PlainEvent::HistoryPage`].
    ReadHistory {
        /// The text that they contain.
        search: Option<String>,
        /// Only those before this row.
        before: Option<u64>,
    },
    /// Count closed asks, and reply with [`PlainEvent::Stats`].
    ReadStats,
    /// Take back the outcome of this attempt, and reply with [`PlainEvent::TakenBack`].
    TakeBack {
        id: AskId,
        attempt: u64,
    },
    /// Mute or unmute notifications, and reply with [`PlainEvent::Muted`].
    ToggleMute,
    End(SurfaceEnd),
}

/// The text and the effects that follow from one event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Appended to the output, never rewritten.
    pub text: String,
    /// Performed in this order.
    pub effects: Vec<PlainEffect>,
}

impl Step {
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    pub(crate) fn lines(&mut self, lines: Vec<String>) {
        for line in lines {
            self.line(line);
        }
    }

    /// Appends a prompt, behind which the person types.
    pub(crate) fn prompt(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push(' ');
    }
}
