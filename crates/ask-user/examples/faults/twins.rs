//! Twins: agents of one client in one folder that ask equal words at the same time, and ask for
//! whatever is theirs. Nothing they say tells them apart.

use std::cell::{Cell, RefCell};

use crate::model::World;
use crate::rng::Chance;
use crate::words::{WORDINGS, Wording};

/// How an agent comes to the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By a process that the campaign starts, a sub-agent of it.
    SubAgent,
    /// By a process that a program of its own starts.
    Program,
    /// Over HTTP, from the campaign's own process: in sessions, and with requests that stand for
    /// themselves.
    Http,
    /// Over HTTP without a session, from a process that a program of its own starts.
    HttpProcess,
}

/// Every family, and how each of its members comes.
pub const FAMILIES: [&[Way]; 5] = [
    &[Way::Program, Way::Program, Way::Program],
    &[Way::Http, Way::Http, Way::Http],
    &[Way::HttpProcess, Way::HttpProcess, Way::HttpProcess],
    &[Way::Program, Way::SubAgent, Way::Http, Way::HttpProcess],
    &[Way::SubAgent, Way::SubAgent, Way::SubAgent],
];

/// Questions that are asked at the same time.
const AT_ONCE: usize = 2;
/// After so many calls the oldest of them is not asked any more,
const CALLS: u64 = 7;
/// and after so many the family asks in another dialect.
const IN_ONE_DIALECT: u64 = 60;

/// Twins.
pub struct Family {
    /// The client that they all say they are.
    pub client: String,
    wording: Cell<Wording>,
    asked: RefCell<Vec<u64>>,
    calls: Cell<u64>,
}

impl Family {
    /// One that has asked nothing yet.
    pub fn new(number: usize) -> Self {
        Self {
            client: format!("twin-{number}"),
            wording: Cell::new(WORDINGS[number % WORDINGS.len()]),
            asked: RefCell::default(),
            calls: Cell::default(),
        }
    }

    /// The dialect that it asks in now.
    pub fn wording(&self) -> Wording {
        self.wording.get()
    }

    /// What one of them asks next: most likely what another is asking.
    pub fn asks(&self, world: &World, chance: &mut Chance) -> u64 {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get().is_multiple_of(IN_ONE_DIALECT) {
            // Every other time the one that fetches without an id.
            let next = match chance.percent(50) {
                true => WORDINGS[0],
                false => chance.one(&WORDINGS),
            };
            self.wording.set(next);
        }
        let mut asked = self.asked.borrow_mut();
        if asked.len() < AT_ONCE || self.calls.get().is_multiple_of(CALLS) {
            asked.push(world.ledger.borrow_mut().new_ask());
            let old = asked.len().saturating_sub(AT_ONCE);
            asked.drain(..old);
        }
        chance.one(&asked)
    }
}
