//! How an ask ended, in the person's language: for lists, for Markdown, for the history screen.

use ask_config::i18n::Words;
use ask_core::{Outcome, Record, SafeText, Settlement, history};

use crate::surface::labels;

/// How a record ended, in a few words: `answered in terminal`, `declined: "later"`.
pub fn ending(words: Words, record: &Record) -> String {
    let Some(settlement) = record.settlement() else {
        return words.say("history-end-waiting");
    };
    match late_delivery(words, record) {
        Some(label) => label,
        None => outcome_label(words, settlement),
    }
}

/// The delivery of an answer that came after the deadline: `expired, sent late`. `None` for any
/// other ask.
pub(crate) fn late_delivery(words: Words, record: &Record) -> Option<String> {
    history::had_expired(record).then(|| {
        words.say(match record.is_delivered() {
            true => "history-end-expired-sent-late",
            false => "history-end-expired-kept",
        })
    })
}

/// The last outcome and its surface: `answered in terminal`.
pub(crate) fn outcome_label(words: Words, settlement: &Settlement) -> String {
    let surface = || {
        (
            "surface",
            SafeText::line(&settlement.surface).to_string().into(),
        )
    };
    let label = match &settlement.outcome {
        Outcome::Answered(_) => words.format("history-end-answered", &[surface()]),
        Outcome::Declined { reason: None } => words.format("history-end-declined", &[surface()]),
        Outcome::Declined {
            reason: Some(reason),
        } => {
            let reason = SafeText::line(reason).to_string();
            words.format("history-end-declined-because", &[("reason", reason.into())])
        }
        Outcome::Clarify { .. } => words.format("history-end-asked-back", &[surface()]),
        Outcome::Expired => words.say("history-end-expired"),
        Outcome::Withdrawn => words.say("history-end-withdrawn"),
    };
    match &settlement.device {
        Some(device) => format!("{label} ({})", SafeText::line(device)),
        None => match labels::below_agent(words, settlement) {
            Some(below) => format!("{label} ({below})"),
            None => label,
        },
    }
}

/// When the outcome was delivered: `sent to the agent 12:07`. `None` if there is no outcome to
/// deliver.
pub fn delivery(words: Words, record: &Record, zone: &jiff::tz::TimeZone) -> Option<String> {
    let ask_core::State::Closed {
        settlement,
        delivered_at,
    } = &record.state
    else {
        return None;
    };
    let id = match (delivered_at, settlement.outcome.is_human()) {
        (Some(at), _) => {
            let time = labels::clock(*at, zone);
            let id = match history::is_late(record) {
                true => "history-told-late",
                false => "history-told",
            };
            return Some(words.format(id, &[("time", time.into())]));
        }
        (None, true) => "history-not-told",
        (None, false) => return None,
    };
    Some(words.say(id))
}

/// The local date and time of day.
pub fn moment(at: ask_core::Time, zone: &jiff::tz::TimeZone) -> String {
    let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    let local = stamp.to_zoned(zone.clone());
    local.strftime("%Y-%m-%d %H:%M").to_string()
}
