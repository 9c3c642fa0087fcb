//! Removes closed asks: those that a person names or filters, and old ones by the settings. A
//! removal that may take long is done in steps, and other requests run between them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use ask_config::clock;
use ask_core::history::Filter;
use ask_core::lifecycle::LIST_LATE_MS;
use ask_core::{AskId, Time};
use ask_engine::{Event, Reply, Request};
use ask_protocol::ipc::{ErrorKind, Response};
use ask_store::StoreError;

use super::Hub;
use super::problem::HubError;

/// How many asks are looked up in one step of a removal.
const REMOVAL_BATCH: u64 = 500;

/// How many asks are removed in one step that notifies every subscriber of each.
const NOTIFY_BATCH: usize = 50;

impl Hub {
    /// Removes the asks that the settings keep no longer.
    pub(crate) async fn sweep(self: &Rc<Self>) {
        let now = clock::now();
        let folders = self.settings.skip_projects.clone();
        let pause = if folders.is_empty() {
            SWEEP_MS
        } else {
            SKIPPED_MS
        };
        self.next_sweep.set(now.plus_ms(pause));
        self.sweep_projects(folders, now).await;
        self.sweep_old(now).await;
    }

    /// Removes closed and delivered asks of folders without history. They are kept for some
    /// minutes, so that a repeated attempt to close one, after a lost response, finds its ask.
    async fn sweep_projects(self: &Rc<Self>, folders: Vec<PathBuf>, now: Time) {
        let closed_before = earlier(now, SKIPPED_MS);
        let asked_before = earlier(now, LIST_LATE_MS.max(self.settings.take_up_ms()));
        let mut count = 0;
        // Agents report their directory with symbolic links resolved.
        let named = folders.iter().filter_map(|path| path.canonicalize().ok());
        let paths: BTreeSet<PathBuf> = named.chain(folders.iter().cloned()).collect();
        for folder in paths {
            loop {
                let path = folder.display().to_string();
                let found = self.store.delivered_in_folder(
                    path,
                    (closed_before, asked_before),
                    REMOVAL_BATCH,
                );
                let Ok(ids) = found.await else { break };
                match self.remove(ids, false).await {
                    Ok(removed) if removed > 0 => count += removed,
                    Ok(_) | Err(_) => break,
                }
            }
        }
        if count > 0 {
            tracing::info!(
                "{count} asks were removed, because the settings keep no history of their folders (history.skip_projects)"
            );
        }
    }

