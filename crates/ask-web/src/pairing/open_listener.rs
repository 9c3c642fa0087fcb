//! Where devices come in, while they may.

use std::net::IpAddr;
use std::sync::Arc;

use ask_core::Time;

use super::device_store::SavedPairing;
use super::listener::Listening;
use crate::sessions::Through;
use crate::tls::Tls;

/// Where devices come in.
pub(super) struct Open {
    /// The listener; `None` where they come by `http.public_url` alone.
    pub(super) lan: Option<Lan>,
    /// Until when; `None` until it is turned off.
    pub(super) until: Option<Time>,
    /// What links begin with.
    pub(super) base: String,
    /// Whether nobody on the way can read along.
    pub(super) encrypted: bool,
    /// What should be known of it from the beginning.
    pub(super) remark_at_first: Option<String>,
}

/// A listener at one address.
pub(super) struct Lan {
    pub(super) address: IpAddr,
    pub(super) listening: Listening,
    pub(super) certificate: Option<Own>,
}

/// The certificate that HTTPS is spoken with.
#[derive(Clone)]
pub(super) struct Own {
    pub(super) tls: Arc<Tls>,
    /// Whether it was named on a command line, and not in the settings.
    pub(super) was_said: bool,
}

impl Open {
    /// What the next hub needs of it.
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

    /// How devices come there over the network.
    pub(super) fn way(&self) -> Option<Through> {
        self.lan.as_ref().map(|lan| match lan.certificate {
            Some(_) => Through::Tls,
            None => Through::Lan,
        })
    }

    /// The certificate that is served there.
    pub(super) fn certificate(&self) -> Option<&Own> {
        self.lan.as_ref()?.certificate.as_ref()
    }

    /// What should be known of it now.
    pub(super) fn remark(&self, now: Time) -> Option<String> {
        let trouble = self.certificate().and_then(|own| own.tls.trouble(now));
        trouble.or_else(|| self.remark_at_first.clone())
    }
}
