//! Decides when to notify the person through which channel, by the state of each ask, the person's
//! settings, their presence and the time. It carries out nothing and reads no clock.
//
// A notification escalates in steps, each at most once: a surface shows the ask, a desktop
// notification, a push to the phone. A step is skipped if the person has noticed the ask before,
// or if it arrived while notifications were muted. In quiet hours, steps wait for their end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ask_config::config::Desktop;
use ask_config::config::quiet_hours::Hours;
use ask_core::{AskId, Time};
use jiff::tz::TimeZone;

/// Asks that arrive within this time share one notification.
pub const BATCH_MS: u64 = 3_000;
/// After a surface rang its bell, the person has this much time before the desktop is notified,
/// too.
pub(crate) const AFTER_BELL_MS: u64 = 15_000;
/// A person who pressed a key within this time is present and needs no push to the phone.
pub const PRESENT_MS: u64 = 2 * 60 * 1_000;

/// How many ended asks are remembered. A late answer may still change them.
const MAX_ENDED: usize = 4_096;

/// The person's settings, as the policy needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When desktop notifications are shown.
    pub desktop: Desktop,
    /// After how many milliseconds the phone is notified; `None`: never.
    pub escalate_ms: Option<u64>,
    /// The hours in which neither is notified.
    pub quiet: Option<Hours>,
    /// The person's time zone.
    pub zone: TimeZone,
}

/// The person's presence, as surfaces report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presence {
    /// Whether a surface has the focus.
    pub focused: bool,
    /// Whether a surface without the focus rings its bell.
    pub rings_bell: bool,
    /// Whether a surface is open.
    pub open: bool,
    /// When a key was last pressed on any surface.
    pub input_at: Option<Time>,
    /// Whether the person has muted notifications.
    pub muted: bool,
}

/// The state of an ask, as far as the policy needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskState {
    pub id: AskId,
    /// When it was asked.
    pub asked_at: Time,
    pub status: AskStatus,
    /// Whether a surface has shown it to a person.
    pub shown: bool,
}

/// The status of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskStatus {
    /// It waits for the person.
    Waiting,
    /// It is snoozed until this time.
    Snoozed(Time),
    /// It was closed by this event. True if no waiter receives the outcome.
    Closed(Event, bool),
}

/// Events of an ask, as the person's program is notified of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An agent has asked.
    Asked,
    /// A surface shows the ask.
    Shown,
    /// The person snoozed it.
    Snoozed,
    /// The ask's snooze ended.
    Back,
    /// The person answered the ask.
    Answered,
    /// The person declined to answer.
    Declined,
    /// The person asked back.
    Clarify,
    /// The ask's deadline passed.
    Expired,
    /// The agent withdrew it.
    Withdrawn,
    /// The person's answer is undelivered, because the agent has left.
    Late,
}

/// An action for the hub to carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Run the person's program for this event.
    RunCommand(Event, AskId),
    /// Show one desktop notification about these asks.
    Desktop {
        /// The number of the notification.
        group: u64,
        /// The asks that it is about.
        ids: Vec<AskId>,
    },
    /// Close a desktop notification.
    CloseDesktop(u64),
    /// Push these asks to the phone.
    Push(Vec<AskId>),
    /// Cancel or correct a push about this ask, because of this event.
    CorrectPush(AskId, Event),
}

/// The progress of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Step {
    /// Neither done nor skipped.
    #[default]
    Open,
    /// Done, by the notification with this number.
    Done(u64),
    /// It won't be done.
    Skipped,
}

/// The notification state of an open ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// Since when it waits for the person; a snooze restarts it.
    pub since: Time,
    /// Whether the event [`Event::Shown`] was reported.
    pub shown: bool,
    /// Until when it is snoozed.
    pub snoozed: Option<Time>,
    /// The desktop notification's step.
    pub desktop: Step,
    /// The step of the push to the phone.
    pub push: Step,
}

