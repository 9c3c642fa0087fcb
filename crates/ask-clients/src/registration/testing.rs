//! Every file of every client in an empty home, for tests and the fuzzer.

use super::plan::{File, plan};
pub use super::text::Format;
use super::{RegistrationEnv, Scope};
use crate::table::all_clients;

/// All files, with takeovers.
pub fn files() -> Vec<File> {
    let here = RegistrationEnv::empty();
    let plans = all_clients().map(|client| plan(&client, &here, Scope::Person, true));
    plans.flat_map(|plan| plan.files).collect()
}
