//! The HTTP endpoints of a process: in the hub, `/mcp` and one for each dialect; in
//! `ask-user mcp --port`, only `/mcp`. The URL's query describes the asker.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ask_clients::registration::RegistrationEnv;
use ask_clients::registration::running_clients::Running;
use ask_config::asker;
use ask_config::config::{Config, Http};
use ask_config::exit::{Exit, Failure};
use ask_config::fd_limit;
use ask_config::home::{self, Home};
use ask_core::SafeText;
use ask_dialects::DIALECTS;
use ask_hub::context::Context;
use ask_hub::http::loopback::Loopback;
use ask_hub::http::request_log;
use ask_hub::http::{Guard, ProblemKind, check, rejection};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::Offer;
use super::call::{Conversation, Place};
use super::context::{Card, Shared};
use super::http::endpoint;
use super::server::{self, Server};

/// The endpoints of the hub: one for each dialect, and `/mcp` for the native one. All other paths
/// go to `rest`. Every request sends a message to `used`.
pub fn every(shared: &Arc<Shared>, guard: &Guard, rest: Router, used: mpsc::Sender<()>) -> Router {
    shared.keep_alive();
    let mut router = rest;
    for dialect in DIALECTS {
        let name = dialect.name();
        if let Ok(offer) = Offer::new(&[name.to_owned()], None) {
            let offer = Arc::new(offer);
            router = router.merge(serving(
                &format!("/mcp/{name}"),
                shared,
                &offer,
                guard,
                None,
            ));
            if name == "native" {
                router = router.merge(serving("/mcp", shared, &offer, guard, None));
            }
        }
    }
    router.layer(from_fn(move |request, next: Next| {
        // If a message is queued already, it serves for this request too.
        let _ = used.try_send(());
        request_log::log_request(request, next)
    }))
}

/// A server that an app starts for itself.
pub struct Own {
    /// The port; 0 for any free one.
    pub port: u16,
    /// The token that clients need.
    pub token: Option<Token>,
    /// The entry to write into a client's settings.
    pub entry: Option<Entered>,
}

/// The environment variable with the token of such a server.
pub const TOKEN: &str = "ASK_USER_TOKEN";

/// The token of such a server, by its source.
pub enum Token {
    /// From the command line, which every account of the machine can read. It permits asking, but
    /// not answering.
    Shown(String),
    /// From a file.
    File {
        /// The file's path.
        file: PathBuf,
        /// The token.
        word: String,
    },
    /// From the environment variable [`TOKEN`].
    Variable(String),
}

/// What such a server serves from crates above this one.
pub struct Above {
    /// Renders the card for chat clients that support MCP Apps.
    pub card: Card,
    /// The surfaces to serve beside MCP, for one window of an app, to clients with a token that
    /// permits answering.
    pub surfaces: fn(&Arc<Context>, &Guard, Option<String>) -> Router,
}

/// The entry of a server in a client's settings.
pub struct Entered {
    /// The path of the settings file.
    pub file: String,
    /// The name of the entry.
    pub name: String,
    /// The dialects of the server.
    pub dialects: Vec<String>,
    /// The name of its tool, if not the dialect's own.
    pub tool_name: Option<String>,
}

