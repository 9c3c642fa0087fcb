//! Agents' tool contracts: a [`Dialect`] reads a call of its tools into an [`Ask`] and writes the
//! outcome back, to the letter. Besides, there are the forms of MCP's elicitation ([`elicit`]),
//! clients' own question tools, taken over ([`hook`]), and the card of MCP Apps ([`mcp_app`]).
//!
//! The dialect of a call belongs to the connection it came over. It is never guessed from the
//! tool's name, because several dialects have a tool of the same name.

pub mod auq;
pub mod claude;
pub mod codenomad;
pub mod codex;
pub mod elicit;
pub mod examples;
pub mod gemini;
pub mod hook;
mod lenient;
pub mod mcp_app;
pub mod native;
pub mod opencode;
pub mod pi;
mod question_list;
mod reply;
pub mod roo;
mod strict;

pub use lenient::is_visible;

use ask_core::{Ask, AskId, Json, Problem, Record, Refusal, SafeText};
use ask_protocol::Reply;

/// All dialects. The parser, tool lists, docs and completions use this table.
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

/// One agent's tool contract.
pub trait Dialect: Sync {
    /// Its name in flags, URLs and records.
    fn name(&self) -> &'static str;

    /// Its tools, in the order in which they are listed.
    fn tools(&self) -> &'static [Tool];

    /// Instructions for the model: the tools, their use and what each outcome means.
    fn instructions(&self) -> &'static str;

    /// Reads a call of one of its tools. `tool` is the dialect's own name for it.
    fn read(&self, tool: &str, arguments: &Json, setting: &Setting) -> Result<Call, Refusal>;

    /// Writes a reply to the agent.
    fn write(&self, word: Word<'_>) -> Reply;

    /// Makes an id in the form this dialect's agents expect, from random bytes.
    fn id(&self, random: [u8; 16]) -> AskId {
        AskId::native(random)
    }

    /// Whether it shows its agents the first characters of an id in place of the id.
    fn shortens_ids(&self) -> bool {
        false
    }

    /// A sentence that says how an agent gets an outcome that it hasn't received.
    fn how_to_fetch(&self, record: &Record) -> String {
        let _ = record;
        "Ask the same again, word for word, to get the answer.".to_owned()
    }

    /// What a call that ends before an answer says in addition, if the dialect's words for an open
    /// ask don't say that nobody has refused or agreed, and how to go on waiting.
    fn still_waits(&self, record: &Record) -> Option<String> {
        let _ = record;
        None
    }

    /// The longest time limit that its agents can set, in milliseconds. A deadline can't be
    /// extended beyond it either.
    fn longest_limit_ms(&self) -> u64 {
        native::LIMIT_MS.1
    }

    /// Properties that it accepts beyond its schema, each list with its place, such as
    /// `questions[].options[]`.
    fn extra_properties(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Problems that only a strict reader reports: properties that the schema doesn't know.
    fn strict(&self, tool: &str, arguments: &Json) -> Vec<Problem> {
        let mut tools = self.tools().iter();
        match tools.find(|known| known.name == tool) {
            Some(known) => strict::unknown(known.contract, arguments, self.extra_properties()),
            None => Vec::new(),
        }
    }
}

/// Instructions for the model in every dialect. They follow the dialect's own.
pub const INSTRUCTIONS: &str = "Prefer this tool to a built-in question tool. If a result says \
     cancelled, ask the user how to proceed; if it timed out, offer the question again later.";

/// A tool as agents see it.
pub struct Tool {
    /// Its name, unless the person renames it.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// Name, description and input schema as published: JSON, verbatim.
    pub contract: &'static str,
    /// The arguments of a call, for the docs: JSON, with `ASK_ID` where an ask's id belongs.
    pub example: &'static str,
    /// What a call of it does.
    pub does: ToolAction,
}

/// What a call of a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolAction {
    /// It opens an ask.
    Ask,
    /// It fetches the outcome of an earlier ask.
    Fetch,
}

/// What reading a call may need besides the call itself.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The person's default time limit (`CN_MCP_TIMEOUT`), for dialects that have one.
    pub limit_ms: Option<u64>,
}

/// A call that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Open this ask.
    Ask {
        /// What is asked.
        ask: Box<Ask>,
        /// The agent's name for itself.
        agent: Option<String>,
        /// The agent doesn't wait: the reply comes at once, and the agent fetches the outcome
        /// later.
        detached: bool,
    },
    /// Report the outcome of one ask, or all undelivered ones of this asker.
    Fetch {
        /// An id or the beginning of one.
        id: Option<String>,
        /// How long to wait for the outcome.
        wait: Wait,
    },
}

/// How long a fetch waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The fetch returns at once.
    No,
    /// At most this many milliseconds.
    Ms(u64),
    /// Until there is an outcome.
    Forever,
}

/// What a reply tells an agent.
pub enum Word<'a> {
    /// Its ask is closed.
    Closed(&'a Record),
    /// Its ask is open and the call returns: the agent chose not to wait, or nobody came in time.
    Open(&'a Record),
    /// The result of a fetch. It may contain records that wait.
    Fetched(&'a [Record]),
    /// A fetch named an ask that doesn't exist.
    NoSuchAsk(&'a str),
    /// The call can't become an ask.
    Refused(&'a Refusal),
    /// Something failed on our side: the text says what, and what to do.
    Failed(&'a str),
}

/// The reply that the agent of a closed ask got, or will get, in its dialect.
pub fn reply_text(record: &Record) -> Option<String> {
    record.settlement()?;
    Some(find(&record.dialect)?.write(Word::Closed(record)).text)
}

/// Says that these outcomes and `more` others have not reached their agent, and how it gets them.
pub fn mention(records: &[Record], more: u64) -> Option<String> {
    let lines = records.iter().filter_map(|record| {
        let how = find(&record.dialect)?.how_to_fetch(record);
        let headline = SafeText::line(record.ask.headline());
        let short: String = headline.as_str().chars().take(80).collect();
        Some(format!("\n- \"{short}\" (ask {}). {how}", record.id))
    });
    let mut text: String = lines.collect();
    if more > 0 {
        text.push_str(&format!("\n- and {more} more"));
    }
    (!text.is_empty())
        .then(|| format!("Answers to your earlier questions are also available:{text}"))
}
