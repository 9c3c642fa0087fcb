//! The hub from outside: its process, and a connection in its own protocol.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use ask_core::Record;
use ask_protocol::ipc::{self, Address, Change, Request, Response};
use rustix::process::{Pid, Signal, kill_process};

use super::lines::LIMIT;
use super::sandbox::Sandbox;

/// A connection to the hub.
pub(crate) struct Hub {
    /// The hub's process.
    pub pid: u32,
    reader: BufReader<UnixStream>,
    writer: UnixStream,
    next: u64,
    /// Changes that the hub has sent and that haven't been read.
    pushed: VecDeque<Arc<Change>>,
}

impl Hub {
    /// Connects to the hub that runs in this home.
    pub(crate) fn connect(sandbox: &Sandbox) -> Self {
        let address = address(sandbox).expect("a hub runs and has written its address");
        let writer = UnixStream::connect(&address.socket).expect("the hub accepts connections");
        let limit: Option<Duration> = Some(LIMIT);
        writer.set_read_timeout(limit).expect("a socket timeout");
        let reader = BufReader::new(writer.try_clone().expect("the socket is cloned"));
        let mut hub = Self {
            pid: address.pid,
            reader,
            writer,
            next: 0,
            pushed: VecDeque::new(),
        };
        hub.call(&Request::Hello {
            version: "0".to_owned(),
        });
        hub
    }

    /// Starts a hub if none runs, and connects to it.
    pub(crate) fn start(sandbox: &Sandbox) -> Self {
        sandbox.run_ok(&["list"]);
        Self::connect(sandbox)
    }

    /// Sends a request; returns its number.
    pub(crate) fn send(&mut self, request: &Request) -> u64 {
        self.next += 1;
        let line = ipc::write_request(self.next, request);
        self.writer.write_all(&line).expect("the hub listens");
        self.next
    }

    /// The next response; `None` once the hub has closed the connection.
    pub(crate) fn receive(&mut self) -> Option<(u64, Response)> {
        let mut line = Vec::new();
        let read = self.reader.read_until(b'\n', &mut line);
        match read {
            Ok(0) => None,
            Ok(_) => Some(ipc::read_response(&line).expect("the response parses")),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("the hub sent nothing for {LIMIT:?}: {error}"),
        }
    }

    /// Sends a request; returns its response.
    pub(crate) fn call(&mut self, request: &Request) -> Response {
        let sent = self.send(request);
        loop {
            let (number, response) = self.receive().expect("the hub responds before it ends");
            if number == sent {
                return response;
            }
            self.queue_change(response);
        }
    }

    /// Sends all requests at once; returns their responses in the order of arrival.
    pub(crate) fn call_all(&mut self, requests: &[Request]) -> Vec<Response> {
        let sent: Vec<u64> = requests.iter().map(|request| self.send(request)).collect();
        let mut responses = Vec::with_capacity(sent.len());
        while responses.len() < sent.len() {
            let (number, response) = self.receive().expect("the hub responds before it ends");
            match sent.contains(&number) {
                true => responses.push(response),
                false => self.queue_change(response),
            }
        }
        responses
    }

    /// Subscribes to changes; returns the records that exist.
    pub(crate) fn subscribe(&mut self) -> Vec<Arc<Record>> {
        let subscribe = Request::Subscribe {
            after: None,
            only_looks: false,
            sender: None,
        };
        match self.call(&subscribe) {
            Response::Records { records, .. } => records,
            other => panic!("no listing: {other:?}"),
        }
    }

    /// Waits for the next change.
    pub(crate) fn next_change(&mut self) -> Arc<Change> {
        loop {
            if let Some(change) = self.pushed.pop_front() {
                return change;
            }
            let (_, response) = self
                .receive()
                .expect("the hub sends the change before it ends");
            self.queue_change(response);
        }
    }

    fn queue_change(&mut self, response: Response) {
        if let Response::Change(change) = response {
            self.pushed.push_back(change);
        }
    }

    /// Sets the hub's clock.
    pub(crate) fn set_clock(&mut self, rfc3339: &str) {
        let now = ask_core::Time::parse(rfc3339).expect("a time");
        self.call(&Request::Clock { now_ms: now.0 });
    }

    /// Sends a signal to the hub's process and waits until it has ended.
    pub(crate) fn signal(mut self, signal: Signal) {
        send_signal(self.pid, signal);
        while self.receive().is_some() {}
    }

    /// Kills the hub's process and waits until it has ended.
    pub(crate) fn kill(self) {
        self.signal(Signal::KILL);
    }
}

/// The content of `hub.json`; `None` without a hub.
pub(crate) fn address(sandbox: &Sandbox) -> Option<Address> {
    let text = std::fs::read_to_string(sandbox.home().join("hub.json")).ok()?;
    ipc::read_address(&text).ok()
}

/// Sends a signal to a process of the test.
pub(crate) fn send_signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let sent = kill_process(pid.expect("a process has a number"), signal);
    sent.expect("the process is there");
}
