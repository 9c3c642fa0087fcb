//! The line mode: the same asks as plain text, one prompt at a time, nothing
//! ever rewritten. For screen readers, pipes and terminals that can do no more.
//! `talk` is the pure conversation; this file reads, prints and asks the hub.

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
use ask_hub::client::{Client, News, sorted};
use ask_hub::surface::file_finder::Listing;
use ask_hub::surface::previous_answers;
use ask_protocol::ipc::{Filter, Request};
use jiff::tz::TimeZone;
use tokio::sync::mpsc;

use self::bell::Bell;
use self::session::{Effect, LineInput, PlainSession, PromptOptions, Source, Step};
use super::editor::{Edited, Editing};
use super::ui::editor_file::EditorFile;
use super::{Closing, Ended, Mode};
use crate::attach;

/// The name this surface signs with.
const SURFACE: &str = "plain";

/// What its two ends are.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Whether the lines are typed on a terminal, which shows them and begins a new line itself.
    pub typed: bool,
    /// Whether what is said comes to a terminal, which has a bell.
    pub shown: bool,
}

/// Talks until the person leaves, the one ask is closed or the input ends.
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
    let mut link = client.link();
    let rings = ends.shown && !matches!(mode, Mode::One(_));
    let mut bell = Bell::new(&config.notify, options.zone.clone(), rings);
    let wanted = match &mode {
        Mode::One(id) => Some(id.clone()),
        Mode::Inbox | Mode::Next => None,
    };
    let (records, cursor, mut muted) = listing(&client, &mode, wanted.as_ref()).await?;
    let subscription = client.subscribe_after(cursor, false);
    let (mut talk, step) = PlainSession::begin(mode.clone(), options, records, clock::now());
    bell.after(talk.wanting(), muted, clock::now());
    present(&client, &bell, false);
    let mut lines = Lines::read(input);
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
                    // The next hub knows nothing of it.
                    present(&client, &bell, false);
                }
                continue;
            }
            news = subscription.next() => {
                muted = news.day().muted;
                match news {
                    News::All(all) => {
                        LineInput::Records(complete(&client, &mode, talk.open_id(), all.records).await?)
                    }
                    News::Changed(changes) => {
                        let (records, gone) = sorted(&changes);
                        LineInput::Changed { records, gone }
                    }
                }
            }
        };
        let step = talk.step(heard, clock::now());
        if bell.after(talk.wanting(), muted, clock::now()) {
            voice.ring()?;
        }
        ended = carry_out(&client, &mut talk, step, &mut voice).await?;
    }
    ended.context("the talk ended without a word")
}

/// Says whether the person is there. Nothing waits for that.
fn present(client: &Client, bell: &Bell, input: bool) {
    let (client, rings) = (client.clone(), bell.rings());
    tokio::spawn(async move { client.present(None, rings, input).await.ok() });
}

/// What is said, line by line.
struct LineWriter<W> {
    output: W,
    /// Whether the last line is still open, as a prompt is.
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

    /// A terminal ends the line of a prompt when its answer is typed; a pipe needs us for that.
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

/// The list, and the one ask that matters whether it is listed or not; where its changes begin, and
/// whether notifications are muted.
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
        // Those that nobody waits for any more come when they can be had.
        let late = previous_answers::late(client).await.unwrap_or_default();
        records.extend(late);
    }
    if let Some(id) = wanted
        && records.iter().all(|record| record.id != *id)
    {
        records.push(client.get(id.as_str()).await?);
    }
    Ok(records)
}