/// The state of the policy.
pub(crate) struct Policy {
    rules: Rules,
    /// When the policy started. Closed asks from before belong to the history.
    started_at: Time,
    /// The notices of open asks.
    pub notices: BTreeMap<AskId, Notice>,
    /// The number of the last desktop notification.
    pub last_group: u64,
    /// Asks that ended, each with the event that was reported.
    ended: VecDeque<(AskId, Event)>,
    /// Asks whose notices may have changed since [`Self::take_changed`].
    changed: BTreeSet<AskId>,
}

impl Notice {
    fn new(since: Time) -> Self {
        Self {
            since,
            shown: false,
            snoozed: None,
            desktop: Step::Open,
            push: Step::Open,
        }
    }

    /// Whether it holds more than that the ask waits.
    pub(crate) fn was_acted_on(&self) -> bool {
        self.desktop != Step::Open || self.push != Step::Open || self.snoozed.is_some()
    }
}

impl Policy {
    /// Starts from the stored notices.
    pub(crate) fn new(
        rules: Rules,
        started_at: Time,
        notices: BTreeMap<AskId, Notice>,
        last_group: u64,
    ) -> Self {
        Self {
            rules,
            started_at,
            notices,
            last_group,
            ended: VecDeque::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Marks all notices as changed.
    pub(crate) fn mark_all_changed(&mut self) {
        self.changed.extend(self.notices.keys().cloned());
    }

    /// The asks whose notices may have changed since the last call.
    pub(crate) fn take_changed(&mut self) -> BTreeSet<AskId> {
        std::mem::take(&mut self.changed)
    }

    /// Updates the state of an ask.
    pub(crate) fn update(&mut self, ask: &AskState, now: Time) -> Vec<Action> {
        let mut actions = Vec::new();
        self.changed.insert(ask.id.clone());
        if !self.notices.contains_key(&ask.id) && !self.start_tracking(ask, now, &mut actions) {
            return actions;
        }
        let id = || ask.id.clone();
        if let Some(notice) = self.notices.get_mut(&ask.id)
            && ask.shown
            && !notice.shown
        {
            notice.shown = true;
            actions.push(Action::RunCommand(Event::Shown, id()));
        }
        match ask.status {
            AskStatus::Waiting => self.end_snooze(&ask.id, now, &mut actions),
            AskStatus::Snoozed(until) if until <= now => {
                self.end_snooze(&ask.id, now, &mut actions)
            }
            AskStatus::Snoozed(until) => self.start_snooze(&ask.id, until, &mut actions),
            AskStatus::Closed(event, undelivered) => {
                actions.push(Action::RunCommand(event, id()));
                if undelivered {
                    actions.push(Action::RunCommand(Event::Late, id()));
                }
                self.cancel_steps(&ask.id, event, &mut actions);
                self.notices.remove(&ask.id);
                self.remember_ended(ask.id.clone(), event);
            }
        }
        actions
    }

    pub(crate) fn remove(&mut self, id: &AskId) -> Vec<Action> {
        let mut actions = Vec::new();
        self.changed.insert(id.clone());
        if self.notices.contains_key(id) {
            self.cancel_steps(id, Event::Withdrawn, &mut actions);
            self.notices.remove(id);
        }
        actions
    }

    /// The asks that are open as far as the policy knows.
    pub(crate) fn ids(&self) -> Vec<AskId> {
        self.notices.keys().cloned().collect()
    }

    /// The actions that are due.
    pub(crate) fn due_actions(&mut self, now: Time, presence: Presence) -> Vec<Action> {
        let mut actions = Vec::new();
        for id in self.select_asks(|notice| notice.snoozed.is_some_and(|until| until <= now)) {
            self.end_snooze(&id, now, &mut actions);
            self.changed.insert(id);
        }
        self.skip_needless_steps(now, presence);
        if self.quiet_until(now).is_some() {
            return actions;
        }
        let desktop = |notice: &Notice| self.rules.desktop_at(notice, presence);
        if is_due(self.notices.values().filter_map(desktop).min(), now) {
            let ids = self.select_asks(|notice| self.rules.desktop_at(notice, presence).is_some());
            self.last_group += 1;
            let group = self.last_group;
            self.step(&ids, |notice| notice.desktop = Step::Done(group));
            if !ids.is_empty() {
                actions.push(Action::Desktop { group, ids });
            }
        }
        let push = |notice: &Notice| self.rules.push_at(notice, presence);
        if is_due(self.notices.values().filter_map(push).min(), now) {
            // Asks whose push is due shortly share this one.
            let soon = now.plus_ms(BATCH_MS);
            let ids = self.select_asks(|notice| is_due(self.rules.push_at(notice, presence), soon));
            self.step(&ids, |notice| notice.push = Step::Done(0));
            if !ids.is_empty() {
                actions.push(Action::Push(ids));
            }
        }
        actions
    }

    /// When the next action is due, unless an event comes first.
    pub(crate) fn next_at(&self, now: Time, presence: Presence) -> Option<Time> {
        let due = |notice: &Notice| {
            let desktop = self.rules.desktop_at(notice, presence);
            let push = self.rules.push_at(notice, presence);
            let noticed = self.rules.noticed_at(notice, presence);
            [desktop, push, noticed].into_iter().flatten().min()
        };
        let step_at = self.notices.values().filter_map(due).min();
        let step_at = step_at.map(|at| self.quiet_until(now).map_or(at, |end| at.max(end)));
        let snooze_end = self.notices.values().filter_map(|notice| notice.snoozed);
        step_at.into_iter().chain(snooze_end).min()
    }

    /// Starts to track an unknown ask. Returns false if it ended and belongs to the history.
    fn start_tracking(&mut self, ask: &AskState, now: Time, actions: &mut Vec<Action>) -> bool {
        let is_history = match ask.status {
            AskStatus::Waiting | AskStatus::Snoozed(_) => false,
            AskStatus::Closed(event, undelivered) => {
                let ended = self.ended.iter_mut().find(|(id, _)| *id == ask.id);
                match ended {
                    // A person may answer after the deadline. The new event is reported, too.
                    Some((id, last_event)) if *last_event != event => {
                        *last_event = event;
                        actions.push(Action::RunCommand(event, id.clone()));
                        actions.extend(
                            undelivered.then(|| Action::RunCommand(Event::Late, id.clone())),
                        );
                        true
                    }
                    Some(_) => true,
                    None => ask.asked_at < self.started_at,
                }
            }
        };
        if is_history {
            return false;
        }
        // An ask that ended and waits again was asked again just now.
        let position = self.ended.iter().position(|(id, _)| *id == ask.id);
        let since = match position.and_then(|at| self.ended.remove(at)) {
            Some(_) => now,
            None => ask.asked_at,
        };
        self.notices.insert(ask.id.clone(), Notice::new(since));
        actions.push(Action::RunCommand(Event::Asked, ask.id.clone()));
        true
    }

    fn start_snooze(&mut self, id: &AskId, until: Time, actions: &mut Vec<Action>) {
        let Some(notice) = self.notices.get_mut(id) else {
            return;
        };
        if notice.snoozed.replace(until) == Some(until) {
            return;
        }
        actions.push(Action::RunCommand(Event::Snoozed, id.clone()));
        self.cancel_steps(id, Event::Snoozed, actions);
    }

    /// Restarts all steps after a snooze, as if the ask had just arrived.
    fn end_snooze(&mut self, id: &AskId, now: Time, actions: &mut Vec<Action>) {
        if let Some(notice) = self.notices.get_mut(id)
            && notice.snoozed.is_some()
        {
            *notice = Notice::new(now);
            actions.push(Action::RunCommand(Event::Back, id.clone()));
        }
    }

    /// Cancels the steps of an ask that ended or was snoozed.
    fn cancel_steps(&mut self, id: &AskId, event: Event, actions: &mut Vec<Action>) {
        let Some(notice) = self.notices.get_mut(id) else {
            return;
        };
        let (desktop, push) = (notice.desktop, notice.push);
        (notice.desktop, notice.push) = (Step::Skipped, Step::Skipped);
        if let Step::Done(group) = desktop {
            let others = self.notices.values();
            let mut others = others.filter(|notice| notice.desktop == Step::Done(group));
            if others.next().is_none() {
                actions.push(Action::CloseDesktop(group));
            }
        }
        if let Step::Done(_) = push {
            actions.push(Action::CorrectPush(id.clone(), event));
        }
    }

    fn remember_ended(&mut self, id: AskId, event: Event) {
        if self.ended.len() == MAX_ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back((id, event));
    }

    /// Skips steps that nobody needs any more, because the person muted notifications or has seen
    /// the ask.
    fn skip_needless_steps(&mut self, now: Time, presence: Presence) {
        let rules = &self.rules;
        for (id, notice) in &mut self.notices {
            let before = *notice;
            if presence.muted {
                notice.desktop.skip();
                notice.push.skip();
            } else if rules
                .noticed_at(notice, presence)
                .is_some_and(|at| at <= now)
            {
                notice.desktop.skip();
            }
            if *notice != before {
                self.changed.insert(id.clone());
            }
        }
    }

    fn quiet_until(&self, now: Time) -> Option<Time> {
        self.rules.quiet?.until(now, &self.rules.zone)
    }

    fn select_asks(&self, matches: impl Fn(&Notice) -> bool) -> Vec<AskId> {
        let mut found: Vec<(&AskId, &Notice)> = self
            .notices
            .iter()
            .filter(|(_, notice)| matches(notice))
            .collect();
        found.sort_by_key(|(_, notice)| notice.since);
        found.into_iter().map(|(id, _)| id.clone()).collect()
    }

    fn step(&mut self, ids: &[AskId], change: impl Fn(&mut Notice)) {
        for id in ids {
            if let Some(notice) = self.notices.get_mut(id) {
                change(notice);
                self.changed.insert(id.clone());
            }
        }
    }
}

fn is_due(at: Option<Time>, now: Time) -> bool {
    at.is_some_and(|at| at <= now)
}

impl Step {
    /// Skips the step, unless it is done.
    fn skip(&mut self) {
        if *self == Self::Open {
            *self = Self::Skipped;
        }
    }
}

impl Rules {
    /// When to notify the desktop of an ask; `None` for never.
    fn desktop_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        if notice.desktop != Step::Open || notice.snoozed.is_some() {
            return None;
        }
        let after_ms = match self.desktop {
            Desktop::Never => return None,
            Desktop::Always => BATCH_MS,
            Desktop::Auto if presence.focused || notice.shown => return None,
            Desktop::Auto if presence.rings_bell => AFTER_BELL_MS,
            Desktop::Auto => BATCH_MS,
        };
        Some(notice.since.plus_ms(after_ms))
    }

    /// When an ask counts as noticed without a desktop notification.
    fn noticed_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let is_seen = presence.focused || notice.shown;
        let open = notice.desktop == Step::Open && notice.snoozed.is_none();
        let is_noticed = self.desktop == Desktop::Auto && is_seen && open;
        is_noticed.then(|| notice.since.plus_ms(BATCH_MS))
    }

