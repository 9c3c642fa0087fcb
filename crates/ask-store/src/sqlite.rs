//! The store in SQLite, with a write-ahead log. One thread writes (`writer`) and one reads. Both
//! block on a channel while there is nothing to do.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use ask_config::clock;
use ask_config::exit::{Exit, Failure};
use ask_config::home;
use ask_core::{AskId, Digest, Fingerprint, Record, Time, Write, Written};
use ask_protocol::native;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tokio::sync::oneshot;

use super::blobs::Blobs;
use super::files::StoreFiles;
use super::high_water::HighWater;
use super::queries::{WorkingSet, working_set};
use super::writer::{self, Completion, Job, Writer};
use super::{Store, StoreError, StoreResult, days, rows};

/// The version of the schema that this program writes.
pub(crate) const SCHEMA: i64 = MIGRATIONS.len() as i64;

/// The migrations: the first creates version 1, and each other one leads from the version before it
/// to its own. A released migration is never changed.
const MIGRATIONS: [Migration; 9] = [
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
    Migration::sql(include_str!("0006_earlier_answer.sql")),
    Migration::sql(include_str!("0007_caller_seen.sql")),
    Migration::sql(include_str!("0008_agent_seen.sql")),
    Migration::sql(include_str!("0009_taken_back.sql")),
];

/// A step from one version of the schema to the next.
struct Migration {
    sql: &'static str,
    /// The part that SQL alone can't do. Runs after `sql` in the same transaction.
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

/// Computes the fingerprints of all asks that may be taken up. A row that can't be read is skipped:
/// whatever reads it later reports the damage, and an ask that can't be read is never taken up.
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

/// How long a statement waits while another process has locked the file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The store of one person.
pub struct Sqlite {
    jobs: mpsc::Sender<Job>,
    queries: mpsc::Sender<Query>,
    /// How many queries were sent.
    reads: AtomicU64,
    damage: mpsc::Sender<String>,
    files: StoreFiles,
    /// The files that answers, drafts and offered answers name.
    pub blobs: Blobs,
    threads: Vec<JoinHandle<()>>,
}

/// A store that was opened.
pub struct Opened {
    /// The store.
    pub store: Sqlite,
    /// The state that an engine starts with.
    pub working_set: WorkingSet,
    /// The last of [`set_aside`].
    pub set_aside: Option<PathBuf>,
    /// Receives a description of damage that is found while the store is open.
    pub corrupt: Option<mpsc::Receiver<String>>,
}

/// A query for the thread that reads.
type Query = Box<dyn FnOnce(&Connection) + Send>;

impl Sqlite {
    /// Opens the store, and creates or migrates it if necessary. A damaged store is set aside and
    /// never deleted. The working set includes expired asks for `take_up` after they were asked.
    ///
    /// # Errors
    /// The store can't be opened or set aside, or was written by a newer version.
    pub fn open(file: &Path, attachments: &Path, take_up: Duration) -> anyhow::Result<Opened> {
        let db = match prepare(file) {
            Ok(db) => {
                report_data_loss(file, &db)?;
                db
            }
            Err(Unusable::Damaged(problem)) => {
                quarantine(file, &problem)?;
                let db = prepare(file).map_err(|unusable| unusable.into_error(file))?;
                // The new store is empty, and the damage was reported. The mark must not report the
                // same loss again; if it can't be raised, it does.
                let _ = HighWater::read(file).raise(&db);
                db
            }
            Err(unusable) => return Err(unusable.into_error(file)),
        };
        let reader = connect(file)?;
        let take_up_ms = u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX);
        let (now, midnight): (Time, Time) = (clock::now(), clock::midnight());
        let working_set = working_set(&reader, now, take_up_ms, midnight)?;
        let (jobs, queued_jobs) = mpsc::channel();
        let (queries, queued_queries) = mpsc::channel::<Query>();
        let (damage, corrupt) = mpsc::channel();
        let writer = Writer::with_connection(db, file)?;
        let files = writer.files().clone();
        let damage_to_writer = damage.clone();
        let writer_thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || writer.run(&queued_jobs, &damage_to_writer))?;
        let reader_thread = std::thread::Builder::new()
            .name("store-reader".into())
            .spawn(move || {
                while let Ok(query) = queued_queries.recv() {
                    query(&reader);
                }
            })?;
        let store = Self {
            jobs,
            queries,
            reads: AtomicU64::new(0),
            damage,
            files,
            blobs: Blobs::in_folder(attachments),
            threads: vec![reader_thread, writer_thread],
        };
        Ok(Opened {
            store,
            working_set,
            set_aside: set_aside(file).pop(),
            corrupt: Some(corrupt),
        })
    }

    /// The paths of the files that are open as long as the store is.
    pub fn open_files(&self) -> [PathBuf; 2] {
        self.files.paths()
    }

    /// Whether one of these files was removed or replaced. What is stored then goes into a file that
    /// nobody can open again, until [`Self::close`] restores it.
    pub fn has_lost_files(&self) -> bool {
        !self.files.are_in_place()
    }

    /// Executes all queued jobs and queries and ends both threads. Restores the store if its files
    /// were removed meanwhile.
    pub fn close(self) {
        let Self {
            jobs,
            queries,
            threads,
            ..
        } = self;
        drop((jobs, queries));
        for thread in threads {
            // A panic of a thread was reported when it happened.
            let _ = thread.join();
        }
    }

    /// Converts an error of SQLite. Damage is also sent to [`Opened::corrupt`], because only a
    /// restart of the hub sets a damaged store aside.
    fn read_error(&self, error: &rusqlite::Error) -> StoreError {
        let error = writer::store_error(error);
        if let StoreError::Corrupt(problem) = &error {
            // Without a watcher the error alone reports the damage.
            let _ = self.damage.send(problem.clone());
        }
        error
    }

    /// Runs a query on the thread that reads, so that it doesn't delay writes.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreResult<T> {
        let (reply, result) = oneshot::channel();
        let query: Query = Box::new(move |db| {
            // The receiver is gone if the caller stopped waiting.
            let _ = reply.send(query(db));
        });
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.queries.send(query).map_err(|_| StoreError::Closed)?;
        let result = result.await.map_err(|_| StoreError::Closed)?;
        result.map_err(|error| self.read_error(&error))
    }

    /// How many queries this store has received since it was opened. Nothing else reads it.
    #[cfg(feature = "testing")]
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Submits changes, to be applied all or none. `completion` receives the result on the thread
    /// that writes. Completions run in the order of submission.
    pub fn submit(&self, writes: Vec<Write>, completion: Completion<Written>) {
        self.send(Job::persist(writes, completion));
    }

    pub(crate) fn send(&self, job: Job) {
        // The writer ends only after this sender is dropped. If it panicked, the completion is
        // dropped without a call.
        let _ = self.jobs.send(job);
    }
}

