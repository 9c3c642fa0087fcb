//! The surface of programs that show asks to their person. Each open ask is sent to them as a
//! message, their messages answer it, and they are told when it is closed elsewhere.

pub mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use ask_config::exit::{Exit, Failure};
use ask_core::{AskId, Json, Problem, Record, Unfinished};
use ask_hub::client::{AskListing, Client, Push, Settled, Waiter};
use ask_hub::streams::{self, Lines};
use ask_protocol::ipc::{Changed, Verdict};
use ask_protocol::jsonl::{self, HostMessage, Kind, ProtocolError, RequestId, Words};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::embed::stream::Out;

/// How long the process stays for unfinished work when its host is gone: most often no time at all,
/// but enough for a new hub after the loss of one.
pub const LAST_WORDS: Duration = Duration::from_secs(10);

/// The filter of the asks that a host shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The asks of this session.
    pub session: Option<String>,
    /// The asks of agents that work for one of these windows of an app; if empty, of all.
    pub instances: Vec<String>,
    /// The asks from this folder or below.
    pub directory: Option<PathBuf>,
}

impl Filter {
    fn takes(&self, record: &Record) -> bool {
        let asker = &record.asker;
        let session = self.session.is_none() || self.session == asker.session;
        let named = |instance: &String| self.instances.contains(instance);
        let window = self.instances.is_empty() || asker.instance.as_ref().is_some_and(named);
        let below = |folder: &PathBuf| {
            let asked_in = asker.directory.as_deref().map(Path::new);
            asked_in.is_some_and(|asked_in| asked_in.starts_with(folder))
        };
        session && window && self.directory.as_ref().is_none_or(below)
    }
}

/// A host, as this surface knows it.
pub struct Host {
    /// The surface name of its answers.
    pub name: &'static str,
    /// The format of messages to it.
    pub words: &'static Words,
    /// The asks that it shows.
    pub filter: Filter,
    /// The asks that it shows since before it was disconnected.
    pub open: BTreeSet<AskId>,
    /// The channel to it.
    pub out: Out,
}

impl Host {
    /// A host that uses JSON lines.
    pub fn of_lines(out: Out, filter: Filter) -> Self {
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
    mut said: mpsc::UnboundedReceiver<HostMessage>,
) -> anyhow::Result<()> {
    let subscription = client.subscribe();
    let mut showing = Showing::new(client, host);
    let mut tasks: JoinSet<Outcome> = JoinSet::new();
    loop {
        let later = tokio::select! {
            next = said.recv() => match next {
                Some(said) => showing.hear(said).await.later(),
                None => break,
            },
            Some(outcome) = tasks.join_next() => {
                showing.finish(outcome.context("an answer was not sent")?).await.later()
            }
            news = subscription.next() => {
                showing.learn(news).await?;
                None
            }
        };
        if let Some(later) = later {
            tasks.spawn(later);
        }
    }
    // Unfinished work is completed before the host is released.
    while let Some(outcome) = tasks.join_next().await {
        let outcome = outcome.context("an answer was not sent")?;
        if let Some(later) = showing.finish(outcome).await.later() {
            tasks.spawn(later);
        }
    }
    Ok(())
}

/// The lines of standard input.
pub fn lines() -> Lines {
    Lines::new(streams::stdin(), jsonl::MAX_LINE_BYTES + 1)
}

/// Shows one ask until it is closed on any surface, and returns its record. `None` if the host is
/// gone and the ask is still open.
pub async fn one(
    client: &Client,
    out: Out,
    record: &Record,
    mut waiting: Waiter,
    lines: &mut Lines,
) -> anyhow::Result<Option<Record>> {
    let mut showing = Showing::new(client.clone(), Host::of_lines(out, Filter::default()));
    showing.request(record).await;
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
            Ok(Some(said)) => {
                let mut step = showing.hear(said).await;
                while let Step::Later(later) = step {
                    step = showing.finish(later.await).await;
                }
                if let Step::Closed(closed) = step {
                    return Ok(Some(*closed));
                }
            }
            Err(mistake) => showing.complain(&mistake).await,
        }
    }
}

/// The result of a host's message.
enum Step {
    /// It is finished.
    Done,
    /// It closed this ask.
    Closed(Box<Record>),
    /// It sent a request to the hub, whose response goes to [`Showing::finish`].
    Later(Later),
}

