//! The sentences of the plain mode. They hold only safe text, no line is cut, and nothing is drawn.

pub(super) mod question;
mod speech;

use ask_config::i18n::Words;
use ask_core::record::Snooze;
use ask_core::{Outcome, Record, SafeText, Time};
use ask_hub::surface::export::ends;
use ask_hub::surface::grouping::Group;
use ask_hub::surface::labels;
use jiff::tz::TimeZone;

pub(super) use self::speech::speech;

/// A longer context is read out by its first lines; the rest follows on request.
const CONTEXT_LINES: usize = 12;

/// Safe text on one line.
pub(super) fn safe_line(text: &str) -> String {
    SafeText::line(text.trim()).to_string()
}

/// An agent's text on one line, without its Markdown syntax.
pub(super) fn on_one_line(words: Words, text: &str) -> String {
    safe_line(&speech(words, text))
}

/// Safe text with its line breaks.
pub(super) fn safe_block(text: &str) -> String {
    SafeText::block(text.trim()).to_string()
}

/// The waiting asks in groups, one line each.
pub(super) fn list(
    words: Words,
    records: &[Record],
    zone: &TimeZone,
    now: Time,
    filter: &str,
) -> Vec<String> {
    let text = [("text", safe_line(filter).into())];
    if records.is_empty() {
        return vec![if filter.is_empty() {
            words.say("line-none-yet")
        } else {
            words.format("line-none-fit", &text)
        }];
    }
    let mut lines = Vec::new();
    if !filter.is_empty() {
        lines.push(words.format("line-fit", &text));
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
                Group::Waiting => words.format("line-waiting", &count),
                Group::Snoozed => words.format("line-put-aside", &count),
                Group::Late => words.format("line-late", &count),
                Group::Undelivered => words.format("line-kept", &count),
                Group::Sent => words.format("line-sent", &count),
            });
        }
        let ask = ask_row(words, record, zone, now);
        let facts = [("number", (at + 1).into()), ("ask", ask.into())];
        lines.push(words.format("line-row", &facts));
    }
    lines
}

/// A closed ask on one line, behind its number.
pub(super) fn history_row(words: Words, number: usize, record: &Record, now: Time) -> String {
    let facts = [
        ("number", number.into()),
        ("ask", describe(words, record, now).into()),
        ("how", safe_line(&ends::ending(words, record)).into()),
    ];
    words.format("line-past-row", &facts)
}

/// A closed ask with its questions and answers, as lines to be read out.
pub(super) fn closed_ask(words: Words, record: &Record, zone: &TimeZone, now: Time) -> Vec<String> {
    let mut lines = vec![String::new()];
    let title = record.ask.title.as_deref();
    lines.extend(title.map(|title| on_one_line(words, title)));
    lines.push(asked(words, record, now));
    lines.extend(context(words, record));
    for question in &record.ask.questions {
        lines.push(speech(words, &question.text));
    }
    lines.extend(closed(words, record, zone));
    lines.extend(ends::delivery(words, record, zone).map(|line| safe_line(&line)));
    lines
}

/// A listed ask on one line, with its snooze, its deadline, or the agent below which it was closed.
pub(super) fn ask_row(words: Words, record: &Record, zone: &TimeZone, now: Time) -> String {
    let ask = describe(words, record, now);
    match (record.snoozed, record.deadline_at) {
        (Some(Snooze::Until(at)), _) => {
            let time = moment(words, at, now, zone);
            let facts = [("ask", ask.into()), ("time", time.into())];
            words.format("line-ask-aside", &facts)
        }
        (Some(Snooze::AskedAgain), _) => {
            words.format("line-ask-aside-asked", &[("ask", ask.into())])
        }
        (None, Some(at)) if record.is_open() && at > now => {
            let facts = [("ask", ask.into()), ("in", from_now(words, at, now).into())];
            words.format("line-ask-due", &facts)
        }
        (None, _) => {
            let settlement = record.settlement();
            match settlement.and_then(|settlement| labels::below_agent(words, settlement)) {
                Some(below) => format!("{ask} ({below})"),
                None => ask,
            }
        }
    }
}

/// Who asked what, where and when, as one phrase.
fn describe(words: Words, record: &Record, now: Time) -> String {
    let place = safe_line(&labels::place(&record.asker));
    let facts = [
        (
            "who",
            safe_line(&labels::asker_label(words, &record.asker)).into(),
        ),
        ("ago", ago(words, now.since_ms(record.asked_at)).into()),
        ("title", on_one_line(words, record.ask.headline()).into()),
        ("place", place.clone().into()),
    ];
    if place.is_empty() {
        words.format("line-ask-anywhere", &facts)
    } else {
        words.format("line-ask", &facts)
    }
}

