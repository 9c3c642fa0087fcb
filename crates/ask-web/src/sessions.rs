//! The signed-in browsers of this machine and the paired devices. For each, the store has a note with
//! hashes of its cookie and of its browser's key, so that a restarted hub at the same port signs
//! nobody out.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_core::devices::Permission;
use ask_core::secret::{hash, same};
use ask_core::{SafeText, Time};
use ask_hub::http::link_keys::random_secret;
use ask_hub::note_writer::NoteWriter;

use crate::pairing::shortened;
use crate::proof::KeyId;
use crate::stored::{self, Notes, StoredNotes};

/// How long a browser stays signed in.
pub(crate) const LIFETIME_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The largest number of browsers, and of devices. One more signs out the least recently used one.
const MAX_SESSIONS: usize = 64;

/// The longest name of a browser, in characters.
const MAX_NAME_CHARS: usize = 120;

/// The beginning of the notes' keys; the session's id follows.
const KEY_PREFIX: &str = "web.session.";

/// The last use is stored again after this time.
const LAST_SEEN_STEP_MS: u64 = 60 * 1_000;

/// The word before the fields of a device.
const DEVICE: &str = "device";

/// The word before the browser's key.
const BOUND: &str = "bound";

/// The word before the name of the agent's client that fetched the link; it follows the key.
const BELOW: &str = "below";

/// Identifies a session: the hash of its cookie.
pub(crate) type SessionId = String;

/// How a device connects to the hub. Its cookie is valid only over this transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Unencrypted, at an address of this machine in its network.
    Lan,
    /// Encrypted with the person's own certificate, at such an address.
    Tls,
    /// Through the server at `http.public_url`.
    Tunnel,
}

impl Transport {
    const ALL: [(Self, &str); 3] = [
        (Self::Lan, "lan"),
        (Self::Tls, "tls"),
        (Self::Tunnel, "tunnel"),
    ];

    fn word(self) -> &'static str {
        let row = Self::ALL.iter().find(|(known, _)| *known == self);
        row.map_or("", |(_, word)| word)
    }

    fn find(word: &str) -> Option<Self> {
        let row = Self::ALL.iter().find(|(_, known)| *known == word);
        row.map(|(transport, _)| *transport)
    }
}

/// The access of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceAccess {
    /// What the device may do.
    pub may: Permission,
    /// The only transport over which its cookie is valid.
    pub transport: Transport,
}

/// A signed-in browser or paired device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    /// The hash of its cookie.
    pub id: SessionId,
    /// When it signed in.
    pub since: Time,
    /// When it is signed out.
    pub until: Time,
    /// When it was last used.
    pub last_seen: Time,
    /// The browser's or device's name.
    pub name: String,
    /// The key that its browser proves to hold; `None` for a device with an unencrypted connection,
    /// where browsers have no keys.
    pub key: Option<KeyId>,
    /// If an agent fetched the link that signed this browser in, the agent's client.
    pub below_agent: Option<String>,
    /// Who has the session.
    pub owner: SessionOwner,
}

/// Who has a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionOwner {
    /// A browser of this machine, which uses the hub at this port.
    Local(u16),
    /// A device that the person has admitted.
    Device(DeviceAccess),
}

impl Session {
    /// The device's access; `None` for a browser of this machine.
    pub(crate) fn access(&self) -> Option<DeviceAccess> {
        match self.owner {
            SessionOwner::Local(_) => None,
            SessionOwner::Device(access) => Some(access),
        }
    }
}

/// The sessions of all browsers and devices.
pub(crate) struct Sessions {
    notes: StoredNotes,
    /// The hub's port on this machine.
    port: u16,
    /// Ordered by last use, the latest at the end.
    all: Mutex<Vec<Session>>,
    /// The previous port, if browsers of this machine were signed out because the hub changed it.
    previous_port: Option<u16>,
}

/// The port at which browsers of this machine use the hub, according to the store or to an earlier
/// version's file.
pub fn known_port(notes: &Notes, file: &Path) -> Option<u16> {
    let (sessions, _) = read(notes, file);
    let mut ports = sessions.iter().filter_map(|session| match session.owner {
        SessionOwner::Local(port) => Some(port),
        SessionOwner::Device(_) => None,
    });
    ports.next_back()
}

