//! Settings of notifications.

use super::Word;
use crate::config::quiet_hours::Hours;

/// How the person is told that an agent waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notify {
    /// When the desktop tells.
    pub desktop: Desktop,
    /// Whether it makes a sound.
    pub sound: bool,
    /// How a terminal without the focus tells.
    pub terminal: Heard,
    /// After how many seconds the phone is told.
    pub escalate_after_seconds: u64,
    /// When nobody is told.
    pub quiet: Option<Hours>,
    /// How much is told.
    pub privacy: Privacy,
    /// The person's own program, run on every event; empty for none.
    pub command: Vec<String>,
    /// What a click on a notification runs; empty for nothing.
    pub opener: Vec<String>,
    /// Where messages are posted to.
    pub webhook: Option<String>,
    /// What they are signed with.
    pub webhook_secret: Option<String>,
    /// A topic of ntfy.
    pub ntfy: Option<String>,
    /// What opens it.
    pub ntfy_token: Option<String>,
    /// Where a phone finds the page, if it does.
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

/// When the desktop is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Desktop {
    /// When no surface has the focus, and no open one was heard.
    Auto,
    /// Of every ask.
    Always,
    /// Of none.
    Never,
}

/// How much a notification tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Who asks, where, the title, and how many questions.
    Normal,
    /// That something is asked, and how much.
    Private,
    /// Also the questions and their options.
    Full,
}

/// How a terminal makes itself heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// As it can.
    Auto,
    /// By OSC 9.
    Osc9,
    /// By OSC 777.
    Osc777,
    /// By OSC 99.
    Osc99,
    /// By its bell.
    Bell,
    /// Not at all.
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

/// An address that messages can be posted to.
pub fn address(text: &str) -> Option<String> {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"))?;
    let safe = text.bytes().all(|byte| byte.is_ascii_graphic());
    (safe && !rest.is_empty() && !rest.starts_with('/')).then(|| text.to_owned())
}

/// The address of an ntfy topic: server and topic.
pub fn topic(text: &str) -> Option<String> {
    let found = address(text)?;
    let (_, rest) = found.split_once("://")?;
    let (_, name) = rest.split_once('/')?;
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (!name.is_empty() && name.bytes().all(safe)).then_some(found)
}
