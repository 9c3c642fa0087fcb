//! Parses foreign JSON and keeps the path at hand: each problem is reported with its place, and
//! several problems are reported at once.

mod field;

use std::borrow::Cow;

use serde_json::Map;

use crate::{Json, Problem, Refusal, SafeText};

pub use field::field;

/// The largest call that is parsed, in bytes of JSON.
pub const MAX_CALL_BYTES: usize = 262_144;

/// How many problems one refusal names before it only counts them.
const MAX_PROBLEMS: usize = 20;

/// From this limit in bytes on, a cut text has space for a note that it was cut.
const LONG: usize = 10_000;

/// How many characters of a foreign name a path or a message repeats.
const MAX_NAME: usize = 80;

/// Parses JSON text. Lone surrogates are replaced, and a text that is too large is refused.
pub fn parse(text: &str) -> Result<Json, Problem> {
    if text.len() > MAX_CALL_BYTES {
        return Err(too_large(text.len()));
    }
    read(text)
}

/// Like [`parse`], of any size: the caller has checked it before.
pub fn read(text: &str) -> Result<Json, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&mend_surrogates(text)).map_err(|error| malformed(&error))
}

/// Replaces each escape of half a surrogate pair with `\ufffd`. Models cut emoji in two, and one
/// half makes the whole call unreadable.
pub fn mend_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    let mut inside = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                inside = !inside;
                at += 1;
            }
            b'\\' if inside => {
                let (step, lone) = escape(&bytes[at..]);
                if lone {
                    mended.push_str(&text[copied..at]);
                    mended.push_str("\\ufffd");
                    copied = at + step;
                }
                at += step;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

/// How many levels of arrays and objects an agent's own data may have. It is sent within records and
/// replies, of which readers such as ours read 127 levels.
pub const MAX_LEVELS: usize = 64;

/// Whether a value has more than [`MAX_LEVELS`] levels of arrays and objects.
pub fn is_too_deep(value: &Json) -> bool {
    let mut left = vec![(value, 1)];
    while let Some((value, level)) = left.pop() {
        if level > MAX_LEVELS && (value.is_array() || value.is_object()) {
            return true;
        }
        match value {
            Json::Array(items) => left.extend(items.iter().map(|item| (item, level + 1))),
            Json::Object(fields) => left.extend(fields.values().map(|field| (field, level + 1))),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
    false
}

/// Refuses a value that would be larger than [`MAX_CALL_BYTES`] as text.
pub fn check_size(value: &Json) -> Result<(), Problem> {
    let mut size = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        size += 1;
        match value {
            Json::Null | Json::Bool(_) | Json::Number(_) => size += 3,
            Json::String(text) => size += text.len() + 2,
            Json::Array(items) => left.extend(items),
            Json::Object(fields) => {
                for (key, value) in fields {
                    size += key.len() + 3;
                    left.push(value);
                }
            }
        }
        if size > MAX_CALL_BYTES {
            return Err(Problem::new(
                "",
                format!(
                    "the call is larger than {MAX_CALL_BYTES} bytes: shorten the texts or ask in several calls"
                ),
            ));
        }
    }
    Ok(())
}

/// Collects the problems of a call.
#[derive(Debug, Default)]
pub struct ProblemCollector {
    problems: Vec<Problem>,
    unnamed: usize,
}

impl ProblemCollector {
    /// Adds a problem at a path.
    pub fn refuse(&mut self, path: impl Into<String>, problem: impl Into<String>) {
        self.note(Problem::new(path, problem));
    }

    /// Adds a problem that exists already.
    pub fn note(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.unnamed += 1;
        }
    }

    /// All problems, with the number of those that it left out.
    pub fn problems(mut self) -> Vec<Problem> {
        if self.unnamed > 0 {
            let more = format!("and {} more problems of the same call", self.unnamed);
            self.problems.push(Problem::new("", more));
        }
        self.problems
    }

    /// The value if there is no problem, otherwise a refusal.
    pub fn verdict<T>(self, value: T) -> Result<T, Refusal> {
        if self.problems.is_empty() {
            return Ok(value);
        }
        Err(Refusal {
            problems: self.problems(),
        })
    }
}

/// An object of a call, with its path.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// Its path; empty for the call itself.
    pub path: String,
    /// Its properties by name.
    pub fields: &'a Map<String, Json>,
}

impl<'a> Object<'a> {
    /// Takes a value if it is an object.
    pub fn from_json(value: &'a Json, path: impl Into<String>) -> Option<Self> {
        value.as_object().map(|fields| Self {
            path: path.into(),
            fields,
        })
    }

