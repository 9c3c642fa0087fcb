//! The `auq` dialect of AUQ's `ask_user_questions`: one to five choice questions, replies as text,
//! and a second tool, which fetches the answers to questions that were asked without waiting.

mod parse;

use crate::{Call, Dialect, Setting, Tool, ToolAction, Word, lenient, reply};
use ask_core::ask::{Input, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::id::AskId;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::{Json, Problem, Refusal, json};
use ask_protocol::Reply;

/// The `auq` dialect.
///
/// Decided here: an ask-back replaces the answer to every question, since it concerns the whole
/// set; a note is a line of its own after the answer; an unanswered question always has its line;
/// an ask that ended without the person reads `timed_out`, whoever ended it; several fetched asks
/// follow one another.
pub struct Auq;

static TOOLS: [Tool; 2] = [
    Tool {
        name: "ask_user_questions",
        title: "Ask the user questions",
        contract: include_str!("auq.ask_user_questions.tool.json"),
        example: include_str!("auq.ask_user_questions.call.json"),
        does: ToolAction::Ask,
    },
    Tool {
        name: "get_answered_questions",
        title: "Get the user's answers",
        contract: include_str!("auq.get_answered_questions.tool.json"),
        example: include_str!("auq.get_answered_questions.call.json"),
        does: ToolAction::Fetch,
    },
];

const ELABORATE: &str = "[ELABORATE_REQUEST] This means the user may have additional info, \
    context or questions, or need more details to understand your question. You may exceed the \
    normal length of questions and options only once exceptionally. Provide examples and larger \
    context, use paragraph-style large content on question text.";

impl Dialect for Auq {
    fn name(&self) -> &'static str {
        "auq"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make prompts \
         self-contained, put the recommended option first, marked \"(recommended)\", and batch \
         related questions. A rejected or unanswered question is not consent. \
         [ELABORATE_REQUEST]: explain more, then ask again. Status pending: still open, call \
         get_answered_questions later."
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
            Word::Closed(record) => Reply::text(closed(record)).for_record(record),
            Word::Open(record) => Reply::text(submitted(record)).for_record(record),
            Word::Fetched([]) => Reply::text("There is no answer that you haven't been given."),
            Word::Fetched([record]) => fetched(record),
            Word::Fetched(records) => {
                let replies: Vec<Reply> = records.iter().map(fetched).collect();
                let texts: Vec<String> = replies.iter().map(reply::whole_text).collect();
                reply::with_all(replies, Reply::text(texts.join("\n\n")))
            }
            Word::NoSuchAsk(id) => Reply::error(format!("Session not found: {}", json::brief(id))),
            Word::Refused(refusal) => Reply::error(refused(refusal)),
            Word::Failed(words) => Reply::error(words),
        }
    }

    fn id(&self, random: [u8; 16]) -> AskId {
        AskId::uuid(random)
    }

    fn shortens_ids(&self) -> bool {
        true
    }

    fn still_waits(&self, record: &Record) -> Option<String> {
        Some(format!(
            "{} To go on waiting, call {} with session_id \"{}\" and blocking true.",
            reply::STILL_OPEN,
            TOOLS[1].name,
            record.id
        ))
    }

    fn how_to_fetch(&self, record: &Record) -> String {
        format!("Call {} with session_id \"{}\".", TOOLS[1].name, record.id)
    }
}

fn refused(refusal: &Refusal) -> String {
    let problem = |problem: &Problem| match problem.path.as_str() {
        "" => format!("root: {}", problem.problem),
        _ => problem.to_string(),
    };
    let problems: Vec<String> = refusal.problems.iter().map(problem).collect();
    let tool = if parse::is_fetch_refusal(refusal) {
        1
    } else {
        0
    };
    format!(
        "Tool '{}' parameter validation failed: {}. Please check the parameter types and values \
         according to the tool's schema.",
        TOOLS[tool].name,
        problems.join(", ")
    )
}

