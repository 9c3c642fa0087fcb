//! The pending-questions file of print mode. It is written for a person to edit, and read back
//! afterwards.

use serde_json::{Map, json};

use ask_core::ask::{Ask, Question};
use ask_core::draft::Draft;
use ask_core::record::Record;
use ask_core::time::Time;
use ask_core::{Json, Problem, json};
use ask_protocol::{answers, escape, native, to_json};

/// Writes the file of an open ask.
pub fn write_pending(record: &Record, timestamp: Time) -> String {
    let questions: Vec<Json> = record
        .ask
        .questions
        .iter()
        .map(|question| {
            let mut out = Map::new();
            out.insert("question".into(), question.text.as_str().into());
            if !question.input.is_empty() {
                let labels =
                    (0..question.input.len()).filter_map(|pick| question.input.label(pick));
                out.insert("options".into(), labels.collect());
            }
            if question.input.is_many() {
                out.insert("multiSelect".into(), true.into());
            }
            out.insert("answer".into(), Json::Null);
            Json::Object(out)
        })
        .collect();
    let file = json!({
        "sessionId": record.id.as_str(),
        "timestamp": timestamp.to_string(),
        "questions": questions,
    });
    escape(format!("{file:#}\n"))
}

/// Reads the file back: `None` while nothing in it is answered.
pub fn read_pending(ask: &Ask, text: &str) -> Result<Option<Draft>, Problem> {
    let file = json::parse(text)?;
    let questions = file.get("questions").unwrap_or(&file);
    let Some(questions) = questions.as_array() else {
        return Err(Problem::new(
            "questions",
            "must be an array of the questions, each with its answer",
        ));
    };
    let answers = in_order(ask, questions)?;
    if answers.iter().all(is_blank) {
        return Ok(None);
    }
    let draft = answers::parse(ask, &Json::Array(answers));
    draft.map(Some).map_err(|problem| Problem {
        path: problem.path.replacen("answers", "questions", 1),
        ..problem
    })
}

/// Checks that a file shows what was asked, in the same order. Whoever answers by numbers or words of
/// their own, and not in the file, has read that. A file that can't be parsed shows nothing.
///
/// # Errors
/// Something else is in the file.
pub fn check_pending(ask: &Ask, text: &str) -> Result<(), Problem> {
    let file = json::parse(text).unwrap_or_default();
    let entries = file.get("questions").unwrap_or(&file).as_array();
    for (at, entry) in entries.into_iter().flatten().enumerate() {
        let refuse = |key: &str, what| Err(Problem::new(format!("questions[{at}]{key}"), what));
        let Some(question) = ask.questions.get(at) else {
            return refuse("", "is one more than there are questions");
        };
        let text = entry.get("question").and_then(Json::as_str);
        if text.is_some_and(|text| text != question.text && !is_shortened(text, &question.text)) {
            return refuse(".question", "is not what was asked here: restore it");
        }
        if !shows_options(entry, question) {
            return refuse(".options", "are not those that were offered: restore them");
        }
    }
    Ok(())
}

/// Whether the options of an entry, if it has any, are those of the question.
fn shows_options(entry: &Json, question: &Question) -> bool {
    let labels = (0..question.input.len()).filter_map(|pick| question.input.label(pick));
    let label = |option: &Json| {
        option
            .get("label")
            .unwrap_or(option)
            .as_str()
            .map(str::to_owned)
    };
    match entry.get("options") {
        None | Some(Json::Null) => true,
        Some(options) => options.as_array().is_some_and(|options| {
            let shown = options.iter().map(label);
            shown.eq(labels.map(|label| Some(label.to_owned())))
        }),
    }
}

