//! The sentences of the plain mode. Agents' texts are made safe here; no line is cut and nothing is
//! drawn.

pub mod question;
mod speech;

use ask_config::i18n::Words;
use ask_core::record::Snooze;
use ask_core::{Outcome, Record, SafeText, Time};
use ask_hub::surface::export::ends;
use ask_hub::surface::grouping::Group;
use ask_hub::surface::labels;
use jiff::tz::TimeZone;

pub use self::speech::spoken;

/// A longer context isn't read out whole: its first lines are, and the rest on request.
const CONTEXT_LINES: usize = 12;

/// Safe text on one line.
pub fn line(text: &str) -> String {
    SafeText::line(text.trim()).to_string()
}

/// An agent's text on one line, without its Markdown syntax.
pub fn on_one_line(said: Words, text: &str) -> String {
    line(&spoken(said, text))
}

/// Safe text with its line breaks.
pub fn block(text: &str) -> String {
    SafeText::block(text.trim()).to_string()
}

/// The waiting asks in groups, one line each.
pub fn list(
    said: Words,
    records: &[Record],
    zone: &TimeZone,
    now: Time,
    filter: &str,
) -> Vec<String> {
    let text = [("text", line(filter).into())];
    if records.is_empty() {
        return vec![match filter.is_empty() {
            true => said.say("line-none-yet"),
            false => said.format("line-none-fit", &text),
        }];
    }
    let mut lines = Vec::new();
    if !filter.is_empty() {
        lines.push(said.format("line-fit", &text));
    }
    let mut group = None;
    for (at, record) in records.iter().enumerate() {
        let own = Group::for_record(record);
        if group.replace(own) != Some(own) {
            let all = records
                .iter()
                .filter(|record| Group::for_record(record) == own);
            let count = [("count", all.count().into())];
            lines.push(match own {
                Group::Waiting => said.format("line-waiting", &count),
                Group::Snoozed => said.format("line-put-aside", &count),
                Group::Late => said.format("line-late", &count),
                Group::Kept => said.format("line-kept", &count),
            });
        }
        let ask = listed(said, record, zone, now);
        let facts = [("number", (at + 1).into()), ("ask", ask.into())];
        lines.push(said.format("line-row", &facts));
    }
    lines
}

/// A closed ask on one line, behind its number.
pub fn past_row(said: Words, number: usize, record: &Record, now: Time) -> String {
    let facts = [
        ("number", number.into()),
        ("ask", named(said, record, now).into()),
        ("how", line(&ends::how(said, record)).into()),
    ];
    said.format("line-past-row", &facts)
}

/// A closed ask with its questions and answers, as lines to be read out.
pub fn closed_ask(said: Words, record: &Record, zone: &TimeZone, now: Time) -> Vec<String> {
    let mut lines = vec![String::new()];
    let title = record.ask.title.as_deref();
    lines.extend(title.map(|title| on_one_line(said, title)));
    lines.push(asked(said, record, now));
    lines.extend(context(said, record));
    for question in &record.ask.questions {
        lines.push(spoken(said, &question.text));
    }
    lines.extend(closed(said, record, zone));
    lines.extend(ends::told(said, record, zone).map(|told| line(&told)));
    lines
}

/// A listed ask on one line, with its snooze or deadline.
pub fn listed(said: Words, record: &Record, zone: &TimeZone, now: Time) -> String {
    let ask = named(said, record, now);
    match (record.snoozed, record.deadline_at) {
        (Some(Snooze::Until(at)), _) => {
            let time = moment(said, at, now, zone);
            let facts = [("ask", ask.into()), ("time", time.into())];
            said.format("line-ask-aside", &facts)
        }
        (Some(Snooze::AskedAgain), _) => {
            said.format("line-ask-aside-asked", &[("ask", ask.into())])
        }
        (None, Some(at)) if record.is_open() && at > now => {
            let facts = [("ask", ask.into()), ("in", from_now(said, at, now).into())];
            said.format("line-ask-due", &facts)
        }
        (None, _) => ask,
    }
}

/// Who asked what, where and when.
fn named(said: Words, record: &Record, now: Time) -> String {
    let place = line(&labels::place(&record.asker));
    let facts = [
        (
            "who",
            line(&labels::asker_label(said, &record.asker)).into(),
        ),
        ("ago", ago(said, now.since_ms(record.asked_at)).into()),
        ("title", on_one_line(said, record.ask.headline()).into()),
        ("place", place.clone().into()),
    ];
    match place.is_empty() {
        true => said.format("line-ask-anywhere", &facts),
        false => said.format("line-ask", &facts),
    }
}

/// The lines that open an ask: its title, who asked it, its context.
pub fn opened(said: Words, record: &Record, now: Time) -> Vec<String> {
    let mut lines = vec![String::new()];
    let title = record.ask.title.as_deref();
    lines.extend(title.map(|title| on_one_line(said, title)));
    lines.push(asked(said, record, now));
    if let Some(at) = record.deadline_at.filter(|at| *at > now) {
        let facts = [("in", from_now(said, at, now).into())];
        lines.push(said.format("line-due", &facts));
    }
    if !record.is_open() {
        lines.push(said.say("line-time-passed"));
    } else if record.waiters == 0 {
        lines.push(said.say("shared-agent-left"));
    }
    lines.extend(labels::filled_in_below(said, record));
    lines.extend(context(said, record));
    lines.extend(earlier_answer(said, record, now));
    lines
}

