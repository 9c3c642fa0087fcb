//! What a process knows about its machine and its person: time, folders, settings, languages, keys,
//! who asks, and where log lines go.

pub mod asker;
pub mod checkout;
pub mod clock;
pub mod config;
pub mod duration;
pub mod exit;
pub mod home;
pub mod i18n;
pub mod keys;
pub mod limits;
pub mod logging;
pub mod process;
pub mod snooze;
pub mod text;
