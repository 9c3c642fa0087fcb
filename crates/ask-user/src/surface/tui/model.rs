//! What the terminal surface knows: the asks, the screen that is open and the
//! layer above it. Holds no clock and does nothing; `update` changes it, `view`
//! shows it.

mod card;

use ask_core::{AskId, Draft, Gaps, Record, Time};
use jiff::tz::TimeZone;

pub use card::{Button, Card, Guard, SAVE_MS, Spot};

use super::glyphs::Glyphs;
use super::keys::Context;
use crate::surface::Mode;
use crate::surface::paper::field::Field;
use crate::surface::paper::form::Form;

/// The smallest terminal that shows an ask.
pub const SMALLEST: (u16, u16) = (24, 6);

/// What the terminal can show and how the person reads time.
#[derive(Clone, Debug)]
pub struct Look {
    /// Which signs.
    pub glyphs: Glyphs,
    /// Whether colours may be used.
    pub colours: bool,
    /// For times of day.
    pub zone: TimeZone,
    /// The person's home directory, shown as `~`.
    pub home: Option<String>,
}

/// Everything the terminal surface knows.
#[derive(Clone, Debug)]
pub struct Model {
    /// What it was opened for.
    pub mode: Mode,
    /// How it looks.
    pub look: Look,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The moment of the last event.
    pub now: Time,
    /// The asks, in the order they are listed.
    pub records: Vec<Record>,
    /// Whether the list was read at all.
    pub listed: bool,
    /// Whether the hub can be reached.
    pub linked: bool,
    /// The ask that the list's cursor stands on.
    pub focus: Option<AskId>,
    /// The row it stood on when the list last changed, for when its ask goes.
    pub focus_row: usize,
    /// What fills the screen.
    pub screen: Screen,
    /// What lies above it.
    pub over: Option<Over>,
    /// While it lasts, the list takes no keys: they were meant for the notice that went.
    pub list_guard: Option<Guard>,
    /// A line of news in the list, until the next key.
    pub news: Option<String>,
    /// Until when a second Ctrl+C ends the program.
    pub interrupted_until: Option<Time>,
    /// When ages on the screen grow old.
    pub refresh_at: Option<Time>,
    /// Whether the next ask opens by itself.
    pub opens_next: bool,
}

/// What fills the screen.
#[derive(Clone, Debug)]
pub enum Screen {
    /// The list of asks.
    Inbox,
    /// One ask, being answered.
    Card(Box<Card>),
    /// One ask, closed.
    Notice(Box<Notice>),
}

/// An ask that is closed, with what was typed here.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The ask as it ended, or as it was last seen.
    pub record: Record,
    /// What was filled in here and not sent.
    pub draft: Option<Draft>,
    /// Whether the draft is shown.
    pub opened: bool,
    /// Keys count from here on: the one that was on its way when the ask was closed doesn't.
    pub guard: Option<Guard>,
    /// When it goes by itself.
    pub leaves_at: Option<Time>,
}

/// A layer above the screen. It takes every key.
#[derive(Clone, Debug)]
pub enum Over {
    /// What the keys do below.
    Help {
        /// The first row shown.
        top: usize,
    },
    /// The whole text of an ask.
    Reader {
        /// Of which ask.
        id: AskId,
        /// The first row shown.
        top: usize,
    },
    /// What to do with an ask that is left.
    Discard {
        /// The focused choice, from zero.
        row: usize,
    },
    /// Why an ask is declined.
    Reason {
        /// Which ask.
        id: AskId,
        /// The words.
        field: Field,
    },
    /// What the person asks back.
    AskBack {
        /// Which ask.
        id: AskId,
        /// The words.
        field: Field,
    },
    /// Whether a long answer may go out.
    Long {
        /// Whose: the question.
        question: usize,
        /// What goes on if it may.
        then: Then,
    },
}

/// What a long answer interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Leaving the field.
    LeaveField,
    /// Going on to the next tab, or sending where there is only one question.
    GoOn,
    /// Sending from the review.
    Send(Gaps),
}

impl Model {
    /// A surface that knows nothing yet.
    pub fn new(mode: Mode, look: Look, size: (u16, u16), now: Time) -> Self {
        Self {
            mode,
            look,
            size,
            now,
            records: Vec::new(),
            listed: false,
            linked: true,
            focus: None,
            focus_row: 0,
            screen: Screen::Inbox,
            over: None,
            list_guard: None,
            news: None,
            interrupted_until: None,
            refresh_at: None,
            opens_next: true,
        }
    }

