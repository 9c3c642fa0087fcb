//! The history screen in a real terminal: searched, filtered, read, copied, counted.

use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

#[test]
fn the_history_is_searched_filtered_read_copied_and_counted() {
    let sandbox = Sandbox::new();
    for (text, answer) in [
        ("Which roof?", "tin"),
        ("Which door?", "oak, from the yard"),
    ] {
        let id = sandbox.ask(&[text]);
        sandbox.run_ok(&["answer", &id, "--set", answer]);
    }
    let id = sandbox.ask(&["Which gate?"]);
    sandbox.run_ok(&["decline", &id, "--reason", "no gate"]);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("h history");
    screen.press(&["h"]);
    screen.wait_for("3 asks");
    screen.wait_for("no gate");
    screen.press(&["/"]);
    screen.type_text("oak yard");
    screen.wait_for("1 ask ");
    screen.wait_until_gone("Which roof?");
    screen.press(&["Enter"]);
    screen.wait_for("/ search");
    screen.press(&["Enter"]);
    screen.wait_for("What the agent was given");
    screen.wait_for("oak, from the yard");
    screen.press(&["y"]);
    screen.wait_for("Copied");
    screen.press(&["Escape"]);
    screen.wait_until_gone("What the agent was given");
    screen.wait_for("/ search");
    screen.press(&["/"]);
    screen.wait_for("show all again");
    screen.press(&["Escape"]);
    screen.wait_for("Which roof?");
    screen.press(&["f"]);
    screen.wait_for("← all →");
    screen.press(&["Down", "Down", "Right", "Right", "Right"]);
    screen.wait_for("← declined →");
    screen.wait_until_gone("Which roof?");
    screen.press(&["Escape"]);
    screen.wait_for("S statistics");
    screen.press(&["S"]);
    screen.wait_for("How they ended");
    screen.press(&["Escape"]);
    screen.wait_for("S statistics");
    screen.press(&["E"]);
    screen.wait_for("1 ask written to ");
    screen.press(&["Escape"]);
    screen.wait_for("0 waiting");
    screen.press(&["q"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let written = std::fs::read_dir(sandbox.home()).expect("the home is there");
    let names = written.flatten().map(|entry| entry.file_name());
    let name = names.map(|name| name.to_string_lossy().into_owned());
    assert!(
        name.into_iter()
            .any(|name| name.starts_with("ask-history-"))
    );
}
