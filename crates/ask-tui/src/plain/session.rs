//! A session of the plain mode as a pure state machine: it takes events, and returns text and
//! effects. Form and rules are those of the full screen's cards.

mod answers;
mod commands;
mod confirm;
mod deadline;
mod events;
mod files;
mod history;
mod list;
mod step;

use std::ops::RangeInclusive;

use ask_core::{AskId, Draft, Gaps, Record, Time};
use ask_protocol::ipc::Verdict;
use jiff::tz::TimeZone;

use self::confirm::is_yes;
use self::history::HistorySearch;

use ask_config::config::Terminal;
use ask_config::i18n::{Value, Words};
use ask_hub::surface::labels::{filled_in_below_notice, thousands};

pub(super) use self::files::FILES;
pub(super) use self::history::PAGE;
pub(super) use self::step::{PlainEffect, PlainEvent, Step};
use super::render::{self, question};
use crate::ui::form::Form;
use crate::ui::text_field::Field;
use crate::{Mode, SurfaceEnd};

/// The word that goes on after an ask was closed elsewhere.
const GO_ON: &str = "next";
/// The length of a line that the terminal has cut: Linux keeps 4,095 bytes. Half a character at the
/// end is read as a replacement character, which has three bytes.
const CUT_BYTES: RangeInclusive<usize> = 4_095..=4_097;

/// The language, the time zone and the settings of a session.
#[derive(Clone, Debug)]
pub(super) struct PromptOptions {
    /// The texts in the person's language.
    pub words: Words,
    /// The person's time zone.
    pub zone: TimeZone,
    /// The settings of the terminal.
    pub terminal: Terminal,
    /// Whether the input is a terminal, where a line may be half typed when an ask closes.
    pub is_typed: bool,
}

/// The state of a session.
#[derive(Clone, Debug)]
pub(super) struct PlainSession {
    mode: Mode,
    words: Words,
    zone: TimeZone,
    terminal: Terminal,
    is_typed: bool,
    now: Time,
    records: Vec<Record>,
    open: Option<OpenAsk>,
    prompt: Prompt,
    /// The ids of the asks in the order in which they were last read out; the first has number 1.
    listed: Vec<AskId>,
    /// The order before a new ask changed it, and when that was.
    listed_before: Option<(Time, Vec<AskId>)>,
    /// The text that the list is filtered by.
    filter: String,
    /// The closed asks that were read out; `None` until history is opened.
    history: Option<HistorySearch>,
    /// A line that waits until the hub has replied whether its ask gets more time, and whether it is of
    /// a paste into own text.
    held_line: Option<(String, bool)>,
    /// Whether the line that is handled is of a paste into own text.
    is_pasting: bool,
    /// Whether no line follows.
    is_input_ended: bool,
    /// The one ask after another surface closed it, until the person has acknowledged the notice.
    closed: Option<Box<Record>>,
}

/// The ask that is being answered.
#[derive(Clone, Debug)]
struct OpenAsk {
    record: Record,
    form: Form,
    /// The draft that was last sent to the hub.
    saved_draft: Draft,
    /// Whether a draft was sent after the record was read, so that the record may have an older one.
    is_saved_since: bool,
    /// Whether the last draft could not be saved.
    is_draft_unsaved: bool,
    /// What a program below an agent filled in, as the form has taken it, and its revision.
    filled_in: Option<(u64, Draft)>,
    /// The index of the current question; one past the last is the review.
    at: usize,
    /// Whether the question was opened from the review, to which its answer returns.
    from_review: bool,
    /// How many choices of the current question were read out.
    choices_read: usize,
    /// Earlier answers, in the order in which they were read out.
    earlier: Vec<String>,
    /// Files of the project, in the order in which they were read out.
    files: Vec<String>,
    /// The deadline for which typing has requested more time, granted or not.
    extension_requested_for: Option<Time>,
}