/// Reads the sessions from an earlier version's file, otherwise from the notes. Sessions that can't be
/// parsed are dropped. Returns also how many of the file were dropped.
fn read(notes: &Notes, file: &Path) -> (Vec<Session>, usize) {
    if let Some(text) = stored::read_file(file) {
        let all: Vec<Session> = text.lines().filter_map(Session::parse).collect();
        let dropped = text.lines().count() - all.len();
        return (all, dropped);
    }
    let ours = notes.iter().filter(|(key, _)| key.starts_with(KEY_PREFIX));
    let mut all: Vec<Session> = ours.filter_map(|(_, note)| Session::parse(note)).collect();
    all.sort_by_key(|session| session.last_seen);
    (all, 0)
}

impl Sessions {
    /// Reads the sessions from the store's notes, or from an earlier version's file, which moves to the
    /// store. Browsers of this machine that used another port are signed out:
    /// another program may have that port now, and would get their cookies.
    pub(crate) fn new(notes: &Notes, file: &Path, writer: NoteWriter, port: u16) -> Self {
        let (mut all, dropped) = read(notes, file);
        if dropped > 0 {
            tracing::warn!(
                "an earlier version signed in browsers or devices without a key, which must sign in again: {dropped}"
            );
        }
        let mut previous_port = None;
        all.retain(|session| match session.owner {
            SessionOwner::Local(known) if known != port => {
                previous_port = Some(known);
                false
            }
            SessionOwner::Local(_) | SessionOwner::Device(_) => true,
        });
        if let Some(known) = previous_port {
            tracing::warn!(
                "the hub's port changed from {known} to {port}: browsers of this machine are signed out"
            );
        }
        let sessions = Self {
            notes: StoredNotes::new(notes, KEY_PREFIX, file, writer),
            port,
            all: Mutex::new(all),
            previous_port,
        };
        {
            let all = sessions.lock_sessions();
            match previous_port {
                Some(_) => drop(sessions.notes.store_end(to_notes(&all))),
                None => drop(sessions.store(&all)),
            }
        }
        sessions
    }

    /// The previous port, if browsers were signed out because the hub changed it.
    pub(crate) fn previous_port(&self) -> Option<u16> {
        self.previous_port
    }

    /// Signs in a browser of this machine. The future resolves to its cookie once the session is
    /// stored or storing has failed.
    pub(crate) fn sign_in(
        &self,
        name: &str,
        key: KeyId,
        below_agent: Option<String>,
        now: Time,
    ) -> impl Future<Output = String> + Send + use<> {
        self.add(
            (name, below_agent),
            Some(key),
            SessionOwner::Local(self.port),
            now,
        )
    }

    /// Admits a device. The future is that of [`Self::sign_in`].
    pub(crate) fn admit(
        &self,
        name: &str,
        access: DeviceAccess,
        key: Option<KeyId>,
        now: Time,
    ) -> impl Future<Output = String> + Send + use<> {
        self.add((name, None), key, SessionOwner::Device(access), now)
    }

    /// Adds a session. Its name gets a number if another session has the same name or shown id.
    fn add(
        &self,
        (name, below_agent): (&str, Option<String>),
        key: Option<KeyId>,
        owner: SessionOwner,
        now: Time,
    ) -> impl Future<Output = String> + Send + use<> {
        let cookie = random_secret();
        let mut all = self.lock_sessions();
        all.retain(|session| session.until > now);
        let is_device = matches!(owner, SessionOwner::Device(_));
        let is_same_kind = |session: &Session| session.access().is_some() == is_device;
        if all.iter().filter(|session| is_same_kind(session)).count() >= MAX_SESSIONS
            && let Some(least_used) = all.iter().position(is_same_kind)
        {
            all.remove(least_used);
        }
        let name: String = SafeText::line(name)
            .as_str()
            .chars()
            .take(MAX_NAME_CHARS)
            .collect();
        let name = unique_name(&all, &name);
        all.push(Session {
            id: hash(&cookie),
            since: now,
            until: now.plus_ms(LIFETIME_MS),
            last_seen: now,
            name,
            key,
            below_agent: below_agent.map(|agent| one_word(&agent)),
            owner,
        });
        let stored = self.store(&all);
        async move {
            // After a failure, which is logged, the session is valid until the hub ends.
            let _ = stored.await;
            cookie
        }
    }

