//! Which notifications were sent for which ask, stored as notes of the store (one line each), so
//! that the next hub sends none twice. If the state is lost, open asks are notified of again.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::{AskId, Time};
use ask_store::Note;

use super::policy::{Notice, Step};
use super::push_queue::QueuedPush;

/// The keys of the notes, or their prefixes. Stored notes use these words.
const LAST_KEY: &str = "notice.last";
const ASK_PREFIX: &str = "notice.ask.";
const DESKTOP_PREFIX: &str = "notice.desktop.";
const QUEUE_KEY: &str = "notice.parcels";

/// The state of notifications that is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotifyState {
    /// The notices of open asks.
    pub notices: BTreeMap<AskId, Notice>,
    /// The visible desktop notifications: the hub's number, and the desktop's.
    pub shown: BTreeMap<u64, u32>,
    /// The number of the last desktop notification.
    pub last_group: u64,
    /// The pushes on their way to the phone.
    pub queue: Vec<QueuedPush>,
}

impl NotifyState {
    /// Parses the notes. Missing and malformed ones are ignored, so their asks are notified of
    /// again.
    pub(crate) fn read(notes: &BTreeMap<String, String>) -> Self {
        let mut state = Self::default();
        for (key, value) in notes {
            state.apply_note(key, value);
        }
        state
    }

    /// Parses the file that was used before version 4 of the store's schema.
    pub(crate) fn read_file(text: &str) -> Self {
        let mut notes = BTreeMap::new();
        let mut queue: Vec<&str> = Vec::new();
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("last", number)) => {
                    drop(notes.insert(LAST_KEY.to_owned(), number.to_owned()))
                }
                Some(("ask", rest)) => {
                    if let Some((id, notice)) = rest.split_once(' ') {
                        notes.insert(format!("{ASK_PREFIX}{id}"), notice.to_owned());
                    }
                }
                Some(("desktop", rest)) => {
                    if let Some((group, number)) = rest.split_once(' ') {
                        notes.insert(format!("{DESKTOP_PREFIX}{group}"), number.to_owned());
                    }
                }
                Some(("parcel", queued)) => queue.push(queued),
                Some(_) | None => {}
            }
        }
        if !queue.is_empty() {
            notes.insert(QUEUE_KEY.to_owned(), queue.join("\n"));
        }
        Self::read(&notes)
    }

    /// The notes that changed since `before`. Of the notices, only those of the `changed` asks are
    /// compared.
    pub(crate) fn differences(&self, before: &Self, changed: &BTreeSet<AskId>) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.last_group != before.last_group {
            notes.push((LAST_KEY.to_owned(), Some(self.last_group.to_string())));
        }
        for id in changed {
            let (now, then) = (self.notices.get(id), before.notices.get(id));
            if now != then {
                notes.push((format!("{ASK_PREFIX}{id}"), now.map(serialize_notice)));
            }
        }
        let groups = self.shown.keys().chain(before.shown.keys());
        let groups: BTreeSet<&u64> = groups.collect();
        for group in groups {
            let (now, then) = (self.shown.get(group), before.shown.get(group));
            if now != then {
                notes.push((format!("{DESKTOP_PREFIX}{group}"), now.map(u32::to_string)));
            }
        }
        if self.queue != before.queue {
            let lines: Vec<String> = self.queue.iter().map(QueuedPush::serialize).collect();
            let lines = (!lines.is_empty()).then(|| lines.join("\n"));
            notes.push((QUEUE_KEY.to_owned(), lines));
        }
        notes
    }

    fn apply_note(&mut self, key: &str, value: &str) -> Option<()> {
        if key == LAST_KEY {
            self.last_group = value.parse().ok()?;
        } else if key == QUEUE_KEY {
            let queue = value.lines().map(|line| QueuedPush::parse(line.split(' ')));
            self.queue = queue.collect::<Option<_>>()?;
        } else if let Some(id) = key.strip_prefix(ASK_PREFIX) {
            let (id, notice) = (AskId::parse(id)?, parse_notice(value)?);
            self.notices.insert(id, notice);
        } else if let Some(group) = key.strip_prefix(DESKTOP_PREFIX) {
            self.shown.insert(group.parse().ok()?, value.parse().ok()?);
        }
        Some(())
    }
}

