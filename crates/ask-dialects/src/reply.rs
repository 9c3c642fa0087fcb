//! What the replies of all dialects share: the texts for asks without an answer, for late answers
//! and for files, and what most dialects say alike about one ask.

use serde_json::{Map, json};

use ask_core::ask::{Ask, Input, Question};
use ask_core::attachment::Attachment;
use ask_core::draft::{Answer, Answered};
use ask_core::lifecycle::Settlement;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::{Json, Refusal, SafeText};
use ask_protocol::Reply;
use ask_protocol::reply::file_words;

use crate::Word;

/// A JSON reply about one ask, with the facts about it.
pub(crate) fn with_record(record: &Record, value: Json) -> Reply {
    Reply::json(value).for_record(record)
}

/// A file in words, with its path.
pub(crate) fn file_at(file: &Attachment) -> String {
    match &file.path {
        Some(path) => format!("({}, kept as {path})", file_words(file)),
        None => format!("({})", file_words(file)),
    }
}

/// Marks a person's outcome as returned to a call that did not wait for it.
pub(crate) fn late(record: &Record, mut reply: Reply) -> Reply {
    let is_human = |settlement: &Settlement| settlement.outcome.is_human();
    if record.settlement().is_some_and(is_human) {
        reply.meta.push(("ask-user/late", true.into()));
    }
    reply
}

/// Adds what each reply about one of several asks says besides its answers: the files, and the
/// facts as a list in the order of the asks.
pub(crate) fn with_all(replies: Vec<Reply>, mut all: Reply) -> Reply {
    let mut asks = Vec::new();
    for reply in replies {
        let facts = reply.meta.into_iter();
        let facts: Map<String, Json> = facts.map(|(key, value)| (key.to_owned(), value)).collect();
        asks.push(Json::Object(facts));
        all.files.extend(reply.files);
    }
    all.meta.push(("ask-user/asks", asks.into()));
    all
}

/// The text of a reply, and what it says about who answered.
pub(crate) fn whole_text(reply: &Reply) -> String {
    let texts = [
        Some(&reply.text),
        reply.mention.as_ref(),
        reply.doubt.as_ref(),
    ];
    let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
    texts.join("\n\n")
}

/// The reply about several asks in a dialect whose replies are objects or texts. Who answered is
/// said beside each: in an object by `answeredBy` and `answeredFrom`, explained by a text that
/// names the ask, and otherwise in the text itself.
pub(crate) fn several(records: &[Record], one: impl Fn(&Record) -> Reply) -> Reply {
    let mut replies: Vec<Reply> = Vec::new();
    let mut entries: Vec<Json> = Vec::new();
    let (mut mentions, mut doubts) = (Vec::new(), Vec::new());
    for record in records {
        let mut reply = late(record, one(record));
        let Some(mut entry) = reply.structured.take() else {
            entries.push(Json::String(whole_text(&reply)));
            replies.push(reply);
            continue;
        };
        let said = [(&reply.mention, &mut mentions), (&reply.doubt, &mut doubts)];
        for (words, all) in said {
            if let Some(words) = words {
                put_origin(&mut entry, &reply.meta);
                all.push(format!("{} ({}): {words}", quoted(record), record.id));
            }
        }
        entries.push(entry);
        replies.push(reply);
    }
    let joined = |words: Vec<String>| (!words.is_empty()).then(|| words.join("\n"));
    let mut all = Reply::json(json!({ "asks": entries }));
    all.mention = joined(mentions);
    all.doubt = joined(doubts);
    with_all(replies, all)
}

