//! The pages of `docs/reference` that are generated from the tables of the code.

mod dialects;

use std::io::Write;

use ask_clients::page;
use ask_clients::table::{self, LIMIT_VARIABLE};
use ask_config::config::settings::SETTINGS;
use ask_config::config::{Config, keys};
use ask_config::exit::{CODES, Exit, Failure};
use ask_config::home::Home;
use ask_core::SafeText;
use ask_web::metrics;
use clap::{Args, Command, CommandFactory};

use super::Cli;

/// Print a page of the documentation
#[derive(Args)]
pub(crate) struct Docs {
    /// The page
    #[arg(value_parser = PAGES)]
    page: Option<String>,
    /// With clients: the name of one client, to print what applies to it here
    client: Option<String>,
}

impl Docs {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let Some(page) = self.page else {
            return Err(Failure::new(
                Exit::Usage,
                "which page?",
                format!(
                    "the pages are {}; `config` is the file of defaults",
                    PAGES.join(", ")
                ),
            )
            .into());
        };
        let text = match page.as_str() {
            "clients" => match self.client {
                Some(name) => client_page(home, &name),
                None => format!("{GENERATED}{}", page::page()),
            },
            "config" => default_config(),
            "dialects" => format!("{GENERATED}{}", dialects::page()),
            "metrics" => format!("{GENERATED}{}", metrics::page()),
            "settings" => settings_page(),
            _ => commands_page(),
        };
        std::io::stdout().write_all(text.as_bytes())?;
        Ok(Exit::Done)
    }
}

/// The pages that [`Docs`] prints.
const PAGES: [&str; 6] = [
    "cli", "clients", "config", "dialects", "metrics", "settings",
];

const GENERATED: &str = "<!-- Printed by `ask-user docs`; a test keeps it so. -->\n";

const SETTINGS_INTRO: &str = r#"
# Settings

ask-user reads its settings from `config.toml` in the config folder: `~/.config/ask-user`, or the folder in `ASK_USER_HOME`. Every setting has a default, so the file may be missing. [The settings file](config.md) shows all of them with their defaults; `ask-user docs config` prints it.

Each command reads the file when it starts, and so does the hub. After a change that concerns the hub, run `ask-user hub --stop`; the next command starts another one.

If a value can't be read, its default applies, and the commands that people run say which value it is.

| setting | takes | default | meaning |
|---|---|---|---|
"#;

const KEYS_INTRO: &str = r#"
## Keys

Every action in the terminal can have other keys. Name the screen in a table and the action in it, with a key, a list of keys, or `"none"`:

```toml
[keys.card]
decline = "D"
```

A key is a character or one of `Enter`, `Esc`, `Tab`, `Space`, `Backspace`, `Delete`, `Insert`, `Home`, `End`, `PgUp`, `PgDn`, `Up`, `Down`, `Left`, `Right` and `F1` to `F12`. `Ctrl+` or `Alt+` may precede it. Write a capital letter as such.

- A terminal can't tell Ctrl+M, Ctrl+I, Ctrl+[ and Ctrl+H from Enter, Tab, Esc and Backspace.
- Ctrl+C always leaves, a field first, and can't be changed.
- With `typing = "jump"`, the commands of a card are their letters with Alt, and `[` and `]` are Alt+Left and Alt+Right.

| action | keys | what it does |
|---|---|---|
"#;

/// The environment variables, and what they set.
const ENVIRONMENT: [(&str, &str); 16] = [
    (
        "`ASK_USER_HOME`",
        "one folder for settings and state, in place of the platform's",
    ),
    (
        "`ASK_USER_AGENT_PROCESS`",
        "the process id and the start of an agent whose extension runs `ask-user`; its shells inherit it, so the hub knows what they start",
    ),
    (
        "`ASK_USER_CLIENT`, `ASK_USER_AGENT`, `ASK_USER_SESSION`, `ASK_USER_PROJECT`",
        "who asks, where a client can't say it",
    ),
    (
        "`ASK_USER_INSTANCE`",
        "the window of a desktop app that the agent works for, which shows its questions (docs/reference/protocol.md)",
    ),
    (
        "`ASK_USER_TOKEN`",
        "the token for the server and the bridge of `ask-user mcp --port`; `--register` writes it",
    ),
    (
        "`ASK_USER_LIMIT_MS`",
        "how long the client of this server waits for a call, in milliseconds; 0: without limit. `register` writes it",
    ),
    (
        "`ASK_USER_ALONE`",
        "0: if the hub can't be reached, calls fail; no file or dialog is used",
    ),
    (
        "`ASK_USER_PLAIN`, `ACCESSIBLE`",
        "1: the inbox line by line, for screen readers and dumb terminals",
    ),
    (
        "`ASK_USER_BIN`",
        "where the extensions for pi and opencode find this program",
    ),
    (
        "`CN_MCP_PORT`",
        "the port on which the hub serves HTTP; takes precedence over `http.port`",
    ),
    (
        "`CN_MCP_TIMEOUT`",
        "the time limit of calls in dialects that have one (`codenomad`), in milliseconds from 10000 to 1800000; a value outside is replaced by the nearer end, and the log and `ask-user doctor` say so",
    ),
    (
        "`CN_MCP_DEBUG`",
        "1: `ask-user mcp` logs on standard error, and a hub that is started with it logs every HTTP request",
    ),
    (
        "`RUST_LOG`",
        "what is logged, as a level (`error`, `warn`, `info`, `debug`) or as `ask_hub=debug,ask_mcp=info`; takes precedence over `CN_MCP_DEBUG`. `rmcp=debug` also logs MCP messages, with questions and answers; our own lines never contain those",
    ),
    (
        "`TZ`",
        "your time zone, such as `Europe/Berlin`, in place of the system's: for quiet hours, snoozes and what is printed",
    ),
    ("`NO_COLOR`", "no colours"),
    (
        "`HOME`, `XDG_CONFIG_HOME`, `XDG_STATE_HOME`",
        "where the platform's folders are",
    ),
];

