//! The sentences of the line mode. Agents' words are made safe here; no line is
//! cut and nothing is drawn.

use ask_core::ask::CONFIRM;
use ask_core::{Input, Outcome, Plain, Question, Record, Time, time};
use jiff::tz::TimeZone;

use crate::surface::paper::form::{Entry, Form};
use crate::surface::paper::words;

/// How the person is asked for a line.
pub const PROMPT_LIST: &str = "Number of the question to open, q to leave: ";
/// The same while there is none.
pub const PROMPT_EMPTY: &str = "q to leave: ";
/// For what goes on after a notice: the line that was on its way is not taken for an answer.
pub const PROMPT_SEEN: &str = "Press Enter to go on: ";

/// Safe text on one line.
pub fn line(text: &str) -> String {
    Plain::line(text.trim()).to_string()
}

/// The list of the asks.
pub fn list(records: &[Record], now: Time) -> String {
    if records.is_empty() {
        return "No question waits for you. A new one is announced here.\n".to_owned();
    }
    let mut text = format!(
        "{}:\n",
        words::count(records.len(), "question waits", "questions wait")
    );
    for (at, record) in records.iter().enumerate() {
        text.push_str(&format!("{}. {}\n", at + 1, listed(record, now)));
    }
    text
}

/// One ask in a line.
pub fn listed(record: &Record, now: Time) -> String {
    let mut text = format!(
        "{}, {}{}: {}",
        line(words::who(&record.asker)),
        place(record),
        ago(now.since_ms(record.asked_at)),
        line(record.ask.headline())
    );
    if record.waiters == 0 {
        text.push_str(" (the agent stopped waiting)");
    }
    text
}

/// What is said when an ask is opened.
pub fn opened(record: &Record, now: Time) -> String {
    let mut text = String::from("\n");
    if let Some(title) = &record.ask.title {
        text.push_str(&format!("{}\n", line(title)));
    }
    text.push_str(&format!(
        "Asked by {}{}, {}.\n",
        line(words::who(&record.asker)),
        whence(record),
        ago(now.since_ms(record.asked_at))
    ));
    if let Some(at) = record.deadline_at {
        let left = at.since_ms(now).div_ceil(60_000);
        let minutes = words::count(
            usize::try_from(left).unwrap_or(usize::MAX),
            "minute",
            "minutes",
        );
        text.push_str(&format!("It is due in {minutes}.\n"));
    }
    if record.waiters == 0 {
        text.push_str(words::AGENT_LEFT);
        text.push('\n');
    }
    if let Some(at) = record.repeats() {
        text.push_str(&words::repeats(&time::brief(now.since_ms(at))));
        text.push('\n');
    }
    if let Some(context) = &record.ask.context {
        text.push_str(&format!("Context: {}\n", block(context)));
    }
    text
}

/// A question with everything to choose from.
pub fn question(record: &Record, at: usize, entry: &Entry) -> String {
    let Some(question) = record.ask.questions.get(at) else {
        return String::new();
    };
    let mut text = String::from("\n");
    let all = record.ask.questions.len();
    if all > 1 {
        text.push_str(&format!("Question {} of {all}", at + 1));
        if let Some(label) = &question.label {
            text.push_str(&format!(", {}", line(label)));
        }
        text.push_str(if question.required {
            ".\n"
        } else {
            ", optional.\n"
        });
    }
    text.push_str(&block(&question.text));
    text.push('\n');
    match &question.input {
        Input::Text => {
            if let Some(example) = &question.placeholder {
                text.push_str(&format!("For example: {}\n", line(example)));
            }
        }
        Input::Confirm => {
            for (at, label) in CONFIRM.iter().enumerate() {
                text.push_str(&format!("{}. {label}.\n", at + 1));
            }
        }
        Input::One(choices) | Input::Many(choices) => {
            for (at, choice) in choices.iter().enumerate() {
                let (label, recommended) = choice.recommended();
                text.push_str(&format!("{}. {}", at + 1, line(label)));
                text.push_str(if recommended { ", recommended." } else { "." });
                if let Some(description) = &choice.description {
                    text.push_str(&format!(" {}", block(description)));
                }
                text.push('\n');
            }
        }
    }
    if !question.input.is_empty() {
        text.push_str("0. Your own answer.\n");
    }
    if entry.is_given() {
        text.push_str(&format!("Your answer so far: {}\n", said(question, entry)));
    }
    text
}

