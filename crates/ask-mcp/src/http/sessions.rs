//! The legacy sessions. rmcp holds the conversations; this module stores their events, pings
//! clients of silent calls, unloads idle sessions from memory, and ends abandoned ones.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use ask_config::clock;
use ask_hub::http::Times;
use ask_hub::http::agent_sessions::{AgentSessions, LEASE};
use ask_protocol::ipc;
use async_trait::async_trait;
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
    RestoreOutcome, ServerSseMessage, SessionId, SessionManager, SessionState, SessionStore,
    SessionStoreError,
};
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::delivery::{ReplyPath, resume_delivery};
use super::event_id;
use super::ping;
use super::replay_buffer::ReplayBuffer;
use super::streams::{Resumed, Standalone, copy_events};

/// How often the sessions in memory are checked.
const ROUND: Duration = Duration::from_secs(30);

/// How many idle sessions stay in memory (about 70 KB each), and how long each stays at least: a
/// request that has found its session uses it a moment later.
const IN_MEMORY: usize = 16;
const AT_LEAST: Duration = Duration::from_millis(100);

type Failed = LocalSessionManagerError;

/// All sessions of one endpoint.
#[derive(Clone)]
pub(super) struct Sessions(Arc<All>);

struct All {
    /// The path of the endpoint. A session can only be resumed at its own.
    path: String,
    rmcp: LocalSessionManager,
    known: Mutex<Known>,
    times: Times,
    agent_sessions: Arc<AgentSessions>,
}

#[derive(Default)]
struct Known {
    /// The sessions in memory.
    sessions: HashMap<SessionId, Session>,
    /// Stored events of unloaded sessions, for clients that return for them.
    unloaded_buffers: HashMap<SessionId, ReplayBuffers>,
    /// Unloaded sessions, with the number of close calls that rmcp will still make.
    closing: HashMap<SessionId, usize>,
    is_looked_after: bool,
    pings: u64,
}

/// The buffers of a session, by the period in memory and by rmcp's number of the request. An
/// event's id names both.
type ReplayBuffers = BTreeMap<(u64, u64), Arc<ReplayBuffer>>;

struct Session {
    /// The number of this period in memory. Event ids belong to one period, because rmcp counts
    /// from the start in the next.
    period: u64,
    replays: ReplayBuffers,
    /// By the client's id of the request.
    asked: HashMap<RequestId, Weak<ReplayBuffer>>,
    /// Counts the streams that belong to no request: each holds a clone.
    streams: Arc<()>,
    used_at: Instant,
}

impl Sessions {
    pub(super) fn new(path: &str, times: Times, agent_sessions: Arc<AgentSessions>) -> Self {
        let mut config = SessionConfig::default();
        // rmcp's own timeout would end a session while a call waits.
        config.keep_alive = None;
        let mut rmcp = LocalSessionManager::default();
        rmcp.session_config = config;
        Self(Arc::new(All {
            path: path.to_owned(),
            rmcp,
            known: Mutex::default(),
            times,
            agent_sessions,
        }))
    }
}

impl Session {
    /// Whether its client reads a stream.
    fn is_open(&self) -> bool {
        Arc::strong_count(&self.streams) > 1 || self.replays.values().any(|replay| replay.is_read())
    }

    /// Whether a request with this id has no response yet.
    fn awaits(&self, request: &RequestId) -> bool {
        let replay = self.asked.get(request).and_then(Weak::upgrade);
        replay.is_some_and(|replay| !replay.is_over())
    }

