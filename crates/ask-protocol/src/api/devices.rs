//! What the HTTP API returns about devices.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::native::{Moment, Scope};
use ask_core::Time;
use ask_core::devices::Permission;

pub(super) use crate::native::Pairing;

/// How a client is connected to the hub, and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAccess {
    /// Whether it is on the hub's own machine.
    pub is_local: bool,
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
    /// What the client may do.
    pub may: Permission,
}

/// The session of a page.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Session<'a> {
    /// Whether the connection is encrypted.
    encrypted: bool,
    /// Whether it is on the hub's own machine.
    local: bool,
    /// The id of the session; missing for a program with a token.
    id: Option<String>,
    /// The paired device; missing for a browser of this machine.
    device: Option<SessionDevice<'a>>,
}

/// The device on which a page is shown.
#[derive(Serialize, ToSchema)]
struct SessionDevice<'a> {
    name: &'a str,
    scope: Scope,
}

impl<'a> Session<'a> {
    /// The session of a device, by its name and permission, or of a browser of this machine.
    pub fn for_device(
        id: Option<String>,
        device: Option<(&'a str, Permission)>,
        access: &ClientAccess,
    ) -> Self {
        Self {
            id,
            encrypted: access.is_encrypted,
            local: access.is_local,
            device: device.map(|(name, may)| SessionDevice {
                name,
                scope: Scope(may),
            }),
        }
    }
}

/// The response to a request to be paired.
#[derive(Serialize, ToSchema)]
pub struct Paired<'a> {
    /// The secret with which the device reads the state of its request.
    request: &'a str,
    /// Two digits, which the computer shows, too.
    number: &'a str,
    /// Until when the person may accept the request.
    until: Moment,
}

impl<'a> Paired<'a> {
    /// A request, the number that both sides show, and until when the person can accept it.
    pub fn new(request: &'a str, number: &'a str, until: Time) -> Self {
        Self {
            request,
            number,
            until: Moment(until),
        }
    }
}

/// The state of a device's request.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum PairState {
    /// The person has not decided yet.
    Waiting,
    /// The person accepted the device.
    Allowed {
        /// What the device may do.
        scope: Scope,
    },
    /// The person refused the device.
    Refused,
    /// The request has expired.
    Over,
    /// The request is unknown, for example after a restart: the device has to send a new one.
    Anew,
}
