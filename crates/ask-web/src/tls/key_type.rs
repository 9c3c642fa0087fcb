//! The algorithm of a private key, for error messages about unusable keys.

use rustls::pki_types::PrivateKeyDer;
use x509_parser::asn1_rs::{Any, FromDer as _, Integer, OctetString, Oid, Sequence, oid};
use x509_parser::num_bigint::BigUint;
use x509_parser::oid_registry::{
    OID_EC_P256, OID_KEY_TYPE_EC_PUBLIC_KEY, OID_NIST_EC_P384, OID_NIST_EC_P521,
    OID_PKCS1_RSAENCRYPTION,
};
use x509_parser::x509::AlgorithmIdentifier;

/// The algorithm as in error messages, such as "RSA of 1024 bits"; `None` if it is unknown. The formats are
/// PKCS#1 (RFC 8017), SEC1 (RFC 5915) and PKCS#8 (RFC 5958).
pub(super) fn describe(key: &PrivateKeyDer<'_>) -> Option<String> {
    match key {
        PrivateKeyDer::Pkcs1(key) => describe_rsa(key.secret_pkcs1_der()),
        PrivateKeyDer::Sec1(key) => {
            let (_, fields) = Sequence::from_der(key.secret_sec1_der()).ok()?;
            let (rest, _version) = Integer::from_der(&fields.content).ok()?;
            let (rest, _secret) = OctetString::from_der(rest).ok()?;
            let (_, parameters) = Any::from_der(rest).ok()?;
            let curve = Oid::from_der(parameters.data).map(|(_, curve)| curve);
            Some(describe_curve(curve.ok().as_ref()))
        }
        PrivateKeyDer::Pkcs8(key) => {
            let (_, fields) = Sequence::from_der(key.secret_pkcs8_der()).ok()?;
            let (rest, _version) = Integer::from_der(&fields.content).ok()?;
            let (rest, algorithm) = AlgorithmIdentifier::from_der(rest).ok()?;
            if algorithm.algorithm == OID_PKCS1_RSAENCRYPTION {
                describe_rsa(OctetString::from_der(rest).ok()?.1.as_ref())
            } else if algorithm.algorithm == OID_KEY_TYPE_EC_PUBLIC_KEY {
                let curve = algorithm.parameters.and_then(|curve| curve.oid().ok());
                Some(describe_curve(curve.as_ref()))
            } else {
                None
            }
        }
        _ => None,
    }
}

fn describe_rsa(bytes: &[u8]) -> Option<String> {
    let (_, fields) = Sequence::from_der(bytes).ok()?;
    let (rest, _version) = Integer::from_der(&fields.content).ok()?;
    let (_, modulus) = Integer::from_der(rest).ok()?;
    let bits = BigUint::from_bytes_be(modulus.as_ref()).bits();
    Some(format!("RSA of {bits} bits"))
}

fn describe_curve(curve: Option<&Oid<'_>>) -> String {
    let curves = [
        (OID_EC_P256, "P-256"),
        (OID_NIST_EC_P384, "P-384"),
        (OID_NIST_EC_P521, "P-521"),
        (oid!(1.3.132.0.10), "secp256k1"),
    ];
    match curves.iter().find(|(id, _)| Some(id) == curve) {
        Some((_, name)) => format!("ECDSA {name}"),
        None => "ECDSA on another curve".to_owned(),
    }
}
