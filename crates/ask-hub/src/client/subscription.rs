//! What the hub pushes to a surface: all there is, and then every change. A surface that is slow
//! finds the last of several changes of an ask, and everything else once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_core::{AskId, Record};
use ask_protocol::ipc::{Change, Changed, Day, Response};
use tokio::sync::{Notify, mpsc};

use super::actor::{Command, Subscriber};
use super::{Client, Listing, next_number};

/// What a surface is told.
#[derive(Debug)]
pub enum News {
    /// All there is: what it knew before must be thrown away.
    All(Listing),
    /// These changed, each once, in the order of their last changes.
    Changed(Vec<Arc<Change>>),
}

impl News {
    /// Where the changes stand with it.
    pub fn cursor(&self) -> u64 {
        match self {
            Self::All(listing) => listing.cursor,
            Self::Changed(changes) => changes.last().map_or(0, |change| change.cursor),
        }
    }

    /// What else there is to say.
    pub fn day(&self) -> Day {
        match self {
            Self::All(listing) => listing.day,
            Self::Changed(changes) => changes.last().map(|change| change.day).unwrap_or_default(),
        }
    }
}

/// The changed records, and the ids of those that are no more.
pub fn sorted(changes: &[Arc<Change>]) -> (Vec<Record>, Vec<AskId>) {
    let (mut records, mut gone) = (Vec::new(), Vec::new());
    for change in changes {
        match &change.what {
            Changed::Record(record) => records.push(Record::clone(record)),
            Changed::Gone(id) => gone.push(id.clone()),
            Changed::Day | Changed::Pairing => {}
        }
    }
    (records, gone)
}

/// What was pushed and not taken yet.
#[derive(Debug, Default)]
pub struct Mailbox {
    waiting: Mutex<Waiting>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Where the changes stand with all that was put in.
    cursor: Option<u64>,
    day: Day,
    all: Option<Listing>,
    /// The changes since then, each ask once; those that others took the place of are empty.
    changes: Vec<Option<Arc<Change>>>,
    /// Where the last change of an ask stands in them.
    at: HashMap<AskId, usize>,
    /// The asks that were last told to be listed, so that nobody misses how they ended: what another
    /// hub tells is what is listed there.
    listed: HashSet<AskId>,
}

impl Mailbox {
    /// The last change that was put in.
    pub fn cursor(&self) -> Option<u64> {
        self.all().cursor
    }

    /// Puts in what the hub pushed. Asks that were listed before, and of which it says nothing in a
    /// new list, have ended meanwhile: these are to be looked up.
    #[must_use]
    pub fn put(&self, response: Response) -> Vec<AskId> {
        let mut waiting = self.all();
        let mut missing = Vec::new();
        match response {
            Response::Change(change) => waiting.change(change),
            Response::Records {
                records,
                cursor,
                reset,
                day,
                ..
            } => {
                waiting.cursor = Some(cursor);
                waiting.day = day.unwrap_or_default();
                if reset {
                    let listed: HashSet<AskId> = records.iter().map(|one| one.id.clone()).collect();
                    let before = std::mem::replace(&mut waiting.listed, listed);
                    missing = before.difference(&waiting.listed).cloned().collect();
                    let records = records.into_iter().map(Arc::unwrap_or_clone).collect();
                    waiting.changes.clear();
                    waiting.at.clear();
                    let day = waiting.day;
                    waiting.all = Some(Listing {
                        records,
                        cursor,
                        day,
                    });
                }
            }
            // Nothing else is pushed.
            _ => {}
        }
        drop(waiting);
        self.filled.notify_one();
        missing
    }

    /// Puts in what was looked up of an ask.
    pub fn put_found(&self, what: Changed) {
        let mut waiting = self.all();
        // A list that waits to be taken is older.
        let (cursor, day) = (waiting.cursor.unwrap_or(0), waiting.day);
        waiting.change(Arc::new(Change::new(cursor, what, day)));
        drop(waiting);
        self.filled.notify_one();
    }

    fn take(&self) -> Option<News> {
        let mut waiting = self.all();
        if let Some(all) = waiting.all.take() {
            return Some(News::All(all));
        }
        waiting.at.clear();
        let changes: Vec<_> = std::mem::take(&mut waiting.changes)
            .into_iter()
            .flatten()
            .collect();
        (!changes.is_empty()).then_some(News::Changed(changes))
    }

    fn all(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn change(&mut self, change: Arc<Change>) {
        self.cursor = Some(change.cursor);
        self.day = change.day;
        match &change.what {
            // As the hub's own list has it.
            Changed::Record(record) if record.is_waiting() || !record.is_delivered() => {
                self.listed.insert(record.id.clone());
            }
            Changed::Record(record) => drop(self.listed.remove(&record.id)),
            Changed::Gone(id) => drop(self.listed.remove(id)),
            Changed::Day | Changed::Pairing => {}
        }
        if let Some(id) = change.id() {
            let at = self.at.insert(id.clone(), self.changes.len());
            if let Some(before) = at.and_then(|at| self.changes.get_mut(at)) {
                *before = None;
            }
        }
        self.changes.push(Some(change));
    }
}

/// Changes, as they come.
#[derive(Debug)]
pub struct Subscription {
    mailbox: Arc<Mailbox>,
    /// Keeps the client going.
    _commands: mpsc::UnboundedSender<Command>,
}

impl Subscription {
    /// What the hub tells next; first of all, all there is. May be dropped half-way and called
    /// again. While the hub can't be had it waits, and the client tries for one.
    pub async fn next(&self) -> News {
        loop {
            if let Some(news) = self.mailbox.take() {
                return news;
            }
            self.mailbox.filled.notified().await;
        }
    }
}

impl Client {
    /// Has every change told from now on: for a surface. A client has one subscription; another
    /// takes its place.
    pub fn subscribe(&self) -> Subscription {
        self.subscribed(None, false)
    }

    /// The same, from a change that is known.
    pub fn subscribe_after(&self, cursor: u64, only_looks: bool) -> Subscription {
        self.subscribed(Some(cursor), only_looks)
    }

    /// The same for who can't answer: that one looks on keeps nobody from asking elsewhere.
    pub fn look_on(&self) -> Subscription {
        self.subscribed(None, true)
    }

    fn subscribed(&self, cursor: Option<u64>, only_looks: bool) -> Subscription {
        let mailbox = Arc::new(Mailbox::default());
        mailbox.all().cursor = cursor;
        let subscriber = Subscriber {
            number: next_number(),
            only_looks,
            sender: self.sender.clone(),
            mailbox: Arc::clone(&mailbox),
            lookups: BTreeMap::new(),
        };
        // The task ends after the last holder of the client.
        let _ = self.commands.send(Command::Subscribe(subscriber));
        Subscription {
            mailbox,
            _commands: self.commands.clone(),
        }
    }
}
