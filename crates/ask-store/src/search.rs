//! Closed asks as a history finds them. An index of words has, beside the words of each ask, a
//! token for each thing that a filter asks for; so any combination is one question to the
//! index, which skips from match to match, and not a walk through everything.

use std::path::MAIN_SEPARATOR;

use ask_core::history::{self, End, Facts, Filter, How};
use ask_core::secret::hex;
use ask_core::stats::LocalHour;
use ask_core::{Record, Time};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use sha2::{Digest as _, Sha256};

use super::days::Days;
use super::rows;

/// How many rows of asks share an era, as a power of two.
const ERA: u32 = 12;

/// Tokens begin with a character that nobody types, so that no search for words meets one.
const TOKEN: char = '\u{E000}';

/// Lets a history find and count a closed ask, or as it is by now.
pub(crate) fn keep(
    db: &Connection,
    days: &mut Days<'_>,
    row: i64,
    record: &Record,
) -> rusqlite::Result<()> {
    let Some(facts) = Facts::from_record(record) else {
        return Ok(());
    };
    days.remove(row)?;
    let asked = days.add(&facts)?;
    db.prepare_cached("INSERT OR REPLACE INTO found (rowid, words, facts) VALUES (?1, ?2, ?3)")?
        .execute(params![row, words(record), tokens(record, Some(&facts))])?;
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
    .execute(params![row >> ERA, facts.asked_at.0])?;
    Ok(())
}

/// Whether a filter needs the index to be up to date.
pub fn needs_index(filter: &Filter) -> bool {
    expression(filter).is_some() || filter.since_ms.is_some() || filter.until_ms.is_some()
}

/// A page of records, the newest first, with their rows.
pub fn page(db: &Connection, filter: &Filter, limit: u64) -> rusqlite::Result<Vec<(Record, u64)>> {
    let tables = "ask LEFT JOIN desk ON desk.row = ask.row";
    let columns = format!("ask.row, {}", rows::COLUMNS);
    select(db, filter, limit, ("ask", tables), &columns, |row| {
        Ok((rows::record_at(row, 1)?, row.get(0)?))
    })
}

/// A page of ids with their rows, the newest first, of asks that may be forgotten without any
/// agent missing its answer; and whether they are so.
pub fn ids(
    db: &Connection,
    filter: &Filter,
    limit: u64,
) -> rusqlite::Result<Vec<(ask_core::AskId, bool, u64)>> {
    let columns =
        "ask.id, ask.state IN ('expired', 'withdrawn') OR ask.delivered_at IS NOT NULL, ask.row";
    select(db, filter, limit, ("ask", "ask"), columns, |row| {
        Ok((rows::id_of(row, 0)?, row.get(1)?, row.get(2)?))
    })
}

/// Whether an agent has nothing to hear of an ask that is over.
const TOLD: &str = "(state IN ('expired', 'withdrawn') OR delivered_at IS NOT NULL)";

/// Asks of a folder and of those within that were over, and told, before a moment; those whose time
/// passed only where that was before another one, because until then they can be answered.
pub fn told_in(
    db: &Connection,
    folder: &str,
    (over, late): (Time, Time),
    limit: u64,
) -> rusqlite::Result<Vec<ask_core::AskId>> {
    let folder = folder.trim_end_matches(MAIN_SEPARATOR);
    let within = format!("{folder}{MAIN_SEPARATOR}");
    // What begins with it stands before all that begins with the next character.
    let after = format!("{folder}{}", char::from(MAIN_SEPARATOR as u8 + 1));
    let mut statement = db.prepare_cached(&told_in_sql())?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let given = (over.0, folder, within, limit, late.0, after);
    let rows = statement.query_map(given, |row| rows::id_of(row, 0))?;
    rows.collect()
}

pub(super) fn told_in_sql() -> String {
    format!(
        "SELECT id FROM ask WHERE (directory = ?2 OR directory >= ?3 AND directory < ?6)
         AND closed_at IS NOT NULL AND closed_at < iif(state = 'expired', ?5, ?1)
         AND {TOLD} AND coalesce(delivered_at, 0) < ?1 LIMIT ?4"
    )
}