/// What the session prompts for: the meaning of the next line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Prompt {
    /// The number of an ask, or a command of the list.
    List,
    /// The number of a closed ask, or a command of history.
    History,
    /// An answer by number, or a command.
    Question,
    /// A line of the person's own text, after these lines.
    OwnText(Vec<String>),
    /// Whether to send, or which answer to change.
    Review,
    /// Whether to answer "none of these".
    ConfirmNone,
    /// Whether to send a long answer.
    ConfirmLong,
    /// A note on this answer or on all; then the prompt returns to this one.
    Note(NoteScope, Box<Prompt>),
    /// The path of a file to attach; then the prompt returns to this one.
    Path(Box<Prompt>),
    /// The reason why the ask is declined.
    Reason,
    /// Whether to decline, for this reason.
    ConfirmDecline(Option<String>),
    /// Whether to ask this question back.
    ConfirmAskBack(String),
    /// Lines are ignored: the editor has the terminal.
    Editing,
    /// Lines are ignored until an effect's reply arrives; then the prompt returns to this one.
    AwaitReply(Box<Prompt>),
    /// Lines are ignored until the hub has settled the ask.
    Sending,
    /// Any line of a pipe acknowledges the notice of a closed ask. In a terminal only [`GO_ON`] does:
    /// the person may go on typing what was meant for the closed ask, and the next ask, the list or
    /// the shell would take it.
    Acknowledge,
}

/// What a note or a recommendation applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoteScope {
    One,
    All,
}

impl PlainSession {
    /// Starts a session with the records of the list.
    pub(super) fn start(
        mode: Mode,
        options: PromptOptions,
        records: Vec<Record>,
        now: Time,
    ) -> (Self, Step) {
        let mut session = Self {
            mode,
            words: options.words,
            zone: options.zone,
            terminal: options.terminal,
            is_typed: options.is_typed,
            now,
            records,
            open: None,
            prompt: Prompt::List,
            listed: Vec::new(),
            listed_before: None,
            filter: String::new(),
            history: None,
            held_line: None,
            is_pasting: false,
            is_input_ended: false,
            closed: None,
        };
        session.sort();
        let mut step = Step::default();
        match &session.mode {
            Mode::Inbox => session.show_list(&mut step),
            Mode::Next => session.open_next(&mut step),
            Mode::One(id) => {
                let record = session.records.iter().find(|record| record.id == *id);
                if let Some(record) = record.cloned() {
                    session.open_ask(record, &mut step);
                } else {
                    step.line(session.words.say("line-no-longer-asked"));
                    step.effects.push(PlainEffect::End(SurfaceEnd::Quit));
                }
            }
        }
        (session, step)
    }

    /// Handles an event. Returns the text to print and the effects to perform.
    pub(super) fn handle(&mut self, event: PlainEvent, now: Time) -> Step {
        self.now = now;
        let mut step = Step::default();
        match event {
            PlainEvent::Line(line) => self.on_line(line, &mut step),
            PlainEvent::PastedLine(line) if self.takes_pastes() => {
                self.is_pasting = self.takes_own_text();
                self.on_line(line, &mut step);
                self.is_pasting = false;
            }
            PlainEvent::PastedLine(line) => {
                let line = [("text", render::safe_line(line.trim()).into())];
                step.line(self.words.format("line-not-taken", &line));
                self.write_prompt(&mut step);
            }
            PlainEvent::End => self.end_of_input(&mut step),
            PlainEvent::Left => self.on_left(&mut step),
            PlainEvent::Records(records) => {
                let gone: Vec<AskId> = self
                    .records
                    .iter()
                    .filter(|old| records.iter().all(|new| new.id != old.id))
                    .map(|old| old.id.clone())
                    .collect();
                self.apply_changes(records, &gone, &mut step);
            }
            PlainEvent::Changed { records, gone } => self.apply_changes(records, &gone, &mut step),
            PlainEvent::Refreshed(record) => self.on_refreshed(record, &mut step),
            PlainEvent::Settled(result) => self.on_settled(result, &mut step),
            PlainEvent::Edited(edited) => self.on_edited(edited, &mut step),
            PlainEvent::Recalled(answers) => self.on_recalled(answers, &mut step),
            PlainEvent::Attached(file) => self.on_attached(file, &mut step),
            PlainEvent::FilesFound(files, total) => self.on_files_found(files, total, &mut step),
            PlainEvent::HistoryPage(records, next) => {
                self.on_history_page(records, next, &mut step)
            }
            PlainEvent::Stats(stats) => self.on_stats(&stats, &mut step),
            PlainEvent::Muted(on) => self.on_muted(on, &mut step),
            PlainEvent::TakenBack(record) => self.on_taken_back(*record, &mut step),
            PlainEvent::Failed(why) => self.on_failed(&why, &mut step),
            PlainEvent::DraftNotKept(id, why) => {
                if let Some(open) = self.open.as_mut().filter(|open| open.record.id == id) {
                    open.is_draft_unsaved = true;
                }
                if let Some(why) = why {
                    self.on_failed(&why, &mut step);
                }
            }
            PlainEvent::Extended { typing, result } => self.on_extended(typing, result, &mut step),
        }
        step
    }

