//! `ask-user pending`: the pending-questions files in this folder.

pub(crate) mod print;

use std::io::Write;
use std::path::{Path, PathBuf};

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::{Answer, Draft, Json, Problem, Record, SafeText};
use ask_dialects::pi;
use ask_hub::client::{Client, Settled};
use ask_mcp::pending_file::{self, FOLDERS, PendingFile};
use ask_protocol::ipc::Verdict;
use ask_protocol::json_text;
use clap::{Args, Subcommand};

use super::answer::{AnswerArgs, check_draft, confirmation};
use super::style;

/// Show, answer or clear the pending-questions files in this folder
#[derive(Args)]
#[command(
    after_help = "The files are .pi/pending-questions.json and .ask-user/pending-questions.json; where several asks wait, the others have the ask's id in their names."
)]
pub(crate) struct Pending {
    #[command(subcommand)]
    command: Option<PendingCommand>,
}

#[derive(Subcommand)]
enum PendingCommand {
    /// Print the questions and what is filled in
    Show(PendingShow),
    /// Send what is filled in, or the answers given here
    Answer(Box<PendingAnswer>),
    /// Remove the files; the asks stay open
    Clear(PendingClear),
}

#[derive(Args, Default)]
struct PendingShow {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct PendingAnswer {
    /// The file; may be omitted if there is only one
    file: Option<PathBuf>,
    #[command(flatten)]
    args: AnswerArgs,
}

#[derive(Args)]
struct PendingClear {
    /// The file; by default, every file in this folder
    file: Option<PathBuf>,
    /// Remove files even if answers in them are lost
    #[arg(long)]
    force: bool,
}

impl Pending {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let mut command = self
            .command
            .unwrap_or(PendingCommand::Show(PendingShow::default()));
        if let PendingCommand::Answer(answer) = &mut command {
            answer.args.read_stdin()?;
        }
        super::with_hub(home, async |client| match command {
            PendingCommand::Show(show) => show.run(&client).await,
            PendingCommand::Answer(answer) => answer.run(&client).await,
            PendingCommand::Clear(clear) => clear.run(&client).await,
        })
    }
}

/// Finds the pending-questions files in this folder.
fn find_files() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(Path::new);
    folders.flat_map(pending_file::paths).collect()
}

impl PendingShow {
    async fn run(&self, client: &Client) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        let all = pending_file::read_all(client, find_files()).await?;
        if self.json {
            let all = all.iter().map(|file| {
                let name = file.path.display().to_string();
                let filled = file.filled.as_ref().map(Option::as_ref);
                pi::show_pending(&name, file.record.as_ref(), filled)
            });
            writeln!(out, "{}", json_text(&Json::Array(all.collect())))?;
            return Ok(Exit::Done);
        }
        if all.is_empty() {
            writeln!(out, "No questions are pending in this folder.")?;
        }
        for (at, file) in all.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            print_file(&mut out, file)?;
        }
        Ok(Exit::Done)
    }
}

