//! The client's task: writes requests, reads responses, and sends unanswered requests again after a
//! lost connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_core::{Ancestry, AskId};
use ask_protocol::ipc::{Changed, ErrorKind, Request, Response};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::next_number;
use super::subscription::Mailbox;
use super::transport::{ConnectionClosed, Link, QueuedRequest};

/// How long to retry the connection for a request that doesn't wait for a person.
const RECONNECT_LIMIT: Duration = Duration::from_secs(20);
/// A hub that sends nothing for this long, although a call waits for its first response, hangs.
const SILENCE_LIMIT: Duration = Duration::from_secs(10);
const FIRST_PAUSE_MS: u64 = 10;
/// A hub that has failed to start for this long needs a person's attention. More frequent attempts
/// would only cost processor time.
const LONGEST_PAUSE_MS: u64 = 15_000;

/// The request number of messages whose response is ignored.
const NO_REPLY: u64 = 0;

/// How long a request that the hub could not store waits before it is sent again.
const STORE_RETRY_PAUSE: Duration = Duration::from_millis(200);

/// How long a request is sent again.
#[derive(Clone, Copy)]
pub(super) enum Retry {
    /// For as long as a hub may need to start: [`RECONNECT_LIMIT`].
    Soon,
    /// Until there is a response. For calls that wait for a person.
    UntilAnswered,
    /// Until the hub has stored it, or until this time. For acknowledgements.
    UntilStored(Option<Instant>),
}

impl Retry {
    /// Whether the request is kept however long no hub can be reached.
    fn is_forever(self) -> bool {
        match self {
            Self::UntilAnswered | Self::UntilStored(None) => true,
            Self::Soon | Self::UntilStored(Some(_)) => false,
        }
    }
}

/// A command from a holder of the client.
pub(super) enum Command {
    Send {
        number: u64,
        request: Box<Request>,
        retry: Retry,
        opened: Option<oneshot::Sender<Response>>,
        reply: oneshot::Sender<Response>,
    },
    Leave {
        number: u64,
        /// Within how many milliseconds the agent will return for the outcome; 0 if it won't.
        back_ms: u64,
        elsewhere: bool,
    },
    /// Puts changes into a mailbox from now on. Replaces any earlier subscription.
    Subscribe(Subscriber),
    /// Switches to this connection.
    SwitchTo(Box<Link>),
}

/// The receiver of pushed changes.
pub(super) struct Subscriber {
    /// The number of the subscribe request.
    pub number: u64,
    pub only_looks: bool,
    /// The process at the other end of the HTTP connection, if the hub itself serves it.
    pub sender: Option<Arc<Ancestry>>,
    pub mailbox: Arc<Mailbox>,
    /// Asks that were listed by the previous hub and are missing from the new list, by the number
    /// of the request that looks each of them up.
    pub lookups: BTreeMap<u64, AskId>,
}

/// A request without a response.
pub(super) struct Pending {
    request: QueuedRequest,
    retry: Retry,
    /// Whether the hub could not store the request, and it is sent again after a pause.
    is_refused: bool,
    opened: Option<oneshot::Sender<Response>>,
    reply: oneshot::Sender<Response>,
    /// Whether the caller left before the hub responded. The hub may not have created the waiter
    /// yet, so the leave message is sent only after the first response.
    has_left: bool,
}

/// The state of the client's task.
pub(super) struct Task {
    /// Where to find the next hub; `None` if this process is the hub.
    pub home: Option<Home>,
    pub pending: BTreeMap<u64, Pending>,
    pub subscriber: Option<Subscriber>,
    pub incoming: mpsc::UnboundedReceiver<Command>,
    pub connected: watch::Sender<bool>,
    /// A connection to switch to, until it is used.
    pub next_link: Option<Box<Link>>,
    /// When to send the refused requests again, if there are any.
    pub retry_at: Option<Instant>,
    /// Whether the last hub sent nothing for [`SILENCE_LIMIT`], and no hub has responded since.
    pub has_hung: bool,
}

