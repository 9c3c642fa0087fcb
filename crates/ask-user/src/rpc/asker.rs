//! A host that asks: each of its requests is a waiter on an ask, as each call of an
//! agent is. Requests leave, the asks stay.

use std::collections::HashMap;
use std::sync::Arc;

use ask_core::dialect::lines::{self, Kind, Mistake, RequestId, Said};
use ask_core::dialect::wire::Verdict;
use ask_core::dialect::{Dialect, Json, Reply, Word};
use ask_core::{Asker, Record, Time, lifecycle};
use tokio::sync::{OwnedRwLockReadGuard, RwLock, mpsc, oneshot};
use tokio::task::JoinSet;

use super::{Hub, Out};
use crate::asker;
use crate::cli::ask::understand;
use crate::hub::client::{Client, Settled};

/// Serves what a host asks until it says no more. What it has said is opened then, and what it is
/// being told is told to its end.
pub async fn run(
    hub: Arc<Hub>,
    out: Out,
    wording: &'static dyn Dialect,
    who: Asker,
    mut said: mpsc::UnboundedReceiver<Said>,
) -> anyhow::Result<()> {
    let mut host = Host {
        hub,
        out,
        wording,
        who,
        waits: HashMap::new(),
        calls: JoinSet::new(),
        busy: Arc::default(),
    };
    loop {
        tokio::select! {
            next = said.recv() => match next {
                Some(said) => host.take(said).await,
                None => break,
            },
            Some(Ok(key)) = host.calls.join_next() => drop(host.waits.remove(&key)),
        }
    }
    let _nobody_is = host.busy.write().await;
    host.calls.abort_all();
    Ok(())
}

struct Host {
    hub: Arc<Hub>,
    out: Out,
    wording: &'static dyn Dialect,
    who: Asker,
    /// The requests that wait, by their names.
    waits: HashMap<String, oneshot::Sender<(End, Busy)>>,
    calls: JoinSet<String>,
    /// Held for reading by calls that must not be cut off: while they open, and while they tell.
    busy: Arc<RwLock<()>>,
}

type Busy = OwnedRwLockReadGuard<()>;

/// How a host ends a request of its own.
enum End {
    /// The ask stays open.
    Leave,
    /// Nobody need answer it.
    Withdraw,
}

impl Host {
    async fn take(&mut self, said: Said) {
        match said {
            Said::Hello(host) => self.who = introduced(*host, &self.who),
            Said::Ask { request, call } => self.ask(request, &call).await,
            Said::Withdraw { request } => self.end(&request, End::Withdraw).await,
            Said::Leave { request } => self.end(&request, End::Leave).await,
            // These go to a surface.
            Said::Respond { .. } | Said::Draft { .. } | Said::Shown { .. } => {}
        }
    }

    async fn ask(&mut self, request: RequestId, call: &Json) {
        let key = request.key();
        while let Some(Ok(key)) = self.calls.try_join_next() {
            self.waits.remove(&key);
        }
        if self.waits.contains_key(&key) {
            let problem = format!("a request named {key} waits already");
            let mistake = Mistake::about(&request, Kind::Taken, problem)
                .mend("give each request a name of its own; the first one goes on waiting");
            return self.complain(&mistake).await;
        }
        let (record, detached) = match understand(self.wording, call, self.who.clone()) {
            Ok(understood) => understood,
            Err(refused) => {
                let mistake = Mistake::about(&request, Kind::Refused, refused.text)
                    .mend("nobody has seen it; mend the call and ask again");
                return self.complain(&mistake).await;
            }
        };
        let (end, ends) = oneshot::channel();
        self.waits.insert(key.clone(), end);
        let call = Call {
            hub: Arc::clone(&self.hub),
            out: self.out.clone(),
            wording: self.wording,
            request,
            busy: Arc::clone(&self.busy),
        };
        let opening = Arc::clone(&self.busy).read_owned().await;
        self.calls.spawn(async move {
            if let Err(error) = call.run(record, detached, opening, ends).await {
                let problem = format!("the question could not be asked to its end: {error:#}");
                let mistake = Mistake::about(&call.request, Kind::Hub, problem)
                    .mend("ask the same again: what was asked or answered already is taken up");
                call.out.say(lines::mistake(&mistake)).await;
            }
            key
        });
    }

