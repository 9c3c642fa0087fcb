//! `ask-user forget`: removing closed asks.

use std::io::Write;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::Time;
use clap::Args;

use super::select::{FilterArgs, parse_time};

/// Remove closed asks and their answers for good, by id or by filter
///
/// With a filter instead of ids it prints how many asks it would remove; `--yes` removes them.
/// Answers that no agent has received are kept then: they can only be removed by id, and only with
/// `--yes`.
#[derive(Args)]
pub(crate) struct Forget {
    /// The asks' ids
    #[arg(value_name = "ID", conflicts_with_all = ["FilterArgs", "before", "everything"])]
    ids: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Only asks before this time: a date, a time, or a duration such as `90d` before now
    #[arg(long, value_name = "WHEN", conflicts_with = "until")]
    before: Option<String>,
    /// All closed asks
    #[arg(long = "all", conflicts_with_all = ["FilterArgs", "before"])]
    everything: bool,
    /// Remove the asks instead of counting them
    #[arg(long)]
    yes: bool,
}

impl Forget {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if !self.ids.is_empty() {
            return self.forget_by_id(home);
        }
        let before = self.before.as_deref().map(parse_time).transpose()?;
        let mut filter = self.filter.into_filter()?;
        filter.until_ms = before.map(|Time(ms)| ms).or(filter.until_ms);
        if filter.is_too_wide_to_remove() && !self.everything {
            return Err(Failure::new(
                Exit::Usage,
                "forget what?",
                "give IDs, or options such as --project or --before, or --all",
            )
            .into());
        }
        let forget =
            async |client: ask_hub::client::Client| client.forget_some(filter, !self.yes).await;
        let (count, undelivered) = super::with_hub(home, forget)?;
        let mut out = std::io::stdout();
        match self.yes {
            true => writeln!(out, "{} forgotten.", format_count(count))?,
            false if count == 0 => writeln!(out, "Nothing to forget.")?,
            false => writeln!(
                out,
                "{} would be forgotten. The same with --yes removes them for good.",
                format_count(count)
            )?,
        }
        if undelivered > 0 {
            let why = match undelivered {
                1 => "its agent hasn't received the outcome. Name it by ID to forget it.",
                _ => "their agents haven't received the outcome. Name them by ID to forget them.",
            };
            writeln!(out, "{} kept: {why}", format_count(undelivered))?;
        }
        Ok(Exit::Done)
    }

    fn forget_by_id(self, home: &Home) -> anyhow::Result<Exit> {
        let count = super::with_hub(home, async |client| client.forget(self.ids, self.yes).await)?;
        writeln!(std::io::stdout(), "{} forgotten.", format_count(count))?;
        Ok(Exit::Done)
    }
}

fn format_count(count: u64) -> String {
    match count {
        1 => "1 ask".to_owned(),
        _ => format!("{count} asks"),
    }
}
