//! The open sessions of agents over HTTP. While a session is open, no other caller can take up its
//! asks. What a session was initialized with is stored, so that it survives a restart of the hub
//! and takes little memory while its client is silent.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::secret::hex;
use ask_core::{Caller, Process, Time};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::note_writer::NoteWriter;

/// How long a session stays open while its client is silent.
pub const LEASE: Duration = Duration::from_secs(30 * 60);

/// How many sessions are open at a time, and the bytes of all their initialize requests. Beyond
/// that, a new session evicts those without asks that have been silent for the longest. Only a
/// flood reaches these limits: an evicted session counts as gone.
const MOST: usize = 20_000;
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The largest initialize request of a session, in bytes.
pub const MOST_GREETING: usize = 64 * 1024;

/// The prefix of the store's notes about sessions.
const KEY: &str = "session.";

/// All open sessions, by the instance names under which asks refer to them.
#[derive(Debug, Default)]
pub struct AgentSessions {
    all: Mutex<Table>,
    /// Stores the notes. Without it, sessions end with the process.
    writer: OnceLock<NoteWriter>,
}

#[derive(Debug, Default)]
struct Table {
    by_instance: HashMap<String, AgentSession>,
    /// The total bytes of the initialize requests.
    bytes: usize,
}

impl Table {
    fn insert(&mut self, instance: String, standing: AgentSession) {
        self.bytes += standing.greeting.len();
        if let Some(before) = self.by_instance.insert(instance, standing) {
            self.bytes -= before.greeting.len();
        }
    }

    fn remove(&mut self, instance: &str) -> Option<AgentSession> {
        let standing = self.by_instance.remove(instance)?;
        self.bytes -= standing.greeting.len();
        Some(standing)
    }

    fn get(&self, instance: &str) -> Option<&AgentSession> {
        self.by_instance.get(instance)
    }

    fn get_mut(&mut self, instance: &str) -> Option<&mut AgentSession> {
        self.by_instance.get_mut(instance)
    }

    /// Removes the sessions that don't match, and returns their instance names.
    fn retain(&mut self, stays: impl Fn(&AgentSession) -> bool) -> Vec<String> {
        let gone = self.by_instance.extract_if(|_, standing| !stays(standing));
        let gone: Vec<(String, AgentSession)> = gone.collect();
        self.bytes -= gone
            .iter()
            .map(|(_, one)| one.greeting.len())
            .sum::<usize>();
        gone.into_iter().map(|(instance, _)| instance).collect()
    }

    /// Among the sessions without asks, the one that has been silent for the longest.
    fn longest_silent(&self) -> Option<String> {
        let idle = self.by_instance.iter().filter(|(_, one)| !one.has_asked);
        let silent = idle.min_by_key(|(_, one)| one.used_at);
        silent.map(|(instance, _)| instance.clone())
    }
}

#[derive(Debug)]
struct AgentSession {
    began: Time,
    /// The client's initialize request, for whoever resumes the session.
    greeting: String,
    used_at: Instant,
    /// The process that sends its requests, once it was looked up.
    process: Option<Process>,
    /// Whether the session has asked something: at this hub, or at a previous one with an outcome
    /// that is not delivered yet.
    has_asked: bool,
    /// Whether the session is stored. Until then it may not ask: after a restart its asks would
    /// seem abandoned.
    is_kept: bool,
}

impl AgentSession {
    fn stands(&self) -> bool {
        self.used_at.elapsed() < LEASE
    }

    /// Reads a stored note. The time of silence is not stored, so the lease starts again.
    fn read(note: &str, has_asked: bool) -> Option<Self> {
        let (began, greeting) = note.split_once(' ')?;
        Some(Self {
            began: Time(began.parse().ok()?),
            greeting: greeting.to_owned(),
            used_at: Instant::now(),
            process: None,
            has_asked,
            is_kept: true,
        })
    }
}

