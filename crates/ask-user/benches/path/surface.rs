//! A surface that receives asks and answers them, through each interface in a file of its own.

mod floor;
mod page;
mod rpc;
mod socket;

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use super::agent::Agent;
use super::harness::{Home, number_after};

pub(crate) use page::PageSurface;
pub(crate) use socket::SocketSurface;

/// A surface. An ask is identified by the number in its question.
pub(crate) trait Surface: Send {
    /// Waits for new asks; returns their numbers.
    fn shown(&mut self) -> Vec<u64>;
    /// Sends an answer: the index of the picked choice.
    fn answer(&mut self, ask: u64, pick: usize);
    /// Waits until all sent answers are stored.
    fn rest(&mut self);
    /// Listens for this long while nothing happens.
    fn listen(&mut self, time: Duration);

    /// Sends many answers without waiting in between, then waits until all are stored.
    fn answer_all(&mut self, answers: &[(u64, usize)]) {
        for &(ask, pick) in answers {
            self.answer(ask, pick);
        }
        self.rest();
    }
}

/// The interface through which asks are answered, which also selects the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// The floor server.
    Floor,
    /// `ask-user rpc --surface` as a child process, as other programs use it.
    Rpc,
    /// The hub's Unix socket, as the inbox in the terminal uses it.
    Socket,
    /// An event stream and requests over HTTP, as the page uses them.
    Page,
}

impl Interface {
    /// All interfaces of ask-user, with their names in the table.
    pub(crate) const OURS: [(Self, &'static str); 3] = [
        (Self::Rpc, "rpc --surface"),
        (Self::Socket, "the hub's socket"),
        (Self::Page, "a page"),
    ];

    /// Opens a surface. Starts the hub if it needs one.
    pub(crate) fn open(self, home: &Home) -> Box<dyn Surface> {
        match self {
            Self::Floor => Box::new(floor::FloorSurface::at(home.folder())),
            Self::Rpc => Box::new(rpc::RpcSurface::start(home)),
            Self::Socket => Box::new(SocketSurface::connect(home)),
            Self::Page => Box::new(PageSurface::open(home)),
        }
    }

    /// An agent in a home that has listed its tools.
    pub(crate) fn agent(self, home: &Home) -> Agent {
        Agent::ready(match self {
            Self::Floor => home.floor(),
            Self::Rpc | Self::Socket | Self::Page => home.ours(&["mcp"]),
        })
    }
}

/// The ids of the shown asks, by their numbers.
#[derive(Default)]
struct Shown(HashMap<u64, String>);

impl Shown {
    /// Records an ask; returns its number if it is new.
    fn note(&mut self, id: &Value, questions: &Value) -> Option<u64> {
        let ask = number_after(questions[0]["question"].as_str()?, "Question ")?;
        let id = id.as_str()?.to_owned();
        self.0.insert(ask, id).is_none().then_some(ask)
    }

    fn id(&self, ask: u64) -> &str {
        &self.0[&ask]
    }
}
