//! The words that our terminal surfaces share: who asks, how it ended, what was
//! answered. Every state has one wording, so that colour is never needed to tell.

use ask_core::lifecycle::{AGENT, CLOCK};
use ask_core::{Answer, Asker, Outcome, Question, Record, Settlement, Time};
use jiff::tz::TimeZone;

/// The last choice of every question.
pub const OTHER: &str = "Other (type your answer)";
/// Said while nobody waits for an open ask.
pub const AGENT_LEFT: &str = "The agent stopped waiting; your answer will be kept.";
/// Said while a form is filled in as it was when the same was asked shortly before.
pub fn repeats(ago: &str) -> String {
    format!("You answered this {ago} ago; filled in again in case the agent missed it.")
}

/// Said when an ask was closed under somebody's hands.
pub const NOT_SENT: &str = "Nothing you typed was sent.";
/// Said while a field takes no more, so that a paste isn't cut unseen.
pub const FULL: &str = "The field is full (256 KiB): what comes after that is left out.";
/// Said when Enter would send a question of many choices without any.
pub const NOTHING_CHOSEN: &str = "Nothing chosen: Enter again sends 'none of these'";
/// The same where other questions follow.
pub const NOTHING_CHOSEN_HERE: &str =
    "Nothing chosen: Enter again says 'none of these', Tab goes on without";

/// Who asks: what the client's protocol said, else what the agent claims.
pub fn who(asker: &Asker) -> &str {
    let names = [&asker.client, &asker.agent];
    let named = names
        .into_iter()
        .flatten()
        .find(|name| !name.trim().is_empty());
    named.map_or("an agent", |name| name)
}

/// Where: the project and its branch.
pub fn place(asker: &Asker) -> String {
    match (&asker.project, &asker.branch) {
        (Some(project), Some(branch)) => format!("{project}:{branch}"),
        (Some(project), None) => project.clone(),
        (None, Some(branch)) => branch.clone(),
        (None, None) => String::new(),
    }
}

/// The directory, with the person's home as `~`.
pub fn directory(asker: &Asker, home: Option<&str>) -> Option<String> {
    let directory = asker.directory.as_deref()?;
    let below = home
        .filter(|home| !home.is_empty())
        .and_then(|home| directory.strip_prefix(home))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    Some(below.map_or_else(|| directory.to_owned(), |rest| format!("~{rest}")))
}

/// The time of day, as on the wall.
pub fn clock(at: Time, zone: &TimeZone) -> String {
    let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MAX);
    stamp.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// How an ask was closed, in one line: `ANSWERED ON CLI  12:07`.
pub fn closed(settlement: &Settlement, zone: &TimeZone) -> String {
    let at = clock(settlement.at, zone);
    let surface = settlement.surface.to_uppercase();
    let by_person = match settlement.surface.as_str() {
        CLOCK | AGENT => String::new(),
        _ => format!(" ON {surface}"),
    };
    match &settlement.outcome {
        Outcome::Answered(_) => format!("ANSWERED{by_person}  {at}"),
        Outcome::Declined { .. } => format!("DECLINED{by_person}  {at}"),
        Outcome::Clarify { .. } => format!("ASKED BACK{by_person}  {at}"),
        Outcome::Expired => format!("EXPIRED  {at}"),
        Outcome::Withdrawn => format!("WITHDRAWN BY THE AGENT  {at}"),
    }
}

/// What a closed ask says below its headline, besides answers.
pub fn closed_more(settlement: &Settlement) -> Option<String> {
    match &settlement.outcome {
        Outcome::Answered(_) => None,
        Outcome::Declined { reason: None } => Some("No reason was given.".to_owned()),
        Outcome::Declined {
            reason: Some(reason),
        } => Some(format!("Reason: {reason}")),
        Outcome::Clarify { words } => Some(format!("Asked back: {words}")),
        Outcome::Expired => {
            Some("The agent's time limit passed; it was told only that.".to_owned())
        }
        Outcome::Withdrawn => Some("The agent took the question back.".to_owned()),
    }
}

/// An answer in the person's eyes, a line a part: picks, then own words.
pub fn answer(question: &Question, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    let picks: Vec<&str> = answer
        .picks
        .iter()
        .filter_map(|&pick| question.input.label(pick))
        .collect();
    if !picks.is_empty() {
        lines.push(picks.join(", "));
    }
    if let Some(own) = answer.own.as_deref().filter(|own| !own.trim().is_empty()) {
        if lines.is_empty() {
            lines.push(own.to_owned());
        } else {
            lines.push(format!("+ own answer: {own}"));
        }
    }
    if lines.is_empty() && answer.none {
        lines.push("none of these".to_owned());
    }
    lines
}

/// What became of what the person just did here.
pub fn done(record: &Record) -> String {
    let who = who(&record.asker);
    let kept = record.waiters == 0 && !record.is_delivered();
    let kept_for = |what: &str| format!("{what} kept for {who}, which stopped waiting.");
    match record.settlement().map(|settlement| &settlement.outcome) {
        None => "Still waiting; your draft is kept.".to_owned(),
        Some(Outcome::Answered(_)) if kept => kept_for("Answer"),
        Some(Outcome::Declined { .. }) if kept => kept_for("Your no is"),
        Some(Outcome::Clarify { .. }) if kept => kept_for("Your question is"),
        Some(Outcome::Answered(_)) => format!("Answer sent to {who}."),
        Some(Outcome::Declined { .. }) => format!("Declined; {who} is told."),
        Some(Outcome::Clarify { .. }) => format!("Your question went to {who}."),
        Some(Outcome::Expired) => "It expired.".to_owned(),
        Some(Outcome::Withdrawn) => "The agent took it back.".to_owned(),
    }
}

/// `1 answer`, `2 answers`.
pub fn count(many: usize, one: &str, more: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { more })
}

/// A number with its thousands apart, as in `2,847`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(2_847), "2,847");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn home_is_a_tilde_only_as_a_whole_name() {
        let asker = |directory: &str| Asker {
            directory: Some(directory.to_owned()),
            ..Asker::default()
        };
        let seen = |path| directory(&asker(path), Some("/home/ann")).unwrap();
        assert_eq!(seen("/home/ann/src"), "~/src");
        assert_eq!(seen("/home/anna/src"), "/home/anna/src");
        assert_eq!(seen("/home/ann"), "~");
    }
}
