//! The OpenAPI document says of every reply that it may come: each route is asked well and badly, by
//! everybody there is, and what comes is looked up in the document that the same hub gives.

use ask_core::Json;
use ask_core::attachment::MOST_BYTES;
use ask_protocol::api::routes::{Op, ROUTES, Route};

use crate::support::phone::{ADDRESS, invited, let_in, secret, shows, stranger};
use crate::support::reply::Reply;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, key};
use crate::support::{json, text};

/// More than a request may have.
const LARGE: usize = 300_000;

/// Headers that a reply has only where the document says so.
const HEADERS: &[&str] = &[
    "Content-Disposition",
    "Location",
    "Retry-After",
    "Set-Cookie",
    "WWW-Authenticate",
    "X-Request-Id",
];

/// The document, and what came that it doesn't tell of.
struct Document {
    told: Json,
    missing: Vec<String>,
    /// Which statuses came at all.
    came: Vec<u16>,
}

impl Document {
    fn of(web: &Web) -> Self {
        Self {
            told: web.gets("/openapi.json"),
            missing: Vec::new(),
            came: Vec::new(),
        }
    }

    /// Looks a reply up; what it says, where that is JSON.
    fn has(&mut self, route: &Route, what: &str, mut reply: Reply) -> Json {
        let status = reply.status;
        self.came.push(status);
        let method = route.method.to_ascii_lowercase();
        let responses = &self.told["paths"][route.path][method.as_str()]["responses"];
        let told = self.meant(&responses[status.to_string().as_str()]);
        let kind = reply.header("content-type");
        let essence = kind.map(|kind| kind.split(';').next().unwrap_or(kind));
        let is_told = told.is_object()
            && match (essence, told["content"].as_object()) {
                (None, None) => true,
                (Some(essence), Some(content)) => content.keys().any(|kind| {
                    let whole = kind.strip_suffix('*');
                    kind == essence || whole.is_some_and(|range| essence.starts_with(range))
                }),
                (Some(_), None) | (None, Some(_)) => false,
            };
        if !is_told {
            let (method, path) = (route.method, route.path);
            let said = format!("{method} {path}, {what}: {status} {essence:?}");
            self.missing.push(said);
            return Json::Null;
        }
        let mut odd = Vec::new();
        for name in HEADERS {
            let told = &told["headers"][*name];
            let is_there = reply.header(&name.to_ascii_lowercase()).is_some();
            if is_there != told.is_object() && (is_there || told["required"] == true) {
                odd.push(format!("{name}: {is_there}"));
            }
        }
        // An outcome that is waited for is still to come.
        let is_whole = route.op != Op::Wait || status != 200;
        let of_json = essence.filter(|essence| is_whole && essence.ends_with("json"));
        let schema = of_json.map(|essence| told["content"][essence]["schema"].clone());
        let mut said = Json::Null;
        if let Some(schema) = schema {
            said = json(&reply.text());
            self.fits(&schema, &said, "", &mut odd);
        }
        let at = format!("{} {}, {what}: {status}", route.method, route.path);
        let odd = odd.into_iter().map(|odd| format!("{at}: {odd}"));
        self.missing.extend(odd);
        said
    }

    /// What stands there, or what is named there in its place.
    fn meant<'told>(&'told self, told: &'told Json) -> &'told Json {
        match told["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix('#'))
        {
            Some(place) => self.told.pointer(place).expect("it is there"),
            None => told,
        }
    }

    /// Whether a value has what its schema wants, and nothing that it doesn't tell of.
    fn fits(&self, schema: &Json, value: &Json, path: &str, odd: &mut Vec<String>) {
        let schema = self.meant(schema);
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            if value.get(name).is_none() {
                odd.push(format!("{path}.{name} is missing"));
            }
        }
        if let Some(known) = schema["enum"].as_array()
            && !known.contains(value)
        {
            odd.push(format!("{path} is {value}"));
        }
        if let (Some(told), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
            for (name, value) in fields {
                match told.get(name) {
                    Some(told) => self.fits(told, value, &format!("{path}.{name}"), odd),
                    None => odd.push(format!("{path}.{name} is not told of")),
                }
            }
        }
        for item in value.as_array().into_iter().flatten() {
            self.fits(&schema["items"], item, path, odd);
        }
    }
}

fn path(route: &Route, id: &str, digest: &str) -> String {
    let path = route.path.replace("{id}", id).replace("{digest}", digest);
    path.replace("{request}", "nothing")
        .replace("{device}", "nothing")
}

