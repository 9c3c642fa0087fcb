//! A limit on concurrent connections. A connection beyond it gets a reply and is closed at once, so
//! that it occupies none of the places.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many excess connections get the reply at a time, and the time limit for each. Further ones
/// are closed without a reply.
const TOLD_AT_ONCE: usize = 32;
const TOLD_WITHIN: Duration = Duration::from_secs(1);

/// A place under the limit. Dropping it frees the place.
pub type Place = OwnedSemaphorePermit;

/// The places of one listener or of several.
pub struct ConnectionLimit {
    places: Arc<Semaphore>,
    goodbyes: Arc<Semaphore>,
    /// The whole HTTP response to an excess connection.
    reply: Vec<u8>,
    /// Called for each excess connection, to log it.
    note: fn(),
}

impl ConnectionLimit {
    /// A limit of `places` connections. `reply` and `note` serve excess connections.
    pub fn with_places(places: usize, reply: Vec<u8>, note: fn()) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            goodbyes: Arc::new(Semaphore::new(TOLD_AT_ONCE)),
            reply,
            note,
        }
    }

    /// Takes a place for a connection. Without a free place, the connection gets the reply and is
    /// closed.
    pub(crate) fn admit(self: &Arc<Self>, stream: TcpStream) -> Option<(TcpStream, Place)> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Some((stream, place));
        }
        (self.note)();
        if let Ok(turn) = Arc::clone(&self.goodbyes).try_acquire_owned() {
            let room = Arc::clone(self);
            tokio::spawn(async move {
                // Whether the excess client received the reply changes nothing here.
                let _ = timeout(TOLD_WITHIN, room.turn_away(stream)).await;
                drop(turn);
            });
        }
        None
    }

    async fn turn_away(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.write_all(&self.reply).await?;
        stream.shutdown().await?;
        // Closing a socket with unread bytes sends a TCP reset, which would discard the reply.
        let mut unread = [0; 1_024];
        while stream.read(&mut unread).await? > 0 {}
        Ok(())
    }
}