/// The answers in the order of the ask's questions. An answer belongs to the question above it, which
/// may be cut short, or without one to the question at its place. The options must be those that were
/// offered: a person answers what they read.
fn in_order(ask: &Ask, entries: &[Json]) -> Result<Vec<Json>, Problem> {
    let mut answers = vec![Json::Null; ask.questions.len()];
    for (at, entry) in entries.iter().enumerate() {
        let Some(answer) = entry.get("answer").filter(|answer| !is_blank(answer)) else {
            continue;
        };
        let refuse = |key: &str, what| Err(Problem::new(format!("questions[{at}]{key}"), what));
        let place = match entry.get("question") {
            None | Some(Json::Null) => at,
            Some(text) => match text.as_str().and_then(|text| place_of(ask, text, at)) {
                Some(place) => place,
                None => {
                    return refuse(
                        ".question",
                        "is not a question that was asked: restore it, or remove this line",
                    );
                }
            },
        };
        let Some(question) = ask.questions.get(place) else {
            return refuse("", "is one answer more than there are questions");
        };
        if !is_blank(&answers[place]) {
            return refuse(".question", "is answered twice: remove one of the two");
        }
        if !shows_options(entry, question) {
            return refuse(
                ".options",
                "are not those that were offered: restore them, or remove this line",
            );
        }
        answers[place] = answer.clone();
    }
    Ok(answers)
}

/// The place of the question that a text names, word for word or cut short: the place of the text
/// itself if that fits, or else the only one that does.
fn place_of(ask: &Ask, text: &str, at: usize) -> Option<usize> {
    let find = |fits: &dyn Fn(&Question) -> bool| {
        if ask.questions.get(at).is_some_and(fits) {
            return Some(at);
        }
        let questions = ask.questions.iter().enumerate();
        let mut places = questions.filter(|(_, question)| fits(question));
        let (place, _) = places.next()?;
        places.next().is_none().then_some(place)
    };
    find(&|question| question.text == text)
        .or_else(|| find(&|question| is_shortened(text, &question.text)))
}

/// Whether a text has only words of a question, in their order: a person has cut it short.
fn is_shortened(text: &str, question: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (kept, asked) = (words(text), words(question));
    let mut asked = asked.iter();
    !kept.is_empty() && kept.iter().all(|word| asked.any(|other| other == word))
}

/// Whether nothing is filled in. A file that can't be parsed may contain anything, unless it is
/// empty.
pub fn is_blank_pending(text: &str) -> bool {
    let Ok(file) = json::parse(text) else {
        return text.trim().is_empty();
    };
    let questions = file.get("questions").unwrap_or(&file).as_array();
    questions.is_some_and(|questions| {
        questions
            .iter()
            .all(|question| question.get("answer").is_none_or(is_blank))
    })
}

/// The content of a file for programs: the ask that it belongs to and what is filled in, or why
/// that can't be read.
pub fn show_pending(
    path: &str,
    record: Option<&Record>,
    filled: Result<Option<&Draft>, &Problem>,
) -> Json {
    let mut out = Map::new();
    out.insert("file".into(), path.into());
    if let Some(record) = record {
        out.insert("ask".into(), to_json(&native::Record::from(record)));
    }
    match filled {
        Ok(Some(draft)) => drop(out.insert("filled".into(), to_json(&native::Draft::from(draft)))),
        Ok(None) => {}
        Err(problem) => drop(out.insert("problem".into(), problem.to_string().into())),
    }
    Json::Object(out)
}

/// The id of the ask that a file belongs to, if the file has it. The rest may be broken.
pub fn pending_id(text: &str) -> Option<String> {
    Some(json::field(text, "sessionId")?.as_str()?.to_owned())
}

/// Whether a file has the questions of this ask, word for word.
pub fn is_pending_for(ask: &Ask, text: &str) -> bool {
    let Ok(file) = json::parse(text) else {
        return false;
    };
    let Some(questions) = file.get("questions").and_then(Json::as_array) else {
        return false;
    };
    let asked = questions.iter().map(|question| question.get("question"));
    let ours = ask.questions.iter().map(|question| question.text.as_str());
    asked
        .map(|text| text.and_then(Json::as_str))
        .eq(ours.map(Some))
}

/// What an agent in print mode reads, and its person through it.
pub fn pending_instructions(path: &str) -> String {
    format!(
        "Questions pending. User input required.\n\n\
         To answer, re-run with:\n  pi -p @{path} \"your answers\"\n\n\
         Or edit the JSON file and run:\n  pi -c\n\n\
         Questions saved to: {path}"
    )
}

fn is_blank(answer: &Json) -> bool {
    match answer {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => false,
    }
}
