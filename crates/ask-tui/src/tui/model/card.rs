//! One ask on the screen: its form, the tab and the row that are focused, and
//! the guard against keys that were meant for something else.

use ask_config::config::Review;
use ask_config::keys::Context;
use ask_core::{Attachment, Draft, Input, Question, Record, Time};
use ask_dialects::hook;

use super::conflict::Conflict;
use super::filter::Filter;
use crate::tui::update::Earlier;
use crate::ui::form::{Entry, Form, recommended};
use crate::ui::text_field::Field;

/// How long after a card opens its answer keys do nothing.
pub const GUARD_MS: u64 = 350;
/// How long keys are ignored after "your text was not sent" appears, so that nobody who is still typing
/// dismisses it unread.
pub const NOTICE_GUARD_MS: u64 = 2_000;
/// How long after the last key a draft is kept.
pub const SAVE_MS: u64 = 500;

/// An ask, being answered.
#[derive(Clone, Debug)]
pub struct Card {
    /// The ask as last seen.
    pub record: Record,
    /// What is filled in.
    pub form: Form,
    /// The current tab; the one after the last question is the review.
    pub tab: usize,
    /// Where the focus stands, a spot a question.
    pub spots: Vec<Spot>,
    /// What makes the list of choices shorter, a filter a question.
    pub filters: Vec<Filter>,
    /// Whether a note is being typed: the question's, or on the review the one for all.
    pub noting: bool,
    /// When answers are shown once more before they go out.
    pub reviews: Review,
    /// Whether it was tried to send with answers missing: their tabs are marked from then on.
    pub refused: bool,
    /// The focused row of the review: questions first, then buttons.
    pub review_row: usize,
    /// While it lasts, answer keys do nothing.
    pub guard: Option<Guard>,
    /// The draft that was kept last.
    pub kept: Draft,
    /// What is filled in for the same ask elsewhere.
    pub elsewhere: Conflict,
    /// When the draft has to be kept.
    pub save_at: Option<Time>,
    /// When the hub kept the draft, as far as it has said so.
    pub kept_at: Option<Time>,
    /// Whether the hub was asked to close it.
    pub sending: bool,
    /// How many files are being read for it: nothing is sent before.
    pub attaching: usize,
    /// One line for the person, until the next key.
    pub remark: Option<String>,
    /// The question for which a second Enter says "none of these".
    pub none_asked: Option<usize>,
    /// The first row shown of a text that overflows.
    pub prose_top: usize,
    /// The first row shown of a preview: of this tab's choice in this row.
    pub previewed: (usize, usize, usize),
    /// When a field was left with Esc.
    pub left_field_at: Option<Time>,
    /// Earlier answers, as far as they were wanted here.
    pub earlier: Earlier,
}

/// Where the focus stands within a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Spot {
    /// The row: a choice, or the one after the last for Other.
    pub row: usize,
    /// Whether the field is being typed in.
    pub typing: bool,
}

/// Keys typed before this moment were meant for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// It lasts at least until then,
    pub until: Time,
    /// and until the keys typed before are thrown away.
    pub drained: bool,
    /// How long a pause has to be.
    pause_ms: u64,
    /// Whether it was seen what it guards.
    painted: bool,
}

impl Guard {
    /// A guard from now on.
    pub fn from(now: Time) -> Self {
        Self::lasting(now, GUARD_MS)
    }

    /// The guard of a notice about words that were not sent.
    pub fn of_words(now: Time) -> Self {
        Self::lasting(now, NOTICE_GUARD_MS)
    }

    fn lasting(now: Time, pause_ms: u64) -> Self {
        Self {
            until: now.plus_ms(pause_ms),
            drained: false,
            pause_ms,
            painted: false,
        }
    }

    /// What it guards is on the screen: nobody could read it before.
    pub fn painted(&mut self, now: Time) {
        if !self.painted {
            self.painted = true;
            self.until = self.until.max(now.plus_ms(self.pause_ms));
        }
    }

