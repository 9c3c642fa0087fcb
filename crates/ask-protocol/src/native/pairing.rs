//! The state of pairing, and the person's commands about it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::text::{Moment, Scope};
use ask_core::devices::{self, On, PairingCommand};

/// The state of pairing: the invitation, the requests and the paired devices.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pairing<'a> {
    on: bool,
    encrypted: bool,
    /// Until when pairing is on; missing if it stays on until it is turned off.
    until: Option<Moment>,
    /// The URL that devices connect to.
    url: Option<Cow<'a, str>>,
    /// What the person should know, for example that the port differs from the usual one.
    remark: Option<Cow<'a, str>>,
    addresses: Vec<Address<'a>>,
    invitation: Option<Invitation<'a>>,
    requests: Vec<PairingRequest<'a>>,
    devices: Vec<Device<'a>>,
    /// Browsers of this machine that are signed in.
    #[serde(default)]
    browsers: Vec<Device<'a>>,
    /// Why the hub signed out the browsers of this machine when it started.
    signed_out: Option<Cow<'a, str>>,
}

/// An address of this machine.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Address<'a> {
    address: Cow<'a, str>,
    /// The system's name of the network interface.
    name: Cow<'a, str>,
}

/// An invitation for one device to ask to be paired.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Invitation<'a> {
    url: Cow<'a, str>,
    /// When it expires.
    until: Moment,
    /// A code for typing; missing after too many wrong codes.
    code: Option<Cow<'a, str>>,
    svg: Option<Svg>,
}

/// The QR code of a URL.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Svg {
    /// The number of modules on each side.
    size: usize,
    /// The SVG path of the dark modules.
    path: String,
}

/// A device that asks to be paired.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct PairingRequest<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    address: Cow<'a, str>,
    /// The number that both sides show, for comparison.
    number: Cow<'a, str>,
    scope: Scope,
    /// When the device asked to be paired.
    since: Moment,
    /// Until when the person may accept the request.
    until: Moment,
}

/// A device that is paired, or a browser of this machine that is signed in.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Device<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    scope: Scope,
    /// When it was paired or signed in.
    since: Moment,
    /// When it last sent a request.
    last_seen: Moment,
    /// When its access expires.
    until: Moment,
    /// Whether its page is connected now.
    #[serde(default)]
    here: bool,
    /// Whether it was paired at an address that devices no longer connect to.
    #[serde(default)]
    stranded: bool,
}

impl<'a> From<&'a devices::Pairing> for Pairing<'a> {
    fn from(pairing: &'a devices::Pairing) -> Self {
        let addresses = pairing.addresses.iter().map(|one| Address {
            address: (&one.address).into(),
            name: (&one.name).into(),
        });
        let requests = pairing.requests.iter().map(|one| PairingRequest {
            id: (&one.id).into(),
            name: (&one.name).into(),
            address: (&one.address).into(),
            number: (&one.number).into(),
            scope: Scope(one.may),
            since: Moment(one.since),
            until: Moment(one.until),
        });
        Self {
            on: pairing.on,
            encrypted: pairing.encrypted,
            until: pairing.until.map(Moment),
            url: pairing.url.as_deref().map(Cow::from),
            remark: pairing.remark.as_deref().map(Cow::from),
            addresses: addresses.collect(),
            invitation: pairing.invitation.as_ref().map(|invitation| Invitation {
                url: (&invitation.url).into(),
                until: Moment(invitation.until),
                code: invitation.code.as_deref().map(Cow::from),
                svg: None,
            }),
            requests: requests.collect(),
            devices: pairing.devices.iter().map(Device::from).collect(),
            browsers: pairing.browsers.iter().map(Device::from).collect(),
            signed_out: pairing.signed_out.as_deref().map(Cow::from),
        }
    }
}

/// The browsers and devices that are signed in.
#[derive(Debug, Serialize)]
pub struct Sessions<'a> {
    browsers: Vec<Device<'a>>,
    devices: Vec<Device<'a>>,
}

