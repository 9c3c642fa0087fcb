//! The addresses of this machine, and the one that devices most likely reach.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use ask_core::devices;

/// An address of a network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub ip: IpAddr,
    /// The name of the interface.
    pub name: String,
}

impl Address {
    /// The address as the person's own surfaces show it.
    pub(crate) fn describe(&self) -> devices::Address {
        devices::Address {
            address: self.ip.to_string(),
            name: self.name.clone(),
        }
    }
}

/// The addresses that devices can reach, without loopback and link-local ones. The one of the
/// default route is first.
pub(crate) fn local_addresses() -> Vec<Address> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    let found = found.into_iter().map(|one| Address {
        ip: one.ip(),
        name: one.name,
    });
    let mut all: Vec<Address> = found.filter(|one| is_reachable(one.ip)).collect();
    let default = default_route_address();
    all.sort_by_key(|one| (Some(one.ip) != default, one.ip.is_ipv6()));
    all.dedup_by_key(|one| one.ip);
    all
}

/// Whether devices can be served at an address.
pub(crate) fn is_own(ip: IpAddr) -> bool {
    // A test sandbox may only have a loopback interface.
    let is_test_address = cfg!(feature = "testing") && ip.is_loopback();
    is_test_address || local_addresses().iter().any(|one| one.ip == ip)
}

/// Whether devices in a network may reach an address.
fn is_reachable(ip: IpAddr) -> bool {
    let is_link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    !ip.is_loopback() && !ip.is_unspecified() && !ip.is_multicast() && !is_link_local
}

/// The address of the default route. Connecting a UDP socket selects a route and sends nothing.
fn default_route_address() -> Option<IpAddr> {
    // An address of TEST-NET-1 (RFC 5737), which no host has.
    let unused = SocketAddr::from((Ipv4Addr::new(192, 0, 2, 1), 9));
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(unused).ok()?;
    let own = socket.local_addr().ok()?.ip();
    is_reachable(own).then_some(own)
}

/// Whether the whole internet may reach an address, because it is in no private range.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [first, second, ..] = ip.octets();
            // 100.64.0.0/10 is shared address space (RFC 6598) of providers, and of VPNs such as
            // Tailscale.
            let is_shared = first == 100 && (64..128).contains(&second);
            !(ip.is_private() || ip.is_loopback() || ip.is_link_local() || is_shared)
        }
        IpAddr::V6(ip) => !(ip.is_unique_local() || ip.is_loopback() || ip.is_unicast_link_local()),
    }
}

/// An address and port as in a URL or a `Host` header.
pub(crate) fn authority(ip: IpAddr, port: u16) -> String {
    SocketAddr::new(ip, port).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_told_from_private_ones() {
        for private in [
            "192.168.1.7",
            "10.0.0.1",
            "172.16.3.4",
            "100.101.1.2",
            "127.0.0.2",
            "fd00::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:4860::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn an_authority_has_brackets_around_ipv6() {
        let host = |ip: &str| authority(ip.parse().unwrap(), 4127);
        assert_eq!(host("192.168.1.7"), "192.168.1.7:4127");
        assert_eq!(host("fd00::1"), "[fd00::1]:4127");
    }

    #[test]
    fn loopback_addresses_are_never_offered() {
        assert!(local_addresses().iter().all(|one| !one.ip.is_loopback()));
    }
}
