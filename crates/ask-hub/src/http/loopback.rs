//! Listening for HTTP on this machine alone: one port of 127.0.0.1, and the same port of `[::1]`
//! where IPv6 is available.

use std::io::{Error, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use ask_config::limits;
use ask_config::logging::Throttle;
use axum::Router;
use tokio::net::TcpListener;

use crate::http::account::{Accounts, restrict_to_accounts};
use crate::http::connection_limit::ConnectionLimit;
use crate::http::rejection::overloaded_response;
use crate::http::{Client, SocketListener};

/// How many free ports of 127.0.0.1 are tried for one that is free on `[::1]`, too.
const MAX_TRIES: usize = 16;

/// The `Retry-After` of a reply to an excess connection, in seconds.
const RETRY_AFTER_S: u64 = 5;

static EXCESS: Throttle = Throttle::new();

/// A bound port of this machine.
pub struct Loopback {
    v4: TcpListener,
    v6: Option<TcpListener>,
    port: u16,
}

impl Loopback {
    /// Binds this port, or any free one for 0.
    pub async fn bind(port: u16) -> std::io::Result<Self> {
        let mut last_error = None;
        for _ in 0..if port == 0 { MAX_TRIES } else { 1 } {
            match Self::bind_both(port).await {
                Ok(bound) => return Ok(bound),
                Err(error) => last_error = Some(error),
            }
        }
        Err(last_error.unwrap_or_else(|| Error::from(ErrorKind::AddrInUse)))
    }

    async fn bind_both(port: u16) -> std::io::Result<Self> {
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

    /// The port that is bound.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Serves programs of the person's account, of root and of these accounts, for ever.
    pub async fn serve(self, router: Router, accounts: Vec<u32>) {
        let accounts = Arc::new(Accounts::new(accounts));
        let router = restrict_to_accounts(&accounts, router);
        let max_connections = limits::for_http();
        let detail = format!(
            "{max_connections} connections are open, which is the limit: close some, or try again in {RETRY_AFTER_S} seconds"
        );
        let log_excess = || {
            if let Some(left_out) = EXCESS.pass() {
                tracing::warn!(
                    left_out,
                    "refused connections over HTTP, because too many are open"
                );
            }
        };
        let limit = Arc::new(ConnectionLimit::with_places(
            max_connections,
            overloaded_response(&detail, RETRY_AFTER_S),
            log_excess,
        ));
        let service = router.into_make_service_with_connect_info::<Client>();
        if let Some(v6) = self.v6 {
            tokio::spawn(
                axum::serve(
                    SocketListener::with_limits(v6, Arc::clone(&limit), Arc::clone(&accounts)),
                    service.clone(),
                )
                .into_future(),
            );
        }
        // `axum::serve` never returns an error.
        let _ = axum::serve(
            SocketListener::with_limits(self.v4, limit, accounts),
            service,
        )
        .await;
    }
}
