//! What an agent wants to know: an [`Ask`] of one or more [`Question`]s.
//!
//! The domain keeps the agent's texts unchanged, because labels are sent back to the letter.
//! Whatever is shown goes through [`crate::SafeText`] first.

use crate::SafeText;
use crate::markdown::Document;

/// How many questions one ask may hold, whatever its dialect allows.
pub const MAX_QUESTIONS: usize = 200;

/// One request for a person's answers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Ask {
    /// The title of the whole form.
    pub title: Option<String>,
    /// What the person needs to know to decide, in Markdown.
    pub context: Option<String>,
    /// At least one, in the order asked.
    pub questions: Vec<Question>,
    /// How long the agent wants to wait, in milliseconds; `None` waits until answered.
    pub limit_ms: Option<u64>,
    /// Data that the agent wants kept unchanged, as the JSON text that it sent.
    pub metadata: Option<String>,
}

/// One question of an [`Ask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Unique within the ask.
    pub id: String,
    /// The question itself, in Markdown.
    pub text: String,
    /// A very short name for a chip or a tab.
    pub label: Option<String>,
    /// What kind of answer is wanted.
    pub input: Input,
    /// Whether the agent needs an answer.
    pub required: bool,
    /// An example shown in an empty text field.
    pub placeholder: Option<String>,
    /// The text that the field begins with.
    pub default: Option<String>,
}

/// What kind of answer a question wants. An answer in own words is always possible, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The person's own words.
    Text,
    /// One of the choices.
    One(Vec<Choice>),
    /// Yes or no: two choices that each surface labels in its own way.
    Confirm,
    /// Any number of the choices.
    Many(Vec<Choice>),
}

/// A choice that can be picked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Choice {
    /// Sent back to the agent unchanged; unique within its question.
    pub label: String,
    /// What picking it means.
    pub description: Option<String>,
    /// Markdown that is shown next to the list.
    pub preview: Option<String>,
}

/// The two picks of [`Input::Confirm`], in the order of their indices.
pub const CONFIRM: [&str; 2] = ["Yes", "No"];

impl Ask {
    /// How many bytes its texts have together.
    pub fn bytes(&self) -> usize {
        let texts = [&self.title, &self.context, &self.metadata];
        let questions = self.questions.iter().map(Question::bytes);
        bytes(texts) + questions.sum::<usize>()
    }
}

impl Question {
    fn bytes(&self) -> usize {
        let texts = [&self.label, &self.placeholder, &self.default];
        let choices = self.input.choices().iter();
        let choices = choices
            .map(|choice| choice.label.len() + bytes([&choice.description, &choice.preview]));
        self.id.len() + self.text.len() + bytes(texts) + choices.sum::<usize>()
    }
}

fn bytes<'a>(texts: impl IntoIterator<Item = &'a Option<String>>) -> usize {
    texts.into_iter().flatten().map(String::len).sum()
}

impl Input {
    /// How many choices can be picked.
    pub fn len(&self) -> usize {
        match self {
            Self::Text => 0,
            Self::Confirm => CONFIRM.len(),
            Self::One(choices) | Self::Many(choices) => choices.len(),
        }
    }

    /// Whether there is nothing to pick: a text question.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label of a pick.
    pub fn label(&self, pick: usize) -> Option<&str> {
        match self {
            Self::Text => None,
            Self::Confirm => CONFIRM.get(pick).copied(),
            Self::One(choices) | Self::Many(choices) => {
                choices.get(pick).map(|choice| choice.label.as_str())
            }
        }
    }

    /// The choices as sent; empty for text and confirm.
    pub fn choices(&self) -> &[Choice] {
        match self {
            Self::Text | Self::Confirm => &[],
            Self::One(choices) | Self::Many(choices) => choices,
        }
    }

    /// Whether more than one pick is possible.
    pub fn is_many(&self) -> bool {
        matches!(self, Self::Many(_))
    }
}

/// The marks at the end of a label that recommend a choice.
const RECOMMENDED: [&str; 4] = [
    "(Recommended)",
    "(recommended)",
    "[recommended]",
    "[Recommended]",
];

impl Choice {
    /// A choice that is only a label.
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..Self::default()
        }
    }

    /// The label without the mark that recommends it, and whether it had one.
    pub fn recommended(&self) -> (&str, bool) {
        let label = self.label.trim_end();
        for mark in RECOMMENDED {
            if let Some(rest) = label.strip_suffix(mark) {
                let rest = rest.trim_end();
                if !rest.is_empty() {
                    return (rest, true);
                }
            }
        }
        (&self.label, false)
    }
}

impl Ask {
    /// A short name for lists: the title, otherwise the text of the first question.
    pub fn headline(&self) -> &str {
        match (&self.title, self.questions.first()) {
            (Some(title), _) if !title.trim().is_empty() => title,
            (_, Some(question)) => &question.text,
            (_, None) => "",
        }
    }

    /// Like [`Self::headline`], but safe to show and without Markdown.
    pub fn name(&self) -> SafeText {
        match (&self.title, self.questions.first()) {
            (Some(title), _) if !title.trim().is_empty() => SafeText::line(title),
            (_, Some(question)) => words(&question.text),
            (_, None) => SafeText::default(),
        }
    }
}

impl Question {
    /// A short name for tabs and for naming the question on a command line.
    pub fn short(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.text)
    }

    /// Like [`Self::short`], but safe to show and without Markdown.
    pub fn name(&self) -> SafeText {
        match &self.label {
            Some(label) => SafeText::line(label),
            None => self.words(),
        }
    }

    /// The beginning of its text, without Markdown, for one line.
    pub fn words(&self) -> SafeText {
        words(&self.text)
    }
}

/// How many characters of a text are read for a name. A name has space for fewer.
pub const NAMED: usize = 2_000;

/// The words of a text without their Markdown. A text of nothing but Markdown stays as it is.
fn words(text: &str) -> SafeText {
    let end = text.char_indices().nth(NAMED);
    let text = end.map_or(text, |(at, _)| &text[..at]);
    let line = Document::read(text).line();
    match line.as_str().trim().is_empty() {
        true => SafeText::line(text),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_of_nothing_but_markdown_is_named_by_its_text() {
        assert_eq!(words("Keep `it`?").as_str(), "Keep it?");
        assert_eq!(words("---").as_str(), "---");
    }
}
