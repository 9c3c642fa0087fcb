//! What the screen and the plain mode share: the form, the text field, charts, and Markdown.

pub mod charts;
pub(crate) mod clipboard_text;
pub(crate) mod editor_file;
pub(crate) mod form;
pub(crate) mod markdown;
pub(crate) mod text_field;
