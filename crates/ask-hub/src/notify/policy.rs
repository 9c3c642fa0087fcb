//! When to notify through which channel: decided from the state of each ask, the person's settings,
//! their presence and the time. Nothing here acts, and nothing reads a clock.
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
/// A surface that rings gets this much time before the desktop is notified, too.
pub(crate) const AFTER_RINGING_MS: u64 = 15_000;
/// A person who pressed a key within this time is present and needs no push to the phone.
pub const PRESENT_MS: u64 = 2 * 60 * 1_000;

/// How many ended asks are remembered, because a late answer may still change them.
const ENDED_KEPT: usize = 4_096;

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
pub struct Presence {
    /// Whether a surface has the focus.
    pub focused: bool,
    /// Whether a surface without the focus rings.
    pub rings: bool,
    /// Whether a surface is open.
    pub open: bool,
    /// When a key was last pressed on any surface.
    pub input_at: Option<Time>,
    /// Whether the person has muted notifications.
    pub muted: bool,
}

/// The state of an ask, as far as the policy needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The ask.
    pub id: AskId,
    /// When it was asked.
    pub asked_at: Time,
    /// Its status.
    pub stands: AskStatus,
    /// Whether a surface has shown it to a person.
    pub shown: bool,
}

/// The status of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskStatus {
    /// It waits for the person.
    Waiting,
    /// It is snoozed until this time.
    Snoozed(Time),
    /// It was closed by this event. True if the outcome has no waiter to receive it.
    Closed(Event, bool),
}

/// Events of an ask, as the person's program is notified of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An agent asks.
    Asked,
    /// A surface shows the ask.
    Shown,
    /// The person snoozed it.
    Snoozed,
    /// Its snooze ended.
    Back,
    /// The person answered.
    Answered,
    /// The person declined.
    Declined,
    /// The person asked back.
    Clarify,
    /// Its deadline passed.
    Expired,
    /// The agent withdrew it.
    Withdrawn,
    /// The person's answer is stored, because the agent has left.
    Late,
}

/// What the hub has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Run the person's program with this event.
    Tell(Event, AskId),
    /// Show one desktop notification about these asks.
    Desktop {
        /// The notification's number.
        group: u64,
        /// The asks that it is about.
        ids: Vec<AskId>,
    },
    /// Close a desktop notification.
    Withdraw(u64),
    /// Push these asks to the phone.
    Push(Vec<AskId>),
    /// Cancel or correct a push about this ask, because of this event.
    Unpush(AskId, Event),
}

/// The progress of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// Still to do.
    #[default]
    Open,
    /// Done, in the notification with this number.
    Done(u64),
    /// Skipped.
    Passed,
}

/// The notification state of an open ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Since when it waits for the person; a snooze restarts it.
    pub since: Time,
    /// Whether the event [`Event::Shown`] was reported.
    pub shown: bool,
    /// Until when it is snoozed.
    pub snoozed: Option<Time>,
    /// The desktop step.
    pub desktop: Step,
    /// The push step.
    pub push: Step,
}

/// The state of the policy.
pub(crate) struct Policy {
    rules: Rules,
    /// When it started. Older asks that are closed belong to the history.
    begun: Time,
    /// The open asks.
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

    /// Whether it holds more than the fact that the ask waits.
    pub fn was_acted_on(&self) -> bool {
        self.desktop != Step::Open || self.push != Step::Open || self.snoozed.is_some()
    }
}

