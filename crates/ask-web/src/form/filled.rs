//! What was filled in, read from the body that a browser makes of a form.

use ask_core::{Answer, Draft, Record};

/// The fields of a form, in their order.
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a body.
    pub fn read(body: &[u8]) -> Self {
        let pairs = body.split(|byte| *byte == b'&').map(|pair| {
            let end = pair.iter().position(|byte| *byte == b'=');
            let end = end.unwrap_or(pair.len());
            let value = pair.get(end + 1..).unwrap_or_default();
            (decoded(&pair[..end]), decoded(value))
        });
        Self(pairs.collect())
    }

    /// The value of a field, empty where it isn't there.
    pub fn one<'a>(&'a self, name: &'a str) -> &'a str {
        self.all(name).next().unwrap_or_default()
    }

    /// The words in a field, if there are any. Browsers break lines in the manner of mail.
    pub fn words(&self, name: &str) -> Option<String> {
        let text = self.one(name).replace("\r\n", "\n");
        (!text.trim().is_empty()).then_some(text)
    }

    /// Whether they hold anything that a person filled in.
    pub fn is_filled_in(&self) -> bool {
        self.kept().any(|(_, value)| !value.trim().is_empty())
    }

    /// What a person filled in, field by field.
    pub fn kept(&self) -> impl Iterator<Item = (&str, &str)> {
        const OURS: [&str; 4] = ["token", "attempt", "link", "do"];
        let fields = self
            .0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, _)| !name.is_empty() && !OURS.contains(name))
    }

    /// What names the attempt.
    pub fn attempt(&self) -> Option<u64> {
        self.one("attempt").parse().ok()
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter().filter(move |(known, _)| known == name);
        fields.map(|(_, value)| value.as_str())
    }

    /// The form that they make, with the files that were attached elsewhere.
    pub fn draft(&self, record: &Record) -> Draft {
        let kept = record.draft.as_ref().map(|saved| &saved.draft.answers);
        let answers = (0..record.ask.questions.len()).map(|at| {
            let kept = kept.and_then(|answers| answers.get(at));
            let picks = format!("p{at}");
            let picks = self.all(&picks).filter_map(|pick| pick.parse().ok());
            Answer {
                picks: picks.collect(),
                own: self.words(&format!("o{at}")),
                note: self.words(&format!("n{at}")),
                none: !self.one(&format!("x{at}")).is_empty(),
                attachments: kept
                    .map(|kept| kept.attachments.clone())
                    .unwrap_or_default(),
            }
        });
        Draft {
            answers: answers.collect(),
            note: self.words("note"),
        }
    }
}

fn decoded(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high * 16 + low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_browsers_write_them() {
        let fields = Fields::read("o0=a%20b+%C3%A4%0D%0Ac&p1=0&p1=2&x2=on&bad=%zz%&&=".as_bytes());
        assert_eq!(fields.words("o0").as_deref(), Some("a b ä\nc"));
        assert_eq!(fields.all("p1").collect::<Vec<_>>(), ["0", "2"]);
        assert_eq!(fields.one("bad"), "%zz%");
        assert_eq!(fields.words("x1"), None);
        assert_eq!(fields.one("x2"), "on");
    }
}
