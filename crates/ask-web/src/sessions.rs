//! The signed-in browsers of this machine and the paired devices. For each, the store has a note with
//! hashes of the cookie and of its browser's key. A restarted hub at the same port signs nobody out.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_core::devices::Permission;
use ask_core::secret::{hash, same};
use ask_core::{SafeText, Time};
use ask_hub::http::link_keys::random_secret;
use ask_hub::note_writer::NoteWriter;

use crate::proof::KeyId;
use crate::stored::{self, Notes, Stored};

/// How long a browser stays signed in.
pub const LIFE_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The largest number of browsers, and of devices. One more signs out the one that was unused for
/// the longest time.
const MOST: usize = 64;

/// The longest name of a browser, in characters.
const MOST_NAME: usize = 120;

/// The beginning of the notes' keys; the session's id follows.
const KEY: &str = "web.session.";

/// How exactly the last use is stored.
const SEEN_MS: u64 = 60 * 1_000;

/// The first word of a device's note.
const DEVICE: &str = "device";

/// The first word of a note with a key.
const BOUND: &str = "bound";

/// The word before the name of an agent's client; it comes after the key.
const BELOW: &str = "below";

/// Identifies a session: the hash of its cookie.
pub type SessionId = String;

/// How a device reaches the hub. Its cookie is valid over this connection alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// Unencrypted, through an address of this machine in its network.
    Lan,
    /// Encrypted with the person's own certificate, through such an address.
    Tls,
    /// Through the server at `http.public_url`.
    Tunnel,
}

impl Through {
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
        row.map(|(through, _)| *through)
    }
}

/// The access of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceAccess {
    /// Its permission.
    pub may: Permission,
    /// How it connects.
    pub through: Through,
}

/// A signed-in browser or paired device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// When it signed in.
    pub since: Time,
    /// When it is signed out.
    pub until: Time,
    /// When it was last used.
    pub seen: Time,
    /// The browser's or device's name.
    pub name: String,
    /// The key that its browser proves to hold; `None` for a device with an unencrypted connection,
    /// where browsers have no keys.
    pub key: Option<KeyId>,
    /// If an agent fetched the link that signed this browser in, the agent's client.
    pub below_agent: Option<String>,
    /// Where it comes from.
    pub whose: SessionOwner,
}

/// Where a session comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionOwner {
    /// A browser of this machine, which uses the hub at this port.
    Local(u16),
    /// A paired device.
    Device(DeviceAccess),
}

impl Session {
    /// The device's access; `None` for a browser of this machine.
    pub fn access(&self) -> Option<DeviceAccess> {
        match self.whose {
            SessionOwner::Local(_) => None,
            SessionOwner::Device(access) => Some(access),
        }
    }
}

/// All sessions.
pub struct Sessions {
    stored: Stored,
    /// The hub's port on this machine.
    port: u16,
    /// Ordered by last use, the latest at the end.
    all: Mutex<Vec<Session>>,
    /// The previous port, if browsers of this machine were signed out because the hub changed it.
    left: Option<u16>,
}

/// The port at which browsers of this machine use the hub, according to the store or to an earlier
/// version's file.
pub fn known_port(notes: &Notes, file: &Path) -> Option<u16> {
    let sessions = read(notes, file);
    let mut ports = sessions.iter().filter_map(|session| match session.whose {
        SessionOwner::Local(port) => Some(port),
        SessionOwner::Device(_) => None,
    });
    ports.next_back()
}

/// The sessions in an earlier version's file, else in the notes. What can't be parsed is signed out.
fn read(notes: &Notes, file: &Path) -> Vec<Session> {
    if let Some(text) = stored::read_file(file) {
        return text.lines().filter_map(Session::read).collect();
    }
    let ours = notes.iter().filter(|(key, _)| key.starts_with(KEY));
    let mut all: Vec<Session> = ours.filter_map(|(_, note)| Session::read(note)).collect();
    all.sort_by_key(|session| session.seen);
    all
}

impl Sessions {
    /// Reads the sessions from the store's notes, or from an earlier version's file, whose sessions
    /// the store has from now on. Browsers of this machine that used another port are signed out:
    /// another program may have that port now, and would get their cookies.
    pub fn new(notes: &Notes, file: &Path, writer: NoteWriter, port: u16) -> Self {
        let mut all = read(notes, file);
        let mut left = None;
        all.retain(|session| match session.whose {
            SessionOwner::Local(known) if known != port => {
                left = Some(known);
                false
            }
            SessionOwner::Local(_) | SessionOwner::Device(_) => true,
        });
        if let Some(known) = left {
            tracing::warn!(
                "the hub's port changed from {known} to {port}: browsers of this machine are signed out"
            );
        }
        let sessions = Self {
            stored: Stored::new(notes, KEY, file, writer),
            port,
            all: Mutex::new(all),
            left,
        };
        {
            let all = sessions.lock_sessions();
            match left {
                Some(_) => drop(sessions.stored.end(notes_of(&all))),
                None => drop(sessions.keep(&all)),
            }
        }
        sessions
    }

