//! The terminal surface: an inbox of asks and a card for each. This file runs
//! it; what keys do is in `keys` and `update`, what is seen in `view`, and both
//! are pure. Nothing is polled: it sleeps until a key, a ring or a moment it
//! asked for.

pub mod event;
mod geometry;
pub mod glyphs;
pub mod keys;
pub mod model;
mod screen;
mod strip;
mod style;
pub mod update;
pub mod view;

use std::time::Duration;

use anyhow::Context as _;
use ask_core::Time;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use self::event::{Effect, Event};
use self::glyphs::Glyphs;
use self::model::{Card, Look, Model};
use self::screen::Screen;
pub use self::screen::Target;
use super::{Closing, Ended, Mode};
use crate::clock;
use crate::hub::client::{Client, Settled};

/// The name this surface signs with.
const SURFACE: &str = "terminal";
/// How long the last drafts may take on the way out.
const FAREWELL: Duration = Duration::from_secs(2);

impl Look {
    /// What the environment says about the terminal.
    pub fn of_environment() -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(word)
            .find(|value| !value.is_empty());
        Self {
            glyphs: Glyphs::fitting(&word("TERM"), &locale.unwrap_or_default()),
            colours: word("NO_COLOR").is_empty(),
            zone: jiff::tz::TimeZone::system(),
            home: std::env::var("HOME").ok(),
        }
    }
}

/// Shows the asks on a terminal until the person leaves or the one ask is closed.
pub async fn run(client: Client, mode: Mode, target: Target) -> anyhow::Result<Ended> {
    let mut screen = Screen::open(target).context("the terminal can't be taken over")?;
    let size = screen.size()?;
    let model = Model::new(mode.clone(), Look::of_environment(), size, clock::now());
    screen.paint(&model)?;
    let (events, inbound) = mpsc::unbounded_channel();
    let feed = tokio::spawn(feed(client.clone(), mode, events.clone()));
    let (wishes, work) = mpsc::unbounded_channel();
    let worker = tokio::spawn(carry_out(client.clone(), work, events));
    let runner = Runner {
        model,
        screen,
        input: screen::read_input(),
        inbound,
        wishes,
        wake: None,
    };
    let ended = runner.run(&client).await;
    feed.abort();
    farewell(worker).await;
    ended
}

struct Runner {
    model: Model,
    screen: Screen,
    input: mpsc::UnboundedReceiver<Event>,
    inbound: mpsc::UnboundedReceiver<anyhow::Result<Event>>,
    wishes: mpsc::UnboundedSender<Effect>,
    wake: Option<Time>,
}

impl Runner {
    async fn run(mut self, client: &Client) -> anyhow::Result<Ended> {
        let ended = self.serve(client).await;
        if ended.is_err() {
            self.leave();
        }
        ended
    }

    async fn serve(&mut self, client: &Client) -> anyhow::Result<Ended> {
        let mut link = client.link();
        let mut signals = screen::Signals::new()?;
        loop {
            let event = tokio::select! {
                event = self.input.recv() => match event {
                    Some(event) => event,
                    // The terminal is gone.
                    None => return Ok(self.leave()),
                },
                event = self.inbound.recv() => event.context("the hub's feed ended")??,
                changed = link.changed() => {
                    changed.context("the hub's client ended")?;
                    Event::Link(*link.borrow_and_update())
                }
                () = until(self.wake) => Event::Tick,
                () = signals.recv() => return Ok(self.leave()),
            };
            if let Some(ended) = self.take(event)? {
                return Ok(ended);
            }
            self.screen.paint(&self.model)?;
        }
    }

