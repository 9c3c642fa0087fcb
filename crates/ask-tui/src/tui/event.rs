//! Everything that can wake the terminal surface, and everything it can want done.

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

/// Something happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted, line breaks and all.
    Paste(String),
    /// A line break among letters that came too fast to be typed.
    Break,
    /// Something was done with the mouse.
    Mouse(MouseEvent),
    /// The terminal has come to the front, or has gone from there.
    Focus(bool),
    /// The terminal tells keys apart that look alike elsewhere, as Enter and Shift+Enter.
    Keyboard,
    /// The person's editor has ended.
    Edited(Edited),
    /// Files that fit, for [`Effect::FindPaths`].
    Paths {
        /// The letters that they were looked for by.
        letters: String,
        /// The best of them, relative to the directory.
        found: Vec<String>,
        /// How many fit.
        total: usize,
        /// Whether no more come.
        ended: bool,
        /// How many files were looked at, where there are more.
        cut: Option<usize>,
    },
    /// Closed asks, the latest first, for [`Effect::Recall`].
    Recalled {
        /// The ask that is being answered.
        id: AskId,
        /// What the hub keeps.
        records: Vec<Record>,
    },
    /// The terminal has another size: columns and rows.
    Resize(u16, u16),
    /// The whole list, read afresh.
    Records(Vec<Record>),
    /// What is new since the last look.
    Changed {
        /// Records that are new or differ.
        records: Vec<Record>,
        /// Records that are gone from the list.
        gone: Vec<AskId>,
    },
    /// What became of an attempt to close an ask.
    Settled {
        /// Which ask.
        id: AskId,
        /// The record as it stands now, or why nothing is known.
        closing: Closing,
    },
    /// What else a list says: how many were answered today, and whether notifications are muted.
    Day(Day),
    /// What became of putting an ask aside, or of taking more time for it.
    Done {
        /// What was wanted.
        wish: Want,
        /// The record as it stands now, or why nothing came of it.
        result: Result<Box<Record>, String>,
    },
    /// Notifications were muted, or no more.
    Muted(bool),
    /// A link to the page, if there is one, or why nothing is known.
    PageLink(Result<Option<String>, String>),
    /// Who is signed in to the page, or why that is not known.
    SignedIn(Result<Vec<Device>, String>),
    /// A draft was not kept, because another was meanwhile: this is how the ask stands.
    Overtaken(Box<Record>),
    /// A file was to be attached.
    Attached {
        /// To which ask,
        id: AskId,
        /// to which of its questions.
        question: usize,
        /// It, or why it can't be.
        file: Result<Attachment, AttachError>,
    },
    /// The terminal said what it paints on.
    BackgroundColor(BackgroundColor),
    /// Whether the hub can be reached.
    Link(bool),
    /// A moment asked for by [`Effect::Wake`] has come.
    Tick,
    /// The keys typed before the screen changed are gone.
    InputDrained,
    /// A page of closed asks and where the next one begins, or why there is none.
    Past(Result<(Vec<Record>, u64), String>),
    /// Figures over closed asks.
    Counted(Box<HistoryStats>),
    /// How many closed asks were written to which file, or why not.
    Written(Result<(u64, String), String>),
}

/// What was wanted of an ask, besides closing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// To put it aside, or back.
    Snooze,
    /// More time.
    Extend {
        /// Whether nobody asked for it but a key was pressed.
        typing: bool,
    },
}

/// Something to do. The reducer wants it, the runner does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep a draft.
    SaveDraft {
        /// Of which ask.
        id: AskId,
        /// What is filled in.
        draft: Draft,
        /// The revision of it that this was built on.
        built_on: u64,
    },
    /// Put an ask aside, or back.
    Snooze {
        /// Which.
        id: AskId,
        /// For how long; `None` puts it back.
        snooze: Option<Snooze>,
    },
    /// Take more time for an ask.
    Extend {
        /// Which.
        id: AskId,
        /// Until when.
        until: Time,
        /// Whether nobody asked for it but a key was pressed.
        typing: bool,
    },
    /// Mute notifications, or no more.
    Mute {
        /// Whether.
        on: bool,
    },
    /// Have a link to the page made, then say [`Event::PageLink`].
    PageLink,
    /// Sign somebody out, or everybody, where that is wanted; then say [`Event::SignedIn`].
    Sessions {
        /// Which of them, or all; `None` only lists them.
        end: Option<PairingCommand>,
    },
    /// Read a file, have the hub keep it, then say [`Event::Attached`].
    Attach {
        /// For which ask,
        id: AskId,
        /// for which of its questions.
        question: usize,
        /// Where it is.
        source: Source,
        /// The folder that a path is seen from.
        from: Option<String>,
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
    /// Read an ask that isn't in the list any more and send it as [`Event::Changed`].
    Fetch {
        /// Which.
        id: AskId,
    },
    /// Send a [`Event::Tick`] at this moment; there is only ever one.
    Wake {
        /// When.
        at: Time,
    },
    /// Throw away the keys that are typed but not read, then say [`Event::InputDrained`].
    DrainInput,
    /// Give the terminal to the person's editor until it ends, then say [`Event::Edited`].
    Edit(EditorFile),
    /// Stop, as Ctrl+Z does elsewhere, until the person's shell has us go on.
    Suspend,
    /// Look for files and send what fits as [`Event::Paths`], more than once while it is looked.
    FindPaths {
        /// Below this directory.
        directory: String,
        /// With these letters in their paths.
        letters: String,
    },
    /// Read what was answered before and send it as [`Event::Recalled`].
    Recall {
        /// For which ask.
        id: AskId,
    },
    /// Ask the terminal to put this where pastes come from.
    Copy {
        /// Safe text.
        text: String,
    },
    /// Read a page of closed asks and send it as [`Event::Past`].
    Past {
        /// Which.
        filter: Filter,
    },
    /// Count closed asks and send the statistics as [`Event::Counted`].
    Count {
        /// Which.
        filter: Filter,
    },
    /// Write closed asks to a new file and say [`Event::Written`].
    WriteOut {
        /// Which.
        filter: Filter,
    },
    /// Paint everything anew, because something else wrote on the screen.
    Repaint,
    /// End.
    Quit(Ended),
}

/// Where a file to be attached is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the clipboard.
    Copied,
    /// At this path, as the person gave it.
    Path(String),
}
