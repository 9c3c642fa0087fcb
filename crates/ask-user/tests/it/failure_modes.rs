//! Failures of the environment: a message says what happened, where, and what to do, and nothing
//! that was acknowledged is lost.

mod damage;
mod disk;
mod disk_full;
mod idle;
mod limits;
mod lost;
mod paths;
