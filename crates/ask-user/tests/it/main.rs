//! Everything that is tested from outside: the binary as agents and people meet
//! it, and the tree against its own rules. One binary, so that it links once.

mod agent;
mod alone;
mod apps;
mod aside;
mod attach;
mod bridge;
mod commands;
mod dialog;
mod hook;
mod http;
mod kills;
mod notify;
mod old;
mod origin;
mod pair;
mod peers;
mod prompt;
mod register;
mod rpc;
mod support;
mod tasks;
mod terminal;
mod tidy;
mod trouble;
mod web;
