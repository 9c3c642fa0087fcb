//! The `codenomad` dialect of CodeNomad's `ask_user`: typed questions, a time limit, a reply keyed
//! by question id.

use serde_json::{Map, json};

use ask_core::ask::{Ask, Input, Question};
use ask_core::{Json, Refusal};

use crate::lenient::{self, Doubles, MAX_LABEL, Type};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word, question_list, reply};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_protocol::Reply;
use ask_protocol::bridge::answer;

/// The `codenomad` dialect.
///
/// Decided here: choices without a `type` make a select, and so do `suggestions`; an ask-back, a
/// withdrawal and an open ask say `false` three times and add `clarify`, `withdrawn` or `waiting`,
/// because the specification has no word for them; a declined ask's `reason` and notes are added
/// keys, too.
pub struct Codenomad;

/// The time limit, in milliseconds, if neither the agent nor the person sets another.
const DEFAULT_LIMIT_MS: u64 = 300_000;

static TOOLS: [Tool; 1] = [Tool {
    name: "ask_user",
    title: "Ask the user",
    contract: include_str!("codenomad.ask_user.tool.json"),
    example: include_str!("codenomad.ask_user.call.json"),
    does: ToolAction::Ask,
}];

const MAX_QUESTIONS: usize = 10;
const MAX_QUESTION: usize = 1_000;
const MAX_TITLE: usize = 100;
const LIMIT_MS: std::ops::RangeInclusive<i64> = 10_000..=1_800_000;

const NO_QUESTION: &str = "questions array must have at least 1 item";
const TOO_MANY_QUESTIONS: &str = "questions array exceeds maximum of 10";
const NO_OPTIONS: &str = "Options required for select/multi-select";
const NO_TEXT: &str = "question text is required";

/// Sentences of the specification that a refusal contains without a path.
const SENTENCES: [&str; 4] = [NO_QUESTION, TOO_MANY_QUESTIONS, NO_OPTIONS, NO_TEXT];

/// The person's default time limit, from the text of `CN_MCP_TIMEOUT`: milliseconds, clamped to the
/// range that agents may ask for. The problem says what was changed. A text that isn't a whole
/// number is ignored.
pub fn read_default_limit(text: &str) -> (Option<u64>, Option<String>) {
    let (least, most) = LIMIT_MS.into_inner();
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let problem = format!(
            "\"{}\" is not a whole number of milliseconds, so it is ignored",
            json::brief(text)
        );
        return (None, Some(problem));
    }
    // Digits that don't fit into a number are outside of the range.
    let nearest = if text.starts_with('-') { least } else { most };
    let taken = text.parse().unwrap_or(nearest).clamp(least, most);
    let problem = (text.parse() != Ok(taken)).then(|| {
        format!(
            "{} ms is outside of {least} to {most} ms, so {taken} ms are taken",
            json::brief(text)
        )
    });
    (Some(taken.unsigned_abs()), problem)
}

impl Dialect for Codenomad {
    fn name(&self) -> &'static str {
        "codenomad"
    }

    fn longest_limit_ms(&self) -> u64 {
        LIMIT_MS.end().unsigned_abs()
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Keep questions \
         self-contained, 1-3 per call, and use select with the recommended option first, marked \
         \"(Recommended)\". Check answered, cancelled and timedOut: silence is not consent and \
         neither is a cancelled form; an empty values list is no answer. clarify: explain, then \
         ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, setting: &Setting) -> Result<Call, Refusal> {
        question_list::read(arguments, |root, reader| Ask {
            title: title(root, reader),
            context: None,
            questions: questions(root, reader),
            limit_ms: Some(limit(root, setting, reader)),
            metadata: None,
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        reply::write(word, record_reply, refused)
    }
}

fn questions(root: &Object<'_>, reader: &mut ProblemCollector) -> Vec<Question> {
    let Some(value) = root.get("questions") else {
        reader.refuse("questions", NO_QUESTION);
        return Vec::new();
    };
    let Some(items) = lenient::list(value, "questions", reader) else {
        return Vec::new();
    };
    if items.is_empty() {
        reader.refuse("questions", NO_QUESTION);
    }
    if items.len() > MAX_QUESTIONS {
        reader.refuse("questions", TOO_MANY_QUESTIONS);
        return Vec::new();
    }
    let mut questions = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("questions[{at}]");
        match Object::from_json(item, &*path) {
            Some(object) => questions.push(question(&object, reader)),
            None => reader.refuse(path, format!("must be an object, not {}", json::kind(item))),
        }
    }
    let given = questions
        .iter()
        .map(|question| (!question.id.is_empty()).then(|| question.id.clone()));
    let ids = lenient::ids(given.collect(), |at, attempt| {
        generated(&questions[at].text, at, attempt)
    });
    questions
        .into_iter()
        .zip(ids)
        .map(|(question, id)| Question { id, ..question })
        .collect()
}

fn question(object: &Object<'_>, reader: &mut ProblemCollector) -> Question {
    Question {
        id: lenient::given_id(object, &["id"], reader).unwrap_or_default(),
        text: text(object, reader),
        label: None,
        input: input(object, reader),
        required: object.flag(&["required"], reader).unwrap_or(true),
        placeholder: lenient::visible(object.text(&["placeholder"], MAX_LABEL, reader)),
        default: None,
    }
}

