//! Records and outcomes as lines of text. Agents' text passes through `SafeText`.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use ask_config::clock;
use ask_config::config::Config;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::i18n::{Language, Words};
use ask_core::record::{Snooze, summary};
use ask_core::{
    Answer, Answered, Attachment, Choice, Input, Outcome, Question, Record, SafeText, Time,
    lifecycle, time,
};
use ask_dialects::{Dialect, Word};
use ask_hub::surface::labels;
use ask_protocol::{Reply, json_text, native};

/// Prints one record as JSON.
pub fn json(out: &mut impl Write, record: &Record) -> anyhow::Result<()> {
    writeln!(out, "{}", json_text(&native::Record::from(record)))?;
    Ok(())
}

/// The dialect's reply about a record, with a summary if it is closed.
pub fn reply(dialect: &dyn Dialect, record: &Record) -> Reply {
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
pub fn json_array(out: &mut impl Write, records: &[Record]) -> anyhow::Result<()> {
    let all: Vec<_> = records.iter().map(native::Record::from).collect();
    writeln!(out, "{}", json_text(&all))?;
    Ok(())
}

/// How long an ask can be continued by asking the same again: the setting `asks.take_up_hours`.
pub fn take_up(home: &Home) -> Duration {
    Config::read(&home.config_file()).config.take_up
}

/// Prints records as JSON or one for each line, or the text for an empty list.
pub fn listing(home: &Home, records: &[Record], as_json: bool, none: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    if as_json {
        return json_array(&mut out, records);
    }
    if records.is_empty() {
        writeln!(out, "{none}")?;
    }
    let take_up = take_up(home);
    for record in records {
        writeln!(out, "{}", row(record, take_up))?;
    }
    Ok(())
}

/// One record on one line: id, age, who asks, what.
pub fn row(record: &Record, take_up: Duration) -> String {
    let age = time::brief(clock::now().since_ms(record.asked_at));
    let what: String = record.ask.name().as_str().chars().take(60).collect();
    let state = status_text(record, take_up);
    format!(
        "{:<12} {age:>4}  {:<14} {:<20} {what}{}",
        short_id(record),
        cut(&asker_name(record), 14),
        cut(&place(record), 20),
        if state.is_empty() {
            String::new()
        } else {
            format!("  [{state}]")
        }
    )
}

/// The beginning of an id that suffices on a command line.
pub fn short_id(record: &Record) -> &str {
    let id = record.id.as_str();
    id.get(..10).unwrap_or(id)
}

/// The client's name from its protocol.
pub fn asker_name(record: &Record) -> String {
    let name = record
        .asker
        .client
        .as_deref()
        .or(record.asker.agent.as_deref());
    SafeText::line(name.unwrap_or("someone"))
        .as_str()
        .to_owned()
}

/// Project and branch.
pub fn place(record: &Record) -> String {
    let asker = &record.asker;
    let project = asker.project.as_deref().unwrap_or_default();
    let text = match asker.branch.as_deref() {
        Some(branch) if !project.is_empty() => format!("{project}:{branch}"),
        _ => project.to_owned(),
    };
    SafeText::line(&text).as_str().to_owned()
}

/// Until when an ask is snoozed, in words.
pub fn snoozed(record: &Record) -> String {
    match record.snoozed {
        None => String::new(),
        Some(Snooze::AskedAgain) => "until its agent asks again".to_owned(),
        Some(Snooze::Until(at)) => {
            let zone = jiff::tz::TimeZone::system();
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
pub fn left(record: &Record) -> Option<String> {
    let at = record.deadline_at?;
    Some(format!("{} left", time::brief(at.since_ms(clock::now()))))
}

/// The status of an ask in words; empty for one that simply waits. An outcome that its agent hasn't
/// received answers the same ask again only within `take_up`; after that the agent can fetch it.
pub fn status_text(record: &Record, take_up: Duration) -> String {
    let Some(settlement) = record.settlement() else {
        let mut words = Vec::new();
        if record.waiters == 0 {
            words.push("the agent stopped waiting".to_owned());
        }
        if record.snoozed.is_some() {
            words.push(format!("snoozed {}", snoozed(record)));
        }
        words.extend(left(record));
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
    let kept = settlement.outcome.is_human() && !record.is_delivered() && record.waiters == 0;
    let state = record.state_word();
    if kept {
        let within_ms = u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX);
        let how = match lifecycle::may_take_up(record, clock::now(), within_ms) {
            true => "kept until the agent asks again",
            false => "kept; its agent can fetch it",
        };
        format!("{state} on {}, {how}", SafeText::line(&settlement.place()))
    } else {
        state.to_owned()
    }
}

/// Prints everything about an ask.
pub fn whole(out: &mut impl Write, record: &Record, take_up: Duration) -> anyhow::Result<()> {
    if let Some(title) = &record.ask.title {
        writeln!(out, "{}", SafeText::line(title))?;
    }
    writeln!(out, "{}", asked_by(record))?;
    let standing = status_text(record, take_up);
    if !standing.is_empty() {
        writeln!(out, "State: {standing}.")?;
    }
    if let Some(earlier) = &record.earlier_answer {
        let ago = time::brief(clock::now().since_ms(earlier.at));
        let words = Words::for_language(Language::English);
        let answer = labels::earlier_answer(words, &record.ask, earlier);
        writeln!(out, "The same was answered {ago} ago: {answer}")?;
    }
    if let Some(context) = &record.ask.context {
        writeln!(out, "\n{}", SafeText::block(context))?;
    }
    let answered = record.answered();
    for (at, question) in record.ask.questions.iter().enumerate() {
        writeln!(out)?;
        paint_question(out, at, question, record.ask.questions.len())?;
        if let Some(answered) = answered {
            paint_answer(out, question, &answered.answers()[at])?;
        }
    }
    paint_end(out, record, answered)
}

/// Who asks, when, and from where.
pub fn asked_by(record: &Record) -> String {
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
pub fn paint_question(
    out: &mut impl Write,
    at: usize,
    question: &Question,
    of: usize,
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
    let number = if of > 1 {
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
pub fn paint_answer(
    out: &mut impl Write,
    question: &Question,
    answer: &Answer,
) -> anyhow::Result<()> {
    let said = answer_words(question, answer);
    if said.is_empty() {
        let nothing = if answer.none {
            "none of these"
        } else {
            "not answered"
        };
        writeln!(out, "   => {nothing}")?;
    }
    for words in said {
        writeln!(out, "   => {}", SafeText::block(&words))?;
    }
    for file in &answer.attachments {
        writeln!(out, "   {}", attached(file))?;
    }
    if let Some(note) = &answer.note {
        writeln!(out, "   note: {}", SafeText::block(note))?;
    }
    Ok(())
}

/// An attached file with its path.
pub fn attached(file: &Attachment) -> String {
    let kind = match file.media.is_image() {
        true => "image",
        false => "file",
    };
    let path = file.path.as_deref().map(SafeText::line).unwrap_or_default();
    let text = format!(
        "attached {kind}: {}, {}: {path}",
        file.name,
        file.measures()
    );
    text.trim_end_matches(": ").to_owned()
}

fn paint_end(
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
    if let Some(origin) = &settlement.origin
        && origin.below_agent.is_some()
    {
        let from = SafeText::line(&origin.to_string()).to_string();
        writeln!(
            out,
            "It came from {from}: an agent may have answered itself."
        )?;
    }
    Ok(())
}

/// The texts of an answer: each picked label on one safe line, then the person's own text.
pub fn answer_words<'a>(question: &'a Question, answer: &'a Answer) -> Vec<Cow<'a, str>> {
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
pub fn outcome(out: &mut impl Write, record: &Record) -> anyhow::Result<Exit> {
    // Output through a pipe may end in a terminal, so hidden characters are removed. Tabs and
    // spaces of the person's text stay.
    let safe = |words: &str| match std::io::stdout().is_terminal() {
        true => SafeText::block(words).to_string(),
        false => {
            let is_seen =
                |character: &char| matches!(character, '\n' | '\t') || !SafeText::hides(*character);
            words.chars().filter(is_seen).collect()
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
                let said = answer_words(question, answer);
                if several {
                    writeln!(out, "{}: {}", question.name(), safe(&said.join(", ")))?;
                } else {
                    for words in said {
                        writeln!(out, "{}", safe(&words))?;
                    }
                }
                for file in &answer.attachments {
                    writeln!(out, "{}", attached(file))?;
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
    Ok(exit(record))
}

/// The exit code for a record's status.
pub fn exit(record: &Record) -> Exit {
    match record.settlement().map(|settlement| &settlement.outcome) {
        None => Exit::Waiting,
        Some(Outcome::Answered(_)) => Exit::Done,
        Some(Outcome::Declined { .. }) => Exit::Declined,
        Some(Outcome::Clarify { .. }) => Exit::Clarify,
        Some(Outcome::Expired | Outcome::Withdrawn) => Exit::TimedOut,
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width - 1).collect();
    short.push('…');
    short
}
