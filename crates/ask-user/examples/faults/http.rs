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

use self::call::{Call, Leaving};
use self::endpoint::Door;
use self::stream::Stream;
use self::stream_faults::Fate;
use crate::callers::{Caller, Program};
use crate::log::How;
use crate::model::{World, pause};
use crate::protocol::{INITIALIZED, Speech, cancelled};
use crate::relay::Relay;
use crate::replies::{Asked, Hearing};
use crate::rng::Chance;
use crate::session::Who;

/// A hub that doesn't answer a greeting within this time is frozen or gone.
const LIMIT: Duration = Duration::from_secs(5);

/// A conversation with the hub.
pub(crate) struct Http {
    /// The agent's number in the campaign.
    pub number: u64,
    world: Rc<World>,
    hearing: Rc<Hearing>,
    speech: Speech,
    door: Door,
    next: i64,
    calls: HashMap<i64, (Rc<Leaving>, JoinHandle<()>)>,
    is_over: Rc<Cell<bool>>,
    chance: Chance,
    /// The process that forwards its requests; `None` if they come from the campaign itself.
    relay: Option<Relay>,
}

impl Http {
    /// Opens a conversation with the running hub, through a process of its own if `has_process`.
    pub(crate) async fn open(
        world: &Rc<World>,
        dialect: &str,
        who: Who,
        has_process: bool,
        chance: &mut Chance,
    ) -> Option<Self> {
        let number = world.processes.number();
        let Some(mut door) = Door::find(world, dialect, number, &who) else {
            pause(Duration::from_millis(5)).await;
            return None;
        };
        let began = Instant::now();
        let relay = match has_process {
            true => Some(Relay::start(world, door.port).await?),
            false => None,
        };
        if let Some(relay) = &relay {
            door.port = relay.port;
        }
        let mut session = Self {
            number,
            world: Rc::clone(world),
            hearing: Hearing::new(world, number, true),
            speech: Speech::new(who.client.clone(), who.modern),
            door,
            next: 0,
            calls: HashMap::new(),
            is_over: Rc::default(),
            chance: Chance::of(chance.next(), number),
            relay,
        };
        let greeted = tokio::time::timeout(LIMIT, session.greet()).await;
        if !matches!(greeted, Ok(Some(()))) {
            pause(Duration::from_millis(5)).await;
            return None;
        }
        let program = match who.modern {
            _ if has_process => Program::Own,
            true => Program::Requests,
            false => Program::Session,
        };
        let caller = Caller {
            began,
            ..who.caller(world, program)
        };
        let mut ledger = world.ledger.borrow_mut();
        ledger.callers.begin(number, caller);
        ledger.count(match who.modern {
            true => "sessions over HTTP, modern",
            false => "sessions over HTTP, legacy",
        });
        drop(ledger);
        Some(session)
    }

    async fn greet(&mut self) -> Option<()> {
        self.next += 1;
        let greeting = self.speech.greeting(self.next);
        let request = self.door.post(self.speech.greets_with(), None, &greeting);
        let mut stream = Stream::send(self.door.port, &request).await.ok()?;
        stream.whole().await.ok()?;
        (stream.status() == Some(200)).then_some(())?;
        if !self.speech.modern {
            self.door.session = Some(stream.session()?);
            let request = self.door.post("", None, INITIALIZED);
            let mut stream = Stream::send(self.door.port, &request).await.ok()?;
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
        how: How,
    ) -> Asked {
        self.next += 1;
        let asked = self.hearing.expect(self.next, tag, how);
        let message = self.speech.call(asked.id, tool, arguments);
        let request = self.door.post("tools/call", Some(tool), &message);
        let leaving = Rc::new(Leaving::default());
        let call = Call {
            world: Rc::clone(&self.world),
            hearing: Rc::clone(&self.hearing),
            door: self.door.clone(),
            id: asked.id,
            tag,
            fate: Fate::thrown(&mut self.chance, self.relay.is_none()),
            leaving: Rc::clone(&leaving),
            is_over: Rc::clone(&self.is_over),
        };
        let follows = tokio::task::spawn_local(call.follow(request));
        self.calls.insert(asked.id, (leaving, follows));
        asked
    }

    /// Gives up a call without a cancellation: closes its stream, or reads on and ignores the
    /// reply.
    pub(crate) fn give_up(&mut self, id: i64) {
        self.hearing.left(id, How::GivenUp);
        if self.chance.percent(60) {
            self.close(id);
        }
    }

    /// Cancels a call: by closing its stream in the modern era, by a notification before.
    pub(crate) async fn cancel(&mut self, id: i64) {
        if self.speech.modern {
            self.close(id);
            return;
        }
        self.hearing.left(id, How::Cancelled);
        let closes = self.chance.below(3);
        if closes == 0 {
            self.close(id);
        }
        let request = self.door.post("", None, &cancelled(id));
        self.say(&request).await;
        if closes == 1 {
            self.close(id);
        }
    }

    fn close(&mut self, id: i64) {
        let resets = self.chance.percent(40) && self.relay.is_none();
        if let Some((leaving, _)) = self.calls.get(&id) {
            leaving.now(resets);
        }
    }

    /// Sends a message whose reply isn't needed.
    async fn say(&self, request: &str) {
        let said = async {
            if let Ok(mut stream) = Stream::send(self.door.port, request).await {
                // The reply isn't needed; an error shows in the next call.
                let _ = stream.whole().await;
            }
        };
        let _ = tokio::time::timeout(LIMIT, said).await;
    }

    /// Ends the conversation in one of the ways a client can end.
    pub(crate) async fn leave(mut self, chance: &mut Chance) {
        let (resets, kind) = match chance.below(100) {
            0..40 => (None, "sessions closed"),
            40..70 if self.relay.is_none() => (Some(true), "sessions reset"),
            _ => (Some(false), "sessions left"),
        };
        {
            let mut ledger = self.world.ledger.borrow_mut();
            ledger.fault(kind);
            ledger.ends.insert(self.number, kind);
        }
        if resets.is_none() && self.door.session.is_some() {
            let request = self.door.delete();
            let now = Instant::now();
            self.world
                .ledger
                .borrow_mut()
                .callers
                .leaves(self.number, now);
            self.say(&request).await;
        }
        for (leaving, _) in self.calls.values() {
            leaving.now(resets.unwrap_or_default());
        }
        for (_, (_, follows)) in self.calls.drain() {
            // A client that ends doesn't resume a stream.
            let _ = follows.await;
        }
        if let Some(relay) = self.relay {
            relay.end(&self.world, self.number).await;
        }
    }

    /// Waits until no call is open.
    pub(crate) async fn end(self) {
        for (_, (leaving, follows)) in self.calls {
            leaving.now(false);
            let _ = follows.await;
        }
    }
}
