//! Files of the agent's folder, offered on the page for an answer: which ones, what is reported
//! about an unreadable folder, and to whom nothing is offered.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use ask_core::Json;

use crate::support::phone::let_in;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, key, kind};

/// The host name under which other machines reach the page.
const HOST: &str = "desk.example.ts.net";

/// Asks from a folder, which need not exist.
fn asks_in(sandbox: &Sandbox, directory: &str) -> String {
    let escaped: String = directory
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let path = format!("/v1/asks?directory={escaped}");
    let asked =
        Web::program(sandbox, "token").says(201, "POST", &path, r#"{"question":"Which file?"}"#);
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
fn looked(web: &Web, id: &str, letters: &str) -> Json {
    loop {
        let found = web.gets(&format!("/v1/asks/{id}/paths?q={letters}"));
        if found["ended"] == true {
            return found;
        }
    }
}

fn each(found: &Json, field: &str) -> Vec<String> {
    let paths = found["paths"].as_array().expect("an array");
    paths.iter().map(|path| text(path, field)).collect()
}

#[test]
fn files_that_fit_come_best_first_as_they_are_put_in() {
    let sandbox = Sandbox::new();
    sandbox.done(&["list"]);
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
    let id = asks_in(&sandbox, name(&root));
    let page = Web::page(&sandbox);
    let found = looked(&page, &id, "main");
    assert_eq!(each(&found, "text"), ["src/main.rs", "src/deep/domain.rs"]);
    assert_eq!(
        (&found["total"], &found["readable"]),
        (&2.into(), &true.into())
    );
    assert_eq!(each(&looked(&page, &id, "a%20b"), "text"), ["\"a b.txt\""]);
    assert!(each(&looked(&page, &id, "OUTSIDE"), "text").is_empty());
    assert!(each(&looked(&page, &id, "passwd"), "text").is_empty());
    assert!(each(&looked(&page, &id, "zzz"), "text").is_empty());
    assert_eq!(looked(&page, &id, "")["total"], 3);
    let program = Web::program(&sandbox, "answer-token");
    assert_eq!(looked(&program, &id, "main")["total"], 2);
}

#[test]
fn names_that_somebody_chose_to_mislead_are_shown_and_put_in_safely() {
    let sandbox = Sandbox::new();
    sandbox.done(&["list"]);
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
    let id = asks_in(&sandbox, name(&root));
    let page = Web::page(&sandbox);
    let one = |letters: &str| {
        let found = looked(&page, &id, letters);
        assert_eq!(found["total"], 1, "{letters}");
        (
            each(&found, "shown").remove(0),
            each(&found, "text").remove(0),
        )
    };
    let pair = |shown: &str, text: &str| (shown.to_owned(), text.to_owned());
    assert_eq!(one("gpj"), pair("gpj.exe", "\"\\u{202e}gpj.exe\""));
    assert_eq!(one("lines"), pair("two lines", "\"two\\nlines\""));
    assert_eq!(one("ape"), pair("escape", "\"esc\\u{1b}[2Jape\""));
    assert_eq!(one("quote"), pair("\"quote\\", "\"\\\"quote\\\\\""));
    assert_eq!(one("long"), pair(&long, &long));
    assert_eq!(
        looked(&page, &id, "bytes")["total"],
        0,
        "it can't be named in text"
    );
}

#[test]
fn a_folder_that_cannot_be_read_is_said_to_be_so_and_a_large_one_is_cut() {
    let sandbox = Sandbox::new();
    sandbox.done(&["list"]);
    let page = Web::page(&sandbox);
    let file = project(&sandbox, &["file"]).join("file");
    for directory in ["/nothing/of/that/name", "/\u{0}", name(&file)] {
        let id = asks_in(&sandbox, directory);
        let found = looked(&page, &id, "");
        assert_eq!(
            (&found["readable"], &found["total"]),
            (&false.into(), &0.into()),
            "{directory}"
        );
    }
    let nowhere =
        Web::program(&sandbox, "token").says(201, "POST", "/v1/asks", r#"{"question":"Where?"}"#);
    assert_eq!(
        looked(&page, &text(&nowhere, "askId"), "")["readable"],
        false
    );
    let none = page.says(404, "GET", "/v1/asks/a_nothing/paths", "");
    assert_eq!(kind(&none), "not-found");

    let many = sandbox.home().join("many");
    fs::create_dir_all(many.join("deep")).expect("a writable folder");
    for number in 0..25_000 {
        let made = fs::File::create(many.join("deep").join(number.to_string()));
        made.expect("a writable folder");
    }
    fs::write(many.join("zebra"), "").expect("a writable folder");
    let id = asks_in(&sandbox, name(&many));
    let found = looked(&page, &id, "zebra");
    assert_eq!(each(&found, "text"), ["zebra"]);
    let cut = found["cut"].as_u64().expect("the reply counts the rest");
    assert!((1..=20_000).contains(&cut), "{cut}");
    assert_eq!(each(&looked(&page, &id, "1"), "text").len(), 50);
    // A search of the whole machine has the same limit as that of any folder.
    let id = asks_in(&sandbox, "/");
    assert_eq!(looked(&page, &id, "")["readable"], true);
}

#[test]
fn only_who_stands_at_the_computer_is_told_of_files() {
    let sandbox = Sandbox::new();
    sandbox.settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    sandbox.done(&["list"]);
    let root = project(&sandbox, &["secret-name.txt"]);
    let id = asks_in(&sandbox, name(&root));
    let path = format!("/v1/asks/{id}/paths?q=");
    let refused = Web::program(&sandbox, "token").says(403, "GET", &path, "");
    assert_eq!(kind(&refused), "wrong-scope");
    for scope in ["answer", "see"] {
        let phone = let_in(&sandbox, scope, scope);
        phone.gets(&format!("/v1/asks/{id}"));
        let refused = phone.says(403, "GET", &path, "");
        assert_eq!(kind(&refused), "wrong-scope", "{scope}");
        // Not at the computer's own address either.
        phone.at(&sandbox).says(401, "GET", &path, "");
    }
    let tunnel = Web::of(&sandbox).passed_on_by(HOST);
    let signed_in = tunnel.sign_in(&key(&sandbox));
    let elsewhere = tunnel.with_cookie(&cookie(&signed_in));
    elsewhere.gets(&format!("/v1/asks/{id}"));
    assert_eq!(kind(&elsewhere.says(403, "GET", &path, "")), "wrong-scope");
    let page = Web::page(&sandbox);
    for site in ["cross-site", "same-site"] {
        page.with("sec-fetch-site", site)
            .says(403, "GET", &path, "");
    }
    assert_eq!(looked(&page, &id, "")["total"], 1);
}
