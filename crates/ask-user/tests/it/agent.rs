//! What an agent sees: its tools, its replies, and a stream that it can rely on
//! whatever it sends itself.

mod again;
mod built_in;
mod calls;
mod ends;
mod limits;
mod lines;
mod outcomes;
mod tools;