fn serialize_notice(notice: &Notice) -> String {
    format!(
        "{} {} {} {} {}",
        notice.since.0,
        u8::from(notice.shown),
        notice.snoozed.map_or(0, |until| until.0),
        step_word(notice.desktop),
        step_word(notice.push)
    )
}

fn parse_notice(line: &str) -> Option<Notice> {
    let mut words = line.split(' ');
    let since = Time(words.next()?.parse().ok()?);
    let shown = words.next()? == "1";
    let until: i64 = words.next()?.parse().ok()?;
    Some(Notice {
        since,
        shown,
        snoozed: (until != 0).then_some(Time(until)),
        desktop: parse_step(words.next()?)?,
        push: parse_step(words.next()?)?,
    })
}

fn step_word(step: Step) -> String {
    match step {
        Step::Open => "open".to_owned(),
        Step::Skipped => "passed".to_owned(),
        Step::Done(group) => group.to_string(),
    }
}

fn parse_step(word: &str) -> Option<Step> {
    Some(match word {
        "open" => Step::Open,
        "passed" => Step::Skipped,
        number => Step::Done(number.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::super::policy::Event;
    use super::super::push_queue::Channel;
    use super::*;

    fn apply(mut notes: BTreeMap<String, String>, changes: Vec<Note>) -> BTreeMap<String, String> {
        for (key, value) in changes {
            match value {
                Some(value) => drop(notes.insert(key, value)),
                None => drop(notes.remove(&key)),
            }
        }
        notes
    }

    #[test]
    fn a_stored_state_can_be_read_and_removed() {
        let id = AskId::parse("a_0123456789abcdef").expect("a valid id");
        let notice = Notice {
            since: Time(5),
            shown: true,
            snoozed: Some(Time(9)),
            desktop: Step::Done(3),
            push: Step::Skipped,
        };
        let state = NotifyState {
            notices: BTreeMap::from([(id.clone(), notice)]),
            shown: BTreeMap::from([(3, 17)]),
            last_group: 3,
            queue: vec![QueuedPush::new(
                Channel::Webhook,
                Event::Asked,
                vec![id.clone()],
                Time(7),
            )],
        };
        let changed = BTreeSet::from([id]);
        let notes = state.differences(&NotifyState::default(), &changed);
        let notes = apply(BTreeMap::new(), notes);
        assert_eq!(NotifyState::read(&notes), state);
        assert_eq!(state.differences(&state, &changed), Vec::new());
        let emptied = NotifyState {
            last_group: 3,
            ..NotifyState::default()
        };
        let notes = apply(notes, emptied.differences(&state, &changed));
        assert_eq!(NotifyState::read(&notes), emptied);
        assert_eq!(notes.len(), 1, "{notes:?}");
    }

    #[test]
    fn the_file_of_an_older_version_is_read() {
        let file = "last 3\nask a_0123456789abcdef 5 1 0 3 passed\ndesktop 3 17\nelse x\n";
        let state = NotifyState::read_file(file);
        assert_eq!((state.last_group, state.shown.get(&3)), (3, Some(&17)));
        let id = AskId::parse("a_0123456789abcdef").expect("a valid id");
        let notice = state
            .notices
            .get(&id)
            .expect("the file has a notice of the ask");
        assert_eq!((notice.since, notice.desktop), (Time(5), Step::Done(3)));
    }

    #[test]
    fn unreadable_notes_are_ignored() {
        let notes = [
            ("notice.ask.", "1 0 0 open open"),
            ("notice.ask.a_0123456789abcdef", "1"),
            ("notice.desktop.a", "b"),
            ("notice.parcels", "x"),
            ("other", "1"),
        ];
        let notes = notes.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(
            NotifyState::read(&BTreeMap::from(notes)),
            NotifyState::default()
        );
    }
}
