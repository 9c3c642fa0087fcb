//! `ask-user pending`: the pending-questions files in this folder.

pub(crate) mod print;

use std::io::Write;
use std::path::{Path, PathBuf};

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::{Answer, Draft, Json, Record, SafeText};
use ask_dialects::pi;
use ask_hub::client::{Client, Settled};
use ask_mcp::offline::pending_file::{self, FOLDERS, PendingFile};
use ask_protocol::ipc::Verdict;
use ask_protocol::json_text;
use clap::{Args, Subcommand};

use super::answer::{Filled, check, won};
use super::style;

/// Show, answer or clear the pending-questions files in this folder
#[derive(Args)]
#[command(
    after_help = "The files are .pi/pending-questions.json and .ask-user/pending-questions.json; where several asks wait, the others have the ask's id in their names."
)]
pub(crate) struct Pending {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Print the questions and what is filled in
    Show(ShowPending),
    /// Send what is filled in, or the answers given here
    Answer(Box<Send>),
    /// Remove the files; the asks stay open
    Clear(Clear),
}

#[derive(Args, Default)]
struct ShowPending {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Send {
    /// The file; may be omitted if there is only one
    file: Option<PathBuf>,
    #[command(flatten)]
    filled: Filled,
}

#[derive(Args)]
struct Clear {
    /// The file; by default, every file in this folder
    file: Option<PathBuf>,
    /// Remove files even if answers in them are lost
    #[arg(long)]
    force: bool,
}

impl Pending {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let mut what = self.what.unwrap_or(What::Show(ShowPending::default()));
        if let What::Answer(send) = &mut what {
            send.filled.read()?;
        }
        super::with_hub(home, async |client| match what {
            What::Show(show) => show.run(&client).await,
            What::Answer(send) => send.run(&client).await,
            What::Clear(clear) => clear.run(&client).await,
        })
    }
}

/// The files in this folder.
fn files_here() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(Path::new);
    folders.flat_map(pending_file::paths).collect()
}

impl ShowPending {
    async fn run(&self, client: &Client) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        let mut all = Vec::new();
        for path in files_here() {
            all.push(PendingFile::read(client, &path).await?);
        }
        if self.json {
            let all = all.iter().map(|kept| {
                let name = kept.path.display().to_string();
                let filled = kept.filled.as_ref().map(Option::as_ref);
                pi::show_pending(&name, kept.record.as_ref(), filled)
            });
            writeln!(out, "{}", json_text(&Json::Array(all.collect())))?;
            return Ok(Exit::Done);
        }
        if all.is_empty() {
            writeln!(out, "No questions are pending in this folder.")?;
        }
        for (at, kept) in all.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            show(&mut out, kept)?;
        }
        Ok(Exit::Done)
    }
}

fn show(out: &mut impl Write, kept: &PendingFile) -> anyhow::Result<()> {
    let name = SafeText::path(&kept.path);
    writeln!(out, "{name}")?;
    let filled = kept.filled.as_ref();
    if let Some(record) = &kept.record {
        writeln!(out, "{}", style::asked_by(record))?;
        let count = record.ask.questions.len();
        for (at, question) in record.ask.questions.iter().enumerate() {
            writeln!(out)?;
            style::paint_question(out, at, question, count)?;
            let said = filled.ok().and_then(Option::as_ref);
            if let Some(answer) = said.and_then(|draft| draft.answers.get(at))
                && answer.is_touched()
            {
                style::paint_answer(out, question, answer)?;
            }
        }
        writeln!(out)?;
    }
    match (&kept.record, filled) {
        (_, Err(problem)) => writeln!(out, "It can't be read: {problem}."),
        (None, Ok(_)) => writeln!(
            out,
            "It belongs to no ask that is known here; `ask-user pending clear {name}` removes it."
        ),
        (Some(record), Ok(_)) if !record.is_open() => {
            let told = match record.is_delivered() {
                true => "and its agent was told".to_owned(),
                false => format!(
                    "and {} is told when it runs again",
                    style::asker_name(record)
                ),
            };
            writeln!(out, "The ask is closed ({}), {told}.", closed_by(record))
        }
        (Some(_), Ok(None)) => writeln!(
            out,
            "Nothing is filled in: edit the file, or `ask-user pending answer {name} --set 1=...`."
        ),
        (Some(record), Ok(Some(draft))) => writeln!(
            out,
            "Filled in: {} of {}, not sent yet; `ask-user pending answer {name}` sends it, and so does running the agent again.",
            draft.given(),
            record.ask.questions.len()
        ),
    }?;
    Ok(())
}

fn closed_by(record: &Record) -> String {
    let on = record.settlement().map(|settlement| &settlement.surface);
    let on = on.map_or("another surface", String::as_str);
    format!("{} on {on}", record.state_word())
}

