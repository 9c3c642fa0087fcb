//! Notifies the person of open asks, and no more than needed. This task receives every change,
//! passes it to `policy`, and carries out the actions. Asks and answers never wait for it.

pub mod channels;
pub(crate) mod command;
pub(crate) mod desktop;
pub(crate) mod policy;
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
use self::policy::{Action, AskState, AskStatus, Event, Notice, Policy, Rules, Step};
pub use self::policy::{BATCH_MS, PRESENT_MS};
use self::push_queue::{Channel, QueuedPush};
use self::run_command::CommandNotifier;
use self::state::NotifyState;
use self::webhook::PushRequest;
use super::hub::Hub;

/// The longest single wait of the task.
const MAX_WAIT_MS: u64 = 24 * 60 * 60 * 1_000;

/// The time limit of the opener. A click may open a window, which runs until the person closes it.
const OPENER_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The state of the task.
struct Notifier {
    hub: Rc<Hub>,
    settings: Notify,
    words: Words,
    policy: Policy,
    state: NotifyState,
    /// The state as it was last stored.
    stored: NotifyState,
    command: CommandNotifier,
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
        zone: clock::zone(),
    }
}

/// Notifies the person until the hub ends. The notes are those of the store.
pub async fn run(home: Home, config: Config, hub: Rc<Hub>, notes: BTreeMap<String, String>) {
    let stored = NotifyState::read(&notes);
    drop(notes);
    // Older versions kept this state in a file. It is moved to the store below.
    let file = home.notices_file();
    let state = match std::fs::read_to_string(&file) {
        Ok(text) => NotifyState::read_file(&text),
        Err(_) => stored.clone(),
    };
    let mut changes = hub.subscribe_in_process();
    let rules = rules(&config.notify);
    let desktop::Desktop {
        commands,
        mut events,
    } = desktop::start();
    if !state.shown.is_empty() && !config.notify.opener.is_empty() {
        // Without a desktop nobody receives the command, and other channels notify the person.
        let _ = commands.send(DesktopCommand::Listen);
    }
    let (sent, mut results) = mpsc::unbounded_channel();
    let mut notifier = Notifier {
        policy: Policy::new(rules, clock::now(), state.notices.clone(), state.last_group),
        command: CommandNotifier::new(config.notify.clone()),
        desktop: commands,
        words: Words::of_person(config.language),
        settings: config.notify,
        hub,
        stored,
        state,
        sent,
    };
    notifier.policy.mark_all_changed();
    let mut actions = notifier.load_asks().await;
    notifier.store_state();
    // If the file can't be removed, the next start reads it again.
    let _ = std::fs::remove_file(&file);
    loop {
        let presence = notifier.hub.presence();
        actions.extend(notifier.policy.due_actions(clock::now(), presence));
        notifier.carry_out(actions).await;
        actions = Vec::new();
        let pause = notifier.pause();
        tokio::select! {
            change = changes.recv() => {
                let mut next = change;
                while let Some(change) = next {
                    actions.extend(notifier.handle_change(&change));
                    next = changes.try_recv().ok();
                }
            }
            () = notifier.hub.wake_notifier.notified() => {}
            Some(event) = events.recv() => notifier.handle_desktop_event(event),
            Some((queued, result)) = results.recv() => notifier.handle_push_result(queued, result),
            () = pause => {}
        }
    }
}

impl Notifier {
    /// Passes the open asks to the policy, and the current state of asks that were open when the
    /// previous hub ended.
    async fn load_asks(&mut self) -> Vec<Action> {
        let waiting = self.hub.open_records();
        let mut actions = Vec::new();
        for id in self.policy.ids() {
            if waiting.iter().all(|record| record.id != id) {
                actions.extend(match self.hub.record(&id).await {
                    Some(record) => self.policy.update(&self.ask_state(&record), clock::now()),
                    None => self.policy.remove(&id),
                });
            }
        }
        for record in &waiting {
            actions.extend(self.policy.update(&self.ask_state(record), clock::now()));
        }
        actions
    }

