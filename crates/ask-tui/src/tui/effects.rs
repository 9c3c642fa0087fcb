//! Performs the effects that the reducer requests from the hub and this machine, one after the
//! other.

use std::path::Path;

use ask_core::Record;
use ask_core::devices::PairingCommand;
use ask_hub::client::{Client, DraftResult};
use ask_hub::http::link_keys;
use ask_hub::surface::previous_answers;
use tokio::sync::{mpsc, oneshot};

use super::SURFACE;
use super::event::{AskRequest, Effect, Event};
use super::history::{self, HistoryRead};
use crate::{SettleResult, attach, is_without_hub};

/// What the surface passes to its worker.
pub(super) enum Work {
    Effect(Box<Effect>),
    /// Answered once all effects before it are done.
    Flush(oneshot::Sender<()>),
}

/// Performs effects in their order, so that a draft never overtakes the answer behind it. Reads of
/// history run beside them. A reply that can't be sent is dropped: the surface has ended.
pub(super) async fn carry_out(
    client: Client,
    mut work: mpsc::UnboundedReceiver<Work>,
    events: mpsc::UnboundedSender<anyhow::Result<Event>>,
) {
    let read_history = |read, filter| {
        tokio::spawn(history::read(client.clone(), read, filter, events.clone()));
    };
    while let Some(work) = work.recv().await {
        let effect = match work {
            Work::Effect(effect) => *effect,
            Work::Flush(done) => {
                // The surface may have stopped waiting.
                let _ = done.send(());
                continue;
            }
        };
        match effect {
            Effect::SaveDraft {
                id,
                draft,
                built_on,
            } => {
                let saved = client.save_draft_over(&id, &draft, SURFACE, built_on).await;
                let event = match saved {
                    Ok(DraftResult::Saved) => Event::DraftSaved(id, draft),
                    Ok(DraftResult::Outdated(record)) => Event::DraftRefused(record),
                    // The change that closed the ask is on its way.
                    Ok(DraftResult::Closed) => continue,
                    Err(error) if is_without_hub(&error) => Event::DraftUnsaved(id),
                    Err(error) => Event::DraftNotKept(id, format!("{error:#}")),
                };
                events.send(Ok(event)).ok();
            }
            Effect::Snooze { id, snooze } => {
                let done = client.snooze(id.as_str(), snooze).await;
                events.send(Ok(done_event(AskRequest::Snooze, done))).ok();
            }
            Effect::Extend { id, until, typing } => {
                let done = client.extend(id.as_str(), until).await;
                events
                    .send(Ok(done_event(AskRequest::Extend { typing }, done)))
                    .ok();
            }
            Effect::Mute { on } => {
                if client.mute(on).await.is_ok() {
                    events.send(Ok(Event::Muted(on))).ok();
                }
            }
            Effect::PageLink => {
                let key = client.page_key(false).await;
                let link =
                    key.map(|(key, port)| port.map(|port| link_keys::sign_in_link(port, &key)));
                let link = link.map_err(|error| format!("{error:#}"));
                events.send(Ok(Event::PageLink(link))).ok();
            }
            Effect::Sessions { sign_out } => {
                let pairing = client
                    .pairing(sign_out.unwrap_or(PairingCommand::Look))
                    .await;
                let devices = pairing.map(|pairing| [pairing.browsers, pairing.devices].concat());
                let devices = devices.map_err(|error| format!("{error:#}"));
                events.send(Ok(Event::Devices(devices))).ok();
            }
            Effect::Attach {
                id,
                question,
                source,
                from,
            } => {
                let from = from.as_deref().map(Path::new);
                let file = attach::from_source(&client, source, from).await;
                events.send(Ok(Event::Attached { id, question, file })).ok();
            }
            Effect::Shown { id } => {
                client.shown(&id, SURFACE).await.ok();
            }
            Effect::TakeBack { id, attempt } => {
                let done = client.take_back(&id, attempt, SURFACE).await;
                events.send(Ok(done_event(AskRequest::TakeBack, done))).ok();
            }
            Effect::EndHold { id, attempt } => {
                let done = client.end_hold(&id, attempt).await;
                events.send(Ok(done_event(AskRequest::EndHold, done))).ok();
            }
            Effect::Settle { id, verdict, hold } => {
                let settled = match hold {
                    true => client.settle_held(&id, verdict, SURFACE).await,
                    false => client.settle(&id, verdict, SURFACE).await,
                };
                let result = SettleResult::from_reply(settled);
                events.send(Ok(Event::Settled { id, result })).ok();
            }
            Effect::Fetch { id } => {
                let (mut records, mut gone) = (Vec::new(), Vec::new());
                match client.get(id.as_str()).await {
                    Ok(record) => records.push(record),
                    Err(_) => gone.push(id),
                }
                events.send(Ok(Event::Changed { records, gone })).ok();
            }
            Effect::Recall { id } => {
                // Without the hub no earlier answers are offered; the person types one.
                let records = previous_answers::recent(&client).await.unwrap_or_default();
                events.send(Ok(Event::Recalled { id, records })).ok();
            }
            Effect::ReadHistory { filter } => read_history(HistoryRead::Page, filter),
            Effect::ReadStats { filter } => read_history(HistoryRead::Stats, filter),
            Effect::Export { filter } => read_history(HistoryRead::File, filter),
            Effect::Wake { .. }
            | Effect::DrainInput
            | Effect::Repaint
            | Effect::Edit(_)
            | Effect::Suspend
            | Effect::FindPaths { .. }
            | Effect::Copy { .. }
            | Effect::Quit(_) => {}
        }
    }
}

fn done_event(request: AskRequest, done: anyhow::Result<Record>) -> Event {
    let result = done.map(Box::new).map_err(|error| format!("{error:#}"));
    Event::RequestDone { request, result }
}
