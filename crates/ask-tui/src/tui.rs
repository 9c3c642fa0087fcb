//! The full-screen surface: a list of asks and a card for each. This file runs it. `update` decides
//! what a key does, `view` what the screen shows; both are pure. Nothing is polled: the loop sleeps
//! until a key, an event of the hub, or a time that `update` has requested.

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
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use self::attention::Attention;
use self::background_color::BackgroundColor;
use self::effects::{Work, carry_out};
use self::event::{Effect, Event};
use self::glyphs::Glyphs;
use self::hub_stream::stream_hub;
use self::model::{Card, Display, Model};
use self::paths::PathSearch;
use self::screen::Screen;
pub use self::screen::Target;
use self::screen::input::Input;
use self::screen::signals::{SignalRequest, Signals};
use super::editor::{EditResult, EditorProcess};
use super::ui::editor_file::EditorFile;
use super::{Mode, SettleResult, SurfaceEnd};

/// The surface's name in settlements and drafts.
const SURFACE: &str = "terminal";
/// How long saving the last drafts may take after the person has left.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
/// The most events that are handled before the screen is painted.
const BATCH: usize = 10_000;
/// How long to wait for the hub to save the draft before the job is stopped.
const SAVE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait for the stop signal to take effect.
const STOP_TIMEOUT: Duration = Duration::from_millis(100);

impl Display {
    /// Reads the terminal's abilities from the environment, and the person's settings.
    pub(crate) fn from_environment(config: &Config) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(word)
            .find(|value| !value.is_empty());
        let supported = Glyphs::for_terminal(&word("TERM"), &locale.unwrap_or_default());
        let mono = config.terminal.theme == Theme::Mono;
        Self {
            words: Words::of_person(config.language),
            keys: Keymap::from_changes(&config.keys, config.terminal.typing),
            settings: config.terminal,
            glyphs: match config.terminal.glyphs {
                config::Glyphs::Auto => supported,
                config::Glyphs::Full => Glyphs::Full,
                config::Glyphs::Ascii => match supported {
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
            zone: clock::zone(),
            home: std::env::var("HOME").ok(),
            distinguishes_keys: false,
        }
    }
}

/// Problems at the start that the list reports.
#[derive(Debug, Default, Clone, Copy)]
pub struct StartupProblems {
    /// How many settings are invalid.
    pub invalid_settings: usize,
    /// Whether a damaged store was moved away. The asks in it aren't in the list.
    pub store_moved: bool,
}

/// Shows the asks on a terminal until the person leaves or the one ask is closed. The list reports
/// the `problems`.
///
/// # Errors
///
/// The terminal can't be opened or painted, or the connection to the hub ended.
pub async fn run(
    client: Client,
    mode: Mode,
    target: Target,
    config: &Config,
    problems: StartupProblems,
) -> anyhow::Result<SurfaceEnd> {
    let opened = Screen::open(target, config.terminal.mouse);
    let mut screen = opened.context("the terminal can't be taken over")?;
    let size = screen.size()?;
    let display = Display::from_environment(config);
    // The Linux console prints the query as text.
    let queries_background = config.terminal.theme == Theme::Auto
        && display.colours
        && !matches!(std::env::var("TERM").as_deref(), Ok("linux" | "dumb"));
    if queries_background {
        screen.query_background()?;
    }
    let mut model = Model::new(mode.clone(), display, size, clock::now());
    model.show_startup_problems(problems);
    screen.paint(&model)?;
    let (events, inbound) = mpsc::unbounded_channel();
    let hub_stream = tokio::spawn(stream_hub(client.clone(), mode, events.clone()));
    let (finder, searches) = std::sync::mpsc::channel();
    let finder_events = events.clone();
    std::thread::spawn(move || paths::find(&searches, &finder_events));
    let (work, received_work) = mpsc::unbounded_channel();
    let worker = tokio::spawn(carry_out(client.clone(), received_work, events));
    let words = model.display.words;
    let runner = Runner {
        attention: Attention::from_environment(&config.notify, words),
        client: client.clone(),
        model,
        screen,
        input: Input::read(queries_background),
        inbound,
        work,
        wake: None,
        finder,
        suspend_reason: None,
    };
    let ended = runner.run(&client).await;
    hub_stream.abort();
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
    work: mpsc::UnboundedSender<Work>,
    wake: Option<Time>,
    finder: std::sync::mpsc::Sender<PathSearch>,
    /// Why the terminal has to be lent to another program.
    suspend_reason: Option<SuspendReason>,
}

/// Why the terminal is lent to another program.
enum SuspendReason {
    /// The program is stopped and the person's shell takes over.
    Suspend,
    /// The person's editor takes over.
    Edit(EditorFile),
}

impl Runner {
    async fn run(mut self, client: &Client) -> anyhow::Result<SurfaceEnd> {
        let ended = self.run_loop(client).await;
        if ended.is_err() {
            self.leave();
        }
        let is_left = match &ended {
            Ok(ended) => matches!(
                ended,
                SurfaceEnd::Left | SurfaceEnd::Quit | SurfaceEnd::SwitchToPlain
            ),
            Err(_) => true,
        };
        if is_left {
            self.await_drafts().await;
            // Without a hub it isn't known what has reached it.
            let is_unknown = ended.is_err() || !self.model.connected;
            self.model.keep_card_texts(is_unknown);
            self.screen.set_leftovers(&self.model);
        }
        ended
    }

