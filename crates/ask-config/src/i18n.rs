//! The texts of surfaces and notifications in the person's language. They are Fluent messages under
//! `locales/`, embedded in the binary. English replaces messages that a language lacks. What
//! agents, scripts and logs read stays English: command lines, errors and `--json`.

mod duration;
mod language;

use std::fmt;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

pub use fluent_bundle::FluentValue as Value;
pub use language::Language;

type Bundle = FluentBundle<FluentResource>;

/// The messages of one language. Copying is cheap: each language is parsed once, for all.
#[derive(Clone, Copy)]
pub struct Words {
    language: Language,
    messages: &'static Bundle,
}

impl Words {
    /// The messages of this language.
    pub fn for_language(language: Language) -> Self {
        Self {
            language,
            messages: messages(language),
        }
    }

    /// The messages of the language that the person set, otherwise of the environment's language.
    pub fn of_person(set: Option<Language>) -> Self {
        Self::for_language(set.unwrap_or_else(Language::of_environment))
    }

    /// The language of these messages.
    pub fn language(self) -> Language {
        self.language
    }

    /// The text of a message without arguments.
    pub fn say(self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The text of a message with arguments, which are numbers or text that is safe to show.
    pub fn format(self, id: &str, arguments: &[(&'static str, Value<'_>)]) -> String {
        let mut given = FluentArgs::with_capacity(arguments.len());
        for (name, value) in arguments {
            given.set(*name, value.clone());
        }
        find(self.messages, id, &given)
            .or_else(|| find(messages(Language::English), id, &given))
            // A test checks that every id in use has a message. At worst the person sees the id.
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
    // Terminals that don't know these marks draw them as characters.
    bundle.set_use_isolating(false);
    for text in language.files() {
        // A message that can't be parsed is left out. A test checks that all of them can.
        let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(some, _)| some);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

#[cfg(test)]
mod tests;
