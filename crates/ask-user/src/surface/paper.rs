//! What our surfaces share: the form a person fills in, the field they type in,
//! the words for every state, and text measured for a terminal.

pub mod field;
pub mod form;
pub mod text;
pub mod words;
