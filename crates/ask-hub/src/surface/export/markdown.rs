//! An ask and its outcome as Markdown, to read or to copy. Texts of agents and people are escaped,
//! so that they contain no heading, link or tag.

use ask_config::i18n::Words;
use ask_core::{Answer, Outcome, Question, Record, SafeText};
use jiff::tz::TimeZone;

use super::ends;
use crate::surface::labels;

/// Renders a record with its outcome.
pub fn render(words: Words, record: &Record, zone: &TimeZone) -> String {
    let mut blocks = vec![format!("## {}", escape_line(record.ask.headline()))];
    blocks.push(fact_line(words, record, zone));
    if let Some(context) = &record.ask.context {
        blocks.push(quote(context));
    }
    let answers = record.answered();
    let has_several = record.ask.questions.len() > 1;
    for (at, question) in record.ask.questions.iter().enumerate() {
        let label = question.label.as_deref().map(escape_line);
        match (has_several, label) {
            (true, Some(label)) => blocks.push(format!("### {}. {label}", at + 1)),
            (true, None) => blocks.push(format!("### {}.", at + 1)),
            (false, _) => {}
        }
        blocks.push(escape_lines(&question.text));
        let answer = answers.and_then(|answered| answered.answers().get(at));
        blocks.extend(answer_blocks(words, question, answer));
    }
    let note = answers.and_then(|answered| answered.note());
    blocks.extend(note.map(|note| note_line(words, note)));
    match record.settlement().map(|ended| &ended.outcome) {
        Some(Outcome::Declined {
            reason: Some(reason),
        }) => blocks.push(quote(reason)),
        Some(Outcome::Clarify { words }) => blocks.push(quote(words)),
        Some(
            Outcome::Answered(_)
            | Outcome::Declined { reason: None }
            | Outcome::Expired
            | Outcome::Withdrawn,
        )
        | None => {}
    }
    blocks.join("\n\n") + "\n"
}

fn fact_line(words: Words, record: &Record, zone: &TimeZone) -> String {
    let asker = labels::asker_label(words, &record.asker);
    let place = labels::place(&record.asker);
    let mut facts = vec![ends::moment(record.asked_at, zone), escape_line(&asker)];
    if !place.is_empty() {
        facts.push(escape_line(&place));
    }
    facts.push(escape_line(&ends::ending(words, record)));
    if let Some(ended) = record.settlement() {
        facts.push(words.length(ended.at.since_ms(record.asked_at)));
    }
    facts.extend(ends::delivery(words, record, zone));
    facts.push(format!("`{}`", record.id));
    facts.join(" · ")
}

fn answer_blocks(words: Words, question: &Question, answer: Option<&Answer>) -> Vec<String> {
    let mut blocks = Vec::new();
    let picked = |at: usize| answer.is_some_and(|answer| answer.picks.contains(&at));
    let rows: Vec<String> = (0..question.input.len())
        .filter_map(|at| {
            let label = escape_line(question.input.label(at)?);
            let choice = question.input.choices().get(at);
            let about = choice.and_then(|choice| choice.description.as_deref());
            let about = about.map_or_else(String::new, |about| format!(": {}", escape_line(about)));
            let mark = if picked(at) { 'x' } else { ' ' };
            Some(format!("- [{mark}] {label}{about}"))
        })
        .collect();
    if !rows.is_empty() {
        blocks.push(rows.join("\n"));
    }
    let Some(answer) = answer else { return blocks };
    if answer.none {
        blocks.push(words.say("export-none"));
    } else if !answer.is_given() {
        blocks.push(words.say("export-unanswered"));
    }
    blocks.extend(answer.own.as_deref().map(quote));
    blocks.extend(answer.note.as_deref().map(|note| note_line(words, note)));
    blocks
}

fn note_line(words: Words, note: &str) -> String {
    words.format("export-note", &[("note", escape_lines(note).into())])
}

/// A text on one line.
fn escape_line(text: &str) -> String {
    escape(SafeText::line(text).as_str())
}

/// A text with its line breaks.
fn escape_lines(text: &str) -> String {
    let plain = SafeText::block(text.trim());
    let lines: Vec<String> = plain
        .as_str()
        .lines()
        .map(|text| escape(text.trim()))
        .collect();
    // Two spaces at the end keep a line break (CommonMark, section 6.7). An empty line ends the
    // paragraph by itself.
    lines.join("  \n").replace("  \n  \n", "\n\n")
}

fn quote(text: &str) -> String {
    let text = escape_lines(text);
    let lines: Vec<String> = text.lines().map(|text| format!("> {text}")).collect();
    lines.join("\n")
}

/// A line with every Markdown character escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    for (at, character) in text.chars().enumerate() {
        let special = match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '$' => true,
            '#' | '+' | '-' | '=' => at == 0,
            '.' | ')' => at > 0 && at == digits,
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_contain_no_markup() {
        for (text, expected) in [
            ("# no heading", "\\# no heading"),
            ("- no item", "\\- no item"),
            ("1. nor this", "1\\. nor this"),
            ("a-b #1 1.5", "a-b #1 1.5"),
            ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
            ("<script>", "\\<script\\>"),
            (
                "`a` *b* _c_ ~d~ &amp; |",
                "\\`a\\` \\*b\\* \\_c\\_ \\~d\\~ \\&amp; \\|",
            ),
            ("\u{1b}[2Jx\u{202e}", "x"),
        ] {
            let actual = escape_line(text);
            assert!(!actual.contains(['\u{1b}', '\u{202e}']), "{actual:?}");
            if !text.starts_with('\u{1b}') {
                assert_eq!(actual, expected);
            }
        }
        assert_eq!(escape_lines("one\ntwo\n\n===\n"), "one  \ntwo\n\n\\===");
        assert_eq!(quote("a\nb"), "> a  \n> b");
    }
}
