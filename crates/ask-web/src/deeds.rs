//! What a person does with an ask over HTTP.

use ask_config::words::{Language, Words};
use ask_core::{Record, lifecycle};
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_hub::ops;
use ask_protocol::api::{self, Settings};
use ask_protocol::ipc::{Request, Response as Said, Verdict};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

use super::asks::find;
use super::call::Call;
use super::door::Who;
use super::{Web, page, past};

/// Keeps a half-filled form, unless somebody saved since it was begun.
pub async fn draft(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let (draft, built_on) = api::read_draft(&call.json()?)?;
    let (hub, surface) = (web.shared.hub().await?, call.who.surface());
    let revision = ops::keep(hub, record.id, draft, surface, built_on).await?;
    Ok(reply::json(&api::write_revision(revision)))
}

/// Answers.
pub async fn answer(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let verdict = ops::answer(&record, &call.json()?)?;
    settle(&web, &call, &record, verdict).await
}

/// Declines.
pub async fn decline(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let reason = api::read_optional_text(&call.json()?, "reason")?;
    settle(&web, &call, &record, ops::decline(reason)).await
}

/// Asks back.
pub async fn clarify(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let words = api::read_text(&call.json()?, "text")?;
    settle(&web, &call, &record, ops::clarify(words)?).await
}

/// Takes an ask back, for its agent.
pub async fn withdraw(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    settle(&web, &call, &record, Verdict::Withdraw).await
}

async fn settle(
    web: &Web,
    call: &Call,
    record: &Record,
    verdict: Verdict,
) -> Result<Response, Problem> {
    // By the time that it comes again another ask may be the latest, and would get this answer, too.
    if call.retry_key().is_some() && call.part == "latest" {
        let said =
            "a request with an Idempotency-Key may come again, so it names its ask by its id";
        return Err(Problem::new(Kind::Malformed, said));
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
    let request = Request::Settle {
        id: record.id.clone(),
        verdict,
        surface: surface.to_owned(),
        device,
        attempt: call.attempt(),
    };
    let record = ops::close(web.shared.hub().await?, request).await?;
    Ok(reply::json(&match call.who {
        Who::Nobody | Who::Agent => api::write_settled_for_agent(&record),
        Who::Program | Who::Page(_) | Who::Device(_) => {
            api::write_settled(&record, ask_dialects::reply_text(&record).as_deref())
        }
    }))
}

/// Puts aside, or back.
pub async fn snooze(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id.as_str().to_owned();
    let snooze = api::read_snooze(&call.json()?)?;
    changed(&web, Request::Snooze { id, snooze }).await
}

/// Takes more time.
pub async fn extend(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id.as_str().to_owned();
    let until = api::read_time(&call.json()?, "until")?;
    changed(&web, Request::Extend { id, until }).await
}

async fn changed(web: &Web, request: Request) -> Result<Response, Problem> {
    let record = ops::change(web.shared.hub().await?, request).await?;
    Ok(reply::json(&api::write_one(
        &record,
        ask_dialects::reply_text(&record).as_deref(),
    )))
}

/// Notes that its person sees it.
pub async fn shown(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let id = find(&web, &call).await?.id;
    let surface = call.who.surface().to_owned();
    web.say(Request::Shown { id, surface }).await?;
    Ok(reply::done())
}

/// Removes a closed ask for good.
pub async fn forget(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    if record.id.as_str() != call.part {
        let said = "what is removed for good is named by its whole id";
        return Err(Problem::new(Kind::NotFound, said));
    }
    let ids = vec![call.part.clone()];
    let untold = past::flag(&call, "untold")? == Some(true);
    web.say(Request::Forget { ids, untold }).await?;
    Ok(reply::done())
}

/// Takes in whether the person is there: the page that listens says so.
pub async fn presence(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let (focused, rings, input) = api::read_presence(&call.json()?)?;
    for page in web.streams.of(call.who.name()) {
        page.present(focused, rings, input).await?;
    }
    Ok(reply::done())
}

/// Mutes notifications, or no more.
pub async fn mute(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let on = api::read_flag(&call.json()?, "on")?;
    web.say(Request::Mute { on }).await?;
    Ok(reply::done())
}

/// How the hub is, and its page.
pub async fn status(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    let status = match web.say(Request::Status).await? {
        Said::Status(status) => status,
        other => return Err(Problem::odd(&other)),
    };
    let config = web.shared.config();
    let language = Words::of_person(config.language).language();
    let file = web.shared.config_file();
    let settings = Settings {
        file: &file.to_string_lossy(),
        keep_days: config.keep_days,
        language: config.language.map(Language::code),
    };
    let status = api::write_status(&status, page::version(), language.code(), &settings);
    Ok(reply::json(&status))
}
