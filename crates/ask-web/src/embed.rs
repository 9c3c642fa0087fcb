//! The surface of programs (hosts) that show asks to their person. A host receives a message for each
//! open ask, answers it by a message, and receives another one when it is closed elsewhere.

pub mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use ask_config::exit::{Exit, Failure};
use ask_core::{AskId, Json, Problem, Record, Unfinished};
use ask_hub::client::{AskListing, Client, DraftResult, Push, Settled, Waiter};
use ask_hub::streams::{self, Lines};
use ask_protocol::ipc::{Changed, Verdict};
use ask_protocol::jsonl::{self, HostMessage, Kind, ProtocolError, RequestId, Words};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::embed::stream::Out;

/// How long unfinished requests may take after the host is gone. Usually, there are none. After the loss
/// of a hub, a new one has to start.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// The filter of the asks that a host shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// If set, only the ask with this id.
    pub id: Option<AskId>,
    /// The asks of this session.
    pub session: Option<String>,
    /// The asks of agents that work for one of these windows of an app; if empty, of all.
    pub instances: Vec<String>,
    /// The asks from this folder or below.
    pub directory: Option<PathBuf>,
    /// The asks in these dialects; if empty, in all.
    pub dialects: Vec<&'static str>,
}

impl Filter {
    fn matches(&self, record: &Record) -> bool {
        let asker = &record.asker;
        let session = self.session.is_none() || self.session == asker.session;
        let is_listed = |instance: &String| self.instances.contains(instance);
        let window = self.instances.is_empty() || asker.instance.as_ref().is_some_and(is_listed);
        let below = |folder: &PathBuf| {
            let asked_in = asker.directory.as_deref().map(Path::new);
            asked_in.is_some_and(|asked_in| asked_in.starts_with(folder))
        };
        let dialect = self.dialects.is_empty() || self.dialects.contains(&record.dialect.as_str());
        let is_it = self.id.as_ref().is_none_or(|id| *id == record.id);
        is_it && session && window && dialect && self.directory.as_ref().is_none_or(below)
    }
}

/// A host, and what it shows.
pub struct Host {
    /// The surface name of its answers.
    pub name: &'static str,
    /// The format of messages to it.
    pub words: &'static Words,
    /// The asks that it shows.
    pub filter: Filter,
    /// The asks that it still shows from before it was disconnected.
    pub open: BTreeSet<AskId>,
    /// The channel to it.
    pub out: Out,
}

impl Host {
    /// A host that uses JSON lines.
    pub fn for_lines(out: Out, filter: Filter) -> Self {
        Self {
            name: "rpc",
            words: &jsonl::LINES,
            filter,
            open: BTreeSet::new(),
            out,
        }
    }
}

/// Shows open asks until the host's channel closes.
pub async fn run(
    client: Client,
    host: Host,
    mut messages: mpsc::UnboundedReceiver<HostMessage>,
) -> anyhow::Result<()> {
    let subscription = client.subscribe();
    let mut surface = HostSurface::new(client, host);
    let mut tasks: JoinSet<HubReply> = JoinSet::new();
    loop {
        let later = tokio::select! {
            next = messages.recv() => match next {
                Some(message) => surface.handle_message(message).await.later(),
                None => break,
            },
            Some(reply) = tasks.join_next() => {
                surface.handle_reply(reply.context("an answer was not sent")?).await.later()
            }
            push = subscription.next() => {
                surface.handle_push(push).await?;
                None
            }
        };
        if let Some(later) = later {
            tasks.spawn(later);
        }
    }
    // Unfinished work is completed before the host is released.
    while let Some(reply) = tasks.join_next().await {
        let reply = reply.context("an answer was not sent")?;
        if let Some(later) = surface.handle_reply(reply).await.later() {
            tasks.spawn(later);
        }
    }
    Ok(())
}

/// Reads lines from standard input.
pub fn read_stdin() -> Lines {
    Lines::new(streams::stdin(), jsonl::MAX_LINE_BYTES + 1)
}

