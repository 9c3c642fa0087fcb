//! Notes about the asks of processes in offline mode. From them, the asks of a killed process still
//! reach a hub. The notes are in a temporary folder that only the person's account can write, so
//! that a file in a checkout can't answer an ask. A program of the account can write such a note,
//! so the hub treats what is in them as an answer from below an agent.

use std::fs::DirEntry;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_config::home::{self, Home};
use ask_config::{checkout, clock, process};
use ask_core::record::{BELOW, ENDED_AGENT};
use ask_core::secret::hex;
use ask_core::{AskId, Draft, Gaps, Outcome, Record, State};
use ask_dialects::pi;
use ask_hub::client::{Client, Settled};
use ask_hub::fallback;
use ask_protocol::ipc::{self, Request, TakeUp, Verdict};
use sha2::{Digest as _, Sha256};

use crate::offline::pending_file::{MAX_BYTES, PendingFile, is_outcome};

/// The surface of answers from files.
const SURFACE: &str = "pending";

/// An ask from a note.
pub(crate) struct OrphanedAsk {
    /// The ask, with the status in the note.
    pub(crate) record: Record,
    /// Its pending file, if it has one.
    pub(crate) file: Option<PathBuf>,
    note: PathBuf,
}

/// Writes a note about an ask of this process, with its current status and its file.
pub(crate) fn write_note(home: &Home, record: &Record, file: Option<&Path>) -> anyhow::Result<()> {
    let folder = folder(home)?;
    home::private_dir(&folder).with_context(|| format!("making {}", folder.display()))?;
    let note = folder.join(note_name(std::process::id(), &record.id));
    let line = ipc::write_request(0, &open_request(record));
    let file = file.map(|file| file.display().to_string());
    let text = format!(
        "{}\n{}",
        file.unwrap_or_default(),
        String::from_utf8_lossy(&line)
    );
    home::replace(&note, &text).with_context(|| format!("writing {}", note.display()))?;
    Ok(())
}

/// The folder of notes for this home.
fn folder(home: &Home) -> std::io::Result<PathBuf> {
    let digest = Sha256::digest(home.state().as_os_str().as_bytes());
    let name = hex(&digest[..8]);
    Ok(home::temporary()?.join(format!("left-{name}")))
}

/// Removes the note of this process about an ask.
pub(crate) fn remove_note(home: &Home, id: &AskId) {
    if let Ok(folder) = folder(home) {
        // Without a note there is nothing to remove.
        let _ = std::fs::remove_file(folder.join(note_name(std::process::id(), id)));
    }
}

