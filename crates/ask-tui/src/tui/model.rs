//! The state of the terminal surface: the asks, the open screen and the overlay above it. It reads
//! no clock and has no effects; `update` changes it, `view` shows it.

mod card;
pub(crate) mod conflict;
pub(crate) mod filter;
pub(crate) mod history;
pub(crate) mod inbox;
mod unsent_text;

use ask_core::devices::Device;
use ask_core::{AskId, Draft, Gaps, Record, Time};
use jiff::tz::TimeZone;

use self::history::Layer;
use self::inbox::Inbox;
pub(crate) use card::{Button, Card, Guard, QuestionFocus, SAVE_MS};
pub(crate) use unsent_text::{Leftover, Purpose, UnsentText};

use ask_config::config::{Leaving, Terminal};
use ask_config::i18n::Words;
use ask_config::keys::{Context, Keymap};

use super::StartupProblems;
use super::background_color::BackgroundColor;
use super::glyphs::Glyphs;
use super::update::{Click, Paths};
use crate::Mode;
use crate::ui::text_field::Field;

/// The smallest terminal that shows an ask, in columns and rows.
pub(crate) const SMALLEST: (u16, u16) = (24, 6);

/// What the terminal can show, and how the person reads time.
#[derive(Clone, Debug)]
pub(crate) struct Display {
    /// The texts in the person's language.
    pub words: Words,
    pub keys: Keymap,
    /// The settings of the terminal.
    pub settings: Terminal,
    /// The glyphs that the terminal can show.
    pub glyphs: Glyphs,
    /// Whether colours may be used.
    pub colours: bool,
    pub background: BackgroundColor,
    /// The time zone of displayed times.
    pub zone: TimeZone,
    /// The person's home directory, shown as `~`.
    pub home: Option<String>,
    /// Whether the terminal distinguishes Shift+Enter from Enter.
    pub distinguishes_keys: bool,
}

/// The whole state of the terminal surface.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// What the surface was opened for.
    pub mode: Mode,
    /// How it is displayed.
    pub display: Display,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// The time of the last event.
    pub now: Time,
    /// The listed asks, in their order.
    pub records: Vec<Record>,
    /// Whether the list has been read.
    pub listed: bool,
    /// Whether the hub can be reached.
    pub connected: bool,
    /// The ask under the list's cursor.
    pub focus: Option<AskId>,
    /// The list's filter and rows.
    pub inbox: Inbox,
    /// The row of the cursor when it last moved. It is used when the ask of the cursor has gone.
    pub focus_row: usize,
    /// What fills the screen.
    pub screen: Screen,
    /// The overlay above the screen.
    pub overlay: Option<Overlay>,
    /// Ignores keys in the list for a moment, because they were meant for the notice that just
    /// closed.
    pub list_guard: Option<Guard>,
    /// A message in the list, until the next key.
    pub message: Option<String>,
    /// Until when a second Ctrl+C ends the program.
    pub interrupted_until: Option<Time>,
    /// When the ages on the screen have to be repainted.
    pub refresh_at: Option<Time>,
    /// Whether the next ask opens without a key.
    pub opens_next: bool,
    /// Whether the last key was Ctrl+X, after which Ctrl+E opens the editor.
    pub chord: bool,
    /// The last click, if it moved a cursor and nothing was typed since.
    pub clicked: Option<Click>,
    /// The cards that were left and whose answers the hub is not known to have.
    pub left: Vec<Card>,
    /// The ask whose outcome is on its way from a dialog of this surface.
    pub settling: Option<AskId>,
    /// Texts to agents that were typed in a dialog and not sent.
    pub unsent: Vec<UnsentText>,
    /// What was typed for asks that closed before it was sent. It is printed after the terminal has
    /// been given back.
    pub leftovers: Vec<Leftover>,
    /// Own texts that are offered before earlier answers, the newest first: those chosen in
    /// history, and those that weren't sent.
    pub again: Vec<String>,
    /// The popup of files. It is kept while closed, so that it stays closed for its `@`.
    pub paths: Option<Paths>,
}

