//! What a client does while it lives: requests out, responses in, and everything unanswered said
//! again after a lost connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_core::{Ancestry, AskId};
use ask_protocol::ipc::{Changed, Fault, Request, Response};
use tokio::sync::{mpsc, oneshot, watch};

use super::next_number;
use super::subscription::Mailbox;
use super::transport::{Ended, Link, Said};

/// How long a request that nobody waits for a person with keeps trying for a hub.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_PAUSE_MS: u64 = 10;
/// A hub that can't be started for long needs its person, not our processor.
const LONGEST_PAUSE_MS: u64 = 15_000;

/// The number of requests whose responses nobody waits for.
const NOBODY: u64 = 0;

/// What the holders of a client want of it.
pub enum Command {
    Send {
        number: u64,
        request: Box<Request>,
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
    /// Has changes put into a mailbox from now on, in place of any before it.
    Subscribe(Subscriber),
    /// Goes on over this connection.
    TurnTo(Box<Link>),
}

/// Who is told of changes.
pub struct Subscriber {
    /// The number under which the hub is asked for them.
    pub number: u64,
    pub only_looks: bool,
    /// The process at the other end, where that is of the hub's HTTP side.
    pub sender: Option<Arc<Ancestry>>,
    pub mailbox: Arc<Mailbox>,
    /// Asks that another hub's list said nothing of, and under which number each is looked up.
    pub lookups: BTreeMap<u64, AskId>,
}

/// A request that has no response yet.
pub struct Pending {
    said: Said,
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
    pub subscriber: Option<Subscriber>,
    pub incoming: mpsc::UnboundedReceiver<Command>,
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
            while self.pending.is_empty() && self.subscriber.is_none() && self.chosen.is_none() {
                match self.incoming.recv().await {
                    Some(command) => drop(self.take(command)),
                    None => return,
                }
            }
            // Whoever listened may have gone with the client.
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
        if self.say_all(&mut link).is_err() {
            return false;
        }
        let _ = self.up.send(true);
        loop {
            tokio::select! {
                heard = link.hear() => match heard {
                    Ok((number, response)) => {
                        if self.hear(&mut link, number, response).is_err() {
                            return false;
                        }
                    }
                    Err(Ended) => return false,
                },
                command = self.incoming.recv() => {
                    let Some(command) = command else {
                        let _ = link.flush().await;
                        return true;
                    };
                    let mut next = Some(command);
                    while let Some(command) = next {
                        if self.take_and_say(&mut link, command).is_err() {
                            return false;
                        }
                        next = self.incoming.try_recv().ok();
                    }
                    if self.chosen.is_some() {
                        return false;
                    }
                }
            }
        }
    }

    /// Says everything that has no response, over a new connection.
    fn say_all(&mut self, link: &mut Link) -> Result<(), Ended> {
        if let Some(subscriber) = &self.subscriber {
            subscriber.say(link)?;
        }
        for (number, pending) in &mut self.pending {
            link.say(*number, &mut pending.said)?;
        }
        Ok(())
    }

    fn take_and_say(&mut self, link: &mut Link, command: Command) -> Result<(), Ended> {
        match self.take(command) {
            Taken::Pending(number) => match self.pending.get_mut(&number) {
                Some(pending) => link.say(number, &mut pending.said),
                None => Ok(()),
            },
            Taken::Subscribed => match &self.subscriber {
                Some(subscriber) => subscriber.say(link),
                None => Ok(()),
            },
            Taken::Left(leave) => link.say(NOBODY, &mut Said::Value(Box::new(leave))),
            Taken::Nothing => Ok(()),
        }
    }

