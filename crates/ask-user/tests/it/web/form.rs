//! Answering without scripts: by forms alone, as a text browser sends them.

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::reply::Reply;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, cookie, key};

const FORM: &str = "application/x-www-form-urlencoded";

/// A browser without scripts.
pub(super) fn browser(sandbox: &Sandbox) -> Web {
    Web::page(sandbox)
        .without("x-ask-user")
        .with("sec-fetch-site", "same-origin")
}

/// What a form has in a hidden field.
fn hidden(page: &str, name: &str) -> String {
    let field = format!("name=\"{name}\" value=\"");
    let (_, rest) = page
        .split_once(&field)
        .unwrap_or_else(|| panic!("{name} in {page}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}

/// Fills a form in and sends it.
fn sends(browser: &Web, id: &str, fields: &str) -> Reply {
    let page = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    let token = hidden(&page, "token");
    let attempt = hidden(&page, "attempt");
    let body = format!("token={token}&attempt={attempt}&{fields}");
    let browser = browser.with("content-type", FORM);
    browser.send("POST", &format!("/a/{id}"), &body)
}

#[test]
fn every_kind_of_question_is_answered_with_notes() {
    let sandbox = Sandbox::new();
    let browser = browser(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call(
        "ask_user",
        r#"{"title":"All <kinds>","context":"**why** <script>alert(1)</script>","questions":[
        {"id":"t","question":"Name?","placeholder":"orders"},
        {"id":"s","question":"Which?","options":[{"label":"A (Recommended)","description":"the *first*","preview":"`code`"},{"label":"B"}]},
        {"id":"m","question":"Some?","type":"multi-select","options":["x","y","z"]},
        {"id":"c","question":"Sure?","type":"confirm"},
        {"id":"o","question":"More?","required":false}]}"#,
    );
    let mut events = browser.with("x-ask-user", "page").listens();
    let waiting = events.hears("snapshot").data["asks"][0].clone();
    let asked = if waiting.is_null() {
        events.hears("ask.created").data
    } else {
        waiting
    };
    let id = asked["askId"].as_str().expect("an id");
    let list = browser.send("GET", "/?form=1", "").text();
    assert!(list.contains("All &lt;kinds&gt;"), "{list}");
    assert!(list.contains(&format!("href=\"/a/{id}?form=1\"")), "{list}");
    let mut page = browser.send("GET", &format!("/a/{id}?form=1"), "");
    let policy = page
        .header("content-security-policy")
        .unwrap_or_default()
        .to_owned();
    assert!(!policy.contains("script-src"), "{policy}");
    let shown = page.text();
    assert!(!shown.contains("<script"), "{shown}");
    assert!(shown.contains("<strong>why</strong>"), "{shown}");

    let mut gap = sends(&browser, id, "do=send&o0=a+name&p1=0");
    assert_eq!(gap.status, 422);
    let again = gap.text();
    assert!(
        again.contains("a name</textarea>"),
        "what was typed is still there: {again}"
    );
    assert!(again.contains("value=\"gaps\""), "{again}");

    let all = "do=send&o0=two%0D%0Alines&p1=0&n1=surely&p2=0&p2=2&o2=and+w&p3=1&note=for+all";
    assert_eq!(sends(&browser, id, all).status, 200);
    let told = json(&agent.told(call));
    let answers = &told["answers"];
    assert_eq!(answers[0]["values"][0], "two\nlines");
    assert_eq!(answers[1]["values"][0], "A (Recommended)");
    assert_eq!(answers[1]["note"], "surely");
    assert_eq!(answers[2]["values"], json(r#"["x","z"]"#));
    assert_eq!(answers[2]["customText"], "and w");
    assert_eq!(answers[3]["values"][0], "no");
    assert_eq!(answers[4]["status"], "skipped");
    assert_eq!(told["note"], "for all");
    let ended = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    assert!(ended.contains("answered in the browser"), "{ended}");
}

#[test]
fn a_question_that_is_longer_than_any_name_is_shown_whole() {
    let sandbox = Sandbox::new();
    let browser = browser(&sandbox);
    let id = sandbox.asks(&[&format!("{}the end?", "long ".repeat(600))]);
    let page = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    assert!(page.contains("long the end?"), "{page}");
}

/// Another browser's cookie.
fn hidden_cookie(sandbox: &Sandbox) -> String {
    cookie(&Web::of(sandbox).sign_in(&key(sandbox)))
}

#[test]
fn one_declines_and_asks_back_without_scripts() {
    let sandbox = Sandbox::new();
    let browser = browser(&sandbox);
    let (first, second) = (sandbox.asks(&["One?"]), sandbox.asks(&["Two?"]));
    assert_eq!(sends(&browser, &first, "do=clarify&clarify=+").status, 422);
    assert_eq!(
        sends(&browser, &first, "do=clarify&clarify=Which+one%3F").status,
        200
    );
    assert_eq!(sends(&browser, &second, "do=decline&reason=no").status, 200);
    let shown = |id: &str| json(&sandbox.done(&["show", id, "--json"]));
    assert_eq!(shown(&first)["outcome"]["clarify"], "Which one?");
    assert_eq!(shown(&second)["outcome"]["reason"], "no");
    let list = browser.send("GET", "/?form=1", "").text();
    assert!(list.contains("No question waits"), "{list}");
}

#[test]
fn a_form_of_another_site_does_nothing() {
    let sandbox = Sandbox::new();
    let browser = browser(&sandbox);
    let id = sandbox.asks(&["Which?"]);
    let path = format!("/a/{id}");
    let page = browser.send("GET", &format!("{path}?form=1"), "").text();
    let token = hidden(&page, "token");
    let body = format!("token={token}&do=decline");
    let form = browser.with("content-type", FORM);
    assert_eq!(
        form.send("POST", &path, "do=decline").status,
        403,
        "no token"
    );
    assert_eq!(
        form.send("POST", &path, "token=0&do=decline").status,
        403,
        "another token"
    );
    for site in ["cross-site", "same-site"] {
        let foreign = form.with("sec-fetch-site", site);
        assert_eq!(foreign.send("POST", &path, &body).status, 403, "{site}");
    }
    let foreign = form.with("origin", "http://localhost:3000");
    assert_eq!(foreign.send("POST", &path, &body).status, 403);
    let foreign = form.with("host", "evil.example");
    assert_eq!(foreign.send("POST", &path, &body).status, 421);
    let other = form.with("cookie", &hidden_cookie(&sandbox));
    assert_eq!(
        other.send("POST", &path, &body).status,
        403,
        "of another session"
    );
    assert_eq!(
        json(&sandbox.done(&["show", &id, "--json"]))["state"],
        "waiting"
    );
    assert_eq!(form.send("POST", &path, &body).status, 200);
}

#[test]
fn a_browser_without_scripts_signs_in_by_the_link() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["A secret?"]);
    let bare = Web::of(&sandbox);
    let path = format!("/a/{id}");
    let mut page = bare.send("GET", &format!("{path}?form=1"), "");
    let shown = page.text();
    assert_eq!(page.status, 401);
    assert!(
        !shown.contains("secret") && shown.contains("ask-user web --print"),
        "{shown}"
    );
    let form = bare.with("content-type", FORM);
    assert_eq!(form.send("POST", &path, "link=wrong").status, 401);
    let link = format!("link=http%3A%2F%2F127.0.0.1%2F%23k%3D{}", key(&sandbox));
    let signed = form.send("POST", &path, &link);
    assert_eq!(signed.status, 303);
    assert_eq!(
        signed.header("location"),
        Some(format!("{path}?form=1").as_str())
    );
    let browser = bare.with("cookie", &cookie(&signed));
    assert_eq!(
        browser.send("GET", &format!("{path}?form=1"), "").status,
        200
    );
    assert_eq!(form.send("POST", &path, &link).status, 401, "it was used");
}

#[test]
fn what_was_typed_stays_when_the_browser_was_signed_out_or_somebody_was_first() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which name?"]);
    let path = format!("/a/{id}");
    let out = Web::of(&sandbox).with("sec-fetch-site", "same-origin");
    let out = out.with("content-type", FORM);
    let typed = "token=old&attempt=1&o0=Orders%0D%0Aand+%3Cmore%3E&n0=soon&reason=";
    let mut asked = out.send("POST", &path, &format!("{typed}&do=send"));
    let page = asked.text();
    assert_eq!(asked.status, 401);
    assert!(
        page.contains("Nothing was sent: this browser is not signed in"),
        "{page}"
    );
    assert_eq!(hidden(&page, "o0"), "Orders\r\nand &lt;more&gt;");
    let link = format!("http%3A%2F%2F127.0.0.1%2F%23k%3D{}", key(&sandbox));
    let body = format!(
        "o0={}&n0={}&link={link}",
        "Orders%0D%0Aand+%3Cmore%3E",
        hidden(&page, "n0")
    );
    let mut signed = out.send("POST", &path, &body);
    assert_eq!(signed.status, 200);
    let page = signed.text();
    assert!(page.contains("Nothing was sent yet"), "{page}");
    assert!(
        page.contains(">\nOrders\nand &lt;more&gt;</textarea>"),
        "{page}"
    );
    assert_eq!(
        json(&sandbox.done(&["show", &id, "--json"]))["state"],
        "waiting"
    );
    // Somebody else is first: what was typed can be taken along.
    sandbox.done(&["decline", &id]);
    let browser = out.with("cookie", &cookie(&signed));
    let body = format!(
        "token={}&attempt={}&o0=Orders&n0=soon&do=send",
        hidden(&page, "token"),
        hidden(&page, "attempt")
    );
    let mut late = browser.send("POST", &path, &body);
    assert_eq!(late.status, 409);
    let page = late.text();
    assert!(
        page.contains("What you had typed")
            && page.contains(">Orders</pre>")
            && page.contains(">soon</pre>"),
        "{page}"
    );
}

#[test]
fn a_form_that_was_sent_is_sent_again_unchanged_alone() {
    let sandbox = Sandbox::new();
    let browser = browser(&sandbox);
    let id = sandbox.asks(&["What goes?"]);
    let page = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    let (token, attempt) = (hidden(&page, "token"), hidden(&page, "attempt"));
    let browser = browser.with("content-type", FORM);
    let send = |fields: &str| {
        let body = format!("token={token}&attempt={attempt}&{fields}");
        browser.send("POST", &format!("/a/{id}"), &body)
    };
    let mut first = send("do=send&o0=everything");
    assert_eq!(first.status, 200);
    let said = first.text();
    assert_eq!(send("do=send&o0=everything").text(), said);
    for (fields, typed) in [
        ("do=send&o0=nothing%2C+keep+it", "nothing, keep it"),
        ("do=decline&o0=everything&reason=no%2C+stop", "no, stop"),
        ("do=clarify&o0=everything&clarify=Which%3F", "Which?"),
    ] {
        let late = send(fields).text();
        assert!(
            late.contains("Nothing you typed was sent") && late.contains(typed),
            "{fields}: {late}"
        );
    }
}

#[test]
fn what_was_answered_after_its_time_is_shown_as_answered_late() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let mut events = page.listens();
    events.hears("snapshot");
    let agent = Web::program(&sandbox, "token");
    let call = r#"{"question":"Go?","timeout":60000}"#;
    let asked = agent.says(201, "POST", "/v1/asks", call);
    let id = asked["askId"].as_str().expect("an id");
    Hub::of(&sandbox).clock("2026-03-01T10:01:01Z");
    events.hears("ask.expired");
    let browser = browser(&sandbox);
    assert_eq!(sends(&browser, id, "o0=yes&do=send").status, 200);
    let page = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    assert!(page.contains("<p>answered in the browser</p>"), "{page}");
    assert!(
        page.contains("<p>expired, kept for the agent</p>"),
        "{page}"
    );
}

#[test]
fn whoever_looks_again_at_what_was_sent_is_not_told_that_somebody_was_first() {
    let sandbox = Sandbox::new();
    let agent = Web::program(&sandbox, "token");
    let call = r#"{"questions":[{"question":"Which branch?","default":"main"}]}"#;
    let asked = agent.says(201, "POST", "/v1/asks", call);
    let id = asked["askId"].as_str().expect("an id");
    let browser = browser(&sandbox);
    assert_eq!(sends(&browser, id, "o0=mine&do=send").status, 200);
    let page = browser.send("GET", &format!("/a/{id}?form=1"), "").text();
    assert!(page.contains("Which branch?"), "{page}");
    for untrue in ["Somebody else", "typed", "not sent"] {
        assert!(!page.contains(untrue), "{untrue}: {page}");
    }
}
