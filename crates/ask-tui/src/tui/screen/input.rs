//! Reads keys, pastes and size changes on a thread that blocks: the terminal can't be awaited
//! without polling. The thread pauses while another program has the terminal.

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crossterm::event::{self, KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use crossterm::terminal::supports_keyboard_enhancement;
use rustix::process::{Signal, getpid, kill_process};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::paste_detection::{PasteDetector, TYPING_GAP};
use crate::tui::background_color::{REPLY_GAP, ReplyDetector};
use crate::tui::event::Event;

/// How long to wait until the thread pauses. It may be reading a sequence that never ends.
const PAUSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The events of the terminal.
pub(crate) struct Input {
    events: mpsc::UnboundedReceiver<Event>,
    gate: Arc<Gate>,
    paused: watch::Receiver<bool>,
}

/// Whether the terminal may be read.
#[derive(Default)]
struct Gate {
    closed: Mutex<bool>,
    opens: Condvar,
}

impl Input {
    /// Starts the reader. `queried_background` says whether the background was queried.
    pub(crate) fn read(queried_background: bool) -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let (pause_sender, paused) = watch::channel(false);
        let gate = Arc::new(Gate::default());
        let reader = Reader {
            sender,
            pause_sender,
            gate: Arc::clone(&gate),
            queried_background,
        };
        std::thread::spawn(move || reader.run());
        Self {
            events,
            gate,
            paused,
        }
    }

    /// The next event; `None` when the terminal is gone.
    pub(crate) async fn recv(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// The next event if one has been read already.
    pub(crate) fn try_recv(&mut self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// Pauses reading until [`Input::open`], so that another program can read the terminal.
    pub(crate) async fn close(&mut self) {
        self.gate.set(true);
        // Besides input, only a change of size wakes the thread (`SIGWINCH`). If it doesn't pause
        // in time, the program starts anyway.
        if kill_process(getpid(), Signal::WINCH).is_ok() {
            let paused = self.paused.wait_for(|is_paused| *is_paused);
            tokio::time::timeout(PAUSE_TIMEOUT, paused).await.ok();
        }
    }

    /// Continues reading after [`Input::close`].
    pub(crate) fn open(&self) {
        self.gate.set(false);
    }
}

impl Gate {
    fn set(&self, closed: bool) {
        *self.closed.lock().unwrap_or_else(PoisonError::into_inner) = closed;
        self.opens.notify_all();
    }
}

struct Reader {
    sender: mpsc::UnboundedSender<Event>,
    pause_sender: watch::Sender<bool>,
    gate: Arc<Gate>,
    queried_background: bool,
}

impl Reader {
    fn run(self) {
        let started_at = Instant::now();
        let mut paste_detector = PasteDetector::default();
        let mut reply_detector = ReplyDetector::new(self.queried_background);
        // Queried here, because only the reader receives the reply. The query is written to
        // standard output. If that isn't a terminal, it belongs to the result of the command, and
        // nothing is queried.
        if io::stdout().is_terminal() && supports_keyboard_enhancement().unwrap_or(false) {
            // A failed send means that the surface has ended; the send in the loop reports it.
            self.sender.send(Event::KeyboardProtocol).ok();
        }
        loop {
            self.wait_until_open();
            let was_available = event::poll(TYPING_GAP).unwrap_or(false);
            let Ok(event) = event::read() else { return };
            let now = started_at.elapsed();
            let event = match event {
                event::Event::Key(key) => {
                    paste_detector.classify(normalize(key), now, was_available)
                }
                event::Event::Paste(text) => {
                    paste_detector.record_paste(now);
                    Some(Event::Paste(text))
                }
                event::Event::Resize(columns, rows) => Some(Event::Resize(columns, rows)),
                event::Event::FocusGained => Some(Event::Focus(true)),
                event::Event::FocusLost => Some(Event::Focus(false)),
                // A pointer that only moves changes nothing and must not cause a repaint.
                event::Event::Mouse(MouseEvent {
                    kind: MouseEventKind::Moved | MouseEventKind::Drag(_) | MouseEventKind::Up(_),
                    ..
                }) => None,
                event::Event::Mouse(mouse) => Some(Event::Mouse(mouse)),
            };
            let follows = |within| event::poll(within).unwrap_or(false);
            let mut events = match event {
                Some(Event::Key(key)) => reply_detector.handle_key(key, || follows(TYPING_GAP)),
                Some(other) => {
                    let mut events = reply_detector.release();
                    events.push(other);
                    events
                }
                None => reply_detector.release(),
            };
            if reply_detector.is_holding() && !follows(REPLY_GAP) {
                events.extend(reply_detector.release());
            }
            for event in events {
                if self.sender.send(event).is_err() {
                    return;
                }
            }
        }
    }

    /// Waits while the gate is closed.
    fn wait_until_open(&self) {
        let closed = self.gate.closed.lock();
        let mut closed = closed.unwrap_or_else(PoisonError::into_inner);
        if !*closed {
            return;
        }
        self.pause_sender.send_replace(true);
        while *closed {
            let opened = self.gate.opens.wait(closed);
            closed = opened.unwrap_or_else(PoisonError::into_inner);
        }
        self.pause_sender.send_replace(false);
    }
}

/// Normalizes keys of the kitty keyboard protocol to what other terminals send: Shift with a small
/// letter becomes a capital, Ctrl+M becomes Enter.
fn normalize(mut key: KeyEvent) -> KeyEvent {
    let KeyCode::Char(letter) = key.code else {
        return key;
    };
    if key.modifiers == KeyModifiers::CONTROL {
        let code = match letter {
            'm' => KeyCode::Enter,
            'i' => KeyCode::Tab,
            '[' => KeyCode::Esc,
            'h' => KeyCode::Backspace,
            _ => return key,
        };
        return KeyEvent {
            code,
            modifiers: KeyModifiers::NONE,
            ..key
        };
    }
    if key.modifiers.contains(KeyModifiers::SHIFT) {
        let mut capital = letter.to_uppercase();
        if let (Some(capital), None) = (capital.next(), capital.next()) {
            key.code = KeyCode::Char(capital);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: char, modifiers: KeyModifiers) -> (KeyCode, KeyModifiers) {
        let key = normalize(KeyEvent::new(KeyCode::Char(letter), modifiers));
        (key.code, key.modifiers)
    }

    #[test]
    fn shift_and_a_small_letter_become_a_capital() {
        for (small, capital) in [('ä', 'Ä'), ('я', 'Я'), ('g', 'G'), ('Ä', 'Ä'), ('ß', 'ß')]
        {
            let (code, _) = key(small, KeyModifiers::SHIFT);
            assert_eq!(code, KeyCode::Char(capital));
        }
        let both = KeyModifiers::CONTROL | KeyModifiers::SHIFT;
        assert_eq!(key('z', both), (KeyCode::Char('Z'), both));
        assert_eq!(
            key('ä', KeyModifiers::NONE),
            (KeyCode::Char('ä'), KeyModifiers::NONE)
        );
    }

    #[test]
    fn control_letters_become_the_keys_that_they_stand_for() {
        let named = [
            ('m', KeyCode::Enter),
            ('i', KeyCode::Tab),
            ('[', KeyCode::Esc),
            ('h', KeyCode::Backspace),
        ];
        for (letter, code) in named {
            let is = key(letter, KeyModifiers::CONTROL);
            assert_eq!(is, (code, KeyModifiers::NONE));
        }
    }
}
