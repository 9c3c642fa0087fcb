//! The people of a campaign: two observers, one over the hub's socket and one with `ask-user
//! watch`, and several who answer what was seen, each through an interface of their own.

use std::rc::Rc;
use std::time::Duration;

use ask_protocol::ipc::{Request, Response};
use ask_protocol::native;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::answers;
use crate::hub::Line;
use crate::model::{World, pause};
use crate::process::Role;
use crate::rng::Chance;

/// Observes asks over the hub's socket. Now and then it subscribes twice, lists although it is
/// subscribed, or doesn't read its changes.
pub(crate) async fn look_on(world: Rc<World>, mut chance: Chance) {
    while !world.closed.get() {
        let Some(mut line) = Line::open(&world.place).await else {
            pause(Duration::from_millis(10)).await;
            continue;
        };
        // A broken connection ends this observation; the loop begins the next one.
        let _ = look(&world, &mut line, &mut chance).await;
    }
}

async fn look(world: &World, line: &mut Line, chance: &mut Chance) -> Option<()> {
    subscribe(world, line, chance).await?;
    while !world.closed.get() {
        match line.change(Duration::from_millis(500)).await {
            Some(record) => world.board.see(world, &record, chance),
            // Either the connection is broken or nothing happened; this request shows which.
            None => drop(line.call(&Request::Status).await?),
        }
        let fault = |kind| world.ledger.borrow_mut().fault(kind);
        match chance.below(20) {
            0 => {
                fault("subscribed twice");
                subscribe(world, line, chance).await?;
            }
            1 => {
                fault("listed though all is pushed");
                line.call(&Request::Waiting { first: None }).await?;
            }
            2 => {
                fault("changes not read for a while");
                pause(Duration::from_millis(800)).await;
            }
            3 => {
                fault("surfaces that went without a word");
                return None;
            }
            _ => {}
        }
    }
    Some(())
}

async fn subscribe(world: &World, line: &mut Line, chance: &mut Chance) -> Option<()> {
    let subscribe = Request::Subscribe {
        after: None,
        only_looks: false,
        sender: None,
    };
    if let Response::Records { records, .. } = line.call(&subscribe).await? {
        for record in &records {
            world.board.see(world, record, chance);
        }
    }
    Some(())
}

/// Observes asks with `ask-user watch --json`, started again whenever it was killed.
pub(crate) async fn watch(world: Rc<World>, mut chance: Chance) {
    while !world.closed.get() {
        let Ok(mut child) = world.place.command(&["watch", "--json"]).spawn() else {
            return;
        };
        let number = world.processes.number();
        let process = world.processes.adopt(&child, number, None, Role::Surface);
        let Some(out) = child.stdout.take() else {
            return;
        };
        let mut lines = BufReader::new(out).lines();
        while !world.closed.get() {
            let next = tokio::time::timeout(Duration::from_millis(500), lines.next_line()).await;
            match next {
                Ok(Ok(Some(text))) => {
                    if let Ok(record) = native::read_record(&text) {
                        world.board.see(&world, &record, &mut chance);
                    }
                }
                Ok(_) => break,
                Err(_) => {}
            }
        }
        if world.closed.get() {
            process.kill();
        }
        world.processes.ended(&process, &mut child).await;
    }
}

/// Answers the tasks of the board until the end of the campaign.
pub(crate) async fn answer(world: Rc<World>, mut chance: Chance) {
    while !world.closed.get() {
        match world.board.take(world.is_over()) {
            Some(task) => {
                if !answers::give(&world, &task, &mut chance).await {
                    let after = chance.ms(20, 400);
                    world.board.put(task, after);
                }
            }
            None => pause(Duration::from_millis(15)).await,
        }
    }
}
