//! Files of the folders that agents work in, so that a person can name one in an answer on the
//! page.
//
// A disk may be slow, or never respond. So folders are read on blocking threads, a limited number
// at a time, and no request waits for long. Each request continues the walk for a moment, and
// returns what is known by then.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ask_core::SafeText;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::surface::file_finder::{Listing, MAX_OFFERED, quote_path};
use ask_protocol::api::{self, FoundPath};
use axum::extract::State;
use axum::response::Response;
use tokio::sync::{Mutex as Turn, Semaphore};
use tokio::time::{Instant, timeout};

use super::openapi::NoAsk;
use super::request::{AskId, Call};
use super::{Web, ask_queries};

/// For how many folders the files are remembered.
const REMEMBERED: usize = 4;
/// How many folders are read at the same time.
const AT_ONCE: usize = 4;
/// How long a request continues the walk.
const STEP: Duration = Duration::from_millis(150);
/// How long a request waits for a disk that doesn't respond.
const PATIENCE: Duration = Duration::from_secs(5);
/// A walk that no request has continued for this long is started again.
const LEFT: Duration = Duration::from_secs(20);

/// The folders that were read lately.
pub struct Projects {
    known: Mutex<VecDeque<Project>>,
    looks: Arc<Semaphore>,
}

struct Project {
    directory: String,
    asked: Instant,
    /// The lock makes requests for one folder take turns.
    listing: Arc<Turn<Option<Listing>>>,
}

impl Default for Projects {
    fn default() -> Self {
        Self {
            known: Mutex::default(),
            looks: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Projects {
    /// The state of a folder's walk, shared by all its requests.
    fn listing(&self, directory: &str) -> Arc<Turn<Option<Listing>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let place = known.iter().position(|one| one.directory == directory);
        let before = place.and_then(|place| known.remove(place));
        let project = match before.filter(|one| now.duration_since(one.asked) < LEFT) {
            Some(project) => Project {
                asked: now,
                ..project
            },
            None => Project {
                directory: directory.to_owned(),
                asked: now,
                listing: Arc::default(),
            },
        };
        let listing = Arc::clone(&project.listing);
        known.push_front(project);
        known.truncate(REMEMBERED);
        listing
    }

    /// The files that match, as far as they are known after a moment; `None` if the disk doesn't
    /// respond, or if too many folders are being read.
    async fn look(&self, directory: String, letters: String, patience: Duration) -> Option<Found> {
        let listing = self.listing(&directory);
        let looks = Arc::clone(&self.looks);
        let looking = async move {
            let mut listing = listing.lock_owned().await;
            let permit = looks.acquire_owned().await.ok()?;
            let looking = tokio::task::spawn_blocking(move || {
                // Held until the thread ends, however long the disk takes.
                let _permit = permit;
                let usable = listing
                    .take()
                    .filter(|known| known.is_usable_for(&directory));
                let listing =
                    listing.insert(usable.unwrap_or_else(|| Listing::for_folder(&directory)));
                Found::from_listing(listing, &letters)
            });
            looking.await.ok()
        };
        // A stuck thread keeps the folder's lock, so that no other thread gets stuck at the same
        // disk.
        timeout(patience, looking).await.ok().flatten()
    }
}

/// The files that match, as far as they are known.
struct Found {
    paths: Vec<(String, SafeText)>,
    total: usize,
    ended: bool,
    cut: Option<usize>,
    readable: bool,
}

impl Found {
    /// The result for a folder that can't be read.
    fn nothing() -> Self {
        Self {
            paths: Vec::new(),
            total: 0,
            ended: true,
            cut: None,
            readable: false,
        }
    }

    /// Continues the walk for a moment, and searches what is known.
    fn from_listing(listing: &mut Listing, letters: &str) -> Self {
        let from = Instant::now();
        while !listing.is_complete() && from.elapsed() < STEP {
            listing.step();
        }
        let (found, total) = listing.best_matches(letters, MAX_OFFERED);
        let safe = |path: &String| (quote_path(path), SafeText::line(path));
        Self {
            paths: found.iter().map(safe).collect(),
            total,
            ended: listing.is_complete(),
            cut: listing.cut_at(),
            readable: listing.is_readable(),
        }
    }
}

/// List files of the folder that its agent works in, the best matches first
///
/// For a person who names a file in an answer.
#[utoipa::path(
    get,
    path = "/v1/asks/{id}/paths",
    params(AskId, ("q" = Option<String>, Query, description = "Letters that occur in a path in this order; all files if left out")),
    responses((status = 200, description = "Done", body = api::Found<'static>), NoAsk)
)]
pub async fn paths(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = ask_queries::find(&web, &call).await?;
    // File names may begin or end with spaces, so nothing is trimmed.
    let letters = call.query.iter().rfind(|(key, _)| key == "q");
    let letters = letters
        .map(|(_, letters)| letters.clone())
        .unwrap_or_default();
    let found = match record.asker.directory {
        None => Found::nothing(),
        Some(directory) => {
            let found = web.projects.look(directory, letters, PATIENCE).await;
            found.ok_or_else(|| {
                Problem::new(
                    ProblemKind::StorageTimeout,
                    "the disk of the agent's folder doesn't answer, or too many folders are looked at: try again, or type the path",
                )
            })?
        }
    };
    Ok(reply::json(&api::Found {
        paths: found.paths.iter().map(FoundPath::from).collect(),
        total: found.total,
        ended: found.ended,
        readable: found.readable,
        cut: found.cut,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> String {
        let root = std::env::temp_dir().join(format!("ask-user-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("creates the folder");
        std::fs::write(root.join("file"), "").expect("writes a file");
        root.to_str().expect("the path is UTF-8").to_owned()
    }

    #[tokio::test]
    async fn a_disk_that_does_not_answer_keeps_nobody_waiting_and_is_gone_on_with_once_it_does() {
        let (stuck, other) = (folder("stuck"), folder("other"));
        let projects = Projects::default();
        let look = |directory: &str, patience| {
            projects.look(directory.to_owned(), String::new(), patience)
        };
        // As if a thread were stuck there.
        let away = projects.listing(&stuck).lock_owned().await;
        assert!(look(&stuck, Duration::from_millis(1)).await.is_none());
        // On a slow machine this takes several requests.
        let whole = async |directory: &str| loop {
            let found = look(directory, Duration::MAX).await;
            let found = found.expect("the disk responds");
            if found.ended {
                return (found.total, found.readable);
            }
        };
        assert_eq!(whole(&other).await, (1, true), "another disk");
        // As if every permitted thread were stuck.
        let all = projects
            .looks
            .acquire_many(u32::try_from(AT_ONCE).expect("the limit fits in 32 bits"))
            .await
            .expect("the semaphore is open");
        assert!(look(&other, Duration::from_millis(1)).await.is_none());
        drop((away, all));
        assert_eq!(whole(&stuck).await, (1, true));
        for directory in [stuck, other] {
            std::fs::remove_dir_all(directory).expect("removes the folder");
        }
    }

    #[test]
    fn few_folders_are_remembered_those_asked_for_last() {
        let projects = Projects::default();
        let first = projects.listing("/first");
        for number in 1..REMEMBERED {
            projects.listing(&format!("/{number}"));
        }
        assert!(Arc::ptr_eq(&first, &projects.listing("/first")));
        projects.listing("/another");
        assert!(Arc::ptr_eq(&first, &projects.listing("/first")));
        for number in 0..REMEMBERED {
            projects.listing(&format!("/more/{number}"));
        }
        assert!(!Arc::ptr_eq(&first, &projects.listing("/first")));
    }
}
