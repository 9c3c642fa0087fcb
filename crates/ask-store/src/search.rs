//! The history of closed asks: indexing, search and filters. The full-text index holds the words of
//! each ask, and one token for each property that a filter can select. So any combination of
//! filters is one query of the index, which skips from match to match instead of scanning all asks.

use std::path::MAIN_SEPARATOR;

use ask_core::history::{self, End, Facts, Filter, How};
use ask_core::secret::hex;
use ask_core::stats::LocalHour;
use ask_core::{Record, Time};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use sha2::{Digest as _, Sha256};

use super::days::DayCountUpdates;
use super::rows;

/// The binary logarithm of how many consecutive rows of asks share one row of the table `era`.
const ERA_BITS: u32 = 12;

/// The first character of each token. Nobody types it, so a search for words never matches a token.
const TOKEN_PREFIX: char = '\u{E000}';

/// Adds a closed ask to the index and the statistics, or replaces what they have of it.
pub(crate) fn index_record(
    db: &Connection,
    days: &mut DayCountUpdates<'_>,
    row: i64,
    record: &Record,
) -> rusqlite::Result<()> {
    let Some(facts) = Facts::from_record(record) else {
        return Ok(());
    };
    days.remove(row)?;
    let asked = days.add(&facts)?;
    db.prepare_cached("INSERT OR REPLACE INTO found (rowid, words, facts) VALUES (?1, ?2, ?3)")?
        .execute(params![
            row,
            indexed_words(record),
            tokens(record, Some(&facts))
        ])?;
    let how = facts.how;
    db.prepare_cached(
        "INSERT OR REPLACE INTO past (row, asked_at, took_ms, end, agent, project, surface,
                                      offered, recommending, recommended, another, own, noted,
                                      local_hour)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        row,
        facts.asked_at.0,
        i64::try_from(facts.took_ms).unwrap_or(i64::MAX),
        facts.end as i64,
        facts.agent,
        facts.project,
        facts.surface,
        how.offered,
        how.recommending,
        how.recommended,
        how.another,
        how.own,
        how.noted,
        asked.0,
    ])?;
    db.prepare_cached(
        "INSERT INTO era (block, first, latest) VALUES (?1, ?2, ?2) ON CONFLICT (block) DO UPDATE
         SET first = min(first, ?2), latest = max(latest, ?2)",
    )?
    .execute(params![row >> ERA_BITS, facts.asked_at.0])?;
    Ok(())
}

/// Whether a query with this filter reads the index or `era`, so that closed asks must be indexed
/// first.
pub(crate) fn needs_index(filter: &Filter) -> bool {
    match_expression(filter).is_some() || filter.since_ms.is_some() || filter.until_ms.is_some()
}

/// A page of records with their rows, the newest ask first.
pub(crate) fn page(
    db: &Connection,
    filter: &Filter,
    limit: u64,
) -> rusqlite::Result<Vec<(Record, u64)>> {
    let tables = "ask LEFT JOIN desk ON desk.row = ask.row";
    let columns = format!("ask.row, {}", rows::COLUMNS);
    let mut wanted = limit;
    loop {
        let found = select(db, filter, wanted, ("ask", tables), &columns, |row| {
            Ok((rows::read_if_readable(row, 1)?.ok(), row.get(0)?))
        })?;
        let is_last = (found.len() as u64) < wanted;
        let readable = found
            .into_iter()
            .filter_map(|(record, row)| Some((record?, row)));
        let readable: Vec<(Record, u64)> = readable
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .collect();
        let missing = limit - readable.len() as u64;
        if is_last || missing == 0 {
            return Ok(readable);
        }
        // A shorter page would look like the last one.
        wanted += missing;
    }
}

/// A page of ids, the newest ask first. With each: whether the ask can be removed without an agent
/// missing its answer, and its row.
pub(crate) fn ids(
    db: &Connection,
    filter: &Filter,
    limit: u64,
) -> rusqlite::Result<Vec<(ask_core::AskId, bool, u64)>> {
    let columns =
        "ask.id, ask.state IN ('expired', 'withdrawn') OR ask.delivered_at IS NOT NULL, ask.row";
    select(db, filter, limit, ("ask", "ask"), columns, |row| {
        Ok((rows::read_id(row, 0)?, row.get(1)?, row.get(2)?))
    })
}

/// The condition on a closed ask that its agent needs nothing more from it: the outcome was
/// delivered, or no person chose it.
const NOTHING_TO_DELIVER: &str = "(state IN ('expired', 'withdrawn') OR delivered_at IS NOT NULL)";

