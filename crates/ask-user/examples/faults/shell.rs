//! Agents that are shell scripts: `ask-user ask`, and `ask-user wait` after a kill.

use std::process::Stdio;
use std::rc::Rc;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::time::Instant;

use crate::callers::{self, Program};
use crate::log::{How, Receipt};
use crate::model::{World, pause};
use crate::process::{Process, Role, kill_within};
use crate::rng::Chance;
use crate::session::Who;
use crate::words;

/// Asks until the time of faults is over.
pub(crate) async fn ask(world: Rc<World>, mut chance: Chance) {
    while !world.is_over() {
        let tag = world.ledger.borrow_mut().new_ask();
        let question = words::question(tag);
        let dies = chance.percent(35).then(|| chance.ms(0, 1_200));
        run(&world, &["ask", &question], dies, How::Reply).await;
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
pub(crate) async fn run(
    world: &World,
    arguments: &[&str],
    dies: Option<std::time::Duration>,
    how: How,
) {
    let number = world.processes.number();
    let who = Who {
        client: callers::SHELL.to_owned(),
        name: None,
        modern: false,
    };
    let caller = who.caller(world, Program::Campaign);
    world.ledger.borrow_mut().callers.begin(number, caller);
    let mut command = world.place.command(arguments);
    command.env("ASK_USER_PROJECT", callers::project(number));
    let Ok(mut child) = command.stderr(Stdio::piped()).spawn() else {
        return;
    };
    let process = world.processes.adopt(&child, number, None, Role::Agent);
    let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
        return;
    };
    let by_id = arguments.first() == Some(&"wait");
    // Reasons and questions to the agent come on standard error.
    let reading = async {
        tokio::join!(
            hear(world, &process, out, how, by_id),
            hear(world, &process, err, how, by_id)
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

async fn hear(
    world: &World,
    process: &Process,
    stream: impl AsyncRead + Unpin,
    how: How,
    by_id: bool,
) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        note(world, process, &line, how, by_id);
    }
}

fn note(world: &World, process: &Process, said: &str, how: How, by_id: bool) {
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
            called: None,
            by_id,
        };
        world.ledger.borrow_mut().received(nonce, receipt);
    }
}
