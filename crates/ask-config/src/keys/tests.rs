//! Checks the table, with and without a person's changes: every key reaches its row, and every row
//! is described.

use crossterm::event::{KeyCode, KeyModifiers};
use proptest::prelude::{
    Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use super::*;
use crate::config::{Typing, keys};
use crate::i18n::{Language, Words};

/// The key events that a key of the table matches.
fn events(press: KeyPress) -> Vec<KeyEvent> {
    let (code, modifiers) = match press {
        KeyPress::Key(code) => (code, KeyModifiers::NONE),
        KeyPress::Ctrl(letter) => (KeyCode::Char(letter), KeyModifiers::CONTROL),
        KeyPress::CtrlKey(code) => (code, KeyModifiers::CONTROL),
        KeyPress::Alt(code) => (code, KeyModifiers::ALT),
        KeyPress::ShiftEnter => (KeyCode::Enter, KeyModifiers::SHIFT),
        KeyPress::Digits(most) => {
            let digits = ('1'..='9').take(usize::from(most));
            return digits
                .map(|digit| KeyEvent::new(KeyCode::Char(digit), KeyModifiers::NONE))
                .collect();
        }
        KeyPress::Typed => (KeyCode::Char('語'), KeyModifiers::NONE),
        KeyPress::Any => (KeyCode::F(11), KeyModifiers::NONE),
    };
    vec![KeyEvent::new(code, modifiers)]
}

fn contexts() -> Vec<Context> {
    let rows = SECTIONS.iter().flat_map(|section| section.rows);
    let mut contexts: Vec<Context> = Vec::new();
    for &context in rows.flat_map(|row| row.contexts) {
        if !contexts.contains(&context) {
            contexts.push(context);
        }
    }
    contexts
}

/// Whether an action is the one of this row.
fn fits(does: Option<Action>, action: Action) -> bool {
    match (does, action) {
        (Some(Action::Number(_)), Action::Number(_))
        | (Some(Action::Jump(_)), Action::Jump(_))
        | (Some(Action::Edit(Edit::Insert(_))), Action::Edit(Edit::Insert(_))) => true,
        (does, action) => does == Some(action),
    }
}

/// Checks that no row has a key of another, that every row is described, and that the description
/// names its keys.
fn agrees(keymap: &Keymap) -> Result<(), String> {
    let words = Words::for_language(Language::English);
    for context in contexts() {
        for row in keymap.rows(context) {
            let at = format!("{}.{} in {context:?}", row.section, row.binding.name);
            for &press in &row.presses {
                for event in events(press) {
                    let does = keymap.decode(context, event);
                    if !fits(does, row.binding.action) {
                        return Err(format!("{at}: {press:?} does {does:?}"));
                    }
                }
            }
            let describing = keymap.rows(context).find(|other| {
                !other.binding.words.is_empty()
                    && (std::ptr::eq(*other, row)
                        || keymap
                            .mate(context, other)
                            .is_some_and(|mate| std::ptr::eq(mate, row)))
            });
            let Some(describing) = describing else {
                return Err(format!("{at}: no row describes it"));
            };
            let mate = keymap.mate(context, describing);
            let described = all_keys(words, describing, mate);
            if let Some(press) = row
                .presses
                .iter()
                .find(|press| !described.contains(&label::name(words, **press)))
            {
                return Err(format!("{at}: {press:?} is not in {described:?}"));
            }
            let brief = brief(words, describing, mate, true);
            let first = describing
                .presses
                .first()
                .map(|&press| label::name(words, press));
            if !first.is_none_or(|first| brief.contains(&first)) {
                return Err(format!(
                    "{at}: the footer says {brief:?}, help {described:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn the_table_agrees_with_itself() {
    for typing in [Typing::Keys, Typing::Jump] {
        let agreed = agrees(&Keymap::from_changes(&Changes::new(), typing));
        assert_eq!(agreed, Ok(()), "{typing:?}");
    }
}

#[test]
fn rows_of_one_name_have_the_same_keys_and_no_row_is_empty() {
    for section in SECTIONS {
        for row in section.rows {
            let at = format!("{}.{}", section.name, row.name);
            assert!(!row.contexts.is_empty() && !row.presses.is_empty(), "{at}");
            assert!(row.showing <= row.presses.len(), "{at}");
            let twins = section
                .rows
                .iter()
                .filter(|twin| !row.name.is_empty() && twin.name == row.name);
            for twin in twins {
                assert_eq!(twin.presses, row.presses, "{at}");
            }
            let beside = section.rows.iter().any(|other| other.name == row.beside);
            assert!(row.beside.is_empty() || beside, "{at}");
        }
    }
}

#[test]
fn capitals_and_other_alphabets_are_typed() {
    let keymap = Keymap::default();
    for typed in ['Ä', 'ß', 'я', '語'] {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let key = KeyEvent::new(KeyCode::Char(typed), modifiers);
            let does = keymap.decode(Context::Answering, key);
            assert_eq!(does, Some(Action::Edit(Edit::Insert(typed))));
        }
    }
    let at = KeyModifiers::CONTROL | KeyModifiers::ALT;
    let key = KeyEvent::new(KeyCode::Char('@'), at);
    assert_eq!(
        keymap.decode(Context::Other, key),
        Some(Action::Edit(Edit::Insert('@')))
    );
}

#[test]
fn every_row_has_its_messages() {
    let words = Words::for_language(Language::English);
    for row in SECTIONS.iter().flat_map(|section| section.rows) {
        for id in [row.words, row.short] {
            assert!(id.is_empty() || words.say(id) != id, "{id} is no message");
        }
    }
}

#[test]
fn spelled_keys_can_be_parsed() {
    for row in SECTIONS.iter().flat_map(|section| section.rows) {
        for &press in row.presses {
            if !press.is_loose() && !press.stays() {
                assert_eq!(KeyPress::parse(&press.spelled()), Ok(press));
            }
        }
    }
}

/// The `[keys]` of a person who changes several actions, to keys of which some are refused.
fn any_changes() -> impl Strategy<Value = toml::Table> {
    let places = keys::places();
    let paths: Vec<_> = places
        .iter()
        .map(|place| (place.section, place.name))
        .collect();
    let key = prop_oneof![
        6 => prop::sample::select(('!'..='~').collect::<Vec<_>>()).prop_map(|key| key.to_string()),
        2 => prop::sample::select(('a'..='z').collect::<Vec<_>>()).prop_map(|key| format!("Ctrl+{key}")),
        2 => prop::sample::select(('!'..='~').collect::<Vec<_>>()).prop_map(|key| format!("Alt+{key}")),
        2 => prop::sample::select(vec!["Enter", "Esc", "Tab", "Shift+Tab", "Space", "F5", "Alt+Enter", "PgUp", "none"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let value = prop_oneof![
        3 => key.clone().prop_map(toml::Value::String),
        1 => prop::collection::vec(key.prop_map(toml::Value::String), 0..4).prop_map(toml::Value::Array),
        1 => Just(toml::Value::Integer(7)),
    ];
    prop::collection::btree_map(prop::sample::select(paths), value, 0..12).prop_map(|lines| {
        let mut tables = toml::Table::new();
        for ((section, name), value) in lines {
            let table = tables
                .entry(section)
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            if let Some(table) = table.as_table_mut() {
                table.insert(name.to_owned(), value);
            }
        }
        tables
    })
}

proptest! {
    #[test]
    fn footer_help_and_keys_agree_whatever_is_changed(tables in any_changes(), jump in any::<bool>()) {
        let typing = if jump { Typing::Jump } else { Typing::Keys };
        let (changes, problems) = keys::read(&tables, typing);
        let keymap = Keymap::from_changes(&changes, typing);
        prop_assert_eq!(agrees(&keymap), Ok(()));
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        for context in contexts() {
            prop_assert!(keymap.decode(context, interrupt).is_some(), "{:?}", context);
        }
        for problem in problems {
            prop_assert!(problem.what.starts_with("keys.") && !problem.hint.is_empty());
        }
    }
}
