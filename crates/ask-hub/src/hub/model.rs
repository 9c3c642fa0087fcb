//! A model of an ask's life, which runs beside the hub: after any order of events, both must give
//! the same responses. The model consists of plain lists, so that a reader can check it.

mod comparison;
mod generators;

use ask_core::{AskId, Record};
use ask_protocol::ipc::{Request, TakeUp};
use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;

use self::generators::{asker, question_of, record, settle};

/// An event. Its numbers choose among the existing asks or calls, modulo their count.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A connection asks one of three questions. The last one has a deadline that can pass.
    Open { client: usize, question: usize },
    /// A connection waits for an existing ask.
    Wait { client: usize, ask: usize },
    /// A call stops waiting.
    Leave { call: usize },
    /// A connection breaks, and a new one replaces it.
    Disconnect { client: usize },
    /// Somebody closes an ask. Repeating the attempt gives the same response.
    Settle { ask: usize, attempt: u64 },
    /// The response of a call was written.
    Deliver { call: usize },
    /// The response of a call was not written, because its waiter left at that moment.
    NotDelivered { call: usize },
    /// An agent fetches its undelivered outcomes.
    Fetch { client: usize },
    /// The deadlines of all open asks pass.
    Expire,
    /// A person removes an ask, with `undelivered` also one whose outcome no agent has received.
    Forget { ask: usize, undelivered: bool },
    /// The hub restarts. Clients send their open requests again over new connections.
    Restart,
}

/// An operation on the hub.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Serve(u64, u64, Box<Request>),
    Disconnect(u64),
    Connect(u64),
    Expire,
    Restart,
}

/// A response that a client receives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Received {
    Opened(AskId),
    /// An outcome, with whether its asker has other undelivered ones.
    Outcome(AskId, bool),
    Settled(bool),
    Listed(Vec<AskId>),
    Done,
    Fault,
}

/// An ask as the model knows it.
#[derive(Clone, Debug)]
pub(super) struct ModelAsk {
    pub id: AskId,
    /// The caller that asked. Other callers get the ask only by its id.
    pub owner: usize,
    pub question: usize,
    /// The attempt that closed it; zero for the deadline.
    pub closed: Option<u64>,
    pub delivered: bool,
}

/// A call of a client.
#[derive(Clone, Debug)]
struct Call {
    client: u64,
    number: u64,
    request: Request,
    ask: AskId,
}

/// The whole state of the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub asks: Vec<ModelAsk>,
    calls: Vec<Call>,
    pub waiters: Vec<(u64, u64, AskId)>,
    in_flight: Vec<(u64, u64, AskId)>,
    /// The connection of each caller.
    clients: Vec<u64>,
    next: u64,
    /// The operations that the last event causes, and the responses that they must give.
    pub operations: Vec<Operation>,
    pub received: Vec<(u64, u64, Received)>,
}

const CLIENTS: usize = 3;

/// Attempts from this number on are withdrawals by the agent.
const WITHDRAWALS: u64 = 5;

impl ModelAsk {
    /// Whether a person closed it and the outcome is undelivered.
    pub(super) fn is_missed(&self) -> bool {
        let human = self
            .closed
            .is_some_and(|attempt| (1..WITHDRAWALS).contains(&attempt));
        human && !self.delivered
    }
}

impl Model {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn find(&mut self, id: &AskId) -> Option<&mut ModelAsk> {
        self.asks.iter_mut().find(|ask| ask.id == *id)
    }

    fn request(&mut self, client: u64, number: u64, request: Request) {
        let operation = Operation::Serve(client, number, Box::new(request));
        self.operations.push(operation);
    }

    fn expect_response(&mut self, client: u64, number: u64, received: Received) {
        self.received.push((client, number, received));
    }