/// What fills the screen.
#[derive(Clone, Debug)]
pub(crate) enum Screen {
    /// The list of asks.
    Inbox,
    /// The card of one ask that is being answered.
    Card(Box<Card>),
    /// The notice of one closed ask.
    Notice(Box<Notice>),
    History(Box<history::History>),
}

/// A closed ask, with what was typed for it here.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    /// The ask as it ended, or as it was last seen.
    pub record: Record,
    /// The answers that were filled in here and not sent.
    pub draft: Option<Draft>,
    /// The notice about answers that a program below an agent has filled in. Their texts are not
    /// offered again: the person may not have typed them.
    pub filled_in: Option<String>,
    /// Other texts that were typed here and not sent.
    pub other_texts: Vec<String>,
    /// Whether the draft is shown.
    pub shows_draft: bool,
    /// A message, until the next key.
    pub message: Option<String>,
    /// Ignores keys for a moment, because they were meant for the card.
    pub guard: Option<Guard>,
    /// When the notice closes without a key.
    pub closes_at: Option<Time>,
}

/// The overlay of who is signed in to the page: browsers of this machine first, then paired
/// devices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sessions {
    /// The list; `None` until the hub has replied.
    pub devices: Option<Vec<Device>>,
    /// The focused row, from zero; the last row stands for all of them.
    pub row: usize,
    /// Whether the dialog asks to confirm the sign-out of the focused row.
    pub asked: bool,
}

/// An overlay above the screen. It takes every key.
#[derive(Clone, Debug)]
pub(crate) enum Overlay {
    /// The keys of the screen below.
    Help {
        /// The first row shown.
        top: usize,
        /// The overlay below, which is restored on close.
        below: Option<Box<Overlay>>,
    },
    /// The whole text of an ask.
    Reader {
        id: AskId,
        /// The first row shown.
        top: usize,
    },
    /// The preview of the focused choice.
    Preview {
        /// The first row shown.
        top: usize,
    },
    /// What to do with an ask that is left with unsent answers.
    Discard {
        /// The focused choice, from zero.
        row: usize,
    },
    /// How long to snooze an ask.
    Snooze {
        id: AskId,
        /// The focused choice, from zero.
        row: usize,
    },
    /// Who is signed in to the page.
    Sessions(Sessions),
    /// Why an ask is declined.
    Reason { id: AskId, field: Field },
    /// A question to the agent.
    AskBack { id: AskId, field: Field },
    /// The path of a file to attach.
    Attach {
        field: Field,
        /// The paste that this path came from. If it isn't attached, it is inserted as text.
        pasted: Option<String>,
        /// Why the last attempt failed.
        error: Option<String>,
    },
    /// Whether to send a long answer.
    Long {
        /// The index of its question.
        question: usize,
        /// The action that continues after a yes.
        then: AfterConfirm,
    },
}

/// The action that a long answer interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterConfirm {
    LeaveField,
    /// Continuing with the next tab, or sending if the ask has only one question.
    Advance,
    /// Sending from the review.
    Send(Gaps),
}

impl Model {
    /// The state before the hub has sent anything.
    pub(crate) fn new(mode: Mode, display: Display, size: (u16, u16), now: Time) -> Self {
        Self {
            mode,
            display,
            size,
            now,
            records: Vec::new(),
            listed: false,
            connected: true,
            focus: None,
            inbox: Inbox::default(),
            focus_row: 0,
            screen: Screen::Inbox,
            overlay: None,
            list_guard: None,
            message: None,
            interrupted_until: None,
            refresh_at: None,
            opens_next: true,
            chord: false,
            clicked: None,
            left: Vec::new(),
            settling: None,
            unsent: Vec::new(),
            leftovers: Vec::new(),
            again: Vec::new(),
            paths: None,
        }
    }

