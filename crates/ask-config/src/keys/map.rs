//! The key table of one person: with the changes of `config.toml`, and without the commands on
//! letters where letters are typed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};

use super::{Action, Binding, Context, KeyPress, Only, SECTIONS, label};
use crate::config::Typing;
use crate::i18n::Words;

/// The person's changes: the keys of an action, by its section and name.
pub type Changes = BTreeMap<(&'static str, &'static str), Vec<KeyPress>>;

/// The rows that apply to one person.
#[derive(Clone, Debug)]
pub struct Keymap(Arc<KeymapRead>);

#[derive(Debug)]
struct KeymapRead {
    rows: Vec<Row>,
    exact: HashMap<(Context, KeyPress), Action>,
    loose: Vec<(Context, KeyPress, Action)>,
}

/// A row of the table with its keys for this person.
#[derive(Debug)]
pub struct Row {
    /// The section of the row.
    pub section: &'static str,
    /// The row of the table.
    pub binding: &'static Binding,
    /// Its keys for this person.
    pub presses: Vec<KeyPress>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::from_changes(&Changes::new(), Typing::Keys)
    }
}

impl Keymap {
    /// The table with a person's changes.
    pub fn from_changes(changes: &Changes, typing: Typing) -> Self {
        let mut rows = Vec::new();
        for section in SECTIONS {
            for binding in section.rows {
                if binding.only == Only::Jump && typing != Typing::Jump {
                    continue;
                }
                rows.push(Row {
                    section: section.name,
                    binding,
                    presses: presses(section.name, binding, changes, typing),
                });
            }
        }
        Self(Arc::new(KeymapRead::from_rows(rows)))
    }

    /// What a key does in a context, if anything.
    pub fn decode(&self, context: Context, key: KeyEvent) -> Option<Action> {
        let exact = KeyPress::from_event(key).and_then(|press| self.0.exact.get(&(context, press)));
        exact.copied().or_else(|| {
            let here = self.0.loose.iter().filter(|(at, ..)| *at == context);
            here.copied()
                .find_map(|(_, press, action)| press.loosely(action, key))
        })
    }

    /// The rows that apply in a context, in the order of the table.
    pub fn rows(&self, context: Context) -> impl Iterator<Item = &Row> {
        let rows = self.0.rows.iter();
        rows.filter(move |row| row.binding.contexts.contains(&context))
    }

    /// The row that is described together with this one in a context.
    pub fn mate(&self, context: Context, row: &Row) -> Option<&Row> {
        let beside = row.binding.beside;
        self.rows(context).find(|other| {
            other.section == row.section && !beside.is_empty() && other.binding.name == beside
        })
    }

    /// Whether some key has this action in a context.
    pub fn does(&self, context: Context, action: Action) -> bool {
        self.rows(context).any(|row| row.binding.action == action)
    }

    /// The labels of the keys that have this action in a context, in the person's language.
    pub fn names(&self, words: Words, context: Context, action: Action) -> Vec<String> {
        self.rows(context)
            .filter(|row| row.binding.action == action)
            .flat_map(|row| &row.presses)
            .map(|&press| label::name(words, press))
            .collect()
    }

    /// Two rows that share a key in some context, and that key. The first row is one that was
    /// changed.
    pub(crate) fn clash(&self, changes: &Changes) -> Option<(&Row, &Row, KeyPress)> {
        let rows = &self.0.rows;
        let changed = |row: &Row| changes.contains_key(&(row.section, row.binding.name));
        for (at, one) in rows.iter().enumerate() {
            for other in rows.iter().skip(at + 1) {
                let (here, there) = match (changed(other), changed(one)) {
                    (true, _) => (other, one),
                    (false, true) => (one, other),
                    (false, false) => continue,
                };
                let contexts = here.binding.contexts.iter();
                if contexts
                    .clone()
                    .any(|at| there.binding.contexts.contains(at))
                    && let Some(press) = shared(here, there)
                {
                    return Some((here, there, press));
                }
            }
        }
        None
    }
}

impl KeymapRead {
    fn from_rows(rows: Vec<Row>) -> Self {
        let mut exact = HashMap::new();
        let mut loose = Vec::new();
        for row in &rows {
            for &context in row.binding.contexts {
                for &press in &row.presses {
                    if press.is_loose() {
                        loose.push((context, press, row.binding.action));
                    } else {
                        // The first row that has a key wins.
                        exact.entry((context, press)).or_insert(row.binding.action);
                    }
                }
            }
        }
        Self { rows, exact, loose }
    }
}

fn presses(
    section: &'static str,
    row: &Binding,
    changes: &Changes,
    typing: Typing,
) -> Vec<KeyPress> {
    let mut presses = match changes.get(&(section, row.name)) {
        Some(changed) => changed.clone(),
        None => row.presses.to_vec(),
    };
    let staying = row.presses.iter().filter(|press| press.stays());
    for &press in staying {
        if !presses.contains(&press) {
            presses.push(press);
        }
    }
    if typing == Typing::Jump && row.contexts.iter().all(|context| context.is_card()) {
        presses = presses.into_iter().map(out_of_the_way).collect();
    }
    presses
}

/// Moves a command from a letter to Alt and the letter, where letters are typed. Brackets move to
/// Alt and an arrow: terminals begin other keys with Alt and a bracket.
fn out_of_the_way(press: KeyPress) -> KeyPress {
    match press {
        KeyPress::Key(KeyCode::Char('[')) => KeyPress::Alt(KeyCode::Left),
        KeyPress::Key(KeyCode::Char(']')) => KeyPress::Alt(KeyCode::Right),
        KeyPress::Key(KeyCode::Char(letter))
            if !letter.is_ascii_digit() && letter != ' ' && letter != '/' =>
        {
            KeyPress::Alt(KeyCode::Char(letter))
        }
        press => press,
    }
}

fn shared(one: &Row, other: &Row) -> Option<KeyPress> {
    let twice = |press: &&KeyPress| other.presses.iter().any(|other| press.overlaps(*other));
    one.presses.iter().find(twice).copied()
}
