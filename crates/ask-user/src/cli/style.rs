//! Records and outcomes as lines of text. Agents' text passes through `SafeText`.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use ask_config::clock;
use ask_config::config::Config;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::i18n::{Language, Words};
use ask_core::record::{Snooze, outcome_summary, summary};
use ask_core::{
    Answer, Answered, Attachment, Choice, Input, Outcome, Question, Record, SafeText, Time,
    lifecycle, time,
};
use ask_dialects::{Dialect, Word};
use ask_hub::surface::labels;
use ask_protocol::{Reply, json_text, native};

/// Prints one record as JSON.
pub(crate) fn print_json(out: &mut impl Write, record: &Record) -> anyhow::Result<()> {
    writeln!(out, "{}", json_text(&native::Record::from(record)))?;
    Ok(())
}

/// The dialect's reply about a record, with a summary if it is closed.
pub(crate) fn reply(dialect: &dyn Dialect, record: &Record) -> Reply {
    if record.is_open() {
        return dialect.write(Word::Open(record));
    }
    let mut reply = dialect.write(Word::Closed(record));
    reply
        .meta
        .push(("ask-user/summary", summary(record).into()));
    reply
}

/// Prints records as a JSON array.
pub(crate) fn print_json_array(out: &mut impl Write, records: &[Record]) -> anyhow::Result<()> {
    let all: Vec<_> = records.iter().map(native::Record::from).collect();
    writeln!(out, "{}", json_text(&all))?;
    Ok(())
}

/// How long an ask can be continued by asking the same again: the setting `asks.take_up_hours`.
pub(crate) fn take_up(home: &Home) -> Duration {
    Config::read(&home.config_file()).config.take_up
}

/// Prints records as JSON or one for each line, or the text for an empty list.
pub(crate) fn print_records(
    home: &Home,
    records: &[Record],
    as_json: bool,
    empty_text: &str,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    if as_json {
        return print_json_array(&mut out, records);
    }
    if records.is_empty() {
        writeln!(out, "{empty_text}")?;
    }
    let take_up = take_up(home);
    for record in records {
        writeln!(out, "{}", record_line(record, take_up))?;
    }
    Ok(())
}

/// One record on one line: id, age, who asks, what.
pub(crate) fn record_line(record: &Record, take_up: Duration) -> String {
    let age = time::brief(clock::now().since_ms(record.asked_at));
    let what: String = record.ask.name().as_str().chars().take(60).collect();
    let state = status_text(record, take_up);
    format!(
        "{:<12} {age:>4}  {:<14} {:<20} {what}{}",
        short_id(record),
        truncate(&asker_name(record), 14),
        truncate(&place(record), 20),
        if state.is_empty() {
            String::new()
        } else {
            format!("  [{state}]")
        }
    )
}

/// The beginning of an id, which suffices on a command line.
pub(crate) fn short_id(record: &Record) -> &str {
    let id = record.id.as_str();
    id.get(..10).unwrap_or(id)
}

/// The name of the client, or else of the agent.
pub(crate) fn asker_name(record: &Record) -> String {
    let name = record
        .asker
        .client
        .as_deref()
        .or(record.asker.agent.as_deref());
    SafeText::line(name.unwrap_or("someone"))
        .as_str()
        .to_owned()
}

/// The asker's project and branch.
pub(crate) fn place(record: &Record) -> String {
    let asker = &record.asker;
    let project = asker.project.as_deref().unwrap_or_default();
    let text = match asker.branch.as_deref() {
        Some(branch) if !project.is_empty() => format!("{project}:{branch}"),
        _ => project.to_owned(),
    };
    SafeText::line(&text).as_str().to_owned()
}

/// Until when an ask is snoozed, in words.
pub(crate) fn snooze_text(record: &Record) -> String {
    match record.snoozed {
        None => String::new(),
        Some(Snooze::AskedAgain) => "until its agent asks again".to_owned(),
        Some(Snooze::Until(at)) => {
            let zone = clock::zone();
            let day = |at: Time| {
                let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
                stamp.to_zoned(zone.clone())
            };
            let (then, now) = (day(at), day(clock::now()));
            let form = match then.date() == now.date() {
                true => "%H:%M",
                false => "%Y-%m-%d %H:%M",
            };
            format!("until {}", then.strftime(form))
        }
    }
}

