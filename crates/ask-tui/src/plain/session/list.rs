//! The list in the plain mode: asks in groups, opened by their numbers, and the commands of the
//! list.

use ask_core::{AskId, Record};
use ask_hub::surface::grouping::{self, SearchText};

use super::commands::Command;
use super::{PlainEffect, PlainSession, Prompt, Step, number, render};
use crate::Ended;

/// A command at the list.
enum ListCommand {
    /// Open the ask with this number.
    Open(usize),
    /// Leave.
    Leave,
    /// List the commands.
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
    /// Snooze, but the number is missing.
    SnoozeHow,
}

fn wish(said: &str) -> Option<ListCommand> {
    if let Some(words) = said.strip_prefix('/') {
        return Some(ListCommand::Filter(words.trim().to_owned()));
    }
    if let Some(number) = number(said) {
        return Some(ListCommand::Open(number));
    }
    let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
    let (which, more) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let (which, more) = (number(which), more.trim().to_owned());
    match (word, rest) {
        ("" | "a", "") => Some(ListCommand::Again),
        ("q", "") => Some(ListCommand::Leave),
        ("?", "") => Some(ListCommand::Help),
        ("h", words) => Some(ListCommand::History(words.trim().to_owned())),
        ("S", "") => Some(ListCommand::Stats),
        ("m", "") => Some(ListCommand::Mute),
        ("s", _) => Some(which.map_or(ListCommand::SnoozeHow, |which| {
            ListCommand::Snooze(which, more)
        })),
        ("x", _) => which.map(|which| ListCommand::Decline(which, more)),
        (_, _) => None,
    }
}

impl PlainSession {
    pub(super) fn take_listed(&mut self, said: &str, step: &mut Step) {
        match wish(said) {
            Some(ListCommand::Open(which)) => {
                if let Some(record) = self.numbered(which, step) {
                    self.open_ask(record, step);
                }
            }
            Some(ListCommand::Leave) => step.effects.push(PlainEffect::End(Ended::Quit)),
            Some(ListCommand::Help) => {
                step.line(self.words.say("line-help-list"));
                self.prompt(step);
            }
            Some(ListCommand::Again) => self.show_list(step),
            Some(ListCommand::History(words)) => self.request_history(words, step),
            Some(ListCommand::Stats) => self.wait_for(PlainEffect::Stats, step),
            Some(ListCommand::Mute) => self.wait_for(PlainEffect::Mute, step),
            Some(ListCommand::Filter(words)) => {
                self.filter = words;
                self.show_list(step);
            }
            Some(ListCommand::Snooze(which, length)) => {
                if let Some(record) = self.numbered(which, step) {
                    self.snooze_listed(&record, &length, step);
                }
            }
            Some(ListCommand::SnoozeHow) => {
                step.line(self.words.say("line-aside-which"));
                self.prompt(step);
            }
            Some(ListCommand::Decline(which, reason)) => {
                if let Some(record) = self.numbered(which, step) {
                    // The ask is read out first: nobody should decline what they haven't heard.
                    self.open_ask(record, step);
                    if self.open.is_some() {
                        step.line("");
                        self.obey(Command::Decline(reason), step);
                    }
                }
            }
            None => self.unclear_listed(step),
        }
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
        self.prompt(step);
    }

    /// The ask that has this number in the list as it was last read out. Reports a number that
    /// isn't there.
    fn numbered(&mut self, which: usize, step: &mut Step) -> Option<Record> {
        let id = which.checked_sub(1).and_then(|at| self.listed.get(at));
        let Some(id) = id else {
            self.unclear_listed(step);
            return None;
        };
        let record = self.records.iter().find(|record| record.id == *id);
        if record.is_none() {
            step.line(self.words.say("line-no-longer-asked"));
            self.show_list(step);
            return None;
        }
        record.cloned()
    }

    fn unclear_listed(&self, step: &mut Step) {
        let facts = [("count", self.listed.len().into())];
        step.line(self.words.format("line-unclear-list", &facts));
        self.prompt(step);
    }

    pub(super) fn show_list(&mut self, step: &mut Step) {
        self.open = None;
        self.history = None;
        self.stage = Prompt::List;
        self.sort();
        let small = self.filter.to_lowercase();
        let wanted: Vec<&str> = small.split_whitespace().collect();
        let now = self.now;
        let shown: Vec<Record> = self
            .records
            .iter()
            .filter(|record| grouping::is_listed(record, now))
            .filter(|record| wanted.is_empty() || SearchText::from_record(record).fits(&wanted))
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
        self.prompt(step);
    }

    /// Sorts the records into the groups of the full screen.
    pub(super) fn sort(&mut self) {
        grouping::sort(&mut self.records);
    }

    /// The oldest ask that waits and isn't snoozed.
    pub(super) fn oldest(&self) -> Option<Record> {
        let wanting = self.records.iter().filter(|record| wants(record));
        wanting.min_by_key(|record| record.asked_at).cloned()
    }

    /// The ids of the asks that wait and aren't snoozed.
    pub(crate) fn wanting(&self) -> impl Iterator<Item = &AskId> {
        let wanting = self.records.iter().filter(|record| wants(record));
        wanting.map(|record| &record.id)
    }

    /// Requests an effect whose reply is awaited at the prompt.
    pub(super) fn wait_for(&mut self, effect: PlainEffect, step: &mut Step) {
        step.effects.push(effect);
        self.stage = Prompt::Reading(Box::new(self.stage.clone()));
    }

    /// Confirms that notifications are muted or unmuted.
    pub(super) fn muted(&mut self, on: bool, step: &mut Step) {
        self.go_on_from_reading();
        step.line(if on {
            self.words
                .format("inbox-said-muted", &[("key", "m".into())])
        } else {
            self.words.say("inbox-said-unmuted")
        });
        self.prompt(step);
    }

    /// Reports a failed effect.
    pub(super) fn failed(&mut self, why: &str, step: &mut Step) {
        self.go_on_from_reading();
        let facts = [("why", render::line(why).into())];
        step.line(self.words.format("inbox-said-failed", &facts));
        self.prompt(step);
    }

    pub(super) fn go_on_from_reading(&mut self) {
        if let Prompt::Reading(before) = self.stage.clone() {
            self.stage = *before;
        }
    }
}

/// Whether a record waits and isn't snoozed.
fn wants(record: &Record) -> bool {
    record.is_open() && record.snoozed.is_none()
}
