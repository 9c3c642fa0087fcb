//! Print mode: the first run writes the questions to a file, and the next one reads the answers
//! from it. Answers may also come with the call, or from any surface meanwhile.

use std::io::Write;
use std::path::Path;

use ask_config::exit::{Exit, Failure};
use ask_core::{Draft, Gaps, Record, SafeText, Unfinished};
use ask_dialects::{Word, pi};
use ask_hub::client::{Client, Settled};
use ask_mcp::pending_file::{self, PendingFile};
use ask_protocol::ipc::Verdict;

use crate::cli::answer::check_draft;
use crate::cli::prompt::{OutputFormat, deliver};

/// Runs print mode once: reads the answers from the file of an earlier run, or writes the file.
pub(crate) async fn run(
    client: &Client,
    format: OutputFormat,
    record: Record,
) -> anyhow::Result<Exit> {
    if let Some(file) = pending_file::find_for_record(client, format.dialect, &record).await?
        && let Some(earlier) = file.record.clone()
    {
        // A delivered answer belongs to the call that received it.
        if !earlier.is_delivered() {
            return continue_ask(client, format, &file, earlier).await;
        }
        remove_files(client, format, &earlier).await?;
    }
    let mut waiting = client.ask(record, true).await?;
    let Some(id) = waiting.id().cloned() else {
        let record = waiting.outcome().await?.record;
        return deliver(client, format, &record).await;
    };
    drop(waiting);
    let record = client.get(id.as_str()).await?;
    let path = pending_file::write(client, format.dialect, &record).await?;
    print_open(format, &record, &path)
}

/// Continues with the file of an earlier run.
async fn continue_ask(
    client: &Client,
    format: OutputFormat,
    file: &PendingFile,
    earlier: Record,
) -> anyhow::Result<Exit> {
    let name = SafeText::path(&file.path);
    if !earlier.is_open() {
        remove_files(client, format, &earlier).await?;
        return deliver(client, format, &earlier).await;
    }
    let draft = file.filled.clone().map_err(|problem| {
        Failure::new(
            Exit::Usage,
            format!("{name}: {problem}"),
            "mend the file and run this again; nothing was sent",
        )
    })?;
    let Some(draft) = draft else {
        return print_open(format, &earlier, &file.path);
    };
    if let Err(missing @ Unfinished::Missing(_)) = draft.clone().finish(&earlier.ask, Gaps::Refuse)
    {
        client.save_draft(&earlier.id, &draft, SURFACE).await?;
        writeln!(
            std::io::stderr(),
            "{name}: {missing}; nothing was sent yet.\n"
        )?;
        return print_open(format, &earlier, &file.path);
    }
    check_draft(&earlier.ask, &draft, Gaps::Refuse, "--set or --other")?;
    let closed = settle(client, &earlier, draft, SURFACE).await?;
    remove_files(client, format, &closed).await?;
    deliver(client, format, &closed).await
}

/// Sends answers that came with the call. They settle the ask of an earlier run, if there is one.
pub(crate) async fn send_answers(
    client: &Client,
    format: OutputFormat,
    record: Record,
    draft: Draft,
) -> anyhow::Result<Exit> {
    check_draft(&record.ask, &draft, Gaps::Refuse, "--set or --other")?;
    let file = pending_file::find_for_record(client, format.dialect, &record).await?;
    let earlier = file.as_ref().and_then(|file| file.record.clone());
    let mut waiting = client.ask(earlier.unwrap_or(record), true).await?;
    let closed = match waiting.id().cloned() {
        None => {
            let closed = waiting.outcome().await?.record;
            warn_not_sent(&closed)?;
            closed
        }
        Some(id) => {
            let open = client.get(id.as_str()).await?;
            settle(client, &open, draft, "cli").await?
        }
    };
    drop(waiting);
    remove_files(client, format, &closed).await?;
    deliver(client, format, &closed).await
}

/// The surface name of answers from a file.
pub(crate) const SURFACE: &str = "pending";

async fn settle(
    client: &Client,
    record: &Record,
    draft: Draft,
    surface: &str,
) -> anyhow::Result<Record> {
    let gaps = Gaps::Send;
    let verdict = Verdict::Answer { draft, gaps };
    match client.settle(&record.id, verdict, surface).await? {
        Settled::Won(record) => Ok(record),
        Settled::Lost(record) => {
            warn_not_sent(&record)?;
            Ok(record)
        }
    }
}

/// Reports on standard error that the ask was closed first, and that the answers were not sent.
fn warn_not_sent(record: &Record) -> anyhow::Result<()> {
    let on = record.settlement().map(|settlement| &settlement.surface);
    writeln!(
        std::io::stderr(),
        "{} was closed before: {} on {}. The answers given now were not sent.",
        record.id,
        record.state_word(),
        on.map_or("another surface", String::as_str),
    )?;
    Ok(())
}

/// Removes the files of a closed ask. There may be several, because a broken file is replaced by a
/// new one.
async fn remove_files(
    client: &Client,
    format: OutputFormat,
    closed: &Record,
) -> anyhow::Result<()> {
    for file in pending_file::find_all(client, format.dialect, &closed.id).await? {
        remove_file(&file, closed)?;
    }
    Ok(())
}

/// Removes the file of a closed ask, and prints where unsent answers are kept.
fn remove_file(file: &PendingFile, closed: &Record) -> anyhow::Result<()> {
    if let Some(kept_at) = file.remove_closed(closed)? {
        warn_not_sent(closed)?;
        let (from, to) = (SafeText::path(&file.path), SafeText::path(&kept_at));
        writeln!(std::io::stderr(), "What {from} held is kept in {to}.")?;
    }
    Ok(())
}

/// Removes the files that an earlier run left, if the ask is closed.
pub(crate) async fn remove_closed(
    client: &Client,
    format: OutputFormat,
    record: &Record,
) -> anyhow::Result<()> {
    if let Some(file) = pending_file::find_for_record(client, format.dialect, record).await?
        && let Some(closed) = file.record.as_ref().filter(|record| !record.is_open())
    {
        remove_files(client, format, closed).await?;
    }
    Ok(())
}

/// Prints that the questions wait in their file.
fn print_open(format: OutputFormat, record: &Record, path: &Path) -> anyhow::Result<Exit> {
    let name = SafeText::path(path).to_string();
    let (reply, instructions) = if format.dialect.name() == "pi" {
        (
            pi::pending_reply(&name).for_record(record),
            pi::pending_instructions(&name),
        )
    } else {
        let instructions = format!(
            "Questions saved to {name}: fill in the answers and run this again, or use \
             `ask-user pending answer {name}` or `ask-user inbox`."
        );
        (format.dialect.write(Word::Open(record)), instructions)
    };
    writeln!(std::io::stdout(), "{}", format.render(reply))?;
    writeln!(std::io::stderr(), "{instructions}")?;
    Ok(Exit::Waiting)
}