    /// Whether it still holds.
    pub fn holds(&self, now: Time) -> bool {
        !self.drained || now < self.until
    }

    /// A key came while it held: it ends only after a pause. False when it holds no more.
    pub fn swallows(&mut self, now: Time) -> bool {
        let holds = self.holds(now);
        if holds {
            self.until = now.plus_ms(self.pause_ms);
        }
        holds
    }
}

impl Card {
    /// Opens an ask with its kept draft.
    pub fn new(record: Record, now: Time) -> Self {
        let saved = record.draft.as_ref();
        let form = Form::new(&record.ask, saved.map(|saved| &saved.draft));
        let spots = record
            .ask
            .questions
            .iter()
            .zip(&form.entries)
            .map(|(question, entry)| {
                let picked = (0..question.input.len()).find(|&pick| entry.has(pick));
                Spot {
                    row: match picked {
                        Some(row) => row,
                        None if entry.has_own() => question.input.len(),
                        None => 0,
                    },
                    typing: question.input.is_empty(),
                }
            });
        Self {
            spots: spots.collect(),
            filters: vec![Filter::default(); record.ask.questions.len()],
            noting: false,
            reviews: Review::Several,
            refused: false,
            kept: form.draft(),
            elsewhere: Conflict::of(&record, form.draft()),
            kept_at: saved.map(|saved| saved.at),
            form,
            tab: 0,
            review_row: 0,
            guard: Some(Guard::from(now)),
            save_at: None,
            sending: false,
            attaching: 0,
            remark: None,
            none_asked: None,
            prose_top: 0,
            previewed: (0, 0, 0),
            left_field_at: None,
            earlier: Earlier::default(),
            record,
        }
    }

    /// Where the next key is pressed.
    pub fn context(&self) -> Context {
        if self.noting {
            return Context::Note;
        }
        let (Some(question), Some(spot)) = (self.question(), self.spots.get(self.tab)) else {
            return Context::Review;
        };
        if question.input.is_empty() {
            return if spot.typing {
                Context::Answering
            } else {
                Context::Rest
            };
        }
        if spot.typing {
            return Context::Other;
        }
        if self.filter().is_some_and(|filter| filter.typing) {
            return Context::Filter;
        }
        match question.input {
            Input::Text | Input::One(_) => Context::Pick,
            Input::Confirm => Context::Confirm,
            Input::Many(_) => Context::Tick,
        }
    }

    /// The question of the current tab; none on the review.
    pub fn question(&self) -> Option<&Question> {
        self.record.ask.questions.get(self.tab)
    }

    /// The entry of the current tab; none on the review.
    pub fn entry(&mut self) -> Option<&mut Entry> {
        self.form.entries.get_mut(self.tab)
    }

    /// The focus of the current tab; the beginning on the review.
    pub fn spot(&self) -> Spot {
        self.spots.get(self.tab).copied().unwrap_or_default()
    }

    /// The field that is being typed in.
    pub fn field(&mut self) -> Option<&mut Field> {
        if self.noting {
            return Some(self.note_mut());
        }
        if self.spot().typing {
            return self.entry().map(|entry| &mut entry.field);
        }
        let filter = self.filters.get_mut(self.tab);
        filter
            .filter(|filter| filter.typing)
            .map(|filter| &mut filter.field)
    }

    /// The first row shown of the focused choice's preview: another choice's begins at its top.
    pub fn preview_top(&self) -> usize {
        let (tab, row, top) = self.previewed;
        if (tab, row) == (self.tab, self.spot().row) {
            top
        } else {
            0
        }
    }

    /// Scrolls the focused choice's preview.
    pub fn scroll_preview(&mut self, top: usize) {
        self.previewed = (self.tab, self.spot().row, top);
    }

    /// Whether the focused choice has a preview.
    pub fn has_preview(&self) -> bool {
        let choices = self.question().map(|question| question.input.choices());
        let choice = choices.and_then(|choices| choices.get(self.spot().row));
        choice.is_some_and(|choice| choice.preview.is_some())
    }