    /// Whether the caller of this ask has another undelivered outcome that is not being delivered.
    fn misses_another(&self, own: &AskId) -> bool {
        let in_flight = |id: &AskId| self.in_flight.iter().any(|(_, _, ask)| ask == id);
        let owner = self.asks.iter().find(|ask| ask.id == *own);
        let owner = owner.map(|ask| ask.owner);
        let mut others = self.asks.iter().filter(|ask| ask.id != *own);
        others.any(|ask| Some(ask.owner) == owner && ask.is_missed() && !in_flight(&ask.id))
    }

    /// The caller that uses a connection.
    fn caller(&self, client: u64) -> usize {
        let at = self.clients.iter().position(|known| *known == client);
        at.expect("every connection belongs to a caller")
    }

    /// Attaches a call to an existing ask: it waits for the outcome, or receives it at once.
    fn attach(&mut self, client: u64, number: u64, id: AskId) {
        let closed = self.find(&id).is_some_and(|ask| ask.closed.is_some());
        let delivery = (client, number, id.clone());
        if closed {
            self.in_flight.push(delivery);
            let misses = self.misses_another(&id);
            self.expect_response(client, number, Received::Outcome(id, misses));
        } else {
            self.waiters.push(delivery);
            self.expect_response(client, number, Received::Opened(id));
        }
    }

    /// Opens an ask. It may exist already, or the caller may take up an equal one that it left.
    fn open(&mut self, client: u64, number: u64, record: &Record, question: usize) -> AskId {
        let owner = self.caller(client);
        let own = self.asks.iter().find(|ask| ask.id == record.id);
        let left = self.asks.iter().rev().find(|ask| {
            let in_flight = self.in_flight.iter().any(|(_, _, id)| *id == ask.id);
            let open = ask.closed.is_none() || ask.is_missed();
            ask.owner == owner && ask.question == question && open && !in_flight
        });
        if let Some(id) = own.or(left).map(|ask| ask.id.clone()) {
            self.attach(client, number, id.clone());
            return id;
        }
        // An expired ask is opened again.
        let mut asks = self.asks.iter().rev();
        let expired = asks
            .find(|ask| ask.owner == owner && ask.question == question && ask.closed == Some(0));
        if let Some(id) = expired.map(|ask| ask.id.clone()) {
            if let Some(ask) = self.find(&id) {
                (ask.closed, ask.delivered) = (None, false);
            }
            self.in_flight.retain(|(_, _, ask)| *ask != id);
            self.attach(client, number, id.clone());
            return id;
        }
        let ask = ModelAsk {
            id: record.id.clone(),
            owner,
            question,
            closed: None,
            delivered: false,
        };
        self.asks.push(ask);
        self.attach(client, number, record.id.clone());
        record.id.clone()
    }

    /// Closes an ask. Every waiter receives the outcome.
    fn close(&mut self, id: &AskId, attempt: u64) {
        if let Some(ask) = self.find(id) {
            ask.closed = Some(attempt);
        }
        let (in_flight, stay) = self.waiters.drain(..).partition(|(_, _, ask)| ask == id);
        self.waiters = stay;
        let misses = self.misses_another(id);
        for (client, number, id) in in_flight {
            self.expect_response(client, number, Received::Outcome(id.clone(), misses));
            self.in_flight.push((client, number, id));
        }
    }

