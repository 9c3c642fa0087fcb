//! The open sessions of agents over HTTP. While a session is open, no other caller can take up its
//! asks. Their initialize requests are stored. So a session survives a restart of the hub, and
//! takes little memory while its client is silent.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::secret::hex;
use ask_core::{Caller, Process, SESSION, Time};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::note_writer::NoteWriter;

/// How long a session stays open while its client is silent.
pub const LEASE: Duration = Duration::from_secs(30 * 60);

/// The most open sessions, and the most bytes of all their initialize requests. Only a flood reaches
/// these limits. Then half of the sessions are evicted. An evicted session has ended; its client
/// opens another.
const MAX_SESSIONS: usize = 2048;
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The largest initialize request of a session, in bytes.
pub const MAX_INITIALIZE_BYTES: usize = 64 * 1024;

/// The prefix of the store's notes about sessions.
const KEY_PREFIX: &str = "session.";

/// All open sessions, by the instance names under which asks refer to them.
#[derive(Debug, Default)]
pub struct AgentSessions {
    table: Mutex<Table>,
    /// Stores the notes. Without it, sessions end with the process.
    writer: OnceLock<NoteWriter>,
    /// Reports each session that has ended, if this server isn't the hub.
    report_ended: OnceLock<ReportEnded>,
}

/// Reports to the hub that the session of this instance has ended.
struct ReportEnded(Box<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for ReportEnded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ReportEnded")
    }
}

#[derive(Debug, Default)]
struct Table {
    by_instance: HashMap<String, AgentSession>,
    /// The total bytes of the initialize requests.
    bytes: usize,
}

impl Table {
    fn insert(&mut self, instance: String, session: AgentSession) {
        self.bytes += session.initialize_request.len();
        if let Some(before) = self.by_instance.insert(instance, session) {
            self.bytes -= before.initialize_request.len();
        }
    }

    fn remove(&mut self, instance: &str) -> Option<AgentSession> {
        let session = self.by_instance.remove(instance)?;
        self.bytes -= session.initialize_request.len();
        Some(session)
    }

    fn get(&self, instance: &str) -> Option<&AgentSession> {
        self.by_instance.get(instance)
    }

    fn get_mut(&mut self, instance: &str) -> Option<&mut AgentSession> {
        self.by_instance.get_mut(instance)
    }

    /// Removes the sessions that don't match, and returns their instance names.
    fn retain(&mut self, stays: impl Fn(&AgentSession) -> bool) -> Vec<String> {
        let removed = self.by_instance.extract_if(|_, session| !stays(session));
        let removed: Vec<(String, AgentSession)> = removed.collect();
        self.bytes -= removed
            .iter()
            .map(|(_, one)| one.initialize_request.len())
            .sum::<usize>();
        removed.into_iter().map(|(instance, _)| instance).collect()
    }

    fn is_over(&self, sessions: usize, bytes: usize) -> bool {
        self.by_instance.len() > sessions || self.bytes > bytes
    }
}

#[derive(Debug)]
struct AgentSession {
    started_at: Time,
    /// The client's initialize request, from which the session is restored.
    initialize_request: String,
    used_at: Instant,
    /// The program that sent its first request, once it was looked up.
    first_sender: Option<Caller>,
    /// The processes that have sent its requests and still run, with those that started them: any
    /// process may go on with it.
    senders: Vec<Process>,
    /// Whether the session is stored. Until then it may not ask, because after a restart its asks
    /// would seem abandoned.
    is_stored: bool,
}

/// How many processes of a session's senders are remembered.
const MAX_SENDERS: usize = 64;

impl AgentSession {
    fn is_open(&self) -> bool {
        self.used_at.elapsed() < LEASE
    }

    /// The caller of this instance, as far as its senders are known. The first one is the agent, or its
    /// helper.
    fn agent(&self, instance: String) -> Caller {
        let first = self.first_sender.as_ref();
        Caller {
            client: first.and_then(|first| first.client),
            agent: first.and_then(|first| first.agent.or(first.process)),
            senders: self.senders.clone(),
            above: first.map_or_else(Vec::new, |first| first.above.clone()),
            ..Caller::of_instance(instance)
        }
    }

