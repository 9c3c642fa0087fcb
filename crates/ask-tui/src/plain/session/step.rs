//! The inputs and effects of the plain conversation, step by step.

use ask_core::record::Snooze;
use ask_core::stats::HistoryStats;
use ask_core::{AskId, Attachment, Draft, Record, Time};
use ask_protocol::ipc::Verdict;

use crate::attach::AttachError;
use crate::editor::Edited;
use crate::ui::editor_file::EditorFile;
use crate::{Closing, Ended};

/// An input of the conversation.
#[derive(Clone, Debug)]
pub(crate) enum LineInput {
    /// A line that the person typed.
    Line(String),
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
    /// The result of the attempt to settle the open ask.
    Settled(Closing),
    /// The editor's result; `None` without a terminal.
    Edited(Option<Edited>),
    /// The person's earlier answers, the newest first.
    Recalled(Vec<String>),
    /// The attached file, or why it isn't attached.
    Attached(Result<Attachment, AttachError>),
    /// The paths that match best, and how many match.
    Found(Vec<String>, usize),
    /// Closed asks, and the row where the next page begins.
    HistoryPage(Vec<Record>, u64),
    /// The statistics over all asks.
    Stats(Box<HistoryStats>),
    /// Whether notifications are muted now.
    Muted(bool),
    /// A failed effect; the text is shown to the person.
    Failed(String),
    /// The hub's reply to a request for more time.
    Extended {
        /// Whether typing made the request.
        typing: bool,
        /// The updated record, or why the request was refused.
        result: Result<Box<Record>, String>,
    },
}

/// Where an attachment comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AttachSource {
    /// The clipboard.
    Copied,
    /// This path, as the person typed it.
    Path(String),
}

/// An effect that the conversation requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlainEffect {
    /// Save a draft.
    SaveDraft {
        /// The ask's id.
        id: AskId,
        /// The answers so far.
        draft: Draft,
    },
    /// Settle an ask.
    Settle {
        /// The ask's id.
        id: AskId,
        /// The verdict: answer, decline or ask back.
        verdict: Verdict,
    },
    /// Report that the person can see an ask.
    Shown {
        /// The ask's id.
        id: AskId,
    },
    /// Snooze an ask, or end its snooze.
    Snooze {
        /// The ask's id.
        id: AskId,
        /// When the snooze ends; `None` ends it now.
        until: Option<Snooze>,
    },
    /// Request more time for an ask, and reply with [`LineInput::Extended`].
    Extend {
        /// The ask's id.
        id: AskId,
        /// The wanted deadline.
        until: Time,
        /// Whether typing makes the request.
        typing: bool,
    },
    /// Run the person's editor on their own text, and reply with [`LineInput::Edited`].
    Edit(EditorFile),
    /// Read the person's earlier answers, and reply with [`LineInput::Recalled`].
    Recall {
        /// Answers from this project come first.
        project: Option<String>,
    },
    /// Attach a file, and reply with [`LineInput::Attached`].
    Attach {
        /// Where the file comes from.
        source: AttachSource,
        /// The directory that relative paths start at.
        from: Option<String>,
    },
    /// Find files, and reply with [`LineInput::Found`].
    Find {
        /// The directory to search below.
        directory: String,
        /// Letters that a path contains in this order.
        letters: String,
    },
    /// Read closed asks, and reply with [`LineInput::HistoryPage`].
    ReadHistory {
        /// The text that they contain.
        search: Option<String>,
        /// Only those before this row.
        before: Option<u64>,
    },
    /// Count closed asks, and reply with [`LineInput::Stats`].
    Stats,
    /// Mute or unmute notifications, and reply with [`LineInput::Muted`].
    Mute,
    /// End the surface.
    End(Ended),
}

/// The text and the effects of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Appended to the output, never rewritten.
    pub text: String,
    /// Performed in this order.
    pub effects: Vec<PlainEffect>,
}

impl Step {
    /// Appends a line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Appends several lines.
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