    /// The previous port, if browsers were signed out because the hub changed it.
    pub fn left(&self) -> Option<u16> {
        self.left
    }

    /// Signs in a browser of this machine. The future resolves to its cookie once the session is
    /// stored or storing has failed.
    pub fn begin(
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

    /// Admits a device. The future is that of [`Self::begin`].
    pub fn admit(
        &self,
        name: &str,
        access: DeviceAccess,
        key: Option<KeyId>,
        now: Time,
    ) -> impl Future<Output = String> + Send + use<> {
        self.add((name, None), key, SessionOwner::Device(access), now)
    }

    /// Adds a session. Its name gets a number if another session has the same.
    fn add(
        &self,
        (name, below_agent): (&str, Option<String>),
        key: Option<KeyId>,
        whose: SessionOwner,
        now: Time,
    ) -> impl Future<Output = String> + Send + use<> {
        let cookie = random_secret();
        let mut all = self.lock_sessions();
        all.retain(|session| session.until > now);
        let is_device = matches!(whose, SessionOwner::Device(_));
        let alike = |session: &Session| session.access().is_some() == is_device;
        if all.iter().filter(|session| alike(session)).count() >= MOST
            && let Some(unheard) = all.iter().position(alike)
        {
            all.remove(unheard);
        }
        let name: String = SafeText::line(name)
            .as_str()
            .chars()
            .take(MOST_NAME)
            .collect();
        let name = own_name(&all, &name, is_device);
        all.push(Session {
            id: hash(&cookie),
            since: now,
            until: now.plus_ms(LIFE_MS),
            seen: now,
            name,
            key,
            below_agent: below_agent.map(|agent| one_word(&agent)),
            whose,
        });
        let kept = self.keep(&all);
        async move {
            // After a failure, which is logged, the session lasts until the hub ends.
            let _ = kept.await;
            cookie
        }
    }

    /// The session of a cookie, if it came over the session's connection. `through` is `None` for
    /// requests from this machine.
    pub fn find(&self, cookie: &str, through: Option<Through>, now: Time) -> Option<Session> {
        let shown = hash(cookie);
        let all = self.lock_sessions();
        let found = all.iter().find(|session| same(&shown, &session.id))?;
        let comes = found.access().map(|access| access.through);
        (found.until > now && comes == through).then(|| found.clone())
    }

    /// If an agent fetched the link that signed this browser in, the agent's client.
    pub fn below_agent(&self, id: &str) -> Option<String> {
        let all = self.lock_sessions();
        let session = all.iter().find(|session| session.id == id)?;
        session.below_agent.clone()
    }

    /// Records the use of a session.
    pub fn heard(&self, id: &str, now: Time) {
        let mut all = self.lock_sessions();
        let Some(at) = all.iter().position(|session| session.id == id) else {
            return;
        };
        all[at..].rotate_left(1);
        if let Some(heard) = all.last_mut()
            && now.since_ms(heard.seen) >= SEEN_MS
        {
            heard.seen = now;
            drop(self.keep(&all));
        }
    }

    /// Whether a session is still valid.
    pub fn lasts(&self, id: &str, now: Time) -> bool {
        let is = |session: &Session| session.id == id && session.until > now;
        self.lock_sessions().iter().any(is)
    }

    /// The paired devices, the oldest first.
    pub fn devices(&self, now: Time) -> Vec<(Session, DeviceAccess)> {
        let all = self.lock_sessions();
        let lasting = all.iter().filter(|session| session.until > now);
        let devices = lasting.filter_map(|session| Some((session.clone(), session.access()?)));
        let mut devices: Vec<(Session, DeviceAccess)> = devices.collect();
        devices.sort_by(|(one, _), (other, _)| {
            (one.since, &one.name).cmp(&(other.since, &other.name))
        });
        devices
    }

    /// The browsers of this machine, the oldest first.
    pub fn browsers(&self, now: Time) -> Vec<Session> {
        let all = self.lock_sessions();
        let is_one = |session: &&Session| session.until > now && session.access().is_none();
        let mut browsers: Vec<Session> = all.iter().filter(is_one).cloned().collect();
        browsers.sort_by(|one, other| (one.since, &one.name).cmp(&(other.since, &other.name)));
        browsers
    }

    /// Whether a browser of this machine is signed in.
    pub fn any_browser(&self) -> bool {
        let all = self.lock_sessions();
        all.iter().any(|session| session.access().is_none())
    }

    /// Removes a session that is about to be replaced. The new one's order removes it from the store.
    pub(crate) fn give_way(&self, id: &str) {
        self.lock_sessions().retain(|session| session.id != id);
    }

    /// Ends a session at once. The future resolves once the next hub won't admit it either.
    pub fn end(&self, id: &str) -> impl Future<Output = ()> + Send + use<> {
        let mut all = self.lock_sessions();
        all.retain(|session| session.id != id);
        let ended = self.stored.end(notes_of(&all));
        async move {
            // After a failure, which is logged, the next hub admits nobody.
            let _ = ended.await;
        }
    }

    /// Removes expired sessions, and returns their ids.
    pub fn sweep(&self, now: Time) -> Vec<SessionId> {
        let mut all = self.lock_sessions();
        let over = all.iter().filter(|session| session.until <= now);
        let over: Vec<SessionId> = over.map(|session| session.id.clone()).collect();
        if !over.is_empty() {
            all.retain(|session| session.until > now);
            drop(self.keep(&all));
        }
        over
    }

    /// When the next session expires.
    pub(crate) fn next_end(&self) -> Option<Time> {
        self.lock_sessions()
            .iter()
            .map(|session| session.until)
            .min()
    }

    fn lock_sessions(&self) -> MutexGuard<'_, Vec<Session>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, all: &[Session]) -> impl Future<Output = bool> + Send + use<> {
        self.stored.keep(notes_of(all))
    }
}

