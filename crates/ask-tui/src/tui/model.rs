//! What the terminal surface knows: the asks, the screen that is open and the
//! layer above it. Holds no clock and does nothing; `update` changes it, `view`
//! shows it.

mod card;
pub mod conflict;
pub mod filter;
pub mod history;
pub mod inbox;
mod unsent_text;

use ask_core::devices::Device;
use ask_core::{AskId, Draft, Gaps, Record, Time};
use jiff::tz::TimeZone;

use self::history::Layer;
use self::inbox::Inbox;
pub use card::{Button, Card, Guard, SAVE_MS, Spot};
pub use unsent_text::{Leftover, Purpose, UnsentText};

use ask_config::config::{Leaving, Terminal};
use ask_config::i18n::Words;
use ask_config::keys::{Context, Keymap};

use super::TuiError;
use super::background_color::BackgroundColor;
use super::glyphs::Glyphs;
use super::update::{Clicked, Paths};
use crate::Mode;
use crate::ui::text_field::Field;

/// The smallest terminal that shows an ask.
pub const SMALLEST: (u16, u16) = (24, 6);

/// What the terminal can show and how the person reads time.
#[derive(Clone, Debug)]
pub struct Look {
    /// Our own words.
    pub words: Words,
    /// What keys do.
    pub keys: Keymap,
    /// What the person set.
    pub habits: Terminal,
    /// Which signs.
    pub glyphs: Glyphs,
    /// Whether colours may be used.
    pub colours: bool,
    /// What they stand on.
    pub background: BackgroundColor,
    /// For times of day.
    pub zone: TimeZone,
    /// The person's home directory, shown as `~`.
    pub home: Option<String>,
    /// Whether the terminal tells Shift+Enter from Enter.
    pub tells_keys_apart: bool,
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
    /// The list besides its asks.
    pub inbox: Inbox,
    /// The row it stood on last, for when its ask goes.
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
    /// Whether the last key was Ctrl+X, with which Ctrl+E opens the editor.
    pub chord: bool,
    /// The last click, if it moved a cursor and nothing was typed since.
    pub clicked: Option<Clicked>,
    /// Words to agents that were begun and not sent.
    pub unsent: Vec<UnsentText>,
    /// What was typed for asks that closed before it was sent: said when the terminal is given back.
    pub left: Vec<Leftover>,
    /// Own words to be given again, the last first: chosen in the history, or not sent.
    pub again: Vec<String>,
    /// The popup of files, and what it was closed for.
    pub paths: Option<Paths>,
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
    /// What is over.
    History(Box<history::History>),
}

/// An ask that is closed, with what was typed here.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The ask as it ended, or as it was last seen.
    pub record: Record,
    /// What was filled in here and not sent.
    pub draft: Option<Draft>,
    /// Words that were typed besides, and not sent either.
    pub besides: Vec<String>,
    /// Whether the draft is shown.
    pub opened: bool,
    /// One line for the person.
    pub remark: Option<String>,
    /// Keys count from here on: the one that was on its way when the ask was closed doesn't.
    pub guard: Option<Guard>,
    /// When it goes by itself.
    pub leaves_at: Option<Time>,
}

/// Who is signed in to the page: browsers of this machine, then devices that were let in.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    /// They; `None` until the hub has said who they are.
    pub devices: Option<Vec<Device>>,
    /// The focused one, from zero; the last row is for all of them.
    pub row: usize,
    /// Whether it is asked if the focused one is to be signed out.
    pub asked: bool,
}

