//! An agent's process and the messages over its pipes. Every line of its output is recorded, even
//! if the agent doesn't read it any more.

use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::callers::{self, Program};
use crate::log::Route;
use crate::model::{Campaign, pause};
use crate::process::{Process, Role};
use crate::protocol::{INITIALIZED, Protocol, cancelled};
use crate::replies::{PendingCall, Replies};
use crate::rng::Rng;
use crate::session::Identity;

/// A process whose input has ended takes at most ten seconds to report to its hub, unless it is
/// frozen or the machine is busy.
const END_LIMIT: Duration = Duration::from_secs(30);

/// A process that asks, and its conversation.
pub(crate) struct Piped {
    campaign: Rc<Campaign>,
    /// The process.
    pub process: Rc<Process>,
    child: Child,
    input: Option<ChildStdin>,
    replies: Rc<Replies>,
    reader: JoinHandle<()>,
    protocol: Protocol,
    next: i64,
}

impl Piped {
    /// Starts `ask-user mcp` in a dialect and opens the conversation.
    pub(crate) async fn open(
        campaign: &Rc<Campaign>,
        dialect: &str,
        identity: Identity,
        has_program: bool,
    ) -> Option<Self> {
        let number = campaign.processes.number();
        let program = match has_program {
            true => Program::Own,
            false => Program::Campaign,
        };
        let caller = identity.caller(campaign, program);
        campaign.log.borrow_mut().callers.begin(number, caller);
        let arguments = ["mcp", "--dialect", dialect];
        let mut command = match has_program {
            true => campaign
                .dirs
                .command_of_a_program(campaign.dirs.binary(), &arguments),
            false => campaign.dirs.command(&arguments),
        };
        command.env("ASK_USER_PROJECT", callers::project(number));
        command.envs(identity.name.iter().map(|name| ("ASK_USER_AGENT", name)));
        let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
        let pid = match child.stderr.take() {
            Some(sending) => Some(read_pid(sending).await?),
            None => None,
        };
        let process = campaign.processes.adopt(&child, number, pid, Role::Agent);
        let input = child.stdin.take();
        let out = child.stdout.take()?;
        let replies = Replies::new(campaign, process.number, false);
        let reader =
            tokio::task::spawn_local(record_output(Rc::clone(&process), Rc::clone(&replies), out));
        let mut session = Self {
            campaign: Rc::clone(campaign),
            process,
            child,
            input,
            replies,
            reader,
            protocol: Protocol::new(identity.client, identity.modern),
            next: 0,
        };
        session.greet().await;
        Some(session)
    }

    async fn greet(&mut self) {
        self.next += 1;
        let greeted = self.replies.expect(self.next, None, Route::Read);
        self.send(&self.protocol.first_request(self.next)).await;
        // The first call notices if the process was killed meanwhile.
        let _ = tokio::time::timeout(Duration::from_secs(10), greeted.reply).await;
        if !self.protocol.modern {
            self.send(INITIALIZED).await;
        }
    }

    /// Calls a tool.
    pub(crate) async fn call(
        &mut self,
        tool: &str,
        arguments: &str,
        tag: Option<u64>,
        route: Route,
    ) -> PendingCall {
        self.next += 1;
        let asked = self.replies.expect(self.next, tag, route);
        self.send(&self.protocol.call(asked.id, tool, arguments))
            .await;
        asked
    }

    /// Gives up a call silently.
    pub(crate) fn give_up(&mut self, id: i64) {
        self.replies.set_route(id, Route::GivenUp);
    }

    /// Cancels a call.
    pub(crate) async fn cancel(&mut self, id: i64) {
        self.replies.set_route(id, Route::Cancelled);
        self.send(&cancelled(id)).await;
    }

    async fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let line = format!("{line}\n");
            let sending = input.write_all(line.as_bytes());
            // A process that has ended or is frozen for long doesn't read it.
            let _ = tokio::time::timeout(Duration::from_secs(5), sending).await;
        }
    }

    /// Closes its input, like a client that has finished.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes its output. What is unread in it is recorded first, while the process is stopped, so
    /// that it is known what nobody read.
    async fn close_output(&mut self) {
        self.process.hold().await;
        self.replies.stop_reading(Route::Unread);
        self.replies.forget_all();
        // The reader ends by itself when nothing arrives.
        let _ = (&mut self.reader).await;
        self.process.release();
    }

    /// Waits until the process has ended, or kills it.
    pub(crate) async fn end(mut self) {
        let campaign = Rc::clone(&self.campaign);
        self.leaves();
        let ended = campaign.processes.ended(&self.process, &mut self.child);
        if tokio::time::timeout(END_LIMIT, ended).await.is_err() {
            if !campaign.is_over() {
                let problem = format!("agent {} did not end with its input", self.process.number);
                campaign.log.borrow_mut().stuck.push(problem);
            }
            self.process.kill();
            campaign
                .processes
                .ended(&self.process, &mut self.child)
                .await;
        }
        if !self.reader.is_finished() {
            // The reader has recorded everything; its own end carries nothing.
            let _ = self.reader.await;
        }
        let mut log = campaign.log.borrow_mut();
        log.callers.end(self.process.number, Instant::now());
        if let Some(at) = self.process.killed_at() {
            log.killed.insert(self.process.number, at);
        }
    }

    /// Records that the agent may have begun to end.
    fn leaves(&self) {
        let mut log = self.campaign.log.borrow_mut();
        log.callers
            .begin_to_leave(self.process.number, Instant::now());
    }

    /// Ends the process in one of the ways a process can end.
    pub(crate) async fn leave(mut self, rng: &mut Rng) {
        self.leaves();
        let (campaign, number) = (Rc::clone(&self.campaign), self.process.number);
        let fault = |kind| {
            let mut log = campaign.log.borrow_mut();
            log.fault(kind);
            log.ends.insert(number, kind);
        };
        match rng.below(100) {
            0..45 => {
                fault("inputs closed");
                self.close_input();
            }
            45..75 => {
                // Some are killed at the moment of a reply, most a little later.
                if rng.percent(60) {
                    pause(rng.ms(0, 50)).await;
                }
                if self.process.kill() {
                    fault("agents killed");
                }
            }
            75..85 => {
                fault("agents ended");
                self.process.signal(Signal::TERM);
            }
            _ => {
                fault("outputs closed unread");
                self.close_output().await;
                self.close_input();
            }
        }
        self.end().await;
    }
}

/// The process id that a program prints on its standard error.
pub(crate) async fn read_pid(sending: ChildStderr) -> Option<u32> {
    let mut line = String::new();
    BufReader::new(sending).read_line(&mut line).await.ok()?;
    line.trim().parse().ok()
}

async fn record_output(process: Rc<Process>, replies: Rc<Replies>, out: ChildStdout) {
    let mut lines = BufReader::new(out).lines();
    loop {
        // A line may have been written between the last look and the moment when nobody read any
        // more. So one look begins after it.
        let was_reading = replies.is_reading();
        let next = tokio::time::timeout(Duration::from_millis(40), lines.next_line()).await;
        if process.killed_at().is_some() {
            replies.stop_reading(Route::Unread);
        }
        match next {
            Ok(Ok(Some(line))) => {
                replies.record(&line, Instant::now());
            }
            Ok(_) => break,
            Err(_) if process.killed_at().is_none() && !was_reading => break,
            Err(_) => {}
        }
    }
    replies.forget_all();
}