    /// The note of the current tab: the question's, or on the review the one for all.
    pub fn note(&self) -> &Field {
        match self.form.entries.get(self.tab) {
            Some(entry) => &entry.note,
            None => &self.form.note,
        }
    }

    /// The files attached to the current question.
    pub fn attachments(&self) -> &[Attachment] {
        let entry = self.form.entries.get(self.tab);
        entry.map_or(&[], Entry::attachments)
    }

    fn note_mut(&mut self) -> &mut Field {
        match self.form.entries.get_mut(self.tab) {
            Some(entry) => &mut entry.note,
            None => &mut self.form.note,
        }
    }

    /// The filter of the current question.
    pub fn filter(&self) -> Option<&Filter> {
        self.filters.get(self.tab)
    }

    /// The choices of the current question that are shown, in their order.
    pub fn shown(&self) -> Vec<usize> {
        let offered = self.question().map_or(0, |question| question.input.len());
        match self.filter() {
            Some(filter) => filter.shown(offered),
            None => (0..offered).collect(),
        }
    }

    /// Whether the agent recommends an answer to the current question.
    pub fn recommends(&self) -> bool {
        self.question()
            .is_some_and(|question| !recommended(question).is_empty())
    }

    /// Whether the current question was filled in elsewhere, too, and differently.
    pub fn was_changed_elsewhere(&self) -> bool {
        let other = self.elsewhere.others.get(self.tab);
        other.is_some_and(Option::is_some)
    }

    /// Whether there is a review, hence tabs.
    pub fn has_tabs(&self) -> bool {
        let questions = &self.record.ask.questions;
        let asked_for = self.reviews == Review::Always
            && questions
                .first()
                .is_some_and(|question| question.input.is_many() && !question.input.is_empty());
        questions.len() > 1 || asked_for
    }

    /// How many tabs there are, the review among them.
    pub fn tabs(&self) -> usize {
        self.record.ask.questions.len() + usize::from(self.has_tabs())
    }

    /// Whether it comes from its client's own question tool, which can have it back.
    pub fn is_taken_over(&self) -> bool {
        !self.is_late() && hook::took(&self.record)
    }

    /// Whether nobody waits for the answer any more: it is kept until the agent asks again.
    pub fn is_late(&self) -> bool {
        self.record.waiters == 0 || !self.record.is_waiting()
    }

    /// Whether the current tab is the review.
    pub fn on_review(&self) -> bool {
        self.question().is_none()
    }

    /// Whether the guard takes the key that was just pressed.
    pub fn swallows(&mut self, now: Time) -> bool {
        self.guard.as_mut().is_some_and(|guard| guard.swallows(now))
    }

    /// Whether the guard still holds.
    pub fn is_guarded(&self, now: Time) -> bool {
        self.guard.is_some_and(|guard| guard.holds(now))
    }

    /// The next question after the current tab without an answer, going round; none when all have one.
    pub fn next_open(&self) -> Option<usize> {
        let questions = self.form.entries.len();
        let after = (1..=questions).map(|step| (self.tab + step) % questions.max(1));
        after
            .into_iter()
            .find(|&at| self.form.entries[at].is_open())
    }

    /// Whether anything would be missed if the form were thrown away.
    pub fn is_touched(&self) -> bool {
        self.form.is_touched(&self.record.ask)
    }

    /// The buttons of the review, the safe one first.
    pub fn buttons(&self) -> Vec<Button> {
        let missing = self.form.missing(&self.record.ask);
        let given = self.form.given();
        match missing.first() {
            None => vec![Button::Send { given }],
            Some(&question) if given == 0 => vec![Button::GoTo { question }],
            Some(&question) => vec![Button::GoTo { question }, Button::SendAnyway { given }],
        }
    }
}

/// A button of the review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Send everything.
    Send {
        /// How many answers there are.
        given: usize,
    },
    /// Go to the first required question without an answer.
    GoTo {
        /// Which.
        question: usize,
    },
    /// Send although required answers are missing.
    SendAnyway {
        /// How many answers there are.
        given: usize,
    },
}
