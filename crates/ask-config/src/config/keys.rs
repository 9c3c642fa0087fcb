//! The `[keys]` tables of `config.toml`: the person's changes to the key table, and the problems in
//! them.

use super::Typing;
use super::problem::{Problem, written};
use crate::i18n::{Language, Words};
use crate::keys::{
    Action, Binding, Changes, Context, DIGITS, KeyError, KeyPress, Keymap, SECTIONS, Section,
};

/// The word that leaves an action without keys.
const NONE: &str = "none";
/// The hint that explains how keys are spelled.
const SPELLING: &str = "a key is a character, or Enter, Esc, Tab, Space, Backspace, Delete, Insert, Home, End, PgUp, PgDn, Up, Down, Left, Right or F1 to F12, with Ctrl+ or Alt+ before it; capitals are written as such";

/// An action whose keys can be changed. It has one name, and one or more rows.
pub struct Place {
    /// The section that it belongs to.
    pub section: &'static str,
    /// Its name in that section.
    pub name: &'static str,
    /// The first row of that name.
    row: &'static Binding,
    /// What its rows do, in English.
    pub does: String,
}

/// All actions whose keys can be changed, in the order of the table.
pub fn places() -> Vec<Place> {
    let words = Words::for_language(Language::English);
    let arguments = [("go", "on".into()), ("esc", "leave".into())];
    let mut places: Vec<Place> = Vec::new();
    for section in SECTIONS {
        for row in section.rows.iter().filter(|row| !row.name.is_empty()) {
            let message = if row.words.is_empty() {
                let pair = section.rows.iter().find(|other| other.beside == row.name);
                pair.map_or("", |row| row.words)
            } else {
                row.words
            };
            let does = words.format(message, &arguments);
            let known =
                |place: &&mut Place| place.section == section.name && place.name == row.name;
            match places.iter_mut().find(known) {
                Some(place) if !format!("; {}; ", place.does).contains(&format!("; {does}; ")) => {
                    place.does.push_str("; ");
                    place.does.push_str(&does);
                }
                Some(_) => {}
                None => places.push(Place {
                    section: section.name,
                    name: row.name,
                    row,
                    does,
                }),
            }
        }
    }
    places
}

impl Place {
    /// Its path in messages and pages, as in `keys.card.decline`.
    pub fn path(&self) -> String {
        format!("keys.{}.{}", self.section, self.name)
    }

    /// Its default keys, as the settings file spells them.
    pub fn default(&self) -> String {
        let own = self.row.presses.iter().filter(|press| !press.stays());
        let spelled: Vec<String> = own
            .map(|press| format!("\"{}\"", press.spelled()))
            .collect();
        match spelled.as_slice() {
            [one] => one.clone(),
            _ => format!("[{}]", spelled.join(", ")),
        }
    }

    fn wrong(&self, what: &str) -> Problem {
        self.wrong_because(what, "")
    }

    fn wrong_because(&self, what: &str, why: &str) -> Problem {
        let between = if why.is_empty() { "" } else { "; " };
        Problem {
            what: format!("{}: {what}", self.path()),
            hint: format!(
                "{why}{between}until that is mended, it is {}",
                self.default()
            ),
        }
    }

    /// Reads the keys from a value of the settings file.
    fn read(&self, value: &toml::Value) -> Result<Vec<KeyPress>, Problem> {
        let unreadable = || {
            let what = format!(
                "must be a key, a list of keys or \"none\", not {}",
                written(value)
            );
            self.wrong_because(&what, SPELLING)
        };
        let texts: Vec<&str> = match value {
            toml::Value::String(text) => vec![text],
            toml::Value::Array(list) => {
                let texts: Option<Vec<&str>> = list.iter().map(toml::Value::as_str).collect();
                texts.ok_or_else(unreadable)?
            }
            toml::Value::Integer(_)
            | toml::Value::Float(_)
            | toml::Value::Boolean(_)
            | toml::Value::Datetime(_)
            | toml::Value::Table(_) => return Err(unreadable()),
        };
        if matches!(texts.as_slice(), [NONE]) {
            return Ok(Vec::new());
        }
        texts.into_iter().map(|text| self.press(text)).collect()
    }

    fn press(&self, text: &str) -> Result<KeyPress, Problem> {
        let numbers = matches!(self.row.action, Action::Number(_));
        if text == DIGITS && numbers {
            let own = self.row.presses.first();
            return Ok(own.copied().unwrap_or(KeyPress::Digits(9)));
        }
        let press = KeyPress::parse(text).map_err(|error| self.key_problem(text, error))?;
        let typed = press.is_typed() && self.contexts().any(types);
        if numbers {
            let what = format!("must be \"{DIGITS}\" or \"none\", not \"{text}\"");
            return Err(self.wrong(&what));
        }
        if typed {
            let what = format!("\"{text}\" could no longer be typed");
            return Err(
                self.wrong_because(&what, "take a key that types nothing, as with Ctrl or Alt")
            );
        }
        Ok(press)
    }