impl Policy {
    /// Starts from the stored notices.
    pub(crate) fn new(
        rules: Rules,
        begun: Time,
        notices: BTreeMap<AskId, Notice>,
        last_group: u64,
    ) -> Self {
        Self {
            rules,
            begun,
            notices,
            last_group,
            ended: VecDeque::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Marks all notices as changed.
    pub(crate) fn all_changed(&mut self) {
        self.changed.extend(self.notices.keys().cloned());
    }

    /// The asks whose notices may have changed since the last call.
    pub(crate) fn take_changed(&mut self) -> BTreeSet<AskId> {
        std::mem::take(&mut self.changed)
    }

    /// Processes the state of an ask.
    pub(crate) fn hear(&mut self, fact: &Fact, now: Time) -> Vec<Act> {
        let mut acts = Vec::new();
        self.changed.insert(fact.id.clone());
        if !self.notices.contains_key(&fact.id) && !self.begins(fact, now, &mut acts) {
            return acts;
        }
        let id = || fact.id.clone();
        if let Some(notice) = self.notices.get_mut(&fact.id)
            && fact.shown
            && !notice.shown
        {
            notice.shown = true;
            acts.push(Act::Tell(Event::Shown, id()));
        }
        match fact.stands {
            AskStatus::Waiting => self.is_back(&fact.id, now, &mut acts),
            AskStatus::Snoozed(until) if until <= now => self.is_back(&fact.id, now, &mut acts),
            AskStatus::Snoozed(until) => self.is_put_off(&fact.id, until, &mut acts),
            AskStatus::Closed(event, late) => {
                acts.push(Act::Tell(event, id()));
                if late {
                    acts.push(Act::Tell(Event::Late, id()));
                }
                self.take_back(&fact.id, event, &mut acts);
                self.notices.remove(&fact.id);
                self.has_ended(fact.id.clone(), event);
            }
        }
        acts
    }

    /// Processes the removal of an ask.
    pub(crate) fn gone(&mut self, id: &AskId) -> Vec<Act> {
        let mut acts = Vec::new();
        self.changed.insert(id.clone());
        if self.notices.contains_key(id) {
            self.take_back(id, Event::Withdrawn, &mut acts);
            self.notices.remove(id);
        }
        acts
    }

    /// The asks that are open as far as the policy knows.
    pub(crate) fn ids(&self) -> Vec<AskId> {
        self.notices.keys().cloned().collect()
    }

    /// The actions that are due.
    pub(crate) fn due(&mut self, now: Time, presence: Presence) -> Vec<Act> {
        let mut acts = Vec::new();
        for id in self.notices_where(|notice| notice.snoozed.is_some_and(|until| until <= now)) {
            self.is_back(&id, now, &mut acts);
            self.changed.insert(id);
        }
        self.pass_over(now, presence);
        if self.quiet_until(now).is_some() {
            return acts;
        }
        let desktop = |notice: &Notice| self.rules.desktop_at(notice, presence);
        if is_due(self.notices.values().filter_map(desktop).min(), now) {
            let ids =
                self.notices_where(|notice| self.rules.desktop_at(notice, presence).is_some());
            self.last_group += 1;
            let group = self.last_group;
            self.step(&ids, |notice| notice.desktop = Step::Done(group));
            if !ids.is_empty() {
                acts.push(Act::Desktop { group, ids });
            }
        }
        let push = |notice: &Notice| self.rules.push_at(notice, presence);
        if is_due(self.notices.values().filter_map(push).min(), now) {
            // Asks whose push is due shortly share this one.
            let soon = now.plus_ms(BATCH_MS);
            let ids =
                self.notices_where(|notice| is_due(self.rules.push_at(notice, presence), soon));
            self.step(&ids, |notice| notice.push = Step::Done(0));
            if !ids.is_empty() {
                acts.push(Act::Push(ids));
            }
        }
        acts
    }

    /// When to look again, unless something happens before.
    pub(crate) fn next(&self, now: Time, presence: Presence) -> Option<Time> {
        let due = |notice: &Notice| {
            let desktop = self.rules.desktop_at(notice, presence);
            let push = self.rules.push_at(notice, presence);
            let batched = self.rules.passed_at(notice, presence);
            [desktop, push, batched].into_iter().flatten().min()
        };
        let told = self.notices.values().filter_map(due).min();
        let told = told.map(|at| self.quiet_until(now).map_or(at, |end| at.max(end)));
        let back = self.notices.values().filter_map(|notice| notice.snoozed);
        told.into_iter().chain(back).min()
    }

    /// Whether to track this ask: it waits, or opened and closed between two changes.
    fn begins(&mut self, fact: &Fact, now: Time, acts: &mut Vec<Act>) -> bool {
        let history = match fact.stands {
            AskStatus::Waiting | AskStatus::Snoozed(_) => false,
            AskStatus::Closed(event, late) => {
                let ended = self.ended.iter_mut().find(|(id, _)| *id == fact.id);
                match ended {
                    // A person may answer after the deadline: the new event is reported too.
                    Some((id, told)) if *told != event => {
                        *told = event;
                        acts.push(Act::Tell(event, id.clone()));
                        acts.extend(late.then(|| Act::Tell(Event::Late, id.clone())));
                        true
                    }
                    Some(_) => true,
                    None => fact.asked_at < self.begun,
                }
            }
        };
        if history {
            return false;
        }
        // An ask that ended and waits again was asked again just now.
        let again = self.ended.iter().position(|(id, _)| *id == fact.id);
        let since = match again.and_then(|at| self.ended.remove(at)) {
            Some(_) => now,
            None => fact.asked_at,
        };
        self.notices.insert(fact.id.clone(), Notice::new(since));
        acts.push(Act::Tell(Event::Asked, fact.id.clone()));
        true
    }

    fn is_put_off(&mut self, id: &AskId, until: Time, acts: &mut Vec<Act>) {
        let Some(notice) = self.notices.get_mut(id) else {
            return;
        };
        if notice.snoozed.replace(until) == Some(until) {
            return;
        }
        acts.push(Act::Tell(Event::Snoozed, id.clone()));
        self.take_back(id, Event::Snoozed, acts);
    }

    /// Restarts all steps after a snooze, as if the ask had just arrived.
    fn is_back(&mut self, id: &AskId, now: Time, acts: &mut Vec<Act>) {
        if let Some(notice) = self.notices.get_mut(id)
            && notice.snoozed.is_some()
        {
            *notice = Notice::new(now);
            acts.push(Act::Tell(Event::Back, id.clone()));
        }
    }

    /// Cancels the steps of an ask that ended or was snoozed.
    fn take_back(&mut self, id: &AskId, event: Event, acts: &mut Vec<Act>) {
        let Some(notice) = self.notices.get_mut(id) else {
            return;
        };
        let (desktop, push) = (notice.desktop, notice.push);
        (notice.desktop, notice.push) = (Step::Passed, Step::Passed);
        if let Step::Done(group) = desktop {
            let others = self.notices.values();
            let mut others = others.filter(|notice| notice.desktop == Step::Done(group));
            if others.next().is_none() {
                acts.push(Act::Withdraw(group));
            }
        }
        if let Step::Done(_) = push {
            acts.push(Act::Unpush(id.clone(), event));
        }
    }

    fn has_ended(&mut self, id: AskId, event: Event) {
        if self.ended.len() == ENDED_KEPT {
            self.ended.pop_front();
        }
        self.ended.push_back((id, event));
    }

    /// Skips the steps that are no longer needed: the person muted notifications or has seen the
    /// ask.
    fn pass_over(&mut self, now: Time, presence: Presence) {
        let rules = &self.rules;
        for (id, notice) in &mut self.notices {
            let before = *notice;
            if presence.muted {
                notice.desktop.pass();
                notice.push.pass();
            } else if rules
                .passed_at(notice, presence)
                .is_some_and(|at| at <= now)
            {
                notice.desktop.pass();
            }
            if *notice != before {
                self.changed.insert(id.clone());
            }
        }
    }

    fn quiet_until(&self, now: Time) -> Option<Time> {
        self.rules.quiet?.until(now, &self.rules.zone)
    }

    fn notices_where(&self, which: impl Fn(&Notice) -> bool) -> Vec<AskId> {
        let mut found: Vec<(&AskId, &Notice)> = self
            .notices
            .iter()
            .filter(|(_, notice)| which(notice))
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
    fn pass(&mut self) {
        if *self == Self::Open {
            *self = Self::Passed;
        }
    }
}

impl Rules {
    /// When to notify the desktop of an ask; `None` for not at all.
    fn desktop_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        if notice.desktop != Step::Open || notice.snoozed.is_some() {
            return None;
        }
        let after_ms = match self.desktop {
            Desktop::Never => return None,
            Desktop::Always => BATCH_MS,
            Desktop::Auto if presence.focused || notice.shown => return None,
            Desktop::Auto if presence.rings => AFTER_RINGING_MS,
            Desktop::Auto => BATCH_MS,
        };
        Some(notice.since.plus_ms(after_ms))
    }

    /// When an ask counts as noticed without the desktop.
    fn passed_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let seen = presence.focused || notice.shown;
        let open = notice.desktop == Step::Open && notice.snoozed.is_none();
        let passes = self.desktop == Desktop::Auto && seen && open;
        passes.then(|| notice.since.plus_ms(BATCH_MS))
    }

    /// When to push an ask to the phone; `None` for not at all.
    fn push_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let wanted = notice.push == Step::Open && notice.snoozed.is_none() && !presence.muted;
        let at = notice.since.plus_ms(self.escalate_ms.filter(|_| wanted)?);
        let away = presence.input_at.map(|input| input.plus_ms(PRESENT_MS));
        Some(away.map_or(at, |away| at.max(away)))
    }
}

impl Event {
    /// Each event with its name in settings and payloads.
    const WORDS: [(Self, &'static str); 10] = [
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

    /// The event's name.
    pub fn word(self) -> &'static str {
        let row = Self::WORDS.iter().find(|(event, _)| *event == self);
        row.map_or("", |(_, word)| word)
    }

    /// The event with this name.
    pub fn find(word: &str) -> Option<Self> {
        let row = Self::WORDS.iter().find(|(_, known)| *known == word);
        row.map(|(event, _)| *event)
    }
}

#[cfg(test)]
mod tests;
