//! A certificate and its key, read from two PEM files (RFC 7468). Messages about trouble name the
//! file, and what to do.

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
const MOST_BYTES: u64 = 1024 * 1024;

/// The byte order mark of UTF-8, which isn't PEM.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The permission bit that lets every account read a file.
const OTHERS: u32 = 0o004;

/// Reads a certificate chain and its key.
///
/// # Errors
/// A file is unreadable or malformed, the key is unusable or of another certificate, or the
/// certificate isn't valid now, names no host or isn't for servers.
pub(super) fn read(files: &Files, now: Time) -> Result<(CertifiedKey, Certificate), String> {
    let (cert, key) = (files.cert.display(), files.key.display());
    let chain = text(&files.cert)?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&chain).collect();
    let chain = chain.map_err(|error| format!("{cert} is no certificate in PEM: {error}"))?;
    let first = chain.first().ok_or_else(|| {
        format!("{cert} holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----")
    })?;
    let certificate = Certificate::read(first)
        .ok_or_else(|| format!("the certificate in {cert} can't be understood"))?;
    let behind = || {
        chain
            .iter()
            .skip(1)
            .filter_map(|one| Certificate::read(one))
    };
    if certificate.is_nameless() && behind().any(|one| !one.is_nameless()) {
        return Err(format!(
            "the first certificate in {cert} is that of an authority, and the one of this machine stands behind it: put that one first, and those that vouch for it after it"
        ));
    }
    holds(&certificate, &files.cert, now)?;
    let secret = private_key(&files.key)?;
    // The library's error means nothing to a person, but the key's algorithm does.
    let signing = ring::sign::any_supported_type(&secret).map_err(|_| {
        let kind = key_type::said(&secret).unwrap_or_else(|| "of a kind that is not known".to_owned());
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
            "{key} is not the key of the certificate in {cert}: name the two files that were made together"
        )),
    }
}

/// The message for an expired certificate.
pub(super) fn name_mismatch(certificate: &Certificate, file: &Path) -> String {
    let (file, until) = (file.display(), certificate.until);
    format!("the certificate in {file} ended at {until}: renew it")
}

/// Refuses a certificate that isn't valid now, names no host or isn't for servers.
fn holds(certificate: &Certificate, file: &Path, now: Time) -> Result<(), String> {
    if certificate.until <= now {
        return Err(name_mismatch(certificate, file));
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
            "the certificate in {file} names no host that browsers look at: make one with subject alternative names"
        ));
    }
    if !certificate.is_for_servers {
        return Err(format!(
            "the certificate in {file} is not for servers (its extended key usage lacks serverAuth), so no browser takes it: make one with serverAuth"
        ));
    }
    Ok(())
}

fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let text = text(file)?;
    let shown = file.display();
    let key = PrivateKeyDer::from_pem_slice(&text).map_err(|_| {
        let is_locked = String::from_utf8_lossy(&text).contains("ENCRYPTED");
        match is_locked {
            true => format!(
                "the key in {shown} is locked by a passphrase: openssl pkey -in {shown} -out OTHER unlocks it into another file"
            ),
            false => {
                format!("{shown} holds no private key: it must be PEM, as PKCS#8, SEC1 or PKCS#1")
            }
        }
    })?;
    let about = std::fs::metadata(file);
    match about.is_ok_and(|about| about.permissions().mode() & OTHERS != 0) {
        true => Err(format!(
            "every account of this machine can read the key in {shown}: chmod 600 {shown}"
        )),
        false => Ok(key),
    }
}

/// Reads a file. Only a regular file is opened, because a pipe might never end.
fn text(file: &Path) -> Result<Vec<u8>, String> {
    let shown = file.display();
    let unread = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("there is no {shown}: name the file by its whole path"),
        _ => format!(
            "{shown} can't be read ({error}): let your account read it, or copy it to where it can"
        ),
    };
    let about = std::fs::metadata(file).map_err(unread)?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return Err(format!("{shown} is no file in PEM: name one"));
    }
    let mut text = std::fs::read(file).map_err(unread)?;
    // Some editors write a byte order mark.
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    Ok(text)
}
