//! Pairing that is on but can't work at the moment, because its address is gone (the network is
//! off, or the machine has just woken up) or its certificate is unusable. It is retried until it
//! works or is turned off.

use ask_core::Time;
use ask_core::devices::Pairing;

use super::address;
use super::device_store::SavedPairing;

/// The interval of retries.
const PAUSE_MS: u64 = 10_000;

/// Pairing that waits for its address or its certificate.
#[derive(Clone)]
pub(super) struct Away {
    /// What to turn on.
    pub(super) kept: SavedPairing,
    /// Why that fails at the moment.
    why: String,
    /// The time of the next retry.
    pub(super) next: Time,
}

impl Away {
    /// Pairing that failed now, for this reason.
    pub(super) fn new(kept: SavedPairing, why: String, now: Time) -> Self {
        let next = now.plus_ms(PAUSE_MS);
        Self { kept, why, next }
    }

    /// Whether both fail for the same reason.
    pub(super) fn is_for_the_same(&self, other: &Self) -> bool {
        self.why == other.why
    }

    /// Adds its state to what the person's own surfaces show.
    pub(super) fn show(&self, pairing: &mut Pairing) {
        let scheme = if self.kept.is_encrypted {
            "https"
        } else {
            "http"
        };
        let place = self.kept.place;
        let place = place.map(|(ip, port)| format!("{scheme}://{}", address::authority(ip, port)));
        pairing.on = true;
        pairing.until = self.kept.until;
        pairing.url = place;
        pairing.encrypted = self.kept.is_encrypted;
        pairing.remark = Some(self.why.clone());
    }
}
