//! Where people meet asks.
