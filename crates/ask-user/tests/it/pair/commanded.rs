//! A certificate named on the command line applies to later hubs as well: none of them falls back
//! to plain HTTP.

use rustix::process::Signal;

use super::https::{device_address, pair_device, serve_https};
use super::renewed::doctor;
use crate::support::authority::Authority;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invite};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::Web;

#[test]
fn a_certificate_of_the_command_line_outlives_the_hub() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    authority.issue(sandbox.home(), &["desk.lan", ADDRESS]);
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ask-user"));
    command.current_dir(sandbox.home()).args([
        "pair",
        "--json",
        "--address",
        ADDRESS,
        "--tls-cert",
        "cert.pem",
        "--tls-key",
        "key.pem",
    ]);
    let out = command.output().expect("the command runs");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let pairing = crate::support::json(&said);
    assert_eq!(
        text(&pairing, "url"),
        format!("https://{}", device_address(&pairing))
    );
    let trust = authority.trust_for(ADDRESS);
    let (cert, _) = authority.issue(sandbox.home(), &["desk.lan", ADDRESS]);
    let good = std::fs::read(&cert).expect("an existing file");
    std::fs::write(&cert, "").expect("a writable file");
    trust
        .presented_certificate(&device_address(&pairing))
        .expect("the previous certificate is served");
    let broken = doctor(&sandbox);
    assert!(
        broken.contains("FAIL") && broken.contains("cert.pem holds no certificate"),
        "{broken}"
    );
    std::fs::write(&cert, good).expect("a writable file");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    trust
        .presented_certificate(&device_address(&pairing))
        .expect("the certificate is served again");
    // A device paired over plain HTTP isn't accepted over HTTPS, nor the other way round.
    let again = invite(&Web::page(&sandbox), "answer");
    let phone = pair_device(&sandbox, &again, &trust);

    sandbox.run_ok(&["pair", "--off"]);
    serve_https(&sandbox, &[ADDRESS]);
    sandbox.run_ok(&["hub", "--stop"]);
    let pairing = invite(&Web::page(&sandbox), "answer");
    assert!(text(&pairing, "url").starts_with("https://127.0.0.2:"));
    sandbox.write_settings("");
    sandbox.run_ok(&["hub", "--stop"]);
    Hub::start(&sandbox);
    let off = Web::page(&sandbox).get_json("/v1/pairing");
    assert_eq!(off["on"], false, "not in the plain");
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    assert!(
        log.contains("devices used HTTPS, and http.tls_cert is no longer set"),
        "{log}"
    );
    let plain = invite(&Web::page(&sandbox), "answer");
    assert!(text(&plain, "url").starts_with("http://127.0.0.2:"));
    let shown = phone
        .without_header("origin")
        .at_address(&device_address(&plain));
    shown
        .without_tls()
        .expect_status(401, "GET", "/v1/asks", "");
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    let url = text(&plain, "url");
    for words in [
        "may answer, can't come: let in on another way, until ".to_owned(),
        format!(
            "Who was let in on another way than {url} can't come by that: `ask-user pair` lets them in anew.\n"
        ),
    ] {
        assert!(listed.contains(&words), "{listed}");
    }
    let said = doctor(&sandbox);
    assert!(
        said.contains("0 let in, at http://127.0.0.2")
            && said.contains("; let in on another way, and not there: \""),
        "{said}"
    );
}
