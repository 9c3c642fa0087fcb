//! TOML (version 1.0), edited with `toml_edit`, which keeps comments and layout.

use ask_core::Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::super::change::{Change, Step};
use super::Problem;

/// The values.
pub(super) fn read(text: &str) -> Result<Json, Problem> {
    Ok(tree(parse(text)?.as_item()))
}

/// The text with these changes.
pub(super) fn edit(text: &str, changes: &[Change]) -> Result<String, Problem> {
    let mut document = parse(text)?;
    for change in changes {
        let before = tables(&document);
        carry_out(document.as_item_mut(), change).ok_or_else(|| {
            Problem::plain(format!("there is no place for `{}` in it", change.name()))
        })?;
        // Only a parsed document has positions.
        document = parse(&document.to_string())?;
        keep_comments(&mut document, &before);
    }
    Ok(document.to_string())
}

/// The header of a table: its name, its position, and the lines above it.
struct Header {
    name: String,
    place: isize,
    above: String,
}

/// The headers of a document, in order.
fn tables(document: &DocumentMut) -> Vec<Header> {
    let mut found = Vec::new();
    gather("", document.as_item(), &mut found);
    found.sort_by_key(|header| header.place);
    found
}

fn gather(name: &str, item: &Item, found: &mut Vec<Header>) {
    let tables: Vec<&Table> = match item {
        Item::Table(table) => vec![table],
        Item::ArrayOfTables(tables) => tables.iter().collect(),
        Item::None | Item::Value(_) => return,
    };
    for table in tables {
        let above = table.decor().prefix().and_then(|above| above.as_str());
        let is_header = !name.is_empty() && !table.is_implicit() && !table.is_dotted();
        found.extend(table.position().filter(|_| is_header).map(|place| Header {
            name: name.to_owned(),
            place,
            above: above.unwrap_or_default().to_owned(),
        }));
        for (key, item) in table.iter() {
            gather(&format!("{name}.{key:?}"), item, found);
        }
    }
}

/// Keeps comments in place: one at the end of the text stays above a table that is added there, and
/// one above a removed table stays.
fn keep_comments(document: &mut DocumentMut, before: &[Header]) {
    let after = tables(document);
    let same = before.iter().zip(&after);
    let same = same.take_while(|(old, new)| old.name == new.name).count();
    let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
    match after.get(same) {
        Some(new) if same == before.len() && trailing.contains('#') => {
            let end = if trailing.ends_with('\n') { "" } else { "\n" };
            let lines = format!("{trailing}{end}{}", new.above);
            insert_above(document, new.place, &lines);
            document.set_trailing("");
        }
        next if after.len() < before.len() => {
            let comment = before[same].above.trim_end();
            if comment.contains('#') {
                match next {
                    Some(next) => {
                        insert_above(document, next.place, &format!("{comment}\n{}", next.above));
                    }
                    None => document.set_trailing(format!("{comment}\n{trailing}")),
                }
            }
        }
        _ => {}
    }
}

/// Sets the lines above the table at this position.
fn insert_above(document: &mut DocumentMut, place: isize, lines: &str) {
    fn walk(item: &mut Item, place: isize, lines: &str) {
        let tables: Vec<&mut Table> = match item {
            Item::Table(table) => vec![table],
            Item::ArrayOfTables(tables) => tables.iter_mut().collect(),
            Item::None | Item::Value(_) => return,
        };
        for table in tables {
            if table.position() == Some(place) && !table.is_implicit() {
                table.decor_mut().set_prefix(lines);
            }
            for (_, item) in table.iter_mut() {
                walk(item, place, lines);
            }
        }
    }
    walk(document.as_item_mut(), place, lines);
}

fn parse(text: &str) -> Result<DocumentMut, Problem> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let start = error.span().map_or(0, |span| span.start);
        let (line, column) = super::position(text, start);
        Problem::at_position(error.message().trim().replace('\n', ", "), line, column)
    })
}

