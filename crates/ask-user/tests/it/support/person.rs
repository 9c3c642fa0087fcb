//! A person: sees asks through `ask-user watch`, as a surface does, and answers
//! from the shell.

use std::collections::HashSet;

use ask_core::Json;

use super::sandbox::{BINARY, Running, Sandbox};
use super::{json, text};

/// A person at a home.
pub struct Person<'home> {
    sandbox: &'home Sandbox,
    /// The surface; a story may kill it.
    pub watch: Running,
    seen: HashSet<String>,
}

impl<'home> Person<'home> {
    /// Sits down: what waits already is seen, too.
    pub fn at(sandbox: &'home Sandbox) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["watch", "--json"]);
        Self {
            sandbox,
            watch: sandbox.start("watch", command),
            seen: HashSet::new(),
        }
    }

    /// The next ask that was not seen before: its id.
    pub fn asked(&mut self) -> String {
        loop {
            let record = self.sees("an ask appears", |record| record["state"] == "waiting");
            let id = text(&record, "askId");
            if self.seen.insert(id.clone()) {
                return id;
            }
        }
    }

    /// The next change of any ask that a look likes.
    pub fn sees(&mut self, what: &str, look: impl Fn(&Json) -> bool) -> Json {
        self.watch.out.find(what, |line| {
            let record = json(line);
            look(&record).then_some(record)
        })
    }

    /// Answers, and it is taken.
    pub fn answers(&self, id: &str, arguments: &[&str]) {
        let mut all = vec!["answer", id];
        all.extend(arguments);
        self.sandbox.done(&all);
    }

    /// How an ask stands.
    pub fn shows(&self, id: &str) -> Json {
        json(&self.sandbox.done(&["show", id, "--json"]))
    }
}
