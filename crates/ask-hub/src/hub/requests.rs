//! Dispatch of the clients' requests. Most are the engine's to decide and go to it at once.
//! Requests that need a lookup first, or don't change an ask, are answered here.

use std::rc::Rc;
use std::sync::Arc;

use ask_config::clock;
use ask_core::record::BELOW;
use ask_core::{Ancestry, AskId, Record};
use ask_engine::{Cursor, Event, Request as Body, RequestId, TakeUp, Verdict};
use ask_protocol::ipc::{self, Request, Response};

use super::origin::Admission;
use super::problem::HubError;
use super::{ConnectionId, Hub};

/// How a request is answered.
enum Answer {
    /// By the engine.
    Engine(Body),
    /// At once.
    Now(Result<Response, HubError>),
    /// By a task of its own.
    Later,
}

impl Hub {
    /// Handles one request.
    pub(crate) fn serve(self: &Rc<Self>, client: ConnectionId, number: u64, request: Request) {
        self.active_at.set(clock::now());
        // The hub is ending and has closed this connection. The client repeats the request at the
        // next hub.
        if self.clients.borrow().get(client).is_none() {
            return;
        }
        self.hub_state.counts.heard(&request);
        self.tick();
        match self.answer(client, number, request) {
            Answer::Engine(body) => self.ask_for(client, number, body),
            Answer::Now(response) => self.respond(client, number, response),
            Answer::Later => {}
        }
    }

    fn respond(&self, client: ConnectionId, number: u64, response: Result<Response, HubError>) {
        self.say(
            client,
            number,
            response.unwrap_or_else(HubError::into_response),
        );
    }

    fn ask_for(self: &Rc<Self>, client: ConnectionId, number: u64, body: Body) {
        self.handle(Event::Request {
            connection: client,
            request: RequestId(number),
            body,
        });
    }

