//! The hub's HTTP API and its page, for a person's browser and programs. Every request becomes a
//! request to the hub, over a connection within the process. `auth` decides who may do what. `router`
//! lists the routes; the attributes of their handlers make up the OpenAPI document.

pub mod app_card;
mod ask_list;
mod ask_queries;
mod assets;
mod auth;
pub mod bridge;
mod cookie;
pub mod embed;
mod error_page;
mod events;
mod files;
mod handlers;
mod history;
mod idempotency;
pub mod metrics;
mod openapi;
mod origin;
mod pairing;
mod project_folders;
mod proof;
mod request;
mod router;
mod sessions;
mod stored;
pub mod tls;

use std::sync::Arc;

use ask_config::config::Http;
use ask_config::home::Home;
use ask_hub::context::Context;
use ask_hub::http::Guard;
use ask_hub::http::problem::Problem;
use ask_hub::http::request_log::log_request;
use ask_hub::note_writer::NoteWriter;
use ask_hub::ops;
use ask_hub::shared_state::{DevicePairing, SharedState};
use ask_protocol::ipc::{Request, Response};
use axum::Router;
use axum::middleware::from_fn;
use tokio::sync::watch;

use self::events::EventStreams;
use self::idempotency::TakeUps;
use self::origin::{Entry, LanHosts};
use self::pairing::PairingService;
use self::pairing::device_store::PairingStore;
use self::project_folders::ProjectFolders;
use self::proof::Proofs;
use self::sessions::Sessions;
use self::stored::Notes;

pub use self::pairing::device_store::{PAIRING_NOTE, parse_certificate};
pub use self::pairing::{device_name, invitation, qr};
pub use self::sessions::known_port;

/// What the store keeps of the page and of devices: who is signed in, and whether pairing is on.
pub struct StoredState {
    sessions: Sessions,
    pairing: PairingStore,
    /// The hub's port on this machine.
    port: u16,
}

impl StoredState {
    /// Reads the store's notes, or files of an earlier version, which move to the store. Browsers of
    /// this machine that used another port are signed out.
    pub fn read(notes: &Notes, home: &Home, writer: &NoteWriter, port: u16) -> Self {
        Self {
            sessions: Sessions::new(notes, &home.sessions_file(), writer.clone(), port),
            pairing: PairingStore::new(notes, &home.pairing_file(), writer.clone()),
            port,
        }
    }
}

/// The state that handlers share.
pub struct Web {
    /// The connection to the hub.
    shared: Arc<Context>,
    /// The person's HTTP settings.
    config: Http,
    /// The agents' token, and the answer token.
    tokens: Option<(String, String)>,
    /// Where a person finds each token, for error messages.
    token_hints: (String, String),
    /// State that the hub shares with its HTTP side.
    hub_state: Arc<SharedState>,
    /// The signed-in browsers, and the pairing of devices.
    pairing_service: Arc<PairingService>,
    /// The open event streams.
    streams: Arc<EventStreams>,
    /// The files of agents' folders, as far as they were read.
    project_folders: ProjectFolders,
    /// Which requests took up an ask.
    take_ups: TakeUps,
    /// Verifies that browsers hold their keys.
    proofs: Proofs,
}

impl Web {
    /// The HTTP side of a hub. The guards have the agents' token and the answer token.
    pub fn new(
        stored: StoredState,
        context: Arc<Context>,
        hub_state: Arc<SharedState>,
        config: Http,
        (asking, answering): (&Guard, &Guard),
    ) -> Arc<Self> {
        let streams = Arc::new(EventStreams::default());
        let pairing_service =
            PairingService::new(stored, Arc::clone(&streams), config.clone(), context.home());
        Arc::new(Self {
            config,
            hub_state,
            pairing_service: Arc::new(pairing_service),
            tokens: asking.token.clone().zip(answering.token.clone()),
            token_hints: (asking.token_hint.clone(), answering.token_hint.clone()),
            streams,
            project_folders: ProjectFolders::default(),
            take_ups: TakeUps::default(),
            proofs: Proofs::default(),
            shared: context,
        })
    }

    /// Starts the pairing of devices, which is on if it was on when the previous hub ended. The
    /// receiver is notified of its changes.
    pub async fn start_pairing(self: &Arc<Self>) -> watch::Receiver<u64> {
        let service = &self.pairing_service;
        service.start(self).await;
        // The hub has one HTTP side, so the cell is empty.
        let _ = self
            .hub_state
            .pairing_service
            .set(Arc::clone(service) as Arc<dyn DevicePairing>);
        let changes = service.watch();
        let service = Arc::clone(service);
        tokio::task::spawn_local(async move { service.run_timers().await });
        changes
    }

    /// Sends a request to the hub.
    ///
    /// # Errors
    /// The hub can't be reached or refuses the request.
    async fn send(&self, request: Request) -> Result<Response, Problem> {
        ops::send(self.shared.hub().await?, request).await
    }
}

/// The routes on the loopback port, except MCP's.
pub fn router(web: &Arc<Web>) -> Router {
    router::router(web, Entry::Loopback)
}

/// The routes for devices: the page, and the API as far as devices may use it. MCP isn't served
/// there.
pub(crate) fn lan_router(web: &Arc<Web>, hosts: Arc<LanHosts>) -> Router {
    router::router(web, Entry::Lan(hosts)).layer(from_fn(log_request))
}
