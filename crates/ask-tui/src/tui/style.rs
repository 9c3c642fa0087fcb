//! The style of each kind of text, in the sixteen colours of the person's terminal. Colour is never
//! the only sign: without it, bold, reverse and dim remain.

use ratatui::style::{Color, Modifier, Style};

use super::background_color::BackgroundColor;
use crate::ui::markdown::{TextKind, TextStyle};

/// The purpose of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    /// The question or a headline.
    Strong,
    Dim,
    Focus,
    /// A chosen or answered item.
    Chosen,
    /// A warning to read before continuing.
    Warning,
    /// The name of the asker.
    Asker,
    /// The current tab or the focused button.
    Current,
    /// A line or a frame.
    Frame,
    /// Text with an agent's Markdown styles.
    Prose {
        style: TextStyle,
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
            plain.fg(readable(colour, background))
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
        Role::Asker => colour(Color::Blue).add_modifier(Modifier::BOLD),
        Role::Current => plain.add_modifier(Modifier::REVERSED),
        Role::Frame => plain.add_modifier(Modifier::DIM),
        Role::Prose { style, dim } => prose(style, dim, colours, background),
    }
}

/// Replaces yellow and bright cyan on a light background, and dark blue on a dark one.
fn readable(colour: Color, background: BackgroundColor) -> Color {
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
fn prose(text_style: TextStyle, dim: bool, colours: bool, background: BackgroundColor) -> Style {
    let colour = |colour: Color| {
        if colours {
            Style::new().fg(readable(colour, background))
        } else {
            Style::new().add_modifier(Modifier::UNDERLINED)
        }
    };
    let mut style = match text_style.kind {
        TextKind::Text | TextKind::Heading => Style::new(),
        TextKind::Code => colour(Color::Cyan),
        TextKind::Link => colour(Color::Blue),
        TextKind::Mark => Style::new().add_modifier(Modifier::DIM),
        // Without colours, the sign at the beginning of the line marks the change.
        TextKind::Added if colours => colour(Color::Green),
        TextKind::Removed if colours => colour(Color::Red),
        TextKind::Added | TextKind::Removed => Style::new(),
    };
    if text_style.strong {
        style = style.add_modifier(Modifier::BOLD);
    } else if dim || text_style.struck {
        style = style.add_modifier(Modifier::DIM);
    }
    if text_style.emphasis {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    if text_style.struck {
        style = style.add_modifier(Modifier::CROSSED_OUT);
    }
    style
}
