//! The standard streams as lines: read and written by a thread each, because files and
//! terminals can't be waited for otherwise. A line is bounded on its way in, and written
//! whole on its way out.

use std::convert::Infallible;
use std::io::{BufRead, Write};
use std::sync::mpsc as threads;

use ask_core::dialect::lines::MAX_LINE_BYTES;
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

/// Standard output, for whole lines.
#[derive(Clone)]
pub struct Out {
    lines: threads::Sender<(String, oneshot::Sender<()>)>,
}

impl Out {
    /// Standard output, and what resolves when nobody reads it any more.
    pub fn open() -> (Self, oneshot::Receiver<Infallible>) {
        let (lines, written) = threads::channel::<(String, oneshot::Sender<()>)>();
        let (reads, gone) = oneshot::channel::<Infallible>();
        std::thread::spawn(move || {
            let mut out = std::io::stdout();
            while let Ok((line, done)) = written.recv() {
                if out.write_all(line.as_bytes()).is_err() || out.flush().is_err() {
                    break;
                }
                let _ = done.send(());
            }
            drop(reads);
        });
        (Self { lines }, gone)
    }

    /// Writes lines; whether they were written.
    pub async fn say(&self, lines: String) -> bool {
        let (done, written) = oneshot::channel();
        self.lines.send((lines, done)).is_ok() && written.await.is_ok()
    }
}
