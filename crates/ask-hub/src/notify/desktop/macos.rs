//! Notifications of macOS, by the one program that every Mac has for it. They can't be taken back
//! and say nothing when they are clicked.

use std::time::Duration;

use tokio::sync::mpsc;

use super::super::command;
use super::{DesktopCommand, DesktopEvent};

const LIMIT: Duration = Duration::from_secs(10);

/// The words come as arguments, so that none is taken for a script.
const SCRIPT: [&str; 7] = [
    "osascript",
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
];

/// Always there.
pub fn place() -> Result<String, String> {
    Ok("osascript".to_owned())
}

/// Does what is wished.
pub async fn serve(
    mut wishes: mpsc::UnboundedReceiver<DesktopCommand>,
    say: mpsc::UnboundedSender<DesktopEvent>,
) {
    while let Some(wish) = wishes.recv().await {
        let DesktopCommand::Show { group, text, .. } = wish else {
            continue;
        };
        let mut words: Vec<String> = SCRIPT.map(str::to_owned).to_vec();
        words.extend([text.title, text.body]);
        let said = match command::run(&words, &[], String::new(), LIMIT).await {
            Ok(ran) if ran.code == Some(0) => DesktopEvent::Shown(group, 0),
            Ok(ran) => DesktopEvent::Failed(ran.err),
            Err(problem) => DesktopEvent::Failed(problem),
        };
        let _ = say.send(said);
    }
}
