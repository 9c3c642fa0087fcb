//! The conversation of the plain mode as a pure state machine: a line comes in, text and effects
//! come out. Form and rules are those of the cards.

mod answers;
mod commands;
mod confirm;
mod deadline;
mod events;
mod files;
mod history;
mod list;
mod step;

use ask_core::{AskId, Draft, Gaps, Record, Time};
use ask_protocol::ipc::Verdict;
use jiff::tz::TimeZone;

use self::confirm::is_yes;
use self::history::HistorySearch;

use ask_config::config::Terminal;
use ask_config::i18n::{Value, Words};
use ask_hub::surface::labels::thousands;

pub(super) use self::files::FILES;
pub(super) use self::history::PAGE;
pub(super) use self::step::{AttachSource, LineInput, PlainEffect, Step};
use super::render::{self, question};
use crate::ui::form::Form;
use crate::ui::text_field::Field;
use crate::{Ended, Mode};

/// How to talk with the person.
#[derive(Clone, Debug)]
pub(super) struct PromptOptions {
    /// The texts in the person's language.
    pub words: Words,
    /// The person's time zone.
    pub zone: TimeZone,
    /// The settings of the terminal.
    pub terminal: Terminal,
    /// Whether lines are typed, so that one may be half typed when an ask closes.
    pub typed: bool,
}

/// The state of the conversation.
#[derive(Clone, Debug)]
pub(super) struct PlainSession {
    mode: Mode,
    words: Words,
    zone: TimeZone,
    terminal: Terminal,
    typed: bool,
    now: Time,
    records: Vec<Record>,
    open: Option<Open>,
    stage: Prompt,
    /// The asks by number (from one), in the order in which they were last read out.
    listed: Vec<AskId>,
    /// The text that the list is filtered by.
    filter: String,
    /// The closed asks that were read out; `None` until history is opened.
    history: Option<HistorySearch>,
    /// A line that is held back until the hub has replied whether its ask gets more time.
    held: Option<String>,
    /// The one ask, closed elsewhere, until the person has confirmed the notice.
    closed: Option<Box<Record>>,
}

/// The open ask.
#[derive(Clone, Debug)]
struct Open {
    record: Record,
    form: Form,
    kept: Draft,
    /// The index of the current question; one past the last is the review.
    at: usize,
    /// Whether the question was opened from the review, to which its answer returns.
    reviewing: bool,
    /// How many choices of the current question were read out.
    read: usize,
    /// Earlier answers, in the order in which they were read out.
    earlier: Vec<String>,
    /// Files of the project, in the order in which they were read out.
    files: Vec<String>,
    /// The deadline for which typing has requested more time, granted or not.
    prolonged: Option<Time>,
}

/// What the next line means.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Prompt {
    /// The number of an ask, or a command of the list.
    List,
    /// The number of a closed ask, or a command of history.
    History,
    /// An answer by number, or a command.
    Question,
    /// A line of the person's own text, after these lines.
    Words(Vec<String>),
    /// Whether to send, or which answer to change.
    Review,
    /// Whether "none of these" is meant.
    NoneSure,
    /// Whether a long answer may be sent.
    LongSure,
    /// A note on this answer or on all; then the prompt returns to this one.
    Note(NoteScope, Box<Prompt>),
    /// The path of a file to attach; then the prompt returns to this one.
    Path(Box<Prompt>),
    /// The reason why the ask is declined.
    Reason,
    /// Whether to decline, for this reason.
    DeclineSure(Option<String>),
    /// Whether to ask this question back.
    AskBackSure(String),
    /// Ignored: the editor has the terminal.
    Editing,
    /// Ignored: an effect's reply is awaited; then the prompt returns to this one.
    Reading(Box<Prompt>),
    /// Ignored: the hub's reply is awaited.
    Sending,
    /// Ignored: any line confirms the notice of a closed ask.
    Seen,
}

/// What a note or a recommendation applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoteScope {
    /// One answer.
    One,
    /// All answers.
    All,
}

