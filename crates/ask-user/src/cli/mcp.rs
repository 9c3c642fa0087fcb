//! `ask-user mcp`: the MCP server, over stdio or HTTP.

use std::path::PathBuf;

use ask_config::exit::Exit;
use ask_config::home::{self, Home};
use ask_config::logging;
use ask_mcp::http_server::{self, SettingsEntry, StandaloneServer, Surfaces, TOKEN, Token};
use ask_mcp::{Offer, dialect_names, serve_agent};
use ask_web::embed::Filter;
use ask_web::{app_card, bridge};
use clap::Args;

use super::number;

/// Serve agents over MCP: one on standard input and output, or with --port any number over HTTP
#[derive(Args)]
pub(crate) struct Mcp {
    #[arg(
        long,
        help = format!("The dialects to offer: {}; several with commas where their tools have different names", dialect_names()),
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "native"
    )]
    dialect: Vec<String>,
    /// Another name for the tool that asks, if the agent has a tool of that name already
    #[arg(long, value_name = "NAME")]
    tool_name: Option<String>,
    /// Serve Streamable HTTP at http://127.0.0.1:N/mcp, and a desktop app's wizard at
    /// ws://127.0.0.1:N/bridge, besides a client on standard input; 0 takes any free port. The URL
    /// may describe the asker: ?project=NAME&directory=PATH&agent=NAME&session=ID
    #[arg(long, value_name = "N", value_parser = number::parse_port)]
    port: Option<u16>,
    /// The token that clients must send to /mcp as `Authorization: Bearer TOKEN`. Other accounts of
    /// this machine can read it in the list of processes, so the bridge requires the token in the
    /// file `answer-token` nevertheless
    #[arg(
        long,
        value_name = "TOKEN",
        requires = "port",
        conflicts_with = "token_file",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    token: Option<String>,
    /// The file with the token for /mcp and the bridge. Without it, the variable ASK_USER_TOKEN has
    /// the token; without both, the files `token` and, for the bridge, `answer-token` of the state
    /// folder have it
    #[arg(long, value_name = "PATH", requires = "port")]
    token_file: Option<PathBuf>,
    /// Write this server, with its port and token, into FILE, which is JSON with `mcpServers`: an
    /// app reads there where its server is. The entry holds the token as the variable
    /// ASK_USER_TOKEN, or names the file of --token-file; without either, a new token is made
    #[arg(
        long,
        value_name = "FILE",
        requires = "port",
        conflicts_with = "token",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ANTIGRAVITY
    )]
    register: Option<String>,
    /// The name of the entry
    #[arg(
        long,
        value_name = "NAME",
        requires = "register",
        default_value = "codenomad-ask-user",
        value_parser = clap::builder::NonEmptyStringValueParser::new()
    )]
    register_as: String,
}

/// The settings file of Antigravity, for which this option was made.
const ANTIGRAVITY: &str = "~/.gemini/antigravity/mcp_config.json";

/// The token of an app's own server: from the file, the command line or the environment.
fn own_token(shown: Option<String>, file: Option<PathBuf>) -> anyhow::Result<Option<Token>> {
    if let Some(file) = file {
        let file = std::path::absolute(file)?;
        let token = home::own_token(&file)?;
        return Ok(Some(Token::File { file, token }));
    }
    let from_environment = || {
        let word = std::env::var(TOKEN).ok()?.trim().to_owned();
        (!word.is_empty()).then_some(Token::Variable(word))
    };
    Ok(shown.map(Token::CommandLine).or_else(from_environment))
}

impl Mcp {
    pub(super) fn run(self, home: Home) -> anyhow::Result<Exit> {
        let offer = Offer::new(&self.dialect, self.tool_name.as_deref())?;
        logging::to_stderr();
        match self.port {
            Some(port) => {
                let server = StandaloneServer {
                    port,
                    token: own_token(self.token, self.token_file)?,
                    entry: self.register.map(|file| SettingsEntry {
                        file,
                        name: self.register_as,
                        dialects: self.dialect,
                        tool_name: self.tool_name,
                    }),
                };
                let surfaces = Surfaces {
                    card: app_card::html,
                    router: |context, guard, asks| {
                        let filter = Filter {
                            instances: asks.window.into_iter().collect(),
                            dialects: asks.dialects,
                            ..Filter::default()
                        };
                        bridge::router(context, guard, filter)
                    },
                };
                super::block_on(http_server::run(home, offer, server, surfaces))?;
            }
            None => super::block_on(serve_agent(home, offer, app_card::html))?,
        }
        Ok(Exit::Done)
    }
}
