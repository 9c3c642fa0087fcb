//! A client's end of the hub: requests go out over one connection, and whatever
//! was not answered when the connection broke is asked again over the next one.
//! The hub is started where there is none, and replaced where it is older.

use std::collections::BTreeMap;
use std::time::Duration;

use ask_core::dialect::wire::{self, Fault, Request, Response, Status, Verdict};
use ask_core::{AskId, Draft, Record};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot, watch};

use super::{is_newer, start};
use crate::clock;
use crate::exit::{Exit, Failure};
use crate::home::Home;

/// A connection to the hub that mends itself.
#[derive(Clone)]
pub struct Client {
    commands: mpsc::UnboundedSender<Command>,
    bell: watch::Receiver<u64>,
    link: watch::Receiver<bool>,
}

/// Records and where the feed stood when they were listed.
pub struct Listing {
    /// Oldest first.
    pub records: Vec<Record>,
    /// For [`Client::changes`].
    pub cursor: u64,
}

/// What has changed since a cursor.
pub struct Changes {
    /// Records as they stand now.
    pub records: Vec<Record>,
    /// Asks that are no more.
    pub gone: Vec<AskId>,
    /// Where to go on.
    pub cursor: u64,
    /// The cursor was too old: list anew.
    pub reset: bool,
}

/// What became of an attempt to close an ask.
pub enum Settled {
    /// It did.
    Won(Record),
    /// Somebody else was first; the record says who.
    Lost(Record),
}

/// An outcome that is being waited for. Dropping it stops the waiting, not the ask.
pub struct Waiting {
    number: u64,
    outcome: Option<oneshot::Receiver<Response>>,
    commands: mpsc::UnboundedSender<Command>,
}

enum Command {
    Send {
        number: u64,
        line: Vec<u8>,
        keep: bool,
        opened: Option<oneshot::Sender<Response>>,
        reply: oneshot::Sender<Response>,
    },
    Leave {
        number: u64,
    },
    Watch,
}

struct Pending {
    line: Vec<u8>,
    /// Asked again for as long as it takes; the others give up when the hub can't be had.
    keep: bool,
    opened: Option<oneshot::Sender<Response>>,
    reply: oneshot::Sender<Response>,
}

/// How long a request that nobody waits for a person with keeps trying for a hub.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_PAUSE_MS: u64 = 10;
const LONGEST_PAUSE_MS: u64 = 2_000;

impl Client {
    /// Connects, starting the hub where there is none.
    pub async fn connect(home: &Home) -> anyhow::Result<Self> {
        let link = Link::open(home).await?;
        Ok(Self::over(home, Some(link)))
    }

    /// Connects only to a hub that runs already.
    pub async fn find(home: &Home) -> Option<Self> {
        let link = Link::try_open(home).await.ok()??;
        Some(Self::over(home, Some(link)))
    }

    fn over(home: &Home, link: Option<Link>) -> Self {
        let (commands, incoming) = mpsc::unbounded_channel();
        let (ring, bell) = watch::channel(0);
        let (up, link_state) = watch::channel(link.is_some());
        let task = Task {
            home: home.clone(),
            pending: BTreeMap::new(),
            watching: false,
            incoming,
            ring,
            up,
        };
        tokio::spawn(task.run(link));
        Self {
            commands,
            bell,
            link: link_state,
        }
    }

    /// What a person can act on: waiting asks, and answers that wait for their agent.
    pub async fn waiting(&self) -> anyhow::Result<Listing> {
        let (records, _, cursor, _) = self.records(Request::Waiting).await?;
        Ok(Listing { records, cursor })
    }

    /// What has changed since a listing.
    pub async fn changes(&self, after: u64) -> anyhow::Result<Changes> {
        let (records, gone, cursor, reset) = self.records(Request::Changes { after }).await?;
        let gone = gone.iter().filter_map(|id| AskId::parse(id)).collect();
        Ok(Changes {
            records,
            gone,
            cursor,
            reset,
        })
    }

    /// Records of any kind of listing, with the cursor of the next page.
    pub async fn list(&self, request: Request) -> anyhow::Result<(Vec<Record>, u64)> {
        let (records, _, cursor, _) = self.records(request).await?;
        Ok((records, cursor))
    }

