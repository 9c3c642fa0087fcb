//! A host that asks: each of its requests is a waiter on an ask, as each call of an agent is. When
//! a request ends early, its ask stays open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_config::asker;
use ask_core::{Asker, Json, Record, Time, lifecycle};
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, LimitReached, Settled};
use ask_protocol::Reply;
use ask_protocol::ipc::{Request, Verdict};
use ask_protocol::jsonl::{self, HostMessage, Kind, ProtocolError, RequestId};
use ask_web::embed::stream::Out;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, mpsc, oneshot};
use tokio::task::JoinSet;

use super::HubConnection;
use crate::call;

/// Serves the host's requests until the channel closes. Then it waits for asks that are being
/// opened and outcomes that are being written.
pub(super) async fn run(
    hub: Arc<HubConnection>,
    out: Out,
    dialect: &'static dyn Dialect,
    asker: Asker,
    mut messages: mpsc::UnboundedReceiver<HostMessage>,
) -> anyhow::Result<()> {
    let mut host = Host {
        hub,
        out,
        dialect,
        asker,
        waits: Arc::default(),
        calls: JoinSet::new(),
        busy: Arc::default(),
    };
    loop {
        tokio::select! {
            next = messages.recv() => match next {
                Some(message) => host.handle(message).await,
                None => break,
            },
            Some(_) = host.calls.join_next() => {}
        }
    }
    // Waits until no call is busy, and keeps others from starting.
    let _idle = host.busy.write().await;
    host.calls.abort_all();
    Ok(())
}

struct Host {
    hub: Arc<HubConnection>,
    out: Out,
    dialect: &'static dyn Dialect,
    asker: Asker,
    /// The waiting requests, by name.
    waits: Waits,
    calls: JoinSet<()>,
    /// Calls hold a read lock while they open an ask or write an outcome, so that they aren't
    /// aborted.
    busy: Arc<RwLock<()>>,
}

type BusyGuard = OwnedRwLockReadGuard<()>;
type Waits = Arc<Mutex<HashMap<String, oneshot::Sender<(End, BusyGuard)>>>>;

/// How a host ends a request.
enum End {
    /// Stop waiting; the ask stays open.
    Leave,
    /// Withdraw the ask.
    Withdraw,
}

impl Host {
    async fn handle(&mut self, message: HostMessage) {
        match message {
            HostMessage::Hello(host) => self.asker = introduced_asker(*host, &self.asker),
            HostMessage::Ask { request, call } => self.ask(request, &call).await,
            HostMessage::Withdraw { request } => self.end(&request, End::Withdraw).await,
            HostMessage::Leave { request } => self.end(&request, End::Leave).await,
            HostMessage::Fetch { request } => self.fetch(request).await,
            // These lines are for the surface.
            HostMessage::Respond { .. } | HostMessage::Draft { .. } | HostMessage::Shown { .. } => {
            }
        }
    }

    async fn ask(&mut self, request: RequestId, call: &Json) {
        let key = request.key();
        if lock(&self.waits).contains_key(&key) {
            let problem = format!("a request named {key} waits already");
            let error = ProtocolError::for_request(&request, Kind::Taken, problem)
                .mend("give each request a name of its own; the first one goes on waiting");
            return self.send_error(&error).await;
        }
        let (record, detached) = match call::to_record(self.dialect, call, self.asker.clone()) {
            Ok(parsed) => parsed,
            Err(refused) => {
                let error = ProtocolError::for_request(&request, Kind::Refused, refused)
                    .mend("nobody has seen it; mend the call and ask again");
                return self.send_error(&error).await;
            }
        };
        let (end_sender, end) = oneshot::channel();
        lock(&self.waits).insert(key, end_sender);
        let call = Call {
            hub: Arc::clone(&self.hub),
            out: self.out.clone(),
            dialect: self.dialect,
            request,
            waits: Arc::clone(&self.waits),
            busy: Arc::clone(&self.busy),
        };
        let opening = Arc::clone(&self.busy).read_owned().await;
        self.calls.spawn(async move {
            if let Err(error) = call.run(record, detached, opening, end).await {
                call.finish(jsonl::mistake(&call.error_line(&error))).await;
            }
        });
    }

    async fn fetch(&mut self, request: RequestId) {
        let (hub, out) = (Arc::clone(&self.hub), self.out.clone());
        let (dialect, asker) = (self.dialect, self.asker.clone());
        let busy = Arc::clone(&self.busy).read_owned().await;
        self.calls.spawn(async move {
            if let Err(error) = fetch(&hub, &out, dialect, asker, &request).await {
                let problem = format!("nothing could be fetched: {error:#}");
                let error =
                    ProtocolError::for_request(&request, Kind::Hub, problem).mend("fetch again");
                out.write(jsonl::mistake(&error)).await;
            }
            drop(busy);
        });
    }

    async fn end(&mut self, request: &RequestId, end: End) {
        let key = request.key();
        let busy = Arc::clone(&self.busy).read_owned().await;
        let waits = lock(&self.waits).remove(&key);
        let sent = waits.is_some_and(|waits| waits.send((end, busy)).is_ok());
        if !sent {
            let problem = format!("no request named {key} waits");
            self.send_error(&ProtocolError::for_request(request, Kind::Unknown, problem))
                .await;
        }
    }

