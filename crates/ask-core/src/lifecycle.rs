//! What may happen to an ask, decided over a loaded record: nothing else decides
//! an ask's fate. Conflicts are values, because two people answering at once is
//! no error.

use crate::ask::Ask;
use crate::id::AskId;
use crate::origin::Origin;
use crate::outcome::Outcome;
use crate::record::{Asker, EARLIER, Record, Saved, Snooze, State};
use crate::time::Time;

/// For how long a list shows an ask that has expired or whose answer is undelivered. Most of these
/// agents never return. Afterwards the ask is only in the history, and its agent can still get the
/// answer.
pub const LIST_LATE_MS: u64 = 24 * 60 * 60 * 1_000;

/// An outcome on its way into the store, and for ever after in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// How it ended.
    pub outcome: Outcome,
    /// The surface it was closed on; `clock` and `agent` are no surfaces but close asks too.
    pub surface: String,
    /// Which device it was, where it was one that the person let in.
    pub device: Option<String>,
    /// Which program of this machine it was, where the hub could see that.
    pub origin: Option<Box<Origin>>,
    /// When.
    pub at: Time,
    /// Random, chosen by whoever closes: a retry of the same attempt has won if the first try has.
    pub attempt: u64,
    /// Whether its agent counted as waiting although no call of it did: it was to come for the answer by
    /// itself, and still had time.
    pub awaited: bool,
}

impl Settlement {
    /// Where it was closed, as a person is told: `web`, `web (iPhone, Safari)`, or
    /// `cli (below claude-code)`.
    pub fn place(&self) -> String {
        match (&self.device, self.below_agent()) {
            (Some(device), _) => format!("{} ({device})", self.surface),
            (None, Some(agent)) => format!("{} (below {agent})", self.surface),
            (None, None) => self.surface.clone(),
        }
    }

    /// The client of the agent that started the program it came from.
    pub fn below_agent(&self) -> Option<&str> {
        self.origin.as_ref()?.below_agent.as_deref()
    }
}

/// What became of an attempt to close an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettleResult {
    /// It may be saved.
    Close,
    /// This very attempt, with these very words, was saved before: its acknowledgement got lost.
    Again,
    /// Somebody else was first.
    TooLate,
}

/// The name that the clock signs with.
pub const CLOCK: &str = "clock";
/// The name that an asker signs with.
pub const AGENT: &str = "agent";

/// A new record, waiting from now on.
pub fn open(id: AskId, dialect: &str, ask: Ask, asker: Asker, now: Time) -> Record {
    Record {
        id,
        dialect: dialect.to_owned(),
        deadline_at: ask.limit_ms.map(|limit| now.plus_ms(limit)),
        ask,
        asker,
        asked_at: now,
        state: State::Open,
        draft: None,
        shown: None,
        waiters: 0,
        snoozed: None,
        asked_again: None,
        in_client: None,
    }
}

/// Whether an attempt may close this record: the first one does. That its time has passed is the
/// clock's word alone: what a person says after that is kept all the same.
pub fn close(record: &Record, settlement: &Settlement) -> SettleResult {
    match record.settlement() {
        None => SettleResult::Close,
        // An attempt whose words were changed since says something else: it would be lost as a repetition.
        Some(first) if is_again(first, settlement) => SettleResult::Again,
        Some(first) if first.outcome == Outcome::Expired && settlement.outcome.is_human() => {
            SettleResult::Close
        }
        Some(_) => SettleResult::TooLate,
    }
}

fn is_again(first: &Settlement, other: &Settlement) -> bool {
    first.attempt == other.attempt && first.outcome == other.outcome
}

/// The settlement that the clock makes when a deadline has passed.
pub fn expire(record: &Record, now: Time, attempt: u64) -> Option<Settlement> {
    let due = record.is_open() && record.deadline_at.is_some_and(|at| at <= now);
    due.then(|| Settlement {
        outcome: Outcome::Expired,
        surface: CLOCK.to_owned(),
        device: None,
        origin: None,
        at: now,
        attempt,
        awaited: false,
    })
}

/// When the clock must look at this record again.
pub fn open_deadline(record: &Record) -> Option<Time> {
    record.deadline_at.filter(|_| record.is_open())
}

/// The deadline that an open ask gets when its person wants more time, up to `wanted`. It never
/// comes nearer. Its agent could have set a limit of `longest_ms` itself, and expects no longer one.
/// `None` where it has no deadline, or no more time is to be had.
pub fn extended_deadline(record: &Record, wanted: Time, longest_ms: u64) -> Option<Time> {
    let deadline = open_deadline(record)?;
    let asked_at = record.asked_again.unwrap_or(record.asked_at);
    let until = wanted.min(asked_at.plus_ms(longest_ms));
    (until > deadline).then_some(until)
}

