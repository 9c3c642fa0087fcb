//! The person's settings: `config.toml`. What can't be read is said where the person
//! sees it and holds its default meanwhile, so that no agent's call fails because of it.

pub mod settings;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use settings::SETTINGS;

/// What can be set, and to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long the hub lives with nothing to do; `None` for ever.
    pub idle: Option<Duration>,
    /// How long what an agent left behind can be taken up again.
    pub take_up: Duration,
    /// How long a call waits when nobody could answer; `None` for ever.
    pub patience: Option<Duration>,
    /// When questions are also put in a client's own dialog.
    pub dialogs: Dialogs,
    /// Whether clients that know tasks are given them.
    pub tasks: bool,
    /// The hub's HTTP side.
    pub http: Http,
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

/// Whether and where the hub listens for HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Http {
    /// Whether.
    pub enabled: bool,
    /// Where; 0 for any port.
    pub port: u16,
}

/// Settings as a file has them.
pub struct Read {
    /// What holds.
    pub config: Config,
    /// What doesn't, each with the file, the setting, and what it takes.
    pub problems: Vec<Problem>,
}

/// Something in the file that is not as it should be.
#[derive(Debug)]
pub struct Problem {
    what: String,
    hint: String,
}

impl Default for Config {
    fn default() -> Self {
        let mut config = Self {
            idle: None,
            take_up: Duration::ZERO,
            patience: None,
            dialogs: Dialogs::Auto,
            tasks: false,
            http: Http {
                enabled: false,
                port: 0,
            },
        };
        for setting in SETTINGS {
            setting.reset(&mut config);
        }
        config
    }
}

impl Config {
    /// Reads the settings; a file that isn't there is all defaults.
    pub fn read(path: &Path) -> Read {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Self::unread(&error).at(path),
        };
        Self::parse(&text).at(path)
    }

    fn parse(text: &str) -> Read {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => return Self::unread(&error),
        };
        let mut read = Read {
            config: Self::default(),
            problems: Vec::new(),
        };
        for (section, value) in &table {
            let known = SETTINGS.iter().any(|setting| setting.section == section);
            match value.as_table().filter(|_| known) {
                Some(values) => read.take(section, values),
                None => read.mind(section, unknown(section)),
            }
        }
        read
    }

    /// All defaults, because the file says nothing that could be understood. It may have
    /// said that nothing is to listen on a port, so nothing does.
    fn unread(error: &dyn fmt::Display) -> Read {
        let mut config = Self::default();
        config.http.enabled = false;
        let problem = Problem {
            what: error.to_string().trim_end().to_owned(),
            hint: "until that is mended, every setting is at its default and http.enabled is false"
                .to_owned(),
        };
        Read {
            config,
            problems: vec![problem],
        }
    }
}

impl Read {
    fn take(&mut self, section: &str, values: &toml::Table) {
        for (key, value) in values {
            let is_it = |row: &&settings::Setting| row.section == section && row.key == key;
            let Some(setting) = SETTINGS.iter().find(is_it) else {
                self.mind(section, unknown(&format!("{section}.{key}")));
                continue;
            };
            if setting.take(&mut self.config, value).is_none() {
                let said = Problem {
                    what: format!(
                        "{}: must be {}, not {}",
                        setting.path(),
                        setting.takes(),
                        written(value)
                    ),
                    hint: format!("until that is mended, it is {}", setting.default()),
                };
                self.mind(section, said);
            }
        }
    }

    /// Whoever meant to close the port must not find it open for a slip of the pen.
    fn mind(&mut self, section: &str, mut problem: Problem) {
        if section == "http" {
            self.config.http.enabled = false;
            problem.hint = "until that is mended, http.enabled is false".to_owned();
        }
        self.problems.push(problem);
    }

    fn at(mut self, path: &Path) -> Self {
        for problem in &mut self.problems {
            problem.what = format!("in {}: {}", path.display(), problem.what);
        }
        self
    }
}

/// A value as the person knows it.
fn written(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("\"{text}\""),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(_) => "a date".to_owned(),
        toml::Value::Array(_) => "a list".to_owned(),
        toml::Value::Table(_) => "a table".to_owned(),
    }
}

