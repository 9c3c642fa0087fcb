//! Agents over MCP: they ask in every dialect and era, wait or leave early with or
//! without a word, go in every way an agent can go, and often come back with the
//! same ask in another session. A third of them speaks HTTP to the hub.

use std::rc::Rc;
use std::time::Duration;

use ask_core::Json;
use tokio::time::Instant;

use crate::chance::Chance;
use crate::hearing::Asked;
use crate::ledger::{How, Verdict};
use crate::session::Session;
use crate::words::{WORDINGS, Wording};
use crate::world::World;

/// People take seconds at most, and a lost hub less.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks that were left behind, to be asked again.
type Left = Vec<(Wording, u64)>;

/// Asks until the time of faults is over. Two of them share each name, as two
/// sessions of one client in one directory do.
pub async fn ask(world: Rc<World>, number: u64, mut chance: Chance) {
    let mut left = Left::new();
    while !world.is_over() {
        let wording = match left.last() {
            Some((wording, _)) if chance.percent(80) => *wording,
            _ => chance.one(&WORDINGS),
        };
        let (client, modern) = (format!("agent-{}", number / 2), chance.percent(50));
        let opened = if number % 3 == 2 {
            Session::http(&world, wording.dialect, client, modern, &mut chance).await
        } else {
            Session::piped(&world, wording.dialect, client, modern).await
        };
        let Some(mut session) = opened else { continue };
        for _ in 0..=chance.below(7) {
            if world.is_over() || session.is_over() {
                break;
            }
            step(&world, &mut session, wording, &mut left, &mut chance).await;
        }
        session.leave(&mut chance).await;
    }
}

async fn step(
    world: &World,
    session: &mut Session,
    wording: Wording,
    left: &mut Left,
    chance: &mut Chance,
) {
    match chance.below(100) {
        0..50 => several(world, session, wording, left, chance, 1).await,
        50..66 => {
            let count = 2 + chance.below(3);
            several(world, session, wording, left, chance, count).await;
        }
        66..92 => early(world, session, wording, left, chance).await,
        _ => fetch(world, session, wording, chance).await,
    }
}

/// Asks at once and waits for every reply.
async fn several(
    world: &World,
    session: &mut Session,
    wording: Wording,
    left: &mut Left,
    chance: &mut Chance,
    count: u64,
) {
    let mut calls = Vec::new();
    for _ in 0..count {
        calls.push(call(world, session, wording, left, chance).await);
    }
    let until = Instant::now() + PATIENCE;
    for (tag, asked) in calls {
        let id = asked.id;
        match tokio::time::timeout_at(until, asked.reply).await {
            Ok(Ok(reply)) if was_asked(&reply) => {}
            Ok(_) => keep(left, wording, tag, chance),
            Err(_) => {
                look_into(world, session, tag);
                session.cancel(id).await;
                keep(left, wording, tag, chance);
            }
        }
    }
}

/// Asks and goes on before anybody has answered, as a client with a time limit does.
async fn early(
    world: &World,
    session: &mut Session,
    wording: Wording,
    left: &mut Left,
    chance: &mut Chance,
) {
    let (tag, asked) = call(world, session, wording, left, chance).await;
    let id = asked.id;
    let limit = chance.ms(0, 900);
    if let Ok(Ok(reply)) = tokio::time::timeout(limit, asked.reply).await
        && was_asked(&reply)
    {
        return;
    }
    if chance.percent(60) {
        session.cancel(id).await;
        world.ledger.borrow_mut().fault("calls cancelled");
    } else {
        session.give_up(id);
        world.ledger.borrow_mut().fault("calls left without a word");
    }
    keep(left, wording, tag, chance);
}

async fn call(
    world: &World,
    session: &mut Session,
    wording: Wording,
    left: &mut Left,
    chance: &mut Chance,
) -> (u64, Asked) {
    let again = left.iter().rposition(|(known, _)| *known == wording);
    let tag = match again {
        Some(at) if chance.percent(85) => {
            world.ledger.borrow_mut().count("asked again");
            left.swap_remove(at).1
        }
        _ => world.ledger.borrow_mut().new_ask(),
    };
    // Every eleventh ask has a time limit of its own, each time it is asked.
    let limit = (tag % 11 == 0).then_some(200 + tag % 1_500);
    let arguments = wording.call(tag, limit);
    let asked = session
        .call(wording.asks, &arguments, Some(tag), How::Told)
        .await;
    (tag, asked)
}

fn keep(left: &mut Left, wording: Wording, tag: u64, chance: &mut Chance) {
    if chance.percent(75) {
        left.push((wording, tag));
    }
}

/// Whether the reply is to an ask that came before a person, or to none at all.
fn was_asked(reply: &Json) -> bool {
    let text = reply["result"]["content"][0]["text"].as_str();
    reply.get("error").is_none() && !text.unwrap_or_default().contains("could not be asked")
}

/// A call that had no reply for so long: was there an answer for it?
fn look_into(world: &World, session: &Session, tag: u64) {
    if session.is_over() {
        return;
    }
    let mut ledger = world.ledger.borrow_mut();
    let forgotten: Vec<String> = ledger
        .attempts
        .iter()
        .filter(|(nonce, attempt)| {
            attempt.tag == tag
                && attempt.verdict == Verdict::Won
                && !ledger.receipts.contains_key(nonce)
        })
        .map(|(nonce, attempt)| format!("ask {tag} ({}), answer {nonce}", attempt.ask))
        .collect();
    if !forgotten.is_empty() {
        let number = session.number();
        let said = format!("agent {number} waits in vain for {}", forgotten.join(", "));
        ledger.stuck.push(said);
    }
}

/// Fetches: everything that was not told yet, or one ask by its id.
async fn fetch(world: &World, session: &mut Session, wording: Wording, chance: &mut Chance) {
    let Some((tool, key)) = wording.fetches else {
        return;
    };
    let (arguments, how) = if wording.fetches_all && chance.percent(60) {
        ("{}".to_owned(), How::Told)
    } else {
        let ledger = world.ledger.borrow();
        let recent: Vec<&String> = ledger.ids.values().rev().take(12).flatten().collect();
        if recent.is_empty() {
            return;
        }
        let at = chance.below(recent.len() as u64);
        let id = recent[usize::try_from(at).unwrap_or(0)];
        (format!(r#"{{"{key}":"{id}"}}"#), How::Read)
    };
    world.ledger.borrow_mut().count("fetched");
    let asked = session.call(tool, &arguments, None, how).await;
    // What it says is noted by whoever reads the stream.
    let _ = tokio::time::timeout(PATIENCE, asked.reply).await;
}
