//! Desktop notifications, in a task of their own: it shows and closes them, and reports clicks.
//! After a failure, the next notification connects again.

#[cfg(not(target_os = "macos"))]
pub(crate) mod linux;
#[cfg(target_os = "macos")]
pub mod macos;

use tokio::sync::mpsc;

#[cfg(not(target_os = "macos"))]
use self::linux as platform;
#[cfg(target_os = "macos")]
use self::macos as platform;
use super::text::Text;

/// A command to the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DesktopCommand {
    Show {
        /// The hub's number of the notification.
        group: u64,
        /// Its title and body.
        text: Text,
        /// Whether it makes a sound.
        sound: bool,
        /// The label of its button, if a click does anything.
        open: Option<String>,
    },
    /// Closes the notification with this number of the desktop's.
    Close(u32),
    /// Listens for clicks on notifications that the previous hub showed.
    Listen,
}

/// A report of the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DesktopEvent {
    /// It shows the hub's notification (first number) under its own (second number).
    Shown(u64, u32),
    /// The notification with this number was clicked.
    Clicked(u32),
    /// The notification with this number was closed.
    Gone(u32),
    Failed(String),
}

/// The channels to and from the desktop's task.
pub(crate) struct Desktop {
    /// Commands to the task.
    pub commands: mpsc::UnboundedSender<DesktopCommand>,
    /// Reports of the task.
    pub events: mpsc::UnboundedReceiver<DesktopEvent>,
}

/// Starts the task. It connects with the first command.
pub(crate) fn start() -> Desktop {
    let (commands, command_receiver) = mpsc::unbounded_channel();
    let (event_sender, events) = mpsc::unbounded_channel();
    tokio::task::spawn_local(platform::serve(command_receiver, event_sender));
    Desktop { commands, events }
}

/// The desktop's address, as far as it can be determined without connecting.
pub(crate) fn address() -> Result<String, String> {
    platform::address()
}
