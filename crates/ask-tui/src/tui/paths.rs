//! Finds files below a directory for the popup of `@`. A thread of its own walks the disk, because
//! that may take long. It sends its results while it searches, and stops at a limit.

use std::sync::mpsc::{Receiver, TryRecvError};

use ask_hub::surface::file_finder::{Listing, MAX_OFFERED};
use tokio::sync::mpsc::UnboundedSender;

use super::event::Event;

/// A search for files.
#[derive(Clone, Debug)]
pub(super) struct PathSearch {
    /// The directory to search below.
    pub directory: String,
    /// Letters that a path contains in this order.
    pub letters: String,
}

/// Serves searches until the surface ends. A new search replaces the current one.
pub(super) fn find(
    searches: &Receiver<PathSearch>,
    events: &UnboundedSender<anyhow::Result<Event>>,
) {
    let mut listing: Option<Listing> = None;
    let mut current: Option<PathSearch> = None;
    loop {
        let is_walking = listing
            .as_ref()
            .is_some_and(|listing| !listing.is_complete());
        let next = if is_walking {
            match searches.try_recv() {
                Ok(search) => Some(search),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return,
            }
        } else {
            let Ok(search) = searches.recv() else { return };
            Some(search)
        };
        if let Some(search) = next {
            let is_reusable = listing
                .as_ref()
                .is_some_and(|listing| listing.is_usable_for(&search.directory));
            if !is_reusable {
                listing = Some(Listing::for_folder(&search.directory));
            }
            current = Some(search);
        }
        let (Some(listing), Some(search)) = (&mut listing, &current) else {
            continue;
        };
        listing.step();
        if events.send(Ok(paths_event(listing, search))).is_err() {
            return;
        }
    }
}

/// The event with the files that match best.
fn paths_event(listing: &Listing, search: &PathSearch) -> Event {
    let (found, total) = listing.best_matches(&search.letters, MAX_OFFERED);
    Event::PathsFound {
        letters: search.letters.clone(),
        found,
        total,
        ended: listing.is_complete(),
        cut: listing.cut_at(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn found_paths(directory: &str, letters: &str) -> Vec<String> {
        let (searches, current) = std::sync::mpsc::channel();
        let (events, mut results) = tokio::sync::mpsc::unbounded_channel();
        let search = PathSearch {
            directory: directory.to_owned(),
            letters: letters.to_owned(),
        };
        searches.send(search).expect("the finder runs");
        let finder = std::thread::spawn(move || find(&current, &events));
        let found = loop {
            match results.blocking_recv() {
                Some(Ok(Event::PathsFound { found, ended, .. })) if ended => break found,
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        };
        drop(searches);
        finder
            .join()
            .expect("the finder ends when the surface has dropped its sender");
        found
    }

    #[test]
    fn ignored_and_hidden_files_are_left_out_and_the_best_come_first() {
        let root = std::env::temp_dir().join(format!("ask-user-paths-{}", std::process::id()));
        for folder in ["src/deep", "target", ".git"] {
            fs::create_dir_all(root.join(folder)).expect("a writable folder");
        }
        let files = [
            "src/main.rs",
            "src/deep/domain.rs",
            "target/main.o",
            ".git/main",
            "a b.txt",
            ".gitignore",
        ];
        for file in files {
            fs::write(root.join(file), "target\n").expect("a writable folder");
        }
        symlink(&root, root.join("src/round")).expect("a writable folder");
        let directory = root.to_str().expect("a temporary folder in UTF-8");
        assert_eq!(
            found_paths(directory, "main"),
            ["src/main.rs", "src/deep/domain.rs"]
        );
        assert_eq!(found_paths(directory, "a b"), ["a b.txt"]);
        assert_eq!(
            found_paths(directory, ""),
            ["a b.txt", "src/round", "src/main.rs", "src/deep/domain.rs"]
        );
        fs::remove_dir_all(&root).expect("a writable folder");
        assert!(found_paths(directory, "").is_empty(), "it is gone");
    }
}
