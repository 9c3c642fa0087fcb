//! A stolen cookie: without the browser's key it opens nothing, whatever a proxy forwards. Browsers
//! are signed out at another port, so the hub keeps its port while one is signed in.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;

use rustix::process::Signal;

use crate::support::hub::{Hub, address, send_signal};
use crate::support::key::Key;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, key, kind};

/// A signed-in page with a key of its own, and its cookie.
fn signed_in(sandbox: &Sandbox) -> (Web, String) {
    let bare = Web::anonymous(sandbox).with_key(Some(Key::new()));
    let reply = bare.sign_in(&key(sandbox));
    assert_eq!(reply.status, 204);
    let cookie = cookie(&reply);
    (bare.with_cookie(&cookie), cookie)
}

#[test]
fn a_cookie_without_its_key_is_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Drop the database?", "--confirm"]);
    let (page, cookie) = signed_in(&sandbox);
    let answer = format!("/v1/asks/{id}/answer");
    let nobody = Web::anonymous(&sandbox).with_key(None).with_cookie(&cookie);
    let other = nobody.with_key(Some(Key::new()));
    for thief in [&nobody, &other] {
        for (method, path, body) in [
            ("GET", "/v1/asks", ""),
            ("GET", "/v1/events", ""),
            ("GET", "/v1/history/export", ""),
            ("POST", answer.as_str(), r#"{"answers":["yes"]}"#),
            ("DELETE", "/v1/devices", ""),
        ] {
            let refused = thief.expect_status(401, method, path, body);
            assert_eq!(kind(&refused), "no-credential", "{method} {path}");
        }
    }
    let challenge = nobody.send("GET", "/v1/asks", "");
    let wanted = challenge.header("www-authenticate").unwrap_or_default();
    assert!(wanted.starts_with("DPoP "), "{wanted}");
    assert_eq!(
        page.post_json(&answer, r#"{"answers":["yes"]}"#)["record"]["answeredBy"],
        "web"
    );
    // No session begins without a key, and a failed attempt doesn't use up the link.
    let link = key(&sandbox);
    assert_eq!(
        Web::anonymous(&sandbox)
            .with_key(None)
            .sign_in(&link)
            .status,
        401
    );
    assert_eq!(Web::anonymous(&sandbox).sign_in(&link).status, 204);
}

#[test]
fn a_proof_is_valid_for_one_request() {
    let sandbox = Sandbox::new();
    let own = Key::new();
    let bare = Web::anonymous(&sandbox).with_key(Some(own.clone()));
    let page = bare.with_cookie(&cookie(&bare.sign_in(&key(&sandbox))));
    let nonce = page.nonce();
    let url = page.url("/v1/asks");
    let tries = |proof: &str, host: Option<&str>| {
        let page = page.with_header("dpop", proof);
        let page = host.map_or(page.clone(), |host| page.with_header("host", host));
        page.send("GET", "/v1/asks?first=1", "").status
    };
    let good = own.proof("GET", &url, &nonce, "a");
    assert_eq!(tries(&good, None), 200);
    assert_eq!(tries(&good, None), 401, "it was used");
    let (scheme, rest) = url.split_once("://").expect("a URL");
    let (host, path) = rest.split_once('/').expect("a path");
    // Another port forwards a request that was meant for it: the proof names that port's address.
    let elsewhere = own.proof(
        "GET",
        &format!("{scheme}://127.0.0.1:1/{path}"),
        &nonce,
        "b",
    );
    assert_eq!(tries(&elsewhere, None), 401);
    for (method, url, nonce) in [
        ("POST", url.clone(), nonce.as_str()),
        ("GET", format!("{scheme}://{host}/v1/events"), &nonce),
        ("GET", format!("{scheme}://localhost/{path}"), &nonce),
        ("GET", format!("ftp://{host}/{path}"), &nonce),
        ("GET", url.clone(), "of another hub"),
        ("GET", url.clone(), ""),
    ] {
        let proof = own.proof(method, &url, nonce, "c");
        assert_eq!(tries(&proof, None), 401, "{method} {url} {nonce}");
    }
    assert_eq!(tries(&own.proof("GET", &url, &nonce, "c"), None), 200);
    let altered = own.proof("GET", &url, &nonce, "d").replace('.', "A.");
    for proof in ["", "nonsense", altered.as_str()] {
        assert_eq!(tries(proof, None), 401, "{proof}");
    }
    // A proof made for the last hub isn't valid at the next one.
    let kept = own.proof("GET", &url, &nonce, "e");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    assert_eq!(tries(&kept, None), 401);
    page.get_json("/v1/asks");
}

#[test]
fn a_restarted_hub_keeps_a_port_that_it_had_only_because_another_was_taken() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let wanted = taken.local_addr().expect("it is bound").port();
    sandbox.write_settings(&format!("[http]\nport = {wanted}\n"));
    let (page, _) = signed_in(&sandbox);
    let port = |sandbox: &Sandbox| {
        address(sandbox)
            .and_then(|hub| hub.http)
            .map(|http| http.port)
    };
    let before = port(&sandbox);
    assert_ne!(before, Some(wanted));
    sandbox.run_ok(&["hub", "--stop"]);
    Hub::start(&sandbox);
    assert_eq!(port(&sandbox), before);
    page.get_json("/v1/asks");
}

