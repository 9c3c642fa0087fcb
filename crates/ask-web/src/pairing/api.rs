//! The API of pairing: a device's requests for admission, and the person's actions at the computer.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use ask_core::Ancestry;
use ask_core::devices::{self, PairingCommand};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{Decision, Invited, PairState, Paired, PairingOn, Session};
use ask_protocol::ipc::{Request, Response as Said};
use ask_protocol::native::{Pairing, Scope};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use tokio::time::{Instant, timeout_at};

use super::PairingUnavailable;
use super::invitation::{Shown, Tried};
use super::join_requests::RequestStatus;
use super::qr::Qr;
use crate::auth::{NewKey, Sender};
use crate::openapi::{CannotPair, NoDevice, NoInvitation, NoProof, NoRequest, NotHere, TooOften};
use crate::origin::RequestOrigin;
use crate::request::Call;
use crate::sessions::{DeviceAccess, Through};
use crate::{Web, cookie};

/// How long the response to a device that polls its request is held.
const HELD: Duration = Duration::from_secs(25);

/// Get the identity of this page, and its connection to the hub
#[utoipa::path(
    get,
    path = "/v1/session",
    responses((status = 200, description = "Done", body = Session<'static>))
)]
pub(crate) async fn session(call: Call) -> Response {
    let device = match &call.who {
        Sender::Device(device) => Some((device.name.as_str(), device.may)),
        Sender::Nobody | Sender::Agent | Sender::Program | Sender::Page(_) => None,
    };
    let id = call.who.session().map(super::shortened);
    reply::json(&Session::for_device(id, device, &call.reach()))
}

/// The origin of a device's request.
///
/// # Errors
/// The request comes from this machine, which needs no pairing.
fn from(call: &Call) -> Result<(IpAddr, Through), Problem> {
    match call.way {
        RequestOrigin::From {
            address, through, ..
        } => Ok((address, through)),
        RequestOrigin::Here => Err(Problem::new(
            ProblemKind::WrongScope,
            "Devices can't connect to this address. `ask-user pair` prints the right one.",
        )),
    }
}

/// Request admission, as a device with an invitation
#[utoipa::path(
    post,
    path = "/v1/pair",
    request_body = Invited,
    responses((status = 202, description = "Done", body = Paired<'static>), NoInvitation, NotHere, TooOften)
)]
pub(crate) async fn pair(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let from = from(&call)?;
    let asked: Invited = call.json()?;
    let shown = match (asked.secret, asked.code) {
        (Some(secret), _) => Shown::Secret(secret),
        (None, Some(code)) => Shown::Code(code),
        (None, None) => {
            return Err(Problem::new(ProblemKind::Malformed, "send secret or code"));
        }
    };
    match web
        .pairing_service
        .meet(&shown, &asked.name.unwrap_or_default(), from)
    {
        Ok(made) => {
            let said = Paired::new(&made.secret, &made.number, made.until);
            Ok(reply::json_with_status(StatusCode::ACCEPTED, &said))
        }
        Err(PairingUnavailable::Wrong(tried)) => {
            Err(wrong(tried).with_challenge(call.way.challenge()))
        }
        Err(PairingUnavailable::TooOften(seconds)) => Err(Problem::too_many(
            "too many tries came from this address: wait a moment",
            seconds,
        )),
    }
}

/// The problem for an invalid invitation or code, with the attempts that are left.
fn wrong(tried: Tried) -> Problem {
    let (said, tries) = match tried {
        Tried::Good | Tried::Wrong => (
            "this invitation was used before, is older than three minutes, or never was one: run `ask-user pair` at the computer for another".to_owned(),
            None,
        ),
        Tried::Missed(left) => (
            format!("this is not the code: {left} more may be tried, then the computer shows another"),
            Some((left, true)),
        ),
        Tried::Ended { another: true } => (
            "this was the fifth wrong code, so it holds no more: the computer shows another".to_owned(),
            Some((0, true)),
        ),
        Tried::Ended { another: false } => (
            "too many wrong codes were tried, so none is taken: use the link, or run `ask-user pair` at the computer for another".to_owned(),
            Some((0, false)),
        ),
    };
    Problem::new(ProblemKind::WrongKey, said).with_tries(tries)
}