impl Store for Sqlite {
    async fn persist(&self, writes: Vec<Write>) -> StoreResult<Written> {
        self.run(|completion| Job::persist(writes, completion))
            .await
    }

    async fn get(&self, id: AskId) -> StoreResult<Option<Record>> {
        self.read(move |db| rows::get(db, id.as_str())).await
    }

    async fn put_blob(&self, bytes: Vec<u8>) -> StoreResult<Digest> {
        let blobs = self.blobs.clone();
        // On the thread that reads, because asks would wait while the other one writes a large
        // file.
        let stored = self.read(move |_| Ok(blobs.put(&bytes))).await?;
        stored.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    async fn get_blob(&self, digest: Digest) -> StoreResult<Option<Vec<u8>>> {
        let blobs = self.blobs.clone();
        let bytes = self.read(move |_| Ok(blobs.get(&digest))).await?;
        bytes.map_err(|error| StoreError::Unavailable(error.to_string()))
    }
}

/// Why a store can't be used.
enum Unusable {
    Damaged(String),
    /// A newer version of this program wrote the store, with this version of the schema.
    Newer(i64),
    Other(rusqlite::Error),
}

impl Unusable {
    fn into_error(self, file: &Path) -> anyhow::Error {
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
        match writer::store_error(&error) {
            StoreError::Corrupt(problem) => Self::Damaged(problem),
            StoreError::Unavailable(_) | StoreError::Closed => Self::Other(error),
        }
    }
}

pub(crate) fn connect(file: &Path) -> rusqlite::Result<Connection> {
    connect_with(file, OpenFlags::SQLITE_OPEN_CREATE)
}

/// Connects to a store that exists.
pub(crate) fn connect_to_existing(file: &Path) -> rusqlite::Result<Connection> {
    connect_with(file, OpenFlags::empty())
}

fn connect_with(file: &Path, more: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let db = Connection::open_with_flags(file, flags)?;
    db.set_prepared_statement_cache_capacity(32);
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA fullfsync = 1;
         PRAGMA wal_autocheckpoint = 1000; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(db)
}

/// Reads one note of a store. A hub may have the store open.
///
/// # Errors
/// The store can't be read.
pub fn read_note(file: &Path, key: &str) -> StoreResult<Option<String>> {
    let read = || {
        let db = connect_read_only(file)?;
        let sql = "SELECT value FROM note WHERE key = ?1";
        db.query_row(sql, [key], |row| row.get(0)).optional()
    };
    read().map_err(|error| writer::store_error(&error))
}

/// Whether this version can open a store: no newer one has written it.
pub fn is_known(file: &Path) -> bool {
    let version = || schema_version(&connect_read_only(file)?);
    version().is_ok_and(|version| version <= SCHEMA)
}

fn schema_version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn connect_read_only(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    Ok(db)
}

/// Creates an empty database that its owner alone can read, unless it exists. SQLite would create it by the
/// umask, in place of which a default access list of the folder counts. It gives its other files the same mode.
pub(crate) fn create_private(file: &Path) {
    // SQLite reports why it can't be created.
    let _ = home::private_append(file);
}

/// Opens, checks and migrates a store.
fn prepare(file: &Path) -> Result<Connection, Unusable> {
    create_private(file);
    let mut db = connect(file)?;
    let version = schema_version(&db)?;
    if version > SCHEMA {
        return Err(Unusable::Newer(version));
    }
    if version > 0 && needs_check(file) {
        let result: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if result != "ok" {
            return Err(Unusable::Damaged(result));
        }
        // A file that stays only has the next opening check the store again.
        let _ = std::fs::remove_file(check_request(file));
    }
    migrate(&mut db, version)?;
    Ok(db)
}

fn migrate(db: &mut Connection, version: i64) -> rusqlite::Result<()> {
    for (at, migration) in MIGRATIONS.iter().enumerate() {
        let target = at as i64 + 1;
        if target > version {
            let transaction = db.transaction()?;
            transaction.execute_batch(migration.sql)?;
            (migration.and_then)(&transaction)?;
            transaction.pragma_update(None, "user_version", target)?;
            transaction.commit()?;
        }
    }
    Ok(())
}

/// An empty database with the current schema, for tests of single queries.
#[cfg(test)]
pub(crate) fn in_memory() -> Connection {
    let mut db = Connection::open_in_memory().unwrap();
    migrate(&mut db, 0).unwrap();
    db
}

/// Whether to check a whole store before use. Small stores are checked at every start, large ones
/// only after damage was seen.
fn needs_check(file: &Path) -> bool {
    const SMALL: u64 = 8 * 1024 * 1024;
    let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    size <= SMALL || check_request(file).exists()
}

/// The path of the file whose existence requests a check of the whole store at its next opening.
pub fn check_request(file: &Path) -> PathBuf {
    file.with_extension("check")
}

/// Renames a damaged store and its log, so that a new store can be created.
fn quarantine(file: &Path, problem: &str) -> anyhow::Result<()> {
    let target = timestamped(file, DAMAGED);
    for suffix in ["", "-wal", "-shm"] {
        match std::fs::rename(with_suffix(file, suffix), with_suffix(&target, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
    }
    // A file that stays only has the new store checked as well.
    let _ = std::fs::remove_file(check_request(file));
    tracing::error!(
        "the store was damaged ({problem}); it is kept as {}",
        target.display()
    );
    Ok(())
}

/// A path with more letters at its end, as SQLite names the log of a database.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// If the store is below its high-water mark, creates an empty file that reports the loss, and logs
/// it. The store stays in use, because what it still has is not damaged.
fn report_data_loss(file: &Path, db: &Connection) -> anyhow::Result<()> {
    let mut mark = HighWater::read(file);
    if !mark.is_above(db)? {
        return Ok(());
    }
    let report = timestamped(file, LOST);
    std::fs::write(&report, "")?;
    // If this fails, for example on a full disk, the next hub reports the same loss again.
    let _ = mark.raise(db);
    tracing::error!("{}; what was in it is missing", describe_set_aside(&report));
    Ok(())
}

/// The extension of a damaged store that was set aside, before the time.
const DAMAGED: &str = "db.damaged-";
/// The extension of an empty file that reports a loss, before the time.
const LOST: &str = "db.lost-";
/// The extension of a store in whose place another one was put, before the time.
const REPLACED: &str = "db.replaced-";

const KINDS: [&str; 3] = [DAMAGED, LOST, REPLACED];

/// Where a store is set aside because its own path leads to another file.
pub(crate) fn replaced_path(file: &Path) -> PathBuf {
    timestamped(file, REPLACED)
}

fn timestamped(file: &Path, extension: &str) -> PathBuf {
    let time = clock::now().to_string().replace(':', "-");
    file.with_extension(format!("{extension}{time}"))
}

/// Describes one of the paths of [`set_aside`] to a person.
pub fn describe_set_aside(path: &Path) -> String {
    let name = path.to_string_lossy();
    let place = path.display();
    if name.contains(LOST) {
        format!(
            "the store was removed, emptied, cut or replaced by an older one while no hub ran ({place} is when that was found)"
        )
    } else if name.contains(REPLACED) {
        format!("another store was put in the place of one in use, which was set aside as {place}")
    } else {
        format!("a store was damaged and set aside as {place}")
    }
}

/// The stores that were set aside and the reports of losses, as long as the files exist.
/// The newest is the last.
pub fn set_aside(file: &Path) -> Vec<PathBuf> {
    let prefixes = KINDS.map(|extension| {
        let path = file.with_extension(extension);
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    });
    let is_set_aside = |name: &str| {
        prefixes.iter().any(|prefix| name.starts_with(prefix))
            && !name.ends_with("-wal")
            && !name.ends_with("-shm")
    };
    let folder = file.parent().and_then(|folder| folder.read_dir().ok());
    let entries = folder.into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter(|entry| is_set_aside(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    paths.sort_by_key(|path| {
        // All kinds are sorted together, by the time in the name.
        let name = path.to_string_lossy().into_owned();
        let mut times = KINDS.iter().filter_map(|kind| name.rsplit_once(kind));
        times.next().map(|(_, time)| time.to_owned())
    });
    paths
}
