//! The probe: it requests the hub's status without a break, so that the moment at which a new hub
//! answers is known to a few milliseconds.

use std::rc::Rc;
use std::time::Duration;

use ask_protocol::ipc::Request;
use tokio::time::Instant;

use crate::hub::HubConnection;
use crate::model::{Campaign, pause};
use crate::report::REPORT_GRACE;

const INTERVAL: Duration = Duration::from_millis(10);

/// Requests the status until the people have stopped.
pub(crate) async fn ask(campaign: Rc<Campaign>) {
    while !campaign.closed.get() {
        let Some(mut connection) = HubConnection::start(&campaign.dirs).await else {
            pause(Duration::from_millis(2)).await;
            continue;
        };
        while !campaign.closed.get() && connection.call(&Request::Status).await.is_some() {
            campaign.hub.set(Some(connection.pid));
            recovered(&campaign, connection.pid);
            pause(INTERVAL).await;
        }
        campaign.hub.set(None);
    }
}

fn recovered(campaign: &Campaign, hub: u32) {
    if let Some((killed, at)) = campaign.hub_killed.get()
        && killed != hub
    {
        campaign.hub_killed.set(None);
        let ms = u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut log = campaign.log.borrow_mut();
        log.recoveries.push(ms);
        if Duration::from_millis(ms) > REPORT_GRACE {
            log.slow_recovery = Some(Instant::now());
        }
    }
}