/// Get the state of an admission request; while undecided, the response takes up to 25 seconds
#[utoipa::path(
    get,
    path = "/v1/pair/{request}",
    operation_id = "pairState",
    params(
        ("request" = String, Path, description = "The secret of a device's request"),
        ("DPoP" = Option<String>, Header, description = "By HTTPS, a proof of the key that the session is bound to"),
    ),
    responses((
            status = 200,
            description = "Done",
            body = PairState,
            headers(("Set-Cookie" = String, description = "The cookie, with the first `allowed`")),
        ), NoProof, NotHere)
)]
pub(crate) async fn stands(
    State(web): State<Arc<Web>>,
    NewKey(key): NewKey,
    call: Call,
) -> Result<Response, Problem> {
    let (_, through) = from(&call)?;
    let key = key?;
    let until = Instant::now() + HELD;
    let mut changed = web.pairing_service.watch();
    loop {
        changed.mark_unchanged();
        match web.pairing_service.stands(&call.part, through) {
            RequestStatus::Waiting => {
                if !matches!(timeout_at(until, changed.changed()).await, Ok(Ok(()))) {
                    return Ok(reply::json(&PairState::Waiting));
                }
            }
            RequestStatus::Refused => return Ok(reply::json(&PairState::Refused)),
            RequestStatus::Anew => return Ok(reply::json(&PairState::Anew)),
            RequestStatus::Over => return Ok(reply::json(&PairState::Over)),
            RequestStatus::Allowed { name, may, through } => {
                let access = DeviceAccess { may, through };
                let cookie = web.pairing_service.admit(&name, access, key).await;
                let mut response = reply::json(&PairState::Allowed { scope: Scope(may) });
                if let Some(cookie) = cookie::session_cookie(&web, &cookie, call.way) {
                    response.headers_mut().insert(header::SET_COOKIE, cookie);
                }
                return Ok(response);
            }
        }
    }
}

/// Get the state of pairing: its address, invitation, waiting devices and paired devices
#[utoipa::path(
    get,
    path = "/v1/pairing",
    operation_id = "pairing",
    responses((status = 200, description = "Done", body = Pairing<'static>))
)]
pub(crate) async fn look(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    does(&web, PairingCommand::Look, None).await
}

/// Turn pairing on, with a new invitation
#[utoipa::path(
    post,
    path = "/v1/pairing",
    operation_id = "pairingOn",
    request_body = PairingOn,
    responses((status = 200, description = "Done", body = Pairing<'static>), CannotPair)
)]
pub(crate) async fn pairing_on(
    State(web): State<Arc<Web>>,
    call: Call,
) -> Result<Response, Problem> {
    let on = PairingCommand::On(call.json::<PairingOn>()?.into());
    does(&web, on, call.sender(&web).await).await
}

/// Turn pairing off, and disconnect devices
#[utoipa::path(
    delete,
    path = "/v1/pairing",
    operation_id = "pairingOff",
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn pairing_off(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    does(&web, PairingCommand::Off, None).await?;
    Ok(reply::no_content())
}

/// Admit or refuse a device that waits
#[utoipa::path(
    post,
    path = "/v1/pairing/requests/{request}",
    params(("request" = String, Path, description = "The id of the request")),
    request_body = Decision,
    responses((status = 200, description = "Done", body = Pairing<'static>), NoRequest)
)]
pub(crate) async fn decide(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let Decision { allow, scope } = call.json()?;
    let request = call.part.clone();
    let decide = PairingCommand::Decide {
        request,
        allow,
        may: scope.map(|scope| scope.0),
    };
    does(&web, decide, call.sender(&web).await).await
}

/// Remove a paired device, or sign out a browser of this machine
#[utoipa::path(
    delete,
    path = "/v1/devices/{device}",
    params(("device" = String, Path, description = "The id of the device or the browser")),
    responses((status = 204, description = "Done"), NoDevice)
)]
pub(crate) async fn revoke(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let device = call.part.clone();
    does(&web, PairingCommand::Revoke { device }, None).await?;
    Ok(reply::no_content())
}

/// Sign out all browsers of this machine, and remove all paired devices
#[utoipa::path(
    delete,
    path = "/v1/devices",
    operation_id = "revokeAll",
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn revoke_all(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    does(&web, PairingCommand::RevokeAll, None).await?;
    Ok(reply::no_content())
}

async fn does(
    web: &Web,
    command: PairingCommand,
    sender: Option<Arc<Ancestry>>,
) -> Result<Response, Problem> {
    let said = web.say(Request::Pairing { command, sender }).await;
    match said.map_err(|problem| problem.without_ask(ProblemKind::PairingUnavailable))? {
        Said::Pairing(pairing) => Ok(reply::json(&shown(&pairing))),
        other => Err(Problem::unexpected_response(&other)),
    }
}

/// The pairing state, with the invitation as a QR code.
fn shown(pairing: &devices::Pairing) -> Pairing<'_> {
    let qr = pairing.invitation.as_ref();
    let qr = qr.and_then(|invitation| Qr::encode(&invitation.url));
    Pairing::from(pairing).with_qr(qr.map(|qr| (qr.size, qr.path())))
}
