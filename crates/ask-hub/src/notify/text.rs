//! The text of a notification: the agent, its project, and the number of questions. Texts of agents
//! are made safe, and shortened to a length that every desktop and phone shows.

use ask_config::config::Privacy;
use ask_config::i18n::Words;
use ask_core::{Record, SafeText};
use unicode_segmentation::UnicodeSegmentation;

/// The most characters of a name, a title and a body.
const MAX_NAME: usize = 48;
const MAX_TITLE: usize = 64;
const MAX_BODY: usize = 180;

/// The text of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// One line of limited length.
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
        ([record], Privacy::Normal | Privacy::Full) => text_for_one(words, record, privacy),
        (records, _) => text_for_several(words, records, privacy),
    }
}

fn text_for_one(words: Words, record: &Record, privacy: Privacy) -> Text {
    let agent = agent_name(words, record);
    let title = match project_name(record) {
        Some(project) => words.format(
            "notify-asks-in",
            &[("agent", agent.into()), ("project", project.into())],
        ),
        None => words.format("notify-asks", &[("agent", agent.into())]),
    };
    let headline = shorten_line(record.ask.headline(), MAX_BODY);
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
        title: shorten_line(&title, MAX_TITLE),
        body: shorten(&body, MAX_BODY),
    }
}

fn text_for_several(words: Words, records: &[Record], privacy: Privacy) -> Text {
    let title = words.format("notify-waits", &[("count", records.len().into())]);
    let mut agents: Vec<String> = Vec::new();
    for record in records {
        let agent = agent_name(words, record);
        let name = match project_name(record).filter(|_| privacy != Privacy::Private) {
            Some(project) => format!("{agent} ({project})"),
            None => agent,
        };
        if !agents.contains(&name) {
            agents.push(name);
        }
    }
    let body = match privacy {
        Privacy::Private => String::new(),
        Privacy::Normal | Privacy::Full => shorten(&agents.join(", "), MAX_BODY),
    };
    Text { title, body }
}

fn agent_name(words: Words, record: &Record) -> String {
    let asker = &record.asker;
    let names = [&asker.client, &asker.agent];
    let mut shown = names
        .into_iter()
        .flatten()
        .map(|name| shorten_line(name, MAX_NAME));
    let name = shown.find(|name| !name.is_empty());
    name.unwrap_or_else(|| words.say("notify-an-agent"))
}

fn project_name(record: &Record) -> Option<String> {
    let name = shorten_line(record.asker.project.as_deref()?, MAX_NAME);
    (!name.is_empty()).then_some(name)
}

/// Safe text on one line of at most `max_characters` characters.
pub fn shorten_line(text: &str, max_characters: usize) -> String {
    shorten(SafeText::line(text).as_str().trim(), max_characters)
}

fn shorten(text: &str, max_characters: usize) -> String {
    let mut graphemes = text.grapheme_indices(true);
    match graphemes.nth(max_characters) {
        None => text.to_owned(),
        Some(_) => {
            let beginning: String = text.graphemes(true).take(max_characters - 1).collect();
            format!("{}…", beginning.trim_end())
        }
    }
}

#[cfg(test)]
mod tests;
