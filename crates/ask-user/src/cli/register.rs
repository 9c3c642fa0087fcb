//! `ask-user register`: writing our server into clients' settings.

pub(crate) mod choice;
pub(crate) mod report;

use clap::Args;

use ask_clients::Client;
use ask_clients::registration::plan::{Plan, plan, takes_over};
use ask_clients::registration::{RegistrationEnv, Scope, apply, is_found};
use ask_config::exit::Exit;
use ask_config::home::Home;
use choice::{Chooser, Chosen, Selection};
use report::{RegistrationReport, Row};

/// Write ask-user into the settings of agent clients
#[derive(Args)]
#[command(
    after_help = "Without CLIENT, the installs that are found are listed, and on a terminal offered. What is there already stays: other servers, comments, order. Each file is kept beside itself as FILE.ask-user-backup before its first change; another file of that name gets a number. The files of an extension or a plugin are ask-user's own: they are written anew. Paths, settings and limits of each client are in docs/reference/clients.md."
)]
pub(crate) struct Register {
    #[command(flatten)]
    selection: Selection,
    /// Take over the client's own question tool, too, if the client offers a way
    #[arg(long)]
    takeover: bool,
}

impl Register {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::warn_of_settings(home);
        let here = RegistrationEnv::find()?;
        let scope = self.selection.scope();
        let chooser = Chooser::new(home, &here, scope);
        let clients = match chooser.choose(&self.selection, "Register", |client| {
            is_found(client, &here)
        })? {
            Chosen::These(clients) => clients,
            Chosen::Nothing(exit) => return Ok(exit),
        };
        let mut report =
            RegistrationReport::new(&here, self.selection.json, self.selection.dry_run);
        for client in &clients {
            let row = self.register_client(client, &here, scope, &report)?;
            report.print_registered(&row)?;
        }
        report.end()
    }

    fn register_client<'a>(
        &self,
        client: &'a Client,
        here: &RegistrationEnv,
        scope: Scope,
        report: &RegistrationReport,
    ) -> anyhow::Result<Row<'a>> {
        let dry = self.selection.dry_run;
        // A takeover from an earlier run is kept up to date.
        let takes_over = self.takeover || takes_over(client, here, scope);
        let plan = plan(client, here, scope, takes_over);
        // Determined before anything is written, because our files would look like an installation.
        let found = is_found(client, here);
        let mut done = write_files(&plan, true);
        let changes = done.iter().any(apply::Done::is_change);
        // The entry and settings that rely on it are written together or not at all.
        let refused = done.iter().any(apply::Done::is_refused);
        if self.takeover && !self.selection.json && !refused {
            report.print_takeover(client, &plan)?;
        }
        if refused {
            done.retain(apply::Done::is_refused);
        } else if !dry {
            done = write_files(&plan, false);
        }
        Ok(Row {
            client,
            found,
            done,
            withheld: refused && changes,
        })
    }
}

/// Writes one file after another, up to the first that fails.
fn write_files(plan: &Plan, dry: bool) -> Vec<apply::Done> {
    let is_registered = apply::is_registered(&plan.files);
    let files = plan.files.iter();
    let folders = plan.folder.iter().chain(&plan.takeover);
    let mut done: Vec<apply::Done> = Vec::new();
    for file in files {
        done.push(apply::register(file, is_registered, dry));
        if !dry && done.iter().any(apply::Done::is_refused) {
            return done;
        }
    }
    done.extend(folders.map(|folder| apply::register_folder(folder, dry)));
    done
}