    /// Parses a stored note. The time of the last request is not stored, so the lease starts again.
    fn read(note: &str) -> Option<Self> {
        let (started_at, initialize_request) = note.split_once(' ')?;
        Some(Self {
            started_at: Time(started_at.parse().ok()?),
            initialize_request: initialize_request.to_owned(),
            used_at: Instant::now(),
            first_sender: None,
            senders: Vec::new(),
            is_stored: true,
        })
    }
}

impl AgentSessions {
    /// Restores the sessions from the store's notes.
    pub fn read(notes: &BTreeMap<String, String>) -> Self {
        let mut table = Table::default();
        for (key, note) in notes {
            let Some(instance) = key.strip_prefix(KEY_PREFIX) else {
                continue;
            };
            if let Some(session) = AgentSession::read(note) {
                table.insert(instance.to_owned(), session);
            }
        }
        Self {
            table: Mutex::new(table),
            writer: OnceLock::new(),
            report_ended: OnceLock::new(),
        }
    }

    /// Calls `report` with the instance of each session that ends from now on, before the request
    /// that ends it gets a response.
    pub fn report_ended(&self, report: impl Fn(&str) + Send + Sync + 'static) {
        // Called once at start, so the cell is empty.
        let _ = self.report_ended.set(ReportEnded(Box::new(report)));
    }

    /// Stores the sessions with this writer, from now on.
    pub fn set_writer(&self, writer: NoteWriter) {
        // Called once at start, so the cell is empty.
        let _ = self.writer.set(writer);
    }

    /// Opens a session. The returned future resolves once the session is stored or storing has
    /// failed.
    pub fn begin(&self, id: &str, initialize_request: String) -> impl Future<Output = ()> {
        let session = AgentSession {
            started_at: clock::steady(),
            initialize_request,
            used_at: Instant::now(),
            first_sender: None,
            senders: Vec::new(),
            // Without a store, the session and its asks end with this process.
            is_stored: self.writer.get().is_none(),
        };
        self.lock_table().insert(instance(id), session);
        if self.writer.get().is_none() {
            // The asks are at a hub, which another process is.
            self.evict(HashSet::new);
        }
        self.store_if_needed(id)
    }

    /// Stores a session that could not be stored when it began.
    pub async fn store_if_needed(&self, id: &str) {
        let instance = instance(id);
        let note = {
            let table = self.lock_table();
            let Some(session) = table.get(&instance).filter(|one| !one.is_stored) else {
                return;
            };
            format!("{} {}", session.started_at.0, session.initialize_request)
        };
        let Some(stored) = self.write_note(&instance, Some(note)) else {
            return;
        };
        // A hub that is ending drops the channel: then the note is not stored.
        let is_stored = stored.await.unwrap_or(false);
        if let Some(session) = self.lock_table().get_mut(&instance) {
            session.is_stored |= is_stored;
        }
    }

    /// Whether a caller may ask: it is no session of this hub, or its session is open and stored.
    pub(crate) fn may_ask(&self, caller: &Caller) -> bool {
        let table = self.lock_table();
        let is_session = caller.is_session() && !caller.is_nested();
        !is_session
            || table
                .get(&caller.instance)
                .is_some_and(|session| session.is_stored)
    }

    /// Ends a session that its client deleted. Resolves once this is stored or storing has failed.
    /// After a failure the next hub restores the session until its lease ends.
    pub async fn end(&self, id: &str) {
        let instance = instance(id);
        if self.lock_table().remove(&instance).is_none() {
            return;
        }
        self.note_ended(&instance);
        if let Some(stored) = self.write_note(&instance, None) {
            // A hub that is ending drops the channel: then the note is not stored.
            let _ = stored.await;
        }
    }

    /// The initialize request of a session, if it is open.
    pub fn initialize_request(&self, id: &str) -> Option<String> {
        let table = self.lock_table();
        let session = table.get(&instance(id)).filter(|one| one.is_open());
        session.map(|session| session.initialize_request.clone())
    }

