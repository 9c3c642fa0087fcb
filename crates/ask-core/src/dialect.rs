//! Agents' wordings: a [`Dialect`] reads a tool call into an [`Ask`] and writes
//! what became of it back, to the letter.
//!
//! JSON is read and written under this module and nowhere else. The dialect of a
//! call belongs to the connection it came over and is never guessed from the
//! tool's name, because several dialects own a tool of the same name.

pub mod api;
pub mod app;
pub mod auq;
pub mod bridge;
pub mod claude;
pub mod codenomad;
pub mod codex;
pub mod elicit;
pub mod form;
mod frame;
pub mod gemini;
pub mod hook;
pub mod json;
mod liberal;
pub mod lines;
pub mod native;
pub mod notice;
pub mod opencode;
pub mod pi;
mod reply;
pub mod roo;
mod strict;
pub mod wire;

use std::fmt;

use crate::ask::Ask;
use crate::attachment::Attachment;
use crate::id::AskId;
use crate::plain::Plain;
use crate::record::Record;

pub use serde_json::Value as Json;

/// Every dialect there is. Parser, tool lists, docs and completions come from this table.
pub static DIALECTS: &[&dyn Dialect] = &[
    &native::Native,
    &codenomad::Codenomad,
    &auq::Auq,
    &claude::Claude,
    &pi::Pi,
    &gemini::Gemini,
    &codex::Codex,
    &opencode::Opencode,
    &roo::Roo,
];

/// Looks a dialect up by name.
pub fn find(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS
        .iter()
        .copied()
        .find(|dialect| dialect.name() == name)
}

/// One agent's wording.
pub trait Dialect: Sync {
    /// Its name in flags, URLs and records.
    fn name(&self) -> &'static str;

    /// The tools it owns, in the order they are listed.
    fn tools(&self) -> &'static [Tool];

    /// What a model is told about the tools, their use and what each outcome means.
    fn instructions(&self) -> &'static str;

    /// Reads a call of one of its tools. `tool` is the dialect's own name of it.
    fn read(&self, tool: &str, arguments: &Json, setting: &Setting) -> Result<Call, Refusal>;

    /// Writes what there is to tell the agent.
    fn write(&self, word: Word<'_>) -> Reply;

    /// Makes an id in the form this dialect's agents expect, from random bytes.
    fn id(&self, random: [u8; 16]) -> AskId {
        AskId::native(random)
    }

    /// How an agent comes by an outcome that it hasn't been told, as a sentence.
    fn how_to_fetch(&self, record: &Record) -> String {
        let _ = record;
        "Ask the same again, word for word, to get the answer.".to_owned()
    }

    /// What a call that ends before its person has answered says besides, where the words for an
    /// open ask don't say that nobody has refused or agreed, and how to go on waiting.
    fn still_waits(&self, record: &Record) -> Option<String> {
        let _ = record;
        None
    }

    /// The longest time limit that its agents can set, in milliseconds. More time than that is not to
    /// be had either.
    fn longest_limit_ms(&self) -> u64 {
        native::LIMIT_MS.1
    }

    /// Properties that it takes besides its schema: at a place such as `questions[].options[]`,
    /// these.
    fn also(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Problems that only a strict reader minds: properties that the schema doesn't know.
    fn strict(&self, tool: &str, arguments: &Json) -> Vec<Problem> {
        let mut tools = self.tools().iter();
        match tools.find(|known| known.name == tool) {
            Some(known) => strict::unknown(known.contract, arguments, self.also()),
            None => Vec::new(),
        }
    }
}

/// A tool as agents see it.
pub struct Tool {
    /// Its name, unless the person renames it.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// Name, description and input schema as published: JSON, verbatim.
    pub contract: &'static str,
    /// What a call of it does.
    pub does: Does,
}

/// What a call of a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Opens an ask.
    Ask,
    /// Fetches the outcome of an earlier one.
    Fetch,
}

/// What a reader may need besides the call itself.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The person's choice of default time limit (`CN_MCP_TIMEOUT`), where a dialect has a clock.
    pub limit_ms: Option<u64>,
    /// Random bytes, for question ids that the caller left out.
    pub random: [u8; 16],
}

/// A call, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Open this ask.
    Ask {
        /// What is asked.
        ask: Box<Ask>,
        /// What the agent calls itself.
        agent: Option<String>,
        /// The agent doesn't wait: reply at once and let it fetch the outcome later.
        detached: bool,
    },
    /// Tell the outcome of one ask, or of all undelivered ones of this asker.
    Fetch {
        /// An id or the beginning of one.
        id: Option<String>,
        /// How long to wait for it: not at all, so many milliseconds, or until it is there.
        wait: Wait,
    },
}