    /// The path of one of its properties.
    pub fn path_of(&self, key: &str) -> String {
        let key = brief(key);
        if self.path.is_empty() {
            key.into_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// A property. Null counts as absent.
    pub fn get(&self, key: &str) -> Option<&'a Json> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    /// The first of these properties that is present, with its name.
    pub fn first<'k>(&self, keys: &[&'k str]) -> Option<(&'k str, &'a Json)> {
        keys.iter()
            .find_map(|key| self.get(key).map(|value| (*key, value)))
    }

    /// A text under the first of these names. Numbers and booleans count as text. A longer text is
    /// cut.
    pub fn text(
        &self,
        keys: &[&str],
        limit: usize,
        reader: &mut ProblemCollector,
    ) -> Option<String> {
        let (key, value) = self.first(keys)?;
        match words(value) {
            Some(text) => Some(cut(&text, limit)),
            None => {
                reader.refuse(
                    self.path_of(key),
                    format!("must be a string, not {}", kind(value)),
                );
                None
            }
        }
    }

    /// A boolean under the first of these names. `"true"`, `"no"`, `1` and the like are accepted.
    pub fn flag(&self, keys: &[&str], reader: &mut ProblemCollector) -> Option<bool> {
        let (key, value) = self.first(keys)?;
        let flag = truth(value);
        if flag.is_none() {
            reader.refuse(self.path_of(key), "must be true or false");
        }
        flag
    }

    /// A whole number. `"30000"` and `30000.0` are accepted.
    pub fn number(&self, key: &str, reader: &mut ProblemCollector) -> Option<i64> {
        let value = self.get(key)?;
        let number = whole(value);
        if number.is_none() {
            reader.refuse(self.path_of(key), "must be a whole number of milliseconds");
        }
        number
    }
}

/// A value as text. Strings, numbers and booleans have one.
pub fn words(value: &Json) -> Option<Cow<'_, str>> {
    match value {
        Json::String(text) => Some(Cow::Borrowed(text)),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::Bool(flag) => Some(Cow::Owned(flag.to_string())),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// A value's type, with its article.
pub fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

/// Cuts a text to at most `limit` bytes, between characters. A cut text ends with an ellipsis; if
/// the limit is large, it also says how long it was.
pub fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let note = match limit {
        0..LONG => "…".to_owned(),
        _ => format!("… [cut: {} bytes in all]", text.len()),
    };
    let mut end = limit.saturating_sub(note.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{note}", &text[..end])
}

/// A foreign name, shortened and made safe for a message.
pub fn brief(name: &str) -> Cow<'_, str> {
    let (start, end) = match name.char_indices().nth(MAX_NAME) {
        None => (name, ""),
        Some((end, _)) => (&name[..end], "…"),
    };
    let is_plain = start
        .bytes()
        .all(|byte| byte == b' ' || byte.is_ascii_graphic());
    match (is_plain, end) {
        (true, "") => Cow::Borrowed(name),
        (true, end) => Cow::Owned(format!("{start}{end}")),
        (false, end) => Cow::Owned(format!("{}{end}", SafeText::line(start))),
    }
}

fn too_large(size: usize) -> Problem {
    Problem::new(
        "",
        format!(
            "the call has {size} bytes, at most {MAX_CALL_BYTES} are read: shorten the texts or ask in several calls"
        ),
    )
}

fn malformed(error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let what = whole.split(" at line ").next().unwrap_or(&whole);
    let what = match (what, what.strip_prefix("EOF while parsing ")) {
        ("recursion limit exceeded", _) => "at most 127 levels of nesting are read".to_owned(),
        (_, Some(part)) => format!("it ends within {part}"),
        (other, None) => other.to_owned(),
    };
    let problem = format!("not valid JSON (line {line}, column {column}): {what}");
    Problem::new("", problem)
}

/// The length of an escape, and whether it is half a surrogate pair.
fn escape(bytes: &[u8]) -> (usize, bool) {
    match unit(bytes) {
        Some(0xd800..=0xdbff) => match unit(&bytes[6..]) {
            Some(0xdc00..=0xdfff) => (12, false),
            Some(_) | None => (6, true),
        },
        Some(0xdc00..=0xdfff) => (6, true),
        Some(_) => (6, false),
        None => (2.min(bytes.len()), false),
    }
}

fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |sum: u16, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(sum << 4 | u16::try_from(digit).ok()?)
    })
}

fn truth(value: &Json) -> Option<bool> {
    if let Json::Bool(flag) = value {
        return Some(*flag);
    }
    match words(value)?.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The largest whole number that a float represents exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn whole(value: &Json) -> Option<i64> {
    match value {
        Json::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            // Beyond the exact range a number is only "very large", and a limit cuts it anyway.
            (float.fract() == 0.0).then(|| float.clamp(-EXACT, EXACT) as i64)
        }),
        Json::String(text) => text.trim().parse().ok(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}
