//! `ask-user prompt`: one call in, one reply out.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_core::dialect::wire::Verdict;
use ask_core::dialect::{Dialect, Reply, pi};
use ask_core::{AskId, Draft, Gaps, Record};
use clap::{Args, ValueEnum};

use super::{answer, ask, inbox, paint};
use crate::clock;
use crate::exit::{Exit, Failure};
use crate::home::Home;
use crate::hub::client::{Client, Settled};
use crate::mcp::wording;
use crate::surface::{Ended, Mode, line, tui};

/// Read one call, ask it on this very terminal, and print the reply
#[derive(Args)]
#[command(
    after_help = "Standard output carries the reply alone; the question is drawn on the terminal itself."
)]
pub struct Prompt {
    /// The call as JSON; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
    /// The wording of the call and its reply
    #[arg(long, value_name = "NAME", default_value = "native")]
    dialect: String,
    /// Where to ask; auto takes the terminal where there is one, and else the pending file
    #[arg(long, value_enum, default_value_t = How::Auto)]
    mode: How,
    /// The answers, instead of asking: a JSON list in the order of the questions, or native answers
    #[arg(long, value_name = "JSON")]
    answers: Option<String>,
    /// Print the whole tool result as MCP has it, with what the reply itself has no word for
    #[arg(long)]
    result: bool,
}

/// What the reply is written in, and how much of it.
#[derive(Clone, Copy)]
struct Voice {
    wording: &'static dyn Dialect,
    whole: bool,
}

impl Voice {
    fn line(self, reply: Reply) -> String {
        if self.whole {
            reply.result()
        } else {
            reply.text
        }
    }

    fn about(self, record: &Record) -> String {
        self.line(paint::reply(self.wording, record))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    Auto,
    Tui,
    Plain,
    Pending,
}

impl Prompt {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let wording = wording(&self.dialect)?;
        let voice = Voice {
            wording,
            whole: self.result,
        };
        let text = self.read()?;
        let (record, _) = match ask::read_call(wording, &text) {
            Ok(read) => read,
            Err(refused) => {
                let line = voice.line(Reply::error(refused));
                writeln!(std::io::stdout(), "{line}")?;
                return Ok(Exit::Failure);
            }
        };
        let answers = match &self.answers {
            Some(text) => Some(answer::answers(&record.ask, text)?),
            None => None,
        };
        let how = match self.mode {
            How::Auto if terminal().is_err() => How::Pending,
            How::Auto if inbox::wants_plain() => How::Plain,
            How::Auto => How::Tui,
            chosen => chosen,
        };
        super::with_hub(home, async |client| match answers {
            Some(draft) => settle(&client, voice, record, draft).await,
            None if how == How::Pending => pending(&client, voice, record).await,
            None => self.ask(&client, voice, record, how).await,
        })
    }

    fn read(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        if self.file == "-" {
            std::io::stdin().read_to_string(&mut text)?;
        } else {
            text = std::fs::read_to_string(&self.file)
                .with_context(|| format!("reading {}", self.file))?;
        }
        Ok(text)
    }

    /// Asks on the terminal. Until somebody answers, here or elsewhere, this process waits for it.
    async fn ask(
        &self,
        client: &Client,
        voice: Voice,
        record: Record,
        how: How,
    ) -> anyhow::Result<Exit> {
        // Without a terminal nothing is asked: a question that nobody was shown must not stay.
        terminal()?;
        let mut waiting = client.ask(record, true).await?;
        let Some(id) = waiting.id().cloned() else {
            // It was answered since it was asked here last.
            let ended = waiting.outcome().await?;
            return tell(client, voice, &ended.record).await;
        };
        let mode = Mode::One(id);
        let ended = if how == How::Plain {
            let (reading, writing) = (terminal()?, terminal()?);
            line::run(
                client.clone(),
                mode.clone(),
                BufReader::new(reading),
                writing,
            )
            .await?
        } else {
            tui::run(client.clone(), mode.clone(), tui::Target::Tty).await?
        };
        drop(waiting);
        let record = match ended {
            Ended::Answered(record)
            | Ended::Declined(record)
            | Ended::Clarify(record)
            | Ended::ClosedElsewhere(record) => *record,
            Ended::Left | Ended::Quit => match mode {
                Mode::One(id) => client.get(id.as_str()).await?,
                Mode::Inbox | Mode::Next => return Ok(Exit::Waiting),
            },
        };
        tell(client, voice, &record).await
    }
}

/// Prints the reply, and with it delivers the outcome.
async fn tell(client: &Client, voice: Voice, record: &Record) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout();
    writeln!(out, "{}", voice.about(record))?;
    if record.is_waiting() {
        return Ok(Exit::Waiting);
    }
    out.flush()?;
    client.delivered(&record.id).await?;
    Ok(paint::exit(record))
}

