//! What each kind of text looks like, in the person's own sixteen colours. Colour
//! is never the only sign, so without it bold, reverse and dim are left.

use ratatui::style::{Color, Modifier, Style};

use super::background_color::BackgroundColor;
use crate::ui::markdown::{Ink, TextStyle};

/// What a piece of text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// The question, a headline.
    Strong,
    /// Secondary text.
    Dim,
    /// The focused row.
    Focus,
    /// Something chosen or answered.
    Chosen,
    /// Something to look at before going on.
    Warning,
    /// Who asks.
    Who,
    /// The current tab or the marked button.
    Current,
    /// Rules and frames.
    Frame,
    /// A piece of an agent's text, whether it is secondary or not.
    Prose {
        /// How it looks.
        tone: TextStyle,
        /// Whether all of it is secondary.
        dim: bool,
    },
}

/// The style of a role. The person's sixteen colours differ from terminal to terminal; those that
/// are hard to read on a known ground give way to others.
pub fn style(role: Role, colours: bool, background: BackgroundColor) -> Style {
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

/// Yellow and bright cyan vanish on white, dark blue on black.
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

/// The style of a piece of an agent's text. What colours tell is underlined without them.
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
        // The sign at the beginning of the line tells, too.
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
