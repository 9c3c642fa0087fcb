//! `ask-user validate`: checks a call against its contract, without asking.

use std::io::Write;
use std::path::Path;

use ask_config::exit::Exit;
use ask_core::{Problem, json};
use ask_dialects::{Setting, ToolAction, Word};
use ask_mcp::find_dialect;
use ask_protocol::escape;
use clap::Args;

use super::input;

/// Check a call without asking: exit code 0 if it is valid, 1 if it isn't
#[derive(Args)]
pub(crate) struct Validate {
    /// The dialect of the call
    #[arg(long, value_name = "NAME", default_value = "native")]
    dialect: String,
    /// Report properties that the schema doesn't have, too
    #[arg(long)]
    strict: bool,
    /// The call as JSON; `-` or no argument reads standard input
    #[arg(value_name = "JSON")]
    call: Option<String>,
}

impl Validate {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let dialect = find_dialect(&self.dialect)?;
        let text = match self.call {
            Some(text) if text != "-" => text,
            Some(_) | None => input::read_stdin()?,
        };
        let is_file = Path::new(text.trim()).is_file();
        let tools = dialect.tools();
        let tool = tools
            .iter()
            .find(|tool| tool.does == ToolAction::Ask)
            .map_or("", |tool| tool.name);
        let mut out = std::io::stdout();
        let mut stderr = std::io::stderr();
        let mut problems: Vec<Problem> = Vec::new();
        match json::parse(&text) {
            Err(problem) => {
                if is_file {
                    writeln!(
                        stderr,
                        "JSON is the call itself; to check a file: ask-user validate < FILE"
                    )?;
                }
                problems.push(problem);
            }
            Ok(call) => {
                if let Err(refusal) = dialect.read(tool, &call, &Setting::default()) {
                    let reply = dialect.write(Word::Refused(&refusal));
                    writeln!(stderr, "{}", reply.printed())?;
                    problems.extend(refusal.problems);
                }
                if self.strict {
                    // The parser may have reported a property already, in other words.
                    let is_reported = |problem: &Problem| {
                        problems
                            .iter()
                            .any(|known| known.problem.contains(&problem.path))
                    };
                    let strict = dialect.strict(tool, &call);
                    let more: Vec<Problem> = strict
                        .into_iter()
                        .filter(|problem| !is_reported(problem))
                        .collect();
                    problems.extend(more);
                }
            }
        }
        if problems.is_empty() {
            writeln!(out, "valid")?;
            return Ok(Exit::Done);
        }
        for problem in problems {
            writeln!(stderr, "{}", escape(problem.to_string()))?;
        }
        Ok(Exit::Failure)
    }
}
