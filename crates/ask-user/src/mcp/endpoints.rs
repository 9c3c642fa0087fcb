//! The HTTP endpoints of a process: `/mcp` and one for each dialect in the hub, or
//! `/mcp` alone in `ask-user mcp --port`. Who asks is told by the URL's query.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use ask_core::dialect::DIALECTS;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::Offer;
use super::call::{Conversation, Place};
use super::http::{Guard, check, endpoint, refusal};
use super::server::{self, Server};
use super::shared::Shared;
use crate::exit::{Exit, Failure};
use crate::home::Home;
use crate::loopback::Loopback;
use crate::surface::bridge;

/// The endpoints of the hub: each dialect has its own, and `/mcp` is the native one. Every request
/// is a word on `used`.
pub fn every(
    shared: &Arc<Shared>,
    guard: &Guard,
    answering: &Guard,
    used: mpsc::Sender<()>,
) -> Router {
    shared.keep_alive();
    let mut router = outside(guard).merge(bridge::router(shared, answering));
    for dialect in DIALECTS {
        let name = dialect.name();
        if let Ok(offer) = Offer::new(&[name.to_owned()], None) {
            let offer = Arc::new(offer);
            router = router.merge(serving(&format!("/mcp/{name}"), shared, &offer, guard));
            if name == "native" {
                router = router.merge(serving("/mcp", shared, &offer, guard));
            }
        }
    }
    router.layer(from_fn(move |request, next: Next| {
        // Where a word is on its way already, that one will do.
        let _ = used.try_send(());
        next.run(request)
    }))
}

/// Serves one offer over HTTP until it is terminated, and on the standard streams if whoever started
/// it speaks there: then it ends with them.
pub async fn run(home: Home, offer: Offer, port: u16, token: Option<String>) -> anyhow::Result<()> {
    home.prepare()?;
    let token = match token {
        Some(token) => token,
        None => home.token()?,
    };
    let guard = guard(token, &home.token_file());
    let shared = Arc::new(Shared::new(home));
    shared.keep_alive();
    let offer = Arc::new(offer);
    let listening = match Loopback::bind(port).await {
        Ok(listening) => listening,
        Err(error) => return without_port(&shared, offer, port, &error).await,
    };
    let port = listening.port();
    let router = outside(&guard)
        .merge(serving("/mcp", &shared, &offer, &guard))
        .merge(bridge::router(&shared, &guard));
    writeln!(
        std::io::stderr(),
        "ask-user: MCP at http://127.0.0.1:{port}/mcp"
    )?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let starter = async {
        let is_client = !std::io::stdin().is_terminal() && server::converse(&shared, offer).await?;
        if !is_client {
            std::future::pending::<()>().await;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        ended = starter => ended?,
        () = listening.serve(router) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    shared.close().await;
    Ok(())
}

/// Whoever started us on its standard streams is served there all the same: a second agent with the
/// same settings finds the port taken by the first one's server.
async fn without_port(
    shared: &Arc<Shared>,
    offer: Arc<Offer>,
    port: u16,
    error: &std::io::Error,
) -> anyhow::Result<()> {
    let failure = Failure::new(
        Exit::Failure,
        format!("port {port} can't be had: {error}"),
        "choose another with --port; 0 takes any that is free",
    );
    if std::io::stdin().is_terminal() {
        return Err(failure.into());
    }
    writeln!(
        std::io::stderr(),
        "ask-user: {failure}\n  Until then the standard streams alone are served."
    )?;
    let is_client = server::converse(shared, offer).await?;
    shared.close().await;
    if is_client {
        Ok(())
    } else {
        Err(failure.into())
    }
}

/// Lets in who shows this token.
pub fn guard(token: String, file: &Path) -> Guard {
    Guard {
        token: Some(token),
        token_is: format!(
            "The token of this person's own programs is in {}",
            file.display()
        ),
        ..Guard::default()
    }
}

/// What is not an endpoint: a sign of life for everybody, and nothing at all for who may come in.
fn outside(guard: &Guard) -> Router {
    let guard = Arc::new(guard.clone());
    let nothing = move |request: axum::extract::Request| {
        let guard = Arc::clone(&guard);
        async move {
            match check(&guard, request.uri(), request.headers()) {
                Ok(()) => refusal(
                    StatusCode::NOT_FOUND,
                    "there is nothing here; MCP is at /mcp",
                ),
                Err(refused) => *refused,
            }
        }
    };
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(nothing)
}

fn serving(path: &str, shared: &Arc<Shared>, offer: &Arc<Offer>, guard: &Guard) -> Router {
    let (shared, offer) = (Arc::clone(shared), Arc::clone(offer));
    let make = move || {
        let (shared, offer) = (Arc::clone(&shared), Arc::clone(&offer));
        let conversation = Conversation::new(shared, offer, Place::Url);
        Ok(Server::over_http(Arc::new(conversation)))
    };
    endpoint(path, make, guard)
}
