//! Notifications of macOS, through `osascript`, which every Mac has. They can't be closed and don't
//! report clicks.

use std::time::Duration;

use tokio::sync::mpsc;

use super::super::command;
use super::{DesktopCommand, DesktopEvent};

const LIMIT: Duration = Duration::from_secs(10);

/// The texts are passed as arguments, so that they can't be parsed as script.
const SCRIPT: [&str; 7] = [
    "osascript",
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
];

/// `osascript` is always available.
pub fn address() -> Result<String, String> {
    Ok("osascript".to_owned())
}

/// Carries out commands until the hub drops the channel.
pub async fn serve(
    mut commands: mpsc::UnboundedReceiver<DesktopCommand>,
    events: mpsc::UnboundedSender<DesktopEvent>,
) {
    while let Some(received) = commands.recv().await {
        let DesktopCommand::Show { group, text, .. } = received else {
            continue;
        };
        let mut words: Vec<String> = SCRIPT.map(str::to_owned).to_vec();
        words.extend([text.title, text.body]);
        let event = match command::run(&words, &[], String::new(), LIMIT).await {
            Ok(output) if output.code == Some(0) => DesktopEvent::Shown(group, 0),
            Ok(output) => DesktopEvent::Failed(output.err),
            Err(problem) => DesktopEvent::Failed(problem),
        };
        // The hub drops the receiver at its end.
        let _ = events.send(event);
    }
}
