//! Pending files as a surface: each holds one ask, its person fills it in with whatever
//! editor is at hand, and saving it answers.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::pi;
use ask_core::dialect::wire::Verdict;
use ask_core::{Draft, Gaps, Record};

use crate::clock;
use crate::home;
use crate::hub::client::Client;

/// What such answers are signed with.
const SURFACE: &str = "pending";

/// Where they are, in an agent's directory.
const FOLDER: &str = ".ask-user";

/// So many asks may wait in one directory.
const MOST: usize = 20;

/// The files that this process has written.
#[derive(Default)]
pub struct Files(Mutex<Vec<Written>>);

#[derive(Clone)]
struct Written {
    record: Record,
    path: PathBuf,
    /// The text whose mistakes the person was told of.
    told: String,
}

impl Files {
    /// Writes an ask into a file of its agent's directory, or finds it there from an earlier time;
    /// the file's name from there.
    pub fn offer(&self, record: &Record, take_up: Duration) -> anyhow::Result<String> {
        let place = &record.asker.directory;
        let place = place
            .as_deref()
            .context("it is not known where a file would be seen")?;
        let folder = Path::new(place).join(FOLDER);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("nor can {} be made", folder.display()))?;
        let mut files = self.files();
        for name in names() {
            let path = folder.join(&name);
            let found = std::fs::read_to_string(&path);
            let is_free = match &found {
                Ok(text) => {
                    is_for(record, &path, text, take_up)
                        && files.iter().all(|written| written.path != path)
                }
                Err(error) => error.kind() == ErrorKind::NotFound,
            };
            if !is_free {
                continue;
            }
            if found.is_err() {
                home::replace(&path, &pi::write_pending(record, clock::now()))
                    .with_context(|| format!("nor can {} be written", path.display()))?;
            }
            files.push(Written {
                record: record.clone(),
                path,
                told: String::new(),
            });
            return Ok(format!("{FOLDER}/{name}"));
        }
        anyhow::bail!("{} is full of questions", folder.display())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    /// Sends what was filled in, and removes the files of asks that are over. What was answered and
    /// has not reached its agent stays in its file until another store has it.
    pub async fn look(&self, hub: &Client, is_kept: bool) {
        let all = self.files().clone();
        for mut written in all {
            let id = written.record.id.clone();
            let Ok(found) = hub.look(id.as_str()).await else {
                continue;
            };
            let is_over = found.is_none_or(|record| {
                let by_person = record
                    .settlement()
                    .is_some_and(|settlement| settlement.outcome.is_human());
                !record.is_waiting() && (is_kept || record.is_delivered() || !by_person)
            });
            if is_over {
                let _ = std::fs::remove_file(&written.path);
                self.files().retain(|other| other.record.id != id);
                continue;
            }
            let told = written.told.clone();
            if let Err(problem) = written.send(hub).await {
                let path = written.path.display();
                let _ = writeln!(
                    std::io::stderr(),
                    "ask-user: {path}: {problem}; nothing was sent"
                );
            }
            if written.told != told {
                let mut files = self.files();
                let mut files = files.iter_mut();
                if let Some(kept) = files.find(|other| other.record.id == id) {
                    kept.told = written.told;
                }
            }
        }
    }

    /// Removes the files in which nobody has written.
    pub fn remove_blank(&self) {
        for Written { record, path, .. } in self.files().drain(..) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if matches!(pi::read_pending(&record.ask, &text), Ok(None)) {
                let _ = std::fs::remove_file(&path);
            }
        }
    }

    fn files(&self) -> MutexGuard<'_, Vec<Written>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the files of one directory are called.
fn names() -> impl Iterator<Item = String> {
    (1..=MOST).map(|number| match number {
        1 => "pending-questions.json".to_owned(),
        _ => format!("pending-questions-{number}.json"),
    })
}

/// Whether a file asks the same as this ask, and what it says is meant for it: what was filled in
/// long ago was said to another question, whatever its words.
fn is_for(record: &Record, path: &Path, text: &str, take_up: Duration) -> bool {
    let written = std::fs::metadata(path).and_then(|about| about.modified());
    let age = written.ok().and_then(|at| at.elapsed().ok());
    pi::is_pending_for(&record.ask, text) && age.is_none_or(|age| age <= take_up)
}

/// Answers an ask with what a person filled in for a process that was killed before it could tell
/// its agent: the same words, in the same directory, from an ask that the person's hub never had.
pub async fn take_left(hub: &Client, record: &Record, take_up: Duration) -> anyhow::Result<()> {
    let Some(place) = &record.asker.directory else {
        return Ok(());
    };
    let folder = Path::new(place).join(FOLDER);
    if !folder.is_dir() {
        return Ok(());
    }
    for name in names() {
        let path = folder.join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if !is_for(record, &path, &text, take_up) {
            continue;
        }
        let known = match pi::pending_id(&text) {
            Some(id) => hub.look(&id).await?.is_some(),
            None => true,
        };
        let draft = pi::read_pending(&record.ask, &text).ok().flatten();
        let draft = draft.filter(|draft| {
            let finished = draft.clone().finish(&record.ask, Gaps::Refuse);
            finished.is_ok()
        });
        if let Some(draft) = draft.filter(|_| !known) {
            answer(hub, record, draft).await?;
            let _ = std::fs::remove_file(&path);
            return Ok(());
        }
    }
    Ok(())
}

async fn answer(hub: &Client, record: &Record, draft: Draft) -> anyhow::Result<()> {
    let gaps = Gaps::Send;
    let verdict = Verdict::Answer { draft, gaps };
    hub.settle(&record.id, verdict, SURFACE).await?;
    Ok(())
}

impl Written {
    /// Answers with what the file says, if it is filled in. An error is told once for each text.
    async fn send(&mut self, hub: &Client) -> anyhow::Result<()> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // A question must be somewhere as long as it waits.
                home::replace(&self.path, &pi::write_pending(&self.record, clock::now()))?;
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        if text == self.told {
            return Ok(());
        }
        let draft = match pi::read_pending(&self.record.ask, &text) {
            Ok(None) => return Ok(()),
            Ok(Some(draft)) => draft,
            Err(problem) => {
                self.told = text;
                anyhow::bail!("{problem}");
            }
        };
        if let Err(unfinished) = draft.clone().finish(&self.record.ask, Gaps::Refuse) {
            self.told = text;
            anyhow::bail!("{unfinished}");
        }
        answer(hub, &self.record, draft).await
    }
}
