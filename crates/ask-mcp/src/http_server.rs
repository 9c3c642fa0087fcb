//! The HTTP endpoints of a process: in the hub, `/mcp` and one for each dialect; in
//! `ask-user mcp --port`, only `/mcp`. The URL's query describes the asker.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ask_clients::registration::RegistrationEnv;
use ask_clients::registration::running_clients::Running;
use ask_config::config::{Config, Http};
use ask_config::exit::{Exit, Failure};
use ask_config::home::{self, Home};
use ask_config::limits;
use ask_config::{asker, checkout};
use ask_core::SafeText;
use ask_dialects::DIALECTS;
use ask_hub::context::Context;
use ask_hub::http::loopback::Loopback;
use ask_hub::http::request_log;
use ask_hub::http::{Guard, ProblemKind, check_request, rejection};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::Offer;
use super::call::{ClientTransport, Conversation};
use super::context::{RenderCard, Shared};
use super::http::endpoint;
use super::server::{self, Server};

/// The endpoints of the hub: one for each dialect, and `/mcp` for the native one. All other paths
/// go to `other_routes`. Every request sends a message to `use_sender`.
pub fn hub_endpoints(
    shared: &Arc<Shared>,
    guard: &Guard,
    other_routes: Router,
    use_sender: mpsc::Sender<()>,
) -> Router {
    shared.spawn_keepalive();
    let mut router = other_routes;
    for dialect in DIALECTS {
        let name = dialect.name();
        if let Ok(offer) = Offer::new(&[name.to_owned()], None) {
            let offer = Arc::new(offer);
            router = router.merge(mcp_route(
                &format!("/mcp/{name}"),
                shared,
                &offer,
                guard,
                None,
            ));
            if name == "native" {
                router = router.merge(mcp_route("/mcp", shared, &offer, guard, None));
            }
        }
    }
    router.layer(from_fn(move |request, next: Next| {
        // If a message is queued already, it covers this request, too.
        let _ = use_sender.try_send(());
        request_log::log_request(request, next)
    }))
}

/// The options of a server that an app starts for itself.
pub struct StandaloneServer {
    /// The port; 0 for any free one.
    pub port: u16,
    /// The token that clients need.
    pub token: Option<Token>,
    /// The entry to write into a client's settings.
    pub entry: Option<SettingsEntry>,
}

/// The environment variable with the token of such a server.
pub const TOKEN: &str = "ASK_USER_TOKEN";

/// The token of such a server, by its origin.
pub enum Token {
    /// From the command line, which every account of the machine can read. It permits asking, but
    /// not answering.
    CommandLine(String),
    /// From the file of --token-file.
    File {
        /// The path of that file.
        file: PathBuf,
        /// The token in it.
        token: String,
    },
    /// From the environment variable [`TOKEN`].
    Variable(String),
}

/// The parts of such a server that are in crates above this one.
pub struct Surfaces {
    /// Renders the card for chat clients that support MCP Apps.
    pub card: RenderCard,
    /// Makes the routes of the surfaces, which show these asks only. They require a token that
    /// permits answering.
    pub router: fn(&Arc<Context>, &Guard, AsksOfServer) -> Router,
}

/// What the agents of such a server ask.
pub struct AsksOfServer {
    /// The window of an app that they work for.
    pub window: Option<String>,
    /// The dialects of their tools.
    pub dialects: Vec<&'static str>,
}