/// Adds to an object who answered, under the names that records have.
fn put_origin(entry: &mut Json, facts: &[(&'static str, Json)]) {
    let Some(out) = entry.as_object_mut() else {
        return;
    };
    for (key, value) in facts {
        if let Some(name @ ("answeredBy" | "answeredFrom")) = key.strip_prefix("ask-user/") {
            out.insert(name.to_owned(), value.clone());
        }
    }
}

/// The beginning of what an ask is about, in quotation marks.
fn quoted(record: &Record) -> String {
    let headline = SafeText::line(record.ask.headline());
    let short: String = headline.as_str().chars().take(80).collect();
    format!("\"{short}\"")
}

/// The reply to a fetch of an ask that doesn't exist.
pub(crate) fn no_such_ask(id: &str) -> Reply {
    Reply::error(format!(
        "There is no ask \"{}\". Ask ids are in the reply of the call that asked.",
        ask_core::json::brief(id)
    ))
}

/// What a reply says about an open ask if its dialect has no words for it.
pub(crate) const STILL_OPEN: &str = "Not answered yet; the question stays open. The user has \
    neither agreed nor refused: don't claim either and don't decide in their place. Asking the \
    same again waits for the same answer.";

/// The result of a fetch, in dialects without a tool for it.
pub(crate) fn fetched(records: &[Record], one: impl Fn(&Record) -> Reply) -> Reply {
    match records {
        [] => Reply::text("There is no answer that you haven't been given."),
        [record] => late(record, one(record)),
        many => several(many, one),
    }
}

/// Adds a text to an object, if there is one.
pub(crate) fn put(out: &mut Map<String, Json>, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        out.insert(key.to_owned(), text.into());
    }
}

/// Writes a reply in a dialect that describes an ask in the same way whether it is closed or open,
/// and whichever call wants to know.
pub(crate) fn write(
    word: Word<'_>,
    about: impl Fn(&Record) -> Reply,
    refused: fn(&Refusal) -> String,
) -> Reply {
    match word {
        Word::Closed(record) | Word::Open(record) => about(record),
        Word::Fetched(records) => fetched(records, about),
        Word::NoSuchAsk(id) => no_such_ask(id),
        Word::Refused(refusal) => Reply::error(refused(refusal)),
        Word::Failed(words) => Reply::error(words),
    }
}

/// The replies of a dialect that has words for answers, and not for every other outcome.
pub(crate) struct Wording {
    /// How it names its questions: "these questions".
    pub these: &'static str,
    /// The reply for an open ask.
    pub open: fn(&Record) -> Reply,
    /// The reply with the person's answers.
    pub answered: fn(&Ask, &Answered) -> Reply,
    /// The reply for a declined ask, with the reason if there is one.
    pub declined: fn(Option<&str>) -> Reply,
    /// The text for a call that can't become an ask.
    pub refused: fn(&Refusal) -> String,
}

impl Wording {
    /// Writes a reply to the agent.
    pub(crate) fn write(&self, word: Word<'_>) -> Reply {
        let about = |record: &Record| {
            let reply = match record.settlement() {
                None => (self.open)(record),
                Some(settlement) => self.ended(&record.ask, &settlement.outcome),
            };
            reply.for_record(record)
        };
        write(word, about, self.refused)
    }

    fn ended(&self, ask: &Ask, outcome: &Outcome) -> Reply {
        let these = self.these;
        match outcome {
            Outcome::Answered(answered) => (self.answered)(ask, answered),
            Outcome::Declined { reason } => (self.declined)(reason.as_deref()),
            Outcome::Clarify { words } => Reply::error(clarify(these, ask, words)),
            Outcome::Expired => Reply::error(format!(
                "Nobody answered {these} in time. The user has neither agreed nor refused."
            )),
            Outcome::Withdrawn => {
                Reply::error(format!("Withdrawn before the user answered {these}."))
            }
        }
    }
}

fn clarify(these: &str, ask: &Ask, words: &str) -> String {
    let mut text = format!("The user wants to clarify {these} before answering:\n{words}");
    text.push_str(match ask.questions.len() {
        1 => "\n\nThe question:",
        _ => "\n\nThe questions:",
    });
    for question in &ask.questions {
        text.push_str("\n- ");
        text.push_str(&question.text);
    }
    text
}

/// The text of a refusal, in dialects without words for one.
pub(crate) fn refusal_text(refusal: &Refusal) -> String {
    format!("Can't ask this: {refusal}")
}

/// The words for a declined ask, with the reason if there is one.
pub(crate) fn with_reason(words: &str, reason: Option<&str>) -> String {
    match reason {
        None => words.to_owned(),
        Some(reason) => format!("{words} Reason: {reason}"),
    }
}

/// The reply for an open ask, in a dialect whose answers are an object and which has no word for
/// it.
pub(crate) fn open(record: &Record) -> Reply {
    Reply::json(json!({
        "answers": {},
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": STILL_OPEN,
    }))
}

/// The reply for an open ask, in a dialect whose replies are text.
pub(crate) fn still_open(_record: &Record) -> Reply {
    Reply::text(STILL_OPEN)
}

/// Adds the notes: by question, and for the whole form.
pub(crate) fn with_notes(out: &mut Map<String, Json>, notes: Map<String, Json>, all: &Answered) {
    if !notes.is_empty() {
        out.insert("notes".into(), Json::Object(notes));
    }
    put(out, "note", all.note());
}

/// An answer as one text: the picks and the own words, with commas between.
pub(crate) fn said(question: &Question, answer: &Answer) -> String {
    if answer.none {
        return "(none of these)".to_owned();
    }
    let parts: Vec<&str> = picked(&question.input, answer)
        .chain(answer.own.as_deref())
        .collect();
    parts.join(", ")
}

/// The labels of the picks.
pub(crate) fn picked<'a>(input: &'a Input, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
    answer.picks.iter().filter_map(|&pick| input.label(pick))
}
