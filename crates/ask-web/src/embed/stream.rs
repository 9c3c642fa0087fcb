//! The channel for messages to a host. Each is written as a whole.

use std::convert::Infallible;

use ask_hub::streams;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, oneshot};

/// A text to write, and the channel that reports that it was written.
pub type Outgoing = (String, oneshot::Sender<()>);

/// The sender of messages.
#[derive(Clone)]
pub struct Out {
    lines: mpsc::UnboundedSender<Outgoing>,
}

impl Out {
    /// A sender whose messages another task writes.
    pub fn piped() -> (Self, mpsc::UnboundedReceiver<Outgoing>) {
        let (lines, written) = mpsc::unbounded_channel();
        (Self { lines }, written)
    }

    /// A sender to standard output, and a receiver that resolves when standard output is closed.
    pub fn open() -> (Self, oneshot::Receiver<Infallible>) {
        let (out, mut written) = Self::piped();
        let (reads, gone) = oneshot::channel::<Infallible>();
        let mut stdout = streams::stdout();
        tokio::spawn(async move {
            while let Some((line, done)) = written.recv().await {
                if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err()
                {
                    break;
                }
                // The sender of the message may not wait for it.
                let _ = done.send(());
            }
            drop(reads);
        });
        (out, gone)
    }

    /// Queues a message.
    pub fn put(&self, message: String) {
        // Without a writer the host is gone.
        let _ = self.lines.send((message, oneshot::channel().0));
    }

    /// Writes lines. Returns whether they were written.
    pub async fn say(&self, lines: String) -> bool {
        let (done, written) = oneshot::channel();
        self.lines.send((lines, done)).is_ok() && written.await.is_ok()
    }
}