    /// Whether the terminal is smaller than [`SMALLEST`], so that the person can't see what a key
    /// would do.
    pub(crate) fn is_too_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    /// Shows the worst of the problems found at the start as the list's message.
    pub(crate) fn show_startup_problems(&mut self, problems: StartupProblems) {
        let words = &self.display.words;
        let arguments = [("count", problems.invalid_settings.into())];
        self.message = match problems {
            StartupProblems {
                store_moved: true, ..
            } => Some(words.say("inbox-said-damage")),
            StartupProblems {
                invalid_settings: 0,
                ..
            } => None,
            StartupProblems { .. } => Some(words.format("inbox-said-settings", &arguments)),
        };
    }

    /// The context of the next key.
    pub(crate) fn context(&self) -> Context {
        if self.paths.as_ref().is_some_and(Paths::is_open) {
            return Context::Paths;
        }
        self.context_below_popup()
    }

    /// The context of the next key without the popup of files: that of the field below it.
    pub(crate) fn context_below_popup(&self) -> Context {
        self.overlay_context(self.overlay.as_ref())
    }

    /// The context whose keys the help page lists.
    pub(crate) fn context_below_help(&self) -> Context {
        match &self.overlay {
            Some(Overlay::Help { below, .. }) => self.overlay_context(below.as_deref()),
            overlay => self.overlay_context(overlay.as_ref()),
        }
    }

    fn overlay_context(&self, overlay: Option<&Overlay>) -> Context {
        match overlay {
            Some(Overlay::Help { .. }) => return Context::Help,
            Some(Overlay::Reader { .. } | Overlay::Preview { .. }) => return Context::Reader,
            Some(Overlay::Discard { .. }) => return Context::Discard,
            Some(Overlay::Snooze { .. }) => return Context::Snooze,
            Some(Overlay::Sessions(_)) => return Context::Sessions,
            Some(Overlay::Reason { .. }) => return Context::Reason,
            Some(Overlay::AskBack { .. }) => return Context::AskBack,
            Some(Overlay::Attach { .. }) => return Context::Attach,
            Some(Overlay::Long { .. }) => return Context::Long,
            None => {}
        }
        self.screen_context()
    }

    /// The context of the screen, ignoring overlays.
    pub(crate) fn screen_context(&self) -> Context {
        match &self.screen {
            Screen::Inbox if self.inbox.filtering => Context::Find,
            Screen::Inbox => Context::Inbox,
            Screen::Card(card) => card.context(),
            Screen::Notice(_) => Context::Notice,
            Screen::History(history) => match history.layer {
                Layer::List => Context::History,
                Layer::Search => Context::HistorySearch,
                Layer::Filters(_) => Context::HistoryFilters,
                Layer::Record(_) => Context::HistoryWhole,
                Layer::Stats(_) => Context::HistoryStats,
            },
        }
    }

    /// Opens the help page above whatever is open.
    pub(crate) fn open_help(&mut self) {
        let below = self.overlay.take().map(Box::new);
        self.overlay = Some(Overlay::Help { top: 0, below });
    }

