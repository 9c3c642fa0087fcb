//! The text of a notification: who asks, where, and how many questions. Agents' text is made safe
//! and cut to a length that every desktop and phone shows.

use ask_config::config::Privacy;
use ask_config::i18n::Words;
use ask_core::{Record, SafeText};
use unicode_segmentation::UnicodeSegmentation;

/// The most characters of a name, a title and a body.
const NAME: usize = 48;
const TITLE: usize = 64;
const BODY: usize = 180;

/// The text of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// One short line.
    pub title: String,
    /// A few further lines.
    pub body: String,
}

/// The text for these asks.
pub fn notification_text(words: Words, records: &[Record], privacy: Privacy) -> Text {
    match (records, privacy) {
        ([record], Privacy::Private) => Text {
            title: words.format("notify-waits", &[("count", 1.into())]),
            body: words.format(
                "notify-questions",
                &[("count", record.ask.questions.len().into())],
            ),
        },
        ([record], Privacy::Normal | Privacy::Full) => one(words, record, privacy),
        (records, _) => several(words, records, privacy),
    }
}

fn one(words: Words, record: &Record, privacy: Privacy) -> Text {
    let agent = agent(words, record);
    let title = match project(record) {
        Some(project) => words.format(
            "notify-asks-in",
            &[("agent", agent.into()), ("project", project.into())],
        ),
        None => words.format("notify-asks", &[("agent", agent.into())]),
    };
    let headline = cut(record.ask.headline(), BODY);
    let count = record.ask.questions.len();
    let mut body = match count {
        1 => headline,
        _ => words.format(
            "notify-headline",
            &[("headline", headline.into()), ("count", count.into())],
        ),
    };
    if privacy == Privacy::Full {
        for question in &record.ask.questions {
            if question.text != record.ask.headline() {
                body.push_str(&format!("\n{}", SafeText::line(&question.text)));
            }
            for choice in question.input.choices() {
                body.push_str(&format!("\n- {}", SafeText::line(&choice.label)));
            }
        }
    }
    Text {
        title: cut(&title, TITLE),
        body: shortened(&body, BODY),
    }
}

fn several(words: Words, records: &[Record], privacy: Privacy) -> Text {
    let title = words.format("notify-waits", &[("count", records.len().into())]);
    let mut who: Vec<String> = Vec::new();
    for record in records {
        let agent = agent(words, record);
        let name = match project(record).filter(|_| privacy != Privacy::Private) {
            Some(project) => format!("{agent} ({project})"),
            None => agent,
        };
        if !who.contains(&name) {
            who.push(name);
        }
    }
    let body = match privacy {
        Privacy::Private => String::new(),
        Privacy::Normal | Privacy::Full => shortened(&who.join(", "), BODY),
    };
    Text { title, body }
}

fn agent(words: Words, record: &Record) -> String {
    let asker = &record.asker;
    let names = [&asker.client, &asker.agent];
    let mut said = names.into_iter().flatten().map(|name| cut(name, NAME));
    let name = said.find(|name| !name.is_empty());
    name.unwrap_or_else(|| words.say("notify-an-agent"))
}

fn project(record: &Record) -> Option<String> {
    let name = cut(record.asker.project.as_deref()?, NAME);
    (!name.is_empty()).then_some(name)
}

/// Safe text on one line of at most `most` characters.
pub fn cut(text: &str, most: usize) -> String {
    shortened(SafeText::line(text).as_str().trim(), most)
}

fn shortened(text: &str, most: usize) -> String {
    let mut graphemes = text.grapheme_indices(true);
    match graphemes.nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.graphemes(true).take(most - 1).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

#[cfg(test)]
mod tests;
