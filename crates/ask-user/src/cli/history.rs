//! `ask-user history`: a list of closed asks.

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_protocol::ipc::Request;
use clap::Args;

use super::select::FilterArgs;
use super::{number, style};

/// List what was asked and how it ended, newest first
#[derive(Args)]
pub(crate) struct History {
    #[command(flatten)]
    filter: FilterArgs,
    /// The most asks to list
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = number::parse_count)]
    limit: u64,
    /// Print a JSON array of records
    #[arg(long)]
    json: bool,
}

impl History {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let mut filter = self.filter.into_filter()?;
        let records = super::with_hub(home, async |client| {
            let mut records = Vec::new();
            while (records.len() as u64) < self.limit {
                filter.limit = Some(self.limit - records.len() as u64);
                let filter_now = filter.clone();
                let (page, next) = client.list(Request::History { filter: filter_now }).await?;
                records.extend(page);
                if next == 0 {
                    break;
                }
                filter.before = Some(next);
            }
            Ok(records)
        })?;
        super::warn_of_damage(home);
        style::print_records(home, &records, self.json, "Nothing found.")?;
        Ok(Exit::Done)
    }
}
