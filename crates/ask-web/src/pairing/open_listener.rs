//! Pairing while it is on: the listener for devices, its links, its end and its certificate.

use std::net::IpAddr;
use std::sync::Arc;

use ask_core::Time;

use super::device_store::SavedPairing;
use super::listener::DeviceListening;
use crate::sessions::Through;
use crate::tls::Tls;

/// Pairing that is on.
pub(super) struct Open {
    /// The listener; `None` if devices only come through `http.public_url`.
    pub(super) lan: Option<Lan>,
    /// The end; `None` if it is on until it is turned off.
    pub(super) until: Option<Time>,
    /// The base of links, without a path.
    pub(super) base: String,
    /// Whether connections are encrypted all the way.
    pub(super) encrypted: bool,
    /// A remark for the person from when it was turned on, such as that its port was taken.
    pub(super) remark_at_first: Option<String>,
}

/// A listener at one address.
pub(super) struct Lan {
    pub(super) address: IpAddr,
    pub(super) listening: DeviceListening,
    pub(super) certificate: Option<Own>,
}

/// The certificate of a listener.
#[derive(Clone)]
pub(super) struct Own {
    pub(super) tls: Arc<Tls>,
    /// Whether it came from the command line, and not from the settings.
    pub(super) was_said: bool,
}

impl Open {
    /// What is stored for the next hub.
    pub(super) fn kept(&self) -> SavedPairing {
        let place = self.lan.as_ref();
        SavedPairing {
            place: place.map(|lan| (lan.address, lan.listening.port)),
            until: self.until,
            is_encrypted: self.encrypted,
            tls: self
                .certificate()
                .filter(|own| own.was_said)
                .map(|own| own.tls.files().clone()),
        }
    }

    /// How devices connect over the network; `None` without a listener.
    pub(super) fn way(&self) -> Option<Through> {
        self.lan.as_ref().map(|lan| match lan.certificate {
            Some(_) => Through::Tls,
            None => Through::Lan,
        })
    }

    /// The certificate that is served.
    pub(super) fn certificate(&self) -> Option<&Own> {
        self.lan.as_ref()?.certificate.as_ref()
    }

    /// The current remark for the person: trouble with the certificate, or else the first remark.
    pub(super) fn remark(&self, now: Time) -> Option<String> {
        let trouble = self.certificate().and_then(|own| own.tls.trouble(now));
        trouble.or_else(|| self.remark_at_first.clone())
    }
}
