//! A client's end of the hub connection. Requests go out over one connection. When it breaks,
//! requests without a response are sent again over the next one. The client starts the hub where
//! none runs, and replaces a hub of an older version.

mod actor;
mod drafts;
mod error;
mod history;
mod pending_call;
mod subscription;
mod transport;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_core::{Ancestry, AskId, Asker, Digest, Record};
use ask_protocol::ipc::{Day, ErrorKind, Request, Response, Status, TakeUp, Verdict};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use self::actor::{Command, Retry, Task};
pub use self::drafts::DraftResult;
use self::error::{Checked, hub_unreachable, unexpected_response};
pub use self::error::{LimitReached, StoreFailed};
pub use self::pending_call::{DeliveredOutcome, Delivery, Waiter};
pub use self::subscription::{Push, Subscription, split_changes};
pub use self::transport::Link;
use crate::in_process::ClientEnd;

/// How long [`Client::connect_with_retry`] retries. Temporary causes, such as a busy machine or a
/// hub that is being replaced, end within this time.
const RETRY_LIMIT: Duration = Duration::from_secs(4);
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// A connection to the hub that reconnects by itself.
#[derive(Clone)]
pub struct Client {
    commands: mpsc::UnboundedSender<Command>,
    connected: watch::Receiver<bool>,
    /// In the hub's own process: the process on whose behalf this client sends requests.
    sender: Option<Arc<Ancestry>>,
}

/// A list of records, and the change number at which it was read.
#[derive(Debug)]
pub struct AskListing {
    /// The records, oldest first.
    pub records: Vec<Record>,
    /// The number of the last change in this list, for [`Client::changes`] and
    /// [`Client::subscribe_after`].
    pub cursor: u64,
    /// Counts that belong to the list, such as the asks answered since midnight.
    pub day: Day,
}

/// The result of an attempt to close an ask.
pub enum Settled {
    /// This attempt closed the ask.
    Won(Record),
    /// Another attempt closed it first. The record has that attempt's outcome.
    Lost(Record),
}

impl Client {
    /// Connects to the hub, and starts one where none runs.
    pub async fn connect(home: &Home) -> anyhow::Result<Self> {
        let link = Link::open(home).await?;
        Ok(Self::with_link(home, link))
    }

