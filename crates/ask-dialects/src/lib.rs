//! Agents' tool contracts: a [`Dialect`] reads a call of its tools into an [`Ask`] and writes what
//! became of it back, to the letter. Beside them: the forms of MCP's elicitation ([`elicit`]), clients'
//! own question tools, taken over ([`hook`]), and the card of MCP Apps ([`mcp_app`]).
//!
//! The dialect of a call belongs to the connection it came over and is never guessed from the tool's
//! name, because several dialects own a tool of the same name.

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

use ask_core::{Ask, AskId, Json, Problem, Record, Refusal, SafeText};
use ask_protocol::Reply;

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

/// One agent's tool contract.
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

    /// Whether it shows its agents the first characters of an id in place of the id.
    fn shortens_ids(&self) -> bool {
        false
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

/// Instructions for the model that hold for every dialect. They follow those of the dialects.
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

/// What the agent of a closed ask got, or gets, in the words of its dialect.
pub fn reply_text(record: &Record) -> Option<String> {
    record.settlement()?;
    Some(find(&record.dialect)?.write(Word::Closed(record)).text)
}

/// That these outcomes have not reached their agent, and so many more, and how it gets them.
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
