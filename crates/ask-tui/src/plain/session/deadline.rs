//! Snoozes an ask in the plain mode, and requests more time before its deadline.

use ask_config::duration::parse_duration_ms;
use ask_config::snooze;
use ask_core::record::Snooze;
use ask_core::{Record, Time};

use super::{OpenAsk, PlainEffect, PlainSession, Step, number, render};
use crate::{Mode, SurfaceEnd};

/// A line that the person enters this soon before the deadline requests more time.
const LAST_MS: u64 = 60_000;
/// How much time such a line requests.
const TYPING_MS: u64 = 2 * 60_000;

impl PlainSession {
    /// Snoozes the open ask for this duration or until this time.
    pub(super) fn snooze_open(&mut self, length: &str, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let id = open.record.id.clone();
        let Some(until) = self.parse_snooze(length) else {
            step.line(self.words.format("line-aside-how", &self.slash()));
            return self.write_prompt(step);
        };
        self.save_draft(step);
        self.snooze(&id, Some(until), step);
        match self.mode {
            Mode::Inbox => self.show_list(step),
            Mode::Next => self.open_next(step),
            Mode::One(_) => step.effects.push(PlainEffect::End(SurfaceEnd::Left)),
        }
    }

    /// Parses a duration or a time as the end of a snooze.
    pub(super) fn parse_snooze(&self, length: &str) -> Option<Snooze> {
        let until = parse_duration_ms(length).and_then(|ms| snooze::later(self.now, ms));
        let until = until.map(Snooze::Until);
        until.or_else(|| snooze::end(length, self.now, &self.zone))
    }

    /// Snoozes an ask or ends its snooze, and confirms it.
    pub(super) fn snooze(&mut self, id: &ask_core::AskId, until: Option<Snooze>, step: &mut Step) {
        let record = self.records.iter_mut().find(|record| record.id == *id);
        let Some(record) = record else { return };
        record.snoozed = until;
        let title = render::on_one_line(self.words, record.ask.headline());
        step.line(match until {
            Some(Snooze::Until(at)) => {
                let time = render::moment(self.words, at, self.now, &self.zone);
                let facts = [("title", title.into()), ("time", time.into())];
                self.words.format("line-aside", &facts)
            }
            Some(Snooze::AskedAgain) => self
                .words
                .format("line-aside-asked", &[("title", title.into())]),
            None => self.words.say("inbox-said-back"),
        });
        step.effects.push(PlainEffect::Snooze {
            id: id.clone(),
            until,
        });
        self.sort();
    }

    /// Requests more time for the open ask.
    pub(super) fn request_more_time(&mut self, length: &str, step: &mut Step) {
        let minutes = |text| number(text)?.checked_mul(60_000)?.try_into().ok();
        let ms: Option<u64> = match length {
            "" => Some(snooze::STEP_MS),
            text => parse_duration_ms(text).or_else(|| minutes(text)),
        };
        let Some(open) = &self.open else { return };
        let is_open = open.record.is_open();
        match (ms, open.record.deadline_at) {
            (Some(ms @ 1..), Some(at)) if is_open => {
                let extend = extension(open, at.plus_ms(ms), false);
                return self.request_reply(extend, step);
            }
            (Some(1..), Some(_)) => step.line(self.words.say("line-time-passed")),
            (Some(1..), None) => step.line(self.words.say("line-deadline-none")),
            (Some(0) | None, _) => step.line(self.words.format("line-more-how", &self.slash())),
        }
        self.write_prompt(step);
    }

    /// The effect that requests more time because the person types shortly before the deadline. At
    /// most once for each deadline: if the hub refuses, the next line doesn't ask again.
    pub(super) fn extend_while_typing(&mut self) -> Option<PlainEffect> {
        let now = self.now;
        let open = self.open.as_mut()?;
        let is_near = |at: &Time| *at > now && at.since_ms(now) < LAST_MS;
        let at = open.record.deadline_at.filter(is_near)?;
        if !open.record.is_open() || open.extension_requested_for.replace(at) == Some(at) {
            return None;
        }
        Some(extension(open, at.plus_ms(TYPING_MS), true))
    }

    /// Handles the hub's reply to a request for more time, then the line that waited for it.
    pub(super) fn on_extended(
        &mut self,
        typing: bool,
        result: Result<Box<Record>, String>,
        step: &mut Step,
    ) {
        self.restore_prompt();
        match result {
            Ok(record) => self.apply_extension(typing, *record, step),
            // A request that typing made is confirmed when granted; its refusal isn't reported.
            Err(_) if typing => {}
            Err(why) => {
                let facts = [("why", render::safe_line(&why).into())];
                step.line(self.words.format("inbox-said-failed", &facts));
            }
        }
        match self.held_line.take() {
            Some((line, is_pasting)) => {
                self.is_pasting = is_pasting;
                self.handle_line(&line, step);
                self.is_pasting = false;
            }
            None => self.write_prompt(step),
        }
    }

    fn apply_extension(&mut self, typing: bool, record: Record, step: &mut Step) {
        let Some(open) = self
            .open
            .as_mut()
            .filter(|open| open.record.id == record.id)
        else {
            return;
        };
        let Some(deadline) = record.deadline_at else {
            return;
        };
        let was_extended = open
            .record
            .deadline_at
            .is_some_and(|before| deadline > before);
        open.record = record;
        let facts = [
            (
                "in",
                render::from_now(self.words, deadline, self.now).into(),
            ),
            (
                "at",
                render::moment(self.words, deadline, self.now, &self.zone).into(),
            ),
        ];
        match (was_extended, typing) {
            (true, true) => step.line(self.words.format("line-more-typing", &facts)),
            (true, false) => step.line(self.words.format("line-more-time", &facts)),
            (false, true) => {}
            (false, false) => step.line(self.words.format("line-more-none", &facts)),
        }
    }
}

fn extension(open: &OpenAsk, until: Time, typing: bool) -> PlainEffect {
    let id = open.record.id.clone();
    PlainEffect::Extend { id, until, typing }
}
