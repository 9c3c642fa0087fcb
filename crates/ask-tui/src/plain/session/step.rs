//! What goes into the talk of the line mode and comes out of it, step by step.

use ask_core::record::Snooze;
use ask_core::stats::HistoryStats;
use ask_core::{AskId, Attachment, Draft, Record, Time};
use ask_protocol::ipc::Verdict;

use crate::attach::AttachError;
use crate::editor::Edited;
use crate::ui::editor_file::EditorFile;
use crate::{Closing, Ended};

/// What the talk hears.
#[derive(Clone, Debug)]
pub enum LineInput {
    /// A line of the person.
    Line(String),
    /// The end of the input.
    End,
    /// The whole list, read afresh.
    Records(Vec<Record>),
    /// What is new since the last look.
    Changed {
        /// Records that are new or differ.
        records: Vec<Record>,
        /// Records that are gone from the list.
        gone: Vec<AskId>,
    },
    /// What became of the attempt to close the open ask.
    Settled(Closing),
    /// What came out of the editor; none where there is no terminal for one.
    Edited(Option<Edited>),
    /// The person's earlier answers, the latest first.
    Recalled(Vec<String>),
    /// A file was read and is kept, or why not.
    Attached(Result<Attachment, AttachError>),
    /// The files that fit best, and how many fit.
    Found(Vec<String>, usize),
    /// Closed asks, and where the next page begins.
    Past(Vec<Record>, u64),
    /// The statistics over all that was asked.
    Stats(Box<HistoryStats>),
    /// Notifications are muted, or no more.
    Muted(bool),
    /// What was wanted couldn't be done; the words are for the person.
    Failed(String),
    /// What came of wanting more time.
    Extended {
        /// Whether typing wanted it.
        typing: bool,
        /// The ask as it stands now, or why not.
        result: Result<Box<Record>, String>,
    },
}

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is the image or the file that was copied last.
    Copied,
    /// It has this path, as the person typed it.
    Path(String),
}

/// What the talk wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep a draft.
    SaveDraft {
        /// Of which ask.
        id: AskId,
        /// What is filled in.
        draft: Draft,
    },
    /// Close an ask.
    Settle {
        /// Which.
        id: AskId,
        /// How.
        verdict: Verdict,
    },
    /// Say that a person can see an ask.
    Shown {
        /// Which.
        id: AskId,
    },
    /// Put an ask aside, or back.
    Snooze {
        /// Which.
        id: AskId,
        /// Until when.
        aside: Option<Snooze>,
    },
    /// Take more time for an ask, and hear [`LineInput::Extended`].
    Extend {
        /// Which.
        id: AskId,
        /// Its wanted deadline.
        until: Time,
        /// Whether typing wants it.
        typing: bool,
    },
    /// Have the person's own words written in their editor, and hear [`LineInput::Edited`].
    Edit(EditorFile),
    /// Look up the person's earlier answers, and hear [`LineInput::Recalled`].
    Recall {
        /// Those of this project come first.
        project: Option<String>,
    },
    /// Attach a file, and hear [`LineInput::Attached`].
    Attach {
        /// Which.
        source: Source,
        /// Paths are seen from here.
        from: Option<String>,
    },
    /// Find files, and hear [`LineInput::Found`].
    Find {
        /// Below this directory.
        directory: String,
        /// Whose path has these letters in it, in this order.
        letters: String,
    },
    /// Look up closed asks, and hear [`LineInput::Past`].
    Past {
        /// Words that occur in them.
        search: Option<String>,
        /// Only those before this row.
        before: Option<u64>,
    },
    /// Count, and hear [`LineInput::Stats`].
    Stats,
    /// Turn notifications off or on, and hear [`LineInput::Muted`].
    Mute,
    /// End.
    End(Ended),
}

/// What a step says and wants.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// To be appended, never rewritten.
    pub text: String,
    /// To be done, in this order.
    pub effects: Vec<Effect>,
}

impl Step {
    /// Says a line.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Says several.
    pub fn lines(&mut self, lines: Vec<String>) {
        for line in lines {
            self.line(line);
        }
    }

    /// Asks for what is to be typed behind it.
    pub fn prompt(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push(' ');
    }
}
