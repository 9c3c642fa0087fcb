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
    config: Arc<ServerConfig>,
    certificate: Certificate,
    /// The host that devices use; a renewed certificate has to cover it.
    name: Option<String>,
    /// Why the current files aren't served.
    problem: Option<String>,
}

/// Presents one certificate for every name, so that a client with a wrong name sees which name is
/// right.
#[derive(Debug)]
struct SingleCertificate(Arc<CertifiedKey>);

impl ResolvesServerCert for SingleCertificate {
    fn resolve(&self, _hello: rustls::server::ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

/// Reads and checks the certificate in these files.
///
/// # Errors
/// The certificate can't be used. The message says why and what to do.
pub fn read_certificate(files: &Files, now: Time) -> Result<Certificate, String> {
    Ok(server_config::read(files, now)?.1)
}

impl Tls {
    /// Reads a certificate that is to be served.
    ///
    /// # Errors
    /// Those of [`read_certificate`].
    pub(crate) fn open(files: Files, now: Time) -> Result<Self, String> {
        let stamp = files.stamp();
        let (key, certificate) = server_config::read(&files, now)?;
        let config = build_config(key)?;
        Ok(Self {
            files,
            state: Mutex::new(TlsState {
                stamp,
                config,
                certificate,
                name: None,
                problem: None,
            }),
        })
    }

    /// Sets the host that devices use. A renewed certificate must cover it.
    pub(crate) fn set_name(&self, name: &str) {
        self.state().name = Some(name.to_owned());
    }

    /// The files of the certificate and its key.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// The certificate that is served.
    pub(crate) fn certificate(&self) -> Certificate {
        self.state().certificate.clone()
    }

    /// Why the current files aren't served, or that the served certificate has expired.
    pub(crate) fn problem(&self, now: Time) -> Option<String> {
        self.server_config(now);
        let state = self.state();
        let is_expired = state.certificate.until <= now;
        let expired =
            is_expired.then(|| server_config::expiry_message(&state.certificate, &self.files.cert));
        state.problem.clone().or(expired)
    }

    /// The configuration for the next connection. The files are read again if they have changed.
    pub(crate) fn server_config(&self, now: Time) -> Arc<ServerConfig> {
        let stamp = self.files.stamp();
        let mut state = self.state();
        if state.stamp != stamp {
            state.stamp = stamp;
            match self.read_renewed(state.name.as_deref(), now) {
                Ok((config, certificate)) => {
                    tracing::info!(
                        "the certificate in {} was renewed and is valid until {}",
                        self.files.cert.display(),
                        certificate.until
                    );
                    state.config = config;
                    state.certificate = certificate;
                    state.problem = None;
                }
                Err(why) => {
                    let message = format!("{why}. Until then, the previous certificate is served");
                    tracing::error!("the renewed certificate isn't used: {message}");
                    state.problem = Some(message);
                }
            }
        }
        Arc::clone(&state.config)
    }

    fn read_renewed(
        &self,
        name: Option<&str>,
        now: Time,
    ) -> Result<(Arc<ServerConfig>, Certificate), String> {
        let (key, certificate) = server_config::read(&self.files, now)?;
        if let Some(name) = name.filter(|name| !certificate.covers(name)) {
            return Err(format!(
                "{} is now for {}, but devices connect to {name}: renew it for that name, or run `ask-user pair` again",
                self.files.cert.display(),
                certificate.hosts_text()
            ));
        }
        Ok((build_config(key)?, certificate))
    }

    fn state(&self) -> MutexGuard<'_, TlsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A configuration for TLS 1.3 (RFC 8446) only: every browser that can run the page supports it.
fn build_config(key: CertifiedKey) -> Result<Arc<ServerConfig>, String> {
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
        .map_err(|error| format!("TLS can't be configured: {error}"))?;
    let mut config = config
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertificate(Arc::new(key))));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
