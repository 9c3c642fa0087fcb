//! The plain mode: the same asks as lines of text, one prompt at a time, and nothing is ever
//! rewritten. It is for screen readers, pipes and terminals without cursor control. This file reads
//! lines, prints, and calls the hub. `session` is the pure state machine, `render` its sentences.

mod bell;
mod render;
mod session;

use std::collections::VecDeque;
use std::io::{BufRead, IsTerminal, Write};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::Path;

use anyhow::Context as _;
use ask_config::clock;
use ask_config::config::Config;
use ask_config::i18n::Words;
use ask_core::{AskId, Record};
use ask_hub::client::{Client, DraftResult, Push, split_changes};
use ask_hub::surface::file_finder::Listing;
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::{Filter, Request};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::QueueSelector;
use tokio::sync::mpsc;

use self::bell::Bell;
use self::session::{PlainEffect, PlainEvent, PlainSession, PromptOptions, Step};
use super::editor::{EditResult, EditorProcess};
use super::ui::editor_file::EditorFile;
use super::{Mode, SettleResult, SurfaceEnd};
use crate::{attach, is_without_hub};

/// The surface's name in settlements and drafts.
const SURFACE: &str = "plain";

/// What the standard input and output are connected to.
#[derive(Clone, Copy, Debug)]
pub struct Stdio {
    /// Whether the input is a terminal, which echoes each line with its line break.
    pub input_is_terminal: bool,
    /// Whether the output is a terminal, which has a bell.
    pub output_is_terminal: bool,
}

/// Runs a session until the person leaves, the one ask is closed or the input ends.
///
/// # Errors
///
/// The hub can't be reached at the start, or the output can't be written.
pub async fn run(
    client: Client,
    mode: Mode,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    stdio: Stdio,
    config: &Config,
) -> anyhow::Result<SurfaceEnd> {
    let options = PromptOptions {
        words: Words::of_person(config.language),
        zone: clock::zone(),
        terminal: config.terminal,
        is_typed: stdio.input_is_terminal,
    };
    let mut link = client.watch_connected();
    let rings = stdio.output_is_terminal && !matches!(mode, Mode::One(_));
    let mut bell = Bell::new(&config.notify, options.zone.clone(), rings);
    let opened = match &mode {
        Mode::One(id) => Some(id.clone()),
        Mode::Inbox | Mode::Next => None,
    };
    let (records, cursor, mut muted) = read_list(&client, &mode, opened.as_ref()).await?;
    let subscription = client.subscribe_after(cursor, false);
    let (mut session, step) = PlainSession::start(mode.clone(), options, records, clock::now());
    bell.update(session.waiting_ids(), muted, clock::now());
    report_presence(&client, &bell, false);
    let mut lines = InputLines::read(input);
    let mut writer = LineWriter::new(output, stdio.input_is_terminal);
    let mut ended = carry_out(&client, &mut session, step, &mut writer, stdio).await?;
    while ended.is_none() {
        lines.request_line();
        writer.is_reading = true;
        let event = tokio::select! {
            line = lines.next() => match line {
                Some(line) => {
                    if bell.record_typing(clock::now()) {
                        report_presence(&client, &bell, true);
                    }
                    if !stdio.input_is_terminal {
                        writer.end_line()?;
                    }
                    writer.is_reading = false;
                    let is_early = std::mem::take(&mut writer.has_early_line);
                    let is_first = || session.checks_for_pastes() && writer.has_next_line();
                    match is_early || is_first() {
                        true => PlainEvent::PastedLine(line),
                        false => PlainEvent::Line(line),
                    }
                }
                None => PlainEvent::End,
            },
            changed = link.changed() => {
                changed.context("the connection to the hub ended; start ask-user again")?;
                if *link.borrow_and_update() {
                    // A restarted hub doesn't know that the person is present.
                    report_presence(&client, &bell, false);
                }
                continue;
            }
            push = subscription.next() => {
                muted = push.day().muted;
                match push {
                    Push::All(all) => {
                        PlainEvent::Records(complete_list(&client, &mode, session.open_id(), all.records).await?)
                    }
                    Push::Changed(changes) => {
                        let (records, gone) = split_changes(&changes);
                        PlainEvent::Changed { records, gone }
                    }
                }
            }
        };
        let is_line = matches!(event, PlainEvent::Line(_) | PlainEvent::PastedLine(_));
        let step = session.handle(event, clock::now());
        if is_line && step.text.is_empty() {
            writer.note_early_line();
        }
        if bell.update(session.waiting_ids(), muted, clock::now()) {
            writer.ring_bell()?;
        }
        ended = carry_out(&client, &mut session, step, &mut writer, stdio).await?;
    }
    ended.context("the plain mode ended without a result")
}

