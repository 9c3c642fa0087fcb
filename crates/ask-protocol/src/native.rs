//! The project's own JSON form of records, drafts and outcomes. The store's columns, the hub's
//! messages, `--json` and the HTTP API use it. Reading what was written gives the same value. The
//! types are those of the domain as JSON has them; they borrow what they write.

mod ask;
mod draft;
mod outcome;
mod pairing;
mod record;
mod stats;
mod text;

use std::borrow::Cow;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};

use ask_core::ask::{Ask, Input, Question as Asked};
use ask_core::draft::Answer as Given;
use ask_core::{Json, Problem, SafeText};

pub use ask::{Asker, Question};
pub use draft::{Draft, EarlierAnswer, File};
pub(crate) use outcome::read_answers;
pub use outcome::{NativeAnswer, Outcome, unanswered};
pub(crate) use pairing::PairingCommandForm;
pub use pairing::{Pairing, Sessions};
pub(crate) use record::Opened;
pub use record::{Origin, Record, Settlement, TakenBack};
pub use stats::{Stats, read_day_counts, write_day_counts};
pub use text::{
    EndWord, How, Id, Moment, ProcessId, Scope, Sha256, Until, Whole, YesNo, read_snooze,
    write_snooze,
};

/// The tool that takes an ask in this form: name, description and input schema as published. Agents
/// call it, and the HTTP API accepts the same.
pub const CALL_CONTRACT: &str = include_str!("native.ask_user.tool.json");

/// Why a text is not in the form of this module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// The text before the first colon is the path, unless it contains a space.
impl From<Malformed> for Problem {
    fn from(Malformed(text): Malformed) -> Self {
        match text.split_once(": ") {
            Some((path, problem)) if !path.contains(' ') => Self::new(path, problem),
            Some(_) | None => Self::new("", text),
        }
    }
}

type Read<T> = Result<T, Malformed>;

fn malformed<T>(path: &str, problem: &str) -> Read<T> {
    Err(Malformed(Problem::new(path, problem).to_string()))
}

/// Reads a record from text.
pub fn read_record(text: &str) -> Read<ask_core::Record> {
    from_text::<Record<'_>>(text)?.try_into()
}

/// Reads how an ask was closed, from text.
pub fn read_settlement(ask: &Ask, text: &str) -> Read<ask_core::Settlement> {
    from_text::<Settlement<'_>>(text)?.read(ask)
}

/// Reads the outcomes of an ask that were taken back, from text.
pub fn read_taken_back(ask: &Ask, text: &str) -> Read<Vec<ask_core::record::TakenBack>> {
    let taken_back: Vec<TakenBack<'_>> = from_text(text)?;
    taken_back.into_iter().map(|one| one.read(ask)).collect()
}

/// Reads the native reply of an ask.
pub fn read_outcome(ask: &Ask, value: &Json) -> Read<ask_core::Outcome> {
    from_json::<Outcome<'_>>(value, "outcome")?.read(ask)
}

/// Reads a draft from text.
pub fn read_draft(text: &str) -> Read<ask_core::Draft> {
    Ok(from_text::<Draft<'_>>(text)?.into())
}

/// Parses a text that this project wrote. The path of a mistake is only looked up if there is one.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Read<T> {
    serde_json::from_str(text).or_else(|_| {
        let value = crate::text_json(text)?;
        from_json(&value, "")
    })
}

/// Parses a value at this path.
pub(crate) fn from_json<T: DeserializeOwned>(value: &Json, path: &str) -> Read<T> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let place = error.path().to_string();
        let mut place: Vec<&str> = [path, &place].into();
        place.retain(|part| !part.is_empty() && *part != ".");
        let said = error.inner().to_string();
        let missing = said.strip_prefix("missing field `");
        let missing = missing.and_then(|field| field.strip_suffix('`'));
        place.extend(missing);
        let problem = match missing {
            Some(_) => "is missing".to_owned(),
            None => reworded(&said),
        };
        // The message may contain keys and words of the sender.
        let said = Problem::new(place.join("."), problem).to_string();
        Malformed(SafeText::line(&said).to_string())
    })
}

