//! Checks the installed agent clients: whether each has our entry, and whether the entry starts
//! this program, for this hub, with the right limits.

use std::path::{Path, PathBuf};

use ask_clients::registration::{
    Entry, RegistrationEnv, Scope, State, is_found, servers_of_our_name, state,
};
use ask_clients::{Client, Overrides, table};
use ask_config::home::Home;

use super::binary::{find_on_path, is_executable, is_same_file, read_version, startup_error};
use super::finding::{Finding, Report, quoted};

const CHECK: &str = "client";

pub(super) fn check(home: &Home, overrides: &Overrides, report: &mut Report) -> anyhow::Result<()> {
    let here = match RegistrationEnv::find() {
        Ok(here) => here,
        Err(error) => return report.add(Finding::failed(CHECK, &error)),
    };
    let mut found_any = false;
    for client in table::everybody(overrides) {
        let check = ClientCheck {
            client: &client,
            here: &here,
            home,
        };
        let own = state(&client, &here, Scope::Person);
        let mut project = state(&client, &here, Scope::Project);
        // In the person's home, the project's file may be the person's own.
        project.retain(|(path, _)| own.iter().all(|(own, _)| own != path));
        let mut foreign = servers_of_our_name(&client, &here, Scope::Project);
        foreign.retain(|(path, _)| own.iter().all(|(own, _)| own != path));
        for (path, name) in foreign {
            report.add(check.foreign_server(&path, &name))?;
        }
        let is_there =
            |states: &[(PathBuf, State)]| states.iter().any(|(_, state)| *state != State::Absent);
        let registered = is_there(&own) || is_there(&project);
        if own.is_empty() && project.is_empty() || !registered && !is_found(&client, &here) {
            continue;
        }
        found_any = true;
        if !registered {
            report.add(check.not_registered())?;
            continue;
        }
        let own = own.iter().filter(|_| is_there(&own) || !is_there(&project));
        for (path, state) in own {
            report.add(check.finding(path, state, ""))?;
        }
        for (path, state) in project.iter().filter(|(_, state)| *state != State::Absent) {
            report.add(check.finding(path, state, " --project"))?;
        }
    }
    if !found_any {
        let message =
            "no client of agents was found; `ask-user register --help` says which are known";
        report.add(Finding::fine(CHECK, message))?;
    }
    Ok(())
}

/// The check of one client on this machine.
struct ClientCheck<'a> {
    client: &'a Client,
    here: &'a RegistrationEnv,
    home: &'a Home,
}

