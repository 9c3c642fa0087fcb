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
pub(super) const GUARD_MS: u64 = 350;
/// How long keys are ignored after "your text was not sent" appears, so that a person who is still
/// typing doesn't dismiss it unread.
pub(super) const NOTICE_GUARD_MS: u64 = 2_000;
/// How long after the last key a draft is saved.
pub(crate) const SAVE_MS: u64 = 500;

/// An ask that is being answered.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    /// The record as last received.
    pub record: Record,
    /// The answers so far.
    pub form: Form,
    /// The current tab; the one behind the last question is the review.
    pub tab: usize,
    /// The focus of each question.
    pub focuses: Vec<QuestionFocus>,
    /// The filter of each question's choices.
    pub filters: Vec<Filter>,
    /// Whether a note is being typed: the question's, or on the review the one for all answers.
    pub typing_note: bool,
    /// The setting when a review precedes sending.
    pub review: Review,
    /// Whether a program below an agent has filled in the form. Its review shows all that is sent,
    /// which a low screen doesn't show beside the question.
    pub was_filled_in: bool,
    /// Whether the tabs of missing answers are marked, because sending was refused for want of
    /// them.
    pub marks_missing: bool,
    /// The focused row of the review: questions first, then buttons.
    pub review_row: usize,
    /// Ignores answer keys for a moment.
    pub guard: Option<Guard>,
    /// The questions that another surface changed when the guard began.
    pub just_filled_in: Vec<usize>,
    /// The draft that was last sent to the hub.
    pub saved_draft: Draft,
    /// The draft that the hub is known to have.
    pub kept_draft: Draft,
    /// What other surfaces have filled in for the same ask.
    pub conflict: Conflict,
    /// When the draft has to be saved.
    pub save_at: Option<Time>,
    /// When the hub saved the draft, as it last reported.
    pub saved_at: Option<Time>,
    /// Whether the ask's settlement is on its way to the hub.
    pub sending: bool,
    /// How many files are being read for the ask. Nothing is sent before.
    pub attaching: usize,
    /// A message, until the next key.
    pub message: Option<String>,
    /// The question for which a second Enter confirms "none of these".
    pub confirming_none: Option<usize>,
    /// The first row shown of an overflowing question text.
    pub prose_top: usize,
    /// The scroll position of a preview: tab, row of the choice, first row shown.
    pub preview_scroll: (usize, usize, usize),
    /// When a field was left with Esc.
    pub left_field_at: Option<Time>,
    /// Until when Enter may belong to an Esc that closed a field or a dialog: a slow connection splits
    /// Alt+Enter into the two.
    pub ignores_enter_until: Option<Time>,
    /// The earlier answers that are walked through.
    pub earlier: AnswerWalk,
}

/// The focus within a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct QuestionFocus {
    /// The row: a choice, or behind the last one the field for own text.
    pub row: usize,
    /// Whether the field is being typed in.
    pub typing: bool,
}

impl QuestionFocus {
    /// The focus on what a question is answered with, otherwise on its first row.
    pub(crate) fn on_answer(question: &Question, entry: &Entry) -> Self {
        let offered = question.input.len();
        let picked = (0..offered).find(|&pick| entry.has_pick(pick));
        let own = entry.has_own().then_some(offered);
        Self {
            row: picked.or(own).unwrap_or(0),
            typing: question.input.is_empty(),
        }
    }
}

/// Ignores keys that were typed before the person could see the current screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    /// It holds at least until this time.
    pub until: Time,
    /// Whether the keys typed before have been discarded. It holds until then.
    pub drained: bool,
    /// The pause that ends it, in milliseconds.
    pause_ms: u64,
    /// Whether the screen that it guards has been painted.
    painted: bool,
    /// Whether it guards a form that another surface has changed.
    pub for_changed: bool,
}

impl Guard {
    /// A guard that lasts [`GUARD_MS`].
    pub(crate) fn new(now: Time) -> Self {
        Self::with_pause(now, GUARD_MS)
    }

    /// The guard of a notice about text that wasn't sent. It lasts [`NOTICE_GUARD_MS`].
    pub(crate) fn for_unsent_text(now: Time) -> Self {
        Self::with_pause(now, NOTICE_GUARD_MS)
    }

    /// The guard of a form that another surface has changed while it was open. It lasts
    /// [`NOTICE_GUARD_MS`] from when the form is painted, whatever keys are pressed.
    pub(crate) fn for_changed_form(now: Time) -> Self {
        Self {
            drained: true,
            for_changed: true,
            ..Self::with_pause(now, NOTICE_GUARD_MS)
        }
    }

    fn with_pause(now: Time, pause_ms: u64) -> Self {
        Self {
            until: now.plus_ms(pause_ms),
            drained: false,
            pause_ms,
            painted: false,
            for_changed: false,
        }
    }

    /// Starts the pause when the guarded screen is painted, because it can't be read before.
    pub(crate) fn mark_painted(&mut self, now: Time) {
        if !self.painted {
            self.painted = true;
            self.until = self.until.max(now.plus_ms(self.pause_ms));
        }
    }

