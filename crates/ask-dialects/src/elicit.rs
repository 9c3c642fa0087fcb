//! Asks as forms of MCP's elicitation, and the content of forms as drafts. A form is flat and has
//! few kinds of fields. How an ask fits into one is decided here. When one is shown is left to the
//! code that talks to the client.
//!
//! Decided here: each question is one field, and each question with choices has a second one for
//! own words, so no question with choices can be required. Yes or no is a choice of two and no tick
//! box, because a box that nobody touched says no. A recommended choice is marked and never filled
//! in: a form that is sent untouched must not look like an answer. Previews have no place in a
//! form, and the message says so.

mod field_names;
mod labels;
mod parse;
mod schema;

pub use parse::read;
pub use schema::request;

/// What a form may contain in the client's revision of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// Up to 2025-06-18: a field takes one choice at most, so several picks need tick boxes.
    Early,
    /// Since 2025-11-25: choices with titles, one or many.
    Titled,
}
