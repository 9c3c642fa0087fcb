//! The changes that a file needs, in any format. They are determined from its values, before its
//! text is edited.

use ask_core::Json;

use super::entry::{DesiredEntry, table_at};
use super::plan::{HOOKS, Piece, Setting, index_in_shared_group};
use super::text::Problem;

/// One step on the path to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The field of an object.
    Key(String),
    /// The index in a list.
    Index(usize),
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Sets a field. Missing objects on the path are created.
    Set(Vec<String>, Json),
    /// Appends a value to a list, which is created if it is missing.
    Push(Vec<String>, Json),
    /// Sets a value within a list's item: the list's keys, the index, the keys within the item.
    Amend(Vec<String>, usize, Vec<String>, Json),
    /// Removes a value.
    Remove(Vec<Step>),
}

impl Change {
    /// The changed path, for people.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Set(at, _) => at.join("."),
            Self::Push(at, _) => format!("{}[]", at.join(".")),
            Self::Amend(at, _, inner, _) => format!("{}[].{}", at.join("."), inner.join(".")),
            Self::Remove(steps) => {
                let steps = steps.iter().map(|step| match step {
                    Step::Key(key) => key.clone(),
                    Step::Index(index) => index.to_string(),
                });
                steps.collect::<Vec<_>>().join(".")
            }
        }
    }

    /// Applies the change to a file's values.
    pub(crate) fn apply(&self, tree: &mut Json) {
        match self {
            Self::Set(at, value) => set(tree, at, value),
            Self::Push(at, value) => {
                let list = made(tree, at, Json::Array(Vec::new()));
                if let Json::Array(items) = list {
                    items.push(value.clone());
                }
            }
            Self::Amend(at, index, inner, value) => {
                let list = made(tree, at, Json::Array(Vec::new()));
                if let Some(item) = list.get_mut(*index) {
                    set(item, inner, value);
                }
            }
            Self::Remove(steps) => remove(tree, steps),
        }
    }
}

/// The changes by which a file gets all pieces.
///
/// # Errors
/// A value in the file is in the way.
pub(crate) fn missing(tree: &Json, pieces: &[Piece]) -> Result<Vec<Change>, Problem> {
    if !tree.is_object() {
        return Err(Problem::plain("its content is no object with fields"));
    }
    let mut changes = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Entry(wanted) => missing_entry(tree, wanted, &mut changes)?,
            Piece::Setting(setting) => missing_setting(tree, setting, &mut changes)?,
        }
    }
    Ok(changes)
}

fn missing_entry(
    tree: &Json,
    wanted: &DesiredEntry,
    changes: &mut Vec<Change>,
) -> Result<(), Problem> {
    check(tree, &wanted.at, wanted.list)?;
    let Some((key, before)) = wanted.ours(tree).into_iter().next() else {
        let Some(name) = wanted.new_name(tree) else {
            return Err(Problem::plain(format!(
                "other servers in `{}` have the names that ours could have; rename one of them",
                wanted.at.join(".")
            )));
        };
        let value = wanted.value(name, None);
        changes.push(match wanted.list {
            true => Change::Push(wanted.at.clone(), value),
            false => {
                let mut at = wanted.at.clone();
                at.push(name.to_owned());
                Change::Set(at, value)
            }
        });
        return Ok(());
    };
    let value = wanted.value(wanted.name_of(&key, before), Some(before));
    let mut inner = Vec::new();
    // An entry of another shape is replaced as a whole.
    let shaped = before.get("command").or(before.get("cmd")).is_some();
    if shaped {
        differing(before, &value, &mut Vec::new(), &mut inner);
    } else {
        inner.push((Vec::new(), value));
    }
    for (path, value) in inner {
        changes.push(if wanted.list {
            let index = key.parse().unwrap_or_default();
            Change::Amend(wanted.at.clone(), index, path, value)
        } else {
            let at = wanted.at.iter().chain([&key]).chain(&path);
            Change::Set(at.cloned().collect(), value)
        });
    }
    if let Some(home) = wanted.stray_home(before).filter(|_| shaped) {
        let index = key.parse().ok().filter(|_| wanted.list);
        let last = index.map_or(Step::Key(key), Step::Index);
        let start = steps(&wanted.at).chain([last]);
        changes.push(Change::Remove(start.chain(steps(&home)).collect()));
    }
    Ok(())
}

