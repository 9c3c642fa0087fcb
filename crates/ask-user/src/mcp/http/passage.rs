//! A reply's way to its client: whether anybody stands there, and whether the reply
//! was taken.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::request::Parts;
use axum::response::Response;
use futures_core::Stream;
use rmcp::model::Extensions;
use tokio::sync::watch;
use tokio::task_local;

use super::socket::Client;

/// How things stand at the end of a reply's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The client waits there.
    Here,
    /// It has lost its stream, and may come back with another in a moment.
    Lost,
    /// It was lost for so long that nobody counts on it. It may come back all the same.
    Away,
    /// It has taken the reply.
    Taken,
}

/// One reply's way. Whoever looks along it sees it close when the client can't come any more.
#[derive(Clone)]
pub struct Passage(Arc<Way>);

struct Way {
    standing: watch::Sender<Standing>,
    /// The reply is kept for whoever comes for it, so that a stream may end without it.
    kept: AtomicBool,
    /// A stream of a kept reply has come to the end of it.
    said: AtomicBool,
}

impl Default for Passage {
    fn default() -> Self {
        Self(Arc::new(Way {
            standing: watch::Sender::new(Standing::Here),
            kept: AtomicBool::new(false),
            said: AtomicBool::new(false),
        }))
    }
}

task_local! {
    /// The way that a request goes on with, in place of one of its own.
    static AGAIN: Arc<OnceLock<Passage>>;
}

/// A request that is being answered turns out to go on with the reply to another.
pub fn goes_on(passage: Passage) {
    // Outside of an answer nobody wants to know.
    let _ = AGAIN.try_with(|again| again.set(passage));
}

/// Answers a request; says on which way the reply is, if not on its own.
pub async fn on_its_way<T>(answering: impl Future<Output = T>) -> (T, Option<Passage>) {
    let again = Arc::new(OnceLock::new());
    let answer = AGAIN.scope(Arc::clone(&again), answering).await;
    (answer, again.get().cloned())
}

impl Passage {
    /// The way of the reply to a request, out of what rmcp hands on with it.
    pub fn of(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get().cloned()
    }

    /// To be looked along without holding it open.
    pub fn look(&self) -> watch::Receiver<Standing> {
        self.0.standing.subscribe()
    }

    pub(super) fn keep(&self) {
        self.0.kept.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_said(&self) {
        self.0.said.store(true, Ordering::Relaxed);
    }

    /// A body has ended: with the reply in it, or only for now.
    fn ends(&self) -> bool {
        !self.0.kept.load(Ordering::Relaxed) || self.0.said.load(Ordering::Relaxed)
    }

    pub(super) fn becomes(&self, standing: Standing) {
        self.0.standing.send_if_modified(|now| {
            let changes = *now != standing && *now != Standing::Taken;
            if changes {
                *now = standing;
            }
            changes
        });
    }
}

/// A body that knows when it was taken: when its connection has asked for what comes after its end,
/// and its client was still there.
pub struct Watched {
    body: BodyDataStream,
    passage: Passage,
    client: Option<Client>,
}

impl Watched {
    pub fn over(response: Response, passage: Passage, client: Option<Client>) -> Response {
        response.map(|body| {
            let body = body.into_data_stream();
            Body::from_stream(Self {
                body,
                passage,
                client,
            })
        })
    }
}

impl Stream for Watched {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(Pin::new(&mut self.body).poll_next(context));
        if next.is_none() && self.passage.ends() {
            let is_there = self.client.as_ref().is_none_or(Client::is_there);
            self.passage.becomes(if is_there {
                Standing::Taken
            } else {
                Standing::Lost
            });
        }
        Poll::Ready(next)
    }
}
