//! Dispatches the clients' requests. Most are passed to the engine at once. Requests that need a
//! lookup first, or that don't change an ask, are handled here.

use std::rc::Rc;
use std::sync::Arc;

use ask_config::clock;
use ask_core::record::{BELOW, ENDED_AGENT};
use ask_core::{Ancestry, AskId, Asker, Caller, Record};
use ask_engine::{Cursor, Event, Request as EngineRequest, RequestId, Signature, TakeUp, Verdict};
use ask_protocol::ipc::{self, Request, Response};

use super::origin::{Admission, short_name};
use super::problem::HubError;
use super::{ConnectionId, Hub};

/// How a request is handled.
enum Handling {
    /// The engine decides it and replies.
    Engine(EngineRequest),
    /// This is the response.
    Ready(Result<Response, HubError>),
    /// A task of its own responds.
    Deferred,
}

impl Hub {
    pub(crate) fn serve(self: &Rc<Self>, client: ConnectionId, number: u64, request: Request) {
        self.last_used_at.set(clock::now());
        // The hub is ending and has closed this connection. The client sends the request again to
        // the next hub.
        if self.clients.borrow().get(client).is_none() {
            return;
        }
        self.shared.metrics.count_request(&request);
        self.tick();
        match self.dispatch(client, number, request) {
            Handling::Engine(body) => self.send_to_engine(client, number, body),
            Handling::Ready(response) => self.respond(client, number, response),
            Handling::Deferred => {}
        }
    }

    fn respond(&self, client: ConnectionId, number: u64, response: Result<Response, HubError>) {
        self.send(
            client,
            number,
            response.unwrap_or_else(HubError::into_response),
        );
    }

    fn send_to_engine(self: &Rc<Self>, client: ConnectionId, number: u64, body: EngineRequest) {
        self.handle(Event::Request {
            connection: client,
            request: RequestId(number),
            body,
        });
    }

