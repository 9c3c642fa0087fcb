//! Agents that are shell scripts: `ask-user ask`, and after a kill `ask-user wait`.

use std::process::Stdio;
use std::rc::Rc;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::time::Instant;

use crate::chance::Chance;
use crate::ledger::{How, Receipt};
use crate::process::{Process, Role, kill_within};
use crate::words;
use crate::world::{World, pause};

/// Asks until the time of faults is over.
pub async fn ask(world: Rc<World>, mut chance: Chance) {
    while !world.is_over() {
        let tag = world.ledger.borrow_mut().new_ask();
        let question = words::question(tag);
        let dies = chance.percent(35).then(|| chance.ms(0, 1_200));
        run(&world, &["ask", &question], dies, How::Told).await;
        let id = world
            .ledger
            .borrow()
            .ids
            .get(&tag)
            .and_then(|ids| ids.last().cloned());
        if dies.is_some()
            && chance.percent(70)
            && let Some(id) = id
        {
            world.ledger.borrow_mut().count("waited again");
            run(&world, &["wait", &id], None, How::Read).await;
        }
        pause(chance.ms(0, 400)).await;
    }
}

/// Runs a command whose output is an answer.
pub async fn run(world: &World, arguments: &[&str], dies: Option<std::time::Duration>, how: How) {
    let mut command = world.place.command(arguments);
    let Ok(mut child) = command.stderr(Stdio::piped()).spawn() else {
        return;
    };
    let process = world.processes.adopt(&child, Role::Agent);
    let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
        return;
    };
    // Reasons and counter-questions come over the second stream.
    let reading = async {
        tokio::join!(
            hear(world, &process, out, how),
            hear(world, &process, err, how)
        );
    };
    if kill_within(reading, &process, dies).await {
        world.ledger.borrow_mut().fault("agents killed");
    }
    world.processes.ended(&process, &mut child).await;
    if let Some(at) = process.killed_at() {
        world.ledger.borrow_mut().killed.insert(process.number, at);
    }
}

async fn hear(world: &World, process: &Process, stream: impl AsyncRead + Unpin, how: How) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        note(world, process, &line, how);
    }
}

fn note(world: &World, process: &Process, said: &str, how: How) {
    let how = if process.killed_at().is_some() {
        How::Unread
    } else {
        how
    };
    for (nonce, whole) in words::nonces_in(said) {
        let receipt = Receipt {
            process: process.number,
            over_http: false,
            resumed: false,
            reset_at: None,
            how,
            at: Instant::now(),
            whole,
            reply_to: None,
        };
        world.ledger.borrow_mut().received(nonce, receipt);
    }
}