    /// The field that is typed in.
    pub(crate) fn field(&mut self) -> Option<&mut Field> {
        match &mut self.overlay {
            Some(
                Overlay::Reason { field, .. }
                | Overlay::AskBack { field, .. }
                | Overlay::Attach { field, .. },
            ) => Some(field),
            Some(
                Overlay::Help { .. }
                | Overlay::Reader { .. }
                | Overlay::Preview { .. }
                | Overlay::Discard { .. }
                | Overlay::Snooze { .. }
                | Overlay::Sessions(_)
                | Overlay::Long { .. },
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

    /// Whether the surface serves one ask only.
    pub(crate) fn is_one_shot(&self) -> bool {
        matches!(self.mode, Mode::One(_))
    }

    /// Whether Esc on a card cancels its ask instead of leaving it waiting.
    pub(crate) fn esc_cancels(&self) -> bool {
        match self.display.settings.leaving {
            Leaving::Auto => self.is_one_shot(),
            Leaving::Leave => false,
            Leaving::Cancel => true,
        }
    }

    /// The listed ask with this id.
    pub(crate) fn record(&self, id: &AskId) -> Option<&Record> {
        self.records.iter().find(|record| record.id == *id)
    }

    /// The row of the list's cursor. It is the last known row unless the list has changed, so that
    /// a long list isn't searched for every frame.
    pub(crate) fn focused_row(&self) -> usize {
        let is_it = |&row: &usize| {
            let record = self.shown(row);
            record.is_some_and(|record| Some(&record.id) == self.focus.as_ref())
        };
        let row = Some(self.focus_row).filter(is_it);
        let row = row.or_else(|| (0..self.inbox.rows.len()).find(is_it));
        row.unwrap_or(0)
    }

    /// The ask in a row of the list.
    pub(crate) fn shown(&self, row: usize) -> Option<&Record> {
        self.records.get(*self.inbox.rows.get(row)?)
    }

    /// How many asks were answered today; 0 if the summary is from another day.
    pub(crate) fn answered_today(&self) -> u64 {
        let day = |at: Time| {
            let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
            stamp.to_zoned(self.display.zone.clone()).date()
        };
        let known = self.inbox.day.filter(|(_, at)| day(*at) == day(self.now));
        known.map_or(0, |(known, _)| known.answered)
    }

    /// How many waiting asks haven't been read into the list yet.
    pub(crate) fn not_yet_listed(&self) -> usize {
        let more = self.inbox.day.map_or(0, |(known, _)| known.more);
        usize::try_from(more).unwrap_or(usize::MAX)
    }

    /// Whether notifications are muted.
    pub(crate) fn is_muted(&self) -> bool {
        self.inbox.day.is_some_and(|(day, _)| day.muted)
    }

    /// The ask under the list's cursor.
    pub(crate) fn focused(&self) -> Option<&Record> {
        self.shown(self.focused_row())
    }

    /// The asks that wait and aren't snoozed, in the order of the list.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Record> {
        let waits = |record: &&Record| record.is_open() && record.snoozed.is_none();
        self.records.iter().filter(waits)
    }

    pub(crate) fn card(&self) -> Option<&Card> {
        match &self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
        }
    }

    /// The open card, to change it.
    pub(crate) fn card_mut(&mut self) -> Option<&mut Card> {
        match &mut self.screen {
            Screen::Card(card) => Some(card),
            Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
        }
    }

    /// The guard of what fills the screen.
    pub(crate) fn guard(&self) -> Option<Guard> {
        match &self.screen {
            Screen::Inbox => self.list_guard,
            Screen::Card(card) => card.guard,
            Screen::Notice(notice) => notice.guard,
            Screen::History(_) => None,
        }
    }

    /// The guard of what fills the screen, to change it.
    pub(crate) fn guard_mut(&mut self) -> Option<&mut Guard> {
        match &mut self.screen {
            Screen::Inbox => self.list_guard.as_mut(),
            Screen::Card(card) => card.guard.as_mut(),
            Screen::Notice(notice) => notice.guard.as_mut(),
            Screen::History(_) => None,
        }
    }

    /// Starts the pause of the screen's guard once that is painted with nothing above it.
    pub(crate) fn mark_painted(&mut self, now: Time) {
        if self.overlay.is_none()
            && let Some(guard) = self.guard_mut()
        {
            guard.mark_painted(now);
        }
    }

    /// Whether the screen's guard ignores the key that was just pressed. It prolongs the guard.
    pub(crate) fn ignores_key(&mut self, is_letter: bool) -> bool {
        let now = self.now;
        self.guard_mut()
            .is_some_and(|guard| guard.ignores_key(now, is_letter))
    }

    /// The next time at which something happens without an event.
    pub(crate) fn next_wake(&self) -> Option<Time> {
        let mut moments = vec![self.refresh_at];
        match &self.screen {
            Screen::Inbox => {}
            Screen::Card(card) => moments.push(card.save_at),
            Screen::Notice(notice) => moments.push(notice.closes_at),
            Screen::History(_) => {}
        }
        moments.push(self.guard().map(|guard| guard.until));
        let due = moments.into_iter().flatten().filter(|&at| at > self.now);
        due.min()
    }
}
