//! What clients of the HTTP API send.

use std::num::NonZeroU64;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::unknown_fields;
use crate::native::{Draft, Malformed, Moment, NativeAnswer, Scope, Until, from_json};
use ask_core::ask::Ask;
use ask_core::devices::{On, Permission};
use ask_core::draft::Gaps;
use ask_core::{Json, Problem, json};

/// A one-time key.
#[derive(Deserialize, ToSchema)]
pub struct Key {
    /// What `ask-user web` printed.
    pub key: String,
}

/// A half-filled form.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptDraft {
    /// The form.
    pub draft: Draft<'static>,
    /// The revision that it was built on, 0 for none; left out, the last that is saved wins.
    pub built_on: Option<u64>,
}

/// Either draft or answers.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answering {
    draft: Option<Draft<'static>>,
    /// In the order of the questions: strings, lists, null; or native answers.
    #[schema(value_type = Option<Vec<Option<GivenAnswer>>>)]
    answers: Option<Json>,
    /// With answers: to the agent, about no single question.
    note: Option<String>,
    /// Whether required questions may stay without an answer.
    leave_gaps: Option<bool>,
}

/// A native answer, or one as pi's replies have it, which can be sent as replies say it; or what is
/// picked, by label or number, or own words.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "a schema alone: `crate::answers` reads all of this"
)]
enum GivenAnswer {
    Native(NativeAnswer<'static>),
    Pi(PiAnswer),
    One(String),
    Several(Vec<String>),
    Number(usize),
    YesNo(bool),
}

/// An answer as pi's replies have it.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "a schema alone: `crate::answers` reads all of this"
)]
struct PiAnswer {
    #[schema(value_type = Option<Value>)]
    answer: Option<Json>,
    selected_option: Option<String>,
    was_custom: Option<bool>,
    note: Option<String>,
}

/// Why the person declines.
#[derive(Deserialize, ToSchema)]
pub struct Declining {
    /// In words to the agent.
    pub reason: Option<String>,
}

/// What the person asks back.
#[derive(Deserialize, ToSchema)]
pub struct Clarifying {
    /// In words to the agent.
    pub text: String,
}

/// Until when an ask is put aside; null or nothing takes it back.
#[derive(Deserialize, ToSchema)]
pub struct Snoozing {
    /// A time, or until its agent asks again.
    pub until: Option<Until>,
}

/// Until when there is time.
#[derive(Deserialize, ToSchema)]
pub struct Extending {
    /// A moment, not a length: it may be said twice.
    pub until: Moment,
}

/// Whether the person is at the page.
#[derive(Deserialize, ToSchema)]
pub struct Presence {
    /// Whether it has the focus.
    pub focused: Option<bool>,
    /// Whether the page makes itself heard while it has no focus.
    pub rings: Option<bool>,
    /// Whether a key was just pressed there.
    pub input: Option<bool>,
}

/// Turns something on or off.
#[derive(Deserialize, ToSchema)]
pub struct Switch {
    /// Whether it is to be on.
    pub on: bool,
}

/// What a device shows, and how it calls itself: either secret or code.
#[derive(Deserialize, ToSchema)]
pub struct Invited {
    /// What follows `/pair#` in the link.
    pub secret: Option<String>,
    /// Six digits.
    pub code: Option<String>,
    /// What the device calls itself.
    pub name: Option<String>,
}

/// Where devices come, and for how long.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairingOn {
    /// One of this machine; the one that leads out if left out.
    address: Option<String>,
    /// For so many milliseconds; null: until it is turned off.
    #[schema(value_type = Option<u64>)]
    for_ms: Option<NonZeroU64>,
    /// What the device may that comes by the invitation: `answer` if left out.
    scope: Option<Scope>,
}

impl From<PairingOn> for On {
    fn from(on: PairingOn) -> Self {
        Self {
            address: on.address,
            for_ms: on.for_ms.map(NonZeroU64::get),
            may: on.scope.map_or(Permission::Answer, |scope| scope.0),
            // A page names no files of this machine.
            tls: None,
        }
    }
}

/// Yes or no to a device, and what it may.
#[derive(Deserialize, ToSchema)]
pub struct Decision {
    /// Whether it may come.
    pub allow: bool,
    /// What its invitation says if left out.
    pub scope: Option<Scope>,
}

/// Reads a body of this form, and refuses a field that nothing would read; an empty one is an object
/// without fields.
pub fn read_body<T: DeserializeOwned + ToSchema>(body: &[u8]) -> Result<T, Malformed> {
    from_json(&read_known::<T>(body)?, "body")
}

/// The same as a value, for who reads it with more in hand than its form.
pub fn read_known<T: ToSchema>(body: &[u8]) -> Result<Json, Malformed> {
    let value = parsed(body, unknown_fields::expected::<T>)?;
    unknown_fields::refuse::<T>(&value)?;
    Ok(value)
}

/// Reads a call of the native dialect, which has its own words for what is wrong with it.
pub fn read_call(body: &[u8]) -> Result<Json, Malformed> {
    parsed(body, || {
        r#"send an object, such as {"question":"Ship it?"}"#.to_owned()
    })
}

fn parsed(body: &[u8], expected: impl Fn() -> String) -> Result<Json, Malformed> {
    let is_none = |what: &str| Malformed(format!("the body is {what}; {}", expected()));
    let text = std::str::from_utf8(body).map_err(|_| is_none("not UTF-8"))?;
    if text.trim().is_empty() {
        return Ok(Json::Object(Default::default()));
    }
    json::read(text).map_err(|problem| is_none(&problem.problem))
}

/// Reads answers, a whole draft or a list in the order of the questions, plain or native; and whether
/// gaps in them are meant.
pub fn read_answering(ask: &Ask, body: &Json) -> Result<(ask_core::Draft, Gaps), Problem> {
    let read: Answering = from_json(body, "body")?;
    let draft = match (read.draft, read.answers) {
        (Some(_), None) if read.note.is_some() => {
            let problem = "stands beside answers; that of a draft is in the draft";
            return Err(Problem::new("body.note", problem));
        }
        (Some(draft), None) => draft.into(),
        (None, Some(_)) => crate::answers::parse(ask, body)?,
        (Some(_), Some(_)) => return Err(Problem::new("", "send either draft or answers")),
        (None, None) => return Err(Problem::new("", "send draft or answers")),
    };
    let gaps = match read.leave_gaps {
        Some(true) => Gaps::Send,
        Some(false) | None => Gaps::Refuse,
    };
    Ok((draft, gaps))
}
