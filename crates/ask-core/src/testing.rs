//! What the tests of several crates use: hostile calls, and with the feature `proptest` strategies
//! for everything that is asked and answered. No program is built with it.

pub mod calls;
#[cfg(feature = "proptest")]
pub mod strategies;