/// Asks of a folder and its subfolders that ended, and whose outcome was delivered, before
/// `before`. Expired asks only if they ended before `expired_before`, because a person can answer
/// them until then.
pub(crate) fn delivered_in_folder(
    db: &Connection,
    folder: &str,
    (before, expired_before): (Time, Time),
    limit: u64,
) -> rusqlite::Result<Vec<ask_core::AskId>> {
    let folder = folder.trim_end_matches(MAIN_SEPARATOR);
    let first = format!("{folder}{MAIN_SEPARATOR}");
    // Paths of subfolders begin with the separator, so they sort before its successor.
    let end = format!("{folder}{}", char::from(MAIN_SEPARATOR as u8 + 1));
    let mut statement = db.prepare_cached(&delivered_in_folder_sql())?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let values = (before.0, folder, first, limit, expired_before.0, end);
    let rows = statement.query_map(values, |row| rows::read_id(row, 0))?;
    rows.collect()
}

pub(super) fn delivered_in_folder_sql() -> String {
    format!(
        "SELECT id FROM ask WHERE (directory = ?2 OR directory >= ?3 AND directory < ?6)
         AND closed_at IS NOT NULL AND closed_at < iif(state = 'expired', ?5, ?1)
         AND {NOTHING_TO_DELIVER} AND coalesce(delivered_at, 0) < ?1 LIMIT ?4"
    )
}

/// Whether any ask was opened in a period. Such an ask is open, or ended after the period began, so
/// that the indexes on open asks and on `closed_at` find it.
pub(super) const ASKED_BETWEEN: &str = "SELECT EXISTS (
       SELECT 1 FROM ask WHERE closed_at >= ?1 AND asked_at >= ?1 AND asked_at < ?2)
  OR EXISTS (SELECT 1 FROM ask WHERE state = 'waiting' AND asked_at >= ?1 AND asked_at < ?2)";

/// Whether any ask was opened at `from` or later and before `to`.
pub(crate) fn asked_between(db: &Connection, (from, to): (Time, Time)) -> rusqlite::Result<bool> {
    db.prepare_cached(ASKED_BETWEEN)?
        .query_row([from.0, to.0], |row| row.get(0))
}

/// Asks that retention may remove, the oldest first: those that ended before `ended`. Answers that
/// no agent has received only if they were given before `given_up`. With each: whether its agent
/// needs nothing more from it.
pub(crate) fn removable_by_age(
    db: &Connection,
    ended: Time,
    given_up: Time,
    limit: u64,
) -> rusqlite::Result<Vec<(ask_core::AskId, bool)>> {
    let mut statement = db.prepare_cached(&removable_by_age_sql())?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map([ended.0, given_up.0, limit], |row| {
        Ok((rows::read_id(row, 0)?, row.get(1)?))
    })?;
    rows.collect()
}

pub(super) fn removable_by_age_sql() -> String {
    format!(
        "SELECT id, {NOTHING_TO_DELIVER} FROM ask
         WHERE closed_at < ?1 AND ({NOTHING_TO_DELIVER} OR closed_at < ?2)
         ORDER BY closed_at LIMIT ?3"
    )
}

/// The columns that [`read_facts`] reads, in its order.
const FACTS: &str = "past.asked_at, past.took_ms, past.end, past.agent, past.project, past.surface,
     past.offered, past.recommending, past.recommended, past.another, past.own, past.noted";

/// A page of facts, the newest ask first. With each: the local hour in which the ask was asked, as
/// it was counted, and its row.
pub(crate) fn facts(
    db: &Connection,
    filter: &Filter,
    limit: u64,
) -> rusqlite::Result<Vec<(Facts, LocalHour, u64)>> {
    let columns = format!("{FACTS}, past.local_hour, past.row");
    select(db, filter, limit, ("past", "past"), &columns, |row| {
        Ok((read_facts(row)?, LocalHour(row.get(12)?), row.get(13)?))
    })
}

/// The facts of the ask in this row and the local hour in which it was asked, as it was counted.
/// `None` if it was not counted.
pub(crate) fn counted_facts(
    db: &Connection,
    row: i64,
) -> rusqlite::Result<Option<(Facts, LocalHour)>> {
    let sql = format!("SELECT {FACTS}, past.local_hour FROM past WHERE row = ?1");
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_row([row], |row| Ok((read_facts(row)?, LocalHour(row.get(12)?))));
    found.optional()
}

