//! The folders and files of a person: one folder under `ASK_USER_HOME`, otherwise the platform's
//! folders. Folders are created with mode 0700 and files with 0600.

use ask_core::secret::hex;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_files::unpredictable;
use etcetera::BaseStrategy;

use crate::clock;
use crate::exit::{Exit, Failure};

/// The folders of one person.
#[derive(Clone, Debug)]
pub struct Home {
    config: PathBuf,
    state: PathBuf,
}

/// The longest path of a Unix socket that works on every system we know.
const MAX_SOCKET_PATH: usize = 100;

impl Home {
    /// Finds the folders. Creates nothing.
    pub fn find() -> anyhow::Result<Self> {
        if let Some(home) = std::env::var_os("ASK_USER_HOME").filter(|home| !home.is_empty()) {
            let home = std::path::absolute(PathBuf::from(home))?;
            check_utf8(&home)?;
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
        let found = Self {
            config: base.config_dir().join("ask-user"),
            state: state.join("ask-user"),
        };
        for folder in [&found.config, &found.state] {
            check_utf8(folder)?;
            // The hub has another working directory, so there it would be another folder.
            if !folder.is_absolute() {
                return Err(Failure::new(
                    Exit::Failure,
                    format!("{} is not an absolute path", folder.display()),
                    "set HOME, or ASK_USER_HOME, to one that is",
                )
                .into());
            }
        }
        Ok(found)
    }

    /// Creates the state folder.
    ///
    /// # Errors
    /// The folder can't be created, or another account can change it.
    pub fn prepare(&self) -> anyhow::Result<()> {
        durable_dir(&self.state).with_context(|| {
            format!(
                "cannot write to {}\n  make the folder writable, or set ASK_USER_HOME to one that is",
                self.state.display()
            )
        })?;
        check_folder_owner(&self.state)?;
        match self.link_in_folder_of_others() {
            None => Ok(()),
            Some(link) => {
                let problem = format!("{} is a link that another account made", link.display());
                let hint = "remove it, or set ASK_USER_HOME to a folder of your own";
                Err(Failure::new(Exit::Failure, problem, hint).into())
            }
        }
    }

    /// A link in a folder of another account, which root may use: what is written there would be written
    /// elsewhere, with root's rights.
    fn link_in_folder_of_others(&self) -> Option<PathBuf> {
        let own = rustix::process::geteuid().as_raw();
        let owner = |path: &Path| fs::symlink_metadata(path).ok().map(|about| about.uid());
        if owner(&fs::canonicalize(&self.state).ok()?) == Some(own) {
            return None;
        }
        let attachments = self.attachments();
        let folders = [self.state.as_path(), attachments.as_path()];
        let entries = folders.into_iter().flat_map(|folder| {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.filter_map(|entry| Some(entry.ok()?.path()))
        });
        let mut links = entries.filter(|path| path.is_symlink());
        links.find(|link| owner(link) != Some(own))
    }

    /// Removes other accounts' permissions from the files that we write here. If the home was made
    /// by hand, or by a hub with another umask, every account could read them.
    pub fn narrow(&self) {
        let store = self.store_file();
        let beside = |end: &str| {
            let mut name = store.clone().into_os_string();
            name.push(end);
            PathBuf::from(name)
        };
        let ours = [
            self.address_file(),
            self.clock_file(),
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
                // This fails for files of another account: `doctor` explains what to do about
                // those.
                if fs::set_permissions(&path, narrower).is_ok() {
                    tracing::warn!(
                        "others on this machine could read or change {} ({mode:04o}); it is yours alone now",
                        path.display()
                    );
                }
            }
        }
    }

    /// The file with the person's settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The file that says where the hub listens.
    pub fn address_file(&self) -> PathBuf {
        self.state.join("hub.json")
    }

    /// The file with the steady clock of this boot of the machine.
    pub fn clock_file(&self) -> PathBuf {
        self.state.join("clock")
    }

    /// Continues the steady clock of processes that started earlier.
    pub fn read_clock(&self) {
        clock::continue_steady(read_note(&self.clock_file()).as_deref().map(str::trim));
    }

