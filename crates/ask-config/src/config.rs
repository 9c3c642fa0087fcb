//! The person's settings in `config.toml`. A value that can't be read is reported to the person and
//! keeps its default meanwhile, so that no agent's call fails because of it.

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
use std::fs::File;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_clients::{self as clients, Overrides};
use ask_files::read_text;
pub use notify::{Desktop, Heard, Notify, Privacy};
pub use problem::written;
use problem::{Problem, unknown, unknown_field};
pub use public_url::Public;
use settings::SETTINGS;
pub use terminal::{Glyphs, Leaving, Review, Terminal, Theme, Typing};
pub use tls::{Files, Stamp};

use crate::i18n::Language;
use crate::keys::Changes;
use crate::{clock, home};

/// All settings and their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How long the hub runs without anything to do; `None` forever.
    pub idle: Option<Duration>,
    /// How long an agent can take up an ask that it left.
    pub take_up: Duration,
    /// How long a call waits while nobody could answer; `None` forever.
    pub patience: Option<Duration>,
    /// How many days closed asks are kept; 0 forever.
    pub keep_days: u64,
    /// Folders whose asks are not kept in the history.
    pub skip_projects: Vec<PathBuf>,
    /// When questions are also shown in a client's own dialog.
    pub dialogs: Dialogs,
    /// The clients over HTTP whose dialogs may be used, by their keys or the names they give
    /// themselves.
    pub dialogs_over_http: Vec<String>,
    /// Which answers are accepted, and from where.
    pub answers: Answers,
    /// How many asks may be open, and how large they may be.
    pub limits: Limits,
    /// Whether clients that support tasks get tasks.
    pub tasks: bool,
    /// The hub's HTTP listener.
    pub http: Http,
    /// For how long an answer that one key gives can be taken back; 0 for not at all.
    pub undo: Duration,
    /// The language of the surfaces; `None` for that of the environment.
    pub language: Option<Language>,
    /// Settings of the terminal surface.
    pub terminal: Terminal,
    /// The keys that the person changed.
    pub keys: Changes,
    /// How the person is notified of a waiting ask.
    pub notify: Notify,
    /// The person's changes to the table of clients.
    pub clients: Overrides,
}

/// When questions are also shown in a client's own dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialogs {
    /// While no other surface is open.
    Auto,
    /// With every question, whatever is open.
    Always,
    /// With no question at all.
    Never,
}

/// Which answers are accepted, and from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// What happens to an answer from a program that an agent started.
    pub below_agents: BelowAgents,
    /// Which surfaces answers are accepted from.
    pub only_from: AnswersFrom,
}

/// Limits on what may wait at a time; 0 for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How many asks of all agents may be open.
    pub open_asks: u64,
    /// How many asks of one agent may be open.
    pub open_asks_per_agent: u64,
    /// How many megabytes the open asks of all agents may have.
    pub open_megabytes: u64,
    /// How many megabytes the open asks of one agent may have.
    pub open_megabytes_per_agent: u64,
    /// How many megabytes the files may have that belong to no answer and no draft.
    pub unattached_megabytes: u64,
}

/// What happens to an answer from a program that an agent started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BelowAgents {
    /// Another surface must confirm it if one is open. Otherwise it is accepted and marked.
    #[default]
    Ask,
    /// It is accepted and marked.
    Mark,
    /// It is refused. The refusal names this setting.
    Refuse,
}

/// Which surfaces answers are accepted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswersFrom {
    /// From any surface at all.
    #[default]
    Anywhere,
    /// Only from devices that the person has paired.
    Devices,
}

