//! Pushes to the phone: through a webhook or an ntfy topic. Requests use the proxy of the
//! environment, follow no redirect, and trust the system's certificate authorities (decision 9).

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ask_config::config::{Notify, Privacy};
use ask_config::i18n::Words;
use ask_core::secret::hex;
use ask_core::{Record, SafeText, Time};
use ask_protocol::webhook::{self, Detail};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::oneshot;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Error};

use super::policy::Event;
use super::push_queue::{Channel, QueuedPush};
use super::text;

/// The time limit of a request.
const REQUEST_LIMIT: Duration = Duration::from_secs(20);

/// An ask whose deadline is this near is urgent.
const URGENT_MS: u64 = 10 * 60 * 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PushRequest {
    address: String,
    /// The header that authenticates the sender.
    header: Option<(&'static str, String)>,
    body: String,
}

impl PushRequest {
    /// The request of a queued push; `None` if its channel is no longer set.
    pub(crate) fn from_channel(
        queued: &QueuedPush,
        records: &[Record],
        settings: &Notify,
        words: Words,
        now: Time,
    ) -> Option<Self> {
        let notification = text::notification_text(words, records, settings.privacy);
        match queued.channel {
            Channel::Webhook => {
                Self::to_webhook(settings, queued.event.word(), &notification, records, now)
            }
            Channel::Ntfy if queued.event == Event::Asked => {
                let soon = now.plus_ms(URGENT_MS);
                let ends_soon = |record: &Record| record.deadline_at.is_some_and(|at| at <= soon);
                let urgent = records.iter().any(ends_soon);
                Self::to_topic(settings, &notification, records, urgent)
            }
            Channel::Ntfy => None,
        }
    }

    /// A request to the person's webhook, signed with HMAC-SHA256 if a secret is set.
    pub(crate) fn to_webhook(
        settings: &Notify,
        event: &str,
        notification: &text::Text,
        records: &[Record],
        now: Time,
    ) -> Option<Self> {
        let detail = match settings.privacy {
            Privacy::Private => Detail::Little,
            Privacy::Normal => Detail::Names,
            Privacy::Full => Detail::Everything,
        };
        let words = (notification.title.as_str(), notification.body.as_str());
        let body = webhook::write_message(event, now, words, records, detail);
        let secret = settings.webhook_secret.as_ref();
        let signature = secret.map(|secret| format!("sha256={}", sign(secret, &body)));
        let header = signature.map(|signature| ("X-Ask-User-Signature", signature));
        Some(Self {
            address: settings.webhook.clone()?,
            header,
            body,
        })
    }

    /// A message to the ntfy topic. If the phone can reach the page, a tap opens it.
    pub(crate) fn to_topic(
        settings: &Notify,
        notification: &text::Text,
        records: &[Record],
        urgent: bool,
    ) -> Option<Self> {
        let (server, topic) = settings.ntfy.as_ref()?.rsplit_once('/')?;
        let token = settings.ntfy_token.as_ref();
        let header = token.map(|token| ("Authorization", format!("Bearer {token}")));
        let click = settings.page.as_ref().map(|page| match records {
            [one] => format!("{page}/a/{}", one.id),
            _ => format!("{page}/"),
        });
        let words = (notification.title.as_str(), notification.body.as_str());
        Some(Self {
            address: format!("{server}/"),
            header,
            body: webhook::write_topic_message(topic, words, click.as_deref(), urgent),
        })
    }

    /// Sends the request.
    ///
    /// # Errors
    /// The reason, as one line, if the server didn't accept it.
    pub(crate) async fn send(self) -> Result<(), String> {
        // ureq blocks, and at its end the hub's runtime would wait for a blocking task. So the
        // request has a thread of its own.
        let (done, sent) = oneshot::channel();
        let builder = thread::Builder::new().name("push".into());
        let spawned = builder.spawn(move || done.send(self.send_blocking()));
        spawned.map_err(|error| format!("no thread can be started: {error}"))?;
        sent.await
            .unwrap_or_else(|_| Err("the request ended without a result".to_owned()))
    }

    fn send_blocking(&self) -> Result<(), String> {
        let agent: Agent = Agent::config_builder()
            .timeout_global(Some(REQUEST_LIMIT))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent(concat!("ask-user/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls_config(&self.address)?)
            .build()
            .into();
        let mut request = agent.post(&self.address).content_type("application/json");
        if let Some((name, value)) = &self.header {
            request = request.header(*name, value);
        }
        match request.send(&self.body) {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(format!("the server said {}", response.status().as_u16())),
            // The error itself would name the address, which may be a secret.
            Err(Error::BadUri(_)) => Err("the address can't be read".to_owned()),
            Err(error) => Err(SafeText::line(&error.to_string()).to_string()),
        }
    }
}

/// Trusts the system's certificate authorities, because a company's proxy may have its own.
fn tls_config(address: &str) -> Result<TlsConfig, String> {
    let builder = TlsConfig::builder();
    if !address.starts_with("https:") {
        return Ok(builder.build());
    }
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let reason = found.errors.first().map(ToString::to_string);
        let reason = reason.unwrap_or_else(|| "none is installed".to_owned());
        return Err(format!(
            "no authority for certificates is known here: {reason}; install the system's CA certificates"
        ));
    }
    let roots = found.certs.iter();
    let roots = roots.map(|root| Certificate::from_der(root).to_owned());
    let provider = rustls::crypto::ring::default_provider();
    Ok(builder
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(provider))
        .build())
}

/// The HMAC-SHA256 (RFC 2104) of a body, in hexadecimal.
fn sign(secret: &str, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(body.as_bytes());
    hex(&mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_equals_that_of_rfc_4231() {
        let wanted = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(sign("Jefe", "what do ya want for nothing?"), wanted);
    }
}
