//! Files attached to answers: kept before the draft or the answer that names them,
//! and removed when nothing names them any more.

use ask_core::attachment::{self, Attachment};
use ask_core::{Digest, Draft, Outcome, Record, State};
use ask_protocol::ipc::{Fault, Response};
use ask_store::Store as _;

use super::{Desk, Problem};

impl Desk {
    pub(super) async fn put_file(&self, bytes: Vec<u8>) -> Result<Response, Problem> {
        attachment::check_size("the file", bytes.len() as u64).map_err(|unfit| Problem {
            kind: Fault::Unfit,
            text: unfit.to_string(),
        })?;
        let digest = self.store.put_blob(bytes).await?;
        Ok(Response::Filed { digest })
    }

    pub(super) async fn get_file(&self, digest: Digest) -> Result<Response, Problem> {
        match self.store.get_blob(digest).await? {
            Some(bytes) => Ok(Response::File { bytes }),
            None => Err(Problem {
                kind: Fault::NotFound,
                text: format!("no file is kept under {digest}: it may have been forgotten"),
            }),
        }
    }

    /// Answers may only name files that are kept here. Where they are is not theirs to say.
    pub(super) fn check_files(&self, mut draft: Draft) -> Result<Draft, Problem> {
        let gone = |file: &&Attachment| self.store.blobs.path(&file.digest).is_none();
        if let Some(file) = draft.attachments().find(gone) {
            return Err(Problem {
                kind: Fault::Unfinished,
                text: format!("{} is not kept any more: attach it again", file.name),
            });
        }
        draft.place(|_| None);
        Ok(draft)
    }

    /// Says of every file where it can be read.
    pub(super) fn place_files(&self, record: &mut Record) {
        let path = |file: &Attachment| {
            let path = self.store.blobs.path(&file.digest)?;
            Some(path.display().to_string())
        };
        if let Some(saved) = &mut record.draft {
            saved.draft.place(path);
        }
        if let State::Closed { settlement, .. } = &mut record.state
            && let Outcome::Answered(answered) = &mut settlement.outcome
        {
            answered.place(path);
        }
    }

    /// Removes files that were those of forgotten asks, unless others have them, too.
    pub(super) async fn let_go_of(&self, files: Vec<Digest>) {
        if !files.is_empty() {
            let blobs = self.store.blobs.clone();
            let removed = self.store.read(move |db| blobs.remove_unnamed(db, &files));
            // What stays now goes with the next sweep.
            let _ = removed.await;
        }
    }

    /// Removes files that were attached and never sent. What a store that was set aside names is
    /// not known, so as long as there is one all stay.
    pub async fn sweep_files(&self) {
        if self.set_aside.is_none() {
            let blobs = self.store.blobs.clone();
            let _ = self.store.read(move |db| blobs.sweep(db)).await;
        }
    }
}

/// The files of a record's answers.
pub(super) fn of(record: &Record) -> Vec<Digest> {
    let outcome = record.settlement().map(|settlement| &settlement.outcome);
    match outcome {
        Some(Outcome::Answered(answered)) => {
            let answers = answered.answers().iter();
            let files = answers.flat_map(|answer| &answer.attachments);
            files.map(|file| file.digest).collect()
        }
        _ => Vec::new(),
    }
}
