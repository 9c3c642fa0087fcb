//! The legacy sessions: rmcp keeps the conversations, this keeps what was said in
//! them, pings clients of calls that say nothing, and forgets whoever is gone.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use ask_hub::http::Times;
use ask_hub::http::standing::StandingSessions;
use futures_core::Stream;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, GetExtensions, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionHandle, LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
    SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{
    ServerSseMessage, SessionId, SessionManager,
};
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::passage::{Passage, goes_on};
use super::ping;
use super::reel::Reel;
use super::streams::{Resumed, Standalone, wind};

/// How often is looked after the sessions, while there are any.
const ROUND: Duration = Duration::from_secs(30);

type Failed = LocalSessionManagerError;

/// All sessions of one endpoint.
pub struct Sessions(Arc<All>);

struct All {
    rmcp: LocalSessionManager,
    known: Mutex<Known>,
    times: Times,
    standing: Arc<StandingSessions>,
}

#[derive(Default)]
struct Known {
    sessions: HashMap<SessionId, Session>,
    is_looked_after: bool,
    pings: u64,
}

struct Session {
    /// By rmcp's number of the request, which is the second half of an event's id.
    reels: BTreeMap<u64, Arc<Reel>>,
    /// By the client's own number of it.
    asked: HashMap<RequestId, Weak<Reel>>,
    /// Streams that belong to no request: whoever holds another than us.
    streams: Arc<()>,
    used_at: Instant,
}

impl Sessions {
    pub fn new(times: Times, standing: Arc<StandingSessions>) -> Self {
        let mut config = SessionConfig::default();
        // Its own clock would end a session under a call that waits.
        config.keep_alive = None;
        let mut rmcp = LocalSessionManager::default();
        rmcp.session_config = config;
        Self(Arc::new(All {
            rmcp,
            known: Mutex::default(),
            times,
            standing,
        }))
    }
}

impl All {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn handle(&self, id: &SessionId) -> Result<LocalSessionHandle, Failed> {
        let sessions = self.rmcp.sessions.read().await;
        let handle = sessions.get(id).cloned();
        handle.ok_or_else(|| Failed::SessionNotFound(Arc::clone(id)))
    }

    /// Notes that a client has said something. False where there is no such session.
    fn used(&self, id: &SessionId) -> bool {
        let mut known = self.known();
        let session = known.sessions.get_mut(id);
        session
            .map(|session| session.used_at = Instant::now())
            .is_some()
    }

    fn add(&self, id: &SessionId, number: Option<u64>, reel: &Arc<Reel>) {
        let mut known = self.known();
        if let (Some(session), Some(number)) = (known.sessions.get_mut(id), number) {
            session.used_at = Instant::now();
            session.reels.insert(number, Arc::clone(reel));
        }
    }

    /// Notes under which id a request was sent. False where another of that id has no reply yet:
    /// its client could not tell their replies apart.
    fn asks(&self, session: &SessionId, request: &RequestId, reel: &Arc<Reel>) -> bool {
        let mut known = self.known();
        let Some(session) = known.sessions.get_mut(session) else {
            return true;
        };
        let open = |reel: &Weak<Reel>| reel.upgrade().is_some_and(|reel| !reel.is_over());
        session.asked.retain(|_, reel| open(reel));
        if session.asked.contains_key(request) {
            return false;
        }
        session.asked.insert(request.clone(), Arc::downgrade(reel));
        true
    }

    async fn close(&self, id: &SessionId) -> Result<(), Failed> {
        let session = self.known().sessions.remove(id);
        self.standing.end(id);
        for reel in session.iter().flat_map(|session| session.reels.values()) {
            reel.give_up();
        }
        self.rmcp.close_session(id).await
    }

