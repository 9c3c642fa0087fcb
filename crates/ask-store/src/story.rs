//! One story that every store must pass: an ask is kept once, closed once, told in
//! one order, and survives whoever wrote it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ask_core::ask::Choice;
use ask_core::{
    Answer, Ask, AskId, Asker, Digest, Draft, Gaps, Input, Outcome, Question, Record, Settlement,
    Time, lifecycle,
};
use proptest::prelude::*;

use super::memory::Memory;
use super::sqlite::Sqlite;
use super::{Created, Cursor, Feed, Settled, Store};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "ask-user-store-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn open(&self) -> Sqlite {
        let file = self.0.join("ask-user.db");
        Sqlite::open(&file, &self.0.join("attachments"))
            .unwrap()
            .store
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn record(name: &str) -> Record {
    let ask = Ask {
        questions: vec![Question {
            id: "q1".into(),
            text: format!("{name}?"),
            label: None,
            input: Input::One(vec![Choice::new("Yes, do"), Choice::new("No")]),
            required: true,
            placeholder: None,
            default: None,
        }],
        ..Ask::default()
    };
    lifecycle::open(id(name), "native", ask, Asker::default(), Time(1_000))
}

fn id(name: &str) -> AskId {
    AskId::parse(&format!("a_{name}")).unwrap()
}