fn notes_of(all: &[Session]) -> Notes {
    let notes = all.iter();
    notes
        .map(|session| (format!("{KEY}{}", session.id), session.line()))
        .collect()
}

/// A name that no other device has, or no other browser of this machine.
fn own_name(all: &[Session], name: &str, is_device: bool) -> String {
    let taken = |wanted: &str| {
        let mut alike = all
            .iter()
            .filter(|session| session.access().is_some() == is_device);
        alike.any(|session| session.name == wanted)
    };
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

impl Session {
    fn line(&self) -> String {
        let (id, since, until, name) = (&self.id, self.since.0, self.until.0, &self.name);
        let seen = self.seen.0;
        let bound = self.key.as_ref().map(|key| format!("{BOUND} {key} "));
        let below = self.below_agent.as_ref();
        let below = below.map(|agent| format!("{BELOW} {agent} "));
        let bound = bound.unwrap_or_default() + &below.unwrap_or_default();
        match self.whose {
            SessionOwner::Local(port) => {
                format!("{bound}{port} {seen} {id} {since} {until} {name}")
            }
            SessionOwner::Device(DeviceAccess { may, through }) => {
                let (may, through) = (may.word(), through.word());
                format!("{bound}{DEVICE} {id} {since} {until} {seen} {may} {through} {name}")
            }
        }
    }

    /// Reads a line. A session without a key is only valid for devices with an unencrypted
    /// connection.
    fn read(line: &str) -> Option<Self> {
        let after = |word: &str, line| str::strip_prefix(line, word)?.strip_prefix(' ');
        let (key, line) = match after(BOUND, line) {
            Some(bound) => {
                let (key, line) = bound.split_once(' ')?;
                (Some(read_id(key)?), line)
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
            Some(device) => Self::read_device(device, key)?,
            None => Self::read_own(line, key)?,
        };
        session.below_agent = below_agent;
        let may_lack = |access: DeviceAccess| access.through != Through::Tls;
        let is_whole = session.key.is_some() || session.access().is_some_and(may_lack);
        is_whole.then_some(session)
    }

    fn read_own(line: &str, key: Option<KeyId>) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (port, seen) = (words.next()?.parse().ok()?, read_time(words.next()?)?);
        Some(Self {
            id: read_id(words.next()?)?,
            since: read_time(words.next()?)?,
            until: read_time(words.next()?)?,
            seen,
            name: words.next().unwrap_or_default().to_owned(),
            key,
            below_agent: None,
            whose: SessionOwner::Local(port),
        })
    }

    fn read_device(line: &str, key: Option<KeyId>) -> Option<Self> {
        let mut words = line.splitn(7, ' ');
        let (id, since) = (read_id(words.next()?)?, read_time(words.next()?)?);
        let until = read_time(words.next()?)?;
        let seen = read_time(words.next()?)?;
        let (may, through) = (
            Permission::find(words.next()?)?,
            Through::find(words.next()?)?,
        );
        Some(Self {
            id,
            since,
            until,
            seen,
            name: words.next().unwrap_or_default().to_owned(),
            key,
            below_agent: None,
            whose: SessionOwner::Device(DeviceAccess { may, through }),
        })
    }
}

/// A name as one word of a line.
fn one_word(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join("-")
}

fn read_id(word: &str) -> Option<SessionId> {
    (word.len() == 64).then(|| word.to_owned())
}

fn read_time(word: &str) -> Option<Time> {
    word.parse().ok().map(Time)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::stored::testing::FakeStore;

    const PORT: u16 = 4127;

    /// A store, and the file of an earlier version.
    struct Kept {
        store: FakeStore,
        writer: NoteWriter,
        file: PathBuf,
    }

    impl Kept {
        fn new(name: &str) -> Self {
            let (store, writer) = FakeStore::new();
            let own = std::process::id();
            let file = std::env::temp_dir().join(format!("ask-user-sessions-{name}-{own}"));
            Self {
                store,
                writer,
                file,
            }
        }

        /// The sessions of a hub that starts now, at a port.
        fn at(&mut self, port: u16) -> Sessions {
            self.store.work();
            let sessions = Sessions::new(&self.store.notes, &self.file, self.writer.clone(), port);
            self.store.work();
            sessions
        }

        fn read(&mut self) -> Sessions {
            self.at(PORT)
        }

        fn known_port(&self) -> Option<u16> {
            known_port(&self.store.notes, &self.file)
        }

        /// What a future resolves to once the store has worked.
        fn done<T>(&mut self, future: impl Future<Output = T>) -> T {
            self.store.work();
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            runtime.unwrap().block_on(future)
        }
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            // Most tests leave no file.
            let _ = std::fs::remove_file(&self.file);
        }
    }

    fn key() -> KeyId {
        hash("a key")
    }

    #[test]
    fn sessions_survive_and_end() {
        let mut kept = Kept::new("own");
        let now = Time(5_000);
        let sessions = kept.read();
        let cookie = sessions.begin("Firefox\n140", key(), Some("an agent".into()), now);
        let cookie = kept.done(cookie);
        let stored = format!("{:?}", kept.store.notes);
        assert!(!stored.contains(&cookie), "only a hash is kept");
        let again = kept.read();
        let found = again.find(&cookie, None, now.plus_ms(LIFE_MS - 1)).unwrap();
        assert_eq!(found.key, Some(key()), "{stored}");
        let below = again.below_agent(&found.id);
        assert_eq!(below.as_deref(), Some("an-agent"), "{stored}");
        assert_eq!(again.find(&cookie, None, now.plus_ms(LIFE_MS)), None);
        assert_eq!(again.find("", None, now), None);
        again.heard(&found.id, now.plus_ms(SEEN_MS));
        assert_eq!(kept.read().browsers(now)[0].seen, now.plus_ms(SEEN_MS));
        kept.done(again.end(&found.id));
        assert_eq!(kept.read().find(&cookie, None, now), None);
        assert!(kept.store.notes.is_empty());
    }

    #[test]
    fn only_the_session_that_changed_is_written() {
        let mut kept = Kept::new("few");
        let now = Time(5_000);
        let sessions = kept.read();
        for name in ["Firefox", "Safari"] {
            let cookie = sessions.begin(name, key(), None, now);
            kept.done(cookie);
        }
        let id = sessions.browsers(now)[0].id.clone();
        sessions.heard(&id, now.plus_ms(SEEN_MS));
        assert_eq!(kept.store.work(), [format!("{KEY}{id}")]);
        kept.read();
        assert!(kept.store.work().is_empty(), "a start writes nothing");
    }

    #[test]
    fn browsers_that_know_another_port_are_signed_out_and_devices_are_not() {
        let mut kept = Kept::new("moved");
        let now = Time(5_000);
        let sessions = kept.read();
        let own = kept.done(sessions.begin("Firefox", key(), None, now));
        let access = DeviceAccess {
            may: Permission::See,
            through: Through::Tls,
        };
        let phone = kept.done(sessions.admit("iPhone", access, Some(key()), now));
        assert_eq!((kept.known_port(), sessions.left()), (Some(PORT), None));
        let moved = kept.at(PORT + 1);
        assert_eq!(moved.left(), Some(PORT));
        assert!(moved.find(&own, None, now).is_none() && !moved.any_browser());
        assert!(moved.find(&phone, Some(Through::Tls), now).is_some());
        let back = kept.read();
        assert!(back.find(&own, None, now).is_none(), "it is over for good");
        assert_eq!((kept.known_port(), back.left()), (None, None));
    }

    #[test]
    fn who_was_shut_out_stays_out_also_where_nothing_can_be_written() {
        let mut kept = Kept::new("full");
        let now = Time(5_000);
        let sessions = kept.read();
        let lost = kept.done(sessions.begin("a lost phone", key(), None, now));
        let other = kept.done(sessions.begin("Firefox", key(), None, now));
        let id = sessions.find(&lost, None, now).unwrap().id;
        kept.store.is_full = true;
        kept.done(sessions.end(&id));
        assert!(!sessions.lasts(&id, now) && sessions.find(&other, None, now).is_some());
        let next = Sessions::new(&kept.store.notes, &kept.file, kept.writer.clone(), PORT);
        assert_eq!(next.find(&lost, None, now), None);
        drop(next);
        kept.store.work();
        kept.store.is_full = false;
        kept.done(sessions.begin("Safari", key(), None, now));
        assert!(!kept.file.exists(), "the store has it all");
        let next = kept.read();
        assert!(next.find(&other, None, now).is_some());
        assert_eq!(next.find(&lost, None, now), None);
    }

    #[test]
    fn the_file_of_an_earlier_version_is_read_once() {
        let mut kept = Kept::new("old");
        let line = |cookie: &str, through: &str| {
            let (id, key) = (hash(cookie), key());
            match through {
                "" => format!("{id} 1000 9000 Mozilla/5.0 (X11)\n"),
                "own" => format!("bound {key} {PORT} 2000 {id} 1000 9000 Firefox\n"),
                "bound" => format!("bound {key} device {id} 1000 9000 3000 answer tls iPad\n"),
                through => format!("device {id} 1000 9000 2000 see {through} iPhone, Safari\n"),
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
        std::fs::write(&kept.file, text.concat()).unwrap();
        assert_eq!(kept.known_port(), Some(PORT));
        let now = Time(8_999);
        let expect = |sessions: &Sessions| {
            for (cookie, through, lasts) in [
                ("keyless", None, false),
                ("own", None, true),
                ("bound", Some(Through::Tls), true),
                ("lan", Some(Through::Lan), true),
                ("tls", Some(Through::Tls), false),
                // Whether the tunnel is encrypted is checked with each request.
                ("tunnel", Some(Through::Tunnel), true),
            ] {
                let found = sessions.find(cookie, through, now);
                assert_eq!(found.is_some(), lasts, "{cookie}");
            }
        };
        kept.store.is_full = true;
        expect(&kept.read());
        assert!(kept.file.exists(), "the store has nothing of it yet");
        kept.store.is_full = false;
        expect(&kept.read());
        assert!(!kept.file.exists());
        expect(&kept.read());
        assert_eq!(kept.store.notes.len(), 4);
    }

    #[test]
    fn a_device_comes_in_where_it_was_let_in_alone() {
        use Through::{Lan, Tunnel};
        let mut kept = Kept::new("device");
        let now = Time(5_000);
        let sessions = kept.read();
        let own = kept.done(sessions.begin("Firefox", key(), None, now));
        let mut admit = |may, through, key| {
            let access = DeviceAccess { may, through };
            kept.done(sessions.admit("iPhone, Safari", access, key, now))
        };
        let phone = admit(Permission::Answer, Lan, None);
        let other = admit(Permission::See, Tunnel, Some(key()));
        let sessions = kept.read();
        for (cookie, way) in [(&own, None), (&phone, Some(Lan)), (&other, Some(Tunnel))] {
            for tried in [None, Some(Lan), Some(Tunnel)] {
                let found = sessions.find(cookie, tried, now);
                assert_eq!(found.is_some(), tried == way, "{way:?} {tried:?}");
            }
        }
        let names = |now| -> Vec<String> {
            let devices = sessions.devices(now).into_iter();
            devices.map(|(session, _)| session.name).collect()
        };
        assert_eq!(names(now), ["iPhone, Safari", "iPhone, Safari 2"]);
        assert!(names(now.plus_ms(LIFE_MS)).is_empty());
        assert_eq!(sessions.next_end(), Some(now.plus_ms(LIFE_MS)));
        assert!(sessions.sweep(now.plus_ms(LIFE_MS - 1)).is_empty());
        assert_eq!(sessions.sweep(now.plus_ms(LIFE_MS)).len(), 3);
    }
}
