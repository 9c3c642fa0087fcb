//! The messages between the hub and its clients.
