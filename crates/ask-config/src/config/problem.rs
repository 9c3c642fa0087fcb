//! A mistake in `config.toml`, described so that the person can fix it.

use std::fmt;

use ask_clients::fields::FIELDS;
use ask_core::SafeText;

use super::settings::{SETTINGS, Setting};

/// A mistake in the settings file.
#[derive(Debug)]
pub struct Problem {
    /// Where the mistake is, and what it is.
    pub what: String,
    /// How to fix it, or what applies meanwhile.
    pub hint: String,
}

/// A value as messages show it.
pub fn written(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("\"{text}\""),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(_) => "a date".to_owned(),
        toml::Value::Array(_) => "a list".to_owned(),
        toml::Value::Table(_) => "a table".to_owned(),
    }
}

/// The problem of an unknown setting of a client.
pub(super) fn unknown_field(path: &str) -> Problem {
    let all: Vec<&str> = FIELDS.iter().map(|field| field.path).collect();
    Problem {
        what: format!("{path}: is not a setting"),
        hint: format!("what can be set of a client: {}", all.join(", ")),
    }
}

/// The problem of an unknown setting.
pub(super) fn unknown(path: &str) -> Problem {
    let mut all: Vec<String> = SETTINGS.iter().map(Setting::path).collect();
    all.push("[keys.SCREEN]".to_owned());
    all.push("[clients.KEY]".to_owned());
    Problem {
        what: format!("{path}: is not a setting"),
        hint: format!("the settings there are: {}", all.join(", ")),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever wrote the file chose the names in it.
        let (what, hint) = (SafeText::block(&self.what), SafeText::block(&self.hint));
        write!(formatter, "{what}\n  {hint}")
    }
}
