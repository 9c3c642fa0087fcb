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
pub mod events;
mod files;
mod handlers;
mod history;
pub mod idempotency;
pub mod metrics;
mod openapi;
mod origin;
pub mod pairing;
pub mod project_folders;
pub mod proof;
mod request;
mod router;
pub mod sessions;
pub mod stored;
pub mod tls;

use std::sync::Arc;

use ask_config::config::Http;
use ask_hub::context::Context;
use ask_hub::http::problem::Problem;
use ask_hub::http::request_log::log_request;
use ask_hub::ops;
use ask_hub::shared_state::SharedState;
use ask_protocol::ipc::{Request, Response};
use axum::Router;
use axum::middleware::from_fn;

use self::events::EventStreams;
use self::idempotency::TakeUps;
use self::origin::{Entry, LanHosts};
use self::pairing::PairingService;
use self::project_folders::ProjectFolders;
use self::proof::Proofs;

/// The state that handlers share.
pub struct Web {
    /// The connection to the hub.
    pub shared: Arc<Context>,
    /// The person's HTTP settings.
    pub config: Http,
    /// The agents' token, and the answer token.
    pub tokens: Option<(String, String)>,
    /// Where a person finds each token, for error messages.
    pub token_hints: (String, String),
    /// State that the hub shares with its HTTP side.
    pub hub_state: Arc<SharedState>,
    /// The signed-in browsers, and the pairing of devices.
    pub pairing_service: Arc<PairingService>,
    /// The open event streams.
    pub streams: Arc<EventStreams>,
    /// The files of agents' folders, as far as they were read.
    pub project_folders: ProjectFolders,
    /// Which requests took up an ask.
    pub take_ups: TakeUps,
    /// Verifies that browsers hold their keys.
    pub proofs: Proofs,
}

impl Web {
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
