//! The hub's HTTP API and its page: what a person does from a browser or a program of theirs.
//! Every request becomes a request to the desk, over a connection inside the process; who may
//! what is decided by `door`; `router` names the routes, whose handlers say what the OpenAPI document tells of them.

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

/// Everything that a request may need.
pub struct Web {
    /// The way to the desk.
    pub shared: Arc<Context>,
    /// What the person set.
    pub config: Http,
    /// The token of agents, and that of programs that answer.
    pub tokens: Option<(String, String)>,
    /// Where a person finds each.
    pub token_is: (String, String),
    /// What the desk knows besides asks.
    pub hub_state: Arc<SharedState>,
    /// Which browsers it was opened in, and how devices come in.
    pub pairing_service: Arc<PairingService>,
    /// Pages that listen.
    pub streams: Arc<Streams>,
    /// Folders that were looked into.
    pub projects: Projects,
    /// What requests took up.
    pub taken: Taken,
    /// What signed-in browsers prove with each request.
    pub proofs: Proofs,
}

impl Web {
    /// Says something to the desk; a fault is a problem.
    async fn say(&self, request: Request) -> Result<Response, Problem> {
        ops::say(self.shared.hub().await?, request).await
    }
}

/// Serves all that is not an endpoint of MCP.
pub fn router(web: &Arc<Web>) -> Router {
    router::router(web, Entry::Loopback)
}

/// Serves devices: the page, and what of the API is for them. There is nothing of MCP.
pub(crate) fn lan_router(web: &Arc<Web>, place: Arc<Place>) -> Router {
    router::router(web, Entry::Lan(place)).layer(from_fn(log_request))
}
