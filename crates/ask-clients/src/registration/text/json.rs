//! JSON (RFC 8259), optionally with comments and trailing commas.

use ask_core::Json;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::{ParseOptions, parse_to_serde_value};

use super::super::change::{Change, Step};
use super::{Problem, unsafe_here};

/// The extensions that clients accept: comments and trailing commas, but nothing else of JSON5.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The values.
pub(super) fn read(text: &str) -> Result<Json, Problem> {
    parse_to_serde_value(text, &options()).map_err(|error| problem(&error))
}

/// The text with these changes.
pub(super) fn edit(text: &str, changes: &[Change]) -> Result<String, Problem> {
    // To some readers a lone CR ends a comment, and to others it doesn't.
    if text.replace("\r\n", "").contains('\r') {
        return Err(unsafe_here());
    }
    let empty = text.trim().is_empty();
    let root = CstRootNode::parse(if empty { "{\n}\n" } else { text }, &options());
    let root = root.map_err(|error| problem(&error))?;
    for change in changes {
        let done = root
            .object_value()
            .and_then(|object| carry_out(&object, change));
        if done.is_none() {
            return Err(unfit(change));
        }
    }
    Ok(root.to_string())
}

fn carry_out(root: &CstObject, change: &Change) -> Option<()> {
    match change {
        Change::Set(at, value) => set(root, at, value),
        Change::Push(at, value) => {
            let (key, outer) = at.split_last()?;
            let list = walk(root, outer)?.array_value_or_create(key)?;
            // A list of objects is more readable on several lines.
            if value.is_object() {
                list.ensure_multiline();
            }
            list.append(input(value));
            Some(())
        }
        Change::Amend(at, index, inner, value) => {
            let (key, outer) = at.split_last()?;
            let list = walk(root, outer)?.array_value(key)?;
            let item = list.elements().into_iter().nth(*index)?.as_object()?;
            match inner.is_empty() {
                true => item.replace_with(input(value)).map(|_| ()),
                false => set(&item, inner, value),
            }
        }
        Change::Remove(steps) => remove(root, steps),
    }
}

fn set(root: &CstObject, at: &[String], value: &Json) -> Option<()> {
    let (key, outer) = at.split_last()?;
    let object = walk(root, outer)?;
    match object.get(key) {
        Some(property) => property.set_value(input(value)),
        None => {
            object.append(key, input(value));
        }
    }
    Some(())
}

fn walk(root: &CstObject, at: &[String]) -> Option<CstObject> {
    at.iter().try_fold(root.clone(), |object, key| {
        object.object_value_or_create(key)
    })
}

fn remove(root: &CstObject, steps: &[Step]) -> Option<()> {
    let (last, outer) = steps.split_last()?;
    let start = CstNode::Container(root.clone().into());
    let inner = outer.iter().try_fold(start, |node, step| match step {
        Step::Key(key) => node.as_object()?.get(key)?.value(),
        Step::Index(index) => node.as_array()?.elements().into_iter().nth(*index),
    })?;
    match last {
        Step::Key(key) => inner.as_object()?.get(key)?.remove(),
        Step::Index(index) => inner
            .as_array()?
            .elements()
            .into_iter()
            .nth(*index)?
            .remove(),
    }
    Some(())
}

fn input(value: &Json) -> CstInputValue {
    match value {
        Json::Null => CstInputValue::Null,
        Json::Bool(flag) => CstInputValue::Bool(*flag),
        Json::Number(number) => CstInputValue::Number(number.to_string()),
        Json::String(text) => CstInputValue::String(text.clone()),
        Json::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Json::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), input(value)));
            CstInputValue::Object(fields.collect())
        }
    }
}

fn problem(error: &ParseError) -> Problem {
    let (line, column) = (error.line_display(), error.column_display());
    Problem::at_position(error.kind().to_string(), line, column)
}

fn unfit(change: &Change) -> Problem {
    Problem::plain(format!("there is no place for `{}` in it", change.name()))
}