impl Send {
    async fn run(self, client: &Client) -> anyhow::Result<Exit> {
        let (path, kept) = match self.file.clone() {
            // Naming a file is the person's word that it is meant.
            Some(path) => (path.clone(), PendingFile::read_named(client, &path).await?),
            None => {
                let path = only()?;
                (path.clone(), PendingFile::read(client, &path).await?)
            }
        };
        let Some(record) = kept.record.clone() else {
            return Err(Failure::new(
                Exit::Failure,
                format!(
                    "{} belongs to no ask that is known here",
                    SafeText::path(&path)
                ),
                "`ask-user list` shows what waits, and `ask-user answer` answers it",
            )
            .into());
        };
        if !record.is_open() {
            return Err(closed(&record, &path));
        }
        let mut draft = self.draft(&kept, &record)?;
        self.filled.attach(client, &record.ask, &mut draft).await?;
        let gaps = self.filled.gaps();
        check(&record.ask, &draft, gaps, "--set or --other")?;
        let verdict = Verdict::Answer { draft, gaps };
        match client.settle(&record.id, verdict, print::SURFACE).await? {
            Settled::Won(record) => {
                writeln!(std::io::stdout(), "{}", won(&record))?;
                // The answers on the command line took precedence, so the file isn't kept for its
                // text.
                match kept.remove() {
                    // A running agent has removed it.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
                Ok(Exit::Done)
            }
            Settled::Lost(record) => Err(closed(&record, &path)),
        }
    }

    /// The draft in the file, overridden by the answers on the command line.
    fn draft(&self, kept: &PendingFile, record: &Record) -> anyhow::Result<Draft> {
        let given = self
            .filled
            .draft(&record.ask, "ask-user pending answer --other")?;
        let filled = match &kept.filled {
            Ok(filled) => filled.clone().unwrap_or_default(),
            Err(_) if given.is_touched() => Draft::default(),
            Err(problem) => {
                return Err(Failure::new(
                    Exit::Usage,
                    format!("{}: {problem}", SafeText::path(&kept.path)),
                    "mend the file, or give the answers with --set, --other or --answers; nothing was sent",
                )
                .into());
            }
        };
        let mut below = filled.answers.into_iter();
        let answers = given.answers.into_iter().map(|answer| {
            let below: Answer = below.next().unwrap_or_default();
            match answer.is_touched() || answer.none {
                true => answer,
                false => below,
            }
        });
        Ok(Draft {
            answers: answers.collect(),
            note: given.note.or(filled.note),
        })
    }
}

/// The only file of this folder.
fn only() -> anyhow::Result<PathBuf> {
    let mut paths = files_here();
    let what = match paths.len() {
        0 => "no questions are pending in this folder".to_owned(),
        1 => return Ok(paths.remove(0)),
        _ => {
            let names: Vec<String> = paths
                .iter()
                .map(|path| SafeText::path(path).to_string())
                .collect();
            format!("there are several files: {}", names.join(", "))
        }
    };
    let hint = "say which file; `ask-user pending` shows what is in them, `ask-user list` what waits everywhere";
    Err(Failure::new(Exit::Usage, what, hint).into())
}

fn closed(record: &Record, path: &Path) -> anyhow::Error {
    Failure::new(
        Exit::Closed,
        format!("{} was closed before: {}", record.id, closed_by(record)),
        format!(
            "`ask-user show {}` shows how; nothing of yours was sent, and {} is as it was",
            record.id,
            SafeText::path(path)
        ),
    )
    .into()
}

impl Clear {
    async fn run(self, client: &Client) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        let paths = match self.file {
            Some(file) => vec![file],
            None => files_here(),
        };
        if paths.is_empty() {
            writeln!(out, "No questions are pending in this folder.")?;
        }
        let mut kept_any = false;
        for path in paths {
            let kept = PendingFile::read(client, &path).await?;
            let name = SafeText::path(&path);
            if kept.holds_unsent() && !self.force {
                kept_any = true;
                writeln!(
                    std::io::stderr(),
                    "{name} holds answers that were not sent, so it stays.\n  \
                     `ask-user pending answer {name}` sends them, --force removes them"
                )?;
                continue;
            }
            kept.remove()?;
            match &kept.record {
                Some(record) if record.is_open() => writeln!(
                    out,
                    "{name} is removed. {} still waits: `ask-user inbox` answers it, `ask-user decline {}` ends it.",
                    record.id, record.id
                )?,
                Some(record) => writeln!(
                    out,
                    "{name} is removed. {} is closed ({}).",
                    record.id,
                    closed_by(record)
                )?,
                None => writeln!(out, "{name} is removed.")?,
            }
        }
        Ok(if kept_any { Exit::Usage } else { Exit::Done })
    }
}
