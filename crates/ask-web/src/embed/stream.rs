//! Where messages to a host go out, each of them whole.

use std::convert::Infallible;

use ask_hub::streams;
use tokio::io::AsyncWriteExt;
use tokio::sync::{mpsc, oneshot};

/// A text on its way out, and where it is said that it was written.
pub type Outgoing = (String, oneshot::Sender<()>);

/// The way out.
#[derive(Clone)]
pub struct Out {
    lines: mpsc::UnboundedSender<Outgoing>,
}

impl Out {
    /// One whose messages somebody else writes.
    pub fn piped() -> (Self, mpsc::UnboundedReceiver<Outgoing>) {
        let (lines, written) = mpsc::unbounded_channel();
        (Self { lines }, written)
    }

    /// Standard output, and what resolves when nobody reads it any more.
    pub fn open() -> (Self, oneshot::Receiver<Infallible>) {
        let (out, mut written) = Self::piped();
        let (reads, gone) = oneshot::channel::<Infallible>();
        let mut stdout = streams::output();
        tokio::spawn(async move {
            while let Some((line, done)) = written.recv().await {
                if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err()
                {
                    break;
                }
                let _ = done.send(());
            }
            drop(reads);
        });
        (out, gone)
    }

    /// Has a message written, whenever that is.
    pub fn put(&self, message: String) {
        let _ = self.lines.send((message, oneshot::channel().0));
    }

    /// Writes lines; whether they were written.
    pub async fn say(&self, lines: String) -> bool {
        let (done, written) = oneshot::channel();
        self.lines.send((lines, done)).is_ok() && written.await.is_ok()
    }
}