impl PlainSession {
    /// Begins the conversation with the records of the list.
    pub(super) fn begin(
        mode: Mode,
        options: PromptOptions,
        records: Vec<Record>,
        now: Time,
    ) -> (Self, Step) {
        let mut talk = Self {
            mode,
            words: options.words,
            zone: options.zone,
            terminal: options.terminal,
            typed: options.typed,
            now,
            records,
            open: None,
            stage: Prompt::List,
            listed: Vec::new(),
            filter: String::new(),
            history: None,
            held: None,
            closed: None,
        };
        talk.sort();
        let mut step = Step::default();
        match &talk.mode {
            Mode::Inbox => talk.show_list(&mut step),
            Mode::Next => talk.go_next(&mut step),
            Mode::One(id) => {
                let record = talk.records.iter().find(|record| record.id == *id);
                if let Some(record) = record.cloned() {
                    talk.open_ask(record, &mut step);
                } else {
                    step.line(talk.words.say("line-no-longer-asked"));
                    step.effects.push(PlainEffect::End(Ended::Quit));
                }
            }
        }
        (talk, step)
    }

    /// Handles one input and returns what to print and to do.
    pub(super) fn step(&mut self, heard: LineInput, now: Time) -> Step {
        self.now = now;
        let mut step = Step::default();
        match heard {
            LineInput::Line(line) => match self.prolonging() {
                Some(more) => {
                    self.held = Some(line);
                    step.effects.push(more);
                }
                None => self.hear(&line, &mut step),
            },
            LineInput::End => self.end_of_input(&mut step),
            LineInput::Records(records) => {
                let gone: Vec<AskId> = self
                    .records
                    .iter()
                    .filter(|old| records.iter().all(|new| new.id != old.id))
                    .map(|old| old.id.clone())
                    .collect();
                self.follow(records, &gone, &mut step);
            }
            LineInput::Changed { records, gone } => self.follow(records, &gone, &mut step),
            LineInput::Settled(closing) => self.settled(closing, &mut step),
            LineInput::Edited(edited) => self.edited(edited, &mut step),
            LineInput::Recalled(answers) => self.recalled(answers, &mut step),
            LineInput::Attached(file) => self.attached(file, &mut step),
            LineInput::Found(files, total) => self.found(files, total, &mut step),
            LineInput::HistoryPage(records, next) => {
                self.show_history_page(records, next, &mut step)
            }
            LineInput::Stats(stats) => self.counted(&stats, &mut step),
            LineInput::Muted(on) => self.muted(on, &mut step),
            LineInput::Failed(why) => self.failed(&why, &mut step),
            LineInput::Extended { typing, result } => self.extended(typing, result, &mut step),
        }
        step
    }

    /// The open ask's id.
    pub(super) fn open_id(&self) -> Option<&AskId> {
        self.open.as_ref().map(|open| &open.record.id)
    }

    fn hear(&mut self, line: &str, step: &mut Step) {
        let line = self.with_files(line.trim_end_matches('\r'), step);
        self.take(&line, step);
    }

    fn take(&mut self, line: &str, step: &mut Step) {
        let said = line.trim();
        match self.stage.clone() {
            Prompt::List => self.take_listed(said, step),
            Prompt::History => self.take_history_command(said, step),
            Prompt::Question => self.take_choice(said, step),
            Prompt::Words(lines) => self.take_words(line, lines, step),
            Prompt::Review => self.take_review(said, step),
            Prompt::NoneSure => self.take_none(said, step),
            Prompt::LongSure => self.take_long(said, step),
            Prompt::Note(whole, before) => {
                self.stage = *before;
                self.take_note(whole, said, step);
            }
            Prompt::Path(before) => self.take_path(said, *before, step),
            Prompt::Reason => {
                self.stage = Prompt::DeclineSure(Some(said.to_owned()).filter(|it| !it.is_empty()));
                self.prompt(step);
            }
            Prompt::DeclineSure(reason) if is_yes(self.words, said) => {
                self.settle(Verdict::Decline { reason }, step);
            }
            Prompt::AskBackSure(words) if is_yes(self.words, said) => {
                self.settle(Verdict::Clarify { words }, step);
            }
            Prompt::DeclineSure(_) | Prompt::AskBackSure(_) => {
                step.line(self.words.say("line-nothing-sent"));
                self.show_question(step);
            }
            Prompt::Editing | Prompt::Reading(_) | Prompt::Sending => {}
            Prompt::Seen => self.go_next(step),
        }
    }

