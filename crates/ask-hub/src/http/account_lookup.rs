//! Whose the programs at the other ends of connections are. The system lists all connections in one
//! long text, so one thread reads it once for all who wait: thousands of connections that come
//! together cost neither thousands of threads nor thousands of copies of the list.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_config::process::{self, Account, Ends};
use tokio::sync::oneshot;

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    connections: Vec::new(),
    is_served: false,
});

/// The connections that wait for the next look at the list.
struct Queue {
    connections: Vec<(Ends, oneshot::Sender<Account>)>,
    /// Whether a thread serves them.
    is_served: bool,
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The account of the program at the other end of a connection.
pub(super) async fn account(ends: Ends) -> Account {
    let (sender, found) = oneshot::channel();
    let is_served = {
        let mut queue = queue();
        queue.connections.push((ends, sender));
        std::mem::replace(&mut queue.is_served, true)
    };
    if !is_served {
        let service = Service;
        tokio::task::spawn_blocking(move || service.run());
    }
    found.await.unwrap_or(Account::Unknown)
}

/// Serves those who wait, until nobody does.
struct Service;

impl Service {
    fn run(self) {
        loop {
            let served = {
                let mut queue = queue();
                let served = std::mem::take(&mut queue.connections);
                if served.is_empty() {
                    // Whoever comes from now on starts another service.
                    queue.is_served = false;
                    drop(queue);
                    std::mem::forget(self);
                    return;
                }
                served
            };
            let ends: Vec<Ends> = served.iter().map(|(ends, _)| *ends).collect();
            let accounts = process::accounts_from(&ends);
            for ((_, sender), account) in served.into_iter().zip(accounts) {
                // A connection may have ended meanwhile.
                let _ = sender.send(account);
            }
        }
    }
}

/// A runtime that ends drops a service that it has not begun, or whose look has failed.
impl Drop for Service {
    fn drop(&mut self) {
        let mut queue = queue();
        queue.is_served = false;
        queue.connections.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[tokio::test]
    async fn all_who_come_together_are_told_whose_they_are() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let own = match cfg!(target_os = "linux") {
            true => Account::Uid(rustix::process::geteuid().as_raw()),
            false => Account::Unknown,
        };
        let mut connections = Vec::new();
        let mut asked = Vec::new();
        let mut ends = None;
        for _ in 0..200 {
            let client = TcpStream::connect(address).expect("it listens");
            let (accepted, theirs) = listener.accept().expect("one connected");
            connections.push((client, accepted));
            ends = Some((theirs, address));
            asked.push(tokio::spawn(account((theirs, address))));
        }
        for asked in asked {
            assert_eq!(asked.await.expect("it ends"), own);
        }
        let again = account(ends.expect("some have connected")).await;
        assert_eq!(again, own, "another look is taken afterwards");
    }
}