impl Task {
    pub(super) async fn run(mut self, mut link: Option<Link>) {
        loop {
            if let Some(opened) = link.take() {
                let ended = self.serve_connection(opened).await;
                if ended {
                    return;
                }
            }
            link = self.next_link.take().map(|next_link| *next_link);
            if link.is_some() {
                continue;
            }
            // An idle client doesn't reconnect: the hub may have stopped because nothing used it.
            while self.pending.is_empty() && self.subscriber.is_none() && self.next_link.is_none() {
                match self.incoming.recv().await {
                    Some(command) => drop(self.accept(command)),
                    None => return,
                }
            }
            // The receivers may have been dropped with the client.
            let _ = self.connected.send(false);
            match self.reconnect().await {
                Some(again) => link = Some(again),
                None => return,
            }
        }
    }

    /// Serves one connection. Returns true when no holder of the client is left.
    async fn serve_connection(&mut self, mut link: Link) -> bool {
        // The new hub must not open a waiter for a caller that has left.
        self.pending.retain(|_, pending| !pending.has_left);
        if self.send_all(&mut link).is_err() {
            return false;
        }
        let is_elsewhere = matches!(link, Link::Socket { .. });
        // A hub that hung greets again, but is not back before it responds to a request.
        if !(is_elsewhere && self.has_hung) {
            self.connected.send_replace(true);
        }
        let mut silence = Silence::default();
        loop {
            let retry_at = self.retry_at;
            let awaits_response = is_elsewhere && self.awaits_first_response();
            let hangs_at = silence.hangs_at(awaits_response, Instant::now());
            tokio::select! {
                () = async move { tokio::time::sleep_until(hangs_at.unwrap_or_else(Instant::now)).await },
                    if hangs_at.is_some() =>
                {
                    self.has_hung = true;
                    return false;
                }
                () = async move { tokio::time::sleep_until(retry_at.unwrap_or_else(Instant::now)).await },
                    if retry_at.is_some() =>
                {
                    if self.send_refused(&mut link).is_err() {
                        return false;
                    }
                }
                response = link.receive() => match response {
                    Ok((number, response)) => {
                        silence = Silence::default();
                        self.has_hung = false;
                        self.connected.send_if_modified(|is_up| !std::mem::replace(is_up, true));
                        if self.handle_response(&mut link, number, response).is_err() {
                            return false;
                        }
                    }
                    Err(ConnectionClosed) => return false,
                },
                command = self.incoming.recv() => {
                    let Some(command) = command else {
                        // The client is dropped, and a connection that breaks now needs no further
                        // handling.
                        let _ = link.flush().await;
                        return true;
                    };
                    let mut next = Some(command);
                    while let Some(command) = next {
                        if self.accept_and_send(&mut link, command).is_err() {
                            return false;
                        }
                        next = self.incoming.try_recv().ok();
                    }
                    if self.next_link.is_some() {
                        return false;
                    }
                }
            }
        }
    }

    /// Whether a call that waits for a person has no response yet.
    fn awaits_first_response(&self) -> bool {
        let mut pending = self.pending.values();
        pending.any(|pending| pending.opened.is_some())
    }

    /// Sends every unanswered request over a new connection. Acknowledgements come first: a call
    /// that was sent before them must not receive the same outcome again.
    fn send_all(&mut self, link: &mut Link) -> Result<(), ConnectionClosed> {
        self.retry_at = None;
        if let Some(subscriber) = &self.subscriber {
            subscriber.send(link)?;
        }
        for acknowledges in [true, false] {
            for (number, pending) in &mut self.pending {
                if acknowledges == matches!(pending.retry, Retry::UntilStored(_)) {
                    pending.is_refused = false;
                    link.queue(*number, &mut pending.request)?;
                }
            }
        }
        Ok(())
    }

    /// Sends the requests again that the hub could not store, if somebody still waits for them.
    fn send_refused(&mut self, link: &mut Link) -> Result<(), ConnectionClosed> {
        self.retry_at = None;
        self.pending
            .retain(|_, pending| !(pending.is_refused && pending.reply.is_closed()));
        for (number, pending) in &mut self.pending {
            if std::mem::take(&mut pending.is_refused) {
                link.queue(*number, &mut pending.request)?;
            }
        }
        Ok(())
    }

