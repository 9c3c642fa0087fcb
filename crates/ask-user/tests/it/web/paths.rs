//! Files of the agent's folder, offered on the page for an answer: which ones, what is reported
//! about an unreadable folder, and to whom nothing is offered.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use ask_core::Json;

use crate::support::phone::pair_device;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind, public_key};

/// The host name under which other machines reach the page.
const HOST: &str = "desk.example.ts.net";

/// Asks from a folder, which need not exist.
fn ask_in(sandbox: &Sandbox, directory: &str) -> String {
    let escaped: String = directory
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let path = format!("/v1/asks?directory={escaped}");
    let asked = Web::with_token(sandbox, "token").expect_status(
        201,
        "POST",
        &path,
        r#"{"question":"Which file?"}"#,
    );
    text(&asked, "askId")
}

/// A folder with these files.
fn project(sandbox: &Sandbox, files: &[&str]) -> PathBuf {
    let root = sandbox.home().join("project");
    for file in files {
        let file = root.join(file);
        fs::create_dir_all(file.parent().expect("a parent folder")).expect("a writable folder");
        fs::write(file, "").expect("a writable folder");
    }
    root
}

fn name(path: &Path) -> &str {
    path.to_str().expect("a temporary folder in UTF-8")
}

/// The files that are offered when the search is finished.
fn wait_for_files(web: &Web, id: &str, letters: &str) -> Json {
    loop {
        let found = web.get_json(&format!("/v1/asks/{id}/paths?q={letters}"));
        if found["ended"] == true {
            return found;
        }
    }
}

fn fields(found: &Json, field: &str) -> Vec<String> {
    let paths = found["paths"].as_array().expect("an array");
    paths.iter().map(|path| text(path, field)).collect()
}

#[test]
fn matching_files_are_sorted_best_first() {
    let sandbox = Sandbox::new();
    sandbox.run_ok(&["list"]);
    let root = project(
        &sandbox,
        &[
            "src/main.rs",
            "src/deep/domain.rs",
            "target/main.o",
            ".hidden/main",
            "a b.txt",
        ],
    );
    fs::write(root.join(".gitignore"), "target\n").expect("a writable folder");
    // A link that leaves the project isn't offered, and its target isn't searched.
    symlink("/etc", root.join("outside")).expect("a writable folder");
    let id = ask_in(&sandbox, name(&root));
    let page = Web::page(&sandbox);
    let found = wait_for_files(&page, &id, "main");
    assert_eq!(
        fields(&found, "text"),
        ["src/main.rs", "src/deep/domain.rs"]
    );
    assert_eq!(
        (&found["total"], &found["readable"]),
        (&2.into(), &true.into())
    );
    assert_eq!(
        fields(&wait_for_files(&page, &id, "a%20b"), "text"),
        ["\"a b.txt\""]
    );
    assert!(fields(&wait_for_files(&page, &id, "OUTSIDE"), "text").is_empty());
    assert!(fields(&wait_for_files(&page, &id, "passwd"), "text").is_empty());
    assert!(fields(&wait_for_files(&page, &id, "zzz"), "text").is_empty());
    assert_eq!(wait_for_files(&page, &id, "")["total"], 3);
    let program = Web::with_token(&sandbox, "answer-token");
    assert_eq!(wait_for_files(&program, &id, "main")["total"], 2);
}

#[test]
fn misleading_file_names_are_escaped() {
    let sandbox = Sandbox::new();
    sandbox.run_ok(&["list"]);
    let long = format!("{}/{}/long", "d".repeat(200), "e".repeat(200));
    let root = project(
        &sandbox,
        &[
            "\u{202e}gpj.exe",
            "two\nlines",
            "esc\u{1b}[2Jape",
            "\"quote\\",
            &long,
        ],
    );
    let unreadable = std::ffi::OsStr::from_bytes(b"bytes\xff");
    fs::write(root.join(unreadable), "").expect("a writable folder");
    let id = ask_in(&sandbox, name(&root));
    let page = Web::page(&sandbox);
    let one = |letters: &str| {
        let found = wait_for_files(&page, &id, letters);
        assert_eq!(found["total"], 1, "{letters}");
        (
            fields(&found, "shown").remove(0),
            fields(&found, "text").remove(0),
        )
    };
    let pair = |shown: &str, text: &str| (shown.to_owned(), text.to_owned());
    assert_eq!(one("gpj"), pair("gpj.exe", "\"\\u{202e}gpj.exe\""));
    assert_eq!(one("lines"), pair("two lines", "\"two\\nlines\""));
    assert_eq!(one("ape"), pair("escape", "\"esc\\u{1b}[2Jape\""));
    assert_eq!(one("quote"), pair("\"quote\\", "\"\\\"quote\\\\\""));
    assert_eq!(one("long"), pair(&long, &long));
    assert_eq!(
        wait_for_files(&page, &id, "bytes")["total"],
        0,
        "it can't be named in text"
    );
}