fn settlement(name: &str, pick: usize, attempt: u64) -> Settlement {
    let draft = Draft {
        answers: vec![Answer::picking([pick])],
        note: None,
    };
    Settlement {
        outcome: Outcome::Answered(draft.finish(&record(name).ask, Gaps::Refuse).unwrap()),
        surface: "cli".into(),
        device: None,
        at: Time(2_000),
        attempt,
        awaited: false,
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap()
}

async fn whole_feed(store: &impl Store, mut after: Cursor) -> Vec<AskId> {
    let mut all = Vec::new();
    loop {
        match store.changes(after).await.unwrap() {
            Feed::Page { changed, next } if changed.is_empty() => {
                assert_eq!(next, after);
                return all;
            }
            Feed::Page { changed, next } => {
                all.extend(changed);
                after = next;
            }
            Feed::Reset { .. } => panic!("a cursor of this very feed is not too old"),
        }
    }
}

/// The whole story.
async fn story(store: Arc<impl Store>) {
    // The same ask twice is one ask, and the second call learns how it stands.
    assert_eq!(store.create(record("first")).await.unwrap(), Created::New);
    let again = store.create(record("first")).await.unwrap();
    assert_eq!(again, Created::Existing(Box::new(record("first"))));
    assert_eq!(store.get(id("first")).await.unwrap(), Some(record("first")));
    assert_eq!(store.get(id("nobody")).await.unwrap(), None);

    // A thousand races of two: one wins, and the loser is told who did.
    for round in 0..1_000 {
        let name = format!("race{round}");
        store.create(record(&name)).await.unwrap();
        let tries = [0, 1].map(|pick| {
            let (store, name) = (Arc::clone(&store), name.clone());
            tokio::spawn(async move {
                let attempt = settlement(&name, pick, pick as u64 + 1);
                store.settle(id(&name), attempt).await.unwrap()
            })
        });
        let mut won = Vec::new();
        for (pick, attempt) in tries.into_iter().enumerate() {
            match attempt.await.unwrap() {
                Settled::Won(record) => {
                    assert_eq!(
                        record.settlement(),
                        Some(&settlement(&name, pick, pick as u64 + 1))
                    );
                    won.push(pick);
                }
                Settled::Lost(record) => {
                    let other = 1 - pick;
                    assert_eq!(
                        record.settlement(),
                        Some(&settlement(&name, other, other as u64 + 1))
                    );
                }
                Settled::Again(_) => panic!("each is tried once"),
                Settled::NoSuchAsk => panic!("it was created"),
            }
        }
        assert_eq!(won.len(), 1, "round {round}");

        // The winner's acknowledgement got lost: the same attempt had won.
        let retry = settlement(&name, won[0], won[0] as u64 + 1);
        assert!(matches!(
            store.settle(id(&name), retry).await.unwrap(),
            Settled::Again(_)
        ));
    }
    let nobody = store
        .settle(id("nobody"), settlement("nobody", 0, 1))
        .await
        .unwrap();
    assert_eq!(nobody, Settled::NoSuchAsk);

    // The feed can be taken up anywhere and tells the rest in the same order.
    let all = whole_feed(&*store, Cursor(0)).await;
    assert_eq!(all.len(), 1 + 2 * 1_000);
    for from in [0, 1, 2, 17, 1_000, all.len() - 1, all.len()] {
        assert_eq!(
            whole_feed(&*store, Cursor(from as u64)).await,
            all[from..],
            "from {from}"
        );
    }
    let beyond = store.changes(Cursor(all.len() as u64 + 1)).await.unwrap();
    assert_eq!(
        beyond,
        Feed::Reset {
            next: Cursor(all.len() as u64)
        }
    );

    // Bytes come back under their digest.
    let digest = store.put_blob(b"a picture".to_vec()).await.unwrap();
    assert_eq!(
        store.get_blob(digest).await.unwrap().as_deref(),
        Some(&b"a picture"[..])
    );
    assert_eq!(store.get_blob(Digest([0; 32])).await.unwrap(), None);
}

#[test]
fn memory_passes_the_story() {
    runtime().block_on(story(Arc::new(Memory::default())));
}

#[test]
fn sqlite_passes_the_story_and_remembers_it() {
    let folder = Folder::new();
    let store = Arc::new(folder.open());
    runtime().block_on(story(Arc::clone(&store)));
    Arc::into_inner(store).unwrap().close();

    // The next process finds all of it.
    let store = folder.open();
    runtime().block_on(async {
        assert_eq!(whole_feed(&store, Cursor(0)).await.len(), 2_001);
        let kept = store.get(id("race0")).await.unwrap().unwrap();
        assert!(!kept.is_waiting());
        assert_eq!(store.get(id("first")).await.unwrap(), Some(record("first")));
    });
}

#[test]
fn a_store_that_nobody_closed_is_whole() {
    let folder = Folder::new();
    let store = folder.open();
    runtime().block_on(async {
        store.create(record("kept")).await.unwrap();
        store
            .settle(id("kept"), settlement("kept", 1, 7))
            .await
            .unwrap();
    });
    // What a killed process leaves: the file and its log, copied while both are open. What is written back
    // from the one into the other meanwhile is in both.
    let copy = Folder::new();
    for suffix in ["-wal", ""] {
        let name = format!("ask-user.db{suffix}");
        std::fs::copy(folder.0.join(&name), copy.0.join(&name)).unwrap();
    }
    let found = runtime()
        .block_on(copy.open().get(id("kept")))
        .unwrap()
        .unwrap();
    assert_eq!(found.settlement(), Some(&settlement("kept", 1, 7)));
}

#[derive(Clone, Debug)]
enum Act {
    Create(u8),
    Settle(u8, u8),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is done, in whatever order, both stores say the same.
    #[test]
    fn sqlite_is_memory_that_lasts(acts in proptest::collection::vec(
        prop_oneof![
            (0..6_u8).prop_map(Act::Create),
            (0..6_u8, 0..4_u8).prop_map(|(ask, attempt)| Act::Settle(ask, attempt)),
        ],
        1..40,
    )) {
        let folder = Folder::new();
        let (sqlite, memory) = (folder.open(), Memory::default());
        runtime().block_on(async {
            for act in acts {
                match act {
                    Act::Create(ask) => {
                        let ask = record(&format!("ask{ask}"));
                        prop_assert_eq!(
                            sqlite.create(ask.clone()).await.unwrap(),
                            memory.create(ask).await.unwrap()
                        );
                    }
                    Act::Settle(ask, attempt) => {
                        let name = format!("ask{ask}");
                        let how = settlement(&name, usize::from(attempt % 2), u64::from(attempt));
                        prop_assert_eq!(
                            sqlite.settle(id(&name), how.clone()).await.unwrap(),
                            memory.settle(id(&name), how).await.unwrap()
                        );
                    }
                }
            }
            prop_assert_eq!(
                whole_feed(&sqlite, Cursor(0)).await,
                whole_feed(&memory, Cursor(0)).await
            );
            Ok(())
        })?;
    }
}
