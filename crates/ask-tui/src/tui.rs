//! The full-screen surface: a list of asks and a card for each. This file runs it. What a key does
//! is decided in `update`, what is seen in `view`; both are pure. Nothing is polled: the loop
//! sleeps until a key, an event of the hub, or a time that `update` asked for.

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
use self::model::{Card, Display, Model};
use self::paths::PathSearch;
use self::screen::Screen;
pub use self::screen::Target;
use self::screen::input::Input;
use self::screen::signals::{SignalRequest, Signals};
use super::editor::{Edited, Editing};
use super::ui::editor_file::EditorFile;
use super::{Ended, Mode};

/// The surface's name in settlements and drafts.
const SURFACE: &str = "terminal";
/// How long the last drafts may take after the person has left.
const FAREWELL: Duration = Duration::from_secs(2);
/// The most events that are handled before the screen is painted.
const BATCH: usize = 10_000;
/// How long to wait until the stop signal takes effect.
const GOING_ON: Duration = Duration::from_millis(100);

impl Display {
    /// Reads the terminal's abilities from the environment, and the person's settings.
    pub(crate) fn of_environment(config: &Config) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(word)
            .find(|value| !value.is_empty());
        let fitting = Glyphs::fitting(&word("TERM"), &locale.unwrap_or_default());
        let mono = config.terminal.theme == Theme::Mono;
        Self {
            words: Words::of_person(config.language),
            keys: Keymap::from_changes(&config.keys, config.terminal.typing),
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

/// Problems at the start that the list reports.
#[derive(Debug, Default, Clone, Copy)]
pub struct TuiError {
    /// How many settings are invalid.
    pub mistakes: usize,
    /// Whether a damaged store was moved away. The asks in it aren't in the list.
    pub set_aside: bool,
}

/// Shows the asks on a terminal until the person leaves or the one ask is closed. `trouble` is
/// reported in the list.
///
/// # Errors
///
/// The terminal can't be opened or painted, or the hub's client ended.
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
    let look = Display::of_environment(config);
    // The Linux console prints the query as text.
    let asks = config.terminal.theme == Theme::Auto
        && look.colours
        && !matches!(std::env::var("TERM").as_deref(), Ok("linux" | "dumb"));
    if asks {
        screen.query_background()?;
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
    await_worker(worker).await;
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
    finder: std::sync::mpsc::Sender<PathSearch>,
    /// Why the terminal has to be lent to another program.
    reason: Option<SuspendReason>,
}

/// Why the terminal is lent to another program.
enum SuspendReason {
    /// The program is stopped and the person's shell takes over.
    Suspend,
    /// The person's editor takes over.
    Edit(EditorFile),
}

impl Runner {
    async fn run(mut self, client: &Client) -> anyhow::Result<Ended> {
        let ended = self.serve(client).await;
        if ended.is_err() {
            self.leave();
        }
        if ended.is_err() || !self.model.linked {
            // It isn't known whether the hub has saved the open card, so it is printed as well.
            self.model.leave_open();
            self.screen.leave_behind(&self.model);
        }
        ended
    }

    async fn serve(&mut self, client: &Client) -> anyhow::Result<Ended> {
        let mut link = client.watch_connected();
        let mut signals = Signals::new()?;
        self.present(false);
        loop {
            let event = tokio::select! {
                event = self.input.recv() => match event {
                    Some(event) => event,
                    // The terminal is closed.
                    None => return Ok(self.leave()),
                },
                event = self.inbound.recv() => event.context("the hub's feed ended")??,
                changed = link.changed() => {
                    changed.context("the hub's client ended")?;
                    Event::Link(*link.borrow_and_update())
                }
                () = until(self.wake) => Event::Tick,
                wanted = signals.recv() => match wanted {
                    SignalRequest::End | SignalRequest::Interrupt => return Ok(self.leave()),
                    SignalRequest::Resume => {
                        self.screen.retake()?;
                        self.attention.begin_again();
                        self.resized()?
                    }
                },
            };
            let mut ended = self.take(event)?;
            // All events that are already there are handled before painting, so that a long paste
            // isn't painted letter by letter.
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
                ended = self.run_suspended(reason, &mut signals).await?;
            }
            if let Some(ended) = ended {
                self.screen.leave_behind(&self.model);
                if ended == Ended::Plain {
                    // The plain mode reads the terminal next and must not share its input.
                    self.input.close().await;
                }
                return Ok(ended);
            }
            self.screen.leave_behind(&self.model);
            // The terminal's size may have changed before its event is read. The guard starts with
            // the painted screen, because a key is meant for what the person sees.
            let began = clock::now();
            self.model.size = self.screen.paint(&self.model)?;
            if let Some(guard) = self.model.guard_mut() {
                guard.painted(began);
            }
            let said = self.attention.update(&self.model, self.model.is_muted());
            if !said.is_empty() {
                self.screen
                    .announce(&said, self.attention.restore_sequences())?;
            }
        }
    }

    /// Reports the person's presence to the hub when an event shows that it has changed.
    fn notice(&mut self, event: &Event) {
        let input = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_));
        if let Event::Focus(focused) = event {
            self.attention.focused = Some(*focused);
            self.present(false);
        } else if matches!(event, Event::Link(true)) {
            // A hub that was started again doesn't know about the person.
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

    /// Lends the terminal to another program and takes it back. Events that arrive meanwhile wait
    /// in their channels.
    async fn run_suspended(
        &mut self,
        reason: SuspendReason,
        signals: &mut Signals,
    ) -> anyhow::Result<Option<Ended>> {
        self.input.close().await;
        self.screen.lend();
        let came = match reason {
            SuspendReason::Suspend => match suspend(signals).await {
                Some(SignalRequest::End | SignalRequest::Interrupt) => {
                    return Ok(Some(self.leave()));
                }
                Some(SignalRequest::Resume) | None => None,
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

    /// Runs the person's editor on a text. `None` if we are told to end before it does; the text it
    /// has saved so far is in the field then.
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
                // These signals are meant for the editor, which has the terminal.
                SignalRequest::Interrupt | SignalRequest::Resume => {}
                SignalRequest::End => {
                    if let Some(words) = editing.words() {
                        // We end in any case: a failed effect of this event changes nothing.
                        self.take(Event::Edited(Edited::Words(words))).ok();
                    }
                    return None;
                }
            }
        }
    }

    /// The terminal's current size, as an event.
    fn resized(&self) -> anyhow::Result<Event> {
        let (columns, rows) = self.screen.size()?;
        Ok(Event::Resize(columns, rows))
    }

    /// Handles one event and performs its effects. Returns how the surface ends, if it does.
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
                | Effect::ReadHistory { .. }
                | Effect::Count { .. }
                | Effect::WriteOut { .. }
                | Effect::Fetch { .. } => {
                    // The worker outlives this loop, so that the effect is performed even if the
                    // surface ends now.
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
                    // A failed send means that the finder has ended: the popup shows no files.
                    self.finder.send(PathSearch { directory, letters }).ok();
                }
                Effect::Suspend => self.reason = Some(SuspendReason::Suspend),
                Effect::Copy { text } => self.screen.copy(&text)?,
                Effect::Quit(how) => ended = Some(how),
            }
        }
        Ok(ended)
    }

    /// Discards the keys that were typed for the screen before. A paste is never an accident, so it
    /// is kept.
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

    /// Ends because the terminal was closed or a signal asked for it. Saves the open draft.
    fn leave(&mut self) -> Ended {
        let unsaved = |card: &&Card| !card.sending && card.form.draft() != card.kept;
        let card = self.model.card().filter(unsaved);
        let last = card.map(|card| {
            let (id, draft) = (card.record.id.clone(), card.form.draft());
            let built_on = card.elsewhere.clone().record_sent(&draft);
            Effect::SaveDraft {
                id,
                draft,
                built_on,
            }
        });
        if let Some(last) = last {
            // A failed send means that the worker has ended, and that the draft can't be saved any
            // more.
            self.wishes.send(last).ok();
        }
        if self.model.is_one_shot() {
            Ended::Left
        } else {
            Ended::Quit
        }
    }
}

/// Stops the whole job, as Ctrl+Z does in other programs, until a signal resumes it.
async fn suspend(signals: &mut Signals) -> Option<SignalRequest> {
    // The system ignores the stop signal if no shell manages our job (an orphaned process group,
    // POSIX). Then the timeout ends the wait and the surface continues.
    kill_current_process_group(Signal::TSTP).ok()?;
    let wanted = tokio::time::timeout(GOING_ON, signals.recv()).await;
    wanted.ok()
}

async fn until(moment: Option<Time>) {
    match moment {
        Some(at) => {
            let ms = at.since_ms(clock::now());
            let moment = Duration::from_millis(ms);
            // Elapsing is the purpose of this timeout: its result carries nothing.
            tokio::time::timeout(moment, std::future::pending::<()>())
                .await
                .ok();
        }
        None => std::future::pending().await,
    }
}

async fn await_worker(mut worker: JoinHandle<()>) {
    if tokio::time::timeout(FAREWELL, &mut worker).await.is_err() {
        worker.abort();
    }
}

#[cfg(test)]
mod tests;