/// What was asked in a period waits or was over after its beginning, so that an index finds it.
pub(super) const ASKED_BETWEEN: &str = "SELECT EXISTS (
       SELECT 1 FROM ask WHERE closed_at >= ?1 AND asked_at >= ?1 AND asked_at < ?2)
  OR EXISTS (SELECT 1 FROM ask WHERE state = 'waiting' AND asked_at >= ?1 AND asked_at < ?2)";

/// Whether anything was asked in a period, its end not counted.
pub fn asked_between(db: &Connection, (from, to): (Time, Time)) -> rusqlite::Result<bool> {
    db.prepare_cached(ASKED_BETWEEN)?
        .query_row([from.0, to.0], |row| row.get(0))
}

/// Asks that retention may remove: those that ended before a moment, the oldest first, and whether
/// their agents have been told. Those that have not only where they ended before another one.
pub fn removable_by_age(
    db: &Connection,
    ended: Time,
    given_up: Time,
    limit: u64,
) -> rusqlite::Result<Vec<(ask_core::AskId, bool)>> {
    let mut statement = db.prepare_cached(&removable_by_age_sql())?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map([ended.0, given_up.0, limit], |row| {
        Ok((rows::id_of(row, 0)?, row.get(1)?))
    })?;
    rows.collect()
}

pub(super) fn removable_by_age_sql() -> String {
    format!(
        "SELECT id, {TOLD} FROM ask WHERE closed_at < ?1 AND ({TOLD} OR closed_at < ?2)
         ORDER BY closed_at LIMIT ?3"
    )
}

const FACTS: &str = "past.asked_at, past.took_ms, past.end, past.agent, past.project, past.surface,
     past.offered, past.recommending, past.recommended, past.another, past.own, past.noted";

/// A page of facts with their rows, the newest first, and the hours in which they were counted.
pub fn facts(
    db: &Connection,
    filter: &Filter,
    limit: u64,
) -> rusqlite::Result<Vec<(Facts, LocalHour, u64)>> {
    let columns = format!("{FACTS}, past.local_hour, past.row");
    select(db, filter, limit, ("past", "past"), &columns, |row| {
        Ok((facts_of(row)?, LocalHour(row.get(12)?), row.get(13)?))
    })
}

/// The facts of a row and the hour in which they were counted, if they were.
pub(crate) fn counted(db: &Connection, row: i64) -> rusqlite::Result<Option<(Facts, LocalHour)>> {
    let sql = format!("SELECT {FACTS}, past.local_hour FROM past WHERE row = ?1");
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_row([row], |row| Ok((facts_of(row)?, LocalHour(row.get(12)?))));
    found.optional()
}

/// Looks at the facts of each row.
pub(crate) fn for_each_counted(
    db: &Connection,
    mut look: impl FnMut(i64, &Facts) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare(&format!("SELECT {FACTS}, past.row FROM past"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        look(row.get(12)?, &facts_of(row)?)?;
    }
    Ok(())
}

/// The longest that one was open which ended since a moment and was asked in a filter's period.
pub fn longest(db: &Connection, filter: &Filter, since: Time) -> rusqlite::Result<Option<u64>> {
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

fn facts_of(row: &Row<'_>) -> rusqlite::Result<Facts> {
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

/// `(table, tables)`: the one that stands for the asks, and all that are read, it first.
fn select<T>(
    db: &Connection,
    filter: &Filter,
    limit: u64,
    (table, tables): (&str, &str),
    columns: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let expression = expression(filter);
    let mut which = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    // The index goes first and in its own order, or every match would be read and sorted.
    let (order, tables) = match &expression {
        Some(_) => {
            let join = format!("found CROSS JOIN {tables}");
            which.push(format!("{table}.row = found.rowid"));
            ("found.rowid".to_owned(), join)
        }
        None => (format!("{table}.row"), tables.to_owned()),
    };
    if let Some(expression) = expression {
        which.push("found MATCH ?".to_owned());
        values.push(expression.into());
    }
    if table == "ask" && !filter.open {
        which.push("ask.state <> 'waiting'".to_owned());
    }
    if filter.undelivered {
        // Written out as its index is: what is undelivered is little, and found without the rest.
        which.push(format!(
            "{table}.row IN (SELECT row FROM ask
             WHERE state IN ('answered', 'declined', 'clarify') AND delivered_at IS NULL)"
        ));
    }
    if let Some(before) = filter.before.filter(|before| *before > 0) {
        which.push(format!("{order} < ?"));
        values.push(i64::try_from(before).unwrap_or(i64::MAX).into());
    }
    for (moment, compares) in [(filter.since_ms, ">="), (filter.until_ms, "<")] {
        let Some(moment) = moment else { continue };
        which.push(format!("{table}.asked_at {compares} ?"));
        values.push(moment.into());
    }
    if !filter.open && (filter.since_ms.is_some() || filter.until_ms.is_some()) {
        let (first, last) = span(db, filter)?;
        which.push(format!("{order} >= ? AND {order} <= ?"));
        values.extend([first.into(), last.into()]);
    }
    if which.is_empty() {
        which.push("1".to_owned());
    }
    values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
    let which = which.join(" AND ");
    let sql = format!("SELECT {columns} FROM {tables} WHERE {which} ORDER BY {order} DESC LIMIT ?");
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_map(params_from_iter(values), read)?;
    found.collect()
}

/// The rows among which all asks of the filter's period are.
fn span(db: &Connection, filter: &Filter) -> rusqlite::Result<(i64, i64)> {
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
        (Some(first), Some(last)) => (first << ERA, ((last + 1) << ERA) - 1),
        _ => (1, 0),
    })
}

