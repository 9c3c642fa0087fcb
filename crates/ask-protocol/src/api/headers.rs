//! Parses the headers that say where a request goes and who sends it. The server decides which
//! hosts, tokens and cookies are valid.

/// Whether an authority, on any port, is one of these hosts.
pub fn is_one_of(hosts: &[String], authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// The host of an `Origin` header, with its port, if the origin has one of these schemes.
pub fn origin_host<'a>(origin: &'a str, schemes: &[&str]) -> Option<&'a str> {
    let (scheme, host) = origin.split_once("://")?;
    schemes.contains(&scheme).then_some(host)
}

/// The token of an `Authorization` header.
pub fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The values of the cookies with this name in a `Cookie` header.
pub fn cookies<'a>(said: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    said.split(';').filter_map(move |pair| {
        let (named, value) = pair.trim().split_once('=')?;
        (named == name).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_parsed_and_similar_text_is_not() {
        let hosts = ["127.0.0.1".to_owned(), "[::1]".to_owned()];
        for (authority, is_ours) in [
            ("127.0.0.1:4127", true),
            ("[::1]", true),
            ("[::1]:80", true),
            ("127.0.0.1.nip.io", false),
            ("127.0.0.1:80:80", false),
            ("127.0.0.1:a", false),
            ("", false),
        ] {
            assert_eq!(is_one_of(&hosts, authority), is_ours, "{authority}");
        }
        let page = origin_host("https://desk.local:4127", &["https"]);
        assert_eq!(page, Some("desk.local:4127"));
        assert_eq!(origin_host("http://desk.local", &["https"]), None);
        assert_eq!(origin_host("null", &["https"]), None);
        assert_eq!(bearer("bearer  a "), Some("a"));
        assert_eq!(bearer("Basic a").or(bearer("Bearer")), None);
        let said = "a=1; b=2;b=3 ; bb=4; b";
        assert_eq!(cookies(said, "b").collect::<Vec<_>>(), ["2", "3"]);
    }
}
