//! The `native` dialect: the union of what the others ask, and a reply that loses nothing. The
//! reply is also the form in which outcomes are stored.

mod parse;

use serde_json::{Map, json};

use crate::{Call, Dialect, Setting, Tool, ToolAction, Word, lenient, reply, strict};
use ask_core::record::Record;
use ask_core::{Json, Refusal};
use ask_protocol::{Reply, native, to_json};

/// The shortest and the longest wait an agent may ask for, in milliseconds.
pub const LIMIT_MS: (u64, u64) = (10_000, 86_400_000);

/// The `native` dialect.
///
/// Decided here: a fetch that finds one ask replies as that ask would have, any other number is
/// returned as `asks`; a person's outcome that is fetched is `late`, because the call that asked
/// has gone; without `wait` a fetch by id waits and one without an id doesn't; `timeout` is clamped
/// to its range and never invented; a `confirm` with choices of its own is a select.
pub struct Native;

static TOOLS: [Tool; 2] = [
    Tool {
        name: "ask_user",
        title: "Ask the user",
        contract: native::CALL_CONTRACT,
        example: include_str!("native.ask_user.call.json"),
        does: ToolAction::Ask,
    },
    Tool {
        name: "ask_user_result",
        title: "Get the user's answer",
        contract: include_str!("native.ask_user_result.tool.json"),
        example: include_str!("native.ask_user_result.call.json"),
        does: ToolAction::Fetch,
    },
];

/// Properties that are accepted beyond the schema.
const EXTRA_PROPERTIES: strict::ExtraProperties = &[
    (
        "",
        &[
            "id",
            "question",
            "header",
            "type",
            "options",
            "multiSelect",
            lenient::SUGGESTIONS,
            "required",
            "placeholder",
            "default",
        ],
    ),
    ("questions[]", &["multiSelect", lenient::SUGGESTIONS]),
];

impl Dialect for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, offer options, recommended first with \"(Recommended)\", and batch \
         related ones. Read every status: only \"answered\" is an answer; skipped, cancelled \
         and timedOut are not consent. clarify: explain, then ask again. waiting:true: still \
         open, call ask_user_result with the askId."
    }

    fn read(&self, tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        let root = lenient::root(arguments)?;
        if tool == TOOLS[1].name {
            parse::fetch(&root)
        } else {
            parse::ask(&root)
        }
    }

    fn write(&self, word: Word<'_>) -> Reply {
        match word {
            Word::Closed(record) => reply::with_record(record, closed(record, false)),
            Word::Open(record) => reply::with_record(record, open(record)),
            Word::Fetched(records) => fetched(records),
            Word::NoSuchAsk(id) => reply::no_such_ask(id),
            Word::Refused(refusal) => Reply::error(format!("Can't ask this: {refusal}")),
            Word::Failed(words) => Reply::error(words),
        }
    }

    fn how_to_fetch(&self, record: &Record) -> String {
        format!("Call {} with askId \"{}\".", TOOLS[1].name, record.id)
    }

    fn extra_properties(&self) -> strict::ExtraProperties {
        EXTRA_PROPERTIES
    }
}

fn closed(record: &Record, late: bool) -> Json {
    let Some(settlement) = record.settlement() else {
        return open(record);
    };
    let mut value = to_json(&native::Outcome::from_record(record, &settlement.outcome));
    if let Some(out) = value.as_object_mut()
        && late
        && settlement.outcome.is_human()
    {
        out.insert("late".into(), true.into());
        out.insert("answeredAt".into(), settlement.at.to_string().into());
        out.insert("answeredBy".into(), settlement.surface.as_str().into());
    }
    value
}

fn open(record: &Record) -> Json {
    let mut out = Map::new();
    for key in ["answered", "cancelled", "timedOut"] {
        out.insert(key.into(), false.into());
    }
    out.insert("waiting".into(), true.into());
    out.insert("askId".into(), record.id.as_str().into());
    out.insert("howToAnswer".into(), how_to_answer(record).into());
    out.insert("answers".into(), to_json(&native::unanswered(&record.ask)));
    Json::Object(out)
}

fn how_to_answer(record: &Record) -> String {
    let id = &record.id;
    format!(
        "Not answered yet; the question stays open and the user can answer it with \
         `ask-user inbox --id {id}`. To keep waiting, call ask_user_result with this askId. \
         The user has not refused and has not agreed: don't claim either and don't decide in \
         their place."
    )
}

fn fetched(records: &[Record]) -> Reply {
    let one = |record: &Record| reply::with_record(record, closed(record, true));
    match records {
        [] => Reply::json(json!({
            "asks": [],
            "message": "There is no answer that you haven't been given.",
        })),
        [record] => reply::late(record, one(record)),
        many => reply::several(many, one),
    }
}
