//! Of which kind a private key is, for saying why it can't be used.

use rustls::pki_types::PrivateKeyDer;

use super::der::{self, Reading};

/// RSA: 1.2.840.113549.1.1.1.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];

/// Elliptic curves: 1.2.840.10045.2.1.
const ELLIPTIC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// Curves that keys are made on.
const CURVES: [(&[u8], &str); 4] = [
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07], "P-256"),
    (&[0x2b, 0x81, 0x04, 0x00, 0x22], "P-384"),
    (&[0x2b, 0x81, 0x04, 0x00, 0x23], "P-521"),
    (&[0x2b, 0x81, 0x04, 0x00, 0x0a], "secp256k1"),
];

/// In words, as in "RSA of 1024 bits"; `None` where that can't be told.
pub fn said(key: &PrivateKeyDer<'_>) -> Option<String> {
    match key {
        PrivateKeyDer::Pkcs1(key) => rsa(key.secret_pkcs1_der()),
        PrivateKeyDer::Sec1(key) => {
            let mut parts = Reading(Reading(key.secret_sec1_der()).take(der::SEQUENCE)?);
            parts.take(der::INTEGER)?;
            parts.take(der::OCTETS)?;
            Some(elliptic(Reading(parts.take(der::context(0))?)))
        }
        PrivateKeyDer::Pkcs8(key) => {
            let mut parts = Reading(Reading(key.secret_pkcs8_der()).take(der::SEQUENCE)?);
            parts.take(der::INTEGER)?;
            let mut algorithm = Reading(parts.take(der::SEQUENCE)?);
            match algorithm.take(der::OBJECT)? {
                RSA => rsa(parts.take(der::OCTETS)?),
                ELLIPTIC => Some(elliptic(algorithm)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn rsa(bytes: &[u8]) -> Option<String> {
    let mut parts = Reading(Reading(bytes).take(der::SEQUENCE)?);
    parts.take(der::INTEGER)?;
    let modulus = parts.take(der::INTEGER)?;
    let zeros = modulus.iter().take_while(|byte| **byte == 0).count();
    let digits = &modulus[zeros..];
    let bits = digits.len() * 8 - digits.first()?.leading_zeros() as usize;
    Some(format!("RSA of {bits} bits"))
}

fn elliptic(mut parameters: Reading<'_>) -> String {
    let curve = parameters.take(der::OBJECT);
    let known = CURVES.iter().find(|(id, _)| Some(*id) == curve);
    match known {
        Some((_, name)) => format!("ECDSA {name}"),
        None => "ECDSA on another curve".to_owned(),
    }
}
