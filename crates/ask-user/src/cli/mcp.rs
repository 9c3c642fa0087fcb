//! `ask-user mcp`.

use clap::Args;

use crate::exit::Exit;
use crate::home::Home;
use crate::mcp::{Offer, server};

/// Serve one agent over MCP on standard input and output
#[derive(Args)]
pub struct Mcp {
    /// The wordings to offer: native, codenomad, auq, claude, pi; several with commas where their tools have different names
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "native"
    )]
    dialect: Vec<String>,
    /// Another name for the tool that asks, where the agent has a tool of that name already
    #[arg(long, value_name = "NAME")]
    tool_name: Option<String>,
}

impl Mcp {
    pub(super) fn run(self, home: Home) -> anyhow::Result<Exit> {
        let offer = Offer::new(&self.dialect, self.tool_name.as_deref())?;
        super::on_runtime(server::run(home, offer))?;
        Ok(Exit::Done)
    }
}
