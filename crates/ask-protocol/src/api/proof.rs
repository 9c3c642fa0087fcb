//! A proof of possession in the form of RFC 9449 (DPoP): a JSON Web Token, signed with ES256, that
//! contains its public key and the only request that it is for. The signature is verified
//! elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

/// The largest proof that is parsed. Real ones are much shorter.
const MAX_BYTES: usize = 4 * 1024;

/// The bytes of one coordinate of a point of P-256.
const COORDINATE: usize = 32;

/// A proof as it was sent. Its signature isn't verified.
#[derive(Debug, PartialEq, Eq)]
pub struct Proof<'text> {
    /// The text that the signature is over.
    pub signed: &'text str,
    /// The signature: two numbers of 32 bytes.
    pub signature: Vec<u8>,
    /// The public key: an uncompressed point of P-256.
    pub key: Vec<u8>,
    /// The method of the request.
    pub method: String,
    /// The URL of the request, without its query.
    pub url: String,
    /// The nonce that the hub gave out; `None` if the client has none yet.
    pub nonce: Option<String>,
    /// The id that distinguishes it from every other proof.
    pub id: String,
}

#[derive(Deserialize)]
struct Header {
    typ: String,
    alg: String,
    jwk: Jwk,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: String,
    x: String,
    y: String,
}

#[derive(Deserialize)]
struct Claims {
    htm: String,
    htu: String,
    jti: String,
    nonce: Option<String>,
}

impl<'text> Proof<'text> {
    /// Parses a proof. `None` if the text has another form or another way of signing.
    pub fn parse(text: &'text str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        if text.len() > MAX_BYTES {
            return None;
        }
        let header: Header = part(header)?;
        let claims: Claims = part(claims)?;
        let jwk = &header.jwk;
        let kind = (header.typ.as_str(), header.alg.as_str());
        if kind != ("dpop+jwt", "ES256") || (jwk.kty.as_str(), jwk.crv.as_str()) != ("EC", "P-256")
        {
            return None;
        }
        let mut key = vec![4];
        for coordinate in [&jwk.x, &jwk.y] {
            let bytes = bytes(coordinate).filter(|bytes| bytes.len() == COORDINATE)?;
            key.extend(bytes);
        }
        Some(Self {
            signed,
            signature: bytes(signature)?,
            key,
            method: claims.htm,
            url: claims.htu,
            nonce: claims.nonce,
            id: claims.jti,
        })
    }

    /// Whether it is for this request: for its method, and for its URL, which has one of these
    /// schemes and contains the port.
    pub fn is_for(&self, method: &str, schemes: &[&str], host: &str, path: &str) -> bool {
        let rest = schemes.iter().find_map(|scheme| {
            let rest = self.url.strip_prefix(scheme)?;
            rest.strip_prefix("://")
        });
        let place = rest.and_then(|rest| rest.split_at_checked(host.len()));
        let is_here =
            place.is_some_and(|(said, rest)| said.eq_ignore_ascii_case(host) && rest == path);
        is_here && self.method == method
    }
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

fn part<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    serde_json::from_slice(&bytes(text)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(header: &str, claims: &str) -> String {
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part));
        format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode([7; 64]))
    }

    #[test]
    fn only_proofs_are_parsed() {
        let x = URL_SAFE_NO_PAD.encode([1; 32]);
        let header = |typ: &str, alg: &str, crv: &str, x: &str| {
            let y = URL_SAFE_NO_PAD.encode([2; 32]);
            format!(
                r#"{{"typ":"{typ}","alg":"{alg}","jwk":{{"kty":"EC","crv":"{crv}","x":"{x}","y":"{y}"}}}}"#
            )
        };
        let good = header("dpop+jwt", "ES256", "P-256", &x);
        let claims =
            r#"{"jti":"1","htm":"GET","htu":"http://127.0.0.1:4127/v1/asks","iat":1,"nonce":"n"}"#;
        let text = written(&good, claims);
        let read = Proof::parse(&text).expect("the text is a proof");
        assert_eq!((read.key.len(), read.signature.len()), (65, 64));
        assert_eq!(read.nonce.as_deref(), Some("n"));
        assert!(text.starts_with(read.signed));

        let short = URL_SAFE_NO_PAD.encode([1; 31]);
        for (header, claims) in [
            (header("JWT", "ES256", "P-256", &x), claims),
            (header("dpop+jwt", "none", "P-256", &x), claims),
            (header("dpop+jwt", "ES256", "P-384", &x), claims),
            (header("dpop+jwt", "ES256", "P-256", &short), claims),
            (good.clone(), r#"{"jti":"1","htm":"GET"}"#),
            (good.clone(), "nonsense"),
        ] {
            assert_eq!(Proof::parse(&written(&header, claims)), None, "{header}");
        }
        for text in ["", ".", "..", "a.b.c", &format!("{text}=")] {
            assert_eq!(Proof::parse(text), None, "{text}");
        }
        let long = written(
            &good,
            &format!(
                r#"{{"htm":"GET","htu":"x","jti":"{}"}}"#,
                "1".repeat(MAX_BYTES)
            ),
        );
        assert_eq!(Proof::parse(&long), None);
    }
}
