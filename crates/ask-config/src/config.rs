//! The person's settings: `config.toml`. What can't be read is said where the person
//! sees it and holds its default meanwhile, so that no agent's call fails because of it.

pub mod keys;
mod notify;
mod problem;
mod public_url;
pub mod quiet_hours;
pub mod settings;
mod terminal;
mod tls;

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_clients::{self as clients, Overrides};
pub use notify::{Desktop, Heard, Notify, Privacy};
pub use problem::written;
use problem::{Problem, unknown, unknown_field};
pub use public_url::Public;
use settings::SETTINGS;
pub use terminal::{Glyphs, Leaving, Review, Terminal, Theme, Typing};
pub use tls::{Files, Stamp};

use crate::home;
use crate::i18n::Language;
use crate::keys::Changes;

/// What can be set, and to what.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How long the hub lives with nothing to do; `None` for ever.
    pub idle: Option<Duration>,
    /// How long what an agent left behind can be taken up again.
    pub take_up: Duration,
    /// How long a call waits when nobody could answer; `None` for ever.
    pub patience: Option<Duration>,
    /// For how many days closed asks are kept; 0 for ever.
    pub keep_days: u64,
    /// Of what is asked in these folders nothing is kept.
    pub skip_projects: Vec<PathBuf>,
    /// When questions are also put in a client's own dialog.
    pub dialogs: Dialogs,
    /// The clients that show them over HTTP, too, by their keys or by the names they give themselves.
    pub dialogs_over_http: Vec<String>,
    /// Whose answers are taken.
    pub answers: Answers,
    /// How many asks may be open.
    pub limits: Limits,
    /// Whether clients that know tasks are given them.
    pub tasks: bool,
    /// The hub's HTTP side.
    pub http: Http,
    /// The language of our own words; `None` for that of the environment.
    pub language: Option<Language>,
    /// The terminal surface.
    pub terminal: Terminal,
    /// What the person changed of the keys.
    pub keys: Changes,
    /// How the person is told that an agent waits.
    pub notify: Notify,
    /// What is different about clients of agents.
    pub clients: Overrides,
}

/// When questions are also put in a client's own dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialogs {
    /// While no other surface is open.
    Auto,
    /// With every question.
    Always,
    /// With none.
    Never,
}

/// Whose answers are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// What becomes of an answer by a program that an agent has started.
    pub below_agents: BelowAgents,
    /// From where answers are taken at all.
    pub only_from: AnswersFrom,
}

/// How much may wait at a time; 0 for any amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Of all agents.
    pub open_asks: u64,
    /// Of one.
    pub open_asks_per_agent: u64,
    /// How many megabytes those of all agents may have.
    pub open_megabytes: u64,
    /// And those of one.
    pub open_megabytes_per_agent: u64,
    /// How many megabytes files may have that belong to no answer and no draft.
    pub unattached_megabytes: u64,
}

/// What becomes of an answer by a program that an agent has started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BelowAgents {
    /// It is confirmed on another surface where one is open, and else taken and marked.
    #[default]
    Ask,
    /// It is taken and marked.
    Mark,
    /// It is refused, with the setting that says so.
    Refuse,
}

/// From where answers are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// From anywhere.
    #[default]
    Anywhere,
    /// From devices alone that the person let in.
    Devices,
}

/// Whether and where the hub listens for HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Http {
    /// Whether.
    pub enabled: bool,
    /// Where; 0 for any port.
    pub port: u16,
    /// How many asks a minute one token may open; 0 for any number.
    pub asks_per_minute: u64,
    /// How large a request may be.
    pub max_request_kb: u64,
    /// The accounts of this machine, beside the person's and root, whose programs may connect.
    pub accounts: Vec<u32>,
    /// Where other machines reach the page, through a tunnel or a proxy.
    pub public_url: Option<Public>,
    /// Names of this machine in its network.
    pub names: Vec<String>,
    /// The certificate that devices are served by.
    pub tls_cert: Option<PathBuf>,
    /// Its key.
    pub tls_key: Option<PathBuf>,
}

impl Http {
    /// How large a request may be, in bytes.
    pub fn most_bytes(&self) -> usize {
        usize::try_from(self.max_request_kb.saturating_mul(1_024)).unwrap_or(usize::MAX)
    }

    /// The certificate that is set, with its key.
    pub fn tls(&self) -> Result<Option<Files>, String> {
        Files::both(self.tls_cert.as_deref(), self.tls_key.as_deref())
    }