    /// Finds the valid session of a cookie that was sent over this transport, which is `None` for
    /// requests from this machine.
    pub(crate) fn find(
        &self,
        cookie: &str,
        transport: Option<Transport>,
        now: Time,
    ) -> Option<Session> {
        let id = hash(cookie);
        let all = self.lock_sessions();
        let found = all.iter().find(|session| same(&id, &session.id))?;
        let permitted = found.access().map(|access| access.transport);
        (found.until > now && permitted == transport).then(|| found.clone())
    }

    /// If an agent fetched the link that signed this browser in, the agent's client.
    pub(crate) fn below_agent(&self, id: &str) -> Option<String> {
        let all = self.lock_sessions();
        let session = all.iter().find(|session| session.id == id)?;
        session.below_agent.clone()
    }

    /// Records the use of a session.
    pub(crate) fn record_use(&self, id: &str, now: Time) {
        let mut all = self.lock_sessions();
        let Some(at) = all.iter().position(|session| session.id == id) else {
            return;
        };
        all[at..].rotate_left(1);
        if let Some(used) = all.last_mut()
            && now.since_ms(used.last_seen) >= LAST_SEEN_STEP_MS
        {
            used.last_seen = now;
            drop(self.store(&all));
        }
    }

    /// Whether a session is still valid.
    pub(crate) fn is_valid(&self, id: &str, now: Time) -> bool {
        let matches = |session: &Session| session.id == id && session.until > now;
        self.lock_sessions().iter().any(matches)
    }

    /// The paired devices, the oldest first.
    pub(crate) fn devices(&self, now: Time) -> Vec<(Session, DeviceAccess)> {
        let all = self.lock_sessions();
        let valid = all.iter().filter(|session| session.until > now);
        let devices = valid.filter_map(|session| Some((session.clone(), session.access()?)));
        let mut devices: Vec<(Session, DeviceAccess)> = devices.collect();
        devices.sort_by(|(one, _), (other, _)| {
            (one.since, &one.name).cmp(&(other.since, &other.name))
        });
        devices
    }

    /// The browsers of this machine, the oldest first.
    pub(crate) fn browsers(&self, now: Time) -> Vec<Session> {
        let all = self.lock_sessions();
        let is_browser = |session: &&Session| session.until > now && session.access().is_none();
        let mut browsers: Vec<Session> = all.iter().filter(is_browser).cloned().collect();
        browsers.sort_by(|one, other| (one.since, &one.name).cmp(&(other.since, &other.name)));
        browsers
    }

    /// Whether a browser of this machine is signed in.
    pub(crate) fn has_browser(&self) -> bool {
        let all = self.lock_sessions();
        all.iter().any(|session| session.access().is_none())
    }

    /// Removes a session that is about to be replaced. Storing the new one removes it from the store.
    pub(crate) fn remove(&self, id: &str) {
        self.lock_sessions().retain(|session| session.id != id);
    }

    /// Ends a session at once. The future resolves once the next hub won't admit it either.
    pub(crate) fn end(&self, id: &str) -> impl Future<Output = ()> + Send + use<> {
        let mut all = self.lock_sessions();
        all.retain(|session| session.id != id);
        let stored = self.notes.store_end(to_notes(&all));
        async move {
            // After a failure, which is logged, the next hub admits nobody.
            let _ = stored.await;
        }
    }

    /// Removes expired sessions, and returns their ids.
    pub(crate) fn remove_expired(&self, now: Time) -> Vec<SessionId> {
        let mut all = self.lock_sessions();
        let expired = all.iter().filter(|session| session.until <= now);
        let expired: Vec<SessionId> = expired.map(|session| session.id.clone()).collect();
        if !expired.is_empty() {
            all.retain(|session| session.until > now);
            drop(self.store(&all));
        }
        expired
    }

    /// When the next session expires.
    pub(crate) fn next_expiry(&self) -> Option<Time> {
        self.lock_sessions()
            .iter()
            .map(|session| session.until)
            .min()
    }

    fn lock_sessions(&self) -> MutexGuard<'_, Vec<Session>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self, all: &[Session]) -> impl Future<Output = bool> + Send + use<> {
        self.notes.store(to_notes(all))
    }
}

fn to_notes(all: &[Session]) -> Notes {
    let notes = all.iter();
    notes
        .map(|session| (format!("{KEY_PREFIX}{}", session.id), session.to_text()))
        .collect()
}

