//! What a client does while it lives: requests out, responses in, and everything
//! unanswered asked again after a lost connection.

use std::collections::BTreeMap;
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_protocol::ipc::{self, Request, Response};
use tokio::sync::{mpsc, oneshot, watch};

use super::link::Link;

/// How long a request that nobody waits for a person with keeps trying for a hub.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_PAUSE_MS: u64 = 10;
/// A hub that can't be started for long needs its person, not our processor.
const LONGEST_PAUSE_MS: u64 = 15_000;

/// What the holders of a client want of it.
pub enum Command {
    Send {
        number: u64,
        line: Box<[u8]>,
        keep: bool,
        opened: Option<oneshot::Sender<Response>>,
        reply: oneshot::Sender<Response>,
    },
    Leave {
        number: u64,
        /// Within how many milliseconds the agent comes back for the outcome; 0 if it doesn't.
        back_ms: u64,
        elsewhere: bool,
    },
    Watch {
        only_looks: bool,
    },
    /// Goes on over this connection.
    TurnTo(Box<Link>),
}

/// A request that has no response yet.
pub struct Pending {
    line: Box<[u8]>,
    /// Asked again for as long as it takes; the others give up when the hub can't be had.
    keep: bool,
    opened: Option<oneshot::Sender<Response>>,
    reply: oneshot::Sender<Response>,
    /// Whoever sent it has left before the hub said anything to it. A hub that is told so now may have
    /// no waiter yet: it is told when it has.
    has_left: bool,
}

/// What a client does while it lives.
pub struct Task {
    /// Where to find the next hub; nowhere, where this process is the hub.
    pub home: Option<Home>,
    pub pending: BTreeMap<u64, Pending>,
    pub watching: Option<Request>,
    pub incoming: mpsc::UnboundedReceiver<Command>,
    pub ring: watch::Sender<u64>,
    pub up: watch::Sender<bool>,
    /// The connection that was chosen for us, until it is used.
    pub chosen: Option<Box<Link>>,
}

impl Task {
    pub async fn run(mut self, mut link: Option<Link>) {
        loop {
            if let Some(open) = link.take() {
                let ended = self.converse(open).await;
                if ended {
                    return;
                }
            }
            link = self.chosen.take().map(|chosen| *chosen);
            if link.is_some() {
                continue;
            }
            // Without anything to ask a hub need not be had: an idle one may have ended.
            while self.pending.is_empty() && self.watching.is_none() && self.chosen.is_none() {
                match self.incoming.recv().await {
                    Some(command) => self.take(command),
                    None => return,
                }
            }
            let _ = self.up.send(false);
            match self.reconnect().await {
                Some(again) => link = Some(again),
                None => return,
            }
        }
    }

    /// Talks over one connection. True when nobody holds the client any more.
    async fn converse(&mut self, mut link: Link) -> bool {
        // Whoever has left is asked for no more.
        self.pending.retain(|_, pending| !pending.has_left);
        let mut out = Vec::new();
        if let Some(watch) = &self.watching {
            out.extend(ipc::write_request(0, watch));
        }
        for pending in self.pending.values() {
            out.extend_from_slice(&pending.line);
        }
        let _ = self.up.send(true);
        self.ring.send_modify(|count| *count += 1);
        loop {
            if !out.is_empty() && link.say(std::mem::take(&mut out)).await.is_err() {
                return false;
            }
            tokio::select! {
                heard = link.hear() => match heard {
                    Ok((number, response)) => out = self.hear(number, response),
                    Err(_) => return false,
                },
                command = self.incoming.recv() => {
                    let Some(command) = command else { return true };
                    out = self.take_and_say(command);
                    while let Ok(next) = self.incoming.try_recv() {
                        out.extend(self.take_and_say(next));
                    }
                    if self.chosen.is_some() {
                        return false;
                    }
                }
            }
        }
    }

