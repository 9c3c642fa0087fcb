//! The processes that a campaign has started, and the signals that it may send them. A process that
//! has ended gets none, because its id may belong to another process.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Child;
use tokio::time::Instant;

use crate::model::pause;
use crate::rng::Rng;

/// The role of a process in the campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An agent.
    Agent,
    /// A surface through which a person answers.
    Surface,
}

/// A process of the campaign.
pub(crate) struct Process {
    /// Its number in the campaign, which is never reused.
    pub number: u64,
    /// Its role.
    pub role: Role,
    pid: u32,
    killed_at: Cell<Option<Instant>>,
    ended: Cell<bool>,
    /// Whether it is held until it is let go, and no other fault resumes it.
    held: Cell<bool>,
}

/// The running processes.
#[derive(Default)]
pub(crate) struct Processes {
    running: RefCell<BTreeMap<u64, Rc<Process>>>,
    next: Cell<u64>,
}

impl Processes {
    /// A new number, for a process or an agent without one.
    pub(crate) fn number(&self) -> u64 {
        let number = self.next.get() + 1;
        self.next.set(number);
        number
    }

    /// Registers a started child under a number. If the child is a program that started the actual
    /// process, `pid` is that process's id, and both end together.
    pub(crate) fn adopt(
        &self,
        child: &Child,
        number: u64,
        pid: Option<u32>,
        role: Role,
    ) -> Rc<Process> {
        let process = Rc::new(Process {
            number,
            role,
            pid: pid.or(child.id()).unwrap_or(0),
            killed_at: Cell::new(None),
            ended: Cell::new(child.id().is_none()),
            held: Cell::new(false),
        });
        let mut running = self.running.borrow_mut();
        running.insert(number, Rc::clone(&process));
        process
    }

    /// Waits until a child has ended, and removes it. Returns its exit code unless a signal ended
    /// it.
    pub(crate) async fn ended(&self, process: &Process, child: &mut Child) -> Option<i32> {
        let status = child.wait().await;
        process.ended.set(true);
        self.running.borrow_mut().remove(&process.number);
        status.ok().and_then(|status| status.code())
    }

    /// A random running process.
    pub(crate) fn any(&self, rng: &mut Rng) -> Option<Rc<Process>> {
        let running: Vec<Rc<Process>> = self.running.borrow().values().cloned().collect();
        (!running.is_empty()).then(|| {
            let at = rng.below(running.len() as u64);
            Rc::clone(&running[usize::try_from(at).unwrap_or(0)])
        })
    }

    /// Resumes every frozen process.
    pub(crate) fn resume_all(&self) {
        for process in self.running.borrow().values() {
            process.resume();
        }
    }
}

impl Process {
    /// Sends a signal unless the process has ended.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        !self.ended.get() && send(self.pid, signal)
    }

    /// Stops the process until it is let go.
    pub(crate) async fn hold(&self) {
        self.held.set(true);
        while self.signal(Signal::STOP) && !self.is_stopped() {
            pause(Duration::from_millis(1)).await;
        }
    }

    /// Lets go of a held process.
    pub(crate) fn release(&self) {
        self.held.set(false);
        self.resume();
    }

    /// Resumes a frozen process unless it is held.
    pub(crate) fn resume(&self) {
        if !self.held.get() {
            self.signal(Signal::CONT);
        }
    }

    /// Kills the process. From this moment on its output is unread.
    pub(crate) fn kill(&self) -> bool {
        let first = self.killed_at.get().is_none() && !self.ended.get();
        if first {
            self.killed_at.set(Some(Instant::now()));
            self.signal(Signal::KILL);
        }
        first
    }

    /// When it was killed.
    pub(crate) fn killed_at(&self) -> Option<Instant> {
        self.killed_at.get()
    }

    /// Whether the system reports the process as stopped or ended.
    fn is_stopped(&self) -> bool {
        is_stopped(self.pid)
    }
}

/// Whether the system reports a process as stopped or ended.
pub(crate) fn is_stopped(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    state.is_empty() || state.starts_with(['T', 'Z', 'X'])
}

/// Sends a signal to a process that is known to run.
pub(crate) fn send(pid: u32, signal: Signal) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

/// Waits for some work with a process, and kills the process in between if `dies` is set. True if
/// it was killed.
pub(crate) async fn kill_within(
    work: impl Future<Output = ()>,
    process: &Process,
    after: Option<Duration>,
) -> bool {
    let mut work = pin!(work);
    let Some(after) = after else {
        work.await;
        return false;
    };
    tokio::select! {
        () = &mut work => return false,
        () = pause(after) => {}
    }
    let killed = process.kill();
    work.await;
    killed
}
