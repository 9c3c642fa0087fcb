//! Devices of other machines: how one is let in, what it may, and how it is shut out.

mod codes;
mod command;
mod commanded;
mod door;
mod https;
mod letin;
mod listener;
mod named;
mod refused;
mod renewed;
mod tunnel;
mod waiting;
