//! A person, who sees asks through `ask-user watch` and answers with commands.

use std::collections::HashSet;

use ask_core::Json;

use super::sandbox::{BINARY, Running, Sandbox};
use super::{json, text};

/// A person at a home.
pub(crate) struct Person<'home> {
    sandbox: &'home Sandbox,
    /// The surface, which a test may kill.
    pub watch: Running,
    seen: HashSet<String>,
}

impl<'home> Person<'home> {
    /// Starts `watch`; asks that wait already are seen as well.
    pub(crate) fn new(sandbox: &'home Sandbox) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["watch", "--json"]);
        Self {
            sandbox,
            watch: sandbox.start("watch", command),
            seen: HashSet::new(),
        }
    }

    /// The id of the next new ask.
    pub(crate) fn next_ask(&mut self) -> String {
        loop {
            let record = self.wait_for("an ask appears", |record| record["state"] == "waiting");
            let id = text(&record, "askId");
            if self.seen.insert(id.clone()) {
                return id;
            }
        }
    }

    /// Waits for a change of an ask that is wanted; returns the record.
    pub(crate) fn wait_for(&mut self, what: &str, is_wanted: impl Fn(&Json) -> bool) -> Json {
        while let Some(line) = self.watch.out.next() {
            let record = json(&line);
            if is_wanted(&record) {
                return record;
            }
        }
        panic!(
            "watch ended before {what}, having printed:\n{}\nand its error:\n{}",
            self.watch.out.lines_so_far(),
            self.watch.err.rest()
        );
    }

    /// Answers an ask, which must succeed.
    pub(crate) fn answer(&self, id: &str, arguments: &[&str]) {
        let mut all = vec!["answer", id];
        all.extend(arguments);
        self.sandbox.run_ok(&all);
    }

    /// The current record of an ask.
    pub(crate) fn record(&self, id: &str) -> Json {
        json(&self.sandbox.run_ok(&["show", id, "--json"]))
    }
}
