//! Takes the terminal over, paints it, lends it to other programs, and gives it back on every exit.

pub(super) mod input;
mod paste_detection;
pub(super) mod signals;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use crossterm::execute;
use crossterm::style::{Attribute, ResetColor, SetAttribute};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::background_color;
use super::clipboard;
use super::geometry::drawn_size;
use super::model::Model;
use super::view::view;

/// Where the surface is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The standard output.
    Stdout,
    /// The controlling terminal, so that the standard output is free for the reply.
    Tty,
}

/// A terminal that is ours until this is dropped.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Box<dyn Write + Send>>>,
    target: Target,
    /// The text to print after the terminal has been given back at the end.
    leftovers: String,
}

/// Whether the terminal has to be given back. Static, because the panic hook reads it.
static IS_TAKEN_OVER: AtomicBool = AtomicBool::new(false);
/// Whether the terminal was asked to distinguish similar keys (kitty keyboard protocol).
static KEYBOARD_PROTOCOL: AtomicBool = AtomicBool::new(false);
/// Whether the terminal reports the mouse.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// The sequences to write before the terminal is given back.
static RESTORE_SEQUENCES: Mutex<String> = Mutex::new(String::new());
static PANIC_HOOK: Once = Once::new();

impl Screen {
    /// Takes the terminal over, with mouse reports if wanted.
    pub(super) fn open(target: Target, mouse: bool) -> io::Result<Self> {
        let mut writer = writer(target)?;
        MOUSE.store(mouse, Ordering::SeqCst);
        restore_on_panic(target);
        let taken = take_over(&mut writer);
        // The size is unknown until the first `paint`.
        let options = TerminalOptions {
            viewport: Viewport::Fixed(Rect::ZERO),
        };
        let terminal =
            taken.and_then(|()| Terminal::with_options(CrosstermBackend::new(writer), options));
        match terminal {
            Ok(terminal) => Ok(Self {
                terminal,
                target,
                leftovers: String::new(),
            }),
            Err(error) => {
                give_back(target);
                Err(error)
            }
        }
    }

    /// The columns and rows that are drawn.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok(drawn_size(size.width, size.height))
    }

    fn area(&self) -> io::Result<Rect> {
        let (columns, rows) = self.size()?;
        Ok(Rect::new(0, 0, columns, rows))
    }

    /// Paints what has changed since the last call. Returns the columns and rows that are drawn.
    pub(super) fn paint(&mut self, model: &Model) -> io::Result<(u16, u16)> {
        let area = self.area()?;
        if self.terminal.get_frame().area() != area {
            self.terminal.resize(area)?;
        }
        let painted = self.terminal.draw(|frame| {
            let area = frame.area();
            if let Some(caret) = view(model, area, frame.buffer_mut()) {
                frame.set_cursor_position(caret);
            }
        })?;
        Ok((painted.area.width, painted.area.height))
    }

    /// Sets the text that is printed after the terminal has been given back, on every exit. On the
    /// controlling terminal it holds only typed text, because the reply appears on the same screen.
    pub(super) fn set_leftovers(&mut self, model: &Model) {
        let all = model.leftovers.iter();
        let printed = all.filter(|left| left.has_typed_text || self.target == Target::Stdout);
        let texts: Vec<&str> = printed.map(|left| left.text.as_str()).collect();
        self.leftovers = texts.join("\n");
    }

    /// Copies a text to the clipboard through the terminal.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        let in_tmux = std::env::var_os("TMUX").is_some();
        let backend = self.terminal.backend_mut();
        backend.write_all(clipboard::sequence(text, in_tmux).as_bytes())?;
        Write::flush(backend)
    }

    /// Writes sequences that change nothing on the screen, and sets those that are written before
    /// the terminal is given back.
    pub(super) fn announce(&mut self, sequences: &str, restore: String) -> io::Result<()> {
        *RESTORE_SEQUENCES
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = restore;
        let backend = self.terminal.backend_mut();
        backend.write_all(sequences.as_bytes())?;
        Write::flush(backend)
    }

    /// Queries the terminal's background. The reply arrives among the keys.
    pub(super) fn query_background(&mut self) -> io::Result<()> {
        let backend = self.terminal.backend_mut();
        backend.write_all(background_color::QUERY.as_bytes())?;
        Write::flush(backend)
    }

    /// Discards the painted screen, so that the next one is painted whole.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` would query the cursor's position, and the reply would arrive among the
        // keys.
        self.terminal.resize(self.area()?)
    }

    /// Asks the terminal to distinguish similar keys (kitty keyboard protocol, flag 1).
    pub(super) fn enable_keyboard_protocol(&mut self) -> io::Result<()> {
        if KEYBOARD_PROTOCOL.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        push_keyboard_flags(self.terminal.backend_mut())
    }

    /// Lends the terminal to another program until [`Screen::retake`].
    pub(super) fn lend(&mut self) {
        give_back(self.target);
    }

    /// Takes the terminal over again from another program.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        // The other program may have changed any mode, so all of them are set again.
        give_back(self.target);
        take_over(self.terminal.backend_mut())?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back(self.target);
        if let (false, Ok(mut writer)) = (self.leftovers.is_empty(), writer(self.target)) {
            // The terminal may be gone, and nobody could read an error.
            writer.write_all(self.leftovers.as_bytes()).ok();
            writer.flush().ok();
        }
    }
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

fn take_over(writer: &mut impl Write) -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN_OVER.store(true, Ordering::SeqCst);
    // The program that used the alternate screen before may have left text and colours on it.
    execute!(
        writer,
        EnterAlternateScreen,
        ResetColor,
        SetAttribute(Attribute::Reset),
        Clear(ClearType::All),
        EnableBracketedPaste,
        EnableFocusChange
    )?;
    if MOUSE.load(Ordering::SeqCst) {
        execute!(writer, EnableMouseCapture)?;
    }
    if KEYBOARD_PROTOCOL.load(Ordering::SeqCst) {
        push_keyboard_flags(writer)?;
    }
    Ok(())
}

/// Enables the keyboard protocol. It is written after the alternate screen is entered, because
/// terminals keep the flags for each screen.
fn push_keyboard_flags(writer: &mut impl Write) -> io::Result<()> {
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
    execute!(writer, PushKeyboardEnhancementFlags(flags))
}

/// Gives the terminal back. Each step is tried even if the one before failed, and errors are
/// dropped: a half-restored terminal is worse than none.
fn give_back(target: Target) {
    if !IS_TAKEN_OVER.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut writer) = writer(target) {
        let restore = std::mem::take(
            &mut *RESTORE_SEQUENCES
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        writer.write_all(restore.as_bytes()).ok();
        if KEYBOARD_PROTOCOL.load(Ordering::SeqCst) {
            execute!(writer, PopKeyboardEnhancementFlags).ok();
        }
        if MOUSE.load(Ordering::SeqCst) {
            execute!(writer, DisableMouseCapture).ok();
        }
        execute!(
            writer,
            DisableFocusChange,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show
        )
        .ok();
    }
    disable_raw_mode().ok();
}

fn restore_on_panic(target: Target) {
    PANIC_HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back(target);
            before(panic);
        }));
    });
}