    fn open_ask(&mut self, record: Record, step: &mut Step) {
        if !record.is_answerable() {
            step.lines(render::closed_ask(
                self.words, &record, &self.zone, self.now,
            ));
            return self.after_notice(record, step);
        }
        step.lines(render::opened(self.words, &record, self.now));
        let id = record.id.clone();
        step.effects.push(PlainEffect::Shown { id });
        let saved = record.draft.as_ref().map(|saved| &saved.draft);
        let form = Form::new(&record.ask, saved);
        self.open = Some(Open {
            kept: form.draft(),
            form,
            record,
            at: 0,
            reviewing: false,
            read: 0,
            earlier: Vec::new(),
            files: Vec::new(),
            prolonged: None,
        });
        self.show_question(step);
    }

    /// Reads out the current question, or the review after the last one, and prompts for a line.
    fn show_question(&mut self, step: &mut Step) {
        if self.open.is_none() {
            return self.show_list(step);
        }
        self.read_question(step);
        self.stage = self.stage_of_question();
        self.prompt(step);
    }

    fn read_question(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let Some(entry) = open.form.entries.get(open.at) else {
            open.reviewing = true;
            step.lines(question::review(self.words, &open.record, &open.form));
            return;
        };
        open.read = question::CHOICES;
        let lines = question::read_out(self.words, &open.record, open.at, entry);
        step.lines(lines);
    }

    /// The prompt that belongs to the open ask's current question.
    fn stage_of_question(&self) -> Prompt {
        let Some(open) = &self.open else {
            return Prompt::List;
        };
        match open.record.ask.questions.get(open.at) {
            None => Prompt::Review,
            Some(question) if question.input.is_empty() => Prompt::Words(Vec::new()),
            Some(_) => Prompt::Question,
        }
    }

    /// Writes the prompt for the next line.
    fn prompt(&self, step: &mut Step) {
        let said = self.words;
        let text = |text: &str| [("text", render::line(text).into())];
        match &self.stage {
            Prompt::List => step.prompt(if self.listed.is_empty() {
                said.say("line-which-none")
            } else {
                said.say("line-which")
            }),
            Prompt::History => step.prompt(said.say("line-prompt-past")),
            Prompt::Question | Prompt::Review => self.prompt_question(step),
            Prompt::Words(lines) => self.prompt_words(lines, step),
            Prompt::NoneSure => step.prompt(if self.has_several() {
                said.say("line-prompt-none-several")
            } else {
                said.say("line-prompt-none")
            }),
            Prompt::LongSure => step.prompt(self.long()),
            Prompt::Note(NoteScope::One, _) => step.prompt(said.say("line-prompt-note")),
            Prompt::Note(NoteScope::All, _) => step.prompt(said.say("line-prompt-note-all")),
            Prompt::Path(_) => step.prompt(said.say("line-prompt-path")),
            Prompt::Reason => step.prompt(said.say("line-prompt-reason")),
            Prompt::DeclineSure(None) => step.prompt(said.say("line-prompt-decline")),
            Prompt::DeclineSure(Some(reason)) => {
                step.prompt(said.format("line-prompt-decline-reason", &text(reason)));
            }
            Prompt::AskBackSure(words) => {
                step.prompt(said.format("line-prompt-ask-back", &text(words)));
            }
            Prompt::Seen => step.prompt(said.say("line-seen")),
            Prompt::Editing | Prompt::Reading(_) | Prompt::Sending => {}
        }
    }

    fn prompt_question(&self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let late = open.record.waiters == 0 || !open.record.is_open();
        step.prompt(match open.record.ask.questions.get(open.at) {
            Some(asked) => question::prompt(self.words, asked, open.has_several()),
            None => match (open.has_several(), late) {
                (true, false) => self.words.say("line-prompt-send"),
                (true, true) => self.words.say("line-prompt-send-late"),
                (false, false) => self.words.say("line-prompt-send-one"),
                (false, true) => self.words.say("line-prompt-send-one-late"),
            },
        });
    }

