//! The steps of a tool call: its dialect parses it, the hub opens the ask, the call waits, and the
//! dialect serializes the reply. A call is only a waiter: when it ends early, the ask stays open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_clients::labels::Apps;
use ask_clients::strategy::{Strategy, Transport, strategy};
use ask_clients::{Client, table};
use ask_config::config::{AnswersFrom, Config};
use ask_config::{asker, clock};
use ask_core::{AskId, Asker, Json, Record, Refusal, json, lifecycle};
use ask_dialects::{Call, Dialect, Setting, Wait, Word};
use ask_hub::client::{Client as Hub, Delivery, StoreFailed};
use ask_protocol::ipc::{CallFailure, Request};
use rmcp::model::{CallToolResult, RequestId};
use rmcp::service::{RequestContext, RoleServer};
use tracing::{Span, debug, field};

use super::apps::App;
use super::context::Shared;
use super::elicitation::multi_round::{self, Round, retry};
use super::elicitation::{Dialogs, Opened};
use super::keepalive::CallProgress;
use super::offline::{FALLBACK_ADVICE, OfflineMode};
use super::outcome::{
    CallStart, Limit, NOT_ASKED, ToolOutcome, WaitingCall, answered_later_reply, failed_result,
    fetched_result, still_open_reply,
};
use super::{Offer, Offered, caller_query, convert, default_limit, images};

/// The state of one client's conversation.
pub(crate) struct Conversation {
    pub shared: Arc<Shared>,
    pub offer: Arc<Offer>,
    pub dialogs: Dialogs,
    /// The card in the client's chat, created on first use.
    pub app: OnceLock<App>,
    transport: ClientTransport,
    /// The client's entry in our table, looked up by its first call.
    client: OnceLock<Option<Box<Client>>>,
    /// Outcomes that count as delivered once the response to this request is written.
    replies: Mutex<HashMap<RequestId, Vec<Delivery>>>,
}

/// How the client is connected.
pub(crate) enum ClientTransport {
    /// The client started this process and shares its directory.
    Stdio,
    /// The client connected over HTTP from anywhere on this machine. The URL's query may describe
    /// it. The value is the window id of a client whose query names none.
    Http(Option<String>),
}

impl ClientTransport {
    fn kind(&self) -> Transport {
        match self {
            Self::Stdio => Transport::Stdio,
            Self::Http(_) => Transport::Http,
        }
    }
}

impl Conversation {
    /// A conversation without calls.
    pub(crate) fn new(shared: Arc<Shared>, offer: Arc<Offer>, transport: ClientTransport) -> Self {
        Self {
            shared,
            offer,
            dialogs: Dialogs::new(transport.kind()),
            app: OnceLock::new(),
            transport,
            client: OnceLock::new(),
            replies: Mutex::default(),
        }
    }

