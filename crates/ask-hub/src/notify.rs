//! Being noticed: nobody misses that an agent waits, and nobody is pestered. This task looks
//! whenever the bell rings or a moment has come, has `engine` decide, and carries it out; the
//! desk and the agents never wait for it.

pub(crate) mod desktop;
pub mod engine;
pub(crate) mod kept;
pub(crate) mod parcels;
pub(crate) mod post;
pub(crate) mod program;
mod tell;
pub mod text;
pub mod ways;

use std::rc::Rc;
use std::time::Duration;

use ask_config::clock;
use ask_config::config::{Config, Notify};
use ask_config::home::Home;
use ask_config::log;
use ask_config::words::Words;
use ask_core::record::Snooze;
use ask_core::{AskId, Outcome, Record, SafeText, State, Time};
use ask_store::{Cursor, Feed, Store, rows};
use tokio::sync::mpsc;

use self::desktop::{Heard, Wish};
use self::engine::{Act, Engine, Event, Fact, Rules, Stands, Step};
use self::kept::Kept;
use self::parcels::{Channel, Parcel};
use self::post::Posting;
use self::tell::Teller;
use super::desk::Desk;

/// The longest that is slept at once.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1_000;

/// A window may stay open for as long as its person likes.
const OPENER_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Everything that the task holds.
struct Notifier {
    desk: Rc<Desk>,
    home: Home,
    settings: Notify,
    words: Words,
    engine: Engine,
    kept: Kept,
    /// As it was last written.
    written: Kept,
    cursor: Cursor,
    teller: Teller,
    /// Where the desktop's wishes go.
    desktop: mpsc::UnboundedSender<Wish>,
    /// Parcels that are being sent right now come back here.
    sent: mpsc::UnboundedSender<(Parcel, Result<(), String>)>,
}

/// What the person wants, as rules.
pub fn rules(settings: &Notify) -> Rules {
    let phone = settings.webhook.is_some() || settings.ntfy.is_some();
    Rules {
        desktop: settings.desktop,
        escalate_ms: phone.then(|| settings.escalate_after_seconds.saturating_mul(1_000)),
        quiet: settings.quiet,
        zone: jiff::tz::TimeZone::system(),
    }
}

/// Has the person notice what wants them, until the hub ends.
pub async fn run(home: Home, config: Config, desk: Rc<Desk>) {
    let kept = Kept::read(&home.notices_file());
    let rules = rules(&config.notify);
    let desktop::Desktop { wishes, mut heard } = desktop::begin();
    if !kept.shown.is_empty() && !config.notify.opener.is_empty() {
        let _ = wishes.send(Wish::Listen);
    }
    let (sent, mut results) = mpsc::unbounded_channel();
    let mut notifier = Notifier {
        engine: Engine::new(rules, clock::now(), kept.notices.clone(), kept.last_group),
        teller: Teller::new(config.notify.clone()),
        desktop: wishes,
        words: Words::of_person(config.language),
        settings: config.notify,
        cursor: Cursor::default(),
        desk,
        home,
        written: kept.clone(),
        kept,
        sent,
    };
    let mut acts = notifier.list().await;
    loop {
        acts.extend(notifier.look().await);
        notifier.carry_out(acts).await;
        acts = Vec::new();
        let pause = notifier.pause();
        tokio::select! {
            () = notifier.desk.news.notified() => {}
            Some(said) = heard.recv() => notifier.desktop_says(said),
            Some((parcel, result)) = results.recv() => notifier.is_sent(parcel, result),
            () = pause => {}
        }
    }
}

impl Notifier {
    /// Everything that waits, and what became of whatever waited when the hub before this one ended.
    async fn list(&mut self) -> Vec<Act> {
        let listed = self.desk.store.read(|db| {
            let sql = "SELECT coalesce(max(seq), 0) FROM change";
            let cursor: u64 = db.query_row(sql, [], |row| row.get(0))?;
            Ok((
                cursor,
                rows::select(db, "ask.state = 'waiting' ORDER BY ask.row", &[])?,
            ))
        });
        let Ok((cursor, waiting)) = listed.await else {
            return Vec::new();
        };
        self.cursor = Cursor(cursor);
        let mut acts = Vec::new();
        for id in self.engine.ids() {
            if waiting.iter().all(|record| record.id != id) {
                acts.extend(self.changed(&id).await);
            }
        }
        for record in &waiting {
            acts.extend(self.engine.hear(&self.fact(record), clock::now()));
        }
        acts
    }

