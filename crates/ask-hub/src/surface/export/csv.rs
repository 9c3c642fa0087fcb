//! The history as CSV (RFC 4180), with a row for each question. Spreadsheets evaluate a field that
//! begins like a formula, so such a field gets a leading apostrophe.

use ask_core::{Answer, Outcome, Record, SafeText, Settlement, State, history};
use ask_protocol::native;
use csv::{QuoteStyle, Terminator, WriterBuilder};

const COLUMNS: [&str; 22] = [
    "ask_id",
    "asked_at",
    "closed_at",
    "delivered_at",
    "seconds",
    "state",
    "surface",
    "client",
    "agent",
    "project",
    "branch",
    "directory",
    "title",
    "number",
    "question",
    "type",
    "options",
    "answer",
    "own_words",
    "note",
    "device",
    "below_agent",
];

pub(super) fn header() -> String {
    serialize_row(&COLUMNS.map(str::to_owned), QuoteStyle::Necessary)
}

/// The lines of a record, one for each question. The note, or the text that belongs to no question,
/// is in the first of them.
pub(super) fn rows(record: &Record) -> String {
    let settlement = record.settlement();
    let delivered = match &record.state {
        State::Closed { delivered_at, .. } => *delivered_at,
        State::Open => None,
    };
    let asker = &record.asker;
    let seconds = settlement.map(|settlement| settlement.at.since_ms(record.asked_at) / 1_000);
    let state = history::end(record).map_or("waiting", history::End::word);
    let device = settlement.and_then(|settlement| settlement.device.clone());
    let device = device.unwrap_or_default();
    let below_agent = settlement
        .and_then(Settlement::below_agent)
        .unwrap_or_default();
    let mut lines = String::new();
    for (index, question) in record.ask.questions.iter().enumerate() {
        let (answer, extra) = answer_to(record, index);
        let own_words = if question.input.is_empty() {
            None
        } else {
            answer.own.clone()
        };
        let options: Vec<&str> = (0..question.input.len())
            .filter_map(|pick| question.input.label(pick))
            .collect();
        let note: Vec<String> = answer.note.iter().cloned().chain(extra).collect();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        lines.push_str(&serialize_row(
            &[
                record.id.to_string(),
                record.asked_at.to_string(),
                settlement
                    .map(|settlement| settlement.at.to_string())
                    .unwrap_or_default(),
                delivered.map(|at| at.to_string()).unwrap_or_default(),
                seconds.map(|count| count.to_string()).unwrap_or_default(),
                state.to_owned(),
                settlement
                    .map(|settlement| settlement.surface.clone())
                    .unwrap_or_default(),
                text(&asker.client),
                text(&asker.agent),
                text(&asker.project),
                text(&asker.branch),
                text(&asker.directory),
                text(&record.ask.title),
                (index + 1).to_string(),
                question.text.clone(),
                native::input_word(&question.input).to_owned(),
                options.join("\n"),
                native::values(question, &answer).join("\n"),
                own_words.unwrap_or_default(),
                note.join("\n"),
                device.clone(),
                below_agent.to_owned(),
            ],
            QuoteStyle::NonNumeric,
        ));
    }
    lines
}

/// The answer to a question, and with the first question the text that belongs to no question.
fn answer_to(record: &Record, index: usize) -> (Answer, Option<String>) {
    let first = |words: Option<&str>| words.filter(|_| index == 0).map(str::to_owned);
    match record.settlement().map(|settlement| &settlement.outcome) {
        Some(Outcome::Answered(answered)) => {
            let answer = answered.answers().get(index).cloned();
            (answer.unwrap_or_default(), first(answered.note()))
        }
        Some(Outcome::Declined { reason }) => (Answer::default(), first(reason.as_deref())),
        Some(Outcome::Clarify { words }) => (Answer::default(), first(Some(words))),
        Some(Outcome::Expired | Outcome::Withdrawn) | None => (Answer::default(), None),
    }
}

/// Text fields are always quoted: in spreadsheets that split at semicolons or tabs, the part after
/// the split could begin like a formula.
fn serialize_row(fields: &[String], quotes: QuoteStyle) -> String {
    let mut writer = WriterBuilder::new()
        .quote_style(quotes)
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    let written = writer.write_record(fields.iter().map(|text| sanitize_field(text)));
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

fn sanitize_field(text: &str) -> String {
    let plain = SafeText::block(text);
    let text = plain.as_str();
    let is_formula = text.trim_start().starts_with([
        '=', '+', '-', '@', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}',
    ]);
    if is_formula {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_and_never_formulas() {
        for (text, expected) in [
            ("plain", "\"plain\""),
            ("12", "12"),
            ("a;=b", "\"a;=b\""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            (" +1", "\"' +1\""),
            ("-2", "\"'-2\""),
            ("@cmd", "\"'@cmd\""),
            ("\t=1", "\"'    =1\""),
            ("\u{1b}[2J=1+1", "\"'=1+1\""),
            ("\u{202e}evil", "\"evil\""),
            ("", "\"\""),
        ] {
            let actual = serialize_row(&[text.to_owned()], QuoteStyle::NonNumeric);
            let actual = actual
                .strip_suffix("\r\n")
                .expect("every line ends in CRLF");
            assert!(
                !actual.contains(['\u{1b}', '\u{202e}']),
                "{text:?}: {actual:?}"
            );
            if !text.starts_with(['\t', '\u{1b}', '\u{202e}']) {
                assert_eq!(actual, expected, "{text:?}");
            } else {
                assert!(
                    actual == "\"evil\"" || actual.contains('\'') || !actual.contains('='),
                    "{actual:?}"
                );
            }
        }
    }
}
