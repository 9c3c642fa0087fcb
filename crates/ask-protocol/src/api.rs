//! The bodies, queries and headers of the hub's HTTP API: records in the form of [`crate::native`]
//! with texts that are safe to show, lists, events, problem documents and the state of devices. The
//! schemas of the OpenAPI document are derived from the same types.

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
    Answering, Attempt, Clarifying, Decision, Declining, Extending, FileBytes, Invited, KeptDraft,
    Key, PairingOn, Presence, Snoozing, Switch, read_answering, read_body, read_call, read_known,
};
pub use card::CardCall;
pub use devices::{ClientAccess, PairState, Paired, Session};
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
    WaitResponse,
};

/// The version of these forms, in paths.
pub const VERSION: &str = "v1";