/// The time until the deadline, in words.
pub(crate) fn time_left(record: &Record) -> Option<String> {
    let at = record.deadline_at?;
    Some(format!("{} left", time::brief(at.since_ms(clock::now()))))
}

/// The status of an ask in words; empty for one that simply waits. An outcome that its agent hasn't
/// received answers the same ask again only within `take_up`; after that the agent can fetch it.
pub(crate) fn status_text(record: &Record, take_up: Duration) -> String {
    let Some(settlement) = record.settlement() else {
        let mut words = Vec::new();
        if record.waiters == 0 {
            words.push("the agent stopped waiting".to_owned());
        }
        if record.snoozed.is_some() {
            words.push(format!("snoozed {}", snooze_text(record)));
        }
        words.extend(time_left(record));
        if let Some(saved) = &record.draft
            && saved.draft.is_touched()
        {
            words.push(format!(
                "draft {}/{}",
                saved.draft.given(),
                record.ask.questions.len()
            ));
        }
        return words.join(", ");
    };
    let is_kept = settlement.outcome.is_human() && !record.is_delivered() && record.waiters == 0;
    let state = record.state_word();
    if is_kept {
        let within_ms = u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX);
        let how = match lifecycle::may_take_up(record, clock::now(), within_ms) {
            true => "kept until the agent asks again",
            false => "kept; its agent can fetch it",
        };
        format!("{state} on {}, {how}", SafeText::line(&settlement.place()))
    } else if let Some(agent) = settlement.below_agent() {
        let agent = SafeText::line(agent);
        format!("{state}, below {}", truncate(agent.as_str(), 24))
    } else {
        state.to_owned()
    }
}

/// Prints everything about an ask.
pub(crate) fn print_record(
    out: &mut impl Write,
    record: &Record,
    take_up: Duration,
) -> anyhow::Result<()> {
    if let Some(title) = &record.ask.title {
        writeln!(out, "{}", SafeText::line(title))?;
    }
    writeln!(out, "{}", asked_by(record))?;
    let status = status_text(record, take_up);
    if !status.is_empty() {
        writeln!(out, "State: {status}.")?;
    }
    if let Some(earlier) = &record.earlier_answer {
        let ago = time::brief(clock::now().since_ms(earlier.at));
        let words = Words::for_language(Language::English);
        let answer = labels::earlier_answer(words, &record.ask, earlier);
        writeln!(out, "The same was answered {ago} ago: {answer}")?;
    }
    for taken_back in &record.taken_back {
        let ago = time::brief(clock::now().since_ms(taken_back.at));
        let place = SafeText::line(&taken_back.settlement.place()).to_string();
        let summary = outcome_summary(&record.ask, &taken_back.settlement.outcome);
        writeln!(out, "Taken back {ago} ago, sent on {place}: {summary}")?;
    }
    if let Some(context) = &record.ask.context {
        writeln!(out, "\n{}", SafeText::block(context))?;
    }
    let answered = record.answered();
    for (at, question) in record.ask.questions.iter().enumerate() {
        writeln!(out)?;
        print_question(out, at, question, record.ask.questions.len())?;
        if let Some(answered) = answered {
            print_answer(out, question, &answered.answers()[at])?;
        }
    }
    for unsent in record.unsent_words() {
        writeln!(out, "\nTyped and not sent: {}", SafeText::block(unsent))?;
    }
    print_end(out, record, answered)
}

/// Who asks, when, and from where.
pub(crate) fn asked_by(record: &Record) -> String {
    let asker = &record.asker;
    let line = |text: &str| SafeText::line(text).as_str().to_owned();
    let mut text = match asker.is_shell() {
        true => format!("{} asked from a shell", record.id),
        false => format!("{} asked by {}", record.id, asker_name(record)),
    };
    if let Some(version) = asker.version.as_ref().filter(|_| !asker.is_shell()) {
        text.push_str(&format!(" {}", line(version)));
    }
    if let Some(agent) = &asker.agent {
        text.push_str(&format!(", which calls itself \"{}\"", line(agent)));
    }
    let place = place(record);
    if !place.is_empty() {
        text.push_str(&format!(", for {place}"));
    }
    if let Some(directory) = &asker.directory {
        text.push_str(&format!(", in {}", line(directory)));
    }
    text.push_str(&format!(
        ", {} ago.",
        time::brief(clock::now().since_ms(record.asked_at))
    ));
    text
}

