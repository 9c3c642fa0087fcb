//! The faults from outside, on a seeded schedule: to the hub one at a time, and to any agent or
//! surface.

use std::rc::Rc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::Instant;

use crate::model::{World, pause};
use crate::process::{Role, send};
use crate::rng::Chance;

/// The faults of the hub. Each is over before the next one begins, so that a recovery time belongs
/// to a kill alone.
pub(crate) async fn hubs(world: Rc<World>, mut chance: Chance) {
    while !world.is_over() {
        pause(chance.ms(300, 2_600)).await;
        let Some(hub) = world.hub.get() else { continue };
        match chance.below(100) {
            0..65 => kill(&world, hub).await,
            65..80 => {
                count(&world, "hubs frozen");
                send(hub, Signal::STOP);
                pause(chance.ms(30, 1_500)).await;
                send(hub, Signal::CONT);
            }
            80..85 => {
                count(&world, "hubs ended");
                world.ledger.borrow_mut().hub_goes(false);
                send(hub, Signal::TERM);
            }
            _ => fill(&world, hub, &mut chance).await,
        }
    }
    if let Some(hub) = world.hub.get() {
        send(hub, Signal::CONT);
    }
}

async fn kill(world: &World, hub: u32) {
    world.hub_killed.set(Some((hub, Instant::now())));
    world.ledger.borrow_mut().hub_goes(true);
    send(hub, Signal::KILL);
    count(world, "hubs killed");
    // The probe notices when the next hub answers.
    while world.hub_killed.get().is_some() && !world.closed.get() {
        pause(Duration::from_millis(5)).await;
    }
}

/// Without room no hub can be started either, so a kill then isn't measured as a recovery.
async fn fill(world: &World, hub: u32, chance: &mut Chance) {
    if !world.place.disk.fill(hub) {
        return;
    }
    count(world, "disks filled");
    world
        .ledger
        .borrow_mut()
        .callers
        .disk_is_full(Instant::now());
    pause(chance.ms(50, 900)).await;
    let dies = chance.percent(30) && world.hub.get() == Some(hub);
    if dies {
        world.ledger.borrow_mut().hub_goes(true);
        send(hub, Signal::KILL);
        count(world, "hubs killed on a full disk");
        pause(chance.ms(0, 200)).await;
    }
    world.place.disk.empty(hub);
    let another = || world.hub.get().is_some_and(|now| now != hub);
    while dies && !another() && !world.closed.get() {
        pause(Duration::from_millis(5)).await;
    }
}

/// The faults of agents and surfaces, whatever they are doing.
pub(crate) async fn processes(world: Rc<World>, mut chance: Chance) {
    while !world.is_over() {
        pause(chance.ms(50, 700)).await;
        let Some(process) = world.processes.any(&mut chance) else {
            continue;
        };
        let kills = chance.percent(40);
        if kills {
            let mut ledger = world.ledger.borrow_mut();
            ledger.callers.leaves(process.number, Instant::now());
        }
        if kills && process.kill() {
            count(
                &world,
                match process.role {
                    Role::Agent => "agents killed",
                    Role::Surface => "surfaces killed",
                },
            );
        } else if !kills && process.signal(Signal::STOP) {
            count(
                &world,
                match process.role {
                    Role::Agent => "agents frozen",
                    Role::Surface => "surfaces frozen",
                },
            );
            let length = chance.ms(10, 1_500);
            tokio::task::spawn_local(async move {
                pause(length).await;
                process.resume();
            });
        }
    }
    world.processes.thaw();
}

fn count(world: &World, kind: &'static str) {
    world.ledger.borrow_mut().fault(kind);
}
