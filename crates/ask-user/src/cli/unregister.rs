//! `ask-user unregister`: removing our server from clients' settings.

use ask_clients::Client;
use ask_clients::registration::apply::{self, Done, FileResult};
use ask_clients::registration::plan::plan;
use ask_clients::registration::{RegistrationEnv, Scope, is_found};
use ask_config::exit::Exit;
use ask_config::home::Home;
use clap::Args;

use super::register::choice::{Chooser, Chosen, Selection};
use super::register::report::{RegistrationReport, Row};

/// Remove ask-user from the settings of agent clients
#[derive(Args)]
#[command(
    after_help = "Without CLIENT, the registrations that are found are listed, and on a terminal offered. Where nothing else has changed since, a file comes back as it was, to the letter, and its backup goes; an entry that you had written yourself comes back, too."
)]
pub(crate) struct Unregister {
    #[command(flatten)]
    selection: Selection,
}

impl Unregister {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::warn_of_settings(home);
        let here = RegistrationEnv::find()?;
        let scope = self.selection.scope();
        let chooser = Chooser::new(home, &here, scope);
        let is_there = |client: &Client| {
            let changes = remove(client, &here, scope, true);
            changes.iter().any(|done| done.fate != FileResult::Nothing)
        };
        let clients = match chooser.choose(&self.selection, "Unregister", is_there)? {
            Chosen::These(clients) => clients,
            Chosen::Nothing(exit) => return Ok(exit),
        };
        let dry = self.selection.dry_run;
        let mut report = RegistrationReport::new(&here, self.selection.json, dry);
        for client in &clients {
            report.print_unregistered(&Row {
                client,
                found: is_found(client, &here),
                done: remove(client, &here, scope, dry),
                withheld: false,
            })?;
        }
        report.end()
    }
}

fn remove(client: &Client, here: &RegistrationEnv, scope: Scope, dry: bool) -> Vec<Done> {
    let up_to = match scope {
        Scope::Person => &here.home,
        Scope::Project => &here.project,
    };
    let plan = plan(client, here, scope, true);
    let is_entered = apply::is_entered(&plan.files);
    let files = plan.files.iter();
    let mut done: Vec<Done> = files
        .map(|file| apply::unregister(file, is_entered, up_to, dry))
        .collect();
    let folders = plan.folder.iter().chain(&plan.takeover);
    done.extend(folders.map(|folder| apply::unregister_folder(folder, up_to, dry)));
    done
}