/// Collects the fields of `wanted` that differ, each with its path. Fields that only `before` has
/// are kept.
pub(crate) fn differing(
    before: &Json,
    wanted: &Json,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Json)>,
) {
    match (before, wanted) {
        (Json::Object(before), Json::Object(wanted)) => {
            for (key, value) in wanted {
                path.push(key.clone());
                match before.get(key) {
                    Some(before) => differing(before, value, path, found),
                    None => found.push((path.clone(), value.clone())),
                }
                path.pop();
            }
        }
        (before, wanted) if before == wanted => {}
        _ => found.push((path.clone(), wanted.clone())),
    }
}

fn missing_setting(
    tree: &Json,
    setting: &Setting,
    changes: &mut Vec<Change>,
) -> Result<(), Problem> {
    let there = table_at(tree, &setting.at);
    if setting.list {
        check(tree, &setting.at, true)?;
        let items = there.and_then(Json::as_array).into_iter().flatten();
        let ours = items.enumerate().find(|(_, item)| setting.is_ours(item));
        match ours {
            None => changes.push(Change::Push(setting.at.clone(), setting.value.clone())),
            Some((_, item)) if *item == setting.value => {}
            Some((index, item)) => {
                let value = setting.merged_into(item);
                if value != *item {
                    let at = setting.at.clone();
                    changes.push(Change::Amend(at, index, Vec::new(), value));
                }
            }
        }
        return Ok(());
    }
    check(tree, &setting.at[..setting.at.len() - 1], false)?;
    if there.is_none() {
        changes.push(Change::Set(setting.at.clone(), setting.value.clone()));
    }
    Ok(())
}

/// Checks that a value can be placed under these keys.
///
/// # Errors
/// Another kind of value is on the path.
pub(crate) fn check(tree: &Json, at: &[String], list: bool) -> Result<(), Problem> {
    for depth in 1..=at.len() {
        let last = list && depth == at.len();
        let fits = match table_at(tree, &at[..depth]) {
            None | Some(Json::Null) => return Ok(()),
            Some(value) if last => value.is_array(),
            Some(value) => value.is_object(),
        };
        if !fits {
            let kind = if last { "a list" } else { "an object" };
            let name = at[..depth].join(".");
            return Err(Problem::plain(format!("`{name}` is not {kind}")));
        }
    }
    Ok(())
}

/// Whether a registration has written to a file. A plain setting that equals ours may be the
/// person's own, so it only counts if a registration is `known`.
pub(crate) fn is_written(tree: &Json, pieces: &[Piece], known: bool) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Entry(wanted) => {
            let ours = wanted.ours(tree);
            ours.iter()
                .any(|(key, entry)| wanted.is_registered(key, entry))
        }
        Piece::Setting(setting) => match table_at(tree, &setting.at) {
            Some(Json::Array(items)) if setting.list => items
                .iter()
                .any(|item| setting.is_ours(item) && (known || setting.value.is_object())),
            there => known && there == Some(&setting.value),
        },
    })
}

/// The changes that remove everything of ours. Objects that this leaves empty are removed too,
/// unless they existed before the registration. An entry that the person had written is restored.
pub(crate) fn ours(tree: &Json, before: Option<&Json>, pieces: &[Piece]) -> Vec<Change> {
    taken_out(tree, before, pieces, true)
}

/// Like [`ours`]; with `sweeps`, empty objects are removed.
pub(crate) fn taken_out(
    tree: &Json,
    before: Option<&Json>,
    pieces: &[Piece],
    sweeps: bool,
) -> Vec<Change> {
    let mut tree = tree.clone();
    let mut changes = Vec::new();
    while let Some(change) = next(&tree, before, pieces, sweeps) {
        change.apply(&mut tree);
        changes.push(change);
    }
    changes
}