/// The entry of a server in a client's settings.
pub struct SettingsEntry {
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
pub async fn run(
    home: Home,
    offer: Offer,
    server: StandaloneServer,
    surfaces: Surfaces,
) -> anyhow::Result<()> {
    home.prepare()?;
    home.continue_clock(None);
    let StandaloneServer { port, token, entry } = server;
    let config = Config::read(&home.config_file()).config.http;
    let token = token.or_else(|| entry.is_some().then(|| Token::Variable(home::new_token())));
    let own_guard = |token: &str| Guard {
        token: Some(token.to_owned()),
        token_hint: "It is the one that this server was started with or entered itself with"
            .to_owned(),
        most_bytes: config.most_bytes(),
        ..Guard::default()
    };
    let answer_guard = || {
        anyhow::Ok(guard(
            home.answer_token()?,
            &home.answer_token_file(),
            &config,
        ))
    };
    let (guard, answering) = match &token {
        Some(Token::File { token, .. } | Token::Variable(token)) => {
            (own_guard(token), own_guard(token))
        }
        Some(Token::CommandLine(token)) => (own_guard(token), answer_guard()?),
        // Asking and answering need different tokens.
        None => {
            let ask_guard = guard(home.token()?, &home.token_file(), &config);
            (ask_guard, answer_guard()?)
        }
    };
    let window = asker::instance();
    let context = Arc::new(Context::new(home));
    let shared = Arc::new(Shared::with_context(Arc::clone(&context), surfaces.card));
    shared.spawn_keepalive();
    report_ended_sessions(&context, &guard);
    let asks = AsksOfServer {
        window: window.clone(),
        dialects: offer.dialects.iter().map(|one| one.name()).collect(),
    };
    let offer = Arc::new(offer);
    limits::raise();
    let loopback = match Loopback::bind(port).await {
        Ok(loopback) => loopback,
        Err(error) => return serve_stdio_only(&shared, offer, port, &error).await,
    };
    let port = loopback.port();
    let router = other_paths(&guard)
        .merge(mcp_route("/mcp", &shared, &offer, &guard, window.clone()))
        .merge((surfaces.router)(&context, &answering, asks));
    if let Some((entry, token)) = entry.zip(token) {
        entry.write(port, token, window)?;
    }
    writeln!(
        std::io::stderr(),
        "ask-user: MCP at http://127.0.0.1:{port}/mcp"
    )?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stdio_client = async {
        let is_client =
            !std::io::stdin().is_terminal() && server::serve_stdio(&shared, offer).await?;
        if !is_client {
            std::future::pending::<()>().await;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        ended = stdio_client => ended?,
        () = loopback.serve(router, config.accounts.clone()) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    shared.close().await;
    Ok(())
}

/// Reports the sessions of this server to the hub as they end. Another session of the same agent
/// may have their answers then.
fn report_ended_sessions(context: &Arc<Context>, guard: &Guard) {
    let context = Arc::downgrade(context);
    guard.sessions.report_ended(move |instance| {
        // Without a hub, this session has asked nothing yet.
        if let Some(hub) = context
            .upgrade()
            .as_ref()
            .and_then(|context| context.existing_hub())
        {
            hub.report_ended_session(instance.to_owned());
        }
    });
}

impl SettingsEntry {
    /// Writes the entry. If that fails, the server still serves clients that know its address.
    fn write(self, port: u16, token: Token, window: Option<String>) -> anyhow::Result<()> {
        let mut args = vec!["mcp".to_owned(), "--dialect".to_owned()];
        args.push(self.dialects.join(","));
        if let Some(name) = self.tool_name {
            args.extend(["--tool-name".to_owned(), name]);
        }
        args.extend(["--port".to_owned(), port.to_string()]);
        let mut env = Vec::new();
        match token {
            // A token from the command line stays there, because in the environment it would permit
            // answering.
            Token::CommandLine(token) => args.extend(["--token".to_owned(), token]),
            Token::File { file, .. } => {
                args.extend(["--token-file".to_owned(), file.display().to_string()]);
            }
            Token::Variable(token) => env.push((TOKEN.to_owned(), token)),
        }
        env.extend(window.map(|window| (asker::INSTANCE.to_owned(), window)));
        let running = Running {
            name: self.name,
            args,
            env,
        };
        let here = RegistrationEnv::find().map_err(|error| format!("{error:#}"));
        let result = here.and_then(|here| {
            let (root, path) = checkout::root_here(&here.path(&self.file))
                .map_err(|error| format!("{}: {error}", self.file))?;
            running.enter(&here, &root, &path).map(|()| path)
        });
        let mut out = std::io::stderr();
        match result {
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

/// Serves only the standard streams because the port is taken, for example by the server of another
/// agent with the same settings.
async fn serve_stdio_only(
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
    let is_client = server::serve_stdio(shared, offer).await?;
    shared.close().await;
    if is_client {
        Ok(())
    } else {
        Err(failure.into())
    }
}

/// A guard that admits requests with this token.
pub fn guard(token: String, file: &Path, config: &Http) -> Guard {
    // Only the file's name is reported, because a client without the token must not learn the paths
    // of the person's files.
    let name = file.file_name().unwrap_or_default().display();
    Guard {
        token: Some(token),
        token_hint: format!(
            "It is in the file `{name}`: `ask-user hub --status` says where that is"
        ),
        most_bytes: config.most_bytes(),
        ..Guard::default()
    }
}

/// All other paths: the health check, which needs no token, and a 404.
fn other_paths(guard: &Guard) -> Router {
    let guard = Arc::new(guard.clone());
    let not_found = move |request: axum::extract::Request| {
        let guard = Arc::clone(&guard);
        async move {
            match check_request(&guard, request.uri(), request.headers()) {
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
        .fallback(not_found)
}

fn mcp_route(
    path: &str,
    shared: &Arc<Shared>,
    offer: &Arc<Offer>,
    guard: &Guard,
    window: Option<String>,
) -> Router {
    let (shared, offer) = (Arc::clone(shared), Arc::clone(offer));
    let make = move || {
        let (shared, offer) = (Arc::clone(&shared), Arc::clone(&offer));
        let transport = ClientTransport::Http(window.clone());
        let conversation = Conversation::new(shared, offer, transport);
        Ok(Server::new(Arc::new(conversation)))
    };
    endpoint(path, make, guard)
}
