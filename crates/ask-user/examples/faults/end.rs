//! The end of a campaign: the faults stop, everything comes to rest, and a last agent fetches all
//! undelivered outcomes.

use std::rc::Rc;
use std::time::Duration;

use ask_core::{Outcome, Record};
use ask_protocol::ipc::{Filter, Request, Response};
use tokio::time::Instant;

use crate::callers;
use crate::hub::HubConnection;
use crate::log::Route;
use crate::model::{Campaign, pause};
use crate::session::{Identity, Session};
use crate::shell;
use crate::words;

/// The time for people to answer what is left, and for the last agent to receive each reply.
const REST_LIMIT: Duration = Duration::from_secs(180);
const REPLY_LIMIT: Duration = Duration::from_secs(30);

/// All records, the oldest first; `None` if the hub can't be reached.
pub(crate) async fn records(campaign: &Campaign) -> Option<Vec<Record>> {
    let mut connection = HubConnection::start(&campaign.dirs).await?;
    let mut all = Vec::new();
    let mut filter = Filter {
        open: true,
        ..Filter::default()
    };
    loop {
        let request = Request::History {
            filter: filter.clone(),
        };
        let Response::Records {
            records, cursor, ..
        } = connection.call(&request).await?
        else {
            return None;
        };
        all.extend(records.into_iter().map(std::sync::Arc::unwrap_or_clone));
        if cursor == 0 {
            all.reverse();
            return Some(all);
        }
        filter.before = Some(cursor);
    }
}

/// Waits until no ask waits for a person.
pub(crate) async fn rest(campaign: &Campaign) {
    let until = Instant::now() + REST_LIMIT;
    while Instant::now() < until {
        let open = records(campaign).await.is_none_or(|records| {
            let mut waiting = records.iter().filter(|record| record.is_open());
            waiting.next().is_some()
        });
        if !open {
            return;
        }
        pause(Duration::from_millis(200)).await;
    }
}

/// Whether a person settled a record whose outcome isn't delivered.
pub(crate) fn is_kept(record: &Record) -> bool {
    let human = matches!(
        record.settlement().map(|settlement| &settlement.outcome),
        Some(Outcome::Answered(_) | Outcome::Declined { .. } | Outcome::Clarify { .. })
    );
    human && !record.is_delivered()
}

/// Lets the last agents fetch the undelivered outcomes: by asking the same again for asks of the
/// campaign's sub-agents, by their id for all others. Returns how many there were.
pub(crate) async fn fetch(campaign: &Rc<Campaign>) -> u64 {
    let kept: Vec<Record> = records(campaign).await.unwrap_or_default();
    let kept: Vec<Record> = kept.into_iter().filter(is_kept).collect();
    let count = kept.len() as u64;
    let by_words = |record: &Record| {
        let asker = callers::caller_in(record.asker.project.as_deref());
        let log = campaign.log.borrow();
        asker.is_some_and(|asker| log.callers.leaves_to_sub_agents(asker))
    };
    let (mut kept, by_id): (Vec<Record>, Vec<Record>) = kept.into_iter().partition(by_words);
    for record in &by_id {
        shell::run(campaign, &["wait", record.id.as_str()], None, Route::Read).await;
    }
    kept.sort_by_key(|record| (record.asker.client.clone(), record.dialect.clone()));
    for alike in kept.chunk_by(|one, other| {
        one.asker.client == other.asker.client && one.dialect == other.dialect
    }) {
        let client = alike[0].asker.client.clone().unwrap_or_default();
        ask_again(campaign, client, alike).await;
    }
    count
}

async fn ask_again(campaign: &Rc<Campaign>, client: String, alike: &[Record]) {
    let Some(wording) = words::wording(&alike[0].dialect) else {
        return;
    };
    let identity = Identity {
        client,
        name: None,
        modern: false,
    };
    let opened = Session::piped(campaign, wording.dialect, identity, false).await;
    let Some(mut session) = opened else { return };
    for record in alike {
        let question = record.ask.questions.first();
        let Some(tag) = question.and_then(|question| words::tag_in(&question.text)) else {
            continue;
        };
        let arguments = wording.call(tag, record.ask.limit_ms);
        let asked = session
            .call(wording.asks, &arguments, Some(tag), Route::Reply)
            .await;
        // An outcome that doesn't arrive in time is reported as lost.
        let _ = tokio::time::timeout(REPLY_LIMIT, asked.reply).await;
    }
    session.end().await;
}
