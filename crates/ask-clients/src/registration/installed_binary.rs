//! The environment of a registration: the person's home, variables, the project, and the path of
//! our program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_files::{Root, programs};

use super::super::Client;

/// What the paths of a registration are resolved against.
#[derive(Clone, Debug)]
pub struct RegistrationEnv {
    /// The person's home.
    pub home: PathBuf,
    /// The project: the nearest ancestor with a `.git`, otherwise the current folder.
    pub project: PathBuf,
    /// The program that clients start.
    pub program: PathBuf,
    /// Its name, if `PATH` leads to it: for files that are shared with other machines.
    pub program_name: Option<String>,
    /// Where files of the project may be.
    checkout: Root,
    /// The environment variables.
    variables: HashMap<String, String>,
}

impl RegistrationEnv {
    /// The environment of this process.
    ///
    /// # Errors
    /// The home, the current folder or the program can't be determined.
    pub fn find() -> anyhow::Result<Self> {
        let home = etcetera::home_dir().context("no home directory is known: set HOME")?;
        let current = std::env::current_dir().context("the current folder is gone")?;
        let project = current
            .ancestors()
            .find(|folder| folder.join(".git").exists())
            .unwrap_or(&current)
            .to_owned();
        // If the person's home is in it, its links are the person's own.
        let checkout = match home.starts_with(&project) {
            true => Root::Anywhere,
            false => {
                Root::open(&project).with_context(|| format!("opening {}", project.display()))?
            }
        };
        let (program, program_name) = program()?;
        let texts = std::env::vars_os();
        let texts = texts.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Ok(Self {
            home,
            project,
            program,
            program_name,
            checkout,
            variables: texts.collect(),
        })
    }

    /// An empty environment for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn empty() -> Self {
        Self {
            home: PathBuf::from("/home/ada"),
            project: PathBuf::from("/home/ada/shop"),
            program: PathBuf::from("/opt/bin/ask-user"),
            program_name: None,
            checkout: Root::Anywhere,
            variables: HashMap::new(),
        }
    }

    /// Where files of the project may be. Others may have written it, so that no link may lead out
    /// of it.
    pub fn checkout(&self) -> &Root {
        &self.checkout
    }

    /// The value of a non-empty variable.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// Resolves a path of `clients.toml`: `~` is the home, and `${NAME:-PATH}` a variable's value,
    /// or the path if it isn't set.
    pub fn path(&self, text: &str) -> PathBuf {
        if let Some((inner, rest)) = text
            .strip_prefix("${")
            .and_then(|text| text.split_once('}'))
        {
            let (name, otherwise) = inner.split_once(":-").unwrap_or((inner, ""));
            let start = match self.variable(name) {
                Some(value) => self.project.join(self.path(value)),
                None => self.path(otherwise),
            };
            return start.join(rest.trim_start_matches('/'));
        }
        match text.strip_prefix('~') {
            Some(rest) => self.home.join(rest.trim_start_matches('/')),
            None => PathBuf::from(text),
        }
    }

    /// A path for people: the home is `~`.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

/// Whether this client is installed.
pub fn is_found(client: &Client, here: &RegistrationEnv) -> bool {
    let mut signs = client.register.found.iter();
    signs.any(|sign| {
        if sign.contains('/') {
            here.path(sign).exists()
        } else {
            let path = here.variable("PATH").unwrap_or_default();
            std::env::split_paths(path).any(|folder| folder.join(sign).is_file())
        }
    })
}

/// The path of our program, and its name if `PATH` leads to it. Clients with a window don't have a
/// shell's `PATH`, so entries use the whole path. A link is preferred to its target: it stays when
/// the program is upgraded.
fn program() -> anyhow::Result<(PathBuf, Option<String>)> {
    let own = std::env::current_exe().context("the path of this program is not known")?;
    let Some(name) = own.file_name() else {
        return Ok((own, None));
    };
    // A link in a checkout leads elsewhere after its next update.
    let path = programs::search_path().unwrap_or_default();
    let linked = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|found| found.is_file())
        .filter(|found| found.canonicalize().ok() == own.canonicalize().ok());
    Ok(match linked {
        Some(linked) => {
            let name = name.to_str().map(str::to_owned);
            (linked, name)
        }
        None => (started_as(&own).unwrap_or(own), None),
    })
}

/// The absolute path by which this program was started, if it leads to it.
fn started_as(own: &Path) -> Option<PathBuf> {
    let named = PathBuf::from(std::env::args_os().next()?);
    let leads_here = named.canonicalize().ok()? == own.canonicalize().ok()?;
    Some(named).filter(|named| named.is_absolute() && leads_here)
}
