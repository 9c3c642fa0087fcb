//! The handlers of a person's actions on an ask: drafts, answers, snooze, more time, removal.

use ask_config::i18n::{Language, Words};
use ask_core::{Record, lifecycle};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::ops;
use ask_protocol::api::{
    self, Answering, Clarifying, Declining, Extending, ForgettingOne, KeptDraft, Presence,
    RecordView, Revision, Settings, Settled, Snoozing, Switch,
};
use ask_protocol::ipc::{Request, Response as Said, Verdict};
use ask_protocol::native::{Moment, YesNo};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

use super::ask_queries::{find, view};
use super::openapi::{Changed, Closed, NoAsk, Over, StillWanted, Unfit, WaitsNot};
use super::request::{AskId, Attempt, Call};
use super::{Web, assets};

/// Save a draft
#[utoipa::path(
    put,
    path = "/v1/asks/{id}/draft",
    params(AskId),
    request_body = KeptDraft,
    responses((status = 200, description = "Done", body = Revision), NoAsk, Changed)
)]
pub(crate) async fn draft(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let KeptDraft { draft, built_on } = call.json()?;
    let (hub, surface) = (web.shared.hub().await?, call.who.surface());
    let sender = call.sender(&web).await;
    let kept = ops::save_draft(hub, record.id, draft.into(), surface, built_on, sender);
    let revision = kept.await?;
    Ok(reply::json(&Revision { revision }))
}

/// Answer an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/answer",
    params(AskId, Attempt),
    request_body = Answering,
    responses((status = 200, description = "Done", body = Settled<'static>), NoAsk, Closed, Unfit)
)]
pub(crate) async fn answer(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let verdict = ops::answer_verdict(&record, &api::read_known::<Answering>(&call.body)?)?;
    settle(&web, &call, &record, verdict).await
}

/// Decline an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/decline",
    params(AskId, Attempt),
    request_body = Declining,
    responses((status = 200, description = "Done", body = Settled<'static>), NoAsk, Closed, Unfit)
)]
pub(crate) async fn decline(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let Declining { reason } = call.json()?;
    settle(&web, &call, &record, ops::decline_verdict(reason)).await
}

/// Ask the agent back instead of answering
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/clarify",
    params(AskId, Attempt),
    request_body = Clarifying,
    responses((status = 200, description = "Done", body = Settled<'static>), NoAsk, Closed, Unfit)
)]
pub(crate) async fn clarify(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let Clarifying { text } = call.json()?;
    settle(&web, &call, &record, ops::clarify_verdict(text)?).await
}

/// Withdraw an ask, as its agent
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/withdraw",
    params(AskId, Attempt),
    responses((status = 200, description = "Done", body = Settled<'static>), NoAsk, Closed)
)]
pub(crate) async fn withdraw(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    settle(&web, &call, &record, Verdict::Withdraw).await
}