    async fn end(&mut self, request: &RequestId, how: End) {
        let key = request.key();
        let busy = Arc::clone(&self.busy).read_owned().await;
        let waits = self.waits.remove(&key);
        let sent = waits.is_some_and(|waits| waits.send((how, busy)).is_ok());
        if !sent {
            let problem = format!("no request named {key} waits");
            self.complain(&Mistake::about(request, Kind::Unknown, problem))
                .await;
        }
    }

    async fn complain(&self, mistake: &Mistake) {
        self.out.say(lines::mistake(mistake)).await;
    }
}

/// One request, from its ask to its reply.
struct Call {
    hub: Arc<Hub>,
    out: Out,
    wording: &'static dyn Dialect,
    request: RequestId,
    busy: Arc<RwLock<()>>,
}

impl Call {
    async fn run(
        &self,
        record: Record,
        detached: bool,
        opening: Busy,
        ends: oneshot::Receiver<(End, Busy)>,
    ) -> anyhow::Result<()> {
        let hub = self.hub.client().await?;
        if detached {
            hub.open(record.clone()).await?;
            self.reply(&self.wording.write(Word::Open(&record))).await;
            return Ok(());
        }
        let asked_at = record.asked_at;
        let mut waiting = hub.ask(record, true).await?;
        let id = waiting.id().cloned();
        if let Some(id) = &id {
            self.out.say(lines::opened(&self.request, id)).await;
        }
        drop(opening);
        let next = tokio::select! {
            biased;
            ended = waiting.outcome() => Err(ended?.record),
            Ok(how) = ends => Ok(how),
        };
        let (record, telling) = match (next, id) {
            (Err(record), _) => (record, Arc::clone(&self.busy).read_owned().await),
            (Ok((End::Withdraw, busy)), Some(id)) => {
                let verdict = Verdict::Withdraw;
                let (Settled::Won(record) | Settled::Lost(record)) =
                    hub.settle(&id, verdict, lifecycle::AGENT).await?;
                (record, busy)
            }
            (Ok((End::Leave, _)), Some(id)) => {
                self.out.say(lines::left(&self.request, &id)).await;
                return Ok(());
            }
            // Without an id the outcome came at once.
            (Ok(_), None) => return Ok(()),
        };
        self.tell(hub, &record, asked_at).await;
        drop(telling);
        Ok(())
    }

    /// An outcome counts as delivered once its line was written.
    async fn tell(&self, hub: &Client, record: &Record, asked_at: Time) {
        let late = record
            .settlement()
            .is_some_and(|settlement| settlement.at < asked_at);
        let word = match late {
            true => Word::Fetched(std::slice::from_ref(record)),
            false => Word::Closed(record),
        };
        if self.reply(&self.wording.write(word)).await {
            // Where the hub can't be had, the outcome stays undelivered and is told again.
            let _ = hub.delivered(&record.id).await;
        }
    }

    async fn reply(&self, reply: &Reply) -> bool {
        self.out.say(lines::reply(&self.request, reply)).await
    }
}

/// Who asks, as a host says it. Where it says another folder, project and branch are those there.
fn introduced(host: Asker, before: &Asker) -> Asker {
    let place = match &host.directory {
        Some(directory) => asker::at(Some(directory.into())),
        None => before.clone(),
    };
    Asker {
        client: host.client.or(before.client.clone()),
        version: host.version.or(before.version.clone()),
        agent: host.agent.or(before.agent.clone()),
        session: host.session.or(before.session.clone()),
        project: host.project.or(place.project),
        directory: place.directory,
        branch: place.branch,
    }
}
