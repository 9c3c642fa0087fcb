//! The terminal itself: taken over, painted, lent to other programs, and given
//! back on every way out.

pub mod input;
mod paste_detection;
pub mod signals;

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
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::background_color;
use super::clipboard;
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
    /// What is printed where the screen was, once the terminal is given back for good.
    left: String,
}

/// Whether a terminal has to be given back, for the panic hook,
static TAKEN: AtomicBool = AtomicBool::new(false);
/// whether it was asked to tell keys apart that look alike,
static TELLING: AtomicBool = AtomicBool::new(false);
/// and whether it sends what the mouse does.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// What the terminal is told before it is given back.
static FAREWELL: Mutex<String> = Mutex::new(String::new());
static HOOK: Once = Once::new();

impl Screen {
    /// Takes the terminal over, with its mouse if so wanted.
    pub fn open(target: Target, mouse: bool) -> io::Result<Self> {
        let mut writer = writer(target)?;
        MOUSE.store(mouse, Ordering::SeqCst);
        restore_on_panic(target);
        let taken = take(&mut writer);
        let terminal = taken.and_then(|()| Terminal::new(CrosstermBackend::new(writer)));
        match terminal {
            Ok(terminal) => Ok(Self {
                terminal,
                target,
                left: String::new(),
            }),
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

    /// Shows the model, as far as it differs from what is there, and returns the size that the
    /// terminal had: columns and rows.
    pub fn paint(&mut self, model: &Model) -> io::Result<(u16, u16)> {
        let painted = self.terminal.draw(|frame| {
            let area = frame.area();
            if let Some(caret) = view(model, area, frame.buffer_mut()) {
                frame.set_cursor_position(caret);
            }
        })?;
        Ok((painted.area.width, painted.area.height))
    }

    /// What was not sent outlives the screen, however that ends: it is printed then, to be copied
    /// from there. Where a reply is printed besides, only words are worth it.
    pub fn leave_behind(&mut self, model: &Model) {
        let left = model.left.iter();
        let worth = left.filter(|left| left.filled || self.target == Target::Stdout);
        let said: Vec<&str> = worth.map(|left| left.said.as_str()).collect();
        self.left = said.join("\n");
    }

    /// Asks the terminal to put a text where pastes come from.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let in_tmux = std::env::var_os("TMUX").is_some();
        let backend = self.terminal.backend_mut();
        backend.write_all(clipboard::sequence(text, in_tmux).as_bytes())?;
        Write::flush(backend)
    }

    /// Tells the terminal something that isn't seen on it, and what to tell it before it is given
    /// back, on whichever way.
    pub fn announce(&mut self, said: &str, farewell: String) -> io::Result<()> {
        *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) = farewell;
        let backend = self.terminal.backend_mut();
        backend.write_all(said.as_bytes())?;
        Write::flush(backend)
    }

    /// Asks what the terminal paints on; the answer comes among the keys, if it comes.
    pub fn ask_ground(&mut self) -> io::Result<()> {
        let backend = self.terminal.backend_mut();
        backend.write_all(background_color::QUERY.as_bytes())?;
        Write::flush(backend)
    }

    /// Forgets what is there: the next picture is painted whole.
    pub fn clear(&mut self) -> io::Result<()> {
        // Not by what is made for that: it asks the terminal where its cursor is, and the answer
        // would come among the keys.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// The terminal can tell keys apart that look alike elsewhere: it shall.
    pub fn tell_keys_apart(&mut self) -> io::Result<()> {
        if TELLING.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        tell(self.terminal.backend_mut())
    }

    /// Lends the terminal to another program, until [`Screen::retake`].
    pub fn lend(&mut self) {
        give_back(self.target);
    }

    /// Takes the terminal over again, whatever became of it meanwhile.
    pub fn retake(&mut self) -> io::Result<()> {
        // Whoever had it may have left it in any mode.
        give_back(self.target);
        take(self.terminal.backend_mut())?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back(self.target);
        if let (false, Ok(mut writer)) = (self.left.is_empty(), writer(self.target)) {
            // The terminal may be gone, and with it whoever would read this.
            writer.write_all(self.left.as_bytes()).ok();
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

fn take(writer: &mut impl Write) -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    // Whoever had the other screen before may have left a picture on it, and colours.
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
    if TELLING.load(Ordering::SeqCst) {
        tell(writer)?;
    }
    Ok(())
}

/// After the alternate screen is entered: terminals keep this for each screen.
fn tell(writer: &mut impl Write) -> io::Result<()> {
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
    execute!(writer, PushKeyboardEnhancementFlags(flags))
}

/// Every step is tried, whatever became of the one before: half a terminal is worse than none.
fn give_back(target: Target) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut writer) = writer(target) {
        let farewell =
            std::mem::take(&mut *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner));
        writer.write_all(farewell.as_bytes()).ok();
        if TELLING.load(Ordering::SeqCst) {
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
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back(target);
            before(panic);
        }));
    });
}
