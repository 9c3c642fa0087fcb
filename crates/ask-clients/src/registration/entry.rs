//! Our entry among a client's servers: its content, and which of the existing entries is ours.

use std::path::Path;

use ask_core::Json;
use ask_protocol::text_json;

use super::super::Client;
use super::super::table::LIMIT_VARIABLE;
use super::Scope;
use super::change::differing;
use super::installed_binary::RegistrationEnv;

/// The name of the entry. Clients build the names of tools from it.
pub(crate) const NAME: &str = "ask";

/// The name if another entry has that name already.
const OTHER_NAME: &str = "ask-user";

/// The file name of our program.
pub(crate) const PROGRAM: &str = "ask-user";

/// The variable with the home of all our files. Agents need the same value as the person.
pub(crate) const HOME_VARIABLE: &str = "ASK_USER_HOME";

/// The keys that clients use for an entry's environment.
const ENVIRONMENTS: [&str; 3] = ["env", "environment", "envs"];

/// An existing entry of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The program that the client starts.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment variables.
    pub env: Vec<(String, String)>,
    /// The time limit of calls in milliseconds, if the entry has one.
    pub timeout_ms: Option<u64>,
}

/// The entry that a client should have.
#[derive(Clone, Debug)]
pub struct DesiredEntry {
    /// The keys of the object or list of entries.
    pub at: Vec<String>,
    /// Whether entries are in a list and contain their name.
    pub list: bool,
    template: Json,
    program: String,
    tool: String,
    asks_as: Option<String>,
    env: Vec<(String, String)>,
    timeout: Option<(String, u64)>,
    factor: u64,
}

impl DesiredEntry {
    /// The entry for a client; `None` if the client takes no entries.
    pub fn for_client(client: &Client, here: &RegistrationEnv, scope: Scope) -> Option<Self> {
        let register = &client.register;
        let (at, list) = place(register.at.as_deref()?);
        let factor = if register.timeout_unit.as_deref() == Some("s") {
            1_000
        } else {
            1
        };
        let timeout = register.timeout_key.clone().zip(register.timeout);
        let mut env = Vec::new();
        if let Some((_, value)) = &timeout {
            env.push((LIMIT_VARIABLE.to_owned(), (value * factor).to_string()));
        }
        if let Some(home) = here.variable(HOME_VARIABLE) {
            let home = here.project.join(home).display().to_string();
            env.push((HOME_VARIABLE.to_owned(), home));
        }
        // A project's file is used on other machines, where our program has another path.
        let name = here.program_name.clone();
        let program = name.filter(|_| scope == Scope::Project);
        Some(Self {
            at,
            list,
            template: text_json(register.stdio.as_deref()?).ok()?,
            program: program.unwrap_or_else(|| here.program.display().to_string()),
            tool: tool(client).to_owned(),
            asks_as: client.tool_name.clone(),
            env,
            timeout,
            factor,
        })
    }

    /// The existing entry of ours.
    pub fn found(&self, tree: &Json) -> Option<Entry> {
        let (name, entry) = self.ours(tree).into_iter().next()?;
        Some(self.existing(name, entry))
    }

