//! `ask-user notify`: the notification channels, and a test of each.

use std::io::{IsTerminal, Write};

use ask_config::clock;
use ask_config::config::Config;
use ask_config::config::quiet_hours::Hours;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::i18n::Words;
use ask_core::SafeText;
use ask_hub::client::Client;
use ask_hub::notify::channels;
use ask_hub::notify::text::Text;
use ask_hub::surface::labels;
use ask_tui::tui::attention::EscapeDialect;
use clap::Args;
use tokio::task::LocalSet;

/// Show how you are notified that an agent waits, or test every channel
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 every way works, or none is set; 1 one of them doesn't. How to set them: docs/how-to/notifications.md."
)]
pub(crate) struct Notify {
    /// Send a notification through every configured channel, and print the results
    #[arg(long)]
    test: bool,
    /// Mute notifications until `--unmute`
    #[arg(long, conflicts_with_all = ["test", "unmute"])]
    mute: bool,
    /// Unmute notifications
    #[arg(long, conflicts_with = "test")]
    unmute: bool,
}

impl Notify {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::warn_of_settings(home);
        if self.mute || self.unmute {
            super::with_hub(home, async |client| client.mute(self.mute).await)?;
            let message = match self.mute {
                true => {
                    "Muted: nothing tells you that an agent waits, until `--unmute` or `m` in the inbox."
                }
                false => "No longer muted.",
            };
            writeln!(std::io::stdout(), "{message}")?;
            return Ok(Exit::Done);
        }
        let config = Config::read(&home.config_file()).config;
        let words = Words::of_person(config.language);
        let settings = &config.notify;
        let mut exit = Exit::Done;
        for (name, set) in channels::configured(settings) {
            let result = match (set, self.test) {
                (Ok(_), true) => super::block_on(async {
                    let test = channels::send_test(name, settings, words, clock::now());
                    Ok(LocalSet::new().run_until(test).await)
                })?,
                (set, _) => set,
            };
            let (state, text) = match result {
                Ok(text) => ("ok  ", text),
                Err(problem) => {
                    exit = Exit::Failure;
                    ("FAIL", problem)
                }
            };
            writeln!(
                std::io::stdout(),
                "{state}  {name:<9} {}",
                SafeText::line(&text)
            )?;
        }
        print_terminal(&config, words, self.test)?;
        print_suppression(home, settings.quiet)?;
        Ok(exit)
    }
}

/// Prints what suppresses notifications at the moment: mute or quiet hours.
fn print_suppression(home: &Home, quiet: Option<Hours>) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let status = super::block_on(async {
        match Client::find(home).await? {
            Some(client) => Ok(Some(client.status().await?)),
            None => Ok(None),
        }
    });
    if status.ok().flatten().is_some_and(|status| status.muted) {
        writeln!(
            out,
            "note  muted     nothing is sent until `ask-user notify --unmute` or `m` in the inbox"
        )?;
    }
    let zone = clock::zone();
    if let Some(end) = quiet.and_then(|hours| hours.until(clock::now(), &zone)) {
        let end = labels::clock(end, &zone);
        writeln!(out, "note  quiet     nothing is sent before {end}")?;
    }
    Ok(())
}

fn dialect_name(dialect: EscapeDialect) -> &'static str {
    match dialect {
        EscapeDialect::Osc9 { .. } => "OSC 9",
        EscapeDialect::Osc777 { .. } => "OSC 777",
        EscapeDialect::Osc99 => "OSC 99",
        EscapeDialect::Bell { .. } => "the bell",
        EscapeDialect::Off => "not heard",
    }
}

/// Prints how an inbox in this terminal notifies without the focus.
fn print_terminal(config: &Config, words: Words, test: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let dialect = EscapeDialect::detect(config.notify.terminal, variable);
    writeln!(
        out,
        "ok    {:<9} {}, from an open inbox without the focus",
        "terminal",
        dialect_name(dialect)
    )?;
    if test && out.is_terminal() {
        let text = Text {
            title: words.say("notify-test-title"),
            body: words.say("notify-test-body"),
        };
        write!(
            out,
            "{}",
            dialect.notification(&text, !variable("TMUX").is_empty())
        )?;
        out.flush()?;
    }
    Ok(())
}
