//! The course of a tool call: parsed by its dialect, opened at the hub, waited for, answered. A
//! call is only a waiter: when it ends early, the ask stays open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_clients::labels::Apps;
use ask_clients::strategy::{Strategy, Transport, strategy};
use ask_clients::{Client, table};
use ask_config::config::AnswersFrom;
use ask_config::{asker, clock};
use ask_core::{AskId, Asker, Json, Record, Refusal, json, lifecycle};
use ask_dialects::{Call, Dialect, Setting, Wait, Word};
use ask_hub::client::{CannotKeep, Client as Hub, Delivery};
use ask_protocol::ipc::{CallFailure, Request};
use rmcp::model::{CallToolResult, RequestId};
use rmcp::service::{RequestContext, RoleServer};
use tracing::{Span, debug, field};

use super::apps::App;
use super::context::Shared;
use super::elicitation::multi_round::{self, Round, retry};
use super::elicitation::{Dialogs, Opened};
use super::keepalive::ProgressTicker;
use super::offline::{INSTEAD, OfflineMode};
use super::outcome::{
    CallStart, Limit, NOT_ASKED, ToolOutcome, Waits, answered_afterwards, failed, fetched,
    still_waits,
};
use super::{Offer, Offered, caller_query, convert, default_limit, images};

/// The state of one client's conversation.
pub struct Conversation {
    pub shared: Arc<Shared>,
    pub offer: Arc<Offer>,
    pub dialogs: Dialogs,
    /// The card in the client's chat, created on first use.
    pub app: OnceLock<App>,
    place: Place,
    /// What is known of the client, looked up by its first call.
    client: OnceLock<Option<Box<Client>>>,
    /// Outcomes that count as delivered once the response to this request is written.
    replies: Mutex<HashMap<RequestId, Vec<Delivery>>>,
}

/// Where the client runs, which the protocol doesn't say.
pub enum Place {
    /// The client started this process and shares its directory.
    Here,
    /// The client connected over HTTP from anywhere on this machine. The URL's query may describe
    /// it. The value is the window id that applies where the query names none.
    Url(Option<String>),
}

impl Conversation {
    /// A conversation without calls.
    pub fn new(shared: Arc<Shared>, offer: Arc<Offer>, place: Place) -> Self {
        Self {
            shared,
            offer,
            dialogs: Dialogs::default(),
            app: OnceLock::new(),
            place,
            client: OnceLock::new(),
            replies: Mutex::default(),
        }
    }

