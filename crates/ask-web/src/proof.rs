//! Proof of possession for cookies (DPoP, RFC 9449): with each request, the browser proves that it
//! holds the key to which its session is bound. A stolen cookie, or a request that another server
//! passes on, isn't accepted.
//
// The age of a proof is that of its nonce (RFC 9449, section 8), and `iat` is ignored, because a
// phone's clock may be wrong.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::secret::hex;
use ask_hub::http::named_hosts;
use ask_protocol::api::Proof;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::origin::RequestOrigin;

/// The header of a proof (RFC 9449, section 4.1).
const PROOF: HeaderName = HeaderName::from_static("dpop");

/// The header with the nonce for the next proof (RFC 9449, section 8).
pub const NONCE: HeaderName = HeaderName::from_static("dpop-nonce");

/// How long a nonce is given out. Afterwards it is accepted for as long again.
const LIFE: Duration = Duration::from_secs(5 * 60);

/// After this many proofs a new nonce is made, which limits how many have to be remembered.
const MOST_USED: usize = 10_000;

/// The longest `jti` of a proof, in bytes.
const MOST_ID: usize = 64;

/// Identifies a key: the SHA-256 of its public point, in hexadecimal.
pub type KeyId = String;

/// Why a proof isn't accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproven {
    /// The proof is missing, malformed, or not signed by the session's key.
    None,
    /// The proof is for another request.
    Other,
    /// The proof has no nonce that this hub gave out lately.
    Stale,
    /// The proof was used before.
    Used,
}

impl Unproven {
    /// The message for the client.
    pub fn said(self) -> &'static str {
        match self {
            Self::None => {
                "This request doesn't prove that it comes from the browser that was signed in."
            }
            Self::Other => "The proof of this request is for another one, or for another address.",
            Self::Stale => "The proof of this request has no current nonce.",
            Self::Used => "The proof of this request was used before.",
        }
    }

    /// The value of `WWW-Authenticate` (RFC 9449, sections 7.1 and 9).
    pub fn challenge(self) -> &'static str {
        match self {
            Self::Stale => "DPoP algs=\"ES256\", error=\"use_dpop_nonce\"",
            Self::None | Self::Other | Self::Used => {
                "DPoP algs=\"ES256\", error=\"invalid_dpop_proof\""
            }
        }
    }
}

/// The current and the previous nonce, with the proofs that used them.
pub struct Proofs(Mutex<ProofState>);

struct ProofState {
    current: Given,
    before: Option<Given>,
}

struct Given {
    nonce: String,
    since: Instant,
    used: HashSet<String>,
}

impl Given {
    fn new(now: Instant) -> Self {
        Self {
            nonce: hex(&clock::random()),
            since: now,
            used: HashSet::new(),
        }
    }
}

impl Default for Proofs {
    fn default() -> Self {
        Self(Mutex::new(ProofState {
            current: Given::new(Instant::now()),
            before: None,
        }))
    }
}

impl Proofs {
    /// The nonce for the next proof.
    pub fn nonce(&self) -> String {
        self.state(Instant::now()).current.nonce.clone()
    }

    /// Verifies a request's proof, and returns the key that signed it. The proof is used up only if
    /// `wanted` accepts the key.
    pub fn check(
        &self,
        way: RequestOrigin,
        parts: &Parts,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<KeyId, Unproven> {
        let proof = shown(&parts.headers).ok_or(Unproven::None)?;
        if !is_for(&proof, way, parts) {
            return Err(Unproven::Other);
        }
        let key = hex(&Sha256::digest(&proof.key));
        let by = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &proof.key);
        let verified = by.verify(proof.signed.as_bytes(), &proof.signature);
        if verified.is_err() || !wanted(&key) || proof.id.len() > MOST_ID {
            return Err(Unproven::None);
        }
        self.take(proof, Instant::now())?;
        Ok(key)
    }

    fn take(&self, proof: Proof<'_>, now: Instant) -> Result<(), Unproven> {
        let mut state = self.state(now);
        let ProofState { current, before } = &mut *state;
        let nonce = proof.nonce.unwrap_or_default();
        let mut given = std::iter::once(current).chain(before);
        let given = given.find(|given| given.nonce == nonce);
        match given.ok_or(Unproven::Stale)?.used.insert(proof.id) {
            true => Ok(()),
            false => Err(Unproven::Used),
        }
    }

    fn state(&self, now: Instant) -> MutexGuard<'_, ProofState> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let age = now.duration_since(state.current.since);
        if age >= LIFE || state.current.used.len() >= MOST_USED {
            let last = std::mem::replace(&mut state.current, Given::new(now));
            state.before = (age < 2 * LIFE).then_some(last);
        }
        state
    }
}

/// Sets the header with the nonce for the next proof.
pub fn tell(headers: &mut HeaderMap, nonce: &str) {
    if let Ok(nonce) = HeaderValue::from_str(nonce) {
        headers.insert(NONCE, nonce);
    }
}

/// The proof of a request; `None` unless there is exactly one that can be parsed.
fn shown(headers: &HeaderMap) -> Option<Proof<'_>> {
    let mut all = headers.get_all(PROOF).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then(|| Proof::parse(first))?
}

