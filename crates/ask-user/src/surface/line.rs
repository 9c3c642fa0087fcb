//! The line mode: the same asks as plain text, one prompt at a time, nothing
//! ever rewritten. For screen readers, pipes and terminals that can do no more.
//! `talk` is the pure conversation; this file reads, prints and asks the hub.

mod say;
mod talk;

use std::io::{BufRead, Write};

use anyhow::Context as _;
use ask_core::{AskId, Record};
use jiff::tz::TimeZone;
use tokio::sync::mpsc;

use self::talk::{Effect, Heard, Step, Talk};
use super::{Closing, Ended, Mode};
use crate::clock;
use crate::hub::client::{Client, Settled};

/// The name this surface signs with.
const SURFACE: &str = "plain";

/// Talks until the person leaves, the one ask is closed or the input ends.
pub async fn run(
    client: Client,
    mode: Mode,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> anyhow::Result<Ended> {
    let mut bell = client.bell();
    bell.mark_unchanged();
    let wanted = match &mode {
        Mode::One(id) => Some(id.clone()),
        Mode::Inbox | Mode::Next => None,
    };
    let (records, mut cursor) = listing(&client, wanted.as_ref()).await?;
    let (mut talk, step) = Talk::begin(mode, TimeZone::system(), records, clock::now());
    let mut ended = carry_out(&client, &mut talk, step, &mut output).await?;
    let mut lines = read_lines(input);
    while ended.is_none() {
        let heard = tokio::select! {
            line = lines.recv() => line.map_or(Heard::End, Heard::Line),
            changed = bell.changed() => {
                changed.context("the hub's client ended")?;
                bell.mark_unchanged();
                let changes = client.changes(cursor).await?;
                cursor = changes.cursor;
                if changes.reset {
                    let (records, next) = listing(&client, talk.open_id()).await?;
                    cursor = next;
                    Heard::Records(records)
                } else {
                    Heard::Changed { records: changes.records, gone: changes.gone }
                }
            }
        };
        let step = talk.step(heard, clock::now());
        ended = carry_out(&client, &mut talk, step, &mut output).await?;
    }
    ended.context("the talk ended without a word")
}

/// The list, and the one ask that matters whether it is listed or not.
async fn listing(client: &Client, wanted: Option<&AskId>) -> anyhow::Result<(Vec<Record>, u64)> {
    let mut listing = client.waiting().await?;
    if let Some(id) = wanted
        && listing.records.iter().all(|record| record.id != *id)
    {
        listing.records.push(client.get(id.as_str()).await?);
    }
    Ok((listing.records, listing.cursor))
}

/// Prints and does what a step wants, and what follows from that.
async fn carry_out(
    client: &Client,
    talk: &mut Talk,
    step: Step,
    output: &mut impl Write,
) -> anyhow::Result<Option<Ended>> {
    let mut steps = vec![step];
    let mut ended = None;
    while let Some(step) = steps.pop() {
        output.write_all(step.text.as_bytes())?;
        output.flush()?;
        for effect in step.effects {
            match effect {
                // A draft or a sign that fails is made again with the next line.
                Effect::SaveDraft { id, draft } => {
                    client.save_draft(&id, &draft, SURFACE).await.ok();
                }
                Effect::Shown { id } => {
                    client.shown(&id, SURFACE).await.ok();
                }
                Effect::Settle { id, verdict } => {
                    let closing = match client.settle(&id, verdict, SURFACE).await {
                        Ok(Settled::Won(record)) => Closing::Won(Box::new(record)),
                        Ok(Settled::Lost(record)) => Closing::Lost(Box::new(record)),
                        Err(error) => Closing::Failed(format!("{error:#}")),
                    };
                    steps.push(talk.step(Heard::Settled(closing), clock::now()));
                }
                Effect::End(how) => ended = Some(how),
            }
        }
    }
    Ok(ended)
}

/// Reads on a thread of its own, because a pipe can't be waited for otherwise.
fn read_lines(input: impl BufRead + Send + 'static) -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in input.lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests;
