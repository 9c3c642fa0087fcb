//! The program at the other end of a TCP connection. This test has a process of its own: a child
//! that another test starts has all connections of its parent until it runs its program.

#![cfg(target_os = "linux")]

use std::net::{TcpListener, TcpStream};

use ask_config::process::{Account, accounts_from, caller, caller_from};

#[test]
fn a_caller_over_either_ip_version_is_known_until_it_disconnects() {
    let own = caller(std::process::id());
    for (listens, connects) in [
        ("127.0.0.1:0", "127.0.0.1"),
        ("[::1]:0", "::1"),
        ("[::]:0", "127.0.0.1"),
    ] {
        // A machine may have only one of both families.
        let Ok(listener) = TcpListener::bind(listens) else {
            continue;
        };
        let port = listener
            .local_addr()
            .expect("a bound listener has an address")
            .port();
        let client =
            TcpStream::connect((connects, port)).expect("the listener accepts connections");
        let (accepted, theirs) = listener.accept().expect("a client has connected");
        let ours = accepted.local_addr().expect("a connection has an address");
        let account = rustix::process::geteuid().as_raw();
        let account_of = || accounts_from(&[(theirs, ours)])[0];
        assert_eq!(account_of(), Account::Uid(account));
        let known = caller_from(theirs, ours);
        assert_eq!(
            known.map(|known| known.process),
            own.as_ref().map(|own| own.process)
        );
        drop(client);
        assert_eq!(caller_from(theirs, ours), None);
        assert_eq!(account_of(), Account::Gone);
        drop(accepted);
        // A connection that both ends have closed is still listed for a while, without an
        // owner.
        assert_ne!(account_of(), Account::Uid(account));
    }
}
