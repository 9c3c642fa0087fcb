//! Runs the commands of the tutorials and how-to pages in their order, each page in a home of its own. The
//! words after the language of a code block say how:
//!
//! - `sh` is run and must succeed; `sh,exit=8` must end with that code.
//! - `sh,background` asks something and waits, as in another terminal. It must end before the page does.
//! - `sh,no_run` isn't run: it needs a person, a phone, the network or another program.
//! - `text,output` is the output of the block before; `text,background` is that of the background block.
//! - `toml` must be valid settings; `toml,ignore` is for another program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};

#[test]
fn commands_of_tutorials_and_how_to_pages_work() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut run = 0;
    for folder in ["tutorials", "how-to"] {
        let mut pages: Vec<PathBuf> = std::fs::read_dir(docs.join(folder))
            .expect("the book has this folder")
            .map(|entry| entry.expect("the folder can be read").path())
            .collect();
        pages.sort();
        for page in pages {
            run += PageRun::new(&page).run();
        }
    }
    assert!(run > 10, "the pages have commands: {run} were run");
}

/// A fenced block of a page.
struct Block {
    /// Its language and the words after it.
    words: Vec<String>,
    text: String,
    /// The line where it begins, for the message of a failure.
    line: usize,
}

/// A run of the commands of a page.
struct PageRun {
    page: PathBuf,
    sandbox: Sandbox,
    /// The output of the last block.
    printed: String,
    background: Option<Running>,
}

impl PageRun {
    fn new(page: &Path) -> Self {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.home().join("shop")).expect("the home is ours");
        Self {
            page: page.to_owned(),
            sandbox,
            printed: String::new(),
            background: None,
        }
    }

    /// Runs all blocks; returns how many were run.
    fn run(mut self) -> usize {
        let text = std::fs::read_to_string(&self.page).expect("the page is there");
        let mut run = 0;
        for block in blocks(&text) {
            let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
            match words[..] {
                ["sh", "no_run"] => continue,
                ["sh", "background"] => self.start_background(&block),
                ["sh"] => self.run_block(&block, 0),
                ["sh", exit] => self.run_block(&block, exit_code(exit)),
                ["text", "output"] => self.assert_printed(&block, &self.printed),
                ["text", "background"] => self.finish_background(&block),
                ["toml"] => self.check_settings(&block),
                _ => continue,
            }
            run += 1;
        }
        assert!(
            self.background.is_none(),
            "{}: what began in the background prints nothing that the page shows",
            self.page.display()
        );
        run
    }

    /// A shell without the environment of the tests.
    fn shell(&self, block: &Block) -> Command {
        let mut command = self.sandbox.command("sh");
        let ours: Vec<(OsString, OsString)> = command
            .get_envs()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect();
        let mut path = Path::new(BINARY)
            .parent()
            .expect("it lies in a folder")
            .as_os_str()
            .to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        command
            .env_clear()
            .envs(ours)
            .env("HOME", self.sandbox.home())
            .env("PATH", path)
            .current_dir(self.sandbox.home().join("shop"))
            .args(["-euc", &block.text]);
        command
    }

    fn run_block(&mut self, block: &Block, code: i32) {
        let output = run_to_end(self.shell(block));
        self.printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{}\n{}\n{}",
            self.place(block),
            self.printed,
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// Starts a block that asks, and waits until its question is open.
    fn start_background(&mut self, block: &Block) {
        let mut watch = self.sandbox.command(BINARY);
        watch.args(["watch", "--json"]);
        let mut watch = self.sandbox.start("watch", watch);
        self.background = Some(self.sandbox.start("background", self.shell(block)));
        watch.out.find("the question waits", |line| {
            line.contains("\"state\":\"waiting\"").then_some(())
        });
    }

    fn finish_background(&mut self, block: &Block) {
        let mut running = self.background.take().expect("something was started");
        let printed = running.out.rest();
        let status = running.child.wait().expect("it ends");
        assert!(status.success(), "{}: {status}", self.place(block));
        self.assert_printed(block, &printed);
    }

    fn assert_printed(&self, block: &Block, printed: &str) {
        assert_eq!(
            printed.trim_end(),
            block.text.trim_end(),
            "{}",
            self.place(block)
        );
    }

    /// Checks settings and removes them again, because a page shows several alternatives.
    fn check_settings(&self, block: &Block) {
        self.sandbox.write_settings(&block.text);
        let mut command = self.sandbox.command(BINARY);
        command.arg("list");
        let output = run_to_end(command);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(complaint, "", "{}", self.place(block));
        let file = self.sandbox.home().join("config.toml");
        std::fs::remove_file(file).expect("it was written");
    }

    fn place(&self, block: &Block) -> String {
        format!("{}:{}", self.page.display(), block.line)
    }
}

/// The exit code that a block must end with.
fn exit_code(exit: &str) -> i32 {
    let code = exit
        .strip_prefix("exit=")
        .and_then(|code| code.parse().ok());
    code.unwrap_or_else(|| panic!("`sh,{exit}` is not one of the ways to run a block"))
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let body = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| line.trim_start() != "```");
        blocks.push(Block {
            words: info.split(',').map(str::to_owned).collect(),
            text: body.map(|line| format!("{line}\n")).collect(),
            line: at + 1,
        });
    }
    blocks
}
