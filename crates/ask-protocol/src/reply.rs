//! A reply to an agent, before any protocol: text, the same as a value, facts about the ask, and
//! the files that its person attached. A dialect writes it. MCP's tool results, lines of JSON and
//! hooks are made from it.

use serde_json::{Map, json};

use crate::{escape, json_text};
use ask_core::attachment::Attachment;
use ask_core::{Json, Origin, Outcome, Record, SafeText};

use crate::native;

/// The surface of a client's own dialog.
pub const DIALOG: &str = "dialog";

/// What the agent reads in addition if an outcome came from there.
const IN_DIALOG: &str = "This came from the dialog of your own client (answeredBy: dialog).";

/// A tool result, before any protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The text item.
    pub text: String,
    /// The same as a value, if the dialect's reply is JSON.
    pub structured: Option<Json>,
    /// Whether the agent must treat it as an error.
    pub is_error: bool,
    /// Facts the dialect has no word for, under `ask-user/…` keys.
    pub meta: Vec<(&'static str, Json)>,
    /// Another text item with what else the agent should know.
    pub mention: Option<String>,
    /// One more text item, which says that the answer may be the agent's own.
    pub doubt: Option<String>,
    /// The files that the person attached. A text item of its own names them, and images are shown
    /// after it if their bytes are there.
    pub files: Vec<Shown>,
}

/// A file in a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The question that it belongs to, shortened.
    pub of: String,
    /// The attached file itself.
    pub file: Attachment,
    /// Its bytes, if the agent is shown them.
    pub bytes: Option<Vec<u8>>,
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
            doubt: None,
            files: Vec::new(),
        }
    }

    /// A text that is an error.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// A value, also as text.
    pub fn json(value: Json) -> Self {
        Self {
            structured: Some(value.clone()),
            ..Self::text(value.to_string())
        }
    }

    /// Adds the facts about the ask that it is about.
    #[must_use]
    pub fn for_record(mut self, record: &Record) -> Self {
        self.meta
            .push(("ask-user/askId", record.id.as_str().into()));
        if let Some(settlement) = record.settlement() {
            self.meta
                .push(("ask-user/answeredBy", settlement.surface.as_str().into()));
            self.meta
                .push(("ask-user/answeredAt", settlement.at.to_string().into()));
            let origin = settlement.origin.as_deref();
            if let Some(origin) = origin.filter(|origin| origin.below_agent.is_some()) {
                let from = crate::to_json(&native::Origin::from(origin));
                self.meta.push(("ask-user/answeredFrom", from));
                self.doubt = Some(below_agent(origin));
            } else if settlement.surface == DIALOG && settlement.outcome.is_human() {
                self.mention = Some(IN_DIALOG.to_owned());
            }
        }
        self.files = files(record);
        self
    }

    /// Names its files and their paths: for agents that are shown no images, and as captions for
    /// those that are.
    pub fn names_files(&self) -> Option<String> {
        names_files(&self.files)
    }

    /// The value, unless there is more to say: some clients show nothing but the value if there is one.
    pub fn whole_value(&self) -> Option<&Json> {
        let is_whole = self.mention.is_none() && self.doubt.is_none() && self.files.is_empty();
        self.structured.as_ref().filter(|_| is_whole)
    }

    /// Its text for standard output, escaped.
    pub fn printed(self) -> String {
        escape(self.text)
    }

    /// The whole reply as one line of JSON, in the form of MCP's tool results.
    pub fn result(self) -> String {
        let named = self.names_files();
        let value = self.whole_value().cloned();
        let texts = [Some(self.text), named, self.mention, self.doubt];
        let content = texts.into_iter().flatten();
        let content = content.map(|text| json!({"type": "text", "text": text}));
        let mut out = Map::new();
        out.insert("content".into(), content.collect());
        if let Some(value) = value {
            out.insert("structuredContent".into(), value);
        }
        out.insert("isError".into(), self.is_error.into());
        let meta = self.meta.into_iter();
        let meta: Map<String, Json> = meta.map(|(key, value)| (key.to_owned(), value)).collect();
        if !meta.is_empty() {
            out.insert("_meta".into(), meta.into());
        }
        json_text(&out)
    }
}

/// What the agent reads in addition if an outcome may be its own.
fn below_agent(origin: &Origin) -> String {
    format!(
        "This came from a program that was started below an agent (answeredFrom: {}). If you started it, it is not the person's answer.",
        SafeText::line(&origin.to_string())
    )
}

/// The files that a person attached to answers, in their order.
pub fn files(record: &Record) -> Vec<Shown> {
    let outcome = record.settlement().map(|settlement| &settlement.outcome);
    let Some(Outcome::Answered(answered)) = outcome else {
        return Vec::new();
    };
    let answers = record.ask.questions.iter().zip(answered.answers());
    answers
        .flat_map(|(question, answer)| {
            answer.attachments.iter().map(|file| Shown {
                of: short(question.label.as_deref().unwrap_or(&question.text)),
                file: file.clone(),
                bytes: None,
            })
        })
        .collect()
}

fn short(text: &str) -> String {
    let line = SafeText::line(text);
    line.as_str().chars().take(80).collect()
}

/// A file in words: its kind, name and size.
pub fn file_words(file: &Attachment) -> String {
    let kind = match file.media.is_image() {
        true => "image",
        false => "file",
    };
    format!("attached {kind}: {}, {}", file.name, file.measures())
}

/// Names files and their paths.
pub fn names_files(files: &[Shown]) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let line = |shown: &Shown| {
        let file = &shown.file;
        let path = file.path.as_ref().map(|path| match &shown.bytes {
            Some(_) => format!("; shown here, and kept as {path}"),
            None => format!("; not shown here, read it at {path}"),
        });
        format!(
            "\n- to \"{}\": {}{}",
            shown.of,
            file_words(file),
            path.unwrap_or_default()
        )
    };
    let lines: String = files.iter().map(line).collect();
    Some(format!("With the answers the user sent:{lines}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_left_out_where_more_is_said() {
        let value = json!({"answered": true});
        let plain = Reply::json(value.clone());
        assert_eq!(plain.whole_value(), Some(&value));
        let more = || Some("This came from elsewhere.".to_owned());
        let mentions = Reply {
            mention: more(),
            ..plain.clone()
        };
        let doubts = Reply {
            doubt: more(),
            ..plain
        };
        for reply in [mentions, doubts] {
            assert_eq!(reply.whole_value(), None);
            assert!(!reply.result().contains("structuredContent"));
        }
    }
}
