//! A process through which an agent uses HTTP, so that the hub sees that process instead of the
//! campaign. `faults --relay PORT` prints the port that it listens on, and forwards everything to
//! the hub's port.

use std::io::Write;
use std::process::Stdio;
use std::rc::Rc;

use rustix::process::Signal;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Child;
use tokio::time::Instant;

use crate::model::Campaign;
use crate::piped::read_pid;
use crate::process;

/// The option that starts a relay.
pub(crate) const RELAY: &str = "--relay";

/// Forwards connections until it is killed or the campaign ends.
pub(crate) async fn run(hub: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?.port())?;
    let mut input = tokio::io::stdin();
    let mut byte = [0];
    let mut ended = std::pin::pin!(input.read(&mut byte));
    loop {
        let (mut theirs, _) = tokio::select! {
            accepted = listener.accept() => accepted?,
            _ = &mut ended => return Ok(()),
        };
        tokio::task::spawn_local(async move {
            if let Ok(mut ours) = TcpStream::connect(("127.0.0.1", hub)).await {
                // An end or an error on one side only ends the other side.
                let _ = tokio::io::copy_bidirectional(&mut theirs, &mut ours).await;
            }
        });
    }
}

/// A running relay, started by a program of its own.
pub(crate) struct Relay {
    /// The port that it listens on.
    pub port: u16,
    pid: u32,
    /// The program. It ends when its input is closed, which this holds.
    child: Child,
}

impl Relay {
    /// Starts a relay to the hub at this port.
    pub(crate) async fn start(campaign: &Rc<Campaign>, hub: u16) -> Option<Self> {
        let own = std::env::current_exe().ok()?;
        let arguments = [RELAY, &hub.to_string()];
        let mut command = campaign.dirs.command_of_a_program(&own, &arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
        let pid = read_pid(child.stderr.take()?).await?;
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take()?);
        out.read_line(&mut said).await.ok()?;
        let port = said.trim().parse().ok()?;
        Some(Self { port, pid, child })
    }

    /// Kills the relay as the process of this agent. Nothing is on its way through it any more.
    pub(crate) async fn end(mut self, campaign: &Campaign, number: u64) {
        let callers = |leaves: bool| {
            let mut log = campaign.log.borrow_mut();
            match leaves {
                true => log.callers.begin_to_leave(number, Instant::now()),
                false => log.callers.end(number, Instant::now()),
            }
        };
        callers(true);
        process::send(self.pid, Signal::KILL);
        // The program ends with the relay.
        let _ = self.child.wait().await;
        callers(false);
    }
}
