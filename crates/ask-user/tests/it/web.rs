//! The HTTP API and the page's sign-in, through the real binary: who may what, what is
//! answered by whom, and what is told to whoever listens.

mod again;
mod answers;
mod asker;
mod astray;
mod bodies;
mod described;
mod door;
mod events;
mod limits;
mod listed;
mod past;
mod paths;
mod session;
mod stolen;
mod typed;