async fn settle(
    client: &Client,
    voice: Voice,
    record: Record,
    draft: Draft,
) -> anyhow::Result<Exit> {
    check(&record, &draft)?;
    client.open(record.clone()).await?;
    let gaps = Gaps::Send;
    match client
        .settle(&record.id, Verdict::Answer { draft, gaps }, "cli")
        .await?
    {
        Settled::Won(record) | Settled::Lost(record) => tell(client, voice, &record).await,
    }
}

fn check(record: &Record, draft: &Draft) -> anyhow::Result<()> {
    match draft.clone().finish(&record.ask, Gaps::Refuse) {
        Ok(_) => Ok(()),
        Err(unfinished) => Err(Failure::new(
            Exit::Usage,
            unfinished.to_string(),
            "every required question needs an answer; nothing was sent",
        )
        .into()),
    }
}

/// Print mode: the first pass writes the questions to a file, the next one finds the answers in it.
async fn pending(client: &Client, voice: Voice, record: Record) -> anyhow::Result<Exit> {
    let wording = voice.wording;
    let path = pending_file(wording);
    if let Some(earlier) = earlier(client, &path, &record).await? {
        let text = std::fs::read_to_string(&path)?;
        let draft = pi::read_pending(&earlier.ask, &text).map_err(|problem| {
            Failure::new(
                Exit::Usage,
                format!("{}: {problem}", path.display()),
                "mend the file and run this again; nothing was sent",
            )
        })?;
        if !earlier.is_waiting() {
            std::fs::remove_file(&path)?;
            return tell(client, voice, &earlier).await;
        }
        if let Some(draft) = draft {
            check(&earlier, &draft)?;
            let verdict = Verdict::Answer {
                draft,
                gaps: Gaps::Send,
            };
            let (Settled::Won(closed) | Settled::Lost(closed)) =
                client.settle(&earlier.id, verdict, "pending").await?;
            std::fs::remove_file(&path)?;
            return tell(client, voice, &closed).await;
        }
    } else {
        keep_earlier_answers(client, &path).await?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("making {}", folder.display()))?;
        }
        crate::home::replace(&path, &pi::write_pending(&record, clock::now()))
            .with_context(|| format!("writing {}", path.display()))?;
        client.open(record.clone()).await?;
    }
    let name = path.display().to_string();
    let (reply, told) = if wording.name() == "pi" {
        (
            pi::pending_reply(&name).of(&record),
            pi::pending_instructions(&name),
        )
    } else {
        let told = format!(
            "Questions saved to {name}: fill in the answers and run this again, or use `ask-user inbox`."
        );
        (paint::reply(wording, &record), told)
    };
    writeln!(std::io::stdout(), "{}", voice.line(reply))?;
    writeln!(std::io::stderr(), "{told}")?;
    Ok(Exit::Waiting)
}

/// A file of another ask is about to be replaced: answers in it go to their own ask first, and
/// answers that can't are no reason to lose them.
async fn keep_earlier_answers(client: &Client, path: &Path) -> anyhow::Result<()> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Ok(());
    };
    let in_the_way = |problem: String| {
        Failure::new(
            Exit::Usage,
            format!(
                "{} holds something that would be lost: {problem}",
                path.display()
            ),
            "move the file away, then run this again; nothing was asked",
        )
    };
    let id = pi::pending_id(&text).ok_or_else(|| in_the_way("it names no ask".to_owned()))?;
    let Some(record) = client.look(&id).await? else {
        return Err(in_the_way(format!("no ask has the id {id}")).into());
    };
    let draft =
        pi::read_pending(&record.ask, &text).map_err(|problem| in_the_way(problem.to_string()))?;
    if let Some(draft) = draft.filter(|_| record.is_waiting()) {
        check(&record, &draft).map_err(|error| in_the_way(error.to_string()))?;
        let gaps = Gaps::Refuse;
        let verdict = Verdict::Answer { draft, gaps };
        client.settle(&record.id, verdict, "pending").await?;
    }
    Ok(())
}

/// The ask that a pending file belongs to, if it asks the same as this call.
async fn earlier(client: &Client, path: &Path, record: &Record) -> anyhow::Result<Option<Record>> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Ok(None);
    };
    let id = pi::pending_id(&text).and_then(|id| AskId::parse(&id));
    let Some(id) = id else {
        return Ok(None);
    };
    let found = client.get(id.as_str()).await.ok();
    Ok(found.filter(|found| {
        found.dialect == record.dialect && found.ask.questions == record.ask.questions
    }))
}

fn pending_file(wording: &dyn Dialect) -> PathBuf {
    let folder = if wording.name() == "pi" {
        ".pi"
    } else {
        ".ask-user"
    };
    PathBuf::from(folder).join("pending-questions.json")
}

fn terminal() -> anyhow::Result<File> {
    let opened = OpenOptions::new().read(true).write(true).open("/dev/tty");
    opened.map_err(|_| {
        Failure::new(
            Exit::Usage,
            "there is no terminal to ask on",
            "run this in a terminal, or use --mode pending or --answers",
        )
        .into()
    })
}
