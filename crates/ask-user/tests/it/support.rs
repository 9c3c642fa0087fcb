//! What the stories stand on: a home of their own, and streams that are read
//! line by line under an upper bound.

pub mod lines;
pub mod sandbox;
