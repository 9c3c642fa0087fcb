//! The plan of a registration: which files get an entry and further settings, and which folder gets
//! files.

use std::io;
use std::path::{Path, PathBuf};

use ask_core::Json;
use ask_files::Root;
use ask_protocol::text_json;

use super::super::Client;
use super::Scope;
use super::config_dir::Folder;
use super::entry::{DesiredEntry, Entry, HOME_VARIABLE, NAME, place, runs_us, table_at, tool};
use super::file_io;
use super::installed_binary::RegistrationEnv;
use super::text::{self, Format};

/// The plan for one client.
#[derive(Debug, Default)]
pub struct Plan {
    /// The files, each once.
    pub files: Vec<File>,
    /// The folder of our extension.
    pub folder: Option<Folder>,
    /// The folder of the plugin that takes over its question tool.
    pub takeover: Option<Folder>,
}

/// The plan for one file.
#[derive(Debug)]
pub struct File {
    /// The path.
    pub path: PathBuf,
    /// Where it may be: no link leads out of a project.
    pub root: Root,
    /// The format.
    pub format: Format,
    /// What the file should contain.
    pub pieces: Vec<Piece>,
}

/// One thing that a file should contain.
#[derive(Debug)]
pub enum Piece {
    /// Our entry among the servers.
    Entry(DesiredEntry),
    /// A setting.
    Setting(Setting),
}

/// A setting that the registration needs.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its keys.
    pub at: Vec<String>,
    /// Whether the value is an item of a list.
    pub list: bool,
    /// The value.
    pub value: Json,
    /// Whether it takes over the client's question tool.
    pub takes_over: bool,
}

impl File {
    /// The text of the file; `None` if it doesn't exist.
    pub fn read(&self) -> io::Result<Option<String>> {
        file_io::read(&self.root, &self.path)
    }

    /// The text of its backup; `None` if it has no backup.
    pub fn backup(&self) -> io::Result<Option<String>> {
        file_io::read_backup(&self.root, &self.path)
    }

    /// Whether our entry belongs into it.
    pub fn has_entry(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| matches!(piece, Piece::Entry(_)))
    }

    /// Whether it contains a takeover that starts our program.
    fn takes_over(&self, tree: &Json) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Setting(setting) if setting.takes_over && setting.value.is_object() => {
                let items = table_at(tree, &setting.at).and_then(Json::as_array);
                items
                    .into_iter()
                    .flatten()
                    .any(|item| setting.is_ours(item))
            }
            _ => false,
        })
    }

    /// Another server in this file that has a name of ours.
    pub fn server_of_our_name(&self) -> Option<String> {
        let tree = text::read(self.format, &self.read().ok()??).ok()?;
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Entry(wanted) => wanted.of_our_name(&tree),
            Piece::Setting(_) => None,
        })
    }

    /// The existing entry of ours.
    pub fn entry(&self, tree: &Json) -> Option<Entry> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Entry(wanted) => wanted.found(tree),
            Piece::Setting(_) => None,
        })
    }
}

impl Setting {
    /// Whether a list's item is ours: it is equal, or starts our program.
    pub fn is_ours(&self, value: &Json) -> bool {
        *value == self.value || (self.value.is_object() && our_hooks(value).next().is_some())
    }

    /// An item of the list that is ours, as it should be. Other commands in a group of hooks stay as
    /// they are.
    pub fn merged_into(&self, item: &Json) -> Json {
        let ours = self.value.get(HOOKS).and_then(|hooks| hooks.get(0));
        let mut merged = item.clone();
        let place = index_in_shared_group(item)
            .and_then(|index| merged.get_mut(HOOKS)?.get_mut(index))
            .zip(ours);
        let Some((place, ours)) = place else {
            return self.value.clone();
        };
        *place = ours.clone();
        merged
    }
}

/// The key of the commands of a group of hooks.
pub(crate) const HOOKS: &str = "hooks";

/// The index of our command in a group of hooks that has other commands as well.
pub(crate) fn index_in_shared_group(group: &Json) -> Option<usize> {
    let index = our_hooks(group).next()?;
    let all = group.get(HOOKS)?.as_array()?.len();
    (our_hooks(group).count() < all).then_some(index)
}

