//! The asks that requests continued instead of opening a new one, so that a request that is
//! repeated after a lost response finds the same ask.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ask_core::AskId;

/// How many are remembered. A request is repeated soon, if at all.
const MOST: usize = 1_024;

/// The latest of them: the id that a request would have had, and the id of the ask that it
/// continued.
#[derive(Default)]
pub struct Taken(Mutex<VecDeque<(AskId, AskId)>>);

impl Taken {
    /// Records that a request continued an ask.
    pub fn note(&self, own: AskId, taken: AskId) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.pop_front();
        }
        all.push_back((own, taken));
    }

    /// The ask that the request continued before.
    pub fn ask_of(&self, own: &AskId) -> Option<AskId> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().rev().find(|(request, _)| request == own);
        found.map(|(_, taken)| taken.clone())
    }
}