/// A name that no session has as its name or shown id, because a person removes a session by either.
fn unique_name(all: &[Session], name: &str) -> String {
    let is_taken = |wanted: &str| {
        all.iter()
            .any(|session| session.name == wanted || shortened(&session.id) == wanted)
    };
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

impl Session {
    /// The text of the session's note.
    fn to_text(&self) -> String {
        let (id, since, until, name) = (&self.id, self.since.0, self.until.0, &self.name);
        let last_seen = self.last_seen.0;
        let bound = self.key.as_ref().map(|key| format!("{BOUND} {key} "));
        let below = self.below_agent.as_ref();
        let below = below.map(|agent| format!("{BELOW} {agent} "));
        let bound = bound.unwrap_or_default() + &below.unwrap_or_default();
        match self.owner {
            SessionOwner::Local(port) => {
                format!("{bound}{port} {last_seen} {id} {since} {until} {name}")
            }
            SessionOwner::Device(DeviceAccess { may, transport }) => {
                let (may, transport) = (may.word(), transport.word());
                format!("{bound}{DEVICE} {id} {since} {until} {last_seen} {may} {transport} {name}")
            }
        }
    }

    /// Parses a note. Only a device may lack a key, and not with TLS.
    fn parse(line: &str) -> Option<Self> {
        let after = |word: &str, line| str::strip_prefix(line, word)?.strip_prefix(' ');
        let (key, line) = match after(BOUND, line) {
            Some(bound) => {
                let (key, line) = bound.split_once(' ')?;
                (Some(parse_id(key)?), line)
            }
            None => (None, line),
        };
        let (below_agent, line) = match after(BELOW, line) {
            Some(below) => {
                let (agent, line) = below.split_once(' ')?;
                (Some(agent.to_owned()), line)
            }
            None => (None, line),
        };
        let mut session = match after(DEVICE, line) {
            Some(device) => Self::parse_device(device, key)?,
            None => Self::parse_browser(line, key)?,
        };
        session.below_agent = below_agent;
        let may_lack_key = |access: DeviceAccess| access.transport != Transport::Tls;
        let is_valid = session.key.is_some() || session.access().is_some_and(may_lack_key);
        is_valid.then_some(session)
    }

    fn parse_browser(line: &str, key: Option<KeyId>) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (port, last_seen) = (words.next()?.parse().ok()?, parse_time(words.next()?)?);
        Some(Self {
            id: parse_id(words.next()?)?,
            since: parse_time(words.next()?)?,
            until: parse_time(words.next()?)?,
            last_seen,
            name: words.next().unwrap_or_default().to_owned(),
            key,
            below_agent: None,
            owner: SessionOwner::Local(port),
        })
    }

    fn parse_device(line: &str, key: Option<KeyId>) -> Option<Self> {
        let mut words = line.splitn(7, ' ');
        let (id, since) = (parse_id(words.next()?)?, parse_time(words.next()?)?);
        let until = parse_time(words.next()?)?;
        let last_seen = parse_time(words.next()?)?;
        let (may, transport) = (
            Permission::find(words.next()?)?,
            Transport::find(words.next()?)?,
        );
        Some(Self {
            id,
            since,
            until,
            last_seen,
            name: words.next().unwrap_or_default().to_owned(),
            key,
            below_agent: None,
            owner: SessionOwner::Device(DeviceAccess { may, transport }),
        })
    }
}

/// A name as one word of a line.
fn one_word(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join("-")
}

fn parse_id(word: &str) -> Option<SessionId> {
    (word.len() == 64).then(|| word.to_owned())
}