/// The reply to the call that asked.
fn closed(record: &Record) -> String {
    let Some(settlement) = record.settlement() else {
        return submitted(record);
    };
    let header = header(
        record,
        &format!("Questions: {}", record.ask.questions.len()),
    );
    match &settlement.outcome {
        Outcome::Answered(answered) => format!("{header}{}", answers(record, answered)),
        Outcome::Clarify { words } => format!("{header}{}", elaborate(record, words)),
        Outcome::Declined { reason } => {
            let reason = match reason {
                Some(reason) => format!("Rejection reason: \"{reason}\""),
                None => "No reason provided.".to_owned(),
            };
            format!("{header}User rejected this question set.\n\n{reason}\n\n")
        }
        Outcome::Expired | Outcome::Withdrawn => inactive(record),
    }
}

/// The reply to a fetch of one ask, with the facts about it.
fn fetched(record: &Record) -> Reply {
    reply::late(record, Reply::text(found(record)).for_record(record))
}

/// The text of a fetched ask.
fn found(record: &Record) -> String {
    let Some(settlement) = record.settlement() else {
        return format!("{}No answers yet.", header(record, "Status: pending"));
    };
    match &settlement.outcome {
        Outcome::Answered(_) | Outcome::Clarify { .. } => closed(record),
        Outcome::Declined { reason } => {
            let header = header(record, "Status: rejected");
            match reason {
                Some(reason) => {
                    format!("{header}User rejected this question set. Reason: \"{reason}\"")
                }
                None => format!("{header}User rejected this question set. No reason provided."),
            }
        }
        Outcome::Expired | Outcome::Withdrawn => inactive(record),
    }
}

fn inactive(record: &Record) -> String {
    format!(
        "{}Session is no longer active.",
        header(record, "Status: timed_out")
    )
}

fn submitted(record: &Record) -> String {
    let short = record.id.short();
    let header = header(
        record,
        &format!(
            "Questions: {} | Status: pending",
            record.ask.questions.len()
        ),
    );
    format!(
        "{header}Questions submitted successfully.\nUse get_answered_questions(session_id=\"{short}\") \
         or `ask-user show {short}` to retrieve answers."
    )
}

fn header(record: &Record, rest: &str) -> String {
    format!("[Session: {} | {rest}]\n\n", record.id.short())
}

fn answers(record: &Record, answered: &Answered) -> String {
    let blocks: Vec<String> = record
        .ask
        .questions
        .iter()
        .zip(answered.answers())
        .enumerate()
        .map(|(at, (question, answer))| block(at, question, answer))
        .collect();
    let note = answered
        .note()
        .map_or_else(String::new, |note| format!("\n\nNote: {note}"));
    format!(
        "Here are the user's answers:\n\n{}{note}",
        blocks.join("\n\n")
    )
}

fn elaborate(record: &Record, words: &str) -> String {
    let note = match words.trim() {
        "" => String::new(),
        _ => format!("\nUser note: {words}"),
    };
    let blocks: Vec<String> = record
        .ask
        .questions
        .iter()
        .enumerate()
        .map(|(at, question)| format!("{}. {}\n{ELABORATE}{note}", at + 1, question.text))
        .collect();
    format!("Here are the user's answers:\n\n{}", blocks.join("\n\n"))
}

fn block(at: usize, question: &Question, answer: &Answer) -> String {
    let mut lines = vec![format!("{}. {}", at + 1, question.text)];
    lines.extend(
        answer
            .picks
            .iter()
            .filter_map(|&pick| picked(&question.input, pick)),
    );
    if let Some(own) = &answer.own {
        lines.push(format!("→ Other: '{}'", own.replace('\'', "\\'")));
    }
    if answer.none {
        lines.push("→ (No selection)".to_owned());
    } else if !answer.is_given() {
        lines.push("→ No answer provided".to_owned());
    }
    if let Some(note) = &answer.note {
        lines.push(format!("Note: {note}"));
    }
    lines.join("\n")
}

fn picked(input: &Input, pick: usize) -> Option<String> {
    let label = input.label(pick)?;
    let description = input
        .choices()
        .get(pick)
        .and_then(|choice| choice.description.as_deref());
    Some(match description {
        Some(description) => format!("→ {label} — {description}"),
        None => format!("→ {label}"),
    })
}
