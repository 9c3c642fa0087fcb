//! Finds files below a directory for the popup of `@`. A thread of its own walks the disk, because
//! that may take long. It sends what it has found so far, and stops at a limit.

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
pub(super) fn find(wishes: &Receiver<PathSearch>, events: &UnboundedSender<anyhow::Result<Event>>) {
    let mut known: Option<Listing> = None;
    let mut wanted: Option<PathSearch> = None;
    loop {
        let walks = known.as_ref().is_some_and(|listing| !listing.is_complete());
        let next = if walks {
            match wishes.try_recv() {
                Ok(wish) => Some(wish),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return,
            }
        } else {
            let Ok(wish) = wishes.recv() else { return };
            Some(wish)
        };
        if let Some(wish) = next {
            let usable = known
                .as_ref()
                .is_some_and(|listing| listing.is_usable_for(&wish.directory));
            if !usable {
                known = Some(Listing::for_folder(&wish.directory));
            }
            wanted = Some(wish);
        }
        let (Some(listing), Some(wish)) = (&mut known, &wanted) else {
            continue;
        };
        listing.step();
        if events.send(Ok(offers(listing, wish))).is_err() {
            return;
        }
    }
}

/// The event with the files that match best.
fn offers(listing: &Listing, wish: &PathSearch) -> Event {
    let (found, total) = listing.best_matches(&wish.letters, MAX_OFFERED);
    Event::Paths {
        letters: wish.letters.clone(),
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

    fn offered(directory: &str, letters: &str) -> Vec<String> {
        let (wishes, wanted) = std::sync::mpsc::channel();
        let (events, mut told) = tokio::sync::mpsc::unbounded_channel();
        let wish = PathSearch {
            directory: directory.to_owned(),
            letters: letters.to_owned(),
        };
        wishes.send(wish).expect("the finder runs");
        let finder = std::thread::spawn(move || find(&wanted, &events));
        let found = loop {
            match told.blocking_recv() {
                Some(Ok(Event::Paths { found, ended, .. })) if ended => break found,
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        };
        drop(wishes);
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
            offered(directory, "main"),
            ["src/main.rs", "src/deep/domain.rs"]
        );
        assert_eq!(offered(directory, "a b"), ["a b.txt"]);
        assert_eq!(
            offered(directory, ""),
            ["a b.txt", "src/round", "src/main.rs", "src/deep/domain.rs"]
        );
        fs::remove_dir_all(&root).expect("a writable folder");
        assert!(offered(directory, "").is_empty(), "it is gone");
    }
}