fn parse_time(word: &str) -> Option<Time> {
    word.parse().ok().map(Time)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::stored::testing::FakeStore;

    const PORT: u16 = 4127;

    /// A store, and the file of an earlier version.
    struct Fixture {
        store: FakeStore,
        writer: NoteWriter,
        file: PathBuf,
    }

    impl Fixture {
        fn new(name: &str) -> Self {
            let (store, writer) = FakeStore::new();
            let process = std::process::id();
            let file = std::env::temp_dir().join(format!("ask-user-sessions-{name}-{process}"));
            Self {
                store,
                writer,
                file,
            }
        }

        /// The sessions of a hub that starts now, at a port.
        fn at(&mut self, port: u16) -> Sessions {
            self.store.run_orders();
            let sessions = Sessions::new(&self.store.notes, &self.file, self.writer.clone(), port);
            self.store.run_orders();
            sessions
        }

        fn read(&mut self) -> Sessions {
            self.at(PORT)
        }

        fn known_port(&self) -> Option<u16> {
            known_port(&self.store.notes, &self.file)
        }

        /// What a future resolves to once the store has carried out its orders.
        fn wait<T>(&mut self, future: impl Future<Output = T>) -> T {
            self.store.run_orders();
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            runtime.unwrap().block_on(future)
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            // Most tests leave no file.
            let _ = std::fs::remove_file(&self.file);
        }
    }

    fn key() -> KeyId {
        hash("a key")
    }

    #[test]
    fn sessions_survive_a_restart_and_end() {
        let mut fixture = Fixture::new("own");
        let now = Time(5_000);
        let sessions = fixture.read();
        let cookie = sessions.sign_in("Firefox\n140", key(), Some("an agent".into()), now);
        let cookie = fixture.wait(cookie);
        let stored = format!("{:?}", fixture.store.notes);
        assert!(!stored.contains(&cookie), "only a hash is kept");
        let again = fixture.read();
        let found = again
            .find(&cookie, None, now.plus_ms(LIFETIME_MS - 1))
            .unwrap();
        assert_eq!(found.key, Some(key()), "{stored}");
        let below = again.below_agent(&found.id);
        assert_eq!(below.as_deref(), Some("an-agent"), "{stored}");
        assert_eq!(again.find(&cookie, None, now.plus_ms(LIFETIME_MS)), None);
        assert_eq!(again.find("", None, now), None);
        again.record_use(&found.id, now.plus_ms(LAST_SEEN_STEP_MS));
        assert_eq!(
            fixture.read().browsers(now)[0].last_seen,
            now.plus_ms(LAST_SEEN_STEP_MS)
        );
        fixture.wait(again.end(&found.id));
        assert_eq!(fixture.read().find(&cookie, None, now), None);
        assert!(fixture.store.notes.is_empty());
    }

    #[test]
    fn only_the_session_that_changed_is_written() {
        let mut fixture = Fixture::new("few");
        let now = Time(5_000);
        let sessions = fixture.read();
        for name in ["Firefox", "Safari"] {
            let cookie = sessions.sign_in(name, key(), None, now);
            fixture.wait(cookie);
        }
        let id = sessions.browsers(now)[0].id.clone();
        sessions.record_use(&id, now.plus_ms(LAST_SEEN_STEP_MS));
        assert_eq!(fixture.store.run_orders(), [format!("{KEY_PREFIX}{id}")]);
        fixture.read();
        assert!(
            fixture.store.run_orders().is_empty(),
            "a start writes nothing"
        );
    }

    #[test]
    fn a_changed_port_signs_browsers_out_and_no_devices() {
        let mut fixture = Fixture::new("moved");
        let now = Time(5_000);
        let sessions = fixture.read();
        let own = fixture.wait(sessions.sign_in("Firefox", key(), None, now));
        let access = DeviceAccess {
            may: Permission::See,
            transport: Transport::Tls,
        };
        let phone = fixture.wait(sessions.admit("iPhone", access, Some(key()), now));
        assert_eq!(
            (fixture.known_port(), sessions.previous_port()),
            (Some(PORT), None)
        );
        let moved = fixture.at(PORT + 1);
        assert_eq!(moved.previous_port(), Some(PORT));
        assert!(moved.find(&own, None, now).is_none() && !moved.has_browser());
        assert!(moved.find(&phone, Some(Transport::Tls), now).is_some());
        let back = fixture.read();
        assert!(
            back.find(&own, None, now).is_none(),
            "it has ended for good"
        );
        assert_eq!((fixture.known_port(), back.previous_port()), (None, None));
    }

    #[test]
    fn an_ended_session_stays_ended_on_a_full_disk() {
        let mut fixture = Fixture::new("full");
        let now = Time(5_000);
        let sessions = fixture.read();
        let lost = fixture.wait(sessions.sign_in("a lost phone", key(), None, now));
        let other = fixture.wait(sessions.sign_in("Firefox", key(), None, now));
        let id = sessions.find(&lost, None, now).unwrap().id;
        fixture.store.is_full = true;
        fixture.wait(sessions.end(&id));
        assert!(!sessions.is_valid(&id, now) && sessions.find(&other, None, now).is_some());
        let next = Sessions::new(
            &fixture.store.notes,
            &fixture.file,
            fixture.writer.clone(),
            PORT,
        );
        assert_eq!(next.find(&lost, None, now), None);
        drop(next);
        fixture.store.run_orders();
        fixture.store.is_full = false;
        fixture.wait(sessions.sign_in("Safari", key(), None, now));
        assert!(!fixture.file.exists(), "the store has written the notes");
        let next = fixture.read();
        assert!(next.find(&other, None, now).is_some());
        assert_eq!(next.find(&lost, None, now), None);
    }

    #[test]
    fn the_file_of_an_earlier_version_moves_to_the_store() {
        let mut fixture = Fixture::new("old");
        let line = |cookie: &str, transport: &str| {
            let (id, key) = (hash(cookie), key());
            match transport {
                "" => format!("{id} 1000 9000 Mozilla/5.0 (X11)\n"),
                "own" => format!("bound {key} {PORT} 2000 {id} 1000 9000 Firefox\n"),
                "bound" => format!("bound {key} device {id} 1000 9000 3000 answer tls iPad\n"),
                transport => format!("device {id} 1000 9000 2000 see {transport} iPhone, Safari\n"),
            }
        };
        let text = [
            line("keyless", ""),
            line("own", "own"),
            line("bound", "bound"),
            line("lan", "lan"),
            line("tls", "tls"),
            line("tunnel", "tunnel"),
            "rubbish\n".to_owned(),
        ];
        std::fs::write(&fixture.file, text.concat()).unwrap();
        assert_eq!(fixture.known_port(), Some(PORT));
        let now = Time(8_999);
        let expect = |sessions: &Sessions| {
            for (cookie, transport, is_valid) in [
                ("keyless", None, false),
                ("own", None, true),
                ("bound", Some(Transport::Tls), true),
                ("lan", Some(Transport::Lan), true),
                ("tls", Some(Transport::Tls), false),
                // Whether the tunnel is encrypted is checked with each request.
                ("tunnel", Some(Transport::Tunnel), true),
            ] {
                let found = sessions.find(cookie, transport, now);
                assert_eq!(found.is_some(), is_valid, "{cookie}");
            }
        };
        fixture.store.is_full = true;
        expect(&fixture.read());
        assert!(
            fixture.file.exists(),
            "the store hasn't written the notes yet"
        );
        fixture.store.is_full = false;
        expect(&fixture.read());
        assert!(!fixture.file.exists());
        expect(&fixture.read());
        assert_eq!(fixture.store.notes.len(), 4);
    }

    #[test]
    fn a_device_is_accepted_only_over_its_own_transport() {
        use Transport::{Lan, Tunnel};
        let mut fixture = Fixture::new("device");
        let now = Time(5_000);
        let sessions = fixture.read();
        let own = fixture.wait(sessions.sign_in("Firefox", key(), None, now));
        let mut admit = |may, transport, key| {
            let access = DeviceAccess { may, transport };
            fixture.wait(sessions.admit("iPhone, Safari", access, key, now))
        };
        let phone = admit(Permission::Answer, Lan, None);
        let other = admit(Permission::See, Tunnel, Some(key()));
        let sessions = fixture.read();
        for (cookie, permitted) in [(&own, None), (&phone, Some(Lan)), (&other, Some(Tunnel))] {
            for tried in [None, Some(Lan), Some(Tunnel)] {
                let found = sessions.find(cookie, tried, now);
                assert_eq!(
                    found.is_some(),
                    tried == permitted,
                    "{permitted:?} {tried:?}"
                );
            }
        }
        let names = |now| -> Vec<String> {
            let devices = sessions.devices(now).into_iter();
            devices.map(|(session, _)| session.name).collect()
        };
        assert_eq!(names(now), ["iPhone, Safari", "iPhone, Safari 2"]);
        let access = DeviceAccess {
            may: Permission::See,
            transport: Lan,
        };
        let id = shortened(&sessions.devices(now)[0].0.id);
        drop(fixture.wait(sessions.admit(&id, access, None, now)));
        drop(fixture.wait(sessions.admit("Firefox", access, None, now)));
        let said = names(now);
        let (id, other) = (format!("{id} 2"), "Firefox 2".to_owned());
        assert!(said.contains(&id) && said.contains(&other), "{said:?}");
        assert!(names(now.plus_ms(LIFETIME_MS)).is_empty());
        assert_eq!(sessions.next_expiry(), Some(now.plus_ms(LIFETIME_MS)));
        assert!(
            sessions
                .remove_expired(now.plus_ms(LIFETIME_MS - 1))
                .is_empty()
        );
        assert_eq!(sessions.remove_expired(now.plus_ms(LIFETIME_MS)).len(), 5);
    }
}