/// The deadline of an open ask that is asked again with another one: what its person was promised
/// holds.
pub fn later_deadline(record: &Record, again: Option<Time>) -> Option<Time> {
    Some(record.deadline_at?.max(again?))
}

/// Whether a moment, or its agent's asking again, brings back what the person has put aside.
pub fn snooze_ends(record: &Record, now: Time, asked_again: bool) -> bool {
    match record.snoozed {
        Some(Snooze::Until(at)) => at <= now,
        Some(Snooze::AskedAgain) => asked_again,
        None => false,
    }
}

/// Whether a draft that was built on this revision may take the place of the one that is kept:
/// nobody has saved another since.
pub fn may_save_draft(record: &Record, built_on: u64) -> bool {
    record.draft.as_ref().map_or(0, |saved| saved.revision) == built_on
}

/// Whether two records ask the same for the same agent: wording, content, client and directory.
/// Ids don't count, because some dialects draw them. [`crate::Fingerprint`] is the hash of all that
/// is compared here: what is added here is added there.
pub fn is_same(one: &Record, other: &Record) -> bool {
    one.dialect == other.dialect
        && one.asker.client == other.asker.client
        && one.asker.directory == other.asker.directory
        && one.ask.title == other.ask.title
        && one.ask.context == other.ask.context
        && one.ask.limit_ms == other.ask.limit_ms
        && one.ask.questions.len() == other.ask.questions.len()
        && one
            .ask
            .questions
            .iter()
            .zip(&other.ask.questions)
            .all(|(one, other)| {
                one.text == other.text
                    && one.label == other.label
                    && one.input == other.input
                    && one.required == other.required
            })
}

/// Whether an ask may be taken up by the same ask, asked again within so long: it is still open,
/// or what a person said to it has reached nobody. An agent may give up on a call without saying
/// so; that another call seems to wait is therefore no reason for a second ask.
pub fn may_take_up(record: &Record, now: Time, within_ms: u64) -> bool {
    let open = match &record.state {
        State::Open => true,
        State::Closed {
            settlement,
            delivered_at,
        } => settlement.outcome.is_human() && delivered_at.is_none(),
    };
    open && now.since_ms(record.asked_at) <= within_ms
}

/// Whether an ask may wait again when the same is asked again within so long: only its time has
/// passed, and its person may be in the middle of answering it.
pub fn may_reopen(record: &Record, now: Time, within_ms: u64) -> bool {
    let lapsed = record.settlement().is_some() && record.is_answerable();
    lapsed && now.since_ms(record.asked_at) <= within_ms
}

/// How long ago the same may have been answered for a form to be filled in with that answer.
pub const REPEATED_WITHIN_MS: u64 = 15 * 60 * 1_000;

/// The answer to fill a new ask's form in with, where the same was answered shortly before. Its
/// client may have given up on that call without saying so; whether it is the same question again
/// or the same answer is the person's to say, by sending it.
pub fn repeated(earlier: &Record, now: Time) -> Option<Saved> {
    let settlement = earlier.settlement()?;
    let Outcome::Answered(answered) = &settlement.outcome else {
        return None;
    };
    let recent = now.since_ms(settlement.at) <= REPEATED_WITHIN_MS;
    recent.then(|| Saved {
        draft: answered.draft(),
        at: settlement.at,
        surface: EARLIER.to_owned(),
        revision: 0,
    })
}

/// Whether two askers must be taken for two: both say who they are, and say different things, or
/// neither says where it is, as over HTTP. Their asks are two asks while both wait, also with equal
/// words.
pub fn are_distinct_askers(one: &Asker, other: &Asker) -> bool {
    let differ = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if one != other);
    let nowhere = one.directory.is_none() && other.directory.is_none();
    nowhere || differ(&one.session, &other.session) || differ(&one.agent, &other.agent)
}

/// Whether a person finds the asks of these two in the same windows. One that waits in a window is
/// not taken up by an agent of another, whose person would never see it.
pub fn is_same_window(one: &Asker, other: &Asker) -> bool {
    one.instance == other.instance
}

/// Whether an outcome may be marked as delivered: it exists and isn't yet. Where the attempt is
/// known whose outcome was told, it must be the one that stands: that the clock's word has arrived
/// says nothing of the answer that took its place.
pub fn may_deliver(record: &Record, told: Option<u64>) -> bool {
    match &record.state {
        State::Open => false,
        State::Closed {
            settlement,
            delivered_at,
        } => delivered_at.is_none() && told.is_none_or(|attempt| attempt == settlement.attempt),
    }
}