    /// The caller that a session's requests speak for. Renews the session's lease.
    pub fn caller(&self, id: &str) -> Option<Caller> {
        let instance = instance(id);
        let mut table = self.lock_table();
        let session = table.get_mut(&instance).filter(|one| one.is_open())?;
        session.used_at = Instant::now();
        Some(Caller {
            started_at: session.started_at,
            ..session.agent(instance)
        })
    }

    /// Renews the lease of a session whose client is connected but silent.
    pub fn renew_lease(&self, id: &str) {
        let mut table = self.lock_table();
        let session = table.get_mut(&instance(id)).filter(|one| one.is_open());
        if let Some(session) = session {
            session.used_at = Instant::now();
        }
    }

    /// Whether this session is open.
    pub fn has(&self, id: &str) -> bool {
        self.is_open(&instance(id))
    }

    /// Whether the session of this instance is open.
    pub fn is_open(&self, instance: &str) -> bool {
        self.lock_table()
            .get(instance)
            .is_some_and(AgentSession::is_open)
    }

    /// The processes that send the requests of this instance's session, as far as they are known.
    pub fn senders(&self, instance: &str) -> Vec<Process> {
        let table = self.lock_table();
        let session = table.get(instance);
        session.map_or_else(Vec::new, |session| session.senders.clone())
    }

    /// Records the program that sends a request of a session; `None` if it couldn't be found.
    pub fn add_sender(&self, id: &str, sender: Option<Caller>, runs: impl Fn(Process) -> bool) {
        let mut table = self.lock_table();
        let Some(session) = table.get_mut(&instance(id)) else {
            return;
        };
        let unknown = sender.is_none().then_some(Process::UNKNOWN);
        let found = sender.iter().flat_map(Caller::processes).chain(unknown);
        let found: Vec<Process> = found.collect();
        if found
            .iter()
            .any(|process| !session.senders.contains(process))
        {
            session.senders.retain(|known| {
                !found.contains(known) && (*known == Process::UNKNOWN || runs(*known))
            });
            session.senders.extend(found);
            let superfluous = session.senders.len().saturating_sub(MAX_SENDERS);
            session.senders.drain(..superfluous);
        }
        session.first_sender = session.first_sender.take().or(sender);
    }

    /// Ends the sessions whose lease has expired.
    pub fn end_expired(&self) {
        let silent = self.lock_table().retain(AgentSession::is_open);
        self.remove_notes(silent);
    }

    /// Evicts half of the sessions if there are too many, but none of those in use. Those of the
    /// agent with the most sessions go first, the longest silent before others.
    pub(crate) fn evict(&self, in_use: impl FnOnce() -> HashSet<String>) {
        let mut removed = Vec::new();
        {
            let mut table = self.lock_table();
            if !table.is_over(MAX_SESSIONS, MAX_BYTES) {
                return;
            }
            let in_use = in_use();
            let idle = table.by_instance.iter();
            let idle = idle.filter(|(instance, _)| !in_use.contains(*instance));
            let mut idle: Vec<_> = idle
                .map(|(instance, session)| {
                    let agent = session.first_sender.as_ref();
                    let agent = agent.map(|_| session.agent(instance.clone()).share());
                    (session.used_at, agent, instance.clone())
                })
                .collect();
            idle.sort_unstable_by_key(|&(used_at, ..)| Reverse(used_at));
            // How many sessions of the same agent were used later.
            let mut counts: HashMap<Option<String>, usize> = HashMap::new();
            let mut by_rank = Vec::with_capacity(idle.len());
            for (used_at, agent, instance) in idle {
                let rank = counts.entry(agent).or_default();
                by_rank.push((Reverse(*rank), used_at, instance));
                *rank += 1;
            }
            by_rank.sort_unstable();
            for (_, _, instance) in by_rank {
                if !table.is_over(MAX_SESSIONS / 2, MAX_BYTES / 2) {
                    break;
                }
                table.remove(&instance);
                removed.push(instance);
            }
        }
        self.remove_notes(removed);
    }

