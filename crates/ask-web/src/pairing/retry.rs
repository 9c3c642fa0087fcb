//! Devices may come, and can't: the address that they come to is not there, because the network is
//! off or the machine just woke up, or their certificate can't be used. The person's word holds, and
//! it is tried again until they can.

use ask_core::Time;
use ask_core::devices::Pairing;

use super::address;
use super::device_store::SavedPairing;

/// After how long it is tried again.
const PAUSE_MS: u64 = 10_000;

/// What waits for its address or its certificate.
#[derive(Clone)]
pub(super) struct Away {
    /// What the person wanted.
    pub(super) kept: SavedPairing,
    /// Why it can't be at the moment.
    why: String,
    /// When it is tried again.
    pub(super) next: Time,
}

impl Away {
    /// It couldn't be now.
    pub(super) fn new(kept: SavedPairing, why: String, now: Time) -> Self {
        let next = now.plus_ms(PAUSE_MS);
        Self { kept, why, next }
    }

    /// Whether it can't be for the reason that is known.
    pub(super) fn is_for_the_same(&self, other: &Self) -> bool {
        self.why == other.why
    }

    /// As the person's own surfaces show it.
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