    fn apply_event(&mut self, event: &Event) {
        self.operations.clear();
        self.received.clear();
        let number = self.number();
        let existing = |at: &usize| (!self.asks.is_empty()).then(|| at % self.asks.len());
        match event {
            Event::Open { client, question } => {
                let record = record(number, *question, *client);
                let request = Request::Open {
                    record: Box::new(record.clone()),
                    wait: true,
                    take_up: TakeUp::Always,
                };
                let client = self.clients[*client];
                self.request(client, number, request.clone());
                let ask = self.open(client, number, &record, *question);
                self.calls.push(Call {
                    client,
                    number,
                    request,
                    ask,
                });
            }
            Event::Wait { client, ask } => {
                let Some(at) = existing(ask) else { return };
                let (client, ask) = (self.clients[*client], self.asks[at].id.clone());
                let request = Request::Wait {
                    id: ask.to_string(),
                };
                self.request(client, number, request.clone());
                self.attach(client, number, ask.clone());
                self.calls.push(Call {
                    client,
                    number,
                    request,
                    ask,
                });
            }
            Event::Settle { ask, attempt } => {
                let Some(at) = existing(ask) else { return };
                let (id, client) = (self.asks[at].id.clone(), self.clients[0]);
                self.request(client, number, settle(&id, *attempt));
                let first = self.asks[at].closed;
                // A person's answer replaces an expiry.
                let late = first == Some(0) && *attempt < WITHDRAWALS;
                if first.is_none() || late {
                    self.close(&id, *attempt);
                    self.asks[at].delivered = false;
                }
                let won = late || first.is_none_or(|first| first == *attempt);
                self.expect_response(client, number, Received::Settled(won));
            }
            Event::Forget { ask, undelivered } => {
                let Some(at) = existing(ask) else { return };
                let client = self.clients[0];
                let ids = vec![self.asks[at].id.to_string()];
                let undelivered = *undelivered;
                self.request(
                    client,
                    number,
                    Request::Forget {
                        ids,
                        undelivered,
                        sender: None,
                    },
                );
                let by_person = |attempt| attempt != 0 && attempt < WITHDRAWALS;
                let ask = &self.asks[at];
                let undelivered_answer = ask.closed.is_some_and(by_person) && !ask.delivered;
                if ask.closed.is_some() && (undelivered || !undelivered_answer) {
                    self.asks.remove(at);
                    self.expect_response(client, number, Received::Done);
                } else {
                    self.expect_response(client, number, Received::Fault);
                }
            }
            Event::Leave { call } | Event::Deliver { call } | Event::NotDelivered { call } => {
                let calls = self.calls.len();
                if calls > 0 {
                    self.apply_call_event(event, self.calls[call % calls].clone(), number);
                }
            }
            Event::Fetch { client } => {
                let owner = *client;
                let client = self.clients[owner];
                let request = Request::Fetch {
                    asker: Box::new(asker(owner)),
                    take: true,
                    or_open: false,
                };
                self.request(client, number, request.clone());
                let missed = self.asks.iter().filter(|ask| ask.is_missed());
                let in_flight = |id: &AskId| self.in_flight.iter().any(|(_, _, ask)| ask == id);
                let missed = missed.filter(|ask| !in_flight(&ask.id));
                let missed = missed.filter(|ask| ask.owner == owner);
                let missed: Vec<AskId> = missed.map(|ask| ask.id.clone()).collect();
                for ask in missed.clone() {
                    self.in_flight.push((client, number, ask.clone()));
                    self.calls.push(Call {
                        client,
                        number,
                        request: request.clone(),
                        ask,
                    });
                }
                self.expect_response(client, number, Received::Listed(missed));
            }
            Event::Expire => {
                self.operations.push(Operation::Expire);
                let due = |ask: &&ModelAsk| ask.question == 2 && ask.closed.is_none();
                let due = self.asks.iter().filter(due);
                let due: Vec<AskId> = due.map(|ask| ask.id.clone()).collect();
                for id in due {
                    self.close(&id, 0);
                }
            }
            Event::Disconnect { client } => {
                let gone = std::mem::replace(&mut self.clients[*client], number);
                self.operations
                    .extend([Operation::Disconnect(gone), Operation::Connect(number)]);
                self.waiters.retain(|(client, _, _)| *client != gone);
                self.in_flight.retain(|(client, _, _)| *client != gone);
                self.calls.retain(|call| call.client != gone);
            }
            Event::Restart => self.restart(),
        }
    }

