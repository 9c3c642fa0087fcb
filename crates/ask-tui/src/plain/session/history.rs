//! History in the plain mode: closed asks searched by words, read out by number, and counted.

use ask_core::Record;
use ask_core::stats::HistoryStats;

use super::{PlainEffect, PlainSession, Prompt, Step, number, render};
use crate::SurfaceEnd;
use crate::ui::charts;

/// How many closed asks are read out at once.
pub(crate) const PAGE: u64 = 10;

/// The closed asks found so far.
#[derive(Clone, Debug)]
pub(super) struct HistorySearch {
    /// The text that they contain; empty for all.
    search: String,
    records: Vec<Record>,
    /// The row where the next page begins; `None` after the last page.
    before: Option<u64>,
}

impl PlainSession {
    /// Requests the newest closed asks that contain a text.
    pub(super) fn request_history(&mut self, search: String, step: &mut Step) {
        self.history = Some(HistorySearch {
            search: search.clone(),
            records: Vec::new(),
            before: None,
        });
        let search = Some(search).filter(|search| !search.is_empty());
        let before = None;
        self.request_reply(PlainEffect::ReadHistory { search, before }, step);
    }

    /// Reads out a page of closed asks under continued numbers.
    pub(super) fn on_history_page(&mut self, records: Vec<Record>, next: u64, step: &mut Step) {
        self.restore_prompt();
        let words = self.words;
        let Some(history) = &mut self.history else {
            return;
        };
        let first = history.records.len();
        history.before = (records.len() as u64 == PAGE).then_some(next);
        if first == 0 && records.is_empty() {
            step.line(if history.search.is_empty() {
                words.say("history-empty")
            } else {
                words.say("history-nothing")
            });
        } else if records.is_empty() {
            step.line(words.say("line-options-no-more"));
        }
        for (at, record) in records.iter().enumerate() {
            let number = first + at + 1;
            step.line(render::history_row(words, number, record, self.now));
        }
        history.records.extend(records);
        self.prompt = if history.records.is_empty() {
            Prompt::List
        } else {
            Prompt::History
        };
        self.write_prompt(step);
    }

    pub(super) fn handle_history_line(&mut self, line: &str, step: &mut Step) {
        let Some(history) = &self.history else {
            return self.show_list(step);
        };
        let chosen = number(line).and_then(|which| history.records.get(which.checked_sub(1)?));
        if let Some(record) = chosen {
            step.lines(render::closed_ask(self.words, record, &self.zone, self.now));
            return self.write_prompt(step);
        }
        match (line, history.before) {
            ("" | "b", _) => self.show_list(step),
            ("q", _) => step.effects.push(PlainEffect::End(SurfaceEnd::Quit)),
            ("m", before @ Some(_)) => {
                let search = Some(history.search.clone()).filter(|search| !search.is_empty());
                self.request_reply(PlainEffect::ReadHistory { search, before }, step);
            }
            ("m", None) => {
                step.line(self.words.say("line-options-no-more"));
                self.write_prompt(step);
            }
            (line, _) => match line.strip_prefix('h') {
                Some(text) if text.is_empty() || text.starts_with(' ') => {
                    self.request_history(text.trim().to_owned(), step);
                }
                Some(_) | None => {
                    let facts = [("count", history.records.len().into())];
                    step.line(self.words.format("line-unclear-past", &facts));
                    self.write_prompt(step);
                }
            },
        }
    }

    /// Reads out the statistics.
    pub(super) fn on_stats(&mut self, stats: &HistoryStats, step: &mut Step) {
        self.restore_prompt();
        let rows = charts::rows(self.words, stats);
        step.lines(charts::speech_lines(self.words, &rows));
        self.write_prompt(step);
    }
}
