//! An agent's conversation, over a process's pipes or over HTTP, with the operations that both
//! have.

use std::rc::Rc;

use tokio::time::Instant;

use crate::callers::{Caller, Program};
use crate::http::Http;
use crate::log::How;
use crate::model::World;
use crate::piped::Piped;
use crate::replies::Asked;
use crate::rng::Chance;

/// The identity of an agent, and its protocol era.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    /// The name of the client.
    pub client: String,
    /// A name that no other caller has.
    pub name: Option<String>,
    /// Whether it uses the modern era.
    pub modern: bool,
}

impl Who {
    /// The caller as the judge sees it.
    pub(crate) fn caller(&self, world: &World, program: Program) -> Caller {
        Caller {
            client: self.client.clone(),
            folder: Some(world.place.home().display().to_string()),
            name: self.name.clone(),
            program,
            began: Instant::now(),
            leaves: None,
            gone: None,
        }
    }
}

/// A conversation.
pub(crate) enum Session {
    /// With a process of its own.
    Piped(Piped),
    /// With the hub.
    Http(Http),
}

impl Session {
    /// Starts `ask-user mcp` in a dialect, optionally from a program of its own, and opens the
    /// conversation.
    pub(crate) async fn piped(
        world: &Rc<World>,
        dialect: &str,
        who: Who,
        has_program: bool,
    ) -> Option<Self> {
        let opened = Piped::open(world, dialect, who, has_program).await;
        opened.map(Self::Piped)
    }

    /// Opens a conversation with the running hub, optionally through a process of its own.
    pub(crate) async fn http(
        world: &Rc<World>,
        dialect: &str,
        who: Who,
        has_process: bool,
        chance: &mut Chance,
    ) -> Option<Self> {
        let opened = Http::open(world, dialect, who, has_process, chance).await;
        opened.map(Self::Http)
    }

    /// The agent's number in the campaign.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Self::Piped(session) => session.process.number,
            Self::Http(session) => session.number,
        }
    }

    /// Whether nothing more can be sent.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Piped(session) => session.process.killed_at().is_some(),
            Self::Http(session) => session.is_over(),
        }
    }

    /// Calls a tool.
    pub(crate) async fn call(
        &mut self,
        tool: &str,
        arguments: &str,
        tag: Option<u64>,
        how: How,
    ) -> Asked {
        match self {
            Self::Piped(session) => session.call(tool, arguments, tag, how).await,
            Self::Http(session) => session.call(tool, arguments, tag, how),
        }
    }

    /// Gives up a call silently.
    pub(crate) fn give_up(&mut self, id: i64) {
        match self {
            Self::Piped(session) => session.give_up(id),
            Self::Http(session) => session.give_up(id),
        }
    }

    /// Cancels a call.
    pub(crate) async fn cancel(&mut self, id: i64) {
        match self {
            Self::Piped(session) => session.cancel(id).await,
            Self::Http(session) => session.cancel(id).await,
        }
    }

    /// Ends the conversation in one of the ways agents end.
    pub(crate) async fn leave(self, chance: &mut Chance) {
        match self {
            Self::Piped(session) => session.leave(chance).await,
            Self::Http(session) => session.leave(chance).await,
        }
    }

    /// Ends the conversation in order.
    pub(crate) async fn end(self) {
        match self {
            Self::Piped(mut session) => {
                session.close_input();
                session.end().await;
            }
            Self::Http(session) => session.end().await,
        }
    }
}
