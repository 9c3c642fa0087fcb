//! Where a person's files are: one folder under `ASK_USER_HOME`, else the
//! platform's folders. Folders are made 0700 and files 0600.

use ask_core::secret::hex;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_clients::registration::file_io::backup_path;
use etcetera::BaseStrategy;

use crate::clock;
use crate::exit::{Exit, Failure};

/// The folders of one person.
#[derive(Clone, Debug)]
pub struct Home {
    config: PathBuf,
    state: PathBuf,
}

/// The longest path a Unix socket can have on every system we know.
const MAX_SOCKET_PATH: usize = 100;

impl Home {
    /// Finds them; makes nothing.
    pub fn find() -> anyhow::Result<Self> {
        if let Some(home) = std::env::var_os("ASK_USER_HOME").filter(|home| !home.is_empty()) {
            let home = std::path::absolute(PathBuf::from(home))?;
            if home.to_str().is_none() {
                return Err(Failure::new(
                    Exit::Failure,
                    format!("{} is not UTF-8", home.display()),
                    "set ASK_USER_HOME to a folder whose name is",
                )
                .into());
            }
            return Ok(Self {
                config: home.clone(),
                state: home,
            });
        }
        let base = etcetera::choose_base_strategy().map_err(|_| {
            Failure::new(
                Exit::Failure,
                "no home directory is known",
                "set HOME, or ASK_USER_HOME to a folder of your own",
            )
        })?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Ok(Self {
            config: base.config_dir().join("ask-user"),
            state: state.join("ask-user"),
        })
    }

    /// Makes the state folder, or says why it can't be.
    pub fn prepare(&self) -> anyhow::Result<()> {
        durable_dir(&self.state).with_context(|| {
            format!(
                "cannot write to {}\n  make the folder writable, or set ASK_USER_HOME to one that is",
                self.state.display()
            )
        })?;
        ours_alone(&self.state)
    }

    /// Takes from others what they may do with the files here that we write. Those of a home that
    /// was made by hand, or by a hub with another umask, could be read by every account.
    pub fn narrow(&self) {
        let store = self.store_file();
        let beside = |end: &str| {
            let mut name = store.clone().into_os_string();
            name.push(end);
            PathBuf::from(name)
        };
        let ours = [
            self.address_file(),
            self.token_file(),
            self.answer_token_file(),
            self.sessions_file(),
            self.pairing_file(),
            self.lock_file(),
            self.log_file(),
            self.log_file().with_extension("log.1"),
            self.notices_file(),
            self.seal_file(),
            self.attachments(),
            beside("-wal"),
            beside("-shm"),
            store.clone(),
        ];
        for path in ours {
            let Ok(about) = fs::symlink_metadata(&path) else {
                continue;
            };
            let mode = about.mode() & 0o7777;
            if (about.is_file() || about.is_dir()) && mode & 0o077 != 0 {
                let narrower = fs::Permissions::from_mode(mode & !0o077);
                // Another account's: `doctor` says what to do about those.
                if fs::set_permissions(&path, narrower).is_ok() {
                    tracing::warn!(
                        "others on this machine could read or change {} ({mode:04o}); it is yours alone now",
                        path.display()
                    );
                }
            }
        }
    }

    /// The person's settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Where the hub can be found.
    pub fn address_file(&self) -> PathBuf {
        self.state.join("hub.json")
    }

    /// What agents show that come over HTTP.
    pub fn token_file(&self) -> PathBuf {
        self.state.join("token")
    }

    /// What programs show that answer for the person over HTTP. An agent's token opens nothing
    /// that answers.
    pub fn answer_token_file(&self) -> PathBuf {
        self.state.join("answer-token")
    }

    /// What agents show that come over HTTP: the same for ever, because their configuration holds
    /// it. Made by whoever needs it first.
    pub fn token(&self) -> anyhow::Result<String> {
        made_once(&self.token_file())
    }

    /// The same for programs that answer.
    pub fn answer_token(&self) -> anyhow::Result<String> {
        made_once(&self.answer_token_file())
    }

