//! The parts of the OpenAPI document that no handler carries itself: the access to a route, and how
//! requests fail.

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

use super::auth::{Access, Devices, Scope};
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

/// Adds the credentials of these routes.
pub(crate) fn secure(paths: &mut Paths, access: Access) {
    let none: [&str; 0] = [];
    let shown: &[&str] = match access.scope {
        Scope::Nobody => &[],
        Scope::Ask => &["ask", "answer", "page"],
        Scope::Answer => &["answer", "page"],
    };
    let shown = shown
        .iter()
        .map(|name| SecurityRequirement::new(*name, none));
    let device = match access.devices {
        Devices::Never | Devices::WithKey | Devices::Always | Devices::Strangers => None,
        Devices::See => Some(SecurityRequirement::new("device", ["see"])),
        Devices::Answer => Some(SecurityRequirement::new("device", ["answer"])),
    };
    let security: Vec<_> = shown.chain(device).collect();
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
    ($($name:ident: $($kind:ident)|+, $says:literal;)+) => {$(
        #[doc = concat!("A request may fail: ", $says, ".")]
        pub(crate) struct $name;

        impl $name {
            fn failure() -> Failure {
                failure(&[$(ProblemKind::$kind),+], $says)
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
fn failure(kinds: &[ProblemKind], says: &'static str) -> Failure {
    let rows = kinds.iter().map(|kind| kind.row());
    Failure {
        status: rows.clone().next().map_or(500, |(_, status, _)| status),
        kinds: rows.map(|(name, _, _)| name).collect(),
        says,
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

    NoAsk: NotFound | Ambiguous, "there is no such ask";
    NoFile: NotFound, "there is no such file";
    NoRequest: NotFound | NotWaiting, "the request no longer waits";
    NoDevice: NotFound | NotWaiting, "there is no such device";
    WrongKey: WrongKey | NoCredential, "the key was used, has expired or never existed";
    NoInvitation: WrongKey, "the invitation was used, has expired or never existed";
    NoProof: NoCredential, "a device that comes by HTTPS proves no key";
    NotHere: WrongScope | DevicesOff | ForeignOrigin, "only this machine may use this address, or devices are turned off";
    Closed: Closed, "the ask is already closed; `record` says how";
    Changed: DraftChanged | Closed, "another draft was saved meanwhile; `record` has it";
    WaitsNot: NotWaiting, "the ask does not wait, or can't be changed like that";
    StillWanted: StillOpen | Undelivered, "the ask is still open, or its agent has not received the outcome";
    CannotPair: PairingUnavailable, "pairing is not possible with these settings or at this address";
    UnfitAsk: InvalidAsk | KeyReused, "the ask is not valid (`problems` says where), or the key belongs to another ask";
    Unfit: InvalidAnswer | KeyReused, "the answer does not fit the questions; `problems` says where";
    Empty: InvalidValue, "the file is empty";
    Over: InvalidValue, "the time is in the past";
    TooOften: TooMany, "too many requests in this minute; Retry-After says when to try again";
    Full: TooMany, "too much is open or kept already";
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
    fn the_document_is_this() {
        insta::assert_snapshot!("openapi", format!("{:#}", document("0.0.0")));
    }

    #[test]
    fn what_is_named_is_there_and_each_operation_has_a_name_of_its_own() {
        let document = document("0");
        let text = document.to_string();
        for part in text.split("\"#/").skip(1) {
            let name = part.split('"').next().unwrap();
            assert!(document.pointer(&format!("/{name}")).is_some(), "{name}");
        }
        let names: Vec<&str> = text
            .split("\"operationId\":\"")
            .skip(1)
            .map(|part| part.split('"').next().unwrap())
            .collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