impl<'a> From<&'a devices::Pairing> for Sessions<'a> {
    fn from(pairing: &'a devices::Pairing) -> Self {
        Self {
            browsers: pairing.browsers.iter().map(Device::from).collect(),
            devices: pairing.devices.iter().map(Device::from).collect(),
        }
    }
}

impl<'a> From<&'a devices::Device> for Device<'a> {
    fn from(one: &'a devices::Device) -> Self {
        Self {
            id: (&one.id).into(),
            name: (&one.name).into(),
            scope: Scope(one.may),
            since: Moment(one.since),
            last_seen: Moment(one.last_seen),
            until: Moment(one.until),
            here: one.here,
            stranded: one.stranded,
        }
    }
}

impl From<Device<'_>> for devices::Device {
    fn from(one: Device<'_>) -> Self {
        Self {
            id: one.id.into_owned(),
            name: one.name.into_owned(),
            may: one.scope.0,
            since: one.since.0,
            last_seen: one.last_seen.0,
            until: one.until.0,
            here: one.here,
            stranded: one.stranded,
        }
    }
}

impl Pairing<'_> {
    /// Adds the QR code of the invitation: its size, and the SVG path.
    #[must_use]
    pub fn with_qr(mut self, qr: Option<(usize, String)>) -> Self {
        if let Some(invitation) = &mut self.invitation {
            invitation.svg = qr.map(|(size, path)| Svg { size, path });
        }
        self
    }
}

impl From<Pairing<'_>> for devices::Pairing {
    fn from(pairing: Pairing<'_>) -> Self {
        let addresses = pairing.addresses.into_iter().map(|one| devices::Address {
            address: one.address.into_owned(),
            name: one.name.into_owned(),
        });
        let requests = pairing.requests.into_iter().map(|one| devices::Request {
            id: one.id.into_owned(),
            name: one.name.into_owned(),
            address: one.address.into_owned(),
            number: one.number.into_owned(),
            may: one.scope.0,
            since: one.since.0,
            until: one.until.0,
        });
        let all = |devices: Vec<Device<'_>>| devices.into_iter().map(Into::into).collect();
        Self {
            on: pairing.on,
            until: pairing.until.map(|until| until.0),
            url: pairing.url.map(Cow::into_owned),
            encrypted: pairing.encrypted,
            remark: pairing.remark.map(Cow::into_owned),
            addresses: addresses.collect(),
            invitation: pairing.invitation.map(|invitation| devices::Invitation {
                url: invitation.url.into_owned(),
                code: invitation.code.map(Cow::into_owned),
                until: invitation.until.0,
            }),
            requests: requests.collect(),
            devices: all(pairing.devices),
            browsers: all(pairing.browsers),
            signed_out: pairing.signed_out.map(Cow::into_owned),
        }
    }
}

/// The person's command about pairing.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    tag = "wish",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum PairingCommandForm<'a> {
    Look,
    On {
        address: Option<Cow<'a, str>>,
        for_ms: Option<u64>,
        scope: Scope,
        tls_cert: Option<Cow<'a, str>>,
        tls_key: Option<Cow<'a, str>>,
    },
    Off,
    Decide {
        request: Cow<'a, str>,
        #[serde(default)]
        allow: bool,
        scope: Option<Scope>,
    },
    Revoke {
        device: Cow<'a, str>,
    },
    RevokeAll,
}

impl<'a> From<&'a PairingCommand> for PairingCommandForm<'a> {
    fn from(command: &'a PairingCommand) -> Self {
        match command {
            PairingCommand::Look => Self::Look,
            PairingCommand::On(on) => Self::On {
                address: on.address.as_deref().map(Cow::from),
                for_ms: on.for_ms,
                scope: Scope(on.may),
                tls_cert: on.tls.as_ref().map(|(certificate, _)| certificate.into()),
                tls_key: on.tls.as_ref().map(|(_, key)| key.into()),
            },
            PairingCommand::Off => Self::Off,
            PairingCommand::Decide {
                request,
                allow,
                may,
            } => Self::Decide {
                request: request.into(),
                allow: *allow,
                scope: may.map(Scope),
            },
            PairingCommand::Revoke { device } => Self::Revoke {
                device: device.into(),
            },
            PairingCommand::RevokeAll => Self::RevokeAll,
        }
    }
}