async fn settle(
    web: &Web,
    call: &Call,
    record: &Record,
    verdict: Verdict,
) -> Result<Response, Problem> {
    // When the request is repeated, another ask may be the latest and would get this answer, too.
    if call.retry_key().is_some() && call.part == "latest" {
        let said =
            "a request with an Idempotency-Key may come again, so it names its ask by its id";
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    let surface = match verdict {
        Verdict::Withdraw => lifecycle::AGENT,
        Verdict::Answer { .. } | Verdict::Decline { .. } | Verdict::Clarify { .. } => {
            call.who.surface()
        }
    };
    let device = match verdict {
        Verdict::Withdraw => None,
        Verdict::Answer { .. } | Verdict::Decline { .. } | Verdict::Clarify { .. } => {
            call.who.device()
        }
    };
    let sender = call.sender(web).await;
    let request = Request::Settle {
        id: record.id.clone(),
        verdict,
        surface: surface.to_owned(),
        device,
        attempt: call.attempt(),
        sender,
    };
    let record = ops::settle(web.shared.hub().await?, request).await?;
    Ok(reply::json(&Settled::from(view(&call.who, &record))))
}

/// Snooze an ask until a time or until its agent asks again; null ends the snooze
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/snooze",
    params(AskId),
    request_body = Snoozing,
    responses((status = 200, description = "Done", body = RecordView<'static>), NoAsk, WaitsNot, Over)
)]
pub(crate) async fn snooze(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id.as_str().to_owned();
    let Snoozing { until } = call.json()?;
    let snooze = until.map(|until| until.0);
    changed(&web, Request::Snooze { id, snooze }).await
}

/// Extend the deadline of an ask, at most to what its agent accepts
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/extend",
    params(AskId),
    request_body = Extending,
    responses((status = 200, description = "Done", body = RecordView<'static>), NoAsk, WaitsNot, Over)
)]
pub(crate) async fn extend(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id.as_str().to_owned();
    let Extending {
        until: Moment(until),
    } = call.json()?;
    changed(&web, Request::Extend { id, until }).await
}

async fn changed(web: &Web, request: Request) -> Result<Response, Problem> {
    let record = ops::change_ask(web.shared.hub().await?, request).await?;
    let reply = ask_dialects::reply_text(&record);
    Ok(reply::json(&RecordView::whole(&record, reply)))
}

/// Record that the person sees an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/shown",
    params(AskId),
    responses((status = 204, description = "Done"), NoAsk)
)]
pub(crate) async fn shown(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id;
    let surface = call.who.surface().to_owned();
    web.say(Request::Shown { id, surface }).await?;
    Ok(reply::no_content())
}

/// Remove a closed ask for good
#[utoipa::path(
    delete,
    path = "/v1/asks/{id}",
    params(AskId, ForgettingOne),
    responses((status = 204, description = "Done"), NoAsk, StillWanted)
)]
pub(crate) async fn forget(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let said: ForgettingOne = call.only("Nothing was removed.")?;
    let record = find(&web, &call).await?;
    if record.id.as_str() != call.part {
        let said = "what is removed for good is named by its whole id";
        return Err(Problem::new(ProblemKind::NotFound, said));
    }
    let ids = vec![call.part.clone()];
    let undelivered = said.undelivered == Some(YesNo(true));
    let sender = call.sender(&web).await;
    web.say(Request::Forget {
        ids,
        undelivered,
        sender,
    })
    .await?;
    Ok(reply::no_content())
}

/// Report the presence of the person at the page that listens to the events
#[utoipa::path(
    post,
    path = "/v1/presence",
    request_body = Presence,
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn presence(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let said: Presence = call.json()?;
    let (rings, input) = (said.rings == Some(true), said.input == Some(true));
    for page in web.streams.clients_of(call.who.name()) {
        page.present(said.focused, rings, input).await?;
    }
    Ok(reply::no_content())
}

/// Mute or unmute notifications
#[utoipa::path(
    put,
    path = "/v1/mute",
    request_body = Switch,
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn mute(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let Switch { on } = call.json()?;
    web.say(Request::Mute { on }).await?;
    Ok(reply::no_content())
}

/// Get the status of the hub and the version of its page
#[utoipa::path(
    get,
    path = "/v1/status",
    responses((status = 200, description = "Done", body = api::Status<'static>))
)]
pub(crate) async fn status(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    let status = match web.say(Request::Status).await? {
        Said::Status(status) => status,
        other => return Err(Problem::unexpected_response(&other)),
    };
    let config = web.shared.config();
    let language = Words::of_person(config.language).language();
    let file = web.shared.config_file();
    Ok(reply::json(&api::Status {
        hub: &status,
        running: true,
        page: assets::version(),
        language: language.code(),
        settings: Settings {
            file: &file.to_string_lossy(),
            keep_days: config.keep_days,
            language: config.language.map(Language::code),
        },
    }))
}
