//! The selection of clients: named ones, all that are found, or those that the person picks.

use std::io::{IsTerminal, Write};

use ask_clients::Client;
use ask_clients::registration::plan::plan;
use ask_clients::registration::{RegistrationEnv, Scope, State, state};
use ask_clients::table::everybody;
use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::Json;
use clap::Args;

/// The options that `register` and `unregister` share.
#[derive(Args)]
pub(crate) struct Selection {
    /// The clients, by their keys in docs/reference/clients.md
    #[arg(value_name = "CLIENT")]
    clients: Vec<String>,
    /// Select every client that is found
    #[arg(long, conflicts_with = "clients")]
    all: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Use this project's settings instead of your own
    #[arg(long)]
    project: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Selection {
    /// Whose settings are changed.
    pub(crate) fn scope(&self) -> Scope {
        if self.project {
            Scope::Project
        } else {
            Scope::Person
        }
    }
}

/// The similarity from which a word counts as a mistyped key. It is higher than clap's 0.7, because many
/// keys end in `-code` or `-cli`.
const MIN_SIMILARITY: f64 = 0.8;

/// The result of the selection.
pub(crate) enum Chosen {
    /// These clients were selected.
    These(Vec<Client>),
    /// No client was selected, and the reason was printed.
    Nothing(Exit),
}

/// The clients to select from.
pub(crate) struct Chooser<'a> {
    here: &'a RegistrationEnv,
    clients: Vec<Client>,
    in_other_scope: Vec<Client>,
    scope: Scope,
}

impl<'a> Chooser<'a> {
    /// The clients that can be registered in this scope.
    pub(crate) fn new(home: &Home, here: &'a RegistrationEnv, scope: Scope) -> Self {
        let overrides = Config::read(&home.config_file()).config.clients;
        let known = everybody(&overrides).into_iter();
        let (clients, others): (Vec<Client>, Vec<Client>) =
            known.partition(|client| !plan(client, here, scope, false).is_empty());
        let in_any_scope = |client: &Client| {
            let mut scopes = [Scope::Person, Scope::Project].iter();
            scopes.any(|scope| !plan(client, here, *scope, false).is_empty())
        };
        Self {
            here,
            clients,
            in_other_scope: others.into_iter().filter(in_any_scope).collect(),
            scope,
        }
    }

    /// Returns the selected clients. Without a selection, offers those that are there.
    pub(crate) fn choose(
        self,
        selection: &Selection,
        verb: &str,
        is_there: impl Fn(&Client) -> bool,
    ) -> anyhow::Result<Chosen> {
        if !selection.clients.is_empty() {
            return self.find_named(&selection.clients).map(Chosen::These);
        }
        let keys = self.keys();
        let example = self.clients.first().map(|client| client.key.clone());
        let (here, scope) = (self.here, self.scope);
        let there: Vec<Client> = self.clients.into_iter().filter(is_there).collect();
        if there.is_empty() {
            if selection.json {
                return Ok(Chosen::These(there));
            }
            let mut out = std::io::stdout();
            if verb == "Register" {
                writeln!(
                    out,
                    "No agent client was found: there are neither settings of one in your home folder, nor its program in PATH.\nTo register one all the same, name it, as in `ask-user register {}`. Known are {keys}.",
                    example.unwrap_or_default()
                )?;
                return Ok(Chosen::Nothing(Exit::Failure));
            }
            writeln!(out, "ask-user is registered nowhere here.")?;
            return Ok(Chosen::Nothing(Exit::Done));
        }
        if selection.all {
            return Ok(Chosen::These(there));
        }
        ask_person(there, verb, selection, |client| {
            status_text(client, here, scope)
        })
    }

    fn find_named(self, names: &[String]) -> anyhow::Result<Vec<Client>> {
        let keys = self.keys();
        let mut chosen: Vec<Client> = Vec::new();
        for name in names {
            let is_named =
                |client: &&Client| client.key == *name || client.title().eq_ignore_ascii_case(name);
            let Some(client) = self.clients.iter().find(is_named) else {
                let what = match self.in_other_scope.iter().find(is_named) {
                    Some(client) if self.scope == Scope::Project => {
                        format!("{} has no settings of a project", client.title())
                    }
                    Some(client) => format!("{} has only settings of a project", client.title()),
                    None => format!("no client is called \"{name}\""),
                };
                let hint = match (what.starts_with("no client"), self.nearest(name)) {
                    (true, Some(key)) => format!("did you mean {key}? Known are {keys}"),
                    (true, None) => format!("known are {keys}"),
                    (false, _) => "leave --project out, or put it in".to_owned(),
                };
                return Err(Failure::new(Exit::Usage, what, hint).into());
            };
            if !chosen.iter().any(|known| known.key == client.key) {
                chosen.push(client.clone());
            }
        }
        Ok(chosen)
    }