impl AgentSessions {
    /// Restores the sessions from the store's notes. `askers` are the callers of asks that are open
    /// or undelivered.
    pub fn read<'a>(
        notes: &BTreeMap<String, String>,
        askers: impl Iterator<Item = &'a Caller>,
    ) -> Self {
        let asked_in: HashSet<&str> = askers.map(|caller| caller.instance.as_str()).collect();
        let mut all = Table::default();
        for (key, note) in notes {
            let Some(instance) = key.strip_prefix(KEY) else {
                continue;
            };
            if let Some(standing) = AgentSession::read(note, asked_in.contains(instance)) {
                all.insert(instance.to_owned(), standing);
            }
        }
        Self {
            all: Mutex::new(all),
            writer: OnceLock::new(),
        }
    }

    /// Stores the sessions with this writer, from now on.
    pub fn keep(&self, writer: NoteWriter) {
        // Called once at start, so the cell is empty.
        let _ = self.writer.set(writer);
    }

    /// Begins a session. The returned future resolves once the session is stored or storing has
    /// failed.
    pub fn begin(&self, id: &str, greeting: String) -> impl Future<Output = ()> {
        let standing = AgentSession {
            began: clock::now(),
            greeting,
            used_at: Instant::now(),
            process: None,
            has_asked: false,
            // Without a store, the session and its asks end with this process.
            is_kept: self.writer.get().is_none(),
        };
        self.make_room(standing.greeting.len());
        self.lock_table().insert(instance(id), standing);
        self.keep_if_needed(id)
    }

    /// Stores a session that could not be stored when it began.
    pub async fn keep_if_needed(&self, id: &str) {
        let instance = instance(id);
        let note = {
            let all = self.lock_table();
            let Some(standing) = all.get(&instance).filter(|one| !one.is_kept) else {
                return;
            };
            format!("{} {}", standing.began.0, standing.greeting)
        };
        let Some(kept) = self.note(&instance, Some(note)) else {
            return;
        };
        // A hub that is ending drops the channel: then the note is not stored.
        let is_kept = kept.await.unwrap_or(false);
        if let Some(standing) = self.lock_table().get_mut(&instance) {
            standing.is_kept |= is_kept;
        }
    }

    /// Marks the session as one that asks. Returns false if it is not stored yet and may not ask.
    pub fn asks(&self, instance: &str) -> bool {
        match self.lock_table().get_mut(instance) {
            Some(standing) if !standing.is_kept => false,
            Some(standing) => {
                standing.has_asked = true;
                true
            }
            None => true,
        }
    }

    /// Ends a session that its client deleted. Resolves once this is stored or storing has failed.
    /// After a failure the next hub restores the session until its lease ends.
    pub async fn end(&self, id: &str) {
        let instance = instance(id);
        if self.lock_table().remove(&instance).is_none() {
            return;
        }
        if let Some(kept) = self.note(&instance, None) {
            // A hub that is ending drops the channel: then the note is not stored.
            let _ = kept.await;
        }
    }

    /// The initialize request of a session, if it is open.
    pub fn greeting(&self, id: &str) -> Option<String> {
        let all = self.lock_table();
        let standing = all.get(&instance(id)).filter(|one| one.stands());
        standing.map(|standing| standing.greeting.clone())
    }

    /// The caller that a session's requests speak for. Renews the session's lease.
    pub fn caller(&self, id: &str) -> Option<Caller> {
        let instance = instance(id);
        let mut all = self.lock_table();
        let standing = all.get_mut(&instance).filter(|one| one.stands())?;
        standing.used_at = Instant::now();
        Some(Caller {
            started_at: standing.began,
            instance,
            process: None,
            client: None,
            agent: standing.process,
        })
    }

    /// Renews the lease of a session whose client is there, though it sends nothing.
    pub fn renew_lease(&self, id: &str) {
        let mut all = self.lock_table();
        let session = all.get_mut(&instance(id)).filter(|one| one.stands());
        if let Some(session) = session {
            session.used_at = Instant::now();
        }
    }

    /// Whether the session of this instance is open.
    pub fn stands(&self, instance: &str) -> bool {
        self.lock_table()
            .get(instance)
            .is_some_and(AgentSession::stands)
    }

    /// The process that sends the requests of this instance's session, if known.
    pub fn process(&self, instance: &str) -> Option<Process> {
        self.lock_table().get(instance)?.process
    }

    /// Whether the session's process is still to be looked up.
    pub fn lacks_process(&self, id: &str) -> bool {
        let all = self.lock_table();
        all.get(&instance(id))
            .is_some_and(|one| one.process.is_none())
    }

    /// Records the process that sends the session's requests.
    pub fn is_sent_by(&self, id: &str, process: Process) {
        if let Some(standing) = self.lock_table().get_mut(&instance(id)) {
            standing.process = Some(process);
        }
    }

    /// Ends the sessions whose lease has expired.
    pub fn forget_silent(&self) {
        let silent = self.lock_table().retain(AgentSession::stands);
        self.forget(silent);
    }

    /// Evicts sessions until one more with this many bytes fits.
    fn make_room(&self, bytes: usize) {
        let mut gone = Vec::new();
        {
            let mut all = self.lock_table();
            while all.by_instance.len() >= MOST || all.bytes + bytes > MOST_BYTES {
                let Some(instance) = all.longest_silent() else {
                    break;
                };
                all.remove(&instance);
                gone.push(instance);
            }
        }
        self.forget(gone);
    }

    fn forget(&self, instances: Vec<String>) {
        for instance in instances {
            drop(self.note(&instance, None));
        }
    }

    fn note(&self, instance: &str, note: Option<String>) -> Option<oneshot::Receiver<bool>> {
        let (done, kept) = oneshot::channel();
        let note = (format!("{KEY}{instance}"), note);
        self.writer.get()?.write(vec![note], move |is_kept| {
            // The session that waits for the result may have ended.
            let _ = done.send(is_kept);
        });
        Some(kept)
    }

    fn lock_table(&self) -> MutexGuard<'_, Table> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a session that is stored with its asks: a hash, so that a reader of the store can't
