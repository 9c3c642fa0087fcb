//! What a person does with an ask over HTTP or in a chat client's card: save a draft, answer,
//! decline, ask back. A fault of the hub becomes a problem document.

use std::sync::Arc;

use ask_core::{Ancestry, AskId, Draft, Json, Record, Settlement};
use ask_protocol::api;
use ask_protocol::ipc::{Request, Response as Said, Verdict};

use crate::client::Client;
use crate::http::problem::{Problem, ProblemKind};

/// Sends a request to the hub.
///
/// # Errors
/// A fault of the hub, as a problem.
pub async fn say(client: &Client, request: Request) -> Result<Said, Problem> {
    match client.say(request).await? {
        Said::Fault { kind, text } => Err((kind, text).into()),
        said => Ok(said),
    }
}

/// Saves a draft and returns its revision.
///
/// # Errors
/// The ask is closed, or another draft was saved after revision `built_on`.
pub async fn keep(
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
    match (say(client, request).await?, built_on) {
        (Said::Done { .. }, Some(built_on)) => Ok(built_on.saturating_add(1)),
        (Said::Done { .. }, None) => {
            let id = id.as_str().to_owned();
            match say(client, Request::Get { id }).await? {
                Said::Record(record) if !record.is_answerable() => {
                    Err(closed(Arc::unwrap_or_clone(record)))
                }
                Said::Record(record) => Ok(record.draft.as_ref().map_or(0, |saved| saved.revision)),
                other => Err(Problem::unexpected_response(&other)),
            }
        }
        (Said::Record(record), _) if record.is_answerable() => {
            let said = "somebody else has filled it in meanwhile: nothing was kept";
            Err(Problem::with_ask(
                ProblemKind::DraftChanged,
                said,
                Arc::unwrap_or_clone(record),
            ))
        }
        (Said::Record(record), _) => Err(closed(Arc::unwrap_or_clone(record))),
        (other, _) => Err(Problem::unexpected_response(&other)),
    }
}

/// The verdict for answers in a request's body.
///
/// # Errors
/// The answers don't fit the ask's questions; every fault is listed.
pub fn answer(record: &Record, said: &Json) -> Result<Verdict, Problem> {
    let read = api::read_answering(&record.ask, said);
    let (draft, gaps) = read.map_err(|problem| {
        let problems = api::of_refusal(&problem.clone().into());
        Problem::new(ProblemKind::InvalidAnswer, problem.to_string()).naming(problems)
    })?;
    match draft.clone().finish(&record.ask, gaps) {
        Ok(_) => Ok(Verdict::Answer { draft, gaps }),
        Err(unfinished) => {
            let problems = api::of_unfinished(&record.ask, &unfinished);
            Err(Problem::new(ProblemKind::InvalidAnswer, unfinished.to_string()).naming(problems))
        }
    }
}

/// The verdict for a declined ask. A blank reason is dropped.
pub fn decline(reason: Option<String>) -> Verdict {
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    Verdict::Decline { reason }
}

/// The verdict for a question back to the agent.
///
/// # Errors
/// The text is blank.
pub fn clarify(words: String) -> Result<Verdict, Problem> {
    match words.trim().is_empty() {
        true => Err(Problem::new(
            ProblemKind::InvalidAnswer,
            "say what you want to know",
        )),
        false => Ok(Verdict::Clarify { words }),
    }
}

/// Closes an ask and returns its record.
///
/// # Errors
/// Another attempt closed it first.
pub async fn close(client: &Client, request: Request) -> Result<Record, Problem> {
    match say(client, request).await? {
        Said::Settled { won: true, record } => Ok(Arc::unwrap_or_clone(record)),
        Said::Settled { won: false, record } => Err(closed(Arc::unwrap_or_clone(record))),
        other => Err(Problem::unexpected_response(&other)),
    }
}

fn closed(record: Record) -> Problem {
    let on = record.settlement();
    let on = on.map_or_else(|| "elsewhere".to_owned(), Settlement::place);
    let said = format!(
        "it was closed before: {} on {on}; nothing of yours was sent",
        record.state_word()
    );
    Problem::with_ask(ProblemKind::Closed, said, record)
}

/// Snoozes or extends an ask, and returns its record.
pub async fn change(client: &Client, request: Request) -> Result<Record, Problem> {
    match say(client, request).await? {
        Said::Record(record) => Ok(Arc::unwrap_or_clone(record)),
        other => Err(Problem::unexpected_response(&other)),
    }
}
