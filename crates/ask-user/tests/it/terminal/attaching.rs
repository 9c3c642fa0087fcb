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

fn card(sandbox: &Sandbox, id: &str) -> Screen {
    let programs = sandbox.home().join("programs");
    fs::create_dir_all(&programs).expect("a writable home");
    let program = programs.join("wl-paste");
    fs::write(&program, CLIPBOARD).expect("a writable home");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("its permissions");
    fs::write(sandbox.home().join("copied"), PICTURE).expect("a writable home");
    let path = std::env::var("PATH").expect("PATH is set");
    let path = format!("{}:{path}", programs.display());
    let environment = [("PATH", path.as_str()), ("WAYLAND_DISPLAY", "story-0")];
    let screen = Screen::start(sandbox, &environment, &[BINARY, "inbox", "--id", id]);
    screen.see("What is wrong?");
    screen
}

#[test]
fn what_was_copied_survives_a_kill_and_is_sent() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let id = sandbox.asks(&["What is wrong?"]);
    let screen = card(&sandbox, &id);
    screen.types("see ");
    // Keys that arrive with the card are ignored, unless they type.
    screen.bright("see");
    fs::write(sandbox.home().join("kinds"), "text/plain\n").expect("a writable home");
    screen.press(&["C-v"]);
    screen.see("The clipboard holds no image and no file.");
    fs::write(sandbox.home().join("kinds"), "image/png\n").expect("a writable home");
    screen.press(&["C-v"]);
    screen.see("image: clipboard.png, 1280x800, 26 bytes  (Backspace removes it)");
    // The terminal is killed only after the draft is saved: one that is on its way would be lost.
    person.sees("the file is in the draft", |record| {
        record["draft"].to_string().contains("clipboard.png")
    });
    screen.kill(Signal::KILL);
    screen.see("[ended 137]");
    drop(screen);

    let screen = card(&sandbox, &id);
    screen.see("image: clipboard.png, 1280x800, 26 bytes");
    screen.bright("see");
    fs::write(sandbox.home().join("kinds"), "text/uri-list\n").expect("a writable home");
    let dropped = sandbox.home().join("dropped shot.png");
    fs::write(&dropped, [PICTURE, b"more"].concat()).expect("a writable home");
    screen.press(&["C-v"]);
    screen.see("image: dropped shot.png, 1280x800, 30 bytes  (Backspace removes it)");
    screen.types("the second");
    screen.see("see the second");
    screen.press(&["Enter"]);
    screen.see("[ended 0]");
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    let answer = &record["outcome"]["answers"][0];
    assert_eq!(answer["values"][0], "see the second", "{record}");
    let files = answer["attachments"].as_array().expect("an array");
    assert_eq!(files.len(), 2, "{record}");
    let path = files[0]["path"].as_str().expect("a path");
    assert!(fs::read(path).expect("a stored file") == PICTURE);
}

#[test]
fn a_path_that_is_wrong_is_mended_in_its_field() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["What is wrong?"]);
    fs::write(sandbox.home().join("shot.png"), PICTURE).expect("a writable home");
    let screen = card(&sandbox, &id);
    screen.paste(&format!("{}/shut.png", sandbox.home().display()));
    screen.see("Attach a file");
    screen.press(&["Enter"]);
    screen.see("There is no file");
    screen.press(&["BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace"]);
    screen.types("ot.png");
    screen.press(&["Enter"]);
    screen.see("image: shot.png, 1280x800, 26 bytes  (Backspace removes it)");
    screen.press(&["BSpace"]);
    screen.gone("image: shot.png");
}
