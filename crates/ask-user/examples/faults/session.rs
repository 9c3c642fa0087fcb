//! An agent's conversation, over a process's pipes or over HTTP, with the operations that both
//! have.

use std::rc::Rc;

use tokio::time::Instant;

use crate::callers::{Caller, Program};
use crate::http::Http;
use crate::log::Route;
use crate::model::Campaign;
use crate::piped::Piped;
use crate::replies::PendingCall;
use crate::rng::Rng;

/// The identity of an agent, and its protocol era.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The name of the client.
    pub client: String,
    /// A name that no other caller has.
    pub name: Option<String>,
    /// Whether it uses the modern era.
    pub modern: bool,
}

impl Identity {
    /// The caller as the judge sees it.
    pub(crate) fn caller(&self, campaign: &Campaign, program: Program) -> Caller {
        Caller {
            client: self.client.clone(),
            folder: Some(campaign.dirs.home().display().to_string()),
            name: self.name.clone(),
            program,
            began: Instant::now(),
            may_leave_at: None,
            ended_at: None,
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
        campaign: &Rc<Campaign>,
        dialect: &str,
        identity: Identity,
        has_program: bool,
    ) -> Option<Self> {
        let opened = Piped::open(campaign, dialect, identity, has_program).await;
        opened.map(Self::Piped)
    }

    /// Opens a conversation with the running hub, optionally through a process of its own.
    pub(crate) async fn http(
        campaign: &Rc<Campaign>,
        dialect: &str,
        identity: Identity,
        has_process: bool,
        rng: &mut Rng,
    ) -> Option<Self> {
        let opened = Http::open(campaign, dialect, identity, has_process, rng).await;
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
        route: Route,
    ) -> PendingCall {
        match self {
            Self::Piped(session) => session.call(tool, arguments, tag, route).await,
            Self::Http(session) => session.call(tool, arguments, tag, route),
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
    pub(crate) async fn leave(self, rng: &mut Rng) {
        match self {
            Self::Piped(session) => session.leave(rng).await,
            Self::Http(session) => session.leave(rng).await,
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