    /// Continues the steady clock of processes that started earlier, and leaves it for later ones. A hub
    /// knows it from its store, also if the file is gone. Returns the note for the next hub's store.
    pub fn continue_clock(&self, stored: Option<&str>) -> String {
        let file = self.clock_file();
        let note = read_note(&file);
        let stored = stored.filter(|note| clock::of_this_boot(note).is_some());
        let next = clock::continue_steady(stored.or(note.as_deref().map(str::trim)));
        if note.as_ref() != Some(&next) {
            // Without the file, the next process begins a clock of its own, which differs only if the
            // wall clock is set meanwhile.
            let _ = replace(&file, &next);
        }
        next
    }

    /// The file with the token that agents send over HTTP.
    pub fn token_file(&self) -> PathBuf {
        self.state.join("token")
    }

    /// The file with the token of programs that answer for the person over HTTP. An agent's token
    /// can't be used to answer.
    pub fn answer_token_file(&self) -> PathBuf {
        self.state.join("answer-token")
    }

    /// The token that agents send over HTTP. It never changes, because their configuration contains
    /// it. Whichever process needs it first creates it.
    pub fn token(&self) -> anyhow::Result<String> {
        read_or_create_token(&self.token_file())
    }

    /// The token of programs that answer, created in the same way.
    pub fn answer_token(&self) -> anyhow::Result<String> {
        read_or_create_token(&self.answer_token_file())
    }

    /// The file of earlier versions with the browsers that may answer. The store has them now. The
    /// hub reads this file once, and creates an empty one if the store can't record that a session
    /// has ended.
    pub fn sessions_file(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// The file of earlier versions that says whether, where and until when devices may connect.
    /// The store has this now, as it has the sessions.
    pub fn pairing_file(&self) -> PathBuf {
        self.state.join("pairing")
    }

    /// The file that the only hub keeps locked while it runs.
    pub fn lock_file(&self) -> PathBuf {
        self.state.join("hub.lock")
    }

    /// The log file of the hub.
    pub fn log_file(&self) -> PathBuf {
        self.state.join("hub.log")
    }

    /// The database file of the store.
    pub fn store_file(&self) -> PathBuf {
        self.state.join("ask-user.db")
    }

    /// The file of earlier versions that records which notifications were sent for which ask. The
    /// store has this now. The hub reads the file once and removes it.
    pub fn notices_file(&self) -> PathBuf {
        self.state.join("notices")
    }

    /// The file with the key that seals the state which clients hand back.
    pub fn seal_file(&self) -> PathBuf {
        self.state.join("seal.key")
    }

    /// The folder of the files that are attached to answers.
    pub fn attachments(&self) -> PathBuf {
        self.state.join("attachments")
    }

    /// The state folder itself.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// The path of the hub's socket: next to `hub.json` if that path is short enough for a socket,
    /// otherwise in a temporary folder.
    pub fn socket_file(&self) -> io::Result<PathBuf> {
        let beside = self.state.join("hub.sock");
        if beside.as_os_str().as_bytes().len() <= MAX_SOCKET_PATH {
            return Ok(beside);
        }
        let own = rustix::process::getuid().as_raw();
        let socket = format!("{}.sock", std::process::id());
        let is_short = |folder: &PathBuf| folder.join(&socket).as_os_str().len() <= MAX_SOCKET_PATH;
        let mut candidates = temporary_candidates(own);
        candidates.retain(is_short);
        // Nobody can take a name that isn't known beforehand.
        // An empty or relative `TMPDIR` would be in the current folder, which may be a checkout.
        let usual = Some(std::env::temp_dir()).filter(|folder| folder.is_absolute());
        let usual = usual.unwrap_or_else(|| PathBuf::from("/tmp"));
        let usual = usual.join(format!("ask-user-{own}"));
        candidates.push(unpredictable(usual.as_os_str()).into());
        Ok(first_own(&candidates, own)?.join(socket))
    }
}

fn check_utf8(folder: &Path) -> anyhow::Result<()> {
    if folder.to_str().is_some() {
        return Ok(());
    }
    let refused = Failure::new(
        Exit::Failure,
        format!("{} is not UTF-8", folder.display()),
        "set ASK_USER_HOME to a folder whose name is",
    );
    Err(refused.into())
}

/// Refuses a folder that another account can change or replace, as ssh does: its files decide whom
/// we answer and what we run. Root may use anybody's folder: a container's folder often belongs to
/// its host. The own group may change the folders above, see [`writable_by_others`].
fn check_folder_owner(folder: &Path) -> anyhow::Result<()> {
    // In a sandbox with users of its own, what belongs to root seems to belong to nobody.
    let root = fs::metadata("/").map_or(0, |about| about.uid());
    check_access(folder, root, |_, about| about.mode())?;
    let own = rustix::process::geteuid().as_raw();
    if let Some(link) = link_of_others(folder, own, MAX_LINKS) {
        let problem = format!(
            "{} is a link of another account, which could change what it leads to",
            link.display()
        );
        let hint = "set ASK_USER_HOME to a folder of your own, or remove the link";
        return Err(Failure::new(Exit::Failure, problem, hint).into());
    }
    let real =
        fs::canonicalize(folder).with_context(|| format!("looking at {}", folder.display()))?;
    for above in folder.ancestors().skip(1).chain(real.ancestors().skip(1)) {
        // A relative path ends with an empty one.
        if !above.as_os_str().is_empty() {
            check_access(above, root, writable_by_others)?;
        }
    }
    Ok(())
}

/// Reads a short file of ours. Something else in its place, such as a pipe, is no note.
fn read_note(path: &Path) -> Option<String> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = options.open(path).ok()?;
    let is_file = file.metadata().ok()?.is_file();
    let mut text = String::new();
    file.take(MAX_TOKEN).read_to_string(&mut text).ok()?;
    is_file.then_some(text)
}

