//! `ask-user register` and `unregister` in homes of their own: every client's files as snapshots,
//! and their exact restoration.

mod again;
mod config_dir;
mod golden;
mod hostile_paths;
mod offer;
mod refused;
mod together;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

/// A person's home with the files of clients in it.
struct Person {
    sandbox: Sandbox,
}

/// The result of a command.
#[derive(Debug)]
struct CommandOutput {
    code: i32,
    out: String,
    err: String,
}

impl Person {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        for folder in ["person", "path", "shop/.git", "shop/src"] {
            std::fs::create_dir_all(sandbox.home().join(folder)).expect("a writable home");
        }
        Self { sandbox }
    }

    /// The person's home. Everything else is beside it.
    fn home(&self) -> PathBuf {
        self.sandbox.home().join("person")
    }

    /// A file in the home (`~/…`) or beside it.
    fn file(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(path) => self.home().join(path),
            None => self.sandbox.home().join(path),
        }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.file(path);
        let folder = path.parent().expect("the binary is in a folder");
        std::fs::create_dir_all(folder).expect("a writable home");
        std::fs::write(path, text).expect("a writable home");
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The binary with an environment that has nothing from the tests' own.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", self.sandbox.home().join("path"))
            .env("ASK_USER_HOME", self.sandbox.home())
            .current_dir(self.sandbox.home().join("shop/src"))
            .stdin(std::process::Stdio::null())
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.output_of(self.command(arguments))
    }

    fn output_of(&self, command: Command) -> CommandOutput {
        let output = run_to_end(command);
        CommandOutput {
            code: output.status.code().expect("no signal ended it"),
            out: self.normalize(&String::from_utf8_lossy(&output.stdout)),
            err: self.normalize(&String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// A text without what differs from run to run.
    fn normalize(&self, text: &str) -> String {
        let home = self.sandbox.home().to_string_lossy().into_owned();
        text.replace(BINARY, "/PROGRAM").replace(&home, "/HERE")
    }

    /// Every file in the home and the project, by its path.
    fn files(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for folder in ["person", "shop"] {
            walk(&self.sandbox.home().join(folder), &mut |path| {
                let bytes = std::fs::read(path).expect("a readable file");
                let path = self.normalize(&path.to_string_lossy());
                let path = path
                    .replace("/HERE/person/", "~/")
                    .replace("/HERE/shop/", "");
                found.insert(path, self.normalize(&String::from_utf8_lossy(&bytes)));
            });
        }
        found
    }

    /// The files without the backups.
    fn own_files(&self) -> BTreeMap<String, String> {
        let mut files = self.files();
        files.retain(|path, _| !path.ends_with(".ask-user-backup"));
        files
    }
}

fn walk(folder: &Path, found: &mut dyn FnMut(&Path)) {
    let entries = std::fs::read_dir(folder).expect("an existing folder");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found(&path);
        }
    }
}
