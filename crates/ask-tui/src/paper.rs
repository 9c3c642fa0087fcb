//! What our surfaces share: the form a person fills in, the field they type in,
//! the words for every state, and text measured for a terminal.

pub mod charts;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod manuscript;
pub(crate) mod markdown;
pub(crate) mod share;