/// Whether a proof is for this request: its method, host, port and path.
fn is_for(proof: &Proof<'_>, way: RequestOrigin, parts: &Parts) -> bool {
    let named = named_hosts(&parts.uri, &parts.headers).unwrap_or_default();
    let Some(host) = named.first() else {
        return false;
    };
    let (method, path) = (parts.method.as_str(), parts.uri.path());
    proof.is_for(method, way.schemes(), host, path)
}

#[cfg(test)]
mod tests {
    use ask_protocol::ipc::base64;
    use axum::http::Request;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};

    use super::*;

    /// A browser with a key.
    struct Browser(EcdsaKeyPair);

    impl Browser {
        fn new() -> Self {
            let (how, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
            let made = EcdsaKeyPair::generate_pkcs8(how, &random).unwrap();
            Self(EcdsaKeyPair::from_pkcs8(how, made.as_ref(), &random).unwrap())
        }

        fn key(&self) -> KeyId {
            hex(&Sha256::digest(self.0.public_key().as_ref()))
        }

        fn proof(&self, nonce: &str) -> String {
            let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
            let header = format!(
                r#"{{"typ":"dpop+jwt","alg":"ES256","jwk":{{"kty":"EC","crv":"P-256","x":"{}","y":"{}"}}}}"#,
                url_safe(x),
                url_safe(y)
            );
            let claims = format!(
                r#"{{"jti":"1","htm":"POST","htu":"http://{HOST}/v1/asks","nonce":"{nonce}"}}"#
            );
            let signed = format!(
                "{}.{}",
                url_safe(header.as_bytes()),
                url_safe(claims.as_bytes())
            );
            let signature = self
                .0
                .sign(&SystemRandom::new(), signed.as_bytes())
                .unwrap();
            format!("{signed}.{}", url_safe(signature.as_ref()))
        }
    }

    const HOST: &str = "127.0.0.1:4127";

    fn url_safe(bytes: &[u8]) -> String {
        let text = base64(bytes).replace('+', "-").replace('/', "_");
        text.trim_end_matches('=').to_owned()
    }

    /// Whether this proves that a request comes from the browser with this key.
    fn proves(proofs: &Proofs, proof: &[u8], key: &str) -> bool {
        let Ok(proof) = HeaderValue::from_bytes(proof) else {
            return false;
        };
        let request = Request::post("/v1/asks").header("host", HOST);
        let request = request.header(PROOF, proof).body(()).unwrap();
        let parts = request.into_parts().0;
        let checked = proofs.check(RequestOrigin::Here, &parts, |shown| shown == key);
        checked.is_ok()
    }

    #[test]
    fn what_the_fuzzer_keeps_proves_nothing() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let kept = std::fs::read_dir(here.join("../../fuzz/corpus/http")).unwrap();
        let (proofs, key) = (Proofs::default(), Browser::new().key());
        for file in kept {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!proves(&proofs, &bytes, &key));
        }
    }

    proptest! {
        #[test]
        fn nothing_proves_it_but_what_its_key_signed(
            at: Index, other in "[A-Za-z0-9_.=-]{0,2}", length in 0_usize..3,
        ) {
            let (browser, stranger) = (Browser::new(), Browser::new());
            let proofs = Proofs::default();
            let proof = browser.proof(&proofs.nonce());
            let foreign = stranger.proof(&proofs.nonce());
            prop_assert!(!proves(&proofs, foreign.as_bytes(), &browser.key()));
            // The signature of another key.
            let (signed, _) = proof.rsplit_once('.').unwrap();
            let (_, signature) = foreign.rsplit_once('.').unwrap();
            let mixed = format!("{signed}.{signature}");
            prop_assert!(!proves(&proofs, mixed.as_bytes(), &browser.key()));
            let at = at.index(proof.len());
            let end = (at + length).min(proof.len());
            let changed = format!("{}{other}{}", &proof[..at], &proof[end..]);
            let is_own = changed == proof;
            prop_assert_eq!(proves(&proofs, changed.as_bytes(), &browser.key()), is_own);
            prop_assert_eq!(proves(&proofs, proof.as_bytes(), &browser.key()), !is_own);
        }
    }

    #[test]
    fn a_nonce_is_taken_for_a_while_and_a_proof_once() {
        let proofs = Proofs::default();
        let begun = Instant::now();
        let nonce = |now| proofs.state(now).current.nonce.clone();
        let take = |nonce: &str, id: &str, now| {
            let proof = Proof {
                signed: "",
                signature: Vec::new(),
                key: Vec::new(),
                method: String::new(),
                url: String::new(),
                nonce: Some(nonce.to_owned()),
                id: id.to_owned(),
            };
            proofs.take(proof, now)
        };
        let first = nonce(begun);
        assert_eq!(take(&first, "1", begun), Ok(()));
        assert_eq!(take(&first, "1", begun), Err(Unproven::Used));
        assert_eq!(take("", "2", begun), Err(Unproven::Stale));
        let later = begun + LIFE;
        assert_ne!(nonce(later), first);
        assert_eq!(take(&first, "2", later), Ok(()), "it came late");
        assert_eq!(take(&first, "1", later), Err(Unproven::Used));
        let later = later + LIFE;
        assert_eq!(take(&first, "3", later), Err(Unproven::Stale));
        let full = nonce(later);
        for id in 0..MOST_USED {
            assert_eq!(take(&full, &id.to_string(), later), Ok(()));
        }
        assert_ne!(nonce(later), full, "that many are remembered");
    }
}