    /// Parses a call and opens its ask, or finds the ask that it wants to fetch.
    pub(crate) async fn start(
        &self,
        offered: &Offered,
        arguments: &Json,
        round: Option<Box<Round>>,
        context: RequestContext<RoleServer>,
    ) -> CallStart {
        debug!("a call of {}", offered.name);
        let dialect = offered.dialect;
        let setting = Setting {
            limit_ms: default_limit::limit_ms(),
        };
        let call = match json::check_size(arguments) {
            Ok(()) => dialect.read(offered.tool.name, arguments, &setting),
            Err(problem) => Err(Refusal::from(problem)),
        };
        let asker = self.asker(&context, None);
        self.known_client(&context);
        if let Some(app) = self.card(&context) {
            app.record_call(&context.id, arguments);
        }
        let started = match call {
            Err(refusal) => {
                self.shared
                    .context
                    .count_failed_call(CallFailure::InvalidCall);
                Ok(CallStart::Replied(
                    dialect.write(Word::Refused(&refusal)).into(),
                ))
            }
            Ok(Call::Ask {
                ask,
                agent,
                detached,
            }) => {
                let agent = agent.or_else(|| asker.agent.clone());
                let asker = Asker {
                    agent,
                    ..asker.clone()
                };
                let id = dialect.id(clock::random());
                let mut record = lifecycle::open(id, dialect.name(), *ask, asker, clock::now());
                record.caller_seen = Some(clock::steady());
                match round {
                    // A client that may show no dialog may not send an answer from one.
                    Some(_) if !self.may_show_dialogs(&context) => {
                        Ok(retry::foreign_state(dialect))
                    }
                    Some(round) => self.resume(dialect, &record, &round, &context).await,
                    None => {
                        let asked = self.ask(dialect, record, detached, context).await;
                        asked.map_err(|error| anyhow::anyhow!("{error:#}\n{FALLBACK_ADVICE}"))
                    }
                }
            }
            Ok(Call::Fetch { .. }) if round.is_some() => Ok(retry::foreign_state(dialect)),
            Ok(Call::Fetch { id, wait }) => self.fetch(dialect, id, wait, &asker, context).await,
        };
        match started.unwrap_or_else(|error| CallStart::Replied(failed_result(dialect, &error))) {
            CallStart::Replied(mut result) => {
                self.add_images(&mut result).await;
                CallStart::Replied(self.add_mention(result, &asker).await)
            }
            waits => waits,
        }
    }

    /// Adds images, and a mention of the asker's other undelivered outcomes, to the result of a
    /// call. Await it to its end: the outcome counts as in flight, and dropping the future would
    /// lose it.
    pub(crate) async fn finish_result(&self, mut result: ToolOutcome) -> ToolOutcome {
        self.add_images(&mut result).await;
        match result.missed.take() {
            Some(asker) => Box::pin(self.add_mention(result, &asker)).await,
            None => result,
        }
    }

    /// Adds the images that the person attached, as far as the client accepts them.
    pub(crate) async fn add_images(&self, result: &mut ToolOutcome) {
        if !result.reply.files.is_empty()
            && let Ok(Some(hub)) = self.shared.context.hub_if_running().await
        {
            let client = self.client.get().and_then(Option::as_deref);
            images::fetch(&hub, client, &mut result.reply.files).await;
        }
    }

    /// Adds a mention of the asker's other undelivered outcomes, if there are any.
    async fn add_mention(&self, mut result: ToolOutcome, asker: &Asker) -> ToolOutcome {
        let Ok(Some(hub)) = self.shared.context.hub_if_running().await else {
            return result;
        };
        if let Ok((records, more)) = hub.undelivered(asker).await {
            let offers = |name: &str| {
                let mut tools = self.offer.tools().iter();
                tools.any(|offered| offered.dialect.name() == name)
            };
            // Asking again doesn't continue older asks.
            let within = self.shared.context.config().take_up.as_millis();
            let now = clock::now();
            let is_recent = |record: &Record| u128::from(now.since_ms(record.asked_at)) <= within;
            let missed: Vec<Record> = records
                .into_iter()
                .filter(|record| is_recent(record) && offers(&record.dialect))
                .filter(|record| {
                    !result
                        .delivers
                        .iter()
                        .any(|delivery| delivery.id == record.id)
                })
                .collect();
            let also = ask_dialects::mention(&missed, more);
            let own = result.reply.mention.take();
            let all: Vec<String> = own.into_iter().chain(also).collect();
            result.reply.mention = (!all.is_empty()).then(|| all.join("\n\n"));
        }
        result
    }

