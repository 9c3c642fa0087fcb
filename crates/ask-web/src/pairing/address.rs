//! The addresses of this machine, and the one that devices most likely reach.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use ask_core::devices;

/// An address of a network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The IP address.
    pub ip: IpAddr,
    /// The interface's name.
    pub name: String,
}

impl Address {
    /// The address as in messages.
    pub(crate) fn shown(&self) -> devices::Address {
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
    let mut all: Vec<Address> = found.filter(|one| is_reached(one.ip)).collect();
    let out = leads_out();
    all.sort_by_key(|one| (Some(one.ip) != out, one.ip.is_ipv6()));
    all.dedup_by_key(|one| one.ip);
    all
}

/// Whether devices can be served at an address.
pub(crate) fn is_own(ip: IpAddr) -> bool {
    // A test sandbox may only have a loopback interface.
    let of_tests = cfg!(feature = "testing") && ip.is_loopback();
    of_tests || local_addresses().iter().any(|one| one.ip == ip)
}

fn is_reached(ip: IpAddr) -> bool {
    let is_of_one_wire = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    !ip.is_loopback() && !ip.is_unspecified() && !ip.is_multicast() && !is_of_one_wire
}

/// The address of the default route. Connecting a UDP socket selects a route and sends nothing.
fn leads_out() -> Option<IpAddr> {
    // An address of TEST-NET-1 (RFC 5737), which no host has.
    let anywhere = SocketAddr::from((Ipv4Addr::new(192, 0, 2, 1), 9));
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(anywhere).ok()?;
    let own = socket.local_addr().ok()?.ip();
    is_reached(own).then_some(own)
}

/// Whether the whole internet may reach an address: it is in no private range.
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
    fn what_the_internet_reaches_is_known() {
        for own in [
            "192.168.1.7",
            "10.0.0.1",
            "172.16.3.4",
            "100.101.1.2",
            "127.0.0.2",
            "fd00::1",
        ] {
            assert!(!is_public(own.parse().unwrap()), "{own}");
        }
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:4860::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn addresses_are_written_as_hosts() {
        let host = |ip: &str| authority(ip.parse().unwrap(), 4127);
        assert_eq!(host("192.168.1.7"), "192.168.1.7:4127");
        assert_eq!(host("fd00::1"), "[fd00::1]:4127");
    }

    #[test]
    fn this_machine_alone_is_never_offered() {
        assert!(local_addresses().iter().all(|one| !one.ip.is_loopback()));
    }
}
