//! The messages that an agent receives over any transport: each is searched for answers and
//! assigned to the call that it replies to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use ask_core::Json;
use ask_protocol::text_json;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::log::{How, Receipt};
use crate::model::World;
use crate::words;

/// An agent's calls and their results.
pub(crate) struct Hearing {
    world: Rc<World>,
    /// The agent's number.
    pub number: u64,
    over_http: bool,
    resumes: Cell<bool>,
    calls: RefCell<HashMap<i64, Call>>,
    gone: Cell<Option<How>>,
}

struct Call {
    tag: Option<u64>,
    made: Instant,
    by_id: bool,
    how: How,
    reply: oneshot::Sender<Json>,
}

/// The call that a message replies to.
#[derive(Default)]
struct To {
    tag: Option<u64>,
    made: Option<Instant>,
    by_id: bool,
}

impl To {
    fn of(call: &Call) -> Self {
        Self {
            tag: call.tag,
            made: Some(call.made),
            by_id: call.by_id,
        }
    }
}

/// A call that was made.
pub(crate) struct Asked {
    /// The request's id.
    pub id: i64,
    /// Receives the reply.
    pub reply: oneshot::Receiver<Json>,
}

impl Hearing {
    /// The receiver of an agent.
    pub(crate) fn new(world: &Rc<World>, number: u64, over_http: bool) -> Rc<Self> {
        Rc::new(Self {
            world: Rc::clone(world),
            number,
            over_http,
            resumes: Cell::new(false),
            calls: RefCell::default(),
            gone: Cell::new(None),
        })
    }

    /// Registers a call that is about to be made.
    pub(crate) fn expect(&self, id: i64, tag: Option<u64>, how: How) -> Asked {
        let (sender, reply) = oneshot::channel();
        let made = Instant::now();
        let call = Call {
            tag,
            made,
            by_id: how == How::Read,
            how,
            reply: sender,
        };
        let mut ledger = self.world.ledger.borrow_mut();
        ledger.callers.calls(self.number, id, tag, made);
        self.calls.borrow_mut().insert(id, call);
        Asked { id, reply }
    }

    /// Records that nobody waits for a call's reply any more, and how a reply counts that still
    /// comes.
    pub(crate) fn left(&self, id: i64, how: How) {
        if let Some(call) = self.calls.borrow_mut().get_mut(&id) {
            call.how = how;
        }
    }

    /// Whether somebody waits for a call's reply.
    pub(crate) fn is_waited_for(&self, id: i64) -> bool {
        let calls = self.calls.borrow();
        let how = calls.get(&id).map(|call| call.how);
        how.is_some_and(|how| how != How::Cancelled)
    }

    /// Ends a call whose reply can't come any more; its receiver is closed.
    pub(crate) fn forget(&self, id: i64) {
        self.calls.borrow_mut().remove(&id);
        self.is_over(id);
    }

    /// Ends all calls.
    pub(crate) fn forget_all(&self) {
        let calls = std::mem::take(&mut *self.calls.borrow_mut());
        for id in calls.into_keys() {
            self.is_over(id);
        }
    }

    /// Records that a call may have ended.
    pub(crate) fn is_over(&self, id: i64) {
        let mut ledger = self.world.ledger.borrow_mut();
        ledger.callers.over(self.number, id, Instant::now());
    }

    /// Records that nobody reads any more, and how a message counts that still comes.
    pub(crate) fn is_gone(&self, how: How) {
        self.gone.set(Some(how));
    }

    /// Whether somebody still reads.
    pub(crate) fn reads(&self) -> bool {
        self.gone.get().is_none()
    }

    /// Records a message from a stream that its client had left: nobody has read it.
    pub(crate) fn overhear(&self, line: &str, id: i64, how: How) {
        let to = self.calls.borrow().get(&id).map_or(To::default(), To::of);
        self.receive(line, how, Instant::now(), to);
    }

    /// Records a message from a resumed stream.
    pub(crate) fn note_resumed(&self, line: &str, at: Instant) -> Option<i64> {
        self.resumes.set(true);
        let reply_to = self.note(line, at);
        self.resumes.set(false);
        reply_to
    }

    /// Records a message; returns the id of the request that it replies to.
    pub(crate) fn note(&self, line: &str, at: Instant) -> Option<i64> {
        let message = text_json(line).unwrap_or(Json::Null);
        let reply_to = message
            .get("id")
            .filter(|_| message.get("method").is_none())
            .and_then(Json::as_i64);
        let call = reply_to.and_then(|id| self.calls.borrow_mut().remove(&id));
        let how = match (self.gone.get(), &call) {
            (Some(gone), _) => gone,
            (None, Some(call)) => call.how,
            (None, None) => How::Reply,
        };
        let to = call.as_ref().map_or(To::default(), To::of);
        self.receive(line, how, at, to);
        if let Some(call) = call {
            self.is_over(reply_to.unwrap_or_default());
            // A caller that has given up doesn't wait for the reply.
            let _ = call.reply.send(message);
        }
        reply_to
    }

    fn receive(&self, line: &str, how: How, at: Instant, to: To) {
        for (nonce, whole) in words::nonces_in(line) {
            let receipt = Receipt {
                process: self.number,
                over_http: self.over_http,
                resumed: self.resumes.get(),
                reset_at: None,
                how,
                at,
                whole,
                reply_to: to.tag,
                called: to.made,
                by_id: to.by_id,
            };
            self.world.ledger.borrow_mut().received(nonce, receipt);
        }
    }
}
