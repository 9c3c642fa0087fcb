//! The plain mode: the same asks as lines of text, one prompt at a time, nothing ever rewritten.
//! For screen readers, pipes and terminals without cursor control. This file reads lines, prints
//! and calls the hub; `session` is the pure conversation, `render` its sentences.

mod bell;
mod render;
mod session;

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::Context as _;
use ask_config::clock;
use ask_config::config::Config;
use ask_config::i18n::Words;
use ask_core::{AskId, Record};
use ask_hub::client::{Client, Push, split_changes};
use ask_hub::surface::file_finder::Listing;
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::{Filter, Request};
use jiff::tz::TimeZone;
use tokio::sync::mpsc;

use self::bell::Bell;
use self::session::{AttachSource, LineInput, PlainEffect, PlainSession, PromptOptions, Step};
use super::editor::{Edited, Editing};
use super::ui::editor_file::EditorFile;
use super::{Closing, Ended, Mode};
use crate::attach;

/// The surface's name in settlements and drafts.
const SURFACE: &str = "plain";

/// What the input and the output are connected to.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Whether the input is a terminal, which echoes each line and its line break.
    pub typed: bool,
    /// Whether the output is a terminal, which has a bell.
    pub shown: bool,
}

/// Talks until the person leaves, the one ask is closed or the input ends.
///
/// # Errors
///
/// The hub can't be reached at the start, or the output can't be written.
pub async fn run(
    client: Client,
    mode: Mode,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    ends: Ends,
    config: &Config,
) -> anyhow::Result<Ended> {
    let options = PromptOptions {
        words: Words::of_person(config.language),
        zone: TimeZone::system(),
        terminal: config.terminal,
        typed: ends.typed,
    };
    let mut link = client.watch_connected();
    let rings = ends.shown && !matches!(mode, Mode::One(_));
    let mut bell = Bell::new(&config.notify, options.zone.clone(), rings);
    let wanted = match &mode {
        Mode::One(id) => Some(id.clone()),
        Mode::Inbox | Mode::Next => None,
    };
    let (records, cursor, mut muted) = listing(&client, &mode, wanted.as_ref()).await?;
    let subscription = client.subscribe_after(cursor, false);
    let (mut talk, step) = PlainSession::begin(mode.clone(), options, records, clock::now());
    bell.update(talk.wanting(), muted, clock::now());
    present(&client, &bell, false);
    let mut lines = InputLines::read(input);
    let mut voice = LineWriter::new(output);
    let mut ended = carry_out(&client, &mut talk, step, &mut voice).await?;
    while ended.is_none() {
        lines.want();
        let heard = tokio::select! {
            line = lines.next() => match line {
                Some(line) => {
                    if bell.typed(clock::now()) {
                        present(&client, &bell, true);
                    }
                    if !ends.typed {
                        voice.end_line()?;
                    }
                    LineInput::Line(line)
                }
                None => LineInput::End,
            },
            changed = link.changed() => {
                changed.context("the hub's client ended")?;
                if *link.borrow_and_update() {
                    // A hub that was started again doesn't know about the person.
                    present(&client, &bell, false);
                }
                continue;
            }
            news = subscription.next() => {
                muted = news.day().muted;
                match news {
                    Push::All(all) => {
                        LineInput::Records(complete(&client, &mode, talk.open_id(), all.records).await?)
                    }
                    Push::Changed(changes) => {
                        let (records, gone) = split_changes(&changes);
                        LineInput::Changed { records, gone }
                    }
                }
            }
        };
        let step = talk.step(heard, clock::now());
        if bell.update(talk.wanting(), muted, clock::now()) {
            voice.ring()?;
        }
        ended = carry_out(&client, &mut talk, step, &mut voice).await?;
    }
    ended.context("the talk ended without a word")
}

/// Reports the person's presence to the hub, in the background.
fn present(client: &Client, bell: &Bell, input: bool) {
    let (client, rings) = (client.clone(), bell.rings());
    tokio::spawn(async move { client.present(None, rings, input).await.ok() });
}

/// Writes lines and prompts.
struct LineWriter<W> {
    output: W,
    /// Whether the last line has no line break yet, as a prompt.
    open: bool,
}

