//! Reads what clients of the HTTP API send.

use crate::native::{self, Fields, Malformed, from_json};
use ask_core::ask::Ask;
use ask_core::draft::{Draft, Gaps};
use ask_core::record::Snooze;
use ask_core::time::Time;
use ask_core::{Json, Problem};

type Read<T> = Result<T, Malformed>;

/// Answers, and whether gaps in them are meant.
pub struct Answering {
    /// The form.
    pub draft: Draft,
    /// What to do about gaps.
    pub gaps: Gaps,
}

/// Reads answers: a whole draft, or a list in the order of the questions, plain or native.
pub fn read_answering(ask: &Ask, body: &Json) -> Result<Answering, Problem> {
    let from = Fields::of(body, "body")?;
    let note = from.text_if_any("note")?;
    let draft = match (from.get("draft"), from.get("answers")) {
        (Some(_), None) if note.is_some() => {
            let problem = "stands beside answers; that of a draft is in the draft";
            return Err(Problem::new("body.note", problem));
        }
        (Some(draft), None) => from_json::<native::Draft<'_>>(draft, "draft")?.into(),
        (None, Some(_)) => crate::answers::parse(ask, body)?,
        (Some(_), Some(_)) => return Err(Problem::new("", "send either draft or answers")),
        (None, None) => return Err(Problem::new("", "send draft or answers")),
    };
    let gaps = match from.flag_if_any("leaveGaps")? {
        Some(true) => Gaps::Send,
        Some(false) | None => Gaps::Refuse,
    };
    Ok(Answering { draft, gaps })
}

/// Reads a draft and the revision that it was built on.
pub fn read_draft(body: &Json) -> Read<(Draft, Option<u64>)> {
    let from = Fields::of(body, "body")?;
    let draft =
        from_json::<native::Draft<'_>>(from.get("draft").unwrap_or(&Json::Null), "draft")?.into();
    Ok((draft, from.number_if_any("builtOn")?))
}

/// Reads a text that must be there.
pub fn read_text(body: &Json, key: &str) -> Read<String> {
    Fields::of(body, "body")?.text(key)
}

/// Reads a text that may be there.
pub fn read_optional_text(body: &Json, key: &str) -> Read<Option<String>> {
    let from = Fields::of(body, "body")?;
    from.text_if_any(key)
}

/// Reads a flag that must be there.
pub fn read_flag(body: &Json, key: &str) -> Read<bool> {
    let from = Fields::of(body, "body")?;
    match from.get(key).and_then(Json::as_bool) {
        Some(flag) => Ok(flag),
        None => Err(Malformed(format!("body.{key}: must be true or false"))),
    }
}

/// Reads whether a page has the focus, rings, and was just used.
pub fn read_presence(body: &Json) -> Read<(Option<bool>, bool, bool)> {
    let from = Fields::of(body, "body")?;
    let flag = |key| from.flag_if_any(key);
    let (rings, input) = (flag("rings")?, flag("input")?);
    Ok((
        flag("focused")?,
        rings.unwrap_or(false),
        input.unwrap_or(false),
    ))
}

/// Reads until when an ask is put aside; `None` takes it back.
pub fn read_snooze(body: &Json) -> Read<Option<Snooze>> {
    let Some(text) = read_optional_text(body, "until")? else {
        return Ok(None);
    };
    // The second spelling is that of names in JSON.
    let word = if text == "askedAgain" {
        "asked-again"
    } else {
        text.as_str()
    };
    match native::read_snooze(word) {
        Some(snooze) => Ok(Some(snooze)),
        None => Err(Malformed(format!(
            "body.until: must be a time in RFC 3339, asked-again or null, not \"{text}\""
        ))),
    }
}

/// Reads a moment that must be there.
pub fn read_time(body: &Json, key: &str) -> Read<Time> {
    Fields::of(body, "body")?.time(key)
}