/// The lines that open an ask: its title, who asked it, its context.
pub(super) fn opened(said: Words, record: &Record, now: Time) -> Vec<String> {
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
    lines.extend(labels::filled_in_below_notice(said, record));
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

fn asked(words: Words, record: &Record, now: Time) -> String {
    let asker = &record.asker;
    let text = |text: &Option<String>| safe_line(text.as_deref().unwrap_or_default()).into();
    let facts = [
        ("who", safe_line(&labels::asker_label(words, asker)).into()),
        ("ago", ago(words, now.since_ms(record.asked_at)).into()),
        ("project", text(&asker.project)),
        ("branch", text(&asker.branch)),
    ];
    match (&asker.project, &asker.branch) {
        (None, None) => words.format("line-asked", &facts),
        (Some(_), None) => words.format("line-asked-project", &facts),
        (None, Some(_)) => words.format("line-asked-branch", &facts),
        (Some(_), Some(_)) => words.format("line-asked-project-branch", &facts),
    }
}

/// The context, or its first lines if it has more than [`CONTEXT_LINES`].
fn context(words: Words, record: &Record) -> Vec<String> {
    let text = record.ask.context.as_deref();
    let Some(text) = text.map(|text| speech(words, text)) else {
        return Vec::new();
    };
    let count = text.lines().count();
    if count <= CONTEXT_LINES {
        return vec![words.format("line-context", &[("text", text.into())])];
    }
    let first: Vec<&str> = text.lines().take(CONTEXT_LINES / 2).collect();
    vec![
        words.format("line-context", &[("text", first.join("\n").into())]),
        words.format("line-context-more", &[("count", count.into())]),
    ]
}

/// The whole context; a sentence that says so if the ask has none.
pub(super) fn whole_context(words: Words, record: &Record) -> String {
    let text = record.ask.context.as_deref();
    match text.map(|text| speech(words, text)) {
        Some(text) if !text.is_empty() => words.format("line-context", &[("text", text.into())]),
        Some(_) | None => words.say("line-context-none"),
    }
}

/// How an ask was closed, and the answers that were given.
pub(super) fn closed(words: Words, record: &Record, zone: &TimeZone) -> Vec<String> {
    let Some(settlement) = record.settlement() else {
        return vec![words.say("line-no-longer-asked")];
    };
    let mut lines = vec![safe_line(&labels::closed(words, settlement, zone))];
    if let Outcome::Answered(answered) = &settlement.outcome {
        let answers = record.ask.questions.iter().zip(answered.answers());
        for (at, (question, answer)) in answers.enumerate() {
            let parts = labels::answer(words, question, answer);
            let answer = if parts.is_empty() {
                words.say("line-unanswered")
            } else {
                safe_block(&parts.join("; "))
            };
            lines.push(question::answer_row(words, at, question, answer));
        }
    }
    lines.extend(labels::closed_detail(words, settlement).map(|more| safe_block(&more)));
    lines
}

/// The time from `now` until `at`, rounded down.
pub(super) fn from_now(words: Words, at: Time, now: Time) -> String {
    let seconds = at.since_ms(now) / 1_000;
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match seconds {
        0..120 => words.format("line-in-seconds", &[("count", seconds.into())]),
        120..7_200 => words.format("line-in-minutes", &[("count", minutes.into())]),
        7_200..172_800 => words.format("line-in-hours", &[("count", hours.into())]),
        _ => words.format("line-in-days", &[("count", (hours / 24).into())]),
    }
}

/// A future time as people say it: the time of day, and the date unless it is today.
pub(super) fn moment(words: Words, at: Time, now: Time, zone: &TimeZone) -> String {
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
        words.format("line-at-today", &facts)
    } else if today.tomorrow().is_ok_and(|tomorrow| tomorrow == then) {
        words.format("line-at-tomorrow", &facts)
    } else {
        words.format("line-at-day", &facts)
    }
}

fn ago(words: Words, ms: u64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        0 => words.say("line-now"),
        1..60 => words.format("line-minutes-ago", &[("count", minutes.into())]),
        60..1_440 => words.format("line-hours-ago", &[("count", (minutes / 60).into())]),
        _ => words.format("line-days-ago", &[("count", (minutes / 1_440).into())]),
    }
}
