//! What surfaces reuse from the history: previous answers in the person's own words, and expired
//! asks that can still be answered.

use std::collections::HashSet;

use ask_config::clock;
use ask_core::history::End;
use ask_core::lifecycle::LIST_LATE_MS;
use ask_core::{Answer, AskId, Outcome, Record};
use ask_protocol::ipc::{Filter, Request};

use crate::client::{AskListing, Client};

/// How many closed asks are searched.
const EARLIER: u64 = 300;

/// The most expired asks that are listed.
const LATE_MOST: u64 = 200;

/// Asks that expired lately: their agents may ask again and get the answer.
pub async fn late(client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        end: Some(End::Expired),
        since_ms: Some(clock::now().0 - i64::try_from(LIST_LATE_MS).unwrap_or(i64::MAX)),
        limit: Some(LATE_MOST),
        ..Filter::default()
    };
    let (mut records, _) = client.list(Request::History { filter }).await?;
    records.retain(Record::is_answerable);
    Ok(records)
}

/// Everything that a person can act on: open and undelivered asks, and those that expired lately.
pub async fn actable(client: &Client) -> anyhow::Result<AskListing> {
    with_late(client, client.waiting().await?).await
}

/// Adds the asks that expired lately to a listing.
pub async fn with_late(client: &Client, mut listing: AskListing) -> anyhow::Result<AskListing> {
    let late = late(client).await?;
    let known: HashSet<&AskId> = listing.records.iter().map(|record| &record.id).collect();
    let late: Vec<Record> = (late.into_iter())
        .filter(|record| !known.contains(&record.id))
        .collect();
    listing.records.extend(late);
    Ok(listing)
}

/// The latest closed asks.
pub async fn records(client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        limit: Some(EARLIER),
        ..Filter::default()
    };
    let (records, _) = client.list(Request::History { filter }).await?;
    Ok(records)
}

/// Answers in the person's own words, each once, those of this project first.
pub fn answers(records: &[Record], project: Option<&str>) -> Vec<String> {
    let (here, elsewhere): (Vec<&Record>, Vec<&Record>) = records
        .iter()
        .partition(|record| record.asker.project.as_deref() == project);
    let mut found: Vec<String> = Vec::new();
    for own in here.into_iter().chain(elsewhere).flat_map(own_words) {
        if !found.iter().any(|known| known == own) {
            found.push(own.to_owned());
        }
    }
    found
}

/// The person's own words in an ask's answers.
pub fn own_words(record: &Record) -> Vec<&str> {
    let Some(Outcome::Answered(given)) = record.settlement().map(|closed| &closed.outcome) else {
        return Vec::new();
    };
    // An answer of nothing but files has a generated text.
    let typed = |answer: &&Answer| answer.own != answer.only_files();
    let answers = given.answers().iter().filter(typed);
    let own = answers.filter_map(|answer| answer.own.as_deref());
    own.filter(|own| !own.trim().is_empty()).collect()
}
