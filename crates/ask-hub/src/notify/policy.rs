//! Who is told what, and when: decided over what is known of each ask, what the person set,
//! whether they are there, and what time it is. Nothing here acts, and nothing reads a clock.
//!
//! An ask is made noticed by steps, each at most once: a surface shows it, a desktop notification,
//! a message to the phone. What was noticed in focus, was opened, or came while notifications were
//! muted is passed over; what comes in quiet hours waits for their end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ask_config::config::Desktop;
use ask_config::config::quiet_hours::Hours;
use ask_core::{AskId, Time};
use jiff::tz::TimeZone;

/// Asks that come within so long are one notification.
pub const BATCH_MS: u64 = 3_000;
/// A surface that rings is given so long before the desktop is told, too.
pub(crate) const AFTER_RINGING_MS: u64 = 15_000;
/// Who pressed a key within so long is there, and needs no message to the phone.
pub const PRESENT_MS: u64 = 2 * 60 * 1_000;

/// Asks that ended and whose last changes may still come.
const ENDED_KEPT: usize = 4_096;

/// What the person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When the desktop is told.
    pub desktop: Desktop,
    /// After how long the phone is told; `None`: never.
    pub escalate_ms: Option<u64>,
    /// When neither is.
    pub quiet: Option<Hours>,
    /// Where the person's clock stands.
    pub zone: TimeZone,
}

/// Whether the person is there, as far as surfaces say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// A surface has the focus.
    pub focused: bool,
    /// A surface without it makes itself heard.
    pub rings: bool,
    /// A surface is open.
    pub open: bool,
    /// When a key was last pressed on any.
    pub input_at: Option<Time>,
    /// The person wants no notifications.
    pub muted: bool,
}

/// How an ask stands, as far as this matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// Which.
    pub id: AskId,
    /// When it was asked.
    pub asked_at: Time,
    /// Where it stands.
    pub stands: AskStatus,
    /// Whether a person could see it.
    pub shown: bool,
}

/// Where an ask stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskStatus {
    /// It waits for its person.
    Waiting,
    /// It was put off until then.
    Snoozed(Time),
    /// It is closed, and whether nobody was there to be told.
    Closed(Event, bool),
}

/// What can happen to an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An agent asks.
    Asked,
    /// A surface shows it.
    Shown,
    /// The person put it off.
    Snoozed,
    /// It is back from being put off.
    Back,
    /// The person answered.
    Answered,
    /// The person won't answer.
    Declined,
    /// The person asks back.
    Clarify,
    /// Its time is up.
    Expired,
    /// The agent took it back.
    Withdrawn,
    /// What the person said is kept, because the agent has left.
    Late,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Tell the person's own program.
    Tell(Event, AskId),
    /// Show one notification of these on the desktop.
    Desktop {
        /// Its number.
        group: u64,
        /// Of which asks.
        ids: Vec<AskId>,
    },
    /// Take a notification of the desktop back.
    Withdraw(u64),
    /// Tell the phone of these.
    Push(Vec<AskId>),
    /// The phone was told of it, or is about to be, and it is over.
    Unpush(AskId, Event),
}

/// How far a step has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// Not yet.
    #[default]
    Open,
    /// Done, in a notification of that number.
    Done(u64),
    /// Not needed.
    Passed,
}

/// What is known of an ask that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Since when it wants its person.
    pub since: Time,
    /// Whether it was told that it is shown.
    pub shown: bool,
    /// Until when it is put off.
    pub snoozed: Option<Time>,
    /// The desktop.
    pub desktop: Step,
    /// The phone.
    pub push: Step,
}

/// All that was told, and what is to be told when.
pub(crate) struct Engine {
    rules: Rules,
    /// When it began: what is older and closed is history.
    begun: Time,
    /// The asks that are not over.
    pub notices: BTreeMap<AskId, Notice>,
    /// The number of the last notification.
    pub last_group: u64,
    /// Asks that are over, and how, as far as was told.
    ended: VecDeque<(AskId, Event)>,
    /// Asks whose notices may be others than when this was last taken.
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

    /// Whether it says more than that the ask waits.
    pub fn was_acted_on(&self) -> bool {
        self.desktop != Step::Open || self.push != Step::Open || self.snoozed.is_some()
    }
}

