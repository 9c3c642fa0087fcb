//! Runs the person's own editor on a text: writes the file, starts the program and reads the
//! result. What the file holds is left to `ui::editor_file`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};

use ask_config::home::{Home, private_dir};
use ask_files::programs;
use ask_files::{DirEntry, umask};
use rustix::process::{Pid, test_kill_process};
use tokio::sync::oneshot;

use super::ui::editor_file::EditorFile;
use super::ui::text_field::MAX_BYTES;

/// The exit statuses by which a POSIX shell reports a command that it can't run, or can't find.
const CANNOT_RUN: [i32; 2] = [126, 127];

/// The result of editing a text in the person's editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditResult {
    /// The text that the person saved.
    Text(String),
    /// The editor ended with an error, so the text stays as it was. Some people discard their
    /// changes that way, with Vim's `:cq`.
    Discarded,
    /// The editor's command, which the shell can't find or can't run.
    Missing(String),
    /// Another error, with its reason.
    Failed(String),
}

pub(crate) struct EditorProcess {
    editor_file: EditorFile,
    command: String,
    folder: PathBuf,
    ended: oneshot::Receiver<io::Result<ExitStatus>>,
}

impl EditorProcess {
    /// Starts the person's editor on a text.
    ///
    /// # Errors
    ///
    /// [`EditResult::Failed`] if the file can't be written or the program can't be started.
    pub(crate) fn start(editor_file: &EditorFile) -> Result<Self, EditResult> {
        let started = Home::find().and_then(|home| {
            home.prepare()?;
            Ok(Self::start_in(home.state(), editor_file)?)
        });
        started.map_err(|error| EditResult::Failed(format!("{error:#}")))
    }

    /// Starts the editor on a file in a folder of the state directory that only this user can read.
    fn start_in(state: &Path, editor_file: &EditorFile) -> io::Result<Self> {
        let editing = state.join("editing");
        let editor_file = editor_file.with_draft(&recover_drafts(&editing, editor_file));
        let folder = editing.join(std::process::id().to_string());
        private_dir(&folder)?;
        let file = folder.join(&editor_file.name);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options
            .open(&file)?
            .write_all(editor_file.text().as_bytes())?;
        let command = editor_command();
        let child = spawn(&command, &file)?;
        let (sender, ended) = oneshot::channel();
        // A thread of its own waits for the editor, so that the surface can end without waiting.
        std::thread::spawn(move || {
            let mut child = child;
            sender.send(child.wait())
        });
        Ok(Self {
            editor_file,
            command,
            folder,
            ended,
        })
    }

    /// Waits until the editor ends, reads the result and removes the file.
    pub(crate) async fn wait(&mut self) -> EditResult {
        let status = match (&mut self.ended).await {
            Ok(status) => status,
            Err(_) => Err(io::Error::other(
                "the thread that waits for the editor has ended",
            )),
        };
        let result = match status {
            Ok(status) => self.result(status),
            Err(error) => EditResult::Failed(error.to_string()),
        };
        // The folder may also hold the editor's backup or swap files. If it can't be removed, the
        // next start tries again.
        fs::remove_dir_all(&self.folder).ok();
        result
    }

    /// The text in the file now; `None` if it can't be read.
    pub(crate) fn saved_text(&self) -> Option<String> {
        read(&self.folder.join(&self.editor_file.name), &self.editor_file).ok()
    }

    fn result(&self, status: ExitStatus) -> EditResult {
        if status.code().is_some_and(|code| CANNOT_RUN.contains(&code)) {
            return EditResult::Missing(self.command.clone());
        }
        // An editor that was killed by a signal may have saved before: what it saved counts.
        if !status.success() && status.signal().is_none() {
            return EditResult::Discarded;
        }
        match read(&self.folder.join(&self.editor_file.name), &self.editor_file) {
            Ok(text) => EditResult::Text(text),
            Err(error) => EditResult::Failed(error.to_string()),
        }
    }
}

/// The person's editor as a command line: `VISUAL`, then `EDITOR`, then a default.
fn editor_command() -> String {
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|editor| !editor.trim().is_empty());
    editor.unwrap_or_else(|| "vi".to_owned())
}

/// Runs an editor on the terminal even where our own streams are redirected.
fn spawn(editor: &str, file: &Path) -> io::Result<Child> {
    let mut command = programs::command("sh");
    // The variable holds a command line. A shell splits it into the program and its arguments as
    // the person expects.
    command.arg("-c").arg(format!("{editor} \"$@\""));
    command.arg(editor).arg(file);
    if let Ok(terminal) = File::options().read(true).write(true).open("/dev/tty") {
        command.stdin(Stdio::from(terminal.try_clone()?));
        command.stdout(Stdio::from(terminal.try_clone()?));
        command.stderr(Stdio::from(terminal));
    }
    umask::ordinary(|| command.spawn())
}

fn read(file: &Path, editor_file: &EditorFile) -> io::Result<String> {
    let mut bytes = Vec::new();
    // An editor may leave anything in its place: opening a pipe would wait for its writer.
    let file = DirEntry::from_path(file)?.open()?;
    // The file holds more than a field may take, because a comment follows the text. The field
    // reports that it is full.
    let most = MAX_BYTES as u64 * 2;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(editor_file.read(&String::from_utf8_lossy(&bytes)))
}

/// The draft, followed by what an editor saved under a surface that was killed.
fn recover_drafts(editing: &Path, editor_file: &EditorFile) -> String {
    let mut draft = editor_file.draft().to_owned();
    let folders = fs::read_dir(editing).into_iter().flatten().flatten();
    for folder in folders.map(|folder| folder.path()) {
        let file = folder.join(&editor_file.name);
        if belongs_to_running_process(&folder) || !file.exists() {
            continue;
        }
        match read(&file, editor_file) {
            Ok(text) if !text.trim().is_empty() && text != draft => {
                if !draft.is_empty() {
                    draft.push_str("\n\n");
                }
                draft.push_str(&text);
            }
            Ok(_) | Err(_) => {}
        }
        // If the folder can't be removed, the next start reads it once more.
        fs::remove_dir_all(&folder).ok();
    }
    draft
}

/// Whether a folder belongs to another process that still runs.
fn belongs_to_running_process(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    let process = name.and_then(|name| name.parse::<i32>().ok());
    process
        .filter(|&process| u32::try_from(process) != Ok(std::process::id()))
        .and_then(Pid::from_raw)
        .is_some_and(|process| test_kill_process(process).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_surface_loses_no_saved_text() {
        let home = std::env::temp_dir().join(format!("ask-user-editing-{}", std::process::id()));
        // No process has this number: it is above the greatest PID that a system assigns.
        let folder = home.join("2147483647");
        private_dir(&folder).expect("a writable temporary folder");
        let editor_file = EditorFile::new("ask-1-1.md".into(), "draft", &[]);
        let saved = editor_file.with_draft("saved in the editor");
        let file = folder.join("ask-1-1.md");
        fs::write(&file, saved.text()).expect("a writable folder");
        let recovered = recover_drafts(&home, &editor_file);
        assert_eq!(recovered, "draft\n\nsaved in the editor");
        assert!(!file.exists());
        // A pipe that an editor left is not opened, because that would wait for its writer.
        private_dir(&folder).expect("a writable temporary folder");
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert_eq!(recover_drafts(&home, &editor_file), "draft");
        assert!(!file.exists());
        fs::remove_dir_all(&home).expect("a writable folder");
    }
}