/// Removes this process's notes after a hub has the asks.
pub(crate) fn forget_own(home: &Home) {
    let own = format!("{}.", std::process::id());
    for entry in list_notes(home) {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(&own))
        {
            // If a note stays, its ask is moved again, which has no further effect.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn list_notes(home: &Home) -> Vec<DirEntry> {
    let entries = folder(home).and_then(std::fs::read_dir);
    entries.map_or_else(|_| Vec::new(), |entries| entries.flatten().collect())
}

fn note_name(process: u32, id: &AskId) -> String {
    format!("{process}.{id}")
}

fn open_request(record: &Record) -> Request {
    Request::Open {
        record: Box::new(record.clone()),
        wait: false,
        take_up: TakeUp::Never,
    }
}

/// Claims all notes of ended processes for this process.
pub(crate) fn claim_all(home: &Home) -> Vec<OrphanedAsk> {
    let orphans = list_notes(home).into_iter().filter_map(|entry| {
        let path = entry.path();
        let name = entry.file_name();
        let (number, id) = name.to_str()?.split_once('.')?;
        if !process::has_ended(number.parse().ok()?) {
            return None;
        }
        // The first process that renames a note owns it.
        let note = path.with_file_name(format!("{}.{id}", std::process::id()));
        std::fs::rename(&path, &note).ok()?;
        parse_note(note)
    });
    orphans.collect()
}

fn parse_note(note: PathBuf) -> Option<OrphanedAsk> {
    let text = std::fs::read_to_string(&note).ok()?;
    let (file, line) = text.split_once('\n')?;
    let Ok(Request::Open { record, .. }) = ipc::read_request(line.as_bytes()).1 else {
        return None;
    };
    Some(OrphanedAsk {
        record: *record,
        file: (!file.is_empty()).then(|| PathBuf::from(file)),
        note,
    })
}

/// Moves the asks of ended processes to the hub. If one can't be moved, its note stays for the next
/// attempt.
pub async fn move_all(home: &Home, hub: &Client) {
    // The notes have all that is needed of their asks.
    fallback::remove_abandoned();
    let mut orphans = claim_all(home);
    // Asks that ended in turn may name the same file. It is that of the one that is open.
    orphans.sort_by_key(|orphan| !orphan.record.is_open());
    for orphan in orphans {
        let (note, id) = (orphan.note.clone(), orphan.record.id.clone());
        if orphan.move_to_hub(hub).await.is_err() {
            // Releases the note, under a process id that can't exist. If this fails, the note still
            // belongs to this process and can be claimed after its end.
            let _ = std::fs::rename(&note, note.with_file_name(note_name(i32::MAX as u32, &id)));
        }
    }
}

impl OrphanedAsk {
    async fn move_to_hub(self, hub: &Client) -> anyhow::Result<()> {
        let id = self.record.id.clone();
        let ask = self.record.ask.clone();
        let is_open = self.record.is_open();
        open_with_outcome(self.record, hub, true).await?;
        if let Some(file) = self.file {
            if is_open {
                match read_draft(&file, &id, &ask)? {
                    None => {}
                    Some(draft) if draft.clone().finish(&ask, Gaps::Refuse).is_ok() => {
                        let verdict = answer_with_gaps(draft);
                        let (attempt, relayed) = (clock::attempt(), true);
                        hub.settle_by(&id, verdict, SURFACE, attempt, relayed)
                            .await?;
                    }
                    Some(draft) => {
                        let surface = format!("{BELOW}{ENDED_AGENT}");
                        hub.save_draft(&id, &draft, &surface).await?;
                    }
                }
            }
            // If another answer was first, the file is renamed, so that its text is kept.
            if hub.get(id.as_str()).await?.is_open() {
                // If it can't be removed, the file does no harm, because its answer is sent.
                let _ = checkout::remove(&file);
            } else {
                remove_closed_file(&file, hub, &id).await?;
            }
        }
        // If a note stays, its ask is moved again, which has no further effect.
        let _ = std::fs::remove_file(self.note);
        Ok(())
    }
}

/// Removes the file of a closed ask. If its text is not the answer, the file is renamed instead. By now,
/// another ask may have a file of the same name.
pub(crate) async fn remove_closed_file(
    file: &Path,
    hub: &Client,
    id: &AskId,
) -> anyhow::Result<()> {
    let text = match checkout::read(file, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        text => text.unwrap_or_default(),
    };
    if pi::pending_id(&text).is_some_and(|named| named != id.as_str()) {
        return Ok(());
    }
    let closed = hub.get(id.as_str()).await?;
    // Its id may have been removed in an editor.
    let draft = read_draft(file, id, &closed.ask);
    if matches!(draft, Ok(Some(draft)) if is_outcome(&closed, &draft)) {
        checkout::remove(file)?;
        return Ok(());
    }
    if let Some(kept_path) = PendingFile::read(hub, file).await?.remove_closed(&closed)? {
        tracing::warn!(
            ask = %id,
            "the question was {} before your text was sent; it is kept in {}",
            closed.state_word(),
            kept_path.display()
        );
    }
    Ok(())
}

/// The draft in a file; `None` if there is no file or it is blank.
///
/// # Errors
/// The file belongs to another ask or can't be parsed.
pub(crate) fn read_draft(
    file: &Path,
    id: &AskId,
    ask: &ask_core::Ask,
) -> anyhow::Result<Option<Draft>> {
    let text = match checkout::read(file, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    check_text(&text, id, ask)?;
    pi::read_pending(ask, &text).map_err(|problem| anyhow::anyhow!("{problem}"))
}

/// Checks that a text belongs to this ask.
pub(crate) fn check_text(text: &str, id: &AskId, ask: &ask_core::Ask) -> anyhow::Result<()> {
    if pi::pending_id(text).is_some_and(|named| named == id.as_str()) {
        return Ok(());
    }
    // A file without an id still belongs to an ask with the same questions.
    let is_same = pi::pending_id(text).is_none() && pi::is_pending_for(ask, text);
    anyhow::ensure!(is_same, "sessionId: must be {id}, or this is another ask");
    Ok(())
}

/// Answers an ask with the draft of a file.
pub(crate) async fn answer(hub: &Client, id: &AskId, draft: Draft) -> anyhow::Result<()> {
    hub.settle(id, answer_with_gaps(draft), SURFACE).await?;
    Ok(())
}

fn answer_with_gaps(draft: Draft) -> Verdict {
    let gaps = Gaps::Send;
    Verdict::Answer { draft, gaps }
}

/// Opens an ask of this process at a hub, and closes it with its outcome if it has one. Repeating
/// this has no further effect.
pub(crate) async fn move_to_hub(record: Record, hub: &Client) -> anyhow::Result<()> {
    open_with_outcome(record, hub, false).await
}

/// Opens an ask at a hub, and closes it with its outcome if it has one. `relayed` is set if both are
/// from a note.
async fn open_with_outcome(record: Record, hub: &Client, relayed: bool) -> anyhow::Result<()> {
    let (closed, is_delivered) = (record.settlement().cloned(), record.is_delivered());
    let open = Record {
        state: State::Open,
        ..record
    };
    let id = open.id.clone();
    hub.open(open).await?;
    if let Some(settlement) = closed
        && let Some(verdict) = verdict(settlement.outcome)
    {
        // The original attempt number lets a waiter acknowledge the outcome that it received
        // before.
        let (surface, attempt) = (&settlement.surface, settlement.attempt);
        let settled = hub.settle_by(&id, verdict, surface, attempt, relayed);
        let settled = settled.await?;
        // If another outcome was first, the agent has not received that one.
        if let Settled::Won(record) = settled
            && is_delivered
        {
            hub.delivered(&record).await?;
        }
    }
    Ok(())
}

/// The verdict that produces an outcome; `None` for an expiry, which the hub repeats by itself.
fn verdict(outcome: Outcome) -> Option<Verdict> {
    Some(match outcome {
        Outcome::Answered(answered) => Verdict::Answer {
            draft: answered.draft(),
            gaps: Gaps::Send,
        },
        Outcome::Declined { reason } => Verdict::Decline { reason },
        Outcome::Clarify { words } => Verdict::Clarify { words },
        Outcome::Withdrawn => Verdict::Withdraw,
        Outcome::Expired => return None,
    })
}
