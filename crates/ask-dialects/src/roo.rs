//! The `roo` dialect of Roo Code's `ask_followup_question`: one question with suggested answers, a
//! reply in the person's words.

mod suggestions;

use std::borrow::Cow;

use serde_json::json;

use crate::lenient::{self, Doubles, LABELS};
use crate::question_list;
use crate::reply::{self, Wording};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word};
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::{Json, Refusal};
use ask_protocol::Reply;

/// The `roo` dialect.
///
/// Like the built-in tool: the pick or the words are between `<user_message>` and
/// `</user_message>`, not escaped; more suggestions than the schema allows are accepted; without
/// any, the person writes.
///
/// Decided here: the suggestions may be `<suggest>` tags, as they were until 2025; a `mode` is
/// shown beside its suggestion and not repeated in the reply, because the agent knows it and nobody
/// else can switch; own words beside a pick follow it on a line of their own, notes follow the
/// message; an ask that ended without an answer is an error; the reply for an open ask says so in
/// words.
pub struct Roo;

static TOOLS: [Tool; 1] = [Tool {
    name: "ask_followup_question",
    title: "Ask the user",
    contract: include_str!("roo.ask_followup_question.tool.json"),
    example: include_str!("roo.ask_followup_question.call.json"),
    does: ToolAction::Ask,
}];

const WORDING: Wording = Wording {
    these: "this question",
    open: reply::still_open,
    answered: |ask, answered| Reply::text(answer(ask, answered)),
    declined,
    refused: reply::refusal_text,
};

impl Dialect for Roo {
    fn name(&self) -> &'static str {
        "roo"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing: one self-contained question \
         with 2-4 complete answers to pick, the likeliest first. Only what stands in \
         <user_message> is an answer; a declined or open question is not consent. Where the \
         suggestion that was picked names a mode, switch to it yourself. If the user wants to \
         clarify, explain and ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        question_list::read(arguments, |root, reader| Ask {
            questions: vec![question(root, reader)],
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        WORDING.write(word)
    }
}

fn question(root: &Object<'_>, reader: &mut ProblemCollector) -> Question {
    Question {
        id: lenient::default_id(0, 0),
        text: lenient::question_text(root, &["question"], reader),
        label: None,
        input: input(root, reader),
        required: true,
        placeholder: None,
        default: None,
    }
}

fn input(root: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let read = match root.get("follow_up") {
        None => Json::Null,
        Some(value) => listed(value, reader),
    };
    let read = json!({ "follow_up": read });
    let choices = match Object::from_json(&read, "") {
        None => Vec::new(),
        Some(read) => lenient::choices(&read, &["follow_up"], Doubles::Number, reader),
    };
    lenient::pick_input(choices, false)
}

/// The suggestions as choices, with their modes as descriptions; null if there is no list of them.
fn listed(value: &Json, reader: &mut ProblemCollector) -> Json {
    let items = match value.as_str().and_then(suggestions::parse_suggestions) {
        Some(items) => Some(Cow::Owned(items)),
        None if lenient::is_list(value) => lenient::list(value, "follow_up", reader),
        None => {
            let kind = json::kind(value);
            let example = r#"[{"text":"./src/config.json","mode":null}]"#;
            let problem = format!("must be a list of suggestions such as {example}, not {kind}");
            reader.refuse("follow_up", problem);
            None
        }
    };
    let Some(items) = items else {
        return Json::Null;
    };
    let named = items.iter().enumerate();
    named
        .map(|(at, item)| suggestion(item, at, reader))
        .collect()
}

fn suggestion(item: &Json, at: usize, reader: &mut ProblemCollector) -> Json {
    let mut item = item.clone();
    let Some(fields) = item.as_object_mut() else {
        return item;
    };
    if !LABELS.iter().any(|name| fields.contains_key(*name)) {
        let problem = "is missing: every suggestion needs a text to show";
        reader.refuse(format!("follow_up[{at}].text"), problem);
        return Json::from("-");
    }
    let mode = fields.get("mode").and_then(Json::as_str);
    if let Some(mode) = mode.filter(|mode| lenient::is_visible(mode)) {
        let means = Json::from(format!("mode: {mode}"));
        fields.entry("description").or_insert(means);
    }
    item
}

fn answer(ask: &Ask, answered: &Answered) -> String {
    let mut blocks = Vec::new();
    for (question, answer) in ask.questions.iter().zip(answered.answers()) {
        blocks.push(match answer.is_given() {
            true => format!(
                "<user_message>\n{}\n</user_message>",
                said(question, answer)
            ),
            false => "The user left the question open.".to_owned(),
        });
        if let Some(note) = &answer.note {
            blocks.push(format!("Note: {note}"));
        }
    }
    if let Some(note) = answered.note() {
        blocks.push(format!("Note: {note}"));
    }
    blocks.join("\n")
}

fn said(question: &Question, answer: &Answer) -> String {
    let picked = reply::picked(&question.input, answer);
    let lines: Vec<&str> = picked.chain(answer.own.as_deref()).collect();
    lines.join("\n")
}

fn declined(reason: Option<&str>) -> Reply {
    let words = "The user declined to answer this question.";
    Reply::error(reply::with_reason(words, reason))
}
