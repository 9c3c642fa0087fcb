//! Which requests may come in over HTTP, and to which address.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;

use super::{ASK, RIGHT};
use crate::support::http::Http;
use crate::support::hub::{Hub, address};
use crate::support::lines::{LIMIT, read_some};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::web::{self, Web};
use crate::support::{json, text};

#[test]
#[cfg(target_os = "linux")]
fn another_account_is_refused_unless_the_settings_name_it() {
    let sandbox = Sandbox::new().of_another_account();
    let http = Http::of_hub(&sandbox);
    for path in ["/mcp", "/v1/asks", "/bridge", "/", "/healthz"] {
        let token = format!("Bearer {}", http.token);
        let headers = [("host", "localhost"), ("authorization", token.as_str())];
        let mut reply = http.raw("GET", path, &headers, "");
        assert_eq!(reply.status, 403, "{path}");
        let problem = json(&reply.text());
        assert_eq!(problem["type"], "urn:ask-user:problem:foreign-account");
    }
    let account = rustix::process::geteuid().as_raw();
    let refused = http.call(1, "ask_user", ASK).text();
    let cure = format!("accounts = \\\"{account}\\\"");
    assert!(refused.contains(&cure), "{refused}");
    Hub::connect(&sandbox).kill();

    sandbox.write_settings(&format!("[http]\naccounts = \"12 {account}\"\n"));
    let mut person = Person::new(&sandbox);
    let mut call = Http::of_hub(&sandbox).session().call(1, "ask_user", ASK);
    let id = person.next_ask();
    person.answer(&id, &["--set", "right"]);
    assert!(call.tool_text().contains(RIGHT));
    let mut signed_in = Web::anonymous(&sandbox).sign_in(&web::key(&sandbox));
    assert_eq!(signed_in.status, 403, "its links are for its own account");
    let problem = json(&signed_in.text());
    assert_eq!(problem["type"], "urn:ask-user:problem:foreign-account");
}

#[test]
#[cfg(target_os = "linux")]
fn another_account_holds_no_more_than_64_connections() {
    let sandbox = Sandbox::new().of_another_account();
    let port = Http::of_hub(&sandbox).port;
    let connect = |_| {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the port is open");
        stream
            .set_read_timeout(Some(LIMIT))
            .expect("a socket timeout");
        stream
    };
    let mut all: Vec<TcpStream> = (0..80).map(connect).collect();
    let (sender, closed) = std::sync::mpsc::channel();
    for mut stream in all.drain(..) {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let read = read_some(&mut stream, &mut [0; 1]);
            // The main thread reads sixteen results; a later one has no receiver.
            let _ = sender.send(read.is_ok_and(|read| read == 0));
        });
    }
    for _ in 0..16 {
        assert!(closed.recv_timeout(LIMIT).is_ok_and(|closed| closed));
    }
}

#[test]
fn requests_without_the_token_are_refused() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    for path in ["/mcp", "/mcp/auq", "/", "/nothing"] {
        for shown in [None, Some("Bearer wrong"), Some("Basic wrong")] {
            let mut headers = vec![("host", "localhost"), ("content-type", "application/json")];
            headers.extend(shown.map(|shown| ("authorization", shown)));
            let mut reply = http.raw("POST", path, &headers, "{}");
            assert_eq!(reply.status, 401, "{path} with {shown:?}");
            assert_eq!(
                reply.header("www-authenticate"),
                None,
                "a challenge would start OAuth discovery"
            );
            let number = reply.header("x-request-id").map(str::to_owned);
            assert_eq!(
                reply.header("content-type"),
                Some("application/problem+json")
            );
            let said = reply.text();
            assert!(said.contains("ask-user hub --status"), "{said}");
            let problem = json(&said);
            assert_eq!(problem["type"], "urn:ask-user:problem:no-credential");
            assert_eq!(problem["status"], 401);
            assert_eq!(problem["instance"].as_str(), number.as_deref());
            let home = sandbox.home().display().to_string();
            assert!(!said.contains(&home), "a stranger learns a path: {said}");
        }
    }
    for path in ["/bridge", "/metrics", "/v1/asks"] {
        let reply = http.raw("GET", path, &[("host", "localhost")], "");
        assert_eq!(reply.status, 401, "{path}");
        let challenge = reply.header("www-authenticate");
        assert_eq!(challenge, Some("Bearer realm=\"ask-user\""), "{path}");
        assert!(reply.header("x-request-id").is_some(), "{path}");
    }
    let alive = http.raw("GET", "/healthz", &[("host", "localhost")], "");
    assert_eq!(alive.status, 200, "everybody may use the health check");
    let nothing = Http {
        path: "/nothing".to_owned(),
        ..http
    };
    assert_eq!(nothing.send("GET", &[], "").status, 404);
}

