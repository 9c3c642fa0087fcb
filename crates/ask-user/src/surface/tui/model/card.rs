//! One ask on the screen: its form, the tab and the row that are focused, and
//! the guard against keys that were meant for something else.

use ask_core::{Draft, Input, Question, Record, Time};

use crate::surface::paper::field::Field;
use crate::surface::paper::form::{Entry, Form};
use crate::surface::tui::keys::Context;

/// How long after a card opens its answer keys do nothing.
pub const GUARD_MS: u64 = 350;
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
    /// The focused row of the review: questions first, then buttons.
    pub review_row: usize,
    /// While it lasts, answer keys do nothing.
    pub guard: Option<Guard>,
    /// The draft that was kept last.
    pub kept: Draft,
    /// When the draft has to be kept.
    pub save_at: Option<Time>,
    /// When the draft was kept.
    pub kept_at: Option<Time>,
    /// Whether the hub was asked to close it.
    pub sending: bool,
    /// One line for the person, until the next key.
    pub remark: Option<String>,
    /// The question for which a second Enter says "none of these".
    pub none_asked: Option<usize>,
    /// The first row shown of a text that overflows.
    pub prose_top: usize,
    /// When a field was left with Esc.
    pub left_field_at: Option<Time>,
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
}

impl Guard {
    /// A guard from now on.
    pub fn from(now: Time) -> Self {
        Self {
            until: now.plus_ms(GUARD_MS),
            drained: false,
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
            self.until = now.plus_ms(GUARD_MS);
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
            kept: form.draft(),
            kept_at: saved.map(|saved| saved.at),
            form,
            tab: 0,
            review_row: 0,
            guard: Some(Guard::from(now)),
            save_at: None,
            sending: false,
            remark: None,
            none_asked: None,
            prose_top: 0,
            left_field_at: None,
            record,
        }
    }

    /// Where the next key is pressed.
    pub fn context(&self) -> Context {
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
        let typing = self.spot().typing;
        self.entry()
            .filter(|_| typing)
            .map(|entry| &mut entry.field)
    }

    /// Whether there are several questions, hence tabs and a review.
    pub fn has_tabs(&self) -> bool {
        self.record.ask.questions.len() > 1
    }

    /// How many tabs there are, the review among them.
    pub fn tabs(&self) -> usize {
        let questions = self.record.ask.questions.len();
        if questions > 1 {
            questions + 1
        } else {
            questions
        }
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
