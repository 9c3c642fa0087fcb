//! Messages to the phone: by a webhook, or a topic of ntfy. curl carries them, because it is
//! wherever TLS is wanted, trusts what the system trusts, and would cost us a fifth of our size
//! as a library (decision 9). What is secret goes to it over its standard input.

use std::time::Duration;

use ask_config::config::{Notify, Privacy};
use ask_config::words::Words;
use ask_core::{Record, SafeText, Time};
use ask_protocol::webhook::{self, Detail};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::engine::Event;
use super::parcels::{Channel, Parcel};
use super::{program, text};

/// How long curl may take, and how long we wait for it.
const SECONDS: u64 = 20;
const LIMIT: Duration = Duration::from_secs(SECONDS + 5);

/// An ask that ends this soon is urgent.
const URGENT_MS: u64 = 10 * 60 * 1_000;

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    address: String,
    headers: Vec<String>,
    body: String,
}

impl Posting {
    /// The request that carries a parcel; `None` where its way is no longer wanted.
    pub fn of(
        parcel: &Parcel,
        records: &[Record],
        settings: &Notify,
        words: Words,
        now: Time,
    ) -> Option<Self> {
        let said = text::of(words, records, settings.privacy);
        match parcel.channel {
            Channel::Webhook => {
                Self::to_webhook(settings, parcel.event.word(), &said, records, now)
            }
            Channel::Ntfy if parcel.event == Event::Asked => {
                let soon = now.plus_ms(URGENT_MS);
                let ends_soon = |record: &Record| record.deadline_at.is_some_and(|at| at <= soon);
                let urgent = records.iter().any(ends_soon);
                Self::to_topic(settings, &said, records, urgent)
            }
            Channel::Ntfy => None,
        }
    }

    /// A message to the person's own address.
    pub fn to_webhook(
        settings: &Notify,
        event: &str,
        said: &text::Text,
        records: &[Record],
        now: Time,
    ) -> Option<Self> {
        let detail = match settings.privacy {
            Privacy::Private => Detail::Little,
            Privacy::Normal => Detail::Names,
            Privacy::Full => Detail::Everything,
        };
        let words = (said.title.as_str(), said.body.as_str());
        let body = webhook::write_message(event, now, words, records, detail);
        let mut headers = vec!["Content-Type: application/json".to_owned()];
        if let Some(secret) = &settings.webhook_secret {
            headers.push(format!(
                "X-Ask-User-Signature: sha256={}",
                signed(secret, &body)
            ));
        }
        Some(Self {
            address: settings.webhook.clone()?,
            headers,
            body,
        })
    }

    /// A message to the topic. Where a phone can reach the page, a tap leads there.
    pub fn to_topic(
        settings: &Notify,
        said: &text::Text,
        records: &[Record],
        urgent: bool,
    ) -> Option<Self> {
        let (server, topic) = settings.ntfy.as_ref()?.rsplit_once('/')?;
        let mut headers = vec!["Content-Type: application/json".to_owned()];
        if let Some(token) = &settings.ntfy_token {
            headers.push(format!("Authorization: Bearer {token}"));
        }
        let click = settings.page.as_ref().map(|page| match records {
            [one] => format!("{page}/a/{}", one.id),
            _ => format!("{page}/"),
        });
        let words = (said.title.as_str(), said.body.as_str());
        Some(Self {
            address: format!("{server}/"),
            headers,
            body: webhook::write_topic_message(topic, words, click.as_deref(), urgent),
        })
    }

    /// Sends it; what went wrong, where it wasn't taken.
    pub async fn send(&self) -> Result<(), String> {
        let words = ["curl", "--disable", "--config", "-"].map(str::to_owned);
        let ran = program::run(&words, &[], self.for_curl(), LIMIT).await?;
        let status: u32 = ran.out.trim().parse().unwrap_or(0);
        match (ran.code, status) {
            (Some(0), 200..=299) => Ok(()),
            (Some(0), status) => Err(format!("the server said {status}")),
            (_, _) => Err(SafeText::line(ran.err.trim()).to_string()),
        }
    }

    /// What curl reads from its standard input.
    fn for_curl(&self) -> String {
        let mut lines = vec![
            "silent".to_owned(),
            "show-error".to_owned(),
            format!("max-time = {SECONDS}"),
            "proto = \"=http,https\"".to_owned(),
            "output = \"/dev/null\"".to_owned(),
            "write-out = \"%{http_code}\"".to_owned(),
            format!("url = {}", quoted(&self.address)),
        ];
        for header in &self.headers {
            lines.push(format!("header = {}", quoted(header)));
        }
        lines.push(format!("data-raw = {}", quoted(&self.body)));
        lines.join("\n") + "\n"
    }
}

/// The signature of a body.
fn signed(secret: &str, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(body.as_bytes());
    let bytes = mac.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text as curl's configuration takes it.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_rfc_4231() {
        let wanted = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signed("Jefe", "what do ya want for nothing?"), wanted);
    }

    #[test]
    fn nothing_leaves_its_quotes() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
    }
}
