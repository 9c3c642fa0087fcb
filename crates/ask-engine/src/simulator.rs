//! A small world around the engine, in virtual time: agents that ask, give up, crash and come back,
//! surfaces that answer, a hub that dies, a disk that loses what was not synced, connections that
//! break, clocks that are set. One number decides everything that happens, so a failure is
//! repeated by its seed. A ledger judges, and knows nothing of how the engine decides.

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

/// Worlds that once went wrong, a line each: `--seed` and a plan, or `#` and what it was.
pub const CASES: &str = include_str!("simulator/cases.txt");