/// Rewords serde's message about a value of another kind in the style of our refusals.
fn reworded(said: &str) -> String {
    if let Some((word, known)) =
        (said.strip_prefix("unknown variant ")).and_then(|said| said.split_once(", expected "))
    {
        let known = known.replace('`', "");
        return format!("must be {known}, not {}", word.replace('`', "\""));
    }
    match said
        .strip_prefix("invalid ")
        .and_then(|said| said.split_once(", expected "))
    {
        None => said.to_owned(),
        Some((_, wanted)) => match wanted {
            "a boolean" => "must be true or false".to_owned(),
            "a sequence" => "must be an array".to_owned(),
            "u64" | "u32" | "usize" | "i64" => "must be a whole number".to_owned(),
            "a nonzero u64" => "must be a whole number above 0".to_owned(),
            of if of.starts_with("struct ") => "must be an object".to_owned(),
            other => format!("must be {other}"),
        },
    }
}

/// Makes `serde_as` write and read values of the domain in these forms.
macro_rules! forms {
    ($($domain:ty: $form:ident;)*) => {$(
        impl serde_with::SerializeAs<$domain> for $form<'_> {
            fn serialize_as<S: serde::Serializer>(
                value: &$domain,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$form::from(value), serializer)
            }
        }

        impl<'de> serde_with::DeserializeAs<'de, $domain> for $form<'_> {
            fn deserialize_as<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$domain, D::Error> {
                let form: $form<'_> = serde::Deserialize::deserialize(deserializer)?;
                form.try_into().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
pub(crate) use forms;

forms! {
    ask_core::Record: Record;
    ask_core::Draft: Draft;
    ask_core::Asker: Asker;
    ask_core::devices::PairingCommand: PairingCommandForm;
}

/// A value that must be present.
fn needed<T>(value: Option<T>, path: &str) -> Read<T> {
    value.ok_or_else(|| Malformed(Problem::new(path, "is missing").to_string()))
}

/// Reads `None` from a value that is not understood.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Json::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

/// Converts parts to another form; `None` if there are none.
fn some_of<'a, T, U: From<&'a T>>(parts: &'a [T]) -> Option<Vec<U>> {
    (!parts.is_empty()).then(|| parts.iter().map(U::from).collect())
}

/// The word for an input: `text`, `select`, `multi-select`, `confirm`.
pub fn input_word(input: &Input) -> &'static str {
    match input {
        Input::Text => "text",
        Input::One(_) => "select",
        Input::Many(_) => "multi-select",
        Input::Confirm => "confirm",
    }
}

/// The `values` of an answer: the text of a text question, otherwise the labels of the picks, and
/// `yes` or `no` for a confirmation.
pub fn values<'a>(question: &'a Asked, answer: &'a Given) -> Vec<Cow<'a, str>> {
    let picks = answer.picks.iter();
    match &question.input {
        Input::Text => answer.own.iter().map(Cow::from).collect(),
        Input::Confirm => picks
            .filter_map(|&pick| question.input.label(pick))
            .map(|label| label.to_lowercase().into())
            .collect(),
        Input::One(choices) | Input::Many(choices) => picks
            .filter_map(|&pick| choices.get(pick))
            .map(|choice| Cow::from(&choice.label))
            .collect(),
    }
}

/// Finds a choice by its label; `yes` and `no` in any case for a confirmation.
pub fn pick(question: &Asked, label: &str) -> Option<usize> {
    match &question.input {
        Input::Text => None,
        Input::Confirm => ask_core::ask::CONFIRM
            .iter()
            .position(|word| word.eq_ignore_ascii_case(label)),
        Input::One(choices) | Input::Many(choices) => {
            choices.iter().position(|choice| choice.label == label)
        }
    }
}
