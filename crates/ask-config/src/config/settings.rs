//! The table of settings: name, accepted values, default and description of each. The reader of
//! `config.toml`, the default settings file and `docs/reference/settings.md` use it.

use std::path::PathBuf;
use std::time::Duration;

use super::Desktop;
use super::{
    AnswersFrom, BelowAgents, Config, Dialogs, Glyphs, Heard, Leaving, Privacy, Review, Theme,
    Typing, Word, notify,
};
use crate::config::Public;
use crate::config::quiet_hours::Hours;

use crate::i18n::Language;

/// One setting: a row of [`SETTINGS`].
pub struct Setting {
    /// The table of `config.toml` that contains it.
    pub section: &'static str,
    /// Its name in that table.
    pub key: &'static str,
    /// What it accepts, and its default.
    pub kind: Kind,
    /// What it does, in full sentences.
    pub does: &'static str,
}

/// What a setting accepts, and the function that stores it.
pub enum Kind {
    /// A whole number: the default, the maximum, the unit and the setter.
    Number(u64, u64, &'static str, fn(&mut Config, u64)),
    /// True or false: the default and the setter.
    Flag(bool, fn(&mut Config, bool)),
    /// One of a few words: the words, of which the first is the default, and the setter, which
    /// returns `None` for any other word.
    Word(
        fn() -> Vec<&'static str>,
        fn(&mut Config, &str) -> Option<()>,
    ),
    /// Text, empty by default: its form in words, and the setter, which returns `None` for text of
    /// another form.
    Text(&'static str, fn(&mut Config, &str) -> Option<()>),
    /// Like `Text`, but the value is never shown.
    Secret(&'static str, fn(&mut Config, &str) -> Option<()>),
    /// A program with its arguments, empty by default.
    Program(fn(&mut Config, Vec<String>)),
    /// A list of folders, empty by default.
    Folders(fn(&mut Config, Vec<PathBuf>)),
}

fn words<W: Word>() -> Vec<&'static str> {
    W::WORDS.iter().map(|(word, _)| *word).collect()
}

fn languages() -> Vec<&'static str> {
    let ours = Language::ALL.into_iter().map(Language::code);
    std::iter::once("auto").chain(ours).collect()
}

/// Parses names of hosts or clients.
fn names(text: &str) -> Option<Vec<String>> {
    let names = text.split_whitespace().map(str::to_ascii_lowercase);
    let names: Vec<String> = names.collect();
    let is_name = |char: char| char.is_ascii_alphanumeric() || "-.".contains(char);
    let fits = names.iter().all(|name| name.chars().all(is_name));
    fits.then_some(names)
}

/// The form of a file's path. It must be absolute: the hub doesn't run in a folder of the person's.
const A_FILE: &str = "a whole path, as in \"~/certs/desk.pem\"";

fn path(text: &str) -> Option<PathBuf> {
    match text.strip_prefix("~/") {
        Some(rest) => Some(etcetera::home_dir().ok()?.join(rest)),
        None => text.starts_with('/').then(|| PathBuf::from(text)),
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The maximum of settings that need none: more hours or seconds than a person has.
const LONG: u64 = 1_000_000_000;

/// All settings except `[clients.KEY]`, whose fields are those of the table of clients.
pub const SETTINGS: &[Setting] = &[
    Setting {
        section: "hub",
        key: "idle_minutes",
        kind: Kind::Number(1440, LONG, "minutes", |config, minutes| {
            config.idle = some_seconds(minutes * MINUTE);
        }),
        does: "Minutes after which the hub ends when no ask waits, nobody is connected, no browser is signed in and pairing is off. The next command that needs a hub starts one. 0: never.",
    },
    Setting {
        section: "asks",
        key: "take_up_hours",
        kind: Kind::Number(24, LONG, "hours", |config, hours| {
            config.take_up = Duration::from_secs(hours * HOUR);
        }),
        does: "Hours within which an agent that asks the same again takes up what it left: the open ask with its draft, or the answer. 0: it always opens a new ask.",
    },
    Setting {
        section: "asks",
        key: "patience_seconds",
        kind: Kind::Number(0, LONG, "seconds", |config, seconds| {
            config.patience = some_seconds(seconds);
        }),
        does: "How long a call waits while no surface is open on which anybody could answer. Then the agent is told that the ask still waits. 0: without limit.",
    },
    Setting {
        section: "history",
        key: "keep_days",
        kind: Kind::Number(90, LONG, "days", |config, days| config.keep_days = days),
        does: "Closed asks are deleted so many days after they ended. Answers that no agent has fetched are kept twice as long, and the log names each when it is deleted. If nothing was asked one to eight days ago, nothing is deleted, because the clock may be wrong. While this file has any mistake, nothing is deleted automatically. 0: keep everything.",
    },
    Setting {
        section: "history",
        key: "skip_projects",
        kind: Kind::Folders(|config, folders| config.skip_projects = folders),
        does: "Folders whose asks are not kept in the history, subfolders included. A finished ask is deleted with its files a few minutes after its agent received the outcome. Asks that can still be answered, and answers that no agent has fetched yet, are kept as usual. While this file has any mistake, nothing is deleted.",
    },
    Setting {
        section: "dialogs",
        key: "use",
        kind: Kind::Word(words::<Dialogs>, |config, word| {
            config.dialogs = Dialogs::find(word)?;
            Some(())
        }),
        does: "Whether an ask is also shown in the client's own dialog, where it has one. \"auto\": while no other surface is open.",
    },
    Setting {
        section: "dialogs",
        key: "over_http",
        kind: Kind::Text(
            "keys of clients (docs/reference/clients.md) or names that they give themselves, with blanks between",
            |config, keys| {
                config.dialogs_over_http = names(keys)?;
                Some(())
            },
        ),
        does: "Clients over HTTP whose own dialog may be used. Anything that has the HTTP token could claim such a name, declare a dialog, and answer its own questions in it, whatever `answers.below_agents` says. Name a client only if nothing else that you run has the token.",
    },
    Setting {
        section: "answers",
        key: "below_agents",
        kind: Kind::Word(words::<BelowAgents>, |config, word| {
            config.answers.below_agents = BelowAgents::find(word)?;
            Some(())
        }),
        does: "What happens to an answer from a program that an agent started, directly or through others: the agent may have answered its own question. \"ask\": if another surface is open, the answer is filled in there and you send it; otherwise as \"mark\". \"mark\": it is taken, and the record, the history and the agent's reply say where it came from. \"refuse\": it is not taken. This is evidence, not a wall: a program that wants to can hide who started it.",
    },
    Setting {
        section: "answers",
        key: "only_from",
        kind: Kind::Word(words::<AnswersFrom>, |config, word| {
            config.answers.only_from = AnswersFrom::find(word)?;
            Some(())
        }),
        does: "Which surfaces may answer. \"devices\": only devices that you have paired, because any program of this account could answer elsewhere.",
    },
    Setting {
        section: "limits",
        key: "open_asks",
        kind: Kind::Number(5_000, LONG, "asks", |config, most| {
            config.limits.open_asks = most
        }),
        does: "How many asks of all agents may be open at a time. One more is refused, and its agent is told why. 0: any number.",
    },
    Setting {
        section: "limits",
        key: "open_asks_per_agent",
        kind: Kind::Number(200, LONG, "asks", |config, most| {
            config.limits.open_asks_per_agent = most;
        }),
        does: "How many asks of one agent may be open at a time, so that one agent leaves room for others. All servers, commands and sessions of one process count together; a gateway for many agents is one process. 0: any number.",
    },
    Setting {
        section: "limits",
        key: "open_megabytes",
        kind: Kind::Number(256, LONG, "megabytes", |config, most| {
            config.limits.open_megabytes = most;
        }),
        does: "How many megabytes of text all open asks may have together. The hub holds them in memory. 0: any amount.",
    },
    Setting {
        section: "limits",
        key: "open_megabytes_per_agent",
        kind: Kind::Number(64, LONG, "megabytes", |config, most| {
            config.limits.open_megabytes_per_agent = most;
        }),
        does: "How many megabytes of text the open asks of one agent may have, and all asks that it makes in a day, because closed ones stay in the history. The day begins anew with the hub. 0: any amount.",
    },
    Setting {
        section: "limits",
        key: "unattached_megabytes",
        kind: Kind::Number(256, LONG, "megabytes", |config, most| {
            config.limits.unattached_megabytes = most;
        }),
        does: "How many megabytes all attached files may have that belong to no answer or draft yet. They are deleted after some hours. 0: any amount.",
    },
    Setting {
        section: "surfaces",
        key: "undo_seconds",
        kind: Kind::Number(3, 60, "seconds", |config, seconds| {
            config.undo = Duration::from_secs(seconds);
        }),
        does: "For so long an answer that one key or tap gives can be taken back: the hub has stored it, and its agent gets it afterwards. 0: its agent gets it at once.",
    },
    Setting {
        section: "language",
        key: "use",
        kind: Kind::Word(languages, |config, word| {
            config.language = match word {
                "auto" => None,
                code => Some(Language::find(code)?),
            };
            Some(())
        }),
        does: "The language of all surfaces. \"auto\": that of the environment (LC_ALL, LC_MESSAGES, LANG), if it is one of these.",
    },
    Setting {
        section: "terminal",
        key: "theme",
        kind: Kind::Word(words::<Theme>, |config, word| {
            config.terminal.theme = Theme::find(word)?;
            Some(())
        }),
        does: "The colours, all from your terminal's own sixteen. \"auto\" asks the terminal whether it is light or dark; \"mono\" uses none.",
    },
    Setting {
        section: "terminal",
        key: "glyphs",
        kind: Kind::Word(words::<Glyphs>, |config, word| {
            config.terminal.glyphs = Glyphs::find(word)?;
            Some(())
        }),
        does: "The characters for marks and frames. \"auto\": what the terminal's name and the locale allow. \"ascii\" also helps where they are drawn two columns wide.",
    },
    Setting {
        section: "terminal",
        key: "typing",
        kind: Kind::Word(words::<Typing>, |config, word| {
            config.terminal.typing = Typing::find(word)?;
            Some(())
        }),
        does: "What letters do on a card. \"keys\": they are commands, as the footer says. \"jump\": they begin your own answer, and commands are Alt and the letter.",
    },
    Setting {
        section: "terminal",
        key: "esc",
        kind: Kind::Word(words::<Leaving>, |config, word| {
            config.terminal.leaving = Leaving::find(word)?;
            Some(())
        }),
        does: "What Esc does on a card. \"auto\": in the inbox it goes back to the list; where one ask was opened alone it cancels, as pi's dialog does. \"leave\": it always leaves the ask waiting. \"cancel\": it always cancels, after asking where something is filled in.",
    },
    Setting {
        section: "terminal",
        key: "review",
        kind: Kind::Word(words::<Review>, |config, word| {
            config.terminal.review = Review::find(word)?;
            Some(())
        }),
        does: "Whether answers are shown once more before they are sent. \"several\": with several questions. \"always\": also with one question that takes several choices.",
    },
    Setting {
        section: "terminal",
        key: "digit_sends",
        kind: Kind::Flag(false, |config, on| config.terminal.digit_sends = on),
        does: "Whether a digit also sends, where there is only one question.",
    },
    Setting {
        section: "terminal",
        key: "mouse",
        kind: Kind::Flag(false, |config, on| config.terminal.mouse = on),
        does: "Whether a click moves the cursor, a second click there opens or marks, and the wheel scrolls. A click never sends. To select text, hold Shift.",
    },
    Setting {
        section: "notify",
        key: "desktop",
        kind: Kind::Word(words::<Desktop>, |config, word| {
            config.notify.desktop = Desktop::find(word)?;
            Some(())
        }),
        does: "When the desktop shows a notification. \"auto\": when no surface has the focus; a little later if one is open that rings. Asks that come together are one notification, which goes away when they are answered, on whichever surface.",
    },
    Setting {
        section: "notify",
        key: "sound",
        kind: Kind::Flag(true, |config, on| config.notify.sound = on),
        does: "Whether the notification also makes the desktop's sound.",
    },
    Setting {
        section: "notify",
        key: "terminal",
        kind: Kind::Word(words::<Heard>, |config, word| {
            config.notify.terminal = Heard::find(word)?;
            Some(())
        }),
        does: "How an open inbox rings while it has no focus. \"auto\": by the notification that its terminal supports (OSC 9, 777 or 99), otherwise by the bell.",
    },
    Setting {
        section: "notify",
        key: "escalate_after_seconds",
        kind: Kind::Number(60, LONG, "seconds", |config, seconds| {
            config.notify.escalate_after_seconds = seconds;
        }),
        does: "How long an ask waits before the phone is notified, by the webhook or ntfy below. It isn't while a key was pressed on a surface within the last two minutes.",
    },
    Setting {
        section: "notify",
        key: "quiet_hours",
        kind: Kind::Text("two times of day, as in \"22:00-07:30\"", |config, text| {
            config.notify.quiet = Some(Hours::parse(text)?);
            Some(())
        }),
        does: "Quiet hours, as in \"22:00-07:30\". What still waits afterwards is notified then, in one notification.",
    },
    Setting {
        section: "notify",
        key: "privacy",
        kind: Kind::Word(words::<Privacy>, |config, word| {
            config.notify.privacy = Privacy::find(word)?;
            Some(())
        }),
        does: "How much notifications say. \"normal\": who asks, the project, the title, how many questions. \"private\": only that something waits; in JSON also ids, times and the client. \"full\": also the questions and their options; in JSON the whole record, with answers.",
    },
    Setting {
        section: "notify",
        key: "command",
        kind: Kind::Program(|config, words| config.notify.command = words),
        does: "A command that is run whenever something happens to an ask, with JSON on its standard input. docs/how-to/notifications.md has the format.",
    },
    Setting {
        section: "notify",
        key: "opener",
        kind: Kind::Program(|config, words| config.notify.opener = words),
        does: "The command that a click on a desktop notification runs, as in [\"kitty\", \"ask-user\", \"inbox\"].",
    },
    Setting {
        section: "notify",
        key: "webhook",
        kind: Kind::Secret(
            "an address, as in \"https://example.org/hook\"",
            |config, text| {
                config.notify.webhook = Some(notify::address(text)?);
                Some(())
            },
        ),
        does: "The URL that receives asks that wait for long, and that they are closed, as JSON by POST.",
    },
    Setting {
        section: "notify",
        key: "webhook_secret",
        kind: Kind::Secret("text", |config, text| {
            config.notify.webhook_secret = Some(text.to_owned());
            Some(())
        }),
        does: "The secret that signs those requests: their HMAC-SHA256 is in the header X-Ask-User-Signature.",
    },
    Setting {
        section: "notify",
        key: "ntfy",
        kind: Kind::Secret(
            "an ntfy topic, as in \"https://ntfy.sh/my-secret-topic\"",
            |config, text| {
                config.notify.ntfy = Some(notify::topic(text)?);
                Some(())
            },
        ),
        does: "The ntfy topic that notifies your phone. Anybody who knows its name can read it: choose one that can't be guessed.",
    },
    Setting {
        section: "notify",
        key: "ntfy_token",
        kind: Kind::Secret("text", |config, text| {
            config.notify.ntfy_token = Some(text.to_owned());
            Some(())
        }),
        does: "The access token for that topic, where it needs one.",
    },
    Setting {
        section: "tasks",
        key: "use",
        kind: Kind::Flag(false, |config, tasks| config.tasks = tasks),
        does: "Whether a client that supports the tasks extension of MCP gets a task instead of a call that waits. Claude Code moves tasks to the background and goes on without the answer.",
    },
    Setting {
        section: "http",
        key: "enabled",
        kind: Kind::Flag(true, |config, enabled| config.http.enabled = enabled),
        does: "Whether the hub also listens on a local port, for agents that speak HTTP, and for the page.",
    },
    Setting {
        section: "http",
        key: "port",
        kind: Kind::Number(4127, u16::MAX as u64, "(a port)", |config, port| {
            config.http.port = u16::try_from(port).unwrap_or_default();
        }),
        does: "The port. If it is taken, the system chooses another. 0: always another.",
    },
    Setting {
        section: "http",
        key: "asks_per_minute",
        kind: Kind::Number(100, LONG, "asks", |config, most| {
            config.http.asks_per_minute = most;
        }),
        does: "How many asks a minute one token may open over HTTP, by the API or MCP. One caller may open three quarters of them. 0: any number.",
    },
    Setting {
        section: "http",
        key: "max_request_kb",
        kind: Kind::Number(256, 16 * 1024, "of KB", |config, most| {
            config.http.max_request_kb = most;
        }),
        does: "How many kilobytes a request over HTTP, or a call of MCP, may have. Attached files may have 10 MB each.",
    },
    Setting {
        section: "http",
        key: "accounts",
        kind: Kind::Text(
            "numbers of accounts with spaces between, as `id -u NAME` prints them",
            |config, text| {
                let numbers = text.split_whitespace().map(|number| number.parse().ok());
                config.http.accounts = numbers.collect::<Option<_>>()?;
                Some(())
            },
        ),
        does: "Ids of the accounts of this machine whose programs may connect to the port, besides yours and root: an agent that runs as another account, or a scraper of metrics. The links of `ask-user web` sign in browsers of your own account only. `id -u NAME` prints the id; separate several with spaces. Only Linux tells whose a program is; elsewhere the token decides.",
    },
    Setting {
        section: "http",
        key: "public_url",
        kind: Kind::Text(
            "an address without a path, as in \"https://desk.example.ts.net\"",
            |config, text| {
                let public = Public::read(text)?;
                config.notify.page = Some(public.url().to_owned());
                config.http.public_url = Some(public);
                Some(())
            },
        ),
        does: "The URL by which other machines reach the page, through Tailscale or a proxy that forwards it to the port above. Links use it, and requests for it count as those of devices, which are allowed while `ask-user pair` is on. See docs/how-to/phones.md.",
    },
    Setting {
        section: "http",
        key: "names",
        kind: Kind::Text(
            "names with spaces between, as in \"desk.local desk\"",
            |config, text| {
                config.http.names = names(text)?;
                Some(())
            },
        ),
        does: "Names of this machine in its network, by which devices may reach it besides its address. With a certificate, links use the first name that it is valid for.",
    },
    Setting {
        section: "http",
        key: "tls_cert",
        kind: Kind::Text(A_FILE, |config, text| {
            config.http.tls_cert = Some(path(text)?);
            Some(())
        }),
        does: "The certificate for devices in the network, with its chain, in PEM: they then use HTTPS and nothing else. A renewed file is loaded automatically. See docs/how-to/phones.md.",
    },
    Setting {
        section: "http",
        key: "tls_key",
        kind: Kind::Text(A_FILE, |config, text| {
            config.http.tls_key = Some(path(text)?);
            Some(())
        }),
        does: "The key of that certificate, in PEM, without a passphrase, and readable by no other account.",
    },
];

fn some_seconds(seconds: u64) -> Option<Duration> {
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

impl Setting {
    /// Its path in messages and pages, as in `hub.idle_minutes`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    /// A value of the file as messages show it. The value of a secret is not shown.
    pub fn written(&self, value: &toml::Value) -> String {
        match self.kind {
            Kind::Secret(..) => "(not shown)".to_owned(),
            Kind::Number(..)
            | Kind::Flag(..)
            | Kind::Word(..)
            | Kind::Text(..)
            | Kind::Program(_)
            | Kind::Folders(_) => super::written(value),
        }
    }

    /// Its default, as the settings file writes it.
    pub fn default(&self) -> String {
        match &self.kind {
            Kind::Number(default, ..) => default.to_string(),
            Kind::Flag(default, _) => default.to_string(),
            Kind::Word(words, _) => format!("\"{}\"", words().first().unwrap_or(&"")),
            Kind::Text(..) | Kind::Secret(..) => "\"\"".to_owned(),
            Kind::Program(_) | Kind::Folders(_) => "[]".to_owned(),
        }
    }

    /// The values that it accepts, in words.
    pub fn takes(&self) -> String {
        match &self.kind {
            Kind::Number(_, most, unit, _) if *most < LONG => {
                format!("a whole number {unit}, 0 to {most}")
            }
            Kind::Number(_, _, unit, _) => format!("a whole number of {unit}, 0 or more"),
            Kind::Flag(..) => "true or false".to_owned(),
            Kind::Word(words, _) => {
                let quoted: Vec<String> =
                    words().iter().map(|word| format!("\"{word}\"")).collect();
                quoted.join(" or ")
            }
            Kind::Text(takes, _) | Kind::Secret(takes, _) => (*takes).to_owned(),
            Kind::Program(_) => {
                "a list: a program and its arguments, as in [\"notify-me\", \"--now\"]".to_owned()
            }
            Kind::Folders(_) => "a list of whole paths, as in [\"~/letters\"]".to_owned(),
        }
    }

    /// Sets it to its default.
    pub fn reset(&self, config: &mut Config) {
        match &self.kind {
            Kind::Number(default, _, _, set) => set(config, *default),
            Kind::Flag(default, set) => set(config, *default),
            Kind::Word(words, set) => {
                if let Some(default) = words().first() {
                    set(config, default);
                }
            }
            // A new `Config` already has their default, which is empty.
            Kind::Text(..) | Kind::Secret(..) | Kind::Program(_) | Kind::Folders(_) => {}
        }
    }

    /// Sets it to a value of the file. `None` if it doesn't accept the value.
    pub fn take(&self, config: &mut Config, value: &toml::Value) -> Option<()> {
        match &self.kind {
            Kind::Number(_, most, _, set) => {
                let number = u64::try_from(value.as_integer()?).ok()?;
                set(config, (number <= *most).then_some(number)?);
            }
            Kind::Flag(_, set) => set(config, value.as_bool()?),
            Kind::Word(_, set) => set(config, value.as_str()?)?,
            Kind::Text(_, set) | Kind::Secret(_, set) => match value.as_str()? {
                "" => {}
                text => set(config, text)?,
            },
            Kind::Program(set) => {
                let words = value.as_array()?.iter();
                let words: Option<Vec<String>> =
                    words.map(|word| word.as_str().map(str::to_owned)).collect();
                set(config, words?);
            }
            Kind::Folders(set) => {
                let paths = value.as_array()?.iter();
                let paths: Option<Vec<PathBuf>> = paths.map(|one| path(one.as_str()?)).collect();
                set(config, paths?);
            }
        }
        Some(())
    }
}
