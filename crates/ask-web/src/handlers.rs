//! The handlers of a person's actions on an ask: drafts, answers, snooze, more time, removal.

use ask_config::i18n::{Language, Words};
use ask_core::{Json, Record, lifecycle};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::ops;
use ask_protocol::api::{
    self, Answering, Attempt, Clarifying, Declining, Extending, ForgettingOne, KeptDraft, Presence,
    RecordView, Revision, Settings, Settled, Snoozing, Switch,
};
use ask_protocol::ipc::{Request, Response as HubResponse, Verdict};
use ask_protocol::native::{Moment, YesNo};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

use super::ask_queries::{find, view};
use super::openapi::{
    AnswerRefused, AskClosed, AskInUse, AskNotFound, DraftConflict, NotOpen, TimePassed,
};
use super::request::{ApiRequest, AskIdPath, IdempotencyKey};
use super::{Web, assets};

/// Save a draft
#[utoipa::path(
    put,
    path = "/v1/asks/{id}/draft",
    params(AskIdPath),
    request_body = KeptDraft,
    responses((status = 200, description = "Done", body = Revision), AskNotFound, DraftConflict)
)]
pub(crate) async fn draft(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    let KeptDraft { draft, built_on } = request.json()?;
    let (hub, surface) = (web.shared.hub().await?, request.requester.surface());
    let sender = request.sender(&web).await;
    let saved = ops::save_draft(hub, record.id, draft.into(), surface, built_on, sender);
    let revision = saved.await?;
    Ok(reply::json(&Revision { revision }))
}

/// Answer an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/answer",
    params(AskIdPath, IdempotencyKey),
    request_body = Answering,
    responses((status = 200, description = "Done", body = Settled<'static>), AskNotFound, AskClosed, AnswerRefused)
)]
pub(crate) async fn answer(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    let body = api::read_known::<Answering>(&request.body)?;
    let hold = body.get("hold").and_then(Json::as_bool).unwrap_or(false);
    let verdict = ops::answer_verdict(&record, &body)?;
    settle(&web, &request, &record, (verdict, hold)).await
}

/// Decline an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/decline",
    params(AskIdPath, IdempotencyKey),
    request_body = Declining,
    responses((status = 200, description = "Done", body = Settled<'static>), AskNotFound, AskClosed, AnswerRefused)
)]
pub(crate) async fn decline(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    let Declining { reason, hold } = request.json()?;
    let verdict = (ops::decline_verdict(reason), hold.unwrap_or(false));
    settle(&web, &request, &record, verdict).await
}

/// Ask the agent back instead of answering
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/clarify",
    params(AskIdPath, IdempotencyKey),
    request_body = Clarifying,
    responses((status = 200, description = "Done", body = Settled<'static>), AskNotFound, AskClosed, AnswerRefused)
)]
pub(crate) async fn clarify(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    let Clarifying { text, hold } = request.json()?;
    let verdict = (ops::clarify_verdict(text)?, hold.unwrap_or(false));
    settle(&web, &request, &record, verdict).await
}

/// Withdraw an ask, as its agent
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/withdraw",
    params(AskIdPath, IdempotencyKey),
    responses((status = 200, description = "Done", body = Settled<'static>), AskNotFound, AskClosed)
)]
pub(crate) async fn withdraw(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    settle(&web, &request, &record, (Verdict::Withdraw, false)).await
}

async fn settle(
    web: &Web,
    request: &ApiRequest,
    record: &Record,
    (verdict, hold): (Verdict, bool),
) -> Result<Response, Problem> {
    // When the request is repeated, another ask may be the latest, and would get this answer too.
    if request.retry_key().is_some() && request.path_parameter == "latest" {
        let message = "a request with an Idempotency-Key may be repeated, so it can't use `latest`: send the id of the ask";
        return Err(Problem::new(ProblemKind::Malformed, message));
    }
    let surface = match verdict {
        Verdict::Withdraw => lifecycle::AGENT,
        Verdict::Answer { .. } | Verdict::Decline { .. } | Verdict::Clarify { .. } => {
            request.requester.surface()
        }
    };
    let device = match verdict {
        Verdict::Withdraw => None,
        Verdict::Answer { .. } | Verdict::Decline { .. } | Verdict::Clarify { .. } => {
            request.requester.device()
        }
    };
    let sender = request.sender(web).await;
    let settle = Request::Settle {
        id: record.id.clone(),
        verdict,
        surface: surface.to_owned(),
        device,
        attempt: request.attempt(),
        hold,
        relayed: false,
        sender,
    };
    let record = ops::settle(web.shared.hub().await?, settle).await?;
    Ok(reply::json(&Settled::from(view(
        &request.requester,
        &record,
    ))))
}