    /// Parses a call and opens its ask, or finds the ask that it wants to fetch.
    pub async fn begin(
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
            random: clock::random(),
        };
        let call = match json::check_size(arguments) {
            Ok(()) => dialect.read(offered.tool.name, arguments, &setting),
            Err(problem) => Err(Refusal::from(problem)),
        };
        let who = self.asker(&context, None);
        self.known(&context);
        if let Some(app) = self.card(&context) {
            app.called(&context.id, arguments);
        }
        let begun = match call {
            Err(refusal) => {
                self.shared.context.note_failed(CallFailure::InvalidCall);
                Ok(CallStart::Replied(
                    dialect.write(Word::Refused(&refusal)).into(),
                ))
            }
            Ok(Call::Ask {
                ask,
                agent,
                detached,
            }) => {
                let agent = agent.or_else(|| who.agent.clone());
                let who = Asker {
                    agent,
                    ..who.clone()
                };
                let id = dialect.id(clock::random());
                let record = lifecycle::open(id, dialect.name(), *ask, who, clock::now());
                match round {
                    // Who may be shown no dialog brings no answer from one either.
                    Some(_) if !self.may_show_dialogs(&context) => Ok(retry::foreign(dialect)),
                    Some(round) => self.resume(dialect, &record, &round, &context).await,
                    None => {
                        let asked = self.ask(dialect, record, detached, context).await;
                        asked.map_err(|error| anyhow::anyhow!("{error:#}\n{INSTEAD}"))
                    }
                }
            }
            Ok(Call::Fetch { .. }) if round.is_some() => Ok(retry::foreign(dialect)),
            Ok(Call::Fetch { id, wait }) => self.fetch(dialect, id, wait, &who, context).await,
        };
        match begun.unwrap_or_else(|error| CallStart::Replied(failed(dialect, &error))) {
            CallStart::Replied(mut told) => {
                self.illustrate(&mut told).await;
                CallStart::Replied(self.with_mention(told, &who).await)
            }
            waits => waits,
        }
    }

    /// Adds a mention of the asker's other undelivered outcomes to the result of a call. The
    /// outcome already counts as on its way, so dropping this future half-way would lose it: await
    /// it to its end.
    pub async fn mentioned(&self, mut told: ToolOutcome) -> ToolOutcome {
        self.illustrate(&mut told).await;
        match told.missed.take() {
            Some(who) => Box::pin(self.with_mention(told, &who)).await,
            None => told,
        }
    }

    /// Adds the images that the person attached, as far as the client accepts them.
    pub async fn illustrate(&self, told: &mut ToolOutcome) {
        if !told.reply.files.is_empty()
            && let Ok(Some(hub)) = self.shared.context.hub_if_any().await
        {
            let client = self.client.get().and_then(Option::as_deref);
            images::fetch(&hub, client, &mut told.reply.files).await;
        }
    }

    /// Adds a mention of the asker's other undelivered outcomes, if there are any.
    async fn with_mention(&self, mut told: ToolOutcome, who: &Asker) -> ToolOutcome {
        let Ok(Some(hub)) = self.shared.context.hub_if_any().await else {
            return told;
        };
        if let Ok((records, more)) = hub.undelivered(who).await {
            let offers = |name: &str| {
                let mut tools = self.offer.tools().iter();
                tools.any(|offered| offered.dialect.name() == name)
            };
            // Asking again doesn't continue older asks.
            let within = self.shared.context.config().take_up.as_millis();
            let now = clock::now();
            let recent = |record: &Record| u128::from(now.since_ms(record.asked_at)) <= within;
            let missed: Vec<Record> = records
                .into_iter()
                .filter(|record| recent(record) && offers(&record.dialect))
                .filter(|record| !told.delivers.iter().any(|told| told.id == record.id))
                .collect();
            let also = ask_dialects::mention(&missed, more);
            let own = told.reply.mention.take();
            let all: Vec<String> = own.into_iter().chain(also).collect();
            told.reply.mention = (!all.is_empty()).then(|| all.join("\n\n"));
        }
        told
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
                app.asks(&context.id, &record.id);
            }
            if let Some(alone) = self.shared.offline_mode() {
                self.offer(&alone, hub, &record).await?;
            }
            return Ok(CallStart::Replied(
                dialect.write(Word::Open(&record)).into(),
            ));
        }
        let beat = self.beat(&context, &record).await;
        let hub = self.shared.hub().await.context(NOT_ASKED)?;
        if beat.is_some() {
            self.shared.listen().await;
        }
        let mut asked = Box::new(record);
        self.dialogs.opened(&asked.id);
        let waiting = match hub.ask((*asked).clone(), true).await {
            Err(error) if error.is::<CannotKeep>() && self.shared.offline_mode().is_none() => {
                let without = self.shared.go_offline(hub, &error).await;
                without.map_err(|_| error).context(NOT_ASKED)?;
                hub.ask((*asked).clone(), true).await
            }
            waiting => waiting,
        };
        let waiting = waiting.context(NOT_ASKED)?;
        note_ask(waiting.id().unwrap_or(&asked.id));
        debug!("the ask is kept; waiting for the person");
        if let Some(id) = waiting.id().filter(|id| **id != asked.id) {
            asked.id.clone_from(id);
            if let Some(beat) = &beat {
                beat.follow(id);
            }
        }
        let at = asked.asked_at;
        let mut dialog = None;
        if let Some(app) = app {
            // The card is enough: no dialog besides.
            app.asks(&context.id, &asked.id);
        } else if self.may_show_dialogs(&context) {
            let opened = self.dialogs.open(&self.shared, hub, &waiting, at, &context);
            match Box::pin(opened).await {
                Opened::No => {}
                Opened::Request(shown) => dialog = Some(shown),
                Opened::Round(wish) => {
                    waiting.leave_for(multi_round::FILLED_IN_WITHIN);
                    return Ok(CallStart::Otherwise(wish));
                }
            }
        }
        if let Some(alone) = self.shared.offline_mode().filter(|_| dialog.is_none()) {
            self.offer(&alone, hub, &asked).await?;
        }
        if waiting.id().is_some() && self.apps(&context) == Some(Apps::After) {
            waiting.leave_for(self.shared.context.config().take_up);
            return Ok(CallStart::Replied(
                answered_afterwards(dialect, &asked).into(),
            ));
        }
        if waiting.id().is_some() && self.gives_tasks(&context) {
            let task = self.task(&asked, waiting).into();
            return Ok(CallStart::Otherwise(Box::new(task)));
        }
        let limit = self.limit(&context);
        let says = || still_waits(dialect, &asked);
        let mut end = self.shared.end(hub, limit, says);
        if let Some(end) = end.as_mut().filter(|_| dialog.is_some()) {
            end.pauses = self
                .known(&context)
                .is_some_and(|known| known.dialog_pauses);
        }
        if let Some(end) = end.as_mut().filter(|_| app.is_some()) {
            // The card is visible to the person already.
            end.patience = None;
        }
        Ok(CallStart::Waits(Waits {
            dialect,
            waiting,
            asked_at: at,
            end,
            is_fetch: false,
            dialog,
            _beat: beat,
        }))
    }

    /// Writes an ask into a file where the person can find it while there is no hub. If that fails,
    /// the ask is withdrawn and the call fails.
    pub async fn offer(
        &self,
        alone: &OfflineMode,
        hub: &Hub,
        record: &Record,
    ) -> anyhow::Result<()> {
        let offered = alone.offer(hub, record).await;
        if offered.is_err() {
            // The write failed already, and that error is returned.
            let _ = alone.give_up(hub, record).await;
        }
        offered
            .with_context(|| alone.why().to_owned())
            .context(NOT_ASKED)
    }

    async fn fetch(
        &self,
        dialect: &'static dyn Dialect,
        id: Option<String>,
        wait: Wait,
        who: &Asker,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<CallStart> {
        let wait = match self.apps(&context) {
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
                    asker: Box::new(who.clone()),
                    take: true,
                    or_open: true,
                };
                let (mut records, _) = hub.list(request).await?;
                records.retain(|record| !self.shared.is_written(record));
                // Nothing is undelivered, so the call waits for the newest open ask, whose id the
                // agent may have lost.
                let (open, over): (Vec<Record>, Vec<Record>) =
                    records.into_iter().partition(Record::is_open);
                if !over.is_empty() {
                    return Ok(CallStart::Replied(fetched(dialect, &over)));
                }
                let own = |record: &Record| record.dialect == dialect.name();
                let open: Vec<Record> = open.into_iter().filter(own).collect();
                match open.last().filter(|_| wait != Wait::No) {
                    Some(newest) => newest.id.to_string(),
                    None => return Ok(CallStart::Replied(fetched(dialect, &open))),
                }
            }
        };
        let found = match hub.named(&id).await? {
            None if dialect.shortens_ids() => hub.own(&id, who).await?,
            found => found,
        };
        let Some(record) = found.filter(|record| is_of(record, dialect, who)) else {
            return Ok(CallStart::Replied(
                dialect.write(Word::NoSuchAsk(&id)).into(),
            ));
        };
        let so_far = fetched(dialect, std::slice::from_ref(&record));
        let limit = match wait {
            Wait::No => return Ok(CallStart::Replied(so_far)),
            _ if !record.is_open() => return Ok(CallStart::Replied(so_far)),
            Wait::Ms(ms) => Some(Limit::Agents(Duration::from_millis(ms))),
            Wait::Forever => None,
        };
        let limit = match (limit, self.limit(&context)) {
            (Some(agents), clients) => Some(agents.sooner(clients)),
            (None, clients) => clients,
        };
        let beat = self.beat(&context, &record).await;
        note_ask(&record.id);
        let waiting = hub.wait(record.id.as_str()).await?;
        let end = self.shared.end(hub, limit, || so_far.reply);
        Ok(CallStart::Waits(Waits {
            dialect,
            waiting,
            asked_at: record.asked_at,
            end,
            is_fetch: true,
            dialog: None,
            _beat: beat,
        }))
    }

    /// The MCP result. Its deliveries are acknowledged once it is written.
    pub fn tell(&self, id: RequestId, told: ToolOutcome) -> CallToolResult {
        if !told.delivers.is_empty() {
            self.replies().insert(id, told.delivers);
        }
        convert::tool_result(told.reply)
    }

    /// How long the client waits for a call, less the time for the response to arrive. `None` if it
    /// waits for ever.
    pub fn limit(&self, context: &RequestContext<RoleServer>) -> Option<Limit> {
        let has_token = context.meta.get_progress_token().is_some();
        let transport = match self.place {
            Place::Here => Transport::Stdio,
            Place::Url(_) => Transport::Http,
        };
        match strategy(self.known(context), has_token, transport) {
            Strategy::Block => None,
            Strategy::ReturnAfter(limit) => Some(Limit::Clients(limit)),
        }
    }

    /// Whether the client started this process.
    pub fn is_here(&self) -> bool {
        match self.place {
            Place::Here => true,
            Place::Url(_) => false,
        }
    }

    /// Whether an ask may be shown in this client's own dialog. Over HTTP anybody with the token is
    /// a client and could answer its own ask in a dialog, so the settings have to name it.
    fn may_show_dialogs(&self, context: &RequestContext<RoleServer>) -> bool {
        let config = self.shared.context.config();
        // Answers from a dialog would be refused.
        if config.answers.only_from == AnswersFrom::Devices {
            return false;
        }
        if self.is_here() {
            return true;
        }
        let known = self.known(context).map(|known| known.key.clone());
        let called = context.client_info().map(|client| client.name);
        let named = &config.dialogs_over_http;
        let mut is_called = known.into_iter().chain(called);
        is_called.any(|name| named.iter().any(|named| named.eq_ignore_ascii_case(&name)))
    }

    pub fn known(&self, context: &RequestContext<RoleServer>) -> Option<&Client> {
        let known = self.client.get_or_init(|| {
            let name = context.client_info().map(|client| client.name);
            let registered = std::env::var(table::LIMIT_VARIABLE).ok();
            let overrides = &self.shared.context.config().clients;
            table::called(&name.unwrap_or_default(), overrides, registered.as_deref()).map(Box::new)
        });
        known.as_deref()
    }

    pub async fn beat(
        &self,
        context: &RequestContext<RoleServer>,
        record: &Record,
    ) -> Option<ProgressTicker> {
        let token = context.meta.get_progress_token()?;
        let peer = context.peer.clone();
        Some(self.shared.start_progress(peer, token, record).await)
    }

    /// The response to a request was written. Returns its outcomes, which no other caller receives
    /// from now on.
    pub fn written(&self, id: &RequestId) -> Vec<Delivery> {
        self.replies().remove(id).unwrap_or_default()
    }

    /// Acknowledges outcomes that were written to their agent.
    pub fn delivered(&self, asks: Vec<Delivery>) -> impl Future<Output = ()> + Send + use<> {
        self.shared.delivered(asks)
    }

    /// The agent cancelled a call. Outcomes in its response are returned to the hub, because the
    /// response is not written.
    pub fn cancelled(&self, id: &RequestId) -> impl Future<Output = ()> + Send + use<> {
        let asks = self.written(id);
        let hub = self.shared.context.known_hub().cloned();
        async move {
            for ask in asks {
                if let Some(hub) = &hub {
                    // Without a hub there is nothing to return them to: a new hub has no delivery
                    // in flight.
                    let _ = hub.not_delivered(&ask.id).await;
                }
            }
        }
    }

    pub fn asker(&self, context: &RequestContext<RoleServer>, agent: Option<String>) -> Asker {
        let here = match &self.place {
            Place::Here => asker::in_current_folder(),
            Place::Url(window) => {
                let said = caller_query::asker(&context.extensions);
                let instance = said.instance.or_else(|| window.clone());
                Asker { instance, ..said }
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
            agent: agent.or(here.agent),
            session: session.or(here.session),
            ..here
        }
    }

    fn replies(&self) -> MutexGuard<'_, HashMap<RequestId, Vec<Delivery>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the ask's id to the log span of the call.
pub(crate) fn note_ask(id: &AskId) {
    Span::current().record("ask", field::display(id));
}

/// Whether a call may fetch this ask: it must have the same dialect and, where known, the same
/// client.
fn is_of(record: &Record, dialect: &dyn Dialect, who: &Asker) -> bool {
    let asked_by = &record.asker.client;
    record.dialect == dialect.name() && (asked_by.is_none() || *asked_by == who.client)
}
