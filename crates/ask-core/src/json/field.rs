//! Finds one field of an object that can't be parsed as a whole. Whoever sent it broken can then
//! still learn which of their messages it was.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use crate::json::Json;

/// The field of this name in the outermost object, if it comes before the mistake.
pub fn field(text: &str, name: &str) -> Option<Json> {
    let mut found = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let finder = Finder {
        name,
        found: &mut found,
    };
    // The mistake after the field is known already.
    let _ = reader.deserialize_map(finder);
    found
}

struct Finder<'a> {
    name: &'a str,
    found: &'a mut Option<Json>,
}

impl<'de> Visitor<'de> for Finder<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(is_name) = map.next_key_seed(IsName(self.name))? {
            if is_name {
                *self.found = Some(map.next_value()?);
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

struct IsName<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for IsName<'_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for IsName<'_> {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}
