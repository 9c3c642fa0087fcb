//! What the hub reports during the conversation: new asks, asks closed elsewhere, and the result of
//! our own attempt to settle one.

use ask_core::{AskId, Record};
use ask_hub::surface::{grouping, labels};

use super::{PlainEffect, PlainSession, Prompt, Step, question, render};
use crate::{Closing, Ended, Mode};

impl PlainSession {
    /// Handles the result of an attempt to settle the open ask.
    pub(super) fn settled(&mut self, closing: Closing, step: &mut Step) {
        match closing {
            Closing::Won(record) => {
                step.line(render::line(&labels::done(self.words, &record)));
                self.forget(&record);
                if matches!(self.mode, Mode::One(_)) {
                    step.effects
                        .push(PlainEffect::End(Ended::from_record(*record)));
                } else {
                    self.go_next(step);
                }
            }
            Closing::Lost(record) => self.closed_elsewhere(*record, step),
            Closing::Failed(why) => {
                let why = render::line(&why);
                let facts = [("problem", why.into())];
                step.line(self.words.format("line-not-sent-try", &facts));
                self.show_question(step);
            }
        }
    }

    /// Applies changes to the list: records that are new or different, and ids that are gone.
    pub(super) fn follow(&mut self, records: Vec<Record>, gone: &[AskId], step: &mut Step) {
        let (mut fresh, mut back) = (Vec::new(), Vec::new());
        self.records.retain(|record| !gone.contains(&record.id));
        for record in records {
            match self.records.iter_mut().find(|known| known.id == record.id) {
                Some(known) => {
                    if known.snoozed.is_some() && record.snoozed.is_none() {
                        back.push(record.clone());
                    }
                    *known = record;
                }
                None => {
                    fresh.push(record.clone());
                    self.records.push(record);
                }
            }
        }
        self.sort();
        let open = self.open.as_ref().map(|open| open.record.id.clone());
        let now_closed = self
            .records
            .iter()
            .find(|record| Some(&record.id) == open.as_ref() && !record.is_answerable());
        let forgotten = self
            .open
            .as_ref()
            .filter(|open| gone.contains(&open.record.id));
        if let Some(record) = forgotten.map(|open| open.record.clone()) {
            return self.closed_elsewhere(record, step);
        }
        if let Some(record) = now_closed.filter(|_| self.stage != Prompt::Sending) {
            let record = record.clone();
            return self.closed_elsewhere(record, step);
        }
        self.follow_open(step);
        if self.stage == Prompt::List {
            fresh.retain(Record::is_open);
            back.retain(Record::is_open);
            let listed = |record: &Record| {
                let ask = render::listed(self.words, record, &self.zone, self.now);
                [("ask", ask.into())]
            };
            for record in &fresh {
                step.line("");
                step.line(self.words.format("line-new", &listed(record)));
            }
            for record in &back {
                step.line("");
                step.line(self.words.format("line-back", &listed(record)));
            }
            if !fresh.is_empty() || !back.is_empty() {
                self.show_list(step);
            }
        }
    }

    /// Updates the open ask from the list. A passed deadline and a caller that left are reported
    /// once; an answer still counts.
    fn follow_open(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let known = self
            .records
            .iter()
            .find(|record| record.id == open.record.id);
        let Some(known) = known.cloned() else { return };
        let passed = open.record.is_open() && !known.is_open();
        let went = open.record.waiters > 0 && known.waiters == 0;
        let came = open.record.waiters == 0 && known.waiters > 0;
        open.record = known;
        let said = match (passed, went, came) {
            (true, _, _) => self.words.say("line-time-passed"),
            (false, true, _) => self.words.say("shared-agent-left"),
            (false, false, true) => self.words.say("line-agent-back"),
            (false, false, false) => return,
        };
        let silent = matches!(
            self.stage,
            Prompt::Editing | Prompt::Reading(_) | Prompt::Sending
        );
        if !silent {
            step.line("");
            step.line(said);
            self.prompt(step);
        }
    }

    fn closed_elsewhere(&mut self, record: Record, step: &mut Step) {
        let unsent = self.unsent();
        step.line("");
        step.lines(render::closed(self.words, &record, &self.zone));
        if !unsent.is_empty() {
            step.line(self.words.say("shared-not-sent"));
            step.line(self.words.say("line-unsent"));
            step.lines(unsent);
        }
        if matches!(self.mode, Mode::One(_)) && self.typed {
            // A half-typed line would reach the shell that reads the terminal next, and Enter would
            // run it. So the notice takes one line first.
            self.forget(&record);
            self.closed = Some(Box::new(record));
            self.stage = Prompt::Seen;
            return self.prompt(step);
        }
        self.after_notice(record, step);
    }

    /// What the person had typed for the open ask, to be read back: it isn't sent.
    fn unsent(&mut self) -> Vec<String> {
        let said = self.words;
        if let Prompt::Words(lines) = self.stage.clone()
            && !lines.is_empty()
        {
            self.put_words(&lines.join("\n"), &mut Step::default());
        }
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let mut lines = if open.form.is_touched(&open.record.ask) {
            question::filled_in(said, &open.record, &open.form)
        } else {
            Vec::new()
        };
        let unspoken = open.form.unused_texts(&open.record.ask);
        lines.extend(unspoken.iter().map(|words| render::block(words)));
        if let Prompt::DeclineSure(Some(words)) | Prompt::AskBackSure(words) = &self.stage {
            lines.push(render::block(words));
        }
        lines
    }

    /// Continues after the notice of a closed ask. The line that was being typed isn't taken as an
    /// answer.
    pub(super) fn after_notice(&mut self, record: Record, step: &mut Step) {
        self.forget(&record);
        if matches!(self.mode, Mode::One(_)) {
            step.effects
                .push(PlainEffect::End(Ended::ClosedElsewhere(Box::new(record))));
        } else {
            self.stage = Prompt::Seen;
            self.prompt(step);
        }
    }

    /// Removes a record from the list, unless it stays listed until its agent has fetched the
    /// answer.
    fn forget(&mut self, record: &Record) {
        self.records.retain(|known| known.id != record.id);
        if grouping::is_listed(record, self.now) {
            self.records.push(record.clone());
            self.sort();
        }
        self.open = None;
    }
}