fn print_file(out: &mut impl Write, file: &PendingFile) -> anyhow::Result<()> {
    let name = SafeText::path(&file.path);
    writeln!(out, "{name}")?;
    let filled = file.filled.as_ref();
    if let Some(record) = &file.record {
        writeln!(out, "{}", style::asked_by(record))?;
        let count = record.ask.questions.len();
        for (at, question) in record.ask.questions.iter().enumerate() {
            writeln!(out)?;
            style::print_question(out, at, question, count)?;
            let said = filled.ok().and_then(Option::as_ref);
            if let Some(answer) = said.and_then(|draft| draft.answers.get(at))
                && answer.is_touched()
            {
                style::print_answer(out, question, answer)?;
            }
        }
        writeln!(out)?;
    }
    match (&file.record, filled) {
        (_, Err(problem)) => writeln!(out, "It can't be read: {problem}."),
        (None, Ok(_)) => writeln!(
            out,
            "It belongs to no ask that is known here; `ask-user pending clear {name}` removes it."
        ),
        (Some(record), Ok(_)) if !record.is_open() => {
            let delivery = if record.is_delivered() {
                "and its agent has the outcome".to_owned()
            } else {
                format!(
                    "and {} gets the outcome when it runs again",
                    style::asker_name(record)
                )
            };
            writeln!(
                out,
                "The ask is closed ({}), {delivery}.",
                closed_by(record)
            )
        }
        (Some(_), Ok(None)) => writeln!(
            out,
            "Nothing is filled in: edit the file, or `ask-user pending answer {name} --set 1=...`."
        ),
        (Some(record), Ok(Some(draft))) => writeln!(
            out,
            "Filled in: {} of {}, not sent yet; `ask-user pending answer {name}` sends it.",
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

impl PendingAnswer {
    async fn run(self, client: &Client) -> anyhow::Result<Exit> {
        let (path, file) = match self.file.clone() {
            // The person named the file, so it may be one that a lookup would skip.
            Some(path) => (path.clone(), PendingFile::read_named(client, &path).await?),
            None => {
                let path = only_file()?;
                (path.clone(), PendingFile::read(client, &path).await?)
            }
        };
        let Some(record) = file.record.clone() else {
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
            return Err(already_closed(&record, &path));
        }
        let mut draft = self.draft(&file, &record)?;
        self.args
            .upload_attachments(client, &record.ask, &mut draft)
            .await?;
        let gaps = self.args.gaps();
        check_draft(&record.ask, &draft, gaps, "--set or --other")?;
        let verdict = Verdict::Answer { draft, gaps };
        match client.settle(&record.id, verdict, print::SURFACE).await? {
            Settled::Won(record) => {
                writeln!(std::io::stdout(), "{}", confirmation(&record))?;
                // The answers on the command line took precedence, so the file isn't kept for its
                // text.
                match file.remove() {
                    // A running agent has removed it.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    removed => removed?,
                }
                Ok(Exit::Done)
            }
            Settled::Lost(record) => Err(already_closed(&record, &path)),
        }
    }

    /// The draft in the file, overridden by the answers on the command line.
    fn draft(&self, file: &PendingFile, record: &Record) -> anyhow::Result<Draft> {
        let given = self
            .args
            .parse_draft(&record.ask, "ask-user pending answer --other")?;
        if given.is_touched() {
            pi::check_pending(&record.ask, &file.text)
                .map_err(|problem| changed_file(&file.path, &problem))?;
        }
        let filled = match &file.filled {
            Ok(filled) => filled.clone().unwrap_or_default(),
            Err(_) if given.is_touched() => Draft::default(),
            Err(problem) => {
                return Err(Failure::new(
                    Exit::Usage,
                    format!("{}: {problem}", SafeText::path(&file.path)),
                    "mend the file, or give the answers with --set, --other or --answers; nothing was sent",
                )
                .into());
            }
        };
        let mut in_file = filled.answers.into_iter();
        let answers = given.answers.into_iter().map(|answer| {
            let in_file: Answer = in_file.next().unwrap_or_default();
            match answer.is_touched() || answer.none {
                true => answer,
                false => in_file,
            }
        });
        Ok(Draft {
            answers: answers.collect(),
            note: given.note.or(filled.note),
        })
    }
}

/// Refuses answers by a file that shows something else than what was asked.
pub(super) fn changed_file(path: &Path, problem: &Problem) -> anyhow::Error {
    let problem = format!("{}: {problem}", SafeText::path(path));
    let hint = "`ask-user pending show` prints what was asked; nothing was sent";
    Failure::new(Exit::Usage, problem, hint).into()
}

/// The only file of this folder.
///
/// # Errors
/// There is none, or there are several.
fn only_file() -> anyhow::Result<PathBuf> {
    let mut paths = find_files();
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

fn already_closed(record: &Record, path: &Path) -> anyhow::Error {
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

impl PendingClear {
    async fn run(self, client: &Client) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        let is_named = self.file.is_some();
        let files = match self.file {
            Some(path) => vec![PendingFile::read(client, &path).await?],
            None => pending_file::read_all(client, find_files()).await?,
        };
        if files.is_empty() {
            writeln!(out, "No questions are pending in this folder.")?;
        }
        let mut refused_any = false;
        for file in files {
            let name = SafeText::path(&file.path);
            if is_named && !file.is_pending_file() {
                refused_any = true;
                writeln!(
                    std::io::stderr(),
                    "{name} names no ask in `sessionId`, so ask-user may not have written it, and it stays.\n  \
                     `rm` removes it"
                )?;
                continue;
            }
            if file.holds_unsent() && !self.force {
                refused_any = true;
                writeln!(
                    std::io::stderr(),
                    "{name} holds answers that were not sent, so it stays.\n  \
                     `ask-user pending answer {name}` sends them, --force removes them"
                )?;
                continue;
            }
            file.remove()?;
            match &file.record {
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
        Ok(if refused_any { Exit::Usage } else { Exit::Done })
    }
}
