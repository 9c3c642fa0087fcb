//! The one table of settings: what each is called, takes, is by default, and does.
//! The reader of `config.toml`, the file of defaults and `docs/cli.md` come from it.

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
    /// One of a few words, the first of them by default: the words in order, and what takes one in.
    Word(
        fn() -> Vec<&'static str>,
        fn(&mut Config, &str) -> Option<()>,
    ),
    /// Text of a certain kind, none by default: which kind, and what takes it in.
    Text(&'static str, fn(&mut Config, &str) -> Option<()>),
    /// The same, to be shown to nobody.
    Secret(&'static str, fn(&mut Config, &str) -> Option<()>),
    /// A program with its arguments, none by default.
    Program(fn(&mut Config, Vec<String>)),
    /// Folders, none by default.
    Folders(fn(&mut Config, Vec<PathBuf>)),
}

fn words<W: Word>() -> Vec<&'static str> {
    W::WORDS.iter().map(|(word, _)| *word).collect()
}

fn languages() -> Vec<&'static str> {
    let ours = Language::ALL.into_iter().map(Language::code);
    std::iter::once("auto").chain(ours).collect()
}

/// Names of hosts.
fn names(text: &str) -> Option<Vec<String>> {
    let names = text.split_whitespace().map(str::to_ascii_lowercase);
    let names: Vec<String> = names.collect();
    let is_name = |char: char| char.is_ascii_alphanumeric() || "-.".contains(char);
    let fits = names.iter().all(|name| name.chars().all(is_name));
    fits.then_some(names)
}

/// What the path of a file must be: the hub stands in no folder of the person's.
const A_FILE: &str = "a whole path, as in \"~/certs/desk.pem\"";

