//! The surface of programs that show asks to their person: each ask that waits is a
//! line to them, each line of theirs an answer, and what was closed elsewhere is told.

pub mod stream;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use ask_core::{AskId, Draft, Json, Problem, Record, Unfinished};
use ask_hub::client::{Client, Settled, Waiting};
use ask_protocol::ipc::Verdict;
use ask_protocol::jsonl::{self, Kind, Mistake, RequestId, Said, Words};
use tokio::sync::mpsc;

use crate::embed::stream::{Heard, Out};

/// How long the process stays for what it has begun when its host is gone: most often no time at
/// all, but long enough for another hub where this one was just lost.
pub const LAST_WORDS: Duration = Duration::from_secs(10);

/// Which asks a host shows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Those of this session.
    pub session: Option<String>,
    /// Those of agents that work for one of these windows of an app; where none is named, of all.
    pub instances: Vec<String>,
    /// Those asked in this folder or below.
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

/// A host as this surface knows it.
pub struct Host {
    /// What its answers are signed with.
    pub name: &'static str,
    /// How it is told of asks.
    pub words: &'static Words,
    /// Which of them.
    pub filter: Filter,
    /// What it has open since before it was cut off, and has not been told to be closed.
    pub open: BTreeSet<AskId>,
    /// The way there.
    pub out: Out,
}

impl Host {
    /// One that speaks our lines.
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

/// Shows what waits until the host says no more.
pub async fn run(
    client: Client,
    host: Host,
    mut said: mpsc::UnboundedReceiver<Said>,
) -> anyhow::Result<()> {
    let mut bell = client.bell();
    bell.mark_unchanged();
    let mut showing = Showing::new(client.clone(), host);
    let mut cursor = showing.list().await?;
    loop {
        tokio::select! {
            next = said.recv() => match next {
                Some(said) => drop(showing.hear(said).await),
                None => return Ok(()),
            },
            rung = bell.changed() => {
                rung.context("the hub's client ended")?;
                bell.mark_unchanged();
                let changes = client.changes(cursor).await?;
                cursor = changes.cursor;
                if changes.reset {
                    cursor = showing.list().await?;
                }
                for record in &changes.records {
                    showing.look(record).await;
                }
                for id in &changes.gone {
                    showing.close(id, None, false).await;
                }
            }
        }
    }
}

/// Shows one ask until it is closed, here or elsewhere: how it stands then. Nothing, when the host
/// is gone and the ask still waits.
pub async fn one(
    client: &Client,
    out: Out,
    record: &Record,
    mut waiting: Waiting,
    heard: &mut mpsc::Receiver<Heard>,
) -> anyhow::Result<Option<Record>> {
    let mut showing = Showing::new(client.clone(), Host::of_lines(out, Filter::default()));
    showing.request(record).await;
    loop {
        let heard = tokio::select! {
            biased;
            ended = waiting.outcome() => return Ok(Some(ended?.record)),
            heard = heard.recv() => heard,
        };
        let Some(heard) = heard else {
            let record = client.get(record.id.as_str()).await?;
            return Ok((!record.is_waiting()).then_some(record));
        };
        match jsonl::read(&heard.line, heard.whole) {
            Ok(None) => {}
            Ok(Some(said)) => {
                if let Some(closed) = showing.hear(said).await {
                    return Ok(Some(closed));
                }
            }
            Err(mistake) => showing.complain(&mistake).await,
        }
    }
}

/// What a host shows.
struct Showing {
    client: Client,
    host: Host,
    /// What it was sent and not told to be closed.
    open: BTreeSet<AskId>,
}

impl Showing {
    fn new(client: Client, mut host: Host) -> Self {
        let open = std::mem::take(&mut host.open);
        Self { client, host, open }
    }

    /// Sends what waits and was not sent, and tells what has closed since. Where the feed stands.
    async fn list(&mut self) -> anyhow::Result<u64> {
        let listing = self.client.waiting().await?;
        for record in &listing.records {
            self.look(record).await;
        }
        let listed = |id: &&AskId| listing.records.iter().any(|record| record.id == **id);
        let missing: Vec<AskId> = self.open.iter().filter(|id| !listed(id)).cloned().collect();
        for id in missing {
            match self.client.named(id.as_str()).await? {
                Some(record) => self.look(&record).await,
                None => self.close(&id, None, false).await,
            }
        }
        Ok(listing.cursor)
    }

    async fn look(&mut self, record: &Record) {
        if !record.is_waiting() {
            self.close(&record.id, Some(record), false).await;
        } else if self.host.filter.takes(record) && self.open.insert(record.id.clone()) {
            self.request(record).await;
        }
    }

    async fn request(&self, record: &Record) {
        self.host.out.say((self.host.words.request)(record)).await;
    }