    /// Which browsers may answer. By now the store has it; the hub reads this file once, from an
    /// earlier version, and makes an empty one if the store can't write that a session has ended.
    pub fn sessions_file(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// Whether devices of other machines may come, where, and until when. By now the store has it, as
    /// with the sessions.
    pub fn pairing_file(&self) -> PathBuf {
        self.state.join("pairing")
    }

    /// Held by the one hub for as long as it lives.
    pub fn lock_file(&self) -> PathBuf {
        self.state.join("hub.lock")
    }

    /// What the hub has to say.
    pub fn log_file(&self) -> PathBuf {
        self.state.join("hub.log")
    }

    /// The store.
    pub fn store_file(&self) -> PathBuf {
        self.state.join("ask-user.db")
    }

    /// What was told of which ask.
    pub fn notices_file(&self) -> PathBuf {
        self.state.join("notices")
    }

    /// The key that seals what clients hand back.
    pub fn seal_file(&self) -> PathBuf {
        self.state.join("seal.key")
    }

    /// The files that answers carry.
    pub fn attachments(&self) -> PathBuf {
        self.state.join("attachments")
    }

    /// The state folder itself.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// A path for the hub's socket: beside `hub.json` where it is short enough for one.
    pub fn socket_file(&self) -> io::Result<PathBuf> {
        let beside = self.state.join("hub.sock");
        if beside.as_os_str().as_bytes().len() <= MAX_SOCKET_PATH {
            return Ok(beside);
        }
        Ok(temporary()?.join(format!("{}.sock", std::process::id())))
    }
}

/// Refuses a folder that another account can change, as ssh does: what is in it tells us whom to
/// answer and what to run. Root may use anybody's: a container's folder often is its host's.
fn ours_alone(folder: &Path) -> anyhow::Result<()> {
    let about = fs::metadata(folder).with_context(|| format!("looking at {}", folder.display()))?;
    let own = rustix::process::geteuid().as_raw();
    let name = folder.display();
    match unsafe_for(own, about.uid(), about.mode()) {
        None => Ok(()),
        Some(Others::Own) => Err(Failure::new(
            Exit::Failure,
            format!("{name} belongs to another account, which could change what is in it"),
            "`ls -ld` says to whom; set ASK_USER_HOME to a folder of your own, or have it given to you with `sudo chown`",
        )
        .into()),
        Some(Others::Write) => Err(Failure::new(
            Exit::Failure,
            format!(
                "other accounts may change what is in {name} ({:04o})",
                about.mode() & 0o7777
            ),
            format!("look whether all in it is yours, then: chmod go-w '{name}'"),
        )
        .into()),
    }
}

/// Refuses a file that says what to run, where another account owns it or its folder, or any account may
/// change one of them. A group may: many systems give each person a group of their own.
pub(crate) fn said_by_others(file: &Path) -> io::Result<()> {
    let own = rustix::process::geteuid().as_raw();
    for path in [Some(file), file.parent()].into_iter().flatten() {
        let Ok(about) = fs::metadata(path) else {
            continue;
        };
        // Nothing is said in a device, as in /dev/null.
        if !about.is_dir() && !about.is_file() {
            continue;
        }
        // Where names are their owners' alone, as in /tmp, others can't replace it.
        let is_sticky = about.is_dir() && about.mode() & 0o1000 != 0;
        let others = match unsafe_for(own, about.uid(), about.mode() & !0o020) {
            Some(Others::Write) if is_sticky => None,
            others => others,
        };
        let what = match others {
            None => continue,
            Some(Others::Own) => "belongs to another account",
            Some(Others::Write) => "may be changed by other accounts",
        };
        let what = format!("{} {what}, and settings say what is run", path.display());
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// What others can do with a folder that we can't allow.
#[derive(Debug, PartialEq, Eq)]
enum Others {
    Own,
    Write,
}

fn unsafe_for(own: u32, owner: u32, mode: u32) -> Option<Others> {
    if own != 0 && owner != 0 && owner != own {
        return Some(Others::Own);
    }
    (mode & 0o022 != 0).then_some(Others::Write)
}

/// A folder for what need not survive, for our eyes only.
pub fn temporary() -> io::Result<PathBuf> {
    let own = rustix::process::getuid().as_raw();
    let folder = std::env::temp_dir().join(format!("ask-user-{own}"));
    private_dir(&folder)?;
    if fs::symlink_metadata(&folder)?.uid() != own {
        let said = format!("{} belongs to somebody else", folder.display());
        return Err(io::Error::other(said));
    }
    Ok(folder)
}

/// With fewer characters, what is in a token's file keeps nobody out.
const SHORTEST_TOKEN: usize = 16;

/// No header carries a longer one.
const LONGEST_TOKEN: u64 = 4096;

/// A token that nobody has yet.
pub fn new_token() -> String {
    hex(&[clock::random(), clock::random()].concat())
}

/// The secret in a file, made by whoever needs it first. What can be no secret is replaced: it
/// was cut off on a full disk, by a power loss, or emptied by hand.
fn made_once(path: &Path) -> anyhow::Result<String> {
    // One at a time, so that nobody takes a token that was just made for what was there before. Where
    // folders can't be locked, the link below lets the first one win all the same.
    let folder = path.parent().and_then(|folder| File::open(folder).ok());
    let _locked = folder.as_ref().map(File::lock);
    match known_token(path) {
        Ok(Some(token)) => return Ok(token),
        Ok(None) => {
            tracing::error!(
                "{} held no token (a power loss or a full disk may have emptied it); a new one is made, and agents that were registered over HTTP need it: `ask-user register` again",
                path.display()
            );
            // Whatever is wrong with the place is said by what comes next.
            let _ = fs::remove_file(path);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    }
    let beside = backup_path(path);
    let token = new_token();
    // Whoever comes second finds the token of the first: a link never replaces a file. It has its
    // name only once its words are on the disk: a power loss leaves all of it or none.
    let made = written(&beside, &format!("{token}\n"))
        .and_then(|file| file.sync_all())
        .and_then(|()| {
            let linked = fs::hard_link(&beside, path);
            fs::remove_file(&beside).and(linked)
        })
        .and_then(|()| sync_parent(path));
    match made {
        Ok(()) => Ok(token),
        Err(error) => known_token(path)
            .ok()
            .flatten()
            .with_context(|| format!("writing {}: {error}", path.display())),
    }
}

/// The secret in a file, if it is one that a header can carry.
fn known_token(path: &Path) -> io::Result<Option<String>> {
    let bytes = fs::read(path)?;
    let token = bytes.trim_ascii();
    let is_one = token.len() >= SHORTEST_TOKEN && token.iter().all(u8::is_ascii_graphic);
    Ok(is_one.then(|| String::from_utf8_lossy(token).into_owned()))
}

/// The token in a file that the person names. It answers for them, so that a file which others can
/// read is refused. A pipe holds what is for its reader alone.
pub fn own_token(path: &Path) -> anyhow::Result<String> {
    let wrong = |problem: &str, hint: &str| {
        let problem = format!("{} {problem}", path.display());
        anyhow::Error::from(Failure::new(Exit::Usage, problem, hint))
    };
    let reading = || format!("reading {}", path.display());
    let file = File::open(path).with_context(reading)?;
    let about = file.metadata().with_context(reading)?;
    if about.is_file() && about.mode() & 0o077 != 0 {
        return Err(wrong(
            "can be read by other accounts",
            "make it yours alone: chmod 600",
        ));
    }
    let mut bytes = Vec::new();
    let mut file = file.take(LONGEST_TOKEN + 1);
    file.read_to_end(&mut bytes).with_context(reading)?;
    let token = bytes.trim_ascii();
    let is_one = !token.is_empty() && token.iter().all(u8::is_ascii_graphic);
    match is_one && bytes.len() as u64 <= LONGEST_TOKEN {
        true => Ok(String::from_utf8_lossy(token).into_owned()),
        false => Err(wrong(
            "holds no token",
            "write one word of letters, digits and signs into it",
        )),
    }
}

/// Makes a folder that only its owner can look into.
pub fn private_dir(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Opens a file that only its owner can read, for adding to it. A link is not followed: it may
/// have been put there to have another file written.
pub fn private_append(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)
}

/// Opens a file that only its owner can read, for writing it anew.
pub fn private_anew(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)
}

/// Replaces a file as a whole: readers see the old text or the new, never half.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = backup_path(path);
    let replaced = written(&beside, text).and_then(|_| fs::rename(&beside, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Writes a file that isn't there yet, which only its owner can read. A link that somebody has put in
/// its place is not followed.
fn written(path: &Path, text: &str) -> io::Result<File> {
    let mut anew = OpenOptions::new();
    let mut file = anew.create_new(true).write(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Has the names in a folder survive a power loss: a file's own sync keeps only what is in it.
pub fn sync_dir(folder: &Path) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    synced::note(folder);
    let opened = match File::open(folder) {
        // One that may be gone through but not read, as `/home` may be.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        // Some file systems know no sync of folders.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => sync_dir(folder),
        None => Ok(()),
    }
}

/// Makes a folder that only its owner can look into, and whose name survives a power loss.
pub fn durable_dir(path: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    let mut at = Some(path);
    while let Some(folder) = at.filter(|folder| !folder.exists()) {
        missing.push(folder);
        at = folder.parent();
    }
    // What is not there is made even so: a link that leads nowhere has its own error.
    private_dir(path)?;
    for folder in missing.into_iter().rev() {
        sync_parent(folder)?;
    }
    Ok(())
}

/// Which folders were synced, for tests: nobody sees it from outside.
#[cfg(any(test, feature = "testing"))]
pub mod synced {
    use std::cell::RefCell;
    use std::path::{Path, PathBuf};

    thread_local! {
        static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn note(folder: &Path) {
        SYNCED.with_borrow_mut(|synced| {
            // Only tests look, and they do so soon.
            synced.truncate(100);
            synced.push(folder.to_owned());
        });
    }

    /// The folders that this thread synced since it was asked last, in order.
    pub fn taken() -> Vec<PathBuf> {
        SYNCED.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let name = format!("ask-user-home-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn no_link_that_was_put_there_is_written_through() {
        let folder = folder("replace");
        private_dir(&folder).unwrap();
        let (file, outside) = (folder.join("file"), folder.join("outside"));
        fs::write(&outside, "precious").unwrap();
        std::os::unix::fs::symlink(&outside, &file).unwrap();
        // The name beside it that a process of this number had.
        let beside = folder.join(format!("file.{}", std::process::id()));
        std::os::unix::fs::symlink(&outside, &beside).unwrap();
        replace(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
        assert!(written(&beside, "x").is_err(), "something is there");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left");
    }

    #[test]
    fn a_folder_is_synced_into_each_that_was_made_for_it() {
        let outer = folder("dirs");
        let inner = outer.join("a");
        synced::taken();
        durable_dir(&inner).unwrap();
        assert_eq!(synced::taken(), [std::env::temp_dir(), outer.clone()]);
        durable_dir(&inner).unwrap();
        assert_eq!(synced::taken(), [] as [PathBuf; 0], "it was there");
        fs::remove_dir_all(&outer).unwrap();
    }

    #[test]
    fn a_folder_that_others_can_change_is_refused_as_ssh_does() {
        for (own, owner, mode, refused) in [
            (1000, 1000, 0o700, None),
            (1000, 1000, 0o755, None),
            (1000, 1000, 0o775, Some(Others::Write)),
            (1000, 1000, 0o1777, Some(Others::Write)),
            (1000, 65534, 0o700, Some(Others::Own)),
            (1000, 65534, 0o777, Some(Others::Own)),
            (1000, 0, 0o755, None),
            (0, 0, 0o755, None),
            (0, 1000, 0o755, None),
            (0, 65534, 0o777, Some(Others::Write)),
        ] {
            let seen = unsafe_for(own, owner, mode);
            assert_eq!(seen, refused, "{own} at {owner}'s {mode:o}");
        }
    }

    #[test]
    fn what_is_added_to_a_file_goes_through_no_link() {
        let folder = folder("link");
        private_dir(&folder).unwrap();
        let link = folder.join("hub.log");
        std::os::unix::fs::symlink(folder.join("other"), &link).unwrap();
        assert!(private_append(&link).is_err());
        assert!(!folder.join("other").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_token_is_synced_and_what_is_none_is_replaced_never_used() {
        let folder = folder("token");
        private_dir(&folder).unwrap();
        let file = folder.join("token");
        for left in [
            None,
            Some(""),
            Some("\n"),
            Some("short"),
            Some("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        ] {
            let _ = fs::remove_file(&file);
            if let Some(left) = left {
                fs::write(&file, left).unwrap();
            }
            synced::taken();
            let token = made_once(&file).unwrap();
            assert_eq!(token.len(), new_token().len(), "{left:?}");
            assert_eq!(synced::taken(), std::slice::from_ref(&folder), "{left:?}");
            assert_eq!(made_once(&file).unwrap(), token, "{left:?}");
        }
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "nothing is left over"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