/// Reports the person's presence to the hub, in the background.
fn report_presence(client: &Client, bell: &Bell, input: bool) {
    let (client, rings) = (client.clone(), bell.is_enabled());
    tokio::spawn(async move { client.present(None, rings, input).await.ok() });
}

/// Writes lines and prompts.
struct LineWriter<W> {
    output: W,
    /// Whether the last line has no line break yet, such as a prompt.
    is_mid_line: bool,
    /// Whether lines are typed in a terminal.
    input_is_terminal: bool,
    /// Whether the next line is being read: then none waits in the terminal.
    is_reading: bool,
    /// Whether the next line was in the terminal before the last text was written, so that nobody
    /// typed it for that.
    has_early_line: bool,
}

impl<W: Write> LineWriter<W> {
    fn new(output: W, input_is_terminal: bool) -> Self {
        Self {
            output,
            is_mid_line: false,
            input_is_terminal,
            is_reading: false,
            has_early_line: false,
        }
    }

    /// Whether another line waits in the terminal.
    fn has_next_line(&self) -> bool {
        self.input_is_terminal && !self.is_reading && has_more_lines()
    }

    /// Notes whether the next line is there before what follows is written, or, if nothing is, before
    /// it is waited for.
    fn note_early_line(&mut self) {
        if !self.is_reading {
            self.has_early_line = self.has_next_line();
        }
    }

