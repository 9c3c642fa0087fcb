//! The HTTP API and the page's sign-in, through the real binary: who may what, what is
//! answered by whom, and what is told to whoever listens.

mod answers;
mod astray;
mod door;
mod events;
mod form;
mod limits;
mod past;
mod paths;
mod session;
