//! What the hub tells while the talk goes on: new asks, asks closed elsewhere,
//! and what became of our own attempt to close one.

use ask_core::{AskId, Record};
use ask_hub::surface::{grouping, labels};

use super::{Effect, PlainSession, Prompt, Step, question, render};
use crate::{Closing, Ended, Mode};

impl PlainSession {
    /// An attempt to close the open ask has come back.
    pub(super) fn settled(&mut self, closing: Closing, step: &mut Step) {
        match closing {
            Closing::Won(record) => {
                step.line(render::line(&labels::done(self.words, &record)));
                self.forget(&record);
                if matches!(self.mode, Mode::One(_)) {
                    step.effects.push(Effect::End(Ended::of(*record)));
                } else {
                    self.go_next(step);
                }
            }
            Closing::Lost(record) => self.closed_elsewhere(*record, step),
            Closing::Failed(why) => {
                let why = render::line(&why);
                let facts = [("problem", why.into())];
                step.line(self.words.with("line-not-sent-try", &facts));
                self.show_question(step);
            }
        }
    }

    /// Some asks are new, differ or are gone.
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
            fresh.retain(Record::is_waiting);
            back.retain(Record::is_waiting);
            let listed = |record: &Record| {
                let ask = render::listed(self.words, record, &self.zone, self.now);
                [("ask", ask.into())]
            };
            for record in &fresh {
                step.line("");
                step.line(self.words.with("line-new", &listed(record)));
            }
            for record in &back {
                step.line("");
                step.line(self.words.with("line-back", &listed(record)));
            }
            if !fresh.is_empty() || !back.is_empty() {
                self.show_list(step);
            }
        }
    }

    /// The open ask as it stands now. That its time has passed or its agent has gone is said once; an
    /// answer still counts.
    fn follow_open(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let known = self
            .records
            .iter()
            .find(|record| record.id == open.record.id);
        let Some(known) = known.cloned() else { return };
        let passed = open.record.is_waiting() && !known.is_waiting();
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
            // Half a line that is typed would be the next program's, and Enter would run it.
            self.forget(&record);
            self.closed = Some(Box::new(record));
            self.stage = Prompt::Seen;
            return self.prompt(step);
        }
        self.after_notice(record, step);
    }

    /// What the person had typed for the open ask, to be read back: it goes nowhere.
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
        let mut lines = match open.form.is_touched(&open.record.ask) {
            true => question::filled_in(said, &open.record, &open.form),
            false => Vec::new(),
        };
        let unspoken = open.form.unspoken(&open.record.ask);
        lines.extend(unspoken.iter().map(|words| render::block(words)));
        if let Prompt::DeclineSure(Some(words)) | Prompt::AskBackSure(words) = &self.stage {
            lines.push(render::block(words));
        }
        lines
    }

    /// The line that was on its way when a notice came is not taken for an answer.
    pub(super) fn after_notice(&mut self, record: Record, step: &mut Step) {
        self.forget(&record);
        if matches!(self.mode, Mode::One(_)) {
            step.effects
                .push(Effect::End(Ended::ClosedElsewhere(Box::new(record))));
        } else {
            self.stage = Prompt::Seen;
            self.prompt(step);
        }
    }

    /// It is talked about no more; in the list it stays while its agent is to fetch the answer.
    fn forget(&mut self, record: &Record) {
        self.records.retain(|known| known.id != record.id);
        if grouping::is_listed(record, self.now) {
            self.records.push(record.clone());
            self.sort();
        }
        self.open = None;
    }
}