    async fn send_error(&self, mistake: &ProtocolError) {
        self.out.write(jsonl::mistake(mistake)).await;
    }
}

/// One request, from its ask to its reply.
struct Call {
    hub: Arc<HubConnection>,
    out: Out,
    dialect: &'static dyn Dialect,
    request: RequestId,
    waits: Waits,
    busy: Arc<RwLock<()>>,
}

impl Call {
    async fn run(
        &self,
        record: Record,
        detached: bool,
        opening: BusyGuard,
        end: oneshot::Receiver<(End, BusyGuard)>,
    ) -> anyhow::Result<()> {
        let hub = self.hub.client().await?;
        if detached {
            hub.open(record.clone()).await?;
            self.reply(&self.dialect.write(Word::Open(&record))).await;
            return Ok(());
        }
        let asked_at = record.asked_at;
        let mut waiting = hub.ask(record, true).await?;
        let id = waiting.id().cloned();
        if let Some(id) = &id {
            self.out.write(jsonl::opened(&self.request, id)).await;
        }
        drop(opening);
        let next = tokio::select! {
            biased;
            ended = waiting.outcome() => Err(ended?.record),
            Ok(how) = end => Ok(how),
        };
        let (record, telling) = match (next, id) {
            (Err(record), _) => (record, Arc::clone(&self.busy).read_owned().await),
            (Ok((End::Withdraw, busy)), Some(id)) => {
                let verdict = Verdict::Withdraw;
                let (Settled::Won(record) | Settled::Lost(record)) =
                    hub.settle(&id, verdict, lifecycle::AGENT).await?;
                (record, busy)
            }
            (Ok((End::Leave, _)), Some(id)) => {
                self.finish(jsonl::left(&self.request, &id)).await;
                return Ok(());
            }
            // Without an id the outcome came at once.
            (Ok(_), None) => return Ok(()),
        };
        self.deliver(hub, &record, asked_at).await;
        drop(telling);
        Ok(())
    }

    /// The error line for a failed request.
    fn error_line(&self, error: &anyhow::Error) -> ProtocolError {
        if error.is::<LimitReached>() {
            return ProtocolError::for_request(&self.request, Kind::Refused, error.to_string())
                .mend("nobody has seen it; ask again once there is room");
        }
        let problem = format!("the request failed: {error:#}");
        ProtocolError::for_request(&self.request, Kind::Hub, problem)
            .mend("ask the same again: what was asked or answered already is taken up")
    }

    /// Writes the outcome. It is acknowledged as delivered once its line is written.
    async fn deliver(&self, hub: &Client, record: &Record, asked_at: Time) {
        let late = record
            .settlement()
            .is_some_and(|settlement| settlement.at < asked_at);
        let word = match late {
            true => Word::Fetched(std::slice::from_ref(record)),
            false => Word::Closed(record),
        };
        if self.reply(&self.dialect.write(word)).await {
            // Without a hub, the outcome stays undelivered and is delivered again.
            let _ = hub.delivered(record).await;
        }
    }

    async fn reply(&self, reply: &Reply) -> bool {
        self.finish(jsonl::reply(&self.request, reply)).await
    }

    /// Writes the last line about this request, after which its name may be reused.
    async fn finish(&self, line: String) -> bool {
        lock(&self.waits).remove(&self.request.key());
        self.out.write(line).await
    }
}

/// Writes the undelivered outcomes of a host's asks.
async fn fetch(
    hub: &HubConnection,
    out: &Out,
    dialect: &'static dyn Dialect,
    asker: Asker,
    request: &RequestId,
) -> anyhow::Result<()> {
    let hub = hub.client().await?;
    let wanted = Request::Fetch {
        asker: Box::new(asker),
        take: true,
        or_open: false,
    };
    let (records, _) = hub.list(wanted).await?;
    let is_own = |record: &&Record| record.dialect == dialect.name();
    let asks: Vec<(&Record, Reply)> = records
        .iter()
        .filter(is_own)
        .map(|record| {
            let word = Word::Fetched(std::slice::from_ref(record));
            (record, dialect.write(word))
        })
        .collect();
    let written = out.write(jsonl::fetched(request, &asks)).await;
    for record in &records {
        let is_delivered = written && is_own(&record);
        // Without a hub, it stays undelivered and is delivered again.
        let _ = match is_delivered {
            true => hub.delivered(record).await,
            false => hub.not_delivered(&record.id).await,
        };
    }
    Ok(())
}

type LockedWaits<'a> = MutexGuard<'a, HashMap<String, oneshot::Sender<(End, BusyGuard)>>>;

fn lock(waits: &Waits) -> LockedWaits<'_> {
    waits.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The asker that a host introduces. Another directory has its own project and branch.
fn introduced_asker(host: Asker, before: &Asker) -> Asker {
    let place = match &host.directory {
        Some(directory) => asker::in_folder(Some(directory.into())),
        None => before.clone(),
    };
    Asker {
        client: host.client.or(before.client.clone()),
        version: host.version.or(before.version.clone()),
        agent: host.agent.or(before.agent.clone()),
        session: host.session.or(before.session.clone()),
        instance: host.instance.or(before.instance.clone()),
        project: host.project.or(place.project),
        directory: place.directory,
        branch: place.branch,
        caller: before.caller.clone(),
    }
}
