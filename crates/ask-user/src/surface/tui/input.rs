//! What comes from the terminal, in its order. A terminal without bracketed
//! paste sends a paste as keys: an Enter that another key follows faster than
//! anybody types is a line break of it, and sends nothing.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEventKind};
use tokio::sync::mpsc;

use super::event::Event;
use super::model::Model;

/// A key that follows this soon was not typed.
const BURST: Duration = Duration::from_millis(8);

/// Keys, pastes and sizes as they come.
pub struct Input {
    events: mpsc::UnboundedReceiver<Event>,
    /// What was read to see whether it follows.
    ahead: Option<Event>,
}

impl Input {
    /// Reads from here.
    pub fn new(events: mpsc::UnboundedReceiver<Event>) -> Self {
        Self {
            events,
            ahead: None,
        }
    }

    /// The next event; none when the terminal is gone. Nothing is lost when it is dropped.
    pub async fn next(&mut self) -> Option<Event> {
        match self.ahead.take() {
            Some(event) => Some(event),
            None => self.events.recv().await,
        }
    }

    /// An event that is there already.
    pub fn ready(&mut self) -> Option<Event> {
        self.ahead.take().or_else(|| self.events.try_recv().ok())
    }

    /// The event as it was meant: an Enter within a burst of keys is a line break where text is typed.
    pub async fn meant(&mut self, event: Event, model: &mut Model) -> Event {
        if is_enter(&event) && model.field().is_some() && self.is_followed().await {
            return Event::Paste("\n".to_owned());
        }
        event
    }

    async fn is_followed(&mut self) -> bool {
        if self.ahead.is_none() {
            let next = tokio::time::timeout(BURST, self.events.recv()).await;
            self.ahead = next.ok().flatten();
        }
        matches!(&self.ahead, Some(Event::Key(key)) if key.kind != KeyEventKind::Release)
    }
}

fn is_enter(event: &Event) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::Enter
        && key.modifiers.is_empty()
        && key.kind != KeyEventKind::Release)
}