    /// Whether the session can be unloaded: no call is in progress and no stream is open.
    fn is_idle(&self, long: Duration) -> bool {
        let is_over = self.replays.values().all(|replay| replay.is_over());
        is_over && !self.is_open() && self.used_at.elapsed() >= long
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

    /// Records a message of the client. False if there is no such session in memory.
    fn used(&self, id: &SessionId) -> bool {
        let mut known = self.known();
        let session = known.sessions.get_mut(id);
        session
            .map(|session| session.used_at = Instant::now())
            .is_some()
    }

    /// Whether rmcp's close call is one that follows from unloading a session. Each counts once.
    fn take_expected_close(&self, id: &SessionId) -> bool {
        let mut known = self.known();
        let Some(times) = known.closing.get_mut(id) else {
            return false;
        };
        *times -= 1;
        if *times == 0 {
            known.closing.remove(id);
        }
        true
    }

    /// Adds the buffer of a request. Returns the session's period in memory.
    fn add(&self, id: &SessionId, number: Option<u64>, replay: &Arc<ReplayBuffer>) -> u64 {
        let mut known = self.known();
        let (Some(session), Some(number)) = (known.sessions.get_mut(id), number) else {
            return 0;
        };
        session.used_at = Instant::now();
        session
            .replays
            .insert((session.period, number), Arc::clone(replay));
        session.period
    }

    /// Records the id of a request. False if a request with that id has no response yet: the client
    /// could not tell their responses apart.
    fn asks(&self, session: &SessionId, request: &RequestId, replay: &Arc<ReplayBuffer>) -> bool {
        let mut known = self.known();
        let Some(session) = known.sessions.get_mut(session) else {
            return true;
        };
        if session.awaits(request) {
            return false;
        }
        let open =
            |replay: &Weak<ReplayBuffer>| replay.upgrade().is_some_and(|replay| !replay.is_over());
        session.asked.retain(|_, replay| open(replay));
        session
            .asked
            .insert(request.clone(), Arc::downgrade(replay));
        true
    }

    /// Loads a session into memory.
    fn load(self: &Arc<Self>, id: SessionId) {
        let mut known = self.known();
        let session = Session {
            period: clock::attempt(),
            replays: known.unloaded_buffers.remove(&id).unwrap_or_default(),
            asked: HashMap::new(),
            streams: Arc::new(()),
            used_at: Instant::now(),
        };
        known.sessions.insert(id, session);
        let are_many = known.sessions.len() > IN_MEMORY;
        if !std::mem::replace(&mut known.is_looked_after, true) {
            tokio::spawn(look_after(Arc::clone(self)));
        }
        drop(known);
        if are_many {
            let all = Arc::clone(self);
            tokio::spawn(async move { all.make_room().await });
        }
    }

    /// Unloads the sessions that were idle the longest, beyond the limit.
    async fn make_room(&self) {
        let (mut idle, surplus): (Vec<_>, _) = {
            let known = self.known();
            let surplus = known.sessions.len().saturating_sub(IN_MEMORY);
            let idle = known
                .sessions
                .iter()
                .filter(|(_, one)| one.is_idle(AT_LEAST));
            let idle = idle.map(|(id, one)| (one.used_at, Arc::clone(id)));
            (idle.collect(), surplus)
        };
        idle.sort_unstable();
        for (_, id) in idle.into_iter().take(surplus) {
            self.unload(&id, AT_LEAST).await;
        }
    }

    /// Ends a session. Its buffers are lost.
    async fn close(&self, id: &SessionId) -> Result<(), Failed> {
        let (session, unloaded) = {
            let mut known = self.known();
            (known.sessions.remove(id), known.unloaded_buffers.remove(id))
        };
        let replays = session.map(|session| session.replays);
        for replay in replays
            .iter()
            .chain(&unloaded)
            .flat_map(ReplayBuffers::values)
        {
            replay.give_up();
        }
        self.rmcp.close_session(id).await
    }

    /// Unloads a session that was idle for this long, until its client sends something.
    async fn unload(&self, id: &SessionId, idle: Duration) {
        let handle = {
            let mut handles = self.rmcp.sessions.write().await;
            let mut known = self.known();
            let session = known.sessions.get(id);
            if !session.is_some_and(|session| session.is_idle(idle)) {
                return;
            }
            let replays = known.sessions.remove(id).map(|session| session.replays);
            if let Some(replays) = replays.filter(|replays| !replays.is_empty()) {
                known.unloaded_buffers.insert(Arc::clone(id), replays);
            }
            let handle = handles.remove(id);
            if handle.is_some() {
                *known.closing.entry(Arc::clone(id)).or_default() += 1;
            }
            handle
        };
        if let Some(handle) = handle {
            // An error means that it has ended already.
            let _ = handle.close().await;
        }
    }

    /// One check of the sessions in memory. Returns those that are idle and those whose lease is
    /// over; `None` ends the task.
    fn look(&self) -> Option<(Vec<SessionId>, Vec<SessionId>)> {
        let mut guard = self.known();
        let known = &mut *guard;
        known.unloaded_buffers.retain(|_, replays| {
            replays.retain(|_, replay| !replay.is_done(ROUND, LEASE));
            !replays.is_empty()
        });
        if known.sessions.is_empty() && known.unloaded_buffers.is_empty() {
            known.is_looked_after = false;
            return None;
        }
        let (mut idle, mut abandoned) = (Vec::new(), Vec::new());
        for (id, session) in &mut known.sessions {
            session
                .replays
                .retain(|_, replay| !replay.is_done(ROUND, LEASE));
            for replay in session.replays.values() {
                if replay.is_silent_for(self.times.ping) {
                    known.pings += 1;
                    replay.push(ping::ping(known.pings));
                }
            }
            if session.is_open() {
                session.used_at = Instant::now();
                self.agent_sessions.renew_lease(id);
            } else if session.used_at.elapsed() >= LEASE {
                abandoned.push(Arc::clone(id));
            } else if session.is_idle(self.times.idle) {
                idle.push(Arc::clone(id));
            }
        }
        Some((idle, abandoned))
    }
}

async fn look_after(all: Arc<All>) {
    let mut rounds = interval(ROUND);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        let Some((idle, abandoned)) = all.look() else {
            return;
        };
        for id in idle {
            all.unload(&id, all.times.idle).await;
        }
        for id in abandoned {
            all.agent_sessions.end(&id).await;
            // The session is ended in any case; rmcp may have dropped it before.
            let _ = all.close(&id).await;
        }
        all.agent_sessions.forget_silent();
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(greeting) = self.0.agent_sessions.greeting(id) else {
            return Ok(None);
        };
        let (path, state) = greeting.split_once(' ').unwrap_or_default();
        match path == self.0.path {
            // If the stored state can't be parsed, the client has to initialize again.
            true => Ok(ipc::unline(state.as_bytes()).ok()),
            false => Ok(None),
        }
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let state = String::from_utf8(ipc::line(state)?)?;
        let greeting = format!("{} {}", self.0.path, state.trim_end());
        self.0.agent_sessions.begin(id, greeting).await;
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.0.agent_sessions.end(id).await;
        Ok(self.0.close(&id.into()).await?)
    }
}