/// Whether and where the hub listens for HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Http {
    /// Whether the hub listens at all.
    pub enabled: bool,
    /// The port; 0 for any free one.
    pub port: u16,
    /// How many asks per minute one token may open; 0 for no limit.
    pub asks_per_minute: u64,
    /// The largest request in KB of 1,024 bytes.
    pub max_request_kb: u64,
    /// The user ids of accounts whose programs may connect, besides the person's and root's.
    pub accounts: Vec<u32>,
    /// The URL by which other machines reach the page, through a tunnel or a proxy.
    pub public_url: Option<Public>,
    /// Names of this machine in its network.
    pub names: Vec<String>,
    /// The file of the certificate for devices.
    pub tls_cert: Option<PathBuf>,
    /// The file of the certificate's key.
    pub tls_key: Option<PathBuf>,
}

impl Http {
    /// The largest request in bytes.
    pub fn most_bytes(&self) -> usize {
        usize::try_from(self.max_request_kb.saturating_mul(1_024)).unwrap_or(usize::MAX)
    }

    /// The files of the certificate and of its key; `None` if neither is set.
    ///
    /// # Errors
    /// One of them is set without the other.
    pub fn tls(&self) -> Result<Option<Files>, String> {
        Files::both(self.tls_cert.as_deref(), self.tls_key.as_deref())
    }

    /// Whether devices may only connect by HTTPS.
    pub fn means_encryption(&self) -> bool {
        let public = self.public_url.as_ref();
        let is_set = self.tls_cert.is_some() || self.tls_key.is_some();
        is_set || public.is_some_and(Public::is_encrypted)
    }
}

/// The settings that were read from a file.
pub struct ConfigRead {
    /// The settings, with the default in place of each value that can't be read.
    pub config: Config,
    /// The problems, each with the file, the setting, and the values that it accepts.
    pub problems: Vec<Problem>,
    /// The problem that keeps the hub from listening for HTTP until it is fixed.
    pub closed_by: Option<String>,
    /// Whether a mistake in the file turns off all automatic removal: the part that can't be
    /// understood may say what the person wants to keep.
    pub keeps_all: bool,
}

/// What the person reads if a hub starts with a mistake in its settings.
pub const KEEPS_ALL: &str = "while the settings have a mistake, nothing is removed by itself, neither by history.keep_days nor by history.skip_projects; a hub that starts once they are mended goes on with it";

/// The environment variable that overrides `http.port`.
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
            undo: Duration::default(),
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

/// The largest file of settings that is read. Nobody writes so much by hand.
const MAX_BYTES: u64 = 1024 * 1024;

impl Config {
    /// Reads the settings from a file. A missing file means all defaults. The port of the
    /// environment variable overrides that of the file.
    pub fn read(path: &Path) -> ConfigRead {
        let checked = home::check_settings_owner(path).and_then(|()| require_readable(path));
        let text = match checked
            .and_then(File::open)
            .and_then(|file| read_text(file, MAX_BYTES))
        {
            Ok(text) => text,
            // A dangling link is not a missing file: the settings that it should lead to can't be
            // read.
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound
                    && std::fs::symlink_metadata(path).is_err() =>
            {
                String::new()
            }
            Err(error) => return Self::unreadable(&error).in_file(path),
        };
        let mut read = Self::parse(&text).in_file(path);
        read.override_port(std::env::var_os(PORT_VARIABLE).as_deref());
        read.report_zone(clock::unknown_zone());
        read
    }

    /// Parses settings from TOML text.
    pub fn parse(text: &str) -> ConfigRead {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => return Self::unreadable(&syntax_problem(text, &error)),
        };
        let mut read = ConfigRead {
            config: Self::default(),
            problems: Vec::new(),
            closed_by: None,
            keeps_all: false,
        };
        for (section, value) in &table {
            if let ("clients", Some(rows)) = (section.as_str(), value.as_table()) {
                read.read_clients(rows);
                continue;
            }
            if section == "keys" && value.is_table() {
                continue;
            }
            let known = SETTINGS.iter().any(|setting| setting.section == section);
            match value.as_table().filter(|_| known) {
                Some(values) => read.read_section(section, values),
                None => read.report(section, unknown(section)),
            }
        }
        // Which keys are free depends on what letters do, so the keys come last.
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

