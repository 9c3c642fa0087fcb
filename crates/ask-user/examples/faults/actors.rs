//! The people of a campaign: two observers, one over the hub's socket and one with `ask-user
//! watch`, and several who answer what was seen, each through an interface of their own.

use std::rc::Rc;
use std::time::Duration;

use ask_protocol::ipc::{Request, Response};
use ask_protocol::native;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::answers;
use crate::hub::HubConnection;
use crate::model::{Campaign, pause};
use crate::process::Role;
use crate::rng::Rng;

/// Observes asks over the hub's socket. Now and then it subscribes twice, lists although it is
/// subscribed, or doesn't read its changes.
pub(crate) async fn observe(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.closed.get() {
        let Some(mut connection) = HubConnection::open(&campaign.dirs).await else {
            pause(Duration::from_millis(10)).await;
            continue;
        };
        // A broken connection ends this observation; the loop begins the next one.
        let _ = observe_once(&campaign, &mut connection, &mut rng).await;
    }
}

async fn observe_once(
    campaign: &Campaign,
    connection: &mut HubConnection,
    rng: &mut Rng,
) -> Option<()> {
    subscribe(campaign, connection, rng).await?;
    while !campaign.closed.get() {
        match connection.change(Duration::from_millis(500)).await {
            Some(record) => campaign.tasks.see(campaign, &record, rng),
            // Either the connection is broken or nothing happened; this request shows which.
            None => drop(connection.call(&Request::Status).await?),
        }
        let fault = |kind| campaign.log.borrow_mut().fault(kind);
        match rng.below(20) {
            0 => {
                fault("subscribed twice");
                subscribe(campaign, connection, rng).await?;
            }
            1 => {
                fault("listed though all is pushed");
                connection.call(&Request::Waiting { first: None }).await?;
            }
            2 => {
                fault("changes not read for a while");
                pause(Duration::from_millis(800)).await;
            }
            3 => {
                fault("surfaces disconnected silently");
                return None;
            }
            _ => {}
        }
    }
    Some(())
}

async fn subscribe(
    campaign: &Campaign,
    connection: &mut HubConnection,
    rng: &mut Rng,
) -> Option<()> {
    let subscribe = Request::Subscribe {
        after: None,
        only_looks: false,
        sender: None,
    };
    if let Response::Records { records, .. } = connection.call(&subscribe).await? {
        for record in &records {
            campaign.tasks.see(campaign, record, rng);
        }
    }
    Some(())
}

/// Observes asks with `ask-user watch --json`, started again whenever it was killed.
pub(crate) async fn watch(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.closed.get() {
        let Ok(mut child) = campaign.dirs.command(&["watch", "--json"]).spawn() else {
            return;
        };
        let number = campaign.processes.number();
        let process = campaign
            .processes
            .adopt(&child, number, None, Role::Surface);
        let Some(out) = child.stdout.take() else {
            return;
        };
        let mut lines = BufReader::new(out).lines();
        while !campaign.closed.get() {
            let next = tokio::time::timeout(Duration::from_millis(500), lines.next_line()).await;
            match next {
                Ok(Ok(Some(text))) => {
                    if let Ok(record) = native::read_record(&text) {
                        campaign.tasks.see(&campaign, &record, &mut rng);
                    }
                }
                Ok(_) => break,
                Err(_) => {}
            }
        }
        if campaign.closed.get() {
            process.kill();
        }
        campaign.processes.ended(&process, &mut child).await;
    }
}

/// Answers the tasks of the board until the end of the campaign.
pub(crate) async fn answer(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.closed.get() {
        match campaign.tasks.take(campaign.is_over()) {
            Some(task) => {
                if !answers::give(&campaign, &task, &mut rng).await {
                    let after = rng.ms(20, 400);
                    campaign.tasks.put(task, after);
                }
            }
            None => pause(Duration::from_millis(15)).await,
        }
    }
}
