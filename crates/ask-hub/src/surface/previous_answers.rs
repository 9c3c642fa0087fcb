//! What surfaces reuse from the history: previous answers in the person's own words, and expired
//! asks that can still be answered.

use std::collections::HashSet;

use ask_config::clock;
use ask_core::history::End;
use ask_core::lifecycle::LIST_LATE_MS;
use ask_core::{Answer, Answered, AskId, Record};
use ask_protocol::ipc::{Filter, Request};

use crate::client::{AskListing, Client};

/// How many closed asks are searched.
const MAX_SEARCHED: u64 = 300;

/// The most expired asks that are listed.
const MAX_EXPIRED: u64 = 200;

/// Asks that expired recently. Their agents may ask again and get the answer.
pub async fn expired(client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        end: Some(End::Expired),
        since_ms: Some(clock::now().0 - i64::try_from(LIST_LATE_MS).unwrap_or(i64::MAX)),
        limit: Some(MAX_EXPIRED),
        ..Filter::default()
    };
    let (mut records, _) = client.list(Request::History { filter }).await?;
    records.retain(Record::is_answerable);
    Ok(records)
}

/// All asks that a person can act on: open, undelivered and recently expired ones.
pub async fn actionable(client: &Client) -> anyhow::Result<AskListing> {
    with_expired(client, client.waiting().await?).await
}

/// Adds the recently expired asks to a listing.
pub async fn with_expired(client: &Client, mut listing: AskListing) -> anyhow::Result<AskListing> {
    let expired = expired(client).await?;
    let known: HashSet<&AskId> = listing.records.iter().map(|record| &record.id).collect();
    let expired: Vec<Record> = (expired.into_iter())
        .filter(|record| !known.contains(&record.id))
        .collect();
    listing.records.extend(expired);
    Ok(listing)
}

/// The latest closed asks.
pub async fn recent(client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        limit: Some(MAX_SEARCHED),
        ..Filter::default()
    };
    let (records, _) = client.list(Request::History { filter }).await?;
    Ok(records)
}

/// Answers in the person's own words, each once, those of this project first.
pub fn own_answers(records: &[Record], project: Option<&str>) -> Vec<String> {
    let (same_project, other_projects): (Vec<&Record>, Vec<&Record>) = records
        .iter()
        .partition(|record| record.asker.project.as_deref() == project);
    let mut found: Vec<String> = Vec::new();
    for own in same_project
        .into_iter()
        .chain(other_projects)
        .flat_map(own_words)
    {
        if !found.iter().any(|known| known == own) {
            found.push(own.to_owned());
        }
    }
    found
}

/// The person's own words in an ask's answers, and in what they typed and didn't send. What a program
/// below an agent gave is not theirs.
pub fn own_words(record: &Record) -> Vec<&str> {
    let settlement = record.settlement();
    let by_person = settlement.filter(|settlement| settlement.below_agent().is_none());
    let answered = by_person.and_then(|_| record.answered());
    // An answer of nothing but files has a generated text.
    let is_typed = |answer: &&Answer| answer.own != answer.only_files();
    let sent = answered.map(Answered::answers).unwrap_or_default();
    let typed_by_person = record.filled_in_below().is_none();
    let unsent = record.unsent().filter(|_| typed_by_person);
    let unsent = unsent.map(|saved| saved.draft.answers.as_slice());
    // Unsent words come first: they are the ones that aren't anywhere else.
    let own_answers = unsent.unwrap_or_default().iter().chain(sent);
    let own = own_answers
        .filter(is_typed)
        .filter_map(|answer| answer.own.as_deref());
    own.filter(|own| !own.trim().is_empty()).collect()
}
