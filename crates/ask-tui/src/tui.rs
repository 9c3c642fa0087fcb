//! The terminal surface: an inbox of asks and a card for each. This file runs
//! it; what keys do is in `keys` and `update`, what is seen in `view`, and both
//! are pure. Nothing is polled: it sleeps until a key, a ring or a moment it
//! asked for.

pub mod attention;
mod background_color;
mod clipboard;
mod effects;
pub(crate) mod event;
mod geometry;
pub(crate) mod glyphs;
mod history;
mod hub_stream;
pub(crate) mod model;
mod paths;
mod row;
mod screen;
mod style;
pub(crate) mod update;
pub(crate) mod view;

use std::time::Duration;

use anyhow::Context as _;
use ask_config::clock;
use ask_config::config::{self, Config, Theme};
use ask_config::i18n::Words;
use ask_config::keys::Keymap;
use ask_core::Time;
use ask_hub::client::Client;
use rustix::process::{Signal, kill_current_process_group};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use self::attention::Attention;
use self::background_color::BackgroundColor;
use self::effects::carry_out;
use self::event::{Effect, Event};
use self::glyphs::Glyphs;
use self::hub_stream::follow;
use self::model::{Card, Look, Model};
use self::paths::Wish;
use self::screen::Screen;
pub use self::screen::Target;
use self::screen::input::Input;
use self::screen::signals::{Signals, Wanted};
use super::editor::{Edited, Editing};
use super::ui::editor_file::EditorFile;
use super::{Ended, Mode};

/// The name this surface signs with.
const SURFACE: &str = "terminal";
/// How long the last drafts may take on the way out.
const FAREWELL: Duration = Duration::from_secs(2);
/// The most events that are taken in before the screen is painted.
const BATCH: usize = 10_000;
/// How long it may take until we are stopped, once we asked for it.
const GOING_ON: Duration = Duration::from_millis(100);

impl Look {
    /// What the environment says about the terminal, and what the person set.
    pub fn of_environment(config: &Config) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(word)
            .find(|value| !value.is_empty());
        let fitting = Glyphs::fitting(&word("TERM"), &locale.unwrap_or_default());
        let mono = config.terminal.theme == Theme::Mono;
        Self {
            words: Words::of_person(config.language),
            keys: Keymap::of(&config.keys, config.terminal.typing),
            habits: config.terminal,
            glyphs: match config.terminal.glyphs {
                config::Glyphs::Auto => fitting,
                config::Glyphs::Full => Glyphs::Full,
                config::Glyphs::Ascii => match fitting {
                    Glyphs::AsciiOnly => Glyphs::AsciiOnly,
                    Glyphs::Full | Glyphs::Ascii => Glyphs::Ascii,
                },
            },
            colours: !mono && word("NO_COLOR").is_empty(),
            background: match config.terminal.theme {
                Theme::Auto | Theme::Mono => BackgroundColor::Unknown,
                Theme::Light => BackgroundColor::Light,
                Theme::Dark => BackgroundColor::Dark,
            },
            zone: jiff::tz::TimeZone::system(),
            home: std::env::var("HOME").ok(),
            tells_keys_apart: false,
        }
    }
}

/// What a person is told where the list begins.
#[derive(Debug, Default, Clone, Copy)]
pub struct TuiError {
    /// So many settings can't be used.
    pub mistakes: usize,
    /// A damaged store was set aside, and what was in it is not in the list.
    pub set_aside: bool,
}

/// Shows the asks on a terminal, and what trouble there was, until the person leaves or the one ask is closed.
pub async fn run(
    client: Client,
    mode: Mode,
    target: Target,
    config: &Config,
    trouble: TuiError,
) -> anyhow::Result<Ended> {
    let opened = Screen::open(target, config.terminal.mouse);
    let mut screen = opened.context("the terminal can't be taken over")?;
    let size = screen.size()?;
    let look = Look::of_environment(config);
    // The console of Linux takes the question for text.
    let asks = config.terminal.theme == Theme::Auto
        && look.colours
        && !matches!(std::env::var("TERM").as_deref(), Ok("linux" | "dumb"));
    if asks {
        screen.ask_ground()?;
    }
    let mut model = Model::new(mode.clone(), look, size, clock::now());
    model.tell(trouble);
    screen.paint(&model)?;
    let (events, inbound) = mpsc::unbounded_channel();
    let follow = tokio::spawn(follow(client.clone(), mode, events.clone()));
    let (finder, wanted) = std::sync::mpsc::channel();
    let told = events.clone();
    std::thread::spawn(move || paths::find(&wanted, &told));
    let (wishes, work) = mpsc::unbounded_channel();
    let worker = tokio::spawn(carry_out(client.clone(), work, events));
    let words = model.look.words;
    let runner = Runner {
        attention: Attention::of_environment(&config.notify, words),
        client: client.clone(),
        model,
        screen,
        input: Input::read(asks),
        inbound,
        wishes,
        wake: None,
        finder,
        reason: None,
    };
    let ended = runner.run(&client).await;
    follow.abort();
    farewell(worker).await;
    ended
}

