//! Pairing that is on: its listener, links, end and certificate.

use std::net::IpAddr;
use std::sync::Arc;

use ask_core::Time;

use super::device_store::SavedPairing;
use super::listener::DeviceServer;
use crate::sessions::Transport;
use crate::tls::Tls;

/// Pairing that is on.
pub(super) struct OpenPairing {
    /// The listener; `None` if devices only come through `http.public_url`.
    pub(super) lan: Option<LanListener>,
    /// The end; `None` if it is on until it is turned off.
    pub(super) until: Option<Time>,
    /// The base of links, without a path.
    pub(super) base: String,
    /// Whether connections are encrypted from end to end.
    pub(super) is_encrypted: bool,
    /// A remark for the person from when it was turned on, such as that its port was taken.
    pub(super) initial_remark: Option<String>,
}

/// A listener at one address.
pub(super) struct LanListener {
    pub(super) address: IpAddr,
    pub(super) server: DeviceServer,
    pub(super) certificate: Option<ServedCertificate>,
}

/// The certificate that a listener serves.
#[derive(Clone)]
pub(super) struct ServedCertificate {
    pub(super) tls: Arc<Tls>,
    /// Whether it came from the command line, and not from the settings.
    pub(super) is_from_command_line: bool,
}

impl OpenPairing {
    /// What is stored for the next hub.
    pub(super) fn to_saved(&self) -> SavedPairing {
        let lan = self.lan.as_ref();
        SavedPairing {
            place: lan.map(|lan| (lan.address, lan.server.port)),
            until: self.until,
            is_encrypted: self.is_encrypted,
            tls: self
                .certificate()
                .filter(|own| own.is_from_command_line)
                .map(|own| own.tls.files().clone()),
        }
    }

    /// How devices connect over the network; `None` without a listener.
    pub(super) fn transport(&self) -> Option<Transport> {
        self.lan.as_ref().map(|lan| match lan.certificate {
            Some(_) => Transport::Tls,
            None => Transport::Lan,
        })
    }

    /// The certificate that is served.
    pub(super) fn certificate(&self) -> Option<&ServedCertificate> {
        self.lan.as_ref()?.certificate.as_ref()
    }

    /// The current remark for the person: a problem with the certificate, otherwise the initial remark.
    pub(super) fn remark(&self, now: Time) -> Option<String> {
        let problem = self.certificate().and_then(|own| own.tls.problem(now));
        problem.or_else(|| self.initial_remark.clone())
    }
}