    fn contexts(&self) -> impl Iterator<Item = Context> {
        let section = SECTIONS.iter().find(|section| section.name == self.section);
        let rows = section.map_or(&[][..], |section| section.rows).iter();
        rows.filter(|row| row.name == self.name)
            .flat_map(|row| row.contexts.iter().copied())
    }

    fn key_problem(&self, text: &str, error: KeyError) -> Problem {
        match error {
            KeyError::Unknown => self.wrong_because(&format!("\"{text}\" is no key"), SPELLING),
            KeyError::Disguise(key) => self.wrong_because(
                &format!("\"{text}\" is {key} in disguise"),
                "a terminal sends the same for both: take another key",
            ),
            KeyError::Prefix => self.wrong_because(
                &format!("\"{text}\" can't be told from other keys"),
                "a terminal begins the arrows with the same: take another key",
            ),
            KeyError::WayOut => self.wrong_because(
                &format!("\"{text}\" is the way out of everything and stays that"),
                "take another key",
            ),
        }
    }
}

/// Whether characters can be typed in a context.
fn types(context: Context) -> bool {
    let rows = SECTIONS.iter().flat_map(|section| section.rows);
    rows.filter(|row| row.contexts.contains(&context))
        .any(|row| matches!(row.action, Action::Edit(_)) && row.presses.contains(&KeyPress::Typed))
}

/// Reads the table `[keys]`: the changes that can be made, and a problem for each of the others.
pub fn read(tables: &toml::Table, typing: Typing) -> (Changes, Vec<Problem>) {
    let places = places();
    let mut changes = Changes::new();
    let mut problems = Vec::new();
    for (section, value) in tables {
        let known = SECTIONS.iter().any(|known| known.name == section);
        let Some(rows) = value.as_table().filter(|_| known) else {
            problems.push(unknown_section(section, known));
            continue;
        };
        for (name, value) in rows {
            let is_it = |place: &&Place| place.section == section && place.name == name;
            let Some(place) = places.iter().find(is_it) else {
                problems.push(unknown_action(section, name, &places));
                continue;
            };
            match place.read(value) {
                Ok(presses) if place.is_default(&presses) => {}
                Ok(presses) => {
                    changes.insert((place.section, place.name), presses);
                }
                Err(problem) => problems.push(problem),
            }
        }
    }
    problems.extend(clashes(&mut changes, typing, &places));
    (changes, problems)
}

impl Place {
    fn is_default(&self, presses: &[KeyPress]) -> bool {
        let own = self.row.presses.iter().filter(|press| !press.stays());
        own.eq(presses.iter())
    }
}

/// Removes the changes that would give a key two actions in one context, and returns a problem for
/// each.
fn clashes(changes: &mut Changes, typing: Typing, places: &[Place]) -> Vec<Problem> {
    let mut problems = Vec::new();
    loop {
        let keymap = Keymap::from_changes(changes, typing);
        let Some((here, there, press)) = keymap.clash(changes) else {
            return problems;
        };
        let is_it =
            |place: &&Place| place.section == here.section && place.name == here.binding.name;
        if let Some(place) = places.iter().find(is_it) {
            let key = press.spelled();
            let problem = match there.binding.name {
                "" => place.wrong_because(
                    &format!("\"{key}\" does something else there that can't be changed"),
                    "take another key",
                ),
                name => place.wrong_because(
                    &format!("\"{key}\" is also keys.{}.{name}", there.section),
                    "give one of them another key",
                ),
            };
            problems.push(problem);
        }
        changes.remove(&(here.section, here.binding.name));
    }
}

fn unknown_section(section: &str, known: bool) -> Problem {
    let all: Vec<String> = SECTIONS
        .iter()
        .map(|section| format!("[keys.{}]", section.name))
        .collect();
    let what = if known {
        "must be a table"
    } else {
        "is no place that has keys"
    };
    Problem {
        what: format!("keys.{section}: {what}"),
        hint: format!("keys are set below one of {}", all.join(", ")),
    }
}

fn unknown_action(section: &str, name: &str, places: &[Place]) -> Problem {
    let here = places.iter().filter(|place| place.section == section);
    let all: Vec<&str> = here.map(|place| place.name).collect();
    Problem {
        what: format!("keys.{section}.{name}: is nothing that keys do there"),
        hint: format!("what keys do there: {}", all.join(", ")),
    }
}

/// The part of the default settings file about keys.
pub fn defaults() -> String {
    let mut text = String::from(
        "\n# What keys do, screen by screen: one key, a list of them, or \"none\". The footer and the\n\
         # help page show what is set here. [keys.everywhere] holds on every screen; Ctrl+C stays\n\
         # the way out of everything. What can be said, with what it is by itself:\n",
    );
    let places = places();
    for Section { name: section, .. } in SECTIONS {
        let here: Vec<&Place> = places
            .iter()
            .filter(|place| place.section == *section)
            .collect();
        if here.is_empty() {
            continue;
        }
        text.push_str(&format!("\n[keys.{section}]\n"));
        for place in here {
            text.push_str(&format!("# {} = {}\n", place.name, place.default()));
        }
    }
    text
}

#[cfg(test)]
mod tests;
