//! The facts that the engine needs about this machine: which processes run, and which HTTP sessions
//! are open.

use std::cell::RefCell;
use std::collections::HashSet;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use ask_config::{clock, process};
use ask_core::{Caller, Process, Time};
use ask_engine::Machine;
#[cfg(target_os = "linux")]
use rustix::process::{Pid, PidfdFlags, pidfd_open};
#[cfg(target_os = "linux")]
use tokio::io::{Interest, unix::AsyncFd};

use crate::http::agent_sessions::AgentSessions;

/// How many processes that have ended are remembered. When there are more, all are forgotten.
const MAX_ENDED: usize = 16_384;

/// The operating system and the table of HTTP sessions.
pub(super) struct ThisMachine {
    sessions: Arc<AgentSessions>,
    /// Processes that have ended: none of them ever runs again. One call may ask for the same ones
    /// thousands of times, if many agents have left the same question.
    ended: RefCell<HashSet<Process>>,
}

impl ThisMachine {
    pub(super) fn with_sessions(sessions: Arc<AgentSessions>) -> Self {
        Self {
            sessions,
            ended: RefCell::default(),
        }
    }
}

impl Machine for ThisMachine {
    fn runs(&self, process: Process) -> bool {
        let mut ended = self.ended.borrow_mut();
        if ended.contains(&process) {
            return false;
        }
        let runs = process::runs(process);
        // Where the system tells no starts, a later process may have the same number.
        if !runs && process.start != 0 {
            if ended.len() >= MAX_ENDED {
                ended.clear();
            }
            ended.insert(process);
        }
        runs
    }

    fn session_exists(&self, instance: &str) -> bool {
        self.sessions.is_open(instance)
    }

    fn session_senders(&self, instance: &str) -> Vec<Process> {
        self.sessions.senders(instance)
    }

    fn started_at(&self, process: Process) -> Option<Time> {
        process::started_at(process)
    }
}

/// How often a process is looked for where the system can't report its end.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Waits until a process has ended.
pub(super) async fn ended(process: Process) {
    #[cfg(target_os = "linux")]
    if let Some(descriptor) = descriptor(process) {
        // An error says nothing about the process, which is looked for below.
        let _ = descriptor.readable().await;
    }
    let mut looks = tokio::time::interval(LOOK_AGAIN);
    while process::runs(process) {
        looks.tick().await;
    }
}

/// What becomes readable when this process ends.
#[cfg(target_os = "linux")]
#[expect(
    deprecated,
    reason = "the other way is unsafe, and an owned descriptor stays open until it is dropped"
)]
fn descriptor(process: Process) -> Option<AsyncFd<OwnedFd>> {
    let pid = Pid::from_raw(i32::try_from(process.pid).ok()?)?;
    let descriptor = pidfd_open(pid, PidfdFlags::NONBLOCK).ok()?;
    // Another process may have got the number.
    process::runs(process).then_some(())?;
    AsyncFd::with_interest(descriptor, Interest::READABLE).ok()
}

/// The program at the other end of a connection.
pub(crate) fn find_caller(pid: Option<i32>) -> Option<Caller> {
    let pid = u32::try_from(pid?).ok()?;
    // The hub runs in a container, and the program outside of it.
    if pid == 0 {
        let connection = format!("connection-{}", clock::attempt());
        return Some(Caller::unidentified(connection, clock::steady()));
    }
    let found = process::caller(pid).map(|caller| match process::is_ours(pid) {
        true => caller,
        false => as_agent(caller),
    });
    found.or_else(|| ended_caller(pid))
}

/// A program other than ours that speaks to the hub itself: it is an agent, or speaks for the one that
/// started it.
fn as_agent(caller: Caller) -> Caller {
    let caller = process::without_shell(caller);
    let itself = caller.process.filter(|_| caller.client.is_none());
    Caller {
        agent: caller.agent.or(itself),
        senders: caller.process.into_iter().collect(),
        ..caller
    }
}

/// A caller for a process that ended before it was looked up. Its instance is unique, so it equals
/// no other caller.
#[cfg(target_os = "linux")]
fn ended_caller(pid: u32) -> Option<Caller> {
    Some(Caller {
        process: Some(Process { pid, start: 0 }),
        started_at: clock::steady(),
        ..Caller::of_instance(format!("process:{pid}:ended-{}", clock::attempt()))
    })
}

/// On other systems, processes can't be looked up.
#[cfg(not(target_os = "linux"))]
fn ended_caller(_: u32) -> Option<Caller> {
    None
}