/// Prints a question and its choices.
pub(crate) fn print_question(
    out: &mut impl Write,
    at: usize,
    question: &Question,
    count: usize,
) -> anyhow::Result<()> {
    let mut marks = Vec::new();
    if let Some(label) = &question.label {
        marks.push(SafeText::line(label).as_str().to_owned());
    }
    marks.push(
        match question.input {
            Input::Text => "your own words",
            Input::One(_) => "choose one",
            Input::Confirm => "yes or no",
            Input::Many(_) => "choose any",
        }
        .to_owned(),
    );
    if !question.required {
        marks.push("may be skipped".to_owned());
    }
    let number = if count > 1 {
        format!("{}. ", at + 1)
    } else {
        String::new()
    };
    writeln!(
        out,
        "{number}{}  ({})",
        SafeText::block(&question.text),
        marks.join("; ")
    )?;
    for (pick, choice) in question.input.choices().iter().enumerate() {
        writeln!(out, "   {}) {}", pick + 1, choice_line(choice))?;
    }
    Ok(())
}

fn choice_line(choice: &Choice) -> String {
    let label = SafeText::line(&choice.label);
    match &choice.description {
        Some(description) => format!("{label} - {}", SafeText::line(description)),
        None => label.as_str().to_owned(),
    }
}

/// Prints the answer to a question.
pub(crate) fn print_answer(
    out: &mut impl Write,
    question: &Question,
    answer: &Answer,
) -> anyhow::Result<()> {
    let texts = answer_texts(question, answer);
    if texts.is_empty() {
        let nothing = if answer.none {
            "none of these"
        } else {
            "not answered"
        };
        writeln!(out, "   => {nothing}")?;
    }
    for words in texts {
        writeln!(out, "   => {}", SafeText::block(&words))?;
    }
    for file in &answer.attachments {
        writeln!(out, "   {}", attachment_line(file))?;
    }
    if let Some(note) = &answer.note {
        writeln!(out, "   note: {}", SafeText::block(note))?;
    }
    Ok(())
}

/// An attached file with its path.
pub(crate) fn attachment_line(file: &Attachment) -> String {
    let kind = if file.media.is_image() {
        "image"
    } else {
        "file"
    };
    let path = file.path.as_deref().map(SafeText::line).unwrap_or_default();
    let text = format!(
        "attached {kind}: {}, {}: {path}",
        file.name,
        file.measures()
    );
    text.trim_end_matches(": ").to_owned()
}

fn print_end(
    out: &mut impl Write,
    record: &Record,
    answered: Option<&Answered>,
) -> anyhow::Result<()> {
    let Some(settlement) = record.settlement() else {
        return Ok(());
    };
    let at: Time = settlement.at;
    let ago = time::brief(clock::now().since_ms(at));
    let on = format!("on {}, {ago} ago", SafeText::line(&settlement.place()));
    match &settlement.outcome {
        Outcome::Answered(_) => {
            if let Some(note) = answered.and_then(Answered::note) {
                writeln!(out, "\nNote: {}", SafeText::block(note))?;
            }
            writeln!(out, "\nAnswered {on}.")?;
        }
        Outcome::Declined {
            reason: Some(reason),
        } => {
            writeln!(out, "\nDeclined {on}: {}", SafeText::block(reason))?;
        }
        Outcome::Declined { reason: None } => writeln!(out, "\nDeclined {on}.")?,
        Outcome::Clarify { words } => {
            writeln!(out, "\nAsked back {on}: {}", SafeText::block(words))?
        }
        Outcome::Expired => writeln!(out, "\nThe time limit passed {ago} ago.")?,
        Outcome::Withdrawn => writeln!(out, "\nWithdrawn by the agent {ago} ago.")?,
    }
    warn_of_agent(out, record)?;
    Ok(())
}

/// Prints a warning if a program below an agent gave the answer.
pub(crate) fn warn_of_agent(out: &mut impl Write, record: &Record) -> std::io::Result<()> {
    let settlement = record.settlement();
    let origin = settlement.and_then(|settlement| settlement.origin.as_deref());
    let Some(origin) = origin.filter(|origin| origin.below_agent.is_some()) else {
        return Ok(());
    };
    let from = SafeText::line(&origin.to_string()).to_string();
    writeln!(
        out,
        "It came from {from}: an agent may have answered itself."
    )
}

