//! The store on one machine: SQLite with a write-ahead log. One thread writes (`writer`), one reads;
//! both wait on a channel and cost nothing while nothing happens.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use ask_config::clock;
use ask_config::exit::{Exit, Failure};
use ask_core::{AskId, Digest, Fingerprint, Record, Time, Write, Written};
use ask_protocol::native;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tokio::sync::oneshot;

use super::blobs::Blobs;
use super::high_water::HighWater;
use super::queries::{WorkingSet, working_set};
use super::writer::{self, Order, Then, Writer};
use super::{Store, StoreError, StoreResult, days, rows};

/// The version of the schema that this program writes.
pub(crate) const SCHEMA: i64 = MIGRATIONS.len() as i64;

/// Each brings a store of the version before it to its own. Never edited once released.
const MIGRATIONS: [Migration; 5] = [
    Migration::sql(include_str!("schema.sql")),
    Migration::sql(include_str!("0002_open_asks.sql")),
    Migration {
        sql: include_str!("0003_fingerprint.sql"),
        and_then: compute_fingerprints,
    },
    Migration::sql(include_str!("0004_notes.sql")),
    Migration {
        sql: include_str!("0005_day_counts.sql"),
        and_then: days::count_all,
    },
];

/// A step from one version of the schema to the next.
struct Migration {
    sql: &'static str,
    /// What SQL alone can't do, in the same transaction.
    and_then: fn(&Connection) -> rusqlite::Result<()>,
}

impl Migration {
    const fn sql(sql: &'static str) -> Self {
        Self {
            sql,
            and_then: |_| Ok(()),
        }
    }
}

/// Computes the fingerprints of all asks that may be taken up again. A row that can't be read is
/// left out: it is shown as damaged wherever it is read, and an ask that can't be read is never
/// taken up.
fn compute_fingerprints(db: &Connection) -> rusqlite::Result<()> {
    let mut rows =
        db.prepare("SELECT row, content FROM ask WHERE delivered_at IS NULL OR state = 'expired'")?;
    let mut update = db.prepare("UPDATE ask SET fingerprint = ?2 WHERE row = ?1")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (number, content): (i64, String) = (row.get(0)?, row.get(1)?);
        if let Ok(record) = native::read_record(&content) {
            update.execute([number, Fingerprint::of_record(&record).0])?;
        }
    }
    Ok(())
}

/// For so long a step waits for another process that has the file.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The store of one person.
pub struct Sqlite {
    orders: mpsc::Sender<Order>,
    questions: mpsc::Sender<Question>,
    damage: mpsc::Sender<String>,
    /// The files that answers carry.
    pub blobs: Blobs,
    threads: Vec<JoinHandle<()>>,
}

/// What opening a store brought to light besides the store.
pub struct Opened {
    /// The store.
    pub store: Sqlite,
    /// What an engine begins with.
    pub working_set: WorkingSet,
    /// Where the last damaged store was set aside, now or earlier, as long as it is there.
    pub set_aside: Option<PathBuf>,
    /// Damage that is found later on arrives here.
    pub corrupt: Option<mpsc::Receiver<String>>,
}

type Question = Box<dyn FnOnce(&Connection) + Send>;

