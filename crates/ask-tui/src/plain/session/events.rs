//! Handles the hub's reports during a session: new asks, asks that another surface closed, and the
//! result of our own attempt to settle one.

use ask_core::{AskId, Record};
use ask_hub::surface::{grouping, labels};

use super::list::RENUMBERED_MS;
use super::{Form, OpenAsk, PlainEffect, PlainSession, Prompt, Step, question, render};
use crate::{Mode, SettleResult, SurfaceEnd};

/// The revision of the draft, if a program below an agent filled it in.
pub(super) fn filled_in_revision(record: &Record) -> Option<u64> {
    record.filled_in_below()?;
    record.draft.as_ref().map(|saved| saved.revision)
}

impl OpenAsk {
    /// Whether the person has entered nothing: the form is blank, or all of it is from a program.
    fn is_untouched(&self) -> bool {
        let filled_in = self.filled_in.as_ref().map(|(_, draft)| draft);
        !self.form.is_touched(&self.record.ask) || filled_in == Some(&self.form.draft())
    }
}

impl PlainSession {
    /// Handles the result of an attempt to settle the open ask.
    pub(super) fn on_settled(&mut self, result: SettleResult, step: &mut Step) {
        match result {
            SettleResult::Won(record) => {
                step.line(render::safe_line(&labels::confirmation(
                    self.words, &record,
                )));
                self.remove_closed(&record);
                if matches!(self.mode, Mode::One(_)) {
                    step.effects
                        .push(PlainEffect::End(SurfaceEnd::from_record(*record)));
                } else {
                    self.open_next(step);
                }
            }
            SettleResult::Lost(record) => self.closed_elsewhere(*record, step),
            SettleResult::Failed(why) => {
                let why = render::safe_line(&why);
                let facts = [("problem", why.into())];
                step.line(self.words.format("line-not-sent-try", &facts));
                self.show_question(step);
            }
        }
    }

    pub(super) fn on_refreshed(&mut self, record: Option<Box<Record>>, step: &mut Step) {
        if let Some((open, record)) = self.open.as_mut().zip(record)
            && open.record.id == record.id
            && record.is_answerable()
        {
            let known = self.records.iter_mut().find(|known| known.id == record.id);
            if let Some(known) = known {
                known.clone_from(&record);
            }
            open.record = *record;
        }
        if let Some(open) = &mut self.open {
            open.is_saved_since = false;
        }
        self.show_question(step);
    }

    /// Applies changes to the list: records that are new or different, and ids that are gone.
    pub(super) fn apply_changes(&mut self, records: Vec<Record>, gone: &[AskId], step: &mut Step) {
        let (mut new, mut returned) = (Vec::new(), Vec::new());
        self.records.retain(|record| !gone.contains(&record.id));
        for record in records {
            match self.records.iter_mut().find(|known| known.id == record.id) {
                Some(known) => {
                    if known.snoozed.is_some() && record.snoozed.is_none() {
                        returned.push(record.clone());
                    }
                    *known = record;
                }
                None => {
                    new.push(record.clone());
                    self.records.push(record);
                }
            }
        }
        self.sort();
        let open = self.open.as_ref().map(|open| open.record.id.clone());
        let closed = self
            .records
            .iter()
            .find(|record| Some(&record.id) == open.as_ref() && !record.is_answerable());
        let deleted = self
            .open
            .as_ref()
            .filter(|open| gone.contains(&open.record.id));
        if let Some(record) = deleted.map(|open| open.record.clone()) {
            return self.closed_elsewhere(record, step);
        }
        if let Some(record) = closed.filter(|_| self.prompt != Prompt::Sending) {
            let record = record.clone();
            return self.closed_elsewhere(record, step);
        }
        self.update_open_ask(step);
        if self.prompt == Prompt::List {
            new.retain(Record::is_open);
            returned.retain(Record::is_open);
            let listed = |record: &Record| {
                let ask = render::ask_row(self.words, record, &self.zone, self.now);
                [("ask", ask.into())]
            };
            for record in &new {
                step.line("");
                step.line(self.words.format("line-new", &listed(record)));
            }
            for record in &returned {
                step.line("");
                step.line(self.words.format("line-back", &listed(record)));
            }
            if !new.is_empty() || !returned.is_empty() {
                // The person may know the older of two orders.
                let (now, listed) = (self.now, &self.listed);
                self.listed_before
                    .take_if(|(at, _)| now.since_ms(*at) >= RENUMBERED_MS);
                self.listed_before
                    .get_or_insert_with(|| (now, listed.clone()));
                self.show_list(step);
            }
        }
    }

