//! The person's settings: `config.toml`, whose defaults are a commented file in
//! the tree.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use crate::exit::{Exit, Failure};

/// What can be set, and to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long the hub lives with nothing to do; `None` for ever.
    pub idle: Option<Duration>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            idle: Some(Duration::from_secs(24 * 60 * 60)),
        }
    }
}

impl Config {
    /// Reads the settings; a file that isn't there is all defaults.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).with_context(|| format!("in {}", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut config = Self::default();
        let table: toml::Table = text.parse()?;
        for (section, value) in &table {
            for (key, value) in value.as_table().into_iter().flatten() {
                let path = format!("{section}.{key}");
                config.set(&path, value)?;
            }
            if !value.is_table() {
                return Err(unknown(section));
            }
        }
        Ok(config)
    }

    fn set(&mut self, path: &str, value: &toml::Value) -> anyhow::Result<()> {
        match path {
            "hub.idle_minutes" => {
                let minutes = value
                    .as_integer()
                    .and_then(|number| u64::try_from(number).ok());
                let Some(minutes) = minutes else {
                    return Err(Failure::plain(
                        Exit::Usage,
                        format!("{path}: must be a whole number of minutes, 0 or more"),
                    )
                    .into());
                };
                self.idle = (minutes > 0).then(|| Duration::from_secs(minutes.saturating_mul(60)));
                Ok(())
            }
            _ => Err(unknown(path)),
        }
    }
}

fn unknown(path: &str) -> anyhow::Error {
    Failure::new(
        Exit::Usage,
        format!("{path}: is not a setting"),
        "the settings there are: hub.idle_minutes",
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_tree_is_all_defaults() {
        let shipped = include_str!("config.default.toml");
        assert_eq!(Config::parse(shipped).unwrap(), Config::default());
        let uncommented = shipped.replace("# idle_minutes", "idle_minutes");
        assert_eq!(Config::parse(&uncommented).unwrap(), Config::default());
    }

    #[test]
    fn a_wrong_setting_is_named_with_its_path() {
        let said = |text: &str| Config::parse(text).unwrap_err().to_string();
        assert!(said("[hub]\nidle = 3").contains("hub.idle: is not a setting"));
        assert!(said("colour = 'red'").contains("colour: is not a setting"));
        assert!(said("[hub]\nidle_minutes = -1").contains("hub.idle_minutes: must be"));
    }
}