/// The indexes of the commands in a group of hooks that run `ask-user hook`.
fn our_hooks(group: &Json) -> impl Iterator<Item = usize> {
    let hooks = group.get(HOOKS).and_then(Json::as_array);
    let hooks = hooks.into_iter().flatten().enumerate();
    hooks
        .filter(|(_, hook)| {
            let command = hook.get("command").and_then(Json::as_str);
            command.is_some_and(|command| runs_us(command, "hook"))
        })
        .map(|(index, _)| index)
}

/// The plan for a client, with or without a takeover.
pub fn plan(client: &Client, here: &RegistrationEnv, scope: Scope, takeover: bool) -> Plan {
    let register = &client.register;
    let mut plan = Plan::default();
    let root = match scope {
        Scope::Person => &Root::Anywhere,
        Scope::Project => here.checkout(),
    };
    let own = own_files(client, here, scope, root);
    let name = name(client, here, own.first(), root);
    let format = Format::named(register.format.as_deref());
    for path in &own {
        if let Some(wanted) = DesiredEntry::for_client(client, here, scope) {
            plan.want(path.clone(), format, Piece::Entry(wanted));
        }
    }
    let none = Vec::new();
    let more = if takeover {
        &client.takeover.settings
    } else {
        &none
    };
    let lines = register.settings.iter().map(|line| (line, false));
    for (line, takes_over) in lines.chain(more.iter().map(|line| (line, true))) {
        let Some((file, rest)) = line.split_once(' ') else {
            continue;
        };
        let paths = match (file, scope) {
            ("FILE", _) => own.clone(),
            // A project's registration doesn't change the person's own files.
            (_, Scope::Project) => Vec::new(),
            (file, Scope::Person) => vec![here.path(file)],
        };
        for path in paths {
            let format = if file == "FILE" { format } else { Format::Json };
            for mut setting in settings(rest, client, here, &name) {
                setting.takes_over = takes_over;
                plan.want(path.clone(), format, Piece::Setting(setting));
            }
        }
    }
    let folder = match scope {
        Scope::Person => register.folder.as_ref().map(|text| here.path(text)),
        Scope::Project => {
            let text = register
                .project
                .as_ref()
                .filter(|_| register.folder.is_some());
            text.map(|text| here.project.join(text))
        }
    };
    // A project's file is used on other machines, where our program has another path.
    let name = here.program_name.as_ref().map(Path::new);
    let program = name.filter(|_| scope == Scope::Project);
    let program = program.unwrap_or(&here.program);
    plan.folder = folder.and_then(|path| Folder::of_extension(&client.key, path, program));
    if let Some(folder) = &mut plan.folder {
        folder.root.clone_from(root);
    }
    for file in &mut plan.files {
        file.root.clone_from(root);
    }
    if takeover && scope == Scope::Person {
        let text = client.takeover.folder.as_ref();
        plan.takeover =
            text.and_then(|text| Folder::of_takeover(&client.key, here.path(text), &here.program));
    }
    plan
}

/// Whether a takeover that starts our program is set.
pub fn takes_over(client: &Client, here: &RegistrationEnv, scope: Scope) -> bool {
    let plan = plan(client, here, scope, true);
    let plugin = plan.takeover.as_ref();
    let mut files = plan.files.iter();
    plugin.is_some_and(Folder::has_ours)
        || files.any(|file| {
            let text = file.read().ok().flatten();
            let tree = text.and_then(|text| text::read(file.format, &text).ok());
            tree.is_some_and(|tree| file.takes_over(&tree))
        })
}

impl Plan {
    /// Whether it includes a takeover.
    pub fn has_takeover(&self) -> bool {
        let mut pieces = self.files.iter().flat_map(|file| &file.pieces);
        let setting =
            |piece: &Piece| matches!(piece, Piece::Setting(setting) if setting.takes_over);
        self.takeover.is_some() || pieces.any(setting)
    }

