//! An agent's conversation with the hub over Streamable HTTP, in either era: a session that
//! outlives its streams, or single requests.

mod call;
mod endpoint;
mod stream;
mod stream_faults;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use self::call::{Call, ClientExit};
use self::endpoint::Endpoint;
use self::stream::Stream;
use self::stream_faults::StreamFaults;
use crate::callers::{Caller, Program};
use crate::log::Route;
use crate::model::{Campaign, pause};
use crate::protocol::{INITIALIZED, Protocol, cancelled};
use crate::relay::Relay;
use crate::replies::{PendingCall, Replies};
use crate::rng::Rng;
use crate::session::Identity;

/// A hub that doesn't answer a greeting within this time is frozen or gone.
const LIMIT: Duration = Duration::from_secs(5);

/// A conversation with the hub.
pub(crate) struct Http {
    /// The agent's number in the campaign.
    pub number: u64,
    campaign: Rc<Campaign>,
    replies: Rc<Replies>,
    protocol: Protocol,
    endpoint: Endpoint,
    next: i64,
    calls: HashMap<i64, (Rc<ClientExit>, JoinHandle<()>)>,
    is_over: Rc<Cell<bool>>,
    rng: Rng,
    /// The process that forwards its requests; `None` if they come from the campaign itself.
    relay: Option<Relay>,
}

impl Http {
    /// Opens a conversation with the running hub, through a process of its own if `has_process`.
    pub(crate) async fn open(
        campaign: &Rc<Campaign>,
        dialect: &str,
        identity: Identity,
        has_process: bool,
        rng: &mut Rng,
    ) -> Option<Self> {
        let number = campaign.processes.number();
        let Some(mut endpoint) = Endpoint::find(campaign, dialect, number, &identity) else {
            pause(Duration::from_millis(5)).await;
            return None;
        };
        let began = Instant::now();
        let relay = match has_process {
            true => Some(Relay::start(campaign, endpoint.port).await?),
            false => None,
        };
        if let Some(relay) = &relay {
            endpoint.port = relay.port;
        }
        let mut session = Self {
            number,
            campaign: Rc::clone(campaign),
            replies: Replies::new(campaign, number, true),
            protocol: Protocol::new(identity.client.clone(), identity.modern),
            endpoint,
            next: 0,
            calls: HashMap::new(),
            is_over: Rc::default(),
            rng: Rng::new(rng.next(), number),
            relay,
        };
        let greeted = tokio::time::timeout(LIMIT, session.greet()).await;
        if !matches!(greeted, Ok(Some(()))) {
            pause(Duration::from_millis(5)).await;
            return None;
        }
        let program = match identity.modern {
            _ if has_process => Program::Own,
            true => Program::Requests,
            false => Program::Session,
        };
        let caller = Caller {
            began,
            ..identity.caller(campaign, program)
        };
        let mut log = campaign.log.borrow_mut();
        log.callers.begin(number, caller);
        log.count(match identity.modern {
            true => "sessions over HTTP, modern",
            false => "sessions over HTTP, legacy",
        });
        drop(log);
        Some(session)
    }

    async fn greet(&mut self) -> Option<()> {
        self.next += 1;
        let first_request = self.protocol.first_request(self.next);
        let request = self
            .endpoint
            .post(self.protocol.first_method(), None, &first_request);
        let mut stream = Stream::send(self.endpoint.port, &request).await.ok()?;
        stream.whole().await.ok()?;
        (stream.status() == Some(200)).then_some(())?;
        if !self.protocol.modern {
            self.endpoint.session = Some(stream.session()?);
            let request = self.endpoint.post("", None, INITIALIZED);
            let mut stream = Stream::send(self.endpoint.port, &request).await.ok()?;
            stream.whole().await.ok()?;
        }
        Some(())
    }

    /// Whether the session or its hub is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Calls a tool.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        arguments: &str,
        tag: Option<u64>,
        route: Route,
    ) -> PendingCall {
        self.next += 1;
        let asked = self.replies.expect(self.next, tag, route);
        let message = self.protocol.call(asked.id, tool, arguments);
        let request = self.endpoint.post("tools/call", Some(tool), &message);
        let exit = Rc::new(ClientExit::default());
        let call = Call {
            campaign: Rc::clone(&self.campaign),
            replies: Rc::clone(&self.replies),
            endpoint: self.endpoint.clone(),
            id: asked.id,
            tag,
            faults: StreamFaults::draw(&mut self.rng, self.relay.is_none()),
            exit: Rc::clone(&exit),
            is_over: Rc::clone(&self.is_over),
        };
        let follows = tokio::task::spawn_local(call.follow(request));
        self.calls.insert(asked.id, (exit, follows));
        asked
    }

    /// Gives up a call without a cancellation: closes its stream, or reads on and ignores the
    /// reply.
    pub(crate) fn give_up(&mut self, id: i64) {
        self.replies.set_route(id, Route::GivenUp);
        if self.rng.percent(60) {
            self.close(id);
        }
    }

    /// Cancels a call: by closing its stream in the modern era, by a notification before.
    pub(crate) async fn cancel(&mut self, id: i64) {
        if self.protocol.modern {
            self.close(id);
            return;
        }
        self.replies.set_route(id, Route::Cancelled);
        let closes = self.rng.below(3);
        if closes == 0 {
            self.close(id);
        }
        let request = self.endpoint.post("", None, &cancelled(id));
        self.send(&request).await;
        if closes == 1 {
            self.close(id);
        }
    }

    fn close(&mut self, id: i64) {
        let resets = self.rng.percent(40) && self.relay.is_none();
        if let Some((exit, _)) = self.calls.get(&id) {
            exit.leave(resets);
        }
    }

    /// Sends a message whose reply isn't needed.
    async fn send(&self, request: &str) {
        let sending = async {
            if let Ok(mut stream) = Stream::send(self.endpoint.port, request).await {
                // The reply isn't needed; an error shows in the next call.
                let _ = stream.whole().await;
            }
        };
        let _ = tokio::time::timeout(LIMIT, sending).await;
    }

    /// Ends the conversation in one of the ways a client can end.
    pub(crate) async fn leave(mut self, rng: &mut Rng) {
        let (resets, kind) = match rng.below(100) {
            0..40 => (None, "sessions closed"),
            40..70 if self.relay.is_none() => (Some(true), "sessions reset"),
            _ => (Some(false), "sessions left"),
        };
        {
            let mut log = self.campaign.log.borrow_mut();
            log.fault(kind);
            log.ends.insert(self.number, kind);
        }
        if resets.is_none() && self.endpoint.session.is_some() {
            let request = self.endpoint.delete();
            let now = Instant::now();
            self.campaign
                .log
                .borrow_mut()
                .callers
                .begin_to_leave(self.number, now);
            self.send(&request).await;
        }
        for (exit, _) in self.calls.values() {
            exit.leave(resets.unwrap_or_default());
        }
        for (_, (_, follows)) in self.calls.drain() {
            // A client that ends doesn't resume a stream.
            let _ = follows.await;
        }
        if let Some(relay) = self.relay {
            relay.end(&self.campaign, self.number).await;
        }
    }

    /// Waits until no call is open.
    pub(crate) async fn end(self) {
        for (_, (exit, follows)) in self.calls {
            exit.leave(false);
            let _ = follows.await;
        }
    }
}
