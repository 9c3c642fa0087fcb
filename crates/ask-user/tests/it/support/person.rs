//! A person: sees asks through `ask-user watch` like a surface, and answers with commands.

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
    pub(crate) fn at(sandbox: &'home Sandbox) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["watch", "--json"]);
        Self {
            sandbox,
            watch: sandbox.start("watch", command),
            seen: HashSet::new(),
        }
    }

    /// The id of the next new ask.
    pub(crate) fn asked(&mut self) -> String {
        loop {
            let record = self.sees("an ask appears", |record| record["state"] == "waiting");
            let id = text(&record, "askId");
            if self.seen.insert(id.clone()) {
                return id;
            }
        }
    }

    /// The next change of an ask that fits.
    pub(crate) fn sees(&mut self, what: &str, look: impl Fn(&Json) -> bool) -> Json {
        self.watch.out.find(what, |line| {
            let record = json(line);
            look(&record).then_some(record)
        })
    }

    /// Answers an ask, which must succeed.
    pub(crate) fn answers(&self, id: &str, arguments: &[&str]) {
        let mut all = vec!["answer", id];
        all.extend(arguments);
        self.sandbox.done(&all);
    }

    /// The record of an ask.
    pub(crate) fn shows(&self, id: &str) -> Json {
        json(&self.sandbox.done(&["show", id, "--json"]))
    }
}
