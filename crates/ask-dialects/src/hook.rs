//! Clients' own question tools, taken over: what a client says to `ask-user
//! hook NAME` on standard input, and what it is told on standard output.
//!
//! Whatever can't be understood leaves the client to its own dialog: a hook has
//! the right to answer in the person's words, never to stand in their way.

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

/// Whether an ask was taken over from its client's own tool, and can be given back to it. What the
/// same client asks over MCP says which version it is.
pub fn took(record: &Record) -> bool {
    let by = record.asker.client.as_deref().and_then(find);
    let taken = by.is_some_and(|hook| hook.dialect() == record.dialect);
    taken && record.asker.version.is_none()
}

/// One client's way of handing its questions over.
pub trait Hook: Sync {
    /// Its name on the command line; the client's name in records, and the surface it signs with.
    fn name(&self) -> &'static str;

    /// The dialect that its asks are kept in.
    fn dialect(&self) -> &'static str;

    /// Whether the client goes on talking: then each line is a message, else the whole input is one.
    fn is_lines(&self) -> bool;

    /// What a message means, or why it means nothing to us.
    fn read(&self, text: &str) -> Result<HookEvent, String>;

    /// What the client is told once the ask is closed. `None` leaves it to its own dialog.
    fn write(&self, asked: &Asked, record: &Record) -> Option<String>;
}

/// What a client says.
#[derive(Debug)]
pub enum HookEvent {
    /// Its agent asks.
    Asked(Box<Asked>),
    /// The person has met the question in the client's own dialog.
    Closed(Closed),
    /// The person has met this question there, and whoever waited for it has gone.
    Overtaken(Box<Asked>, Closed),
}

/// A question that a client hands over.
#[derive(Debug)]
pub struct Asked {
    /// What is asked.
    pub ask: Ask,
    /// The client's session.
    pub session: Option<String>,
    /// The directory it works in, where it says so.
    pub directory: Option<String>,
    /// What the agent calls itself, where it is not the client's only one.
    pub agent: Option<String>,
    /// The message, since what is told repeats parts of it to the letter.
    message: Json,
}

/// How the client's own dialog was left.
#[derive(Debug, PartialEq, Eq)]
pub enum Closed {
    /// With these texts, a list for each question.
    Answered(Vec<Vec<String>>),
    /// Without answers.
    Dismissed,
}

impl Closed {
    /// The same as a verdict on the ask.
    pub fn verdict(&self, ask: &Ask) -> Verdict {
        match self {
            Self::Answered(texts) => answered(ask, texts),
            Self::Dismissed => Verdict::Decline { reason: None },
        }
    }
}

/// Texts that are labels are picks, others are the person's own words.
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
    // A dialog that was sent empty has answered nothing.
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