/// How long a fetch waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Not at all.
    No,
    /// So many milliseconds.
    Ms(u64),
    /// Until there is an outcome.
    Forever,
}

/// What there is to tell an agent.
pub enum Word<'a> {
    /// How its ask ended.
    Closed(&'a Record),
    /// Its ask is open and it need not wait: it chose not to, or nobody came within its patience.
    Open(&'a Record),
    /// What a fetch found. Waiting records are among them.
    Fetched(&'a [Record]),
    /// A fetch named an ask that doesn't exist.
    NoSuchAsk(&'a str),
    /// The call can't become an ask.
    Refused(&'a Refusal),
    /// Something of ours failed: what, and what to do.
    Failed(&'a str),
}

/// A tool result, before any protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The text item.
    pub text: String,
    /// The same as a value, where the dialect's reply is JSON.
    pub structured: Option<Json>,
    /// Whether the agent must read it as an error.
    pub is_error: bool,
    /// Facts the dialect has no word for, under `ask-user/…` keys.
    pub meta: Vec<(&'static str, Json)>,
    /// What else the agent should know: another text item. The value is then left out, because
    /// some clients show nothing else where there is one.
    pub mention: Option<String>,
    /// The files that its person attached. They are named in a text item of their own, and images
    /// are shown after it, as far as their bytes are there.
    pub files: Vec<Shown>,
}

/// A file in a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it belongs to: the question, shortened.
    pub of: String,
    /// It.
    pub file: Attachment,
    /// Its bytes, where the agent is shown them.
    pub bytes: Option<Vec<u8>>,
}

/// Why a call can't become an ask. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Everything that is wrong, in the order of the call.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a call, phrased so that an agent can mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, as in `questions[0].options[1].label`; empty for the call as a whole.
    pub path: String,
    /// What, without the path.
    pub problem: String,
}

impl Reply {
    /// A text that is no error.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            structured: None,
            is_error: false,
            meta: Vec::new(),
            mention: None,
            files: Vec::new(),
        }
    }

    /// A text that is one.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// A value, as text and as itself.
    pub fn json(value: Json) -> Self {
        Self {
            structured: Some(value.clone()),
            ..Self::text(value.to_string())
        }
    }

    /// With the facts about the ask that it is about.
    #[must_use]
    pub fn of(self, record: &Record) -> Self {
        reply::with_facts(record, self)
    }

    /// Its files by name, with where they are: for agents that are shown no images, and as captions
    /// for those that are.
    pub fn names_files(&self) -> Option<String> {
        reply::names_files(&self.files)
    }

    /// The whole of it as one line of JSON, in the shape of MCP's tool results.
    pub fn result(self) -> String {
        reply::result(self)
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl Problem {
    /// What is wrong, and where.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.problem)
        } else {
            write!(formatter, "{}: {}", self.path, self.problem)
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                formatter.write_str("; ")?;
            }
            problem.fmt(formatter)?;
        }
        Ok(())
    }
}

/// At most so many outcomes are named in a mention.
const NAMED: usize = 5;

/// That these outcomes have not reached their agent, and how it gets them.
pub fn mention(records: &[Record]) -> Option<String> {
    let lines: Vec<String> = records
        .iter()
        .filter_map(|record| {
            let how = find(&record.dialect)?.how_to_fetch(record);
            let headline = Plain::line(record.ask.headline());
            let short: String = headline.as_str().chars().take(80).collect();
            Some(format!("\n- \"{short}\" (ask {}). {how}", record.id))
        })
        .collect();
    let more = lines.len().saturating_sub(NAMED);
    let named = lines.iter().take(NAMED).map(String::as_str);
    let mut text: String = named.collect();
    if more > 0 {
        text.push_str(&format!("\n- and {more} more"));
    }
    (!text.is_empty()).then(|| {
        format!(
            "Besides, the user has responded to what you asked earlier and were not told yet:{text}"
        )
    })
}

/// The compact text of a value.
pub fn json_text(value: &Json) -> String {
    value.to_string()
}

/// The value of a text that this project wrote itself.
pub fn text_json(text: &str) -> Result<Json, form::Malformed> {
    serde_json::from_str(text).map_err(|error| form::Malformed(error.to_string()))
}
