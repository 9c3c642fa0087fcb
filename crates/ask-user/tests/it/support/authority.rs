//! A certificate authority and clients that trust it, in place of mkcert or Let's Encrypt.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    date_time_ymd,
};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A certificate authority.
pub(crate) struct Authority {
    own: CertificateDer<'static>,
    /// Its own certificate, in PEM.
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// What a client trusts, and the host that it wants to reach.
#[derive(Clone)]
pub(crate) struct Trust {
    config: Arc<ClientConfig>,
    /// The host's name.
    pub name: String,
}

impl Authority {
    /// A new authority, which no client trusts yet.
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params =
            CertificateParams::new(Vec::new()).expect("an empty list of names is valid");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let own = params.self_signed(&key).expect("the certificate is signed");
        Self {
            own: own.der().clone(),
            pem: own.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Writes a certificate for these names and its key into a folder; returns both paths.
    pub(crate) fn issue(&self, folder: &Path, names: &[&str]) -> (PathBuf, PathBuf) {
        self.issue_until(folder, names, 2090)
    }

    /// Writes a certificate that is valid until the first day of a year.
    pub(crate) fn issue_until(
        &self,
        folder: &Path,
        names: &[&str],
        year: i32,
    ) -> (PathBuf, PathBuf) {
        self.issue_for(folder, names, year, &[])
    }

    /// Writes a certificate for these extended key usages only.
    pub(crate) fn issue_for(
        &self,
        folder: &Path,
        names: &[&str],
        year: i32,
        uses: &[ExtendedKeyUsagePurpose],
    ) -> (PathBuf, PathBuf) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("the names are host names");
        params.extended_key_usages = uses.to_vec();
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let made = params.signed_by(&key, &self.issuer).expect("the key signs");
        let files = (folder.join("cert.pem"), folder.join("key.pem"));
        std::fs::write(&files.0, made.pem()).expect("a writable folder");
        std::fs::write(&files.1, key.serialize_pem()).expect("a writable folder");
        let own_alone = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&files.1, own_alone).expect("a writable file");
        files
    }

    /// A client that trusts the authority and wants to reach this host.
    pub(crate) fn trust_for(&self, name: &str) -> Trust {
        let mut roots = RootCertStore::empty();
        roots.add(self.own.clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("TLS 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Trust {
            config: Arc::new(config),
            name: name.to_owned(),
        }
    }
}

impl Trust {
    /// Opens a TLS connection over a stream.
    pub(crate) fn connect_over(
        &self,
        stream: TcpStream,
    ) -> StreamOwned<ClientConnection, TcpStream> {
        let name = self.name.clone().try_into().expect("a name");
        let client = ClientConnection::new(Arc::clone(&self.config), name).expect("a client");
        StreamOwned::new(client, stream)
    }

    /// The certificate that a server presents. The error says why none is trusted.
    pub(crate) fn presented_certificate(&self, address: &str) -> std::io::Result<Vec<u8>> {
        let mut stream = self.connect_over(TcpStream::connect(address)?);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock)?;
        }
        let presented = stream.conn.peer_certificates().unwrap_or_default();
        Ok(presented
            .first()
            .map(|one| one.to_vec())
            .unwrap_or_default())
    }
}
