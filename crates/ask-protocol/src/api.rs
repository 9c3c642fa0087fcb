//! What the hub's HTTP API says and reads: records in the form of [`crate::native`] with what is shown
//! of them, lists, events, problem documents, what is about devices, bodies and queries. The schemas of
//! the OpenAPI document are derived from the same types.

mod bodies;
mod card;
mod devices;
mod document;
mod events;
mod headers;
mod problem;
mod proof;
mod query;
mod records;
mod responses;
mod unknown_fields;

pub use bodies::{
    Answering, Clarifying, Decision, Declining, Extending, FileBytes, Invited, KeptDraft, Key,
    PairingOn, Presence, Snoozing, Switch, read_answering, read_body, read_call, read_known,
};
pub use card::CardCall;
pub use devices::{PairState, Paired, Reach, Session};
pub use document::{Call, Failure, write_document};
pub use events::{
    Event, Gone, Hello, event_name, write_document_event, write_event, write_event_of,
};
pub use headers::{bearer, cookies, is_one_of, origin_host};
pub use problem::{ProblemDocument, Wrong, of_refusal, of_unfinished};
pub use proof::Proof;
pub use query::{
    AskedBy, ExportFormat, Exported, Forgetting, ForgettingOne, Listed, ListedState, Narrowing,
    Nothing, WaitedBy, names_of, read_query,
};
pub use records::{
    Asks, Day, Found, FoundPath, RecordView, Removed, Revision, Settings, Settled, Status,
};

/// The name of the form that this module writes.
pub const VERSION: &str = "v1";
