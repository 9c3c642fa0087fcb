//! The HTTP API of pairing: a device's requests for admission, and the person's actions at the
//! computer.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use ask_core::Ancestry;
use ask_core::devices::{self, PairingCommand};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{Decision, Invited, PairState, Paired, PairingOn, Session};
use ask_protocol::ipc::{Request, Response as HubResponse};
use ask_protocol::native::{Pairing, Scope};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use tokio::time::{Instant, timeout_at};

use super::AdmissionError;
use super::invitation::{Credential, Redemption};
use super::join_requests::RequestStatus;
use super::qr::Qr;
use crate::auth::{NewKey, Requester};
use crate::openapi::{
    CannotTurnOn, DeviceNotFound, InvalidInvitation, MissingProof, NotPermitted, RateLimited,
    RequestNotFound,
};
use crate::origin::RequestOrigin;
use crate::request::ApiRequest;
use crate::sessions::{DeviceAccess, Transport};
use crate::{Web, cookie};

/// How long the response to a device that polls its request waits for a decision.
const MAX_HELD: Duration = Duration::from_secs(25);

/// Get the identity of this page, and its connection to the hub
#[utoipa::path(
    get,
    path = "/v1/session",
    responses((status = 200, description = "Done", body = Session<'static>))
)]
pub(crate) async fn session(request: ApiRequest) -> Response {
    let device = match &request.requester {
        Requester::Device(device) => Some((device.name.as_str(), device.may)),
        Requester::Unknown | Requester::Agent | Requester::Program | Requester::Page(_) => None,
    };
    let id = request.requester.session().map(super::shortened);
    reply::json(&Session::for_device(id, device, &request.client_access()))
}

