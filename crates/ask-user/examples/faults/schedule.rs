//! The faults from outside, on a seeded schedule: to the hub one at a time, and to any agent or
//! surface.

use std::rc::Rc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::Instant;

use crate::model::{Campaign, pause};
use crate::process::{Role, send};
use crate::rng::Rng;

/// The faults of the hub. Each is over before the next one begins, so that a recovery time belongs
/// to a kill alone.
pub(crate) async fn hubs(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.is_over() {
        pause(rng.ms(300, 2_600)).await;
        let Some(hub) = campaign.hub.get() else {
            continue;
        };
        match rng.below(100) {
            0..65 => kill(&campaign, hub).await,
            65..80 => {
                count(&campaign, "hubs frozen");
                send(hub, Signal::STOP);
                pause(rng.ms(30, 1_500)).await;
                send(hub, Signal::CONT);
            }
            80..85 => {
                count(&campaign, "hubs ended");
                campaign.log.borrow_mut().record_hub_end(false);
                send(hub, Signal::TERM);
            }
            _ => fill(&campaign, hub, &mut rng).await,
        }
    }
    if let Some(hub) = campaign.hub.get() {
        send(hub, Signal::CONT);
    }
}

async fn kill(campaign: &Campaign, hub: u32) {
    campaign.hub_killed.set(Some((hub, Instant::now())));
    campaign.log.borrow_mut().record_hub_end(true);
    send(hub, Signal::KILL);
    count(campaign, "hubs killed");
    // The probe notices when the next hub answers.
    while campaign.hub_killed.get().is_some() && !campaign.closed.get() {
        pause(Duration::from_millis(5)).await;
    }
}

/// Without room no hub can be started either, so a kill then isn't measured as a recovery.
async fn fill(campaign: &Campaign, hub: u32, rng: &mut Rng) {
    if !campaign.dirs.disk.fill(hub) {
        return;
    }
    count(campaign, "disks filled");
    campaign
        .log
        .borrow_mut()
        .callers
        .record_full_disk(Instant::now());
    pause(rng.ms(50, 900)).await;
    let dies = rng.percent(30) && campaign.hub.get() == Some(hub);
    if dies {
        campaign.log.borrow_mut().record_hub_end(true);
        send(hub, Signal::KILL);
        count(campaign, "hubs killed on a full disk");
        pause(rng.ms(0, 200)).await;
    }
    campaign.dirs.disk.empty(hub);
    let another = || campaign.hub.get().is_some_and(|now| now != hub);
    while dies && !another() && !campaign.closed.get() {
        pause(Duration::from_millis(5)).await;
    }
}

/// The faults of agents and surfaces, whatever they are doing.
pub(crate) async fn processes(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.is_over() {
        pause(rng.ms(50, 700)).await;
        let Some(process) = campaign.processes.any(&mut rng) else {
            continue;
        };
        let kills = rng.percent(40);
        if kills {
            let mut log = campaign.log.borrow_mut();
            log.callers.begin_to_leave(process.number, Instant::now());
        }
        if kills && process.kill() {
            count(
                &campaign,
                match process.role {
                    Role::Agent => "agents killed",
                    Role::Surface => "surfaces killed",
                },
            );
        } else if !kills && process.signal(Signal::STOP) {
            count(
                &campaign,
                match process.role {
                    Role::Agent => "agents frozen",
                    Role::Surface => "surfaces frozen",
                },
            );
            let length = rng.ms(10, 1_500);
            tokio::task::spawn_local(async move {
                pause(length).await;
                process.resume();
            });
        }
    }
    campaign.processes.resume_all();
}

fn count(campaign: &Campaign, kind: &'static str) {
    campaign.log.borrow_mut().fault(kind);
}
