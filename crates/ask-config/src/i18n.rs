//! Our own words, in the person's language: what surfaces and notifications say. They are Fluent
//! messages under `locales/`, embedded; English stands in for what a language hasn't got. What
//! agents, scripts and logs read, command lines, errors and `--json`, stays English.

mod duration;
mod language;

use std::fmt;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

pub use fluent_bundle::FluentValue as Value;
pub use language::Language;

type Bundle = FluentBundle<FluentResource>;

/// One language's words. Cheap to copy: the messages are read once and kept.
#[derive(Clone, Copy)]
pub struct Words {
    language: Language,
    messages: &'static Bundle,
}

impl Words {
    /// The words of a language.
    pub fn for_language(language: Language) -> Self {
        Self {
            language,
            messages: messages(language),
        }
    }

    /// The words that a person set, else those that the environment asks for.
    pub fn of_person(set: Option<Language>) -> Self {
        Self::for_language(set.unwrap_or_else(Language::of_environment))
    }

    /// Whose words they are.
    pub fn language(self) -> Language {
        self.language
    }

    /// A message without arguments.
    pub fn say(self, id: &str) -> String {
        self.format(id, &[])
    }

    /// A message with its arguments: numbers, or text that is safe to show.
    pub fn format(self, id: &str, arguments: &[(&'static str, Value<'_>)]) -> String {
        let mut given = FluentArgs::with_capacity(arguments.len());
        for (name, value) in arguments {
            given.set(*name, value.clone());
        }
        find(self.messages, id, &given)
            .or_else(|| find(messages(Language::English), id, &given))
            // A test holds that every id that is used has its message; a person sees its name at worst.
            .unwrap_or_else(|| id.to_owned())
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({})", self.language.code())
    }
}

fn find(bundle: &Bundle, id: &str, arguments: &FluentArgs<'_>) -> Option<String> {
    let pattern = bundle.get_message(id)?.value()?;
    let mut errors = Vec::new();
    let said = bundle.format_pattern(pattern, Some(arguments), &mut errors);
    Some(said.into_owned())
}

fn messages(language: Language) -> &'static Bundle {
    static READ: [OnceLock<Bundle>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    READ[language as usize].get_or_init(|| read(language))
}

fn read(language: Language) -> Bundle {
    let mut bundle = Bundle::new_concurrent(vec![language.code().parse().unwrap_or_default()]);
    // The marks would be drawn as characters of their own by terminals that don't know them.
    bundle.set_use_isolating(false);
    for text in language.files() {
        // What can't be read of a file is left out; a test holds that all of them can.
        let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(some, _)| some);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

#[cfg(test)]
mod tests;