/// How many links a path may lead through, as in Linux.
const MAX_LINKS: usize = 40;

/// A link of another account through which a path leads, if there is one. In a folder such as /tmp,
/// anybody may have made it. Root may use anybody's.
fn link_of_others(path: &Path, own: u32, left: usize) -> Option<PathBuf> {
    path.ancestors().find_map(|above| {
        let about = fs::symlink_metadata(above).ok()?;
        if !about.is_symlink() || left == 0 {
            return None;
        }
        if unsafe_for(own, about.uid(), 0).is_some() {
            return Some(above.to_owned());
        }
        let target = above.parent()?.join(fs::read_link(above).ok()?);
        link_of_others(&target, own, left - 1)
    })
}

/// The bits of a mode by which other accounts may replace what is in a folder, or change a file.
pub(crate) fn writable_by_others(path: &Path, about: &fs::Metadata) -> u32 {
    // In a folder with the sticky bit, such as /tmp, only its owner can replace a file.
    if about.is_dir() && about.mode() & 0o1000 != 0 {
        return 0;
    }
    // With an access control list, the bits of the group are those of all that it names.
    if about.mode() & 0o020 != 0 && has_access_list(path) {
        return 0o020;
    }
    let own = rustix::process::getegid().as_raw();
    about.mode() & bits_of_others(own, about.gid())
}

