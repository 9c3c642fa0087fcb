//! What each kind of text looks like, in the person's own sixteen colours. Colour
//! is never the only sign, so without it bold, reverse and dim are left.

use ratatui::style::{Color, Modifier, Style};

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
}

/// The style of a role.
pub fn style(role: Role, colours: bool) -> Style {
    let plain = Style::new();
    let colour = |colour: Color| if colours { plain.fg(colour) } else { plain };
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
    }
}
