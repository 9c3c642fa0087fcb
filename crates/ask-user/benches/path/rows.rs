//! The rows of the table; each file returns its rows in their order.

pub(crate) mod burst;
pub(crate) mod calls;
pub(crate) mod history;
pub(crate) mod hub_memory;
pub(crate) mod memory;
pub(crate) mod pages;
pub(crate) mod path;
pub(crate) mod rest;
pub(crate) mod size;
pub(crate) mod start;
pub(crate) mod terminal;
pub(crate) mod waiting;
