//! A surface that a person would sit at: it hears of asks and answers them. One file for each
//! way in.

mod floor;
mod page;
mod rpc;
mod socket;

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use super::agent::Agent;
use super::harness::{Home, number_after};

pub use page::PageSurface;
pub use socket::SocketSurface;

/// Where asks are shown and answered. An ask is known by the number in its question.
pub trait Surface: Send {
    /// Waits until something is shown that wasn't, and says what.
    fn shown(&mut self) -> Vec<u64>;
    /// Sends an answer: the pick, counted from zero.
    fn answer(&mut self, ask: u64, pick: usize);
    /// Waits until what was sent is kept.
    fn rest(&mut self);
    /// Listens for so long to nothing happening.
    fn listen(&mut self, time: Duration);

    /// Sends many answers without waiting for any, and then waits until all are kept.
    fn answer_all(&mut self, answers: &[(u64, usize)]) {
        for &(ask, pick) in answers {
            self.answer(ask, pick);
        }
        self.rest();
    }
}

/// Through which surface asks are answered, and so whose they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The floor's.
    Floor,
    /// A child process, `ask-user rpc --surface`, as programs of others do.
    Rpc,
    /// The hub's Unix socket, as the inbox in the terminal does.
    Socket,
    /// A stream of events and requests over HTTP, as the page does.
    Page,
}

impl Way {
    /// All of ask-user, with what the table says of each.
    pub const OURS: [(Self, &'static str); 3] = [
        (Self::Rpc, "rpc --surface"),
        (Self::Socket, "the hub's socket"),
        (Self::Page, "a page"),
    ];

    /// Opens it. The hub is started if there is to be one.
    pub fn open(self, home: &Home) -> Box<dyn Surface> {
        match self {
            Self::Floor => Box::new(floor::FloorSurface::at(home.folder())),
            Self::Rpc => Box::new(rpc::RpcSurface::start(home)),
            Self::Socket => Box::new(SocketSurface::connect(home)),
            Self::Page => Box::new(PageSurface::open(home)),
        }
    }

    /// An agent of a home that has listed its tools.
    pub fn agent(self, home: &Home) -> Agent {
        Agent::ready(match self {
            Self::Floor => home.floor(),
            Self::Rpc | Self::Socket | Self::Page => home.ours(&["mcp"]),
        })
    }
}

/// The ids of the asks that a surface was shown, by their numbers.
#[derive(Default)]
struct Shown(HashMap<u64, String>);

impl Shown {
    /// Takes note of an ask; its number, if it is new.
    fn note(&mut self, id: &Value, questions: &Value) -> Option<u64> {
        let ask = number_after(questions[0]["question"].as_str()?, "Question ")?;
        let id = id.as_str()?.to_owned();
        self.0.insert(ask, id).is_none().then_some(ask)
    }

    fn id(&self, ask: u64) -> &str {
        &self.0[&ask]
    }
}
