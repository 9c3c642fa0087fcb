//! What reaches the terminal itself: no control characters of an agent, no unwanted colour, and a
//! terminal that is restored.

use rustix::process::Signal;

use super::{DATABASE, ask_and_open, start_agent};
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

/// A call that tries to control the terminal with each of its texts.
const HOSTILE: &str = r#"{"title":"T\u001b]0;owned\u0007itle","context":"C\u001b[2Jontext \u001b[31mred\u001b[0m \u202egnol\u202c \u200bend","questions":[
    {"id":"a","label":"La\u001b[7mbel","question":"Que\u001b[31mstion\u009b41m?\u0008\u0008","options":[
        {"label":"Op\u001b[?1049ltion\r\n9. Fake","description":"De\u001b[5mscription\u2066"},{"label":"\u001b]52;c;aGk=\u0007Clip"}]},
    {"id":"b","label":"Other","question":"Second?","placeholder":"pla\u001b[8mceholder"}]}"#;

#[test]
fn an_agents_control_characters_never_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = start_agent(&sandbox, "native", HOSTILE);
    screen.wait_for("1 waiting");
    screen.press(&["i"]);
    screen.wait_until_gone("1 waiting");
    screen.press(&["Escape"]);
    screen.wait_for("1 waiting");
    screen.press(&["1"]);
    screen.wait_for(" ago · ");
    screen.wait_until_ready();
    screen.press(&["1", "Tab"]);
    screen.wait_for("[✓ Submit]");
    screen.press(&["Escape"]);
    screen.wait_for("draft 1/2");
    sandbox.run_ok(&["decline", "latest"]);
    assert_eq!(asking.receive().0, 3);
    screen.wait_for("0 waiting");
    // Our own query and titles are removed before the check.
    let written = screen.written().replace("\u{1b}]11;?\u{1b}\\", "");
    let titles = written.split("\u{1b}]2;");
    let written: String = titles
        .enumerate()
        .map(|(at, part)| match part.split_once("\u{1b}\\") {
            Some((title, rest)) if at > 0 => format!("{title}{rest}"),
            Some(_) | None => part.to_owned(),
        })
        .collect();
    // Our own bell: an ask has arrived, and the terminal hasn't reported its focus.
    let written = written.replacen('\u{7}', "", 1);
    // Our own clearing of the screen, once at the start.
    let written = written.replacen("\u{1b}[2J", "", 1);
    let own = [
        "\u{1b}[2J",
        "\u{1b}[31m",
        "\u{1b}[41m",
        "\u{1b}[7mb",
        "\u{1b}[5m",
        "\u{1b}[8m",
        "\u{1b}]",
    ];
    let never = [
        "\u{9b}",
        "\u{7}",
        "\u{8}",
        "\u{202e}",
        "\u{202c}",
        "\u{2066}",
        "\u{200b}",
        "\u{1b}[?1049l",
    ];
    for part in own.iter().chain(&never) {
        assert!(
            !written.contains(part),
            "{part:?} was written:\n{written:?}"
        );
    }
    assert_eq!(screen.tmux_variable("alternate_on"), "1");
    assert!(!screen.tmux_variable("pane_title").contains("owned"));
}

#[test]
fn an_agents_line_break_cannot_imitate_a_row() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open(&sandbox, "native", HOSTILE);
    screen.wait_until_ready();
    let fake = |line: &str| line.trim_start().starts_with("9. Fake");
    let picture = screen.screen();
    assert!(!picture.lines().any(fake), "{picture}");
    assert!(
        picture.contains("9. Fake"),
        "it stays within its row:\n{picture}"
    );
}

#[test]
fn without_colour_the_focus_is_bold_and_nothing_is_coloured() {
    for (colours, environment) in [(true, [("NO_COLOR", "")]), (false, [("NO_COLOR", "1")])] {
        let sandbox = Sandbox::new();
        let screen = Screen::start(&sandbox, &environment, &[BINARY, "inbox"]);
        let _asking = start_agent(&sandbox, "pi", DATABASE);
        screen.wait_for("1 waiting");
        screen.press(&["1"]);
        screen.wait_for(" ago · ");
        screen.wait_until_ready();
        screen.press(&["2"]);
        screen.wait_for("✓ chosen");
        let written = screen.written();
        let found = written.split("\u{1b}[").skip(1).any(is_colour);
        assert_eq!(found, colours, "{written:?}");
        assert!(written.contains("\u{1b}[1m"), "bold is left: {written:?}");
    }
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    let sandbox = Sandbox::new();
    let screen = Screen::start(&sandbox, &[("LC_ALL", "C")], &[BINARY, "inbox"]);
    let asking = start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1 waiting");
    screen.press(&["1"]);
    screen.wait_for(" ago - ");
    screen.wait_until_bright("> 1. SQLite");
    screen.press(&["Down"]);
    screen.wait_for("> 2. PostgreSQL");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    assert!(screen.written().is_ascii(), "{}", screen.written());
    assert_eq!(asking.receive().0, 0);
}

/// Whether a control sequence without its introducer sets a colour.
fn is_colour(sequence: &str) -> bool {
    let end = sequence.find(|letter: char| letter.is_ascii_alphabetic());
    let (numbers, after) = sequence.split_at(end.unwrap_or_default());
    after.starts_with('m')
        && numbers.split(';').any(|number| {
            let number = number.parse().unwrap_or(0);
            matches!(number, 30..=38 | 40..=48 | 90..=97 | 100..=107)
        })
}

#[test]
fn the_terminal_is_restored() {
    for way in ["q", "C-c", "TERM", "HUP"] {
        let sandbox = Sandbox::new();
        let screen = Screen::open(&sandbox, &["inbox"]);
        screen.wait_for("No question waits for you.");
        assert_eq!(screen.tmux_variable("alternate_on"), "1");
        match way {
            "TERM" => screen.signal(Signal::TERM),
            "HUP" => screen.signal(Signal::HUP),
            key => screen.press(&[key]),
        }
        assert_eq!(screen.wait_for_exit(), 0, "{way}");
        assert_eq!(screen.tmux_variable("alternate_on"), "0", "{way}");
        assert_eq!(screen.tmux_variable("cursor_flag"), "1", "{way}");
        let settings = screen.settings();
        for on in ["echo", "icanon", "opost", "isig"] {
            assert!(settings.contains(&on.to_owned()), "{way}: {settings:?}");
        }
        screen.paste("hello");
        screen.wait_for("hello");
        assert!(!screen.screen().contains("200~"), "{}", screen.screen());
    }
}

#[test]
fn without_a_terminal_it_says_what_to_use_instead() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["inbox"][..],
        &["inbox", "--next"],
        &["inbox", "--id", "a_1"],
    ] {
        let output = sandbox.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "ask-user: the inbox needs a terminal\n  use `ask-user list --json`, `ask-user answer ID ...` or \
             `ask-user inbox --plain`\n"
        );
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}
