//! `ask-user mcp`.

use clap::Args;

use crate::exit::Exit;
use crate::home::Home;
use crate::mcp::{Offer, endpoints, server, wordings};

/// Serve agents over MCP: one on standard input and output, or with --port any over HTTP
#[derive(Args)]
pub struct Mcp {
    #[arg(
        long,
        help = format!("The wordings to offer: {}; several with commas where their tools have different names", wordings()),
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "native"
    )]
    dialect: Vec<String>,
    /// Another name for the tool that asks, where the agent has a tool of that name already
    #[arg(long, value_name = "NAME")]
    tool_name: Option<String>,
    /// Serve Streamable HTTP at http://127.0.0.1:N/mcp instead; 0 takes any port that is free. The URL may say who asks: ?project=NAME&directory=PATH&agent=NAME&session=ID
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// What clients must send as `Authorization: Bearer TOKEN`; without it, what is in the file `token` of the state folder
    #[arg(
        long,
        value_name = "TOKEN",
        requires = "port",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    token: Option<String>,
}

impl Mcp {
    pub(super) fn run(self, home: Home) -> anyhow::Result<Exit> {
        let offer = Offer::new(&self.dialect, self.tool_name.as_deref())?;
        match self.port {
            Some(port) => super::on_runtime(endpoints::run(home, offer, port, self.token))?,
            None => super::on_runtime(server::run(home, offer))?,
        }
        Ok(Exit::Done)
    }
}
