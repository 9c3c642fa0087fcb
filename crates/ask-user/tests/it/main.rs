//! All tests from outside: the binary as agents and people use it, and the tree against its own
//! rules. They are one binary, so that it is linked once.

mod agent;
mod apps;
mod attach;
mod book;
mod bridge;
mod commands;
mod dialog;
mod earlier_answer;
mod failure_modes;
mod hook;
mod http;
mod kills;
mod lint;
mod mcp_sdks;
mod migrations;
mod notify;
mod offline;
mod origin;
mod pair;
mod prompt;
mod register;
mod rpc;
mod snooze;
mod support;
mod take_back;
mod tasks;
mod terminal;
mod unsent;
mod web;