/// Prints and does what a step wants, and what follows from that.
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
                // A draft or a sign that fails is made again with the next line.
                Effect::SaveDraft { id, draft } => {
                    client.save_draft(&id, &draft, SURFACE).await.ok();
                }
                Effect::Shown { id } => {
                    client.shown(&id, SURFACE).await.ok();
                }
                Effect::Settle { id, verdict } => {
                    let closing = Closing::of(client.settle(&id, verdict, SURFACE).await);
                    steps.push(talk.step(LineInput::Settled(closing), clock::now()));
                }
                // What fails is asked for again, by whoever sees that nothing came of it.
                Effect::Snooze { id, aside } => {
                    client.snooze(id.as_str(), aside).await.ok();
                }
                Effect::Extend { id, until, typing } => {
                    let result = client.extend(id.as_str(), until).await;
                    let result = result.map(Box::new).map_err(|error| format!("{error:#}"));
                    steps.push(talk.step(LineInput::Extended { typing, result }, clock::now()));
                }
                Effect::Edit(editor_file) => {
                    let edited = edit(&editor_file).await;
                    steps.push(talk.step(LineInput::Edited(edited), clock::now()));
                }
                Effect::Recall { project } => {
                    // Without the hub there is nothing to recall; the person types on.
                    let records = previous_answers::records(client).await.unwrap_or_default();
                    let answers = previous_answers::answers(&records, project.as_deref());
                    steps.push(talk.step(LineInput::Recalled(answers), clock::now()));
                }
                Effect::Attach { source, from } => {
                    let file = match source {
                        Source::Copied => attach::copied(client).await,
                        Source::Path(path) => {
                            attach::file(client, &path, from.as_deref().map(Path::new)).await
                        }
                    };
                    steps.push(talk.step(LineInput::Attached(file), clock::now()));
                }
                Effect::Find { directory, letters } => {
                    let found = tokio::task::spawn_blocking(move || find(&directory, &letters));
                    let (files, total) = found.await.unwrap_or_default();
                    steps.push(talk.step(LineInput::Found(files, total), clock::now()));
                }
                Effect::Past { search, before } => {
                    let filter = Filter {
                        search,
                        before,
                        limit: Some(session::PAGE),
                        ..Filter::default()
                    };
                    let found = client.list(Request::History { filter }).await;
                    let heard = found.map(|(records, next)| LineInput::Past(records, next));
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                Effect::Stats => {
                    let stats = client.stats(Filter::default()).await;
                    let heard = stats.map(|stats| LineInput::Stats(Box::new(stats)));
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                Effect::Mute => {
                    let heard = mute(client).await.map(LineInput::Muted);
                    steps.push(talk.step(heard.unwrap_or_else(failed), clock::now()));
                }
                Effect::End(how) => ended = Some(how),
            }
        }
    }
    Ok(ended)
}

/// Turns notifications off if they are on, else on.
async fn mute(client: &Client) -> anyhow::Result<bool> {
    let on = !client.status().await?.muted;
    client.mute(on).await?;
    Ok(on)
}

fn failed(error: anyhow::Error) -> LineInput {
    LineInput::Failed(format!("{error:#}"))
}

/// The files below a directory that fit best, and how many fit.
fn find(directory: &str, letters: &str) -> (Vec<String>, usize) {
    let mut listing = Listing::of(directory);
    while !listing.is_whole() {
        listing.go_on();
    }
    listing.best(letters, session::FILES)
}

/// Has the person's editor change a text; none without a terminal.
async fn edit(editor_file: &EditorFile) -> Option<Edited> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    Some(match Editing::start(editor_file) {
        Ok(mut editing) => editing.ended().await,
        Err(edited) => edited,
    })
}

/// The person's lines. They are read on a thread of its own, because a pipe can't be waited for
/// otherwise, and one at a time, so that an editor meanwhile has the terminal to itself.
struct Lines {
    wants: std::sync::mpsc::Sender<()>,
    wanted: bool,
    lines: mpsc::UnboundedReceiver<String>,
}

impl Lines {
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

    /// Has the next line read, unless it is being read already.
    fn want(&mut self) {
        if !std::mem::replace(&mut self.wanted, true) {
            // Whoever read them has come to their end, which the next look finds out.
            self.wants.send(()).ok();
        }
    }

    /// The next line, or none when they have ended.
    async fn next(&mut self) -> Option<String> {
        let line = self.lines.recv().await;
        self.wanted = false;
        line
    }
}

#[cfg(test)]
mod tests;
