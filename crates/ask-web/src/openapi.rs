//! The parts of the OpenAPI document that the attributes of handlers lack: who may use a route, and
//! how requests fail.

use std::collections::BTreeMap;

use ask_core::Json;
use ask_hub::http::problem::ProblemKind;
use ask_hub::http::reply;
use ask_protocol::api::{self, Failure};
use axum::response::Response;
use utoipa::IntoResponses;
use utoipa::openapi::path::Paths;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{PathItem, RefOr, Response as Described};

use super::auth::{Access, DeviceRule, Scope};
use super::router;

/// Check that the hub responds
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, description = "Done", body = String, content_type = "text/plain"))
)]
pub(crate) async fn alive() -> Response {
    reply::text("ok\n")
}

/// Get this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "Done", body = Object, content_type = "application/json"))
)]
pub(crate) async fn describe() -> Response {
    reply::json(&document(&ask_hub::version()))
}

/// The document of a hub with this version.
fn document(version: &str) -> Json {
    api::write_document(&router::openapi(), version, &shared())
}

/// Adds the credentials that permit the use of these routes.
pub(crate) fn secure(paths: &mut Paths, access: Access) {
    let no_scopes: [&str; 0] = [];
    let tokens: &[&str] = match access.scope {
        Scope::None => &[],
        Scope::Ask => &["ask", "answer", "page"],
        Scope::Answer => &["answer", "page"],
    };
    let tokens = tokens
        .iter()
        .map(|name| SecurityRequirement::new(*name, no_scopes));
    let device = match access.devices {
        DeviceRule::Never | DeviceRule::WithKey | DeviceRule::Always | DeviceRule::Unpaired => None,
        DeviceRule::See => Some(SecurityRequirement::new("device", ["see"])),
        DeviceRule::Answer => Some(SecurityRequirement::new("device", ["answer"])),
    };
    let security: Vec<_> = tokens.chain(device).collect();
    for item in paths.paths.values_mut() {
        let PathItem {
            get,
            post,
            put,
            delete,
            ..
        } = item;
        for operation in [get, post, put, delete].into_iter().flatten() {
            operation.security = Some(security.clone());
        }
    }
}

macro_rules! failures {
    ($($name:ident: $($kind:ident)|+, $description:literal;)+) => {$(
        #[doc = concat!("A request may fail: ", $description, ".")]
        pub(crate) struct $name;

        impl $name {
            fn failure() -> Failure {
                failure(&[$(ProblemKind::$kind),+], $description)
            }
        }

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Described>> {
                let failure = Self::failure();
                [(failure.status.to_string(), failure.response())].into()
            }
        }
    )+};
}

/// The description of several problem kinds with one status.
fn failure(kinds: &[ProblemKind], description: &'static str) -> Failure {
    let rows = kinds.iter().map(|kind| kind.row());
    Failure {
        status: rows.clone().next().map_or(500, |(_, status, _)| status),
        kinds: rows.map(|(name, _, _)| name).collect(),
        says: description,
    }
}

failures! {
    Unreadable: Malformed, "the body can't be read, or a query parameter is unknown or repeated";
    Unknown: NoCredential | WrongKey, "the credential is missing or not valid";
    Forbidden: WrongScope | NotAllowed | DevicesOff | ForeignOrigin | ForeignAccount | NoCsrfHeader,
        "this credential, page, account or device may not do that";
    TooLarge: TooLarge, "the body is too large";
    Foreign: ForeignHost, "the request names a host that is not the hub's";
    Unavailable: StorageFailed | StorageTimeout | HubUnavailable | Overloaded,
        "the hub or its store can't be reached now, or there are too many connections";

    AskNotFound: NotFound | Ambiguous, "there is no such ask";
    FileNotFound: NotFound, "there is no such file";
    RequestNotFound: NotFound | NotWaiting, "the request no longer waits";
    DeviceNotFound: NotFound | NotWaiting, "there is no such device";
    InvalidKey: WrongKey | NoCredential, "the key was used, has expired or never existed";
    InvalidInvitation: WrongKey, "the invitation was used, has expired or never existed";
    MissingProof: NoCredential, "a device that connects by HTTPS doesn't prove its key";
    NotPermitted: WrongScope | DevicesOff | ForeignOrigin, "only this machine may use this address, or devices are turned off";
    AskClosed: Closed, "the ask is already closed; `record` says how";
    DraftConflict: DraftChanged | Closed, "another draft was saved meanwhile; `record` has it";
    NotOpen: NotWaiting, "the ask does not wait, or can't be changed like that";
    AskInUse: StillOpen | Undelivered, "the ask is still open, or its agent has not received the outcome";
    CannotTurnOn: PairingUnavailable, "pairing is not possible with these settings or at this address";
    AskRefused: InvalidAsk | KeyReused, "the ask is not valid (`problems` says where), or the key belongs to another ask";
    AnswerRefused: InvalidAnswer | KeyReused, "the answer does not fit the questions; `problems` says where";
    EmptyFile: InvalidValue, "the file is empty";
    TimePassed: InvalidValue, "the time is in the past";
    RateLimited: TooMany, "too many requests in this minute; Retry-After says when to try again";
    LimitReached: TooMany, "too many streams are open, or too many files are stored";
}

/// How any request may fail.
fn shared() -> [Failure; 6] {
    [
        Unreadable::failure(),
        Unknown::failure(),
        Forbidden::failure(),
        TooLarge::failure(),
        Foreign::failure(),
        Unavailable::failure(),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_document_matches_the_snapshot() {
        insta::assert_snapshot!("openapi", format!("{:#}", document("0.0.0")));
    }

    #[test]
    fn references_resolve_and_operation_ids_are_unique() {
        let document = document("0");
        let text = document.to_string();
        for reference in text.split("\"#/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(document.pointer(&format!("/{name}")).is_some(), "{name}");
        }
        let ids: Vec<&str> = text
            .split("\"operationId\":\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
}
