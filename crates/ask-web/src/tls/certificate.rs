//! What links need of an X.509 certificate (RFC 5280): the hosts that it is for, and its validity.
//! Whether it is trusted is for browsers to decide.

use std::net::IpAddr;

use ask_core::Time;

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer as _;

/// An X.509 certificate's hosts, validity and use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its DNS names (subject alternative names), in lower case; some begin with `*.`.
    pub names: Vec<String>,
    /// Its IP addresses (subject alternative names).
    pub addresses: Vec<IpAddr>,
    /// The beginning of its validity.
    pub from: Time,
    /// The end of its validity.
    pub until: Time,
    /// Whether its extended key usage permits servers.
    pub(crate) is_for_servers: bool,
}

impl Certificate {
    /// Parses a certificate in DER; `None` if it is malformed.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (_, parsed) = X509Certificate::from_der(bytes).ok()?;
        let uses = parsed.extended_key_usage().ok()?;
        let alternatives = parsed.subject_alternative_name().ok()?;
        let alternatives = alternatives
            .iter()
            .flat_map(|names| &names.value.general_names);
        let (mut names, mut addresses) = (Vec::new(), Vec::new());
        for name in alternatives {
            match name {
                GeneralName::DNSName(name) if is_host(name) => {
                    names.push(name.to_ascii_lowercase());
                }
                GeneralName::IPAddress(ip) => {
                    let v4 = <[u8; 4]>::try_from(*ip).map(IpAddr::from);
                    let v6 = <[u8; 16]>::try_from(*ip).map(IpAddr::from);
                    addresses.extend(v4.or(v6));
                }
                // Other names, such as mail addresses, don't occur in links.
                _ => {}
            }
        }
        let time = |seconds: i64| Time(seconds * 1_000);
        Some(Self {
            names,
            addresses,
            from: time(parsed.validity.not_before.timestamp()),
            until: time(parsed.validity.not_after.timestamp()),
            is_for_servers: uses.is_none_or(|uses| uses.value.server_auth || uses.value.any),
        })
    }

    /// Whether it names no host, as the certificates of authorities do.
    pub(crate) fn is_nameless(&self) -> bool {
        self.names.is_empty() && self.addresses.is_empty()
    }

    /// Whether a browser accepts it for a host (RFC 9525, section 6.3): a wildcard covers one
    /// label.
    pub fn covers(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return self.addresses.contains(&address);
        }
        let host = host.to_ascii_lowercase();
        let parent = host.split_once('.').map(|(_, parent)| parent);
        self.names.iter().any(|name| match name.strip_prefix("*.") {
            Some(domain) => parent == Some(domain),
            None => *name == host,
        })
    }

    /// Its names without wildcards.
    pub(crate) fn whole_names(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|name| !name.contains('*'))
    }

    /// Its names and addresses, for messages.
    pub fn hosts_text(&self) -> String {
        let addresses = self.addresses.iter().map(ToString::to_string);
        let all: Vec<String> = self.names.iter().cloned().chain(addresses).collect();
        all.join(", ")
    }
}

/// Whether a DNS name can be part of a link. Names with other characters are ignored.
fn is_host(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._*".contains(&byte);
    name.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn self_signed(names: &[&str], until: i32) -> Vec<u8> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = rcgen::CertificateParams::new(names).unwrap();
        params.not_before = rcgen::date_time_ymd(2026, 1, 2);
        params.not_after = rcgen::date_time_ymd(until, 12, 31);
        let key = rcgen::KeyPair::generate().unwrap();
        params.self_signed(&key).unwrap().der().to_vec()
    }

    #[test]
    fn hosts_and_validity_are_parsed() {
        let hosts = ["Desk.lan", "*.home.example", "192.168.1.7", "fd00::7"];
        let parsed = Certificate::parse(&self_signed(&hosts, 2061));
        let parsed = parsed.expect("the certificate is well-formed");
        assert_eq!(parsed.from.to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(parsed.until.to_string(), "2061-12-31T00:00:00Z");
        for host in [
            "desk.lan",
            "DESK.lan",
            "a.home.example",
            "192.168.1.7",
            "[fd00::7]",
        ] {
            assert!(parsed.covers(host), "{host}");
        }
        for host in [
            "desk",
            "home.example",
            "a.b.home.example",
            "192.168.1.8",
            "evil-desk.lan",
            "",
        ] {
            assert!(!parsed.covers(host), "{host}");
        }
        assert_eq!(parsed.whole_names().collect::<Vec<_>>(), ["desk.lan"]);
    }

    #[test]
    fn a_certificate_without_an_end_is_valid_until_the_year_9999() {
        let parsed = Certificate::parse(&self_signed(&["desk.lan"], 9999))
            .expect("the certificate is well-formed");
        assert!(parsed.until.to_string().starts_with("9999-12-30T"));
    }

    #[test]
    fn truncated_certificates_are_refused_and_corrupt_ones_cause_no_panic() {
        let whole = self_signed(&["desk.lan"], 2061);
        for at in 0..whole.len() {
            assert_eq!(Certificate::parse(&whole[..at]), None, "cut at {at}");
            let mut corrupt = whole.clone();
            corrupt[at] ^= 0xff;
            // Some changes leave a certificate that can be parsed.
            let _ = Certificate::parse(&corrupt);
        }
    }
}