/// use the session.
fn instance(id: &str) -> String {
    let hash = Sha256::digest(id.as_bytes());
    format!("http:{}", hex(&hash[..12]))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    impl AgentSessions {
        fn is_silent_for(&self, long: Duration) {
            for standing in self.lock_table().by_instance.values_mut() {
                let since = standing.used_at.checked_sub(long);
                standing.used_at =
                    since.expect("the machine has been running for longer than this");
            }
        }
    }

    #[tokio::test]
    async fn a_session_that_could_not_be_kept_is_kept_before_anything_is_asked_in_it() {
        let sessions = Arc::new(AgentSessions::default());
        let (writer, mut orders) = NoteWriter::channel();
        sessions.keep(writer);
        let begin = {
            let sessions = Arc::clone(&sessions);
            tokio::spawn(async move { sessions.begin("s1", "hello".into()).await })
        };
        let order = orders
            .recv()
            .await
            .expect("the session sends a note to store");
        (order.then)(false);
        begin.await.expect("the session has begun");
        let caller = sessions.caller("s1").expect("the session is open");
        assert!(!sessions.asks(&caller.instance));
        let again = {
            let sessions = Arc::clone(&sessions);
            tokio::spawn(async move { sessions.keep_if_needed("s1").await })
        };
        let order = orders
            .recv()
            .await
            .expect("the session sends its note again");
        (order.then)(true);
        again.await.expect("the session is stored");
        assert!(sessions.asks(&caller.instance));
        sessions.keep_if_needed("s1").await;
        assert!(orders.try_recv().is_err(), "once is enough");
    }

    #[tokio::test]
    async fn one_too_many_takes_the_place_of_one_that_nothing_was_asked_in() {
        let sessions = AgentSessions::default();
        for id in 0..MOST {
            sessions.begin(&format!("s{id}"), String::new()).await;
        }
        assert!(sessions.asks(&instance("s0")));
        sessions.begin("another", String::new()).await;
        assert!(sessions.caller("s0").is_some(), "something was asked in it");
        assert!(sessions.caller("s1").is_none());
        assert!(sessions.caller("s2").is_some());
        assert!(sessions.caller("another").is_some());
    }

    #[tokio::test]
    async fn what_all_began_with_has_so_much_room() {
        let sessions = AgentSessions::default();
        let long = "x".repeat(MOST_GREETING);
        for id in 0..=MOST_BYTES / MOST_GREETING {
            assert!(id == 0 || sessions.greeting("s0").is_some());
            sessions.begin(&format!("s{id}"), long.clone()).await;
        }
        assert!(sessions.greeting("s0").is_none());
        assert!(sessions.greeting("s1").is_some());
        sessions.end("s1").await;
        sessions.begin("another", long).await;
        assert!(sessions.greeting("s2").is_some(), "there was room for it");
    }

    #[tokio::test]
    async fn what_was_asked_at_the_hub_before_keeps_its_session_too() {
        let note = |id: &str| (format!("{KEY}{}", instance(id)), "0 hello".to_owned());
        let notes = (0..MOST).map(|id| note(&format!("s{id}"))).collect();
        let asker = |id: &str| Caller {
            instance: instance(id),
            process: None,
            client: None,
            agent: None,
            started_at: Time(0),
        };
        let askers: Vec<Caller> = (1..MOST).map(|id| asker(&format!("s{id}"))).collect();
        let sessions = AgentSessions::read(&notes, askers.iter());
        sessions.begin("another", String::new()).await;
        assert!(sessions.caller("s0").is_none(), "nothing was asked in it");
        assert!(askers.iter().all(|asker| sessions.stands(&asker.instance)));
    }

    #[tokio::test]
    async fn a_session_stands_until_its_client_was_silent_for_too_long() {
        let sessions = Arc::new(AgentSessions::default());
        let (writer, mut orders) = NoteWriter::channel();
        sessions.keep(writer);
        let begin = {
            let sessions = Arc::clone(&sessions);
            tokio::spawn(async move { sessions.begin("s1", "hello".into()).await })
        };
        let mut order = orders
            .recv()
            .await
            .expect("the session sends a note to store");
        (order.then)(true);
        begin.await.expect("the session has begun");
        let (key, note) = order.notes.pop().expect("an order has a note");
        let notes = BTreeMap::from([(key.clone(), note.expect("a new session has a note"))]);
        let again = AgentSessions::read(&notes, std::iter::empty());
        assert_eq!(again.greeting("s1").as_deref(), Some("hello"));
        assert_eq!(again.caller("s1"), sessions.caller("s1"));

        let caller = sessions.caller("s1").expect("the session is open");
        sessions.is_silent_for(LEASE - Duration::from_secs(60));
        assert!(sessions.caller("s1").is_some(), "it speaks");
        sessions.is_silent_for(LEASE - Duration::from_secs(60));
        assert!(sessions.stands(&caller.instance));
        sessions.is_silent_for(Duration::from_secs(60));
        assert!(!sessions.stands(&caller.instance));
        assert_eq!(sessions.greeting("s1"), None);
        sessions.forget_silent();
        let order = orders
            .recv()
            .await
            .expect("the ended session's note is removed");
        assert_eq!(order.notes, [(key, None)]);
    }
}