fn path(text: &str) -> Option<PathBuf> {
    match text.strip_prefix("~/") {
        Some(rest) => Some(etcetera::home_dir().ok()?.join(rest)),
        None => text.starts_with('/').then(|| PathBuf::from(text)),
    }
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
        does: "The hub ends by itself when nothing has waited and nobody has been connected for so many minutes, no browser is signed in, and no device may come. It is started again by whichever command needs it. 0: never.",
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
        section: "history",
        key: "keep_days",
        kind: Kind::Number(90, LONG, "days", |config, days| config.keep_days = days),
        does: "Closed asks are removed when they ended more than so many days ago. What you said and no agent has come for is kept twice as long, and the hub's log names it when it goes. They stay while nothing was asked one to eight days ago, because the clock may be wrong. While this file has any mistake, nothing is removed by itself. 0: all is kept for ever.",
    },
    Setting {
        section: "history",
        key: "skip_projects",
        kind: Kind::Folders(|config, folders| config.skip_projects = folders),
        does: "Of what is asked in these folders, and in those within, nothing is kept: some minutes after it is over and its agent has been told, it is removed, with the files of the answer. What can still be answered late stays for as long as that, and what you said and no agent has come for as long as anything else. While this file has any mistake, nothing is removed.",
    },
    Setting {
        section: "dialogs",
        key: "use",
        kind: Kind::Word(words::<Dialogs>, |config, word| {
            config.dialogs = Dialogs::find(word)?;
            Some(())
        }),
        does: "Whether a question is also put in the client's own dialog, where it has one. \"auto\": while no other place to answer is open.",
    },
    Setting {
        section: "dialogs",
        key: "over_http",
        kind: Kind::Text(
            "keys of clients (docs/clients.md) or names that they give themselves, with blanks between",
            |config, keys| {
                config.dialogs_over_http = names(keys)?;
                Some(())
            },
        ),
        does: "The clients that a question is also put in the dialog of when they come over HTTP. Whoever has the HTTP token could call itself by these names, declare a dialog, and answer its own questions in it: name a client only where you run nothing else that has the token.",
    },
    Setting {
        section: "answers",
        key: "below_agents",
        kind: Kind::Word(words::<BelowAgents>, |config, word| {
            config.answers.below_agents = BelowAgents::find(word)?;
            Some(())
        }),
        does: "What becomes of an answer by a program that an agent has started, directly or by way of others: the agent may have answered its own question. \"ask\": where another place to answer is open, its form is filled in, and you send it there; else as \"mark\". \"mark\": it is taken; the record, the history and the agent's reply say where it came from. \"refuse\": it isn't taken. This is evidence, not a wall: a program that means to can hide who started it.",
    },
    Setting {
        section: "answers",
        key: "only_from",
        kind: Kind::Word(words::<AnswersFrom>, |config, word| {
            config.answers.only_from = AnswersFrom::find(word)?;
            Some(())
        }),
        does: "From where answers are taken. \"devices\": only from devices that you have paired, because programs of this machine's account could answer in any other place.",
    },
    Setting {
        section: "limits",
        key: "open_asks",
        kind: Kind::Number(5_000, LONG, "asks", |config, most| {
            config.limits.open_asks = most
        }),
        does: "How many asks may wait at a time, of all agents together. One more is refused, and its agent told so. 0: any number.",
    },
    Setting {
        section: "limits",
        key: "open_asks_per_agent",
        kind: Kind::Number(200, LONG, "asks", |config, most| {
            config.limits.open_asks_per_agent = most;
        }),
        does: "How many of one agent, so that one that asks without end leaves room for the others. All servers, commands and sessions of one process count together, a gateway for many agents too. 0: any number.",
    },
    Setting {
        section: "limits",
        key: "open_megabytes",
        kind: Kind::Number(256, LONG, "megabytes", |config, most| {
            config.limits.open_megabytes = most;
        }),
        does: "How much text all asks that wait may have together: the hub holds it in memory. 0: any amount.",
    },
    Setting {
        section: "limits",
        key: "open_megabytes_per_agent",
        kind: Kind::Number(64, LONG, "megabytes", |config, most| {
            config.limits.open_megabytes_per_agent = most;
        }),
        does: "How much of it one agent's may have. 0: any amount.",
    },
    Setting {
        section: "limits",
        key: "unattached_megabytes",
        kind: Kind::Number(256, LONG, "megabytes", |config, most| {
            config.limits.unattached_megabytes = most;
        }),
        does: "How large all files may be together that were attached and belong to no answer or draft yet. What nobody sends is removed after some hours. 0: any amount.",
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
        does: "The language of everything that we say where you answer. \"auto\": that of the environment (LC_ALL, LC_MESSAGES, LANG), where it is one of these.",
    },
    Setting {
        section: "terminal",
        key: "theme",
        kind: Kind::Word(words::<Theme>, |config, word| {
            config.terminal.theme = Theme::find(word)?;
            Some(())
        }),
        does: "The colours. All are of your terminal's own sixteen; \"auto\" asks it whether it is light or dark, \"mono\" uses none.",
    },
    Setting {
        section: "terminal",
        key: "glyphs",
        kind: Kind::Word(words::<Glyphs>, |config, word| {
            config.terminal.glyphs = Glyphs::find(word)?;
            Some(())
        }),
        does: "The signs for marks and frames. \"auto\": those that the terminal's name and the locale allow. \"ascii\" also helps where signs are drawn two columns wide.",
    },
    Setting {
        section: "terminal",
        key: "typing",
        kind: Kind::Word(words::<Typing>, |config, word| {
            config.terminal.typing = Typing::find(word)?;
            Some(())
        }),
        does: "What letters do on a card. \"keys\": they are commands, as the footer says. \"jump\": they begin your own answer, and the commands are Alt and the letter.",
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
        does: "Whether answers are shown once more before they go out. \"several\": with several questions. \"always\": also with one of several choices.",
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
        does: "Whether a click moves the cursor, a second one there opens or marks, and the wheel scrolls. A click never sends. Selecting text then takes Shift.",
    },
    Setting {
        section: "notify",
        key: "desktop",
        kind: Kind::Word(words::<Desktop>, |config, word| {
            config.notify.desktop = Desktop::find(word)?;
            Some(())
        }),
        does: "When the desktop shows a notification. \"auto\": when no place to answer has the focus; where one is open and rings, a little later. Asks that come together are one notification, and it goes when they are answered, wherever that is.",
    },
    Setting {
        section: "notify",
        key: "sound",
        kind: Kind::Flag(true, |config, on| config.notify.sound = on),
        does: "Whether the desktop makes its sound with it.",
    },
    Setting {
        section: "notify",
        key: "terminal",
        kind: Kind::Word(words::<Heard>, |config, word| {
            config.notify.terminal = Heard::find(word)?;
            Some(())
        }),
        does: "How an open inbox makes itself heard while it has no focus. \"auto\": by the notification that its terminal knows (OSC 9, 777 or 99), else by the bell.",
    },
    Setting {
        section: "notify",
        key: "escalate_after_seconds",
        kind: Kind::Number(60, LONG, "seconds", |config, seconds| {
            config.notify.escalate_after_seconds = seconds;
        }),
        does: "How long an ask waits before the phone is told, by the webhook or ntfy below. Not while a key was pressed in a place to answer within the last two minutes.",
    },
    Setting {
        section: "notify",
        key: "quiet_hours",
        kind: Kind::Text("two times of day, as in \"22:00-07:30\"", |config, text| {
            config.notify.quiet = Some(Hours::parse(text)?);
            Some(())
        }),
        does: "From when to when nothing makes itself heard, as in \"22:00-07:30\". What still waits afterwards is told then, at once and together.",
    },
    Setting {
        section: "notify",
        key: "privacy",
        kind: Kind::Word(words::<Privacy>, |config, word| {
            config.notify.privacy = Privacy::find(word)?;
            Some(())
        }),
        does: "How much notifications tell. \"normal\": who asks, the project, the title, how many questions. \"private\": only that something waits. \"full\": also the questions and their options.",
    },
    Setting {
        section: "notify",
        key: "command",
        kind: Kind::Program(|config, words| config.notify.command = words),
        does: "A program of yours that is run whenever something happens to an ask, with what happened as JSON on its standard input. docs/notify.md tells what it gets.",
    },
    Setting {
        section: "notify",
        key: "opener",
        kind: Kind::Program(|config, words| config.notify.opener = words),
        does: "What a click on a desktop notification runs, as in [\"kitty\", \"ask-user\", \"inbox\"].",
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
        does: "Where asks that wait for long are posted to as JSON, and that they are over.",
    },
    Setting {
        section: "notify",
        key: "webhook_secret",
        kind: Kind::Secret("text", |config, text| {
            config.notify.webhook_secret = Some(text.to_owned());
            Some(())
        }),
        does: "Signs what is posted: its HMAC-SHA256 goes along in the header X-Ask-User-Signature.",
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
        does: "The topic of ntfy that tells your phone. Whoever knows its name can read it: choose one that nobody guesses.",
    },
    Setting {
        section: "notify",
        key: "ntfy_token",
        kind: Kind::Secret("text", |config, text| {
            config.notify.ntfy_token = Some(text.to_owned());
            Some(())
        }),
        does: "What the topic is opened with, where it needs that.",
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
    Setting {
        section: "http",
        key: "asks_per_minute",
        kind: Kind::Number(100, LONG, "asks", |config, most| {
            config.http.asks_per_minute = most;
        }),
        does: "How many asks a minute one token may open over HTTP, by the API or MCP, and one caller three quarters of them. 0: any number.",
    },
    Setting {
        section: "http",
        key: "max_request_kb",
        kind: Kind::Number(256, 16 * 1024, "of KB", |config, most| {
            config.http.max_request_kb = most;
        }),
        does: "How large a request over HTTP may be, and a call of MCP. Files are apart from that: 10 MB each.",
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
        does: "The accounts of this machine whose programs may connect to the port, beside yours and root: an agent that runs as another, a scraper of figures. The numbers are those that `id -u NAME` prints, with spaces between. Linux alone tells whose a program is; elsewhere the token decides.",
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
        does: "Where other machines reach the page, by whoever passes it on from there to the port above: Tailscale, a proxy. Links lead there, and requests for it are those of devices, which come while `ask-user pair` is on. See docs/phones.md.",
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
        does: "What this machine is called in its network: devices may come by these names, too, and not by its address alone. With a certificate, links use the first of them that it is for.",
    },
    Setting {
        section: "http",
        key: "tls_cert",
        kind: Kind::Text(A_FILE, |config, text| {
            config.http.tls_cert = Some(path(text)?);
            Some(())
        }),
        does: "The certificate that devices in the network are served by, with those that vouch for it, in PEM: they come by HTTPS then, and by nothing less. Renewed, it is taken up by itself. See docs/phones.md.",
    },
    Setting {
        section: "http",
        key: "tls_key",
        kind: Kind::Text(A_FILE, |config, text| {
            config.http.tls_key = Some(path(text)?);
            Some(())
        }),
        does: "The key of that certificate, in PEM, without a passphrase, and for no other account to read.",
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

    /// A value of the file, for people; of a secret only that there is one.
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

    /// Its default, as it is written in the file.
    pub fn default(&self) -> String {
        match &self.kind {
            Kind::Number(default, ..) => default.to_string(),
            Kind::Flag(default, _) => default.to_string(),
            Kind::Word(words, _) => format!("\"{}\"", words().first().unwrap_or(&"")),
            Kind::Text(..) | Kind::Secret(..) => "\"\"".to_owned(),
            Kind::Program(_) | Kind::Folders(_) => "[]".to_owned(),
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
            // Nothing is what a configuration begins with.
            Kind::Text(..) | Kind::Secret(..) | Kind::Program(_) | Kind::Folders(_) => {}
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
