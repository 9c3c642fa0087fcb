//! What surfaces take up from the history: answers in the person's own words, to be given again,
//! and asks that can still be answered though their time has passed.

use std::collections::HashSet;

use ask_config::clock;
use ask_core::history::End;
use ask_core::{Answer, AskId, Outcome, Record};
use ask_protocol::ipc::{Filter, Request};

use crate::client::{Client, Listing};
use crate::surface::grouping::LATE_MS;

/// So many closed asks are looked through.
const EARLIER: u64 = 300;

/// The most asks that are listed because their time has passed a while ago.
const LATE_MOST: u64 = 200;

/// Asks whose time has passed a while ago: their agents may ask again, and be told.
pub async fn late(client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        end: Some(End::Expired),
        since_ms: Some(clock::now().0 - i64::try_from(LATE_MS).unwrap_or(i64::MAX)),
        limit: Some(LATE_MOST),
        ..Filter::default()
    };
    let (mut records, _) = client.list(Request::History { filter }).await?;
    records.retain(Record::is_answerable);
    Ok(records)
}

/// All that a person can act on: what waits or is kept, and what the clock has closed lately.
pub async fn actable(client: &Client) -> anyhow::Result<Listing> {
    with_late(client, client.waiting().await?).await
}

/// A listing, and what the clock has closed lately.
pub async fn with_late(client: &Client, mut listing: Listing) -> anyhow::Result<Listing> {
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

/// Own words that were answers, each once, this project's first.
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

/// The own words in an ask's answers.
pub fn own_words(record: &Record) -> Vec<&str> {
    let Some(Outcome::Answered(given)) = record.settlement().map(|closed| &closed.outcome) else {
        return Vec::new();
    };
    // Of an answer that is nothing but files, the words are ours.
    let typed = |answer: &&Answer| answer.own != answer.only_files();
    let answers = given.answers().iter().filter(typed);
    let own = answers.filter_map(|answer| answer.own.as_deref());
    own.filter(|own| !own.trim().is_empty()).collect()
}
