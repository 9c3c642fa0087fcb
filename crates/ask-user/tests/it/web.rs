//! The HTTP API and the page's sign-in, through the real binary: permissions, answers, and event
//! streams.

mod again;
mod answers;
mod ask_list;
mod asker;
mod auth;
mod bodies;
mod drafts;
mod events;
mod history;
mod limits;
mod not_found;
mod openapi;
mod paths;
mod session;
mod stolen;
