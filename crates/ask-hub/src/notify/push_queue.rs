//! Queued pushes to the phone: the asks and the channel of each, how often it was tried, and when
//! it is retried. The caller sends them.

use ask_core::{AskId, Time};

use super::policy::Event;

/// The pause after each failed attempt. The last one repeats.
const PAUSES_MS: [u64; 6] = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
/// A push that is older than this is dropped.
const MAX_AGE_MS: u64 = 24 * 60 * 60 * 1_000;

/// A channel to the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// The person's own webhook.
    Webhook,
    Ntfy,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueuedPush {
    pub channel: Channel,
    /// Its event: the asks opened, or one of them closed.
    pub event: Event,
    /// The asks that it is about.
    pub ids: Vec<AskId>,
    created_at: Time,
    attempts: usize,
    /// When it is tried next.
    pub next_at: Time,
    /// Whether an attempt is running.
    pub is_underway: bool,
}

impl QueuedPush {
    /// A push that is due now.
    pub(crate) fn new(channel: Channel, event: Event, ids: Vec<AskId>, now: Time) -> Self {
        Self {
            channel,
            event,
            ids,
            created_at: now,
            attempts: 0,
            next_at: now,
            is_underway: false,
        }
    }

    /// Whether an attempt is due.
    pub(crate) fn is_due(&self, now: Time) -> bool {
        !self.is_underway && self.next_at <= now
    }

    /// Whether two values are the same push, regardless of the number of attempts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.channel, self.event, self.created_at)
            == (other.channel, other.event, other.created_at)
            && self.ids.first() == other.ids.first()
    }

    /// Records a failed attempt. Returns whether to retry.
    pub(crate) fn record_failure(&mut self, now: Time) -> bool {
        let pause = PAUSES_MS[self.attempts.min(PAUSES_MS.len() - 1)];
        self.attempts += 1;
        self.next_at = now.plus_ms(pause);
        now.since_ms(self.created_at) < MAX_AGE_MS
    }

    /// Removes a closed ask from an unsent push. Returns whether the ask was in it. A running
    /// attempt can't be changed.
    pub(crate) fn remove_ask(&mut self, id: &AskId) -> bool {
        if self.event != Event::Asked || self.is_underway || !self.ids.contains(id) {
            return false;
        }
        self.ids.retain(|other| other != id);
        true
    }

    /// The push as one line of the store's notes.
    pub(crate) fn serialize(&self) -> String {
        let ids: Vec<&str> = self.ids.iter().map(AskId::as_str).collect();
        format!(
            "{} {} {} {} {} {}",
            self.channel.word(),
            self.event.word(),
            self.created_at.0,
            self.attempts,
            self.next_at.0,
            ids.join(",")
        )
    }

    /// Parses a line of [`QueuedPush::serialize`].
    pub(crate) fn parse<'line>(mut words: impl Iterator<Item = &'line str>) -> Option<Self> {
        let channel = match words.next()? {
            "webhook" => Channel::Webhook,
            "ntfy" => Channel::Ntfy,
            _ => return None,
        };
        let event = Event::find(words.next()?)?;
        let created_at = Time(words.next()?.parse().ok()?);
        let attempts = words.next()?.parse().ok()?;
        let next_at = Time(words.next()?.parse().ok()?);
        let ids = words.next()?.split(',').map(AskId::parse);
        Some(Self {
            channel,
            event,
            ids: ids.collect::<Option<_>>()?,
            created_at,
            attempts,
            next_at,
            is_underway: false,
        })
    }
}

impl Channel {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Ntfy => "ntfy",
        }
    }
}