/// What a route takes, so that it may well succeed.
fn good(op: Op) -> (&'static str, &'static str) {
    match op {
        Op::Open => ("", r#"{"question":"One more?"}"#),
        Op::Draft => ("", r#"{"draft":{"answers":[{"own":"half"}]}}"#),
        Op::Answer => ("", r#"{"answers":["yes"]}"#),
        Op::Decline => ("", r#"{"reason":"no"}"#),
        Op::Clarify => ("", r#"{"text":"Why?"}"#),
        Op::Snooze => ("", r#"{"until":"asked-again"}"#),
        Op::Extend => ("", r#"{"until":"2099-01-01T00:00:00Z"}"#),
        Op::PutFile => ("?name=a.txt", "text"),
        Op::ForgetSome => ("?all=true&count=true", ""),
        Op::Presence => ("", r#"{"focused":true}"#),
        Op::Mute => ("", r#"{"on":true}"#),
        Op::Pair => ("", r#"{"secret":"wrong","name":"x"}"#),
        Op::PairingOn => ("", r#"{"address":"127.0.0.2","forMs":3600000}"#),
        Op::Decide => ("", r#"{"allow":true}"#),
        Op::SignIn => ("", r#"{"key":"wrong"}"#),
        Op::Alive | Op::Describe | Op::Metrics | Op::SignOut | Op::List | Op::Get | Op::Wait => {
            ("", "")
        }
        Op::Paths | Op::Withdraw | Op::Shown | Op::Forget | Op::GetFile | Op::Stats => ("", ""),
        Op::Export | Op::Events | Op::Status | Op::Session | Op::PairState => ("", ""),
        Op::Pairing | Op::PairingOff | Op::Revoke => ("", ""),
    }
}

#[test]
fn every_reply_is_in_the_document() {
    let sandbox = Sandbox::new();
    let id = || sandbox.asks(&["A question?"]);
    let first = id();
    let program = Web::program(&sandbox, "answer-token");
    let nobody = Web::of(&sandbox);
    let agent = Web::program(&sandbox, "token");
    let kept = program.says(201, "POST", "/v1/files?name=a.txt", "text");
    let kept = text(&kept, "sha256");
    let seeing = let_in(&sandbox, "see", "a phone");
    let foreign = program.with("origin", "https://evil.example");
    let elsewhere = program.with("host", "evil.example");
    let page = Web::page(&sandbox).without("x-ask-user");
    let mut document = Document::of(&program);
    let large = "x".repeat(LARGE);
    // What turns devices away, and what signs one out, comes last.
    for route in ROUTES.iter().filter(|route| route.op != Op::PairingOff) {
        let device = match route.op {
            Op::SignOut => &page,
            _ => &seeing,
        };
        let (query, body) = good(route.op);
        let own = path(route, &id(), &kept);
        let well = format!("{own}{query}");
        let absent = path(route, "ask_nothing", &"a".repeat(64));
        for (what, web, path, body) in [
            ("by nobody", &nobody, &well, body),
            (
                "with a wrong token",
                &nobody.with("authorization", "Bearer x"),
                &well,
                body,
            ),
            ("by a page of another site", &foreign, &well, body),
            ("at another name", &elsewhere, &well, body),
            ("by a page without its header", &page, &well, body),
            ("by a device that may see", device, &well, body),
            ("with a body that is none", &program, &well, "{"),
            (
                "with a body of another kind",
                &program,
                &well,
                r#"{"answers":7,"text":" ","until":5,"on":5,"allow":5,"draft":5,"forMs":"x","focused":5,"key":5}"#,
            ),
            ("too large", &program, &well, large.as_str()),
            (
                "with a query that is none",
                &program,
                &format!("{own}?state=%ff&untold=&q=%00&first=x"),
                body,
            ),
            (
                "with a query of nothing",
                &program,
                &format!("{own}?state=no&since=x&format=x&outcome=x&first=x&limit=x&count=x&all=x"),
                body,
            ),
            ("of nothing", &program, &absent, body),
            ("well", &program, &well, body),
            ("again", &program, &well, body),
            ("by an agent", &agent, &well, body),
        ] {
            let reply = web.send(route.method, path, body);
            document.has(route, what, reply);
        }
    }
    let route = |op: Op| {
        ROUTES
            .iter()
            .find(|route| route.op == op)
            .expect("it is there")
    };
    let open = route(Op::Open);
    let named = agent.with("idempotency-key", "k");
    for question in ["One?", "Another?"] {
        let call = format!(r#"{{"question":"{question}"}}"#);
        document.has(open, "with a key", named.send("POST", "/v1/asks", &call));
    }
    document.has(open, "of nothing", agent.send("POST", "/v1/asks", "{}"));
    while document.came.last() != Some(&429) {
        document.has(open, "too often", agent.send("POST", "/v1/asks", "{}"));
    }
    let file = route(Op::PutFile);
    document.has(file, "empty", program.send("POST", "/v1/files", ""));
    let most = "x".repeat(MOST_BYTES + 1);
    document.has(file, "too large", program.send("POST", "/v1/files", &most));
    let export = route(Op::Export);
    for format in ["json", "csv", "md"] {
        let path = format!("{}?format={format}", export.path);
        document.has(export, format, program.send("GET", &path, ""));
    }
    let forget = route(Op::Forget);
    let path = format!("/v1/asks/{first}");
    document.has(forget, "while it waits", program.send("DELETE", &path, ""));
    let sign_in = route(Op::SignIn);
    document.has(sign_in, "with a key", nobody.sign_in(&key(&sandbox)));
    pairs(&sandbox, &mut document);
    assert!(
        document.missing.is_empty(),
        "{}",
        document.missing.join("\n")
    );
    for status in [
        200, 201, 202, 204, 400, 401, 403, 404, 409, 413, 421, 422, 429,
    ] {
        assert!(document.came.contains(&status), "{status} never came");
    }
}

/// A device that is let in, refused, wrong, and too quick.
fn pairs(sandbox: &Sandbox, document: &mut Document) {
    let route = |op: Op| {
        ROUTES
            .iter()
            .find(|route| route.op == op)
            .expect("it is there")
    };
    let computer = Web::page(sandbox);
    let pairing = invited(&computer, "answer");
    assert!(text(&pairing, "url").contains(ADDRESS));
    let phone = stranger(sandbox, &pairing);
    let (pair, state) = (route(Op::Pair), route(Op::PairState));
    let body = shows("secret", &secret(&pairing), "another");
    let asked = phone.send("POST", pair.path, &body);
    let asked = document.has(pair, "with an invitation", asked);
    let waiting = computer.gets("/v1/pairing");
    let decide = format!(
        "/v1/pairing/requests/{}",
        text(&waiting["requests"][0], "id")
    );
    let decided = computer.send("POST", &decide, r#"{"allow":true}"#);
    document.has(route(Op::Decide), "yes", decided);
    let path = format!("/v1/pair/{}", text(&asked, "request"));
    document.has(state, "allowed", phone.send("GET", &path, ""));
    document.has(
        state,
        "of nothing",
        phone.send("GET", "/v1/pair/nothing", ""),
    );
    let unreachable = computer.send("POST", "/v1/pairing", r#"{"address":"0.0.0.0"}"#);
    document.has(route(Op::PairingOn), "nowhere", unreachable);
    let devices = computer.gets("/v1/pairing");
    let path = format!("/v1/devices/{}", text(&devices["devices"][0], "id"));
    let revoked = computer.send("DELETE", &path, "");
    document.has(route(Op::Revoke), "well", revoked);
    for body in ["{", "{}"] {
        document.has(
            pair,
            "without an invitation",
            phone.send("POST", pair.path, body),
        );
    }
    for _ in 0..20 {
        let body = shows("secret", "wrong", "x");
        document.has(pair, "wrong", phone.send("POST", pair.path, &body));
    }
    let off = route(Op::PairingOff);
    document.has(off, "by nobody", phone.send("DELETE", off.path, ""));
    document.has(off, "well", computer.send("DELETE", off.path, ""));
}

#[test]
fn a_field_that_the_document_lacks_is_found() {
    let sandbox = Sandbox::new();
    sandbox.asks(&["A question?"]);
    let program = Web::program(&sandbox, "answer-token");
    let mut document = Document::of(&program);
    let properties = "/components/schemas/Record/properties";
    let told = document.told.pointer_mut(properties).expect("it is there");
    told.as_object_mut().expect("fields").remove("askedAt");
    let list = ROUTES.iter().find(|route| route.op == Op::List);
    let listed = program.send("GET", "/v1/asks", "");
    document.has(list.expect("it is there"), "well", listed);
    let found = ["GET /v1/asks, well: 200: .asks.askedAt is not told of"];
    assert_eq!(document.missing, found);
}

#[test]
fn another_method_is_told_those_of_the_document() {
    let sandbox = Sandbox::new();
    sandbox.asks(&["A question?"]);
    let program = Web::program(&sandbox, "answer-token");
    let document = program.gets("/openapi.json");
    for route in ROUTES {
        let path = path(route, "latest", &"a".repeat(64));
        let reply = program.send("PATCH", &path, "");
        assert_eq!(reply.status, 405, "{path}");
        let kind = reply.header("content-type");
        assert_eq!(kind, Some("application/problem+json"), "{path}");
        let allowed = reply.header("allow").expect("it says which");
        let mut allowed: Vec<String> = allowed.split(", ").map(str::to_ascii_lowercase).collect();
        let told = document["paths"][route.path].as_object().expect("a path");
        let mut told: Vec<String> = told.keys().cloned().collect();
        allowed.sort();
        told.sort();
        assert_eq!(allowed, told, "{path}");
    }
}