    /// All defaults, because the file can't be understood. It may say that nothing listens on a
    /// port and that everything is kept, so both hold.
    fn unreadable(error: &dyn fmt::Display) -> ConfigRead {
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

/// The place of a syntax error and its reason. The line itself is left out, because it may hold a
/// secret.
fn syntax_problem(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let (line, column) = ask_clients::registration::position(text, start);
    format!("line {line}, column {column}: {}", error.message())
}

/// Refuses anything but a regular file or `/dev/null`. Reading a pipe without a writer would never
/// end.
fn require_readable(path: &Path) -> std::io::Result<&Path> {
    let there = std::fs::metadata(path)?;
    let nothing = || std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == there.rdev());
    if there.is_file() || (there.file_type().is_char_device() && nothing()) {
        return Ok(path);
    }
    let what = format!("{} is no file", path.display());
    Err(std::io::Error::other(what))
}

impl ConfigRead {
    fn read_section(&mut self, section: &str, values: &toml::Table) {
        for (key, value) in values {
            let is_it = |row: &&settings::Setting| row.section == section && row.key == key;
            let Some(setting) = SETTINGS.iter().find(is_it) else {
                self.report(section, unknown(&format!("{section}.{key}")));
                continue;
            };
            if setting.take(&mut self.config, value).is_none() {
                let meanwhile = match section {
                    "history" => "nothing is removed by itself".to_owned(),
                    _ => format!("it is {}", setting.default()),
                };
                let problem = Problem {
                    what: format!(
                        "{}: must be {}, not {}",
                        setting.path(),
                        setting.takes(),
                        setting.written(value)
                    ),
                    hint: format!("until that is mended, {meanwhile}"),
                };
                self.report(section, problem);
            }
        }
    }

    fn read_clients(&mut self, rows: &toml::Table) {
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

    /// Turns off all automatic removal.
    fn keep_all(&mut self) {
        self.keeps_all = true;
        self.config.keep_days = 0;
        self.config.skip_projects.clear();
    }

    /// Adds a problem. One in `[http]` closes the port: a person who meant to close it must not
    /// find it open because of a typo.
    fn report(&mut self, section: &str, mut problem: Problem) {
        if section == "http" {
            self.config.http.enabled = false;
            problem.hint = "until that is mended, http.enabled is false".to_owned();
            self.closed_by.get_or_insert_with(|| problem.what.clone());
        }
        self.problems.push(problem);
    }

    /// Takes the port of the environment variable. A wrong value doesn't close the port: whoever
    /// sets the variable wants one.
    fn override_port(&mut self, variable: Option<&OsStr>) {
        let Some(value) = variable.map(OsStr::to_string_lossy) else {
            return;
        };
        match value.trim() {
            "" => {}
            port => match port.parse() {
                Ok(port) => self.config.http.port = port,
                Err(_) => self.problems.push(Problem {
                    what: format!("{PORT_VARIABLE}: must be a port, 0 to 65535, not \"{value}\""),
                    hint: format!(
                        "until that is mended, http.port holds, which is {}",
                        self.config.http.port
                    ),
                }),
            },
        }
    }

    fn report_zone(&mut self, unknown: Option<String>) {
        self.problems.extend(unknown.map(|zone| Problem {
            what: format!("TZ: \"{zone}\" is no time zone that this system knows"),
            hint: "until that is mended, times are those of the system's zone; /usr/share/zoneinfo has the names, such as Europe/Berlin"
                .to_owned(),
        }));
    }

    fn in_file(mut self, path: &Path) -> Self {
        for problem in &mut self.problems {
            problem.what = format!("in {}: {}", path.display(), problem.what);
        }
        self
    }
}

/// The values of a setting that is one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// Each word with its value. The first one is the default.
    const WORDS: &'static [(&'static str, Self)];

    /// Words of earlier versions, which old settings files may contain.
    const OLD: &'static [(&'static str, Self)] = &[];

    /// The value of a word.
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