/// Serves one offer over HTTP until it is terminated. If the process that started it speaks MCP on
/// the standard streams, it is served there too, and the end of those streams ends the server.
pub async fn run(home: Home, offer: Offer, own: Own, above: Above) -> anyhow::Result<()> {
    home.prepare()?;
    let Own { port, token, entry } = own;
    let config = Config::read(&home.config_file()).config.http;
    let token = token.or_else(|| entry.is_some().then(|| Token::Variable(home::new_token())));
    let own = |word: &str| Guard {
        token: Some(word.to_owned()),
        token_is: "It is the one that this server was started with or entered itself with"
            .to_owned(),
        most_bytes: config.most_bytes(),
        ..Guard::default()
    };
    let answers = || {
        anyhow::Ok(guard(
            home.answer_token()?,
            &home.answer_token_file(),
            &config,
        ))
    };
    let (guard, answering) = match &token {
        Some(Token::File { word, .. } | Token::Variable(word)) => (own(word), own(word)),
        Some(Token::Shown(word)) => (own(word), answers()?),
        // Asking and answering need different tokens.
        None => {
            let asks = guard(home.token()?, &home.token_file(), &config);
            (asks, answers()?)
        }
    };
    let window = asker::instance();
    let context = Arc::new(Context::new(home));
    let shared = Arc::new(Shared::with_context(Arc::clone(&context), above.card));
    shared.keep_alive();
    let offer = Arc::new(offer);
    fd_limit::raise();
    let listening = match Loopback::bind(port).await {
        Ok(listening) => listening,
        Err(error) => return without_port(&shared, offer, port, &error).await,
    };
    let port = listening.port();
    let router = outside(&guard)
        .merge(serving("/mcp", &shared, &offer, &guard, window.clone()))
        .merge((above.surfaces)(&context, &answering, window.clone()));
    if let Some((entry, token)) = entry.zip(token) {
        entry.enter(port, token, window)?;
    }
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
        () = listening.serve(router, config.accounts.clone()) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    shared.close().await;
    Ok(())
}

impl Entered {
    /// Writes the entry. If that fails, the server still serves clients that know its address.
    fn enter(self, port: u16, token: Token, window: Option<String>) -> anyhow::Result<()> {
        let mut args = vec!["mcp".to_owned(), "--dialect".to_owned()];
        args.push(self.dialects.join(","));
        if let Some(name) = self.tool_name {
            args.extend(["--tool-name".to_owned(), name]);
        }
        args.extend(["--port".to_owned(), port.to_string()]);
        let mut env = Vec::new();
        match token {
            // A command-line token stays on the command line. In the environment it would permit
            // answering.
            Token::Shown(word) => args.extend(["--token".to_owned(), word]),
            Token::File { file, .. } => {
                args.extend(["--token-file".to_owned(), file.display().to_string()]);
            }
            Token::Variable(word) => env.push((TOKEN.to_owned(), word)),
        }
        env.extend(window.map(|window| (asker::INSTANCE.to_owned(), window)));
        let running = Running {
            name: self.name,
            args,
            env,
        };
        let entered = RegistrationEnv::find().map_err(|error| format!("{error:#}"));
        let entered = entered.and_then(|here| running.enter(&here, &self.file));
        let mut out = std::io::stderr();
        match entered {
            Ok(path) => writeln!(out, "ask-user: entered in {}", SafeText::path(&path))?,
            Err(problem) => writeln!(
                out,
                "ask-user: the server can't be entered in {}\n  Mend the file, or name another with --register=FILE.",
                SafeText::block(&problem)
            )?,
        }
        Ok(())
    }
}

/// Serves only the standard streams when the port is taken: a second agent with the same settings
/// finds the port in use by the first one's server.
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

/// A guard that admits requests with this token.
pub fn guard(token: String, file: &Path, config: &Http) -> Guard {
    // Only the file's name is reported: a request without the token must not learn the paths of the
    // person's files.
    let name = file.file_name().unwrap_or_default().display();
    Guard {
        token: Some(token),
        token_is: format!("It is in the file `{name}`: `ask-user hub --status` says where that is"),
        most_bytes: config.most_bytes(),
        ..Guard::default()
    }
}

/// Paths outside of the endpoints: the health check, which everybody may use, and a 404 for
/// admitted requests.
fn outside(guard: &Guard) -> Router {
    let guard = Arc::new(guard.clone());
    let nothing = move |request: axum::extract::Request| {
        let guard = Arc::clone(&guard);
        async move {
            match check(&guard, request.uri(), request.headers()) {
                Ok(()) => rejection(
                    ProblemKind::NoRoute,
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

fn serving(
    path: &str,
    shared: &Arc<Shared>,
    offer: &Arc<Offer>,
    guard: &Guard,
    window: Option<String>,
) -> Router {
    let (shared, offer) = (Arc::clone(shared), Arc::clone(offer));
    let make = move || {
        let (shared, offer) = (Arc::clone(&shared), Arc::clone(&offer));
        let place = Place::Url(window.clone());
        let conversation = Conversation::new(shared, offer, place);
        Ok(Server::new(Arc::new(conversation)))
    };
    endpoint(path, make, guard)
}
