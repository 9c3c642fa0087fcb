//! The tasks of the people: asks that were seen waiting, each with the time at which somebody turns
//! to it. Some tasks exist twice, so that two people race.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use ask_core::Record;
use tokio::time::Instant;

use crate::model::Campaign;
use crate::rng::Rng;
use crate::{callers, words};

/// An ask that somebody has to answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Task {
    due: Instant,
    /// The ask's id.
    pub id: String,
    /// The ask's number in the campaign.
    pub tag: u64,
    /// Whether it is a text question, which the plain mode can answer from a pipe.
    pub is_text: bool,
}

/// All tasks.
#[derive(Default)]
pub(crate) struct Tasks {
    tasks: RefCell<BTreeSet<Task>>,
    seen: RefCell<BTreeSet<String>>,
}

impl Tasks {
    /// Creates a task if a record waits and is new.
    pub(crate) fn see(&self, campaign: &Campaign, record: &Record, rng: &mut Rng) {
        let question = record.ask.questions.first();
        let Some((tag, question)) =
            question.and_then(|question| Some((words::tag_in(&question.text)?, question)))
        else {
            return;
        };
        let id = record.id.as_str();
        {
            let mut log = campaign.log.borrow_mut();
            log.seen(tag, id);
            if let Some(asker) = callers::caller_in(record.asker.project.as_deref()) {
                log.callers.record_seen(asker, Instant::now());
                log.askers.insert(id.to_owned(), asker);
            }
        }
        if !record.is_open() || !self.seen.borrow_mut().insert(id.to_owned()) {
            return;
        }
        let task = Task {
            due: Instant::now(),
            id: id.to_owned(),
            tag,
            is_text: question.input.choices().is_empty(),
        };
        // Most people take a moment, some take longer.
        let after = match rng.below(10) {
            0..6 => rng.ms(0, 300),
            6..9 => rng.ms(0, 1_500),
            _ => rng.ms(1_000, 5_000),
        };
        self.put(task.clone(), after);
        if rng.percent(12) {
            let rival = after + rng.ms(0, 20);
            self.put(task, rival);
        }
    }

    /// Adds a task for later.
    pub(crate) fn put(&self, mut task: Task, after: Duration) {
        task.due = Instant::now() + after;
        self.tasks.borrow_mut().insert(task);
    }

    /// Takes the next due task. With `all`, a task counts as due at any time.
    pub(crate) fn take(&self, all: bool) -> Option<Task> {
        let mut tasks = self.tasks.borrow_mut();
        let due = tasks
            .first()
            .is_some_and(|task| all || task.due <= Instant::now());
        if due { tasks.pop_first() } else { None }
    }
}