    /// Settings of the person that prevent the takeover, each with its file, path and value.
    pub fn kept_settings(&self) -> Vec<(&Path, String, Json)> {
        let mut found = Vec::new();
        for file in &self.files {
            let text = file.read().ok().flatten();
            let tree = text.and_then(|text| text::read(file.format, &text).ok());
            for piece in &file.pieces {
                let Piece::Setting(setting) = piece else {
                    continue;
                };
                let there = tree.as_ref().and_then(|tree| table_at(tree, &setting.at));
                let there = there.filter(|there| **there != setting.value);
                if let Some(there) = there.filter(|_| setting.takes_over && !setting.list) {
                    found.push((file.path.as_path(), setting.at.join("."), there.clone()));
                }
            }
        }
        found
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folder.is_none()
    }

    fn want(&mut self, path: PathBuf, format: Format, piece: Piece) {
        match self.files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.pieces.push(piece),
            None => self.files.push(File {
                path,
                root: Root::Anywhere,
                format,
                pieces: vec![piece],
            }),
        }
    }
}

/// The files that get the entry.
fn own_files(client: &Client, here: &RegistrationEnv, scope: Scope, root: &Root) -> Vec<PathBuf> {
    let register = &client.register;
    if register.format.is_none() {
        return Vec::new();
    }
    let first = match scope {
        Scope::Project => register
            .project
            .as_ref()
            .map(|text| here.project.join(text)),
        Scope::Person => {
            let macos = register.file_macos.as_ref();
            let text = macos.filter(|_| cfg!(target_os = "macos"));
            text.or(register.file.as_ref()).map(|text| here.path(text))
        }
    };
    let Some(first) = first else {
        return Vec::new();
    };
    let others = register.alternatives.iter();
    let mut others = others.map(|name| first.with_file_name(name));
    let exists = |path: &PathBuf| file_io::exists(root, path);
    let mut files = vec![match exists(&first) {
        true => first.clone(),
        false => others.find(exists).unwrap_or(first.clone()),
    }];
    if scope == Scope::Person {
        files.extend(register.also.iter().map(|text| here.path(text)));
    }
    files
}

/// The name of our entry in this file. Settings that permit its tools use it, so that they don't
/// permit another server's.
fn name(client: &Client, here: &RegistrationEnv, file: Option<&PathBuf>, root: &Root) -> String {
    let read = |path: &PathBuf| {
        let text = file_io::read(root, path).ok()??;
        let tree = text::read(Format::named(client.register.format.as_deref()), &text).ok()?;
        let wanted = DesiredEntry::for_client(client, here, Scope::Person)?;
        match wanted.found(&tree) {
            Some(entry) => Some(entry.name),
            None => wanted.new_name(&tree).map(str::to_owned),
        }
    };
    file.and_then(read).unwrap_or_else(|| NAME.to_owned())
}

/// Parses one line of settings: keys and a value, once for each of our tools if it names one.
fn settings(line: &str, client: &Client, here: &RegistrationEnv, name: &str) -> Vec<Setting> {
    let mut program = quoted(&here.program.display().to_string());
    if let Some(home) = here.variable(HOME_VARIABLE) {
        let home = here.project.join(home).display().to_string();
        program = format!("{HOME_VARIABLE}={} {program}", quoted(&home));
    }
    let named = |tool: &str| line.replace("ASK", name).replace("TOOL", tool);
    let lines = match line.contains("TOOL") {
        true => vec![named(tool(client)), named("ask_user_result")],
        false => vec![named("")],
    };
    let read = |line: &String| {
        let (at, value) = line.split_once(' ')?;
        let (at, list) = place(at);
        let value = with_program(&text_json(value).ok()?, &program);
        Some(Setting {
            at,
            list,
            value,
            takes_over: false,
        })
    };
    lines.iter().filter_map(read).collect()
}

/// A value with our program inserted into its commands.
fn with_program(value: &Json, program: &str) -> Json {
    match value {
        Json::String(text) => match text.strip_prefix("CMD ") {
            Some(rest) => Json::from(format!("{program} {rest}")),
            None => value.clone(),
        },
        Json::Array(items) => items
            .iter()
            .map(|item| with_program(item, program))
            .collect(),
        Json::Object(fields) => fields
            .iter()
            .map(|(key, item)| (key.clone(), with_program(item, program)))
            .collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
    }
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@".contains(letter);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