    /// Updates the open ask from the list. A passed deadline and a caller that left are reported
    /// once; an answer still counts.
    fn update_open_ask(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let known = self
            .records
            .iter()
            .find(|record| record.id == open.record.id);
        let Some(known) = known.cloned() else { return };
        let passed = open.record.is_open() && !known.is_open();
        let left = open.record.waiters > 0 && known.waiters == 0;
        let came_back = open.record.waiters == 0 && known.waiters > 0;
        open.record = known;
        let message = match (passed, left, came_back) {
            (true, _, _) => self.words.say("line-time-passed"),
            (false, true, _) => self.words.say("shared-agent-left"),
            (false, false, true) => self.words.say("line-agent-back"),
            (false, false, false) => {
                if self.take_filled_in(step) {
                    self.show_question(step);
                }
                return;
            }
        };
        let is_ignoring = matches!(
            self.prompt,
            Prompt::Editing | Prompt::AwaitReply(_) | Prompt::Sending
        );
        if !is_ignoring {
            step.line("");
            step.line(message);
            match self.take_filled_in(step) {
                true => self.show_question(step),
                false => self.write_prompt(step),
            }
        }
    }

    /// Takes what a program filled in, if the person has typed nothing since the form was shown, and
    /// returns to the first question. A line that is half typed belongs to no question then, so it is
    /// dropped. Nobody sees what a pipe would take.
    pub(super) fn take_filled_in(&mut self, step: &mut Step) -> bool {
        let is_free = match &self.prompt {
            Prompt::OwnText(lines) => lines.is_empty(),
            Prompt::Question | Prompt::Review => true,
            _ => false,
        };
        let Some(open) = self.open.as_mut().filter(|_| is_free && self.is_typed) else {
            return false;
        };
        let Some(revision) = filled_in_revision(&open.record) else {
            return false;
        };
        let is_taken = open
            .filled_in
            .as_ref()
            .is_some_and(|(taken, _)| *taken == revision);
        if is_taken || !open.is_untouched() {
            return false;
        }
        let draft = open.record.draft.as_ref().map(|saved| &saved.draft);
        open.form = Form::new(&open.record.ask, draft);
        open.saved_draft = open.form.draft();
        open.filled_in = Some((revision, open.form.draft()));
        (open.at, open.from_review) = (0, false);
        step.effects.push(PlainEffect::DropTyped);
        step.line("");
        let notice = labels::filled_in_below_notice(self.words, &open.record);
        step.lines(notice.into_iter().collect());
        true
    }

    fn closed_elsewhere(&mut self, record: Record, step: &mut Step) {
        let unsent_texts = self.unsent_texts();
        step.line("");
        step.lines(render::closed(self.words, &record, &self.zone));
        if !unsent_texts.is_empty() {
            step.line(self.words.say("shared-not-sent"));
            step.line(self.words.say("line-unsent"));
            step.lines(unsent_texts);
        }
        if matches!(self.mode, Mode::One(_)) && self.is_typed {
            // A half-typed line would reach the shell that reads the terminal next, and Enter would
            // run it. So the person has to acknowledge the notice with a line first.
            self.remove_closed(&record);
            self.closed = Some(Box::new(record));
            self.prompt = Prompt::Acknowledge;
            return self.write_prompt(step);
        }
        self.continue_after_notice(record, step);
    }

    /// What the person has typed for the open ask, to be read back because it isn't sent.
    fn unsent_texts(&mut self) -> Vec<String> {
        let words = self.words;
        if let Prompt::OwnText(lines) = self.prompt.clone()
            && !lines.is_empty()
        {
            self.set_own_text(&lines.join("\n"), &mut Step::default());
        }
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let mut lines = if open.form.is_touched(&open.record.ask) {
            question::answer_lines(words, &open.record, &open.form)
        } else {
            Vec::new()
        };
        let unused = open.form.unused_texts(&open.record.ask);
        lines.extend(unused.iter().map(|text| render::safe_block(text)));
        if let Prompt::ConfirmDecline(Some(text)) | Prompt::ConfirmAskBack(text) = &self.prompt {
            lines.push(render::safe_block(text));
        }
        lines
    }

    /// Continues after the notice of a closed ask. The line that was being typed isn't taken as an
    /// answer.
    pub(super) fn continue_after_notice(&mut self, record: Record, step: &mut Step) {
        self.remove_closed(&record);
        if matches!(self.mode, Mode::One(_)) {
            step.effects
                .push(PlainEffect::End(SurfaceEnd::ClosedElsewhere(Box::new(
                    record,
                ))));
        } else {
            self.prompt = Prompt::Acknowledge;
            self.write_prompt(step);
        }
    }

    /// Closes the open ask and removes it from the list, unless it stays listed until its agent has
    /// fetched the answer.
    fn remove_closed(&mut self, record: &Record) {
        self.records.retain(|known| known.id != record.id);
        if grouping::is_listed(record, self.now) {
            self.records.push(record.clone());
            self.sort();
        }
        self.open = None;
    }
}
