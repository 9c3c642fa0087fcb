//! `ask-user register`.

pub mod choice;
pub mod report;

use clap::Args;

use crate::clients::Client;
use crate::clients::registration::plan::plan;
use crate::clients::registration::{Here, Scope, is_found, work};
use crate::exit::Exit;
use crate::home::Home;
use choice::{Chooser, Chosen, Selection};
use report::{Report, Row};

/// Enter ask-user in the settings of agent clients
#[derive(Args)]
#[command(
    after_help = "Without CLIENT, the installs that are found are listed, and on a terminal offered. What is there already stays: other servers, comments, order. Each file is kept beside itself as FILE.ask-user-backup before its first change. Paths, settings and limits of each client are in docs/clients.md."
)]
pub struct Register {
    #[command(flatten)]
    selection: Selection,
    /// Take the client's own question tool over, too, where it offers a way
    #[arg(long)]
    takeover: bool,
}

impl Register {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::warn(home);
        let here = Here::find()?;
        let scope = self.selection.scope();
        let chooser = Chooser::new(home, &here, scope);
        let clients = match chooser.choose(&self.selection, "Register", |client| {
            is_found(client, &here)
        })? {
            Chosen::These(clients) => clients,
            Chosen::Nothing(exit) => return Ok(exit),
        };
        let mut report = Report::new(&here, self.selection.json, self.selection.dry_run);
        for client in &clients {
            if self.takeover && !self.selection.json {
                report.announce(client)?;
            }
            report.registered(&self.one(client, &here, scope))?;
        }
        report.end()
    }

    fn one<'a>(&self, client: &'a Client, here: &Here, scope: Scope) -> Row<'a> {
        let dry = self.selection.dry_run;
        let plan = plan(client, here, scope, self.takeover);
        // What we write would look like an install.
        let found = is_found(client, here);
        let is_registered = work::is_registered(&plan.files);
        let mut done: Vec<work::Done> = Vec::new();
        for file in &plan.files {
            done.push(work::register(file, is_registered, dry));
        }
        let folders = plan.folder.iter().chain(&plan.takeover);
        done.extend(folders.map(|folder| work::register_folder(folder, dry)));
        Row {
            client,
            found,
            done,
        }
    }
}
