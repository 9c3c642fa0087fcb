//! What an agent sees: its tools, the replies, and a server that continues whatever the agent
//! sends.

mod again;
mod built_in;
mod calls;
mod ends;
mod limits;
mod lines;
mod outcomes;
mod tools;