    /// Each ask is told to be closed once.
    async fn close(&mut self, id: &AskId, record: Option<&Record>, by_this_host: bool) {
        if self.open.remove(id) {
            let said = (self.host.words.closed)(id, record, by_this_host);
            self.host.out.say(said).await;
        }
    }

    /// Does what the host wants; the record, where that closes it.
    async fn hear(&mut self, said: Said) -> Option<Record> {
        let done = match &said {
            Said::Respond { request, response } => self.respond(request, response).await,
            Said::Draft { request, response } => self.keep(request, response).await,
            Said::Shown { request } => self.shown(request).await,
            Said::Ask { request, .. }
            | Said::Withdraw { request }
            | Said::Leave { request }
            | Said::Fetch { request } => {
                let problem = "only what a person says to the ask is understood here";
                let mistake = Mistake::about(request, Kind::Malformed, problem);
                Err(mistake.mend("to ask, use `ask-user rpc`"))
            }
            Said::Hello(_) => Ok(None),
        };
        match done {
            Ok(closed) => closed,
            Err(mistake) => {
                self.complain(&mistake).await;
                None
            }
        }
    }

    async fn respond(
        &mut self,
        request: &RequestId,
        response: &Json,
    ) -> Result<Option<Record>, Mistake> {
        let record = self.find(request).await?;
        if !record.is_waiting() {
            self.close(&record.id, Some(&record), false).await;
            return Err(beaten(request, &record));
        }
        let verdict = jsonl::read_verdict(&record.ask, response)
            .map_err(|problem| unreadable(request, &problem))?;
        if let Verdict::Answer { draft, gaps } = &verdict
            && let Err(unfinished) = draft.clone().finish(&record.ask, *gaps)
        {
            return Err(incomplete(self.host.words, request, &record, &unfinished));
        }
        let settled = self
            .client
            .settle(&record.id, verdict, self.host.name)
            .await;
        match settled.map_err(|error| no_hub(request, &error))? {
            Settled::Won(record) => {
                self.close(&record.id, Some(&record), true).await;
                Ok(Some(record))
            }
            Settled::Lost(record) => {
                self.close(&record.id, Some(&record), false).await;
                self.complain(&beaten(request, &record)).await;
                Ok(Some(record))
            }
        }
    }

    async fn keep(&self, request: &RequestId, response: &Json) -> Result<Option<Record>, Mistake> {
        let record = self.find(request).await?;
        let draft: Draft = jsonl::read_draft(&record.ask, response)
            .map_err(|problem| unreadable(request, &problem))?;
        let kept = self
            .client
            .save_draft(&record.id, &draft, self.host.name)
            .await;
        kept.map_err(|error| no_hub(request, &error))?;
        Ok(None)
    }

    async fn shown(&self, request: &RequestId) -> Result<Option<Record>, Mistake> {
        let record = self.find(request).await?;
        let noted = self.client.shown(&record.id, self.host.name).await;
        noted.map_err(|error| no_hub(request, &error))?;
        Ok(None)
    }

    /// The ask that a host means.
    async fn find(&self, request: &RequestId) -> Result<Record, Mistake> {
        let found = match request.text() {
            "" => Ok(None),
            id => self.client.named(id).await,
        };
        let found = found.map_err(|error| no_hub(request, &error))?;
        // What is shown elsewhere is answered there.
        match found.filter(|record| self.host.filter.takes(record)) {
            Some(record) => Ok(record),
            None => {
                let problem = format!("no ask is shown here with the id {}", request.key());
                let mistake = Mistake::about(request, Kind::Unknown, problem);
                Err(mistake.mend("give the requestId back as it came in ask_user_request"))
            }
        }
    }

    async fn complain(&self, mistake: &Mistake) {
        self.host.out.say((self.host.words.mistake)(mistake)).await;
    }
}

fn beaten(request: &RequestId, record: &Record) -> Mistake {
    let state = record.state_word();
    let problem = match record.settlement() {
        Some(settlement) => format!(
            "the ask was closed before: {state} on {}",
            settlement.place()
        ),
        None => format!("the ask is {state}"),
    };
    Mistake::about(request, Kind::Closed, problem).mend("nothing of yours was sent")
}

fn unreadable(request: &RequestId, problem: &Problem) -> Mistake {
    Mistake::about(request, Kind::Malformed, problem.to_string()).mend(
        "send \"answers\": a list in the order of the questions; or \"cancelled\": true; or \"clarify\": \"what the person wants to know\". The ask still waits",
    )
}

fn incomplete(
    words: &Words,
    request: &RequestId,
    record: &Record,
    unfinished: &Unfinished,
) -> Mistake {
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
    Mistake::about(request, Kind::Unfinished, problem).mend(format!("{hint}. The ask still waits"))
}

fn no_hub(request: &RequestId, error: &anyhow::Error) -> Mistake {
    Mistake::about(request, Kind::Hub, format!("{error:#}"))
        .mend("nothing was sent as far as is known: send it again; twice does no harm")
}