    fn take(&mut self, command: Command) -> Taken {
        match command {
            Command::Send {
                number,
                request,
                keep,
                opened,
                reply,
            } => {
                let pending = Pending {
                    said: Said::Value(request),
                    keep,
                    opened,
                    reply,
                    has_left: false,
                };
                self.pending.insert(number, pending);
                Taken::Pending(number)
            }
            Command::Leave {
                number,
                back_ms,
                elsewhere,
            } => match self.pending.get_mut(&number) {
                Some(pending) if pending.opened.is_some() => {
                    pending.has_left = true;
                    Taken::Nothing
                }
                Some(_) | None => {
                    self.pending.remove(&number);
                    Taken::Left(leave(number, back_ms, elsewhere))
                }
            },
            Command::Subscribe(subscriber) => {
                self.subscriber = Some(subscriber);
                Taken::Subscribed
            }
            Command::TurnTo(link) => {
                self.chosen = Some(link);
                Taken::Nothing
            }
        }
    }

    /// Hears a response, and says what there is to say to it.
    fn hear(&mut self, link: &mut Link, number: u64, response: Response) -> Result<(), Ended> {
        if self.pending.get(&number).is_some_and(|one| one.has_left) {
            self.pending.remove(&number);
            let leave = leave(number, 0, false);
            return link.say(NOBODY, &mut Said::Value(Box::new(leave)));
        }
        match response {
            Response::Opened { id }
                if self
                    .pending
                    .get(&number)
                    .is_some_and(|pending| pending.keep) =>
            {
                if let Some(pending) = self.pending.get_mut(&number)
                    && let Some(opened) = pending.opened.take()
                {
                    // Whoever asked may have gone.
                    let _ = opened.send(Response::Opened { id });
                }
            }
            response => match self.pending.remove(&number) {
                Some(pending) => drop(pending.reply.send(response)),
                None => {
                    if let Some(subscriber) = &mut self.subscriber {
                        subscriber.hear(link, number, response)?;
                    }
                }
            },
        }
        Ok(())
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

/// What a command leaves to be said.
enum Taken {
    /// The request of this number.
    Pending(u64),
    /// That changes are wanted.
    Subscribed,
    /// That a call has left.
    Left(Request),
    Nothing,
}

impl Subscriber {
    fn hear(&mut self, link: &mut Link, number: u64, response: Response) -> Result<(), Ended> {
        if let Some(id) = self.lookups.remove(&number) {
            match response {
                Response::Record(record) => self.mailbox.put_found(Changed::Record(record)),
                Response::Fault {
                    kind: Fault::NotFound,
                    ..
                } => self.mailbox.put_found(Changed::Gone(id)),
                // A store that can't be read: the list is all that is known.
                _ => {}
            }
        } else if number == NOBODY || number == self.number {
            for id in self.mailbox.put(response) {
                let number = next_number();
                look_up(link, number, &id)?;
                self.lookups.insert(number, id);
            }
        }
        Ok(())
    }

    fn say(&self, link: &mut Link) -> Result<(), Ended> {
        let subscribe = Request::Subscribe {
            after: self.mailbox.cursor(),
            only_looks: self.only_looks,
            sender: self.sender.clone(),
        };
        link.say(self.number, &mut Said::Value(Box::new(subscribe)))?;
        let mut lookups = self.lookups.iter();
        lookups.try_for_each(|(number, id)| look_up(link, *number, id))
    }
}

fn look_up(link: &mut Link, number: u64, id: &AskId) -> Result<(), Ended> {
    let id = id.as_str().to_owned();
    link.say(number, &mut Said::Value(Box::new(Request::Get { id })))
}

fn leave(request: u64, back_ms: u64, elsewhere: bool) -> Request {
    Request::Leave {
        request,
        back_ms,
        elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Poll;

    use super::super::Client;
    use super::*;
    use crate::in_process::Ours;

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
        let (number, wait) = asked.recv().await.unwrap();
        assert!(matches!(wait, Request::Wait { .. }), "{wait:?}");
        let id = AskId::parse("a_0123456789abcdef").unwrap();
        says.send((number, Response::Opened { id })).unwrap();
        let (_, left) = asked.recv().await.unwrap();
        let is_of_call = matches!(&left, Request::Leave { request, .. } if *request == number);
        assert!(is_of_call, "{left:?}");
    }
}