    /// Whether devices come by HTTPS alone, if they come.
    pub fn means_encryption(&self) -> bool {
        let public = self.public_url.as_ref();
        let is_set = self.tls_cert.is_some() || self.tls_key.is_some();
        is_set || public.is_some_and(Public::is_encrypted)
    }
}

/// Settings as a file has them.
pub struct ConfigRead {
    /// What holds.
    pub config: Config,
    /// What doesn't, each with the file, the setting, and what it takes.
    pub problems: Vec<Problem>,
    /// What of it keeps the hub from listening for HTTP, until it is mended.
    pub closed_by: Option<String>,
    /// Whether a mistake in the file has everything kept that would be removed by itself: what the
    /// person wants kept may be just what can't be understood.
    pub keeps_all: bool,
}

/// What a hub does that begins with a mistake in its settings.
pub const KEEPS_ALL: &str = "while the settings have a mistake, nothing is removed by itself, neither by history.keep_days nor by history.skip_projects; a hub that starts once they are mended goes on with it";

/// The variable that counts more than `http.port`.
const PORT_VARIABLE: &str = "CN_MCP_PORT";

impl Default for Config {
    fn default() -> Self {
        let mut config = Self {
            idle: None,
            take_up: Duration::ZERO,
            patience: None,
            keep_days: 0,
            skip_projects: Vec::new(),
            dialogs: Dialogs::Auto,
            dialogs_over_http: Vec::new(),
            answers: Answers::default(),
            limits: Limits::default(),
            tasks: false,
            http: Http::default(),
            language: None,
            terminal: Terminal::default(),
            keys: Changes::new(),
            notify: Notify::default(),
            clients: Overrides::new(),
        };
        for setting in SETTINGS {
            setting.reset(&mut config);
        }
        config
    }
}

impl Config {
    /// Reads the settings; a file that isn't there is all defaults. The port is that of the environment,
    /// where it says one.
    pub fn read(path: &Path) -> ConfigRead {
        let ours = home::said_by_others(path).and_then(|()| regular(path));
        let text = match ours.and_then(std::fs::read_to_string) {
            Ok(text) => text,
            // A link that leads nowhere is there: the settings that it means can't be read.
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound
                    && std::fs::symlink_metadata(path).is_err() =>
            {
                String::new()
            }
            Err(error) => return Self::unread(&error).in_file(path),
        };
        let mut read = Self::parse(&text).in_file(path);
        read.take_port(std::env::var_os(PORT_VARIABLE).as_deref());
        read
    }

    /// Reads settings from text.
    pub fn parse(text: &str) -> ConfigRead {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => return Self::unread(&error),
        };
        let mut read = ConfigRead {
            config: Self::default(),
            problems: Vec::new(),
            closed_by: None,
            keeps_all: false,
        };
        for (section, value) in &table {
            if let ("clients", Some(rows)) = (section.as_str(), value.as_table()) {
                read.take_clients(rows);
                continue;
            }
            if section == "keys" && value.is_table() {
                continue;
            }
            let known = SETTINGS.iter().any(|setting| setting.section == section);
            match value.as_table().filter(|_| known) {
                Some(values) => read.take(section, values),
                None => read.mind(section, unknown(section)),
            }
        }
        // Which keys are free depends on what is typed.
        if let Some(tables) = table.get("keys").and_then(toml::Value::as_table) {
            let (changes, problems) = keys::read(tables, read.config.terminal.typing);
            read.config.keys = changes;
            read.problems.extend(problems);
        }
        if !read.problems.is_empty() {
            read.keep_all();
        }
        read
    }

    /// All defaults, because the file says nothing that could be understood. It may have
    /// said that nothing is to listen on a port, so nothing does, and that all is to be kept.
    fn unread(error: &dyn fmt::Display) -> ConfigRead {
        let mut config = Self::default();
        config.http.enabled = false;
        let problem = Problem {
            what: error.to_string().trim_end().to_owned(),
            hint: "until that is mended, every setting is at its default, http.enabled is false and nothing is removed by itself"
                .to_owned(),
        };
        let mut read = ConfigRead {
            config,
            closed_by: Some(problem.what.clone()),
            problems: vec![problem],
            keeps_all: false,
        };
        read.keep_all();
        read
    }
}

/// A pipe that nobody writes into would be read for ever.
fn regular(path: &Path) -> std::io::Result<&Path> {
    let there = std::fs::metadata(path)?;
    let nothing = || std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == there.rdev());
    if there.is_file() || (there.file_type().is_char_device() && nothing()) {
        return Ok(path);
    }
    let what = format!("{} is no file", path.display());
    Err(std::io::Error::other(what))
}

