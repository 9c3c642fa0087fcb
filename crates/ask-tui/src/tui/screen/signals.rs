//! The signals that mean something to a program on a terminal.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that are listened for.
pub struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    resume: Signal,
}

/// What a signal wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The terminal or the system wants us gone.
    End,
    /// Ctrl+C of a terminal that isn't ours at the moment, or somebody's `kill -INT`.
    Interrupt,
    /// We were stopped and go on: the terminal may have been somebody else's.
    Resume,
}

impl Signals {
    /// Listens from now on.
    pub fn new() -> io::Result<Self> {
        // Named by what it does: its number differs between systems.
        let resume = rustix::process::Signal::CONT.as_raw();
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            resume: signal(SignalKind::from_raw(resume))?,
        })
    }

    /// Waits for one of them.
    pub async fn recv(&mut self) -> Wanted {
        tokio::select! {
            _ = self.terminate.recv() => Wanted::End,
            _ = self.hang_up.recv() => Wanted::End,
            _ = self.interrupt.recv() => Wanted::Interrupt,
            _ = self.resume.recv() => Wanted::Resume,
        }
    }
}
