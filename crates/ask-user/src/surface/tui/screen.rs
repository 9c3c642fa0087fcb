//! The terminal itself: taken over, painted, given back on every way out, and
//! read by a thread that blocks, because a terminal can't be waited for otherwise
//! without polling.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::event::Event;
use super::model::Model;
use super::view::view;

/// Where the surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// On the standard output.
    Stdout,
    /// On the controlling terminal, so that the standard output stays clean.
    Tty,
}

/// A terminal that is ours until this is dropped.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Box<dyn Write + Send>>>,
    target: Target,
}

/// The signals that ask us to go.
pub struct Signals {
    terminate: Signal,
    hang_up: Signal,
}

/// Whether a terminal has to be given back, for the panic hook.
static TAKEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

impl Screen {
    /// Takes the terminal over.
    pub fn open(target: Target) -> io::Result<Self> {
        let mut writer = writer(target)?;
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        restore_on_panic(target);
        let entered = execute!(writer, EnterAlternateScreen, EnableBracketedPaste);
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(writer)));
        match terminal {
            Ok(terminal) => Ok(Self { terminal, target }),
            Err(error) => {
                give_back(target);
                Err(error)
            }
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Shows the model, as far as it differs from what is there.
    pub fn paint(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let area = frame.area();
            if let Some(caret) = view(model, area, frame.buffer_mut()) {
                frame.set_cursor_position(caret);
            }
        })?;
        Ok(())
    }

    /// Forgets what is there: the next picture is painted whole.
    pub fn clear(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back(self.target);
    }
}

impl Signals {
    /// Listens from now on.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for one of them.
    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

/// Reads keys, pastes and new sizes on a thread of their own until the terminal is gone.
pub fn read_input() -> mpsc::UnboundedReceiver<Event> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        while let Ok(event) = crossterm::event::read() {
            let event = match event {
                crossterm::event::Event::Key(key) => Event::Key(key),
                crossterm::event::Event::Paste(text) => Event::Paste(text),
                crossterm::event::Event::Resize(columns, rows) => Event::Resize(columns, rows),
                crossterm::event::Event::FocusGained
                | crossterm::event::Event::FocusLost
                | crossterm::event::Event::Mouse(_) => continue,
            };
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    receiver
}

fn writer(target: Target) -> io::Result<Box<dyn Write + Send>> {
    Ok(match target {
        Target::Stdout => Box::new(BufWriter::new(io::stdout())),
        Target::Tty => {
            let tty = File::options().read(true).write(true).open("/dev/tty")?;
            Box::new(BufWriter::new(tty))
        }
    })
}

/// Every step is tried, whatever became of the one before: half a terminal is worse than none.
fn give_back(target: Target) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut writer) = writer(target) {
        execute!(writer, DisableBracketedPaste, LeaveAlternateScreen, Show).ok();
    }
    disable_raw_mode().ok();
}

fn restore_on_panic(target: Target) {
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back(target);
            before(panic);
        }));
    });
}
