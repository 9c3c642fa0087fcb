//! One test for each rule of the policy.

use super::*;

const MINUTE: u64 = 60_000;

/// A policy that started at time zero, for a person with a phone.
struct TestPolicy {
    policy: Policy,
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

impl TestPolicy {
    fn new(rules: Rules) -> Self {
        Self {
            policy: Policy::new(rules, Time(0), BTreeMap::new(), 0),
            now: Time(0),
            presence: Presence::default(),
        }
    }

    /// The actions that follow from this status now.
    fn update(&mut self, name: &str, status: AskStatus) -> Vec<Action> {
        let ask = AskState {
            id: id(name),
            asked_at: self.now,
            status,
            shown: false,
        };
        self.policy.update(&ask, self.now)
    }

    fn open(&mut self, name: &str) {
        let actions = self.update(name, AskStatus::Waiting);
        assert_eq!(actions, [Action::RunCommand(Event::Asked, id(name))]);
    }

    fn show(&mut self, name: &str) -> Vec<Action> {
        let ask = AskState {
            id: id(name),
            asked_at: self.now,
            status: AskStatus::Waiting,
            shown: true,
        };
        self.policy.update(&ask, self.now)
    }

    /// The actions that are due at this second.
    fn actions_at(&mut self, seconds: u64) -> Vec<Action> {
        self.now = Time(0).plus_ms(seconds * 1_000);
        let due_actions = self.policy.due_actions(self.now, self.presence);
        let next_at = self.policy.next_at(self.now, self.presence);
        assert!(
            next_at.is_none_or(|at| at > self.now),
            "{next_at:?} at {:?}",
            self.now
        );
        due_actions
    }

    /// In how many seconds the policy is due again.
    fn seconds_to_next(&self) -> Option<u64> {
        let next_at = self.policy.next_at(self.now, self.presence)?;
        Some(next_at.since_ms(self.now) / 1_000)
    }
}

fn desktop(group: u64, names: &[&str]) -> Action {
    let ids = names.iter().map(|name| id(name)).collect();
    Action::Desktop { group, ids }
}

fn push(names: &[&str]) -> Action {
    Action::Push(names.iter().map(|name| id(name)).collect())
}

#[test]
fn asks_within_the_batch_time_share_a_notification() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    assert_eq!(test.seconds_to_next(), Some(3));
    assert_eq!(test.actions_at(2), []);
    test.open("two2");
    assert_eq!(test.actions_at(3), [desktop(1, &["one1", "two2"])]);
    assert_eq!(test.actions_at(10), []);
    assert_eq!(test.actions_at(60), [push(&["one1", "two2"])]);
    assert_eq!(test.seconds_to_next(), None);
}

#[test]
fn an_ask_that_is_answered_at_once_is_not_notified() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    let actions = test.update("one1", AskStatus::Closed(Event::Answered, false));
    assert_eq!(actions, [Action::RunCommand(Event::Answered, id("one1"))]);
    assert_eq!(test.actions_at(100), []);
    assert_eq!(test.seconds_to_next(), None);
}

#[test]
fn a_focused_surface_replaces_the_desktop_notification() {
    let mut test = TestPolicy::new(rules());
    test.presence.focused = true;
    test.open("one1");
    assert_eq!(test.actions_at(3), []);
    // Losing the focus afterwards notifies of nothing that was seen there.
    test.presence.focused = false;
    assert_eq!(test.actions_at(30), []);
    assert_eq!(test.actions_at(60), [push(&["one1"])]);
}

#[test]
fn a_surface_that_loses_its_focus_within_the_batch_time_replaces_none() {
    let mut test = TestPolicy::new(rules());
    test.presence.focused = true;
    test.open("one1");
    test.presence.focused = false;
    assert_eq!(test.actions_at(3), [desktop(1, &["one1"])]);
}

#[test]
fn a_surface_that_rings_its_bell_delays_the_desktop_notification() {
    let mut test = TestPolicy::new(rules());
    test.presence.rings_bell = true;
    test.open("one1");
    assert_eq!(test.actions_at(14), []);
    assert_eq!(test.actions_at(15), [desktop(1, &["one1"])]);
}

#[test]
fn a_shown_ask_is_not_notified_on_the_desktop() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    assert_eq!(
        test.show("one1"),
        [Action::RunCommand(Event::Shown, id("one1"))]
    );
    assert_eq!(test.show("one1"), []);
    assert_eq!(test.actions_at(59), []);
    assert_eq!(test.actions_at(60), [push(&["one1"])]);
}

#[test]
fn the_desktop_can_always_or_never_be_notified() {
    for (when, actions) in [
        (Desktop::Always, vec![desktop(1, &["one1"])]),
        (Desktop::Never, vec![]),
    ] {
        let mut test = TestPolicy::new(Rules {
            desktop: when,
            escalate_ms: None,
            ..rules()
        });
        test.presence.focused = true;
        test.open("one1");
        assert_eq!(test.actions_at(3), actions);
        assert_eq!(test.actions_at(1_000), []);
    }
}

#[test]
fn no_push_while_somebody_types() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.actions_at(3);
    test.presence.input_at = Some(Time(50_000));
    assert_eq!(test.actions_at(60), []);
    assert_eq!(test.actions_at(169), []);
    assert_eq!(test.actions_at(170), [push(&["one1"])]);
}

