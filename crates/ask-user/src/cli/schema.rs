//! `ask-user schema`: a dialect's tool contracts.

use std::io::Write;

use ask_config::exit::Exit;
use ask_mcp::find_dialect;
use clap::Args;

/// Print a dialect's tools as agents see them
#[derive(Args)]
pub(crate) struct Schema {
    /// The dialect
    #[arg(long, value_name = "NAME", default_value = "native")]
    dialect: String,
}

impl Schema {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        for tool in find_dialect(&self.dialect)?.tools() {
            writeln!(out, "{}", tool.contract.trim_end())?;
        }
        Ok(Exit::Done)
    }
}
