//! The one table of settings: what each is called, takes, is by default, and does.
//! The reader of `config.toml`, the file of defaults and `docs/cli.md` come from it.

use std::time::Duration;

use super::{Config, Dialogs};

/// One setting: a row of [`SETTINGS`].
pub struct Setting {
    /// The table of `config.toml` that it stands in.
    pub section: &'static str,
    /// Its name there.
    pub key: &'static str,
    /// What it takes, and what it is where nobody says otherwise.
    pub kind: Kind,
    /// What it does, in whole sentences.
    pub does: &'static str,
}

/// What a setting takes.
pub enum Kind {
    /// A whole number of something, up to the largest allowed.
    Number(u64, u64, &'static str, fn(&mut Config, u64)),
    /// Yes or no.
    Flag(bool, fn(&mut Config, bool)),
    /// When questions are also put in a client's own dialog.
    Dialogs(Dialogs, fn(&mut Config, Dialogs)),
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// More hours or seconds than a person has.
const LONG: u64 = 1_000_000_000;

/// Every setting there is but those of `[clients.KEY]`, which are the rows of the table of clients.
pub const SETTINGS: &[Setting] = &[
    Setting {
        section: "hub",
        key: "idle_minutes",
        kind: Kind::Number(1440, LONG, "minutes", |config, minutes| {
            config.idle = some_seconds(minutes * MINUTE);
        }),
        does: "The hub ends by itself when nothing has waited and nobody has been connected for so many minutes. It is started again by whichever command needs it. 0: never.",
    },
    Setting {
        section: "asks",
        key: "take_up_hours",
        kind: Kind::Number(24, LONG, "hours", |config, hours| {
            config.take_up = Duration::from_secs(hours * HOUR);
        }),
        does: "An agent that went away and asks the same again within so many hours takes up what it left: the question with what was typed, or the answer. 0: it always asks anew.",
    },
    Setting {
        section: "asks",
        key: "patience_seconds",
        kind: Kind::Number(0, LONG, "seconds", |config, seconds| {
            config.patience = some_seconds(seconds);
        }),
        does: "How long a call waits while nobody could answer, because no place to answer is open. Its agent is then told that the question still waits. 0: for ever.",
    },
    Setting {
        section: "dialogs",
        key: "use",
        kind: Kind::Dialogs(Dialogs::Auto, |config, dialogs| config.dialogs = dialogs),
        does: "Whether a question is also put in the client's own dialog, where it has one. \"auto\": while no other place to answer is open.",
    },
    Setting {
        section: "tasks",
        key: "use",
        kind: Kind::Flag(false, |config, tasks| config.tasks = tasks),
        does: "Whether a client that knows the tasks extension of MCP is given a task instead of a call that waits. Claude Code moves tasks to the background, where it goes on without the answer.",
    },
    Setting {
        section: "http",
        key: "enabled",
        kind: Kind::Flag(true, |config, enabled| config.http.enabled = enabled),
        does: "Whether the hub also listens on a port of this machine, for agents that speak HTTP.",
    },
    Setting {
        section: "http",
        key: "port",
        kind: Kind::Number(4127, u16::MAX as u64, "(a port)", |config, port| {
            config.http.port = u16::try_from(port).unwrap_or_default();
        }),
        does: "The port. Where it is taken, the system gives another. 0: always another.",
    },
];

fn some_seconds(seconds: u64) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

impl Setting {
    /// How messages and pages call it.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    /// Its default, as it is written in the file.
    pub fn default(&self) -> String {
        match &self.kind {
            Kind::Number(default, ..) => default.to_string(),
            Kind::Flag(default, _) => default.to_string(),
            Kind::Dialogs(default, _) => format!("\"{}\"", default.word()),
        }
    }

    /// What it takes, in words.
    pub fn takes(&self) -> String {
        match &self.kind {
            Kind::Number(_, most, unit, _) if *most < LONG => {
                format!("a whole number {unit}, 0 to {most}")
            }
            Kind::Number(_, _, unit, _) => format!("a whole number of {unit}, 0 or more"),
            Kind::Flag(..) => "true or false".to_owned(),
            Kind::Dialogs(..) => Dialogs::takes(),
        }
    }

    /// Sets it to its default.
    pub fn reset(&self, config: &mut Config) {
        match &self.kind {
            Kind::Number(default, _, _, set) => set(config, *default),
            Kind::Flag(default, set) => set(config, *default),
            Kind::Dialogs(default, set) => set(config, *default),
        }
    }

    /// Sets it to a value of the file, if that is one it takes.
    pub fn take(&self, config: &mut Config, value: &toml::Value) -> Option<()> {
        match &self.kind {
            Kind::Number(_, most, _, set) => {
                let number = u64::try_from(value.as_integer()?).ok()?;
                set(config, (number <= *most).then_some(number)?);
            }
            Kind::Flag(_, set) => set(config, value.as_bool()?),
            Kind::Dialogs(_, set) => set(config, Dialogs::find(value.as_str()?)?),
        }
        Some(())
    }
}
