//! Values of the domain that are a single text in JSON.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::{Serialize, Serializer};
use serde_with::{DeserializeAs, SerializeAs};
use utoipa::ToSchema;

use ask_core::devices::Permission;
use ask_core::history::End;
use ask_core::json::brief;
use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Digest, Process, Time};

macro_rules! texts {
    ($($(#[$attribute:meta])* $name:ident($of:ty): $write:expr, $read:expr, $problem:literal;)*) => {$(
        #[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
        $(#[$attribute])*
        pub struct $name(pub $of);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize_as(&self.0, serializer)
            }
        }

        impl SerializeAs<$of> for $name {
            fn serialize_as<S: Serializer>(of: &$of, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$of) -> _ = $write;
                serializer.collect_str(&write(of))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                let unread = || format!("{}, not \"{}\"", $problem, brief(&text));
                $read(&text).map(Self).ok_or_else(|| D::Error::custom(unread()))
            }
        }

        impl<'de> DeserializeAs<'de, $of> for $name {
            fn deserialize_as<D: Deserializer<'de>>(deserializer: D) -> Result<$of, D::Error> {
                Self::deserialize(deserializer).map(|text| text.0)
            }
        }
    )*};
}

texts! {
    /// A time, in RFC 3339.
    #[derive(Copy)]
    #[schema(value_type = String, format = DateTime)]
    Moment(Time): |time| *time, Time::parse, "must be a time in RFC 3339";

    /// The id of an ask.
    #[schema(value_type = String)]
    Id(AskId): |id| id.clone(), AskId::parse, "must be an id";

    /// The SHA-256 of a file, in hexadecimal digits.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    Sha256(Digest): |digest| *digest, Digest::parse, "must be 64 hexadecimal digits";

    /// Until when an ask is snoozed: a time in RFC 3339, or `asked-again`.
    #[schema(value_type = String)]
    Until(Snooze): |until| write_snooze(*until), read_snooze,
        "must be a time in RFC 3339, asked-again or null";

    /// How the agent's client shows the ask itself: `dialog` or `handed`.
    #[schema(value_type = String)]
    How(InClient): |how| in_client_word(*how), read_in_client, "must be dialog or handed";

    /// What a device may do: `answer` or `see`.
    #[derive(Copy)]
    #[schema(value_type = String)]
    Scope(Permission): |may| may.word(), Permission::find, "must be answer or see";

    /// How an ask ended.
    #[schema(value_type = String)]
    EndWord(End): |end| end.word(), End::find, "must be how an ask ended";

    /// A whole number of a query.
    #[schema(value_type = u64)]
    Whole(u64): |number| *number, |text: &str| text.parse().ok(), "must be a whole number";

    /// Yes or no in a query.
    #[schema(value_type = bool)]
    YesNo(bool): |flag| *flag, |text: &str| text.parse().ok(), "must be true or false";

    /// A process of this machine: its id and its start.
    #[schema(value_type = String)]
    ProcessId(Process): |process| *process, Process::parse, "must be a process";
}

/// The text for a snooze that ends at no certain time.
const ASKED_AGAIN: &str = "asked-again";

/// Writes until when an ask is snoozed: a time, or `asked-again`.
pub fn write_snooze(snooze: Snooze) -> Cow<'static, str> {
    match snooze {
        Snooze::Until(at) => at.to_string().into(),
        Snooze::AskedAgain => ASKED_AGAIN.into(),
    }
}

/// Parses what [`write_snooze`] wrote.
pub fn read_snooze(text: &str) -> Option<Snooze> {
    match text {
        // The second spelling is that of names in JSON.
        ASKED_AGAIN | "askedAgain" => Some(Snooze::AskedAgain),
        time => Time::parse(time).map(Snooze::Until),
    }
}

/// The word for how a client also asks itself: `dialog`, `handed`.
fn in_client_word(in_client: InClient) -> &'static str {
    match in_client {
        InClient::Dialog => "dialog",
        InClient::Handed => "handed",
    }
}

/// Parses what [`in_client_word`] wrote.
fn read_in_client(word: &str) -> Option<InClient> {
    [InClient::Dialog, InClient::Handed]
        .into_iter()
        .find(|known| in_client_word(*known) == word)
}