    async fn ask(
        &self,
        dialect: &'static dyn Dialect,
        record: Record,
        detached: bool,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<CallStart> {
        let app = self.card(&context);
        if detached {
            let hub = self.shared.hub().await.context(NOT_ASKED)?;
            let opened = hub.open(record.clone()).await;
            opened.context(NOT_ASKED)?;
            if let Some(app) = app {
                app.record_ask(&context.id, &record.id);
            }
            if let Some(offline) = self.shared.offline_mode() {
                self.offer_in_file(&offline, hub, &record).await?;
            }
            return Ok(CallStart::Replied(
                dialect.write(Word::Open(&record)).into(),
            ));
        }
        let progress = self.start_progress(&context, &record).await;
        let hub = self.shared.hub().await.context(NOT_ASKED)?;
        // The cursor is requested first, but not awaited: if the hub hangs, only the ask notices it.
        let watching = async {
            if progress.is_some() {
                self.shared.start_watching().await;
            }
        };
        let mut asked = Box::new(record);
        self.dialogs.record_ask(&asked.id);
        let ((), waiting) = tokio::join!(biased; watching, hub.ask((*asked).clone(), true));
        let waiting = match waiting {
            Err(error) if error.is::<StoreFailed>() && self.shared.offline_mode().is_none() => {
                let offline = self.shared.go_offline(hub, &error).await;
                offline.map_err(|_| error).context(NOT_ASKED)?;
                hub.ask((*asked).clone(), true).await
            }
            waiting => waiting,
        };
        let waiting = waiting.context(NOT_ASKED)?;
        note_ask(waiting.id().unwrap_or(&asked.id));
        debug!("the ask is stored; waiting for the person");
        if let Some(id) = waiting.id().filter(|id| **id != asked.id) {
            asked.id.clone_from(id);
            if let Some(progress) = &progress {
                progress.follow(id);
            }
        }
        let asked_at = asked.asked_at;
        let mut dialog = None;
        if let Some(app) = app {
            // The card replaces a dialog.
            app.record_ask(&context.id, &asked.id);
        } else if self.may_show_dialogs(&context) {
            let opened = self
                .dialogs
                .open(&self.shared, hub, &waiting, asked_at, &context);
            match Box::pin(opened).await {
                Opened::No => {}
                Opened::Request(shown) => dialog = Some(shown),
                Opened::Round(response) => {
                    waiting.leave_for(multi_round::FILLED_IN_WITHIN);
                    return Ok(CallStart::OtherResponse(response));
                }
            }
        }
        if let Some(offline) = self.shared.offline_mode().filter(|_| dialog.is_none()) {
            self.offer_in_file(&offline, hub, &asked).await?;
        }
        if waiting.id().is_some() && self.apps_mode(&context) == Some(Apps::After) {
            waiting.leave_for(self.shared.context.config().take_up);
            return Ok(CallStart::Replied(
                answered_later_reply(dialect, &asked).into(),
            ));
        }
        if waiting.id().is_some() && self.may_return_task(&context) {
            let task = self.create_task(&asked, waiting).into();
            return Ok(CallStart::OtherResponse(Box::new(task)));
        }
        let limit = self.limit(&context);
        let reply = || still_open_reply(dialect, &asked);
        let mut end = self.shared.wait_limit(hub, limit, reply);
        if let Some(end) = end.as_mut().filter(|_| dialog.is_some()) {
            end.pauses_in_dialog = self
                .known_client(&context)
                .is_some_and(|known| known.dialog_pauses);
        }
        if let Some(end) = end.as_mut().filter(|_| app.is_some()) {
            // The card is visible to the person already.
            end.patience = None;
        }
        Ok(CallStart::Waiting(WaitingCall {
            dialect,
            waiting,
            asked_at,
            end,
            is_fetch: false,
            dialog,
            _progress: progress,
        }))
    }

    /// Writes an ask into a file, where the person can find it in offline mode.
    ///
    /// # Errors
    /// The file can't be written. The ask is withdrawn.
    pub(crate) async fn offer_in_file(
        &self,
        offline: &OfflineMode,
        hub: &Hub,
        record: &Record,
    ) -> anyhow::Result<()> {
        let offered = offline.offer_in_file(hub, record).await;
        if offered.is_err() {
            // The error of the write is returned.
            let _ = offline.give_up(hub, record).await;
        }
        offered
            .with_context(|| offline.why().to_owned())
            .context(NOT_ASKED)
    }

    async fn fetch(
        &self,
        dialect: &'static dyn Dialect,
        id: Option<String>,
        wait: Wait,
        asker: &Asker,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<CallStart> {
        let wait = match self.apps_mode(&context) {
            // The client shows its card only after the call has returned, so waiting would block
            // the answer.
            Some(Apps::After) => Wait::No,
            Some(Apps::Beside) | None => wait,
        };
        let hub = self.shared.hub().await?;
        let id = match id {
            Some(id) => id,
            None => {
                let request = Request::Fetch {
                    asker: Box::new(asker.clone()),
                    take: true,
                    or_open: true,
                };
                let (mut records, _) = hub.list(request).await?;
                records.retain(|record| !self.shared.is_written(record));
                // Nothing is undelivered, so the call waits for the newest open ask, whose id the
                // agent may have lost.
                let (open, closed): (Vec<Record>, Vec<Record>) =
                    records.into_iter().partition(Record::is_open);
                if !closed.is_empty() {
                    return Ok(CallStart::Replied(fetched_result(dialect, &closed)));
                }
                let own = |record: &Record| record.dialect == dialect.name();
                let open: Vec<Record> = open.into_iter().filter(own).collect();
                match open.last().filter(|_| wait != Wait::No) {
                    Some(newest) => newest.id.to_string(),
                    None => return Ok(CallStart::Replied(fetched_result(dialect, &open))),
                }
            }
        };
        let found = match hub.get_exact(&id).await? {
            None if dialect.shortens_ids() => hub.try_get_own(&id, asker).await?,
            found => found,
        };
        let Some(record) = found.filter(|record| may_fetch(record, dialect, asker)) else {
            return Ok(CallStart::Replied(
                dialect.write(Word::NoSuchAsk(&id)).into(),
            ));
        };
        let current = fetched_result(dialect, std::slice::from_ref(&record));
        let limit = match wait {
            Wait::No => return Ok(CallStart::Replied(current)),
            _ if !record.is_open() => return Ok(CallStart::Replied(current)),
            Wait::Ms(ms) => Some(Limit::Agent(Duration::from_millis(ms))),
            Wait::Forever => None,
        };
        let limit = match (limit, self.limit(&context)) {
            (Some(agent), client) => Some(agent.shorter(client)),
            (None, client) => client,
        };
        let progress = self.start_progress(&context, &record).await;
        note_ask(&record.id);
        let waiting = hub.wait(record.id.as_str()).await?;
        let end = self.shared.wait_limit(hub, limit, || current.reply);
        Ok(CallStart::Waiting(WaitingCall {
            dialect,
            waiting,
            asked_at: record.asked_at,
            end,
            is_fetch: true,
            dialog: None,
            _progress: progress,
        }))
    }

    /// The MCP result. Its deliveries are acknowledged once it is written.
    pub(crate) fn to_result(&self, id: RequestId, result: ToolOutcome) -> CallToolResult {
        if !result.delivers.is_empty() {
            self.lock_replies().insert(id, result.delivers);
        }
        convert::tool_result(result.reply)
    }

    /// How long the client waits for a call, minus the time that the response takes to arrive.
    /// `None` if it waits for ever.
    pub(crate) fn limit(&self, context: &RequestContext<RoleServer>) -> Option<Limit> {
        let has_token = context.meta.get_progress_token().is_some();
        match strategy(self.known_client(context), has_token, self.transport()) {
            Strategy::Block => None,
            Strategy::ReturnAfter(limit) => Some(Limit::Client(limit)),
        }
    }

    pub(crate) fn transport(&self) -> Transport {
        self.transport.kind()
    }

    /// Whether the client started this process.
    pub(crate) fn is_stdio(&self) -> bool {
        self.transport() == Transport::Stdio
    }

    /// Whether an ask may be shown in this client's own dialog. Over HTTP, any program with the
    /// token is a client and could answer its own ask in a dialog, so the settings have to name the
    /// client.
    fn may_show_dialogs(&self, context: &RequestContext<RoleServer>) -> bool {
        // Answers from a dialog would be refused. This process may have started before the person set
        // that, and without a hub nobody else checks it.
        let now = Config::read(&self.shared.context.home().config_file()).config;
        if now.answers.only_from == AnswersFrom::Devices {
            return false;
        }
        if self.is_stdio() {
            return true;
        }
        let known = self.known_client(context).map(|known| known.key.clone());
        let called = context.client_info().map(|client| client.name);
        let named = &self.shared.context.config().dialogs_over_http;
        let mut names = known.into_iter().chain(called);
        names.any(|name| named.iter().any(|named| named.eq_ignore_ascii_case(&name)))
    }

    pub(crate) fn known_client(&self, context: &RequestContext<RoleServer>) -> Option<&Client> {
        let known = self.client.get_or_init(|| {
            let name = context.client_info().map(|client| client.name);
            let registered = std::env::var(table::LIMIT_VARIABLE).ok();
            let overrides = &self.shared.context.config().clients;
            table::called(&name.unwrap_or_default(), overrides, registered.as_deref()).map(Box::new)
        });
        known.as_deref()
    }

    pub(crate) async fn start_progress(
        &self,
        context: &RequestContext<RoleServer>,
        record: &Record,
    ) -> Option<CallProgress> {
        let token = context.meta.get_progress_token()?;
        let peer = context.peer.clone();
        Some(self.shared.start_progress(peer, token, record).await)
    }

    /// Takes the outcomes of a request whose response was written.
    pub(crate) fn take_written(&self, id: &RequestId) -> Vec<Delivery> {
        self.lock_replies().remove(id).unwrap_or_default()
    }

    /// Acknowledges outcomes that were written to their agent.
    pub(crate) fn acknowledge(
        &self,
        asks: Vec<Delivery>,
    ) -> impl Future<Output = ()> + Send + use<> {
        self.shared.acknowledge(asks)
    }

    /// Returns the outcomes of a cancelled call to the hub, because its response is not written.
    pub(crate) fn return_undelivered(
        &self,
        id: &RequestId,
    ) -> impl Future<Output = ()> + Send + use<> {
        let asks = self.take_written(id);
        let hub = self.shared.context.existing_hub().cloned();
        async move {
            for ask in asks {
                if let Some(hub) = &hub {
                    // Without a hub nothing has to be returned, because a new hub has no delivery
                    // in flight.
                    let _ = hub.not_delivered(&ask.id).await;
                }
            }
        }
    }

    pub(crate) fn asker(
        &self,
        context: &RequestContext<RoleServer>,
        agent: Option<String>,
    ) -> Asker {
        let described = match &self.transport {
            ClientTransport::Stdio => asker::in_current_folder(),
            ClientTransport::Http(window) => {
                let query = caller_query::asker(&context.extensions);
                let instance = query.instance.or_else(|| window.clone());
                Asker { instance, ..query }
            }
        };
        let client = context.client_info();
        let session = ["sessionId", "threadId"].iter().find_map(|key| {
            context
                .meta
                .get(*key)
                .and_then(Json::as_str)
                .map(str::to_owned)
        });
        Asker {
            client: client.as_ref().map(|client| client.name.clone()),
            version: client.map(|client| client.version),
            agent: agent.or(described.agent),
            session: session.or(described.session),
            ..described
        }
    }

    fn lock_replies(&self) -> MutexGuard<'_, HashMap<RequestId, Vec<Delivery>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the ask's id to the log span of the call.
pub(crate) fn note_ask(id: &AskId) {
    Span::current().record("ask", field::display(id));
}

/// Whether a call may fetch this ask: it must have the same dialect and, if known, the same client.
fn may_fetch(record: &Record, dialect: &dyn Dialect, asker: &Asker) -> bool {
    let asked_by = &record.asker.client;
    record.dialect == dialect.name() && (asked_by.is_none() || *asked_by == asker.client)
}
