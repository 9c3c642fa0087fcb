//! A simulation of everything around the engine, in virtual time: agents that ask, give up, crash
//! and restart, surfaces that answer, a hub that is killed, a disk that loses unsynced data,
//! connections that break, and a wall clock that is set. The seed determines everything that
//! happens, so a seed repeats a failure. A ledger checks the results, and knows nothing of how the
//! engine decides.

mod agent;
mod connection;
mod disk;
mod hub;
mod ledger;
mod plan;
mod random;
mod shrink;
mod simulation;
mod surface;
#[cfg(test)]
mod tests;

pub use ledger::Counts;
pub use plan::Plan;
pub use shrink::{Case, shrink};
pub use simulation::{Failure, run, run_traced};

/// Simulations that failed in the past. Each line is `--seed` and a plan, or a comment after `#`.
pub const CASES: &str = include_str!("simulator/cases.txt");