    fn accept_and_send(
        &mut self,
        link: &mut Link,
        command: Command,
    ) -> Result<(), ConnectionClosed> {
        match self.accept(command) {
            ToSend::Pending(number) => match self.pending.get_mut(&number) {
                Some(pending) => link.queue(number, &mut pending.request),
                None => Ok(()),
            },
            ToSend::Subscribed => match &self.subscriber {
                Some(subscriber) => subscriber.send(link),
                None => Ok(()),
            },
            ToSend::Leave(leave) => {
                link.queue(NO_REPLY, &mut QueuedRequest::Value(Box::new(leave)))
            }
            ToSend::Nothing => Ok(()),
        }
    }

    fn accept(&mut self, command: Command) -> ToSend {
        match command {
            Command::Send {
                number,
                request,
                retry,
                opened,
                reply,
            } => {
                let pending = Pending {
                    request: QueuedRequest::Value(request),
                    retry,
                    is_refused: false,
                    opened,
                    reply,
                    has_left: false,
                };
                self.pending.insert(number, pending);
                ToSend::Pending(number)
            }
            Command::Leave {
                number,
                back_ms,
                elsewhere,
            } => match self.pending.get_mut(&number) {
                Some(pending) if pending.opened.is_some() => {
                    pending.has_left = true;
                    ToSend::Nothing
                }
                Some(_) | None => {
                    self.pending.remove(&number);
                    ToSend::Leave(leave(number, back_ms, elsewhere))
                }
            },
            Command::Subscribe(subscriber) => {
                self.subscriber = Some(subscriber);
                ToSend::Subscribed
            }
            Command::SwitchTo(link) => {
                self.next_link = Some(link);
                ToSend::Nothing
            }
        }
    }

    /// Handles a response, and sends the requests that follow from it.
    fn handle_response(
        &mut self,
        link: &mut Link,
        number: u64,
        response: Response,
    ) -> Result<(), ConnectionClosed> {
        if self.pending.get(&number).is_some_and(|one| one.has_left) {
            self.pending.remove(&number);
            let leave = leave(number, 0, false);
            return link.queue(NO_REPLY, &mut QueuedRequest::Value(Box::new(leave)));
        }
        match response {
            Response::Fault {
                kind: ErrorKind::Store,
                ..
            } if self.is_sent_again(number) => {
                self.retry_at
                    .get_or_insert(Instant::now() + STORE_RETRY_PAUSE);
            }
            Response::Opened { id }
                if self
                    .pending
                    .get(&number)
                    .is_some_and(|pending| pending.retry.is_forever()) =>
            {
                if let Some(pending) = self.pending.get_mut(&number)
                    && let Some(opened) = pending.opened.take()
                {
                    // The caller may have left.
                    let _ = opened.send(Response::Opened { id });
                }
            }
            response => match self.pending.remove(&number) {
                Some(pending) => drop(pending.reply.send(response)),
                None => {
                    if let Some(subscriber) = &mut self.subscriber {
                        subscriber.handle_response(link, number, response)?;
                    }
                }
            },
        }
        Ok(())
    }

    /// Whether a request that the hub could not store is sent again. If so, it is marked.
    fn is_sent_again(&mut self, number: u64) -> bool {
        let Some(pending) = self.pending.get_mut(&number) else {
            return false;
        };
        pending.is_refused = match pending.retry {
            Retry::UntilStored(until) => until.is_none_or(|until| Instant::now() < until),
            Retry::Soon | Retry::UntilAnswered => false,
        };
        pending.is_refused
    }

