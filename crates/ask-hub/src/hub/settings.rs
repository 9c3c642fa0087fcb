//! The settings of a hub. They are read once, when the hub starts.

use std::path::PathBuf;
use std::time::Duration;

use ask_config::config::{Answers, Config, Limits};
use ask_core::lifecycle::LIST_LATE_MS;
use ask_engine::{Amount, OpenLimits, Settings};

use super::problem::MEGABYTE;
use super::retention::DAY_MS;
use super::{CHANGES_AHEAD, CHANGES_KEPT};

/// The settings of a hub. By default it keeps everything, and no ask is taken up.
#[derive(Clone, Debug, Default)]
pub(crate) struct HubSettings {
    /// For how long a caller that asks again takes up the ask that it left.
    pub take_up: Duration,
    /// How many asks may be open.
    pub open: OpenLimits,
    /// For how many days closed asks are kept; 0 for ever.
    pub keep_days: u64,
    /// From which origins answers are accepted.
    pub answers: Answers,
    /// For how many milliseconds an answer that one key gives is kept from its agent.
    pub undo_ms: u64,
    /// Folders whose asks are not kept.
    pub skip_projects: Vec<PathBuf>,
    /// The most bytes of all files that no answer and no draft refers to; 0 for no limit.
    pub(crate) unattached_bytes: u64,
}

impl HubSettings {
    /// The settings of the person.
    pub(crate) fn from_config(config: &Config) -> Self {
        let megabytes = config.limits.unattached_megabytes;
        Self {
            take_up: config.take_up,
            open: open_limits(config.limits),
            keep_days: config.keep_days,
            answers: config.answers,
            undo_ms: u64::try_from(config.undo.as_millis()).unwrap_or(u64::MAX),
            skip_projects: config.skip_projects.clone(),
            unattached_bytes: megabytes.saturating_mul(MEGABYTE as u64),
        }
    }

    /// The defaults, except for how long an ask can be taken up.
    pub(crate) fn with_take_up(take_up: Duration) -> Self {
        Self {
            take_up,
            ..Self::default()
        }
    }

    pub(super) fn take_up_ms(&self) -> u64 {
        u64::try_from(self.take_up.as_millis()).unwrap_or(u64::MAX)
    }

    /// For how long closed asks are kept; 0 for ever.
    pub(super) fn keep_ms(&self) -> u64 {
        self.keep_days.saturating_mul(DAY_MS)
    }

    pub(super) fn engine_settings(&self) -> Settings {
        Settings {
            take_up_ms: self.take_up_ms(),
            list_undelivered_ms: LIST_LATE_MS,
            changes_kept: CHANGES_KEPT,
            changes_ahead: CHANGES_AHEAD,
            open: self.open,
        }
    }
}

fn open_limits(limits: Limits) -> OpenLimits {
    let amount = |asks: u64, megabytes: u64| Amount {
        asks: usize::try_from(asks).unwrap_or(usize::MAX),
        bytes: usize::try_from(megabytes)
            .unwrap_or(usize::MAX)
            .saturating_mul(MEGABYTE),
    };
    OpenLimits {
        of_caller: amount(limits.open_asks_per_agent, limits.open_megabytes_per_agent),
        of_all: amount(limits.open_asks, limits.open_megabytes),
    }
}
