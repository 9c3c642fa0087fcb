//! What is written to a terminal so that its person looks: which sequences it knows, and how they
//! are handed through tmux. Whatever comes from an agent is safe text already, and has no way out
//! of its sequence.

use ask_config::config::Heard;
use ask_core::SafeText;
use ask_hub::notify::text::Text;

/// Keeps the title that was there.
pub const PUSH_TITLE: &str = "\u{1b}[22;2t";
/// Gives it back.
pub const POP_TITLE: &str = "\u{1b}[23;2t";

const ESC: char = '\u{1b}';
const BELL: &str = "\u{7}";

/// How a terminal is made to be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeDialect {
    /// By a line (iTerm2, and many after it).
    Osc9 {
        /// Whether it also knows the mark on a task, which others would take for a notification.
        marks: bool,
    },
    /// By title and body (rxvt, WezTerm, Ghostty, foot).
    Osc777 {
        /// Whether it also knows the mark on a task.
        marks: bool,
    },
    /// By title and body, to be taken back (kitty).
    Osc99,
    /// By its bell.
    Bell {
        /// Whether it knows the mark on a task.
        marks: bool,
    },
    /// Not at all.
    Off,
}

impl EscapeDialect {
    /// What the person wants, else what the environment says of the terminal.
    pub fn of(wanted: Heard, variable: impl Fn(&str) -> String) -> Self {
        let found = Self::of_environment(&variable);
        let marks = found.marks();
        match wanted {
            Heard::Auto => found,
            Heard::Osc9 => Self::Osc9 { marks },
            Heard::Osc777 => Self::Osc777 { marks },
            Heard::Osc99 => Self::Osc99,
            Heard::Bell => Self::Bell { marks },
            Heard::Off => Self::Off,
        }
    }

    /// Within tmux the variables are those of the terminal that it was started in.
    fn of_environment(variable: &impl Fn(&str) -> String) -> Self {
        let set = |name: &str| !variable(name).is_empty();
        let (program, term) = (variable("TERM_PROGRAM"), variable("TERM"));
        if set("KITTY_WINDOW_ID") || term.contains("kitty") {
            return Self::Osc99;
        }
        if set("GHOSTTY_RESOURCES_DIR") || program == "ghostty" || set("WEZTERM_PANE") {
            return Self::Osc777 { marks: true };
        }
        if term.starts_with("foot") || term.starts_with("rxvt") {
            return Self::Osc777 { marks: false };
        }
        if program == "iTerm.app" || variable("LC_TERMINAL") == "iTerm2" {
            return Self::Osc9 { marks: false };
        }
        let marks = set("WT_SESSION") || set("ConEmuPID");
        Self::Bell { marks }
    }

    fn marks(self) -> bool {
        match self {
            Self::Osc9 { marks } | Self::Osc777 { marks } | Self::Bell { marks } => marks,
            Self::Osc99 | Self::Off => false,
        }
    }

    /// Makes it heard. Within tmux its bell rings, too, because tmux may hand nothing through.
    pub fn ring(self, text: &Text, in_tmux: bool) -> String {
        let (title, body) = (SafeText::line(&text.title), SafeText::line(&text.body));
        let sequence = match self {
            Self::Off => return String::new(),
            Self::Bell { .. } => return BELL.to_owned(),
            // It can't begin with a number of its own: those are commands.
            Self::Osc9 { .. } => osc(&format!("9;ask: {title}: {body}")),
            Self::Osc777 { .. } => {
                let part = |text: &SafeText| text.as_str().replace(';', ",");
                osc(&format!("777;notify;{};{}", part(&title), part(&body)))
            }
            Self::Osc99 => format!(
                "{}{}",
                osc(&format!("99;i=ask-user:d=0;{title}")),
                osc(&format!("99;i=ask-user:d=1:p=body;{body}"))
            ),
        };
        match in_tmux {
            true => format!("{BELL}{}", passed(&sequence)),
            false => sequence,
        }
    }

    /// Takes a notification back, where that can be done.
    pub fn withdraw(self, in_tmux: bool) -> String {
        match self {
            Self::Osc99 => through(&osc("99;i=ask-user:p=close;"), in_tmux),
            Self::Osc9 { .. } | Self::Osc777 { .. } | Self::Bell { .. } | Self::Off => {
                String::new()
            }
        }
    }

    /// Marks the task as paused, or no more.
    pub fn marked(self, on: bool, in_tmux: bool) -> String {
        match (self.marks(), on) {
            (false, _) => String::new(),
            (true, true) => through(&osc("9;4;4;100"), in_tmux),
            (true, false) => through(&osc("9;4;0;0"), in_tmux),
        }
    }
}

/// Sets the title.
pub fn title(text: &str) -> String {
    osc(&format!("2;{text}"))
}

fn osc(command: &str) -> String {
    format!("{ESC}]{command}{ESC}\\")
}

fn through(sequence: &str, in_tmux: bool) -> String {
    match in_tmux {
        true => passed(sequence),
        false => sequence.to_owned(),
    }
}

/// A sequence for the terminal around tmux.
fn passed(sequence: &str) -> String {
    format!(
        "{ESC}Ptmux;{}{ESC}\\",
        sequence.replace(ESC, "\u{1b}\u{1b}")
    )
}
