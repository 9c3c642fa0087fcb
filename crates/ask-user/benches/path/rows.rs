//! The rows of the table; each file returns its rows in their order.

pub mod burst;
pub mod calls;
pub mod history;
pub mod hub_memory;
pub mod memory;
pub mod pages;
pub mod path;
pub mod rest;
pub mod size;
pub mod start;
pub mod terminal;
pub mod waiting;