/// Calls `visit` with the row and the facts of each counted ask.
pub(crate) fn for_each_counted(
    db: &Connection,
    mut visit: impl FnMut(i64, &Facts) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare(&format!("SELECT {FACTS}, past.row FROM past"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(row.get(12)?, &read_facts(row)?)?;
    }
    Ok(())
}

/// The longest time in milliseconds that an ask was open, among those that ended at `since` or
/// later and were opened in the filter's period.
pub(crate) fn longest_open_ms(
    db: &Connection,
    filter: &Filter,
    since: Time,
) -> rusqlite::Result<Option<u64>> {
    let longest: Option<i64> = db.prepare_cached(LONGEST)?.query_row(
        [
            since.0,
            filter.since_ms.unwrap_or(i64::MIN),
            filter.until_ms.unwrap_or(i64::MAX),
        ],
        |row| row.get(0),
    )?;
    Ok(longest.map(i64::unsigned_abs))
}

pub(super) const LONGEST: &str = "SELECT max(past.took_ms) FROM ask JOIN past ON past.row = ask.row
     WHERE ask.closed_at >= ?1 AND ask.asked_at >= ?2 AND ask.asked_at < ?3";

fn read_facts(row: &Row<'_>) -> rusqlite::Result<Facts> {
    let end: usize = row.get(2)?;
    Ok(Facts {
        asked_at: Time(row.get(0)?),
        took_ms: row.get::<_, i64>(1)?.unsigned_abs(),
        end: End::ALL.get(end).map_or(End::Withdrawn, |(end, _)| *end),
        agent: row.get(3)?,
        project: row.get(4)?,
        surface: row.get(5)?,
        how: How {
            offered: row.get(6)?,
            recommending: row.get(7)?,
            recommended: row.get(8)?,
            another: row.get(9)?,
            own: row.get(10)?,
            noted: row.get(11)?,
        },
    })
}

/// Selects a page of rows that match a filter, the newest first. `table` has one row for each ask,
/// and `tables` is a join that begins with it.
fn select<T>(
    db: &Connection,
    filter: &Filter,
    limit: u64,
    (table, tables): (&str, &str),
    columns: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let expression = match_expression(filter);
    let mut conditions = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    // The index comes first in the join, and its order is the order of the result. Otherwise SQLite
    // would read and sort all matches.
    let (order, tables) = match &expression {
        Some(_) => {
            let join = format!("found CROSS JOIN {tables}");
            conditions.push(format!("{table}.row = found.rowid"));
            ("found.rowid".to_owned(), join)
        }
        None => (format!("{table}.row"), tables.to_owned()),
    };
    if let Some(expression) = expression {
        conditions.push("found MATCH ?".to_owned());
        values.push(expression.into());
    }
    if table == "ask" && !filter.open {
        conditions.push("ask.state <> 'waiting'".to_owned());
    }
    if filter.undelivered {
        // The condition is that of the index `ask_undelivered`, so that the few undelivered asks
        // are found without reading others.
        conditions.push(format!(
            "{table}.row IN (SELECT row FROM ask
             WHERE state IN ('answered', 'declined', 'clarify') AND delivered_at IS NULL)"
        ));
    }
    if let Some(before) = filter.before.filter(|before| *before > 0) {
        conditions.push(format!("{order} < ?"));
        values.push(i64::try_from(before).unwrap_or(i64::MAX).into());
    }
    for (moment, compares) in [(filter.since_ms, ">="), (filter.until_ms, "<")] {
        let Some(moment) = moment else { continue };
        conditions.push(format!("{table}.asked_at {compares} ?"));
        values.push(moment.into());
    }
    if !filter.open && (filter.since_ms.is_some() || filter.until_ms.is_some()) {
        let (first, last) = row_range(db, filter)?;
        conditions.push(format!("{order} >= ? AND {order} <= ?"));
        values.extend([first.into(), last.into()]);
    }
    if conditions.is_empty() {
        conditions.push("1".to_owned());
    }
    values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
    let conditions = conditions.join(" AND ");
    let sql =
        format!("SELECT {columns} FROM {tables} WHERE {conditions} ORDER BY {order} DESC LIMIT ?");
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_map(params_from_iter(values), read)?;
    found.collect()
}

