//! The notice of a closed ask: how it ended, who closed it, and what happens to what was typed
//! here.

use ask_config::i18n::Words;
use ask_config::text::{clip, width, wrap_clamped};
use ask_core::{Draft, Outcome, Record, SafeText};
use ask_hub::surface::labels;

use super::card::bottom;
use super::footer::{Facts, hints};
use super::header;
use crate::tui::model::{Model, Notice};
use crate::tui::row::{ELLIPSIS, ScreenRow, window};
use crate::tui::style::Role;
use crate::tui::update::reuse_hint;

/// The whole screen of a notice.
pub(super) fn page(model: &Model, notice: &Notice, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let record = &notice.record;
    let mut screen_rows = vec![header::asker_row(model, record, columns)];
    if rows >= 10 {
        screen_rows.push(ScreenRow::rule(columns));
    }
    let headline = record
        .settlement()
        .map(|settlement| labels::closed(model.display.words, settlement, &model.display.zone));
    let headline = headline.unwrap_or_else(|| model.display.words.say("card-no-longer-asked"));
    screen_rows.push(ScreenRow::indented(1).clipped(headline, Role::Warning, columns));
    let mut unsent = notice
        .has_unsent_text()
        .then(|| unsent_rows(model.display.words, record, notice.draft.as_ref(), columns));
    if let Some(screen_rows) = unsent
        .as_mut()
        .filter(|_| rows >= 10 && notice.has_reusable_text())
    {
        screen_rows.push(ScreenRow::indented(1).clipped(reuse_hint(model), Role::Text, columns));
    }
    let foot = hints(model, columns, 1, Facts::default());
    let used = screen_rows.len()
        + foot.len()
        + unsent.as_ref().map_or(0, Vec::len)
        + usize::from(notice.message.is_some())
        + usize::from(rows >= 10) * 3;
    let mut body = if notice.shows_draft {
        let mut body = vec![
            ScreenRow::indented(1).text(model.display.words.say("card-your-draft"), Role::Strong),
        ];
        if let Some(said) = &notice.filled_in {
            body.push(ScreenRow::indented(1).clipped(said.clone(), Role::Warning, columns));
        }
        if let Some(draft) = &notice.draft {
            body.extend(answers(model.display.words, record, draft, columns));
        }
        for other in &notice.other_texts {
            let room = columns.saturating_sub(2).max(1);
            let rows = wrap_clamped(&SafeText::block(other), room, 8, ELLIPSIS);
            body.extend(
                rows.into_iter()
                    .map(|row| ScreenRow::indented(1).safe_text(row, Role::Text)),
            );
        }
        body
    } else {
        outcome(model.display.words, record, columns)
    };
    if rows >= 10 {
        screen_rows.push(ScreenRow::new());
        body.push(ScreenRow::new());
    }
    let body: Vec<Vec<ScreenRow>> = body
        .into_iter()
        .map(|screen_row| vec![screen_row])
        .collect();
    screen_rows.extend(window(
        model.display.words,
        body,
        rows.saturating_sub(used).max(1),
        1,
    ));
    screen_rows.extend(unsent.into_iter().flatten());
    let message = notice.message.as_ref();
    let message =
        message.map(|words| ScreenRow::indented(1).clipped(words, Role::Warning, columns));
    screen_rows.truncate(rows.saturating_sub(foot.len() + usize::from(message.is_some())));
    bottom(&mut screen_rows, message, rows >= 10, foot, columns, rows);
    screen_rows
}

fn outcome(words: Words, record: &Record, columns: usize) -> Vec<ScreenRow> {
    let Some(settlement) = record.settlement() else {
        return Vec::new();
    };
    if let Outcome::Answered(answered) = &settlement.outcome {
        return answers(words, record, &answered.draft(), columns);
    }
    let room = columns.saturating_sub(2).max(1);
    let more = labels::closed_detail(words, settlement).unwrap_or_default();
    let rows = wrap_clamped(&SafeText::block(&more), room, 8, ELLIPSIS);
    let screen_rows = rows
        .into_iter()
        .map(|row| ScreenRow::indented(1).safe_text(row, Role::Text));
    screen_rows.collect()
}

fn answers(words: Words, record: &Record, draft: &Draft, columns: usize) -> Vec<ScreenRow> {
    let questions = &record.ask.questions;
    let widest = questions
        .iter()
        .map(|question| width(question.name().as_str()))
        .max();
    let label = widest.unwrap_or(0).min(columns / 3).max(4);
    let mut screen_rows = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let answer = draft.answers.get(at).cloned().unwrap_or_default();
        let mut lines = labels::answer(words, question, &answer);
        if lines.is_empty() {
            lines.push(words.say("card-not-answered"));
        }
        if let Some(note) = answer.note.as_deref() {
            lines.push(note_line(words, note));
        }
        let number = if at < 9 {
            format!("{}.", at + 1)
        } else {
            "  ".to_owned()
        };
        let start = ScreenRow::indented(1)
            .text(number, Role::Dim)
            .gap(1)
            .safe_text(clip(&question.name(), label, ELLIPSIS), Role::Dim)
            .filled(5 + label)
            .gap(1);
        let indent = start.width();
        let mut start = Some(start);
        for line in lines {
            let room = columns.saturating_sub(indent + 1).max(1);
            for row in wrap_clamped(&SafeText::block(&line), room, 3, ELLIPSIS) {
                let screen_row = start.take().unwrap_or_else(|| ScreenRow::indented(indent));
                screen_rows.push(screen_row.safe_text(row, Role::Text));
            }
        }
    }
    if let Some(note) = draft.note.as_deref() {
        let line = note_line(words, note);
        let room = columns.saturating_sub(2).max(1);
        let rows = wrap_clamped(&SafeText::block(&line), room, 3, ELLIPSIS);
        screen_rows.extend(
            rows.into_iter()
                .map(|row| ScreenRow::indented(1).safe_text(row, Role::Text)),
        );
    }
    screen_rows
}

fn note_line(words: Words, note: &str) -> String {
    let note = SafeText::block(note).to_string();
    words.format("card-note-beside", &[("note", note.into())])
}

fn unsent_rows(
    words: Words,
    record: &Record,
    draft: Option<&Draft>,
    columns: usize,
) -> Vec<ScreenRow> {
    let sent = match record.settlement().map(|settlement| &settlement.outcome) {
        Some(Outcome::Answered(answered)) => Some(answered.draft()),
        Some(
            Outcome::Declined { .. }
            | Outcome::Clarify { .. }
            | Outcome::Expired
            | Outcome::Withdrawn,
        )
        | None => None,
    };
    let mut screen_rows = Vec::new();
    if let (Some(sent), Some(draft)) = (sent, draft) {
        let differ = |at: usize| sent.answers.get(at) != draft.answers.get(at);
        let names: Vec<String> = record
            .ask
            .questions
            .iter()
            .enumerate()
            .filter(|(at, _)| differ(*at))
            .map(|(_, question)| question.name().to_string())
            .collect();
        if !names.is_empty() {
            let arguments = [("names", names.join(", ").into())];
            let line = words.format("card-draft-differs", &arguments);
            screen_rows.push(ScreenRow::indented(1).clipped(line, Role::Text, columns));
        }
    }
    screen_rows.push(ScreenRow::indented(1).clipped(
        words.say("shared-not-sent"),
        Role::Strong,
        columns,
    ));
    screen_rows
}
