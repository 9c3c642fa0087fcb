//! Files below folders that others may have written, such as a checkout. A folder is opened once,
//! and everything below it is found, read, replaced and removed relative to open folders. Nobody
//! can replace a folder with a link between a check and its use. Programs are looked for outside of
//! such folders: [`programs`].
//!
//! ```
//! use ask_files::{LastLink, Mode, Root};
//!
//! # fn main() -> std::io::Result<()> {
//! # let project = std::env::temp_dir().join(format!("ask-files-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&project)?;
//! let root = Root::open(&project)?;
//! let entry = root.entry_with_folders(&project.join("notes/today.md"))?;
//! entry.replace("# Today\n", Mode::RUSR | Mode::WUSR)?;
//! assert_eq!(entry.read(1024)?, "# Today\n");
//! assert!(root.entry(&project.join("../outside"), LastLink::Followed).is_err());
//! # std::fs::remove_dir_all(&project)
//! # }
//! ```

mod dir;
mod dir_entry;
pub mod programs;
pub mod umask;

pub use dir::{Dir, LastLink, Root};
pub use dir_entry::{DirEntry, Entries, Replacement, read_bytes, read_text, unpredictable};
pub use rustix::fs::{FileType, Mode, Stat};
