//! Looks up the account of the program at the other end of a connection. The system lists all
//! connections in one long text, so one thread reads it once for all waiting lookups. Thousands of
//! connections at once need neither thousands of threads nor thousands of copies of the list.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_config::process::{self, Account, Ends};
use tokio::sync::oneshot;

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    connections: Vec::new(),
    has_task: false,
});

/// The lookups that wait for the next read of the list.
struct Queue {
    connections: Vec<(Ends, oneshot::Sender<Account>)>,
    /// Whether a task handles them.
    has_task: bool,
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The account of the program at the other end of a connection.
pub(super) async fn look_up_account(ends: Ends) -> Account {
    let (sender, found) = oneshot::channel();
    let has_task = {
        let mut queue = queue();
        queue.connections.push((ends, sender));
        std::mem::replace(&mut queue.has_task, true)
    };
    if !has_task {
        let task = LookupTask;
        tokio::task::spawn_blocking(move || task.run());
    }
    found.await.unwrap_or(Account::Unknown)
}

/// Handles waiting lookups until there are none.
struct LookupTask;

impl LookupTask {
    fn run(self) {
        loop {
            let waiting = {
                let mut queue = queue();
                let waiting = std::mem::take(&mut queue.connections);
                if waiting.is_empty() {
                    // The next lookup starts another task.
                    queue.has_task = false;
                    drop(queue);
                    std::mem::forget(self);
                    return;
                }
                waiting
            };
            let ends: Vec<Ends> = waiting.iter().map(|(ends, _)| *ends).collect();
            let accounts = process::accounts_from(&ends);
            for ((_, sender), account) in waiting.into_iter().zip(accounts) {
                // A connection may have ended meanwhile.
                let _ = sender.send(account);
            }
        }
    }
}

/// If the task didn't finish, waiting lookups end without a result, and the next lookup starts
/// another task. A runtime that ends drops a task that it has not started.
impl Drop for LookupTask {
    fn drop(&mut self) {
        let mut queue = queue();
        queue.has_task = false;
        queue.connections.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn connections_that_arrive_together_get_their_accounts() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let own = match cfg!(target_os = "linux") {
            true => Account::Uid(rustix::process::geteuid().as_raw()),
            false => Account::Unknown,
        };
        let mut connections = Vec::new();
        let mut lookups = Vec::new();
        let mut ends = None;
        for _ in 0..200 {
            let client = TcpStream::connect(address).expect("it listens");
            let (accepted, peer) = listener.accept().expect("one connected");
            connections.push((client, accepted));
            ends = Some((peer, address));
            lookups.push(tokio::spawn(look_up_account((peer, address))));
        }
        for lookup in lookups {
            assert_eq!(lookup.await.expect("it ends"), own);
        }
        let again = look_up_account(ends.expect("some have connected")).await;
        assert_eq!(again, own, "a later lookup reads the list again");
    }
}
