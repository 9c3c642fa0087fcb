//! The style of each kind of text, in the sixteen colours of the person's terminal. Colour is never
//! the only sign: without it, bold, reverse and dim remain.

use ratatui::style::{Color, Modifier, Style};

use super::background_color::BackgroundColor;
use crate::ui::markdown::{Ink, TextStyle};

/// The purpose of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Ordinary text.
    Text,
    /// The question or a headline.
    Strong,
    /// Secondary text.
    Dim,
    /// The focused row.
    Focus,
    /// A chosen or answered item.
    Chosen,
    /// A warning to read before continuing.
    Warning,
    /// The name of the asker.
    Who,
    /// The current tab or the focused button.
    Current,
    /// A line or a frame.
    Frame,
    /// Text with an agent's Markdown styles.
    Prose {
        /// The Markdown style.
        tone: TextStyle,
        /// Whether the text is secondary.
        dim: bool,
    },
}

/// The style of a role. The sixteen colours differ between terminals; those that are hard to read
/// on a known background are replaced.
pub(super) fn style(role: Role, colours: bool, background: BackgroundColor) -> Style {
    let plain = Style::new();
    let colour = |colour: Color| {
        if colours {
            plain.fg(fitting(colour, background))
        } else {
            plain
        }
    };
    match role {
        Role::Text => plain,
        Role::Strong => plain.add_modifier(Modifier::BOLD),
        Role::Dim => plain.add_modifier(Modifier::DIM),
        Role::Focus => colour(Color::Cyan).add_modifier(Modifier::BOLD),
        Role::Chosen => colour(Color::Green).add_modifier(Modifier::BOLD),
        Role::Warning => colour(Color::Yellow).add_modifier(Modifier::BOLD),
        Role::Who => colour(Color::Blue).add_modifier(Modifier::BOLD),
        Role::Current => plain.add_modifier(Modifier::REVERSED),
        Role::Frame => plain.add_modifier(Modifier::DIM),
        Role::Prose { tone, dim } => prose(tone, dim, colours, background),
    }
}

/// Replaces yellow and bright cyan on a light background, and dark blue on a dark one.
fn fitting(colour: Color, background: BackgroundColor) -> Color {
    match (background, colour) {
        (BackgroundColor::Light, Color::Yellow) => Color::Magenta,
        (BackgroundColor::Light, Color::Cyan) => Color::Blue,
        (BackgroundColor::Dark, Color::Blue) => Color::LightBlue,
        (BackgroundColor::Dark, Color::Red) => Color::LightRed,
        (BackgroundColor::Unknown | BackgroundColor::Light | BackgroundColor::Dark, colour) => {
            colour
        }
    }
}

/// The style of an agent's text. Without colours, the parts that colour would show are underlined.
fn prose(tone: TextStyle, dim: bool, colours: bool, background: BackgroundColor) -> Style {
    let colour = |colour: Color| {
        if colours {
            Style::new().fg(fitting(colour, background))
        } else {
            Style::new().add_modifier(Modifier::UNDERLINED)
        }
    };
    let mut style = match tone.ink {
        Ink::Text | Ink::Heading => Style::new(),
        Ink::Code => colour(Color::Cyan),
        Ink::Link => colour(Color::Blue),
        Ink::Mark => Style::new().add_modifier(Modifier::DIM),
        // Without colours, the sign at the beginning of the line marks the change.
        Ink::Added if colours => colour(Color::Green),
        Ink::Removed if colours => colour(Color::Red),
        Ink::Added | Ink::Removed => Style::new(),
    };
    if tone.strong {
        style = style.add_modifier(Modifier::BOLD);
    } else if dim || tone.struck {
        style = style.add_modifier(Modifier::DIM);
    }
    if tone.emphasis {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    if tone.struck {
        style = style.add_modifier(Modifier::CROSSED_OUT);
    }
    style
}
