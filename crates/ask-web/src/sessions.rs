//! Which browsers may answer: those of this machine, and devices that the person let in. Of each
//! cookie a hash is kept, in a file that only the person can read, so that a hub that begins anew
//! signs nobody out.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_config::home;
use ask_core::devices::Permission;
use ask_core::{SafeText, Time};
use ask_hub::http::keys::{hash, secret};
use ask_hub::http::same;

/// How long a browser stays signed in.
pub const LIFE_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// How many browsers, and how many devices, are signed in at a time; who was not heard of for the
/// longest goes first.
const MOST: usize = 64;

/// The most characters of a browser's name that are kept.
const MOST_NAME: usize = 120;

/// How exactly it is kept when a device was last heard of.
const SEEN_MS: u64 = 60 * 1_000;

/// What a line of a device begins with. A program that knows no devices takes it for no browser.
const DEVICE: &str = "device";

/// Names a session without giving it away.
pub type SessionId = String;

/// How a device reaches the hub. The cookie that it got on one way opens no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// An address of this machine in its network, where others may read along.
    Lan,
    /// The same, encrypted by the person's own certificate.
    Tls,
    /// Whoever serves `http.public_url`.
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

/// What makes a browser a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guest {
    /// What it may.
    pub may: Permission,
    /// Where it comes in.
    pub through: Through,
    /// When it was last heard of.
    pub seen: Time,
}

/// One browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name here.
    pub id: SessionId,
    /// Since when.
    pub since: Time,
    /// Until when.
    pub until: Time,
    /// What it calls itself.
    pub name: String,
    /// Of a device; a browser of this machine is none.
    pub guest: Option<Guest>,
}

/// All of them.
pub struct Sessions {
    file: PathBuf,
    /// Who was heard of last stands last.
    all: Mutex<Vec<Session>>,
}

impl Sessions {
    /// Those that a file holds; what can't be read there is signed out.
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        Self {
            file: file.to_owned(),
            all: Mutex::new(text.lines().filter_map(Session::read).collect()),
        }
    }

    /// Signs a browser of this machine in; its cookie.
    pub fn begin(&self, name: &str, now: Time) -> String {
        self.add(name, None, now)
    }

    /// Lets a device in; its cookie. Where another has its name, it gets a number.
    pub fn admit(&self, name: &str, may: Permission, through: Through, now: Time) -> String {
        let seen = now;
        let guest = Guest { may, through, seen };
        self.add(name, Some(guest), now)
    }

    fn add(&self, name: &str, guest: Option<Guest>, now: Time) -> String {
        let cookie = secret();
        let mut all = self.all();
        all.retain(|session| session.until > now);
        let alike = |session: &Session| session.guest.is_some() == guest.is_some();
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
        let name = match guest {
            Some(_) => own_name(&all, &name),
            None => name,
        };
        all.push(Session {
            id: hash(&cookie),
            since: now,
            until: now.plus_ms(LIFE_MS),
            name,
            guest,
        });
        self.keep(&all);
        cookie
    }

    /// Whose cookie this is, where it came on its way: `None` is this machine itself.
    pub fn find(&self, cookie: &str, through: Option<Through>, now: Time) -> Option<Session> {
        let shown = hash(cookie);
        let mut all = self.all();
        let at = all.iter().position(|session| same(&shown, &session.id))?;
        let is_theirs = |session: &Session| {
            session.until > now && session.guest.map(|guest| guest.through) == through
        };
        if !is_theirs(&all[at]) {
            return None;
        }
        all[at..].rotate_left(1);
        let found = all.last_mut()?;
        let mut news = false;
        if let Some(guest) = &mut found.guest
            && now.since_ms(guest.seen) >= SEEN_MS
        {
            guest.seen = now;
            news = true;
        }
        let found = found.clone();
        if news {
            self.keep(&all);
        }
        Some(found)
    }

    /// Whether a session that was found lasts still.
    pub fn lasts(&self, id: &str, now: Time) -> bool {
        let is = |session: &Session| session.id == id && session.until > now;
        self.all().iter().any(is)
    }

    /// Devices that were let in, those that came first first.
    pub fn devices(&self, now: Time) -> Vec<(Session, Guest)> {
        let all = self.all();
        let lasting = all.iter().filter(|session| session.until > now);
        let devices = lasting.filter_map(|session| Some((session.clone(), session.guest?)));
        let mut devices: Vec<(Session, Guest)> = devices.collect();
        devices.sort_by(|(one, _), (other, _)| {
            (one.since, &one.name).cmp(&(other.since, &other.name))
        });
        devices
    }

    /// Ends a session that another takes the place of: it is written with that one.
    pub(crate) fn give_way(&self, id: &str) {
        self.all().retain(|session| session.id != id);
    }

    /// Signs a browser out. Where that can't be written, all of them in the next hub: it must not be let in
    /// again by what still stands in the file.
    pub fn end(&self, id: &str) {
        let mut all = self.all();
        all.retain(|session| session.id != id);
        if !self.keep(&all) {
            let _ = std::fs::remove_file(&self.file);
        }
    }

    /// Signs out whose time is over; who that was.
    pub fn sweep(&self, now: Time) -> Vec<SessionId> {
        let mut all = self.all();
        let over = all.iter().filter(|session| session.until <= now);
        let over: Vec<SessionId> = over.map(|session| session.id.clone()).collect();
        if !over.is_empty() {
            all.retain(|session| session.until > now);
            self.keep(&all);
        }
        over
    }

    /// When the next one's time is over.
    pub(crate) fn next_end(&self) -> Option<Time> {
        self.all().iter().map(|session| session.until).min()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Session>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, all: &[Session]) -> bool {
        let text: String = all.iter().map(Session::line).collect();
        let kept = home::replace(&self.file, &text);
        if let Err(error) = &kept {
            tracing::error!(
                "{} can't be written ({error}): browsers will have to sign in again",
                self.file.display()
            );
        }
        kept.is_ok()
    }
}

