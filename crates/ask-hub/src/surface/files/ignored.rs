//! What ignore files leave out: `.gitignore` and `.ignore`, by the rules that git has for them. It
//! reads them itself and runs nothing: the folder is an agent's, and git does what a folder's own
//! settings tell it to.

mod name;
mod rule;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::rule::{Rule, rules};

/// Files of rules in a folder; what a later one says counts more.
const NAMES: [&str; 2] = [".gitignore", ".ignore"];

/// No larger file of rules is read.
const MOST_BYTES: u64 = 256 * 1024;

/// The rules that hold in a folder, with those of the folders above.
#[derive(Clone, Debug, Default)]
pub struct Ignored(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    /// Where the rules were found: what they name is below it.
    folder: PathBuf,
    rules: Vec<Rule>,
    above: Ignored,
}

impl Ignored {
    /// What holds in a folder where a walk begins: that of its repository, from the top down, or its
    /// own rules where it is in none.
    pub fn at(folder: &Path) -> Self {
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let Some(top) = folder.ancestors().find(is_top) else {
            return Self::default().within(folder);
        };
        let mut files = Vec::new();
        if let Ok(config) = etcetera::home_dir().map(|home| {
            let set = std::env::var_os("XDG_CONFIG_HOME").filter(|set| !set.is_empty());
            set.map_or_else(|| home.join(".config"), PathBuf::from)
        }) {
            files.push(config.join("git/ignore"));
        }
        files.push(top.join(".git/info/exclude"));
        let everywhere = Self::default().and(top, &files);
        let between: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .collect();
        let between = between.into_iter().rev();
        between.fold(everywhere, |above, folder| above.within(folder))
    }

    /// What holds in a folder below.
    pub fn within(self, folder: &Path) -> Self {
        self.and(folder, &NAMES.map(|name| folder.join(name)))
    }

    fn and(self, folder: &Path, files: &[PathBuf]) -> Self {
        let texts = files.iter().filter_map(|file| read(file));
        let rules: Vec<Rule> = texts.flat_map(|text| rules(&text)).collect();
        if rules.is_empty() {
            return self;
        }
        let folder = folder.to_owned();
        Self(Some(Arc::new(Level {
            folder,
            rules,
            above: self,
        })))
    }

    /// Whether something is left out. What nothing is said of is left out where it is hidden.
    pub fn has(&self, path: &Path, is_folder: bool) -> bool {
        let mut next = self;
        while let Some(level) = &next.0 {
            if let Some(keeps) = level.says(path, is_folder) {
                return !keeps;
            }
            next = &level.above;
        }
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    }
}

impl Level {
    /// Whether it keeps a path; `None` where it says nothing of it.
    fn says(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let below = path.strip_prefix(&self.folder).ok()?.to_str()?;
        let names: Vec<&str> = below.split('/').collect();
        let last = self.rules.iter().rev();
        let mut last = last.filter(|rule| rule.means(&names, is_folder));
        last.next().map(|rule| rule.keeps)
    }
}

/// A file of rules, if it is one: what never ends is not begun.
fn read(file: &Path) -> Option<String> {
    let about = std::fs::metadata(file).ok()?;
    let fits = about.is_file() && about.len() <= MOST_BYTES;
    let bytes = fits.then(|| std::fs::read(file).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
