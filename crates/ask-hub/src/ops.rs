//! What a person can do with an ask over HTTP or in a chat client's card: save a draft, answer,
//! decline or ask back. A fault of the hub becomes a problem document.

use std::sync::Arc;

use ask_core::{Ancestry, AskId, Draft, Json, Record, Settlement};
use ask_protocol::api;
use ask_protocol::ipc::{Request, Response, Verdict};

use crate::client::Client;
use crate::http::problem::{Problem, ProblemKind};

/// Sends a request to the hub.
///
/// # Errors
/// A fault of the hub, as a problem.
pub async fn send(client: &Client, request: Request) -> Result<Response, Problem> {
    match client.send(request).await? {
        Response::Fault { kind, text } => Err((kind, text).into()),
        response => Ok(response),
    }
}

/// Saves a draft and returns its revision.
///
/// # Errors
/// The ask is closed, or another draft was saved after revision `built_on`.
pub async fn save_draft(
    client: &Client,
    id: AskId,
    draft: Draft,
    surface: &str,
    built_on: Option<u64>,
    sender: Option<Arc<Ancestry>>,
) -> Result<u64, Problem> {
    let request = Request::SaveDraft {
        id: id.clone(),
        draft,
        surface: surface.to_owned(),
        built_on,
        sender,
    };
    match (send(client, request).await?, built_on) {
        (Response::Done { count: 1.. }, Some(built_on)) => Ok(built_on.saturating_add(1)),
        (Response::Done { .. }, _) => {
            let id = id.as_str().to_owned();
            match send(client, Request::Get { id }).await? {
                Response::Record(record) if !record.is_answerable() => {
                    Err(already_closed(Arc::unwrap_or_clone(record)))
                }
                Response::Record(record) => {
                    Ok(record.draft.as_ref().map_or(0, |saved| saved.revision))
                }
                other => Err(Problem::unexpected_response(&other)),
            }
        }
        (Response::Record(record), _) if record.is_answerable() => {
            let detail = "somebody else has filled it in meanwhile: nothing was kept";
            Err(Problem::with_ask(
                ProblemKind::DraftChanged,
                detail,
                Arc::unwrap_or_clone(record),
            ))
        }
        (Response::Record(record), _) => Err(already_closed(Arc::unwrap_or_clone(record))),
        (other, _) => Err(Problem::unexpected_response(&other)),
    }
}

/// The verdict for answers in a request's body.
///
/// # Errors
/// The answers don't fit the ask's questions; the problem lists every fault.
pub fn answer_verdict(record: &Record, answers: &Json) -> Result<Verdict, Problem> {
    let parsed = api::read_answering(&record.ask, answers);
    let (draft, gaps) = parsed.map_err(|problem| {
        let problems = api::of_refusal(&problem.clone().into());
        Problem::new(ProblemKind::InvalidAnswer, problem.to_string()).with_problems(problems)
    })?;
    match draft.clone().finish(&record.ask, gaps) {
        Ok(_) => Ok(Verdict::Answer { draft, gaps }),
        Err(unfinished) => {
            let problems = api::of_unfinished(&record.ask, &unfinished);
            Err(
                Problem::new(ProblemKind::InvalidAnswer, unfinished.to_string())
                    .with_problems(problems),
            )
        }
    }
}

/// The verdict for a declined ask. A blank reason is dropped.
pub fn decline_verdict(reason: Option<String>) -> Verdict {
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    Verdict::Decline { reason }
}

/// The verdict for a question back to the agent.
///
/// # Errors
/// The text is blank.
pub fn clarify_verdict(text: String) -> Result<Verdict, Problem> {
    if text.trim().is_empty() {
        let detail = "say what you want to know";
        return Err(Problem::new(ProblemKind::InvalidAnswer, detail));
    }
    Ok(Verdict::Clarify { words: text })
}

/// Closes an ask and returns its record.
///
/// # Errors
/// Another attempt closed it first.
pub async fn settle(client: &Client, request: Request) -> Result<Record, Problem> {
    match send(client, request).await? {
        Response::Settled { won: true, record } => Ok(Arc::unwrap_or_clone(record)),
        Response::Settled { won: false, record } => {
            Err(already_closed(Arc::unwrap_or_clone(record)))
        }
        other => Err(Problem::unexpected_response(&other)),
    }
}

fn already_closed(record: Record) -> Problem {
    let place = record.settlement();
    let place = place.map_or_else(|| "elsewhere".to_owned(), Settlement::place);
    let detail = format!(
        "it was closed before: {} on {place}; nothing of yours was sent",
        record.state_word()
    );
    Problem::with_ask(ProblemKind::Closed, detail, record)
}

/// Snoozes or extends an ask, and returns its record.
pub async fn change_ask(client: &Client, request: Request) -> Result<Record, Problem> {
    match send(client, request).await? {
        Response::Record(record) => Ok(Arc::unwrap_or_clone(record)),
        other => Err(Problem::unexpected_response(&other)),
    }
}
