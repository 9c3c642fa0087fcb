//! Certificates that can't be used: the reason, the remedy, and that nothing is served without
//! them.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rcgen::ExtendedKeyUsagePurpose;

use super::https::device_address;
use super::renewed::{configure, doctor, read_log};
use crate::support::authority::Authority;
use crate::support::phone::{ADDRESS, invite};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn an_unusable_certificate_is_refused_with_a_fix() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    let folder = sandbox.home();
    let (cert, key) = authority.issue(folder, &["desk.lan"]);
    let within = |name: &str| {
        let within = folder.join(name);
        std::fs::create_dir(&within).expect("a writable folder");
        within
    };
    let (_, other) = authority.issue(&within("other"), &["desk.lan"]);
    let past = authority.issue_until(&within("past"), &["desk.lan"], 2021);
    let wild = authority.issue(&within("wild"), &["*.home.example"]);
    let nameless = authority.issue(&within("nameless"), &[]);
    let open = authority.issue(&within("open"), &["desk.lan"]);
    let everybody = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&open.1, everybody).expect("a writable file");
    let locked = folder.join("locked.pem");
    let text_of =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n";
    std::fs::write(&locked, text_of).expect("a writable folder");
    let none = folder.join("none.pem");
    for (cert, key, why, where_to) in [
        (
            &cert,
            &other,
            "is not the key of the certificate",
            "use the two files",
        ),
        (
            &none,
            &key,
            "none.pem doesn't exist",
            "give the absolute path",
        ),
        (
            &cert,
            &cert,
            "holds no private key",
            "PKCS#8, SEC1 or PKCS#1",
        ),
        (&key, &key, "holds no certificate", "must be PEM"),
        (
            &past.0,
            &past.1,
            "expired at 2021-01-01T00:00:00Z",
            "renew it",
        ),
        (&wild.0, &wild.1, "is for *.home.example", "set http.names"),
        (
            &nameless.0,
            &nameless.1,
            "names no host",
            "subject alternative names",
        ),
        (
            &open.0,
            &open.1,
            "every account of this machine can read",
            "chmod 600",
        ),
        (
            &cert,
            &locked,
            "encrypted with a passphrase",
            "openssl pkey -in",
        ),
    ] {
        configure(&sandbox, cert, key);
        sandbox.run(&["hub", "--stop"]);
        let computer = Web::page(&sandbox);
        let body = format!(r#"{{"address":"{ADDRESS}","forMs":3600000}}"#);
        let refused = computer.expect_status(409, "POST", "/v1/pairing", &body);
        assert_eq!(kind(&refused), "pairing-unavailable");
        let said = text(&refused, "detail");
        assert!(said.contains(why) && said.contains(where_to), "{said}");
        assert_eq!(computer.get_json("/v1/pairing")["on"], false);
        let told = sandbox.run(&["pair", "--address", ADDRESS]);
        assert_eq!(told.status.code(), Some(1));
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        assert!(told.contains(why), "{told}");
        // A missing name is only noticed when a device uses it.
        if !why.contains("home.example") {
            assert!(read_log(&sandbox).contains(why), "{why}");
            let doctor = doctor(&sandbox);
            assert!(doctor.contains("FAIL") && doctor.contains(why), "{doctor}");
        }
    }
    sandbox.write_settings("[http]\ntls_cert = \"/cert.pem\"\n");
    sandbox.run_ok(&["hub", "--stop"]);
    let body = format!(r#"{{"address":"{ADDRESS}","forMs":3600000}}"#);
    let refused = Web::page(&sandbox).expect_status(409, "POST", "/v1/pairing", &body);
    let said = text(&refused, "detail");
    assert!(
        said.contains("http.tls_cert is set and http.tls_key is not"),
        "{said}"
    );
}

#[test]
fn wrong_pem_blocks_are_named() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    let folder = sandbox.home();
    let (cert, key) = authority.issue(folder, &["desk.lan"]);
    let leaf = std::fs::read_to_string(&cert).expect("an existing file");
    let put = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a writable folder");
        let own_alone = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&file, own_alone).expect("a writable file");
        file
    };
    let turned = put("turned.pem", &format!("{}{leaf}", authority.pem));
    let clients = folder.join("clients");
    std::fs::create_dir(&clients).expect("a writable folder");
    let client_alone = [ExtendedKeyUsagePurpose::ClientAuth];
    let client = authority.issue_for(&clients, &["desk.lan"], 2090, &client_alone);
    let mends = "make one of ECDSA P-256 or P-384, or of RSA with 2048 to 4096 bits";
    let small = put("small.pem", include_str!("keys/rsa-1024.pem"));
    let small8 = put("small8.pem", include_str!("keys/rsa-1024-pkcs8.pem"));
    let curve = put("curve.pem", include_str!("keys/p-521-sec1.pem"));
    let curve8 = put("curve8.pem", include_str!("keys/p-521.pem"));
    for (cert, key, why, mends) in [
        (
            &turned,
            &key,
            "belongs to a certificate authority",
            "put this machine's certificate first",
        ),
        (
            &client.0,
            &client.1,
            "is not for servers",
            "with serverAuth",
        ),
        (&cert, &small, "is RSA of 1024 bits", mends),
        (&cert, &small8, "is RSA of 1024 bits", mends),
        (&cert, &curve, "is ECDSA P-521", mends),
        (&cert, &curve8, "is ECDSA P-521", mends),
    ] {
        let (cert, key) = (cert.display().to_string(), key.display().to_string());
        let files = ["--tls-cert", &cert, "--tls-key", &key];
        let out = sandbox.run(&[&["pair", "--address", ADDRESS], &files[..]].concat());
        assert_eq!(out.status.code(), Some(1), "{why}");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains(why) && said.contains(mends), "{said}");
        assert!(!said.contains("unexpected"), "{said}");
    }
}

#[test]
fn a_byte_order_mark_and_group_access_are_accepted() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    let both = [
        ExtendedKeyUsagePurpose::ClientAuth,
        ExtendedKeyUsagePurpose::ServerAuth,
    ];
    let (cert, key) = authority.issue_for(sandbox.home(), &[ADDRESS], 2090, &both);
    for file in [&cert, &key] {
        let text = std::fs::read_to_string(file).expect("an existing file");
        std::fs::write(file, format!("\u{feff}{text}")).expect("a writable file");
    }
    let group = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(&key, group).expect("a writable file");
    configure(&sandbox, &cert, &key);
    let pairing = invite(&Web::page(&sandbox), "answer");
    authority
        .trust_for(ADDRESS)
        .presented_certificate(&device_address(&pairing))
        .expect("the certificate is served");
    let said = doctor(&sandbox);
    let group = std::fs::metadata(&key).expect("an existing file").gid();
    let remark = format!("the accounts of group {group} can read its key, too");
    assert!(said.contains(&remark), "{said}");
}