    /// Takes one event in and does what it wants done.
    fn take(&mut self, event: Event) -> anyhow::Result<Option<Ended>> {
        self.wake = None;
        let mut ended = None;
        for effect in update::update(&mut self.model, event, clock::now()) {
            match effect {
                Effect::SaveDraft { .. }
                | Effect::Settle { .. }
                | Effect::Shown { .. }
                | Effect::Fetch { .. } => {
                    // The worker outlives this loop, so the wish can't get lost.
                    self.wishes.send(effect).context("the worker is gone")?;
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::DrainInput => {
                    if let Some(early) = self.drain()? {
                        ended = Some(early);
                    }
                }
                Effect::Repaint => self.screen.clear()?,
                Effect::Quit(how) => ended = Some(how),
            }
        }
        Ok(ended)
    }

    /// Drops the keys that were typed for whatever was there before. Pastes are no slips: they stay.
    fn drain(&mut self) -> anyhow::Result<Option<Ended>> {
        let mut kept = Vec::new();
        while let Ok(event) = self.input.try_recv() {
            if !matches!(event, Event::Key(_)) {
                kept.push(event);
            }
        }
        kept.push(Event::InputDrained);
        let mut ended = None;
        for event in kept {
            ended = self.take(event)?.or(ended);
        }
        Ok(ended)
    }

    /// The terminal or the system wants us gone: what is typed is kept.
    fn leave(&mut self) -> Ended {
        let unsaved = |card: &&Card| !card.sending && card.form.draft() != card.kept;
        let card = self.model.card().filter(unsaved);
        if let Some((id, draft)) = card.map(|card| (card.record.id.clone(), card.form.draft())) {
            // A closed channel means that the worker is gone, and nothing is left to be done.
            self.wishes.send(Effect::SaveDraft { id, draft }).ok();
        }
        if self.model.is_one_shot() {
            Ended::Left
        } else {
            Ended::Quit
        }
    }
}

/// Reads the list, then what changes whenever the bell rings.
async fn feed(client: Client, mode: Mode, events: mpsc::UnboundedSender<anyhow::Result<Event>>) {
    let mut bell = client.bell();
    let mut cursor = None;
    loop {
        bell.mark_unchanged();
        let news = match cursor {
            None => listing(&client, &mode).await,
            Some(after) => changes(&client, &mode, after).await,
        };
        let told = match news {
            Ok((event, next)) => {
                cursor = Some(next);
                events.send(Ok(event))
            }
            // The client reconnects by itself and rings when it has; only the first look must succeed.
            Err(_) if cursor.is_some() => Ok(()),
            Err(error) => events.send(Err(error)),
        };
        if told.is_err() || bell.changed().await.is_err() {
            return;
        }
    }
}

async fn listing(client: &Client, mode: &Mode) -> anyhow::Result<(Event, u64)> {
    let mut listing = client.waiting().await?;
    if let Mode::One(id) = mode
        && listing.records.iter().all(|record| record.id != *id)
    {
        listing.records.push(client.get(id.as_str()).await?);
    }
    Ok((Event::Records(listing.records), listing.cursor))
}

async fn changes(client: &Client, mode: &Mode, after: u64) -> anyhow::Result<(Event, u64)> {
    let changes = client.changes(after).await?;
    if changes.reset {
        return listing(client, mode).await;
    }
    let event = Event::Changed {
        records: changes.records,
        gone: changes.gone,
    };
    Ok((event, changes.cursor))
}

/// Does what the reducer wants from the hub, one wish after the other: a draft never overtakes an answer.
async fn carry_out(
    client: Client,
    mut work: mpsc::UnboundedReceiver<Effect>,
    events: mpsc::UnboundedSender<anyhow::Result<Event>>,
) {
    while let Some(effect) = work.recv().await {
        match effect {
            // A draft or a sign that fails is made again with the next key, and nobody can act on it.
            Effect::SaveDraft { id, draft } => {
                client.save_draft(&id, &draft, SURFACE).await.ok();
            }
            Effect::Shown { id } => {
                client.shown(&id, SURFACE).await.ok();
            }
            Effect::Settle { id, verdict } => {
                let closing = match client.settle(&id, verdict, SURFACE).await {
                    Ok(Settled::Won(record)) => Closing::Won(Box::new(record)),
                    Ok(Settled::Lost(record)) => Closing::Lost(Box::new(record)),
                    Err(error) => Closing::Failed(format!("{error:#}")),
                };
                events.send(Ok(Event::Settled { id, closing })).ok();
            }
            Effect::Fetch { id } => {
                let (mut records, mut gone) = (Vec::new(), Vec::new());
                match client.get(id.as_str()).await {
                    Ok(record) => records.push(record),
                    Err(_) => gone.push(id),
                }
                events.send(Ok(Event::Changed { records, gone })).ok();
            }
            Effect::Wake { .. } | Effect::DrainInput | Effect::Repaint | Effect::Quit(_) => {}
        }
    }
}

async fn until(moment: Option<Time>) {
    match moment {
        Some(at) => {
            let ms = at.since_ms(clock::now());
            let moment = Duration::from_millis(ms);
            tokio::time::timeout(moment, std::future::pending::<()>())
                .await
                .ok();
        }
        None => std::future::pending().await,
    }
}

async fn farewell(mut worker: JoinHandle<()>) {
    if tokio::time::timeout(FAREWELL, &mut worker).await.is_err() {
        worker.abort();
    }
}

#[cfg(test)]
mod tests;