/// The texts of an answer: each picked label on one safe line, then the person's own text.
pub(crate) fn answer_texts<'a>(question: &'a Question, answer: &'a Answer) -> Vec<Cow<'a, str>> {
    let values = native::values(question, answer);
    if matches!(question.input, Input::Text) {
        return values;
    }
    let labels = values.iter().map(|label| SafeText::line(label).to_string());
    let own = answer.own.as_deref().map(Cow::from);
    labels.map(Cow::from).chain(own).collect()
}

/// Prints an outcome for the shell that asked: answers on standard output, one for each line, and
/// everything else on standard error.
pub(crate) fn print_outcome(out: &mut impl Write, record: &Record) -> anyhow::Result<Exit> {
    let left_out = Cell::new(0);
    // Output through a pipe may end in a terminal, so hidden characters are removed. Tabs and
    // spaces of the person's text stay.
    let safe = |words: &str| match std::io::stdout().is_terminal() {
        true => SafeText::block(words).to_string(),
        false => {
            let (visible, hidden) = for_pipe(words);
            left_out.set(left_out.get() + hidden);
            visible
        }
    };
    let mut stderr = std::io::stderr();
    let Some(settlement) = record.settlement() else {
        writeln!(
            stderr,
            "Nobody has answered yet; `ask-user wait {}` waits on.",
            record.id
        )?;
        return Ok(Exit::Waiting);
    };
    match &settlement.outcome {
        Outcome::Answered(answered) => {
            let several = record.ask.questions.len() > 1;
            for (question, answer) in record.ask.questions.iter().zip(answered.answers()) {
                let texts = answer_texts(question, answer);
                if several {
                    writeln!(out, "{}: {}", question.name(), safe(&texts.join(", ")))?;
                } else {
                    for words in texts {
                        writeln!(out, "{}", safe(&words))?;
                    }
                }
                for file in &answer.attachments {
                    writeln!(out, "{}", attachment_line(file))?;
                }
                if let Some(note) = &answer.note {
                    writeln!(stderr, "note: {}", safe(note))?;
                }
            }
            if let Some(note) = answered.note() {
                writeln!(stderr, "note: {}", safe(note))?;
            }
        }
        Outcome::Declined {
            reason: Some(reason),
        } => writeln!(stderr, "Declined: {}", safe(reason))?,
        Outcome::Declined { reason: None } => writeln!(stderr, "Declined.")?,
        Outcome::Clarify { words } => writeln!(stderr, "Asked back: {}", safe(words))?,
        Outcome::Expired => writeln!(stderr, "Nobody answered within the time limit.")?,
        Outcome::Withdrawn => writeln!(stderr, "The question was withdrawn.")?,
    }
    if left_out.get() > 0 {
        let count = left_out.get();
        writeln!(
            stderr,
            "{count} characters that no terminal shows were left out; with --json nothing is."
        )?;
    }
    Ok(exit_code(record))
}

/// The person's words for a pipe, and how many hidden characters were removed. Any line break becomes
/// that of Unix.
fn for_pipe(words: &str) -> (String, usize) {
    let words = words.replace("\r\n", "\n");
    let is_hidden =
        |character: &char| !matches!(character, '\n' | '\t') && SafeText::hides(*character);
    let words = words.replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let hidden = words.chars().filter(is_hidden).count();
    (
        words
            .chars()
            .filter(|character| !is_hidden(character))
            .collect(),
        hidden,
    )
}

/// The exit code for a record's status.
pub(crate) fn exit_code(record: &Record) -> Exit {
    match record.settlement().map(|settlement| &settlement.outcome) {
        None => Exit::Waiting,
        Some(Outcome::Answered(_)) => Exit::Done,
        Some(Outcome::Declined { .. }) => Exit::Declined,
        Some(Outcome::Clarify { .. }) => Exit::Clarify,
        Some(Outcome::Expired | Outcome::Withdrawn) => Exit::TimedOut,
    }
}

fn truncate(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_pipe_keep_their_lines_and_count_what_is_left_out() {
        let words = "one\u{2028}two\r\nthree\rfour\tfive  six\u{85}";
        assert_eq!(
            for_pipe(words),
            ("one\ntwo\nthree\nfour\tfive  six\n".to_owned(), 0)
        );
        assert_eq!(for_pipe("a\u{1b}[mb\u{202e}c"), ("a[mbc".to_owned(), 2));
    }
}
