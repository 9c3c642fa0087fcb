//! Devices on other machines: how they are paired, what they may do, and how they are revoked.

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