    /// What has changed since the last look, and what is due.
    async fn look(&mut self) -> Vec<Act> {
        let mut acts = Vec::new();
        while let Ok(feed) = self.desk.store.changes(self.cursor).await {
            match feed {
                Feed::Reset { .. } => acts.extend(self.list().await),
                Feed::Page { changed, .. } if changed.is_empty() => break,
                Feed::Page { changed, next } => {
                    self.cursor = next;
                    let mut seen = Vec::with_capacity(changed.len());
                    for id in changed {
                        if !seen.contains(&id) {
                            acts.extend(self.changed(&id).await);
                            seen.push(id);
                        }
                    }
                }
            }
        }
        acts.extend(self.engine.due(clock::now(), self.desk.presence()));
        acts
    }

    async fn changed(&mut self, id: &AskId) -> Vec<Act> {
        match self.desk.store.get(id.clone()).await {
            Ok(Some(record)) => self.engine.hear(&self.fact(&record), clock::now()),
            Ok(None) => self.engine.gone(id),
            Err(_) => Vec::new(),
        }
    }

    fn fact(&self, record: &Record) -> Fact {
        let stands = match &record.state {
            State::Waiting => match record.snoozed {
                None => Stands::Waiting,
                Some(Snooze::Until(at)) => Stands::Snoozed(at),
                // The hub itself brings it back.
                Some(Snooze::AskedAgain) => Stands::Snoozed(Time(i64::MAX)),
            },
            State::Closed { settlement, .. } => {
                let event = match settlement.outcome {
                    Outcome::Answered(_) => Event::Answered,
                    Outcome::Declined { .. } => Event::Declined,
                    Outcome::Clarify { .. } => Event::Clarify,
                    Outcome::Expired => Event::Expired,
                    Outcome::Withdrawn => Event::Withdrawn,
                };
                Stands::Closed(event, self.desk.is_left_with_us(record))
            }
        };
        Fact {
            id: record.id.clone(),
            asked_at: record.asked_at,
            stands,
            shown: record.shown.is_some(),
        }
    }

