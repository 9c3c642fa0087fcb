//! The OpenAPI document covers every reply: each route is called correctly and incorrectly with
//! every credential, and each reply is validated against the hub's own document.

use ask_core::Json;
use ask_core::attachment::MOST_BYTES;

use crate::support::phone::{ADDRESS, invite, pair_device, pair_request, secret, unpaired_client};
use crate::support::reply::Reply;
use crate::support::routes::Route;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, key};
use crate::support::{json, text};

/// More bytes than a request may have.
const LARGE: usize = 300_000;

/// Headers that a reply may only have if the document lists them.
const HEADERS: &[&str] = &[
    "Content-Disposition",
    "Location",
    "Retry-After",
    "Set-Cookie",
    "WWW-Authenticate",
    "X-Request-Id",
];

/// The document, and the replies that it doesn't cover.
struct Document {
    json: Json,
    missing: Vec<String>,
    /// The statuses that occurred.
    statuses: Vec<u16>,
}

impl Document {
    fn fetch(web: &Web) -> Self {
        Self {
            json: web.get_json("/openapi.json"),
            missing: Vec::new(),
            statuses: Vec::new(),
        }
    }

    /// Validates a reply; returns its body if that is JSON.
    fn validate(&mut self, route: &Route, what: &str, mut reply: Reply) -> Json {
        let status = reply.status;
        self.statuses.push(status);
        let method = route.method.to_ascii_lowercase();
        let responses = &self.json["paths"][route.path.as_str()][method.as_str()]["responses"];
        let described = self.resolve(&responses[status.to_string().as_str()]);
        let kind = reply.header("content-type");
        let essence = kind.map(|kind| kind.split(';').next().unwrap_or(kind));
        let is_described = described.is_object()
            && match (essence, described["content"].as_object()) {
                (None, None) => true,
                (Some(essence), Some(content)) => content.keys().any(|kind| {
                    let whole = kind.strip_suffix('*');
                    kind == essence || whole.is_some_and(|range| essence.starts_with(range))
                }),
                (Some(_), None) | (None, Some(_)) => false,
            };
        if !is_described {
            let (method, path) = (&route.method, &route.path);
            let said = format!("{method} {path}, {what}: {status} {essence:?}");
            self.missing.push(said);
            return Json::Null;
        }
        let mut odd = Vec::new();
        for name in HEADERS {
            let described = &described["headers"][*name];
            let is_there = reply.header(&name.to_ascii_lowercase()).is_some();
            if is_there != described.is_object() && (is_there || described["required"] == true) {
                odd.push(format!("{name}: {is_there}"));
            }
        }
        // The body of a request that waits is still to come.
        let is_whole = route.name != "wait" || status != 200;
        let of_json = essence.filter(|essence| is_whole && essence.ends_with("json"));
        let schema = of_json.map(|essence| described["content"][essence]["schema"].clone());
        let mut said = Json::Null;
        if let Some(schema) = schema {
            said = json(&reply.text());
            self.check(&schema, &said, "", &mut odd);
        }
        let at = format!("{} {}, {what}: {status}", route.method, route.path);
        let odd = odd.into_iter().map(|odd| format!("{at}: {odd}"));
        self.missing.extend(odd);
        said
    }

