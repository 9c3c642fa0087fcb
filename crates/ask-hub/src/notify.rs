//! Notifications: the person learns of an open ask without being notified more than needed. This
//! task receives every change, has `policy` decide, and carries it out. Asks and answers never wait
//! for it.

pub mod channels;
pub(crate) mod command;
pub(crate) mod desktop;
pub mod policy;
pub(crate) mod push_queue;
mod run_command;
pub(crate) mod state;
pub mod text;
pub(crate) mod webhook;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_config::config::{Config, Notify};
use ask_config::home::Home;
use ask_config::i18n::Words;
use ask_core::record::Snooze;
use ask_core::{AskId, Outcome, Record, SafeText, State, Time};
use ask_engine::{Change, ChangeKind};
use tokio::sync::mpsc;

use self::desktop::{DesktopCommand, DesktopEvent};
use self::policy::{Act, AskStatus, Event, Fact, Notice, Policy, Rules, Step};
use self::push_queue::{Channel, QueuedPush};
use self::run_command::CommandNotifier;
use self::state::NotifyState;
use self::webhook::PushRequest;
use super::hub::Hub;

/// The longest single wait.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1_000;

/// A click may open a window, which runs until the person closes it.
const OPENER_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The state of the task.
struct Notifier {
    hub: Rc<Hub>,
    settings: Notify,
    words: Words,
    engine: Policy,
    kept: NotifyState,
    /// The state as it was last stored.
    written: NotifyState,
    notifier: CommandNotifier,
    /// Commands to the desktop.
    desktop: mpsc::UnboundedSender<DesktopCommand>,
    /// The results of pushes.
    sent: mpsc::UnboundedSender<(QueuedPush, Result<(), String>)>,
}

/// The settings as rules of the policy.
pub fn rules(settings: &Notify) -> Rules {
    let phone = settings.webhook.is_some() || settings.ntfy.is_some();
    Rules {
        desktop: settings.desktop,
        escalate_ms: phone.then(|| settings.escalate_after_seconds.saturating_mul(1_000)),
        quiet: settings.quiet,
        zone: jiff::tz::TimeZone::system(),
    }
}

/// Notifies the person until the hub ends. The notes are those of the store.
pub async fn run(home: Home, config: Config, hub: Rc<Hub>, notes: BTreeMap<String, String>) {
    let written = NotifyState::read(&notes);
    drop(notes);
    // An older version kept this state in a file. From now on it is in the store.
    let file = home.notices_file();
    let kept = match std::fs::read_to_string(&file) {
        Ok(text) => NotifyState::read_file(&text),
        Err(_) => written.clone(),
    };
    let mut changes = hub.listen();
    let rules = rules(&config.notify);
    let desktop::Desktop { wishes, mut heard } = desktop::begin();
    if !kept.shown.is_empty() && !config.notify.opener.is_empty() {
        // Without a desktop the receiver is gone, and notifications go to other channels.
        let _ = wishes.send(DesktopCommand::Listen);
    }
    let (sent, mut results) = mpsc::unbounded_channel();
    let mut notifier = Notifier {
        engine: Policy::new(rules, clock::now(), kept.notices.clone(), kept.last_group),
        notifier: CommandNotifier::new(config.notify.clone()),
        desktop: wishes,
        words: Words::of_person(config.language),
        settings: config.notify,
        hub,
        written,
        kept,
        sent,
    };
    notifier.engine.all_changed();
    let mut acts = notifier.list().await;
    notifier.keep();
    // Only hubs of an older version write it. If it stays, it is read again at the next start.
    let _ = std::fs::remove_file(&file);
    loop {
        let presence = notifier.hub.presence();
        acts.extend(notifier.engine.due(clock::now(), presence));
        notifier.carry_out(acts).await;
        acts = Vec::new();
        let pause = notifier.pause();
        tokio::select! {
            change = changes.recv() => {
                let mut next = change;
                while let Some(change) = next {
                    acts.extend(notifier.changed(&change));
                    next = changes.try_recv().ok();
                }
            }
            () = notifier.hub.news.notified() => {}
            Some(said) = heard.recv() => notifier.desktop_says(said),
            Some((queued, result)) = results.recv() => notifier.is_sent(queued, result),
            () = pause => {}
        }
    }
}

