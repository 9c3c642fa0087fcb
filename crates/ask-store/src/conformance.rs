//! What every store must do: an ask is kept once and closed once, a change does to it what
//! [`Write::apply`] does to a record, and it survives whoever wrote it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ask_core::ask::Choice;
use ask_core::record::{Saved, Snooze};
use ask_core::{
    Answer, Ask, AskId, Asker, Digest, Draft, Gaps, Input, Outcome, Question, Record, Settlement,
    Time, Write, Written, lifecycle,
};
use proptest::prelude::*;

use super::memory::Memory;
use super::sqlite::Sqlite;
use super::{Store, StoreResult};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder that goes with the test.
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

    pub(crate) fn open(&self) -> Sqlite {
        let file = self.0.join("ask-user.db");
        let opened = Sqlite::open(&file, &self.0.join("attachments"), DAY);
        opened.unwrap().store
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

/// Keeps one change.
async fn keep(store: &impl Store, write: Write) -> StoreResult<Written> {
    store.persist(vec![write]).await
}

pub(crate) fn create(name: &str) -> Write {
    Write::Create(Arc::new(record(name)))
}

fn settle(name: &str, pick: usize, attempt: u64) -> Write {
    let settlement = settlement(name, pick, attempt);
    Write::Settle(Arc::new(record(name)), Box::new(settlement))
}

/// Its time passes.
pub(crate) fn expire(name: &str) -> Write {
    let expired = Settlement {
        outcome: Outcome::Expired,
        surface: lifecycle::CLOCK.into(),
        ..settlement(name, 0, 99)
    };
    Write::Settle(Arc::new(record(name)), Box::new(expired))
}

async fn conforms(store: Arc<impl Store>) {
    // The same ask twice is one ask, and the second call learns how it stands.
    let first = Box::new(record("first"));
    assert_eq!(keep(&*store, create("first")).await, Ok(Written::Done));
    let again = keep(&*store, create("first")).await;
    assert_eq!(again, Ok(Written::Existing(first.clone())));
    assert_eq!(store.get(id("first")).await, Ok(Some(*first)));
    assert_eq!(store.get(id("nobody")).await, Ok(None));

    // A thousand races of two: one wins, and the loser is told who did.
    for round in 0..1_000 {
        let name = format!("race{round}");
        keep(&*store, create(&name)).await.unwrap();
        let tries = [0, 1].map(|pick| {
            let (store, name) = (Arc::clone(&store), name.clone());
            tokio::spawn(async move { keep(&*store, settle(&name, pick, pick as u64 + 1)).await })
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

    // Bytes come back under their digest.
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
fn sqlite_conforms_and_remembers() {
    let folder = Folder::new();
    let store = Arc::new(folder.open());
    runtime().block_on(conforms(Arc::clone(&store)));
    Arc::into_inner(store).unwrap().close();

    // The next process finds all of it.
    let store = folder.open();
    runtime().block_on(async {
        let kept = store.get(id("race0")).await.unwrap().unwrap();
        assert!(!kept.is_open());
        assert_eq!(store.get(id("first")).await.unwrap(), Some(record("first")));
    });
}

#[test]
fn a_store_that_nobody_closed_is_whole() {
    let folder = Folder::new();
    let store = folder.open();
    runtime().block_on(async {
        keep(&store, create("kept")).await.unwrap();
        keep(&store, settle("kept", 1, 7)).await.unwrap();
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

/// An order that fails takes nothing with it, and changes of one order are kept together.
#[test]
fn what_is_handed_over_together_is_kept_together() {
    let folder = Folder::new();
    let store = folder.open();
    runtime().block_on(async {
        keep(&store, create("one")).await.unwrap();
        let nobody = vec![Write::AskAgain(id("one"), Time(5)), settle("nobody", 0, 1)];
        assert!(store.persist(nobody).await.is_err());
        let kept = store.get(id("one")).await.unwrap().unwrap();
        assert_eq!(kept, record("one"), "nothing of it was kept");
    });
}

pub(crate) fn change() -> impl Strategy<Value = Write> {
    let ask = (0..4_u8).prop_map(|number| format!("ask{number}"));
    let asked = ask.clone().prop_map(|name| id(&name));
    let times = (1_000..9_000_i64).prop_map(Time);
    let draft = || Draft {
        answers: vec![Answer::picking([1])],
        note: Some("half".into()),
    };
    prop_oneof![
        3 => (ask.clone(), proptest::bool::ANY).prop_map(move |(name, repeats)| {
            let mut record = record(&name);
            record.draft = repeats.then(|| Saved {
                draft: draft(),
                at: Time(500),
                surface: ask_core::record::EARLIER.into(),
                revision: 0,
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
        1 => (asked.clone(), times).prop_map(|(id, at)| Write::Show(id, "web".into(), at)),
        1 => asked.prop_map(Write::Forget),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever is changed, in whatever order, both stores say the same, and what the engine has in
    /// memory is what the next hub reads.
    #[test]
    fn sqlite_is_memory_that_lasts(changes in proptest::collection::vec(change(), 1..60)) {
        let folder = Folder::new();
        let (mut sqlite, memory) = (folder.open(), Memory::default());
        runtime().block_on(async {
            for (at, write) in changes.into_iter().enumerate() {
                // Of an ask that is not there nothing is written; the engine never does that.
                let known = write.id().cloned();
                let known = known.expect("each is about an ask");
                let is_there = memory.get(known).await.unwrap().is_some();
                if !is_there && !matches!(write, Write::Create(_)) {
                    continue;
                }
                let (one, other) = (keep(&sqlite, write.clone()).await, keep(&memory, write).await);
                prop_assert_eq!(one, other);
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