    fn answer(self: &Rc<Self>, client: ConnectionId, number: u64, request: Request) -> Answer {
        let later = |response| self.later(client, number, response);
        match request {
            Request::Hello { .. } => Answer::Now(Ok(Response::Welcome {
                version: crate::version(),
                pid: std::process::id(),
            })),
            Request::Open {
                mut record,
                wait,
                take_up,
            } => {
                // A draft that comes with the ask was written by its agent, not by the person.
                if let Some(draft) = &mut record.draft
                    && !self.clients.borrow().is_within(client)
                {
                    let agent = record.asker.client.as_deref().unwrap_or("an agent");
                    draft.surface = format!("{BELOW}{agent}");
                }
                record.asked_at = record.asked_at.min(clock::now());
                record.asker = match take_up {
                    ipc::TakeUp::Never => self.brought(client, record.asker),
                    _ => self.identified(client, record.asker),
                };
                if let Some(caller) = &record.asker.caller
                    && !self.hub_state.sessions.asks(&caller.instance)
                {
                    let text = "the session of this agent can't be kept: is the disk full?";
                    return Answer::Now(Err(HubError {
                        kind: ipc::ErrorKind::Store,
                        text: text.to_owned(),
                    }));
                }
                Answer::Engine(Body::Open {
                    record,
                    wait,
                    take_up: match take_up {
                        ipc::TakeUp::Never => TakeUp::Never,
                        ipc::TakeUp::WhenLeft => TakeUp::WhenLeft,
                        ipc::TakeUp::Always => TakeUp::Always,
                    },
                })
            }
            Request::Leave {
                request,
                back_ms,
                elsewhere,
            } => Answer::Engine(Body::Leave {
                request: RequestId(request),
                back_ms,
                elsewhere,
            }),
            Request::Delivered { id, attempt } => Answer::Engine(Body::Delivered { id, attempt }),
            Request::NotDelivered { id } => Answer::Engine(Body::NotDelivered(id)),
            Request::Fetch {
                asker,
                take,
                or_open,
            } => Answer::Engine(Body::Fetch {
                asker: Box::new(self.identified(client, *asker)),
                take,
                or_open,
            }),
            Request::Subscribe {
                after,
                only_looks,
                sender,
            } => self.subscribe(client, after, only_looks, sender),
            Request::SaveDraft {
                id,
                draft,
                surface,
                built_on,
                sender,
            } => self.with_record(client, number, &id.clone(), move |hub, record| {
                let signed = (surface, built_on);
                match hub.admit_draft(client, record.as_deref(), signed, sender) {
                    Ok((surface, built_on)) => Answer::Engine(Body::SaveDraft {
                        id,
                        draft: Box::new(draft),
                        surface,
                        built_on,
                    }),
                    Err(problem) => Answer::Now(Err(problem)),
                }
            }),
            Request::InClient { id, how } => Answer::Engine(Body::InClient(id, how)),
            Request::Mute { on } => Answer::Engine(Body::Mute(on)),
            Request::Shown { id, surface } => match self.may_sign(client, &surface, None) {
                Ok(()) => Answer::Engine(Body::Shown(id, surface)),
                Err(problem) => Answer::Now(Err(problem)),
            },
            Request::Settle {
                id,
                verdict,
                surface,
                device,
                attempt,
                sender,
            } => {
                let signed = (surface, device);
                self.with_record(client, number, &id.clone(), move |hub, record| {
                    hub.settle(
                        client,
                        number,
                        (id, record),
                        (verdict, attempt),
                        signed,
                        sender,
                    )
                })
            }
            Request::Wait { id } => self.ask_request(client, number, id, Body::Wait),
            Request::Snooze { id, snooze } => {
                self.ask_request(client, number, id, move |id| Body::Snooze(id, snooze))
            }
            Request::Extend { id, until } => self.extend(client, number, id, until),
            Request::Get { id } => match self.known(&id) {
                Some(record) => Answer::Now(Ok(Response::Record(self.shown(record)))),
                None => {
                    let hub = Rc::clone(self);
                    later(Box::pin(async move {
                        hub.find(&id).await.map(Response::Record)
                    }))
                }
            },
            Request::Own { short, asker } => {
                let hub = Rc::clone(self);
                let asker = self.identified(client, *asker);
                later(Box::pin(async move {
                    hub.own(&short, &asker).await.map(Response::Record)
                }))
            }
            Request::Waiting { first } => Answer::Now(Ok(self.waiting(first))),
            Request::Changes { after } => Answer::Now(Ok(self.changes(client, after))),
            Request::Status => Answer::Now(Ok(Response::Status(self.status()))),
            Request::Present {
                focused,
                rings,
                input,
            } => Answer::Now(Ok(self.presented(client, focused, rings, input))),
            Request::Failed { why } => {
                self.hub_state.counts.failed(why.word());
                Answer::Now(Ok(Response::Done { count: 0 }))
            }
            Request::PageKey => Answer::Now(Ok(self.page_key(client))),
            Request::Stop => {
                self.end.notify_one();
                Answer::Now(Ok(Response::Done { count: 0 }))
            }
            // A task runs after messages that are queued already, such as the end of the
            // connection.
            Request::Clock { now_ms } => {
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.set_clock(now_ms) }))
            }
            Request::History { filter } => {
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.history(filter).await }))
            }
            Request::Stats { filter } => {
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.statistics(filter).await }))
            }
            Request::ForgetSome {
                filter,
                count,
                sender,
            } => {
                if let Some(problem) = self.may_not_remove(client, sender).filter(|_| !count) {
                    return Answer::Now(Err(problem));
                }
                let hub = Rc::clone(self);
                later(Box::pin(
                    async move { hub.forget_some(filter, count).await },
                ))
            }
            Request::Forget {
                ids,
                undelivered,
                sender,
            } => {
                if let Some(problem) = self.may_not_remove(client, sender) {
                    return Answer::Now(Err(problem));
                }
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.forget(&ids, undelivered).await }))
            }
            Request::PutFile { bytes } => {
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.put_file(bytes).await }))
            }
            Request::GetFile { digest } => {
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.get_file(digest).await }))
            }
            Request::Pairing { command, sender } => {
                if let Err(problem) = self.check_pairing_command(client, &command, sender) {
                    return Answer::Now(Err(problem));
                }
                let hub = Rc::clone(self);
                later(Box::pin(async move { hub.pairing(command).await }))
            }
        }
    }

    fn settle(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        (id, record): (AskId, Option<Arc<Record>>),
        (verdict, attempt): (ipc::Verdict, u64),
        signed: (String, Option<String>),
        sender: Option<Arc<Ancestry>>,
    ) -> Answer {
        let verdict = match self.verdict(verdict) {
            Ok(verdict) => verdict,
            Err(problem) => return Answer::Now(Err(problem)),
        };
        match self.admit(client, record.as_deref(), &verdict, signed, sender) {
            Admission::Taken(signature) => Answer::Engine(Body::Settle {
                id,
                verdict,
                signature,
                attempt,
            }),
            Admission::Unconfirmed(signature) => {
                let asked = Rc::clone(self).ask_for_confirmation(id, verdict, signature);
                self.later(client, number, Box::pin(asked))
            }
            Admission::Refused(problem) => Answer::Now(Err(problem)),
        }
    }

    /// Handles a request with the ask that it is about, from memory or from the store. Who acts
    /// can't be told any more once the connection has ended, so that nothing is done then.
    fn with_record(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: &AskId,
        then: impl FnOnce(&Rc<Self>, Option<Arc<Record>>) -> Answer + 'static,
    ) -> Answer {
        if let Some(record) = self.known(id.as_str()) {
            return then(self, Some(record));
        }
        let (hub, id) = (Rc::clone(self), id.clone());
        tokio::task::spawn_local(async move {
            let record = hub.record(&id).await;
            if hub.clients.borrow().get(client).is_none() {
                return;
            }
            match then(&hub, record) {
                Answer::Engine(body) => hub.ask_for(client, number, body),
                Answer::Now(response) => hub.respond(client, number, response),
                Answer::Later => {}
            }
        });
        Answer::Later
    }

    /// Answers a request in a task of its own.
    fn later(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        response: std::pin::Pin<Box<dyn Future<Output = Result<Response, HubError>>>>,
    ) -> Answer {
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let response = response.await;
            hub.respond(client, number, response);
        });
        Answer::Later
    }

    /// Handles a request about an ask that may be named by the beginning of its id.
    fn ask_request(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: String,
        body: impl FnOnce(AskId) -> Body + 'static,
    ) -> Answer {
        if let Some(record) = self.known(&id) {
            return Answer::Engine(body(record.id.clone()));
        }
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            match hub.find(&id).await {
                Ok(record) => hub.ask_for(client, number, body(record.id.clone())),
                Err(problem) => hub.respond(client, number, Err(problem)),
            }
        });
        Answer::Later
    }

    fn extend(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: String,
        until: ask_core::Time,
    ) -> Answer {
        let hub = Rc::clone(self);
        self.ask_request(client, number, id, move |id| {
            let record = hub.known(id.as_str());
            let dialect = record.and_then(|record| ask_dialects::find(&record.dialect));
            Body::Extend {
                id,
                until,
                longest_ms: dialect.map_or(0, |dialect| dialect.longest_limit_ms()),
            }
        })
    }

    fn subscribe(
        &self,
        client: ConnectionId,
        after: Option<u64>,
        only_looks: bool,
        sender: Option<Arc<Ancestry>>,
    ) -> Answer {
        let mut clients = self.clients.borrow_mut();
        let Some(client) = clients.get_mut(client) else {
            return Answer::Later;
        };
        client.only_looks = Some(only_looks);
        if let Some(sender) = sender {
            // The ancestry is set once for each connection.
            let _ = client.ancestry.set(Some(sender));
        }
        self.news.notify_one();
        Answer::Engine(Body::Subscribe {
            after: after.map(Cursor::from_u64),
            // Within the process a change is taken as soon as it is pushed.
            paced: !client.is_within,
        })
    }

    fn verdict(&self, verdict: ipc::Verdict) -> Result<Verdict, HubError> {
        Ok(match verdict {
            ipc::Verdict::Answer { mut draft, gaps } => {
                self.check_files(&mut draft)?;
                Verdict::Answer { draft, gaps }
            }
            ipc::Verdict::Decline { reason } => Verdict::Decline { reason },
            ipc::Verdict::Clarify { words } => Verdict::Clarify { words },
            ipc::Verdict::Withdraw => Verdict::Withdraw,
        })
    }
}
