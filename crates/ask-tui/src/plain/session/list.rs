//! The list in the plain mode: asks in groups, opened by their numbers, and the commands of the
//! list.

use ask_core::{AskId, Record};
use ask_hub::surface::grouping::{self, Group, SearchText};

use super::commands::Command;
use super::{PlainEffect, PlainSession, Prompt, Step, number, render};
use crate::SurfaceEnd;

/// A command at the list.
enum ListCommand {
    /// Open the ask with this number.
    Open(usize),
    Leave,
    Help,
    /// Read the list out again.
    Again,
    /// Read out closed asks that contain this text.
    History(String),
    /// Read out the statistics.
    Stats,
    /// Mute or unmute notifications.
    Mute,
    /// Filter the list by this text.
    Filter(String),
    /// Snooze the ask with this number for this duration or until this time; end its snooze if
    /// empty.
    Snooze(usize, String),
    /// Decline the ask with this number, for this reason.
    Decline(usize, String),
    /// Take back the answer of the ask with this number, or the one that was sent last.
    TakeBack(Option<usize>),
    /// Snooze, but the number is missing.
    SnoozeWithoutNumber,
}

fn parse_list_command(line: &str) -> Option<ListCommand> {
    if let Some(text) = line.strip_prefix('/') {
        return Some(ListCommand::Filter(text.trim().to_owned()));
    }
    if let Some(number) = number(line) {
        return Some(ListCommand::Open(number));
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (which, more) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let (which, more) = (number(which), more.trim().to_owned());
    match (word, rest) {
        ("" | "a", "") => Some(ListCommand::Again),
        ("q", "") => Some(ListCommand::Leave),
        ("?", "") => Some(ListCommand::Help),
        ("h", words) => Some(ListCommand::History(words.trim().to_owned())),
        ("S", "") => Some(ListCommand::Stats),
        ("m", "") => Some(ListCommand::Mute),
        ("s", _) => Some(which.map_or(ListCommand::SnoozeWithoutNumber, |which| {
            ListCommand::Snooze(which, more)
        })),
        ("u", "") => Some(ListCommand::TakeBack(None)),
        ("u", _) if more.is_empty() => which.map(|which| ListCommand::TakeBack(Some(which))),
        ("x", _) => which.map(|which| ListCommand::Decline(which, more)),
        (_, _) => None,
    }
}

/// For how long after a new ask a number may be meant for the list before, in milliseconds.
pub(super) const RENUMBERED_MS: u64 = 5_000;

impl PlainSession {
    pub(super) fn handle_list_line(&mut self, line: &str, step: &mut Step) {
        match parse_list_command(line) {
            Some(ListCommand::Open(which)) => {
                if let Some(record) = self.find_by_number(which, step) {
                    self.open_ask(record, step);
                }
            }
            Some(ListCommand::Leave) => step.effects.push(PlainEffect::End(SurfaceEnd::Quit)),
            Some(ListCommand::Help) => {
                step.line(self.words.say("line-help-list"));
                self.write_prompt(step);
            }
            Some(ListCommand::Again) => self.show_list(step),
            Some(ListCommand::History(words)) => self.request_history(words, step),
            Some(ListCommand::Stats) => self.request_reply(PlainEffect::ReadStats, step),
            Some(ListCommand::Mute) => self.request_reply(PlainEffect::ToggleMute, step),
            Some(ListCommand::Filter(text)) => {
                self.filter = text;
                self.show_list(step);
            }
            Some(ListCommand::Snooze(which, length)) => {
                if let Some(record) = self.find_by_number(which, step) {
                    self.snooze_listed(&record, &length, step);
                }
            }
            Some(ListCommand::SnoozeWithoutNumber) => {
                step.line(self.words.say("line-aside-which"));
                self.write_prompt(step);
            }
            Some(ListCommand::Decline(which, reason)) => {
                if let Some(record) = self.find_by_number(which, step) {
                    // The ask is read out first, so that the person knows what they decline.
                    self.open_ask(record, step);
                    if self.open.is_some() {
                        step.line("");
                        self.execute(Command::Decline(reason), step);
                    }
                }
            }
            Some(ListCommand::TakeBack(None)) => {
                let held = self
                    .records
                    .iter()
                    .filter(|record| record.held_until.is_some());
                let newest = held.max_by_key(|record| record.settlement().map(|end| end.at));
                self.take_back(newest.cloned(), step);
            }
            Some(ListCommand::TakeBack(Some(which))) => {
                if let Some(record) = self.find_by_number(which, step) {
                    self.take_back(Some(record), step);
                }
            }
            None => self.report_unclear_list_line(step),
        }
    }

    /// Takes back the answer of this ask, if no agent has it.
    fn take_back(&mut self, record: Option<Record>, step: &mut Step) {
        let is_kept =
            |record: &Record| matches!(Group::for_record(record), Group::Sent | Group::Undelivered);
        let attempt = |record: Record| Some((record.id.clone(), record.settlement()?.attempt));
        match record.filter(is_kept).and_then(attempt) {
            Some((id, attempt)) => {
                self.request_reply(PlainEffect::TakeBack { id, attempt }, step);
            }
            None => {
                step.line(self.words.say("inbox-said-nothing-to-take-back"));
                self.write_prompt(step);
            }
        }
    }

    /// Opens the ask whose answer was taken back, with the answer in its form.
    pub(super) fn on_taken_back(&mut self, record: Record, step: &mut Step) {
        self.restore_prompt();
        step.line(self.words.say("inbox-said-taken-back"));
        self.open_ask(record, step);
    }

    fn snooze_listed(&mut self, record: &Record, length: &str, step: &mut Step) {
        let until = match (length, record.snoozed) {
            ("", Some(_)) => Some(None),
            (length, _) => self.parse_snooze(length).map(Some),
        };
        match until {
            _ if !record.is_open() => step.line(self.words.say("line-aside-none")),
            Some(until) => {
                self.snooze(&record.id, until, step);
                return self.show_list(step);
            }
            None => step.line(self.words.say("line-aside-which")),
        }
        self.write_prompt(step);
    }

    /// The ask that has this number in the list as it was last read out. Reports a number that
    /// isn't there.
    fn find_by_number(&mut self, which: usize, step: &mut Step) -> Option<Record> {
        let id = which.checked_sub(1).and_then(|at| self.listed.get(at));
        let Some(id) = id else {
            self.report_unclear_list_line(step);
            return None;
        };
        // The person may have begun to type the number that another ask had.
        let recent = self
            .listed_before
            .take()
            .filter(|(at, _)| self.is_typed && self.now.since_ms(*at) < RENUMBERED_MS);
        let had_another = |before: &[AskId]| before.get(which - 1).is_some_and(|other| other != id);
        if recent.is_some_and(|(_, before)| had_another(&before)) {
            step.line(self.words.say("line-renumbered"));
            self.write_prompt(step);
            return None;
        }
        let record = self.records.iter().find(|record| record.id == *id);
        if record.is_none() {
            step.line(self.words.say("line-no-longer-asked"));
            self.show_list(step);
            return None;
        }
        record.cloned()
    }

    fn report_unclear_list_line(&self, step: &mut Step) {
        let facts = [("count", self.listed.len().into())];
        step.line(self.words.format("line-unclear-list", &facts));
        self.write_prompt(step);
    }

    pub(super) fn show_list(&mut self, step: &mut Step) {
        self.open = None;
        self.history = None;
        self.prompt = Prompt::List;
        self.sort();
        let filter = self.filter.to_lowercase();
        let wanted: Vec<&str> = filter.split_whitespace().collect();
        let now = self.now;
        let shown: Vec<Record> = self
            .records
            .iter()
            .filter(|record| grouping::is_listed(record, now))
            .filter(|record| wanted.is_empty() || SearchText::from_record(record).matches(&wanted))
            .cloned()
            .collect();
        self.listed = shown.iter().map(|record| record.id.clone()).collect();
        step.lines(render::list(
            self.words,
            &shown,
            &self.zone,
            now,
            &self.filter,
        ));
        self.write_prompt(step);
    }

    /// Sorts the records into the groups of the full screen.
    pub(super) fn sort(&mut self) {
        grouping::sort(&mut self.records);
    }

    /// The oldest ask that waits and isn't snoozed.
    pub(super) fn oldest_waiting(&self) -> Option<Record> {
        let waiting = self.records.iter().filter(|record| is_waiting(record));
        waiting.min_by_key(|record| record.asked_at).cloned()
    }

    /// The ids of the asks that wait and aren't snoozed.
    pub(crate) fn waiting_ids(&self) -> impl Iterator<Item = &AskId> {
        let waiting = self.records.iter().filter(|record| is_waiting(record));
        waiting.map(|record| &record.id)
    }

    /// Requests an effect, and ignores lines until its reply arrives.
    pub(super) fn request_reply(&mut self, effect: PlainEffect, step: &mut Step) {
        step.effects.push(effect);
        self.prompt = Prompt::AwaitReply(Box::new(self.prompt.clone()));
    }

    /// Confirms that notifications are muted or unmuted.
    pub(super) fn on_muted(&mut self, on: bool, step: &mut Step) {
        self.restore_prompt();
        step.line(if on {
            self.words
                .format("inbox-said-muted", &[("key", "m".into())])
        } else {
            self.words.say("inbox-said-unmuted")
        });
        self.write_prompt(step);
    }

    /// Reports a failed effect.
    pub(super) fn on_failed(&mut self, why: &str, step: &mut Step) {
        self.restore_prompt();
        let facts = [("why", render::safe_line(why).into())];
        step.line(self.words.format("inbox-said-failed", &facts));
        self.write_prompt(step);
    }

    pub(super) fn restore_prompt(&mut self) {
        if let Prompt::AwaitReply(before) = self.prompt.clone() {
            self.prompt = *before;
        }
    }
}

/// Whether a record waits and isn't snoozed.
fn is_waiting(record: &Record) -> bool {
    record.is_open() && record.snoozed.is_none()
}