    /// Removes asks that ended longer ago than the settings keep them. Answers that no agent has
    /// received stay twice as long, and their removal is logged.
    async fn sweep_old(self: &Rc<Self>, now: Time) {
        let keep_ms = self.settings.keep_ms();
        if keep_ms == 0 {
            return;
        }
        let (ended, given_up) = (
            earlier(now, keep_ms),
            earlier(now, keep_ms.saturating_mul(2)),
        );
        let mut count = 0;
        let mut undelivered_ids = Vec::new();
        while let Ok(found) = self
            .store
            .removable_by_age(ended, given_up, REMOVAL_BATCH)
            .await
        {
            if count == 0 && !found.is_empty() && !self.is_clock_plausible(now).await {
                return tracing::warn!("{CLOCK_WARNING}");
            }
            let (delivered, undelivered): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|(_, delivered)| *delivered);
            let ids = |some: Vec<(AskId, bool)>| some.into_iter().map(|(id, _)| id).collect();
            let (delivered, undelivered): (Vec<AskId>, Vec<AskId>) =
                (ids(delivered), ids(undelivered));
            undelivered_ids.extend(undelivered.iter().map(AskId::to_string));
            let removed = (
                self.remove(delivered, false).await,
                self.remove(undelivered, true).await,
            );
            match removed {
                (Ok(some), Ok(more)) if some + more > 0 => count += some + more,
                (Ok(_) | Err(_), Ok(_) | Err(_)) => break,
            }
        }
        if count > 0 {
            let days = self.settings.keep_days;
            tracing::info!(
                "{count} asks that ended more than {days} days ago were removed (history.keep_days)"
            );
        }
        if !undelivered_ids.is_empty() {
            let ids = undelivered_ids.join(", ");
            let twice = self.settings.keep_days.saturating_mul(2);
            tracing::warn!(
                "among them are answers that no agent has come for in {twice} days: {ids}"
            );
        }
    }

    /// Removes old closed asks with the files of their answers, and returns how many. Subscribers
    /// are notified only of those that were still listed.
    async fn remove(
        self: &Rc<Self>,
        ids: Vec<AskId>,
        undelivered: bool,
    ) -> Result<usize, StoreError> {
        let files = self.store.files_of(ids.clone()).await?;
        let removed = self.store.remove(ids, undelivered).await?;
        let count = removed.len();
        self.handle(Event::Removed(removed));
        self.store.remove_unnamed(files).await?;
        Ok(count)
    }

    /// Removes closed asks with the files of their answers, all or none.
    async fn forget_all(
        self: &Rc<Self>,
        ids: Vec<AskId>,
        undelivered: bool,
    ) -> Result<u64, HubError> {
        let files = self.store.files_of(ids.clone()).await?;
        let forgotten = match self.request(Request::Forget { ids, undelivered }).await? {
            Reply::Done(count) => count,
            _ => 0,
        };
        self.store.remove_unnamed(files).await?;
        self.today.borrow_mut().mark_miscounted();
        self.recount_today();
        Ok(forgotten)
    }

    /// Whether the clock is plausible: something was asked one to eight days ago. If the clock has
    /// jumped ahead, nothing was, and every ask would seem old.
    async fn is_clock_plausible(&self, now: Time) -> bool {
        let (from, to) = (earlier(now, 8 * DAY_MS), earlier(now, DAY_MS));
        self.store.asked_between(from, to).await.unwrap_or(false)
    }

    /// Removes closed asks by their ids, all or none. An answer that no agent has received, or an ask
    /// that can't be read, is removed only with `undelivered`.
    pub(super) async fn forget(
        self: &Rc<Self>,
        ids: &[String],
        undelivered: bool,
    ) -> Result<Response, HubError> {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            found.push(match self.unreadable_id(id) {
                None => self.find(id).await?.id.clone(),
                Some(id) if undelivered => id,
                Some(id) => return Err(unreadable(&id)),
            });
        }
        let count = self.forget_all(found.clone(), undelivered).await?;
        let mut unreadable = self.unreadable.borrow_mut();
        unreadable.retain(|id| found.iter().all(|removed| removed.as_str() != id));
        Ok(Response::Done { count })
    }

    /// Removes or counts the closed asks that a filter matches. Answers that no agent has received
    /// are left out: they can only be removed by id.
    pub(super) async fn forget_some(
        self: &Rc<Self>,
        mut filter: Filter,
        only_count: bool,
    ) -> Result<Response, HubError> {
        filter.open = false;
        let (mut count, mut undelivered) = (0, 0);
        loop {
            let found = self.store.ids(filter.clone(), REMOVAL_BATCH).await?;
            let full = found.len() as u64 == REMOVAL_BATCH;
            filter.before = found.last().map(|(_, _, row)| *row);
            let all = found.len() as u64;
            let ids: Vec<AskId> = found
                .into_iter()
                .filter_map(|(id, delivered, _)| delivered.then_some(id))
                .collect();
            undelivered += all - ids.len() as u64;
            if only_count {
                count += ids.len() as u64;
            } else {
                for some in ids.chunks(NOTIFY_BATCH) {
                    count += self.forget_all(some.to_vec(), false).await?;
                }
            }
            if !full {
                break;
            }
        }
        Ok(Response::Forgotten { count, undelivered })
    }
}

/// The error for an ask that can't be read.
fn unreadable(id: &AskId) -> HubError {
    HubError {
        kind: ErrorKind::Undelivered,
        text: format!("{id} can't be read, so nobody knows whether its agent has the answer"),
    }
}

const CLOCK_WARNING: &str = "no ask is removed by its age (history.keep_days), because nothing was asked one to eight days ago: the clock may be wrong";

pub(super) const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// How often old asks are removed.
pub(crate) const SWEEP_MS: u64 = 6 * 60 * 60 * 1_000;

/// How long asks of folders without history are kept, and how often they are removed.
const SKIPPED_MS: u64 = 10 * 60 * 1_000;

fn earlier(now: Time, ms: u64) -> Time {
    Time(now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX)))
}
