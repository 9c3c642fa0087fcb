//! What every surface shows alike: how asks are listed and labelled, earlier answers, exports of
//! the history, and the files of a project that an answer may name.

pub mod export;
pub mod files;
pub mod fit;
pub mod labels;
pub mod listing;
pub mod recall;

pub use ask_store::filter::fitting;
