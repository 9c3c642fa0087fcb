//! `ask-user mcp`.

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::logging;
use ask_mcp::endpoints::{self, Above, Entered, Own};
use ask_mcp::{Offer, server, wordings};
use ask_web::{app_card, bridge};
use clap::Args;

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
    /// Serve Streamable HTTP at http://127.0.0.1:N/mcp, and a desktop app's wizard at ws://127.0.0.1:N/bridge, besides whoever speaks on standard input; 0 takes any port that is free. The URL may say who asks: ?project=NAME&directory=PATH&agent=NAME&session=ID
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// What clients and apps must send as `Authorization: Bearer TOKEN`; without it, what is in the file `token` of the state folder
    #[arg(
        long,
        value_name = "TOKEN",
        requires = "port",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    token: Option<String>,
    /// Enter this server, with its port and its token, in FILE, which is JSON with `mcpServers`: an app reads there where its server is. Without --token a new one is made
    #[arg(
        long,
        value_name = "FILE",
        requires = "port",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ANTIGRAVITY
    )]
    register: Option<String>,
    /// What the entry is called
    #[arg(
        long,
        value_name = "NAME",
        requires = "register",
        default_value = "codenomad-ask-user",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    register_as: String,
}

/// Where the app that thought of this enters its server.
const ANTIGRAVITY: &str = "~/.gemini/antigravity/mcp_config.json";

impl Mcp {
    pub(super) fn run(self, home: Home) -> anyhow::Result<Exit> {
        let offer = Offer::new(&self.dialect, self.tool_name.as_deref())?;
        logging::to_stderr();
        match self.port {
            Some(port) => {
                let own = Own {
                    port,
                    token: self.token,
                    entry: self.register.map(|file| Entered {
                        file,
                        name: self.register_as,
                        dialects: self.dialect,
                        tool_name: self.tool_name,
                    }),
                };
                let above = Above {
                    card: app_card::html,
                    beside: bridge::router,
                };
                super::on_runtime(endpoints::run(home, offer, own, above))?;
            }
            None => super::on_runtime(server::run(home, offer, app_card::html))?,
        }
        Ok(Exit::Done)
    }
}