    fn write(&mut self, text: &str) -> std::io::Result<()> {
        if !text.is_empty() {
            self.note_early_line();
            self.is_mid_line = !text.ends_with('\n');
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Ends the line of a prompt. A terminal echoes the line break that the person types; a pipe
    /// doesn't.
    fn end_line(&mut self) -> std::io::Result<()> {
        if self.is_mid_line {
            self.write("\n")?;
        }
        Ok(())
    }

    fn ring_bell(&mut self) -> std::io::Result<()> {
        self.output.write_all(b"\x07")?;
        self.output.flush()
    }
}

/// The records of the list and the ask `opened`, even if it isn't listed; the cursor from which
/// changes are read; whether notifications are muted.
async fn read_list(
    client: &Client,
    mode: &Mode,
    opened: Option<&AskId>,
) -> anyhow::Result<(Vec<Record>, u64, bool)> {
    let listing = client.waiting().await?;
    let records = complete_list(client, mode, opened, listing.records).await?;
    Ok((records, listing.cursor, listing.day.muted))
}

/// Adds late asks to the records of the list, and the ask `opened` if it isn't among them.
async fn complete_list(
    client: &Client,
    mode: &Mode,
    opened: Option<&AskId>,
    mut records: Vec<Record>,
) -> anyhow::Result<Vec<Record>> {
    if *mode == Mode::Inbox {
        // Late asks are optional: if the hub doesn't return them, the list appears without them.
        let late = previous_answers::expired(client).await.unwrap_or_default();
        records.extend(late);
    }
    if let Some(id) = opened
        && records.iter().all(|record| record.id != *id)
    {
        records.push(client.get(id.as_str()).await?);
    }
    Ok(records)
}

/// Prints a step's text and performs its effects, and those of the steps that follow.
async fn carry_out(
    client: &Client,
    session: &mut PlainSession,
    step: Step,
    writer: &mut LineWriter<impl Write>,
    stdio: Stdio,
) -> anyhow::Result<Option<SurfaceEnd>> {
    let mut steps = VecDeque::from([step]);
    let mut ended = None;
    while let Some(step) = steps.pop_front() {
        if stdio.input_is_terminal && step.effects.contains(&PlainEffect::DropTyped) {
            drop_typed();
        }
        writer.write(&step.text)?;
        for effect in step.effects {
            match effect {
                PlainEffect::SaveDraft { id, draft } => {
                    let saved = client.save_draft(&id, &draft, SURFACE).await;
                    if let Err(error) = saved.and_then(DraftResult::require_kept) {
                        // Without a hub, the next line of the person saves it again.
                        let why = (!is_without_hub(&error)).then(|| format!("{error:#}"));
                        let event = PlainEvent::DraftNotKept(id, why);
                        steps.push_back(session.handle(event, clock::now()));
                    }
                }
                PlainEffect::ReportLeft => {
                    steps.push_back(session.handle(PlainEvent::Left, clock::now()));
                }
                PlainEffect::Refresh { id } => {
                    let record = client.get(id.as_str()).await.ok().map(Box::new);
                    steps.push_back(session.handle(PlainEvent::Refreshed(record), clock::now()));
                }
                // A failed `shown` is dropped: the next line of the person produces it again.
                PlainEffect::Shown { id } => {
                    client.shown(&id, SURFACE).await.ok();
                }
                // It was carried out before the text was shown. A pipe has no person who types.
                PlainEffect::DropTyped => {}
                PlainEffect::Settle { id, verdict } => {
                    let result =
                        SettleResult::from_reply(client.settle(&id, verdict, SURFACE).await);
                    steps.push_back(session.handle(PlainEvent::Settled(result), clock::now()));
                }
                // A failed snooze is dropped: the ask stays in the list, where the person can
                // snooze it again.
                PlainEffect::Snooze { id, until } => {
                    client.snooze(id.as_str(), until).await.ok();
                }
                PlainEffect::Extend { id, until, typing } => {
                    let result = client.extend(id.as_str(), until).await;
                    let result = result.map(Box::new).map_err(|error| format!("{error:#}"));
                    steps.push_back(
                        session.handle(PlainEvent::Extended { typing, result }, clock::now()),
                    );
                }
                PlainEffect::Edit(editor_file) => {
                    let edited = run_editor(&editor_file).await;
                    steps.push_back(session.handle(PlainEvent::Edited(edited), clock::now()));
                }
                PlainEffect::Recall { project } => {
                    // Without the hub no earlier answers are offered; the person types one.
                    let records = previous_answers::recent(client).await.unwrap_or_default();
                    let answers = previous_answers::own_answers(&records, project.as_deref());
                    steps.push_back(session.handle(PlainEvent::Recalled(answers), clock::now()));
                }
                PlainEffect::Attach { source, from } => {
                    let from = from.as_deref().map(Path::new);
                    let file = attach::from_source(client, source, from).await;
                    steps.push_back(session.handle(PlainEvent::Attached(file), clock::now()));
                }
                PlainEffect::FindFiles { directory, letters } => {
                    let found =
                        tokio::task::spawn_blocking(move || find_files(&directory, &letters));
                    let (files, total) = found.await.unwrap_or_default();
                    steps.push_back(
                        session.handle(PlainEvent::FilesFound(files, total), clock::now()),
                    );
                }
                PlainEffect::ReadHistory { search, before } => {
                    let filter = Filter {
                        search,
                        before,
                        limit: Some(session::PAGE),
                        ..Filter::default()
                    };
                    let found = client.list(Request::History { filter }).await;
                    let event = found.map(|(records, next)| PlainEvent::HistoryPage(records, next));
                    steps.push_back(
                        session.handle(event.unwrap_or_else(failure_event), clock::now()),
                    );
                }
                PlainEffect::ReadStats => {
                    let stats = client.stats(Filter::default()).await;
                    let event = stats.map(|stats| PlainEvent::Stats(Box::new(stats)));
                    steps.push_back(
                        session.handle(event.unwrap_or_else(failure_event), clock::now()),
                    );
                }
                PlainEffect::TakeBack { id, attempt } => {
                    let done = client.take_back(&id, attempt, SURFACE).await;
                    let event = done.map(|record| PlainEvent::TakenBack(Box::new(record)));
                    steps.push_back(
                        session.handle(event.unwrap_or_else(failure_event), clock::now()),
                    );
                }
                PlainEffect::ToggleMute => {
                    let event = toggle_mute(client).await.map(PlainEvent::Muted);
                    steps.push_back(
                        session.handle(event.unwrap_or_else(failure_event), clock::now()),
                    );
                }
                PlainEffect::End(end) => ended = Some(end),
            }
        }
    }
    Ok(ended)
}

/// Drops what was typed in the terminal and not read yet. The lines may come from standard input, or
/// from the terminal that the process has beside it.
fn drop_typed() {
    // Where there is no such terminal, nothing is typed in it.
    rustix::termios::tcflush(rustix::stdio::stdin(), QueueSelector::IFlush).ok();
    if let Ok(terminal) = std::fs::File::open("/dev/tty") {
        rustix::termios::tcflush(terminal, QueueSelector::IFlush).ok();
    }
}

/// How long the next line of a paste may take, in milliseconds. Nobody types a line as fast.
const PASTE_MS: i64 = 30;

/// Whether another line waits in the terminal.
fn has_more_lines() -> bool {
    let wait = Timespec {
        tv_sec: 0,
        tv_nsec: PASTE_MS * 1_000_000,
    };
    let is_readable = |terminal: BorrowedFd<'_>| {
        let mut polled = [PollFd::new(&terminal, PollFlags::IN)];
        poll(&mut polled, Some(&wait)).is_ok() && polled[0].revents().contains(PollFlags::IN)
    };
    let stdin = rustix::stdio::stdin();
    match rustix::termios::isatty(stdin) {
        true => is_readable(stdin),
        // The lines come from the terminal that the process has beside its standard input.
        false => {
            let terminal = std::fs::File::open("/dev/tty");
            terminal.is_ok_and(|terminal| is_readable(terminal.as_fd()))
        }
    }
}

/// Unmutes notifications if they are muted, and mutes them otherwise.
async fn toggle_mute(client: &Client) -> anyhow::Result<bool> {
    let on = !client.status().await?.muted;
    client.mute(on).await?;
    Ok(on)
}

fn failure_event(error: anyhow::Error) -> PlainEvent {
    PlainEvent::Failed(format!("{error:#}"))
}

/// The files below a directory that match best, and how many match.
fn find_files(directory: &str, letters: &str) -> (Vec<String>, usize) {
    let mut listing = Listing::for_folder(directory);
    while !listing.is_complete() {
        listing.step();
    }
    listing.best_matches(letters, session::FILES)
}

/// Runs the person's editor on a text; `None` if standard input isn't a terminal.
async fn run_editor(editor_file: &EditorFile) -> Option<EditResult> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    Some(match EditorProcess::start(editor_file) {
        Ok(mut editor) => editor.wait().await,
        Err(edited) => edited,
    })
}

