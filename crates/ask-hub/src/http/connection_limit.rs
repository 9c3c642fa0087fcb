//! A limit on concurrent connections. An excess connection gets a reply and is closed at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many excess connections get the reply at a time, and the time limit for each. Further ones
/// are closed without a reply.
const MAX_REPLIES: usize = 32;
const REPLY_LIMIT: Duration = Duration::from_secs(1);

/// The permit for one connection. Dropping it lets another connect.
pub(crate) type Permit = OwnedSemaphorePermit;

/// The permits of one or several listeners.
pub struct ConnectionLimit {
    permits: Arc<Semaphore>,
    replies: Arc<Semaphore>,
    /// The whole HTTP response to an excess connection.
    reply: Vec<u8>,
    /// Called for each excess connection, to log it.
    log_excess: fn(),
}

impl ConnectionLimit {
    /// A limit of `permits` connections. `reply` and `log_excess` serve excess connections.
    pub fn with_places(permits: usize, reply: Vec<u8>, log_excess: fn()) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS))),
            replies: Arc::new(Semaphore::new(MAX_REPLIES)),
            reply,
            log_excess,
        }
    }

    /// Acquires a permit for a connection. If there is none, the connection gets the reply and is
    /// closed.
    pub(crate) fn admit(self: &Arc<Self>, stream: TcpStream) -> Option<(TcpStream, Permit)> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Some((stream, permit));
        }
        (self.log_excess)();
        if let Ok(reply_permit) = Arc::clone(&self.replies).try_acquire_owned() {
            let limit = Arc::clone(self);
            tokio::spawn(async move {
                // Whether the excess client received the reply changes nothing here.
                let _ = timeout(REPLY_LIMIT, limit.send_rejection(stream)).await;
                drop(reply_permit);
            });
        }
        None
    }

    async fn send_rejection(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.write_all(&self.reply).await?;
        stream.shutdown().await?;
        // Closing a socket with unread bytes sends a TCP reset, which would discard the reply.
        let mut unread = [0; 1_024];
        while stream.read(&mut unread).await? > 0 {}
        Ok(())
    }
}
