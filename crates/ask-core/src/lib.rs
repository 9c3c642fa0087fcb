//! The pure core of ask-user: what an agent asks, how a person answers it, how
//! it ends, and how each agent's wording is read and written.
//!
//! Nothing here touches the world: no clock, no files, no sockets, no threads,
//! no async. Time is an argument and decisions are values; the `ask-user` crate
//! acts on them.

pub mod ask;
pub mod attachment;
pub mod caller;
pub mod dialect;
pub mod draft;
pub mod figures;
pub mod fingerprint;
pub mod history;
pub mod id;
pub mod lifecycle;
pub mod markdown;
pub mod outcome;
pub mod pairing;
pub mod plain;
pub mod record;
pub mod time;

pub use ask::{Ask, Choice, Input, Question};
pub use attachment::{Attachment, Digest, Media};
pub use caller::{Caller, Process};
pub use dialect::{Dialect, Refusal, Reply};
pub use draft::{Answer, Answered, Draft, Gaps, Unfinished};
pub use fingerprint::Fingerprint;
pub use id::AskId;
pub use lifecycle::Settlement;
pub use outcome::Outcome;
pub use plain::Plain;
pub use record::{Asker, Record, State};
pub use time::Time;
