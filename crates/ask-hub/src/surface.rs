//! What all surfaces share: how asks are grouped and labelled, previous answers, exports of the
//! history, and the files of a project that an answer may name.

pub mod export;
pub mod file_finder;
pub mod fuzzy;
pub mod grouping;
pub mod labels;
pub mod previous_answers;

pub use ask_store::filter::fitting;
