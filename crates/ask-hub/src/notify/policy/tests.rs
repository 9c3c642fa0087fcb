//! The policy's rules, one test each: what happened, who is present, what time it is, what follows.

use super::*;

const MINUTE: u64 = 60_000;

/// A person with a phone, and a policy that started at zero.
struct Desk {
    engine: Policy,
    now: Time,
    presence: Presence,
}

fn rules() -> Rules {
    Rules {
        desktop: Desktop::Auto,
        escalate_ms: Some(MINUTE),
        quiet: None,
        zone: TimeZone::UTC,
    }
}

fn id(name: &str) -> AskId {
    AskId::parse(&format!("a_{name}")).expect("the name makes a valid id")
}

impl Desk {
    fn new(rules: Rules) -> Self {
        Self {
            engine: Policy::new(rules, Time(0), BTreeMap::new(), 0),
            now: Time(0),
            presence: Presence::default(),
        }
    }

    /// The actions that follow from this status now.
    fn hear(&mut self, name: &str, stands: AskStatus) -> Vec<Act> {
        let fact = Fact {
            id: id(name),
            asked_at: self.now,
            stands,
            shown: false,
        };
        self.engine.hear(&fact, self.now)
    }

    fn asks(&mut self, name: &str) {
        let told = self.hear(name, AskStatus::Waiting);
        assert_eq!(told, [Act::Tell(Event::Asked, id(name))]);
    }

    fn is_shown(&mut self, name: &str) -> Vec<Act> {
        let fact = Fact {
            id: id(name),
            asked_at: self.now,
            stands: AskStatus::Waiting,
            shown: true,
        };
        self.engine.hear(&fact, self.now)
    }

    /// The actions that are due at this second.
    fn at(&mut self, seconds: u64) -> Vec<Act> {
        self.now = Time(0).plus_ms(seconds * 1_000);
        let due = self.engine.due(self.now, self.presence);
        let next = self.engine.next(self.now, self.presence);
        assert!(
            next.is_none_or(|at| at > self.now),
            "{next:?} at {:?}",
            self.now
        );
        due
    }

    /// In how many seconds the policy is due again.
    fn next(&self) -> Option<u64> {
        let next = self.engine.next(self.now, self.presence)?;
        Some(next.since_ms(self.now) / 1_000)
    }
}

fn desktop(group: u64, names: &[&str]) -> Act {
    let ids = names.iter().map(|name| id(name)).collect();
    Act::Desktop { group, ids }
}

fn push(names: &[&str]) -> Act {
    Act::Push(names.iter().map(|name| id(name)).collect())
}

#[test]
fn asks_that_come_together_are_one_notification() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    assert_eq!(desk.next(), Some(3));
    assert_eq!(desk.at(2), []);
    desk.asks("two2");
    assert_eq!(desk.at(3), [desktop(1, &["one1", "two2"])]);
    assert_eq!(desk.at(10), []);
    assert_eq!(desk.at(60), [push(&["one1", "two2"])]);
    assert_eq!(desk.next(), None);
}

#[test]
fn what_is_answered_at_once_is_not_notified() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    let told = desk.hear("one1", AskStatus::Closed(Event::Answered, false));
    assert_eq!(told, [Act::Tell(Event::Answered, id("one1"))]);
    assert_eq!(desk.at(100), []);
    assert_eq!(desk.next(), None);
}

#[test]
fn a_surface_in_focus_is_enough() {
    let mut desk = Desk::new(rules());
    desk.presence.focused = true;
    desk.asks("one1");
    assert_eq!(desk.at(3), []);
    // Losing the focus afterwards notifies of nothing that was seen there.
    desk.presence.focused = false;
    assert_eq!(desk.at(30), []);
    assert_eq!(desk.at(60), [push(&["one1"])]);
}

#[test]
fn a_surface_that_lost_its_focus_within_the_batch_is_not() {
    let mut desk = Desk::new(rules());
    desk.presence.focused = true;
    desk.asks("one1");
    desk.presence.focused = false;
    assert_eq!(desk.at(3), [desktop(1, &["one1"])]);
}

#[test]
fn a_surface_that_rings_is_given_time() {
    let mut desk = Desk::new(rules());
    desk.presence.rings = true;
    desk.asks("one1");
    assert_eq!(desk.at(14), []);
    assert_eq!(desk.at(15), [desktop(1, &["one1"])]);
}

#[test]
fn what_was_opened_is_noticed() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    assert_eq!(desk.is_shown("one1"), [Act::Tell(Event::Shown, id("one1"))]);
    assert_eq!(desk.is_shown("one1"), []);
    assert_eq!(desk.at(59), []);
    assert_eq!(desk.at(60), [push(&["one1"])]);
}

#[test]
fn the_desktop_always_or_never() {
    for (when, told) in [
        (Desktop::Always, vec![desktop(1, &["one1"])]),
        (Desktop::Never, vec![]),
    ] {
        let mut desk = Desk::new(Rules {
            desktop: when,
            escalate_ms: None,
            ..rules()
        });
        desk.presence.focused = true;
        desk.asks("one1");
        assert_eq!(desk.at(3), told);
        assert_eq!(desk.at(1_000), []);
    }
}

#[test]
fn the_phone_is_silent_while_somebody_types() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.at(3);
    desk.presence.input_at = Some(Time(50_000));
    assert_eq!(desk.at(60), []);
    assert_eq!(desk.at(169), []);
    assert_eq!(desk.at(170), [push(&["one1"])]);
}

