//! Pairing that is on but can't work at the moment, because its address is gone (the network is
//! off, or the machine has just woken up) or its certificate is unusable. It is retried until it
//! works or is turned off.

use ask_core::Time;
use ask_core::devices::Pairing;

use super::address;
use super::device_store::SavedPairing;

/// The interval of retries.
const INTERVAL_MS: u64 = 10_000;

/// Pairing that waits for its address or its certificate.
#[derive(Clone)]
pub(super) struct Retry {
    /// The pairing to turn on.
    pub(super) saved: SavedPairing,
    /// Why that failed last.
    reason: String,
    /// The time of the next retry.
    pub(super) next: Time,
}

impl Retry {
    /// Pairing that failed now, for this reason.
    pub(super) fn new(saved: SavedPairing, reason: String, now: Time) -> Self {
        let next = now.plus_ms(INTERVAL_MS);
        Self {
            saved,
            reason,
            next,
        }
    }

    /// Whether both fail for the same reason.
    pub(super) fn has_same_reason(&self, other: &Self) -> bool {
        self.reason == other.reason
    }

    /// Sets the state that the person's own surfaces show.
    pub(super) fn apply_to(&self, pairing: &mut Pairing) {
        let scheme = if self.saved.is_encrypted {
            "https"
        } else {
            "http"
        };
        let place = self.saved.place;
        let url = place.map(|(ip, port)| format!("{scheme}://{}", address::authority(ip, port)));
        pairing.on = true;
        pairing.until = self.saved.until;
        pairing.url = url;
        pairing.encrypted = self.saved.is_encrypted;
        pairing.remark = Some(self.reason.clone());
    }
}
