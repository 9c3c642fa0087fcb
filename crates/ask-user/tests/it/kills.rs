//! Nothing is forgotten, whoever is killed and whenever: the hub, the agent, a
//! surface; and whoever takes the hub's place serves those who wait.

mod concurrent;
mod hub;
mod moment;
mod others;
mod sandbox;