impl From<PairingCommandForm<'_>> for PairingCommand {
    fn from(command: PairingCommandForm<'_>) -> Self {
        match command {
            PairingCommandForm::Look => Self::Look,
            PairingCommandForm::On {
                address,
                for_ms,
                scope,
                tls_cert,
                tls_key,
            } => Self::On(On {
                address: address.map(Cow::into_owned),
                for_ms,
                may: scope.0,
                tls: tls_cert
                    .map(Cow::into_owned)
                    .zip(tls_key.map(Cow::into_owned)),
            }),
            PairingCommandForm::Off => Self::Off,
            PairingCommandForm::Decide {
                request,
                allow,
                scope,
            } => Self::Decide {
                request: request.into_owned(),
                allow,
                may: scope.map(|scope| scope.0),
            },
            PairingCommandForm::Revoke { device } => Self::Revoke {
                device: device.into_owned(),
            },
            PairingCommandForm::RevokeAll => Self::RevokeAll,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_text;
    use crate::native::from_text;
    use ask_core::Time;
    use ask_core::devices::Permission;

    #[test]
    fn pairing_is_read_as_it_was_written() {
        let at = |seconds: i64| Time(1_800_000_000_000 + seconds * 1_000);
        let device = devices::Device {
            id: "d1".to_owned(),
            name: "iPad".to_owned(),
            may: Permission::Answer,
            since: at(2),
            last_seen: at(3),
            until: at(4),
            here: true,
            stranded: true,
        };
        let pairing = devices::Pairing {
            on: true,
            until: Some(at(0)),
            url: Some("http://192.168.1.7:4127".to_owned()),
            encrypted: false,
            remark: Some("another port".to_owned()),
            addresses: vec![devices::Address {
                address: "192.168.1.7".to_owned(),
                name: "wlan0".to_owned(),
            }],
            invitation: Some(devices::Invitation {
                url: "http://192.168.1.7:4127/pair#ab".to_owned(),
                code: Some("482913".to_owned()),
                until: at(180),
            }),
            requests: vec![devices::Request {
                id: "r1".to_owned(),
                name: "iPhone, Safari".to_owned(),
                address: "192.168.1.23".to_owned(),
                number: "27".to_owned(),
                may: Permission::See,
                since: at(1),
                until: at(181),
            }],
            devices: vec![device.clone()],
            browsers: vec![device],
            signed_out: Some("another port".to_owned()),
        };
        for pairing in [pairing, devices::Pairing::default()] {
            let written = json_text(&Pairing::from(&pairing));
            let read: Pairing<'_> = from_text(&written).unwrap();
            assert_eq!(devices::Pairing::from(read), pairing);
        }
    }

    #[test]
    fn commands_are_read_as_they_were_written() {
        let on = |address: Option<&str>, for_ms, may| {
            let address = address.map(str::to_owned);
            PairingCommand::On(On {
                address,
                for_ms,
                may,
                tls: for_ms.map(|_| ("/cert.pem".to_owned(), "/key.pem".to_owned())),
            })
        };
        for command in [
            PairingCommand::Look,
            on(None, None, Permission::Answer),
            on(Some("10.0.0.2"), Some(3_600_000), Permission::See),
            PairingCommand::Off,
            PairingCommand::Decide {
                request: "r1".to_owned(),
                allow: true,
                may: Some(Permission::See),
            },
            PairingCommand::Decide {
                request: "r1".to_owned(),
                allow: false,
                may: None,
            },
            PairingCommand::Revoke {
                device: "iPad".to_owned(),
            },
            PairingCommand::RevokeAll,
        ] {
            let written = json_text(&PairingCommandForm::from(&command));
            let read: PairingCommandForm<'_> = from_text(&written).unwrap();
            assert_eq!(PairingCommand::from(read), command);
        }
    }
}
