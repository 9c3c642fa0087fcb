//! The history screen in a real terminal: searched, filtered, read, copied, counted.

use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

#[test]
fn what_is_over_is_searched_narrowed_read_copied_and_counted() {
    let sandbox = Sandbox::new();
    for (text, answer) in [
        ("Which roof?", "tin"),
        ("Which door?", "oak, from the yard"),
    ] {
        let id = sandbox.asks(&[text]);
        sandbox.done(&["answer", &id, "--set", answer]);
    }
    let id = sandbox.asks(&["Which gate?"]);
    sandbox.done(&["decline", &id, "--reason", "no gate"]);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("h history");
    screen.press(&["h"]);
    screen.see("3 asks");
    screen.see("no gate");
    screen.press(&["/"]);
    screen.types("oak yard");
    screen.see("1 ask ");
    screen.gone("Which roof?");
    screen.press(&["Enter"]);
    screen.see("/ search");
    screen.press(&["Enter"]);
    screen.see("What the agent was given");
    screen.see("oak, from the yard");
    screen.press(&["y"]);
    screen.see("Copied");
    screen.press(&["Escape"]);
    screen.gone("What the agent was given");
    screen.see("/ search");
    screen.press(&["/"]);
    screen.see("show all again");
    screen.press(&["Escape"]);
    screen.see("Which roof?");
    screen.press(&["f"]);
    screen.see("← all →");
    screen.press(&["Down", "Down", "Right", "Right", "Right"]);
    screen.see("← declined →");
    screen.gone("Which roof?");
    screen.press(&["Escape"]);
    screen.see("S statistics");
    screen.press(&["S"]);
    screen.see("How they ended");
    screen.press(&["Escape"]);
    screen.see("S statistics");
    screen.press(&["E"]);
    screen.see("1 ask written to ");
    screen.press(&["Escape"]);
    screen.see("0 waiting");
    screen.press(&["q"]);
    assert_eq!(screen.ended(), 0);
    let written = std::fs::read_dir(sandbox.home()).expect("the home is there");
    let names = written.flatten().map(|entry| entry.file_name());
    let name = names.map(|name| name.to_string_lossy().into_owned());
    assert!(
        name.into_iter()
            .any(|name| name.starts_with("ask-history-"))
    );
}
