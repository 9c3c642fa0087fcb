//! Where a request comes from: this machine, its network, or the proxy at `http.public_url`. Only
//! requests from this machine have full access.

use std::net::IpAddr;
use std::sync::Arc;

use ask_hub::http::BEARER;

use super::pairing::address;
use super::sessions::Transport;

/// The challenge for a device's browser. HTTP has no standard scheme for cookies.
const COOKIE: &str = "Cookie realm=\"ask-user\"";

/// The port that received a request.
#[derive(Clone)]
pub(crate) enum Entry {
    Loopback,
    /// The port for devices.
    Lan(Arc<LanHosts>),
}

/// The hosts that requests to the port for devices may name.
pub(crate) struct LanHosts {
    /// Each as in the `Host` header, with the port.
    hosts: Vec<String>,
    /// Whether it serves HTTPS.
    is_encrypted: bool,
}

impl LanHosts {
    /// The hosts of a port: its address, and names from the settings and the certificate.
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
            let without_port = hosts
                .iter()
                .filter_map(|host| Some(host.rsplit_once(':')?.0.to_owned()));
            let without_port: Vec<String> = without_port.collect();
            hosts.extend(without_port);
        }
        Self {
            hosts,
            is_encrypted,
        }
    }

    /// Adds the host of a base URL.
    pub(crate) fn with_base(mut self, base: &str) -> Self {
        let host = base.split_once("://").map_or(base, |(_, host)| host);
        self.hosts.push(host.to_owned());
        self
    }

    /// Whether it serves HTTPS.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether a request for this host is meant for this port.
    pub(crate) fn contains(&self, host: &str) -> bool {
        self.hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(host))
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestOrigin {
    /// The client runs on this machine.
    Local,
    /// The client runs on another machine.
    Remote {
        /// The address of the client; for a tunnel, that of its local end.
        address: IpAddr,
        /// How the client connects.
        transport: Transport,
        /// Whether the connection is encrypted from end to end.
        is_encrypted: bool,
    },
}

impl RequestOrigin {
    /// Whether the request comes from this machine.
    pub(crate) fn is_local(self) -> bool {
        self == Self::Local
    }

    /// How a remote client connects; `None` for this machine.
    pub(crate) fn transport(self) -> Option<Transport> {
        match self {
            Self::Local => None,
            Self::Remote { transport, .. } => Some(transport),
        }
    }

    /// The challenge (RFC 9110, section 11.6.1) for a request without a valid credential. On a
    /// network, tokens could be read, so devices can't use them.
    pub(crate) fn challenge(self) -> &'static str {
        match self {
            Self::Local => BEARER,
            Self::Remote { .. } => COOKIE,
        }
    }

    /// Whether one-time keys are accepted. On an unencrypted network, they could be
    /// read, so the person admits each device instead.
    pub(crate) fn accepts_keys(self) -> bool {
        self.transport() != Some(Transport::Lan)
    }

    /// Whether browsers have a key to which their session is bound. Browsers only create keys in
    /// secure contexts.
    pub(crate) fn has_browser_keys(self) -> bool {
        self.is_local() || self.is_encrypted()
    }

    /// The URL schemes that a page with this origin may have. A proxy may add HTTPS to a page of this
    /// machine.
    pub(crate) fn schemes(self) -> &'static [&'static str] {
        match self {
            Self::Local => &["http", "https"],
            Self::Remote {
                is_encrypted: true, ..
            } => &["https"],
            Self::Remote { .. } => &["http"],
        }
    }

    /// Whether the connection is encrypted from end to end. False for this machine, where nothing
    /// crosses a network.
    pub(crate) fn is_encrypted(self) -> bool {
        match self {
            Self::Local => false,
            Self::Remote { is_encrypted, .. } => is_encrypted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_address_and_names_with_the_port_are_accepted() {
        let names = ["desk.local".to_owned()];
        let hosts = LanHosts::from_address("192.168.1.7".parse().unwrap(), 4127, &names, false);
        assert!(hosts.contains("192.168.1.7:4127") && hosts.contains("DESK.local:4127"));
        for other in [
            "192.168.1.7",
            "192.168.1.7:80",
            "192.168.1.8:4127",
            "127.0.0.1:4127",
            "localhost:4127",
            "evil.example:4127",
            "",
        ] {
            assert!(!hosts.contains(other), "{other}");
        }
        let default_port =
            LanHosts::from_address("192.168.1.7".parse().unwrap(), 80, &names, false);
        assert!(default_port.contains("192.168.1.7") && default_port.contains("desk.local"));
        let ip = "192.168.1.7".parse().unwrap();
        let encrypted =
            LanHosts::from_address(ip, 443, &names, true).with_base("https://desk.lan:8443");
        assert!(encrypted.contains("desk.local") && encrypted.contains("desk.lan:8443"));
        assert!(!LanHosts::from_address(ip, 80, &names, true).contains("desk.local"));
    }
}
