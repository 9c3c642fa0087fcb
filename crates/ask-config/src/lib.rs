//! What a process knows of its machine and its person: time, folders, settings, languages,
//! keys, who asks, and where log lines go.

pub mod aside;
pub mod asker;
pub mod checkout;
pub mod clock;
pub mod config;
pub mod descriptors;
pub mod exit;
pub mod home;
pub mod keys;
pub mod logging;
pub mod process;
pub mod text;
pub mod words;
