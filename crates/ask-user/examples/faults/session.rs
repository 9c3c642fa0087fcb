//! One agent's process and what is said over its pipes: JSON-RPC in either era of
//! the protocol. Every line that comes out is searched for answers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use ask_core::dialect::{Json, text_json};
use rustix::process::Signal;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::ledger::{How, Receipt};
use crate::process::{Process, Role};
use crate::words;
use crate::world::{World, pause};

const MODERN: &str = "2026-07-28";

/// A process that asks, and its conversation.
pub struct Session {
    world: Rc<World>,
    /// The process.
    pub process: Rc<Process>,
    child: Child,
    input: Option<ChildStdin>,
    hearing: Rc<Hearing>,
    reader: JoinHandle<()>,
    client: String,
    modern: bool,
    next: i64,
}

struct Hearing {
    calls: RefCell<HashMap<i64, Call>>,
    /// Nobody reads any more, whatever still comes.
    gone: Cell<bool>,
}

struct Call {
    tag: Option<u64>,
    how: How,
    reply: oneshot::Sender<Json>,
}

/// A call that was made.
pub struct Asked {
    /// The request's number.
    pub id: i64,
    /// Its reply, some time.
    pub reply: oneshot::Receiver<Json>,
}

impl Session {
    /// Starts `ask-user mcp` of a dialect and opens the conversation.
    pub async fn open(
        world: &Rc<World>,
        dialect: &str,
        client: String,
        modern: bool,
    ) -> Option<Self> {
        let mut command = world.place.command(&["mcp", "--dialect", dialect]);
        let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
        let process = world.processes.adopt(&child, Role::Agent);
        let input = child.stdin.take();
        let out = child.stdout.take()?;
        let hearing = Rc::new(Hearing {
            calls: RefCell::default(),
            gone: Cell::new(false),
        });
        let reader = tokio::task::spawn_local(hear(
            Rc::clone(world),
            Rc::clone(&process),
            Rc::clone(&hearing),
            out,
        ));
        let mut session = Self {
            world: Rc::clone(world),
            process,
            child,
            input,
            hearing,
            reader,
            client,
            modern,
            next: 0,
        };
        session.greet().await;
        Some(session)
    }

    async fn greet(&mut self) {
        let info = self.info();
        let (method, params) = if self.modern {
            ("server/discover", "{}".to_owned())
        } else {
            let params = format!(
                r#"{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{info}}}"#
            );
            ("initialize", params)
        };
        let greeted = self.request(method, &params, None, How::Read).await;
        // One that was killed meanwhile is found out by the first call.
        let _ = tokio::time::timeout(Duration::from_secs(10), greeted.reply).await;
        if !self.modern {
            self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
                .await;
        }
    }

    fn info(&self) -> String {
        format!(r#"{{"name":"{}","version":"1"}}"#, self.client)
    }

    /// Calls a tool.
    pub async fn call(&mut self, tool: &str, arguments: &str, tag: Option<u64>, how: How) -> Asked {
        let params = format!(r#""name":"{tool}","arguments":{arguments}"#);
        let params = if self.modern {
            let info = self.info();
            format!(
                r#"{{{params},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{info}}}}}"#
            )
        } else {
            format!("{{{params}}}")
        };
        self.request("tools/call", &params, tag, how).await
    }

    async fn request(&mut self, method: &str, params: &str, tag: Option<u64>, how: How) -> Asked {
        self.next += 1;
        let id = self.next;
        let (sender, reply) = oneshot::channel();
        let call = Call {
            tag,
            how,
            reply: sender,
        };
        self.hearing.calls.borrow_mut().insert(id, call);
        let params = if self.modern && method == "server/discover" {
            let info = self.info();
            format!(
                r#"{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{info}}}}}"#
            )
        } else {
            params.to_owned()
        };
        self.say(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#
        ))
        .await;
        Asked { id, reply }
    }

    /// Leaves a call without a word.
    pub fn give_up(&mut self, id: i64) {
        self.left(id, How::GivenUp);
    }

    /// Takes a call back.
    pub async fn cancel(&mut self, id: i64) {
        self.left(id, How::Cancelled);
        self.say(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        ))
        .await;
    }

    fn left(&self, id: i64, how: How) {
        if let Some(call) = self.hearing.calls.borrow_mut().get_mut(&id) {
            call.how = how;
        }
    }

    async fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let line = format!("{line}\n");
            let said = input.write_all(line.as_bytes());
            // One that ended or stands still for long hears nothing.
            let _ = tokio::time::timeout(Duration::from_secs(5), said).await;
        }
    }

    /// Closes its input, as a client that has done.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes its output without a word. What lies unread in it is looked at first, while the
    /// process stands still, so that it is known what nobody read.
    pub async fn close_output(&mut self) {
        let frozen = self.process.signal(Signal::STOP);
        while frozen && !self.process.stands_still() {
            pause(Duration::from_millis(1)).await;
        }
        self.hearing.gone.set(true);
        self.hearing.calls.borrow_mut().clear();
        // The reader ends by itself after a silence.
        let _ = (&mut self.reader).await;
        self.process.signal(Signal::CONT);
    }

    /// Waits until it has ended, or ends it.
    pub async fn end(mut self) {
        let world = Rc::clone(&self.world);
        let ended = world.processes.ended(&self.process, &mut self.child);
        if tokio::time::timeout(Duration::from_secs(12), ended)
            .await
            .is_err()
        {
            if !world.is_over() {
                let said = format!("agent {} did not end with its input", self.process.number);
                world.ledger.borrow_mut().stuck.push(said);
            }
            self.process.kill();
            world.processes.ended(&self.process, &mut self.child).await;
        }
        if !self.reader.is_finished() {
            let _ = self.reader.await;
        }
        if let Some(at) = self.process.killed_at() {
            let mut ledger = world.ledger.borrow_mut();
            ledger.killed.insert(self.process.number, at);
        }
    }
}

async fn hear(world: Rc<World>, process: Rc<Process>, hearing: Rc<Hearing>, out: ChildStdout) {
    let mut lines = BufReader::new(out).lines();
    loop {
        let next = tokio::time::timeout(Duration::from_millis(40), lines.next_line()).await;
        match next {
            Ok(Ok(Some(line))) => note(&world, &process, &hearing, &line),
            Ok(_) => break,
            Err(_) if hearing.gone.get() => break,
            Err(_) => {}
        }
    }
    hearing.calls.borrow_mut().clear();
}

fn note(world: &World, process: &Process, hearing: &Hearing, line: &str) {
    let message = text_json(line).unwrap_or(Json::Null);
    let call = message
        .get("id")
        .filter(|_| message.get("method").is_none())
        .and_then(Json::as_i64)
        .and_then(|id| hearing.calls.borrow_mut().remove(&id));
    let unread = process.killed_at().is_some() || hearing.gone.get();
    let how = match &call {
        _ if unread => How::Unread,
        Some(call) => call.how,
        None => How::Told,
    };
    for (nonce, whole) in words::nonces_in(line) {
        let receipt = Receipt {
            process: process.number,
            how,
            at: Instant::now(),
            whole,
            reply_to: call.as_ref().and_then(|call| call.tag),
        };
        world.ledger.borrow_mut().received(nonce, receipt);
    }
    if let Some(call) = call {
        // Whoever left doesn't wait for it any more.
        let _ = call.reply.send(message);
    }
}