    /// All existing entries of ours, by key or list index. The one with our own name is first.
    pub fn ours<'a>(&self, tree: &'a Json) -> Vec<(String, &'a Json)> {
        let mut found = self.servers(tree);
        found.retain(|(_, entry)| is_ours(entry));
        found.sort_by_key(|(name, _)| name != NAME);
        found
    }

    /// Another server that has a name of ours.
    pub fn of_our_name(&self, tree: &Json) -> Option<String> {
        let servers = self.servers(tree).into_iter();
        let mut names = servers
            .filter(|(_, entry)| !is_ours(entry))
            .map(|(key, entry)| self.name_of(&key, entry).to_owned());
        names.find(|name| [NAME, OTHER_NAME].contains(&name.as_str()))
    }

    /// All entries, by key or list index.
    fn servers<'a>(&self, tree: &'a Json) -> Vec<(String, &'a Json)> {
        match table_at(tree, &self.at) {
            Some(Json::Object(fields)) => fields
                .iter()
                .map(|(name, entry)| (name.clone(), entry))
                .collect(),
            Some(Json::Array(entries)) => entries
                .iter()
                .enumerate()
                .map(|(index, entry)| (index.to_string(), entry))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The name of an entry under this key.
    pub fn name_of<'a>(&self, key: &'a str, entry: &'a Json) -> &'a str {
        let named = entry.get("name").and_then(Json::as_str);
        named.filter(|_| self.list).unwrap_or(key)
    }

    /// Whether a registration wrote this entry, whatever program it starts. A registered entry has
    /// the limit variable, which hardly anybody else sets, or our name and everything that we
    /// write. All others were written by the person.
    pub fn is_registered(&self, key: &str, entry: &Json) -> bool {
        let name = self.name_of(key, entry);
        let existing = self.existing(key.to_owned(), entry);
        if existing.env.iter().any(|(name, _)| name == LIMIT_VARIABLE) {
            return true;
        }
        let mut same = self.clone();
        same.program = existing.command;
        same.env.retain(|(name, _)| name != HOME_VARIABLE);
        let mut others = Vec::new();
        let value = same.value(name, Some(entry));
        differing(entry, &value, &mut Vec::new(), &mut others);
        [NAME, OTHER_NAME].contains(&name) && others.is_empty()
    }

    /// The entries of ours that the person wrote.
    pub fn theirs<'a>(&self, tree: &'a Json) -> Vec<(String, &'a Json)> {
        let mut found = self.ours(tree);
        found.retain(|(key, entry)| !self.is_registered(key, entry));
        found
    }

    /// The name for a new entry: the first that is free.
    pub fn new_name(&self, tree: &Json) -> Option<&'static str> {
        let taken = |name: &str| match table_at(tree, &self.at) {
            Some(Json::Object(fields)) => fields.contains_key(name),
            Some(Json::Array(entries)) => entries
                .iter()
                .any(|entry| entry.get("name").and_then(Json::as_str) == Some(name)),
            _ => false,
        };
        [NAME, OTHER_NAME].into_iter().find(|name| !taken(name))
    }

    /// The entry as it should be. It keeps what a person has added to the entry `before`.
    pub fn value(&self, name: &str, before: Option<&Json>) -> Json {
        let mut args = before.map_or_else(Vec::new, |before| {
            let (words, ours) = words(before);
            words[(ours + 1).min(words.len())..].to_vec()
        });
        if args.first().is_none_or(|first| first != "mcp") {
            args.insert(0, "mcp".to_owned());
        }
        let named = args.iter().any(|word| word.starts_with("--tool-name"));
        if let Some(tool) = self.asks_as.as_ref().filter(|_| !named) {
            args.extend(["--tool-name".to_owned(), tool.clone()]);
        }
        let mut value = self.fill(&self.template, name, &args);
        if let (Json::Object(fields), Some((key, timeout))) = (&mut value, &self.timeout) {
            fields.insert(key.clone(), Json::from(*timeout));
        }
        value
    }

    /// The path to a home variable that the entry should no longer have.
    pub fn stray_home(&self, entry: &Json) -> Option<Vec<String>> {
        if self.env.iter().any(|(name, _)| name == HOME_VARIABLE) {
            return None;
        }
        let inner = entry.get("transport").filter(|inner| inner.is_object());
        let start = inner.map(|_| "transport".to_owned());
        let entry = inner.unwrap_or(entry);
        let mut keys = ENVIRONMENTS.iter();
        let has = |key: &&&str| {
            entry
                .get(**key)
                .is_some_and(|env| env.get(HOME_VARIABLE).is_some())
        };
        let key = keys.find(has)?;
        let alone = entry.get(*key).and_then(Json::as_object)?.len() == 1;
        let last = (!alone).then(|| HOME_VARIABLE.to_owned());
        Some(
            start
                .into_iter()
                .chain([(*key).to_owned()])
                .chain(last)
                .collect(),
        )
    }

    fn fill(&self, template: &Json, name: &str, args: &[String]) -> Json {
        match template {
            Json::String(word) => match word.as_str() {
                "CMD" => Json::from(self.program.as_str()),
                "ASK" => Json::from(name),
                "ENV" => self
                    .env
                    .iter()
                    .map(|(name, value)| (name.clone(), Json::from(value.as_str())))
                    .collect(),
                _ => template.clone(),
            },
            Json::Array(items) => items
                .iter()
                .flat_map(|item| match item.as_str() {
                    Some("ARGS") => args.iter().map(|word| Json::from(word.as_str())).collect(),
                    Some("TOOLS") => vec![Json::from(self.tool.as_str()), Json::from(RESULT_TOOL)],
                    _ => vec![self.fill(item, name, args)],
                })
                .collect(),
            Json::Object(fields) => fields
                .iter()
                .map(|(key, item)| (key.clone(), self.fill(item, name, args)))
                .filter(|(_, item)| item.as_object().is_none_or(|fields| !fields.is_empty()))
                .collect(),
            Json::Null | Json::Bool(_) | Json::Number(_) => template.clone(),
        }
    }

    fn existing(&self, key: String, entry: &Json) -> Entry {
        let (words, _) = words(entry);
        let env = ENVIRONMENTS
            .iter()
            .find_map(|name| entry.get(*name)?.as_object());
        let env = env.into_iter().flatten();
        let timeout = self.timeout.as_ref();
        let timeout = timeout.and_then(|(key, _)| entry.get(key)?.as_u64());
        Entry {
            name: self.name_of(&key, entry).to_owned(),
            command: words.first().cloned().unwrap_or_default(),
            args: words.get(1..).unwrap_or_default().to_vec(),
            env: env
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
            timeout_ms: timeout.map(|timeout| timeout.saturating_mul(self.factor)),
        }
    }
}

