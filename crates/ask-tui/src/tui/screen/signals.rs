//! The signals that a program on a terminal handles.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Streams of the handled signals.
pub(crate) struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    resume: Signal,
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalRequest {
    /// End: the terminal is closed, or the system or a person ends the program.
    End,
    /// Ctrl+C in a program that has the terminal, or `kill -INT`.
    Interrupt,
    /// The program was stopped and continues: another program may have used the terminal.
    Resume,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        // The number of `SIGCONT` differs between systems.
        let resume = rustix::process::Signal::CONT.as_raw();
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            resume: signal(SignalKind::from_raw(resume))?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn recv(&mut self) -> SignalRequest {
        tokio::select! {
            _ = self.terminate.recv() => SignalRequest::End,
            _ = self.hang_up.recv() => SignalRequest::End,
            _ = self.interrupt.recv() => SignalRequest::Interrupt,
            _ = self.resume.recv() => SignalRequest::Resume,
        }
    }
}