    /// Connects, and retries with doubling pauses for four seconds.
    ///
    /// # Errors
    /// The last attempt's error, once the time limit has passed.
    pub async fn connect_with_retry(home: &Home) -> anyhow::Result<Self> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match Self::connect(home).await {
                Err(error) if started.elapsed() + pause > RETRY_LIMIT => return Err(error),
                Err(_) => tokio::time::sleep_until(Instant::now() + pause).await,
                connected => return connected,
            }
            pause *= 2;
        }
    }

    /// Connects only to a running hub. A hub of an older version is not replaced.
    pub async fn find(home: &Home) -> anyhow::Result<Option<Self>> {
        let opened = Link::try_open(home).await?;
        Ok(opened.map(|(link, _)| Self::with_link(home, link)))
    }

    /// A client in the hub's own process, over one end of an in-process connection. When the
    /// connection breaks, the process is ending: waiting calls get no further response.
    pub fn in_process(ours: ClientEnd) -> Self {
        Self::with_parts(None, Some(Link::InProcess(ours)))
    }

    /// A client that starts on this connection and reconnects to the person's hub when it breaks.
    pub fn with_link(home: &Home, link: Link) -> Self {
        Self::with_parts(Some(home.clone()), Some(link))
    }

    /// Switches to another connection. Requests without a response are sent again there.
    pub fn switch_to(&self, link: Link) {
        // The client's task has ended only if the process is shutting down.
        let _ = self.commands.send(Command::SwitchTo(Box::new(link)));
    }

    fn with_parts(home: Option<Home>, link: Option<Link>) -> Self {
        let (commands, incoming) = mpsc::unbounded_channel();
        let (connected_sender, connected) = watch::channel(link.is_some());
        let task = Task {
            home,
            pending: BTreeMap::new(),
            subscriber: None,
            incoming,
            connected: connected_sender,
            next_link: None,
            retry_at: None,
            has_hung: false,
        };
        tokio::spawn(task.run(link));
        Self {
            commands,
            connected,
            sender: None,
        }
    }

    /// Sends requests on behalf of the process at the other end of an HTTP connection.
    #[must_use]
    pub fn for_sender(mut self, sender: Option<Arc<Ancestry>>) -> Self {
        self.sender = sender;
        self
    }

    /// The records that a person can act on: open asks, and answers that their agent has not
    /// received.
    pub async fn waiting(&self) -> anyhow::Result<AskListing> {
        self.listing(None).await
    }

    /// Like [`Self::waiting`], but at most `first` open asks, the most urgent first: enough for a
    /// first paint.
    pub async fn most_urgent(&self, first: u64) -> anyhow::Result<AskListing> {
        self.listing(Some(first)).await
    }

    async fn listing(&self, first: Option<u64>) -> anyhow::Result<AskListing> {
        self.records(Request::Waiting { first }).await
    }

    /// The asks that calls of this client wait for and that have changed after a cursor.
    pub async fn changes(&self, after: u64) -> anyhow::Result<AskListing> {
        self.records(Request::Changes { after }).await
    }

    /// The records of any list request, with the cursor of the next page.
    pub async fn list(&self, request: Request) -> anyhow::Result<(Vec<Record>, u64)> {
        let listed = self.records(request).await?;
        Ok((listed.records, listed.cursor))
    }

    /// The newest outcomes that have not been delivered to an asker, and the number of further
    /// ones.
    pub async fn undelivered(&self, asker: &Asker) -> anyhow::Result<(Vec<Record>, u64)> {
        let request = Request::Fetch {
            asker: Box::new(asker.clone()),
            take: false,
            or_open: false,
        };
        match self.call(request).await? {
            Response::Records { records, more, .. } => Ok((
                records.into_iter().map(Arc::unwrap_or_clone).collect(),
                more,
            )),
            other => Err(unexpected_response(&other)),
        }
    }

    /// One record, by its id, a unique beginning of it, or `latest`.
    pub async fn get(&self, id: &str) -> anyhow::Result<Record> {
        self.request_record(Request::Get { id: id.to_owned() })
            .await
    }

    /// Like [`Self::get`], but returns `None` if there is no such ask.
    pub async fn try_get(&self, id: &str) -> anyhow::Result<Option<Record>> {
        let id = id.to_owned();
        self.try_get_record(Request::Get { id }, &[ErrorKind::NotFound])
            .await
    }

    /// The ask with exactly this id. A beginning of an id is not accepted.
    pub async fn get_exact(&self, id: &str) -> anyhow::Result<Option<Record>> {
        let get = Request::Get { id: id.to_owned() };
        let found = self.try_get_record(get, &[ErrorKind::NotFound, ErrorKind::Ambiguous]);
        Ok(found.await?.filter(|record| record.id.as_str() == id))
    }

    /// An ask that this asker opened, by the short id that its dialect shows.
    pub async fn try_get_own(&self, short: &str, asker: &Asker) -> anyhow::Result<Option<Record>> {
        let (short, asker) = (short.to_owned(), Box::new(asker.clone()));
        let request = Request::Own { short, asker };
        self.try_get_record(request, &[ErrorKind::NotFound]).await
    }

    /// Reports that the HTTP session of this instance has ended. The hub handles this before any
    /// later request.
    pub fn report_ended_session(&self, instance: String) {
        let (reply, _) = oneshot::channel();
        self.submit(Request::SessionEnded { instance }, Retry::Soon, None, reply);
    }

    async fn try_get_record(
        &self,
        request: Request,
        none: &[ErrorKind],
    ) -> anyhow::Result<Option<Record>> {
        let (reply, response) = oneshot::channel();
        self.submit(request, Retry::Soon, None, reply);
        match response.await.map_err(|_| hub_unreachable())? {
            Response::Fault { kind, .. } if none.contains(&kind) => Ok(None),
            other => match other.checked()? {
                Response::Record(record) => Ok(Some(Arc::unwrap_or_clone(record))),
                other => Err(unexpected_response(&other)),
            },
        }
    }

    /// Uploads the bytes of a file. The hub deletes them after a while unless a draft or an answer
    /// refers to them.
    pub async fn put_file(&self, bytes: Vec<u8>) -> anyhow::Result<Digest> {
        match self.call(Request::PutFile { bytes }).await? {
            Response::Filed { digest } => Ok(digest),
            other => Err(unexpected_response(&other)),
        }
    }

    /// The bytes of an uploaded file.
    pub async fn get_file(&self, digest: Digest) -> anyhow::Result<Vec<u8>> {
        match self.call(Request::GetFile { digest }).await? {
            Response::File { bytes } => Ok(bytes),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Reports whether the person is present, as far as this surface can tell.
    pub async fn present(
        &self,
        focused: Option<bool>,
        rings: bool,
        input: bool,
    ) -> anyhow::Result<()> {
        let request = Request::Present {
            focused,
            rings,
            input,
        };
        self.call(request).await?;
        Ok(())
    }

    async fn request_record(&self, request: Request) -> anyhow::Result<Record> {
        match self.call(request).await? {
            Response::Record(record) => Ok(Arc::unwrap_or_clone(record)),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Reports that a surface has shown the ask to a person.
    pub fn shown(
        &self,
        id: &AskId,
        surface: &str,
    ) -> impl Future<Output = anyhow::Result<()>> + use<> {
        let (id, surface) = (id.clone(), surface.to_owned());
        let reported = self.call(Request::Shown { id, surface });
        async move { reported.await.map(drop) }
    }

    /// Closes an ask, unless another attempt was first.
    pub fn settle(
        &self,
        id: &AskId,
        verdict: Verdict,
        surface: &str,
    ) -> impl Future<Output = anyhow::Result<Settled>> + use<> {
        self.settle_by(id, verdict, surface, clock::attempt(), false)
    }

    /// Like [`Self::settle`], with the number of an attempt that was made elsewhere. A repeated
    /// attempt closes the ask only once. `relayed` is set for an outcome that was found in the files
    /// of an agent that has ended: the hub treats it as an answer from below that agent.
    pub fn settle_by(
        &self,
        id: &AskId,
        verdict: Verdict,
        surface: &str,
        attempt: u64,
        relayed: bool,
    ) -> impl Future<Output = anyhow::Result<Settled>> + use<> {
        self.send_settlement(self.settlement(id, verdict, surface, (attempt, false, relayed)))
    }

    /// Like [`Self::settle`], for an answer that one key gives: it can be taken back before the agent
    /// has it.
    pub fn settle_held(
        &self,
        id: &AskId,
        verdict: Verdict,
        surface: &str,
    ) -> impl Future<Output = anyhow::Result<Settled>> + use<> {
        self.send_settlement(self.settlement(id, verdict, surface, (clock::attempt(), true, false)))
    }

    fn settlement(
        &self,
        id: &AskId,
        verdict: Verdict,
        surface: &str,
        (attempt, hold, relayed): (u64, bool, bool),
    ) -> Request {
        Request::Settle {
            id: id.clone(),
            verdict,
            surface: surface.to_owned(),
            device: None,
            attempt,
            hold,
            relayed,
            sender: self.sender.clone(),
        }
    }

    /// Takes back an outcome that no agent has. The ask is open again, with the answer as its draft.
    pub async fn take_back(
        &self,
        id: &AskId,
        attempt: u64,
        surface: &str,
    ) -> anyhow::Result<Record> {
        self.request_record(Request::TakeBack {
            id: id.clone(),
            attempt,
            surface: surface.to_owned(),
            device: None,
            sender: self.sender.clone(),
        })
        .await
    }

    /// Gives the agent an outcome at once that is still held.
    pub async fn end_hold(&self, id: &AskId, attempt: u64) -> anyhow::Result<Record> {
        let id = id.clone();
        self.request_record(Request::EndHold { id, attempt }).await
    }

    fn send_settlement(
        &self,
        settle: Request,
    ) -> impl Future<Output = anyhow::Result<Settled>> + use<> {
        let settled = self.call(settle);
        async move {
            match settled.await? {
                Response::Settled { won, record } => {
                    let record = Arc::unwrap_or_clone(record);
                    Ok(if won {
                        Settled::Won(record)
                    } else {
                        Settled::Lost(record)
                    })
                }
                other => Err(unexpected_response(&other)),
            }
        }
    }

    /// Removes closed asks for good and returns how many. Asks whose outcome no agent has received
    /// are removed only if `undelivered` is set.
    pub async fn forget(&self, ids: Vec<String>, undelivered: bool) -> anyhow::Result<u64> {
        match self
            .call(Request::Forget {
                ids,
                undelivered,
                sender: self.sender.clone(),
            })
            .await?
        {
            Response::Done { count } => Ok(count),
            other => Err(unexpected_response(&other)),
        }
    }

    /// The hub's version, process, counts and port.
    pub async fn status(&self) -> anyhow::Result<Status> {
        match self.call(Request::Status).await? {
            Response::Status(status) => Ok(status),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Asks the hub to end.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.call(Request::Stop).await?;
        Ok(())
    }

    /// Opens an ask without waiting for its outcome.
    pub async fn open(&self, record: Record) -> anyhow::Result<()> {
        let record = Box::new(record);
        let (wait, take_up) = (false, TakeUp::Never);
        self.call(Request::Open {
            record,
            wait,
            take_up,
        })
        .await?;
        Ok(())
    }

    /// Opens an ask and waits for its outcome. The returned future resolves once the ask is stored.
    /// With `take_up`, an equal ask that this agent left is continued instead, whatever its status.
    pub fn ask<T: Into<TakeUp>>(
        &self,
        record: Record,
        take_up: T,
    ) -> impl Future<Output = anyhow::Result<Waiter>> + use<T> {
        let record = Box::new(record);
        let take_up = take_up.into();
        self.wait_for(Request::Open {
            record,
            wait: true,
            take_up,
        })
    }

    /// Waits for the outcome of an existing ask.
    pub fn wait(&self, id: &str) -> impl Future<Output = anyhow::Result<Waiter>> + use<> {
        self.wait_for(Request::Wait { id: id.to_owned() })
    }

    /// Whether the hub is connected, as a value that can be watched.
    pub fn watch_connected(&self) -> watch::Receiver<bool> {
        self.connected.clone()
    }

    /// Sends a request at once and resolves to its response.
    ///
    /// # Errors
    /// A fault of the hub is an error with an exit code.
    pub fn call(&self, request: Request) -> impl Future<Output = anyhow::Result<Response>> + use<> {
        let response = self.send(request);
        async move { response.await?.checked() }
    }

    /// Like [`Self::call`], but a fault is returned as a response.
    pub fn send(&self, request: Request) -> impl Future<Output = anyhow::Result<Response>> + use<> {
        let (reply, response) = oneshot::channel();
        self.submit(request, Retry::Soon, None, reply);
        async move { response.await.map_err(|_| hub_unreachable()) }
    }

    /// Sends the request at once. The returned future holds only the channel for the response.
    fn wait_for(&self, request: Request) -> impl Future<Output = anyhow::Result<Waiter>> + use<> {
        let (reply, outcome) = oneshot::channel();
        let (opened, stored) = oneshot::channel();
        let number = self.submit(request, Retry::UntilAnswered, Some(opened), reply);
        let commands = self.commands.clone();
        // Created before the first await, so that a future that is dropped at any point ends the
        // wait at the hub.
        let mut waiting = Waiter {
            number,
            id: None,
            outcome: Some(outcome),
            commands,
        };
        async move {
            let outcome = waiting.outcome.as_mut().ok_or_else(hub_unreachable)?;
            // The outcome may be the first and only response.
            tokio::select! {
                biased;
                first = outcome => {
                    waiting.outcome = None;
                    let (again, ready) = oneshot::channel();
                    // `ready` is held below, so this send can't fail.
                    let _ = again.send(first.map_err(|_| hub_unreachable())?.checked()?);
                    waiting.outcome = Some(ready);
                }
                stored = stored => {
                    if let Ok(Response::Opened { id }) = stored {
                        waiting.id = Some(id);
                    }
                }
            }
            Ok(waiting)
        }
    }

    async fn records(&self, request: Request) -> anyhow::Result<AskListing> {
        match self.call(request).await? {
            Response::Records {
                records,
                cursor,
                day,
                ..
            } => Ok(AskListing {
                records: records.into_iter().map(Arc::unwrap_or_clone).collect(),
                cursor,
                day: day.unwrap_or_default(),
            }),
            other => Err(unexpected_response(&other)),
        }
    }

    fn submit(
        &self,
        request: Request,
        retry: Retry,
        opened: Option<oneshot::Sender<Response>>,
        reply: oneshot::Sender<Response>,
    ) -> u64 {
        let number = next_number();
        let request = Box::new(request);
        // The task outlives every holder of the client.
        let _ = self.commands.send(Command::Send {
            number,
            request,
            retry,
            opened,
            reply,
        });
        number
    }
}

/// A request number that is unique within this process.
fn next_number() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}
