//! Asks as forms of MCP's elicitation, and what comes back as drafts. A form is
//! flat and has few kinds of field: how an ask fits in is here, when one is shown
//! is left to whoever talks to the client.
//!
//! Decided here: each question is one field, and each question with choices has a
//! second one for own words, so none with choices can be required. Yes or no is a
//! choice of two and no tick box, because a box that nobody touched says no. A
//! recommended choice is marked and never filled in: a form sent untouched must
//! not read like an answer. Previews have no place in a form; the message says so.

mod field_names;
mod labels;
mod parse;
mod schema;

pub use parse::read;
pub use schema::request;

/// What the client's revision of the protocol lets a form have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// Up to 2025-06-18: one choice of several at most, so many of them are tick boxes.
    Early,
    /// Since 2025-11-25: titled choices, one or many.
    Titled,
}