fn next(tree: &Json, before: Option<&Json>, pieces: &[Piece], sweeps: bool) -> Option<Change> {
    let gone = |steps| Change::Remove(emptied(tree, before, steps, sweeps));
    pieces.iter().find_map(|piece| match piece {
        Piece::Entry(wanted) => next_entry(tree, before, wanted, sweeps),
        Piece::Setting(setting) => {
            let there = table_at(tree, &setting.at)?;
            let had = before.and_then(|before| table_at(before, &setting.at));
            if setting.list {
                let had = had.and_then(Json::as_array);
                let had = |item| had.is_some_and(|had| had.contains(item));
                let mut items = there.as_array()?.iter().enumerate();
                // A hook that starts our program is removed whoever wrote it: it would fail without
                // the program.
                let (index, item) = items.find(|(_, item)| {
                    setting.is_ours(item) && (setting.value.is_object() || !had(item))
                })?;
                let steps = steps(&setting.at).chain([Step::Index(index)]);
                // The person may have added commands of their own to the group.
                let within = index_in_shared_group(item)
                    .map(|index| [Step::Key(HOOKS.to_owned()), Step::Index(index)]);
                return Some(gone(steps.chain(within.into_iter().flatten()).collect()));
            }
            let ours = *there == setting.value && had != Some(there);
            ours.then(|| gone(steps(&setting.at).collect()))
        }
    })
}

fn next_entry(
    tree: &Json,
    before: Option<&Json>,
    wanted: &DesiredEntry,
    sweeps: bool,
) -> Option<Change> {
    let theirs = before.map_or_else(Vec::new, |before| wanted.theirs(before));
    wanted.ours(tree).into_iter().find_map(|(key, entry)| {
        let name = wanted.name_of(&key, entry);
        let mut theirs = theirs.iter();
        let their = theirs.find(|(key, their)| wanted.name_of(key, their) == name);
        let index = key.parse().ok().filter(|_| wanted.list);
        match (their, index) {
            (Some((_, their)), _) if *their == entry => None,
            (Some((_, their)), Some(index)) => {
                let their = (*their).clone();
                Some(Change::Amend(wanted.at.clone(), index, Vec::new(), their))
            }
            (Some((_, their)), None) => {
                let at = wanted.at.iter().cloned().chain([key]);
                Some(Change::Set(at.collect(), (*their).clone()))
            }
            (None, index) => {
                let last = index.map_or(Step::Key(key), Step::Index);
                let steps = steps(&wanted.at).chain([last]).collect();
                Some(Change::Remove(emptied(tree, before, steps, sweeps)))
            }
        }
    })
}

fn steps(at: &[String]) -> impl Iterator<Item = Step> {
    at.iter().map(|key| Step::Key(key.clone()))
}

/// The path to the outermost object that the removal would leave empty.
fn emptied(tree: &Json, before: Option<&Json>, mut steps: Vec<Step>, sweeps: bool) -> Vec<Step> {
    while sweeps && steps.len() > 1 {
        let outer = &steps[..steps.len() - 1];
        let alone = match value_at(tree, outer) {
            Some(Json::Object(fields)) => fields.len() == 1,
            Some(Json::Array(items)) => items.len() == 1,
            _ => false,
        };
        if !alone || before.is_some_and(|before| value_at(before, outer).is_some()) {
            break;
        }
        steps.pop();
    }
    steps
}

fn value_at<'a>(tree: &'a Json, steps: &[Step]) -> Option<&'a Json> {
    steps.iter().try_fold(tree, |tree, step| match step {
        Step::Key(key) => tree.get(key),
        Step::Index(index) => tree.get(index),
    })
}

fn set(tree: &mut Json, at: &[String], value: &Json) {
    *made(tree, at, Json::Null) = value.clone();
}

/// The value under these keys, created if it is missing.
fn made<'a>(tree: &'a mut Json, at: &[String], otherwise: Json) -> &'a mut Json {
    let Some((key, rest)) = at.split_first() else {
        return tree;
    };
    if !tree.is_object() {
        *tree = Json::Object(Default::default());
    }
    let empty = if rest.is_empty() {
        otherwise.clone()
    } else {
        Json::Object(Default::default())
    };
    match tree {
        Json::Object(fields) => made(fields.entry(key.clone()).or_insert(empty), rest, otherwise),
        other => other,
    }
}

fn remove(tree: &mut Json, steps: &[Step]) {
    let Some((last, outer)) = steps.split_last() else {
        return;
    };
    let mut inner = Some(tree);
    for step in outer {
        inner = inner.and_then(|tree| match step {
            Step::Key(key) => tree.get_mut(key),
            Step::Index(index) => tree.get_mut(index),
        });
    }
    match (inner, last) {
        (Some(Json::Object(fields)), Step::Key(key)) => {
            fields.shift_remove(key);
        }
        (Some(Json::Array(items)), Step::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        _ => {}
    }
}
