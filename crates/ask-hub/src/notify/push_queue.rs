//! What is on its way to the phone: which asks, to where, how often it was tried, and when it is
//! tried again. Pure: sending is left to others.

use ask_core::{AskId, Time};

use super::policy::Event;

/// After each try that failed, so long until the next. The last one repeats.
const PAUSES_MS: [u64; 6] = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
/// After so long nobody wants to know any more.
const GIVEN_UP_MS: u64 = 24 * 60 * 60 * 1_000;

/// Where the phone is told from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The person's own address.
    Webhook,
    /// A topic of ntfy.
    Ntfy,
}

/// One message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedPush {
    /// Where to.
    pub channel: Channel,
    /// What happened: they were asked, or one of them is over.
    pub event: Event,
    /// To which asks.
    pub ids: Vec<AskId>,
    made_at: Time,
    tries: usize,
    /// When it is tried next.
    pub next_at: Time,
    /// Whether it is being sent right now.
    pub is_underway: bool,
}

impl QueuedPush {
    /// A message to be sent now.
    pub fn new(channel: Channel, event: Event, ids: Vec<AskId>, now: Time) -> Self {
        Self {
            channel,
            event,
            ids,
            made_at: now,
            tries: 0,
            next_at: now,
            is_underway: false,
        }
    }

    /// Whether it is to be sent.
    pub fn is_due(&self, now: Time) -> bool {
        !self.is_underway && self.next_at <= now
    }

    /// Whether two are the same message, however often it was tried.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.channel, self.event, self.made_at) == (other.channel, other.event, other.made_at)
            && self.ids.first() == other.ids.first()
    }

    /// A try failed; whether it is tried again.
    pub fn failed(&mut self, now: Time) -> bool {
        let pause = PAUSES_MS[self.tries.min(PAUSES_MS.len() - 1)];
        self.tries += 1;
        self.next_at = now.plus_ms(pause);
        now.since_ms(self.made_at) < GIVEN_UP_MS
    }

    /// An ask is over, and need not be told of any more; whether it would have been. What is on its
    /// way can't be stopped.
    pub fn without(&mut self, id: &AskId) -> bool {
        if self.event != Event::Asked || self.is_underway || !self.ids.contains(id) {
            return false;
        }
        self.ids.retain(|other| other != id);
        true
    }

    /// As it is kept.
    pub fn line(&self) -> String {
        let ids: Vec<&str> = self.ids.iter().map(AskId::as_str).collect();
        format!(
            "{} {} {} {} {} {}",
            self.channel.word(),
            self.event.word(),
            self.made_at.0,
            self.tries,
            self.next_at.0,
            ids.join(",")
        )
    }

    /// Reads what [`QueuedPush::line`] wrote.
    pub fn read<'line>(mut words: impl Iterator<Item = &'line str>) -> Option<Self> {
        let channel = match words.next()? {
            "webhook" => Channel::Webhook,
            "ntfy" => Channel::Ntfy,
            _ => return None,
        };
        let event = Event::find(words.next()?)?;
        let made_at = Time(words.next()?.parse().ok()?);
        let tries = words.next()?.parse().ok()?;
        let next_at = Time(words.next()?.parse().ok()?);
        let ids = words.next()?.split(',').map(AskId::parse);
        Some(Self {
            channel,
            event,
            ids: ids.collect::<Option<_>>()?,
            made_at,
            tries,
            next_at,
            is_underway: false,
        })
    }
}

impl Channel {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Ntfy => "ntfy",
        }
    }
}