/// A name that no device has yet.
fn own_name(all: &[Session], name: &str) -> String {
    let taken = |wanted: &str| {
        let mut devices = all.iter().filter(|session| session.guest.is_some());
        devices.any(|session| session.name == wanted)
    };
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

impl Session {
    fn line(&self) -> String {
        let (id, since, until, name) = (&self.id, self.since.0, self.until.0, &self.name);
        match self.guest {
            None => format!("{id} {since} {until} {name}\n"),
            Some(guest) => {
                let (may, through) = (guest.may.word(), guest.through.word());
                let seen = guest.seen.0;
                format!("{DEVICE} {id} {since} {until} {seen} {may} {through} {name}\n")
            }
        }
    }

    fn read(line: &str) -> Option<Self> {
        let device = line.strip_prefix(DEVICE);
        match device.and_then(|rest| rest.strip_prefix(' ')) {
            Some(rest) => Self::read_device(rest),
            None => Self::read_own(line),
        }
    }

    fn read_own(line: &str) -> Option<Self> {
        let mut words = line.splitn(4, ' ');
        Some(Self {
            id: read_id(words.next()?)?,
            since: read_time(words.next()?)?,
            until: read_time(words.next()?)?,
            name: words.next().unwrap_or_default().to_owned(),
            guest: None,
        })
    }

    fn read_device(line: &str) -> Option<Self> {
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
            name: words.next().unwrap_or_default().to_owned(),
            guest: Some(Guest { may, through, seen }),
        })
    }
}

fn read_id(word: &str) -> Option<SessionId> {
    (word.len() == 64).then(|| word.to_owned())
}

fn read_time(word: &str) -> Option<Time> {
    word.parse().ok().map(Time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> PathBuf {
        let own = std::process::id();
        std::env::temp_dir().join(format!("ask-user-sessions-{name}-{own}"))
    }

    #[test]
    fn sessions_survive_and_end() {
        let file = file("own");
        let now = Time(5_000);
        let sessions = Sessions::read(&file);
        let cookie = sessions.begin("Firefox\n140", now);
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(!kept.contains(&cookie), "only a hash is kept");
        let again = Sessions::read(&file);
        let found = again.find(&cookie, None, now.plus_ms(LIFE_MS - 1));
        assert!(found.is_some(), "{kept}");
        assert_eq!(again.find(&cookie, None, now.plus_ms(LIFE_MS)), None);
        assert_eq!(again.find("", None, now), None);
        again.end(&found.unwrap().id);
        assert_eq!(Sessions::read(&file).find(&cookie, None, now), None);
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn who_was_shut_out_stays_out_also_where_nothing_can_be_written() {
        let file = file("full");
        let now = Time(5_000);
        let sessions = Sessions::read(&file);
        let lost = sessions.begin("a lost phone", now);
        let other = sessions.begin("Firefox", now);
        let id = sessions.find(&lost, None, now).unwrap().id;
        // What is written beside it has no place there.
        let beside = format!("{}.{}", file.display(), std::process::id());
        std::fs::create_dir(&beside).unwrap();
        sessions.end(&id);
        assert!(!sessions.lasts(&id, now) && sessions.find(&other, None, now).is_some());
        let next = Sessions::read(&file);
        assert_eq!(next.find(&lost, None, now), None);
        std::fs::remove_dir(&beside).unwrap();
        sessions.begin("Safari", now);
        assert!(Sessions::read(&file).find(&other, None, now).is_some());
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_file_from_before_there_were_devices_is_read() {
        let file = file("old");
        let id = hash("a cookie");
        std::fs::write(
            &file,
            format!("{id} 1000 9000 Mozilla/5.0 (X11)\nrubbish\n"),
        )
        .unwrap();
        let sessions = Sessions::read(&file);
        let found = sessions.find("a cookie", None, Time(8_999)).unwrap();
        assert_eq!(
            (found.name.as_str(), found.guest),
            ("Mozilla/5.0 (X11)", None)
        );
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_device_comes_in_where_it_was_let_in_alone() {
        use Through::{Lan, Tunnel};
        let file = file("device");
        let now = Time(5_000);
        let sessions = Sessions::read(&file);
        let own = sessions.begin("Firefox", now);
        let phone = sessions.admit("iPhone, Safari", Permission::Answer, Lan, now);
        let other = sessions.admit("iPhone, Safari", Permission::See, Tunnel, now);
        let sessions = Sessions::read(&file);
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
        sessions.find(&phone, Some(Lan), now.plus_ms(SEEN_MS));
        let seen = Sessions::read(&file).devices(now)[0].1.seen;
        assert_eq!(
            seen,
            now.plus_ms(SEEN_MS),
            "it is kept when it was last heard of"
        );
        assert!(names(now.plus_ms(LIFE_MS)).is_empty());
        assert_eq!(sessions.next_end(), Some(now.plus_ms(LIFE_MS)));
        assert!(sessions.sweep(now.plus_ms(LIFE_MS - 1)).is_empty());
        assert_eq!(sessions.sweep(now.plus_ms(LIFE_MS)).len(), 3);
        std::fs::remove_file(&file).unwrap();
    }
}