    /// Whether the terminal is too small to show anything, so that nobody knows what a key would do.
    pub fn is_too_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    /// Where the next key is pressed.
    pub fn context(&self) -> Context {
        match &self.over {
            Some(Over::Help { .. }) => return Context::Help,
            Some(Over::Reader { .. }) => return Context::Reader,
            Some(Over::Discard { .. }) => return Context::Discard,
            Some(Over::Reason { .. }) => return Context::Reason,
            Some(Over::AskBack { .. }) => return Context::AskBack,
            Some(Over::Long { .. }) => return Context::Long,
            None => {}
        }
        self.screen_context()
    }

    /// The context of the screen itself, whatever lies above it.
    pub fn screen_context(&self) -> Context {
        match &self.screen {
            Screen::Inbox => Context::Inbox,
            Screen::Card(card) => card.context(),
            Screen::Notice(_) => Context::Notice,
        }
    }

    /// Where the next letter is typed, if in a field.
    pub fn field(&mut self) -> Option<&mut Field> {
        match &mut self.over {
            Some(Over::Reason { field, .. } | Over::AskBack { field, .. }) => Some(field),
            Some(
                Over::Help { .. } | Over::Reader { .. } | Over::Discard { .. } | Over::Long { .. },
            ) => None,
            None => match &mut self.screen {
                Screen::Card(card) => card.field(),
                Screen::Inbox | Screen::Notice(_) => None,
            },
        }
    }

    /// Whether the program serves one ask only.
    pub fn is_one_shot(&self) -> bool {
        matches!(self.mode, Mode::One(_))
    }

    /// An ask of the list.
    pub fn record(&self, id: &AskId) -> Option<&Record> {
        self.records.iter().find(|record| record.id == *id)
    }

    /// The row that the list's cursor stands on.
    pub fn focused_row(&self) -> usize {
        let focus = self.focus.as_ref();
        let at = self
            .records
            .iter()
            .position(|record| Some(&record.id) == focus);
        at.unwrap_or(0)
    }

    /// The ask that the list's cursor stands on.
    pub fn focused(&self) -> Option<&Record> {
        self.records.get(self.focused_row())
    }

    /// The asks that wait, in the order of the list.
    pub fn waiting(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| record.is_waiting())
    }

    /// The open card.
    pub fn card(&self) -> Option<&Card> {
        match &self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) => None,
        }
    }

    /// The open card, to change it.
    pub fn card_mut(&mut self) -> Option<&mut Card> {
        match &mut self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) => None,
        }
    }

    /// The guard of what fills the screen.
    pub fn guard(&self) -> Option<Guard> {
        match &self.screen {
            Screen::Inbox => self.list_guard,
            Screen::Card(card) => card.guard,
            Screen::Notice(notice) => notice.guard,
        }
    }

    /// The guard of what fills the screen, to change it.
    pub fn guard_mut(&mut self) -> Option<&mut Guard> {
        match &mut self.screen {
            Screen::Inbox => self.list_guard.as_mut(),
            Screen::Card(card) => card.guard.as_mut(),
            Screen::Notice(notice) => notice.guard.as_mut(),
        }
    }

    /// Whether the guard of what fills the screen takes the key that was just pressed.
    pub fn swallows(&mut self) -> bool {
        let now = self.now;
        self.guard_mut().is_some_and(|guard| guard.swallows(now))
    }

    /// The next moment at which something has to happen by itself.
    pub fn next_wake(&self) -> Option<Time> {
        let mut moments = vec![self.refresh_at];
        match &self.screen {
            Screen::Inbox => {}
            Screen::Card(card) => moments.push(card.save_at),
            Screen::Notice(notice) => moments.push(notice.leaves_at),
        }
        moments.push(self.guard().map(|guard| guard.until));
        let due = moments.into_iter().flatten().filter(|&at| at > self.now);
        due.min()
    }
}

impl Notice {
    /// The notice about a closed ask, with what was filled in here if it differs from a blank form.
    pub fn new(record: Record, form: Option<&Form>) -> Self {
        let draft = form
            .filter(|form| form.is_touched(&record.ask))
            .map(Form::draft);
        Self {
            record,
            draft,
            opened: false,
            guard: None,
            leaves_at: None,
        }
    }
}