/// The person's lines. A thread of its own reads them, because a pipe can't be awaited. It reads
/// one line at a time and only when asked to, so that an editor can use the terminal in between.
struct InputLines {
    requests: std::sync::mpsc::Sender<()>,
    /// Whether a requested line hasn't arrived yet.
    is_requested: bool,
    lines: mpsc::UnboundedReceiver<String>,
}

impl InputLines {
    fn read(mut input: impl BufRead + Send + 'static) -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        let (requests, received) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while received.recv().is_ok() {
                let mut line = Vec::new();
                let read = input.read_until(b'\n', &mut line);
                if !read.is_ok_and(|bytes| bytes > 0) {
                    return;
                }
                let line = String::from_utf8_lossy(&line);
                if sender.send(line.trim_end_matches('\n').to_owned()).is_err() {
                    return;
                }
            }
        });
        Self {
            requests,
            is_requested: false,
            lines,
        }
    }

    /// Requests the next line unless one is being read already.
    fn request_line(&mut self) {
        if !std::mem::replace(&mut self.is_requested, true) {
            // A failed send means that the reader has reached the end of the input; `next` reports
            // that.
            self.requests.send(()).ok();
        }
    }

    /// The next line; `None` at the end of the input.
    async fn next(&mut self) -> Option<String> {
        let line = self.lines.recv().await;
        self.is_requested = false;
        line
    }
}

#[cfg(test)]
mod tests;