    fn dispatch(self: &Rc<Self>, client: ConnectionId, number: u64, request: Request) -> Handling {
        let respond_later = |response| self.respond_later(client, number, response);
        match request {
            Request::Hello { .. } => Handling::Ready(Ok(Response::Welcome {
                version: crate::version(),
                pid: std::process::id(),
            })),
            Request::Open {
                mut record,
                wait,
                take_up,
            } => {
                // A draft in this request was written by the agent, not by the person.
                if let Some(draft) = &mut record.draft
                    && !self.clients.borrow().is_in_process(client)
                {
                    let agent = record.asker.client.as_deref().unwrap_or("an agent");
                    draft.surface = format!("{BELOW}{}", short_name(agent));
                    draft.revision = 1;
                    draft.draft = std::mem::take(&mut draft.draft).without_hidden();
                }
                record.asked_at = record.asked_at.min(clock::now());
                record.asker = match take_up {
                    ipc::TakeUp::Never => self.resolve_orphan_asker(client, record.asker),
                    _ => self.resolve_asker(client, record.asker),
                };
                if let Some(caller) = &record.asker.caller
                    && !self.shared.sessions.may_ask(caller)
                {
                    let text = "the session of this agent has ended, or can't be stored, most likely because the disk is full: ask again in a new session";
                    return Handling::Ready(Err(HubError {
                        kind: ipc::ErrorKind::Store,
                        text: text.to_owned(),
                    }));
                }
                Handling::Engine(EngineRequest::Open {
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
            } => Handling::Engine(EngineRequest::Leave {
                request: RequestId(request),
                back_ms,
                elsewhere,
            }),
            Request::Delivered { id, attempt } => {
                Handling::Engine(EngineRequest::Delivered { id, attempt })
            }
            Request::NotDelivered { id } => Handling::Engine(EngineRequest::NotDelivered(id)),
            Request::SessionEnded { instance } => {
                let asker = Asker {
                    caller: Some(Caller::of_instance(instance)),
                    ..Asker::default()
                };
                match self.resolve_asker(client, asker).caller {
                    Some(caller) if caller.is_session() => {
                        Handling::Engine(EngineRequest::SessionEnded(caller))
                    }
                    Some(_) | None => Handling::Ready(Ok(Response::Done { count: 0 })),
                }
            }
            Request::Fetch {
                asker,
                take,
                or_open,
            } => Handling::Engine(EngineRequest::Fetch {
                asker: Box::new(self.resolve_asker(client, *asker)),
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
                let surface_parts = (surface, built_on);
                let record = record.as_deref();
                match hub.admit_draft(client, (record, draft), surface_parts, sender) {
                    Ok((draft, surface, built_on)) => Handling::Engine(EngineRequest::SaveDraft {
                        id,
                        draft: Box::new(draft),
                        surface,
                        built_on,
                    }),
                    Err(problem) => Handling::Ready(Err(problem)),
                }
            }),
            Request::InClient { id, how } => Handling::Engine(EngineRequest::InClient(id, how)),
            Request::Mute { on } => Handling::Engine(EngineRequest::Mute(on)),
            Request::Shown { id, surface } => match self.check_signature(client, &surface, None) {
                Ok(()) => Handling::Engine(EngineRequest::Shown(id, surface)),
                Err(problem) => Handling::Ready(Err(problem)),
            },
            Request::Settle {
                id,
                verdict,
                surface,
                device,
                attempt,
                hold,
                relayed,
                sender,
            } => {
                let hold_ms = match hold {
                    true => self.settings.undo_ms,
                    false => 0,
                };
                let sender = match relayed {
                    true => Some(Arc::new(Ancestry::marked_below(ENDED_AGENT))),
                    false => sender,
                };
                let signature_parts = (surface, device);
                self.with_record(client, number, &id.clone(), move |hub, record| {
                    hub.settle(
                        client,
                        number,
                        (id, record),
                        (verdict, attempt, hold_ms),
                        signature_parts,
                        sender,
                    )
                })
            }
            Request::TakeBack {
                id,
                attempt,
                surface,
                device,
                sender,
            } => match self.check_take_back(client, &surface, device.as_deref(), sender) {
                Ok(()) => Handling::Engine(EngineRequest::TakeBack {
                    id,
                    attempt,
                    signature: Signature {
                        surface,
                        device,
                        origin: None,
                    },
                }),
                Err(problem) => Handling::Ready(Err(problem)),
            },
            Request::EndHold { id, attempt } => {
                Handling::Engine(EngineRequest::EndHold { id, attempt })
            }
            Request::Wait { id } => self.with_full_id(client, number, id, EngineRequest::Wait),
            Request::Snooze { id, snooze } => self.with_full_id(client, number, id, move |id| {
                EngineRequest::Snooze(id, snooze)
            }),
            Request::Extend { id, until } => self.extend(client, number, id, until),
            Request::Get { id } => match self.find_in_memory(&id) {
                Some(record) => Handling::Ready(Ok(Response::Record(self.client_view(record)))),
                None => {
                    let hub = Rc::clone(self);
                    respond_later(Box::pin(async move {
                        hub.find(&id).await.map(Response::Record)
                    }))
                }
            },
            Request::Own { short, asker } => {
                let hub = Rc::clone(self);
                let asker = self.resolve_asker(client, *asker);
                respond_later(Box::pin(async move {
                    hub.find_own(&short, &asker).await.map(Response::Record)
                }))
            }
            Request::Waiting { first } => Handling::Ready(Ok(self.list(first))),
            Request::Changes { after } => Handling::Ready(Ok(self.changes(client, after))),
            Request::Status => Handling::Ready(Ok(Response::Status(self.status()))),
            Request::Present {
                focused,
                rings,
                input,
            } => Handling::Ready(Ok(self.record_presence(client, focused, rings, input))),
            Request::Failed { why } => {
                self.shared.metrics.count_error(why.word());
                Handling::Ready(Ok(Response::Done { count: 0 }))
            }
            Request::PageKey { public } => Handling::Ready(Ok(self.page_key(client, public))),
            Request::Stop => {
                self.end.notify_one();
                Handling::Ready(Ok(Response::Done { count: 0 }))
            }
            // A task runs after events that are queued already, such as the end of a connection.
            Request::Clock { now_ms } => {
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.set_clock(now_ms) }))
            }
            Request::History { filter } => {
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.history(filter).await }))
            }
            Request::Stats { filter } => {
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.statistics(filter).await }))
            }
            Request::ForgetSome {
                filter,
                count,
                sender,
            } => {
                if !count && let Err(problem) = self.check_removal(client, sender) {
                    return Handling::Ready(Err(problem));
                }
                let hub = Rc::clone(self);
                respond_later(Box::pin(
                    async move { hub.forget_some(filter, count).await },
                ))
            }
            Request::Forget {
                ids,
                undelivered,
                sender,
            } => {
                if let Err(problem) = self.check_removal(client, sender) {
                    return Handling::Ready(Err(problem));
                }
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.forget(&ids, undelivered).await }))
            }
            Request::PutFile { bytes } => {
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.put_file(bytes).await }))
            }
            Request::GetFile { digest } => {
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.get_file(digest).await }))
            }
            Request::Pairing { command, sender } => {
                if let Err(problem) = self.check_pairing_command(client, &command, sender) {
                    return Handling::Ready(Err(problem));
                }
                let hub = Rc::clone(self);
                respond_later(Box::pin(async move { hub.pairing(command).await }))
            }
        }
    }

    fn settle(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        (id, record): (AskId, Option<Arc<Record>>),
        (verdict, attempt, hold_ms): (ipc::Verdict, u64, u64),
        signature_parts: (String, Option<String>),
        sender: Option<Arc<Ancestry>>,
    ) -> Handling {
        let verdict = match self.verdict(verdict) {
            Ok(verdict) => verdict,
            Err(problem) => return Handling::Ready(Err(problem)),
        };
        match self.admit(client, record.as_deref(), &verdict, signature_parts, sender) {
            Admission::Accepted(signature) => Handling::Engine(EngineRequest::Settle {
                id,
                verdict,
                signature,
                attempt,
                hold_ms,
            }),
            Admission::Unconfirmed(signature) => {
                let confirmation = Rc::clone(self).ask_for_confirmation(id, verdict, signature);
                self.respond_later(client, number, Box::pin(confirmation))
            }
            Admission::Refused(problem) => Handling::Ready(Err(problem)),
        }
    }

    /// Handles a request with the ask that it is about, from memory or from the store. Once the
    /// connection has ended, the acting process is unknown, and the request is dropped.
    fn with_record(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: &AskId,
        then: impl FnOnce(&Rc<Self>, Option<Arc<Record>>) -> Handling + 'static,
    ) -> Handling {
        if let Some(record) = self.find_in_memory(id.as_str()) {
            return then(self, Some(record));
        }
        let (hub, id) = (Rc::clone(self), id.clone());
        tokio::task::spawn_local(async move {
            let record = hub.record(&id).await;
            if hub.clients.borrow().get(client).is_none() {
                return;
            }
            match then(&hub, record) {
                Handling::Engine(body) => hub.send_to_engine(client, number, body),
                Handling::Ready(response) => hub.respond(client, number, response),
                Handling::Deferred => {}
            }
        });
        Handling::Deferred
    }

    /// Responds to a request in a task of its own.
    fn respond_later(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        response: std::pin::Pin<Box<dyn Future<Output = Result<Response, HubError>>>>,
    ) -> Handling {
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let response = response.await;
            hub.respond(client, number, response);
        });
        Handling::Deferred
    }

    /// Handles a request about an ask whose id may be shortened.
    fn with_full_id(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: String,
        body: impl FnOnce(AskId) -> EngineRequest + 'static,
    ) -> Handling {
        if let Some(record) = self.find_in_memory(&id) {
            return Handling::Engine(body(record.id.clone()));
        }
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            match hub.find(&id).await {
                Ok(record) => hub.send_to_engine(client, number, body(record.id.clone())),
                Err(problem) => hub.respond(client, number, Err(problem)),
            }
        });
        Handling::Deferred
    }

    fn extend(
        self: &Rc<Self>,
        client: ConnectionId,
        number: u64,
        id: String,
        until: ask_core::Time,
    ) -> Handling {
        let hub = Rc::clone(self);
        self.with_full_id(client, number, id, move |id| {
            let record = hub.find_in_memory(id.as_str());
            let dialect = record.and_then(|record| ask_dialects::find(&record.dialect));
            EngineRequest::Extend {
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
    ) -> Handling {
        let mut clients = self.clients.borrow_mut();
        let Some(client) = clients.get_mut(client) else {
            return Handling::Deferred;
        };
        client.only_looks = Some(only_looks);
        if let Some(sender) = sender {
            // It fails if the ancestry was looked up before.
            let _ = client.ancestry.set(Some(sender));
        }
        self.wake_notifier.notify_one();
        Handling::Engine(EngineRequest::Subscribe {
            after: after.map(Cursor::from_u64),
            // An in-process client receives a change as soon as it is pushed.
            paced: !client.is_in_process,
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
