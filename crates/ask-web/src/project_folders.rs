//! Files of the folders that agents work in, so that a person can refer to one in an answer on the
//! page.
// A disk may be slow or never respond. So folders are read on blocking threads, a limited number
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

use super::openapi::AskNotFound;
use super::request::{ApiRequest, AskIdPath};
use super::{Web, ask_queries};

/// How many folders' files are remembered.
const MAX_REMEMBERED: usize = 4;

/// How many folders are read at the same time.
const MAX_READING: usize = 4;

/// How long a request continues the walk.
const STEP: Duration = Duration::from_millis(150);

/// How long a request waits for a disk that doesn't respond.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A walk that no request has continued for this long is started again.
const ABANDONED_AFTER: Duration = Duration::from_secs(20);

/// The folders that were read most recently.
pub(crate) struct ProjectFolders {
    recent: Mutex<VecDeque<ProjectFolder>>,
    /// Limits how many folders are read at the same time.
    reading: Arc<Semaphore>,
}

struct ProjectFolder {
    directory: String,
    last_used: Instant,
    /// The lock makes requests for one folder take turns.
    listing: Arc<Turn<Option<Listing>>>,
}

impl Default for ProjectFolders {
    fn default() -> Self {
        Self {
            recent: Mutex::default(),
            reading: Arc::new(Semaphore::new(MAX_READING)),
        }
    }
}

impl ProjectFolders {
    /// The state of a folder's walk, shared by all its requests.
    fn listing(&self, directory: &str) -> Arc<Turn<Option<Listing>>> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let place = recent.iter().position(|one| one.directory == directory);
        let before = place.and_then(|place| recent.remove(place));
        let project = match before.filter(|one| now.duration_since(one.last_used) < ABANDONED_AFTER)
        {
            Some(project) => ProjectFolder {
                last_used: now,
                ..project
            },
            None => ProjectFolder {
                directory: directory.to_owned(),
                last_used: now,
                listing: Arc::default(),
            },
        };
        let listing = Arc::clone(&project.listing);
        recent.push_front(project);
        recent.truncate(MAX_REMEMBERED);
        listing
    }

    /// Searches a folder for `wait`. Returns the matches so far, or `None` if the disk doesn't respond
    /// or too many folders are being read.
    async fn search(
        &self,
        directory: String,
        letters: String,
        wait: Duration,
    ) -> Option<SearchResult> {
        let listing = self.listing(&directory);
        let reading = Arc::clone(&self.reading);
        let searching = async move {
            let mut listing = listing.lock_owned().await;
            let permit = reading.acquire_owned().await.ok()?;
            let searching = tokio::task::spawn_blocking(move || {
                // Held until the thread ends, however long the disk takes.
                let _permit = permit;
                let usable = listing
                    .take()
                    .filter(|listing| listing.is_usable_for(&directory));
                let listing =
                    listing.insert(usable.unwrap_or_else(|| Listing::for_folder(&directory)));
                SearchResult::from_listing(listing, &letters)
            });
            searching.await.ok()
        };
        // A stuck thread keeps the folder's lock, so that no other thread gets stuck at the same
        // disk.
        timeout(wait, searching).await.ok().flatten()
    }
}

/// The matching files, as far as they are known.
struct SearchResult {
    paths: Vec<(String, SafeText)>,
    total: usize,
    is_complete: bool,
    cut: Option<usize>,
    is_readable: bool,
}

impl SearchResult {
    /// The result for a folder that can't be read.
    fn unreadable() -> Self {
        Self {
            paths: Vec::new(),
            total: 0,
            is_complete: true,
            cut: None,
            is_readable: false,
        }
    }

    /// Continues the walk for a moment, and searches the files known by then.
    fn from_listing(listing: &mut Listing, letters: &str) -> Self {
        let start = Instant::now();
        while !listing.is_complete() && start.elapsed() < STEP {
            listing.step();
        }
        let (found, total) = listing.best_matches(letters, MAX_OFFERED);
        let safe = |path: &String| (quote_path(path), SafeText::line(path));
        Self {
            paths: found.iter().map(safe).collect(),
            total,
            is_complete: listing.is_complete(),
            cut: listing.cut_at(),
            is_readable: listing.is_readable(),
        }
    }
}

/// List files of the folder that its agent works in, the best matches first
///
/// For a person who names a file in an answer.
#[utoipa::path(
    get,
    path = "/v1/asks/{id}/paths",
    params(AskIdPath, ("q" = Option<String>, Query, description = "Letters that occur in a path in this order; all files if left out")),
    responses((status = 200, description = "Done", body = api::Found<'static>), AskNotFound)
)]
pub(crate) async fn paths(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = ask_queries::find(&web, &request).await?;
    // File names may begin or end with spaces, so nothing is trimmed.
    let letters = request.query.iter().rfind(|(key, _)| key == "q");
    let letters = letters
        .map(|(_, letters)| letters.clone())
        .unwrap_or_default();
    let found = match record.asker.directory {
        None => SearchResult::unreadable(),
        Some(directory) => {
            let found = web
                .project_folders
                .search(directory, letters, TIMEOUT)
                .await;
            found.ok_or_else(|| {
                Problem::new(
                    ProblemKind::StorageTimeout,
                    "the disk of the agent's folder doesn't respond, or too many folders are being read: try again, or type the path",
                )
            })?
        }
    };
    Ok(reply::json(&api::Found {
        paths: found.paths.iter().map(FoundPath::from).collect(),
        total: found.total,
        ended: found.is_complete,
        readable: found.is_readable,
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
    async fn an_unresponsive_disk_delays_no_request_and_its_walk_continues_later() {
        let (stuck, other) = (folder("stuck"), folder("other"));
        let projects = ProjectFolders::default();
        let search =
            |directory: &str, wait| projects.search(directory.to_owned(), String::new(), wait);
        // As if a thread were stuck there.
        let lock = projects.listing(&stuck).lock_owned().await;
        assert!(search(&stuck, Duration::from_millis(1)).await.is_none());
        // On a slow machine this takes several requests.
        let whole = async |directory: &str| loop {
            let found = search(directory, Duration::MAX).await;
            let found = found.expect("the disk responds");
            if found.is_complete {
                return (found.total, found.is_readable);
            }
        };
        assert_eq!(whole(&other).await, (1, true), "another disk");
        // As if every permitted thread were stuck.
        let all = projects
            .reading
            .acquire_many(u32::try_from(MAX_READING).expect("the limit fits in 32 bits"))
            .await
            .expect("the semaphore is open");
        assert!(search(&other, Duration::from_millis(1)).await.is_none());
        drop((lock, all));
        assert_eq!(whole(&stuck).await, (1, true));
        for directory in [stuck, other] {
            std::fs::remove_dir_all(directory).expect("removes the folder");
        }
    }

    #[test]
    fn only_the_most_recent_folders_are_remembered() {
        let projects = ProjectFolders::default();
        let first = projects.listing("/first");
        for number in 1..MAX_REMEMBERED {
            projects.listing(&format!("/{number}"));
        }
        assert!(Arc::ptr_eq(&first, &projects.listing("/first")));
        projects.listing("/another");
        assert!(Arc::ptr_eq(&first, &projects.listing("/first")));
        for number in 0..MAX_REMEMBERED {
            projects.listing(&format!("/more/{number}"));
        }
        assert!(!Arc::ptr_eq(&first, &projects.listing("/first")));
    }
}
