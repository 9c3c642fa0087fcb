//! Listening for HTTP on this machine alone: one port of 127.0.0.1, and the same port of `[::1]`
//! where IPv6 is available.

use std::io::{Error, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ask_config::fd_limit;
use ask_config::logging::Throttle;
use axum::Router;
use tokio::net::TcpListener;

use crate::http::account::{Accounts, limited_to};
use crate::http::connection_limit::ConnectionLimit;
use crate::http::rejection::overloaded_response;
use crate::http::{Client, Sockets};

/// How many free ports of 127.0.0.1 are tried for one that is free on `[::1]`, too.
const TRIES: usize = 16;

/// The `Retry-After` of a reply to an excess connection, in seconds.
const AGAIN_AFTER: u64 = 5;

static FULL: Throttle = Throttle::new();

/// A bound port of this machine.
pub struct Loopback {
    v4: TcpListener,
    v6: Option<TcpListener>,
    port: u16,
}

impl Loopback {
    /// Binds this port, or any free one for 0.
    pub async fn bind(port: u16) -> std::io::Result<Self> {
        let mut failed = None;
        for _ in 0..if port == 0 { TRIES } else { 1 } {
            match Self::both(port).await {
                Ok(bound) => return Ok(bound),
                Err(error) => failed = Some(error),
            }
        }
        Err(failed.unwrap_or_else(|| Error::from(ErrorKind::AddrInUse)))
    }

    async fn both(port: u16) -> std::io::Result<Self> {
        let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = v4.local_addr()?.port();
        let v6 = match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(v6) => Some(v6),
            // Another program on the IPv6 half of the port would receive some clients with their
            // tokens.
            Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(error),
            Err(_) => None,
        };
        Ok(Self { v4, v6, port })
    }

    /// The bound port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Serves programs of the person's account, of root and of these accounts, for ever.
    pub async fn serve(self, router: Router, accounts: Vec<u32>) {
        let accounts = Arc::new(Accounts::new(accounts));
        let router = limited_to(&accounts, router);
        let most = fd_limit::for_http();
        let said = format!(
            "{most} connections are open here, which is all that there is room for: close some, or try again in {AGAIN_AFTER} seconds"
        );
        let full = || {
            if let Some(left_out) = FULL.pass() {
                tracing::warn!(
                    left_out,
                    "connections over HTTP were refused: there are too many"
                );
            }
        };
        let room = Arc::new(ConnectionLimit::with_places(
            most,
            overloaded_response(&said, AGAIN_AFTER),
            full,
        ));
        let service = router.into_make_service_with_connect_info::<Client>();
        if let Some(v6) = self.v6 {
            tokio::spawn(
                axum::serve(
                    Sockets::in_group(v6, Arc::clone(&room), Arc::clone(&accounts)),
                    service.clone(),
                )
                .into_future(),
            );
        }
        // `axum::serve` never returns an error.
        let _ = axum::serve(Sockets::in_group(self.v4, room, accounts), service).await;
    }
}
