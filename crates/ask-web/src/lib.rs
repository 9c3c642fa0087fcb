//! The hub's HTTP API and its page: what a person does from a browser or a program. Every request
//! becomes a request to the hub, over a connection within the process. `auth` decides who may do
//! what; `router` names the routes, whose handlers carry their part of the OpenAPI document.

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

use self::events::Streams;
use self::idempotency::Taken;
use self::origin::{Entry, Place};
use self::pairing::PairingService;
use self::project_folders::Projects;
use self::proof::Proofs;

/// The state that handlers share.
pub struct Web {
    /// The connection to the hub.
    pub shared: Arc<Context>,
    /// The person's HTTP settings.
    pub config: Http,
    /// The agents' token, and the token that permits answering.
    pub tokens: Option<(String, String)>,
    /// Where a person finds each token, for error messages.
    pub token_is: (String, String),
    /// State that the hub shares with its HTTP side.
    pub hub_state: Arc<SharedState>,
    /// The signed-in browsers, and the pairing of devices.
    pub pairing_service: Arc<PairingService>,
    /// The open event streams.
    pub streams: Arc<Streams>,
    /// Folders of projects that were read.
    pub projects: Projects,
    /// Asks that requests continued.
    pub taken: Taken,
    /// The proofs of browsers' keys.
    pub proofs: Proofs,
}

impl Web {
    /// Sends a request to the hub.
    ///
    /// # Errors
    /// A fault of the hub, as a problem.
    async fn say(&self, request: Request) -> Result<Response, Problem> {
        ops::send(self.shared.hub().await?, request).await
    }
}

/// The routes on the loopback port, except MCP's.
pub fn router(web: &Arc<Web>) -> Router {
    router::router(web, Entry::Loopback)
}

/// The routes for devices: the page, and the parts of the API that devices may use. MCP isn't
/// served there.
pub(crate) fn lan_router(web: &Arc<Web>, place: Arc<Place>) -> Router {
    router::router(web, Entry::Lan(place)).layer(from_fn(log_request))
}