/// Shows one ask until it is closed on any surface, and returns its record. `None` if the host is
/// gone and the ask is still open.
pub async fn show_one(
    client: &Client,
    out: Out,
    record: &Record,
    mut waiting: Waiter,
    lines: &mut Lines,
) -> anyhow::Result<Option<Record>> {
    let filter = Filter {
        id: Some(record.id.clone()),
        ..Filter::default()
    };
    let mut surface = HostSurface::new(client.clone(), Host::for_lines(out, filter));
    surface.send_request(record).await;
    loop {
        let line = tokio::select! {
            biased;
            ended = waiting.outcome() => return Ok(Some(ended?.record)),
            line = lines.next() => line,
        };
        let Ok(Some(line)) = line else {
            let record = client.get(record.id.as_str()).await?;
            return Ok((!record.is_open()).then_some(record));
        };
        match jsonl::read(&line.bytes, line.length) {
            Ok(None) => {}
            Ok(Some(message)) => {
                let mut step = surface.handle_message(message).await;
                while let Step::Later(later) = step {
                    step = surface.handle_reply(later.await).await;
                }
                if let Step::Closed(closed) = step {
                    return Ok(Some(*closed));
                }
            }
            Err(error) => surface.send_error(&error).await,
        }
    }
}

/// The result of a host's message.
enum Step {
    /// There is nothing left to do.
    Done,
    /// It closed this ask.
    Closed(Box<Record>),
    /// It sent a request to the hub, whose reply goes to [`HostSurface::handle_reply`].
    Later(Later),
}

type Later = Pin<Box<dyn Future<Output = HubReply> + Send>>;

/// The hub's reply to a request.
enum HubReply {
    /// The ask of a message was looked up.
    Found(HostMessage, anyhow::Result<Option<Record>>),
    /// The result of an answer.
    Settled(RequestId, AskId, anyhow::Result<Settled>),
    /// Whether a draft or mark was stored.
    Stored(RequestId, anyhow::Result<()>),
}

impl Step {
    fn later(self) -> Option<Later> {
        match self {
            Self::Later(later) => Some(later),
            Self::Done | Self::Closed(_) => None,
        }
    }
}

/// The surface of one host.
struct HostSurface {
    client: Client,
    host: Host,
    /// The asks that were sent and not closed since.
    open: BTreeSet<AskId>,
    /// The open asks that pass the filter.
    waiting: BTreeMap<AskId, Arc<Record>>,
    /// The asks that the host has answered, until the hub replies.
    answering: BTreeSet<AskId>,
}

impl HostSurface {
    fn new(client: Client, mut host: Host) -> Self {
        let open = std::mem::take(&mut host.open);
        Self {
            client,
            host,
            open,
            waiting: BTreeMap::new(),
            answering: BTreeSet::new(),
        }
    }

    /// Handles a push of the hub.
    async fn handle_push(&mut self, push: Push) -> anyhow::Result<()> {
        match push {
            Push::All(listing) => self.list(listing).await,
            Push::Changed(changes) => {
                for change in changes {
                    match &change.what {
                        Changed::Record(record) => self.update(record).await,
                        Changed::Gone(id) => {
                            self.waiting.remove(id);
                            self.close(id, None, false).await;
                        }
                        Changed::Day | Changed::Pairing => {}
                    }
                }
                Ok(())
            }
        }
    }

    /// Sends open asks that weren't sent yet, and reports those that were closed since.
    async fn list(&mut self, listing: AskListing) -> anyhow::Result<()> {
        self.waiting.clear();
        let listed: BTreeSet<AskId> = listing.records.iter().map(|one| one.id.clone()).collect();
        for record in listing.records {
            self.update(&Arc::new(record)).await;
        }
        let missing: Vec<AskId> = self.open.difference(&listed).cloned().collect();
        for id in missing {
            match self.client.get_exact(id.as_str()).await? {
                Some(record) => self.update(&Arc::new(record)).await,
                None => self.close(&id, None, false).await,
            }
        }
        Ok(())
    }

    /// Shows a new ask, or reports the end of a closed one.
    async fn update(&mut self, record: &Arc<Record>) {
        if !record.is_open() {
            self.waiting.remove(&record.id);
            // Otherwise, the hub's reply tells whose answer was accepted.
            if !self.answering.contains(&record.id) {
                self.close(&record.id, Some(record), false).await;
            }
        } else if self.host.filter.matches(record) {
            self.waiting.insert(record.id.clone(), Arc::clone(record));
            if self.open.insert(record.id.clone()) {
                self.send_request(record).await;
            }
        }
    }

