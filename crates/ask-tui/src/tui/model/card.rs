//! The card of one ask: its form, the focused tab and row, and the guard against keys that were
//! meant for something else.

use ask_config::config::Review;
use ask_config::keys::Context;
use ask_core::record::EarlierAnswer;
use ask_core::{Attachment, Draft, Input, Question, Record, Time};
use ask_dialects::hook;

use super::conflict::Conflict;
use super::filter::Filter;
use crate::tui::update::AnswerWalk;
use crate::ui::form::{Entry, Form, recommended};
use crate::ui::text_field::Field;

/// How long answer keys are ignored after a card opens.
pub const GUARD_MS: u64 = 350;
/// How long keys are ignored after "your text was not sent" appears, so that nobody who is still typing
/// dismisses it unread.
pub const NOTICE_GUARD_MS: u64 = 2_000;
/// How long after the last key a draft is saved.
pub const SAVE_MS: u64 = 500;

/// An ask that is being answered.
#[derive(Clone, Debug)]
pub struct Card {
    /// The record as last received.
    pub record: Record,
    /// The answers so far.
    pub form: Form,
    /// The current tab; the one behind the last question is the review.
    pub tab: usize,
    /// The focus of each question.
    pub spots: Vec<Spot>,
    /// The filter of each question's choices.
    pub filters: Vec<Filter>,
    /// Whether a note is being typed: the question's, or on the review the one for all answers.
    pub noting: bool,
    /// When the review appears before sending.
    pub reviews: Review,
    /// Whether sending was refused because answers are missing. Their tabs are marked from then on.
    pub refused: bool,
    /// The focused row of the review: questions first, then buttons.
    pub review_row: usize,
    /// Ignores answer keys for a moment.
    pub guard: Option<Guard>,
    /// The draft that was last sent to the hub.
    pub kept: Draft,
    /// What other surfaces have filled in for the same ask.
    pub elsewhere: Conflict,
    /// When the draft has to be saved.
    pub save_at: Option<Time>,
    /// When the hub saved the draft, as it last reported.
    pub kept_at: Option<Time>,
    /// Whether the ask's settlement is on its way to the hub.
    pub sending: bool,
    /// How many files are being read for the ask. Nothing is sent before.
    pub attaching: usize,
    /// A message, until the next key.
    pub remark: Option<String>,
    /// The question for which a second Enter confirms "none of these".
    pub none_asked: Option<usize>,
    /// The first row shown of an overflowing question text.
    pub prose_top: usize,
    /// The scroll position of a preview: tab, row of the choice, first row shown.
    pub previewed: (usize, usize, usize),
    /// When a field was left with Esc.
    pub left_field_at: Option<Time>,
    /// The earlier answers that are walked through.
    pub earlier: AnswerWalk,
}

/// The focus within a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Spot {
    /// The row: a choice, or behind the last one the field for own text.
    pub row: usize,
    /// Whether the field is being typed in.
    pub typing: bool,
}

impl Spot {
    /// The focus on what a question is answered with, otherwise on its first row.
    pub fn on_answer(question: &Question, entry: &Entry) -> Self {
        let offered = question.input.len();
        let picked = (0..offered).find(|&pick| entry.has(pick));
        let own = entry.has_own().then_some(offered);
        Self {
            row: picked.or(own).unwrap_or(0),
            typing: question.input.is_empty(),
        }
    }
}

/// Ignores keys that were typed before the person could see what the screen shows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// It holds at least until this time.
    pub until: Time,
    /// Whether the keys typed before have been discarded. It holds until then.
    pub drained: bool,
    /// The pause that ends it, in milliseconds.
    pause_ms: u64,
    /// Whether the screen that it guards has been painted.
    painted: bool,
}

impl Guard {
    /// A guard of [`GUARD_MS`] from now on.
    pub fn from(now: Time) -> Self {
        Self::lasting(now, GUARD_MS)
    }

    /// The guard of a notice about text that wasn't sent; [`NOTICE_GUARD_MS`] long.
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

    /// Starts the pause when the guarded screen is painted: nobody could read it before.
    pub fn painted(&mut self, now: Time) {
        if !self.painted {
            self.painted = true;
            self.until = self.until.max(now.plus_ms(self.pause_ms));
        }
    }

    /// Whether keys are still ignored.
    pub fn holds(&self, now: Time) -> bool {
        !self.drained || now < self.until
    }

