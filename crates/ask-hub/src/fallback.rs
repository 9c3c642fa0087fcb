//! A hub within an agent's process, for the time when the person's hub can't be reached. It is the
//! same hub, with a store in a temporary folder. No other process can find it, so its asks must be
//! moved to the person's hub before it ends.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;
use ask_config::clock;
use ask_config::home;
use ask_store::sqlite::Sqlite;
use rustix::process::{Pid, test_kill_process};
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use super::client::{Client, Link};
use super::hub::{ConnectionId, Hub, HubSettings};
use super::in_process::{self, ClientEnd, ServerEnd};
use super::server;

const PREFIX: &str = "stand-in-";

/// A temporary hub in place of the person's. It ends when it is dropped.
pub struct FallbackHub {
    folder: PathBuf,
    connections: mpsc::UnboundedSender<ServerEnd>,
}

impl FallbackHub {
    /// Starts a hub in a thread of its own.
    pub fn start(take_up: Duration) -> anyhow::Result<Self> {
        let temporary = home::temporary()?;
        remove_abandoned_folders(&temporary);
        let name = format!("{PREFIX}{}-{}", std::process::id(), clock::attempt());
        let folder = temporary.join(name);
        home::private_dir(&folder).with_context(|| format!("making {}", folder.display()))?;
        let lock = File::open(&folder)?;
        lock.try_lock()?;
        let (file, files) = (folder.join("ask-user.db"), folder.join("attachments"));
        let opened = Sqlite::open(&file, &files, take_up)?;
        let (connections, incoming) = mpsc::unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let store_folder = folder.clone();
        std::thread::Builder::new()
            .name("fallback-hub".into())
            .spawn(move || {
                let hub = Hub::new(opened, HubSettings::with_take_up(take_up));
                LocalSet::new().block_on(&runtime, serve(Rc::clone(&hub), incoming));
                drop(runtime);
                if let Some(hub) = Rc::into_inner(hub) {
                    hub.store.close();
                }
                remove(&store_folder);
                drop(lock);
            })?;
        Ok(Self {
            folder,
            connections,
        })
    }

    /// The folder of its store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens a connection to this hub.
    pub fn link(&self) -> anyhow::Result<Link> {
        Ok(Link::InProcess(self.connect()?))
    }

    /// A client that is only ever connected to this hub.
    pub fn client(&self) -> anyhow::Result<Client> {
        Ok(Client::in_process(self.connect()?))
    }

    fn connect(&self) -> anyhow::Result<ClientEnd> {
        let (client_end, server_end) = in_process::connection_pair();
        self.connections
            .send(server_end)
            .context("the fallback hub has ended")?;
        Ok(client_end)
    }
}

async fn serve(hub: Rc<Hub>, mut connections: mpsc::UnboundedReceiver<ServerEnd>) {
    tokio::task::spawn_local(Rc::clone(&hub).run());
    tokio::task::spawn_local(server::run_timer(Rc::clone(&hub), None));
    let mut next = 0;
    while let Some(server_end) = connections.recv().await {
        next += 1;
        let connection = ConnectionId(next);
        tokio::task::spawn_local(in_process::serve(Rc::clone(&hub), connection, server_end));
    }
}

/// Removes the folders of processes that were killed: they have questions and answers.
pub fn remove_abandoned() {
    if let Ok(temporary) = home::temporary() {
        remove_abandoned_folders(&temporary);
    }
}

/// Removes the folders of processes that were killed. A process of a container seems to have ended
/// outside of it, so the folder must be unlocked, too.
fn remove_abandoned_folders(temporary: &Path) {
    let Ok(entries) = std::fs::read_dir(temporary) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let number = number.and_then(|rest| rest.split('-').next()?.parse().ok());
        let process = number.and_then(Pid::from_raw);
        let seems_ended = process.is_some_and(|process| test_kill_process(process).is_err());
        let folder = File::open(entry.path());
        if seems_ended && folder.is_ok_and(|folder| folder.try_lock().is_ok()) {
            remove(&entry.path());
        }
    }
}

/// Removes the folder. An error is ignored, because the system cleans its temporary folder.
pub fn remove(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unlocked_folder_of_an_ended_process_is_removed() {
        let temporary =
            std::env::temp_dir().join(format!("ask-user-abandoned-{}", clock::attempt()));
        let mut child = std::process::Command::new("true")
            .spawn()
            .expect("true runs");
        let ended = temporary.join(format!("{PREFIX}{}-1", child.id()));
        let running = temporary.join(format!("{PREFIX}{}-1", std::process::id()));
        child.wait().expect("true ends");
        for folder in [&ended, &running] {
            std::fs::create_dir_all(folder).expect("the temporary folder is writable");
        }
        let lock = File::open(&ended).expect("the folder exists");
        lock.try_lock().expect("nobody else locks it");
        remove_abandoned_folders(&temporary);
        assert!(ended.exists(), "a container's process uses it");
        drop(lock);
        remove_abandoned_folders(&temporary);
        assert!(!ended.exists());
        assert!(running.exists());
        remove(&temporary);
    }
}
