//! Print mode: the first run writes the questions to a file, and the next one reads the answers
//! from it. Answers may also come with the call, or from any surface meanwhile.

use std::io::Write;
use std::path::Path;

use ask_config::exit::{Exit, Failure};
use ask_core::{Draft, Gaps, Record, SafeText, Unfinished};
use ask_dialects::{Word, pi};
use ask_hub::client::{Client, Settled};
use ask_mcp::offline::pending_file::{self, PendingFile};
use ask_protocol::ipc::Verdict;

use crate::cli::answer::check;
use crate::cli::prompt::{OutputFormat, tell};

/// One run.
pub(crate) async fn pass(
    client: &Client,
    voice: OutputFormat,
    record: Record,
) -> anyhow::Result<Exit> {
    if let Some(kept) = pending_file::find_for_record(client, voice.dialect, &record).await?
        && let Some(earlier) = kept.record.clone()
    {
        // A delivered answer belongs to the call that received it.
        if !earlier.is_delivered() {
            return next(client, voice, &kept, earlier).await;
        }
        put_all_away(client, voice, &earlier).await?;
    }
    let mut waiting = client.ask(record, true).await?;
    let Some(id) = waiting.id().cloned() else {
        let record = waiting.outcome().await?.record;
        return tell(client, voice, &record).await;
    };
    drop(waiting);
    let record = client.get(id.as_str()).await?;
    let path = pending_file::write(client, voice.dialect, &record).await?;
    still(voice, &record, &path)
}

async fn next(
    client: &Client,
    voice: OutputFormat,
    kept: &PendingFile,
    earlier: Record,
) -> anyhow::Result<Exit> {
    let name = SafeText::path(&kept.path);
    if !earlier.is_open() {
        put_all_away(client, voice, &earlier).await?;
        return tell(client, voice, &earlier).await;
    }
    let draft = kept.filled.clone().map_err(|problem| {
        Failure::new(
            Exit::Usage,
            format!("{name}: {problem}"),
            "mend the file and run this again; nothing was sent",
        )
    })?;
    let Some(draft) = draft else {
        return still(voice, &earlier, &kept.path);
    };
    if let Err(missing @ Unfinished::Missing(_)) = draft.clone().finish(&earlier.ask, Gaps::Refuse)
    {
        client.save_draft(&earlier.id, &draft, SURFACE).await?;
        writeln!(
            std::io::stderr(),
            "{name}: {missing}; nothing was sent yet.\n"
        )?;
        return still(voice, &earlier, &kept.path);
    }
    check(&earlier.ask, &draft, Gaps::Refuse, "--set or --other")?;
    let closed = close(client, &earlier, draft, SURFACE).await?;
    put_all_away(client, voice, &closed).await?;
    tell(client, voice, &closed).await
}

/// The answers came with the call. They close the ask that an earlier run left, if there is one.
pub(crate) async fn answered(
    client: &Client,
    voice: OutputFormat,
    record: Record,
    draft: Draft,
) -> anyhow::Result<Exit> {
    check(&record.ask, &draft, Gaps::Refuse, "--set or --other")?;
    let kept = pending_file::find_for_record(client, voice.dialect, &record).await?;
    let earlier = kept.as_ref().and_then(|kept| kept.record.clone());
    let mut waiting = client.ask(earlier.unwrap_or(record), true).await?;
    let closed = match waiting.id().cloned() {
        None => {
            let closed = waiting.outcome().await?.record;
            beaten(&closed)?;
            closed
        }
        Some(id) => {
            let open = client.get(id.as_str()).await?;
            close(client, &open, draft, "cli").await?
        }
    };
    drop(waiting);
    put_all_away(client, voice, &closed).await?;
    tell(client, voice, &closed).await
}

/// The surface name of answers from a file.
pub(crate) const SURFACE: &str = "pending";

async fn close(
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
            beaten(&record)?;
            Ok(record)
        }
    }
}

/// Reports on standard error that another answer was first.
fn beaten(record: &Record) -> anyhow::Result<()> {
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
async fn put_all_away(client: &Client, voice: OutputFormat, closed: &Record) -> anyhow::Result<()> {
    for kept in pending_file::find_all(client, voice.dialect, &closed.id).await? {
        put_away(&kept, closed)?;
    }
    Ok(())
}

/// Removes the file of a closed ask, and reports where answers are kept that were not sent.
fn put_away(kept: &PendingFile, closed: &Record) -> anyhow::Result<()> {
    if let Some(aside) = kept.remove_closed(closed)? {
        beaten(closed)?;
        let (from, to) = (SafeText::path(&kept.path), SafeText::path(&aside));
        writeln!(std::io::stderr(), "What {from} held is kept in {to}.")?;
    }
    Ok(())
}

/// Removes the file that an earlier run left, after the ask was closed on another surface.
pub(crate) async fn print_outcome(
    client: &Client,
    voice: OutputFormat,
    record: &Record,
) -> anyhow::Result<()> {
    if let Some(kept) = pending_file::find_for_record(client, voice.dialect, record).await?
        && let Some(closed) = kept.record.as_ref().filter(|record| !record.is_open())
    {
        put_all_away(client, voice, closed).await?;
    }
    Ok(())
}

/// Prints that the questions wait in their file.
fn still(voice: OutputFormat, record: &Record, path: &Path) -> anyhow::Result<Exit> {
    let name = SafeText::path(path).to_string();
    let (reply, told) = if voice.dialect.name() == "pi" {
        (
            pi::pending_reply(&name).for_record(record),
            pi::pending_instructions(&name),
        )
    } else {
        let told = format!(
            "Questions saved to {name}: fill in the answers and run this again, or use \
             `ask-user pending answer {name}` or `ask-user inbox`."
        );
        (voice.dialect.write(Word::Open(record)), told)
    };
    writeln!(std::io::stdout(), "{}", voice.line(reply))?;
    writeln!(std::io::stderr(), "{told}")?;
    Ok(Exit::Waiting)
}