    /// Tries to reach a hub, with growing pauses, while a request or a subscription needs one.
    async fn reconnect(&mut self) -> Option<Link> {
        let Some(home) = self.home.clone() else {
            return std::future::pending().await;
        };
        let started = Instant::now();
        let mut pause_ms = FIRST_PAUSE_MS;
        loop {
            if let Some(next_link) = self.next_link.take() {
                return Some(*next_link);
            }
            if let Ok(link) = Link::open(&home).await {
                return Some(link);
            }
            if started.elapsed() > RECONNECT_LIMIT {
                self.pending.retain(|_, pending| pending.retry.is_forever());
            }
            let jitter = clock::attempt() % pause_ms.max(1);
            let until = Instant::now() + Duration::from_millis(pause_ms / 2 + jitter);
            loop {
                match tokio::time::timeout_at(until, self.incoming.recv()).await {
                    Ok(Some(command)) => {
                        self.accept(command);
                        if self.next_link.is_some() {
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

/// How long a hub has sent nothing while a response was awaited.
#[derive(Default)]
struct Silence {
    since: Option<Instant>,
}

impl Silence {
    /// When the hub counts as hanging, if it sends nothing until then.
    fn hangs_at(&mut self, awaits_response: bool, now: Instant) -> Option<Instant> {
        self.since = awaits_response.then(|| self.since.unwrap_or(now));
        self.since.map(|since| since + SILENCE_LIMIT)
    }
}

/// What to send after a command was accepted.
enum ToSend {
    /// The request with this number.
    Pending(u64),
    Subscribed,
    Leave(Request),
    Nothing,
}

impl Subscriber {
    fn handle_response(
        &mut self,
        link: &mut Link,
        number: u64,
        response: Response,
    ) -> Result<(), ConnectionClosed> {
        if let Some(id) = self.lookups.remove(&number) {
            match response {
                Response::Record(record) => self.mailbox.put_found(Changed::Record(record)),
                Response::Fault {
                    kind: ErrorKind::NotFound,
                    ..
                } => self.mailbox.put_found(Changed::Gone(id)),
                // The store can't be read, so the list remains the only source.
                _ => {}
            }
        } else if number == NO_REPLY || number == self.number {
            for id in self.mailbox.put(response) {
                let number = next_number();
                look_up(link, number, &id)?;
                self.lookups.insert(number, id);
            }
        }
        Ok(())
    }

    fn send(&self, link: &mut Link) -> Result<(), ConnectionClosed> {
        let subscribe = Request::Subscribe {
            after: self.mailbox.cursor(),
            only_looks: self.only_looks,
            sender: self.sender.clone(),
        };
        link.queue(self.number, &mut QueuedRequest::Value(Box::new(subscribe)))?;
        let mut lookups = self.lookups.iter();
        lookups.try_for_each(|(number, id)| look_up(link, *number, id))
    }
}

fn look_up(link: &mut Link, number: u64, id: &AskId) -> Result<(), ConnectionClosed> {
    let id = id.as_str().to_owned();
    link.queue(
        number,
        &mut QueuedRequest::Value(Box::new(Request::Get { id })),
    )
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
    use crate::in_process::ClientEnd;

    #[test]
    fn a_silence_begins_with_the_request_that_awaits_a_response() {
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let mut silence = Silence::default();
        assert_eq!(silence.hangs_at(false, begun), None);
        assert_eq!(
            silence.hangs_at(true, after(60)),
            Some(after(60) + SILENCE_LIMIT)
        );
        assert_eq!(
            silence.hangs_at(true, after(65)),
            Some(after(60) + SILENCE_LIMIT)
        );
        assert_eq!(silence.hangs_at(false, after(66)), None);
        assert_eq!(
            silence.hangs_at(true, after(90)),
            Some(after(90) + SILENCE_LIMIT)
        );
    }

    #[tokio::test]
    async fn a_caller_that_leaves_before_the_first_response_leaves_no_waiter() {
        let (requests, mut received) = mpsc::unbounded_channel();
        let (hub_responses, responses) = mpsc::unbounded_channel();
        let client = Client::in_process(ClientEnd {
            requests,
            responses,
        });
        let mut wait_future = Box::pin(client.wait("some"));
        assert!(
            poll_fn(|context| Poll::Ready(wait_future.as_mut().poll(context)))
                .await
                .is_pending()
        );
        drop(wait_future);
        let (number, wait) = received.recv().await.unwrap();
        assert!(matches!(wait, Request::Wait { .. }), "{wait:?}");
        let id = AskId::parse("a_0123456789abcdef").unwrap();
        hub_responses
            .send((number, Response::Opened { id }))
            .unwrap();
        let (_, left) = received.recv().await.unwrap();
        let is_of_call = matches!(&left, Request::Leave { request, .. } if *request == number);
        assert!(is_of_call, "{left:?}");
    }
}
