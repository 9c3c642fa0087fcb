//! The MCP server: it receives the tool calls of agents, and returns the answers of people. rmcp
//! implements the protocol, and only this crate depends on it.

mod apps;
mod call;
mod caller_query;
mod context;
mod convert;
pub mod default_limit;
mod elicitation;
mod http;
pub mod http_server;
mod images;
mod keepalive;
mod offline;
mod outcome;
mod server;
mod stdio;
mod tasks;
mod tool_call;

use std::collections::HashMap;

use ask_config::exit::{Exit, Failure};
use ask_core::Json;
use ask_dialects::Dialect;

pub use self::context::{RenderCard, Shared};
pub use self::http::endpoint;
pub use self::offline::{FALLBACK_ADVICE, orphans, pending_file};
pub use self::server::run as serve_agent;

/// The tools of one server, from one or more dialects.
pub struct Offer {
    dialects: Vec<&'static dyn Dialect>,
    tools: Vec<Offered>,
}

/// One tool, with its name on this server.
pub struct Offered {
    /// The name that agents call.
    pub name: String,
    /// The dialect that it belongs to.
    pub dialect: &'static dyn Dialect,
    /// The dialect's definition of it.
    pub tool: &'static ask_dialects::Tool,
}

impl Offer {
    /// The tools of these dialects. `tool_name` replaces the name of the asking tool.
    ///
    /// # Errors
    /// A dialect is unknown, two dialects have a tool of the same name, or the name is invalid or
    /// ambiguous.
    pub fn new(names: &[String], tool_name: Option<&str>) -> Result<Self, Failure> {
        let mut dialects: Vec<&'static dyn Dialect> = Vec::new();
        for name in names {
            let found = find_dialect(name)?;
            if dialects.iter().all(|known| known.name() != found.name()) {
                dialects.push(found);
            }
        }
        let mut tools = Vec::new();
        for dialect in &dialects {
            for tool in dialect.tools() {
                let renamed = tool_name.filter(|_| tool.does == ask_dialects::ToolAction::Ask);
                tools.push(Offered {
                    name: renamed.unwrap_or(tool.name).to_owned(),
                    dialect: *dialect,
                    tool,
                });
            }
        }
        if let Some(name) = tool_name {
            check_name(name, &dialects)?;
        }
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for offered in &tools {
            if let Some(other) = owners.insert(&offered.name, offered.dialect.name()) {
                return Err(Failure::new(
                    Exit::Usage,
                    format!(
                        "the dialects {other} and {} both have a tool named {}",
                        offered.dialect.name(),
                        offered.name
                    ),
                    "start one server for each of them; --tool-name gives one of them another name",
                ));
            }
        }
        Ok(Self { dialects, tools })
    }

    /// The tools, in the order of `tools/list`.
    pub fn tools(&self) -> &[Offered] {
        &self.tools
    }

    /// The server instructions for the model: those of each dialect, and those for all.
    pub fn instructions(&self) -> String {
        let dialects = self.dialects.iter().map(|dialect| dialect.instructions());
        let texts: Vec<&str> = dialects.chain([ask_dialects::INSTRUCTIONS]).collect();
        texts.join("\n\n")
    }

    /// The tool of this name.
    pub fn find(&self, name: &str) -> Option<&Offered> {
        self.tools.iter().find(|offered| offered.name == name)
    }
}

impl Offered {
    /// Description and input schema, as published.
    pub fn contract(&self) -> Json {
        ask_protocol::text_json(self.tool.contract).unwrap_or(Json::Null)
    }
}

/// The dialect of this name; the error lists the known ones.
pub fn find_dialect(name: &str) -> Result<&'static dyn Dialect, Failure> {
    ask_dialects::find(name).ok_or_else(|| unknown_dialect(name))
}

fn unknown_dialect(name: &str) -> Failure {
    Failure::new(
        Exit::Usage,
        format!("there is no dialect named \"{name}\""),
        format!("the dialects are {}", dialect_names()),
    )
}

/// The names of all dialects.
pub fn dialect_names() -> String {
    let names: Vec<&str> = ask_dialects::DIALECTS
        .iter()
        .map(|dialect| dialect.name())
        .collect();
    names.join(", ")
}

fn check_name(name: &str, dialects: &[&'static dyn Dialect]) -> Result<(), Failure> {
    let is_valid = (1..=128).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if !is_valid {
        return Err(Failure::new(
            Exit::Usage,
            format!("\"{name}\" can't be the name of a tool"),
            "use 1 to 128 letters, digits, '_', '-' and '.'",
        ));
    }
    if dialects.len() > 1 {
        return Err(Failure::new(
            Exit::Usage,
            "--tool-name needs a single dialect",
            "start one server for each dialect that is to be renamed",
        ));
    }
    Ok(())
}