impl Notifier {
    /// Passes the open asks to the policy, and the present state of those that were open when the
    /// previous hub ended.
    async fn list(&mut self) -> Vec<Act> {
        let waiting = self.hub.all_open();
        let mut acts = Vec::new();
        for id in self.engine.ids() {
            if waiting.iter().all(|record| record.id != id) {
                acts.extend(match self.hub.record(&id).await {
                    Some(record) => self.engine.hear(&self.fact(&record), clock::now()),
                    None => self.engine.gone(&id),
                });
            }
        }
        for record in &waiting {
            acts.extend(self.engine.hear(&self.fact(record), clock::now()));
        }
        acts
    }

    fn changed(&mut self, change: &Change) -> Vec<Act> {
        match &change.kind {
            ChangeKind::Record(record) => self.engine.hear(&self.fact(record), clock::now()),
            ChangeKind::Removed(id) => self.engine.gone(id),
            ChangeKind::Muted(_) => Vec::new(),
        }
    }

    fn fact(&self, record: &Record) -> Fact {
        let stands = match &record.state {
            State::Open => match record.snoozed {
                None => AskStatus::Waiting,
                Some(Snooze::Until(at)) => AskStatus::Snoozed(at),
                // The hub itself ends this snooze.
                Some(Snooze::AskedAgain) => AskStatus::Snoozed(Time(i64::MAX)),
            },
            State::Closed { settlement, .. } => {
                let event = match settlement.outcome {
                    Outcome::Answered(_) => Event::Answered,
                    Outcome::Declined { .. } => Event::Declined,
                    Outcome::Clarify { .. } => Event::Clarify,
                    Outcome::Expired => Event::Expired,
                    Outcome::Withdrawn => Event::Withdrawn,
                };
                AskStatus::Closed(event, self.hub.is_left_with_us(record))
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
                        self.notifier.tell(event, record, self.hub.is_muted());
                    }
                }
                Act::Desktop { group, ids } => self.show(group, &ids).await,
                Act::Withdraw(group) => {
                    if let Some(number) = self.kept.shown.remove(&group) {
                        // Without a desktop there is nothing to close.
                        let _ = self.desktop.send(DesktopCommand::Close(number));
                    }
                }
                Act::Push(ids) => self.push(Event::Asked, &ids),
                Act::Unpush(id, event) => self.is_over(&id, event),
            }
        }
        self.send().await;
        self.keep();
    }

    /// Shows one desktop notification, where there is a desktop.
    async fn show(&mut self, group: u64, ids: &[AskId]) {
        let records = self.records(ids).await;
        if records.is_empty() || desktop::place().is_err() {
            return;
        }
        let opens = !self.settings.opener.is_empty();
        // Without a desktop the receiver is gone, and there is nothing to show it on.
        let _ = self.desktop.send(DesktopCommand::Show {
            group,
            text: text::notification_text(self.words, &records, self.settings.privacy),
            sound: self.settings.sound,
            open: opens.then(|| self.words.say("notify-open")),
        });
    }

    fn desktop_says(&mut self, heard: DesktopEvent) {
        match heard {
            DesktopEvent::Shown(group, number) => {
                let done = Step::Done(group);
                let mut notices = self.engine.notices.values();
                // The ask may have closed before the desktop showed the notification.
                match notices.any(|notice| notice.desktop == done) {
                    true => drop(self.kept.shown.insert(group, number)),
                    false => drop(self.desktop.send(DesktopCommand::Close(number))),
                }
            }
            DesktopEvent::Clicked(number) => {
                if self.kept.shown.values().any(|shown| *shown == number) {
                    tokio::task::spawn_local(open(self.settings.opener.clone()));
                }
            }
            DesktopEvent::Gone(number) => self.kept.shown.retain(|_, shown| *shown != number),
            DesktopEvent::Failed(problem) => tracing::warn!("desktop: {problem}"),
        }
    }

    /// Queues one push for each configured channel to the phone.
    fn push(&mut self, event: Event, ids: &[AskId]) {
        let ways = [
            (Channel::Webhook, &self.settings.webhook),
            (Channel::Ntfy, &self.settings.ntfy),
        ];
        for (channel, address) in ways {
            if address.is_some() {
                let queued = QueuedPush::new(channel, event, ids.to_vec(), clock::now());
                self.kept.queue.push(queued);
            }
        }
    }

    /// Removes an ask from unsent pushes, and queues a push about its end where one was sent.
    fn is_over(&mut self, id: &AskId, event: Event) {
        let unsent = |queued: &mut QueuedPush| queued.without(id);
        let mut undelivered: Vec<Channel> = Vec::new();
        for queued in &mut self.kept.queue {
            if unsent(queued) {
                undelivered.push(queued.channel);
            }
        }
        self.kept.queue.retain(|queued| !queued.ids.is_empty());
        // ntfy has no way to take back a message that every server supports.
        if self.settings.webhook.is_some() && !undelivered.contains(&Channel::Webhook) {
            let ids = vec![id.clone()];
            let queued = QueuedPush::new(Channel::Webhook, event, ids, clock::now());
            self.kept.queue.push(queued);
        }
    }

    /// Sends what is due, each push in a task of its own.
    async fn send(&mut self) {
        let now = clock::now();
        let due: Vec<QueuedPush> = {
            let due = self.kept.queue.extract_if(.., |queued| queued.is_due(now));
            due.collect()
        };
        for mut queued in due {
            let records = self.records(&queued.ids).await;
            if records.is_empty() {
                continue;
            }
            let request =
                PushRequest::from_channel(&queued, &records, &self.settings, self.words, now);
            queued.is_underway = true;
            self.kept.queue.push(queued.clone());
            let sent = self.sent.clone();
            tokio::task::spawn_local(async move {
                let result = match request {
                    Some(request) => request.send().await,
                    None => Ok(()),
                };
                // The task ends with the hub, which keeps the queue in its store.
                let _ = sent.send((queued, result));
            });
        }
    }

    fn is_sent(&mut self, queued: QueuedPush, result: Result<(), String>) {
        let is_it = |kept: &&mut QueuedPush| kept.is_underway && kept.is_same(&queued);
        let Some(kept) = self.kept.queue.iter_mut().find(is_it) else {
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
                tracing::warn!("{channel}: {problem}; {end}");
                again
            }
        };
        if !again {
            self.kept.queue.retain(|kept| !kept.is_same(&queued));
        }
    }

    async fn records(&self, ids: &[AskId]) -> Vec<Record> {
        let mut records = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(record) = self.hub.record(id).await {
                records.push(Arc::unwrap_or_clone(record));
            }
        }
        records
    }

    /// Stores the notification state if it has changed. Nothing waits for it.
    fn keep(&mut self) {
        let changed = self.engine.take_changed();
        self.kept.last_group = self.engine.last_group;
        for id in &changed {
            let notice = self.engine.notices.get(id);
            match notice.filter(|notice| self.must_be_kept(notice)) {
                Some(notice) => drop(self.kept.notices.insert(id.clone(), *notice)),
                None => drop(self.kept.notices.remove(id)),
            }
        }
        let notes = self.kept.differences(&self.written, &changed);
        if notes.is_empty() {
            return;
        }
        for id in changed {
            match self.kept.notices.get(&id) {
                Some(notice) => drop(self.written.notices.insert(id, *notice)),
                None => drop(self.written.notices.remove(&id)),
            }
        }
        self.written.shown.clone_from(&self.kept.shown);
        self.written.last_group = self.kept.last_group;
        self.written.queue.clone_from(&self.kept.queue);
        let then = |done: ask_store::StoreResult<()>| {
            if let Err(error) = done {
                tracing::error!("the state of notifications can't be stored: {error}");
            }
        };
        self.hub.store.note(notes, Box::new(then));
    }

    /// Whether the next hub would notify twice without this entry.
    fn must_be_kept(&self, notice: &Notice) -> bool {
        self.notifier.has_program() || notice.was_acted_on()
    }

    /// Resolves when something is due, as far as is known now.
    fn pause(&self) -> impl Future<Output = ()> + use<> {
        let now = clock::now();
        let told = self.engine.next(now, self.hub.presence());
        let waiting = self.kept.queue.iter().filter(|queued| !queued.is_underway);
        let queue = waiting.map(|queued| queued.next_at);
        let next: Option<Time> = told.into_iter().chain(queue).min();
        let ms = next.map_or(LONGEST_MS, |at| at.since_ms(now).clamp(1, LONGEST_MS));
        async move {
            let pause = Duration::from_millis(ms);
            // The timeout is the point: this future only waits.
            let _ = tokio::time::timeout(pause, std::future::pending::<()>()).await;
        }
    }
}

/// Runs the person's `notify.opener` after a click.
async fn open(opener: Vec<String>) {
    let said = match command::run(&opener, &[], String::new(), OPENER_LIMIT).await {
        Ok(ran) if ran.code == Some(0) => return,
        Ok(ran) => SafeText::line(&ran.err).to_string(),
        Err(problem) => problem,
    };
    tracing::warn!("notify.opener: {said}");
}
