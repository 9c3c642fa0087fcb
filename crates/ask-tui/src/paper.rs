//! What the screen and the plain lines share: the form that a person fills in, the text field,
//! charts, and Markdown.

pub mod charts;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod manuscript;
pub(crate) mod markdown;
pub(crate) mod share;