/// The address of a device, and how it connects.
///
/// # Errors
/// The request comes from this machine, which needs no pairing.
fn remote_address(request: &ApiRequest) -> Result<(IpAddr, Transport), Problem> {
    match request.origin {
        RequestOrigin::Remote {
            address, transport, ..
        } => Ok((address, transport)),
        RequestOrigin::Local => Err(Problem::new(
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
    responses((status = 202, description = "Done", body = Paired<'static>), InvalidInvitation, NotPermitted, RateLimited)
)]
pub(crate) async fn pair(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let client = remote_address(&request)?;
    let invited: Invited = request.json()?;
    let credential = match (invited.secret, invited.code) {
        (Some(secret), _) => Credential::Secret(secret),
        (None, Some(code)) => Credential::Code(code),
        (None, None) => {
            return Err(Problem::new(
                ProblemKind::Malformed,
                "send `secret` or `code`",
            ));
        }
    };
    match web.pairing_service.request_admission(
        &credential,
        &invited.name.unwrap_or_default(),
        client,
    ) {
        Ok(added) => {
            let paired = Paired::new(&added.secret, &added.number, added.until);
            Ok(reply::json_with_status(StatusCode::ACCEPTED, &paired))
        }
        Err(AdmissionError::Invalid(redemption)) => {
            Err(invalid_invitation(redemption).with_challenge(request.origin.challenge()))
        }
        Err(AdmissionError::TooMany(seconds)) => Err(Problem::too_many(
            "too many attempts came from this address: wait a moment",
            seconds,
        )),
    }
}

/// The problem for an invalid invitation or code, with the attempts that are left.
fn invalid_invitation(redemption: Redemption) -> Problem {
    let (message, attempts) = match redemption {
        Redemption::Valid | Redemption::Invalid => (
            "this invitation was used before, is older than three minutes, or never existed: run `ask-user pair` at the computer for another".to_owned(),
            None,
        ),
        Redemption::WrongCode(left) => (
            format!("this is not the code: after {left} more attempts, the computer shows another code"),
            Some((left, true)),
        ),
        Redemption::CodeEnded { is_replaced: true } => (
            "this was the fifth wrong attempt, so the code has ended: the computer shows another".to_owned(),
            Some((0, true)),
        ),
        Redemption::CodeEnded { is_replaced: false } => (
            "too many wrong codes were tried, so codes are no longer accepted: use the link, or run `ask-user pair` at the computer for another invitation".to_owned(),
            Some((0, false)),
        ),
    };
    Problem::new(ProblemKind::WrongKey, message).with_tries(attempts)
}

/// Get the state of an admission request; while undecided, the response takes up to 25 seconds
#[utoipa::path(
    get,
    path = "/v1/pair/{request}",
    operation_id = "pairState",
    params(
        ("request" = String, Path, description = "The secret of a device's request"),
        ("DPoP" = Option<String>, Header, description = "With HTTPS, a proof of the key that the session is bound to"),
    ),
    responses((
            status = 200,
            description = "Done",
            body = PairState,
            headers(("Set-Cookie" = String, description = "The cookie, with the first `allowed`")),
        ), MissingProof, NotPermitted)
)]
pub(crate) async fn request_status(
    State(web): State<Arc<Web>>,
    NewKey(key): NewKey,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let (_, transport) = remote_address(&request)?;
    let key = key?;
    let until = Instant::now() + MAX_HELD;
    let mut changed = web.pairing_service.watch();
    loop {
        changed.mark_unchanged();
        match web
            .pairing_service
            .request_status(&request.path_parameter, transport)
        {
            RequestStatus::Waiting => {
                if !matches!(timeout_at(until, changed.changed()).await, Ok(Ok(()))) {
                    return Ok(reply::json(&PairState::Waiting));
                }
            }
            RequestStatus::Refused => return Ok(reply::json(&PairState::Refused)),
            RequestStatus::Anew => return Ok(reply::json(&PairState::Anew)),
            RequestStatus::Over => return Ok(reply::json(&PairState::Over)),
            RequestStatus::Allowed {
                name,
                may,
                transport,
            } => {
                let access = DeviceAccess { may, transport };
                let cookie = web.pairing_service.admit(&name, access, key).await;
                let mut response = reply::json(&PairState::Allowed { scope: Scope(may) });
                if let Some(cookie) = cookie::set_session(&web, &cookie, request.origin) {
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
pub(crate) async fn pairing_state(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    run(&web, PairingCommand::Look, None).await
}

/// Turn pairing on, with a new invitation
#[utoipa::path(
    post,
    path = "/v1/pairing",
    operation_id = "pairingOn",
    request_body = PairingOn,
    responses((status = 200, description = "Done", body = Pairing<'static>), CannotTurnOn)
)]
pub(crate) async fn pairing_on(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let on = PairingCommand::On(request.json::<PairingOn>()?.into());
    run(&web, on, request.sender(&web).await).await
}

/// Turn pairing off, and disconnect devices
#[utoipa::path(
    delete,
    path = "/v1/pairing",
    operation_id = "pairingOff",
    responses((status = 204, description = "Done"))
)]
pub(crate) async fn pairing_off(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    run(&web, PairingCommand::Off, None).await?;
    Ok(reply::no_content())
}

/// Admit or refuse a device that waits
#[utoipa::path(
    post,
    path = "/v1/pairing/requests/{request}",
    params(("request" = String, Path, description = "The id of the request")),
    request_body = Decision,
    responses((status = 200, description = "Done", body = Pairing<'static>), RequestNotFound)
)]
pub(crate) async fn decide(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let Decision { allow, scope } = request.json()?;
    let decide = PairingCommand::Decide {
        request: request.path_parameter.clone(),
        allow,
        may: scope.map(|scope| scope.0),
    };
    run(&web, decide, request.sender(&web).await).await
}

/// Remove a paired device, or sign out a browser of this machine
#[utoipa::path(
    delete,
    path = "/v1/devices/{device}",
    params(("device" = String, Path, description = "The id of the device or the browser")),
    responses((status = 204, description = "Done"), DeviceNotFound)
)]
pub(crate) async fn revoke(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let device = request.path_parameter.clone();
    run(&web, PairingCommand::Revoke { device }, None).await?;
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
    run(&web, PairingCommand::RevokeAll, None).await?;
    Ok(reply::no_content())
}

/// Sends a pairing command to the hub.
async fn run(
    web: &Web,
    command: PairingCommand,
    sender: Option<Arc<Ancestry>>,
) -> Result<Response, Problem> {
    let response = web.send(Request::Pairing { command, sender }).await;
    match response.map_err(|problem| problem.without_ask(ProblemKind::PairingUnavailable))? {
        HubResponse::Pairing(pairing) => Ok(reply::json(&with_qr(&pairing))),
        other => Err(Problem::unexpected_response(&other)),
    }
}

/// The pairing state, with the invitation as a QR code.
fn with_qr(pairing: &devices::Pairing) -> Pairing<'_> {
    let qr = pairing.invitation.as_ref();
    let qr = qr.and_then(|invitation| Qr::encode(&invitation.url));
    Pairing::from(pairing).with_qr(qr.map(|qr| (qr.size, qr.path())))
}