    /// Whether to ignore a key that was just pressed. If so, the pause starts again.
    pub fn swallows(&mut self, now: Time) -> bool {
        let holds = self.holds(now);
        if holds {
            self.until = now.plus_ms(self.pause_ms);
        }
        holds
    }
}

impl Card {
    /// The earlier answer, while it can fill in a question that is empty.
    pub fn earlier_answer(&self) -> Option<&EarlierAnswer> {
        let earlier = self.record.earlier_answer.as_ref()?;
        let fillable = self.form.fillable(&self.record.ask, &earlier.draft);
        (!fillable.is_empty()).then_some(earlier)
    }

    /// Opens a record with its saved draft. Nothing else fills in the form.
    pub fn new(record: Record, now: Time) -> Self {
        let saved = record.draft.as_ref();
        let form = Form::new(&record.ask, saved.map(|saved| &saved.draft));
        let spots = record
            .ask
            .questions
            .iter()
            .zip(&form.entries)
            .map(|(question, entry)| Spot::on_answer(question, entry));
        Self {
            spots: spots.collect(),
            filters: vec![Filter::default(); record.ask.questions.len()],
            noting: false,
            reviews: Review::Several,
            refused: false,
            kept: form.draft(),
            elsewhere: Conflict::from_record(&record, form.draft()),
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
            earlier: AnswerWalk::default(),
            record,
        }
    }

    /// The context of the next key.
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

    /// The question of the current tab; `None` on the review.
    pub fn question(&self) -> Option<&Question> {
        self.record.ask.questions.get(self.tab)
    }

    /// The entry of the current tab; `None` on the review.
    pub fn entry(&mut self) -> Option<&mut Entry> {
        self.form.entries.get_mut(self.tab)
    }

    /// The focus of the current tab; the default on the review.
    pub fn spot(&self) -> Spot {
        self.spots.get(self.tab).copied().unwrap_or_default()
    }

    /// The field that is typed in.
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

    /// The first row shown of the focused choice's preview; 0 if another choice was scrolled last.
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

    /// The note of the current tab: the question's, or on the review the one for all answers.
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

    /// The indices of the current question's choices that pass the filter, the best match first.
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

    /// Whether another surface has filled in the current question differently.
    pub fn was_changed_elsewhere(&self) -> bool {
        let other = self.elsewhere.others.get(self.tab);
        other.is_some_and(Option::is_some)
    }

    /// Whether there is a review, and therefore tabs.
    pub fn has_tabs(&self) -> bool {
        let questions = &self.record.ask.questions;
        let asked_for = self.reviews == Review::Always
            && questions
                .first()
                .is_some_and(|question| question.input.is_many() && !question.input.is_empty());
        questions.len() > 1 || asked_for
    }

    /// The number of tabs, including the review.
    pub fn tabs(&self) -> usize {
        self.record.ask.questions.len() + usize::from(self.has_tabs())
    }

    /// Whether the ask comes from its client's own question tool, which can have it back.
    pub fn is_taken_over(&self) -> bool {
        !self.is_late() && hook::took(&self.record)
    }

    /// Whether no call waits for the answer. It is stored until the agent asks again.
    pub fn is_late(&self) -> bool {
        self.record.waiters == 0 || !self.record.is_open()
    }

    /// Whether the current tab is the review.
    pub fn on_review(&self) -> bool {
        self.question().is_none()
    }

    /// Whether the guard ignores the key that was just pressed. It prolongs the guard.
    pub fn swallows(&mut self, now: Time) -> bool {
        self.guard.as_mut().is_some_and(|guard| guard.swallows(now))
    }

    /// Whether the guard still holds.
    pub fn is_guarded(&self, now: Time) -> bool {
        self.guard.is_some_and(|guard| guard.holds(now))
    }

    /// The next question without an answer behind the current tab, wrapping around; `None` if all
    /// have one.
    pub fn next_open(&self) -> Option<usize> {
        let questions = self.form.entries.len();
        let after = (1..=questions).map(|step| (self.tab + step) % questions.max(1));
        after
            .into_iter()
            .find(|&at| self.form.entries[at].is_open())
    }

    /// Whether closing the form would lose anything.
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
    /// Send all answers.
    Send {
        /// How many answers there are.
        given: usize,
    },
    /// Go to the first required question without an answer.
    GoTo {
        /// The index of the question.
        question: usize,
    },
    /// Send although required answers are missing.
    SendAnyway {
        /// How many answers there are.
        given: usize,
    },
}
