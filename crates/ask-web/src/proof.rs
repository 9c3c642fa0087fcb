//! Proof of possession for cookies (DPoP, RFC 9449): with each request, the browser proves that it
//! holds the key to which its session is bound. So a stolen cookie isn't accepted, and neither is a
//! request that another server forwards.
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
pub(crate) const NONCE: HeaderName = HeaderName::from_static("dpop-nonce");

/// How long a nonce is the current one. Afterwards, it is accepted for the same time again.
const NONCE_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// A nonce is replaced after this many proofs, which limits how many ids are remembered.
const MAX_USED: usize = 10_000;

/// The longest `jti` of a proof, in bytes.
const MAX_ID_BYTES: usize = 64;

/// Identifies a key: the SHA-256 of its public point, in hexadecimal.
pub(crate) type KeyId = String;

/// Why a proof isn't accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofError {
    /// The proof is missing, malformed, or not signed by the session's key.
    Invalid,
    /// The proof is for another request.
    WrongRequest,
    /// The proof has neither the current nor the previous nonce.
    StaleNonce,
    /// The proof was used before.
    Reused,
}

impl ProofError {
    /// The message for the client.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Invalid => {
                "This request doesn't prove that it comes from the browser that was signed in."
            }
            Self::WrongRequest => "The proof of this request is for another request or address.",
            Self::StaleNonce => "The proof of this request has no current nonce.",
            Self::Reused => "The proof of this request was used before.",
        }
    }

    /// The value of `WWW-Authenticate` (RFC 9449, sections 7.1 and 9).
    pub(crate) fn challenge(self) -> &'static str {
        match self {
            Self::StaleNonce => "DPoP algs=\"ES256\", error=\"use_dpop_nonce\"",
            Self::Invalid | Self::WrongRequest | Self::Reused => {
                "DPoP algs=\"ES256\", error=\"invalid_dpop_proof\""
            }
        }
    }
}

/// The current and the previous nonce, with the proofs that used them.
pub(crate) struct Proofs(Mutex<ProofState>);

struct ProofState {
    current: NonceState,
    previous: Option<NonceState>,
}

/// A nonce, and the ids of the proofs that used it.
struct NonceState {
    nonce: String,
    since: Instant,
    used: HashSet<String>,
}

impl NonceState {
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
            current: NonceState::new(Instant::now()),
            previous: None,
        }))
    }
}

impl Proofs {
    /// The nonce for the next proof.
    pub(crate) fn nonce(&self) -> String {
        self.state(Instant::now()).current.nonce.clone()
    }

    /// Verifies a request's proof, and returns the key that signed it. The proof is used up only if
    /// `is_accepted` accepts the key.
    ///
    /// # Errors
    /// The proof is missing, invalid, stale or used before.
    pub(crate) fn check(
        &self,
        origin: RequestOrigin,
        parts: &Parts,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Result<KeyId, ProofError> {
        let proof = single_proof(&parts.headers).ok_or(ProofError::Invalid)?;
        if !is_for(&proof, origin, parts) {
            return Err(ProofError::WrongRequest);
        }
        let key = hex(&Sha256::digest(&proof.key));
        let public_key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &proof.key);
        let verified = public_key.verify(proof.signed.as_bytes(), &proof.signature);
        let has_id = (1..=MAX_ID_BYTES).contains(&proof.id.len());
        if verified.is_err() || !is_accepted(&key) || !has_id {
            return Err(ProofError::Invalid);
        }
        self.use_up(proof, Instant::now())?;
        Ok(key)
    }

    fn use_up(&self, proof: Proof<'_>, now: Instant) -> Result<(), ProofError> {
        let mut state = self.state(now);
        let ProofState { current, previous } = &mut *state;
        let nonce = proof.nonce.unwrap_or_default();
        let mut known = std::iter::once(current).chain(previous);
        let known = known.find(|known| known.nonce == nonce);
        // A full one is not used again: a browser makes its next proof with the new nonce.
        let known = known.filter(|known| known.used.len() < MAX_USED);
        let is_new = known.ok_or(ProofError::StaleNonce)?.used.insert(proof.id);
        if is_new {
            Ok(())
        } else {
            Err(ProofError::Reused)
        }
    }

    fn state(&self, now: Instant) -> MutexGuard<'_, ProofState> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let age = now.duration_since(state.current.since);
        if age >= NONCE_LIFETIME || state.current.used.len() >= MAX_USED {
            let last = std::mem::replace(&mut state.current, NonceState::new(now));
            state.previous = (age < 2 * NONCE_LIFETIME).then_some(last);
        }
        state
    }
}

/// Sets the header with the nonce for the next proof.
pub(crate) fn set_nonce(headers: &mut HeaderMap, nonce: &str) {
    if let Ok(nonce) = HeaderValue::from_str(nonce) {
        headers.insert(NONCE, nonce);
    }
}