    /// Whether keys are still ignored.
    pub(crate) fn is_active(&self, now: Time) -> bool {
        !self.drained || now < self.until || (self.for_changed && !self.painted)
    }

    /// Whether to ignore a key that was just pressed. If so, the pause starts again: in full after a
    /// letter, because who types doesn't look at the screen.
    pub(crate) fn ignores_key(&mut self, now: Time, is_letter: bool) -> bool {
        let ignores = self.is_active(now);
        if ignores && !self.for_changed {
            let pause_ms = match is_letter {
                true => self.pause_ms,
                false => self.pause_ms.min(GUARD_MS),
            };
            self.until = self.until.max(now.plus_ms(pause_ms));
        }
        ignores
    }
}

impl Card {
    /// The earlier answer, while it can fill in a question that is empty.
    pub(crate) fn earlier_answer(&self) -> Option<&EarlierAnswer> {
        let earlier = self.record.earlier_answer.as_ref()?;
        let fillable = self.form.fillable(&self.record.ask, &earlier.draft);
        (!fillable.is_empty()).then_some(earlier)
    }

    /// Opens a record with its saved draft. Nothing else fills in the form.
    pub(crate) fn new(record: Record, now: Time) -> Self {
        let saved = record.draft.as_ref();
        let form = Form::new(&record.ask, saved.map(|saved| &saved.draft));
        let focuses = record
            .ask
            .questions
            .iter()
            .zip(&form.entries)
            .map(|(question, entry)| QuestionFocus::on_answer(question, entry));
        Self {
            focuses: focuses.collect(),
            filters: vec![Filter::default(); record.ask.questions.len()],
            typing_note: false,
            review: Review::Several,
            was_filled_in: record.filled_in_below().is_some(),
            marks_missing: false,
            saved_draft: form.draft(),
            kept_draft: form.draft(),
            conflict: Conflict::from_record(&record, form.draft()),
            saved_at: saved.map(|saved| saved.at),
            form,
            tab: 0,
            review_row: 0,
            guard: Some(Guard::new(now)),
            just_filled_in: Vec::new(),
            save_at: None,
            sending: false,
            attaching: 0,
            message: None,
            confirming_none: None,
            prose_top: 0,
            preview_scroll: (0, 0, 0),
            left_field_at: None,
            ignores_enter_until: None,
            earlier: AnswerWalk::default(),
            record,
        }
    }

    /// Opens a record with what was typed for it in a card that was left.
    pub(crate) fn reopened(record: Record, left: Self, now: Time) -> Self {
        let mut card = Self::new(record, now);
        let questions = card.record.ask.questions.iter();
        let focuses = questions.zip(&left.form.entries);
        card.focuses = focuses
            .map(|(question, entry)| QuestionFocus::on_answer(question, entry))
            .collect();
        card.was_filled_in |= left.was_filled_in;
        card.form = left.form;
        card.conflict = left.conflict;
        card.saved_draft = left.saved_draft;
        card.kept_draft = left.kept_draft;
        card.message = left.message;
        card
    }

    /// Whether the hub is known to have the answers as they are in the form.
    pub(crate) fn is_kept(&self) -> bool {
        let draft = self.form.draft();
        draft == self.kept_draft || self.conflict.is_stored(&draft)
    }

    /// Prepares for saving the draft again, after the hub has not saved it.
    pub(crate) fn save_again(&mut self) {
        self.conflict.drop_unconfirmed();
        self.saved_draft = self.conflict.stored().clone();
    }