    /// One record, by its id, the beginning of it, or `latest`.
    pub async fn get(&self, id: &str) -> anyhow::Result<Record> {
        match self.call(Request::Get { id: id.to_owned() }).await? {
            Response::Record(record) => Ok(*record),
            other => Err(unexpected(&other)),
        }
    }

    /// Keeps a half-filled form.
    pub async fn save_draft(&self, id: &AskId, draft: &Draft, surface: &str) -> anyhow::Result<()> {
        let (id, draft, surface) = (id.clone(), draft.clone(), surface.to_owned());
        self.call(Request::Keep { id, draft, surface }).await?;
        Ok(())
    }

    /// Notes that a person can see an ask.
    pub async fn shown(&self, id: &AskId, surface: &str) -> anyhow::Result<()> {
        let (id, surface) = (id.clone(), surface.to_owned());
        self.call(Request::Shown { id, surface }).await?;
        Ok(())
    }

    /// Closes an ask, unless somebody else was first.
    pub async fn settle(&self, id: &AskId, verdict: Verdict, surface: &str) -> anyhow::Result<Settled> {
        let request = Request::Settle {
            id: id.clone(),
            verdict,
            surface: surface.to_owned(),
            attempt: clock::attempt(),
        };
        match self.call(request).await? {
            Response::Settled { won: true, record } => Ok(Settled::Won(*record)),
            Response::Settled { won: false, record } => Ok(Settled::Lost(*record)),
            other => Err(unexpected(&other)),
        }
    }

    /// Says that an outcome was written to a waiter that still stood.
    pub async fn delivered(&self, id: &AskId) -> anyhow::Result<()> {
        self.call(Request::Delivered { id: id.clone() }).await?;
        Ok(())
    }

    /// Removes closed asks for good; says how many.
    pub async fn forget(&self, ids: Vec<String>) -> anyhow::Result<u64> {
        match self.call(Request::Forget { ids }).await? {
            Response::Done { count } => Ok(count),
            other => Err(unexpected(&other)),
        }
    }

    /// How the hub is.
    pub async fn status(&self) -> anyhow::Result<Status> {
        match self.call(Request::Status).await? {
            Response::Status(status) => Ok(status),
            other => Err(unexpected(&other)),
        }
    }

    /// Ends the hub.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.call(Request::Stop).await?;
        Ok(())
    }

    /// Opens an ask that nobody waits for.
    pub async fn open(&self, record: Record) -> anyhow::Result<()> {
        let record = Box::new(record);
        self.call(Request::Open { record, wait: false }).await?;
        Ok(())
    }

    /// Opens an ask and waits for its outcome. Resolves once the ask is kept.
    pub async fn ask(&self, record: Record) -> anyhow::Result<Waiting> {
        let record = Box::new(record);
        self.wait_for(Request::Open { record, wait: true }).await
    }

    /// Waits for the outcome of an ask that is open already.
    pub async fn wait(&self, id: &str) -> anyhow::Result<Waiting> {
        self.wait_for(Request::Wait { id: id.to_owned() }).await
    }

    /// Changes whenever something happened, and when the connection was mended.
    pub fn bell(&self) -> watch::Receiver<u64> {
        let _ = self.commands.send(Command::Watch);
        self.bell.clone()
    }

    /// Whether the hub is connected.
    pub fn link(&self) -> watch::Receiver<bool> {
        self.link.clone()
    }

    /// Sends a request and gives its one response.
    pub async fn call(&self, request: Request) -> anyhow::Result<Response> {
        let (reply, response) = oneshot::channel();
        self.send(&request, false, None, reply);
        response.await.map_err(|_| gone())?.checked()
    }

    async fn wait_for(&self, request: Request) -> anyhow::Result<Waiting> {
        let (reply, mut outcome) = oneshot::channel();
        let (opened, kept) = oneshot::channel();
        let number = self.send(&request, true, Some(opened), reply);
        let mut waiting = Waiting {
            number,
            outcome: None,
            commands: self.commands.clone(),
        };
        // The outcome may come at once, and then it is all that comes.
        tokio::select! {
            biased;
            first = &mut outcome => {
                let (again, ready) = oneshot::channel();
                let _ = again.send(first.map_err(|_| gone())?.checked()?);
                waiting.outcome = Some(ready);
            }
            kept = kept => {
                if let Ok(fault) = kept {
                    fault.checked()?;
                }
                waiting.outcome = Some(outcome);
            }
        }
        Ok(waiting)
    }

    async fn records(&self, request: Request) -> anyhow::Result<(Vec<Record>, Vec<String>, u64, bool)> {
        match self.call(request).await? {
            Response::Records {
                records,
                gone,
                cursor,
                reset,
            } => Ok((records, gone, cursor, reset)),
            other => Err(unexpected(&other)),
        }
    }

    fn send(
        &self,
        request: &Request,
        keep: bool,
        opened: Option<oneshot::Sender<Response>>,
        reply: oneshot::Sender<Response>,
    ) -> u64 {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let line = wire::write_request(number, request);
        let _ = self.commands.send(Command::Send {
            number,
            line,
            keep,
            opened,
            reply,
        });
        number
    }
}