#[test]
fn quiet_hours_hold_everything_back_and_tell_once() {
    let mut desk = Desk::new(Rules {
        quiet: Hours::parse("00:00-01:00"),
        ..rules()
    });
    desk.asks("one1");
    assert_eq!(desk.at(3), []);
    assert_eq!(desk.next(), Some(60 * 60 - 3));
    desk.asks("two2");
    assert_eq!(desk.at(100), []);
    assert_eq!(
        desk.at(60 * 60),
        [desktop(1, &["one1", "two2"]), push(&["one1", "two2"])]
    );
}

#[test]
fn what_came_while_muted_is_not_told_afterwards() {
    let mut desk = Desk::new(rules());
    desk.presence.muted = true;
    desk.asks("one1");
    assert_eq!(desk.at(100), []);
    assert_eq!(desk.next(), None);
    desk.presence.muted = false;
    assert_eq!(desk.at(200), []);
    desk.asks("two2");
    assert_eq!(desk.at(203), [desktop(1, &["two2"])]);
}

#[test]
fn an_answer_takes_the_notification_back_when_it_was_the_last() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.asks("two2");
    desk.at(3);
    desk.at(60);
    let over = |name: &str| Act::Unpush(id(name), Event::Answered);
    let told = |name: &str| Act::Tell(Event::Answered, id(name));
    let closed = AskStatus::Closed(Event::Answered, false);
    assert_eq!(desk.hear("one1", closed), [told("one1"), over("one1")]);
    assert_eq!(
        desk.hear("two2", closed),
        [told("two2"), Act::Withdraw(1), over("two2")]
    );
    assert_eq!(desk.hear("two2", closed), [], "its delivery is no news");
}

#[test]
fn an_answer_that_nobody_is_told_is_late() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    let told = desk.hear("one1", AskStatus::Closed(Event::Declined, true));
    let wanted = [Event::Declined, Event::Late].map(|event| Act::Tell(event, id("one1")));
    assert_eq!(told, wanted);
}

#[test]
fn what_the_clock_closed_and_a_person_answered_is_told_twice() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    let told = desk.hear("one1", AskStatus::Closed(Event::Expired, false));
    assert_eq!(told, [Act::Tell(Event::Expired, id("one1"))]);
    let late = AskStatus::Closed(Event::Answered, true);
    let wanted = [Event::Answered, Event::Late].map(|event| Act::Tell(event, id("one1")));
    assert_eq!(desk.hear("one1", late), wanted);
    assert_eq!(desk.hear("one1", late), []);
}

#[test]
fn what_came_and_went_between_two_looks_is_told() {
    let mut desk = Desk::new(rules());
    let told = desk.hear("one1", AskStatus::Closed(Event::Answered, false));
    let wanted = [Event::Asked, Event::Answered].map(|event| Act::Tell(event, id("one1")));
    assert_eq!(told, wanted);
    desk.engine.begun = Time(1);
    assert_eq!(
        desk.hear("old0", AskStatus::Closed(Event::Answered, false)),
        []
    );
}

#[test]
fn what_is_put_off_wants_its_person_anew_when_it_is_back() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.at(3);
    let until = Time(300_000);
    assert_eq!(
        desk.hear("one1", AskStatus::Snoozed(until)),
        [Act::Tell(Event::Snoozed, id("one1")), Act::Withdraw(1)]
    );
    assert_eq!(desk.hear("one1", AskStatus::Snoozed(until)), []);
    assert_eq!(desk.at(299), []);
    assert_eq!(desk.at(300), [Act::Tell(Event::Back, id("one1"))]);
    assert_eq!(desk.at(303), [desktop(2, &["one1"])]);
    assert_eq!(desk.at(360), [push(&["one1"])]);
}

#[test]
fn the_next_hub_tells_nothing_twice() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.at(3);
    let (notices, last) = (desk.engine.notices.clone(), desk.engine.last_group);
    desk.engine = Policy::new(rules(), desk.now, notices, last);
    assert_eq!(desk.hear("one1", AskStatus::Waiting), []);
    assert_eq!(desk.at(30), []);
    desk.asks("two2");
    assert_eq!(desk.at(33), [desktop(2, &["two2"])]);
    assert_eq!(desk.at(60), [push(&["one1"])]);
}

#[test]
fn what_is_forgotten_is_taken_back_without_a_word() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.at(3);
    assert_eq!(desk.engine.gone(&id("one1")), [Act::Withdraw(1)]);
    assert_eq!(desk.engine.gone(&id("one1")), []);
}

#[test]
fn one_that_is_asked_again_after_its_time_is_told_as_if_it_had_just_been_asked() {
    let mut desk = Desk::new(rules());
    desk.asks("one1");
    desk.at(10);
    desk.hear("one1", AskStatus::Closed(Event::Expired, false));
    desk.now = Time(0).plus_ms(10 * MINUTE);
    let fact = Fact {
        id: id("one1"),
        asked_at: Time(0),
        stands: AskStatus::Waiting,
        shown: false,
    };
    let told = desk.engine.hear(&fact, desk.now);
    assert_eq!(told, [Act::Tell(Event::Asked, id("one1"))]);
    // The push has its full delay again.
    assert!(!desk.at(659).contains(&push(&["one1"])));
    assert!(desk.at(660).contains(&push(&["one1"])));
    let told = desk.hear("one1", AskStatus::Closed(Event::Expired, false));
    assert!(
        told.contains(&Act::Tell(Event::Expired, id("one1"))),
        "{told:?}"
    );
}
