//! `ask-user status`, and the output of bare `ask-user` without a terminal.

use std::io::Write;
use std::path::Path;

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_hub::client::Client;
use ask_hub::lock;
use ask_protocol::ipc::{self, Status as HubStatus};
use ask_store::sqlite;
use clap::Args;

/// Print in one line what waits, without starting a hub
#[derive(Args)]
pub(crate) struct Status {
    /// Print for a status line: nothing if nothing waits
    #[arg(long, conflicts_with = "json")]
    tmux: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let status = find_status(home)?;
        let mut out = std::io::stdout();
        if self.json {
            writeln!(out, "{}", ipc::status_json(status.as_ref()))?;
            return Ok(Exit::Done);
        }
        if self.tmux {
            let waiting = status.as_ref().map_or(0, waiting_count);
            if waiting > 0 {
                writeln!(out, "ask {waiting}")?;
            }
            return Ok(Exit::Done);
        }
        writeln!(out, "{}", summary(status.as_ref()))?;
        Ok(Exit::Done)
    }
}

/// Prints the status and the first commands, in place of the inbox.
pub(crate) fn print_overview(home: &Home) -> anyhow::Result<Exit> {
    let status = find_status(home)?;
    writeln!(
        std::io::stdout(),
        "{}\nTo answer: `ask-user inbox` in a terminal, or `ask-user list` and `ask-user answer ID --set ...`.\nTo ask: `ask-user mcp` from an agent, `ask-user ask` from a script. `ask-user --help` lists the rest.",
        summary(status.as_ref())
    )?;
    Ok(Exit::Done)
}

/// Prints the hub's status, for `ask-user hub` and `hub --status`.
pub(crate) fn print_hub(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let status = find_status(home)?;
    let mut out = std::io::stdout();
    if json {
        let folder = home.state().display().to_string();
        writeln!(out, "{}", ipc::hub_json(status.as_ref(), &folder))?;
    } else {
        match &status {
            Some(status) => writeln!(
                out,
                "The hub runs: version {}, process {}, {} connected, {}; files in {}.",
                status.version,
                status.pid,
                status.clients,
                match status.waiters {
                    1 => "1 call waits".to_owned(),
                    calls => format!("{calls} calls wait"),
                },
                home.state().display()
            )?,
            None => match lock::holder_pid(home) {
                Some(pid) => writeln!(
                    out,
                    "The hub (process {pid}) can't be reached, because its socket or hub.json was removed. The next command that needs the hub makes it create them again."
                )?,
                None => writeln!(out, "No hub runs; whichever command needs it starts one.")?,
            },
        }
        if let Some(port) = status.as_ref().and_then(|status| status.port) {
            writeln!(
                out,
                "MCP over HTTP: http://127.0.0.1:{port}/mcp, with the token in {}.",
                home.token_file().display()
            )?;
            writeln!(
                out,
                "Bridge for apps that answer: ws://127.0.0.1:{port}/bridge, with the token in {}.",
                home.answer_token_file().display()
            )?;
        }
        if let Some(place) = status.as_ref().and_then(|status| status.set_aside.as_ref()) {
            writeln!(
                out,
                "Mind: {}.",
                sqlite::describe_set_aside(Path::new(place))
            )?;
        }
    }
    Ok(if status.is_some() {
        Exit::Done
    } else {
        Exit::NoHub
    })
}

fn find_status(home: &Home) -> anyhow::Result<Option<HubStatus>> {
    super::warn_of_settings(home);
    super::block_on(async {
        match Client::find(home).await? {
            Some(client) => {
                let status = client.status().await?;
                // This command's own connection isn't counted.
                let clients = status.clients.saturating_sub(1);
                Ok(Some(HubStatus { clients, ..status }))
            }
            None => Ok(None),
        }
    })
}

/// The open asks that are not snoozed.
fn waiting_count(status: &HubStatus) -> u64 {
    status.waiting.saturating_sub(status.snoozed)
}

/// The open asks and undelivered answers, in one line.
pub(crate) fn summary(status: Option<&HubStatus>) -> String {
    let Some(status) = status else {
        return "Nothing waits (no hub runs).".to_owned();
    };
    let mut text = match waiting_count(status) {
        0 => "Nothing waits for an answer.".to_owned(),
        1 => "1 question waits for an answer.".to_owned(),
        count => format!("{count} questions wait for an answer."),
    };
    match status.snoozed {
        0 => {}
        count => text.push_str(&format!(" {count} snoozed.")),
    }
    match status.undelivered {
        0 => {}
        1 => text.push_str(" 1 answer is kept until its agent comes for it."),
        count => text.push_str(&format!(
            " {count} answers are kept until their agents come for them."
        )),
    }
    text
}