fn carry_out(root: &mut Item, change: &Change) -> Option<()> {
    match change {
        Change::Set(at, value) => set(root, at, value),
        Change::Push(at, value) => {
            let (key, outer) = at.split_last()?;
            let table = walk(root, outer)?.as_table_like_mut()?;
            if !table.contains_key(key) {
                let empty = match value.is_object() {
                    true => Item::ArrayOfTables(ArrayOfTables::new()),
                    false => Item::Value(Value::Array(Array::new())),
                };
                table.insert(key, empty);
            }
            match table.get_mut(key)? {
                Item::ArrayOfTables(tables) => tables.push(table_of(value)?),
                item => item.as_array_mut()?.push(inline(value)?),
            }
            Some(())
        }
        Change::Amend(at, index, inner, value) => {
            let item = walk(root, at)?.get_mut(*index)?;
            if inner.is_empty() {
                *item = Item::Table(table_of(value)?);
                return Some(());
            }
            set(item, inner, value)
        }
        Change::Remove(steps) => {
            let (last, outer) = steps.split_last()?;
            let inner = outer.iter().try_fold(root, |item, step| match step {
                Step::Key(key) => item.as_table_like_mut()?.get_mut(key),
                Step::Index(index) => item.get_mut(*index),
            })?;
            match (inner, last) {
                (Item::ArrayOfTables(tables), Step::Index(index)) => {
                    tables.remove(*index);
                }
                (item, Step::Index(index)) => {
                    item.as_array_mut()?.remove(*index);
                }
                (item, Step::Key(key)) => {
                    item.as_table_like_mut()?.remove(key);
                }
            }
            Some(())
        }
    }
}

fn set(root: &mut Item, at: &[String], value: &Json) -> Option<()> {
    let (key, outer) = at.split_last()?;
    let outer = walk(root, outer)?;
    let stands_alone = outer.is_table();
    let table = outer.as_table_like_mut()?;
    let item = match value.is_object() && stands_alone {
        true => Item::Table(table_of(value)?),
        false => Item::Value(inline(value)?),
    };
    put(table, key, item);
    Some(())
}

/// Sets a key. A replaced value keeps the white space and comments around it.
fn put(table: &mut dyn TableLike, key: &str, item: Item) {
    match (table.get_mut(key), item) {
        (Some(Item::Value(before)), Item::Value(mut value)) => {
            *value.decor_mut() = before.decor().clone();
            *before = value;
        }
        (_, item) => {
            table.insert(key, item);
        }
    }
}

/// The item under these keys. Missing tables are created without headers.
fn walk<'a>(root: &'a mut Item, at: &[String]) -> Option<&'a mut Item> {
    at.iter().try_fold(root, |item, key| {
        let alone = item.is_table();
        let table = item.as_table_like_mut()?;
        if !table.contains_key(key) {
            let mut made = Table::new();
            made.set_implicit(true);
            let made = match alone {
                true => Item::Table(made),
                false => Item::Value(Value::InlineTable(InlineTable::new())),
            };
            table.insert(key, made);
        }
        table.get_mut(key)
    })
}

fn table_of(value: &Json) -> Option<Table> {
    let mut table = Table::new();
    for (key, value) in value.as_object()? {
        let item = match value {
            Json::Object(_) => Item::Table(table_of(value)?),
            value => Item::Value(inline(value)?),
        };
        table.insert(key, item);
    }
    Some(table)
}

fn inline(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::from(number),
            None => Value::from(number.as_f64()?),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            let items: Option<Vec<Value>> = items.iter().map(inline).collect();
            Value::Array(items?.into_iter().collect())
        }
        Json::Object(fields) => {
            let mut table = InlineTable::new();
            for (key, value) in fields {
                table.insert(key, inline(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

fn tree(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_tree(value),
        Item::Table(table) => fields(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| fields(table)).collect(),
    }
}

fn fields(table: &dyn TableLike) -> Json {
    let fields = table.iter();
    fields
        .map(|(key, item)| (key.to_owned(), tree(item)))
        .collect()
}

fn value_tree(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::from(text.value().as_str()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(*number.value()),
        Value::Boolean(flag) => Json::from(*flag.value()),
        Value::Datetime(moment) => Json::from(moment.value().to_string()),
        Value::Array(items) => items.iter().map(value_tree).collect(),
        Value::InlineTable(table) => fields(table),
    }
}
