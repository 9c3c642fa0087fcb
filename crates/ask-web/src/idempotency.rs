//! What a request over HTTP took up instead of asking anew: the same request again, because its reply was
//! lost, finds that.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ask_core::AskId;

/// So many are known; whoever says a request again does so soon.
const MOST: usize = 1_024;

/// The latest of them: the id that a request would have had, and that of what it took up.
#[derive(Default)]
pub struct Taken(Mutex<VecDeque<(AskId, AskId)>>);

impl Taken {
    /// A request took up an ask that was left behind.
    pub fn note(&self, own: AskId, taken: AskId) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.pop_front();
        }
        all.push_back((own, taken));
    }

    /// What it took up before.
    pub fn by(&self, own: &AskId) -> Option<AskId> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().rev().find(|(request, _)| request == own);
        found.map(|(_, taken)| taken.clone())
    }
}
