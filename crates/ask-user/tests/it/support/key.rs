//! A browser's key, and the proofs of possession that it sends with its requests (DPoP, RFC 9449).

use std::fmt;
use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

/// The key of one browser.
#[derive(Clone)]
pub(crate) struct Key(Arc<EcdsaKeyPair>);

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key")
    }
}

impl Key {
    /// Generates a key.
    pub(crate) fn new() -> Self {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("a key is generated");
        let pair = EcdsaKeyPair::from_pkcs8(kind, made.as_ref(), &random);
        Self(Arc::new(pair.expect("the key parses")))
    }

    /// The key shared by all browsers that need none of their own.
    pub(crate) fn shared() -> Self {
        static SHARED: OnceLock<Key> = OnceLock::new();
        SHARED.get_or_init(Self::new).clone()
    }

    /// A proof for one request.
    pub(crate) fn proof(&self, method: &str, url: &str, nonce: &str, id: &str) -> String {
        let point = self.0.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..]].map(|part| URL_SAFE_NO_PAD.encode(part));
        let header = format!(
            r#"{{"typ":"dpop+jwt","alg":"ES256","jwk":{{"kty":"EC","crv":"P-256","x":"{x}","y":"{y}"}}}}"#
        );
        let claims =
            format!(r#"{{"jti":"{id}","htm":"{method}","htu":"{url}","iat":0,"nonce":"{nonce}"}}"#);
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part));
        let signed = format!("{header}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.expect("the key signs"));
        format!("{signed}.{signature}")
    }
}