#[test]
fn an_unreadable_folder_is_reported_and_a_large_one_truncated() {
    let sandbox = Sandbox::new();
    sandbox.run_ok(&["list"]);
    let page = Web::page(&sandbox);
    let file = project(&sandbox, &["file"]).join("file");
    for directory in ["/nothing/of/that/name", "/\u{0}", name(&file)] {
        let id = ask_in(&sandbox, directory);
        let found = wait_for_files(&page, &id, "");
        assert_eq!(
            (&found["readable"], &found["total"]),
            (&false.into(), &0.into()),
            "{directory}"
        );
    }
    let nowhere = Web::with_token(&sandbox, "token").expect_status(
        201,
        "POST",
        "/v1/asks",
        r#"{"question":"Where?"}"#,
    );
    assert_eq!(
        wait_for_files(&page, &text(&nowhere, "askId"), "")["readable"],
        false
    );
    let none = page.expect_status(404, "GET", "/v1/asks/a_nothing/paths", "");
    assert_eq!(kind(&none), "not-found");

    let many = sandbox.home().join("many");
    fs::create_dir_all(many.join("deep")).expect("a writable folder");
    for number in 0..25_000 {
        let made = fs::File::create(many.join("deep").join(number.to_string()));
        made.expect("a writable folder");
    }
    fs::write(many.join("zebra"), "").expect("a writable folder");
    let id = ask_in(&sandbox, name(&many));
    let found = wait_for_files(&page, &id, "zebra");
    assert_eq!(fields(&found, "text"), ["zebra"]);
    let cut = found["cut"].as_u64().expect("the reply counts the rest");
    assert!((1..=20_000).contains(&cut), "{cut}");
    assert_eq!(fields(&wait_for_files(&page, &id, "1"), "text").len(), 50);
    // A search of the whole machine has the same limit as that of any folder.
    let id = ask_in(&sandbox, "/");
    assert_eq!(wait_for_files(&page, &id, "")["readable"], true);
}

#[test]
fn files_are_offered_only_on_this_computer() {
    let sandbox = Sandbox::new();
    sandbox.write_settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    sandbox.run_ok(&["list"]);
    let root = project(&sandbox, &["secret-name.txt"]);
    let id = ask_in(&sandbox, name(&root));
    let path = format!("/v1/asks/{id}/paths?q=");
    let refused = Web::with_token(&sandbox, "token").expect_status(403, "GET", &path, "");
    assert_eq!(kind(&refused), "wrong-scope");
    for scope in ["answer", "see"] {
        let phone = pair_device(&sandbox, scope, scope);
        phone.get_json(&format!("/v1/asks/{id}"));
        let refused = phone.expect_status(403, "GET", &path, "");
        assert_eq!(kind(&refused), "wrong-scope", "{scope}");
        // Not at the computer's own address either.
        phone
            .at_hub_of(&sandbox)
            .expect_status(401, "GET", &path, "");
    }
    let tunnel = Web::anonymous(&sandbox).behind_proxy(HOST);
    let signed_in = tunnel.sign_in(&public_key(&sandbox));
    let elsewhere = tunnel.with_cookie(&cookie(&signed_in));
    elsewhere.get_json(&format!("/v1/asks/{id}"));
    assert_eq!(
        kind(&elsewhere.expect_status(403, "GET", &path, "")),
        "wrong-scope"
    );
    let page = Web::page(&sandbox);
    for site in ["cross-site", "same-site"] {
        page.with_header("sec-fetch-site", site)
            .expect_status(403, "GET", &path, "");
    }
    assert_eq!(wait_for_files(&page, &id, "")["total"], 1);
}
