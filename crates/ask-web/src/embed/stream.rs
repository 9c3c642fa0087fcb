//! The channel for messages to a host. Each message is written without interruption.

use std::convert::Infallible;

use ask_hub::streams;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, oneshot};

/// A text to write, and the sender that confirms it when it is written.
pub type Outgoing = (String, oneshot::Sender<()>);

/// The sender of messages.
#[derive(Clone)]
pub struct Out {
    messages: mpsc::UnboundedSender<Outgoing>,
}

impl Out {
    /// A sender, and the receiver for the task that writes the messages.
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<Outgoing>) {
        let (messages, receiver) = mpsc::unbounded_channel();
        (Self { messages }, receiver)
    }

    /// A sender to standard output, and a receiver that resolves when nothing reads it any longer.
    pub fn stdout() -> (Self, oneshot::Receiver<Infallible>) {
        let (out, mut receiver) = Self::channel();
        let (closed, on_closed) = oneshot::channel::<Infallible>();
        let mut stdout = streams::stdout();
        tokio::spawn(async move {
            while let Some((line, done)) = receiver.recv().await {
                if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err()
                {
                    break;
                }
                // The sender of the message may not wait for it.
                let _ = done.send(());
            }
            drop(closed);
        });
        (out, on_closed)
    }

    /// Queues a message without waiting until it is written.
    pub fn queue(&self, message: String) {
        // This fails if the host is gone, which ends its surface elsewhere.
        let _ = self.messages.send((message, oneshot::channel().0));
    }

    /// Queues a message and waits until it is written. Returns whether it was.
    pub async fn write(&self, message: String) -> bool {
        let (done, written) = oneshot::channel();
        self.messages.send((message, done)).is_ok() && written.await.is_ok()
    }
}
