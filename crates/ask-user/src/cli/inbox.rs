//! `ask-user inbox`.

use std::io::IsTerminal;

use clap::Args;

use crate::exit::{Exit, Failure};
use crate::home::Home;

/// Answer in this terminal
#[derive(Args, Default)]
pub struct Inbox {
    /// Open the oldest ask, then the next, and end when none is left
    #[arg(long, group = "which")]
    next: bool,
    /// Open this ask, and end when it is closed
    #[arg(long, value_name = "ID", group = "which")]
    id: Option<String>,
    /// Line by line, without drawing: for screen readers, pipes and plain terminals
    #[arg(long)]
    plain: bool,
}

impl Inbox {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let _ = (home, self.next, self.id);
        if !self.plain && !std::io::stdout().is_terminal() {
            return Err(Failure::new(
                Exit::Usage,
                "the inbox needs a terminal",
                "use `ask-user list --json`, `ask-user answer ID ...` or `ask-user inbox --plain`",
            )
            .into());
        }
        Ok(Exit::Done)
    }
}
