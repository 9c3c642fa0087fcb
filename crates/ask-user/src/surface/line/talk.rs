//! The conversation of the line mode, as a pure state machine: a line comes in,
//! text and wishes come out. The same form and the same rules as the cards.

mod answers;
mod news;

use ask_core::dialect::wire::Verdict;
use ask_core::{AskId, Draft, Gaps, Record, Time};
use jiff::tz::TimeZone;

use super::say;
use crate::surface::paper::form::Form;
use crate::surface::{Closing, Ended, Mode};

/// What the talk hears.
#[derive(Clone, Debug)]
pub enum Heard {
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

/// The state of the conversation.
#[derive(Clone, Debug)]
pub struct Talk {
    mode: Mode,
    zone: TimeZone,
    now: Time,
    records: Vec<Record>,
    open: Option<Open>,
    stage: Stage,
}

/// The ask that is talked about.
#[derive(Clone, Debug)]
struct Open {
    record: Record,
    form: Form,
    kept: Draft,
    /// The current question.
    at: usize,
    /// A change made from the review goes back to it.
    reviewing: bool,
}

/// What the next line means.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// Which ask to open.
    List,
    /// An answer by number, or a command.
    Question,
    /// A line of the person's own words.
    Words(Vec<String>),
    /// Whether to send, or what to change.
    Review,
    /// Whether "none of these" is meant.
    NoneSure,
    /// Whether a long answer may go out.
    LongSure,
    /// Why the ask is declined.
    Reason,
    /// Whether it is to be declined.
    DeclineSure(Option<String>),
    /// Whether this is to be asked back.
    AskBackSure(String),
    /// Nothing: the hub is being asked.
    Sending,
    /// Nothing: a notice was read.
    Seen,
}

impl Talk {
    /// Begins with the list as it stands.
    pub fn begin(mode: Mode, zone: TimeZone, records: Vec<Record>, now: Time) -> (Self, Step) {
        let mut talk = Self {
            mode,
            zone,
            now,
            records,
            open: None,
            stage: Stage::List,
        };
        talk.records.sort_by_key(|record| record.asked_at);
        let mut step = Step::default();
        match &talk.mode {
            Mode::Inbox => talk.show_list(&mut step),
            Mode::Next => talk.go_next(&mut step),
            Mode::One(id) => {
                let record = talk.records.iter().find(|record| record.id == *id);
                if let Some(record) = record.cloned() {
                    talk.open_ask(record, &mut step);
                } else {
                    step.text.push_str("It is no longer asked.\n");
                    step.effects.push(Effect::End(Ended::Quit));
                }
            }
        }
        (talk, step)
    }

    /// Takes in what was heard.
    pub fn step(&mut self, heard: Heard, now: Time) -> Step {
        self.now = now;
        let mut step = Step::default();
        match heard {
            Heard::Line(line) => self.take(line.trim_end_matches('\r'), &mut step),
            Heard::End => self.end_of_input(&mut step),
            Heard::Records(records) => {
                let gone: Vec<AskId> = self
                    .records
                    .iter()
                    .filter(|old| records.iter().all(|new| new.id != old.id))
                    .map(|old| old.id.clone())
                    .collect();
                self.follow(records, &gone, &mut step);
            }
            Heard::Changed { records, gone } => self.follow(records, &gone, &mut step),
            Heard::Settled(closing) => self.settled(closing, &mut step),
        }
        step
    }

    /// The ask that is talked about.
    pub fn open_id(&self) -> Option<&AskId> {
        self.open.as_ref().map(|open| &open.record.id)
    }

    fn take(&mut self, line: &str, step: &mut Step) {
        let said = line.trim();
        match self.stage.clone() {
            Stage::List => self.take_number(said, step),
            Stage::Question => self.take_choice(said, step),
            Stage::Words(lines) => self.take_words(line, lines, step),
            Stage::Review => self.take_review(said, step),
            Stage::NoneSure => self.take_none(said, step),
            Stage::LongSure => self.take_long(said, step),
            Stage::Reason => {
                let reason = Some(said.to_owned()).filter(|said| !said.is_empty());
                let word = if reason.is_some() {
                    "with this reason"
                } else {
                    "without a reason"
                };
                step.text.push_str(&format!("Decline {word}? y/n: "));
                self.stage = Stage::DeclineSure(reason);
            }
            Stage::DeclineSure(reason) if is_yes(said) => {
                self.settle(Verdict::Decline { reason }, step);
            }
            Stage::AskBackSure(words) if is_yes(said) => {
                self.settle(Verdict::Clarify { words }, step);
            }
            Stage::DeclineSure(_) | Stage::AskBackSure(_) => {
                step.text.push_str("Nothing was sent.\n");
                self.show_question(step);
            }
            Stage::Sending => {}
            Stage::Seen => self.go_next(step),
        }
    }

