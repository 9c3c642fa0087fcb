//! The stable hash by which the same ask is recognized. It is stored, so it depends on nothing that
//! a compiler or a library may change: SHA-256 over a byte form that is fixed here.

use sha2::{Digest as _, Sha256};

use crate::ask::{Choice, Input, Question};
use crate::record::Record;

/// The version of the byte form, and its first byte. A change of the form raises it, and adds a
/// migration that computes the stored fingerprints again.
const VERSION: u8 = 1;

/// 64 bits of a hash over everything that [`crate::lifecycle::shows_same`] compares. Records that are
/// the same by that function have the same fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub i64);

impl Fingerprint {
    /// The fingerprint of a record.
    pub fn of_record(record: &Record) -> Self {
        let mut form = ByteForm(Sha256::new_with_prefix([VERSION]));
        form.text(&record.dialect);
        form.optional_text(record.asker.client.as_deref());
        form.optional_text(record.asker.directory.as_deref());
        form.optional_text(record.ask.title.as_deref());
        form.optional_text(record.ask.context.as_deref());
        form.optional_number(record.ask.limit_ms);
        form.number(record.ask.questions.len() as u64);
        for question in &record.ask.questions {
            form.question(question);
        }
        let hash = form.0.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        Self(i64::from_be_bytes(first))
    }
}

/// Feeds values to the hash so that two different lists of values have different bytes: numbers are
/// eight bytes, texts begin with their length, and optional values with whether they are present.
struct ByteForm(Sha256);

impl ByteForm {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text);
    }

    fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    fn optional_text(&mut self, text: Option<&str>) {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn optional_number(&mut self, number: Option<u64>) {
        self.flag(number.is_some());
        if let Some(number) = number {
            self.number(number);
        }
    }

    fn question(&mut self, question: &Question) {
        self.text(&question.text);
        self.optional_text(question.label.as_deref());
        self.flag(question.required);
        let kind = match question.input {
            Input::Text => 0,
            Input::One(_) => 1,
            Input::Confirm => 2,
            Input::Many(_) => 3,
        };
        self.0.update([kind]);
        let choices = question.input.choices();
        self.number(choices.len() as u64);
        for choice in choices {
            self.choice(choice);
        }
    }

    fn choice(&mut self, choice: &Choice) {
        self.text(&choice.label);
        self.optional_text(choice.description.as_deref());
        self.optional_text(choice.preview.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Ask;
    use crate::id::AskId;
    use crate::lifecycle;
    use crate::record::Asker;
    use crate::time::Time;

    fn record(ask: Ask) -> Record {
        let asker = Asker {
            client: Some("claude-code".into()),
            directory: Some("/home/ann/shop".into()),
            ..Asker::default()
        };
        lifecycle::open(AskId::native([0; 16]), "native", ask, asker, Time(0))
    }

    fn question(input: Input) -> Question {
        Question {
            id: "q1".into(),
            text: "Which database?".into(),
            label: Some("Database".into()),
            input,
            required: true,
            placeholder: None,
            default: None,
        }
    }

    /// Stored fingerprints must be found for ever: if a number changes here, a migration is needed,
    /// and not only a new number.
    #[test]
    fn fingerprints_never_change() {
        let nothing = record(Ask::default());
        assert_eq!(Fingerprint::of_record(&nothing).0, -681439096621988861);

        let text = record(Ask {
            questions: vec![question(Input::Text)],
            ..Ask::default()
        });
        assert_eq!(Fingerprint::of_record(&text).0, 8359803266406875191);

        let everything = record(Ask {
            title: Some("Set-up · Größe".into()),
            context: Some("Two lines\nof *context*".into()),
            limit_ms: Some(60_000),
            metadata: Some("{\"trace\":1}".into()),
            questions: vec![
                question(Input::Confirm),
                question(Input::One(vec![
                    Choice::new("PostgreSQL"),
                    Choice::new("SQLite"),
                ])),
                question(Input::Many(vec![Choice {
                    label: "Docs".into(),
                    description: Some("all of them".into()),
                    preview: Some("```\n+--+\n```".into()),
                }])),
            ],
        });
        assert_eq!(Fingerprint::of_record(&everything).0, -3481152025442089573);
    }

    #[test]
    fn adjacent_texts_are_told_apart() {
        let of = |title: &str, context: &str| {
            Fingerprint::of_record(&record(Ask {
                title: Some(title.into()),
                context: Some(context.into()),
                ..Ask::default()
            }))
        };
        assert_ne!(of("ab", "c"), of("a", "bc"));
    }
}
