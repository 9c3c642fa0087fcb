//! Nothing is lost whoever is killed at whatever moment: the hub, an agent, a surface. The next hub
//! serves those who wait.

mod concurrent;
mod hub;
mod moment;
mod others;
mod sandbox;