/// What the index is asked; `None` where nothing but a period narrows the history down.
pub(super) fn expression(filter: &Filter) -> Option<String> {
    let facts = [
        ('a', filter.agent.as_deref()),
        ('p', filter.project.as_deref()),
        ('b', filter.branch.as_deref()),
        ('e', filter.end.map(End::word)),
        ('s', filter.surface.as_deref()),
        ('r', filter.recommended.map(taken)),
    ];
    let facts = facts
        .into_iter()
        .filter_map(|(kind, value)| Some(format!("facts : \"{}\"", token(kind, value?))));
    let words = filter.search.as_deref().and_then(quoted);
    let words = words.map(|words| format!("words : ({words})"));
    let all: Vec<String> = words.into_iter().chain(facts).collect();
    (!all.is_empty()).then(|| all.join(" AND "))
}

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
        ('r', facts.and_then(Facts::recommended).map(taken)),
    ];
    let tokens = known
        .into_iter()
        .filter_map(|(kind, value)| Some(token(kind, value?)));
    tokens.collect::<Vec<_>>().join(" ")
}

fn taken(taken: bool) -> &'static str {
    if taken { "taken" } else { "not" }
}

/// The token that says that something of a kind is of this name, in whatever case.
fn token(kind: char, name: &str) -> String {
    let digest = Sha256::digest(name.to_lowercase());
    format!("{TOKEN}{kind}{}", hex(&digest[..8]))
}

/// The words of a record, as the index has them: questions, choices, answers, notes, who asked.
pub(super) fn words(record: &Record) -> String {
    let mut words = vec![record.ask.headline().to_owned()];
    for question in &record.ask.questions {
        words.push(question.text.clone());
        words.extend(question.label.clone());
        let choices = question.input.choices().iter();
        words.extend(choices.map(|choice| choice.label.clone()));
    }
    if let Some(settlement) = record.settlement() {
        words.extend(said(&settlement.outcome));
    }
    let asker = &record.asker;
    for name in [&asker.client, &asker.agent, &asker.project, &asker.branch] {
        words.extend(name.clone());
    }
    split_words(&words.join("\n").replace(TOKEN, " "))
}

fn said(outcome: &ask_core::Outcome) -> Vec<String> {
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

/// Words of a search as a phrase each, so that none is taken for an operator. The last may be
/// unfinished, unless it is so short that half of everything begins with it.
fn quoted(search: &str) -> Option<String> {
    let search = search.replace(TOKEN, " ");
    let words: Vec<String> = search
        .split_whitespace()
        .map(|word| format!("\"{}\"", split_words(word).replace('"', "\"\"")))
        .collect();
    let unfinished = search.split_whitespace().last()?.chars().count() > 1;
    let mark = if unfinished { "*" } else { "" };
    Some(format!("{}{mark}", words.join(" ")))
}

/// Scripts that put no spaces between words are taken apart, so that a search finds any part of a
/// sentence: a run of characters is then a phrase.
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

/// Han, kana, Thai, Lao and Khmer.
fn is_unspaced(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0E00..=0x0EFF | 0x1780..=0x17FF | 0x3005..=0x3007 | 0x3040..=0x30FF
            | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
    )
}