impl<W: Write> LineWriter<W> {
    fn new(output: W) -> Self {
        let open = false;
        Self { output, open }
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        if !text.is_empty() {
            self.open = !text.ends_with('\n');
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Ends the line of a prompt. A terminal echoes the line break that the person types; a pipe
    /// doesn't.
    fn end_line(&mut self) -> std::io::Result<()> {
        if self.open {
            self.say("\n")?;
        }
        Ok(())
    }

    fn ring(&mut self) -> std::io::Result<()> {
        self.output.write_all(b"\x07")?;
        self.output.flush()
    }
}

/// The records of the list and the `wanted` ask, even if it isn't listed; the cursor from which
/// changes are read; whether notifications are muted.
async fn listing(
    client: &Client,
    mode: &Mode,
    wanted: Option<&AskId>,
) -> anyhow::Result<(Vec<Record>, u64, bool)> {
    let listing = client.waiting().await?;
    let records = complete(client, mode, wanted, listing.records).await?;
    Ok((records, listing.cursor, listing.day.muted))
}

async fn complete(
    client: &Client,
    mode: &Mode,
    wanted: Option<&AskId>,
    mut records: Vec<Record>,
) -> anyhow::Result<Vec<Record>> {
    if *mode == Mode::Inbox {
        // Late asks are optional: if the hub doesn't return them, the list appears without them.
        let late = previous_answers::expired(client).await.unwrap_or_default();
        records.extend(late);
    }
    if let Some(id) = wanted
        && records.iter().all(|record| record.id != *id)
    {
        records.push(client.get(id.as_str()).await?);
    }
    Ok(records)
}

/// Prints a step's text and performs its effects, and those of the steps that follow.
async fn carry_out(
    client: &Client,
    talk: &mut PlainSession,
    step: Step,
    voice: &mut LineWriter<impl Write>,
) -> anyhow::Result<Option<Ended>> {
    let mut steps = vec![step];
    let mut ended = None;
    while let Some(step) = steps.pop() {
        voice.say(&step.text)?;
        for effect in step.effects {
            match effect {
                // A failed draft or `shown` is dropped: the next line of the person produces it
                // again.
                PlainEffect::SaveDraft { id, draft } => {
                    client.save_draft(&id, &draft, SURFACE).await.ok();
                }
                PlainEffect::Shown { id } => {
                    client.shown(&id, SURFACE).await.ok();
                }
                PlainEffect::Settle { id, verdict } => {
                    let closing = Closing::from_reply(client.settle(&id, verdict, SURFACE).await);
                    steps.push(talk.step(LineInput::Settled(closing), clock::now()));
                }
                // A failed snooze is dropped: the ask stays in the list, where the person can
                // snooze it again.
                PlainEffect::Snooze { id, until } => {
                    client.snooze(id.as_str(), until).await.ok();
                }
                PlainEffect::Extend { id, until, typing } => {
                    let result = client.extend(id.as_str(), until).await;
                    let result = result.map(Box::new).map_err(|error| format!("{error:#}"));
                    steps.push(talk.step(LineInput::Extended { typing, result }, clock::now()));
                }
                PlainEffect::Edit(editor_file) => {
                    let edited = edit(&editor_file).await;
                    steps.push(talk.step(LineInput::Edited(edited), clock::now()));
                }
                PlainEffect::Recall { project } => {
                    // Without the hub no earlier answers are offered; the person types one.
                    let records = previous_answers::recent(client).await.unwrap_or_default();
                    let answers = previous_answers::own_answers(&records, project.as_deref());
                    steps.push(talk.step(LineInput::Recalled(answers), clock::now()));
                }
                PlainEffect::Attach { source, from } => {
                    let file = match source {
                        AttachSource::Copied => attach::copied(client).await,
                        AttachSource::Path(path) => {
                            attach::file(client, &path, from.as_deref().map(Path::new)).await
                        }
                    };
                    steps.push(talk.step(LineInput::Attached(file), clock::now()));
                }
                PlainEffect::Find { directory, letters } => {
                    let found = tokio::task::spawn_blocking(move || find(&directory, &letters));
                    let (files, total) = found.await.unwrap_or_default();
                    steps.push(talk.step(LineInput::Found(files, total), clock::now()));
                }
                PlainEffect::ReadHistory { search, before } => {
                    let filter = Filter {
                        search,
                        before,
                        limit: Some(session::PAGE),
                        ..Filter::default()
                    };
                    let found = client.list(Request::History { filter }).await;
                    let heard = found.map(|(records, next)| LineInput::HistoryPage(records, next));
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                PlainEffect::Stats => {
                    let stats = client.stats(Filter::default()).await;
                    let heard = stats.map(|stats| LineInput::Stats(Box::new(stats)));
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                PlainEffect::Mute => {
                    let heard = mute(client).await.map(LineInput::Muted);
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                PlainEffect::End(how) => ended = Some(how),
            }
        }
    }
    Ok(ended)
}

/// Unmutes notifications if they are muted, and mutes them otherwise.
async fn mute(client: &Client) -> anyhow::Result<bool> {
    let on = !client.status().await?.muted;
    client.mute(on).await?;
    Ok(on)
}

fn failed(error: anyhow::Error) -> LineInput {
    LineInput::Failed(format!("{error:#}"))
}

/// The files below a directory that match best, and how many match.
fn find(directory: &str, letters: &str) -> (Vec<String>, usize) {
    let mut listing = Listing::for_folder(directory);
    while !listing.is_complete() {
        listing.step();
    }
    listing.best_matches(letters, session::FILES)
}

/// Runs the person's editor on a text; `None` if standard input isn't a terminal.
async fn edit(editor_file: &EditorFile) -> Option<Edited> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    Some(match Editing::start(editor_file) {
        Ok(mut editing) => editing.ended().await,
        Err(edited) => edited,
    })
}

/// The person's lines. A thread of its own reads them, because a pipe can't be awaited. It reads
/// one line at a time and only when asked to, so that an editor can use the terminal in between.
struct InputLines {
    wants: std::sync::mpsc::Sender<()>,
    wanted: bool,
    lines: mpsc::UnboundedReceiver<String>,
}

impl InputLines {
    fn read(mut input: impl BufRead + Send + 'static) -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        let (wants, wanted) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while wanted.recv().is_ok() {
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
            wants,
            wanted: false,
            lines,
        }
    }

    /// Requests the next line unless one is being read already.
    fn want(&mut self) {
        if !std::mem::replace(&mut self.wanted, true) {
            // A failed send means that the reader has reached the end of the input; `next` reports
            // that.
            self.wants.send(()).ok();
        }
    }

    /// The next line; `None` at the end of the input.
    async fn next(&mut self) -> Option<String> {
        let line = self.lines.recv().await;
        self.wanted = false;
        line
    }
}

#[cfg(test)]
mod tests;