impl Sqlite {
    /// Opens the store, making or migrating it; a damaged one is set aside, never deleted.
    /// An ask that was left behind can be taken up for so long.
    pub fn open(file: &Path, attachments: &Path, take_up: Duration) -> anyhow::Result<Opened> {
        let db = match prepare(file) {
            Ok(db) => {
                report_data_loss(file, &db)?;
                db
            }
            Err(Unusable::Damaged(problem)) => {
                quarantine(file, &problem)?;
                let db = prepare(file).map_err(|unusable| unusable.explain(file))?;
                // It begins with nothing, and that was said.
                let _ = HighWater::read(file).raise(&db);
                db
            }
            Err(unusable) => return Err(unusable.explain(file)),
        };
        let reader = connect(file)?;
        let take_up_ms = u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX);
        let (now, midnight): (Time, Time) = (clock::now(), clock::midnight());
        let working_set = working_set(&reader, now, take_up_ms, midnight)?;
        let (orders, written) = mpsc::channel();
        let (questions, asked) = mpsc::channel::<Question>();
        let (damage, corrupt) = mpsc::channel();
        let writer = Writer::with_connection(db, file)?;
        let damage_read = damage.clone();
        let writing = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || writer.run(&written, &damage))?;
        let reading = std::thread::Builder::new()
            .name("store-reader".into())
            .spawn(move || {
                while let Ok(question) = asked.recv() {
                    question(&reader);
                }
            })?;
        let store = Self {
            orders,
            questions,
            damage: damage_read,
            blobs: Blobs::in_folder(attachments),
            threads: vec![reading, writing],
        };
        Ok(Opened {
            store,
            working_set,
            set_aside: set_aside(file).pop(),
            corrupt: Some(corrupt),
        })
    }

    /// Writes out what is queued and ends both threads.
    pub fn close(self) {
        let Self {
            orders,
            questions,
            threads,
            ..
        } = self;
        drop((orders, questions));
        for thread in threads {
            let _ = thread.join();
        }
    }

    /// Damage is passed on as well: the hub must start again to mend it.
    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        let failure = writer::failure(error);
        if let StoreError::Corrupt(problem) = &failure {
            let _ = self.damage.send(problem.clone());
        }
        failure
    }

    /// Asks the reading thread, which has time.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreResult<T> {
        let (reply, answer) = oneshot::channel();
        let question: Question = Box::new(move |db| {
            let _ = reply.send(question(db));
        });
        self.questions
            .send(question)
            .map_err(|_| StoreError::Closed)?;
        let found = answer.await.map_err(|_| StoreError::Closed)?;
        found.map_err(|error| self.failed(&error))
    }

    /// Hands changes over, all or none. `then` hears what became of them, on the thread that writes,
    /// in the order in which they were handed over.
    pub fn hand_over(&self, writes: Vec<Write>, then: Then<Written>) {
        self.order(Order::persist(writes, then));
    }

    pub(crate) fn order(&self, order: Order) {
        // The thread ends after the last sender.
        let _ = self.orders.send(order);
    }
}

impl Store for Sqlite {
    async fn persist(&self, writes: Vec<Write>) -> StoreResult<Written> {
        self.told(|then| Order::persist(writes, then)).await
    }

    async fn get(&self, id: AskId) -> StoreResult<Option<Record>> {
        self.read(move |db| rows::get(db, id.as_str())).await
    }

    async fn put_blob(&self, bytes: Vec<u8>) -> StoreResult<Digest> {
        let blobs = self.blobs.clone();
        // The reading thread has time; the writing one must not wait for a large file.
        let kept = self.read(move |_| Ok(blobs.keep(&bytes))).await?;
        kept.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    async fn get_blob(&self, digest: Digest) -> StoreResult<Option<Vec<u8>>> {
        let blobs = self.blobs.clone();
        let bytes = self.read(move |_| Ok(blobs.get(&digest))).await?;
        bytes.map_err(|error| StoreError::Unavailable(error.to_string()))
    }
}

enum Unusable {
    Damaged(String),
    Newer(i64),
    Other(rusqlite::Error),
}

impl Unusable {
    fn explain(self, file: &Path) -> anyhow::Error {
        let file = file.display();
        match self {
            Self::Damaged(problem) => Failure::new(
                Exit::Failure,
                format!("the store {file} is damaged: {problem}"),
                "move the file away; ask-user then begins a new one",
            )
            .into(),
            Self::Newer(found) => Failure::new(
                Exit::Failure,
                format!(
                    "the store {file} was written by a newer ask-user (version {found} of the store, this one knows {SCHEMA}); it was not touched"
                ),
                "install the newer ask-user again, or set ASK_USER_HOME to another folder",
            )
            .into(),
            Self::Other(error) => Failure::new(
                Exit::Failure,
                format!("the store {file} can't be opened: {error}"),
                "check that the folder is yours and that the disk has room",
            )
            .into(),
        }
    }
}

impl From<rusqlite::Error> for Unusable {
    fn from(error: rusqlite::Error) -> Self {
        match writer::failure(&error) {
            StoreError::Corrupt(problem) => Self::Damaged(problem),
            StoreError::Unavailable(_) | StoreError::Closed => Self::Other(error),
        }
    }
}

pub(crate) fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.set_prepared_statement_cache_capacity(32);
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA fullfsync = 1;
         PRAGMA wal_autocheckpoint = 1000; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(db)
}

/// One note of a store that a hub may have open.
///
/// # Errors
/// The store can't be read.
pub fn read_note(file: &Path, key: &str) -> StoreResult<Option<String>> {
    let read = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(file, flags)?;
        db.busy_timeout(PATIENCE)?;
        let sql = "SELECT value FROM note WHERE key = ?1";
        db.query_row(sql, [key], |row| row.get(0)).optional()
    };
    read().map_err(|error| writer::failure(&error))
}

