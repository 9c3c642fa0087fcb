//! What a certificate says of itself, as far as links need it: for which hosts it is, and for how
//! long. Whether it is to be trusted, browsers decide.

use std::net::IpAddr;

use ask_core::Time;

use super::der::{self, Reading};

/// The extension that names hosts: 2.5.29.17.
const NAMES: &[u8] = &[0x55, 0x1d, 0x11];

/// The extension that says what it may be used for: 2.5.29.37.
const USES: &[u8] = &[0x55, 0x1d, 0x25];

/// To be a server: 1.3.6.1.5.5.7.3.1.
const SERVER: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];

/// For anything: 2.5.29.37.0.
const ANYTHING: &[u8] = &[0x55, 0x1d, 0x25, 0x00];

/// One certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The names it is for, in small letters; some begin with `*.`.
    pub names: Vec<String>,
    /// The addresses it is for.
    pub addresses: Vec<IpAddr>,
    /// Since when it holds.
    pub from: Time,
    /// Until when.
    pub until: Time,
    /// Whether a server may show it.
    pub is_for_servers: bool,
}

impl Certificate {
    /// Reads one; `None` for what is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut whole = Reading(Reading(bytes).take(der::SEQUENCE)?);
        let mut about = Reading(whole.take(der::SEQUENCE)?);
        // Its version, where it says one.
        about.skip_if(der::context(0));
        let serial_algorithm_issuer = 3;
        for _ in 0..serial_algorithm_issuer {
            about.next()?;
        }
        let mut validity = Reading(about.take(der::SEQUENCE)?);
        let from = der::time(validity.next()?)?;
        let until = der::time(validity.next()?)?;
        let mut read = Self {
            names: Vec::new(),
            addresses: Vec::new(),
            from,
            until,
            is_for_servers: true,
        };
        while let Some((tag, content)) = about.next() {
            if tag == der::context(3) {
                read.extensions(Reading(content).take(der::SEQUENCE)?)?;
            }
        }
        Some(read)
    }

    fn extensions(&mut self, bytes: &[u8]) -> Option<()> {
        let mut all = Reading(bytes);
        while let Some((_, extension)) = all.next() {
            let mut extension = Reading(extension);
            let kind = extension.take(der::OBJECT)?;
            if kind != NAMES && kind != USES {
                continue;
            }
            extension.skip_if(der::BOOLEAN);
            let mut names = Reading(Reading(extension.take(der::OCTETS)?).take(der::SEQUENCE)?);
            if kind == USES {
                let mut uses = std::iter::from_fn(|| names.next());
                self.is_for_servers = uses.any(|(_, one)| one == SERVER || one == ANYTHING);
                continue;
            }
            while let Some((tag, name)) = names.next() {
                match (tag, name) {
                    (0x82, name) => {
                        let is_name =
                            |byte: &u8| byte.is_ascii_alphanumeric() || b"-._*".contains(byte);
                        if name.iter().all(is_name) {
                            let name = String::from_utf8_lossy(name);
                            self.names.push(name.to_ascii_lowercase());
                        }
                    }
                    (0x87, ip) => {
                        let four: Option<[u8; 4]> = ip.try_into().ok();
                        let sixteen: Option<[u8; 16]> = ip.try_into().ok();
                        let ip = four.map(IpAddr::from).or(sixteen.map(IpAddr::from));
                        self.addresses.extend(ip);
                    }
                    _ => {}
                }
            }
        }
        Some(())
    }

    /// Whether it is for no host at all, as those of authorities are.
    pub fn is_nameless(&self) -> bool {
        self.names.is_empty() && self.addresses.is_empty()
    }

    /// Whether a browser that comes to this host takes it.
    pub fn covers(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return self.addresses.contains(&address);
        }
        let host = host.to_ascii_lowercase();
        let below = host.split_once('.').map(|(_, below)| below);
        self.names.iter().any(|name| match name.strip_prefix("*.") {
            Some(wild) => below == Some(wild),
            None => *name == host,
        })
    }

    /// The names that lead to one machine.
    pub fn whole_names(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|name| !name.contains('*'))
    }

    /// What it is for, in words.
    pub fn said(&self) -> String {
        let addresses = self.addresses.iter().map(ToString::to_string);
        let all: Vec<String> = self.names.iter().cloned().chain(addresses).collect();
        all.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(names: &[&str]) -> Vec<u8> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = rcgen::CertificateParams::new(names).unwrap();
        params.not_before = rcgen::date_time_ymd(2026, 1, 2);
        params.not_after = rcgen::date_time_ymd(2061, 3, 4);
        let key = rcgen::KeyPair::generate().unwrap();
        params.self_signed(&key).unwrap().der().to_vec()
    }

    #[test]
    fn hosts_and_times_are_read() {
        let read = Certificate::read(&made(&[
            "Desk.lan",
            "*.home.example",
            "192.168.1.7",
            "fd00::7",
        ]));
        let read = read.expect("a certificate");
        assert_eq!(read.from.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(read.until.to_string(), "2061-03-04T00:00:00Z");
        for host in [
            "desk.lan",
            "DESK.lan",
            "a.home.example",
            "192.168.1.7",
            "[fd00::7]",
        ] {
            assert!(read.covers(host), "{host}");
        }
        for host in [
            "desk",
            "home.example",
            "a.b.home.example",
            "192.168.1.8",
            "evil-desk.lan",
            "",
        ] {
            assert!(!read.covers(host), "{host}");
        }
        assert_eq!(read.whole_names().collect::<Vec<_>>(), ["desk.lan"]);
    }

    #[test]
    fn what_is_cut_off_or_turned_over_is_no_certificate_and_no_panic() {
        let whole = made(&["desk.lan"]);
        for at in 0..whole.len() {
            assert_eq!(Certificate::read(&whole[..at]), None, "cut at {at}");
            let mut turned = whole.clone();
            turned[at] ^= 0xff;
            let _ = Certificate::read(&turned);
        }
    }
}
