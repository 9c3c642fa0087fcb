//! The random numbers of a campaign. Every actor has its own sequence, derived from the one seed,
//! so that a seed gives the same plan in whatever order the processes run.

use std::time::Duration;

/// One actor's sequence (SplitMix64).
#[derive(Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The sequence of this actor in the campaign of this seed.
    pub(crate) fn new(seed: u64, actor: u64) -> Self {
        let mut rng = Self(seed ^ actor.wrapping_mul(0xA076_1D64_78BD_642F));
        rng.next();
        rng
    }

    /// Any number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// One of these values.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        let at = self.below(of.len() as u64);
        of[usize::try_from(at).unwrap_or(0)]
    }

    /// True in this many of a hundred cases.
    pub(crate) fn percent(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    /// A duration between these numbers of milliseconds.
    pub(crate) fn ms(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.below(to - from))
    }
}