/// The first and the last row between which all asks of the filter's period are. An empty range if
/// there are none.
fn row_range(db: &Connection, filter: &Filter) -> rusqlite::Result<(i64, i64)> {
    let (first, last): (Option<i64>, Option<i64>) = db
        .prepare_cached("SELECT min(block), max(block) FROM era WHERE latest >= ?1 AND first < ?2")?
        .query_row(
            [
                filter.since_ms.unwrap_or(i64::MIN),
                filter.until_ms.unwrap_or(i64::MAX),
            ],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
    Ok(match (first, last) {
        (Some(first), Some(last)) => (first << ERA_BITS, ((last + 1) << ERA_BITS) - 1),
        _ => (1, 0),
    })
}

/// The expression to match in the index. `None` if the filter selects nothing that the index holds.
pub(super) fn match_expression(filter: &Filter) -> Option<String> {
    let facts = [
        ('a', filter.agent.as_deref()),
        ('p', filter.project.as_deref()),
        ('b', filter.branch.as_deref()),
        ('e', filter.end.map(End::word)),
        ('s', filter.surface.as_deref()),
        ('r', filter.recommended.map(recommendation_word)),
    ];
    let facts = facts
        .into_iter()
        .filter_map(|(kind, value)| Some(format!("facts : \"{}\"", token(kind, value?))));
    let words = filter.search.as_deref().and_then(quote_words);
    let words = words.map(|words| format!("words : ({words})"));
    let all: Vec<String> = words.into_iter().chain(facts).collect();
    (!all.is_empty()).then(|| all.join(" AND "))
}

/// The tokens of a record, separated by spaces: one for each property that a filter can select.
pub(super) fn tokens(record: &Record, facts: Option<&Facts>) -> String {
    let asker = &record.asker;
    let end = record
        .settlement()
        .map(|ended| history::plain_end(&ended.outcome));
    let late = history::is_late(record).then(|| End::Late.word());
    let known = [
        ('a', asker.client.as_deref()),
        ('a', asker.agent.as_deref()),
        ('p', asker.project.as_deref()),
        ('p', asker.directory.as_deref()),
        ('b', asker.branch.as_deref()),
        ('e', end.map(End::word)),
        ('e', late),
        ('s', facts.map(|facts| &*facts.surface)),
        (
            'r',
            facts.and_then(Facts::recommended).map(recommendation_word),
        ),
    ];
    let tokens = known
        .into_iter()
        .filter_map(|(kind, value)| Some(token(kind, value?)));
    tokens.collect::<Vec<_>>().join(" ")
}

/// The stored word for whether the person took the recommended choice.
fn recommendation_word(is_taken: bool) -> &'static str {
    if is_taken { "taken" } else { "not" }
}

/// The token for a property of this kind with this value. It ignores the case of the value.
fn token(kind: char, value: &str) -> String {
    let digest = Sha256::digest(value.to_lowercase());
    format!("{TOKEN_PREFIX}{kind}{}", hex(&digest[..8]))
}

/// The words of a record that are indexed: questions, choices, answers, notes and who asked.
pub(super) fn indexed_words(record: &Record) -> String {
    let mut words = vec![record.ask.headline().to_owned()];
    for question in &record.ask.questions {
        words.push(question.text.clone());
        words.extend(question.label.clone());
        let choices = question.input.choices().iter();
        words.extend(choices.map(|choice| choice.label.clone()));
    }
    if let Some(settlement) = record.settlement() {
        words.extend(texts_of_person(&settlement.outcome));
    }
    let asker = &record.asker;
    for name in [&asker.client, &asker.agent, &asker.project, &asker.branch] {
        words.extend(name.clone());
    }
    split_words(&words.join("\n").replace(TOKEN_PREFIX, " "))
}

/// The texts that the person wrote.
fn texts_of_person(outcome: &ask_core::Outcome) -> Vec<String> {
    use ask_core::Outcome;
    match outcome {
        Outcome::Answered(answered) => answered
            .answers()
            .iter()
            .flat_map(|answer| answer.own.iter().chain(&answer.note).cloned())
            .chain(answered.note().map(str::to_owned))
            .collect(),
        Outcome::Declined { reason } => reason.iter().cloned().collect(),
        Outcome::Clarify { words } => vec![words.clone()],
        Outcome::Expired | Outcome::Withdrawn => Vec::new(),
    }
}

/// Quotes each word of a search, so that FTS5 takes none for an operator. The last word also
/// matches longer words that begin with it, unless it is a single character, with which too many
/// words begin.
fn quote_words(search: &str) -> Option<String> {
    let search = search.replace(TOKEN_PREFIX, " ");
    let words: Vec<String> = search
        .split_whitespace()
        .map(|word| format!("\"{}\"", split_words(word).replace('"', "\"\"")))
        .collect();
    let is_prefix = search.split_whitespace().last()?.chars().count() > 1;
    let suffix = if is_prefix { "*" } else { "" };
    Some(format!("{}{suffix}", words.join(" ")))
}

/// Puts spaces around each character of scripts that have no spaces between words. FTS5 then
/// indexes single characters, and a search for several of them is a phrase, which matches any part
/// of a sentence.
fn split_words(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        if is_unspaced(character) {
            out.extend([' ', character, ' ']);
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether a character belongs to Han, kana, Thai, Lao or Khmer.
fn is_unspaced(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0E00..=0x0EFF | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3040..=0x30FF
            | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
    )
}
