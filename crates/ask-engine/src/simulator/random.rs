//! A random number generator, determined by its seed.

/// SplitMix64, by Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        random.next();
        random
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `end`. 0 if `end` is 0.
    pub(super) fn next_below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// True with a probability of `chance` in a thousand.
    pub(super) fn per_mille(&mut self, chance: u64) -> bool {
        self.next_below(1_000) < chance
    }

    /// A duration in milliseconds: mostly 0 or up to `typical_ms`, rarely up to 20 times as long.
    pub(super) fn delay(&mut self, typical_ms: u64) -> u64 {
        match self.next_below(20) {
            0 => self.next_below(typical_ms * 20 + 1),
            1..8 => 0,
            _ => self.next_below(typical_ms + 1),
        }
    }

    /// One of these items. `None` if there are none.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.next_below(items.len() as u64) as usize)
    }
}