    /// An event about a call: it leaves, or its response was written or not written.
    fn apply_call_event(&mut self, event: &Event, call: Call, number: u64) {
        let Call {
            client,
            number: call_number,
            ask,
            ..
        } = call;
        let is_of_call =
            |delivery: &(u64, u64, AskId)| delivery.0 == client && delivery.1 == call_number;
        let mut deliveries = self.in_flight.iter();
        let in_flight = deliveries.any(|delivery| is_of_call(delivery) && delivery.2 == ask);
        match event {
            Event::Leave { .. } => {
                let leave = Request::Leave {
                    request: call_number,
                    back_ms: 0,
                    elsewhere: false,
                };
                self.request(client, number, leave);
                self.in_flight.retain(|delivery| !is_of_call(delivery));
                self.waiters.retain(|delivery| !is_of_call(delivery));
            }
            // Only an outcome that was sent can be written or not.
            Event::Deliver { .. } if in_flight => {
                let attempt = None;
                self.request(
                    client,
                    number,
                    Request::Delivered {
                        id: ask.clone(),
                        attempt,
                    },
                );
                self.in_flight.retain(|(_, _, id)| *id != ask);
                if let Some(ask) = self.find(&ask) {
                    ask.delivered = true;
                }
            }
            Event::NotDelivered { .. } if in_flight => {
                self.request(client, number, Request::NotDelivered { id: ask.clone() });
                // Deliveries to the same client are interchangeable.
                let first = self.in_flight.iter();
                let mut first = first.enumerate();
                let first = first.find(|(_, delivery)| delivery.0 == client && delivery.2 == ask);
                if let Some((at, _)) = first {
                    self.in_flight.remove(at);
                }
            }
            _ => return,
        }
        self.expect_response(client, number, Received::Done);
    }

    fn restart(&mut self) {
        self.operations.push(Operation::Restart);
        self.in_flight.clear();
        let waited = std::mem::take(&mut self.waiters);
        for at in 0..self.clients.len() {
            let (gone, new) = (self.clients[at], self.number());
            self.clients[at] = new;
            self.operations.push(Operation::Connect(new));
            for call in &mut self.calls {
                if call.client == gone {
                    call.client = new;
                }
            }
        }
        // Waiting clients send their requests again in the original order.
        for at in 0..self.calls.len() {
            let call = self.calls[at].clone();
            if !waited.iter().any(|(_, number, _)| *number == call.number) {
                continue;
            }
            self.request(call.client, call.number, call.request.clone());
            match call.request {
                Request::Open { record, .. } => {
                    let question = question_of(&record);
                    let ask = self.open(call.client, call.number, &record, question);
                    self.calls[at].ask = ask;
                }
                _ => self.attach(call.client, call.number, call.ask),
            }
        }
    }
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Event;

    fn init_state() -> BoxedStrategy<Self> {
        let mut model = Self::default();
        for _ in 0..CLIENTS {
            let client = model.number();
            model.clients.push(client);
            model.operations.push(Operation::Connect(client));
        }
        Just(model).boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Event> {
        let (client, any) = (0..CLIENTS, 0..8_usize);
        let (question, attempt) = (0..3_usize, 1..6_u64);
        prop_oneof![
            6 => (client.clone(), question)
                .prop_map(|(client, question)| Event::Open { client, question }),
            2 => (client.clone(), any.clone())
                .prop_map(|(client, ask)| Event::Wait { client, ask }),
            6 => (any.clone(), attempt)
                .prop_map(|(ask, attempt)| Event::Settle { ask, attempt }),
            4 => any.clone().prop_map(|call| Event::Deliver { call }),
            2 => any.clone().prop_map(|call| Event::Leave { call }),
            1 => any.clone().prop_map(|call| Event::NotDelivered { call }),
            1 => (any, proptest::bool::ANY).prop_map(|(ask, undelivered)| Event::Forget { ask, undelivered }),
            2 => client.clone().prop_map(|client| Event::Fetch { client }),
            1 => client.prop_map(|client| Event::Disconnect { client }),
            1 => Just(Event::Expire),
            1 => Just(Event::Restart),
        ]
        .boxed()
    }

    fn apply(mut model: Self, event: &Event) -> Self {
        model.apply_event(event);
        model
    }
}