impl ClientCheck<'_> {
    fn not_registered(&self) -> Finding {
        let message = format!("{} is installed but can't ask here", self.client.title());
        self.about_client(Finding::warn(CHECK, message).mend(self.register_command("")))
    }

    /// A project's own server that has the name of ours.
    fn foreign_server(&self, path: &Path, name: &str) -> Finding {
        let message = format!(
            "{}: this project's {} has another server named \"{name}\", which may take the place of ask-user",
            self.client.title(),
            self.here.shown(path)
        );
        self.about_client(Finding::warn(CHECK, message).mend(format!("less {}", quoted(path))))
    }

    fn finding(&self, path: &Path, state: &State, flag: &str) -> Finding {
        let title = self.client.title();
        let shown = self.here.shown(path);
        let register = self.register_command(flag);
        let finding = match state {
            State::Absent => {
                let message = format!("{title} has no entry in {shown}, as in its other file");
                Finding::warn(CHECK, message).mend(register)
            }
            State::Broken(problem) => {
                let place = problem.place.map_or_else(String::new, |(line, column)| {
                    format!(", line {line}, column {column}")
                });
                let message = format!("{title}: {shown}{place}: {}", problem.what);
                let fix = format!("${{EDITOR:-vi}} {}\nand then: {register}", quoted(path));
                Finding::fail(CHECK, message).mend(fix)
            }
            State::Ours(entry) | State::Outdated(entry, _) => {
                let mut names = match state {
                    State::Outdated(_, names) => names.clone(),
                    State::Absent | State::Broken(_) | State::Ours(_) => Vec::new(),
                };
                if self.is_link(entry) {
                    names.retain(|name| !name.ends_with(".command"));
                }
                match self
                    .check_entry(entry, flag)
                    .map(|finding| finding.mend(&register))
                {
                    Some(finding) => finding,
                    None if names.is_empty() => {
                        Finding::fine(CHECK, format!("{title} asks here, by {shown}"))
                    }
                    None => {
                        let message = format!(
                            "{title}: in {shown} this is not as it should be: {}",
                            names.join(", ")
                        );
                        Finding::warn(CHECK, message).mend(register)
                    }
                }
            }
        };
        self.about_client(finding)
    }

    /// Checks the command of an entry. Returns a finding if the client doesn't start this program, or starts
    /// it for another hub. What a file of a project names is not run: it may come with the checkout.
    fn check_entry(&self, entry: &Entry, flag: &str) -> Option<Finding> {
        let title = self.client.title();
        let of_project = !flag.is_empty();
        let command = Path::new(&entry.command);
        // An extension starts nothing by itself, and a wrapper in a file of the person's is their own
        // choice.
        if command.file_stem() != self.here.program.file_stem() {
            let message = format!("{title} starts {} in this project", entry.command);
            return of_project.then(|| Finding::warn(CHECK, message));
        }
        // In a project's file the bare name is right: other machines have the program elsewhere.
        let started = match command.is_absolute() {
            true => Some(command.to_owned()),
            false => find_on_path(),
        };
        let Some(started) = started.filter(|started| started.exists()) else {
            let message = format!("{title} starts {}, which is not there", entry.command);
            return Some(Finding::fail(CHECK, message));
        };
        if !is_executable(&started) {
            let message = format!("{title} starts {}, which can't be started", entry.command);
            return Some(Finding::fail(CHECK, message));
        }
        if !is_same_file(&started, &self.here.program) {
            let mut message = format!("{title} starts another ask-user: {}", entry.command);
            if !of_project {
                let theirs = read_version(&started);
                let theirs = theirs.unwrap_or_else(|| "doesn't say its version".to_owned());
                message.push_str(&format!(" ({theirs})"));
            }
            return Some(Finding::warn(CHECK, message));
        }
        // An extension passes the arguments itself, with each question.
        let is_server = self.client.register.folder.is_none() && !of_project;
        if let Some(message) = server_error(&started, entry).filter(|_| is_server) {
            let args = entry.args.join(" ");
            let message =
                format!("{title} starts `ask-user {args}`, which can't serve it: {message}");
            // Registering again would keep arguments that somebody chose.
            let key = &self.client.key;
            let anew = format!(
                "ask-user unregister {key}{flag} && {}",
                self.register_command(flag)
            );
            return Some(Finding::fail(CHECK, message).mend(anew));
        }
        let elsewhere = entry.env.iter().find(|(name, _)| name == "ASK_USER_HOME");
        let (_, elsewhere) =
            elsewhere.filter(|(_, place)| Path::new(place) != self.home.state())?;
        let message = format!(
            "{title} asks the hub in {elsewhere}, not the one in {}",
            self.home.state().display()
        );
        Some(Finding::warn(CHECK, message).mend(format!(
            "ASK_USER_HOME={} ask-user inbox\nor, for it to ask here: ask-user unregister {key} && {}",
            quoted(Path::new(elsewhere)),
            self.register_command(""),
            key = self.client.key,
        )))
    }

    /// Whether the entry names a link to this program, which stays when the program is upgraded.
    fn is_link(&self, entry: &Entry) -> bool {
        let command = Path::new(&entry.command);
        command.is_symlink() && is_same_file(command, &self.here.program)
    }

    fn register_command(&self, flag: &str) -> String {
        format!("ask-user register {}{flag}", self.client.key)
    }

    fn about_client(&self, finding: Finding) -> Finding {
        finding.for_client(&self.client.key)
    }
}

/// Why the command of an entry can't serve its client; `None` if it can.
fn server_error(program: &Path, entry: &Entry) -> Option<String> {
    match entry.args.first().map(String::as_str) {
        // A second server on the same port would fail for a good reason.
        Some("mcp") if entry.args.iter().any(|arg| arg.starts_with("--port")) => None,
        Some("mcp") => startup_error(program, &entry.args, &entry.env),
        Some(_) | None => Some("only `ask-user mcp` is a server".to_owned()),
    }
}
