//! A certificate and its key, read from two PEM files (RFC 7468). Error messages name the
//! file and say what to do.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ask_config::config::Files;
use ask_core::Time;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use super::{Certificate, key_type};

/// The largest size of a file.
const MAX_BYTES: u64 = 1024 * 1024;

/// The byte order mark of UTF-8, which isn't PEM.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The permission bit that lets every account read a file.
const READABLE_BY_OTHERS: u32 = 0o004;

/// Reads a certificate chain and its key.
///
/// # Errors
/// A file is unreadable or malformed, the key is unusable or of another certificate, or the
/// certificate isn't valid now, names no host or isn't for servers.
pub(super) fn read(files: &Files, now: Time) -> Result<(CertifiedKey, Certificate), String> {
    let (cert, key) = (files.cert.display(), files.key.display());
    let chain = read_file(&files.cert)?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&chain).collect();
    let chain = chain.map_err(|error| format!("{cert} is not a certificate in PEM: {error}"))?;
    let first = chain.first().ok_or_else(|| {
        format!("{cert} holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----")
    })?;
    let certificate = Certificate::parse(first).ok_or_else(|| {
        format!("the certificate in {cert} is malformed: make or request it again")
    })?;
    let following = || {
        chain
            .iter()
            .skip(1)
            .filter_map(|one| Certificate::parse(one))
    };
    if certificate.is_nameless() && following().any(|one| !one.is_nameless()) {
        return Err(format!(
            "the first certificate in {cert} belongs to a certificate authority, and this machine's comes after it: put this machine's certificate first, and then the chain that signed it"
        ));
    }
    check_validity(&certificate, &files.cert, now)?;
    let secret = read_private_key(&files.key)?;
    // A person can do nothing with the library's error, but can choose another algorithm.
    let signing = ring::sign::any_supported_type(&secret).map_err(|_| {
        let kind = key_type::describe(&secret).unwrap_or_else(|| "of an unknown algorithm".to_owned());
        format!(
            "the key in {key} is {kind}, which can't be used here: make one of ECDSA P-256 or P-384, or of RSA with 2048 to 4096 bits, and a certificate for it"
        )
    })?;
    let both = CertifiedKey::new(chain, signing);
    match both.keys_match() {
        // Some keys can't be compared.
        Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {
            Ok((both, certificate))
        }
        Err(_) => Err(format!(
            "{key} is not the key of the certificate in {cert}: use the two files that were made together"
        )),
    }
}

/// The message for an expired certificate, for logs and the person's surfaces.
pub(super) fn expiry_message(certificate: &Certificate, file: &Path) -> String {
    let (file, until) = (file.display(), certificate.until);
    format!("the certificate in {file} expired at {until}: renew it")
}

/// Refuses a certificate that isn't valid now, names no host or isn't for servers.
fn check_validity(certificate: &Certificate, file: &Path, now: Time) -> Result<(), String> {
    if certificate.until <= now {
        return Err(expiry_message(certificate, file));
    }
    let file = file.display();
    if certificate.from > now {
        return Err(format!(
            "the certificate in {file} begins at {}: is the clock of this machine right?",
            certificate.from
        ));
    }
    if certificate.is_nameless() {
        return Err(format!(
            "the certificate in {file} names no host in its subject alternative names, the only ones that browsers check: make one that does"
        ));
    }
    if !certificate.is_for_servers {
        return Err(format!(
            "the certificate in {file} is not for servers (its extended key usage lacks serverAuth), so no browser accepts it: make one with serverAuth"
        ));
    }
    Ok(())
}

fn read_private_key(file: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let text = read_file(file)?;
    let path = file.display();
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(|_| {
        let is_encrypted = String::from_utf8_lossy(&text).contains("ENCRYPTED");
        if is_encrypted {
            format!(
                "the key in {path} is encrypted with a passphrase: openssl pkey -in {path} -out OTHER decrypts it into another file"
            )
        } else {
            format!("{path} holds no private key: it must be PEM, as PKCS#8, SEC1 or PKCS#1")
        }
    })?;
    let metadata = std::fs::metadata(file);
    if metadata.is_ok_and(|metadata| metadata.permissions().mode() & READABLE_BY_OTHERS != 0) {
        return Err(format!(
            "every account of this machine can read the key in {path}: chmod 600 {path}"
        ));
    }
    Ok(key)
}

/// Reads a file. Only a regular file is opened, because a pipe might never end.
fn read_file(file: &Path) -> Result<Vec<u8>, String> {
    let path = file.display();
    let describe = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("{path} doesn't exist: give the absolute path of the file"),
        _ => format!(
            "{path} can't be read ({error}): let your account read it, or copy it to where your account can"
        ),
    };
    let metadata = std::fs::metadata(file).map_err(describe)?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(format!(
            "{path} is not a regular file, or has more than 1 MiB: give a file in PEM"
        ));
    }
    let mut text = std::fs::read(file).map_err(describe)?;
    // Some editors write a byte order mark.
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(text)
}