    /// The known key that is most like a mistyped one.
    fn nearest(&self, name: &str) -> Option<&str> {
        let keys = self.clients.iter().map(|client| client.key.as_str());
        let similarities = keys.map(|key| (strsim::jaro(name, key), key));
        let near = similarities.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
        let nearest = near.max_by(|(one, _), (other, _)| one.total_cmp(other));
        nearest.map(|(_, key)| key)
    }

    fn keys(&self) -> String {
        let keys: Vec<&str> = self
            .clients
            .iter()
            .map(|client| client.key.as_str())
            .collect();
        keys.join(", ")
    }
}

fn ask_person(
    there: Vec<Client>,
    verb: &str,
    selection: &Selection,
    status_text: impl Fn(&Client) -> &'static str,
) -> anyhow::Result<Chosen> {
    let mut out = std::io::stdout();
    let terminal = std::io::stdin().is_terminal() && out.is_terminal() && !selection.json;
    if selection.json {
        let rows = there.iter().map(|client| {
            let status = status_text(client).trim_start_matches(": ");
            let fields = [
                ("key", client.key.as_str()),
                ("name", client.title()),
                ("state", if status.is_empty() { "found" } else { status }),
            ];
            let fields = fields.into_iter();
            let row = fields.map(|(name, text)| (name.to_owned(), Json::from(text)));
            row.collect::<Json>()
        });
        let all: Json = [("clients".to_owned(), rows.collect::<Json>())]
            .into_iter()
            .collect();
        writeln!(out, "{all}")?;
        return Ok(Chosen::Nothing(Exit::Done));
    }
    writeln!(out, "Found here:")?;
    for (number, client) in there.iter().enumerate() {
        let (title, key) = (client.title(), &client.key);
        writeln!(
            out,
            "  {}. {title} ({key}){}",
            number + 1,
            status_text(client)
        )?;
    }
    if !terminal {
        let verb = verb.to_lowercase();
        writeln!(
            out,
            "Nothing was changed. `ask-user {verb} --all` takes them all, `ask-user {verb} {}` one; `--dry-run` shows what would change.",
            there[0].key
        )?;
        return Ok(Chosen::Nothing(Exit::Usage));
    }
    loop {
        write!(
            out,
            "{verb} which? Numbers or names, Enter for all, q for none: "
        )?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Chosen::Nothing(Exit::Failure));
        }
        match parse_picks(&line, &there) {
            Ok(picks) if picks.is_empty() => {
                writeln!(out, "Nothing was changed.")?;
                return Ok(Chosen::Nothing(Exit::Done));
            }
            Ok(picks) => return Ok(Chosen::These(picks)),
            Err(word) => writeln!(out, "\"{word}\" is none of them.")?,
        }
    }
}

/// The status of a client, for the list.
fn status_text(client: &Client, here: &RegistrationEnv, scope: Scope) -> &'static str {
    let states = state(client, here, scope);
    let any = |wanted: fn(&State) -> bool| states.iter().any(|(_, state)| wanted(state));
    if any(|state| matches!(state, State::Broken(_))) {
        ": its settings can't be read"
    } else if any(|state| matches!(state, State::Outdated(..))) {
        ": registered, but not as it would be today"
    } else if any(|state| matches!(state, State::Absent)) {
        ""
    } else {
        ": registered"
    }
}

/// The clients that an input line selects, or the first word that selects none.
fn parse_picks(line: &str, there: &[Client]) -> Result<Vec<Client>, String> {
    let line = line.trim();
    if line.is_empty() || line.eq_ignore_ascii_case("all") {
        return Ok(there.to_vec());
    }
    if matches!(line, "q" | "n" | "no" | "none") {
        return Ok(Vec::new());
    }
    let mut picks: Vec<Client> = Vec::new();
    let words = line.split([' ', ',']).filter(|word| !word.is_empty());
    for word in words {
        let number = word.parse::<usize>().ok();
        let by_number = number.and_then(|number| there.get(number.checked_sub(1)?));
        let client = by_number.or_else(|| there.iter().find(|client| client.key == word));
        let client = client.ok_or_else(|| ask_core::sanitize::SafeText::line(word).to_string())?;
        if !picks.iter().any(|known| known.key == client.key) {
            picks.push(client.clone());
        }
    }
    Ok(picks)
}
