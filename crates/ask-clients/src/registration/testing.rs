//! Every file of every client in an empty home, for tests and the fuzzer.

use super::plan::{File, plan};
pub use super::text::Format;
use super::{Here, Scope};
use crate::table::all;

/// All files, with takeovers.
pub fn files() -> Vec<File> {
    let here = Here::empty();
    let plans = all().map(|client| plan(&client, &here, Scope::Person, true));
    plans.flat_map(|plan| plan.files).collect()
}