    /// The open ask's id.
    pub(super) fn open_id(&self) -> Option<&AskId> {
        self.open.as_ref().map(|open| &open.record.id)
    }

    fn on_line(&mut self, line: String, step: &mut Step) {
        match self.extend_while_typing() {
            Some(extend) => {
                self.held_line = Some((line, self.is_pasting));
                step.effects.push(extend);
            }
            None => self.handle_line(&line, step),
        }
    }

    /// Whether the next line continues own text.
    pub(super) fn takes_own_text(&self) -> bool {
        matches!(self.prompt, Prompt::OwnText(_))
    }

    /// Whether it matters that a line begins a paste.
    pub(super) fn checks_for_pastes(&self) -> bool {
        self.takes_own_text() || !self.takes_pastes()
    }

    /// Whether a line that nobody has typed for it may be taken. Elsewhere it could send, decline or
    /// choose what the person didn't mean.
    fn takes_pastes(&self) -> bool {
        match self.prompt {
            Prompt::OwnText(_) | Prompt::List | Prompt::History => true,
            Prompt::Editing | Prompt::AwaitReply(_) | Prompt::Sending => true,
            Prompt::Question
            | Prompt::Review
            | Prompt::ConfirmNone
            | Prompt::ConfirmLong
            | Prompt::Note(..)
            | Prompt::Path(_)
            | Prompt::Reason
            | Prompt::ConfirmDecline(_)
            | Prompt::ConfirmAskBack(_)
            | Prompt::Acknowledge => false,
        }
    }

    fn handle_line(&mut self, line: &str, step: &mut Step) {
        if self.is_typed && CUT_BYTES.contains(&line.len()) {
            step.line(self.words.format("line-cut", &self.slash()));
            // Own text goes on in the next line. Of anything else, a part means something else.
            if !matches!(self.prompt, Prompt::OwnText(_)) || line.starts_with('/') {
                return self.write_prompt(step);
            }
        }
        let line = self.expand_file_numbers(line.trim_end_matches('\r'), step);
        self.handle_input(&line, step);
    }

    fn handle_input(&mut self, line: &str, step: &mut Step) {
        let text = line.trim();
        match self.prompt.clone() {
            Prompt::List => self.handle_list_line(text, step),
            Prompt::History => self.handle_history_line(text, step),
            Prompt::Question => self.handle_choice_line(text, step),
            Prompt::OwnText(lines) => self.handle_own_text_line(line, lines, step),
            Prompt::Review => self.handle_review_line(text, step),
            Prompt::ConfirmNone => self.handle_none_reply(text, step),
            Prompt::ConfirmLong => self.handle_long_reply(text, step),
            Prompt::Note(scope, before) => {
                self.prompt = *before;
                self.set_note(scope, text, step);
            }
            Prompt::Path(before) => self.handle_path_line(text, *before, step),
            Prompt::Reason => {
                self.prompt =
                    Prompt::ConfirmDecline(Some(text.to_owned()).filter(|it| !it.is_empty()));
                self.write_prompt(step);
            }
            Prompt::ConfirmDecline(reason) if is_yes(self.words, text) => {
                self.settle(Verdict::Decline { reason }, step);
            }
            Prompt::ConfirmAskBack(words) if is_yes(self.words, text) => {
                self.settle(Verdict::Clarify { words }, step);
            }
            Prompt::ConfirmDecline(_) | Prompt::ConfirmAskBack(_) => {
                step.line(self.words.say("line-nothing-sent"));
                self.show_question(step);
            }
            Prompt::Editing | Prompt::AwaitReply(_) | Prompt::Sending => {}
            Prompt::Acknowledge if self.is_typed && text == "q" && self.closed.is_none() => {
                step.effects.push(PlainEffect::DropTyped);
                step.effects.push(PlainEffect::End(SurfaceEnd::Quit));
            }
            Prompt::Acknowledge
                if self.is_typed && !text.eq_ignore_ascii_case(GO_ON) && text != "q" =>
            {
                if !text.is_empty() {
                    let text = [("text", render::safe_line(text).into())];
                    step.line(self.words.format("line-not-taken", &text));
                }
                self.write_prompt(step);
            }
            Prompt::Acknowledge => self.open_next(step),
        }
    }