    async fn carry_out(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::Tell(event, id) => {
                    if let Some(record) = self.records(&[id]).await.first() {
                        self.teller.tell(event, record, self.desk.muted());
                    }
                }
                Act::Desktop { group, ids } => self.show(group, &ids).await,
                Act::Withdraw(group) => {
                    if let Some(number) = self.kept.shown.remove(&group) {
                        let _ = self.desktop.send(Wish::Close(number));
                    }
                }
                Act::Push(ids) => self.push(Event::Asked, &ids),
                Act::Unpush(id, event) => self.is_over(&id, event),
            }
        }
        self.send().await;
        self.keep();
    }

    /// One notification on the desktop, where there is one.
    async fn show(&mut self, group: u64, ids: &[AskId]) {
        let records = self.records(ids).await;
        if records.is_empty() || desktop::place().is_err() {
            return;
        }
        let opens = !self.settings.opener.is_empty();
        let _ = self.desktop.send(Wish::Show {
            group,
            text: text::of(self.words, &records, self.settings.privacy),
            sound: self.settings.sound,
            open: opens.then(|| self.words.say("notify-open")),
        });
    }

    fn desktop_says(&mut self, heard: Heard) {
        match heard {
            Heard::Shown(group, number) => {
                let done = Step::Done(group);
                let mut notices = self.engine.notices.values();
                // It may be over before the desktop has shown it.
                match notices.any(|notice| notice.desktop == done) {
                    true => drop(self.kept.shown.insert(group, number)),
                    false => drop(self.desktop.send(Wish::Close(number))),
                }
            }
            Heard::Clicked(number) => {
                if self.kept.shown.values().any(|shown| *shown == number) {
                    tokio::task::spawn_local(open(self.settings.opener.clone()));
                }
            }
            Heard::Gone(number) => self.kept.shown.retain(|_, shown| *shown != number),
            Heard::Failed(problem) => log::note(&format!("desktop: {problem}")),
        }
    }

    /// One parcel for each way to the phone.
    fn push(&mut self, event: Event, ids: &[AskId]) {
        let ways = [
            (Channel::Webhook, &self.settings.webhook),
            (Channel::Ntfy, &self.settings.ntfy),
        ];
        for (channel, address) in ways {
            if address.is_some() {
                let parcel = Parcel::new(channel, event, ids.to_vec(), clock::now());
                self.kept.parcels.push(parcel);
            }
        }
    }

    /// What was not sent yet need not be; who was told is told that it is over.
    fn is_over(&mut self, id: &AskId, event: Event) {
        let unsent = |parcel: &mut Parcel| parcel.without(id);
        let mut untold: Vec<Channel> = Vec::new();
        for parcel in &mut self.kept.parcels {
            if unsent(parcel) {
                untold.push(parcel.channel);
            }
        }
        self.kept.parcels.retain(|parcel| !parcel.ids.is_empty());
        // A topic has no way to take a message back that every server knows.
        if self.settings.webhook.is_some() && !untold.contains(&Channel::Webhook) {
            let ids = vec![id.clone()];
            let parcel = Parcel::new(Channel::Webhook, event, ids, clock::now());
            self.kept.parcels.push(parcel);
        }
    }

    /// Sends what is due, each in a task of its own.
    async fn send(&mut self) {
        let now = clock::now();
        let due: Vec<Parcel> = {
            let due = self
                .kept
                .parcels
                .extract_if(.., |parcel| parcel.is_due(now));
            due.collect()
        };
        for mut parcel in due {
            let records = self.records(&parcel.ids).await;
            if records.is_empty() {
                continue;
            }
            let posting = Posting::of(&parcel, &records, &self.settings, self.words, now);
            parcel.is_underway = true;
            self.kept.parcels.push(parcel.clone());
            let sent = self.sent.clone();
            tokio::task::spawn_local(async move {
                let result = match posting {
                    Some(posting) => posting.send().await,
                    None => Ok(()),
                };
                let _ = sent.send((parcel, result));
            });
        }
    }

    fn is_sent(&mut self, parcel: Parcel, result: Result<(), String>) {
        let is_it = |kept: &&mut Parcel| kept.is_underway && kept.is_same(&parcel);
        let Some(kept) = self.kept.parcels.iter_mut().find(is_it) else {
            return;
        };
        kept.is_underway = false;
        let again = match result {
            Ok(()) => false,
            Err(problem) => {
                let again = kept.failed(clock::now());
                let channel = kept.channel.word();
                let end = if again {
                    "it is tried again"
                } else {
                    "it is given up"
                };
                log::note(&format!("{channel}: {problem}; {end}"));
                again
            }
        };
        if !again {
            self.kept.parcels.retain(|kept| !kept.is_same(&parcel));
        }
    }

    async fn records(&self, ids: &[AskId]) -> Vec<Record> {
        let mut records = Vec::with_capacity(ids.len());
        for id in ids {
            if let Ok(Some(record)) = self.desk.store.get(id.clone()).await {
                records.push(record);
            }
        }
        records
    }

    /// Keeps what was told, where that has changed.
    fn keep(&mut self) {
        self.kept.last_group = self.engine.last_group;
        if self.kept.notices != self.engine.notices {
            self.kept.notices.clone_from(&self.engine.notices);
        }
        if self.kept == self.written {
            return;
        }
        self.written.clone_from(&self.kept);
        if let Err(error) = self.kept.write(&self.home.notices_file()) {
            log::note(&format!("what was told can't be kept: {error}"));
        }
    }

    /// Ends when there is something to do again, as far as is known.
    fn pause(&self) -> impl Future<Output = ()> + use<> {
        let now = clock::now();
        let told = self.engine.next(now, self.desk.presence());
        let waiting = self
            .kept
            .parcels
            .iter()
            .filter(|parcel| !parcel.is_underway);
        let parcels = waiting.map(|parcel| parcel.next_at);
        let next: Option<Time> = told.into_iter().chain(parcels).min();
        let ms = next.map_or(LONGEST_MS, |at| at.since_ms(now).clamp(1, LONGEST_MS));
        async move {
            let pause = Duration::from_millis(ms);
            let _ = tokio::time::timeout(pause, std::future::pending::<()>()).await;
        }
    }
}

/// Runs what the person wants a click to run.
async fn open(opener: Vec<String>) {
    let said = match program::run(&opener, &[], String::new(), OPENER_LIMIT).await {
        Ok(ran) if ran.code == Some(0) => return,
        Ok(ran) => SafeText::line(&ran.err).to_string(),
        Err(problem) => problem,
    };
    log::note(&format!("notify.opener: {said}"));
}