fn unknown(path: &str) -> Problem {
    let all: Vec<String> = SETTINGS.iter().map(settings::Setting::path).collect();
    Problem {
        what: format!("{path}: is not a setting"),
        hint: format!("the settings there are: {}", all.join(", ")),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n  {}", self.what, self.hint)
    }
}

impl Dialogs {
    const WORDS: [(&'static str, Self); 3] = [
        ("auto", Self::Auto),
        ("always", Self::Always),
        ("never", Self::Never),
    ];

    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        let row = Self::WORDS.iter().find(|(_, dialogs)| *dialogs == self);
        row.map_or("", |(word, _)| word)
    }

    /// What the word stands for.
    pub fn find(word: &str) -> Option<Self> {
        let row = Self::WORDS.iter().find(|(known, _)| *known == word);
        row.map(|(_, dialogs)| *dialogs)
    }

    /// The words, as messages list them.
    pub fn takes() -> String {
        Self::WORDS
            .map(|(word, _)| format!("\"{word}\""))
            .join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        let problems = Config::parse(text).problems;
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        said.join("\n")
    }

    #[test]
    fn the_file_in_the_tree_is_all_defaults() {
        let shipped = include_str!("config.default.toml");
        for setting in SETTINGS {
            let line = format!("# {} = {}\n", setting.key, setting.default());
            assert!(shipped.contains(&line), "{}", setting.path());
        }
        let sets = |line: &&str| line.contains(" = ") || line.starts_with('[');
        let written: Vec<&str> = shipped
            .lines()
            .filter(sets)
            .map(|line| line.trim_start_matches("# "))
            .collect();
        for text in [shipped, &written.join("\n")] {
            let read = Config::parse(text);
            assert_eq!(read.config, Config::default());
            assert!(read.problems.is_empty(), "{:?}", read.problems);
        }
    }

    #[test]
    fn every_setting_can_be_set_and_a_wrong_value_leaves_the_default() {
        for (line, setting) in [
            ("hub.idle_minutes = 0", "idle: None"),
            ("asks.take_up_hours = 2", "take_up: 7200s"),
            ("asks.patience_seconds = 90", "patience: Some(90s)"),
            ("dialogs.use = 'never'", "dialogs: Never"),
            ("tasks.use = true", "tasks: true"),
            ("http.enabled = false", "enabled: false"),
            ("http.port = 0", "port: 0"),
        ] {
            let read = Config::parse(line);
            assert!(read.problems.is_empty(), "{line}: {:?}", read.problems);
            let config = format!("{:?}", read.config);
            assert!(config.contains(setting), "{line}: {config}");
            assert_ne!(read.config, Config::default());
        }
        for setting in SETTINGS {
            for wrong in ["-1", "[]", "'loud'", "9000000000000000000"] {
                let path = setting.path();
                let read = Config::parse(&format!("{path} = {wrong}"));
                let said = read.problems[0].to_string();
                let wanted = format!("{path}: must be {}, not ", setting.takes());
                assert!(said.starts_with(&wanted), "{said}");
                let mut safe = Config::default();
                safe.http.enabled = setting.section != "http";
                assert_eq!(read.config, safe, "{path} = {wrong}");
            }
        }
    }

    #[test]
    fn every_problem_is_named_with_its_path_and_the_rest_holds() {
        let said = problems("colour = 'red'\nhub = 3\n[asks]\nidle = 3\npatience_seconds = true\n");
        for words in [
            "colour: is not a setting\n  the settings there are: hub.idle_minutes, ",
            "hub: is not a setting",
            "asks.idle: is not a setting",
            "asks.patience_seconds: must be a whole number of seconds, 0 or more, not true\n  until that is mended, it is 0",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        let read = Config::parse("[hub]\nidle = 3\n[tasks]\nuse = true");
        assert!(read.config.tasks && read.config.http.enabled);
        for meant in [
            "[http]\nenabled = no",
            "[http]\nenable = false",
            "http = false",
        ] {
            let read = Config::parse(meant);
            assert!(!read.config.http.enabled, "{meant}");
            let said = read.problems[0].to_string();
            assert!(
                said.contains("http") && said.contains("until that is mended"),
                "{said}"
            );
        }
    }
}