    fn open_ask(&mut self, record: Record, step: &mut Step) {
        if !record.is_answerable() {
            step.lines(render::closed_ask(
                self.words, &record, &self.zone, self.now,
            ));
            return self.continue_after_notice(record, step);
        }
        step.lines(render::opened(self.words, &record, self.now));
        let id = record.id.clone();
        step.effects.push(PlainEffect::Shown { id });
        step.effects.push(PlainEffect::DropTyped);
        let saved = record.draft.as_ref().map(|saved| &saved.draft);
        let form = Form::new(&record.ask, saved);
        self.open = Some(OpenAsk {
            saved_draft: form.draft(),
            is_saved_since: false,
            is_draft_unsaved: false,
            filled_in: events::filled_in_revision(&record).map(|revision| (revision, form.draft())),
            form,
            record,
            at: 0,
            from_review: false,
            choices_read: 0,
            earlier: Vec::new(),
            files: Vec::new(),
            extension_requested_for: None,
        });
        self.show_question(step);
    }

    /// Reads out the current question, or the review after the last one, and prompts for a line.
    fn show_question(&mut self, step: &mut Step) {
        self.take_filled_in(step);
        let Some(open) = &self.open else {
            return self.show_list(step);
        };
        let is_review = open.at == open.form.entries.len();
        if is_review && open.record.filled_in_below().is_some() && open.is_saved_since {
            // What was just changed may have replaced all that a program filled in.
            let id = open.record.id.clone();
            step.effects.push(PlainEffect::Refresh { id });
            self.prompt = Prompt::AwaitReply(Box::new(Prompt::Review));
            return;
        }
        self.read_question(step);
        self.prompt = self.question_prompt();
        self.write_prompt(step);
    }

    fn read_question(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        open.form.show(open.at);
        let Some(entry) = open.form.entries.get(open.at) else {
            open.from_review = true;
            step.lines(question::review(self.words, &open.record, &open.form));
            step.lines(
                filled_in_below_notice(self.words, &open.record)
                    .into_iter()
                    .collect(),
            );
            return;
        };
        open.choices_read = question::CHOICES;
        let lines = question::question_lines(self.words, &open.record, open.at, entry);
        step.lines(lines);
    }

    /// The prompt that belongs to the open ask's current question.
    fn question_prompt(&self) -> Prompt {
        let Some(open) = &self.open else {
            return Prompt::List;
        };
        match open.record.ask.questions.get(open.at) {
            None => Prompt::Review,
            Some(question) if question.input.is_empty() => Prompt::OwnText(Vec::new()),
            Some(_) => Prompt::Question,
        }
    }

    /// Writes the prompt for the next line.
    fn write_prompt(&self, step: &mut Step) {
        let words = self.words;
        let text = |text: &str| [("text", render::safe_line(text).into())];
        match &self.prompt {
            Prompt::List => step.prompt(if self.listed.is_empty() {
                words.say("line-which-none")
            } else {
                words.say("line-which")
            }),
            Prompt::History => step.prompt(words.say("line-prompt-past")),
            Prompt::Question | Prompt::Review => self.write_question_prompt(step),
            Prompt::OwnText(lines) => self.write_own_text_prompt(lines, step),
            Prompt::ConfirmNone => step.prompt(if self.has_several() {
                words.say("line-prompt-none-several")
            } else {
                words.say("line-prompt-none")
            }),
            Prompt::ConfirmLong => step.prompt(self.long_prompt()),
            Prompt::Note(NoteScope::One, _) => step.prompt(words.say("line-prompt-note")),
            Prompt::Note(NoteScope::All, _) => step.prompt(words.say("line-prompt-note-all")),
            Prompt::Path(_) => step.prompt(words.say("line-prompt-path")),
            Prompt::Reason => step.prompt(words.say("line-prompt-reason")),
            Prompt::ConfirmDecline(None) => step.prompt(words.say("line-prompt-decline")),
            Prompt::ConfirmDecline(Some(reason)) => {
                step.prompt(words.format("line-prompt-decline-reason", &text(reason)));
            }
            Prompt::ConfirmAskBack(question) => {
                step.prompt(words.format("line-prompt-ask-back", &text(question)));
            }
            Prompt::Acknowledge if self.is_typed => step.prompt(words.say("line-go-on")),
            Prompt::Acknowledge => step.prompt(words.say("line-seen")),
            Prompt::Editing | Prompt::AwaitReply(_) | Prompt::Sending => {}
        }
    }

    fn write_question_prompt(&self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let is_late = open.record.waiters == 0 || !open.record.is_open();
        step.prompt(match open.record.ask.questions.get(open.at) {
            Some(asked) => question::prompt(self.words, asked, open.has_several()),
            None => match (open.has_several(), is_late) {
                (true, false) => self.words.say("line-prompt-send"),
                (true, true) => self.words.say("line-prompt-send-late"),
                (false, false) => self.words.say("line-prompt-send-one"),
                (false, true) => self.words.say("line-prompt-send-one-late"),
            },
        });
    }