    /// Prompts for the next line of own text.
    fn prompt_words(&self, lines: &[String], step: &mut Step) {
        let Some(open) = &self.open else { return };
        let asked = open.record.ask.questions.get(open.at);
        let entry = open.form.entries.get(open.at);
        step.line(match asked.zip(entry) {
            _ if !lines.is_empty() => self.words.say("line-prompt-on"),
            Some((asked, _)) if asked.input.is_empty() => {
                question::prompt(self.words, asked, open.has_several())
            }
            Some((asked, entry)) if asked.input.is_many() && entry.has_own() => {
                self.words.say("line-prompt-own-again")
            }
            Some(_) | None => self.words.say("line-prompt-own"),
        });
    }

    /// Continues with the list, with the next ask, or ends, by the mode.
    fn go_next(&mut self, step: &mut Step) {
        self.open = None;
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::One(_) => {
                let closed = self.closed.take();
                let ended = closed.map_or(Ended::Quit, Ended::ClosedElsewhere);
                step.effects.push(PlainEffect::End(ended));
            }
            Mode::Next => {
                if let Some(oldest) = self.oldest() {
                    self.open_ask(oldest, step);
                } else {
                    step.line(self.words.say("line-none-waits"));
                    step.effects.push(PlainEffect::End(Ended::Quit));
                }
            }
        }
    }

    /// Leaves the open ask waiting.
    fn leave(&mut self, step: &mut Step) {
        self.keep(step);
        step.line(self.words.say("line-left-waiting"));
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::Next => step.effects.push(PlainEffect::End(Ended::Quit)),
            Mode::One(_) => step.effects.push(PlainEffect::End(Ended::Left)),
        }
    }

    fn end_of_input(&mut self, step: &mut Step) {
        step.text.push('\n');
        if let Prompt::Words(lines) = self.stage.clone()
            && !lines.is_empty()
        {
            self.put_words(&lines.join("\n"), step);
        }
        self.keep(step);
        if self.open.is_some() {
            step.line(self.words.say("line-left-waiting"));
        }
        let one = matches!(self.mode, Mode::One(_));
        let ended = match self.closed.take() {
            Some(closed) => Ended::ClosedElsewhere(closed),
            None if one => Ended::Left,
            None => Ended::Quit,
        };
        step.effects.push(PlainEffect::End(ended));
    }

    /// Replaces the own text on the current question. A text that is too long is refused with a
    /// message.
    fn put_words(&mut self, words: &str, step: &mut Step) {
        let entry = self
            .open
            .as_mut()
            .and_then(|open| open.form.entries.get_mut(open.at));
        let Some(entry) = entry else { return };
        entry.field = Field::new(words);
        entry.use_own_text();
        let left_out = words.chars().count() - entry.field.text().chars().count();
        if entry.field.is_full() && left_out > 0 {
            let count = thousands(self.words, left_out);
            step.line(
                self.words
                    .format("line-left-out", &[("count", count.into())]),
            );
        }
    }

    /// The prefix of commands at the current prompt, as a message argument: `/` while own text is
    /// typed, nothing otherwise.
    fn slash(&self) -> [(&'static str, Value<'static>); 1] {
        let in_words = matches!(self.stage, Prompt::Words(_));
        [("slash", if in_words { "/" } else { "" }.into())]
    }

    fn has_several(&self) -> bool {
        self.open.as_ref().is_some_and(Open::has_several)
    }

    fn keep(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let draft = open.form.draft();
        if draft != open.kept {
            open.kept = draft.clone();
            let id = open.record.id.clone();
            step.effects.push(PlainEffect::SaveDraft { id, draft });
        }
    }

    fn settle(&mut self, verdict: Verdict, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let id = open.record.id.clone();
        self.stage = Prompt::Sending;
        step.effects.push(PlainEffect::Settle { id, verdict });
    }

    fn send(&mut self, gaps: Gaps, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let draft = open.form.draft();
        match draft.clone().finish(&open.record.ask, gaps) {
            Ok(_) => self.settle(Verdict::Answer { draft, gaps }, step),
            Err(unfinished) => {
                let problem = unfinished.to_string();
                let facts = [("problem", problem.into())];
                step.line(self.words.format("line-not-sent", &facts));
                self.show_question(step);
            }
        }
    }
}

fn number(said: &str) -> Option<usize> {
    said.parse().ok()
}