/// The response to a request whose events went with the hub that served it.
fn lost(id: RequestId) -> ServerJsonRpcMessage {
    let said = "the reply to this request is lost, most likely because the server was restarted. What was asked is kept: call the same tool again with a new request id";
    let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, said, None);
    ServerJsonRpcMessage::error(error, Some(id))
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
        self.0.load(Arc::clone(&id));
        Ok((id, transport))
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, Failed> {
        let restored = self.0.rmcp.restore_session(Arc::clone(&id)).await?;
        if matches!(restored, RestoreOutcome::Restored(_)) {
            self.0.load(id);
        }
        Ok(restored)
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

    /// Closes a session that its client deleted. rmcp also calls this for unloaded sessions, which
    /// stay open.
    async fn close_session(&self, id: &SessionId) -> Result<(), Failed> {
        if self.0.take_expected_close(id) {
            return Ok(());
        }
        self.0.close(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failed> {
        // Keeps the session in memory meanwhile.
        let _open = self.open(id);
        let session = self.0.handle(id).await?;
        let (request, reply_path) = match &message {
            ClientJsonRpcMessage::Request(request) => {
                let reply_path = ReplyPath::from_extensions(request.request.extensions());
                (Some(request.id.clone()), reply_path)
            }
            _ => (None, None),
        };
        let reply_path = reply_path.unwrap_or_default();
        reply_path.keep();
        let replay = ReplayBuffer::new(reply_path, self.0.times.away);
        if let Some(request) = &request
            && !self.0.asks(id, request, &replay)
        {
            return Ok(replay.only(in_use(request.clone())));
        }
        let channel = session.establish_request_wise_channel().await?;
        let number = channel.http_request_id;
        let period = self.0.add(id, number, &replay);
        let reader = replay.read(None);
        session.push_message(message, number).await?;
        tokio::spawn(copy_events(
            channel.inner,
            session,
            replay,
            (period, request),
        ));
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
        if let Some(stream) = event_id::read(&last_event_id) {
            let known = self.0.known();
            let session = known.sessions.get(id);
            let at = (stream.period, stream.number);
            if let Some(replay) = session.and_then(|session| session.replays.get(&at)) {
                resume_delivery(replay.reply_path());
                return Ok(Resumed::Request(replay.read(Some(&last_event_id))));
            }
            // If the client uses that id again, the error would be taken for the new request's.
            let is_free = |request: &RequestId| session.is_none_or(|one| !one.awaits(request));
            if let Some(request) = stream.request.filter(is_free) {
                let replay = ReplayBuffer::new(ReplyPath::default(), self.0.times.away);
                return Ok(Resumed::Request(replay.only(lost(request))));
            }
        }
        let handle = self.0.handle(id).await?;
        let channel = handle.resume(last_event_id.parse()?).await?;
        Ok(Resumed::Standalone(self.standalone(id, channel.inner)))
    }
}

impl Sessions {
    fn standalone(&self, id: &SessionId, said: Receiver<ServerSseMessage>) -> Standalone {
        let _open = self.open(id);
        Standalone { said, _open }
    }

    /// While the returned value is held, the session isn't idle.
    fn open(&self, id: &SessionId) -> Arc<()> {
        let known = self.0.known();
        let session = known.sessions.get(id);
        session
            .map(|session| Arc::clone(&session.streams))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use rmcp::handler::server::ServerHandler;
    use rmcp::transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService,
    };

    use super::*;

    struct Plain;

    impl ServerHandler for Plain {}

    const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    struct Endpoint {
        sessions: Sessions,
        service: StreamableHttpService<Plain, Sessions>,
    }

    impl Endpoint {
        fn new() -> Self {
            let sessions = Sessions::new("/mcp", Times::default(), Arc::default());
            let mut config = StreamableHttpServerConfig::default();
            config.session_store = Some(Arc::new(sessions.clone()));
            let serves = Arc::new(sessions.clone());
            let service = StreamableHttpService::new(|| Ok(Plain), serves, config);
            Self { sessions, service }
        }

        /// Sends one message and reads the whole response.
        async fn says(&self, session: Option<&SessionId>, body: &str) -> (StatusCode, String) {
            let request = Request::post("/mcp").header("content-type", "application/json");
            let (status, _, read) = self.sends(request, session, body).await;
            (status, read)
        }

        async fn begins(&self) -> SessionId {
            let request = Request::post("/mcp").header("content-type", "application/json");
            let (status, id, _) = self.sends(request, None, HELLO).await;
            assert_eq!(status, StatusCode::OK);
            id.expect("the response names a session")
        }

        async fn sends(
            &self,
            request: axum::http::request::Builder,
            session: Option<&SessionId>,
            body: &str,
        ) -> (StatusCode, Option<SessionId>, String) {
            let request = request
                .header("host", "localhost")
                .header("accept", "application/json, text/event-stream");
            let request = match session {
                Some(id) => request.header("mcp-session-id", &**id),
                None => request,
            };
            let request = request.body(Body::from(body.to_owned()));
            let response = self
                .service
                .handle(request.expect("the request is valid"))
                .await;
            let id = response.headers().get("mcp-session-id");
            let id = id.map(|id| id.to_str().expect("the session id is ASCII").into());
            let status = response.status();
            let read = axum::body::to_bytes(Body::new(response.into_body()), usize::MAX).await;
            let read = read.expect("the body ends").to_vec();
            (
                status,
                id,
                String::from_utf8(read).expect("the body is UTF-8"),
            )
        }

        /// The number of conversations in memory, and of sessions that this module holds.
        async fn in_memory(&self) -> (usize, usize) {
            let conversations = self.sessions.0.rmcp.sessions.read().await.len();
            (conversations, self.sessions.0.known().sessions.len())
        }
    }

    #[tokio::test]
    async fn an_idle_session_is_put_down_and_taken_up_again() {
        let endpoint = Endpoint::new();
        let all = &endpoint.sessions.0;
        let id = endpoint.begins().await;
        for _ in 0..3 {
            all.unload(&id, Duration::ZERO).await;
            assert_eq!(endpoint.in_memory().await, (0, 0));
            let (status, _) = endpoint.says(Some(&id), PING).await;
            assert_eq!(status, StatusCode::OK);
            assert_eq!(endpoint.in_memory().await, (1, 1));
        }
        endpoint
            .sessions
            .delete(&id)
            .await
            .expect("the session exists");
        let (status, _) = endpoint.says(Some(&id), PING).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn what_was_said_before_a_session_was_unloaded_can_be_read_again() {
        let endpoint = Endpoint::new();
        let id = endpoint.begins().await;
        let (_, said) = endpoint.says(Some(&id), PING).await;
        let first = said.lines().find_map(|line| line.strip_prefix("id: "));
        endpoint.sessions.0.unload(&id, Duration::ZERO).await;
        let again = Request::get("/mcp")
            .header("last-event-id", first.expect("the stream has an event id"));
        let (status, _, read) = endpoint.sends(again, Some(&id), "").await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            read.contains(r#""id":1,"result""#),
            "{said} and again {read}"
        );
    }

    #[tokio::test]
    async fn of_many_idle_sessions_the_latest_stay_in_memory() {
        let endpoint = Endpoint::new();
        for _ in 0..IN_MEMORY {
            endpoint.begins().await;
        }
        let long_ago = Instant::now() - AT_LEAST;
        for session in endpoint.sessions.0.known().sessions.values_mut() {
            session.used_at = long_ago;
        }
        let last = endpoint.begins().await;
        endpoint.sessions.0.make_room().await;
        assert_eq!(endpoint.in_memory().await, (IN_MEMORY, IN_MEMORY));
        assert!(endpoint.sessions.0.known().sessions.contains_key(&last));
    }
}