    /// One look after all sessions. The ones that are to be closed, or nothing where there is
    /// nobody to look after.
    fn look(&self) -> Option<Vec<SessionId>> {
        let mut guard = self.known();
        let known = &mut *guard;
        if known.sessions.is_empty() {
            known.is_looked_after = false;
            return None;
        }
        let mut left = Vec::new();
        for (id, session) in &mut known.sessions {
            let long = self.times.session;
            session.reels.retain(|_, reel| !reel.is_done(ROUND, long));
            for reel in session.reels.values() {
                if reel.is_silent_for(self.times.ping) {
                    known.pings += 1;
                    reel.push(ping::ping(known.pings));
                }
            }
            let is_open = Arc::strong_count(&session.streams) > 1
                || session.reels.values().any(|reel| reel.is_read());
            if is_open {
                session.used_at = Instant::now();
            } else if session.used_at.elapsed() >= self.times.session {
                left.push(Arc::clone(id));
            }
        }
        Some(left)
    }
}

async fn look_after(all: Arc<All>) {
    let mut rounds = interval(ROUND);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        let Some(left) = all.look() else { return };
        for id in left {
            let _ = all.close(&id).await;
        }
    }
}

fn in_use(id: RequestId) -> ServerJsonRpcMessage {
    let said = "a request of that id has no reply yet: give each request of a session its own id";
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, said, None);
    ServerJsonRpcMessage::error(error, Some(id))
}

impl SessionManager for Sessions {
    type Error = Failed;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Failed> {
        let (id, transport) = self.0.rmcp.create_session().await?;
        let session = Session {
            reels: BTreeMap::new(),
            asked: HashMap::new(),
            streams: Arc::new(()),
            used_at: Instant::now(),
        };
        self.0.standing.begin(&id);
        let mut known = self.0.known();
        known.sessions.insert(Arc::clone(&id), session);
        if !std::mem::replace(&mut known.is_looked_after, true) {
            tokio::spawn(look_after(Arc::clone(&self.0)));
        }
        drop(known);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failed> {
        self.0.rmcp.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failed> {
        Ok(self.0.used(id))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failed> {
        self.0.close(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        let session = self.0.handle(id).await?;
        let (request, passage) = match &message {
            ClientJsonRpcMessage::Request(request) => {
                let passage = Passage::of(request.request.extensions());
                (Some(request.id.clone()), passage)
            }
            _ => (None, None),
        };
        let passage = passage.unwrap_or_default();
        passage.keep();
        let reel = Reel::new(passage, self.0.times.away);
        if let Some(request) = request.filter(|request| !self.0.asks(id, request, &reel)) {
            reel.push(ServerSseMessage::from_message(in_use(request)));
            reel.end();
            return Ok(reel.read(None));
        }
        let channel = session.establish_request_wise_channel().await?;
        let number = channel.http_request_id;
        self.0.add(id, number, &reel);
        let reader = reel.read(None);
        session.push_message(message, number).await?;
        tokio::spawn(wind(channel.inner, session, reel));
        Ok(reader)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Failed> {
        if ping::is_answer(&message) {
            return Ok(());
        }
        self.0.rmcp.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        let channel = self.0.handle(id).await?.establish_common_channel().await?;
        Ok(self.standalone(id, channel.inner))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        let request = last_event_id.split_once('/');
        if let Some(number) = request.and_then(|(_, number)| number.parse().ok()) {
            let known = self.0.known();
            let session = known.sessions.get(id);
            if let Some(reel) = session.and_then(|session| session.reels.get(&number)) {
                goes_on(reel.passage());
                return Ok(Resumed::Request(reel.read(Some(&last_event_id))));
            }
        }
        let handle = self.0.handle(id).await?;
        let channel = handle.resume(last_event_id.parse()?).await?;
        Ok(Resumed::Standalone(self.standalone(id, channel.inner)))
    }
}

impl Sessions {
    fn standalone(&self, id: &SessionId, said: Receiver<ServerSseMessage>) -> Standalone {
        let known = self.0.known();
        let session = known.sessions.get(id);
        let _open = session
            .map(|session| Arc::clone(&session.streams))
            .unwrap_or_default();
        Standalone { said, _open }
    }
}
