//! Where a request comes from: this machine, its network, or the proxy of `http.public_url`. Only
//! requests from this machine count as the person's own.

use std::net::IpAddr;
use std::sync::Arc;

use ask_hub::http::BEARER;

use super::pairing::address;
use super::sessions::Through;

/// The challenge for a device's browser. HTTP has no standard scheme for cookies.
const COOKIE: &str = "Cookie realm=\"ask-user\"";

/// The port that a request came to.
#[derive(Clone)]
pub(crate) enum Entry {
    /// The loopback port.
    Loopback,
    /// The port for devices.
    Lan(Arc<Place>),
}

/// The address of the port for devices.
pub(crate) struct Place {
    /// Its names as in the `Host` header, with the port.
    hosts: Vec<String>,
    /// Whether it serves HTTPS.
    is_encrypted: bool,
}

impl Place {
    /// The port at an address and at the names from the settings.
    pub(crate) fn from_address(
        ip: IpAddr,
        port: u16,
        names: &[String],
        is_encrypted: bool,
    ) -> Self {
        let mut hosts = vec![address::authority(ip, port)];
        hosts.extend(names.iter().map(|name| format!("{name}:{port}")));
        // Browsers leave out the default port.
        if port == if is_encrypted { 443 } else { 80 } {
            let bare = hosts.iter().map(|host| {
                let bare = host.rsplit_once(':').map_or("", |(bare, _)| bare);
                bare.to_owned()
            });
            let bare: Vec<String> = bare.collect();
            hosts.extend(bare);
        }
        Self {
            hosts,
            is_encrypted,
        }
    }

    /// Adds another host, given as a base URL.
    pub(crate) fn also(mut self, base: &str) -> Self {
        let host = base.split_once("://").map_or(base, |(_, host)| host);
        self.hosts.push(host.to_owned());
        self
    }

    /// Whether it serves HTTPS.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether a request's host names this port.
    pub(crate) fn has(&self, host: &str) -> bool {
        self.hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(host))
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// This machine.
    Here,
    /// Elsewhere.
    From {
        /// The address. Of a tunnel only the local end is known.
        address: IpAddr,
        /// Over the network, or through a tunnel.
        through: Through,
        /// Whether the whole way is encrypted.
        encrypted: bool,
    },
}

impl RequestOrigin {
    /// Whether it comes from this machine.
    pub fn is_here(self) -> bool {
        self == Self::Here
    }

    /// How it comes from elsewhere; `None` from this machine.
    pub fn transport(self) -> Option<Through> {
        match self {
            Self::Here => None,
            Self::From { through, .. } => Some(through),
        }
    }

    /// The challenge (RFC 9110, section 11.6.1) for a request without a valid credential. Tokens
    /// could be read on the way from a device, so they are not accepted from there.
    pub fn challenge(self) -> &'static str {
        match self {
            Self::Here => BEARER,
            Self::From { .. } => COOKIE,
        }
    }

    /// Whether one-time keys are accepted. On an unencrypted network they could be read, so the
    /// person admits each device instead.
    pub fn takes_keys(self) -> bool {
        self.transport() != Some(Through::Lan)
    }

    /// Whether browsers have a key to which their session is bound. Browsers only create keys in
    /// secure contexts.
    pub fn is_bound(self) -> bool {
        self.is_here() || self.is_encrypted()
    }

    /// The URL schemes of page origins. A proxy may add HTTPS to a page of this machine.
    pub fn schemes(self) -> &'static [&'static str] {
        match self {
            Self::Here => &["http", "https"],
            Self::From {
                encrypted: true, ..
            } => &["https"],
            Self::From { .. } => &["http"],
        }
    }

    /// Whether the whole way is encrypted. False for this machine, where there is no way.
    pub fn is_encrypted(self) -> bool {
        match self {
            Self::Here => false,
            Self::From { encrypted, .. } => encrypted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_called_by_its_address_and_port_alone() {
        let names = ["desk.local".to_owned()];
        let place = Place::from_address("192.168.1.7".parse().unwrap(), 4127, &names, false);
        assert!(place.has("192.168.1.7:4127") && place.has("DESK.local:4127"));
        for other in [
            "192.168.1.7",
            "192.168.1.7:80",
            "192.168.1.8:4127",
            "127.0.0.1:4127",
            "localhost:4127",
            "evil.example:4127",
            "",
        ] {
            assert!(!place.has(other), "{other}");
        }
        let usual = Place::from_address("192.168.1.7".parse().unwrap(), 80, &names, false);
        assert!(usual.has("192.168.1.7") && usual.has("desk.local"));
        let ip = "192.168.1.7".parse().unwrap();
        let encrypted = Place::from_address(ip, 443, &names, true).also("https://desk.lan:8443");
        assert!(encrypted.has("desk.local") && encrypted.has("desk.lan:8443"));
        assert!(!Place::from_address(ip, 80, &names, true).has("desk.local"));
    }
}