/// The proof of a request; `None` unless there is exactly one that can be parsed.
fn single_proof(headers: &HeaderMap) -> Option<Proof<'_>> {
    let mut all = headers.get_all(PROOF).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then(|| Proof::parse(first))?
}

/// Whether a proof is for this request: its method, host, port and path.
fn is_for(proof: &Proof<'_>, origin: RequestOrigin, parts: &Parts) -> bool {
    let named = named_hosts(&parts.uri, &parts.headers).unwrap_or_default();
    let Some(host) = named.first() else {
        return false;
    };
    let (method, path) = (parts.method.as_str(), parts.uri.path());
    proof.is_for(method, origin.schemes(), host, path)
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
            let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
            let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
            Self(EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap())
        }

        fn key(&self) -> KeyId {
            hex(&Sha256::digest(self.0.public_key().as_ref()))
        }

        fn proof(&self, nonce: &str, id: &str) -> String {
            let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
            let header = format!(
                r#"{{"typ":"dpop+jwt","alg":"ES256","jwk":{{"kty":"EC","crv":"P-256","x":"{}","y":"{}"}}}}"#,
                url_safe(x),
                url_safe(y)
            );
            let claims = format!(
                r#"{{"jti":"{id}","htm":"POST","htu":"http://{HOST}/v1/asks","nonce":"{nonce}"}}"#
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

    /// Whether a request with this proof is accepted for the browser with this key.
    fn proves(proofs: &Proofs, proof: &[u8], key: &str) -> bool {
        let Ok(proof) = HeaderValue::from_bytes(proof) else {
            return false;
        };
        let request = Request::post("/v1/asks").header("host", HOST);
        let request = request.header(PROOF, proof).body(()).unwrap();
        let parts = request.into_parts().0;
        let checked = proofs.check(RequestOrigin::Local, &parts, |proven| proven == key);
        checked.is_ok()
    }

    #[test]
    fn the_corpus_of_the_fuzzer_proves_nothing() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let corpus = std::fs::read_dir(here.join("../../fuzz/corpus/http")).unwrap();
        let (proofs, key) = (Proofs::default(), Browser::new().key());
        for file in corpus {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!proves(&proofs, &bytes, &key));
        }
    }

    #[test]
    fn a_proof_needs_an_id_of_limited_length() {
        let (proofs, browser) = (Proofs::default(), Browser::new());
        let longest = "x".repeat(MAX_ID_BYTES);
        for (id, is_accepted) in [
            ("", false),
            (&format!("{longest}x"), false),
            (&longest, true),
        ] {
            let proof = browser.proof(&proofs.nonce(), id);
            let proves = proves(&proofs, proof.as_bytes(), &browser.key());
            assert_eq!(proves, is_accepted, "{id}");
        }
    }

    proptest! {
        #[test]
        fn only_a_proof_that_the_key_signed_is_accepted(
            at: Index, other in "[A-Za-z0-9_.=-]{0,2}", length in 0_usize..3,
        ) {
            let (browser, other_browser) = (Browser::new(), Browser::new());
            let proofs = Proofs::default();
            let proof = browser.proof(&proofs.nonce(), "1");
            let foreign = other_browser.proof(&proofs.nonce(), "1");
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
    fn a_nonce_is_accepted_until_it_is_stale_and_a_proof_once() {
        let proofs = Proofs::default();
        let start = Instant::now();
        let nonce = |now| proofs.state(now).current.nonce.clone();
        let use_up = |nonce: &str, id: &str, now| {
            let proof = Proof {
                signed: "",
                signature: Vec::new(),
                key: Vec::new(),
                method: String::new(),
                url: String::new(),
                nonce: Some(nonce.to_owned()),
                id: id.to_owned(),
            };
            proofs.use_up(proof, now)
        };
        let first = nonce(start);
        assert_eq!(use_up(&first, "1", start), Ok(()));
        assert_eq!(use_up(&first, "1", start), Err(ProofError::Reused));
        assert_eq!(use_up("", "2", start), Err(ProofError::StaleNonce));
        let later = start + NONCE_LIFETIME;
        assert_ne!(nonce(later), first);
        assert_eq!(use_up(&first, "2", later), Ok(()), "the previous nonce");
        assert_eq!(use_up(&first, "1", later), Err(ProofError::Reused));
        let later = later + NONCE_LIFETIME;
        assert_eq!(use_up(&first, "3", later), Err(ProofError::StaleNonce));
        let full = nonce(later);
        for id in 0..MAX_USED {
            assert_eq!(use_up(&full, &id.to_string(), later), Ok(()));
        }
        assert_ne!(nonce(later), full, "no more are remembered");
        let one_more = use_up(&full, "one more", later);
        assert_eq!(one_more, Err(ProofError::StaleNonce));
    }
}
