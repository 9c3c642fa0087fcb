//! Twins: agents of one client in one folder that ask the same at the same time. Nothing that they
//! send distinguishes them.

use std::cell::{Cell, RefCell};

use crate::model::Campaign;
use crate::rng::Rng;
use crate::words::{WORDINGS, Wording};

/// How an agent connects to the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    /// Through a process that the campaign starts: the agent is a sub-agent of it.
    SubAgent,
    /// Through a process that a program of its own starts.
    Program,
    /// Over HTTP from the campaign's own process, in sessions and with single requests.
    Http,
    /// Over HTTP without a session, from a process that a program of its own starts.
    HttpProcess,
}

/// Every family, with the connection of each member.
pub(crate) const FAMILIES: [&[Connection]; 5] = [
    &[
        Connection::Program,
        Connection::Program,
        Connection::Program,
    ],
    &[Connection::Http, Connection::Http, Connection::Http],
    &[
        Connection::HttpProcess,
        Connection::HttpProcess,
        Connection::HttpProcess,
    ],
    &[
        Connection::Program,
        Connection::SubAgent,
        Connection::Http,
        Connection::HttpProcess,
    ],
    &[
        Connection::SubAgent,
        Connection::SubAgent,
        Connection::SubAgent,
    ],
];

/// How many asks a family has at the same time.
const AT_ONCE: usize = 2;
/// The number of calls after which the oldest ask is dropped.
const CALLS: u64 = 7;
/// The number of calls after which the family changes its dialect.
const IN_ONE_DIALECT: u64 = 60;

/// A family of twins.
pub(crate) struct Family {
    /// The name of their client.
    pub client: String,
    wording: Cell<Wording>,
    asked: RefCell<Vec<u64>>,
    calls: Cell<u64>,
}

impl Family {
    /// A family that has asked nothing yet.
    pub(crate) fn new(number: usize) -> Self {
        Self {
            client: format!("twin-{number}"),
            wording: Cell::new(WORDINGS[number % WORDINGS.len()]),
            asked: RefCell::default(),
            calls: Cell::default(),
        }
    }

    /// The dialect that the family uses now.
    pub(crate) fn wording(&self) -> Wording {
        self.wording.get()
    }

    /// The next ask of a member: most likely one that another member is asking.
    pub(crate) fn asks(&self, campaign: &Campaign, rng: &mut Rng) -> u64 {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get().is_multiple_of(IN_ONE_DIALECT) {
            // Every other time the dialect that can fetch without an id.
            let next = match rng.percent(50) {
                true => WORDINGS[0],
                false => rng.one(&WORDINGS),
            };
            self.wording.set(next);
        }
        let mut asked = self.asked.borrow_mut();
        if asked.len() < AT_ONCE || self.calls.get().is_multiple_of(CALLS) {
            asked.push(campaign.log.borrow_mut().new_ask());
            let old = asked.len().saturating_sub(AT_ONCE);
            asked.drain(..old);
        }
        rng.one(&asked)
    }
}
