//! What our surfaces share: the form a person fills in, the field they type in,
//! the words for every state, and text measured for a terminal.

pub mod charts;
pub mod field;
pub mod fit;
pub mod form;
pub mod listing;
pub mod manuscript;
pub mod markdown;
pub mod share;
pub mod words;