    /// Prompts for the next line of own text.
    fn write_own_text_prompt(&self, lines: &[String], step: &mut Step) {
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

    /// Shows the list, opens the next ask or ends the session, depending on the mode.
    fn open_next(&mut self, step: &mut Step) {
        self.open = None;
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::One(_) => {
                let closed = self.closed.take();
                if closed.is_some() {
                    // The shell would take it as commands.
                    step.effects.push(PlainEffect::DropTyped);
                }
                let ended = closed.map_or(SurfaceEnd::Quit, SurfaceEnd::ClosedElsewhere);
                step.effects.push(PlainEffect::End(ended));
            }
            Mode::Next => {
                if let Some(oldest) = self.oldest_waiting() {
                    self.open_ask(oldest, step);
                } else {
                    step.line(self.words.say("line-none-waits"));
                    step.effects.push(PlainEffect::End(SurfaceEnd::Quit));
                }
            }
        }
    }

    /// Leaves the open ask. It keeps waiting, and its draft is saved.
    fn leave(&mut self, step: &mut Step) {
        self.save_draft(step);
        self.prompt = Prompt::Sending;
        step.effects.push(PlainEffect::ReportLeft);
    }

    /// Says whether the draft of the ask that is left is kept, and goes on.
    fn on_left(&mut self, step: &mut Step) {
        if let Some(open) = &self.open {
            step.line(self.words.say(if open.is_draft_unsaved {
                "line-left-unsaved"
            } else {
                "line-left-waiting"
            }));
        }
        if self.is_input_ended {
            let is_one_shot = matches!(self.mode, Mode::One(_));
            let ended = match self.closed.take() {
                Some(closed) => SurfaceEnd::ClosedElsewhere(closed),
                None if is_one_shot => SurfaceEnd::Left,
                None => SurfaceEnd::Quit,
            };
            step.effects.push(PlainEffect::End(ended));
            return;
        }
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::Next => step.effects.push(PlainEffect::End(SurfaceEnd::Quit)),
            Mode::One(_) => step.effects.push(PlainEffect::End(SurfaceEnd::Left)),
        }
    }

    fn end_of_input(&mut self, step: &mut Step) {
        step.text.push('\n');
        if let Prompt::OwnText(lines) = self.prompt.clone()
            && !lines.is_empty()
        {
            self.set_own_text(&lines.join("\n"), step);
        }
        self.save_draft(step);
        self.is_input_ended = true;
        self.prompt = Prompt::Sending;
        step.effects.push(PlainEffect::ReportLeft);
    }

    /// Replaces the own text on the current question. A text that is too long is refused with a
    /// message.
    fn set_own_text(&mut self, words: &str, step: &mut Step) {
        let entry = self
            .open
            .as_mut()
            .and_then(|open| open.form.entries.get_mut(open.at));
        let Some(entry) = entry else { return };
        entry.field = Field::new(words);
        entry.use_own_text();
        let dropped = words.chars().count() - entry.field.text().chars().count();
        if entry.field.is_full() && dropped > 0 {
            let count = thousands(self.words, dropped);
            step.line(
                self.words
                    .format("line-left-out", &[("count", count.into())]),
            );
        }
    }

    /// The prefix of commands at the current prompt, as a message argument: `/` while own text is
    /// typed, nothing otherwise.
    fn slash(&self) -> [(&'static str, Value<'static>); 1] {
        let in_own_text = matches!(self.prompt, Prompt::OwnText(_));
        [("slash", if in_own_text { "/" } else { "" }.into())]
    }

    fn has_several(&self) -> bool {
        self.open.as_ref().is_some_and(OpenAsk::has_several)
    }

    fn save_draft(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let draft = open.form.draft();
        if draft != open.saved_draft || open.is_draft_unsaved {
            open.saved_draft = draft.clone();
            open.is_saved_since = true;
            open.is_draft_unsaved = false;
            let id = open.record.id.clone();
            step.effects.push(PlainEffect::SaveDraft { id, draft });
        }
    }

    fn settle(&mut self, verdict: Verdict, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let id = open.record.id.clone();
        self.prompt = Prompt::Sending;
        step.effects.push(PlainEffect::Settle { id, verdict });
    }

    fn send(&mut self, gaps: Gaps, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let draft = open.form.given();
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

fn number(text: &str) -> Option<usize> {
    text.parse().ok()
}