    fn remove_notes(&self, instances: Vec<String>) {
        for instance in instances {
            self.note_ended(&instance);
            drop(self.write_note(&instance, None));
        }
    }

    fn note_ended(&self, instance: &str) {
        if let Some(ReportEnded(report)) = self.report_ended.get() {
            report(instance);
        }
    }

    fn write_note(&self, instance: &str, note: Option<String>) -> Option<oneshot::Receiver<bool>> {
        let (done, stored) = oneshot::channel();
        let note = (format!("{KEY_PREFIX}{instance}"), note);
        self.writer.get()?.write(vec![note], move |is_stored| {
            // The session that waits for the result may have ended.
            let _ = done.send(is_stored);
        });
        Some(stored)
    }

    fn lock_table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a session that is stored with its asks: a hash, so that a reader of the store can't
/// use the session.
fn instance(id: &str) -> String {
    let hash = Sha256::digest(id.as_bytes());
    format!("{SESSION}{}", hex(&hash[..12]))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    impl AgentSessions {
        fn make_silent_for(&self, long: Duration) {
            for session in self.lock_table().by_instance.values_mut() {
                let since = session.used_at.checked_sub(long);
                session.used_at = since.expect("the machine has been running for longer than this");
            }
        }
    }

    #[tokio::test]
    async fn a_session_that_was_not_stored_is_stored_before_it_may_ask() {
        let sessions = Arc::new(AgentSessions::default());
        let (writer, mut orders) = NoteWriter::channel();
        sessions.set_writer(writer);
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
        assert!(!sessions.may_ask(&caller));
        let again = {
            let sessions = Arc::clone(&sessions);
            tokio::spawn(async move { sessions.store_if_needed("s1").await })
        };
        let order = orders
            .recv()
            .await
            .expect("the session sends its note again");
        (order.then)(true);
        again.await.expect("the session is stored");
        assert!(sessions.may_ask(&caller));
        sessions.store_if_needed("s1").await;
        assert!(orders.try_recv().is_err(), "once is enough");
    }

    fn sender(pid: u32) -> Caller {
        let process = Process { pid, start: 1 };
        let sender = Caller {
            process: Some(process),
            ..Caller::of_instance(String::new())
        };
        sender.without_session()
    }

    #[tokio::test]
    async fn all_processes_that_send_a_sessions_requests_are_its_agent() {
        let sessions = AgentSessions::default();
        sessions.begin("s", String::new()).await;
        let process = |pid| Process { pid, start: 1 };
        let curl = Caller {
            agent: Some(process(5)),
            ..sender(7)
        };
        sessions.add_sender("s", Some(curl.clone()), |_| true);
        assert_eq!(
            sessions.caller("s").and_then(|caller| caller.agent),
            curl.agent
        );
        sessions.add_sender("s", Some(sender(8)), |known| known.pid != 7);
        let caller = sessions.caller("s").expect("the session is open");
        assert_eq!(caller.agent, curl.agent, "one session has one share");
        let senders = sessions.senders(&instance("s"));
        assert_eq!(senders, [process(5), process(8)], "curl has ended");
        assert!(!caller.is_unseen());
        sessions.add_sender("s", None, |_| true);
        let caller = sessions.caller("s").expect("the session is open");
        assert!(caller.is_unseen(), "one of them can't be found");
    }

    #[tokio::test]
    async fn a_flood_of_sessions_evicts_the_longest_silent_that_are_not_in_use() {
        let sessions = AgentSessions::default();
        let (writer, mut orders) = NoteWriter::channel();
        sessions.set_writer(writer);
        for id in 0..=MAX_SESSIONS {
            sessions.evict(|| unreachable!("there are not too many"));
            let id = format!("s{id}");
            tokio::join!(sessions.begin(&id, String::new()), async {
                let order = orders.recv().await.expect("a session sends a note");
                (order.then)(true);
            });
        }
        assert!(sessions.caller("s1").is_some(), "it speaks");
        sessions.add_sender("s2", Some(sender(2)), |_| true);
        sessions.evict(|| HashSet::from([instance("s0")]));
        let is_open = |id: usize| sessions.is_open(&instance(&format!("s{id}")));
        assert!(is_open(0) && is_open(1), "in use, or used last");
        assert!(is_open(2), "another process has few sessions");
        let ended: Vec<usize> = (0..=MAX_SESSIONS).filter(|&id| !is_open(id)).collect();
        assert_eq!(ended, Vec::from_iter(3..MAX_SESSIONS / 2 + 4));
        for id in ended {
            let order = orders.try_recv().expect("the note is removed");
            let key = format!("{KEY_PREFIX}{}", instance(&format!("s{id}")));
            assert_eq!(order.notes, [(key, None)]);
        }
        sessions.evict(|| unreachable!("there are not too many"));
    }

    #[tokio::test]
    async fn of_many_processes_with_one_session_each_the_longest_silent_end_first() {
        let sessions = AgentSessions::default();
        let (writer, mut orders) = NoteWriter::channel();
        sessions.set_writer(writer);
        for number in 0..=MAX_SESSIONS {
            let id = format!("s{number}");
            tokio::join!(sessions.begin(&id, String::new()), async {
                let order = orders.recv().await.expect("a session sends a note");
                (order.then)(true);
            });
            let pid = u32::try_from(number).expect("a small number");
            sessions.add_sender(&id, Some(sender(pid)), |_| true);
        }
        let oldest = sessions.caller("s0").expect("the session is open");
        sessions.evict(HashSet::new);
        assert!(sessions.has("s0"), "it was used last");
        assert!(!sessions.has("s1") && sessions.has(&format!("s{MAX_SESSIONS}")));
        let ended = Caller {
            instance: instance("s1"),
            ..oldest.clone()
        };
        assert!(sessions.may_ask(&oldest) && !sessions.may_ask(&ended));
    }

    #[tokio::test]
    async fn initialize_requests_are_limited_in_total() {
        let sessions = AgentSessions::default();
        let long = "x".repeat(MAX_INITIALIZE_BYTES);
        let most = MAX_BYTES / MAX_INITIALIZE_BYTES;
        for id in 0..most {
            sessions.begin(&format!("s{id}"), long.clone()).await;
        }
        assert!(sessions.initialize_request("s0").is_some());
        sessions.end("s0").await;
        sessions.begin("another", long.clone()).await;
        assert!(
            sessions.initialize_request("s1").is_some(),
            "there was room for it"
        );
        sessions.begin("one more", long).await;
        let ended = |id: &usize| sessions.initialize_request(&format!("s{id}")).is_none();
        assert_eq!((1..most).filter(ended).count(), most / 2 + 1);
        assert!(sessions.initialize_request("one more").is_some());
    }

    #[tokio::test]
    async fn a_session_is_open_until_its_client_was_silent_for_too_long() {
        let sessions = Arc::new(AgentSessions::default());
        let (writer, mut orders) = NoteWriter::channel();
        sessions.set_writer(writer);
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
        let again = AgentSessions::read(&notes);
        assert_eq!(again.initialize_request("s1").as_deref(), Some("hello"));
        assert_eq!(again.caller("s1"), sessions.caller("s1"));

        let caller = sessions.caller("s1").expect("the session is open");
        sessions.make_silent_for(LEASE - Duration::from_secs(60));
        assert!(sessions.caller("s1").is_some(), "it speaks");
        sessions.make_silent_for(LEASE - Duration::from_secs(60));
        assert!(sessions.is_open(&caller.instance));
        sessions.make_silent_for(Duration::from_secs(60));
        assert!(!sessions.is_open(&caller.instance));
        assert_eq!(sessions.initialize_request("s1"), None);
        sessions.end_expired();
        let order = orders
            .recv()
            .await
            .expect("the ended session's note is removed");
        assert_eq!(order.notes, [(key, None)]);
    }
}