/// The answer to the same ask shortly before, and how to give it again.
fn earlier_answer(said: Words, record: &Record, now: Time) -> Vec<String> {
    let Some(earlier) = &record.earlier_answer else {
        return Vec::new();
    };
    let answer = labels::earlier_answer(said, &record.ask, earlier);
    let facts = [
        ("ago", said.brief(now.since_ms(earlier.at)).into()),
        ("answer", answer.into()),
    ];
    // Commands begin with a slash while own text is typed, as it is in a text question.
    let first = record.ask.questions.first();
    let slash = match first.is_some_and(|question| question.input.is_empty()) {
        true => "/",
        false => "",
    };
    let slash = [("slash", slash.into())];
    vec![
        said.format("shared-earlier-answer", &facts),
        said.format("line-earlier-answer-how", &slash),
    ]
}

fn asked(said: Words, record: &Record, now: Time) -> String {
    let asker = &record.asker;
    let text = |text: &Option<String>| line(text.as_deref().unwrap_or_default()).into();
    let facts = [
        ("who", line(&labels::asker_label(said, asker)).into()),
        ("ago", ago(said, now.since_ms(record.asked_at)).into()),
        ("project", text(&asker.project)),
        ("branch", text(&asker.branch)),
    ];
    match (&asker.project, &asker.branch) {
        (None, None) => said.format("line-asked", &facts),
        (Some(_), None) => said.format("line-asked-project", &facts),
        (None, Some(_)) => said.format("line-asked-branch", &facts),
        (Some(_), Some(_)) => said.format("line-asked-project-branch", &facts),
    }
}

/// The context, or its first lines if it has more than [`CONTEXT_LINES`].
fn context(said: Words, record: &Record) -> Vec<String> {
    let text = record.ask.context.as_deref();
    let Some(text) = text.map(|text| spoken(said, text)) else {
        return Vec::new();
    };
    let count = text.lines().count();
    if count <= CONTEXT_LINES {
        return vec![said.format("line-context", &[("text", text.into())])];
    }
    let first: Vec<&str> = text.lines().take(CONTEXT_LINES / 2).collect();
    vec![
        said.format("line-context", &[("text", first.join("\n").into())]),
        said.format("line-context-more", &[("count", count.into())]),
    ]
}

/// The whole context; a sentence that says so if the ask has none.
pub fn whole_context(said: Words, record: &Record) -> String {
    let text = record.ask.context.as_deref();
    match text.map(|text| spoken(said, text)) {
        Some(text) if !text.is_empty() => said.format("line-context", &[("text", text.into())]),
        Some(_) | None => said.say("line-context-none"),
    }
}

/// How an ask was closed, and the answers that were given.
pub fn closed(said: Words, record: &Record, zone: &TimeZone) -> Vec<String> {
    let Some(settlement) = record.settlement() else {
        return vec![said.say("line-no-longer-asked")];
    };
    let mut lines = vec![line(&labels::closed(said, settlement, zone))];
    if let Outcome::Answered(answered) = &settlement.outcome {
        let answers = record.ask.questions.iter().zip(answered.answers());
        for (at, (question, answer)) in answers.enumerate() {
            let spoken = labels::answer(said, question, answer);
            let answer = match spoken.is_empty() {
                true => said.say("line-unanswered"),
                false => block(&spoken.join("; ")),
            };
            lines.push(question::row(said, at, question, answer));
        }
    }
    lines.extend(labels::closed_more(said, settlement).map(|more| block(&more)));
    lines
}

/// The time from `now` until `at`, rounded down.
pub fn from_now(said: Words, at: Time, now: Time) -> String {
    let seconds = at.since_ms(now) / 1_000;
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match seconds {
        0..120 => said.format("line-in-seconds", &[("count", seconds.into())]),
        120..7_200 => said.format("line-in-minutes", &[("count", minutes.into())]),
        7_200..172_800 => said.format("line-in-hours", &[("count", hours.into())]),
        _ => said.format("line-in-days", &[("count", (hours / 24).into())]),
    }
}

/// A future time as people say it: the time of day, and the date unless it is today.
pub fn moment(said: Words, at: Time, now: Time, zone: &TimeZone) -> String {
    let day = |at: Time| {
        let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MAX);
        stamp.to_zoned(zone.clone()).date()
    };
    let (today, then) = (day(now), day(at));
    let facts = [
        ("time", labels::clock(at, zone).into()),
        ("date", then.to_string().into()),
    ];
    if then == today {
        said.format("line-at-today", &facts)
    } else if today.tomorrow().is_ok_and(|tomorrow| tomorrow == then) {
        said.format("line-at-tomorrow", &facts)
    } else {
        said.format("line-at-day", &facts)
    }
}

fn ago(said: Words, ms: u64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        0 => said.say("line-now"),
        1..60 => said.format("line-minutes-ago", &[("count", minutes.into())]),
        60..1_440 => said.format("line-hours-ago", &[("count", (minutes / 60).into())]),
        _ => said.format("line-days-ago", &[("count", (minutes / 1_440).into())]),
    }
}
