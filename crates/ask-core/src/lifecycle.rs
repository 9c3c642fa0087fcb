//! What may happen to an ask, decided over a loaded record. Nothing else decides this. A conflict
//! is a value and no error, because two people may answer at once.

use crate::Json;
use crate::ask::Ask;
use crate::draft::Draft;
use crate::id::AskId;
use crate::origin::Origin;
use crate::outcome::Outcome;
use crate::record::{Asker, BELOW, EarlierAnswer, Record, Saved, Snooze, State};
use crate::time::Time;

/// For how long a list shows an ask that has expired or whose answer is undelivered. Most of these
/// agents never return. Afterwards the ask is only in the history, and its agent can still get the
/// answer.
pub const LIST_LATE_MS: u64 = 24 * 60 * 60 * 1_000;

/// How an ask ended: its outcome, with who, where and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// How it ended.
    pub outcome: Outcome,
    /// The surface on which it was closed. `clock` and `agent` are no surfaces, but they close
    /// asks, too.
    pub surface: String,
    /// The name of the paired device on which it was closed, if it was one.
    pub device: Option<String>,
    /// The program of this machine that closed it, if the hub could see that.
    pub origin: Option<Box<Origin>>,
    /// When it was closed.
    pub at: Time,
    /// A random number of whoever closes it: a retry of the same attempt succeeds if the first try
    /// did.
    pub attempt: u64,
    /// Whether its agent counted as waiting although none of its calls waited: it was to fetch the
    /// answer by itself, and still had time.
    pub awaited: bool,
}

impl Settlement {
    /// Where it was closed, as a person reads it: `web`, `web (iPhone, Safari)`, or `cli (below
    /// claude-code)`.
    pub fn place(&self) -> String {
        match (&self.device, self.below_agent()) {
            (Some(device), Some(agent)) => format!("{} ({device}, below {agent})", self.surface),
            (Some(device), None) => format!("{} ({device})", self.surface),
            (None, Some(agent)) => format!("{} (below {agent})", self.surface),
            (None, None) => self.surface.clone(),
        }
    }

    /// The client of the agent that started the program which closed it.
    pub fn below_agent(&self) -> Option<&str> {
        self.origin.as_ref()?.below_agent.as_deref()
    }
}

/// The result of an attempt to close an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettleResult {
    /// It may be stored.
    Close,
    /// This attempt with these words was stored before, and its acknowledgement got lost. The person
    /// may have taken it back since.
    Again,
    /// Somebody else closed it first.
    TooLate,
}

/// The surface of a settlement by the clock.
pub const CLOCK: &str = "clock";
/// The surface of a settlement by the asker.
pub const AGENT: &str = "agent";

/// A new record, which waits from now on.
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
        earlier_answer: None,
        shown: None,
        waiters: 0,
        snoozed: None,
        asked_again: None,
        in_client: None,
        caller_seen: None,
        agent_seen: None,
        held_until: None,
        taken_back: Vec::new(),
    }
}

