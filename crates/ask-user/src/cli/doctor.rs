//! `ask-user doctor`: what works, what doesn't, and what fixes it. Each group of checks has a file.
//! This one runs them in order and passes on what later checks need.

pub(crate) mod binary;
mod clients;
mod devices;
mod finding;
mod hub;
mod notify;
mod paths;
mod port;
mod roundtrip;
mod settings;
mod storage;

use ask_config::config::Config;
use ask_config::exit::Exit;
use ask_config::home::Home;
use clap::Args;

use self::finding::Report;
pub(crate) use self::finding::quoted;

/// Check the installation, with a question that it asks and answers itself
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 all is well, warnings included; 1 something has to be mended."
)]
pub(crate) struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let mut report = Report::new(self.json);
        let read = Config::read(&home.config_file());
        binary::check(&mut report)?;
        settings::check(home, &read, &mut report)?;
        notify::check(&read.config.notify, &mut report)?;
        paths::check(home, &mut report)?;
        let status = super::block_on(async {
            let Some((client, status)) = hub::check(home, &mut report).await? else {
                return Ok(None);
            };
            storage::check(home, &client, &mut report).await?;
            port::check(home, &read.config.http, &status, &mut report).await?;
            devices::check(home, &read.config.http, &client, &mut report).await?;
            roundtrip::check(&client, &mut report).await?;
            Ok(Some(status))
        })?;
        clients::check(home, &read.config.clients, &mut report)?;
        if let Some(status) = status {
            storage::report_asks(&status, &mut report)?;
        }
        report.end()
    }
}
