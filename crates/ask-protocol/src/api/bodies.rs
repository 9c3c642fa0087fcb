//! The bodies of requests to the HTTP API.

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

/// The one-time key of the page.
#[derive(Deserialize, ToSchema)]
pub struct Key {
    /// The key that `ask-user web` printed.
    pub key: String,
}

/// The bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct FileBytes(pub Vec<u8>);

/// A draft to save.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptDraft {
    /// The content of the form.
    pub draft: Draft<'static>,
    /// The revision that the draft is based on, or 0. If it is left out, the draft overwrites.
    pub built_on: Option<u64>,
}

/// Give either `draft` or `answers`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answering {
    draft: Option<Draft<'static>>,
    /// In the order of the questions: strings, lists or null, or native answers.
    #[schema(value_type = Option<Vec<Option<GivenAnswer>>>)]
    answers: Option<Json>,
    /// With `answers`: a note to the agent about the whole ask.
    note: Option<String>,
    /// Whether required questions may be left without an answer.
    leave_gaps: Option<bool>,
    /// Whether one key or tap gave it: the agent gets it after `surfaces.undo_seconds`, and until then
    /// it can be taken back.
    pub hold: Option<bool>,
}

/// A native answer, an answer in the form of pi's replies, a label, a number, or own words.
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

/// An answer in the form of pi's replies.
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

/// The person declines.
#[derive(Deserialize, ToSchema)]
pub struct Declining {
    /// The text for the agent.
    pub reason: Option<String>,
    /// As with an answer.
    pub hold: Option<bool>,
}

/// The person asks the agent back.
#[derive(Deserialize, ToSchema)]
pub struct Clarifying {
    /// The text for the agent.
    pub text: String,
    /// As with an answer.
    pub hold: Option<bool>,
}

/// The attempt that closed an ask.
#[derive(Deserialize, ToSchema)]
pub struct Attempt {
    /// The `attempt` of the ask's record.
    pub attempt: u64,
}

/// How long an ask is snoozed.
#[derive(Deserialize, ToSchema)]
pub struct Snoozing {
    /// A time, or `asked-again`: until the agent asks the same again. Null ends the snooze.
    // Without this attribute, an empty body would end a snooze by accident.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    pub until: Option<Until>,
}

/// The wanted deadline.
#[derive(Deserialize, ToSchema)]
pub struct Extending {
    /// A time, not a duration, so that the request can be repeated.
    pub until: Moment,
}

/// Whether the person is at the page.
#[derive(Deserialize, ToSchema)]
pub struct Presence {
    /// Whether the page has the focus.
    pub focused: Option<bool>,
    /// Whether the page rings by itself while it has no focus.
    pub rings: Option<bool>,
    /// Whether a key was pressed there just now.
    pub input: Option<bool>,
}

/// Turns a switch on or off.
#[derive(Deserialize, ToSchema)]
pub struct Switch {
    /// Whether the switch is on.
    pub on: bool,
}

/// What a device sends to be paired: either `secret` or `code`, and its name.
#[derive(Deserialize, ToSchema)]
pub struct Invited {
    /// The secret after `/pair#` in the link.
    pub secret: Option<String>,
    /// The six digits of the code.
    pub code: Option<String>,
    /// The name that the device gives itself.
    pub name: Option<String>,
}

/// Where devices connect, and for how long they may.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairingOn {
    /// An address of this machine; by default that of the default route.
    address: Option<String>,
    /// How long pairing stays on, in milliseconds. Null: until it is turned off.
    #[schema(value_type = Option<u64>)]
    for_ms: Option<NonZeroU64>,
    /// The permission of the invited device; `answer` by default.
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

/// The decision about a device's request.
#[derive(Deserialize, ToSchema)]
pub struct Decision {
    /// Whether the device is accepted.
    pub allow: bool,
    /// The permission of the device; by default that of its invitation.
    pub scope: Option<Scope>,
}

/// Parses a body of this form. A field that nothing would read is refused. An empty body is an
/// object without fields.
pub fn read_body<T: DeserializeOwned + ToSchema>(body: &[u8]) -> Result<T, Malformed> {
    from_json(&read_known::<T>(body)?, "body")
}

/// Like [`read_body`], but returns the value, for callers that need more than the form to parse it.
pub fn read_known<T: ToSchema>(body: &[u8]) -> Result<Json, Malformed> {
    let value = parsed(body, unknown_fields::expected::<T>)?;
    unknown_fields::refuse::<T>(&value)?;
    Ok(value)
}

/// Parses a call of the native dialect, which reports its problems in its own words.
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

/// Parses answers: a whole draft, or a list in the order of the questions, plain or native. The
/// second value says whether gaps in them are intended.
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