/// Whether an attempt may close this record. The first one may. If that was an expiry, a person's
/// may as well: an expiry is only the clock's statement, and what a person says after it is kept.
pub fn close(record: &Record, settlement: &Settlement) -> SettleResult {
    if record.is_answerable() && record.was_taken_back(settlement.attempt) {
        return SettleResult::Again;
    }
    match record.settlement() {
        None => SettleResult::Close,
        // With other words the attempt says something else. As a repetition it would be lost.
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

/// The settlement by the clock, if the deadline has passed.
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

/// When the clock must check this record.
pub fn open_deadline(record: &Record) -> Option<Time> {
    record.deadline_at.filter(|_| record.is_open())
}

/// The deadline that an open ask gets when the person wants more time, at most `wanted`. It never
/// comes closer. It is at most `longest_ms` after the ask: its agent could have set a limit as
/// long, and expects no longer one. `None` if it has no deadline, or can't get more time.
pub fn extended_deadline(record: &Record, wanted: Time, longest_ms: u64) -> Option<Time> {
    let deadline = open_deadline(record)?;
    let asked_at = record.asked_again.unwrap_or(record.asked_at);
    let until = wanted.min(asked_at.plus_ms(longest_ms));
    (until > deadline).then_some(until)
}

/// The deadline of an open ask that is asked again with another one. It is the later one, so that
/// the person keeps the time that they were promised.
pub fn later_deadline(record: &Record, again: Option<Time>) -> Option<Time> {
    Some(record.deadline_at?.max(again?))
}

/// The deadline of an ask whose outcome the person takes back `now`. The time in which it was closed
/// doesn't count, up to [`MAX_HOLD_MS`].
pub fn deadline_after_take_back(record: &Record, settled_at: Time, now: Time) -> Option<Time> {
    let closed_ms = now.since_ms(settled_at).min(MAX_HOLD_MS);
    Some(record.deadline_at?.plus_ms(closed_ms))
}

/// The form of an ask whose outcome the person takes back `now`: what they answered, or what was
/// filled in before they said something else. What a program below an agent filled in stays marked.
pub fn form_after_take_back(record: &Record, settlement: &Settlement, now: Time) -> Saved {
    let saved = record.draft.as_ref();
    let below = settlement
        .below_agent()
        .map(|agent| format!("{BELOW}{agent}"));
    let marked = saved.filter(|_| record.filled_in_below().is_some());
    let marked = marked.map(|saved| saved.surface.clone());
    let mut draft = match &settlement.outcome {
        Outcome::Answered(answered) => answered.draft().normalized(&record.ask),
        _ => saved.map_or_else(|| Draft::blank(&record.ask), |saved| saved.draft.clone()),
    };
    // Paths in a draft are not trusted: the hub alone knows where files are.
    draft.set_attachment_paths(|_| None);
    Saved {
        draft,
        at: now,
        surface: below
            .or(marked)
            .unwrap_or_else(|| settlement.surface.clone()),
        revision: saved.map_or(0, |saved| saved.revision) + 1,
    }
}

/// The longest time for which an outcome is held so that the person can take it back.
pub const MAX_HOLD_MS: u64 = 60_000;

/// Whether a snooze ends, at this time or because its agent asked again.
pub fn snooze_ends(record: &Record, now: Time, asked_again: bool) -> bool {
    match record.snoozed {
        Some(Snooze::Until(at)) => at <= now,
        Some(Snooze::AskedAgain) => asked_again,
        None => false,
    }
}

/// Whether a draft that is based on this revision may replace the stored one: nobody has saved
/// another since.
pub fn may_save_draft(record: &Record, built_on: u64) -> bool {
    record.draft.as_ref().map_or(0, |saved| saved.revision) == built_on
}

/// Whether two records ask the same for the same agent, and a reply to one can be the reply to the
/// other: it has the ids of the questions and the metadata. An agent that asks with others would read
/// it wrongly.
pub fn is_same(one: &Record, other: &Record) -> bool {
    let mut questions = one.ask.questions.iter().zip(&other.ask.questions);
    shows_same(one, other)
        && questions.all(|(one, other)| one.id == other.id)
        && has_same_metadata(one, other)
}

/// Whether two records show a person the same for the same agent: texts, choices, time limit, client
/// and directory. [`crate::Fingerprint`] is the hash of everything that is compared here: what is
/// added here must be added there.
pub fn shows_same(one: &Record, other: &Record) -> bool {
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

/// Whether the metadata are the same value, in whatever order their keys are.
fn has_same_metadata(one: &Record, other: &Record) -> bool {
    let value = |record: &Record| record.ask.metadata.as_ref()?.parse::<Json>().ok();
    one.ask.metadata == other.ask.metadata
        || value(one).is_some_and(|one| Some(one) == value(other))
}

/// Whether an ask may be taken up if the same is asked again within this time: it is open, or a
/// person's outcome has reached nobody. An agent may give up on a call without reporting it, so the
/// fact that another call seems to wait is no reason for a second ask.
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

/// Whether an ask may be reopened if the same is asked again within this time: it has only expired,
/// and the person may be in the middle of answering it.
pub fn may_reopen(record: &Record, now: Time, within_ms: u64) -> bool {
    let lapsed = record.settlement().is_some() && record.is_answerable();
    lapsed && now.since_ms(record.asked_at) <= within_ms
}

/// How many bytes of expired asks a hub holds in memory. Older ones stay in the store.
pub const MAX_EXPIRED_BYTES: usize = 64 << 20;

/// How recently the same must have been answered for that answer to be offered.
pub const OFFERED_WITHIN_MS: u64 = 15 * 60 * 1_000;

/// The answer that is offered for a new ask, if the same was answered shortly before. Its client may
/// have given up on that call without reporting it. Whether the answer is the same again is for the
/// person to decide: it fills in nothing by itself. What a program below an agent answered isn't
/// offered as theirs.
pub fn earlier_answer(earlier: &Record, now: Time) -> Option<EarlierAnswer> {
    let settlement = earlier.settlement()?;
    let Outcome::Answered(answered) = &settlement.outcome else {
        return None;
    };
    let recent = now.since_ms(settlement.at) <= OFFERED_WITHIN_MS;
    (recent && settlement.below_agent().is_none()).then(|| EarlierAnswer {
        draft: answered.draft().normalized(&earlier.ask),
        at: settlement.at,
    })
}

/// The form that a new ask begins with: what the person had filled in for an equal one which ended in
/// something else than an answer.
pub fn unsent_form(earlier: &Record, now: Time) -> Option<Saved> {
    let settlement = earlier.settlement()?;
    let is_answer = matches!(settlement.outcome, Outcome::Answered(_));
    let recent = now.since_ms(settlement.at) <= OFFERED_WITHIN_MS;
    earlier.unsent().filter(|_| recent && !is_answer).cloned()
}

/// Whether two askers must count as two: both identify themselves, and differently, or neither has
/// a directory, as over HTTP. While both wait, their asks are two asks, even with equal texts.
pub fn are_distinct_askers(one: &Asker, other: &Asker) -> bool {
    let differ = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if one != other);
    let nowhere = one.directory.is_none() && other.directory.is_none();
    nowhere || differ(&one.session, &other.session) || differ(&one.agent, &other.agent)
}

/// Whether `by` declares every name that the asker declared. A successor must.
pub fn declares_names_of(asker: &Asker, by: &Asker) -> bool {
    let declares =
        |theirs: &Option<String>, ours: &Option<String>| theirs.is_none() || theirs == ours;
    declares(&asker.session, &by.session) && declares(&asker.agent, &by.agent)
}

/// Whether a person finds the asks of both in the same windows. An ask in one window is not taken
/// up by an agent of another window, whose person would never see it.
pub fn is_same_window(one: &Asker, other: &Asker) -> bool {
    one.instance == other.instance
}

/// Whether an outcome may be marked as delivered: it exists, and isn't marked yet. If the attempt
/// whose outcome was delivered is known, it must be the current one: a delivered expiry says
/// nothing about the answer that replaced it.
pub fn may_deliver(record: &Record, attempt: Option<u64>) -> bool {
    match &record.state {
        State::Open => false,
        State::Closed {
            settlement,
            delivered_at,
        } => delivered_at.is_none() && attempt.is_none_or(|attempt| attempt == settlement.attempt),
    }
}
