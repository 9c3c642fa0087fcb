//! Which requests took up an existing ask instead of opening a new one, so that a request that is
//! repeated after a lost response finds the same ask.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ask_core::AskId;

/// How many are remembered. A request is repeated soon, if at all.
const MAX_REMEMBERED: usize = 1_024;

/// The latest of them: the id that the request's own ask would have had, and the id of the ask that
/// it took up.
#[derive(Default)]
pub(crate) struct TakeUps(Mutex<VecDeque<(AskId, AskId)>>);

impl TakeUps {
    /// Records that a request took up an ask.
    pub(crate) fn record(&self, own: AskId, taken_up: AskId) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_REMEMBERED {
            all.pop_front();
        }
        all.push_back((own, taken_up));
    }

    /// The ask that the same request took up before.
    pub(crate) fn find(&self, own: &AskId) -> Option<AskId> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().rev().find(|(request, _)| request == own);
        found.map(|(_, taken_up)| taken_up.clone())
    }
}