#[cfg(target_os = "linux")]
fn has_access_list(path: &Path) -> bool {
    let none: &mut [u8] = &mut [];
    rustix::fs::getxattr(path, "system.posix_acl_access", none).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn has_access_list(_: &Path) -> bool {
    false
}

/// The bits of a mode that let others than this account and root write. Many systems give each person
/// a group of their own, and whoever is in root's group is trusted like root.
fn bits_of_others(own: u32, group: u32) -> u32 {
    match group == own || group == 0 {
        true => 0o002,
        false => 0o022,
    }
}

/// Refuses a folder of another account, or one whose mode lets others write. `counted` is the part
/// of the mode that counts, and `root` the account that root appears as.
fn check_access(
    folder: &Path,
    root: u32,
    counted: impl Fn(&Path, &fs::Metadata) -> u32,
) -> anyhow::Result<()> {
    let about = fs::metadata(folder).with_context(|| format!("looking at {}", folder.display()))?;
    let own = rustix::process::geteuid().as_raw();
    let owner = Some(about.uid())
        .filter(|owner| *owner != root)
        .unwrap_or(0);
    let name = folder.display();
    match unsafe_for(own, owner, counted(folder, &about)) {
        None => Ok(()),
        Some(UnsafeAccess::OtherOwner) => Err(Failure::new(
            Exit::Failure,
            format!("{name} belongs to another account, which could change what is in it"),
            "`ls -ld` says to whom; set ASK_USER_HOME to a folder of your own, or have it given to you with `sudo chown`",
        )
        .into()),
        Some(UnsafeAccess::WritableByOthers) => Err(Failure::new(
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

/// Refuses a settings file if another account owns it or a folder above it, or may change one of
/// them: settings say what is run. The own group may, see [`writable_by_others`].
pub(crate) fn check_settings_owner(file: &Path) -> io::Result<()> {
    let own = rustix::process::geteuid().as_raw();
    let owner_of = |path: &Path| fs::metadata(path).ok().map(|about| about.uid());
    // Root accepts a whole home of another account, as with `sudo`, but no file of another account
    // in its own.
    let root_accepts = [Some(0), file.parent().and_then(owner_of)];
    let root = owner_of(Path::new("/")).unwrap_or(0);
    if let Some(link) = link_of_others(file, own, MAX_LINKS) {
        let link = link.display();
        let what = format!("{link} is a link of another account, and settings say what is run");
        return Err(io::Error::other(what));
    }
    let real = fs::canonicalize(file).unwrap_or_default();
    for path in file.ancestors().chain(real.ancestors()) {
        let Ok(about) = fs::metadata(path) else {
            continue;
        };
        // A device such as /dev/null contains no settings.
        if !about.is_dir() && !about.is_file() {
            continue;
        }
        let owner = Some(about.uid()).filter(|owner| path == file || *owner != root);
        let owner = owner.unwrap_or(0);
        let is_foreign = own == 0 && path == file && !root_accepts.contains(&Some(owner));
        let others = match unsafe_for(own, owner, writable_by_others(path, &about)) {
            _ if is_foreign => Some(UnsafeAccess::OtherOwner),
            others => others,
        };
        let what = match others {
            None => continue,
            Some(UnsafeAccess::OtherOwner) => "belongs to another account",
            Some(UnsafeAccess::WritableByOthers) => "may be changed by other accounts",
        };
        let what = format!("{} {what}, and settings say what is run", path.display());
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// Why a folder or file isn't safe from other accounts.
#[derive(Debug, PartialEq, Eq)]
enum UnsafeAccess {
    OtherOwner,
    WritableByOthers,
}

fn unsafe_for(own: u32, owner: u32, mode: u32) -> Option<UnsafeAccess> {
    if own != 0 && owner != 0 && owner != own {
        return Some(UnsafeAccess::OtherOwner);
    }
    (mode & 0o022 != 0).then_some(UnsafeAccess::WritableByOthers)
}

/// Creates a private folder for files that need not survive a restart of the machine.
///
/// # Errors
/// No candidate is a folder of this account.
pub fn temporary() -> io::Result<PathBuf> {
    let own = rustix::process::getuid().as_raw();
    first_own(&temporary_candidates(own), own)
}

/// Every account can create a folder with our name in the usual place, so there are others, in
/// folders of this account.
fn temporary_candidates(own: u32) -> Vec<PathBuf> {
    let usual = std::env::temp_dir().join(format!("ask-user-{own}"));
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(
        || Path::new("/run/user").join(own.to_string()),
        PathBuf::from,
    );
    let is_own = |folder: &Path| fs::metadata(folder).is_ok_and(|about| about.uid() == own);
    let can_be_own = |folder: &Path| {
        let new = !folder.exists();
        is_own(folder) || new && folder.parent().is_some_and(is_own)
    };
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cache")));
    // With sudo, the home may belong to another account than the process.
    let others = [Some(runtime), cache].into_iter().flatten();
    let others = others.filter(|folder| folder.is_absolute() && can_be_own(folder));
    std::iter::once(usual)
        .chain(others.map(|folder| folder.join("ask-user")))
        .collect()
}

/// The first of these that is a folder of this account, or else the first that can be created. The
/// folder that one process has created is the folder of those that start later.
fn first_own(candidates: &[PathBuf], own: u32) -> io::Result<PathBuf> {
    // Whatever else has such a name, as in a checkout, isn't for us alone.
    let is_own = |folder: &Path| {
        let about = fs::symlink_metadata(folder);
        about.is_ok_and(|about| about.is_dir() && about.uid() == own && about.mode() & 0o077 == 0)
            && check_folder_owner(folder).is_ok()
    };
    if let Some(folder) = candidates.iter().find(|folder| is_own(folder)) {
        return Ok(folder.clone());
    }
    let mut problem = None;
    for folder in candidates {
        let found = match private_dir(folder) {
            Ok(()) if is_own(folder) => return Ok(folder.clone()),
            Ok(()) => format!("{} isn't for this account alone", folder.display()),
            Err(error) => format!("{} can't be created: {error}", folder.display()),
        };
        problem.get_or_insert(found);
    }
    let problem = problem.unwrap_or_else(|| "there is no temporary folder".to_owned());
    Err(io::Error::other(problem))
}

/// A shorter token could be guessed.
const MIN_TOKEN: usize = 16;

/// No header carries a longer token.
const MAX_TOKEN: u64 = 4096;

/// A new random token.
pub fn new_token() -> String {
    hex(&[clock::random(), clock::random()].concat())
}

/// Reads the token in a file. Whichever process needs it first creates it. A file without a valid
/// token is replaced: a full disk or a power loss cut it off, or somebody emptied it.
fn read_or_create_token(path: &Path) -> anyhow::Result<String> {
    // One process at a time, so that none takes a token that was just created for an old one. If
    // folders can't be locked, the hard link below still lets the first process win.
    let folder = path.parent().and_then(|folder| File::open(folder).ok());
    let _locked = folder.as_ref().map(File::lock);
    match known_token(path) {
        Ok(Some(token)) => return Ok(token),
        Ok(None) => {
            tracing::error!(
                "{} held no token (a power loss or a full disk may have emptied it); a new one is made, and agents that were registered over HTTP need it: `ask-user register` again",
                path.display()
            );
            // If something is wrong with the folder, the steps below report it.
            let _ = fs::remove_file(path);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    }
    let beside = PathBuf::from(unpredictable(path.as_os_str()));
    let token = new_token();
    // A hard link never replaces a file, so the second process finds the token of the first. The
    // file gets its name only once its content is on the disk: a power loss leaves the whole token
    // or no file.
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

/// The token in a file; `None` if the content can't be sent in a header or is too short.
fn known_token(path: &Path) -> io::Result<Option<String>> {
    let bytes = fs::read(path)?;
    let token = bytes.trim_ascii();
    let is_one = token.len() >= MIN_TOKEN && token.iter().all(u8::is_ascii_graphic);
    Ok(is_one.then(|| String::from_utf8_lossy(token).into_owned()))
}

/// Reads the token in a file that the person names. It answers for them, so a file that other
/// accounts can read is refused. A pipe is accepted: only its reader sees the content.
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
    let mut file = file.take(MAX_TOKEN + 1);
    file.read_to_end(&mut bytes).with_context(reading)?;
    let token = bytes.trim_ascii();
    let is_one = !token.is_empty() && token.iter().all(u8::is_ascii_graphic);
    match is_one && bytes.len() as u64 <= MAX_TOKEN {
        true => Ok(String::from_utf8_lossy(token).into_owned()),
        false => Err(wrong(
            "holds no token",
            "write one word of letters, digits and signs into it",
        )),
    }
}

/// Creates a folder that only its owner can enter.
pub fn private_dir(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Opens a file for appending. A new one can only be read by its owner. A link is not followed:
/// somebody may have put it there to have another file written.
pub fn private_append(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)
}

/// Opens a file for overwriting. A new one can only be read by its owner. Fails if it is a link.
pub fn private_anew(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)
}

/// Replaces a file atomically: readers see the old text or the new one.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = PathBuf::from(unpredictable(path.as_os_str()));
    let replaced = written(&beside, text).and_then(|_| fs::rename(&beside, path));
    if replaced.is_err() {
        // The error of the write is returned. The leftover file does no harm.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Creates a file that only its owner can read. Fails if a file or a link has that name.
fn written(path: &Path, text: &str) -> io::Result<File> {
    let mut anew = OpenOptions::new();
    let mut file = anew.create_new(true).write(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Makes the names in a folder survive a power loss: syncing a file saves only its content.
pub fn sync_dir(folder: &Path) -> io::Result<()> {
    #[cfg(any(test, feature = "testing"))]
    synced::note(folder);
    let opened = match File::open(folder) {
        // A folder that may be entered but not read, as `/home` may be.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        // Some file systems can't sync folders.
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

/// Creates a folder that only its owner can enter, and makes its name survive a power loss.
pub(crate) fn durable_dir(path: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    let mut at = Some(path);
    while let Some(folder) = at.filter(|folder| !folder.exists()) {
        missing.push(folder);
        at = folder.parent();
    }
    // This is called in any case: it reports a dangling link, which looks like a missing folder.
    private_dir(path)?;
    for folder in missing.into_iter().rev() {
        sync_parent(folder)?;
    }
    Ok(())
}

/// Records which folders were synced, for tests: nothing else shows it.
#[cfg(any(test, feature = "testing"))]
pub mod synced {
    use std::cell::RefCell;
    use std::path::{Path, PathBuf};

    thread_local! {
        static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn note(folder: &Path) {
        SYNCED.with_borrow_mut(|synced| {
            // Only tests read the list, soon after.
            synced.truncate(100);
            synced.push(folder.to_owned());
        });
    }

    /// The folders that this thread synced since the last call, in order.
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
        // An earlier run may have left it.
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn links_are_replaced_and_never_written_through() {
        let folder = folder("replace");
        private_dir(&folder).unwrap();
        let (file, outside) = (folder.join("file"), folder.join("outside"));
        fs::write(&outside, "precious").unwrap();
        std::os::unix::fs::symlink(&outside, &file).unwrap();
        // The temporary name that a process with this id once used.
        let beside = folder.join(format!("file.{}", std::process::id()));
        std::os::unix::fs::symlink(&outside, &beside).unwrap();
        replace(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
        assert!(written(&beside, "x").is_err(), "something is there");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left");
    }

    #[test]
    fn a_temporary_folder_that_somebody_else_has_taken_is_not_used() {
        let outer = folder("temporary");
        private_dir(&outer).unwrap();
        let own = rustix::process::getuid().as_raw();
        let [file, link, ours] = ["file", "link", "ours"].map(|name| outer.join(name));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&outer, &link).unwrap();
        let open = outer.join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        let taken = [file.clone(), link, open];
        let all = [&taken[..], std::slice::from_ref(&ours)].concat();
        assert_eq!(first_own(&all, own).unwrap(), ours);
        assert_eq!(first_own(&all, own).unwrap(), ours, "it exists now");
        let problem = first_own(&all, own + 1).unwrap_err().to_string();
        assert!(
            problem.starts_with(&file.display().to_string()),
            "{problem}"
        );
        assert!(first_own(&taken, own).is_err());
    }

    #[test]
    fn the_parent_of_each_new_folder_is_synced() {
        let outer = folder("dirs");
        let inner = outer.join("a");
        synced::taken();
        durable_dir(&inner).unwrap();
        assert_eq!(synced::taken(), [std::env::temp_dir(), outer.clone()]);
        durable_dir(&inner).unwrap();
        assert_eq!(synced::taken(), [] as [PathBuf; 0], "the folder existed");
        fs::remove_dir_all(&outer).unwrap();
    }

    #[test]
    fn a_folder_that_others_can_change_is_refused_as_ssh_does() {
        for (own, owner, mode, refused) in [
            (1000, 1000, 0o700, None),
            (1000, 1000, 0o755, None),
            (1000, 1000, 0o775, Some(UnsafeAccess::WritableByOthers)),
            (1000, 1000, 0o1777, Some(UnsafeAccess::WritableByOthers)),
            (1000, 65534, 0o700, Some(UnsafeAccess::OtherOwner)),
            (1000, 65534, 0o777, Some(UnsafeAccess::OtherOwner)),
            (1000, 0, 0o755, None),
            (0, 0, 0o755, None),
            (0, 1000, 0o755, None),
            (0, 65534, 0o777, Some(UnsafeAccess::WritableByOthers)),
        ] {
            let seen = unsafe_for(own, owner, mode);
            assert_eq!(seen, refused, "{own} at {owner}'s {mode:o}");
        }
    }

    #[test]
    fn a_link_of_another_account_is_found_behind_an_own_one() {
        let outer = folder("links");
        private_dir(&outer.join("state")).unwrap();
        let [theirs, ours] = ["theirs", "ours"].map(|name| outer.join(name));
        std::os::unix::fs::symlink(outer.join("state"), &theirs).unwrap();
        let own = match rustix::process::geteuid().as_raw() {
            0 => {
                std::os::unix::fs::lchown(&theirs, Some(65_534), None).unwrap();
                1000
            }
            own => own + 1,
        };
        assert_eq!(link_of_others(&theirs, own, 9), Some(theirs.clone()));
        assert_eq!(link_of_others(&theirs, 0, 9), None, "root may use it");
        std::os::unix::fs::symlink(theirs.join("below"), &ours).unwrap();
        let seen = link_of_others(&ours.join("more"), own, 9).expect("a link");
        assert!([&ours, &theirs].contains(&&seen), "{seen:?}");
        let itself = outer.join("itself");
        std::os::unix::fs::symlink(&itself, &itself).unwrap();
        assert_eq!(link_of_others(&itself, 0, 9), None);
        fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn only_the_own_group_and_that_of_root_may_change_the_folders_above() {
        assert_eq!(bits_of_others(1000, 1000), 0o002);
        assert_eq!(bits_of_others(1000, 0), 0o002);
        assert_eq!(bits_of_others(1000, 100), 0o022);
        assert_eq!(bits_of_others(0, 100), 0o022);
    }

    #[test]
    fn a_state_folder_in_a_folder_that_everybody_can_change_is_refused() {
        let outer = folder("everybody");
        let state = outer.join("mine/state");
        fs::create_dir_all(&state).unwrap();
        fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).unwrap();
        let link = folder("everybody-link");
        std::os::unix::fs::symlink(&state, &link).unwrap();
        for (mode, is_safe) in [(0o755, true), (0o775, true), (0o1777, true), (0o777, false)] {
            fs::set_permissions(&outer, fs::Permissions::from_mode(mode)).unwrap();
            for path in [&state, &link] {
                let checked = check_folder_owner(path);
                assert_eq!(checked.is_ok(), is_safe, "{mode:o}: {checked:?}");
            }
        }
        fs::remove_file(&link).unwrap();
        fs::remove_dir_all(&outer).unwrap();
    }

    #[test]
    fn appending_follows_no_link() {
        let folder = folder("link");
        private_dir(&folder).unwrap();
        let link = folder.join("hub.log");
        std::os::unix::fs::symlink(folder.join("other"), &link).unwrap();
        assert!(private_append(&link).is_err());
        assert!(!folder.join("other").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_new_token_is_synced_and_an_invalid_one_is_replaced() {
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
            // Before the first round there is no file.
            let _ = fs::remove_file(&file);
            if let Some(left) = left {
                fs::write(&file, left).unwrap();
            }
            synced::taken();
            let token = read_or_create_token(&file).unwrap();
            assert_eq!(token.len(), new_token().len(), "{left:?}");
            assert_eq!(synced::taken(), std::slice::from_ref(&folder), "{left:?}");
            assert_eq!(read_or_create_token(&file).unwrap(), token, "{left:?}");
        }
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "nothing is left over"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
