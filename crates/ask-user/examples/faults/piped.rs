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
use crate::log::How;
use crate::model::{World, pause};
use crate::process::{Process, Role};
use crate::protocol::{INITIALIZED, Speech, cancelled};
use crate::replies::{Asked, Hearing};
use crate::rng::Chance;
use crate::session::Who;

/// A process whose input has ended takes at most ten seconds to report to its hub, unless it is
/// frozen or the machine is busy.
const LAST: Duration = Duration::from_secs(30);

/// A process that asks, and its conversation.
pub(crate) struct Piped {
    world: Rc<World>,
    /// The process.
    pub process: Rc<Process>,
    child: Child,
    input: Option<ChildStdin>,
    hearing: Rc<Hearing>,
    reader: JoinHandle<()>,
    speech: Speech,
    next: i64,
}

impl Piped {
    /// Starts `ask-user mcp` in a dialect and opens the conversation.
    pub(crate) async fn open(
        world: &Rc<World>,
        dialect: &str,
        who: Who,
        has_program: bool,
    ) -> Option<Self> {
        let number = world.processes.number();
        let program = match has_program {
            true => Program::Own,
            false => Program::Campaign,
        };
        let caller = who.caller(world, program);
        world.ledger.borrow_mut().callers.begin(number, caller);
        let arguments = ["mcp", "--dialect", dialect];
        let mut command = match has_program {
            true => world
                .place
                .command_of_a_program(world.place.binary(), &arguments),
            false => world.place.command(&arguments),
        };
        command.env("ASK_USER_PROJECT", callers::project(number));
        command.envs(who.name.iter().map(|name| ("ASK_USER_AGENT", name)));
        let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
        let pid = match child.stderr.take() {
            Some(said) => Some(number_said(said).await?),
            None => None,
        };
        let process = world.processes.adopt(&child, number, pid, Role::Agent);
        let input = child.stdin.take();
        let out = child.stdout.take()?;
        let hearing = Hearing::new(world, process.number, false);
        let reader = tokio::task::spawn_local(hear(Rc::clone(&process), Rc::clone(&hearing), out));
        let mut session = Self {
            world: Rc::clone(world),
            process,
            child,
            input,
            hearing,
            reader,
            speech: Speech::new(who.client, who.modern),
            next: 0,
        };
        session.greet().await;
        Some(session)
    }

    async fn greet(&mut self) {
        self.next += 1;
        let greeted = self.hearing.expect(self.next, None, How::Read);
        self.say(&self.speech.greeting(self.next)).await;
        // The first call notices if the process was killed meanwhile.
        let _ = tokio::time::timeout(Duration::from_secs(10), greeted.reply).await;
        if !self.speech.modern {
            self.say(INITIALIZED).await;
        }
    }

    /// Calls a tool.
    pub(crate) async fn call(
        &mut self,
        tool: &str,
        arguments: &str,
        tag: Option<u64>,
        how: How,
    ) -> Asked {
        self.next += 1;
        let asked = self.hearing.expect(self.next, tag, how);
        self.say(&self.speech.call(asked.id, tool, arguments)).await;
        asked
    }

    /// Gives up a call silently.
    pub(crate) fn give_up(&mut self, id: i64) {
        self.hearing.left(id, How::GivenUp);
    }

    /// Cancels a call.
    pub(crate) async fn cancel(&mut self, id: i64) {
        self.hearing.left(id, How::Cancelled);
        self.say(&cancelled(id)).await;
    }

    async fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let line = format!("{line}\n");
            let said = input.write_all(line.as_bytes());
            // A process that has ended or is frozen for long doesn't read it.
            let _ = tokio::time::timeout(Duration::from_secs(5), said).await;
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
        self.hearing.is_gone(How::Unread);
        self.hearing.forget_all();
        // The reader ends by itself when nothing arrives.
        let _ = (&mut self.reader).await;
        self.process.let_go();
    }

    /// Waits until the process has ended, or kills it.
    pub(crate) async fn end(mut self) {
        let world = Rc::clone(&self.world);
        self.leaves();
        let ended = world.processes.ended(&self.process, &mut self.child);
        if tokio::time::timeout(LAST, ended).await.is_err() {
            if !world.is_over() {
                let said = format!("agent {} did not end with its input", self.process.number);
                world.ledger.borrow_mut().stuck.push(said);
            }
            self.process.kill();
            world.processes.ended(&self.process, &mut self.child).await;
        }
        if !self.reader.is_finished() {
            // The reader has recorded everything; its own end carries nothing.
            let _ = self.reader.await;
        }
        let mut ledger = world.ledger.borrow_mut();
        ledger.callers.gone(self.process.number, Instant::now());
        if let Some(at) = self.process.killed_at() {
            ledger.killed.insert(self.process.number, at);
        }
    }

    /// Records that the agent may have begun to end.
    fn leaves(&self) {
        let mut ledger = self.world.ledger.borrow_mut();
        ledger.callers.leaves(self.process.number, Instant::now());
    }

    /// Ends the process in one of the ways a process can end.
    pub(crate) async fn leave(mut self, chance: &mut Chance) {
        self.leaves();
        let (world, number) = (Rc::clone(&self.world), self.process.number);
        let fault = |kind| {
            let mut ledger = world.ledger.borrow_mut();
            ledger.fault(kind);
            ledger.ends.insert(number, kind);
        };
        match chance.below(100) {
            0..45 => {
                fault("inputs closed");
                self.close_input();
            }
            45..75 => {
                // Some are killed at the moment of a reply, most a little later.
                if chance.percent(60) {
                    pause(chance.ms(0, 50)).await;
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
pub(crate) async fn number_said(said: ChildStderr) -> Option<u32> {
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line).await.ok()?;
    line.trim().parse().ok()
}

async fn hear(process: Rc<Process>, hearing: Rc<Hearing>, out: ChildStdout) {
    let mut lines = BufReader::new(out).lines();
    loop {
        let next = tokio::time::timeout(Duration::from_millis(40), lines.next_line()).await;
        if process.killed_at().is_some() {
            hearing.is_gone(How::Unread);
        }
        match next {
            Ok(Ok(Some(line))) => {
                hearing.note(&line, Instant::now());
            }
            Ok(_) => break,
            Err(_) if process.killed_at().is_none() && !hearing.reads() => break,
            Err(_) => {}
        }
    }
    hearing.forget_all();
}
