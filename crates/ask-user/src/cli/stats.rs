//! `ask-user stats`: statistics over the history.

use std::io::{IsTerminal, Write};

use ask_config::config::{Config, Glyphs};
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::i18n::Words;
use ask_protocol::json_text;
use ask_protocol::native;
use ask_tui::ui::charts;
use clap::Args;

use super::select::FilterArgs;

/// Show statistics of asks: how they ended, how long they took, how each agent is answered
#[derive(Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    filter: FilterArgs,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

impl Stats {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let filter = self.filter.into_filter()?;
        let stats = super::with_hub(home, async |client| client.stats(filter).await)?;
        let mut out = std::io::stdout();
        if self.json {
            writeln!(out, "{}", json_text(&native::Stats::from(&stats)))?;
            return Ok(Exit::Done);
        }
        let config = Config::read(&home.config_file()).config;
        let words = Words::of_person(config.language);
        let rows = charts::rows(words, &stats);
        // Bars are for a terminal. Screen readers and programs get only the numbers.
        if super::inbox::wants_plain() || !out.is_terminal() {
            for line in charts::speech_lines(words, &rows) {
                writeln!(out, "{line}")?;
            }
            return Ok(Exit::Done);
        }
        let bar = match config.terminal.glyphs {
            Glyphs::Ascii => '#',
            Glyphs::Full => '█',
            Glyphs::Auto if is_utf8() => '█',
            Glyphs::Auto => '#',
        };
        for line in charts::lines(&rows, columns(), bar) {
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(Exit::Done)
    }
}

/// The width of the terminal, limited to what can be read at a glance.
fn columns() -> usize {
    let size = crossterm::terminal::size();
    size.map_or(100, |(columns, _)| usize::from(columns).clamp(24, 120))
}

fn is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|locale| !locale.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
