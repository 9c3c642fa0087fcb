//! The filter of a history, as messages contain it.

use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};

use crate::native::EndWord;
use ask_core::history::{End, Filter};

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Filter")]
pub(super) struct FilterForm {
    search: Option<String>,
    agent: Option<String>,
    project: Option<String>,
    branch: Option<String>,
    #[serde_as(as = "Option<EndWord>")]
    end: Option<End>,
    surface: Option<String>,
    recommended: Option<bool>,
    #[serde(rename = "since")]
    since_ms: Option<i64>,
    #[serde(rename = "until")]
    until_ms: Option<i64>,
    before: Option<u64>,
    limit: Option<u64>,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    undelivered: bool,
}