    fn take_number(&mut self, said: &str, step: &mut Step) {
        if said == "q" {
            step.effects.push(Effect::End(Ended::Quit));
            return;
        }
        let chosen = number(said).and_then(|number| self.listed(number.checked_sub(1)?));
        match chosen {
            Some(record) => self.open_ask(record, step),
            None => self.show_list(step),
        }
    }

    fn open_ask(&mut self, record: Record, step: &mut Step) {
        if !record.is_waiting() {
            step.text.push_str(&say::closed(&record, &self.zone));
            return self.after_notice(record, step);
        }
        step.text.push_str(&say::opened(&record, self.now));
        let id = record.id.clone();
        step.effects.push(Effect::Shown { id });
        let saved = record.draft.as_ref().map(|saved| &saved.draft);
        let form = Form::new(&record.ask, saved);
        self.open = Some(Open {
            kept: form.draft(),
            form,
            record,
            at: 0,
            reviewing: false,
        });
        self.show_question(step);
    }

    /// Reads the current question out, or the review behind the last one.
    fn show_question(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let questions = &open.record.ask.questions;
        let Some(question) = questions.get(open.at) else {
            open.reviewing = true;
            step.text.push_str(&say::review(&open.record, &open.form));
            step.text.push_str("Send? y, n, or a number to change: ");
            self.stage = Stage::Review;
            return;
        };
        let entry = &open.form.entries[open.at];
        step.text
            .push_str(&say::question(&open.record, open.at, entry));
        step.text
            .push_str(&say::prompt(question, questions.len() > 1));
        self.stage = if question.input.is_empty() {
            Stage::Words(Vec::new())
        } else {
            Stage::Question
        };
    }

    fn show_list(&mut self, step: &mut Step) {
        self.open = None;
        self.stage = Stage::List;
        let waiting: Vec<Record> = self.waiting().cloned().collect();
        step.text.push_str(&say::list(&waiting, self.now));
        step.text.push_str(if waiting.is_empty() {
            say::PROMPT_EMPTY
        } else {
            say::PROMPT_LIST
        });
    }

    /// On to the list, the next ask, or out.
    fn go_next(&mut self, step: &mut Step) {
        self.open = None;
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::One(_) => step.effects.push(Effect::End(Ended::Quit)),
            Mode::Next => {
                if let Some(oldest) = self.listed(0) {
                    self.open_ask(oldest, step);
                } else {
                    step.text.push_str("No question waits for you.\n");
                    step.effects.push(Effect::End(Ended::Quit));
                }
            }
        }
    }

    /// Leaves the open ask waiting.
    fn leave(&mut self, step: &mut Step) {
        self.keep(step);
        step.text.push_str("Left waiting; your draft is kept.\n");
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::Next => step.effects.push(Effect::End(Ended::Quit)),
            Mode::One(_) => step.effects.push(Effect::End(Ended::Left)),
        }
    }

    fn end_of_input(&mut self, step: &mut Step) {
        if let (Stage::Words(lines), Some(open)) = (self.stage.clone(), &mut self.open)
            && !lines.is_empty()
        {
            open.say(&lines.join("\n"));
        }
        self.keep(step);
        step.text.push('\n');
        let one = matches!(self.mode, Mode::One(_));
        let ended = if one { Ended::Left } else { Ended::Quit };
        step.effects.push(Effect::End(ended));
    }

    fn keep(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let draft = open.form.draft();
        if draft != open.kept {
            open.kept = draft.clone();
            let id = open.record.id.clone();
            step.effects.push(Effect::SaveDraft { id, draft });
        }
    }

    fn settle(&mut self, verdict: Verdict, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let id = open.record.id.clone();
        self.stage = Stage::Sending;
        step.effects.push(Effect::Settle { id, verdict });
    }

    fn send(&mut self, gaps: Gaps, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let draft = open.form.draft();
        match draft.clone().finish(&open.record.ask, gaps) {
            Ok(_) => self.settle(Verdict::Answer { draft, gaps }, step),
            Err(unfinished) => {
                step.text.push_str(&format!("Not sent: {unfinished}.\n"));
                self.show_question(step);
            }
        }
    }

    fn waiting(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| record.is_waiting())
    }

    fn listed(&self, row: usize) -> Option<Record> {
        self.waiting().nth(row).cloned()
    }
}

fn is_yes(said: &str) -> bool {
    said.eq_ignore_ascii_case("y") || said.eq_ignore_ascii_case("yes")
}

fn is_no(said: &str) -> bool {
    said.eq_ignore_ascii_case("n") || said.eq_ignore_ascii_case("no")
}

fn number(said: &str) -> Option<usize> {
    said.parse().ok()
}