    /// When to push an ask to the phone; `None` for never.
    fn push_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let is_open = notice.push == Step::Open && notice.snoozed.is_none() && !presence.muted;
        let at = notice.since.plus_ms(self.escalate_ms.filter(|_| is_open)?);
        let present_until = presence.input_at.map(|input| input.plus_ms(PRESENT_MS));
        Some(present_until.map_or(at, |present_until| at.max(present_until)))
    }
}

impl Event {
    /// Each event with its name in settings and payloads.
    const NAMES: [(Self, &'static str); 10] = [
        (Self::Asked, "asked"),
        (Self::Shown, "shown"),
        (Self::Snoozed, "snoozed"),
        (Self::Back, "back"),
        (Self::Answered, "answered"),
        (Self::Declined, "declined"),
        (Self::Clarify, "clarify"),
        (Self::Expired, "expired"),
        (Self::Withdrawn, "withdrawn"),
        (Self::Late, "late"),
    ];

    /// The name in settings and payloads.
    pub(crate) fn word(self) -> &'static str {
        let row = Self::NAMES.iter().find(|(event, _)| *event == self);
        row.map_or("", |(_, word)| word)
    }

    /// The event with this name.
    pub(crate) fn find(word: &str) -> Option<Self> {
        let row = Self::NAMES.iter().find(|(_, known)| *known == word);
        row.map(|(event, _)| *event)
    }
}

#[cfg(test)]
mod tests;