    /// The context of the next key.
    pub(crate) fn context(&self) -> Context {
        if self.typing_note {
            return Context::Note;
        }
        let (Some(question), Some(focus)) = (self.question(), self.focuses.get(self.tab)) else {
            return Context::Review;
        };
        if question.input.is_empty() {
            return if focus.typing {
                Context::Answering
            } else {
                Context::Rest
            };
        }
        if focus.typing {
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
    pub(crate) fn question(&self) -> Option<&Question> {
        self.record.ask.questions.get(self.tab)
    }

    /// The entry of the current tab; `None` on the review.
    pub(crate) fn entry(&mut self) -> Option<&mut Entry> {
        self.form.entries.get_mut(self.tab)
    }

    /// The focus of the current tab; the default on the review.
    pub(crate) fn focus(&self) -> QuestionFocus {
        self.focuses.get(self.tab).copied().unwrap_or_default()
    }

    /// The field that is typed in.
    pub(crate) fn field(&mut self) -> Option<&mut Field> {
        if self.typing_note {
            return Some(self.note_mut());
        }
        if self.focus().typing {
            return self.entry().map(|entry| &mut entry.field);
        }
        let filter = self.filters.get_mut(self.tab);
        filter
            .filter(|filter| filter.typing)
            .map(|filter| &mut filter.field)
    }

    /// The first row shown of the focused choice's preview; 0 if another choice was scrolled last.
    pub(crate) fn preview_top(&self) -> usize {
        let (tab, row, top) = self.preview_scroll;
        if (tab, row) == (self.tab, self.focus().row) {
            top
        } else {
            0
        }
    }

    /// Scrolls the focused choice's preview.
    pub(crate) fn scroll_preview(&mut self, top: usize) {
        self.preview_scroll = (self.tab, self.focus().row, top);
    }

    /// Whether the focused choice has a preview.
    pub(crate) fn has_preview(&self) -> bool {
        let choices = self.question().map(|question| question.input.choices());
        let choice = choices.and_then(|choices| choices.get(self.focus().row));
        choice.is_some_and(|choice| choice.preview.is_some())
    }

    /// The note of the current tab: the question's, or on the review of several the one for all
    /// answers.
    pub(crate) fn note(&self) -> &Field {
        match self.form.entries.get(self.noted()) {
            Some(entry) => &entry.note,
            None => &self.form.note,
        }
    }

    /// The files attached to the current question.
    pub(crate) fn attachments(&self) -> &[Attachment] {
        let entry = self.form.entries.get(self.tab);
        entry.map_or(&[], Entry::attachments)
    }

    /// The index of the question that a note belongs to: that of the tab, or the only one.
    fn noted(&self) -> usize {
        match self.form.entries.len() {
            1 => 0,
            _ => self.tab,
        }
    }

    fn note_mut(&mut self) -> &mut Field {
        let noted = self.noted();
        match self.form.entries.get_mut(noted) {
            Some(entry) => &mut entry.note,
            None => &mut self.form.note,
        }
    }

    /// The filter of the current question.
    pub(crate) fn filter(&self) -> Option<&Filter> {
        self.filters.get(self.tab)
    }

    /// The indices of the current question's choices that pass the filter, the best match first.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let offered = self.question().map_or(0, |question| question.input.len());
        match self.filter() {
            Some(filter) => filter.shown(offered),
            None => (0..offered).collect(),
        }
    }

    /// Whether the agent recommends an answer to the current question.
    pub(crate) fn recommends(&self) -> bool {
        self.question()
            .is_some_and(|question| !recommended(question).is_empty())
    }

    /// Whether another surface has filled in the current question differently.
    pub(crate) fn was_changed_elsewhere(&self) -> bool {
        let other = self.conflict.others.get(self.tab);
        other.is_some_and(Option::is_some)
    }

    /// Whether there is a review, and therefore tabs.
    pub(crate) fn has_tabs(&self) -> bool {
        let questions = &self.record.ask.questions;
        let asked_for = self.review == Review::Always
            && questions
                .first()
                .is_some_and(|question| question.input.is_many() && !question.input.is_empty());
        let was_filled_in = self.was_filled_in || self.record.filled_in_below().is_some();
        questions.len() > 1 || asked_for || was_filled_in
    }

    /// The number of tabs, including the review.
    pub(crate) fn tabs(&self) -> usize {
        self.record.ask.questions.len() + usize::from(self.has_tabs())
    }

    /// Whether the ask comes from its client's own question tool, to which it can be handed back.
    pub(crate) fn is_taken_over(&self) -> bool {
        !self.is_late() && hook::took(&self.record)
    }

    /// Whether no call waits for the answer. It is stored until the agent asks again.
    pub(crate) fn is_late(&self) -> bool {
        self.record.waiters == 0 || !self.record.is_open()
    }

    /// Whether the current tab is the review.
    pub(crate) fn is_on_review(&self) -> bool {
        self.question().is_none()
    }

    /// Whether the guard ignores the key that was just pressed. It prolongs the guard.
    pub(crate) fn ignores_key(&mut self, now: Time) -> bool {
        self.guard
            .as_mut()
            .is_some_and(|guard| guard.ignores_key(now, true))
    }

    /// Whether the guard still holds.
    pub(crate) fn is_guarded(&self, now: Time) -> bool {
        self.guard.is_some_and(|guard| guard.is_active(now))
    }

    /// Whether a program below an agent has filled in the form so recently that what is typed now
    /// was meant for what was there before. Text of the person's other surfaces is continued.
    pub(crate) fn was_just_filled_in(&self, now: Time) -> bool {
        let guard = self.guard.filter(|guard| guard.for_changed);
        self.record.filled_in_below().is_some() && guard.is_some_and(|guard| guard.is_active(now))
    }

    /// The next question without an answer behind the current tab, wrapping around; `None` if all
    /// have one.
    pub(crate) fn next_unanswered(&self) -> Option<usize> {
        let questions = self.form.entries.len();
        let after = (1..=questions).map(|step| (self.tab + step) % questions.max(1));
        after
            .into_iter()
            .find(|&at| !self.form.entries[at].is_given())
    }

    /// Whether the form differs from an untouched one.
    pub(crate) fn is_touched(&self) -> bool {
        self.form.is_touched(&self.record.ask)
    }

    /// The buttons of the review, the safe one first.
    pub(crate) fn buttons(&self) -> Vec<Button> {
        let missing = self.form.missing(&self.record.ask);
        let given = self.form.answered_count();
        match missing.first() {
            None => vec![Button::Send { given }],
            Some(&question) if given == 0 => vec![Button::GoTo { question }],
            Some(&question) => vec![Button::GoTo { question }, Button::SendAnyway { given }],
        }
    }
}

/// A button of the review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
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