    /// Resolves a `$ref`.
    fn resolve<'json>(&'json self, described: &'json Json) -> &'json Json {
        match described["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix('#'))
        {
            Some(place) => self.json.pointer(place).expect("the document has it"),
            None => described,
        }
    }

    /// The parts of a schema: itself, what it refers to, and its alternatives. If alternatives have
    /// a discriminator, only the one that it selects.
    fn parts<'json>(&'json self, schema: &'json Json, value: &Json) -> Vec<&'json Json> {
        let schema = self.resolve(schema);
        let mut parts = vec![schema];
        for kind in ["allOf", "oneOf"] {
            let all = schema[kind].as_array().into_iter().flatten();
            let meant = all.filter(|part| self.is_selected(part, value));
            parts.extend(meant.flat_map(|part| self.parts(part, value)));
        }
        parts
    }

    fn is_selected(&self, schema: &Json, value: &Json) -> bool {
        let fields = self.resolve(schema)["properties"].as_object();
        let mut words = fields
            .into_iter()
            .flatten()
            .filter_map(|(name, described)| {
                let words = described["enum"]
                    .as_array()
                    .filter(|words| words.len() == 1)?;
                Some((value.get(name)?, &words[0]))
            });
        words.all(|(said, word)| said == word)
    }

    /// Checks a value against its schema; fields that the schema doesn't know are errors.
    fn check(&self, schema: &Json, value: &Json, path: &str, odd: &mut Vec<String>) {
        let parts = self.parts(schema, value);
        let each = |key: &'static str| parts.iter().filter_map(move |part| part[key].as_array());
        for name in each("required").flatten() {
            let name = name.as_str().expect("a name");
            if value.is_object() && value.get(name).is_none() {
                odd.push(format!("{path}.{name} is missing"));
            }
        }
        if each("enum").any(|known| !known.contains(value)) {
            odd.push(format!("{path} is {value}"));
        }
        if each("oneOf").any(|all| all.iter().all(|part| !self.is_selected(part, value))) {
            odd.push(format!("{path} is not one of the documented values"));
        }
        let described: Vec<_> = parts
            .iter()
            .filter_map(|part| part["properties"].as_object())
            .flatten()
            .collect();
        for (name, value) in value.as_object().into_iter().flatten() {
            let mut described = described
                .iter()
                .filter(|(known, _)| *known == name)
                .peekable();
            if described.peek().is_none() && parts.iter().any(|part| part["properties"].is_object())
            {
                odd.push(format!("{path}.{name} is not documented"));
            }
            described.for_each(|(_, described)| {
                self.check(described, value, &format!("{path}.{name}"), odd)
            });
        }
        let items = parts.iter().map(|part| &part["items"]);
        for items in items.filter(|items| items.is_object()) {
            for item in value.as_array().into_iter().flatten() {
                self.check(items, item, path, odd);
            }
        }
    }
}

/// A query and a body with which a route may succeed.
fn valid_request(route: &Route) -> (&'static str, &'static str) {
    match route.name.as_str() {
        "open" => ("", r#"{"question":"One more?"}"#),
        "draft" => ("", r#"{"draft":{"answers":[{"own":"half"}]}}"#),
        "answer" => ("", r#"{"answers":["yes"]}"#),
        "decline" => ("", r#"{"reason":"no"}"#),
        "clarify" => ("", r#"{"text":"Why?"}"#),
        "snooze" => ("", r#"{"until":"asked-again"}"#),
        "extend" => ("", r#"{"until":"2099-01-01T00:00:00Z"}"#),
        "putFile" => ("?name=a.txt", "text"),
        "forgetSome" => ("?all=true&count=true", ""),
        "presence" => ("", r#"{"focused":true}"#),
        "mute" => ("", r#"{"on":true}"#),
        "pair" => ("", r#"{"secret":"wrong","name":"x"}"#),
        "pairingOn" => ("", r#"{"address":"127.0.0.2","forMs":3600000}"#),
        "decide" => ("", r#"{"allow":true}"#),
        "signIn" => ("", r#"{"key":"wrong"}"#),
        "stats" => ("", ""),
        "pairState" => ("", ""),
        "revoke" => ("", ""),
        _ => ("", ""),
    }
}

#[test]
fn every_reply_is_in_the_document() {
    let sandbox = Sandbox::new();
    let id = || sandbox.ask(&["A question?"]);
    let first = id();
    let program = Web::with_token(&sandbox, "answer-token");
    let nobody = Web::anonymous(&sandbox);
    let agent = Web::with_token(&sandbox, "token");
    let kept = program.expect_status(201, "POST", "/v1/files?name=a.txt", "text");
    let kept = text(&kept, "sha256");
    let seeing = pair_device(&sandbox, "see", "a phone");
    let foreign = program.with_header("origin", "https://evil.example");
    let elsewhere = program.with_header("host", "evil.example");
    let page = Web::page(&sandbox).without_header("x-ask-user");
    let mut document = Document::fetch(&program);
    let large = "x".repeat(LARGE);
    // The route that shuts devices out, and the one that signs out, come last.
    let routes = Route::all(&sandbox);
    for route in routes.iter().filter(|route| route.name != "pairingOff") {
        let device = match route.name.as_str() {
            "signOut" => &page,
            _ => &seeing,
        };
        let (query, body) = valid_request(route);
        let own = route.path_for(&id(), &kept);
        let well = format!("{own}{query}");
        let absent = route.path_for("ask_nothing", &"a".repeat(64));
        for (what, web, path, body) in [
            ("by nobody", &nobody, &well, body),
            (
                "with a wrong token",
                &nobody.with_header("authorization", "Bearer x"),
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
                &format!("{own}?state=%ff&undelivered=&q=%00&first=x"),
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
            let reply = web.send(&route.method, path, body);
            document.validate(route, what, reply);
        }
    }
    let route = |name: &str| route_named(&routes, name);
    let open = route("open");
    let named = agent.with_header("idempotency-key", "k");
    for question in ["One?", "Another?"] {
        let call = format!(r#"{{"question":"{question}"}}"#);
        document.validate(open, "with a key", named.send("POST", "/v1/asks", &call));
    }
    document.validate(open, "of nothing", agent.send("POST", "/v1/asks", "{}"));
    while document.statuses.last() != Some(&429) {
        document.validate(open, "too often", agent.send("POST", "/v1/asks", "{}"));
    }
    let file = route("putFile");
    document.validate(file, "empty", program.send("POST", "/v1/files", ""));
    let most = "x".repeat(MOST_BYTES + 1);
    document.validate(file, "too large", program.send("POST", "/v1/files", &most));
    let export = route("export");
    for format in ["json", "csv", "md"] {
        let path = format!("{}?format={format}", export.path);
        document.validate(export, format, program.send("GET", &path, ""));
    }
    let forget = route("forget");
    let path = format!("/v1/asks/{first}");
    document.validate(forget, "while it waits", program.send("DELETE", &path, ""));
    let sign_in = route("signIn");
    document.validate(sign_in, "with a key", nobody.sign_in(&key(&sandbox)));
    pair_and_refuse(&sandbox, &routes, &mut document);
    assert!(
        document.missing.is_empty(),
        "{}",
        document.missing.join("\n")
    );
    for status in [
        200, 201, 202, 204, 400, 401, 403, 404, 409, 413, 421, 422, 429,
    ] {
        assert!(document.statuses.contains(&status), "{status} never came");
    }
}

fn route_named<'a>(routes: &'a [Route], name: &str) -> &'a Route {
    let mut routes = routes.iter();
    routes
        .find(|route| route.name == name)
        .expect("the document has it")
}

/// Pairs a device, and provokes a refusal, a wrong secret, and too many attempts.
fn pair_and_refuse(sandbox: &Sandbox, routes: &[Route], document: &mut Document) {
    let route = |name: &str| route_named(routes, name);
    let computer = Web::page(sandbox);
    let pairing = invite(&computer, "answer");
    assert!(text(&pairing, "url").contains(ADDRESS));
    let phone = unpaired_client(sandbox, &pairing);
    let (pair, state) = (route("pair"), route("pairState"));
    let body = pair_request("secret", &secret(&pairing), "another");
    let asked = phone.send("POST", &pair.path, &body);
    let asked = document.validate(pair, "with an invitation", asked);
    let waiting = computer.get_json("/v1/pairing");
    let decide = format!(
        "/v1/pairing/requests/{}",
        text(&waiting["requests"][0], "id")
    );
    let decided = computer.send("POST", &decide, r#"{"allow":true}"#);
    document.validate(route("decide"), "yes", decided);
    let path = format!("/v1/pair/{}", text(&asked, "request"));
    document.validate(state, "allowed", phone.send("GET", &path, ""));
    document.validate(
        state,
        "of nothing",
        phone.send("GET", "/v1/pair/nothing", ""),
    );
    let unreachable = computer.send("POST", "/v1/pairing", r#"{"address":"0.0.0.0"}"#);
    document.validate(route("pairingOn"), "nowhere", unreachable);
    let devices = computer.get_json("/v1/pairing");
    let path = format!("/v1/devices/{}", text(&devices["devices"][0], "id"));
    let revoked = computer.send("DELETE", &path, "");
    document.validate(route("revoke"), "well", revoked);
    for body in ["{", "{}"] {
        document.validate(
            pair,
            "without an invitation",
            phone.send("POST", &pair.path, body),
        );
    }
    for _ in 0..20 {
        let body = pair_request("secret", "wrong", "x");
        document.validate(pair, "wrong", phone.send("POST", &pair.path, &body));
    }
    let off = route("pairingOff");
    document.validate(off, "by nobody", phone.send("DELETE", &off.path, ""));
    document.validate(off, "well", computer.send("DELETE", &off.path, ""));
}

#[test]
fn every_event_is_in_the_document() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let document = Document::fetch(&page);
    let stream = &document.json["paths"]["/v1/events"]["get"]["responses"]["200"]["content"];
    let schema = &stream["text/event-stream"]["schema"];
    let mut events = page.open_events();
    let id = sandbox.ask(&["A question?"]);
    sandbox.run_ok(&["answer", &id, "--set", "yes"]);
    let path = format!("/v1/asks/{id}?undelivered=true");
    assert_eq!(page.send("DELETE", &path, "").status, 204);
    let (mut came, mut odd) = (Vec::new(), Vec::new());
    while came.last().is_none_or(|name| name != "ask.gone") {
        let event = events.next();
        let described = format!(r#"{{"event":"{}","data":{}}}"#, event.name, event.data);
        document.check(schema, &json(&described), &event.name, &mut odd);
        came.push(event.name);
    }
    assert!(odd.is_empty(), "{}", odd.join("\n"));
    for name in [
        "hello",
        "snapshot",
        "pairing",
        "ask.created",
        "ask.resolved",
        "day",
    ] {
        assert!(
            came.iter().any(|came| came == name),
            "{name} is not in {came:?}"
        );
    }
    let unknown = json(r#"{"event":"song","data":{}}"#);
    document.check(schema, &unknown, "song", &mut odd);
    assert_eq!(odd, ["song is not one of the documented values"]);
}

#[test]
fn undocumented_fields_are_detected() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["A question?"]);
    let program = Web::with_token(&sandbox, "answer-token");
    let mut document = Document::fetch(&program);
    let properties = "/components/schemas/Record/properties";
    let described = document
        .json
        .pointer_mut(properties)
        .expect("the document has it");
    described.as_object_mut().expect("fields").remove("askedAt");
    let routes = Route::all(&sandbox);
    let listed = program.send("GET", "/v1/asks", "");
    document.validate(route_named(&routes, "list"), "well", listed);
    let found = ["GET /v1/asks, well: 200: .asks.askedAt is not documented"];
    assert_eq!(document.missing, found);
}

#[test]
fn another_method_gets_405_with_the_documented_methods() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["A question?"]);
    let program = Web::with_token(&sandbox, "answer-token");
    let document = program.get_json("/openapi.json");
    for route in &Route::all(&sandbox) {
        let path = route.path_for("latest", &"a".repeat(64));
        let reply = program.send("PATCH", &path, "");
        assert_eq!(reply.status, 405, "{path}");
        let kind = reply.header("content-type");
        assert_eq!(kind, Some("application/problem+json"), "{path}");
        let allowed = reply.header("allow").expect("the reply lists the methods");
        let mut allowed: Vec<String> = allowed.split(", ").map(str::to_ascii_lowercase).collect();
        let described = document["paths"][route.path.as_str()]
            .as_object()
            .expect("a path");
        let mut methods: Vec<String> = described.keys().cloned().collect();
        allowed.sort();
        methods.sort();
        assert_eq!(allowed, methods, "{path}");
    }
}