    async fn run_loop(&mut self, client: &Client) -> anyhow::Result<SurfaceEnd> {
        let mut link = client.watch_connected();
        let mut signals = Signals::new()?;
        self.report_presence(false);
        loop {
            let event = tokio::select! {
                event = self.input.recv() => match event {
                    Some(event) => event,
                    // The terminal is closed.
                    None => return Ok(self.leave()),
                },
                event = self.inbound.recv() => event.context("the connection to the hub ended; start ask-user again")??,
                changed = link.changed() => {
                    changed.context("the connection to the hub ended; start ask-user again")?;
                    Event::Connected(*link.borrow_and_update())
                }
                () = sleep_until(self.wake) => Event::Tick,
                request = signals.recv() => match request {
                    SignalRequest::End | SignalRequest::Interrupt => return Ok(self.leave()),
                    SignalRequest::Resume => {
                        self.screen.retake()?;
                        self.attention.reset();
                        self.resized()?
                    }
                },
            };
            let mut ended = self.handle_event(event)?;
            // All available events are handled before the screen is painted, so that a long paste
            // isn't painted letter by letter.
            for _ in 0..BATCH {
                if ended.is_some() || self.suspend_reason.is_some() {
                    break;
                }
                let Some(event) = self.input.try_recv() else {
                    break;
                };
                ended = self.handle_event(event)?;
            }
            if let Some(reason) = self.suspend_reason.take()
                && ended.is_none()
            {
                ended = self.run_suspended(reason, &mut signals).await?;
            }
            if let Some(ended) = ended {
                self.screen.set_leftovers(&self.model);
                if ended == SurfaceEnd::SwitchToPlain {
                    // The plain mode reads the terminal next and must not share its input.
                    self.input.close().await;
                }
                return Ok(ended);
            }
            self.screen.set_leftovers(&self.model);
            // The terminal's size may have changed before its event is read. The guard starts with
            // the painted screen, because a key is meant for what the person sees.
            let began = clock::now();
            self.model.size = self.screen.paint(&self.model)?;
            self.model.mark_painted(began);
            let sequences = self.attention.update(&self.model, self.model.is_muted());
            if !sequences.is_empty() {
                self.screen
                    .announce(&sequences, self.attention.restore_sequences())?;
            }
        }
    }

