//! Attaching in a real terminal, with a script on PATH as the clipboard program: the attachment
//! survives a kill and reaches the agent.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";

/// A `wl-paste` whose clipboard holds this picture, a file, or nothing.
const CLIPBOARD: &str = r#"#!/bin/sh
case "$*" in
--list-types) cat "$ASK_USER_HOME/kinds" ;;
*text/uri-list) printf 'file://%s/dropped%%20shot.png\r\n' "$ASK_USER_HOME" ;;
*image/png) cat "$ASK_USER_HOME/copied" ;;
esac
"#;

fn open_card(sandbox: &Sandbox, id: &str) -> Screen {
    let programs = sandbox.home().join("programs");
    fs::create_dir_all(&programs).expect("a writable home");
    let program = programs.join("wl-paste");
    fs::write(&program, CLIPBOARD).expect("a writable home");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("its permissions");
    fs::write(sandbox.home().join("copied"), PICTURE).expect("a writable home");
    let path = std::env::var("PATH").expect("PATH is set");
    let path = format!("{}:{path}", programs.display());
    // A program below the current folder is the person's only if their home is there.
    let home = sandbox.home().display().to_string();
    let environment = [
        ("PATH", path.as_str()),
        ("HOME", home.as_str()),
        ("WAYLAND_DISPLAY", "story-0"),
    ];
    let screen = Screen::start(sandbox, &environment, &[BINARY, "inbox", "--id", id]);
    screen.wait_for("What is wrong?");
    screen
}

#[test]
fn a_pasted_image_survives_a_kill_and_is_sent() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let id = sandbox.ask(&["What is wrong?"]);
    let screen = open_card(&sandbox, &id);
    screen.type_text("see ");
    // Keys that arrive with the card are ignored, unless they type.
    screen.wait_until_bright("see");
    fs::write(sandbox.home().join("kinds"), "text/plain\n").expect("a writable home");
    screen.press(&["C-v"]);
    screen.wait_for("The clipboard holds no image and no file.");
    fs::write(sandbox.home().join("kinds"), "image/png\n").expect("a writable home");
    screen.press(&["C-v"]);
    screen.wait_for("image: clipboard.png, 1280x800, 26 bytes  (Backspace removes it)");
    // The terminal is killed only after the draft is saved: one that is on its way would be lost.
    person.wait_for("the file is in the draft", |record| {
        record["draft"].to_string().contains("clipboard.png")
    });
    screen.signal(Signal::KILL);
    screen.wait_for("[ended 137]");
    drop(screen);

    let screen = open_card(&sandbox, &id);
    screen.wait_for("image: clipboard.png, 1280x800, 26 bytes");
    screen.wait_until_bright("see");
    fs::write(sandbox.home().join("kinds"), "text/uri-list\n").expect("a writable home");
    let dropped = sandbox.home().join("dropped shot.png");
    fs::write(&dropped, [PICTURE, b"more"].concat()).expect("a writable home");
    screen.press(&["C-v"]);
    screen.wait_for("image: dropped shot.png, 1280x800, 30 bytes  (Backspace removes it)");
    screen.type_text("the second");
    screen.wait_for("see the second");
    screen.press(&["Enter"]);
    screen.wait_for("[ended 0]");
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    let answer = &record["outcome"]["answers"][0];
    assert_eq!(answer["values"][0], "see the second", "{record}");
    let files = answer["attachments"].as_array().expect("an array");
    assert_eq!(files.len(), 2, "{record}");
    let path = files[0]["path"].as_str().expect("a path");
    assert!(fs::read(path).expect("a stored file") == PICTURE);
}

#[test]
fn a_wrong_path_is_corrected_in_its_field() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["What is wrong?"]);
    fs::write(sandbox.home().join("shot.png"), PICTURE).expect("a writable home");
    let screen = open_card(&sandbox, &id);
    screen.paste(&format!("{}/shut.png", sandbox.home().display()));
    screen.wait_for("Attach a file");
    screen.press(&["Enter"]);
    screen.wait_for("There is no file");
    screen.press(&["BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace"]);
    screen.type_text("ot.png");
    screen.press(&["Enter"]);
    screen.wait_for("image: shot.png, 1280x800, 26 bytes  (Backspace removes it)");
    screen.press(&["BSpace"]);
    screen.wait_until_gone("image: shot.png");
}
