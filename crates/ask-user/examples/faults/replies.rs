//! The messages that an agent receives over any transport: each is searched for answers and
//! assigned to the call that it replies to.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use ask_core::Json;
use ask_protocol::text_json;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::log::{Receipt, Route};
use crate::model::Campaign;
use crate::words;

/// An agent's calls and their results.
pub(crate) struct Replies {
    campaign: Rc<Campaign>,
    /// The agent's number.
    pub number: u64,
    over_http: bool,
    resumes: Cell<bool>,
    calls: RefCell<HashMap<i64, Call>>,
    gone: Cell<Option<Route>>,
}

struct Call {
    tag: Option<u64>,
    made: Instant,
    by_id: bool,
    route: Route,
    reply: oneshot::Sender<Json>,
}

/// The call that a message replies to.
#[derive(Default)]
struct Target {
    tag: Option<u64>,
    made: Option<Instant>,
    by_id: bool,
}

impl Target {
    fn of(call: &Call) -> Self {
        Self {
            tag: call.tag,
            made: Some(call.made),
            by_id: call.by_id,
        }
    }
}

/// A call that was made.
pub(crate) struct PendingCall {
    /// The request's id.
    pub id: i64,
    /// Receives the reply.
    pub reply: oneshot::Receiver<Json>,
}

impl Replies {
    /// The receiver of an agent.
    pub(crate) fn new(campaign: &Rc<Campaign>, number: u64, over_http: bool) -> Rc<Self> {
        Rc::new(Self {
            campaign: Rc::clone(campaign),
            number,
            over_http,
            resumes: Cell::new(false),
            calls: RefCell::default(),
            gone: Cell::new(None),
        })
    }

    /// Registers a call that is about to be made.
    pub(crate) fn expect(&self, id: i64, tag: Option<u64>, route: Route) -> PendingCall {
        let (sender, reply) = oneshot::channel();
        let made = Instant::now();
        let call = Call {
            tag,
            made,
            by_id: route == Route::Read,
            route,
            reply: sender,
        };
        let mut log = self.campaign.log.borrow_mut();
        log.callers.record_call(self.number, id, tag, made);
        self.calls.borrow_mut().insert(id, call);
        PendingCall { id, reply }
    }

    /// Records that nobody waits for a call's reply any more, and how a reply counts that still
    /// comes.
    pub(crate) fn set_route(&self, id: i64, route: Route) {
        if let Some(call) = self.calls.borrow_mut().get_mut(&id) {
            call.route = route;
        }
    }

    /// Whether somebody waits for a call's reply.
    pub(crate) fn is_waited_for(&self, id: i64) -> bool {
        let calls = self.calls.borrow();
        let route = calls.get(&id).map(|call| call.route);
        route.is_some_and(|route| route != Route::Cancelled)
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
        let mut log = self.campaign.log.borrow_mut();
        log.callers.end_call(self.number, id, Instant::now());
    }

    /// Records that nobody reads any more, and how a message counts that still comes.
    pub(crate) fn stop_reading(&self, route: Route) {
        self.gone.set(Some(route));
    }

    /// Whether somebody still reads.
    pub(crate) fn is_reading(&self) -> bool {
        self.gone.get().is_none()
    }

    /// Records a message from a stream that its client had left: nobody has read it.
    pub(crate) fn record_unread(&self, line: &str, id: i64, route: Route) {
        let to = self
            .calls
            .borrow()
            .get(&id)
            .map_or(Target::default(), Target::of);
        self.receive(line, route, Instant::now(), to);
    }

    /// Records a message from a resumed stream.
    pub(crate) fn record_resumed(&self, line: &str, at: Instant) -> Option<i64> {
        self.resumes.set(true);
        let reply_to = self.record(line, at);
        self.resumes.set(false);
        reply_to
    }

    /// Records a message; returns the id of the request that it replies to.
    pub(crate) fn record(&self, line: &str, at: Instant) -> Option<i64> {
        let message = text_json(line).unwrap_or(Json::Null);
        let reply_to = message
            .get("id")
            .filter(|_| message.get("method").is_none())
            .and_then(Json::as_i64);
        let call = reply_to.and_then(|id| self.calls.borrow_mut().remove(&id));
        let route = match (self.gone.get(), &call) {
            (Some(gone), _) => gone,
            (None, Some(call)) => call.route,
            (None, None) => Route::Reply,
        };
        let to = call.as_ref().map_or(Target::default(), Target::of);
        self.receive(line, route, at, to);
        if let Some(call) = call {
            self.is_over(reply_to.unwrap_or_default());
            // A caller that has given up doesn't wait for the reply.
            let _ = call.reply.send(message);
        }
        reply_to
    }

    fn receive(&self, line: &str, route: Route, at: Instant, to: Target) {
        for (nonce, whole) in words::nonces_in(line) {
            let receipt = Receipt {
                process: self.number,
                over_http: self.over_http,
                resumed: self.resumes.get(),
                reset_at: None,
                route,
                at,
                whole,
                reply_to: to.tag,
                called: to.made,
                by_id: to.by_id,
            };
            self.campaign.log.borrow_mut().received(nonce, receipt);
        }
    }
}