struct Runner {
    model: Model,
    attention: Attention,
    client: Client,
    screen: Screen,
    input: Input,
    inbound: mpsc::UnboundedReceiver<anyhow::Result<Event>>,
    wishes: mpsc::UnboundedSender<Effect>,
    wake: Option<Time>,
    finder: std::sync::mpsc::Sender<Wish>,
    /// What the terminal has to be lent for.
    reason: Option<SuspendReason>,
}

/// What the terminal is lent for.
enum SuspendReason {
    /// The person's shell.
    Suspend,
    /// The person's editor.
    Edit(EditorFile),
}

impl Runner {
    async fn run(mut self, client: &Client) -> anyhow::Result<Ended> {
        let ended = self.serve(client).await;
        if ended.is_err() {
            self.leave();
        }
        if ended.is_err() || !self.model.linked {
            // Nobody knows whether the hub keeps it.
            self.model.leave_open();
            self.screen.leave_behind(&self.model);
        }
        ended
    }

    async fn serve(&mut self, client: &Client) -> anyhow::Result<Ended> {
        let mut link = client.link();
        let mut signals = Signals::new()?;
        self.present(false);
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
                wanted = signals.recv() => match wanted {
                    Wanted::End | Wanted::Interrupt => return Ok(self.leave()),
                    Wanted::Resume => {
                        self.screen.retake()?;
                        self.attention.begin_again();
                        self.resized()?
                    }
                },
            };
            let mut ended = self.take(event)?;
            // What came meanwhile is seen at once: a long paste isn't painted letter by letter.
            for _ in 0..BATCH {
                if ended.is_some() || self.reason.is_some() {
                    break;
                }
                let Some(event) = self.input.try_recv() else {
                    break;
                };
                ended = self.take(event)?;
            }
            if let Some(reason) = self.reason.take()
                && ended.is_none()
            {
                ended = self.run_errand(reason, &mut signals).await?;
            }
            if let Some(ended) = ended {
                self.screen.leave_behind(&self.model);
                if ended == Ended::Plain {
                    // Whoever reads lines next has the terminal's input to itself.
                    self.input.close().await;
                }
                return Ok(ended);
            }
            self.screen.leave_behind(&self.model);
            // The terminal may have another size before its event is read, and a key that comes in
            // between is meant for what the person sees.
            let began = clock::now();
            self.model.size = self.screen.paint(&self.model)?;
            if let Some(guard) = self.model.guard_mut() {
                guard.painted(began);
            }
            let said = self.attention.after(&self.model, self.model.is_muted());
            if !said.is_empty() {
                self.screen.announce(&said, self.attention.farewell())?;
            }
        }
    }

    /// Notices whether the person is there, and has the hub know.
    fn notice(&mut self, event: &Event) {
        let input = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_));
        if let Event::Focus(focused) = event {
            self.attention.focused = Some(*focused);
            self.present(false);
        } else if matches!(event, Event::Link(true)) {
            // The next hub knows nothing of it.
            self.present(false);
        } else if input && self.attention.typed(clock::now()) {
            self.present(true);
        }
    }

    fn present(&self, input: bool) {
        let client = self.client.clone();
        let (focused, rings) = (self.attention.focused, self.attention.rings());
        tokio::spawn(async move { client.present(focused, rings, input).await.ok() });
    }

    /// Lends the terminal, and takes it again. Whatever happens meanwhile waits in its channels.
    async fn run_errand(
        &mut self,
        reason: SuspendReason,
        signals: &mut Signals,
    ) -> anyhow::Result<Option<Ended>> {
        self.input.close().await;
        self.screen.lend();
        let came = match reason {
            SuspendReason::Suspend => match suspend(signals).await {
                Some(Wanted::End | Wanted::Interrupt) => return Ok(Some(self.leave())),
                Some(Wanted::Resume) | None => None,
            },
            SuspendReason::Edit(editor_file) => match self.edit(&editor_file, signals).await {
                Some(edited) => Some(Event::Edited(edited)),
                None => return Ok(Some(self.leave())),
            },
        };
        self.screen.retake()?;
        self.attention.begin_again();
        self.input.open();
        let resized = self.resized()?;
        let mut ended = self.take(resized)?;
        if let (Some(event), None) = (came, &ended) {
            ended = self.take(event)?;
        }
        Ok(ended)
    }

    /// Has the person's editor change a text. Nothing when we have to go before it ends; then what
    /// it saved so far is in the field.
    async fn edit(&mut self, editor_file: &EditorFile, signals: &mut Signals) -> Option<Edited> {
        let mut editing = match Editing::start(editor_file) {
            Ok(editing) => editing,
            Err(edited) => return Some(edited),
        };
        loop {
            let wanted = tokio::select! {
                edited = editing.ended() => return Some(edited),
                wanted = signals.recv() => wanted,
            };
            match wanted {
                // They are the editor's: it has the terminal.
                Wanted::Interrupt | Wanted::Resume => {}
                Wanted::End => {
                    if let Some(words) = editing.words() {
                        self.take(Event::Edited(Edited::Words(words))).ok();
                    }
                    return None;
                }
            }
        }
    }

    /// The size that the terminal has now.
    fn resized(&self) -> anyhow::Result<Event> {
        let (columns, rows) = self.screen.size()?;
        Ok(Event::Resize(columns, rows))
    }

    /// Takes one event in and does what it wants done.
    fn take(&mut self, event: Event) -> anyhow::Result<Option<Ended>> {
        self.notice(&event);
        if matches!(event, Event::Keyboard) {
            self.screen.tell_keys_apart()?;
        }
        self.wake = None;
        let mut ended = None;
        for effect in update::update(&mut self.model, event, clock::now()) {
            match effect {
                Effect::SaveDraft { .. }
                | Effect::Snooze { .. }
                | Effect::Extend { .. }
                | Effect::Mute { .. }
                | Effect::PageLink
                | Effect::Sessions { .. }
                | Effect::Attach { .. }
                | Effect::Settle { .. }
                | Effect::Shown { .. }
                | Effect::Recall { .. }
                | Effect::Past { .. }
                | Effect::Count { .. }
                | Effect::WriteOut { .. }
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
                Effect::Edit(editor_file) => self.reason = Some(SuspendReason::Edit(editor_file)),
                Effect::FindPaths { directory, letters } => {
                    // A finder that is gone finds nothing, and nobody waits for it.
                    self.finder.send(Wish { directory, letters }).ok();
                }
                Effect::Suspend => self.reason = Some(SuspendReason::Suspend),
                Effect::Copy { text } => self.screen.copy(&text)?,
                Effect::Quit(how) => ended = Some(how),
            }
        }
        Ok(ended)
    }

    /// Drops the keys that were typed for whatever was there before. Pastes are no slips: they stay.
    fn drain(&mut self) -> anyhow::Result<Option<Ended>> {
        let mut kept = Vec::new();
        while let Some(event) = self.input.try_recv() {
            if !matches!(event, Event::Key(_) | Event::Break) {
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
        let last = card.map(|card| {
            let (id, draft) = (card.record.id.clone(), card.form.draft());
            let built_on = card.elsewhere.clone().sends(&draft);
            Effect::SaveDraft {
                id,
                draft,
                built_on,
            }
        });
        if let Some(last) = last {
            // A closed channel means that the worker is gone, and nothing is left to be done.
            self.wishes.send(last).ok();
        }
        if self.model.is_one_shot() {
            Ended::Left
        } else {
            Ended::Quit
        }
    }
}

/// Stops with all of our job, as Ctrl+Z does elsewhere, until a signal has it go on.
async fn suspend(signals: &mut Signals) -> Option<Wanted> {
    // Where no shell waits behind us the system leaves it out, and we go on at once.
    kill_current_process_group(Signal::TSTP).ok()?;
    let wanted = tokio::time::timeout(GOING_ON, signals.recv()).await;
    wanted.ok()
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