/// What is asked for below a question.
pub fn prompt(question: &Question, has_several: bool) -> String {
    let back = if has_several { ", b back" } else { "" };
    let skip = if has_several || !question.required {
        ", empty skips"
    } else {
        ""
    };
    match &question.input {
        input if input.is_empty() => format!(
            "Your answer, end with an empty line (/q leave, /x decline, /c words ask back{}{skip}):\n",
            back.replace("b ", "/b ")
        ),
        Input::Confirm => format!("Your choice (y, n, 0{back}, q leave, x decline, ? help): "),
        Input::Many(_) => {
            format!("Your choices (numbers as in 1 3, 0{back}, q leave, x decline, ? help): ")
        }
        Input::Text | Input::One(_) => {
            format!("Your choice (number, 0{back}, q leave, x decline, ? help): ")
        }
    }
}

/// The commands.
pub fn help() -> &'static str {
    "A number chooses; 0 is your own answer. An empty line keeps or skips an answer.\n\
     b goes back, q leaves and keeps your draft, x declines with a reason,\n\
     c and a question asks the agent back, r reads the question again.\n"
}

/// All answers, before they are sent.
pub fn review(record: &Record, form: &Form) -> String {
    let mut text = String::from("\nYour answers:\n");
    for (at, (question, entry)) in record.ask.questions.iter().zip(&form.entries).enumerate() {
        let said = if entry.is_given() {
            said(question, entry)
        } else if question.required {
            "not answered".to_owned()
        } else {
            "not answered, optional".to_owned()
        };
        text.push_str(&format!("{}. {}: {said}\n", at + 1, line(question.short())));
    }
    let missing = form.missing(&record.ask).len();
    if missing > 0 {
        let words = words::count(
            missing,
            "question has no answer",
            "questions have no answer",
        );
        text.push_str(&format!("{words}.\n"));
    }
    text
}

/// How an ask was closed, and with what.
pub fn closed(record: &Record, zone: &TimeZone) -> String {
    let Some(settlement) = record.settlement() else {
        return "It is no longer asked.\n".to_owned();
    };
    let mut text = format!("{}\n", line(&words::closed(settlement, zone)));
    if let Outcome::Answered(answered) = &settlement.outcome {
        let answers = record.ask.questions.iter().zip(answered.answers());
        for (at, (question, answer)) in answers.enumerate() {
            let lines = words::answer(question, answer);
            let said = if lines.is_empty() {
                "not answered".to_owned()
            } else {
                block(&lines.join("; "))
            };
            text.push_str(&format!("{}. {}: {said}\n", at + 1, line(question.short())));
        }
    }
    if let Some(more) = words::closed_more(settlement) {
        text.push_str(&format!("{}\n", block(&more)));
    }
    text
}

/// An answer in one breath.
pub fn said(question: &Question, entry: &Entry) -> String {
    block(&words::answer(question, &entry.answer()).join("; "))
}

fn block(text: &str) -> String {
    Plain::block(text.trim()).to_string()
}

fn place(record: &Record) -> String {
    let place = line(&words::place(&record.asker));
    if place.is_empty() {
        place
    } else {
        format!("{place}, ")
    }
}

fn whence(record: &Record) -> String {
    let mut text = String::new();
    if let Some(project) = &record.asker.project {
        text.push_str(&format!(" for {}", line(project)));
    }
    if let Some(branch) = &record.asker.branch {
        text.push_str(&format!(", branch {}", line(branch)));
    }
    text
}

fn ago(ms: u64) -> String {
    let minutes = usize::try_from(ms / 60_000).unwrap_or(usize::MAX);
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{} ago", words::count(minutes, "minute", "minutes")),
        60..1_440 => format!("{} ago", words::count(minutes / 60, "hour", "hours")),
        _ => format!("{} ago", words::count(minutes / 1_440, "day", "days")),
    }
}
