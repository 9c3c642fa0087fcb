//! Nothing is forgotten, whoever is killed and whenever: the hub, the agent, a
//! surface; and whoever takes the hub's place serves those who wait.

mod crowd;
mod hub;
mod moment;
mod others;
mod place;
