//! Devices of other machines: how one is let in, what it may, and how it is shut out.

mod admit;
mod codes;
mod command;
mod commanded;
mod https;
mod listener;
mod named;
mod permissions;
mod refused;
mod renewed;
mod tunnel;
mod waiting;