/// Take back an answer that no agent has: the ask is open again, with the answer as its draft
#[utoipa::path(
    post,
    operation_id = "takeBack",
    path = "/v1/asks/{id}/take-back",
    params(AskIdPath),
    request_body = Attempt,
    responses((status = 200, description = "Done", body = RecordView<'static>), AskNotFound, NotOpen)
)]
pub(crate) async fn take_back(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let id = find(&web, &request).await?.id;
    let Attempt { attempt } = request.json()?;
    let take_back = Request::TakeBack {
        id,
        attempt,
        surface: request.requester.surface().to_owned(),
        device: request.requester.device(),
        sender: request.sender(&web).await,
    };
    change(&web, take_back).await
}

/// Give the agent an answer at once that is kept from it so that it can be taken back
#[utoipa::path(
    post,
    operation_id = "endHold",
    path = "/v1/asks/{id}/end-hold",
    params(AskIdPath),
    request_body = Attempt,
    responses((status = 200, description = "Done", body = RecordView<'static>), AskNotFound)
)]
pub(crate) async fn end_hold(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let id = find(&web, &request).await?.id;
    let Attempt { attempt } = request.json()?;
    change(&web, Request::EndHold { id, attempt }).await
}

/// Snooze an ask until a time or until its agent asks again; null ends the snooze
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/snooze",
    params(AskIdPath),
    request_body = Snoozing,
    responses((status = 200, description = "Done", body = RecordView<'static>), AskNotFound, NotOpen, TimePassed)
)]
pub(crate) async fn snooze(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let id = find(&web, &request).await?.id.as_str().to_owned();
    let Snoozing { until } = request.json()?;
    let snooze = until.map(|until| until.0);
    change(&web, Request::Snooze { id, snooze }).await
}

/// Extend the deadline of an ask, at most to what its agent accepts
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/extend",
    params(AskIdPath),
    request_body = Extending,
    responses((status = 200, description = "Done", body = RecordView<'static>), AskNotFound, NotOpen, TimePassed)
)]
pub(crate) async fn extend(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let id = find(&web, &request).await?.id.as_str().to_owned();
    let Extending {
        until: Moment(until),
    } = request.json()?;
    change(&web, Request::Extend { id, until }).await
}

async fn change(web: &Web, change: Request) -> Result<Response, Problem> {
    let record = ops::change_ask(web.shared.hub().await?, change).await?;
    let reply = ask_dialects::reply_text(&record);
    Ok(reply::json(&RecordView::whole(&record, reply)))
}

/// Record that the person sees an ask
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/shown",
    params(AskIdPath),
    responses((status = 204, description = "Done"), AskNotFound)
)]
pub(crate) async fn shown(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let id = find(&web, &request).await?.id;
    let surface = request.requester.surface().to_owned();
    web.send(Request::Shown { id, surface }).await?;
    Ok(reply::no_content())
}

/// Remove a closed ask for good
#[utoipa::path(
    delete,
    path = "/v1/asks/{id}",
    params(AskIdPath, ForgettingOne),
    responses((status = 204, description = "Done"), AskNotFound, AskInUse)
)]
pub(crate) async fn forget(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let query: ForgettingOne = request.unfiltered_query("Nothing was removed.")?;
    let record = find(&web, &request).await?;
    if record.id.as_str() != request.path_parameter {
        let message = "an ask is removed for good only by its whole id";
        return Err(Problem::new(ProblemKind::NotFound, message));
    }
    let ids = vec![request.path_parameter.clone()];
    let undelivered = query.undelivered == Some(YesNo(true));
    let sender = request.sender(&web).await;
    web.send(Request::Forget {
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
pub(crate) async fn presence(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let presence: Presence = request.json()?;
    let (rings, input) = (presence.rings == Some(true), presence.input == Some(true));
    for page in web.streams.clients_of(request.requester.name()) {
        page.present(presence.focused, rings, input).await?;
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
pub(crate) async fn mute(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let Switch { on } = request.json()?;
    web.send(Request::Mute { on }).await?;
    Ok(reply::no_content())
}

/// Get the status of the hub and the version of its page
#[utoipa::path(
    get,
    path = "/v1/status",
    responses((status = 200, description = "Done", body = api::Status<'static>))
)]
pub(crate) async fn status(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    let status = match web.send(Request::Status).await? {
        HubResponse::Status(status) => status,
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
