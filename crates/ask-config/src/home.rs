//! Where a person's files are: one folder under `ASK_USER_HOME`, else the
//! platform's folders. Folders are made 0700 and files 0600.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
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
        private_dir(&self.state).with_context(|| {
            format!(
                "cannot write to {}\n  make the folder writable, or set ASK_USER_HOME to one that is",
                self.state.display()
            )
        })
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

    /// Which browsers may answer: what is left of their cookies, and until when.
    pub fn sessions_file(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// Whether devices of other machines may come, where, and until when.
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

/// The secret in a file, made by whoever needs it first. What can be no secret is replaced: it
/// was cut off on a full disk, or emptied by hand.
/// A token that nobody has yet.
pub fn new_token() -> String {
    [clock::random(), clock::random()]
        .concat()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn made_once(path: &Path) -> anyhow::Result<String> {
    match known_token(path) {
        Ok(Some(token)) => return Ok(token),
        Ok(None) => {
            // Whatever is wrong with the place is said by what comes next.
            let _ = fs::remove_file(path);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    let token = new_token();
    // Whoever comes second finds the token of the first: a link never replaces a file.
    let made = replace(&beside, &format!("{token}\n")).and_then(|()| {
        let linked = fs::hard_link(&beside, path);
        fs::remove_file(&beside).and(linked)
    });
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

/// Makes a folder that only its owner can look into.
pub fn private_dir(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Opens a file that only its owner can read, for adding to it.
pub fn private_append(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
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
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    let mut file = private_anew(&beside)?;
    file.write_all(text.as_bytes())?;
    drop(file);
    fs::rename(&beside, path)
}