    fn handle_change(&mut self, change: &Change) -> Vec<Action> {
        match &change.kind {
            ChangeKind::Record(record) => self.policy.update(&self.ask_state(record), clock::now()),
            ChangeKind::Removed(id) => self.policy.remove(id),
            ChangeKind::Muted(_) => Vec::new(),
        }
    }

    fn ask_state(&self, record: &Record) -> AskState {
        let status = match &record.state {
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
                AskStatus::Closed(event, self.hub.is_left_undelivered(record))
            }
        };
        AskState {
            id: record.id.clone(),
            asked_at: record.asked_at,
            status,
            shown: record.shown.is_some(),
        }
    }

    async fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::RunCommand(event, id) => {
                    if let Some(record) = self.records(&[id]).await.first() {
                        self.command.notify(event, record, self.hub.is_muted());
                    }
                }
                Action::Desktop { group, ids } => self.show(group, &ids).await,
                Action::CloseDesktop(group) => {
                    if let Some(number) = self.state.shown.remove(&group) {
                        // Without a desktop there is nothing to close.
                        let _ = self.desktop.send(DesktopCommand::Close(number));
                    }
                }
                Action::Push(ids) => self.push(Event::Asked, &ids),
                Action::CorrectPush(id, event) => self.correct_push(&id, event),
            }
        }
        self.send().await;
        self.store_state();
    }

    /// Shows one desktop notification, where there is a desktop.
    async fn show(&mut self, group: u64, ids: &[AskId]) {
        let records = self.records(ids).await;
        if records.is_empty() || desktop::address().is_err() {
            return;
        }
        let has_opener = !self.settings.opener.is_empty();
        // Without a desktop nobody receives the command.
        let _ = self.desktop.send(DesktopCommand::Show {
            group,
            text: text::notification_text(self.words, &records, self.settings.privacy),
            sound: self.settings.sound,
            open: has_opener.then(|| self.words.say("notify-open")),
        });
    }

    fn handle_desktop_event(&mut self, event: DesktopEvent) {
        match event {
            DesktopEvent::Shown(group, number) => {
                let done = Step::Done(group);
                let mut notices = self.policy.notices.values();
                // The ask may have closed before the desktop showed the notification.
                match notices.any(|notice| notice.desktop == done) {
                    true => drop(self.state.shown.insert(group, number)),
                    false => drop(self.desktop.send(DesktopCommand::Close(number))),
                }
            }
            DesktopEvent::Clicked(number) => {
                if self.state.shown.values().any(|shown| *shown == number) {
                    tokio::task::spawn_local(run_opener(self.settings.opener.clone()));
                }
            }
            DesktopEvent::Gone(number) => self.state.shown.retain(|_, shown| *shown != number),
            DesktopEvent::Failed(problem) => tracing::warn!("desktop: {problem}"),
        }
    }

    /// Queues one push for each configured channel to the phone.
    fn push(&mut self, event: Event, ids: &[AskId]) {
        let channels = [
            (Channel::Webhook, &self.settings.webhook),
            (Channel::Ntfy, &self.settings.ntfy),
        ];
        for (channel, address) in channels {
            if address.is_some() {
                let queued = QueuedPush::new(channel, event, ids.to_vec(), clock::now());
                self.state.queue.push(queued);
            }
        }
    }

    /// Removes an ask from unsent pushes. If a push of it was sent, queues one about its end.
    fn correct_push(&mut self, id: &AskId, event: Event) {
        let remove_ask = |queued: &mut QueuedPush| queued.remove_ask(id);
        let mut unsent_channels: Vec<Channel> = Vec::new();
        for queued in &mut self.state.queue {
            if remove_ask(queued) {
                unsent_channels.push(queued.channel);
            }
        }
        self.state.queue.retain(|queued| !queued.ids.is_empty());
        // ntfy has no way to take back a message that every server supports.
        if self.settings.webhook.is_some() && !unsent_channels.contains(&Channel::Webhook) {
            let ids = vec![id.clone()];
            let queued = QueuedPush::new(Channel::Webhook, event, ids, clock::now());
            self.state.queue.push(queued);
        }
    }

    /// Sends the pushes that are due, each in a task of its own.
    async fn send(&mut self) {
        let now = clock::now();
        let due: Vec<QueuedPush> = {
            let due = self.state.queue.extract_if(.., |queued| queued.is_due(now));
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
            self.state.queue.push(queued.clone());
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

    fn handle_push_result(&mut self, queued: QueuedPush, result: Result<(), String>) {
        let is_this = |known: &&mut QueuedPush| known.is_underway && known.is_same(&queued);
        let Some(known) = self.state.queue.iter_mut().find(is_this) else {
            return;
        };
        known.is_underway = false;
        let retries = match result {
            Ok(()) => false,
            Err(problem) => {
                let retries = known.record_failure(clock::now());
                let channel = known.channel.word();
                let end = if retries {
                    "it is tried again"
                } else {
                    "it is given up"
                };
                tracing::warn!("{channel}: {problem}; {end}");
                retries
            }
        };
        if !retries {
            self.state.queue.retain(|known| !known.is_same(&queued));
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
    fn store_state(&mut self) {
        let changed = self.policy.take_changed();
        self.state.last_group = self.policy.last_group;
        for id in &changed {
            let notice = self.policy.notices.get(id);
            match notice.filter(|notice| self.must_be_stored(notice)) {
                Some(notice) => drop(self.state.notices.insert(id.clone(), *notice)),
                None => drop(self.state.notices.remove(id)),
            }
        }
        let notes = self.state.differences(&self.stored, &changed);
        if notes.is_empty() {
            return;
        }
        for id in changed {
            match self.state.notices.get(&id) {
                Some(notice) => drop(self.stored.notices.insert(id, *notice)),
                None => drop(self.stored.notices.remove(&id)),
            }
        }
        self.stored.shown.clone_from(&self.state.shown);
        self.stored.last_group = self.state.last_group;
        self.stored.queue.clone_from(&self.state.queue);
        let then = |done: ask_store::StoreResult<()>| {
            if let Err(error) = done {
                tracing::error!(
                    "the state of notifications can't be stored: {error}; after a restart the hub may notify again"
                );
            }
        };
        self.hub.store.note(notes, Box::new(then));
    }

    /// Whether the next hub would notify twice without this entry.
    fn must_be_stored(&self, notice: &Notice) -> bool {
        self.command.has_program() || notice.was_acted_on()
    }

    /// Resolves when an action or a push is due by the current state.
    fn pause(&self) -> impl Future<Output = ()> + use<> {
        let now = clock::now();
        let policy_due = self.policy.next_at(now, self.hub.presence());
        let waiting = self.state.queue.iter().filter(|queued| !queued.is_underway);
        let queue = waiting.map(|queued| queued.next_at);
        let next: Option<Time> = policy_due.into_iter().chain(queue).min();
        let ms = next.map_or(MAX_WAIT_MS, |at| at.since_ms(now).clamp(1, MAX_WAIT_MS));
        async move {
            let pause = Duration::from_millis(ms);
            // The result is always a timeout, because the inner future never resolves.
            let _ = tokio::time::timeout(pause, std::future::pending::<()>()).await;
        }
    }
}

/// Runs the person's `notify.opener` after a click.
async fn run_opener(opener: Vec<String>) {
    let problem = match command::run(&opener, &[], String::new(), OPENER_LIMIT).await {
        Ok(output) if output.code == Some(0) => return,
        Ok(output) => SafeText::line(&output.err).to_string(),
        Err(problem) => problem,
    };
    tracing::warn!("notify.opener: {problem}");
}