type Later = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// The hub's response to a request.
enum Outcome {
    /// The ask of a message was looked up.
    Found(HostMessage, anyhow::Result<Option<Record>>),
    /// The result of an answer.
    Settled(RequestId, AskId, anyhow::Result<Settled>),
    /// Whether a draft or mark was stored.
    Noted(RequestId, anyhow::Result<()>),
}

impl Step {
    fn later(self) -> Option<Later> {
        match self {
            Self::Later(later) => Some(later),
            Self::Done | Self::Closed(_) => None,
        }
    }
}

/// The state of a host's surface.
struct Showing {
    client: Client,
    host: Host,
    /// The asks that were sent and not closed since.
    open: BTreeSet<AskId>,
    /// The open asks that pass the filter.
    waiting: BTreeMap<AskId, Arc<Record>>,
    /// The asks that the host has answered, until the hub responds.
    answering: BTreeSet<AskId>,
}

impl Showing {
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
    async fn learn(&mut self, news: Push) -> anyhow::Result<()> {
        match news {
            Push::All(listing) => self.list(listing).await,
            Push::Changed(changes) => {
                for change in changes {
                    match &change.what {
                        Changed::Record(record) => self.look(record).await,
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
            self.look(&Arc::new(record)).await;
        }
        let missing: Vec<AskId> = self.open.difference(&listed).cloned().collect();
        for id in missing {
            match self.client.get_exact(id.as_str()).await? {
                Some(record) => self.look(&Arc::new(record)).await,
                None => self.close(&id, None, false).await,
            }
        }
        Ok(())
    }

    async fn look(&mut self, record: &Arc<Record>) {
        if !record.is_open() {
            self.waiting.remove(&record.id);
            // The hub's own response says whose answer it was.
            if !self.answering.contains(&record.id) {
                self.close(&record.id, Some(record), false).await;
            }
        } else if self.host.filter.takes(record) {
            self.waiting.insert(record.id.clone(), Arc::clone(record));
            if self.open.insert(record.id.clone()) {
                self.request(record).await;
            }
        }
    }

    async fn request(&self, record: &Record) {
        self.host.out.say((self.host.words.request)(record)).await;
    }

    /// Reports the end of an ask, once.
    async fn close(&mut self, id: &AskId, record: Option<&Record>, by_this_host: bool) {
        if self.open.remove(id) {
            let said = (self.host.words.closed)(id, record, by_this_host);
            self.host.out.say(said).await;
        }
    }

    /// Handles a message of the host. Requests to the hub are sent at once, in the order of the
    /// messages; nothing waits for the response.
    async fn hear(&mut self, said: HostMessage) -> Step {
        let request = match &said {
            HostMessage::Respond { request, .. }
            | HostMessage::Draft { request, .. }
            | HostMessage::Shown { request } => request,
            HostMessage::Ask { request, .. }
            | HostMessage::Withdraw { request }
            | HostMessage::Leave { request }
            | HostMessage::Fetch { request } => {
                let problem = "only what a person says to the ask is understood here";
                let mistake = ProtocolError::for_request(request, Kind::Malformed, problem);
                let mistake = mistake.mend("to ask, use `ask-user rpc`");
                return self.complains(&mistake).await;
            }
            HostMessage::Hello(_) => return Step::Done,
        };
        let id = request.text().to_owned();
        let known = AskId::parse(&id).and_then(|id| self.waiting.get(&id).cloned());
        match known {
            Some(record) => self.act(said, &record).await,
            None => {
                let client = self.client.clone();
                Step::Later(Box::pin(async move {
                    let found = match id.as_str() {
                        "" => Ok(None),
                        id => client.get_exact(id).await,
                    };
                    Outcome::Found(said, found)
                }))
            }
        }
    }

    /// Handles a message about a known ask.
    async fn act(&mut self, said: HostMessage, record: &Record) -> Step {
        match said {
            HostMessage::Respond { request, response } => {
                self.respond(request, &response, record).await
            }
            HostMessage::Draft { request, response } => {
                let draft = match jsonl::read_draft(&record.ask, &response) {
                    Ok(draft) => draft,
                    Err(problem) => {
                        return self.complains(&unreadable(&request, &problem)).await;
                    }
                };
                let kept = self.client.save_draft(&record.id, &draft, self.host.name);
                Step::Later(Box::pin(async move { Outcome::Noted(request, kept.await) }))
            }
            HostMessage::Shown { request } => {
                let noted = self.client.shown(&record.id, self.host.name);
                Step::Later(Box::pin(
                    async move { Outcome::Noted(request, noted.await) },
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
            return self.complains(&beaten(&request, record)).await;
        }
        let verdict = match jsonl::read_verdict(&record.ask, response) {
            Ok(verdict) => verdict,
            Err(problem) => return self.complains(&unreadable(&request, &problem)).await,
        };
        if let Verdict::Answer { draft, gaps } = &verdict
            && let Err(unfinished) = draft.clone().finish(&record.ask, *gaps)
        {
            let mistake = incomplete(self.host.words, &request, record, &unfinished);
            return self.complains(&mistake).await;
        }
        let id = record.id.clone();
        self.answering.insert(id.clone());
        let settled = self.client.settle(&id, verdict, self.host.name);
        Step::Later(Box::pin(async move {
            Outcome::Settled(request, id, settled.await)
        }))
    }

    /// Continues after the hub's response.
    async fn finish(&mut self, outcome: Outcome) -> Step {
        match outcome {
            Outcome::Found(said, found) => self.found(said, found).await,
            Outcome::Settled(request, id, settled) => {
                self.answering.remove(&id);
                match settled {
                    Ok(Settled::Won(record)) => {
                        self.close(&record.id, Some(&record), true).await;
                        Step::Closed(Box::new(record))
                    }
                    Ok(Settled::Lost(record)) => {
                        self.close(&record.id, Some(&record), false).await;
                        self.complain(&beaten(&request, &record)).await;
                        Step::Closed(Box::new(record))
                    }
                    Err(error) => self.complains(&not_done(&request, &error)).await,
                }
            }
            Outcome::Noted(_, Ok(())) => Step::Done,
            Outcome::Noted(request, Err(error)) => {
                self.complains(&not_done(&request, &error)).await
            }
        }
    }

    /// Handles a message about an ask that had to be looked up.
    async fn found(&mut self, said: HostMessage, found: anyhow::Result<Option<Record>>) -> Step {
        let (HostMessage::Respond { request, .. }
        | HostMessage::Draft { request, .. }
        | HostMessage::Shown { request }) = &said
        else {
            return Step::Done;
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return self.complains(&not_done(request, &error)).await,
        };
        // An ask outside of the filter is shown by another host and answered there.
        match found.filter(|record| self.host.filter.takes(record)) {
            Some(record) => self.act(said, &record).await,
            None => {
                let problem = format!("no ask is shown here with the id {}", request.key());
                let mistake = ProtocolError::for_request(request, Kind::Unknown, problem);
                let mistake =
                    mistake.mend("give the requestId back as it came in ask_user_request");
                self.complains(&mistake).await
            }
        }
    }

    async fn complains(&self, mistake: &ProtocolError) -> Step {
        self.complain(mistake).await;
        Step::Done
    }

    async fn complain(&self, mistake: &ProtocolError) {
        self.host.out.say((self.host.words.mistake)(mistake)).await;
    }
}

fn beaten(request: &RequestId, record: &Record) -> ProtocolError {
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

fn unreadable(request: &RequestId, problem: &Problem) -> ProtocolError {
    ProtocolError::for_request(request, Kind::Malformed, problem.to_string()).mend(
        "send \"answers\": a list in the order of the questions; or \"cancelled\": true; or \"clarify\": \"what the person wants to know\". The ask still waits",
    )
}

fn incomplete(
    words: &Words,
    request: &RequestId,
    record: &Record,
    unfinished: &Unfinished,
) -> ProtocolError {
    let hint = match unfinished {
        Unfinished::Missing(missing) => {
            let names: Vec<String> = missing
                .iter()
                .map(|&at| {
                    let name = record.ask.questions[at].name();
                    format!("{} ({name})", at + 1)
                })
                .collect();
            format!("without an answer: {}; {}", names.join(", "), words.gaps)
        }
        Unfinished::Empty => words.empty.to_owned(),
        Unfinished::OneOnly(_) => "leave one; the rest can be said in own words".to_owned(),
        Unfinished::Torn(_) => "leave the choices, or that none fits".to_owned(),
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
fn not_done(request: &RequestId, error: &anyhow::Error) -> ProtocolError {
    let failure = error.downcast_ref::<Failure>();
    if failure.is_some_and(|failure| failure.exit == Exit::Failure) {
        return ProtocolError::for_request(request, Kind::Refused, format!("{error:#}"))
            .mend("the ask still waits, and is answered on a surface of the person's");
    }
    ProtocolError::for_request(request, Kind::Hub, format!("{error:#}"))
        .mend("nothing was sent as far as is known: send it again; twice does no harm")
}
