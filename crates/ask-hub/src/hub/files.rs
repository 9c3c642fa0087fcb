//! Files attached to answers. They are stored before the draft or answer that refers to them, and
//! removed when nothing refers to them any more.

use ask_core::attachment;
use ask_core::{Digest, Draft};
use ask_protocol::ipc::{ErrorKind, Response};
use ask_store::Store as _;

use super::Hub;
use super::problem::{HubError, MEGABYTE};

impl Hub {
    pub(super) async fn put_file(&self, bytes: Vec<u8>) -> Result<Response, HubError> {
        attachment::check_size("the file", bytes.len() as u64).map_err(|too_large| HubError {
            kind: ErrorKind::Unfit,
            text: too_large.to_string(),
        })?;
        self.reserve(bytes.len() as u64).await?;
        let digest = self.store.put_blob(bytes).await?;
        Ok(Response::Filed { digest })
    }

    /// Reserves bytes for a file that nothing refers to yet. The exact count is taken only when the
    /// upper bound exceeds the limit.
    async fn reserve(&self, bytes: u64) -> Result<(), HubError> {
        let limit = self.settings.unattached_bytes;
        let exceeds_limit = || limit > 0 && self.unnamed_bytes.get().saturating_add(bytes) > limit;
        if exceeds_limit() {
            // Removes expired files before the count.
            self.sweep_files().await;
            self.unnamed_bytes.set(self.store.unnamed_bytes().await?);
        }
        if exceeds_limit() {
            let text = format!(
                "files of more than {} MB would belong to no answer and no draft (limits.unattached_megabytes): send the answers that they are for; a file that nobody sends is removed after an hour",
                limit / MEGABYTE as u64
            );
            return Err(HubError {
                kind: ErrorKind::TooMany,
                text,
            });
        }
        self.unnamed_bytes
            .set(self.unnamed_bytes.get().saturating_add(bytes));
        Ok(())
    }

    pub(super) async fn get_file(&self, digest: Digest) -> Result<Response, HubError> {
        match self.store.get_blob(digest).await? {
            Some(bytes) => Ok(Response::File { bytes }),
            None => Err(HubError {
                kind: ErrorKind::NotFound,
                text: format!("no file is kept under {digest}: it may have been forgotten"),
            }),
        }
    }

    /// Checks that a draft refers only to stored files. Type, size and path come from the stored
    /// file, not from the draft.
    pub(super) fn check_files(&self, draft: &mut Draft) -> Result<(), HubError> {
        let answers = draft.answers.iter_mut();
        for file in answers.flat_map(|answer| &mut answer.attachments) {
            let stored = self.store.blobs.describe(&file.name, &file.digest);
            let stored = stored.ok().flatten();
            *file = stored.ok_or_else(|| HubError {
                kind: ErrorKind::Unfinished,
                text: format!("{} is not kept any more: attach it again", file.name),
            })?;
        }
        Ok(())
    }

    /// Removes files that were attached and never sent. After a damaged store was set aside, all
    /// files stay: its records may refer to them.
    pub async fn sweep_files(&self) {
        if self.set_aside.is_none() {
            // A file that stays after an error is removed by the next sweep.
            let _ = self.store.sweep_files().await;
        }
    }
}