#[test]
fn invalid_json_is_a_json_rpc_parse_error() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    for body in ["", "{", "what?"] {
        let mut reply = http.send("POST", &[], body);
        assert_eq!(reply.status, 400, "{body}");
        assert_eq!(json(&reply.text())["error"]["code"], -32700, "{body}");
    }
}

#[test]
fn transport_errors_are_problem_documents() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let token = format!("Bearer {}", http.token);
    let bare = [("host", "localhost"), ("authorization", token.as_str())];
    let text = [bare.as_slice(), &[("content-type", "text/plain")]].concat();
    let events = [bare.as_slice(), &[("accept", "text/event-stream")]].concat();
    let unknown = [events.as_slice(), &[("mcp-session-id", "x")]].concat();
    for (status, kind, method, headers) in [
        (400, "malformed", "GET", events.as_slice()),
        (404, "not-found", "GET", &unknown),
        (406, "malformed", "GET", &bare),
        (406, "malformed", "POST", &text),
        (405, "method-not-allowed", "PUT", &bare),
    ] {
        let mut reply = http.raw(method, "/mcp", headers, ping);
        assert_eq!(reply.status, status, "{method} {headers:?}");
        let is = reply.header("content-type");
        assert_eq!(is, Some("application/problem+json"), "{status}");
        let number = reply.header("x-request-id").map(str::to_owned);
        let problem = json(&reply.text());
        assert_eq!(problem["type"], format!("urn:ask-user:problem:{kind}"));
        assert_eq!(problem["status"], status);
        assert_eq!(problem["instance"].as_str(), number.as_deref());
        assert_ne!(problem["detail"], "");
    }
}

#[test]
fn foreign_origins_and_hosts_are_refused() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
    ] {
        let reply = http.send("POST", &[("origin", origin)], "{}");
        assert_eq!(reply.status, 403, "{origin}");
    }
    let own = http.send("GET", &[("origin", "http://localhost:3000")], "");
    assert_ne!(own.status, 403, "a page of this machine is no stranger");
    let token = format!("Bearer {}", http.token);
    let headers = [("host", "evil.example"), ("authorization", token.as_str())];
    assert_eq!(http.raw("POST", "/mcp", &headers, "{}").status, 403);
}

#[test]
fn a_request_that_is_too_long_is_refused() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let mut reply = Http::of_hub(&sandbox).send("POST", &[], &" ".repeat(256 * 1024 + 1));
    assert_eq!(reply.status, 413);
    let said = reply.text();
    assert!(said.contains("262144 bytes"), "{said}");
}

#[test]
fn the_token_is_stable_and_private() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let first = Http::of_hub(&sandbox);
    for name in ["token", "hub.json"] {
        let file = std::fs::metadata(sandbox.home().join(name)).expect("an existing file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600, "{name}");
    }
    let status = sandbox.run_ok(&["hub", "--status"]);
    assert!(
        status.contains(&format!("http://127.0.0.1:{}/mcp", first.port)),
        "{status}"
    );
    assert!(!status.contains(&first.token), "the token is not shown");
    sandbox.run_ok(&["hub", "--stop"]);
    Hub::start(&sandbox);
    assert_eq!(Http::of_hub(&sandbox).token, first.token);
}

#[test]
fn a_port_that_is_taken_is_replaced_by_another() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let port = taken.local_addr().expect("the listener is bound").port();
    let sandbox = Sandbox::new().with_port_of_settings();
    let config = format!("[http]\nport = {port}\n");
    std::fs::write(sandbox.home().join("config.toml"), config).expect("a writable home");
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    assert_ne!(http.port, port);
    assert_eq!(http.send("GET", &[], "").status, 400, "it is there");
}

#[test]
fn http_can_be_disabled() {
    let sandbox = Sandbox::new();
    let config = "[http]\nenabled = false\n";
    std::fs::write(sandbox.home().join("config.toml"), config).expect("a writable home");
    Hub::start(&sandbox);
    let address = address(&sandbox).expect("a hub runs");
    assert_eq!(address.http, None);
}

