//! YAML, edited line by line, because no proven editor keeps its layout. A parser gives the
//! positions. Only a block field below another one is added, replaced or removed, which is all that
//! our entry needs. Any other layout is refused.

use ask_core::Json;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::super::change::{Change, Step};
use super::{Problem, unsafe_here};

/// The values. Plain scalars are resolved by YAML 1.2's core schema (section 10.3).
pub(super) fn read(text: &str) -> Result<Json, Problem> {
    let mut reader = Reader {
        events: events(text)?,
        next: 0,
    };
    let tree = reader.value();
    Ok(if tree.is_null() {
        Json::Object(Default::default())
    } else {
        tree
    })
}

/// The text with these changes.
pub(super) fn edit(text: &str, changes: &[Change]) -> Result<String, Problem> {
    // YAML also ends a line at a lone CR (section 5.4), so the parser's line numbers would not
    // match those of the edit.
    if text.contains('\r') {
        return Err(unsafe_here());
    }
    let mut text = text.to_owned();
    for change in changes {
        if let Change::Set(at, _) = change
            && let Some(outer) = at.first()
            && is_aliased(&text, outer)?
        {
            return Err(Problem::plain(format!(
                "an alias elsewhere in it repeats `{outer}`, so that place would change, too: write the value out there"
            )));
        }
        text = match change {
            Change::Set(at, value) => match at.as_slice() {
                [outer, key] => put(&text, outer, key, value)?,
                [outer, key, rest @ ..] => {
                    // A value below the entry: the whole entry is written again.
                    let tree = read(&text)?;
                    let mut entry = tree[outer][key].clone();
                    Change::Set(rest.to_vec(), value.clone()).apply(&mut entry);
                    put(&text, outer, key, &entry)?
                }
                _ => return Err(unsafe_here()),
            },
            Change::Remove(steps) => match steps.as_slice() {
                [Step::Key(outer)] => without(&text, outer, None)?,
                [Step::Key(outer), Step::Key(key)] => without(&text, outer, Some(key))?,
                [Step::Key(outer), Step::Key(key), rest @ ..] => {
                    let tree = read(&text)?;
                    let mut entry = tree[outer][key].clone();
                    Change::Remove(rest.to_vec()).apply(&mut entry);
                    put(&text, outer, key, &entry)?
                }
                _ => return Err(unsafe_here()),
            },
            Change::Push(..) | Change::Amend(..) => return Err(unsafe_here()),
        };
    }
    Ok(text)
}

/// Whether an alias repeats the value of a field of the document.
fn is_aliased(text: &str, of: &str) -> Result<bool, Problem> {
    let mut reader = Reader {
        events: events(text)?,
        next: 0,
    };
    reader.begins();
    while let Some((Event::Scalar(key, ..), _)) = reader.step() {
        if key == of {
            let anchor = match reader.step() {
                Some((Event::MappingStart(anchor, _) | Event::Scalar(_, _, anchor, _), _)) => {
                    anchor
                }
                _ => 0,
            };
            let is_alias = |(event, _): &Spanned| *event == Event::Alias(anchor);
            return Ok(anchor != 0 && reader.events.iter().any(is_alias));
        }
        reader.value();
    }
    Ok(false)
}

/// The position of a field: its first line, the line after its last, and its indentation.
struct Field {
    key: String,
    first: usize,
    end: usize,
    indent: usize,
}

fn put(text: &str, outer: &str, key: &str, value: &Json) -> Result<String, Problem> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut()
        && !last.ends_with('\n')
    {
        last.push('\n');
    }
    let tops = fields(text, None)?;
    let Some(top) = tops.iter().find(|top| top.key == outer) else {
        lines.push(format!("{outer}:\n"));
        lines.push(block(key, value, 2));
        return Ok(lines.concat());
    };
    let inner = fields(text, Some(outer))?;
    if let Some(field) = inner.iter().find(|field| field.key == key) {
        lines.splice(field.first..field.end, [block(key, value, field.indent)]);
        return Ok(lines.concat());
    }
    match inner.last() {
        Some(last) => lines.insert(last.end, block(key, value, last.indent)),
        None => {
            // `extensions: {}` is an empty mapping, so the braces have to go.
            let (line, comment) = split_comment(&lines[top.first]);
            let bare = line
                .strip_suffix("{}")
                .or(line.strip_suffix("null"))
                .or(line.strip_suffix('~'))
                .unwrap_or(line);
            lines[top.first] = format!("{}{comment}\n", bare.trim_end());
            lines.insert(top.first + 1, block(key, value, top.indent + 2));
        }
    }
    Ok(lines.concat())
}