fn prepare(file: &Path) -> Result<Connection, Unusable> {
    let mut db = connect(file)?;
    let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > SCHEMA {
        return Err(Unusable::Newer(version));
    }
    if version > 0 && suspicious(file) {
        let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(Unusable::Damaged(verdict));
        }
        let _ = std::fs::remove_file(mark(file));
    }
    migrate(&mut db, version)?;
    Ok(db)
}

fn migrate(db: &mut Connection, version: i64) -> rusqlite::Result<()> {
    for (at, migration) in MIGRATIONS.iter().enumerate() {
        let reaches = at as i64 + 1;
        if reaches > version {
            let transaction = db.transaction()?;
            transaction.execute_batch(migration.sql)?;
            (migration.and_then)(&transaction)?;
            transaction.pragma_update(None, "user_version", reaches)?;
            transaction.commit()?;
        }
    }
    Ok(())
}

/// A store of this program's version, for tests of single queries.
#[cfg(test)]
pub(crate) fn in_memory() -> Connection {
    let mut db = Connection::open_in_memory().unwrap();
    migrate(&mut db, 0).unwrap();
    db
}

/// Small stores are checked at every start; large ones only after trouble was seen.
fn suspicious(file: &Path) -> bool {
    const SMALL: u64 = 8 * 1024 * 1024;
    let size = std::fs::metadata(file).map_or(0, |about| about.len());
    size <= SMALL || mark(file).exists()
}

/// The file beside a store that says that its next opening must check all of it.
pub fn mark(file: &Path) -> PathBuf {
    file.with_extension("check")
}

/// Moves a damaged store and all that belongs to it out of the way.
fn quarantine(file: &Path, problem: &str) -> anyhow::Result<()> {
    let place = beside_now(file, DAMAGED);
    for suffix in ["", "-wal", "-shm"] {
        let with = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        match std::fs::rename(with(file), with(&place)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
    }
    let _ = std::fs::remove_file(mark(file));
    tracing::error!(
        "the store was damaged ({problem}); it is kept as {}",
        place.display()
    );
    Ok(())
}

/// Notes that a store has lost what it had, where the mark beside it says so. There is nothing to set
/// aside: what it still has stays.
fn report_data_loss(file: &Path, db: &Connection) -> anyhow::Result<()> {
    let mut mark = HighWater::read(file);
    if !mark.is_above(db)? {
        return Ok(());
    }
    let place = beside_now(file, LOST);
    std::fs::write(&place, "")?;
    // Without room for it, the next hub finds the same once more.
    let _ = mark.raise(db);
    tracing::error!("{}; what was in it is missing", describe_set_aside(&place));
    Ok(())
}

/// What the name of a store that was set aside goes on with, and that of a note that one is lost.
const DAMAGED: &str = "db.damaged-";
const LOST: &str = "db.lost-";

fn beside_now(file: &Path, kind: &str) -> PathBuf {
    let stamp = clock::now().to_string().replace(':', "-");
    file.with_extension(format!("{kind}{stamp}"))
}

/// What one of [`set_aside`] tells of.
pub fn describe_set_aside(place: &Path) -> String {
    let is_lost = place.to_string_lossy().contains(LOST);
    let place = place.display();
    match is_lost {
        true => format!(
            "the store was removed, emptied, cut or replaced by an older one while no hub ran ({place} is when that was found)"
        ),
        false => format!("a store was damaged and set aside as {place}"),
    }
}

/// Stores that were damaged once and are still there, and notes of those that were lost, the last one
/// last.
pub fn set_aside(file: &Path) -> Vec<PathBuf> {
    let begins = [DAMAGED, LOST].map(|kind| {
        let one = file.with_extension(kind);
        one.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    });
    let is_one = |name: &str| {
        begins.iter().any(|begins| name.starts_with(begins))
            && !name.ends_with("-wal")
            && !name.ends_with("-shm")
    };
    let beside = file.parent().and_then(|folder| folder.read_dir().ok());
    let entries = beside.into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> = entries
        .filter(|entry| is_one(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    places.sort_by_key(|place| {
        // By when it was, whichever it is.
        let name = place.to_string_lossy().into_owned();
        name.rsplit_once(LOST)
            .or(name.rsplit_once(DAMAGED))
            .map(|(_, at)| at.to_owned())
    });
    places
}
