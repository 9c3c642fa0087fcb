//! Changed keys: which keys an action gets, and the problems with keys that it can't get.

use crossterm::event::KeyCode;

use crate::config::Config;
use crate::keys::KeyPress;

fn said(text: &str) -> String {
    let problems = Config::parse(text).problems;
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    said.join("\n")
}

fn set(text: &str) -> Vec<((&'static str, &'static str), Vec<KeyPress>)> {
    let read = Config::parse(text);
    assert!(read.problems.is_empty(), "{text}: {:?}", read.problems);
    read.config.keys.into_iter().collect()
}

#[test]
fn an_action_takes_a_key_a_list_of_keys_or_none() {
    let capital = KeyPress::Key(KeyCode::Char('D'));
    assert_eq!(
        set("[keys.card]\ndecline = 'D'"),
        [(("card", "decline"), vec![capital])]
    );
    assert_eq!(
        set("keys.card.decline = ['D', 'ctrl-x', '<M-d>']")[0].1,
        [
            capital,
            KeyPress::Ctrl('x'),
            KeyPress::Alt(KeyCode::Char('d')),
        ]
    );
    assert_eq!(
        set("keys.card.decline = 'none'"),
        [(("card", "decline"), Vec::new())]
    );
    assert!(
        set("keys.card.decline = 'x'").is_empty(),
        "it is the default"
    );
}

#[test]
fn two_actions_can_swap_their_keys() {
    let swapped = "[keys.card]\ndecline = 'c'\nask-back = 'x'";
    assert_eq!(set(swapped).len(), 2);
}

#[test]
fn a_mistake_is_reported_and_the_default_stays() {
    for (line, wanted) in [
        (
            "keys.card.shout = 'D'",
            "keys.card.shout: is nothing that keys do there\n  what keys do there: up, down, ",
        ),
        (
            "keys.crad.decline = 'D'",
            "keys.crad: is no place that has keys\n  keys are set below one of [keys.help], ",
        ),
        (
            "keys.decline = 'D'",
            "keys.decline: is no place that has keys\n",
        ),
        ("keys.card = 'D'", "keys.card: must be a table\n"),
        (
            "keys.card.decline = 5",
            "keys.card.decline: must be a key, a list of keys or \"none\", not 5\n  a key is ",
        ),
        (
            "keys.card.decline = 'Hyper+Q'",
            "keys.card.decline: \"Hyper+Q\" is no key\n  a key is ",
        ),
        (
            "keys.card.decline = 'Ctrl+M'",
            "keys.card.decline: \"Ctrl+M\" is Enter in disguise\n  a terminal sends the same for both: \
             take another key; until that is mended, it is \"x\"",
        ),
        (
            "keys.card.decline = 'C-i'",
            "keys.card.decline: \"C-i\" is Tab in disguise\n",
        ),
        (
            "keys.card.decline = 'Ctrl+['",
            "keys.card.decline: \"Ctrl+[\" is Esc in disguise\n",
        ),
        (
            "keys.card.decline = '<C-h>'",
            "keys.card.decline: \"<C-h>\" is Backspace in disguise\n",
        ),
        (
            "keys.card.decline = 'Alt+['",
            "keys.card.decline: \"Alt+[\" can't be told from other keys\n",
        ),
        (
            "keys.card.decline = 'Ctrl+C'",
            "keys.card.decline: \"Ctrl+C\" is the way out of everything and stays that\n",
        ),
        (
            "keys.card.decline = 'c'",
            "keys.card.decline: \"c\" is also keys.card.ask-back\n  give one of them another key; until ",
        ),
        (
            "keys.card.decline = '5'",
            "keys.card.decline: \"5\" is also keys.review.number\n",
        ),
        (
            "keys.field.new-line = 'n'",
            "keys.field.new-line: \"n\" could no longer be typed\n  take a key that types nothing",
        ),
        (
            "keys.inbox.number = 'n'",
            "keys.inbox.number: must be \"1-9\" or \"none\", not \"n\"\n",
        ),
    ] {
        let said = said(line);
        assert!(said.starts_with(wanted), "{line}: {said}");
        let read = Config::parse(line);
        let safe = Config {
            keep_days: 0,
            ..Config::default()
        };
        assert_eq!(read.config, safe, "{line}");
        assert_eq!(read.problems.len(), 1, "{line}");
    }
}

#[test]
fn where_letters_are_typed_their_commands_use_alt_keys() {
    let jumping = "terminal.typing = 'jump'\nkeys.card.decline = 'Alt+C'";
    assert_eq!(set(jumping).len(), 1, "Alt+C is not Alt+c");
    let said = said(&jumping.replace("Alt+C", "Alt+c"));
    assert!(
        said.starts_with("keys.card.decline: \"Alt+c\" is also keys.card.ask-back"),
        "{said}"
    );
}
