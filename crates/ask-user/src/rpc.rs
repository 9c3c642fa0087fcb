//! The JSON lines protocol with a host that embeds this program. Requests to ask are served in
//! `asker`, asks that the host shows in `ask_web::embed`. The lines are `ask_protocol::jsonl`,
//! documented in `docs/reference/protocol.md`.

mod asker;

use std::sync::Arc;

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::Asker;
use ask_dialects::Dialect;
use ask_hub::client::Client;
use ask_protocol::jsonl::{self, HostMessage, Kind, ProtocolError};
use ask_web::embed::stream::Out;
use ask_web::embed::{self, DRAIN_TIMEOUT, Filter, Host};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OnceCell, mpsc};
use tokio::task::JoinHandle;

/// The configuration of a host.
pub(crate) struct HostConfig {
    /// The dialect of its calls and their replies.
    pub dialect: &'static dyn Dialect,
    /// The asker, until the host introduces itself.
    pub asker: Asker,
    /// The filter of the asks that it shows, if it is a surface.
    pub surface: Option<Filter>,
}

/// Serves one host until it disconnects.
pub(crate) async fn run(home: &Home, config: HostConfig) -> anyhow::Result<Exit> {
    // Ctrl+C in a terminal signals the whole process group. The host decides when this process
    // ends, so the signal is caught and ignored.
    let _ignored = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (out, mut gone) = Out::stdout();
    let mut lines = embed::read_stdin();
    let version = env!("CARGO_PKG_VERSION");
    let name = config.dialect.name();
    out.write(jsonl::hello(version, name, config.surface.is_some()))
        .await;
    let hub = Arc::new(HubConnection::new(home));
    let mut roles = Roles::start(&hub, &out, config);
    loop {
        let line = tokio::select! {
            line = lines.next() => line.ok().flatten(),
            _ = &mut gone => None,
            _ = terminate.recv() => None,
            failed = roles.surface_error() => {
                let error = ProtocolError {
                    request: None,
                    kind: Kind::Hub,
                    problem: format!("no ask can be shown any more: {failed:#}"),
                    hint: Some("start `ask-user rpc --surface` again; nothing is lost".to_owned()),
                };
                out.write(jsonl::mistake(&error)).await;
                return Err(failed);
            }
        };
        let Some(line) = line else { break };
        match jsonl::read(&line.bytes, line.length) {
            Ok(None) => {}
            Ok(Some(message)) => roles.dispatch(message, &out).await,
            Err(error) => drop(out.write(jsonl::mistake(&error)).await),
        }
    }
    // At the time limit the process ends anyway, and outcomes are delivered again.
    let _ = tokio::time::timeout(DRAIN_TIMEOUT, roles.shut_down()).await;
    Ok(Exit::Done)
}

/// The shared connection to the hub, made on first use.
pub(crate) struct HubConnection {
    home: Home,
    client: OnceCell<Client>,
}

impl HubConnection {
    fn new(home: &Home) -> Self {
        Self {
            home: home.clone(),
            client: OnceCell::new(),
        }
    }

    /// The connection, which the first call makes.
    pub(crate) async fn client(&self) -> anyhow::Result<&Client> {
        let connect = || Client::connect(&self.home);
        self.client.get_or_try_init(connect).await
    }
}

type Running = JoinHandle<anyhow::Result<()>>;

/// The roles of a host: asking, and showing.
struct Roles {
    asker: (mpsc::UnboundedSender<HostMessage>, Running),
    surface: Option<(mpsc::UnboundedSender<HostMessage>, Running)>,
}

impl Roles {
    fn start(hub: &Arc<HubConnection>, out: &Out, config: HostConfig) -> Self {
        let (to_asker, messages) = mpsc::unbounded_channel();
        let asker = asker::run(
            Arc::clone(hub),
            out.clone(),
            config.dialect,
            config.asker,
            messages,
        );
        let surface = config.surface.map(|filter| {
            let (to_surface, messages) = mpsc::unbounded_channel();
            let (hub, out) = (Arc::clone(hub), out.clone());
            let serving = async move {
                let client = hub.client().await?.clone();
                embed::run(client, Host::for_lines(out, filter), messages).await
            };
            (to_surface, tokio::spawn(serving))
        });
        Self {
            asker: (to_asker, tokio::spawn(asker)),
            surface,
        }
    }

    async fn dispatch(&self, message: HostMessage, out: &Out) {
        let to = match (&message, &self.surface) {
            (
                HostMessage::Hello(_)
                | HostMessage::Ask { .. }
                | HostMessage::Withdraw { .. }
                | HostMessage::Leave { .. }
                | HostMessage::Fetch { .. },
                _,
            ) => &self.asker.0,
            (
                HostMessage::Respond { .. } | HostMessage::Draft { .. } | HostMessage::Shown { .. },
                Some(surface),
            ) => &surface.0,
            (
                HostMessage::Respond { request, .. }
                | HostMessage::Draft { request, .. }
                | HostMessage::Shown { request },
                None,
            ) => {
                let problem = "this stream shows no asks, so there is nothing to answer";
                let error = ProtocolError::for_request(request, Kind::Unknown, problem)
                    .mend("start `ask-user rpc --surface`, or answer with `ask-user answer`");
                out.write(jsonl::mistake(&error)).await;
                return;
            }
        };
        // A failed receiver is reported by `surface_error`, which ends the process.
        let _ = to.send(message);
    }

    /// Resolves with the surface's error. The process then ends, so that the host doesn't show an
    /// empty list as if nothing waited.
    async fn surface_error(&mut self) -> anyhow::Error {
        match &mut self.surface {
            None => std::future::pending().await,
            Some((_, running)) => match running.await {
                Ok(Ok(())) => anyhow::anyhow!("the surface has ended"),
                Ok(Err(error)) => error,
                Err(error) => error.into(),
            },
        }
    }

    /// Ends both roles, after they have finished what they began.
    async fn shut_down(self) {
        let (to_asker, asker) = self.asker;
        drop(to_asker);
        if let Some((to_surface, surface)) = self.surface {
            drop(to_surface);
            // The process is ending, and errors were reported by `surface_error`.
            let _ = surface.await;
        }
        // The process is ending; the asks stay open.
        let _ = asker.await;
    }
}
