//! Notifications on the desktop, in a task of their own: shown, taken back, and heard of when
//! they are clicked. A desktop that can't be had is tried again with the next notification.

#[cfg(not(target_os = "macos"))]
pub mod linux;
#[cfg(target_os = "macos")]
pub mod macos;

use tokio::sync::mpsc;

#[cfg(not(target_os = "macos"))]
use self::linux as way;
#[cfg(target_os = "macos")]
use self::macos as way;
use super::text::Text;

/// What the desktop is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesktopCommand {
    /// Show a notification.
    Show {
        /// Our number of it.
        group: u64,
        /// What it says.
        text: Text,
        /// Whether it makes a sound.
        sound: bool,
        /// What its button is called, if a click does anything.
        open: Option<String>,
    },
    /// Take back a notification of the desktop's number.
    Close(u32),
    /// Listen for clicks on what the hub before this one has shown.
    Listen,
}

/// What the desktop says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesktopEvent {
    /// It shows our notification under that number.
    Shown(u64, u32),
    /// One was clicked.
    Clicked(u32),
    /// One is gone.
    Gone(u32),
    /// It can't be done.
    Failed(String),
}

/// The way to the desktop.
pub struct Desktop {
    /// What it is to do.
    pub wishes: mpsc::UnboundedSender<DesktopCommand>,
    /// What it says.
    pub heard: mpsc::UnboundedReceiver<DesktopEvent>,
}

/// Begins the task; nothing is connected before there is something to do.
pub fn begin() -> Desktop {
    let (wishes, work) = mpsc::unbounded_channel();
    let (say, heard) = mpsc::unbounded_channel();
    tokio::task::spawn_local(way::serve(work, say));
    Desktop { wishes, heard }
}

/// Whether there is a desktop to tell, as far as can be seen without asking it.
pub fn place() -> Result<String, String> {
    way::place()
}
