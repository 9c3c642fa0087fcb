//! Escape sequences that notify the person: which of them a terminal supports, and how they pass
//! through tmux (DCS passthrough). Agents' texts are safe texts before they get here, so none of
//! them can end its sequence. The sequences are xterm's (title stack, OSC 2), iTerm2's OSC 9,
//! ConEmu's OSC 9;4, rxvt's OSC 777 and kitty's OSC 99.

use ask_config::config::Heard;
use ask_core::SafeText;
use ask_hub::notify::text::Text;

/// Pushes the window title on the terminal's stack (xterm, XTWINOPS 22;2).
pub(super) const PUSH_TITLE: &str = "\u{1b}[22;2t";
/// Pops the window title from the stack (XTWINOPS 23;2).
pub(super) const POP_TITLE: &str = "\u{1b}[23;2t";

const ESC: char = '\u{1b}';
const BELL: &str = "\u{7}";

/// The sequences that a terminal understands as a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeDialect {
    /// OSC 9 with a single text (iTerm2, and many after it).
    Osc9 {
        /// Whether OSC 9;4 marks the taskbar entry. Other terminals would show it as a
        /// notification.
        marks: bool,
    },
    /// OSC 777 with title and body (rxvt, WezTerm, Ghostty, foot).
    Osc777 {
        /// Whether OSC 9;4 marks the taskbar entry.
        marks: bool,
    },
    /// OSC 99 with title and body, which can be withdrawn (kitty).
    Osc99,
    /// The bell.
    Bell {
        /// Whether OSC 9;4 marks the taskbar entry.
        marks: bool,
    },
    /// No notification.
    Off,
}

impl EscapeDialect {
    /// The dialect of the setting; for `auto`, the one that the environment variables indicate.
    pub fn detect(wanted: Heard, variable: impl Fn(&str) -> String) -> Self {
        let found = Self::from_environment(&variable);
        let marks = found.marks_taskbar();
        match wanted {
            Heard::Auto => found,
            Heard::Osc9 => Self::Osc9 { marks },
            Heard::Osc777 => Self::Osc777 { marks },
            Heard::Osc99 => Self::Osc99,
            Heard::Bell => Self::Bell { marks },
            Heard::Off => Self::Off,
        }
    }

    /// Guesses the terminal from its variables. Within tmux, they are those of the terminal that
    /// tmux was started in.
    fn from_environment(variable: &impl Fn(&str) -> String) -> Self {
        let is_set = |name: &str| !variable(name).is_empty();
        let (program, term) = (variable("TERM_PROGRAM"), variable("TERM"));
        if is_set("KITTY_WINDOW_ID") || term.contains("kitty") {
            return Self::Osc99;
        }
        if is_set("GHOSTTY_RESOURCES_DIR") || program == "ghostty" || is_set("WEZTERM_PANE") {
            return Self::Osc777 { marks: true };
        }
        if term.starts_with("foot") || term.starts_with("rxvt") {
            return Self::Osc777 { marks: false };
        }
        if program == "iTerm.app" || variable("LC_TERMINAL") == "iTerm2" {
            return Self::Osc9 { marks: false };
        }
        let marks = is_set("WT_SESSION") || is_set("ConEmuPID");
        Self::Bell { marks }
    }

    fn marks_taskbar(self) -> bool {
        match self {
            Self::Osc9 { marks } | Self::Osc777 { marks } | Self::Bell { marks } => marks,
            Self::Osc99 | Self::Off => false,
        }
    }

    /// The sequence that notifies the person. Within tmux the bell rings as well, because tmux may
    /// not pass sequences through.
    pub fn notification(self, text: &Text, in_tmux: bool) -> String {
        let (title, body) = (SafeText::line(&text.title), SafeText::line(&text.body));
        let sequence = match self {
            Self::Off => return String::new(),
            Self::Bell { .. } => return BELL.to_owned(),
            // The text must not begin with a number: OSC 9 would read that as a ConEmu command.
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
        if in_tmux {
            format!("{BELL}{}", wrap_for_tmux(&sequence))
        } else {
            sequence
        }
    }

    /// The sequence that withdraws the notification; empty if the terminal can't.
    pub fn withdraw(self, in_tmux: bool) -> String {
        match self {
            Self::Osc99 => maybe_wrap_for_tmux(&osc("99;i=ask-user:p=close;"), in_tmux),
            Self::Osc9 { .. } | Self::Osc777 { .. } | Self::Bell { .. } | Self::Off => {
                String::new()
            }
        }
    }

    /// The sequence that marks the taskbar entry as paused, or removes the mark.
    pub fn taskbar_mark(self, on: bool, in_tmux: bool) -> String {
        match (self.marks_taskbar(), on) {
            (false, _) => String::new(),
            (true, true) => maybe_wrap_for_tmux(&osc("9;4;4;100"), in_tmux),
            (true, false) => maybe_wrap_for_tmux(&osc("9;4;0;0"), in_tmux),
        }
    }
}

/// The sequence that sets the window title.
pub(super) fn title(text: &str) -> String {
    osc(&format!("2;{text}"))
}

fn osc(command: &str) -> String {
    format!("{ESC}]{command}{ESC}\\")
}

fn maybe_wrap_for_tmux(sequence: &str, in_tmux: bool) -> String {
    if in_tmux {
        wrap_for_tmux(sequence)
    } else {
        sequence.to_owned()
    }
}

/// Wraps a sequence so that tmux passes it to the terminal around it.
fn wrap_for_tmux(sequence: &str) -> String {
    format!(
        "{ESC}Ptmux;{}{ESC}\\",
        sequence.replace(ESC, "\u{1b}\u{1b}")
    )
}
