//! The conformance test of stores: an ask is created once and closed once, a change does to it what
//! [`Write::apply`] does to a record, and it survives the process that wrote it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ask_core::ask::Choice;
use ask_core::record::{EarlierAnswer, Saved, Snooze};
use ask_core::{
    Answer, Ask, AskId, Asker, Digest, Draft, Gaps, Input, Outcome, Question, Record, Settlement,
    Time, Write, Written, lifecycle,
};
use proptest::prelude::*;

use super::memory::Memory;
use super::sqlite::Sqlite;
use super::{Store, StoreResult};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A temporary folder, removed on drop.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
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

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn open(&self) -> Sqlite {
        let file = self.0.join("ask-user.db");
        let opened = Sqlite::open(&file, &self.0.join("attachments"), DAY);
        opened.unwrap().store
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays is the system's to clean up.
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

pub(crate) fn id(name: &str) -> AskId {
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
        origin: None,
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

/// Persists one change.
async fn persist_one(store: &impl Store, write: Write) -> StoreResult<Written> {
    store.persist(vec![write]).await
}

pub(crate) fn create(name: &str) -> Write {
    Write::Create(Arc::new(record(name)))
}

fn settle(name: &str, pick: usize, attempt: u64) -> Write {
    let settlement = settlement(name, pick, attempt);
    Write::Settle(Arc::new(record(name)), Box::new(settlement))
}

/// Closes an ask whose deadline has passed.
pub(crate) fn expire(name: &str) -> Write {
    let expired = Settlement {
        outcome: Outcome::Expired,
        surface: lifecycle::CLOCK.into(),
        ..settlement(name, 0, 99)
    };
    Write::Settle(Arc::new(record(name)), Box::new(expired))
}

async fn conforms(store: Arc<impl Store>) {
    // Creating an ask twice makes one ask, and the second call receives the existing record.
    let first = Box::new(record("first"));
    assert_eq!(
        persist_one(&*store, create("first")).await,
        Ok(Written::Done)
    );
    let again = persist_one(&*store, create("first")).await;
    assert_eq!(again, Ok(Written::Existing(first.clone())));
    assert_eq!(store.get(id("first")).await, Ok(Some(*first)));
    assert_eq!(store.get(id("nobody")).await, Ok(None));

    // Of two concurrent settlements one wins, and the loser receives the winner's record. A
    // thousand rounds.
    for round in 0..1_000 {
        let name = format!("race{round}");
        persist_one(&*store, create(&name)).await.unwrap();
        let tries = [0, 1].map(|pick| {
            let (store, name) = (Arc::clone(&store), name.clone());
            tokio::spawn(
                async move { persist_one(&*store, settle(&name, pick, pick as u64 + 1)).await },
            )
        });
        let mut won = Vec::new();
        for (pick, attempt) in tries.into_iter().enumerate() {
            match attempt.await.unwrap().unwrap() {
                Written::Done => won.push(pick),
                Written::Existing(record) => {
                    let other = 1 - pick;
                    let theirs = settlement(&name, other, other as u64 + 1);
                    assert_eq!(record.settlement(), Some(&theirs));
                }
            }
        }
        assert_eq!(won.len(), 1, "round {round}");
    }

    // Stored bytes are read by their digest.
    let digest = store.put_blob(b"a picture".to_vec()).await.unwrap();
    assert_eq!(
        store.get_blob(digest).await.unwrap().as_deref(),
        Some(&b"a picture"[..])
    );
    assert_eq!(store.get_blob(Digest([0; 32])).await.unwrap(), None);
}

#[test]
fn memory_conforms() {
    runtime().block_on(conforms(Arc::new(Memory::default())));
}

#[test]
fn sqlite_conforms_and_survives_a_restart() {
    let folder = Folder::new();
    let store = Arc::new(folder.open());
    runtime().block_on(conforms(Arc::clone(&store)));
    Arc::into_inner(store).unwrap().close();

    let store = folder.open();
    runtime().block_on(async {
        let settled = store.get(id("race0")).await.unwrap().unwrap();
        assert!(!settled.is_open());
        assert_eq!(store.get(id("first")).await.unwrap(), Some(record("first")));
    });
}

#[test]
fn a_store_of_a_killed_process_has_all_changes() {
    let folder = Folder::new();
    let store = folder.open();
    runtime().block_on(async {
        persist_one(&store, create("answered")).await.unwrap();
        persist_one(&store, settle("answered", 1, 7)).await.unwrap();
    });
    // A killed process leaves the file and its log. They are copied while both are open, the log
    // first: pages that a checkpoint moves into the file meanwhile are then in both copies.
    let copy = Folder::new();
    for suffix in ["-wal", ""] {
        let name = format!("ask-user.db{suffix}");
        std::fs::copy(folder.0.join(&name), copy.0.join(&name)).unwrap();
    }
    let found = runtime()
        .block_on(copy.open().get(id("answered")))
        .unwrap()
        .unwrap();
    assert_eq!(found.settlement(), Some(&settlement("answered", 1, 7)));
}

/// A failed change undoes the other changes that were submitted with it, and no earlier one.
#[test]
fn changes_submitted_together_are_stored_all_or_none() {
    let folder = Folder::new();
    let store = folder.open();
    runtime().block_on(async {
        persist_one(&store, create("one")).await.unwrap();
        let failing = vec![Write::AskAgain(id("one"), Time(5)), settle("nobody", 0, 1)];
        assert!(store.persist(failing).await.is_err());
        let stored = store.get(id("one")).await.unwrap().unwrap();
        assert_eq!(stored, record("one"), "the first change is undone");
    });
}

/// Generates changes to four asks.
pub(crate) fn change() -> impl Strategy<Value = Write> {
    let ask = (0..4_u8).prop_map(|number| format!("ask{number}"));
    let asked = ask.clone().prop_map(|name| id(&name));
    let times = (1_000..9_000_i64).prop_map(Time);
    let draft = || Draft {
        answers: vec![Answer::picking([1])],
        note: Some("half".into()),
    };
    prop_oneof![
        3 => (ask.clone(), any::<bool>(), any::<bool>()).prop_map(move |(name, begun, repeated)| {
            let mut record = record(&name);
            record.draft = begun.then(|| Saved {
                draft: draft(),
                at: Time(500),
                surface: "below an agent".into(),
                revision: 0,
            });
            record.earlier_answer = repeated.then(|| EarlierAnswer {
                draft: draft(),
                at: Time(400),
            });
            Write::Create(Arc::new(record))
        }),
        3 => (ask.clone(), 0..4_u8).prop_map(|(name, attempt)| {
            settle(&name, usize::from(attempt % 2), u64::from(attempt))
        }),
        2 => ask.prop_map(|name| expire(&name)),
        2 => (asked.clone(), times.clone()).prop_map(move |(id, at)| {
            Write::SaveDraft(id, Box::new(draft()), "tui".into(), at)
        }),
        1 => (asked.clone(), proptest::option::of(times.clone()))
            .prop_map(|(id, at)| Write::SetDeadline(id, at)),
        1 => (asked.clone(), proptest::option::of(0..4_u64), times.clone())
            .prop_map(|(id, attempt, at)| Write::Deliver(id, attempt, at)),
        1 => (asked.clone(), proptest::option::of(times.clone()))
            .prop_map(|(id, at)| Write::Snooze(id, at.map(Snooze::Until))),
        1 => (asked.clone(), times.clone()).prop_map(|(id, at)| Write::AskAgain(id, at)),
        1 => (asked.clone(), times.clone()).prop_map(|(id, at)| {
            let caller = ask_core::Caller::unidentified(&id, at);
            Write::TakeOver(id, Box::new(caller))
        }),
        1 => (asked.clone(), times.clone())
            .prop_map(|(id, at)| Write::Reopen(id, Some(at), at)),
        1 => (asked.clone(), times.clone()).prop_map(|(id, at)| Write::SeeCaller(id, at)),
        1 => (asked.clone(), times.clone()).prop_map(|(id, at)| Write::SeeAgent(id, at)),
        1 => (asked.clone(), times).prop_map(|(id, at)| Write::Show(id, "web".into(), at)),
        1 => asked.prop_map(Write::Forget),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// After any sequence of changes both stores return the same results and records, also when the
    /// database was closed and opened in between.
    #[test]
    fn sqlite_equals_the_store_in_memory(changes in proptest::collection::vec(change(), 1..60)) {
        let folder = Folder::new();
        let (mut sqlite, memory) = (folder.open(), Memory::default());
        runtime().block_on(async {
            for (at, write) in changes.into_iter().enumerate() {
                // The engine never changes an ask that doesn't exist, so stores may differ there.
                let id = write.id().cloned();
                let id = id.expect("each generated change names an ask");
                let exists = memory.get(id).await.unwrap().is_some();
                if !exists && !matches!(write, Write::Create(_)) {
                    continue;
                }
                let by_sqlite = persist_one(&sqlite, write.clone()).await;
                prop_assert_eq!(by_sqlite, persist_one(&memory, write).await);
                if at % 16 == 15 {
                    sqlite.close();
                    sqlite = folder.open();
                }
            }
            for number in 0..4 {
                let id = id(&format!("ask{number}"));
                prop_assert_eq!(
                    sqlite.get(id.clone()).await.unwrap(),
                    memory.get(id).await.unwrap()
                );
            }
            Ok(())
        })?;
    }
}
