//! The probe: it requests the hub's status without a break, so that the moment at which a new hub
//! answers is known to a few milliseconds.

use std::rc::Rc;
use std::time::Duration;

use ask_protocol::ipc::Request;
use tokio::time::Instant;

use crate::hub::Line;
use crate::model::{World, pause};
use crate::report::BREATH;

const EVERY: Duration = Duration::from_millis(10);

/// Requests the status until the people have stopped.
pub(crate) async fn ask(world: Rc<World>) {
    while !world.closed.get() {
        let Some(mut line) = Line::started(&world.place).await else {
            pause(Duration::from_millis(2)).await;
            continue;
        };
        while !world.closed.get() && line.call(&Request::Status).await.is_some() {
            world.hub.set(Some(line.pid));
            recovered(&world, line.pid);
            pause(EVERY).await;
        }
        world.hub.set(None);
    }
}

fn recovered(world: &World, hub: u32) {
    if let Some((killed, at)) = world.hub_killed.get()
        && killed != hub
    {
        world.hub_killed.set(None);
        let ms = u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut ledger = world.ledger.borrow_mut();
        ledger.recoveries.push(ms);
        if Duration::from_millis(ms) > BREATH {
            ledger.slow_recovery = Some(Instant::now());
        }
    }
}
