//! The hub's HTTP side: agents that speak MCP over HTTP are served by the hub's own
//! process, which is then its own client.

use std::rc::Rc;
use std::sync::Arc;

use ask_config::config::Http;
use ask_config::home::Home;
use ask_config::log;
use ask_core::dialect::wire::HttpAddress;
use tokio::sync::mpsc;

use super::desk::{ClientId, Desk};
use super::within::{self, Theirs};
use crate::loopback::Loopback;
use crate::mcp::endpoints;
use crate::mcp::http::Guard;
use crate::mcp::shared::Shared;
use crate::web::events::Streams;
use crate::web::pairing::Office;
use crate::web::projects::Projects;
use crate::web::sessions::Sessions;
use crate::web::taken::Taken;
use crate::web::{self, Web};

/// The clients that the hub is of itself are counted from here; whoever connects, from 1.
const OWN: ClientId = 1 << 62;

/// A side that listens, but answers nobody yet.
pub struct Side {
    listening: Loopback,
    config: Http,
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
        let wanted = config.port;
        let opened = async {
            let token = home.token()?;
            let listening = match Loopback::bind(wanted).await {
                Ok(listening) => listening,
                Err(error) => {
                    log::note(&format!(
                        "port {wanted} can't be had ({error}); another is used"
                    ));
                    Loopback::bind(0).await?
                }
            };
            let port = listening.port();
            let guard = endpoints::guard(token.clone(), &home.token_file(), &config);
            let answering = home.answer_token()?;
            let answering = endpoints::guard(answering, &home.answer_token_file(), &config);
            let address = HttpAddress { port, token };
            anyhow::Ok(Self {
                listening,
                config,
                guard,
                answering,
                address,
            })
        };
        match opened.await {
            Ok(side) => Some(side),
            Err(error) => {
                log::note(&format!("nobody is served over HTTP: {error:#}"));
                None
            }
        }
    }

    /// Serves agents until the hub ends.
    pub async fn serve(self, home: Home, desk: Rc<Desk>) {
        let (connect, mut connections) = mpsc::unbounded_channel::<Theirs>();
        let streams = Arc::new(Streams::default());
        let office = Arc::new(Office::new(
            Sessions::read(&home.sessions_file()),
            Arc::clone(&streams),
            self.config.clone(),
            self.address.port,
            home.pairing_file(),
        ));
        let web = Web {
            config: self.config,
            beside: Arc::clone(&desk.beside),
            office: Arc::clone(&office),
            tokens: self.guard.token.clone().zip(self.answering.token.clone()),
            token_is: (self.guard.token_is.clone(), self.answering.token_is.clone()),
            streams,
            projects: Projects::default(),
            taken: Taken::default(),
            shared: Arc::new(Shared::within(home, connect)),
        };
        let shared = Arc::clone(&web.shared);
        let web = Arc::new(web);
        office.begin(&web).await;
        let _ = desk.beside.office.set(Arc::clone(&office));
        let mut pairing = office.watch();
        tokio::task::spawn_local(async move { office.keep_time().await });
        let rest = web::router(web);
        let (used, mut uses) = mpsc::channel::<()>(1);
        let router = endpoints::every(&shared, &self.guard, &self.answering, rest, used);
        tokio::task::spawn_local(self.listening.serve(router));
        let mut next = OWN;
        loop {
            tokio::select! {
                Some(theirs) = connections.recv() => {
                    tokio::task::spawn_local(within::serve(Rc::clone(&desk), next, theirs));
                    next += 1;
                }
                Some(()) = uses.recv() => desk.is_used(),
                Ok(()) = pairing.changed() => desk.pairing_changed(),
                else => return,
            }
        }
    }
}