fn without(text: &str, outer: &str, key: Option<&str>) -> Result<String, Problem> {
    let found = match key {
        None => fields(text, None)?.into_iter().find(|top| top.key == outer),
        Some(key) => fields(text, Some(outer))?
            .into_iter()
            .find(|field| field.key == key),
    };
    let field = found.ok_or_else(unsafe_here)?;
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let alone = key.is_some() && fields(text, Some(outer))?.len() == 1;
    lines.drain(field.first..field.end);
    if alone {
        let top = fields(text, None)?.into_iter().find(|top| top.key == outer);
        let top = top.ok_or_else(unsafe_here)?;
        let (line, comment) = split_comment(&lines[top.first]);
        lines[top.first] = format!("{line} {{}}{comment}\n");
    }
    Ok(lines.concat())
}

/// A line of one of our keys without its end, and its comment with the spaces before it.
fn split_comment(line: &str) -> (&str, &str) {
    let line = line.trim_end();
    let mark = line.find(" #").or_else(|| line.find("\t#"));
    let start = line[..mark.unwrap_or(line.len())].trim_end();
    (start, &line[start.len()..])
}

/// The fields of the document, or of one of its fields.
fn fields(text: &str, of: Option<&str>) -> Result<Vec<Field>, Problem> {
    let mut reader = Reader {
        events: events(text)?,
        next: 0,
    };
    let mut found = Vec::new();
    if reader.begins().is_none() {
        return Ok(found);
    }
    loop {
        let (key, span) = match reader.step() {
            Some((Event::Scalar(key, ..), span)) => (key.to_string(), span),
            Some((Event::MappingEnd, _)) | None => break,
            Some(_) => return Err(unsafe_here()),
        };
        if of.is_some_and(|of| of == key) {
            return match reader.events.get(reader.next) {
                Some((Event::MappingStart(..), start)) if flows(text, start) => {
                    let empty = matches!(
                        reader.events.get(reader.next + 1),
                        Some((Event::MappingEnd, _))
                    );
                    if empty {
                        Ok(Vec::new())
                    } else {
                        Err(unsafe_here())
                    }
                }
                Some((Event::MappingStart(..), _)) => {
                    reader.next += 1;
                    let mut inner = Vec::new();
                    loop {
                        match reader.step() {
                            Some((Event::Scalar(key, ..), span)) => {
                                inner.push(field(text, key.to_string(), &span)?);
                                reader.value();
                            }
                            Some((Event::MappingEnd, _)) | None => return Ok(inner),
                            // A key that is a list, a mapping or a link.
                            Some(_) => return Err(unsafe_here()),
                        }
                    }
                }
                Some((Event::Scalar(word, ..), _)) if matches!(&**word, "" | "~" | "null") => {
                    Ok(Vec::new())
                }
                _ => Err(unsafe_here()),
            };
        }
        found.push(field(text, key, &span)?);
        reader.value();
    }
    if of.is_none() && found.iter().any(|field| field.indent > 0) {
        return Err(unsafe_here());
    }
    Ok(if of.is_some() { Vec::new() } else { found })
}

/// A field extends over all lines that are indented further than its key, without trailing blank
/// lines.
///
/// # Errors
/// Something is before the key, such as `?`.
fn field(text: &str, key: String, span: &Span) -> Result<Field, Problem> {
    let (first, indent) = (span.start.line() - 1, span.start.col());
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.get(first).map(|line| line.chars().take(indent));
    if start.is_none_or(|mut start| start.any(|letter| letter != ' ')) {
        return Err(unsafe_here());
    }
    let mut end = first + 1;
    for (index, line) in lines.iter().enumerate().skip(first + 1) {
        let depth = line.len() - line.trim_start().len();
        if line.trim().is_empty() {
            continue;
        }
        // The items of a list may have the same indentation as its key.
        if depth < indent || (depth == indent && !line.trim_start().starts_with("- ")) {
            break;
        }
        end = index + 1;
    }
    Ok(Field {
        key,
        first,
        end,
        indent,
    })
}

