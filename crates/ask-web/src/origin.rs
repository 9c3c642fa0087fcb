//! On which way a request came: from this machine, over its network, or through whoever serves
//! `http.public_url`. Only this machine itself is the person's own.

use std::net::IpAddr;
use std::sync::Arc;

use ask_hub::http::BEARER;

use super::pairing::address;
use super::sessions::Through;

/// What a browser of a device shows. HTTP has no word for it.
const COOKIE: &str = "Cookie realm=\"ask-user\"";

/// Which of our ports a request came to.
#[derive(Clone)]
pub enum Entry {
    /// That of this machine alone.
    Loopback,
    /// The one for devices.
    Lan(Arc<Place>),
}

/// Where devices come in.
pub struct Place {
    /// What it is called, with its port.
    hosts: Vec<String>,
    /// Whether HTTPS is spoken there.
    is_encrypted: bool,
}

impl Place {
    /// A port of an address, and of the names that the person gave it.
    pub fn of(ip: IpAddr, port: u16, names: &[String], is_encrypted: bool) -> Self {
        let mut hosts = vec![address::authority(ip, port)];
        hosts.extend(names.iter().map(|name| format!("{name}:{port}")));
        // Browsers leave out the port that is usual.
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

    /// The same with one more host, as it stands behind `https://`.
    pub fn also(mut self, base: &str) -> Self {
        let host = base.split_once("://").map_or(base, |(_, host)| host);
        self.hosts.push(host.to_owned());
        self
    }

    /// Whether HTTPS is spoken there.
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether a request for this host is for us.
    pub fn has(&self, host: &str) -> bool {
        self.hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(host))
    }
}

/// On which way a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// From this machine.
    Here,
    /// From elsewhere.
    From {
        /// Where, as far as it is known: of a tunnel only its end here is.
        address: IpAddr,
        /// Over the network, or through a tunnel.
        through: Through,
        /// Whether nobody on the way can read along.
        encrypted: bool,
    },
}

impl RequestOrigin {
    /// Whether it came from this machine.
    pub fn is_here(self) -> bool {
        self == Self::Here
    }

    /// How it came from elsewhere.
    pub fn through(self) -> Option<Through> {
        match self {
            Self::Here => None,
            Self::From { through, .. } => Some(through),
        }
    }

    /// What may be shown on this way, as HTTP wants it said of whoever shows nothing that holds. A
    /// token would lie open on the way from a device, and is not taken there.
    pub fn challenge(self) -> &'static str {
        match self {
            Self::Here => BEARER,
            Self::From { .. } => COOKIE,
        }
    }

    /// Whether a one-time key lets in who comes this way. Where others may read along the person says yes
    /// to each device instead.
    pub fn takes_keys(self) -> bool {
        self.through() != Some(Through::Lan)
    }

    /// Whether a browser that comes this way has a key that its session is bound to: browsers make none
    /// where others may read along.
    pub fn is_bound(self) -> bool {
        self.is_here() || self.is_encrypted()
    }

    /// How addresses begin on this way. Whoever passes a page of this machine on may encrypt it.
    pub fn schemes(self) -> &'static [&'static str] {
        match self {
            Self::Here => &["http", "https"],
            Self::From {
                encrypted: true, ..
            } => &["https"],
            Self::From { .. } => &["http"],
        }
    }

    /// Whether nobody on the way can read along; what stays here is not on any way.
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
        let place = Place::of("192.168.1.7".parse().unwrap(), 4127, &names, false);
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
        let usual = Place::of("192.168.1.7".parse().unwrap(), 80, &names, false);
        assert!(usual.has("192.168.1.7") && usual.has("desk.local"));
        let ip = "192.168.1.7".parse().unwrap();
        let encrypted = Place::of(ip, 443, &names, true).also("https://desk.lan:8443");
        assert!(encrypted.has("desk.local") && encrypted.has("desk.lan:8443"));
        assert!(!Place::of(ip, 80, &names, true).has("desk.local"));
    }
}
