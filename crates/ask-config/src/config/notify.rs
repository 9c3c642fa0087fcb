//! Settings of notifications.

use super::Word;
use crate::config::quiet_hours::Hours;

/// How the person is notified of a waiting ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notify {
    /// When the desktop shows a notification.
    pub desktop: Desktop,
    /// Whether a desktop notification makes a sound.
    pub sound: bool,
    /// How a terminal without focus notifies the person.
    pub terminal: Heard,
    /// After how many seconds the phone is notified.
    pub escalate_after_seconds: u64,
    /// The hours without notifications.
    pub quiet: Option<Hours>,
    /// How much a notification says.
    pub privacy: Privacy,
    /// The command that runs on every event, with its arguments; empty for none.
    pub command: Vec<String>,
    /// The command that a click on a notification runs, with its arguments; empty for none.
    pub opener: Vec<String>,
    /// The URL that messages are posted to.
    pub webhook: Option<String>,
    /// The secret that signs those messages.
    pub webhook_secret: Option<String>,
    /// The URL of an ntfy topic.
    pub ntfy: Option<String>,
    /// The access token for that topic.
    pub ntfy_token: Option<String>,
    /// The URL by which a phone reaches the page, if there is one.
    pub page: Option<String>,
}

impl Default for Notify {
    fn default() -> Self {
        Self {
            desktop: Desktop::Auto,
            sound: true,
            terminal: Heard::Auto,
            escalate_after_seconds: 60,
            quiet: None,
            privacy: Privacy::Normal,
            command: Vec::new(),
            opener: Vec::new(),
            webhook: None,
            webhook_secret: None,
            ntfy: None,
            ntfy_token: None,
            page: None,
        }
    }
}

/// When the desktop shows a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Desktop {
    /// When no surface has the focus, and no open surface has rung.
    Auto,
    /// For every ask that is opened.
    Always,
    /// For no ask at all.
    Never,
}

/// How much a notification says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Who asks, where, the title, and the number of questions.
    Normal,
    /// Only that something is asked, and how much.
    Private,
    /// Also the questions and their options.
    Full,
}

/// How a terminal notifies the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// By the best way that it supports.
    Auto,
    /// By the escape sequence OSC 9.
    Osc9,
    /// By the escape sequence OSC 777.
    Osc777,
    /// By the escape sequence OSC 99.
    Osc99,
    /// By the terminal's own bell.
    Bell,
    /// The terminal does not notify.
    Off,
}

impl Word for Desktop {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("always", Self::Always),
        ("never", Self::Never),
    ];
}

impl Word for Privacy {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("normal", Self::Normal),
        ("private", Self::Private),
        ("full", Self::Full),
    ];
}

impl Word for Heard {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("osc9", Self::Osc9),
        ("osc777", Self::Osc777),
        ("osc99", Self::Osc99),
        ("bell", Self::Bell),
        ("off", Self::Off),
    ];
}

/// Accepts a URL that messages can be posted to.
pub(super) fn address(text: &str) -> Option<String> {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"))?;
    let safe = text.bytes().all(|byte| byte.is_ascii_graphic());
    (safe && !rest.is_empty() && !rest.starts_with('/')).then(|| text.to_owned())
}

/// Accepts the URL of an ntfy topic: a server and a topic.
pub(super) fn topic(text: &str) -> Option<String> {
    let found = address(text)?;
    let (_, rest) = found.split_once("://")?;
    let (_, name) = rest.split_once('/')?;
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (!name.is_empty() && name.bytes().all(safe)).then_some(found)
}
