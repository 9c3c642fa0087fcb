//! Legacy sessions. rmcp handles their conversations. This module stores their events, pings
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

use super::delivery::{ResponseDelivery, resume_delivery};
use super::event_id;
use super::ping;
use super::replay_buffer::ReplayBuffer;
use super::streams::{Resumed, Standalone, copy_events};

/// How often the sessions in memory are checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);

/// How long the events of a request are kept after its client has received them all. A proxy on the
/// way may have lost the last of them.
const KEEP_RECEIVED: Duration = Duration::from_secs(30);

/// How many idle sessions stay in memory (about 70 KB each). Each stays at least for the minimum
/// time, because a request that has found its session uses it a moment later.
const MAX_IN_MEMORY: usize = 16;
const MIN_IDLE: Duration = Duration::from_millis(100);

type SessionError = LocalSessionManagerError;

/// All sessions of one endpoint.
#[derive(Clone)]
pub(super) struct Sessions(Arc<Endpoint>);

struct Endpoint {
    /// The path. A session can only be restored at the path where it began.
    path: String,
    rmcp: LocalSessionManager,
    table: Mutex<SessionTable>,
    times: Times,
    agent_sessions: Arc<AgentSessions>,
}

#[derive(Default)]
struct SessionTable {
    /// The sessions in memory.
    sessions: HashMap<SessionId, Session>,
    /// Stored events of unloaded sessions, for clients that return for them.
    unloaded_buffers: HashMap<SessionId, ReplayBuffers>,
    /// Unloaded sessions, with the number of close calls that rmcp will still make.
    closing: HashMap<SessionId, usize>,
    is_maintained: bool,
    pings: u64,
}

/// The buffers of a session, by the period in memory and by rmcp's number of the request. An
/// event's id names both.
type ReplayBuffers = BTreeMap<(u64, u64), Arc<ReplayBuffer>>;

struct Session {
    /// The number of this period in memory. Event ids belong to one period, because rmcp counts
    /// from the start in the next.
    period: u64,
    buffers: ReplayBuffers,
    /// By the client's id of the request.
    requests: HashMap<RequestId, Weak<ReplayBuffer>>,
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
        Self(Arc::new(Endpoint {
            path: path.to_owned(),
            rmcp,
            table: Mutex::default(),
            times,
            agent_sessions,
        }))
    }
}

impl Session {
    /// Whether its client reads a stream.
    fn is_open(&self) -> bool {
        Arc::strong_count(&self.streams) > 1
            || self.buffers.values().any(|buffer| buffer.has_reader())
    }

    /// Whether a request with this id has no response yet.
    fn awaits(&self, request: &RequestId) -> bool {
        let buffer = self.requests.get(request).and_then(Weak::upgrade);
        buffer.is_some_and(|buffer| !buffer.is_finished())
    }

    /// Whether the session can be unloaded: no call is in progress and no stream is open.
    fn is_idle(&self, long: Duration) -> bool {
        let is_finished = self.buffers.values().all(|buffer| buffer.is_finished());
        is_finished && !self.is_open() && self.used_at.elapsed() >= long
    }
}

