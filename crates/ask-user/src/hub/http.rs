//! The hub's HTTP side: agents that speak MCP over HTTP are served by the hub's own
//! process, which is then its own client.

use std::rc::Rc;
use std::sync::Arc;

use ask_core::dialect::wire::HttpAddress;
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use super::desk::{ClientId, Desk};
use super::{connection, journal};
use crate::config::Http;
use crate::home::Home;
use crate::loopback::Loopback;
use crate::mcp::endpoints;
use crate::mcp::http::Guard;
use crate::mcp::shared::Shared;

/// The clients that the hub is of itself are counted from here; whoever connects, from 1.
const OWN: ClientId = 1 << 62;

/// A side that listens, but answers nobody yet.
pub struct Side {
    listening: Loopback,
    guard: Guard,
    /// Of what answers.
    answering: Guard,
    /// Where it is, and what opens it.
    pub address: HttpAddress,
}

impl Side {
    /// Listens where the person wants that. A hub without it serves everybody else.
    pub async fn open(home: &Home, config: Http) -> Option<Self> {
        if !config.enabled {
            return None;
        }
        let wanted = std::env::var("CN_MCP_PORT")
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(config.port);
        let opened = async {
            let token = home.token()?;
            let listening = match Loopback::bind(wanted).await {
                Ok(listening) => listening,
                Err(error) => {
                    journal::note(&format!(
                        "port {wanted} can't be had ({error}); another is used"
                    ));
                    Loopback::bind(0).await?
                }
            };
            let port = listening.port();
            let guard = endpoints::guard(token.clone(), &home.token_file());
            let answering = home.answer_token()?;
            let answering = endpoints::guard(answering, &home.answer_token_file());
            let address = HttpAddress { port, token };
            anyhow::Ok(Self {
                listening,
                guard,
                answering,
                address,
            })
        };
        match opened.await {
            Ok(side) => Some(side),
            Err(error) => {
                journal::note(&format!("nobody is served over HTTP: {error:#}"));
                None
            }
        }
    }

    /// Serves agents until the hub ends.
    pub async fn serve(self, home: Home, desk: Rc<Desk>) {
        let (connect, mut connections) = mpsc::unbounded_channel::<UnixStream>();
        let shared = Arc::new(Shared::within(home, connect));
        let (used, mut uses) = mpsc::channel::<()>(1);
        let router = endpoints::every(&shared, &self.guard, &self.answering, used);
        tokio::task::spawn_local(self.listening.serve(router));
        let mut next = OWN;
        loop {
            tokio::select! {
                Some(stream) = connections.recv() => {
                    tokio::task::spawn_local(connection::serve(Rc::clone(&desk), next, stream));
                    next += 1;
                }
                Some(()) = uses.recv() => desk.is_used(),
                else => return,
            }
        }
    }
}