fn flows(text: &str, span: &Span) -> bool {
    text.chars().nth(span.start.index()) == Some('{')
}

/// A field as a block of lines.
fn block(key: &str, value: &Json, indent: usize) -> String {
    let mut text = String::new();
    write(
        &mut text,
        &format!("{}{}:", " ".repeat(indent), word(key)),
        value,
        indent,
    );
    text
}

fn write(text: &mut String, start: &str, value: &Json, indent: usize) {
    let inside = " ".repeat(indent + 2);
    match value {
        Json::Object(fields) if !fields.is_empty() => {
            text.push_str(&format!("{start}\n"));
            for (key, value) in fields {
                write(text, &format!("{inside}{}:", word(key)), value, indent + 2);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            text.push_str(&format!("{start}\n"));
            for item in items {
                text.push_str(&format!("{inside}- {item}\n"));
            }
        }
        // JSON on one line is valid YAML.
        value => text.push_str(&format!("{start} {value}\n")),
    }
}

/// A key, quoted if needed.
fn word(key: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    match key.chars().all(plain) && key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        true => key.to_owned(),
        false => Json::from(key).to_string(),
    }
}

type Spanned = (Event<'static>, Span);

struct Reader {
    events: Vec<Spanned>,
    next: usize,
}

impl Reader {
    fn step(&mut self) -> Option<Spanned> {
        let found = self.events.get(self.next).cloned();
        self.next += 1;
        found
    }

    /// Enters the document's mapping, if it is one.
    fn begins(&mut self) -> Option<()> {
        match self.step()? {
            (Event::MappingStart(..), _) => Some(()),
            _ => None,
        }
    }

    fn value(&mut self) -> Json {
        match self.step() {
            Some((Event::Scalar(text, style, ..), _)) => scalar(&text, style),
            Some((Event::SequenceStart(..), _)) => {
                let mut items = Vec::new();
                while !matches!(
                    self.events.get(self.next),
                    Some((Event::SequenceEnd, _)) | None
                ) {
                    items.push(self.value());
                }
                self.next += 1;
                Json::Array(items)
            }
            Some((Event::MappingStart(..), _)) => {
                let mut fields = Vec::new();
                while !matches!(
                    self.events.get(self.next),
                    Some((Event::MappingEnd, _)) | None
                ) {
                    let key = match self.value() {
                        Json::String(key) => key,
                        other => other.to_string(),
                    };
                    fields.push((key, self.value()));
                }
                self.next += 1;
                fields.into_iter().collect()
            }
            Some((Event::Alias(anchor), _)) => Json::from(format!("*{anchor}")),
            _ => Json::Null,
        }
    }
}

/// The events of a text that holds a single document.
fn events(text: &str) -> Result<Vec<Spanned>, Problem> {
    let mut found = Vec::new();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error: ScanError| {
            let place = error.marker();
            Problem::at_position(error.info(), place.line(), place.col() + 1)
        })?;
        let owned = match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => continue,
            Event::DocumentStart(_) => {
                documents += 1;
                continue;
            }
            Event::Scalar(text, style, anchor, _) => {
                Event::Scalar(text.into_owned().into(), style, anchor, None)
            }
            Event::SequenceStart(anchor, _) => Event::SequenceStart(anchor, None),
            Event::MappingStart(anchor, _) => Event::MappingStart(anchor, None),
            Event::SequenceEnd => Event::SequenceEnd,
            Event::MappingEnd => Event::MappingEnd,
            Event::Alias(anchor) => Event::Alias(anchor),
        };
        found.push((owned, span));
    }
    if documents > 1 {
        return Err(Problem::plain("it holds several documents"));
    }
    Ok(found)
}

fn scalar(text: &str, style: ScalarStyle) -> Json {
    if style != ScalarStyle::Plain {
        return Json::from(text);
    }
    match text {
        "" | "~" | "null" => Json::Null,
        "true" => Json::from(true),
        "false" => Json::from(false),
        text => text
            .parse::<i64>()
            .map_or_else(|_| Json::from(text), Json::from),
    }
}