impl Waiting {
    /// The outcome, whenever it comes. May be called again after being dropped half-way.
    pub async fn outcome(&mut self) -> anyhow::Result<Record> {
        let Some(outcome) = self.outcome.as_mut() else {
            return Err(gone());
        };
        let response = outcome.await;
        self.outcome = None;
        match response.map_err(|_| gone())?.checked()? {
            Response::Record(record) => Ok(*record),
            other => Err(unexpected(&other)),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.outcome.is_some() {
            let number = self.number;
            let _ = self.commands.send(Command::Leave { number });
        }
    }
}

trait Checked: Sized {
    fn checked(self) -> anyhow::Result<Self>;
}

impl Checked for Response {
    /// Faults become failures with an exit code.
    fn checked(self) -> anyhow::Result<Self> {
        match self {
            Self::Fault { kind, text } => {
                let exit = match kind {
                    Fault::NotFound | Fault::Ambiguous | Fault::Malformed | Fault::Store => Exit::Failure,
                    Fault::Unfinished => Exit::Usage,
                };
                Err(Failure::plain(exit, text).into())
            }
            other => Ok(other),
        }
    }
}

fn gone() -> anyhow::Error {
    Failure::new(
        Exit::NoHub,
        "the hub can't be reached",
        "see hub.log in the state folder, or try `ask-user hub --foreground`",
    )
    .into()
}

fn unexpected(response: &Response) -> anyhow::Error {
    Failure::plain(Exit::Failure, format!("the hub said something unexpected: {response:?}")).into()
}

/// What a client does while it lives.
struct Task {
    home: Home,
    pending: BTreeMap<u64, Pending>,
    watching: bool,
    incoming: mpsc::UnboundedReceiver<Command>,
    ring: watch::Sender<u64>,
    up: watch::Sender<bool>,
}

impl Task {
    async fn run(mut self, mut link: Option<Link>) {
        loop {
            if let Some(open) = link.take() {
                let ended = self.converse(open).await;
                if ended {
                    return;
                }
            }
            // Without anything to ask a hub need not be had: an idle one may have ended.
            while self.pending.is_empty() && !self.watching {
                match self.incoming.recv().await {
                    Some(command) => self.take(command),
                    None => return,
                }
            }
            let _ = self.up.send(false);
            match self.reconnect().await {
                Some(again) => link = Some(again),
                None => return,
            }
        }
    }

    /// Talks over one connection. True when nobody holds the client any more.
    async fn converse(&mut self, link: Link) -> bool {
        let Link { mut reading, mut writing } = link;
        let mut out = Vec::new();
        if self.watching {
            out.extend(wire::write_request(0, &Request::Watch));
        }
        for pending in self.pending.values() {
            out.extend_from_slice(&pending.line);
        }
        let _ = self.up.send(true);
        self.ring.send_modify(|count| *count += 1);
        let mut line = Vec::new();
        loop {
            if !out.is_empty() {
                if writing.write_all(&out).await.is_err() {
                    return false;
                }
                out = Vec::new();
            }
            tokio::select! {
                read = reading.read_until(b'\n', &mut line) => {
                    match read {
                        Ok(read) if read > 0 && line.ends_with(b"\n") => self.hear(&line),
                        Ok(_) | Err(_) => return false,
                    }
                    line.clear();
                    line.shrink_to(4_096);
                }
                command = self.incoming.recv() => {
                    let Some(command) = command else { return true };
                    out = self.take_and_say(command);
                    while let Ok(next) = self.incoming.try_recv() {
                        out.extend(self.take_and_say(next));
                    }
                }
            }
        }
    }

