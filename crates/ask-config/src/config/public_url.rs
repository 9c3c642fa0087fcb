//! The URL by which other machines reach the page.

/// The value of `http.public_url`: the URL by which other machines reach the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    url: String,
    /// The host, with the port if the URL has one.
    host: String,
}

impl Public {
    /// Parses a URL without a path, such as `https://desk.example.ts.net`.
    pub fn read(text: &str) -> Option<Self> {
        let url = text.trim().trim_end_matches('/');
        let (scheme, host) = url.split_once("://")?;
        let is_name = |char: char| char.is_ascii_alphanumeric() || "-.:[]".contains(char);
        let fits =
            ["http", "https"].contains(&scheme) && !host.is_empty() && host.chars().all(is_name);
        fits.then(|| Self {
            url: url.to_ascii_lowercase(),
            host: host.to_ascii_lowercase(),
        })
    }

    /// The URL that links begin with.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The host without the port.
    pub fn name(&self) -> &str {
        let name = match self.host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            Some(_) | None => &self.host,
        };
        name.trim_start_matches('[').trim_end_matches(']')
    }

    /// Whether a request for this host came by this URL.
    pub fn has(&self, host: &str) -> bool {
        self.host.eq_ignore_ascii_case(host)
    }

    /// Whether the URL uses HTTPS.
    pub fn is_encrypted(&self) -> bool {
        self.url.starts_with("https:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_a_scheme_and_a_host() {
        let public = Public::read("https://Desk.example.ts.net/").unwrap();
        assert_eq!(public.url(), "https://desk.example.ts.net");
        assert!(public.has("desk.example.ts.net") && public.is_encrypted());
        assert!(!public.has("desk.example.ts.net:443") && !public.has("example.ts.net"));
        let port = Public::read("http://desk:8080").unwrap();
        assert_eq!(
            (public.name(), port.name()),
            ("desk.example.ts.net", "desk")
        );
        assert_eq!(Public::read("https://[fd00::1]").unwrap().name(), "fd00::1");
        assert!(port.has("DESK:8080") && !port.is_encrypted());
        for wrong in [
            "",
            "desk.example.ts.net",
            "https://",
            "ftp://desk",
            "https://desk/path",
            "https://user@desk",
        ] {
            assert_eq!(Public::read(wrong), None, "{wrong}");
        }
    }
}