    fn take_and_say(&mut self, command: Command) -> Vec<u8> {
        let line = match &command {
            Command::Send { line, .. } => line.to_vec(),
            Command::Leave {
                number,
                back_ms,
                elsewhere,
            } => {
                let is_early = |pending: &Pending| pending.opened.is_some();
                match self.pending.get(number).is_some_and(is_early) {
                    true => Vec::new(),
                    false => leave(*number, *back_ms, *elsewhere),
                }
            }
            Command::Watch { .. } if self.watching.is_some() => Vec::new(),
            Command::Watch { only_looks } => ipc::write_request(
                0,
                &Request::Watch {
                    only_looks: *only_looks,
                },
            ),
            Command::TurnTo(_) => Vec::new(),
        };
        self.take(command);
        line
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Send {
                number,
                line,
                keep,
                opened,
                reply,
            } => {
                let pending = Pending {
                    line,
                    keep,
                    opened,
                    reply,
                    has_left: false,
                };
                self.pending.insert(number, pending);
            }
            Command::Leave { number, .. } => match self.pending.get_mut(&number) {
                Some(pending) if pending.opened.is_some() => pending.has_left = true,
                Some(_) | None => drop(self.pending.remove(&number)),
            },
            Command::Watch { only_looks } => self.watching = Some(Request::Watch { only_looks }),
            Command::TurnTo(link) => self.chosen = Some(link),
        }
    }

    /// Hears a response; what there is to say to it.
    fn hear(&mut self, number: u64, response: Response) -> Vec<u8> {
        if self.pending.get(&number).is_some_and(|one| one.has_left) {
            self.pending.remove(&number);
            return leave(number, 0, false);
        }
        match response {
            Response::Bell => self.ring.send_modify(|count| *count += 1),
            Response::Opened { id }
                if self
                    .pending
                    .get(&number)
                    .is_some_and(|pending| pending.keep) =>
            {
                if let Some(pending) = self.pending.get_mut(&number)
                    && let Some(opened) = pending.opened.take()
                {
                    let _ = opened.send(Response::Opened { id });
                }
            }
            other => {
                if let Some(pending) = self.pending.remove(&number) {
                    let _ = pending.reply.send(other);
                }
            }
        }
        Vec::new()
    }

    /// Tries for a hub, ever more slowly, for as long as somebody needs one.
    async fn reconnect(&mut self) -> Option<Link> {
        let Some(home) = self.home.clone() else {
            return std::future::pending().await;
        };
        let since = tokio::time::Instant::now();
        let mut pause_ms = FIRST_PAUSE_MS;
        loop {
            if let Some(chosen) = self.chosen.take() {
                return Some(*chosen);
            }
            if let Ok(link) = Link::open(&home).await {
                return Some(link);
            }
            if since.elapsed() > PATIENCE {
                self.pending.retain(|_, pending| pending.keep);
            }
            let jitter = clock::attempt() % pause_ms.max(1);
            let until = tokio::time::Instant::now() + Duration::from_millis(pause_ms / 2 + jitter);
            loop {
                match tokio::time::timeout_at(until, self.incoming.recv()).await {
                    Ok(Some(command)) => {
                        self.take(command);
                        if self.chosen.is_some() {
                            break;
                        }
                    }
                    Ok(None) => return None,
                    Err(_) => break,
                }
            }
            pause_ms = (pause_ms * 2).min(LONGEST_PAUSE_MS);
        }
    }
}

fn leave(request: u64, back_ms: u64, elsewhere: bool) -> Vec<u8> {
    let leave = Request::Leave {
        request,
        back_ms,
        elsewhere,
    };
    ipc::write_request(0, &leave)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Poll;

    use ask_core::AskId;

    use super::super::Client;
    use super::*;
    use crate::within::Ours;

    #[tokio::test]
    async fn who_leaves_before_the_hub_has_answered_leaves_no_waiter() {
        let (requests, mut asked) = mpsc::unbounded_channel();
        let (says, said) = mpsc::unbounded_channel();
        let client = Client::within(Ours { requests, said });
        let mut early = Box::pin(client.wait("some"));
        assert!(
            poll_fn(|context| Poll::Ready(early.as_mut().poll(context)))
                .await
                .is_pending()
        );
        drop(early);
        let read = |lines: Vec<u8>| ipc::read_request(&lines);
        let (number, wait) = read(asked.recv().await.unwrap());
        assert!(matches!(wait, Ok(Request::Wait { .. })), "{wait:?}");
        let id = AskId::parse("a_0123456789abcdef").unwrap();
        says.send((number, Response::Opened { id })).unwrap();
        let (_, left) = read(asked.recv().await.unwrap());
        let of_call = |request: &Request| matches!(request, Request::Leave { request, .. } if *request == number);
        assert!(left.as_ref().is_ok_and(of_call), "{left:?}");
    }
}