impl Endpoint {
    fn table(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn handle(&self, id: &SessionId) -> Result<LocalSessionHandle, SessionError> {
        let sessions = self.rmcp.sessions.read().await;
        let handle = sessions.get(id).cloned();
        handle.ok_or_else(|| SessionError::SessionNotFound(Arc::clone(id)))
    }

    /// Records a message of the client. False if there is no such session in memory.
    fn mark_used(&self, id: &SessionId) -> bool {
        let mut table = self.table();
        let session = table.sessions.get_mut(id);
        session
            .map(|session| session.used_at = Instant::now())
            .is_some()
    }

    /// Whether rmcp's close call is one that follows from unloading a session. Each counts once.
    fn take_expected_close(&self, id: &SessionId) -> bool {
        let mut table = self.table();
        let Some(times) = table.closing.get_mut(id) else {
            return false;
        };
        *times -= 1;
        if *times == 0 {
            table.closing.remove(id);
        }
        true
    }

    /// Adds the buffer of a request. Returns the session's period in memory.
    fn add_buffer(&self, id: &SessionId, number: Option<u64>, buffer: &Arc<ReplayBuffer>) -> u64 {
        let mut table = self.table();
        let (Some(session), Some(number)) = (table.sessions.get_mut(id), number) else {
            return 0;
        };
        session.used_at = Instant::now();
        session
            .buffers
            .insert((session.period, number), Arc::clone(buffer));
        session.period
    }

    /// Records the id of a request. False if a request with that id has no response yet: the client
    /// could not tell their responses apart.
    fn register_request(
        &self,
        session: &SessionId,
        request: &RequestId,
        buffer: &Arc<ReplayBuffer>,
    ) -> bool {
        let mut table = self.table();
        let Some(session) = table.sessions.get_mut(session) else {
            return true;
        };
        if session.awaits(request) {
            return false;
        }
        let is_open = |buffer: &Weak<ReplayBuffer>| {
            buffer.upgrade().is_some_and(|buffer| !buffer.is_finished())
        };
        session.requests.retain(|_, buffer| is_open(buffer));
        session
            .requests
            .insert(request.clone(), Arc::downgrade(buffer));
        true
    }

    /// Loads a session into memory.
    fn load(self: &Arc<Self>, id: SessionId) {
        let mut table = self.table();
        let session = Session {
            period: clock::attempt(),
            buffers: table.unloaded_buffers.remove(&id).unwrap_or_default(),
            requests: HashMap::new(),
            streams: Arc::new(()),
            used_at: Instant::now(),
        };
        table.sessions.insert(id, session);
        let are_many = table.sessions.len() > MAX_IN_MEMORY;
        if !std::mem::replace(&mut table.is_maintained, true) {
            tokio::spawn(maintain(Arc::clone(self)));
        }
        drop(table);
        if are_many {
            let endpoint = Arc::clone(self);
            tokio::spawn(async move { endpoint.make_room().await });
        }
    }

    /// Unloads the sessions that were idle the longest, beyond the limit.
    async fn make_room(&self) {
        let (mut idle, surplus): (Vec<_>, _) = {
            let table = self.table();
            let surplus = table.sessions.len().saturating_sub(MAX_IN_MEMORY);
            let idle = table
                .sessions
                .iter()
                .filter(|(_, one)| one.is_idle(MIN_IDLE));
            let idle = idle.map(|(id, one)| (one.used_at, Arc::clone(id)));
            (idle.collect(), surplus)
        };
        idle.sort_unstable();
        for (_, id) in idle.into_iter().take(surplus) {
            self.unload(&id, MIN_IDLE).await;
        }
    }

    /// Ends a session. Its buffers are lost.
    async fn close(&self, id: &SessionId) -> Result<(), SessionError> {
        let (session, unloaded) = {
            let mut table = self.table();
            (table.sessions.remove(id), table.unloaded_buffers.remove(id))
        };
        let buffers = session.map(|session| session.buffers);
        for buffer in buffers
            .iter()
            .chain(&unloaded)
            .flat_map(ReplayBuffers::values)
        {
            buffer.abandon();
        }
        self.rmcp.close_session(id).await
    }

    /// Unloads a session that was idle for this long, until its client sends something.
    async fn unload(&self, id: &SessionId, idle: Duration) {
        let handle = {
            let mut handles = self.rmcp.sessions.write().await;
            let mut table = self.table();
            let session = table.sessions.get(id);
            if !session.is_some_and(|session| session.is_idle(idle)) {
                return;
            }
            let buffers = table.sessions.remove(id).map(|session| session.buffers);
            if let Some(buffers) = buffers.filter(|buffers| !buffers.is_empty()) {
                table.unloaded_buffers.insert(Arc::clone(id), buffers);
            }
            let handle = handles.remove(id);
            if handle.is_some() {
                *table.closing.entry(Arc::clone(id)).or_default() += 1;
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
    fn check_sessions(&self) -> Option<(Vec<SessionId>, Vec<SessionId>)> {
        let mut guard = self.table();
        let table = &mut *guard;
        table.unloaded_buffers.retain(|_, buffers| {
            buffers.retain(|_, buffer| !buffer.may_be_dropped(KEEP_RECEIVED, LEASE));
            !buffers.is_empty()
        });
        if table.sessions.is_empty() && table.unloaded_buffers.is_empty() {
            table.is_maintained = false;
            return None;
        }
        let (mut idle, mut abandoned) = (Vec::new(), Vec::new());
        for (id, session) in &mut table.sessions {
            session
                .buffers
                .retain(|_, buffer| !buffer.may_be_dropped(KEEP_RECEIVED, LEASE));
            for buffer in session.buffers.values() {
                if buffer.is_silent_for(self.times.ping) {
                    table.pings += 1;
                    buffer.push(ping::ping(table.pings));
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

async fn maintain(endpoint: Arc<Endpoint>) {
    let mut checks = interval(CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        checks.tick().await;
        let Some((idle, abandoned)) = endpoint.check_sessions() else {
            return;
        };
        for id in idle {
            endpoint.unload(&id, endpoint.times.idle).await;
        }
        for id in abandoned {
            endpoint.agent_sessions.end(&id).await;
            // The session is ended in any case; rmcp may have dropped it before.
            let _ = endpoint.close(&id).await;
        }
        endpoint.agent_sessions.end_expired();
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(initialize_request) = self.0.agent_sessions.initialize_request(id) else {
            return Ok(None);
        };
        let (path, state) = initialize_request.split_once(' ').unwrap_or_default();
        match path == self.0.path {
            // If the stored state can't be parsed, the client has to initialize again.
            true => Ok(ipc::unline(state.as_bytes()).ok()),
            false => Ok(None),
        }
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let state = String::from_utf8(ipc::line(state)?)?;
        let initialize_request = format!("{} {}", self.0.path, state.trim_end());
        self.0.agent_sessions.begin(id, initialize_request).await;
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.0.agent_sessions.end(id).await;
        Ok(self.0.close(&id.into()).await?)
    }
}

/// The response to a request whose events were lost with an earlier hub.
fn lost_response(id: RequestId) -> ServerJsonRpcMessage {
    let message = "the reply to this request is lost, most likely because the server was restarted. What was asked is kept: call the same tool again with a new request id";
    let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, message, None);
    ServerJsonRpcMessage::error(error, Some(id))
}

fn id_in_use(id: RequestId) -> ServerJsonRpcMessage {
    let message =
        "a request of that id has no reply yet: give each request of a session its own id";
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, message, None);
    ServerJsonRpcMessage::error(error, Some(id))
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionError> {
        let (id, transport) = self.0.rmcp.create_session().await?;
        self.0.load(Arc::clone(&id));
        Ok((id, transport))
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, SessionError> {
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
    ) -> Result<ServerJsonRpcMessage, SessionError> {
        self.0.rmcp.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionError> {
        // A flood of sessions may have ended it, although it is in memory.
        Ok(self.0.agent_sessions.has(id) && self.0.mark_used(id))
    }

    /// Closes a session that its client deleted. rmcp also calls this for unloaded sessions, which
    /// stay open.
    async fn close_session(&self, id: &SessionId) -> Result<(), SessionError> {
        if self.0.take_expected_close(id) {
            return Ok(());
        }
        self.0.close(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        // Keeps the session in memory meanwhile.
        let _open = self.hold_open(id);
        let session = self.0.handle(id).await?;
        let (request, delivery) = match &message {
            ClientJsonRpcMessage::Request(request) => {
                let delivery = ResponseDelivery::from_extensions(request.request.extensions());
                (Some(request.id.clone()), delivery)
            }
            _ => (None, None),
        };
        let delivery = delivery.unwrap_or_default();
        delivery.mark_stored();
        let buffer = ReplayBuffer::new(delivery, self.0.times.away);
        if let Some(request) = &request
            && !self.0.register_request(id, request, &buffer)
        {
            return Ok(buffer.only_response(id_in_use(request.clone())));
        }
        let channel = session.establish_request_wise_channel().await?;
        let number = channel.http_request_id;
        let period = self.0.add_buffer(id, number, &buffer);
        let reader = buffer.read(None);
        session.push_message(message, number).await?;
        tokio::spawn(copy_events(
            channel.inner,
            session,
            buffer,
            (period, request),
        ));
        Ok(reader)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionError> {
        if ping::is_ping_response(&message) {
            return Ok(());
        }
        self.0.rmcp.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        let channel = self.0.handle(id).await?.establish_common_channel().await?;
        Ok(self.standalone(id, channel.inner))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        if let Some(stream_id) = event_id::read(&last_event_id) {
            let table = self.0.table();
            let session = table.sessions.get(id);
            let position = (stream_id.period, stream_id.number);
            if let Some(buffer) = session.and_then(|session| session.buffers.get(&position)) {
                resume_delivery(buffer.delivery());
                return Ok(Resumed::Request(buffer.read(Some(&last_event_id))));
            }
            // If the client has used that id for a new request, the error would count as its
            // response.
            let is_free = |request: &RequestId| session.is_none_or(|one| !one.awaits(request));
            if let Some(request) = stream_id.request.filter(is_free) {
                let buffer = ReplayBuffer::new(ResponseDelivery::default(), self.0.times.away);
                return Ok(Resumed::Request(
                    buffer.only_response(lost_response(request)),
                ));
            }
        }
        let handle = self.0.handle(id).await?;
        let channel = handle.resume(last_event_id.parse()?).await?;
        Ok(Resumed::Standalone(self.standalone(id, channel.inner)))
    }
}

impl Sessions {
    fn standalone(&self, id: &SessionId, events: Receiver<ServerSseMessage>) -> Standalone {
        let _open = self.hold_open(id);
        Standalone { events, _open }
    }

    /// Keeps a session from being idle while the returned value is held.
    fn hold_open(&self, id: &SessionId) -> Arc<()> {
        let table = self.0.table();
        let session = table.sessions.get(id);
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

    struct EmptyHandler;

    impl ServerHandler for EmptyHandler {}

    const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    struct TestEndpoint {
        sessions: Sessions,
        service: StreamableHttpService<EmptyHandler, Sessions>,
    }

    impl TestEndpoint {
        fn new() -> Self {
            let sessions = Sessions::new("/mcp", Times::default(), Arc::default());
            let mut config = StreamableHttpServerConfig::default();
            config.session_store = Some(Arc::new(sessions.clone()));
            let session_manager = Arc::new(sessions.clone());
            let service = StreamableHttpService::new(|| Ok(EmptyHandler), session_manager, config);
            Self { sessions, service }
        }

        /// Sends one message and reads the whole response.
        async fn post(&self, session: Option<&SessionId>, body: &str) -> (StatusCode, String) {
            let request = Request::post("/mcp").header("content-type", "application/json");
            let (status, _, read) = self.send(request, session, body).await;
            (status, read)
        }

        async fn initialize(&self) -> SessionId {
            let request = Request::post("/mcp").header("content-type", "application/json");
            let (status, id, _) = self.send(request, None, HELLO).await;
            assert_eq!(status, StatusCode::OK);
            id.expect("the response names a session")
        }

        async fn send(
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
            (conversations, self.sessions.0.table().sessions.len())
        }
    }

    #[tokio::test]
    async fn an_idle_session_is_unloaded_and_restored() {
        let test = TestEndpoint::new();
        let endpoint = &test.sessions.0;
        let id = test.initialize().await;
        for _ in 0..3 {
            endpoint.unload(&id, Duration::ZERO).await;
            assert_eq!(test.in_memory().await, (0, 0));
            let (status, _) = test.post(Some(&id), PING).await;
            assert_eq!(status, StatusCode::OK);
            assert_eq!(test.in_memory().await, (1, 1));
        }
        test.sessions.delete(&id).await.expect("the session exists");
        let (status, _) = test.post(Some(&id), PING).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn events_from_before_a_session_was_unloaded_can_be_read_again() {
        let test = TestEndpoint::new();
        let id = test.initialize().await;
        let (_, message) = test.post(Some(&id), PING).await;
        let first = message.lines().find_map(|line| line.strip_prefix("id: "));
        test.sessions.0.unload(&id, Duration::ZERO).await;
        let again = Request::get("/mcp")
            .header("last-event-id", first.expect("the stream has an event id"));
        let (status, _, read) = test.send(again, Some(&id), "").await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            read.contains(r#""id":1,"result""#),
            "{message} and again {read}"
        );
    }

    #[tokio::test]
    async fn the_latest_idle_sessions_stay_in_memory() {
        let test = TestEndpoint::new();
        for _ in 0..MAX_IN_MEMORY {
            test.initialize().await;
        }
        let long_ago = Instant::now() - MIN_IDLE;
        for session in test.sessions.0.table().sessions.values_mut() {
            session.used_at = long_ago;
        }
        let last = test.initialize().await;
        test.sessions.0.make_room().await;
        assert_eq!(test.in_memory().await, (MAX_IN_MEMORY, MAX_IN_MEMORY));
        assert!(test.sessions.0.table().sessions.contains_key(&last));
    }
}