    fn take_and_say(&mut self, command: Command) -> Vec<u8> {
        let line = match &command {
            Command::Send { line, .. } => line.clone(),
            Command::Leave { number } => wire::write_request(0, &Request::Leave { request: *number }),
            Command::Watch if self.watching => Vec::new(),
            Command::Watch => wire::write_request(0, &Request::Watch),
        };
        self.take(command);
        line
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Send {
                number,
                line,
                keep,
                opened,
                reply,
            } => {
                let pending = Pending {
                    line,
                    keep,
                    opened,
                    reply,
                };
                self.pending.insert(number, pending);
            }
            Command::Leave { number } => {
                self.pending.remove(&number);
            }
            Command::Watch => self.watching = true,
        }
    }

    fn hear(&mut self, line: &[u8]) {
        let Ok((number, response)) = wire::read_response(line) else {
            return;
        };
        match response {
            Response::Bell => self.ring.send_modify(|count| *count += 1),
            Response::Opened if self.pending.get(&number).is_some_and(|pending| pending.keep) => {
                if let Some(pending) = self.pending.get_mut(&number)
                    && let Some(opened) = pending.opened.take()
                {
                    let _ = opened.send(Response::Opened);
                }
            }
            other => {
                if let Some(pending) = self.pending.remove(&number) {
                    let _ = pending.reply.send(other);
                }
            }
        }
    }

    /// Tries for a hub, ever more slowly, for as long as somebody needs one.
    async fn reconnect(&mut self) -> Option<Link> {
        let since = tokio::time::Instant::now();
        let mut pause_ms = FIRST_PAUSE_MS;
        loop {
            if let Ok(link) = Link::open(&self.home).await {
                return Some(link);
            }
            if since.elapsed() > PATIENCE {
                self.pending.retain(|_, pending| pending.keep);
            }
            let jitter = clock::attempt() % pause_ms.max(1);
            let until = tokio::time::Instant::now() + Duration::from_millis(pause_ms / 2 + jitter);
            loop {
                match tokio::time::timeout_at(until, self.incoming.recv()).await {
                    Ok(Some(command)) => self.take(command),
                    Ok(None) => return None,
                    Err(_) => break,
                }
            }
            pause_ms = (pause_ms * 2).min(LONGEST_PAUSE_MS);
        }
    }
}

/// One connection, greeted.
struct Link {
    reading: BufReader<OwnedReadHalf>,
    writing: OwnedWriteHalf,
}

impl Link {
    /// Connects to the hub, making one where there is none and replacing an older one.
    async fn open(home: &Home) -> anyhow::Result<Self> {
        home.prepare()?;
        let mut problem = None;
        for _ in 0..5 {
            match Self::try_open(home).await {
                Ok(Some(link)) => return Ok(link),
                Ok(None) => {}
                Err(error) => problem = Some(error),
            }
            tokio::task::spawn_blocking(start::ensure).await??;
        }
        Err(problem.unwrap_or_else(gone))
    }

    /// Connects to a hub that runs; `None` where none does, or only an older one did.
    async fn try_open(home: &Home) -> anyhow::Result<Option<Self>> {
        let Ok(text) = std::fs::read_to_string(home.address_file()) else {
            return Ok(None);
        };
        let Ok(address) = wire::read_address(&text) else {
            return Ok(None);
        };
        let Ok(stream) = UnixStream::connect(&address.socket).await else {
            return Ok(None);
        };
        let (reading, mut writing) = stream.into_split();
        let mut reading = BufReader::new(reading);
        let version = super::version();
        let hello = Request::Hello {
            version: version.clone(),
        };
        writing.write_all(&wire::write_request(0, &hello)).await?;
        let Some(Response::Welcome { version: theirs, .. }) = hear_one(&mut reading).await? else {
            return Ok(None);
        };
        if is_newer(&version, &theirs) {
            writing.write_all(&wire::write_request(0, &Request::Stop)).await?;
            // It ends by closing the connection.
            while hear_one(&mut reading).await?.is_some() {}
            return Ok(None);
        }
        Ok(Some(Self { reading, writing }))
    }
}

async fn hear_one(reading: &mut BufReader<OwnedReadHalf>) -> anyhow::Result<Option<Response>> {
    let mut line = Vec::new();
    match reading.read_until(b'\n', &mut line).await {
        Ok(read) if read > 0 => Ok(Some(wire::read_response(&line)?.1)),
        Ok(_) | Err(_) => Ok(None),
    }
}
