//! The domain of ask-user: what an agent asks, how a person answers it, how it ends, and the text
//! of both made safe to show. Parsing foreign JSON with paths is here, too, since agents' tool
//! contracts (`ask-dialects`) and our own JSON (`ask-protocol`) both need it.
//!
//! Nothing here touches the world: no clock, no files, no sockets, no threads, no async. Time is an
//! argument and decisions are values, which the shell carries out.

pub mod ask;
pub mod attachment;
pub mod caller;
pub mod devices;
pub mod draft;
pub mod fingerprint;
pub mod history;
pub mod id;
pub mod json;
pub mod lifecycle;
pub mod markdown;
pub mod origin;
pub mod outcome;
pub mod record;
pub mod refusal;
pub mod sanitize;
pub mod secret;
pub mod stats;
#[cfg(feature = "testing")]
pub mod testing;
pub mod time;
pub mod write;

pub use ask::{Ask, Choice, Input, Question};
pub use attachment::{Attachment, Digest, Media};
pub use caller::{Ancestry, Caller, Process, Role, SESSION};
pub use draft::{Answer, Answered, Draft, Gaps, Unfinished};
pub use fingerprint::Fingerprint;
pub use id::AskId;
pub use lifecycle::Settlement;
pub use origin::Origin;
pub use outcome::Outcome;
pub use record::{Asker, Record, State};
pub use refusal::{Problem, Refusal};
pub use sanitize::SafeText;
pub use serde_json::Value as Json;
pub use time::Time;
pub use write::{Write, Written};