/// A layer above the screen. It takes every key.
#[derive(Clone, Debug)]
pub enum Over {
    /// What the keys do below.
    Help {
        /// The first row shown.
        top: usize,
        /// The layer below, which comes back.
        below: Option<Box<Over>>,
    },
    /// The whole text of an ask.
    Reader {
        /// Of which ask.
        id: AskId,
        /// The first row shown.
        top: usize,
    },
    /// The preview of the focused choice.
    Preview {
        /// The first row shown.
        top: usize,
    },
    /// What to do with an ask that is left.
    Discard {
        /// The focused choice, from zero.
        row: usize,
    },
    /// For how long an ask is put aside.
    Snooze {
        /// Which ask.
        id: AskId,
        /// The focused choice, from zero.
        row: usize,
    },
    /// Who is signed in to the page.
    Sessions(Sessions),
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
    /// The path of a file to attach.
    Attach {
        /// The path.
        field: Field,
        /// The paste that it came from: what isn't attached is typed.
        pasted: Option<String>,
        /// Why the last one couldn't be attached.
        says: Option<String>,
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
            inbox: Inbox::default(),
            focus_row: 0,
            screen: Screen::Inbox,
            over: None,
            list_guard: None,
            news: None,
            interrupted_until: None,
            refresh_at: None,
            opens_next: true,
            chord: false,
            clicked: None,
            unsent: Vec::new(),
            left: Vec::new(),
            again: Vec::new(),
            paths: None,
        }
    }

    /// Whether the terminal is too small to show anything, so that nobody knows what a key would do.
    pub fn is_too_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    /// Says what trouble there was, the worst of it, where the list begins.
    pub fn tell(&mut self, trouble: TuiError) {
        let words = &self.look.words;
        let told = [("count", trouble.mistakes.into())];
        self.news = match trouble {
            TuiError {
                set_aside: true, ..
            } => Some(words.say("inbox-said-damage")),
            TuiError { mistakes: 0, .. } => None,
            TuiError { .. } => Some(words.with("inbox-said-settings", &told)),
        };
    }

    /// Where the next key is pressed.
    pub fn context(&self) -> Context {
        if self.paths.as_ref().is_some_and(Paths::is_open) {
            return Context::Paths;
        }
        self.layer_context()
    }

    /// The same without the popup of files: where the field is that it belongs to.
    pub fn layer_context(&self) -> Context {
        self.context_of(self.over.as_ref())
    }

    /// Where keys are pressed that the help page tells: below it.
    pub fn context_below_help(&self) -> Context {
        match &self.over {
            Some(Over::Help { below, .. }) => self.context_of(below.as_deref()),
            over => self.context_of(over.as_ref()),
        }
    }

    fn context_of(&self, over: Option<&Over>) -> Context {
        match over {
            Some(Over::Help { .. }) => return Context::Help,
            Some(Over::Reader { .. } | Over::Preview { .. }) => return Context::Reader,
            Some(Over::Discard { .. }) => return Context::Discard,
            Some(Over::Snooze { .. }) => return Context::Snooze,
            Some(Over::Sessions(_)) => return Context::Sessions,
            Some(Over::Reason { .. }) => return Context::Reason,
            Some(Over::AskBack { .. }) => return Context::AskBack,
            Some(Over::Attach { .. }) => return Context::Attach,
            Some(Over::Long { .. }) => return Context::Long,
            None => {}
        }
        self.screen_context()
    }

    /// The context of the screen itself, whatever lies above it.
    pub fn screen_context(&self) -> Context {
        match &self.screen {
            Screen::Inbox if self.inbox.filtering => Context::Find,
            Screen::Inbox => Context::Inbox,
            Screen::Card(card) => card.context(),
            Screen::Notice(_) => Context::Notice,
            Screen::History(history) => match history.layer {
                Layer::List => Context::History,
                Layer::Search => Context::HistorySearch,
                Layer::Filters(_) => Context::HistoryFilters,
                Layer::Whole(_) => Context::HistoryWhole,
                Layer::Stats(_) => Context::HistoryStats,
            },
        }
    }

    /// Shows what the keys do, above whatever is open.
    pub fn open_help(&mut self) {
        let below = self.over.take().map(Box::new);
        self.over = Some(Over::Help { top: 0, below });
    }

    /// Where the next letter is typed, if in a field.
    pub fn field(&mut self) -> Option<&mut Field> {
        match &mut self.over {
            Some(
                Over::Reason { field, .. }
                | Over::AskBack { field, .. }
                | Over::Attach { field, .. },
            ) => Some(field),
            Some(
                Over::Help { .. }
                | Over::Reader { .. }
                | Over::Preview { .. }
                | Over::Discard { .. }
                | Over::Snooze { .. }
                | Over::Sessions(_)
                | Over::Long { .. },
            ) => None,
            None => match &mut self.screen {
                Screen::Card(card) => card.field(),
                Screen::History(history) if history.layer == Layer::Search => {
                    Some(&mut history.search)
                }
                Screen::Inbox if self.inbox.filtering => Some(&mut self.inbox.filter),
                Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
            },
        }
    }

    /// Whether the program serves one ask only.
    pub fn is_one_shot(&self) -> bool {
        matches!(self.mode, Mode::One(_))
    }

    /// Whether Esc on a card cancels its ask, where it doesn't only leave it waiting.
    pub fn esc_cancels(&self) -> bool {
        match self.look.habits.leaving {
            Leaving::Auto => self.is_one_shot(),
            Leaving::Leave => false,
            Leaving::Cancel => true,
        }
    }

    /// An ask of the list.
    pub fn record(&self, id: &AskId) -> Option<&Record> {
        self.records.iter().find(|record| record.id == *id)
    }

    /// The row that the list's cursor stands on. It is where it stood last, unless the list changed
    /// since: a long list is not walked for every frame.
    pub fn focused_row(&self) -> usize {
        let is_it = |&row: &usize| {
            let record = self.shown(row);
            record.is_some_and(|record| Some(&record.id) == self.focus.as_ref())
        };
        let row = Some(self.focus_row).filter(is_it);
        let row = row.or_else(|| (0..self.inbox.rows.len()).find(is_it));
        row.unwrap_or(0)
    }

    /// The ask in a row of the list.
    pub fn shown(&self, row: usize) -> Option<&Record> {
        self.records.get(*self.inbox.rows.get(row)?)
    }

    /// How many asks were answered today, as far as is known.
    pub fn answered_today(&self) -> u64 {
        let day = |at: Time| {
            let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
            stamp.to_zoned(self.look.zone.clone()).date()
        };
        let known = self.inbox.day.filter(|(_, at)| day(*at) == day(self.now));
        known.map_or(0, |(known, _)| known.answered)
    }

    /// How many asks wait that are still on their way to the list.
    pub fn not_yet_listed(&self) -> usize {
        let more = self.inbox.day.map_or(0, |(known, _)| known.more);
        usize::try_from(more).unwrap_or(usize::MAX)
    }

    /// Whether notifications are muted.
    pub fn is_muted(&self) -> bool {
        self.inbox.day.is_some_and(|(day, _)| day.muted)
    }

    /// The ask that the list's cursor stands on.
    pub fn focused(&self) -> Option<&Record> {
        self.shown(self.focused_row())
    }

    /// The asks that wait and were not put aside, in the order of the list.
    pub fn waiting(&self) -> impl Iterator<Item = &Record> {
        let waits = |record: &&Record| record.is_waiting() && record.snoozed.is_none();
        self.records.iter().filter(waits)
    }

    /// The open card.
    pub fn card(&self) -> Option<&Card> {
        match &self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
        }
    }

    /// The open card, to change it.
    pub fn card_mut(&mut self) -> Option<&mut Card> {
        match &mut self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
        }
    }

    /// The guard of what fills the screen.
    pub fn guard(&self) -> Option<Guard> {
        match &self.screen {
            Screen::Inbox => self.list_guard,
            Screen::Card(card) => card.guard,
            Screen::Notice(notice) => notice.guard,
            Screen::History(_) => None,
        }
    }

    /// The guard of what fills the screen, to change it.
    pub fn guard_mut(&mut self) -> Option<&mut Guard> {
        match &mut self.screen {
            Screen::Inbox => self.list_guard.as_mut(),
            Screen::Card(card) => card.guard.as_mut(),
            Screen::Notice(notice) => notice.guard.as_mut(),
            Screen::History(_) => None,
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
            Screen::History(_) => {}
        }
        moments.push(self.guard().map(|guard| guard.until));
        let due = moments.into_iter().flatten().filter(|&at| at > self.now);
        due.min()
    }
}
