//! `ask-user rpc`: the JSON lines protocol for programs that embed this one.

use ask_config::asker;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::{Asker, Caller, Role};
use ask_mcp::find_dialect;
use ask_web::embed::Filter;
use clap::Args;

use crate::rpc::{self, HostConfig};

/// Serve a program over JSON lines on standard input and output: it asks, shows asks of others, or
/// both
#[derive(Args)]
#[command(
    after_help = "Standard output carries lines of the protocol alone. The protocol is described in docs/reference/protocol.md."
)]
pub(crate) struct Rpc {
    /// The dialect of the program's calls and their replies
    #[arg(long, value_name = "NAME", default_value = "pi")]
    dialect: String,
    /// The program's name
    #[arg(long, value_name = "NAME", default_value = "ask-user rpc")]
    client: String,
    /// Send the open asks to the program, accept its answers, and report asks that are closed
    /// elsewhere
    #[arg(long)]
    surface: bool,
    /// Only asks of this session
    #[arg(long, value_name = "ID", requires = "surface")]
    session: Option<String>,
    /// Only asks of agents that work for this window of an app; may be given several times
    #[arg(long, value_name = "ID", requires = "surface")]
    instance: Vec<String>,
    /// Only asks from this folder or below
    #[arg(long, value_name = "PATH", requires = "surface")]
    directory: Option<String>,
}

impl Rpc {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::warn_of_settings(home);
        let filter = Filter {
            session: self.session,
            instances: self.instance,
            directory: self.directory.map(std::path::absolute).transpose()?,
            ..Filter::default()
        };
        let config = HostConfig {
            dialect: find_dialect(&self.dialect)?,
            asker: Asker {
                client: Some(self.client),
                caller: Some(Caller::of_role(Role::Surface)),
                ..asker::in_current_folder()
            },
            surface: self.surface.then_some(filter),
        };
        super::block_on(rpc::run(home, config))
    }
}