fn text(object: &Object<'_>, reader: &mut ProblemCollector) -> String {
    let path = object.path_of("question");
    let text = match object.get("question") {
        None => "".into(),
        Some(value) => match json::words(value) {
            Some(text) => text,
            None => {
                reader.refuse(path, format!("must be a string, not {}", json::kind(value)));
                return String::new();
            }
        },
    };
    if !lenient::is_visible(&text) {
        reader.refuse(path, NO_TEXT);
    } else if longer(&text, MAX_QUESTION) {
        reader.refuse(path, "question text exceeds maximum of 1000 characters");
        return String::new();
    }
    text.into_owned()
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let names = ["options"];
    let (choices, are_suggested) =
        lenient::choices_or_suggestions(object, &names, Doubles::Number, reader);
    let offered = object
        .get("options")
        .is_some_and(|value| !value.as_array().is_some_and(Vec::is_empty));
    match lenient::question_type(object, lenient::TYPES, reader) {
        None => lenient::pick_input(choices, false),
        Some(Type::Text) if are_suggested => lenient::pick_input(choices, false),
        Some(Type::Text) => Input::Text,
        Some(Type::Confirm) => Input::Confirm,
        Some(kind @ (Type::One | Type::Many)) => {
            if !offered && !are_suggested {
                reader.refuse(object.path_of("options"), NO_OPTIONS);
            }
            lenient::pick_input(choices, kind == Type::Many)
        }
    }
}

fn title(root: &Object<'_>, reader: &mut ProblemCollector) -> Option<String> {
    let title = root.text(&["title"], usize::MAX, reader)?;
    if longer(&title, MAX_TITLE) {
        reader.refuse("title", "exceeds maximum of 100 characters");
        return None;
    }
    lenient::visible(Some(title))
}

fn limit(root: &Object<'_>, setting: &Setting, reader: &mut ProblemCollector) -> u64 {
    let default = setting.limit_ms.unwrap_or(DEFAULT_LIMIT_MS);
    let Some(ms) = root.number("timeout", reader) else {
        return default;
    };
    if !LIMIT_MS.contains(&ms) {
        reader.refuse("timeout", "must be from 10000 to 1800000 milliseconds");
    }
    u64::try_from(ms).unwrap_or(default)
}

/// Whether a text has more than `most` UTF-16 units. JavaScript and the specification's validator
/// count in these.
fn longer(text: &str, most: usize) -> bool {
    text.encode_utf16().nth(most).is_some()
}

/// `q_` and six hexadecimal digits: the same for the same question, so that a call that is made again
/// asks the same, and different for each question of a call.
fn generated(text: &str, at: usize, attempt: u64) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let numbers = at.to_le_bytes().into_iter().chain(attempt.to_le_bytes());
    for byte in numbers.chain(text.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("q_{:06x}", (hash ^ (hash >> 32)) & 0x00ff_ffff)
}

fn refused(refusal: &Refusal) -> String {
    let mut said: Vec<String> = Vec::with_capacity(refusal.problems.len());
    for problem in &refusal.problems {
        let words = if SENTENCES.contains(&problem.problem.as_str()) {
            problem.problem.clone()
        } else {
            problem.to_string()
        };
        if !said.contains(&words) {
            said.push(words);
        }
    }
    format!("Validation error: {}", said.join("; "))
}

fn record_reply(record: &Record) -> Reply {
    let Some(settlement) = record.settlement() else {
        return reply::with_record(record, open(record));
    };
    let mut out = head(&settlement.outcome);
    match &settlement.outcome {
        Outcome::Answered(answered) => {
            let answers = record
                .ask
                .questions
                .iter()
                .zip(answered.answers())
                .map(answer);
            out.insert("answers".into(), answers.collect());
            reply::put(&mut out, "note", answered.note());
        }
        Outcome::Declined { reason } => reply::put(&mut out, "reason", reason.as_deref()),
        Outcome::Clarify { words } => reply::put(&mut out, "clarify", Some(words)),
        Outcome::Expired => {}
        Outcome::Withdrawn => {
            out.insert("withdrawn".into(), true.into());
        }
    }
    reply::with_record(record, Json::Object(out))
}

/// The specification's four keys, in its order.
fn head(outcome: &Outcome) -> Map<String, Json> {
    let mut out = Map::new();
    out.insert(
        "answered".into(),
        matches!(outcome, Outcome::Answered(_)).into(),
    );
    out.insert(
        "cancelled".into(),
        matches!(outcome, Outcome::Declined { .. }).into(),
    );
    out.insert(
        "timedOut".into(),
        matches!(outcome, Outcome::Expired).into(),
    );
    out.insert("answers".into(), json!([]));
    out
}

fn open(record: &Record) -> Json {
    json!({
        "answered": false,
        "cancelled": false,
        "timedOut": false,
        "answers": [],
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": reply::STILL_OPEN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_limit_is_clamped_and_nonsense_is_ignored() {
        for (text, taken) in [
            ("60000", 60_000),
            (" 10000 ", 10_000),
            ("1800000", 1_800_000),
        ] {
            assert_eq!(read_default_limit(text), (Some(taken), None), "{text}");
        }
        for (text, taken) in [
            ("300", 10_000),
            ("0", 10_000),
            ("-5", 10_000),
            ("1800001", 1_800_000),
            ("99999999999999999999", 1_800_000),
            ("-99999999999999999999", 10_000),
        ] {
            let (limit, problem) = read_default_limit(text);
            assert_eq!(limit, Some(taken), "{text}");
            let problem = problem.expect("a problem is returned");
            assert!(
                problem.contains(&format!("so {taken} ms are taken")),
                "{problem}"
            );
        }
        for text in ["", "abc", "5m", "-", "1e5", "1.5"] {
            let (limit, problem) = read_default_limit(text);
            assert_eq!(limit, None, "{text}");
            let problem = problem.expect("a problem is returned");
            assert!(problem.contains("is ignored"), "{problem}");
        }
    }
}
