//! HTTPS for devices, with the person's own certificate. Its two files are read again when they
//! change, because certificates are renewed while the hub runs. An unusable certificate never
//! replaces a usable one.

mod certificate;
pub(crate) mod handshake;
mod key_type;
mod server_config;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_config::config::{Files, Stamp};
use ask_core::Time;
use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, ring};
use rustls::server::ResolvesServerCert;
use rustls::sign::CertifiedKey;

pub use self::certificate::Certificate;

/// A certificate that is served.
pub(crate) struct Tls {
    files: Files,
    state: Mutex<TlsState>,
}

struct TlsState {
    stamp: Stamp,
    serves: Arc<ServerConfig>,
    certificate: Certificate,
    /// The host that devices use; a renewed certificate has to cover it.
    name: Option<String>,
    /// Why the current files aren't served.
    trouble: Option<String>,
}

/// Presents one certificate for every name, so that a client with a wrong name can tell where it
/// is.
#[derive(Debug)]
struct Always(Arc<CertifiedKey>);

impl ResolvesServerCert for Always {
    fn resolve(&self, _hello: rustls::server::ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

/// The certificate in these files.
///
/// # Errors
/// It can't be used; the message says why and what to do.
pub fn certificate(files: &Files, now: Time) -> Result<Certificate, String> {
    Ok(server_config::read(files, now)?.1)
}

impl Tls {
    /// Reads a certificate for serving.
    ///
    /// # Errors
    /// Those of [`certificate()`].
    pub(crate) fn open(files: Files, now: Time) -> Result<Self, String> {
        let stamp = files.stamp();
        let (key, certificate) = server_config::read(&files, now)?;
        let serves = serving(key)?;
        Ok(Self {
            files,
            state: Mutex::new(TlsState {
                stamp,
                serves,
                certificate,
                name: None,
                trouble: None,
            }),
        })
    }

    /// Sets the host that devices use.
    pub(crate) fn is_called(&self, name: &str) {
        self.state().name = Some(name.to_owned());
    }

    /// Its files.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// The certificate that is served.
    pub(crate) fn certificate(&self) -> Certificate {
        self.state().certificate.clone()
    }

    /// Why the current files aren't served, or that the served certificate has expired.
    pub(crate) fn trouble(&self, now: Time) -> Option<String> {
        self.serves(now);
        let state = self.state();
        let is_over = state.certificate.until <= now;
        let over =
            is_over.then(|| server_config::name_mismatch(&state.certificate, &self.files.cert));
        state.trouble.clone().or(over)
    }

    /// The configuration for the next connection. The files are read again if they have changed.
    pub(crate) fn serves(&self, now: Time) -> Arc<ServerConfig> {
        let stamp = self.files.stamp();
        let mut state = self.state();
        if state.stamp != stamp {
            state.stamp = stamp;
            match self.renewed(state.name.as_deref(), now) {
                Ok((serves, certificate)) => {
                    tracing::info!(
                        "the certificate in {} was renewed, until {}",
                        self.files.cert.display(),
                        certificate.until
                    );
                    state.serves = serves;
                    state.certificate = certificate;
                    state.trouble = None;
                }
                Err(why) => {
                    let said = format!("{why}. Until then the certificate from before is served");
                    tracing::error!("the renewed certificate isn't used: {said}");
                    state.trouble = Some(said);
                }
            }
        }
        Arc::clone(&state.serves)
    }

    fn renewed(
        &self,
        name: Option<&str>,
        now: Time,
    ) -> Result<(Arc<ServerConfig>, Certificate), String> {
        let (key, certificate) = server_config::read(&self.files, now)?;
        if let Some(name) = name.filter(|name| !certificate.covers(name)) {
            return Err(format!(
                "{} is for {} now, and devices come to {name}: renew it for that name, or run `ask-user pair` again",
                self.files.cert.display(),
                certificate.said()
            ));
        }
        Ok((serving(key)?, certificate))
    }

    fn state(&self) -> MutexGuard<'_, TlsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A configuration for TLS 1.3 (RFC 8446) alone: every browser that can run the page speaks it.
fn serving(key: CertifiedKey) -> Result<Arc<ServerConfig>, String> {
    let provider = CryptoProvider {
        // No client certificates are verified.
        signature_verification_algorithms: WebPkiSupportedAlgorithms {
            all: &[],
            mapping: &[],
        },
        ..ring::default_provider()
    };
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| format!("TLS can't be had: {error}"))?;
    let mut config = config
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Always(Arc::new(key))));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
