//! Authentication: every route without a token, with the agents' token, from foreign hosts and from
//! foreign pages.

use crate::support::routes::Route;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, cookie_name, key, kind};

#[test]
fn every_route_refuses_missing_credentials() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["A secret question?"]);
    let digest = "a".repeat(64);
    let nobody = Web::anonymous(&sandbox);
    let name = cookie_name(&sandbox);
    let wrong = [
        nobody.clone(),
        nobody.with_header("authorization", "Bearer wrong"),
        nobody.with_header("authorization", "Basic d3Jvbmc6"),
        nobody.with_cookie(&format!("{name}=")),
        nobody.with_cookie(&format!("{name}={}", "0".repeat(64))),
    ];
    for route in Route::all(&sandbox).iter().filter(|route| !route.is_open()) {
        for web in &wrong {
            let mut reply = web.send(&route.method, &route.path_for(&id, &digest), "{}");
            let said = reply.text();
            assert_eq!(reply.status, 401, "{} {}: {said}", route.method, route.path);
            assert_eq!(
                reply.header("content-type"),
                Some("application/problem+json")
            );
            assert!(!said.contains("secret question"), "{said}");
            let file = match route.accepts("ask") {
                true => "`token`",
                false => "`answer-token`",
            };
            assert!(said.contains(file), "{} names {file}: {said}", route.path);
        }
    }
    for path in ["/nothing", "/v1", "/v1/nothing", "/assets/nothing"] {
        assert_eq!(nobody.send("GET", path, "").status, 401, "{path}");
    }
    assert_eq!(nobody.send("GET", "/healthz", "").status, 200);
    for place in ["/", "/a/latest", "/history", "/stats", "/settings", "/pair"] {
        let mut page = nobody.send("GET", place, "");
        assert_eq!(page.status, 200, "{place}");
        let shell = page.text();
        assert!(
            !shell.contains("secret question") && !shell.contains(&id),
            "{shell}"
        );
    }
}

#[test]
fn each_hub_has_its_own_cookie_name() {
    let (sandbox, other) = (Sandbox::new(), Sandbox::new());
    let mine = cookie(&Web::anonymous(&sandbox).sign_in(&key(&sandbox)));
    let name = cookie_name(&sandbox);
    assert_ne!(name, cookie_name(&other), "a browser keeps both");
    // Any server of this machine can set cookies that precede ours: cookies aren't bound to a port.
    let among = format!("{name}=x; {name}=; a=b; {mine}; {name}=y");
    Web::anonymous(&sandbox)
        .with_cookie(&among)
        .get_json("/v1/asks");
    let crowd = format!("{name}=x; ").repeat(40);
    let web = Web::anonymous(&sandbox).with_cookie(&format!("{crowd}{mine}"));
    assert_eq!(web.send("GET", "/v1/asks", "").status, 401);
}

#[test]
fn the_agents_token_cannot_answer() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--option", "A", "--option", "B"]);
    let digest = "a".repeat(64);
    let agent = Web::with_token(&sandbox, "token");
    let routes = Route::all(&sandbox);
    let answering = routes
        .iter()
        .filter(|route| !route.is_open() && !route.accepts("ask"));
    for route in answering {
        let refused = agent.expect_status(403, &route.method, &route.path_for(&id, &digest), "{}");
        assert_eq!(
            kind(&refused),
            "wrong-scope",
            "{} {}",
            route.method,
            route.path
        );
        let said = text(&refused, "detail");
        assert!(said.contains("`answer-token`"), "{said}");
    }
    assert_eq!(
        agent.get_json(&format!("/v1/asks/{id}"))["state"],
        "waiting"
    );
    for guess in ["latest", &id[..6], "a_nothing"] {
        let none = agent.expect_status(404, "GET", &format!("/v1/asks/{guess}"), "");
        assert_eq!(kind(&none), "not-found", "{guess}");
    }
    let person = Web::with_token(&sandbox, "answer-token");
    person.expect_status(
        200,
        "PUT",
        &format!("/v1/asks/{id}/draft"),
        r#"{"draft":{"answers":[{"own":"half a thought"}]},"builtOn":0}"#,
    );
    let shown = agent.get_json(&format!("/v1/asks/{id}"));
    assert_eq!(shown.get("draft"), None, "a draft is its person's alone");
    let withdrawn = agent.post_json(&format!("/v1/asks/{id}/withdraw"), "");
    assert_eq!(withdrawn["record"]["state"], "withdrawn");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Which?"]);
    let program = Web::with_token(&sandbox, "answer-token");
    for host in [
        "evil.example",
        "evil.example:4127",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "",
    ] {
        let refused = program
            .with_header("host", host)
            .expect_status(421, "GET", "/v1/asks", "");
        assert_eq!(kind(&refused), "foreign-host", "{host}");
        assert_eq!(
            program
                .with_header("host", host)
                .send("GET", "/", "")
                .status,
            421,
            "{host}"
        );
    }
    for host in ["localhost:4127", "[::1]:4127", "LOCALHOST"] {
        assert_eq!(
            program
                .with_header("host", host)
                .send("GET", "/v1/asks", "")
                .status,
            200,
            "{host}"
        );
    }
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost:3000",
        "http://127.0.0.1",
    ] {
        let refused = program
            .with_header("origin", origin)
            .expect_status(403, "GET", "/v1/asks", "");
        assert_eq!(kind(&refused), "foreign-origin", "{origin}");
    }
}

