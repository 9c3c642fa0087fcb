//! What the HTTP API says about devices.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::native::{Moment, Scope};
use ask_core::Time;
use ask_core::devices::Permission;

pub use crate::native::Pairing;

/// How whoever listens reaches the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether from the hub's own machine.
    pub is_here: bool,
    /// Whether nobody on the way can read along.
    pub is_encrypted: bool,
    /// What they may.
    pub may: Permission,
}

/// Who a page is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Session<'a> {
    /// Whether nobody on the way can read along.
    encrypted: bool,
    /// Whether it comes from the hub's own machine.
    local: bool,
    /// Its id, as sessions are listed with it; left out for a program with a token.
    id: Option<String>,
    /// Left out for a browser of this machine.
    device: Option<SessionDevice<'a>>,
}

/// The device that a page is shown on.
#[derive(Serialize, ToSchema)]
struct SessionDevice<'a> {
    name: &'a str,
    scope: Scope,
}

impl<'a> Session<'a> {
    /// A device by its name and what it may, or a browser of this machine.
    pub fn of(id: Option<String>, device: Option<(&'a str, Permission)>, reach: &Reach) -> Self {
        Self {
            id,
            encrypted: reach.is_encrypted,
            local: reach.is_here,
            device: device.map(|(name, may)| SessionDevice {
                name,
                scope: Scope(may),
            }),
        }
    }
}

/// That a device's request was taken in.
#[derive(Serialize, ToSchema)]
pub struct Paired<'a> {
    /// What the device asks after it with.
    request: &'a str,
    /// Two digits that the computer shows, too.
    number: &'a str,
    /// Until when the person may say yes.
    until: Moment,
}

impl<'a> Paired<'a> {
    /// A request, the number that both sides show, and until when the person may say yes.
    pub fn new(request: &'a str, number: &'a str, until: Time) -> Self {
        Self {
            request,
            number,
            until: Moment(until),
        }
    }
}

/// How a device's request stands.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum PairState {
    /// Nobody has said anything.
    Waiting,
    /// The person said yes.
    Allowed {
        /// What the device may.
        scope: Scope,
    },
    /// The person said no.
    Refused,
    /// Nobody has said anything in time.
    Over,
    /// It is not known, or no more: the device asks once more.
    Anew,
}