#[test]
fn a_cookie_stolen_through_the_port_is_useless() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Drop the database?", "--confirm"]);
    let (page, cookie) = signed_in(&sandbox);
    let before = address(&sandbox).expect("a hub runs");
    let port = before.http.expect("the hub serves HTTP").port;
    sandbox.run_ok(&["hub", "--stop"]);
    let squatter = TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
    let visited = std::thread::spawn(move || {
        let (stream, _) = squatter.accept().expect("a client connects");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        (squatter, head)
    });
    // As a browser looks for a new service worker. Cookies don't distinguish ports.
    let stream = std::net::TcpStream::connect(("127.0.0.1", port)).expect("the squatter listens");
    let asked =
        format!("GET /sw.js HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n\r\n");
    std::io::Write::write_all(&mut &stream, asked.as_bytes())
        .expect("the squatter reads the request");
    let (_squatter, head) = visited.join().expect("the squatter has served a request");
    assert!(head.iter().any(|line| line.contains(&cookie)), "{head:?}");

    Hub::start(&sandbox);
    let moved = Web::anonymous(&sandbox).with_key(None).with_cookie(&cookie);
    let answer = format!("/v1/asks/{id}/answer");
    let refused = moved.expect_status(401, "POST", &answer, r#"{"answers":["yes"]}"#);
    assert_eq!(kind(&refused), "no-credential");
    // The same holds for requests of the page itself.
    assert_eq!(
        page.at_hub_of(&sandbox).send("GET", "/v1/asks", "").status,
        401
    );
    for arguments in [&["doctor"][..], &["web", "--print"]] {
        let output = sandbox.run(arguments);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let told = format!("was at port {port}, so browsers of this machine were signed out");
        assert!(said.contains(&told), "{arguments:?}: {said}");
    }
}

#[test]
fn a_restarted_hub_keeps_sessions() {
    let sandbox = Sandbox::new();
    let (page, _) = signed_in(&sandbox);
    sandbox.run_ok(&["hub", "--stop"]);
    page.at_hub_of(&sandbox).get_json("/v1/asks");
    let said = sandbox.run_ok(&["web", "--sessions"]);
    assert!(
        said.contains("last seen") || said.contains("here now"),
        "{said}"
    );
}

#[test]
fn sessions_are_listed_and_ended() {
    let sandbox = Sandbox::new();
    let none = sandbox.run_ok(&["web", "--sessions"]);
    assert!(none.contains("No browser of this machine"), "{none}");
    let sign = |agent: &str| {
        let bare = Web::anonymous(&sandbox).with_header("user-agent", agent);
        bare.with_cookie(&cookie(&bare.sign_in(&key(&sandbox))))
    };
    let (first, second, third) = (sign("Firefox/140 (Linux)"), sign("curl/8"), sign("curl/8"));
    let printed = sandbox.run_ok(&["web", "--sessions"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 3, "{printed}");
    for name in ["Linux, Firefox", "curl", "curl 2"] {
        assert!(
            lines
                .iter()
                .any(|line| line.contains(&format!("  {name}  "))),
            "{printed}"
        );
    }
    let listed = crate::support::json(&sandbox.run_ok(&["web", "--sessions", "--json"]));
    let own = first.get_json("/v1/session");
    assert_eq!(listed["browsers"][0]["id"], own["id"]);
    assert_eq!(
        first.get_json("/v1/pairing")["browsers"],
        listed["browsers"]
    );

    sandbox.run_ok(&["web", "--end", "curl 2"]);
    assert_eq!(third.send("GET", "/v1/asks", "").status, 401);
    let id = text(&second.get_json("/v1/session"), "id");
    first.expect_status(204, "DELETE", &format!("/v1/devices/{id}"), "");
    assert_eq!(second.send("GET", "/v1/asks", "").status, 401);
    let gone = sandbox.run(&["web", "--end", "curl"]);
    assert!(!gone.status.success());
    let mut listening = first.open_events();
    sandbox.run_ok(&["web", "--end", "all"]);
    while listening.0.line().is_some() {}
    assert_eq!(first.send("GET", "/v1/asks", "").status, 401);
}