    async fn send_request(&self, record: &Record) {
        self.host.out.write((self.host.words.request)(record)).await;
    }

    /// Reports the end of an ask, once.
    async fn close(&mut self, id: &AskId, record: Option<&Record>, by_this_host: bool) {
        if self.open.remove(id) {
            let message = (self.host.words.closed)(id, record, by_this_host);
            self.host.out.write(message).await;
        }
    }

    /// Handles a message of the host. Requests to the hub are sent at once, in the order of the
    /// messages. No later message waits for the replies.
    async fn handle_message(&mut self, message: HostMessage) -> Step {
        let request = match &message {
            HostMessage::Respond { request, .. }
            | HostMessage::Draft { request, .. }
            | HostMessage::Shown { request } => request,
            HostMessage::Ask { request, .. }
            | HostMessage::Withdraw { request }
            | HostMessage::Leave { request }
            | HostMessage::Fetch { request } => {
                let problem = "this surface accepts only a person's responses to asks";
                let error = ProtocolError::for_request(request, Kind::Malformed, problem);
                let error = error.mend("to ask, use `ask-user rpc`");
                return self.reject(&error).await;
            }
            HostMessage::Hello(_) => return Step::Done,
        };
        let id = request.text().to_owned();
        let known = AskId::parse(&id).and_then(|id| self.waiting.get(&id).cloned());
        match known {
            Some(record) => self.handle_known(message, &record).await,
            None => {
                let client = self.client.clone();
                Step::Later(Box::pin(async move {
                    let found = match id.as_str() {
                        "" => Ok(None),
                        id => client.get_exact(id).await,
                    };
                    HubReply::Found(message, found)
                }))
            }
        }
    }

    /// Handles a message about a known ask.
    async fn handle_known(&mut self, message: HostMessage, record: &Record) -> Step {
        match message {
            HostMessage::Respond { request, response } => {
                self.respond(request, &response, record).await
            }
            HostMessage::Draft { request, response } => {
                let draft = match jsonl::read_draft(&record.ask, &response) {
                    Ok(draft) => draft,
                    Err(problem) => {
                        return self.reject(&malformed_response(&request, &problem)).await;
                    }
                };
                let saved = self.client.save_draft(&record.id, &draft, self.host.name);
                Step::Later(Box::pin(async move {
                    let saved = saved.await.and_then(DraftResult::require_kept);
                    HubReply::Stored(request, saved)
                }))
            }
            HostMessage::Shown { request } => {
                let stored = self.client.shown(&record.id, self.host.name);
                Step::Later(Box::pin(
                    async move { HubReply::Stored(request, stored.await) },
                ))
            }
            HostMessage::Ask { .. }
            | HostMessage::Withdraw { .. }
            | HostMessage::Leave { .. }
            | HostMessage::Fetch { .. }
            | HostMessage::Hello(_) => Step::Done,
        }
    }

    async fn respond(&mut self, request: RequestId, response: &Json, record: &Record) -> Step {
        if !record.is_open() {
            self.close(&record.id, Some(record), false).await;
            return self.reject(&already_closed(&request, record)).await;
        }
        let verdict = match jsonl::read_verdict(&record.ask, response) {
            Ok(verdict) => verdict,
            Err(problem) => return self.reject(&malformed_response(&request, &problem)).await,
        };
        if let Verdict::Answer { draft, gaps } = &verdict
            && let Err(unfinished) = draft.clone().finish(&record.ask, *gaps)
        {
            let error = incomplete_answer(self.host.words, &request, record, &unfinished);
            return self.reject(&error).await;
        }
        let id = record.id.clone();
        self.answering.insert(id.clone());
        let settled = self.client.settle(&id, verdict, self.host.name);
        Step::Later(Box::pin(async move {
            HubReply::Settled(request, id, settled.await)
        }))
    }