#[test]
fn the_cookie_needs_our_own_page() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let page = Web::page(&sandbox);
    let decline = format!("/v1/asks/{id}/decline");
    let without = page
        .without_header("x-ask-user")
        .expect_status(403, "POST", &decline, "{}");
    assert_eq!(kind(&without), "no-csrf-header");
    for site in ["cross-site", "same-site"] {
        let foreign = page.with_header("sec-fetch-site", site);
        for (method, path) in [
            ("POST", decline.as_str()),
            ("GET", "/v1/asks"),
            ("GET", "/v1/events"),
        ] {
            let refused = foreign.expect_status(403, method, path, "{}");
            assert_eq!(kind(&refused), "foreign-origin", "{site} {path}");
        }
    }
    let foreign = page.with_header("origin", "http://localhost:3000");
    assert_eq!(
        foreign.expect_status(403, "POST", &decline, "{}")["status"],
        403
    );
    assert_eq!(page.get_json(&format!("/v1/asks/{id}"))["state"], "waiting");
    let declined = page.post_json(&decline, r#"{"reason":"not now"}"#);
    assert_eq!(declined["record"]["answeredBy"], "web");
}

#[test]
fn responses_have_security_headers() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Which?"]);
    let page = Web::page(&sandbox);
    for path in ["/v1/asks", "/", "/nothing", "/healthz", "/v1/asks/nothing"] {
        let reply = page.send("GET", path, "");
        let header = |name: &str| reply.header(name).unwrap_or_default().to_owned();
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(
            header("cross-origin-resource-policy"),
            "same-origin",
            "{path}"
        );
        assert_eq!(header("access-control-allow-origin"), "", "{path}");
        assert!(
            header("content-security-policy").contains("default-src 'none'"),
            "{path}"
        );
        assert_eq!(header("x-request-id").len(), 16, "{path}");
        let wanted = if path == "/" { "no-cache" } else { "no-store" };
        assert_eq!(header("cache-control"), wanted, "{path}");
    }
    let shell = page.send("GET", "/", "");
    let tag = shell.header("etag").expect("a tag").to_owned();
    assert_eq!(
        page.with_header("if-none-match", &tag)
            .send("GET", "/", "")
            .status,
        304
    );
    let others = page.send("PATCH", "/v1/asks", "");
    assert_eq!(
        (others.status, others.header("allow")),
        (405, Some("GET, POST, DELETE"))
    );
    let file = page.send("POST", "/", "");
    assert_eq!((file.status, file.header("allow")), (405, Some("GET")));
    // An encoded part of a path is decoded once and isn't a path separator.
    for (path, status) in [
        ("/v1/asks/a%2Fwait", 404),
        ("/v1/asks/%00", 404),
        ("/v1/asks/..%2Fstatus", 404),
        ("/v1/asks/%ff", 400),
        ("/v1/asks//wait", 404),
        ("/v1/asks/", 404),
        ("/V1/asks", 404),
    ] {
        page.expect_status(status, "GET", path, "");
    }
}