impl Engine {
    /// Begins with what was told before.
    pub fn new(
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

    /// Has all notices count as changed.
    pub fn all_changed(&mut self) {
        self.changed.extend(self.notices.keys().cloned());
    }

    /// The asks whose notices may be others than when this was last asked.
    pub fn take_changed(&mut self) -> BTreeSet<AskId> {
        std::mem::take(&mut self.changed)
    }

    /// Takes in how an ask stands.
    pub fn hear(&mut self, fact: &Fact, now: Time) -> Vec<Act> {
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

    /// An ask is no more.
    pub fn gone(&mut self, id: &AskId) -> Vec<Act> {
        let mut acts = Vec::new();
        self.changed.insert(id.clone());
        if self.notices.contains_key(id) {
            self.take_back(id, Event::Withdrawn, &mut acts);
            self.notices.remove(id);
        }
        acts
    }

    /// The asks that are not over, as far as is known here.
    pub fn ids(&self) -> Vec<AskId> {
        self.notices.keys().cloned().collect()
    }

    /// What is due.
    pub fn due(&mut self, now: Time, presence: Presence) -> Vec<Act> {
        let mut acts = Vec::new();
        for id in self.those(|notice| notice.snoozed.is_some_and(|until| until <= now)) {
            self.is_back(&id, now, &mut acts);
            self.changed.insert(id);
        }
        self.pass_over(now, presence);
        if self.quiet_until(now).is_some() {
            return acts;
        }
        let desktop = |notice: &Notice| self.rules.desktop_at(notice, presence);
        if is_due(self.notices.values().filter_map(desktop).min(), now) {
            let ids = self.those(|notice| self.rules.desktop_at(notice, presence).is_some());
            self.last_group += 1;
            let group = self.last_group;
            self.step(&ids, |notice| notice.desktop = Step::Done(group));
            if !ids.is_empty() {
                acts.push(Act::Desktop { group, ids });
            }
        }
        let push = |notice: &Notice| self.rules.push_at(notice, presence);
        if is_due(self.notices.values().filter_map(push).min(), now) {
            // Those whose moment is about to come go along.
            let soon = now.plus_ms(BATCH_MS);
            let ids = self.those(|notice| is_due(self.rules.push_at(notice, presence), soon));
            self.step(&ids, |notice| notice.push = Step::Done(0));
            if !ids.is_empty() {
                acts.push(Act::Push(ids));
            }
        }
        acts
    }

    /// When to look again, if nothing happens before.
    pub fn next(&self, now: Time, presence: Presence) -> Option<Time> {
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

    /// Whether it is taken in: it waits, or came and went between two looks.
    fn begins(&mut self, fact: &Fact, now: Time, acts: &mut Vec<Act>) -> bool {
        let history = match fact.stands {
            AskStatus::Waiting | AskStatus::Snoozed(_) => false,
            AskStatus::Closed(event, late) => {
                let ended = self.ended.iter_mut().find(|(id, _)| *id == fact.id);
                match ended {
                    // What the clock closed a person may still answer.
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
        // One that had ended and waits again was asked again just now.
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

    /// It wants its person anew, as if it had just been asked.
    fn is_back(&mut self, id: &AskId, now: Time, acts: &mut Vec<Act>) {
        if let Some(notice) = self.notices.get_mut(id)
            && notice.snoozed.is_some()
        {
            *notice = Notice::new(now);
            acts.push(Act::Tell(Event::Back, id.clone()));
        }
    }

    /// What was told of an ask and isn't true any more.
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

    /// What needs no step any more: nobody wants it, or the person has seen it.
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

    fn those(&self, which: impl Fn(&Notice) -> bool) -> Vec<AskId> {
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
    /// Not needed any more, if it wasn't done.
    fn pass(&mut self) {
        if *self == Self::Open {
            *self = Self::Passed;
        }
    }
}

impl Rules {
    /// When the desktop is told of an ask; `None` where it isn't.
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

    /// When an ask has been noticed without the desktop.
    fn passed_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let seen = presence.focused || notice.shown;
        let open = notice.desktop == Step::Open && notice.snoozed.is_none();
        let passes = self.desktop == Desktop::Auto && seen && open;
        passes.then(|| notice.since.plus_ms(BATCH_MS))
    }

    /// When the phone is told of an ask; `None` where it isn't.
    fn push_at(&self, notice: &Notice, presence: Presence) -> Option<Time> {
        let wanted = notice.push == Step::Open && notice.snoozed.is_none() && !presence.muted;
        let at = notice.since.plus_ms(self.escalate_ms.filter(|_| wanted)?);
        let away = presence.input_at.map(|input| input.plus_ms(PRESENT_MS));
        Some(away.map_or(at, |away| at.max(away)))
    }
}

impl Event {
    /// Each with the word for it.
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

    /// The word for it.
    pub fn word(self) -> &'static str {
        let row = Self::WORDS.iter().find(|(event, _)| *event == self);
        row.map_or("", |(_, word)| word)
    }

    /// What a word is for.
    pub fn find(word: &str) -> Option<Self> {
        let row = Self::WORDS.iter().find(|(_, known)| *known == word);
        row.map(|(event, _)| *event)
    }
}

#[cfg(test)]
mod tests;
