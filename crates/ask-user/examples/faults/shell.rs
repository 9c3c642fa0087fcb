//! Agents that are shell scripts: `ask-user ask`, and `ask-user wait` after a kill.

use std::process::Stdio;
use std::rc::Rc;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::time::Instant;

use crate::callers::{self, Program};
use crate::log::{Receipt, Route};
use crate::model::{Campaign, pause};
use crate::process::{Process, Role, kill_within};
use crate::rng::Rng;
use crate::session::Identity;
use crate::words;

/// Asks until the time of faults is over.
pub(crate) async fn ask(campaign: Rc<Campaign>, mut rng: Rng) {
    while !campaign.is_over() {
        let tag = campaign.log.borrow_mut().new_ask();
        let question = words::question(tag);
        let dies = rng.percent(35).then(|| rng.ms(0, 1_200));
        run(&campaign, &["ask", &question], dies, Route::Reply).await;
        let id = campaign
            .log
            .borrow()
            .ids
            .get(&tag)
            .and_then(|ids| ids.last().cloned());
        if dies.is_some()
            && rng.percent(70)
            && let Some(id) = id
        {
            campaign.log.borrow_mut().count("waited again");
            run(&campaign, &["wait", &id], None, Route::Read).await;
        }
        pause(rng.ms(0, 400)).await;
    }
}

/// Runs a command whose output is an answer.
pub(crate) async fn run(
    campaign: &Campaign,
    arguments: &[&str],
    dies: Option<std::time::Duration>,
    route: Route,
) {
    let number = campaign.processes.number();
    let identity = Identity {
        client: callers::SHELL.to_owned(),
        name: None,
        modern: false,
    };
    let caller = identity.caller(campaign, Program::Campaign);
    campaign.log.borrow_mut().callers.begin(number, caller);
    let mut command = campaign.dirs.command(arguments);
    command.env("ASK_USER_PROJECT", callers::project(number));
    let Ok(mut child) = command.stderr(Stdio::piped()).spawn() else {
        return;
    };
    let process = campaign.processes.adopt(&child, number, None, Role::Agent);
    let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
        return;
    };
    let by_id = arguments.first() == Some(&"wait");
    // Reasons and questions to the agent come on standard error.
    let reading = async {
        tokio::join!(
            record_output(campaign, &process, out, route, by_id),
            record_output(campaign, &process, err, route, by_id)
        );
    };
    if kill_within(reading, &process, dies).await {
        campaign.log.borrow_mut().fault("agents killed");
    }
    campaign.processes.ended(&process, &mut child).await;
    if let Some(at) = process.killed_at() {
        campaign.log.borrow_mut().killed.insert(process.number, at);
    }
}

async fn record_output(
    campaign: &Campaign,
    process: &Process,
    stream: impl AsyncRead + Unpin,
    route: Route,
    by_id: bool,
) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        record(campaign, process, &line, route, by_id);
    }
}

fn record(campaign: &Campaign, process: &Process, text: &str, route: Route, by_id: bool) {
    let route = if process.killed_at().is_some() {
        Route::Unread
    } else {
        route
    };
    for (nonce, whole) in words::nonces_in(text) {
        let receipt = Receipt {
            process: process.number,
            over_http: false,
            resumed: false,
            reset_at: None,
            route,
            at: Instant::now(),
            whole,
            reply_to: None,
            called: None,
            by_id,
        };
        campaign.log.borrow_mut().received(nonce, receipt);
    }
}
