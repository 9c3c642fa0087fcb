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
use crate::tui::row::{CUT, ScreenRow, window};
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
        .map(|settlement| labels::closed(model.look.words, settlement, &model.look.zone));
    let headline = headline.unwrap_or_else(|| model.look.words.say("card-no-longer-asked"));
    screen_rows.push(ScreenRow::indented(1).clipped(headline, Role::Warning, columns));
    let mut not_sent = notice
        .is_filled()
        .then(|| not_sent(model.look.words, record, notice.draft.as_ref(), columns));
    if let Some(screen_rows) = not_sent
        .as_mut()
        .filter(|_| rows >= 10 && notice.has_words())
    {
        screen_rows.push(ScreenRow::indented(1).clipped(reuse_hint(model), Role::Text, columns));
    }
    let foot = hints(model, columns, 1, Facts::default());
    let used = screen_rows.len()
        + foot.len()
        + not_sent.as_ref().map_or(0, Vec::len)
        + usize::from(notice.remark.is_some())
        + usize::from(rows >= 10) * 3;
    let mut said = if notice.opened {
        let mut said = vec![
            ScreenRow::indented(1).words(model.look.words.say("card-your-draft"), Role::Strong),
        ];
        if let Some(draft) = &notice.draft {
            said.extend(answers(model.look.words, record, draft, columns));
        }
        for besides in &notice.besides {
            let room = columns.saturating_sub(2).max(1);
            let rows = wrap_clamped(&SafeText::block(besides), room, 8, CUT);
            said.extend(
                rows.into_iter()
                    .map(|row| ScreenRow::indented(1).plain(row, Role::Text)),
            );
        }
        said
    } else {
        outcome(model.look.words, record, columns)
    };
    if rows >= 10 {
        screen_rows.push(ScreenRow::new());
        said.push(ScreenRow::new());
    }
    let said: Vec<Vec<ScreenRow>> = said
        .into_iter()
        .map(|screen_row| vec![screen_row])
        .collect();
    screen_rows.extend(window(
        model.look.words,
        said,
        rows.saturating_sub(used).max(1),
        1,
    ));
    screen_rows.extend(not_sent.into_iter().flatten());
    let remark = notice.remark.as_ref();
    let remark = remark.map(|words| ScreenRow::indented(1).clipped(words, Role::Warning, columns));
    screen_rows.truncate(rows.saturating_sub(foot.len() + usize::from(remark.is_some())));
    bottom(&mut screen_rows, remark, rows >= 10, foot, columns, rows);
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
    let rows = wrap_clamped(&SafeText::block(&more), room, 8, CUT);
    let screen_rows = rows
        .into_iter()
        .map(|row| ScreenRow::indented(1).plain(row, Role::Text));
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
            lines.push(noted(words, note));
        }
        let number = if at < 9 {
            format!("{}.", at + 1)
        } else {
            "  ".to_owned()
        };
        let start = ScreenRow::indented(1)
            .words(number, Role::Dim)
            .gap(1)
            .plain(clip(&question.name(), label, CUT), Role::Dim)
            .filled(5 + label)
            .gap(1);
        let indent = start.width();
        let mut start = Some(start);
        for line in lines {
            let room = columns.saturating_sub(indent + 1).max(1);
            for row in wrap_clamped(&SafeText::block(&line), room, 3, CUT) {
                let screen_row = start.take().unwrap_or_else(|| ScreenRow::indented(indent));
                screen_rows.push(screen_row.plain(row, Role::Text));
            }
        }
    }
    if let Some(note) = draft.note.as_deref() {
        let line = noted(words, note);
        let room = columns.saturating_sub(2).max(1);
        let rows = wrap_clamped(&SafeText::block(&line), room, 3, CUT);
        screen_rows.extend(
            rows.into_iter()
                .map(|row| ScreenRow::indented(1).plain(row, Role::Text)),
        );
    }
    screen_rows
}

fn noted(words: Words, note: &str) -> String {
    let note = SafeText::block(note).to_string();
    words.format("card-note-beside", &[("note", note.into())])
}

fn not_sent(
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
            let told = [("names", names.join(", ").into())];
            let line = words.format("card-draft-differs", &told);
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