    /// Reports the person's presence to the hub when an event shows that it has changed.
    fn report_activity(&mut self, event: &Event) {
        let input = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_));
        if let Event::Focus(focused) = event {
            self.attention.focused = Some(*focused);
            self.report_presence(false);
        } else if matches!(event, Event::Connected(true)) {
            // A restarted hub doesn't know that the person is present.
            self.report_presence(false);
        } else if input && self.attention.record_typing(clock::now()) {
            self.report_presence(true);
        }
    }

    fn report_presence(&self, input: bool) {
        let client = self.client.clone();
        let (focused, rings) = (self.attention.focused, self.attention.is_enabled());
        tokio::spawn(async move { client.present(focused, rings, input).await.ok() });
    }

    /// Lends the terminal to another program and takes it back. Events that arrive meanwhile wait
    /// in their channels.
    async fn run_suspended(
        &mut self,
        reason: SuspendReason,
        signals: &mut Signals,
    ) -> anyhow::Result<Option<SurfaceEnd>> {
        self.input.close().await;
        self.screen.lend();
        let event = match reason {
            SuspendReason::Suspend => match self.suspend(signals).await {
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
        self.attention.reset();
        self.input.open();
        let resized = self.resized()?;
        let mut ended = self.handle_event(resized)?;
        if let (Some(event), None) = (event, &ended) {
            ended = self.handle_event(event)?;
        }
        Ok(ended)
    }

    /// Runs the person's editor on a text. `None` if a signal ends the surface before the editor
    /// ends; the field then has the text that the editor had saved.
    async fn edit(
        &mut self,
        editor_file: &EditorFile,
        signals: &mut Signals,
    ) -> Option<EditResult> {
        let mut editor = match EditorProcess::start(editor_file) {
            Ok(editor) => editor,
            Err(edited) => return Some(edited),
        };
        loop {
            let request = tokio::select! {
                edited = editor.wait() => return Some(edited),
                request = signals.recv() => request,
            };
            match request {
                // These signals are meant for the editor, which has the terminal.
                SignalRequest::Interrupt | SignalRequest::Resume => {}
                SignalRequest::End => {
                    if let Some(words) = editor.saved_text() {
                        // The surface ends in any case, so a failed effect of this event doesn't
                        // matter.
                        self.handle_event(Event::Edited(EditResult::Text(words)))
                            .ok();
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
    fn handle_event(&mut self, event: Event) -> anyhow::Result<Option<SurfaceEnd>> {
        self.report_activity(&event);
        if matches!(event, Event::KeyboardProtocol) {
            self.screen.enable_keyboard_protocol()?;
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
                | Effect::TakeBack { .. }
                | Effect::EndHold { .. }
                | Effect::Shown { .. }
                | Effect::Recall { .. }
                | Effect::ReadHistory { .. }
                | Effect::ReadStats { .. }
                | Effect::Export { .. }
                | Effect::Fetch { .. } => {
                    // The worker outlives this loop, so that the effect is performed even if the
                    // surface ends now.
                    self.work
                        .send(Work::Effect(Box::new(effect)))
                        .context("the effects task ended")?;
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::DrainInput => {
                    if let Some(early) = self.drain()? {
                        ended = Some(early);
                    }
                }
                Effect::Repaint => self.screen.clear()?,
                Effect::Edit(editor_file) => {
                    self.suspend_reason = Some(SuspendReason::Edit(editor_file))
                }
                Effect::FindPaths { directory, letters } => {
                    // A failed send means that the finder has ended: the popup shows no files.
                    self.finder.send(PathSearch { directory, letters }).ok();
                }
                Effect::Suspend => self.suspend_reason = Some(SuspendReason::Suspend),
                Effect::Copy { text } => self.screen.copy(&text)?,
                Effect::Quit(end) => ended = Some(end),
            }
        }
        Ok(ended)
    }

    /// Discards the keys that were typed for the previous screen. A paste is never an accident, so
    /// it is handled.
    fn drain(&mut self) -> anyhow::Result<Option<SurfaceEnd>> {
        let mut kept = Vec::new();
        while let Some(event) = self.input.try_recv() {
            if !matches!(event, Event::Key(_) | Event::PastedNewline) {
                kept.push(event);
            }
        }
        kept.push(Event::InputDrained);
        let mut ended = None;
        for event in kept {
            ended = self.handle_event(event)?.or(ended);
        }
        Ok(ended)
    }

    /// Ends the surface because the terminal was closed or a signal arrived. Saves the open draft.
    fn leave(&mut self) -> SurfaceEnd {
        let is_unsaved = |card: &&Card| !card.sending && card.form.draft() != card.saved_draft;
        let card = self.model.card().filter(is_unsaved);
        let save = card.map(|card| {
            let (id, draft) = (card.record.id.clone(), card.form.draft());
            let built_on = card.conflict.clone().record_sent(&draft);
            Effect::SaveDraft {
                id,
                draft,
                built_on,
            }
        });
        if let Some(save) = save {
            // A failed send means that the worker has ended, so the draft can't be saved.
            self.work.send(Work::Effect(Box::new(save))).ok();
        }
        if self.model.is_one_shot() {
            SurfaceEnd::Left
        } else {
            SurfaceEnd::Quit
        }
    }

    /// Waits a moment for the hub's replies to the drafts that are on their way.
    async fn await_drafts(&mut self) {
        if !self.model.has_unsaved() {
            return;
        }
        self.flush().await;
        while let Ok(event) = self.inbound.try_recv() {
            if let Ok(Event::Settled {
                id,
                result: SettleResult::Won(_),
            }) = &event
                && let Some(card) = self.model.card_of(id)
            {
                card.kept_draft = card.form.draft();
            }
            if let Ok(event @ (Event::DraftSaved(..) | Event::DraftRefused(_))) = event {
                // The surface has ended, so what follows from the event is dropped.
                let _ = update::update(&mut self.model, event, clock::now());
            }
        }
    }

    /// Waits until the work that was sent is done, unless that takes too long.
    async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        if self.work.send(Work::Flush(done)).is_ok() {
            // After the timeout, what isn't done yet is done later.
            let _ = tokio::time::timeout(SAVE_TIMEOUT, is_done).await;
        }
    }

    /// Stops the whole job, as Ctrl+Z does in other programs, until a signal resumes it. Before, the
    /// hub gets the draft, unless it takes too long: the job may be stopped for days, or killed.
    async fn suspend(&self, signals: &mut Signals) -> Option<SignalRequest> {
        self.flush().await;
        stop_job(signals).await
    }
}

/// Stops the whole job until a signal resumes it.
async fn stop_job(signals: &mut Signals) -> Option<SignalRequest> {
    // The system ignores the stop signal if no shell manages our job (an orphaned process group,
    // POSIX). Then the timeout ends the wait and the surface continues.
    kill_current_process_group(Signal::TSTP).ok()?;
    let request = tokio::time::timeout(STOP_TIMEOUT, signals.recv()).await;
    request.ok()
}

async fn sleep_until(moment: Option<Time>) {
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
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut worker)
        .await
        .is_err()
    {
        worker.abort();
    }
}

#[cfg(test)]
mod tests;