/// The comment about clients in the file of defaults.
const CLIENTS_COMMENT: &str = "
# Settings of one client, by its key in docs/reference/clients.md, which lists all of them.
# `ask-user docs clients NAME` prints what applies then. Examples: a client that was configured to
# wait for a day, and one that isn't in the table:
# [clients.codex]
# limit_ms = 86400000
# [clients.my-agent]
# names = [\"my-agent\"]
# limit_ms = 30000
";

fn commands_page() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut text = format!("{GENERATED}\n# Commands\n");
    for command in cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        if command.get_name() == "help" {
            continue;
        }
        text.push_str(&format!("\n## ask-user {}\n\n", command.get_name()));
        if let Some(about) = command.get_about() {
            text.push_str(&format!("{about}.\n\n"));
        }
        text.push_str(&arguments_table(command));
        let subcommands = command.get_subcommands();
        for part in subcommands.filter(|part| part.get_name() != "help") {
            let (name, about) = (part.get_name(), part.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!(
                "`ask-user {} {name}`: {about}.\n\n",
                command.get_name()
            ));
            text.push_str(&format!("{}\n", arguments_table(part)));
        }
        if let Some(more) = command.get_after_help() {
            text.push_str(&format!("\n{more}\n"));
        }
    }
    text.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (exit, meaning) in CODES {
        text.push_str(&format!("| {} | {meaning} |\n", exit as u8));
    }
    text
}

fn settings_page() -> String {
    let mut text = format!("{GENERATED}{SETTINGS_INTRO}");
    for setting in SETTINGS {
        text.push_str(&format!(
            "| `{}` | {} | `{}` | {} |\n",
            setting.path(),
            setting.takes(),
            setting.default(),
            setting.does
        ));
    }
    text.push_str("| `[keys.SCREEN]` | keys | | What keys do in the terminal: see below. |\n");
    text.push_str(
        "| `[clients.KEY]` | a table | | What holds for one client: see [Clients](clients.md). |\n",
    );
    text.push_str(KEYS_INTRO);
    for place in keys::places() {
        text.push_str(&format!(
            "| `{}` | `{}` | {} |\n",
            place.path(),
            place.default().replace('|', "\\|"),
            place.does
        ));
    }
    text.push_str("\n## Environment variables\n\n| variable | meaning |\n|---|---|\n");
    for (names, meaning) in ENVIRONMENT {
        text.push_str(&format!("| {names} | {meaning} |\n"));
    }
    text
}

fn client_page(home: &Home, name: &str) -> String {
    super::warn_of_settings(home);
    let overrides = Config::read(&home.config_file()).config.clients;
    let registered = std::env::var(LIMIT_VARIABLE).ok();
    let found = table::called(name, &overrides, registered.as_deref());
    page::one(&SafeText::line(name).to_string(), found.as_ref())
}

fn default_config() -> String {
    let mut text = String::from(
        "# Settings of ask-user. Every line here is a default: remove the `#` to change one.\n",
    );
    let mut section = "";
    for setting in SETTINGS {
        if setting.section != section {
            section = setting.section;
            text.push_str(&format!("\n[{section}]\n"));
        }
        for line in wrap(setting.does) {
            text.push_str(&format!("# {line}\n"));
        }
        text.push_str(&format!("# {} = {}\n", setting.key, setting.default()));
    }
    text.push_str(&keys::defaults());
    text.push_str(CLIENTS_COMMENT);
    text
}

/// Wraps sentences to the lines of a comment.
fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 84 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn arguments_table(command: &Command) -> String {
    let mut text = String::new();
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        if argument.get_id() == "help" || argument.get_id() == "version" {
            continue;
        }
        let help = argument
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        if text.is_empty() {
            text.push_str("| argument | meaning |\n|---|---|\n");
        }
        let usage = argument.to_string().replace('|', "\\|");
        text.push_str(&format!("| `{usage}` | {help} |\n"));
    }
    text
}

#[cfg(test)]
mod tests;
