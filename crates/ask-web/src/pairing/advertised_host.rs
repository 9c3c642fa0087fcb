//! The host in links when there is a certificate: a name that the certificate covers, because a
//! browser warns at any other.

use std::net::IpAddr;

use ask_config::config::Http;

use super::address::authority;
use crate::tls::Certificate;

/// The base of links, and the host that devices connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AdvertisedHost {
    /// The base URL, such as `https://desk.lan:4127`.
    pub base: String,
    /// The host alone, such as `desk.lan`.
    pub host: String,
    /// What the person has to do so that devices find the host.
    pub remark: Option<String>,
}

/// Whether `http.public_url` leads to this certificate, rather than to a proxy's.
pub(super) fn is_public(certificate: &Certificate, config: &Http) -> bool {
    let public = config.public_url.as_ref();
    public.is_some_and(|public| public.is_encrypted() && certificate.covers(public.name()))
}

/// Selects the host for links: from `http.public_url`, then `http.names`, then the certificate.
///
/// # Errors
/// The certificate covers no usable host.
pub(super) fn select_host(
    certificate: &Certificate,
    config: &Http,
    (ip, port): (IpAddr, u16),
) -> Result<AdvertisedHost, String> {
    let remark = |host: &str| {
        Some(format!(
            "{host} must resolve to {ip} in the network of the devices"
        ))
    };
    if is_public(certificate, config)
        && let Some(public) = &config.public_url
    {
        return Ok(AdvertisedHost {
            base: public.url().to_owned(),
            host: public.name().to_owned(),
            remark: None,
        });
    }
    let names = config.names.iter().map(String::as_str);
    let mut covered = names.filter(|name| certificate.covers(name));
    if let Some(name) = covered.next() {
        return Ok(from_name(name, port, None));
    }
    if certificate.addresses.contains(&ip) {
        return Ok(AdvertisedHost {
            base: https_url(&authority(ip, port)),
            host: ip.to_string(),
            remark: None,
        });
    }
    if let Some(name) = certificate.whole_names().next() {
        return Ok(from_name(name, port, remark(name)));
    }
    Err(format!(
        "the certificate is for {}, and neither for {ip} nor for a name in http.names: set http.names to a name of this machine that the certificate covers",
        certificate.hosts_text()
    ))
}

fn from_name(name: &str, port: u16, remark: Option<String>) -> AdvertisedHost {
    AdvertisedHost {
        base: https_url(&format!("{name}:{port}")),
        host: name.to_owned(),
        remark,
    }
}

/// The base URL of an authority. Browsers leave out the default port.
fn https_url(authority: &str) -> String {
    let without_port = authority.strip_suffix(":443");
    format!("https://{}", without_port.unwrap_or(authority))
}

#[cfg(test)]
mod tests {
    use ask_core::Time;

    use ask_config::config::Public;

    use super::*;

    #[test]
    fn links_use_a_name_of_the_certificate() {
        let certificate = |names: &[&str], addresses: &[&str]| Certificate {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            addresses: addresses.iter().map(|ip| ip.parse().unwrap()).collect(),
            from: Time(0),
            until: Time(1),
            is_for_servers: true,
        };
        let place = ("192.168.1.7".parse().unwrap(), 4127);
        let mut config = Http::default();
        let base = |certificate: &Certificate, config: &Http| {
            select_host(certificate, config, place).map(|host| host.base)
        };
        let (one, wild) = (
            certificate(&["desk.lan"], &[]),
            certificate(&["*.home.example"], &[]),
        );
        assert_eq!(base(&one, &config).unwrap(), "https://desk.lan:4127");
        assert!(base(&wild, &config).unwrap_err().contains("http.names"));
        let by_ip = certificate(&["other.lan"], &["192.168.1.7"]);
        assert_eq!(base(&by_ip, &config).unwrap(), "https://192.168.1.7:4127");
        config.names = vec!["desk.local".to_owned(), "desk.home.example".to_owned()];
        assert_eq!(
            base(&wild, &config).unwrap(),
            "https://desk.home.example:4127"
        );
        assert_eq!(base(&one, &config).unwrap(), "https://desk.lan:4127");
        config.public_url = Public::read("https://desk.lan:8443");
        assert_eq!(base(&one, &config).unwrap(), "https://desk.lan:8443");
        assert!(is_public(&one, &config) && !is_public(&wild, &config));
        let usual = select_host(&one, &Http::default(), (place.0, 443)).unwrap();
        assert_eq!(usual.base, "https://desk.lan");
    }
}
