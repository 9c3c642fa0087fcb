//! What the OpenAPI document says that no handler says of itself: who may use a route, and how requests
//! fail.

use std::collections::BTreeMap;

use ask_core::Json;
use ask_hub::http::problem::Kind;
use ask_hub::http::reply;
use ask_protocol::api::{self, Failure};
use axum::response::Response;
use utoipa::IntoResponses;
use utoipa::openapi::path::Paths;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{PathItem, RefOr, Response as Described};

use super::auth::{Access, Devices, Scope};
use super::router;

/// A sign of life
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, description = "Done", body = String, content_type = "text/plain"))
)]
pub async fn alive() -> Response {
    reply::text("ok\n")
}

/// This document
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "Done", body = Object, content_type = "application/json"))
)]
pub async fn describe() -> Response {
    reply::json(&document(&ask_hub::version()))
}

/// The document, for a hub of this version.
fn document(version: &str) -> Json {
    api::write_document(&router::openapi(), version, &shared())
}

/// Says which credentials open routes.
pub fn secure(paths: &mut Paths, access: Access) {
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
        pub struct $name;

        impl $name {
            fn failure() -> Failure {
                failure(&[$(Kind::$kind),+], $says)
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

/// The kinds of one status.
fn failure(kinds: &[Kind], says: &'static str) -> Failure {
    let rows = kinds.iter().map(|kind| kind.row());
    Failure {
        status: rows.clone().next().map_or(500, |(_, status, _)| status),
        kinds: rows.map(|(name, _, _)| name).collect(),
        says,
    }
}

failures! {
    Unreadable: Malformed, "the request can't be read: its body, or a word of its query";
    Unknown: NoCredential | WrongKey, "no credential, or none that holds";
    Forbidden: WrongScope | NotAllowed | DevicesOff | ForeignOrigin | NoCsrfHeader,
        "not with this credential, not by a page of another site, or not by a device now";
    TooLarge: TooLarge, "the body is too large";
    Foreign: ForeignHost, "the hub is not called so";
    Unavailable: Store | NoHub | Unanswered,
        "the hub, its store or a disk can't be reached now, or too many are connected";

    NoAsk: NotFound | Ambiguous, "there is no such ask";
    NoFile: NotFound, "no such file is kept";
    NoRequest: NotFound | NotWaiting, "it waits no more";
    NoDevice: NotFound | NotWaiting, "there is no such device";
    WrongKey: WrongKey | NoCredential, "the key was used, is too old, or never was one";
    NoInvitation: WrongKey, "the invitation was used, is too old, or never was one";
    NoProof: NoCredential, "a device that comes by HTTPS proves no key";
    NotHere: WrongScope | DevicesOff | ForeignOrigin, "this address is of this machine alone, or no device may come now";
    Closed: Closed, "it was closed before; `record` says how";
    Changed: DraftChanged | Closed, "somebody saved since; `record` has what";
    WaitsNot: NotWaiting, "it does not wait, or can't be changed so";
    StillWanted: NotWaiting | Undelivered, "it waits, or its agent has not been told";
    NoWayIn: NoWayIn, "devices can't come there, or not as was meant";
    Unfit: Unfit | KeyReused, "what was sent does not fit; `problems` says where";
    Empty: Unfit, "it is empty";
    Over: Unfit, "the time is over already";
    TooOften: TooMany, "too much in this minute; Retry-After says when to come again";
    Full: TooMany, "so much is open or kept already that no more is taken";
}

/// How any request may fail, whatever it wants.
fn shared() -> [Failure; 6] {
    let mut unavailable = Unavailable::failure();
    // What has no room for a request says so before there is one.
    unavailable.kinds.push("no-room");
    [
        Unreadable::failure(),
        Unknown::failure(),
        Forbidden::failure(),
        TooLarge::failure(),
        Foreign::failure(),
        unavailable,
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
