//! `typing = "jump"`: letters begin an answer in own text, commands are Alt and the letter. Also a
//! key map of the person's own, in the footer and on the help page.

use ask_config::config::{Config, Typing};
use ask_config::keys::{Changes, Context, Keymap};
use crossterm::event::{KeyCode, KeyModifiers};

use super::Person;
use crate::fixtures::{confirm, database, record};
use crate::tui::event::Event;
use crate::tui::model::Overlay;

fn enable_jump(person: &mut Person) {
    person.model.display.settings.typing = Typing::Jump;
    person.model.display.keys = Keymap::from_changes(&Changes::new(), Typing::Jump);
}

fn own(person: &Person) -> &str {
    person.card().form.entries[0].field.text()
}

#[test]
fn a_letter_begins_own_text_and_alt_with_it_is_the_command() {
    let mut person = Person::at_card(record("ask-jump", vec![database()]));
    enable_jump(&mut person);
    person.keys("x is it");
    assert_eq!(own(&person), "x is it");
    assert_eq!(person.model.context(), Context::Other);

    person.key(KeyCode::Esc);
    person.wait_ms(400);
    person.press(KeyCode::Char('x'), KeyModifiers::ALT);
    assert!(matches!(person.model.overlay, Some(Overlay::Reason { .. })));
}

#[test]
fn digits_space_and_slash_keep_their_meaning() {
    let mut person = Person::at_card(record("ask-jump", vec![database()]));
    enable_jump(&mut person);
    person.keys("2");
    assert_eq!(own(&person), "");
    assert_eq!(person.model.context(), Context::Pick);
    person.keys(" ");
    assert_eq!(person.model.context(), Context::Pick);
    person.keys("/");
    assert_eq!(own(&person), "");
}

#[test]
fn yes_and_no_need_alt() {
    let mut person = Person::at_card(record("ask-jump", vec![confirm()]));
    enable_jump(&mut person);
    person.press(KeyCode::Char('y'), KeyModifiers::ALT);
    assert_eq!(person.card().form.answered_count(), 1);
    person.keys("no, but");
    assert_eq!(own(&person), "no, but");
}

#[test]
fn letters_typed_before_the_card_opens_are_ignored() {
    let mut person = Person::inbox(vec![record("ask-jump", vec![database()])]);
    enable_jump(&mut person);
    person.key(KeyCode::Enter);
    person.keys("rm -rf");
    assert_eq!(own(&person), "");
}

#[test]
fn a_paste_is_an_answer_in_both_modes() {
    for jump in [false, true] {
        let mut person = Person::at_card(record("ask-jump", vec![database()]));
        if jump {
            enable_jump(&mut person);
        }
        person.handle(Event::Paste("1 x\ny".to_owned()));
        assert_eq!(own(&person), "1 x\ny");
        assert_eq!(person.model.context(), Context::Other);
    }
}

#[test]
fn footer_and_help_name_the_alt_keys() {
    let mut person = Person::at_card(record("ask-jump", vec![database()]));
    enable_jump(&mut person);
    assert!(person.at(190, 30).contains("Alt+x decline"));
    person.press(KeyCode::Char('?'), KeyModifiers::ALT);
    let help = person.at(100, 40);
    assert!(help.contains("Alt+x "), "{help}");
    assert!(help.contains("starts your own answer"), "{help}");
}

#[test]
fn configured_keys_are_shown_and_work() {
    let mut person = Person::at_card(record("ask-keys", vec![database()]));
    let config = Config::parse("[keys.card]\ndecline = 'D'\nask-back = 'none'").config;
    person.model.display.keys = Keymap::from_changes(&config.keys, config.terminal.typing);
    let card = person.at(100, 30);
    assert!(
        card.contains("D decline") && !card.contains("ask back"),
        "{card}"
    );
    person.keys("xc");
    assert!(person.model.overlay.is_none());
    person.keys("?");
    let help = person.at(100, 40);
    assert!(
        help.contains(" D  ") && !help.contains("ask back"),
        "{help}"
    );
    person.key(KeyCode::Esc);
    person.keys("D");
    assert!(matches!(person.model.overlay, Some(Overlay::Reason { .. })));
}

#[test]
fn help_opens_above_a_dialog_and_keeps_it() {
    let mut person = Person::at_card(record("ask-help", vec![database()]));
    person.keys("x");
    person.keys("too ?");
    person.key(KeyCode::F(1));
    assert!(person.at(100, 30).contains("Keys here"));
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("too ?"));
}