#[test]
fn a_server_of_its_own_serves_over_http_too() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (_server, http) = Http::of_server(&sandbox);
    let mut call = http.call(1, "ask_user", ASK);
    let id = person.next_ask();
    Hub::connect(&sandbox).kill();
    person.wait_for("the call waits again", |record| {
        record["askId"] == *id && record["waiters"] == 1
    });
    person.answer(&id, &["--set", "right"]);
    let told = call.tool_text();
    assert!(told.contains(RIGHT), "{told}");
}

#[test]
fn the_url_describes_the_asker() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = Http::of_hub(&sandbox);
    let _first = http.call(1, "ask_user", ASK);
    let id = person.next_ask();
    let shown = person.record(&id);
    let said = shown["asker"].as_object().expect("the record has an asker");
    let said: Vec<&str> = said.keys().map(String::as_str).collect();
    // The platform decides what is known about the process.
    let known = said.iter().filter(|key| **key != "caller");
    let known: Vec<&str> = known.copied().collect();
    assert_eq!(known, ["client", "clientVersion"], "nothing else is said");
    let place = sandbox.home().join("my app");
    std::fs::create_dir(&place).expect("a writable home");
    let query = format!(
        "directory={}&agent=planner&session=s%201",
        place.display().to_string().replace(' ', "%20")
    );
    let _second = http.with_query(&query).call(1, "ask_user", ASK);
    let id = person.next_ask();
    let asker = person.record(&id)["asker"].clone();
    assert_eq!(text(&asker, "directory"), place.display().to_string());
    assert_eq!(text(&asker, "project"), "my app");
    assert_eq!(text(&asker, "agent"), "planner");
    assert_eq!(text(&asker, "session"), "s 1");
}

#[test]
fn a_request_with_two_hosts_or_another_host_is_refused() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let token = format!("Bearer {}", http.token);
    let mine = [("host", "127.0.0.1"), ("authorization", token.as_str())];
    let two = [mine[0], mine[1], ("host", "evil.example")];
    for (path, refused) in [("/mcp", 403), ("/v1/asks", 421), ("/bridge", 403)] {
        assert_eq!(http.raw("GET", path, &two, "").status, refused, "{path}");
        let absolute = format!("http://evil.example{path}");
        let reply = http.raw("GET", &absolute, &mine, "");
        assert_eq!(reply.status, refused, "{absolute}");
        let own = format!("http://127.0.0.1:{}{path}", http.port);
        let reply = http.raw("GET", &own, &mine, "");
        assert!(
            ![403, 421].contains(&reply.status) || path == "/v1/asks",
            "{own}"
        );
    }
}

#[test]
fn the_log_has_request_ids_and_no_content() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(BINARY);
    command.arg("hub").env("CN_MCP_DEBUG", "1");
    assert!(run_to_end(command).status.success());
    let http = Http::of_hub(&sandbox);
    let mut person = Person::new(&sandbox);
    let session = http.session();
    let asks = r#"{"question":"Zebra asked?","context":"Zebra context","agent":"Zebra"}"#;
    let mut call = session.call(1, "ask_user", asks);
    let id = person.next_ask();
    person.answer(&id, &["--set", "Zebra answered"]);
    assert!(call.message().to_string().contains("Zebra answered"));
    let looked = Http {
        path: format!("/v1/asks/{id}?zebra=Zebra"),
        ..http.clone()
    };
    looked.send("GET", &[], "");
    let second = session.call(2, "ask_user", r#"{"questions":"Zebra"}"#);
    person.next_ask();
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    for (number, reply) in [(1, call), (2, second)] {
        let name = reply
            .header("x-request-id")
            .expect("the reply has a request id");
        let line = format!("http{{request={name}}}: answered method=POST path=/mcp status=200");
        assert!(log.contains(&line), "{log}");
        let line = format!("call{{request={number} http={name}}}: a call of ask_user");
        assert!(log.contains(&line), "{log}");
    }
    let of_it = format!("ask={id}");
    for event in ["asked", "the ask is stored", "closed", "delivered"] {
        let told = |line: &str| line.contains(&of_it) && line.contains(event);
        assert!(log.lines().any(told), "{event}: {log}");
    }
    assert!(!log.to_lowercase().contains("zebra"), "{log}");
}