/// The name of our tool that fetches an answer later.
const RESULT_TOOL: &str = "ask_user_result";

/// The name of our asking tool in this client.
pub(crate) fn tool(client: &Client) -> &str {
    client.tool_name.as_deref().unwrap_or("ask_user")
}

/// Parses a place in `clients.toml`: keys with `/` between them, and `[]` at the end for a list.
pub(crate) fn place(path: &str) -> (Vec<String>, bool) {
    let list = path.ends_with("[]");
    let keys = path.trim_end_matches("[]").split('/');
    (keys.map(str::to_owned).collect(), list)
}

/// The value under these keys.
pub(crate) fn table_at<'a>(tree: &'a Json, at: &[String]) -> Option<&'a Json> {
    at.iter().try_fold(tree, |tree, key| tree.get(key))
}

/// Whether an entry starts our program.
pub(crate) fn is_ours(entry: &Json) -> bool {
    let (words, ours) = words(entry);
    ours < words.len()
}

/// Whether a shell command runs this command of our program.
pub(crate) fn runs_us(text: &str, command: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|words| {
        is_program(words[0].trim_matches(['"', '\''])) && words[1].trim_matches('"') == command
    })
}

fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let is_named = Path::new(name)
        .file_stem()
        .is_some_and(|stem| stem == PROGRAM);
    is_named || is_this_very_program(Path::new(word))
}

/// Whether a path leads to this program, under any name.
fn is_this_very_program(path: &Path) -> bool {
    let own = || std::env::current_exe()?.canonicalize();
    path.is_absolute()
        && matches!((path.canonicalize(), own()), (Ok(theirs), Ok(ours)) if theirs == ours)
}

/// The command line of an entry, and the index of our program in it: the first word, or a word that
/// another program runs with `mcp`. The index is the length if our program isn't in it.
fn words(entry: &Json) -> (Vec<String>, usize) {
    let inner = entry.get("transport").filter(|inner| inner.is_object());
    let entry = inner.unwrap_or(entry);
    // An entry copied from another client may have both keys; a client starts one program.
    let mut starts = ["command", "cmd"].iter().filter_map(|key| entry.get(*key));
    let starts = starts.find(|starts| starts.is_string() || starts.is_array());
    // A list is the whole command line, so what another client's `args` say there starts nothing.
    let args = entry
        .get("args")
        .filter(|_| !starts.is_some_and(Json::is_array));
    let parts = starts.into_iter().chain(args);
    let mut words: Vec<String> = Vec::new();
    for part in parts {
        match part {
            Json::String(word) => words.push(word.clone()),
            Json::Array(items) => {
                words.extend(items.iter().filter_map(Json::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    let serves = |index: usize| words.get(index + 1).is_some_and(|word| word == "mcp");
    let ours = (0..words.len())
        .find(|&index| is_program(&words[index]) && (index == 0 || serves(index)))
        .unwrap_or(words.len());
    (words, ours)
}
