//! The standard streams as lines: read and written by a thread each, because files and
//! terminals can't be waited for otherwise. A line is bounded on its way in, and written
//! whole on its way out.

use std::convert::Infallible;
use std::io::{BufRead, Write};

use ask_protocol::jsonl::MAX_LINE_BYTES;
use tokio::sync::{mpsc, oneshot};

/// A line as it came, without its line feed.
pub struct Heard {
    /// No more than its beginning, where it is too long.
    pub line: Vec<u8>,
    /// How many bytes it had.
    pub whole: usize,
}

/// So many lines may wait to be understood; then whoever writes them waits.
const AHEAD: usize = 64;

/// The lines of standard input, up to its end.
pub fn heard() -> mpsc::Receiver<Heard> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Ok(Some(heard)) = read_line(&mut input) {
            if sender.blocking_send(heard).is_err() {
                return;
            }
        }
    });
    receiver
}

/// One line, or nothing at the end.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Heard>> {
    let (mut line, mut whole) = (Vec::new(), 0);
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        let end = available.iter().position(|byte| *byte == b'\n');
        let take = end.unwrap_or(available.len());
        let room = (MAX_LINE_BYTES + 1).saturating_sub(line.len());
        line.extend_from_slice(&available[..take.min(room)]);
        whole += take;
        let ended = available.is_empty();
        input.consume(take + usize::from(end.is_some()));
        if end.is_some() || (ended && whole > 0) {
            return Ok(Some(Heard { line, whole }));
        }
        if ended {
            return Ok(None);
        }
    }
}

/// A text on its way out, and where it is said that it was written.
pub type Outgoing = (String, oneshot::Sender<()>);

/// Where messages go out, each of them whole.
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
        std::thread::spawn(move || {
            let mut stdout = std::io::stdout();
            while let Some((line, done)) = written.blocking_recv() {
                if stdout.write_all(line.as_bytes()).is_err() || stdout.flush().is_err() {
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