#[test]
fn quiet_hours_delay_all_notifications() {
    let mut test = TestPolicy::new(Rules {
        quiet: Hours::parse("00:00-01:00"),
        ..rules()
    });
    test.open("one1");
    assert_eq!(test.actions_at(3), []);
    assert_eq!(test.seconds_to_next(), Some(60 * 60 - 3));
    test.open("two2");
    assert_eq!(test.actions_at(100), []);
    assert_eq!(
        test.actions_at(60 * 60),
        [desktop(1, &["one1", "two2"]), push(&["one1", "two2"])]
    );
}

#[test]
fn asks_that_arrive_while_muted_are_not_notified_later() {
    let mut test = TestPolicy::new(rules());
    test.presence.muted = true;
    test.open("one1");
    assert_eq!(test.actions_at(100), []);
    assert_eq!(test.seconds_to_next(), None);
    test.presence.muted = false;
    assert_eq!(test.actions_at(200), []);
    test.open("two2");
    assert_eq!(test.actions_at(203), [desktop(1, &["two2"])]);
}

#[test]
fn the_last_answer_closes_a_shared_notification() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.open("two2");
    test.actions_at(3);
    test.actions_at(60);
    let correction = |name: &str| Action::CorrectPush(id(name), Event::Answered);
    let actions = |name: &str| Action::RunCommand(Event::Answered, id(name));
    let closed = AskStatus::Closed(Event::Answered, false);
    assert_eq!(
        test.update("one1", closed),
        [actions("one1"), correction("one1")]
    );
    assert_eq!(
        test.update("two2", closed),
        [actions("two2"), Action::CloseDesktop(1), correction("two2")]
    );
    assert_eq!(test.update("two2", closed), [], "its delivery is no news");
}

#[test]
fn an_answer_without_a_waiter_is_reported_as_late() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    let actions = test.update("one1", AskStatus::Closed(Event::Declined, true));
    let is_open = [Event::Declined, Event::Late].map(|event| Action::RunCommand(event, id("one1")));
    assert_eq!(actions, is_open);
}

#[test]
fn a_late_answer_is_reported_after_the_expiry() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    let actions = test.update("one1", AskStatus::Closed(Event::Expired, false));
    assert_eq!(actions, [Action::RunCommand(Event::Expired, id("one1"))]);
    let undelivered = AskStatus::Closed(Event::Answered, true);
    let is_open = [Event::Answered, Event::Late].map(|event| Action::RunCommand(event, id("one1")));
    assert_eq!(test.update("one1", undelivered), is_open);
    assert_eq!(test.update("one1", undelivered), []);
}

#[test]
fn an_ask_that_opened_and_closed_between_two_changes_is_reported() {
    let mut test = TestPolicy::new(rules());
    let actions = test.update("one1", AskStatus::Closed(Event::Answered, false));
    let is_open =
        [Event::Asked, Event::Answered].map(|event| Action::RunCommand(event, id("one1")));
    assert_eq!(actions, is_open);
    test.policy.started_at = Time(1);
    assert_eq!(
        test.update("old0", AskStatus::Closed(Event::Answered, false)),
        []
    );
}

#[test]
fn all_steps_start_again_after_a_snooze() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.actions_at(3);
    let until = Time(300_000);
    assert_eq!(
        test.update("one1", AskStatus::Snoozed(until)),
        [
            Action::RunCommand(Event::Snoozed, id("one1")),
            Action::CloseDesktop(1)
        ]
    );
    assert_eq!(test.update("one1", AskStatus::Snoozed(until)), []);
    assert_eq!(test.actions_at(299), []);
    assert_eq!(
        test.actions_at(300),
        [Action::RunCommand(Event::Back, id("one1"))]
    );
    assert_eq!(test.actions_at(303), [desktop(2, &["one1"])]);
    assert_eq!(test.actions_at(360), [push(&["one1"])]);
}

#[test]
fn the_next_hub_repeats_no_notification() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.actions_at(3);
    let (notices, last) = (test.policy.notices.clone(), test.policy.last_group);
    test.policy = Policy::new(rules(), test.now, notices, last);
    assert_eq!(test.update("one1", AskStatus::Waiting), []);
    assert_eq!(test.actions_at(30), []);
    test.open("two2");
    assert_eq!(test.actions_at(33), [desktop(2, &["two2"])]);
    assert_eq!(test.actions_at(60), [push(&["one1"])]);
}

#[test]
fn a_removed_ask_is_cancelled_without_an_event() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.actions_at(3);
    assert_eq!(test.policy.remove(&id("one1")), [Action::CloseDesktop(1)]);
    assert_eq!(test.policy.remove(&id("one1")), []);
}

#[test]
fn an_ask_that_is_asked_again_after_its_expiry_is_notified_like_a_new_one() {
    let mut test = TestPolicy::new(rules());
    test.open("one1");
    test.actions_at(10);
    test.update("one1", AskStatus::Closed(Event::Expired, false));
    test.now = Time(0).plus_ms(10 * MINUTE);
    let ask = AskState {
        id: id("one1"),
        asked_at: Time(0),
        status: AskStatus::Waiting,
        shown: false,
    };
    let actions = test.policy.update(&ask, test.now);
    assert_eq!(actions, [Action::RunCommand(Event::Asked, id("one1"))]);
    // The push has its full delay again.
    assert!(!test.actions_at(659).contains(&push(&["one1"])));
    assert!(test.actions_at(660).contains(&push(&["one1"])));
    let actions = test.update("one1", AskStatus::Closed(Event::Expired, false));
    assert!(
        actions.contains(&Action::RunCommand(Event::Expired, id("one1"))),
        "{actions:?}"
    );
}
