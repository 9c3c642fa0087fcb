//! What the hub tells while the talk goes on: new asks, asks closed elsewhere,
//! and what became of our own attempt to close one.

use ask_core::{AskId, Record};

use super::{Effect, Stage, Step, Talk, say};
use crate::surface::paper::words;
use crate::surface::{Closing, Ended, Mode};

impl Talk {
    /// An attempt to close the open ask has come back.
    pub(super) fn settled(&mut self, closing: Closing, step: &mut Step) {
        match closing {
            Closing::Won(record) => {
                step.text
                    .push_str(&format!("{}\n", say::line(&words::done(&record))));
                self.forget(&record.id);
                if matches!(self.mode, Mode::One(_)) {
                    step.effects.push(Effect::End(Ended::of(*record)));
                } else {
                    self.go_next(step);
                }
            }
            Closing::Lost(record) => self.closed_elsewhere(*record, step),
            Closing::Failed(why) => {
                let why = say::line(&why);
                step.text.push_str(&format!(
                    "Not sent: {why}. Your draft is kept; try again.\n"
                ));
                self.show_question(step);
            }
        }
    }

    /// Some asks are new, differ or are gone.
    pub(super) fn follow(&mut self, records: Vec<Record>, gone: &[AskId], step: &mut Step) {
        let mut fresh = Vec::new();
        self.records.retain(|record| !gone.contains(&record.id));
        for record in records {
            match self.records.iter_mut().find(|known| known.id == record.id) {
                Some(known) => *known = record,
                None => {
                    fresh.push(record.clone());
                    self.records.push(record);
                }
            }
        }
        self.records.sort_by_key(|record| record.asked_at);
        let open = self.open.as_ref().map(|open| open.record.id.clone());
        let now_closed = self
            .records
            .iter()
            .find(|record| Some(&record.id) == open.as_ref() && !record.is_waiting());
        let forgotten = self
            .open
            .as_ref()
            .filter(|open| gone.contains(&open.record.id));
        if let Some(record) = forgotten.map(|open| open.record.clone()) {
            return self.closed_elsewhere(record, step);
        }
        if let Some(record) = now_closed.filter(|_| self.stage != Stage::Sending) {
            let record = record.clone();
            return self.closed_elsewhere(record, step);
        }
        if self.stage == Stage::List {
            fresh.retain(Record::is_waiting);
            for record in &fresh {
                step.text
                    .push_str(&format!("\nNew: {}\n", say::listed(record, self.now)));
            }
            if !fresh.is_empty() {
                self.show_list(step);
            }
        }
    }

    fn closed_elsewhere(&mut self, record: Record, step: &mut Step) {
        let typed = matches!(&self.stage, Stage::Words(lines) if !lines.is_empty());
        let touched = self
            .open
            .as_ref()
            .is_some_and(|open| open.form.is_touched(&open.record.ask));
        step.text.push('\n');
        step.text.push_str(&say::closed(&record, &self.zone));
        if typed || touched {
            step.text.push_str(&format!("{}\n", words::NOT_SENT));
        }
        self.after_notice(record, step);
    }

    /// The line that was on its way when a notice came is not taken for an answer.
    pub(super) fn after_notice(&mut self, record: Record, step: &mut Step) {
        self.forget(&record.id);
        if matches!(self.mode, Mode::One(_)) {
            step.effects
                .push(Effect::End(Ended::ClosedElsewhere(Box::new(record))));
        } else {
            step.text.push_str(say::PROMPT_SEEN);
            self.stage = Stage::Seen;
        }
    }

    fn forget(&mut self, id: &AskId) {
        self.records.retain(|record| record.id != *id);
        self.open = None;
    }
}