impl ConfigRead {
    fn take(&mut self, section: &str, values: &toml::Table) {
        for (key, value) in values {
            let is_it = |row: &&settings::Setting| row.section == section && row.key == key;
            let Some(setting) = SETTINGS.iter().find(is_it) else {
                self.mind(section, unknown(&format!("{section}.{key}")));
                continue;
            };
            if setting.take(&mut self.config, value).is_none() {
                let meanwhile = match section {
                    "history" => "nothing is removed by itself".to_owned(),
                    _ => format!("it is {}", setting.default()),
                };
                let said = Problem {
                    what: format!(
                        "{}: must be {}, not {}",
                        setting.path(),
                        setting.takes(),
                        setting.written(value)
                    ),
                    hint: format!("until that is mended, {meanwhile}"),
                };
                self.mind(section, said);
            }
        }
    }

    fn take_clients(&mut self, rows: &toml::Table) {
        for (key, value) in rows {
            let Some(row) = value.as_table() else {
                self.problems.push(Problem {
                    what: format!("clients.{key}: must be a table"),
                    hint: format!("write [clients.{key}], and below it what is to hold"),
                });
                continue;
            };
            for (path, takes) in clients::mistakes(row) {
                self.problems.push(match takes {
                    Some(takes) => Problem {
                        what: format!("clients.{key}.{path}: must be {takes}"),
                        hint: "until that is mended, it is as if it were not there".to_owned(),
                    },
                    None => unknown_field(&format!("clients.{key}.{path}")),
                });
            }
            if !clients::table::is_known(key) && !row.contains_key("names") {
                self.problems.push(Problem {
                    what: format!("clients.{key}: is not a client that we know"),
                    hint:
                        "take its key from docs/reference/clients.md, or say in `names` how it calls itself"
                            .to_owned(),
                });
            }
            self.config.clients.insert(key.clone(), row.clone());
        }
    }

    /// Nothing goes by itself.
    fn keep_all(&mut self) {
        self.keeps_all = true;
        self.config.keep_days = 0;
        self.config.skip_projects.clear();
    }

    /// Whoever meant to close the port must not find it open for a slip of the pen.
    fn mind(&mut self, section: &str, mut problem: Problem) {
        if section == "http" {
            self.config.http.enabled = false;
            problem.hint = "until that is mended, http.enabled is false".to_owned();
            self.closed_by.get_or_insert_with(|| problem.what.clone());
        }
        self.problems.push(problem);
    }

    /// Takes the port that the environment says. A wrong one closes nothing: whoever sets it wants one.
    fn take_port(&mut self, said: Option<&OsStr>) {
        let Some(said) = said.map(OsStr::to_string_lossy) else {
            return;
        };
        match said.trim() {
            "" => {}
            port => match port.parse() {
                Ok(port) => self.config.http.port = port,
                Err(_) => self.problems.push(Problem {
                    what: format!("{PORT_VARIABLE}: must be a port, 0 to 65535, not \"{said}\""),
                    hint: format!(
                        "until that is mended, http.port holds, which is {}",
                        self.config.http.port
                    ),
                }),
            },
        }
    }

    fn in_file(mut self, path: &Path) -> Self {
        for problem in &mut self.problems {
            problem.what = format!("in {}: {}", path.display(), problem.what);
        }
        self
    }
}

/// A setting that is one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// Each word, and what it stands for. The first is the default.
    const WORDS: &'static [(&'static str, Self)];

    /// Words of earlier versions, which settings of then may have.
    const OLD: &'static [(&'static str, Self)] = &[];

    /// What the word stands for.
    fn find(word: &str) -> Option<Self> {
        let mut all = Self::WORDS.iter().chain(Self::OLD);
        let row = all.find(|(known, _)| *known == word);
        row.map(|(_, meaning)| *meaning)
    }
}

impl Word for BelowAgents {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("ask", Self::Ask),
        ("mark", Self::Mark),
        ("refuse", Self::Refuse),
    ];
}

impl Word for AnswersFrom {
    const WORDS: &'static [(&'static str, Self)] =
        &[("anywhere", Self::Anywhere), ("devices", Self::Devices)];
}

impl Word for Dialogs {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("always", Self::Always),
        ("never", Self::Never),
    ];
}

#[cfg(test)]
mod tests;
