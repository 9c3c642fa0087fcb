//! Clients' own question tools, taken over: the messages that a client writes to `ask-user hook
//! NAME` on standard input, and the replies on standard output.
//!
//! A message that can't be understood leaves the question to the client's own dialog: a hook may
//! answer in the person's words, and must never stand in their way.

mod claude_code;
mod opencode;

use ask_core::ask::{Ask, Question};
use ask_core::draft::{Answer, Draft, Gaps};
use ask_core::record::Record;
use ask_core::{Json, json};
use ask_protocol::ipc::Verdict;

/// Every client whose question tool can be taken over.
pub static HOOKS: &[&dyn Hook] = &[&claude_code::ClaudeCode, &opencode::Opencode];

/// Looks a hook up by name.
pub fn find(name: &str) -> Option<&'static dyn Hook> {
    HOOKS.iter().copied().find(|hook| hook.name() == name)
}

/// Whether an ask was taken over from its client's own tool, and can be handed back. An ask of the
/// same client over MCP has the client's version, and is no such ask.
pub fn took(record: &Record) -> bool {
    let by = record.asker.client.as_deref().and_then(find);
    let taken = by.is_some_and(|hook| hook.dialect() == record.dialect);
    taken && record.asker.version.is_none()
}

/// How one client hands its questions over.
pub trait Hook: Sync {
    /// Its name on the command line. It is also the client's name in records, and the surface of
    /// its outcomes.
    fn name(&self) -> &'static str;

    /// The dialect in which its asks are stored.
    fn dialect(&self) -> &'static str;

    /// Whether the client keeps talking: then each line is a message. Otherwise the whole input is
    /// one.
    fn is_lines(&self) -> bool;

    /// The event of a message, or why it has none.
    fn read(&self, text: &str) -> Result<HookEvent, String>;

    /// The reply to the client once the ask is closed. `None` leaves the question to its own
    /// dialog.
    fn write(&self, asked: &Asked, record: &Record) -> Option<String>;
}

/// An event that a client reports.
#[derive(Debug)]
pub enum HookEvent {
    /// The client's agent asks a question.
    Asked(Box<Asked>),
    /// The person has met the question in the client's own dialog.
    Closed(Closed),
    /// The person has met this question there, and the hook that waited for it has gone.
    Overtaken(Box<Asked>, Closed),
}

/// A question that a client hands over.
#[derive(Debug)]
pub struct Asked {
    /// What is asked.
    pub ask: Ask,
    /// The client's session.
    pub session: Option<String>,
    /// The directory it works in, if the client says so.
    pub directory: Option<String>,
    /// The agent's name for itself, if it is not the client's only one.
    pub agent: Option<String>,
    /// The message, since the reply repeats parts of it to the letter.
    message: Json,
}

/// How the client's own dialog was closed.
#[derive(Debug, PartialEq, Eq)]
pub enum Closed {
    /// With these texts, a list for each question.
    Answered(Vec<Vec<String>>),
    /// The person gave no answers.
    Dismissed,
}

impl Closed {
    /// The verdict on the ask that this means.
    pub fn verdict(&self, ask: &Ask) -> Verdict {
        match self {
            Self::Answered(texts) => answered(ask, texts),
            Self::Dismissed => Verdict::Decline { reason: None },
        }
    }
}

/// The answers in texts: labels are picks, other texts are the person's own words.
fn answered(ask: &Ask, texts: &[Vec<String>]) -> Verdict {
    let answer = |(question, texts): (&Question, &Vec<String>)| {
        let mut answer = Answer::default();
        let mut own: Vec<&str> = Vec::new();
        for text in texts {
            let count = question.input.len();
            let pick = (0..count).find(|&pick| question.input.label(pick) == Some(text));
            match pick {
                Some(pick) if answer.picks.is_empty() || question.input.is_many() => {
                    answer.picks.push(pick);
                }
                Some(_) | None => own.push(text),
            }
        }
        answer.own = (!own.is_empty()).then(|| own.join(", "));
        answer
    };
    let answers = ask.questions.iter().zip(texts).map(answer).collect();
    let draft = Draft {
        answers,
        note: None,
    };
    // A dialog that was sent empty answers nothing.
    match draft.clone().finish(ask, Gaps::Send) {
        Ok(_) => Verdict::Answer {
            draft,
            gaps: Gaps::Send,
        },
        Err(_) => Verdict::Decline { reason: None },
    }
}

fn message(text: &str) -> Result<Json, String> {
    let message = json::parse(text).map_err(|problem| problem.to_string())?;
    if message.is_object() {
        Ok(message)
    } else {
        Err(format!("must be an object, not {}", json::kind(&message)))
    }
}

fn text(message: &Json, key: &str) -> Option<String> {
    let text = message.get(key)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
