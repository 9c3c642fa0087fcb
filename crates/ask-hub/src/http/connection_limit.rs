//! Room for so many connections at a time. Whoever comes beyond that is told so at once, and holds
//! no place: others would have to do without.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// So many are told so at a time, each within so long; beyond that they are only hung up on.
const TOLD_AT_ONCE: usize = 32;
const TOLD_WITHIN: Duration = Duration::from_secs(1);

/// One of the places, which is free again once this is dropped.
pub type Place = OwnedSemaphorePermit;

/// All places of a listener, or of several.
pub struct ConnectionLimit {
    places: Arc<Semaphore>,
    goodbyes: Arc<Semaphore>,
    /// What is said to whoever finds none.
    reply: Vec<u8>,
    /// Notes that somebody found none.
    note: fn(),
}

impl ConnectionLimit {
    /// So many places, and what is said and done where there is none.
    pub fn of(places: usize, reply: Vec<u8>, note: fn()) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))),
            goodbyes: Arc::new(Semaphore::new(TOLD_AT_ONCE)),
            reply,
            note,
        }
    }

    /// A place for a connection; where there is none, it is told so and goes.
    pub(crate) fn take_in(self: &Arc<Self>, stream: TcpStream) -> Option<(TcpStream, Place)> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Some((stream, place));
        }
        (self.note)();
        if let Ok(turn) = Arc::clone(&self.goodbyes).try_acquire_owned() {
            let room = Arc::clone(self);
            tokio::spawn(async move {
                let _ = timeout(TOLD_WITHIN, room.turn_away(stream)).await;
                drop(turn);
            });
        }
        None
    }

    async fn turn_away(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.write_all(&self.reply).await?;
        stream.shutdown().await?;
        // What is closed with something unread is reset, and the reply lost with it.
        let mut unread = [0; 1_024];
        while stream.read(&mut unread).await? > 0 {}
        Ok(())
    }
}
