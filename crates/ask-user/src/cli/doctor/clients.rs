//! Checks the installed agent clients: whether each has our entry, and whether the entry starts
//! this program, for this hub, with the right limits.

use std::path::{Path, PathBuf};

use ask_clients::registration::{Entry, RegistrationEnv, Scope, State, is_found, state};
use ask_clients::{Client, Overrides, table};
use ask_config::home::Home;

use super::binary::{complains, found, is_program, is_same, says_version};
use super::finding::{Finding, Report, quoted};

const CHECK: &str = "client";

pub(super) fn check(home: &Home, overrides: &Overrides, report: &mut Report) -> anyhow::Result<()> {
    let here = match RegistrationEnv::find() {
        Ok(here) => here,
        Err(error) => return report.say(Finding::failed(CHECK, &error)),
    };
    let mut any = false;
    for client in table::everybody(overrides) {
        let place = ClientPlace {
            client: &client,
            here: &here,
            home,
        };
        let own = state(&client, &here, Scope::Person);
        let mut project = state(&client, &here, Scope::Project);
        // In the person's home, the project's file may be the person's own.
        project.retain(|(path, _)| own.iter().all(|(own, _)| own != path));
        let is_there =
            |states: &[(PathBuf, State)]| states.iter().any(|(_, state)| *state != State::Absent);
        let registered = is_there(&own) || is_there(&project);
        if own.is_empty() && project.is_empty() || !registered && !is_found(&client, &here) {
            continue;
        }
        any = true;
        if !registered {
            report.say(place.absent())?;
            continue;
        }
        let own = own.iter().filter(|_| is_there(&own) || !is_there(&project));
        for (path, state) in own {
            report.say(place.finding(path, state, ""))?;
        }
        for (path, state) in project.iter().filter(|(_, state)| *state != State::Absent) {
            report.say(place.finding(path, state, " --project"))?;
        }
    }
    if !any {
        let said = "no client of agents was found; `ask-user register --help` says which are known";
        report.say(Finding::fine(CHECK, said))?;
    }
    Ok(())
}

/// One client on this machine.
struct ClientPlace<'a> {
    client: &'a Client,
    here: &'a RegistrationEnv,
    home: &'a Home,
}

impl ClientPlace<'_> {
    fn absent(&self) -> Finding {
        let said = format!("{} is installed but can't ask here", self.client.title());
        self.with_place(Finding::warn(CHECK, said).mend(self.register("")))
    }

    fn finding(&self, path: &Path, state: &State, flag: &str) -> Finding {
        let title = self.client.title();
        let shown = self.here.shown(path);
        let register = self.register(flag);
        let finding = match state {
            State::Absent => {
                let said = format!("{title} has no entry in {shown}, as in its other file");
                Finding::warn(CHECK, said).mend(register)
            }
            State::Broken(problem) => {
                let place = problem.place.map_or_else(String::new, |(line, column)| {
                    format!(", line {line}, column {column}")
                });
                let said = format!("{title}: {shown}{place}: {}", problem.what);
                let mend = format!("${{EDITOR:-vi}} {}\nand then: {register}", quoted(path));
                Finding::fail(CHECK, said).mend(mend)
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
                    .wrong(entry, flag)
                    .map(|finding| finding.mend(&register))
                {
                    Some(finding) => finding,
                    None if names.is_empty() => {
                        Finding::fine(CHECK, format!("{title} asks here, by {shown}"))
                    }
                    None => {
                        let said = format!(
                            "{title}: in {shown} this is not as it should be: {}",
                            names.join(", ")
                        );
                        Finding::warn(CHECK, said).mend(register)
                    }
                }
            }
        };
        self.with_place(finding)
    }

    /// A finding if the client doesn't start this program for this hub.
    fn wrong(&self, entry: &Entry, flag: &str) -> Option<Finding> {
        let title = self.client.title();
        let command = Path::new(&entry.command);
        // An extension starts nothing by itself, and a wrapper is the person's own choice.
        if command.file_stem() != self.here.program.file_stem() {
            return None;
        }
        // In a project's file the bare name is right: other machines have the program elsewhere.
        let started = match command.is_absolute() {
            true => Some(command.to_owned()),
            false => found(),
        };
        let Some(started) = started.filter(|started| started.exists()) else {
            let said = format!("{title} starts {}, which is not there", entry.command);
            return Some(Finding::fail(CHECK, said));
        };
        if !is_program(&started) {
            let said = format!("{title} starts {}, which can't be started", entry.command);
            return Some(Finding::fail(CHECK, said));
        }
        if !is_same(&started, &self.here.program) {
            let theirs = says_version(&started);
            let said = format!(
                "{title} starts another ask-user: {} ({})",
                entry.command,
                theirs.unwrap_or_else(|| "doesn't say its version".to_owned())
            );
            return Some(Finding::warn(CHECK, said));
        }
        // An extension passes the arguments itself, with each question.
        let is_server = self.client.register.folder.is_none();
        if let Some(said) = unfit(&started, entry).filter(|_| is_server) {
            let args = entry.args.join(" ");
            let said = format!("{title} starts `ask-user {args}`, which can't serve it: {said}");
            // Registering again would keep arguments that somebody chose.
            let key = &self.client.key;
            let anew = format!("ask-user unregister {key}{flag} && {}", self.register(flag));
            return Some(Finding::fail(CHECK, said).mend(anew));
        }
        let elsewhere = entry.env.iter().find(|(name, _)| name == "ASK_USER_HOME");
        let (_, elsewhere) =
            elsewhere.filter(|(_, place)| Path::new(place) != self.home.state())?;
        let said = format!(
            "{title} asks the hub in {elsewhere}, not the one in {}",
            self.home.state().display()
        );
        Some(Finding::warn(CHECK, said).mend(format!(
            "ASK_USER_HOME={} ask-user inbox\nor, for it to ask here: ask-user unregister {key} && {}",
            quoted(Path::new(elsewhere)),
            self.register(""),
            key = self.client.key,
        )))
    }

    /// Whether the entry names a link to this program, which stays when the program is upgraded.
    fn is_link(&self, entry: &Entry) -> bool {
        let command = Path::new(&entry.command);
        command.is_symlink() && is_same(command, &self.here.program)
    }

    fn register(&self, flag: &str) -> String {
        format!("ask-user register {}{flag}", self.client.key)
    }

    fn with_place(&self, finding: Finding) -> Finding {
        finding.for_client(&self.client.key)
    }
}

/// Why the command of an entry can't serve its client.
fn unfit(program: &Path, entry: &Entry) -> Option<String> {
    match entry.args.first().map(String::as_str) {
        // A second server on the same port would fail for a good reason.
        Some("mcp") if entry.args.iter().any(|arg| arg.starts_with("--port")) => None,
        Some("mcp") => complains(program, &entry.args, &entry.env),
        Some(_) | None => Some("only `ask-user mcp` is a server".to_owned()),
    }
}