    /// Continues after the hub's reply.
    async fn handle_reply(&mut self, reply: HubReply) -> Step {
        match reply {
            HubReply::Found(message, found) => self.handle_found(message, found).await,
            HubReply::Settled(request, id, settled) => {
                self.answering.remove(&id);
                match settled {
                    Ok(Settled::Won(record)) => {
                        self.close(&record.id, Some(&record), true).await;
                        Step::Closed(Box::new(record))
                    }
                    Ok(Settled::Lost(record)) => {
                        self.close(&record.id, Some(&record), false).await;
                        self.send_error(&already_closed(&request, &record)).await;
                        Step::Closed(Box::new(record))
                    }
                    Err(error) => self.reject(&request_failed(&request, &error)).await,
                }
            }
            HubReply::Stored(_, Ok(())) => Step::Done,
            HubReply::Stored(request, Err(error)) => {
                self.reject(&request_failed(&request, &error)).await
            }
        }
    }

    /// Handles a message about an ask that had to be looked up.
    async fn handle_found(
        &mut self,
        message: HostMessage,
        found: anyhow::Result<Option<Record>>,
    ) -> Step {
        let (HostMessage::Respond { request, .. }
        | HostMessage::Draft { request, .. }
        | HostMessage::Shown { request }) = &message
        else {
            return Step::Done;
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return self.reject(&request_failed(request, &error)).await,
        };
        // An ask outside of the filter is shown by another host and answered there.
        match found.filter(|record| self.host.filter.matches(record)) {
            Some(record) => self.handle_known(message, &record).await,
            None => {
                let problem = format!("this surface shows no ask with the id {}", request.key());
                let error = ProtocolError::for_request(request, Kind::Unknown, problem);
                let error = error.mend("send the requestId as you received it in ask_user_request");
                self.reject(&error).await
            }
        }
    }

    async fn reject(&self, error: &ProtocolError) -> Step {
        self.send_error(error).await;
        Step::Done
    }

    async fn send_error(&self, error: &ProtocolError) {
        self.host.out.write((self.host.words.mistake)(error)).await;
    }
}

/// The error for a response to an ask that was closed before.
fn already_closed(request: &RequestId, record: &Record) -> ProtocolError {
    let state = record.state_word();
    let problem = match record.settlement() {
        Some(settlement) => format!(
            "the ask was closed before: {state} on {}",
            settlement.place()
        ),
        None => format!("the ask is {state}"),
    };
    ProtocolError::for_request(request, Kind::Closed, problem).mend("nothing of yours was sent")
}

/// The error for a response that can't be parsed.
fn malformed_response(request: &RequestId, problem: &Problem) -> ProtocolError {
    ProtocolError::for_request(request, Kind::Malformed, problem.to_string()).mend(
        "send \"answers\": a list in the order of the questions; or \"cancelled\": true; or \"clarify\": \"what the person wants to know\". The ask still waits",
    )
}

/// The error for an answer that leaves questions out, or doesn't fit them.
fn incomplete_answer(
    words: &Words,
    request: &RequestId,
    record: &Record,
    unfinished: &Unfinished,
) -> ProtocolError {
    let hint = match unfinished {
        Unfinished::Missing(missing) => {
            let names: Vec<String> = missing
                .iter()
                .map(|&index| {
                    let name = record.ask.questions[index].name();
                    format!("{} ({name})", index + 1)
                })
                .collect();
            format!("without an answer: {}; {}", names.join(", "), words.gaps)
        }
        Unfinished::Empty => words.empty.to_owned(),
        Unfinished::OneOnly(_) => "keep one; the rest can be said in own words".to_owned(),
        Unfinished::Torn(_) => "keep the choices, or that none fits".to_owned(),
        Unfinished::TooManyFiles(_) => "attach fewer".to_owned(),
        Unfinished::TooMany { .. } | Unfinished::NoSuchChoice { .. } => {
            "answer in the order of the questions, with labels of their options".to_owned()
        }
    };
    let problem = unfinished.to_string();
    ProtocolError::for_request(request, Kind::Unfinished, problem)
        .mend(format!("{hint}. The ask still waits"))
}

/// The error of a failed request: refused by the hub, or without a hub.
fn request_failed(request: &RequestId, error: &anyhow::Error) -> ProtocolError {
    let failure = error.downcast_ref::<Failure>();
    if failure.is_some_and(|failure| failure.exit == Exit::Failure) {
        return ProtocolError::for_request(request, Kind::Refused, format!("{error:#}"))
            .mend("the ask still waits: the person answers it on another surface");
    }
    ProtocolError::for_request(request, Kind::Hub, format!("{error:#}"))
        .mend("it is not known whether this was received: send it again, which does no harm")
}
