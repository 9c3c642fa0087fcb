//! The hub's HTTP server: MCP for agents, the API and the page for people, the bridge for apps. For each
//! of them, the hub's process is a client of its own hub.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ask_config::config::Http;
use ask_config::home::Home;
use ask_hub::context::Context;
use ask_hub::http::Guard;
use ask_hub::http::loopback::Loopback;
use ask_hub::hub::{ConnectionId, Hub};
use ask_hub::in_process::{self, ServerEnd};
use ask_hub::note_writer::{NoteOrder, NoteWriter};
use ask_hub::server::HttpSide;
use ask_mcp::{Shared, http_server};
use ask_protocol::ipc::HttpAddress;
use ask_web::embed::Filter;
use ask_web::{StoredState, Web, app_card, bridge};
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// The connection numbers of the hub's own clients start here. Others start at 1.
const FIRST_OWN_CONNECTION: u64 = 1 << 62;

/// The hub's HTTP server. Its port is bound; `serve` accepts connections.
pub(crate) struct DaemonHttp {
    listener: Loopback,
    config: Http,
    guard: Guard,
    /// Checks requests that answer asks, which need another token.
    answer_guard: Guard,
    /// The port and its token.
    address: HttpAddress,
    /// The stored state of the page and of devices.
    stored: StoredState,
    /// Writes notes, and receives the orders for the store.
    notes: (NoteWriter, UnboundedReceiver<NoteOrder>),
}

/// Binds the wanted port. If it is taken, or any will do, tries the port that signed-in browsers know,
/// and then any other.
async fn listen(
    home: &Home,
    wanted: u16,
    notes: &BTreeMap<String, String>,
) -> std::io::Result<Loopback> {
    let wanted = Some(wanted).filter(|port| *port != 0);
    let known = ask_web::known_port(notes, &home.sessions_file());
    for port in wanted.into_iter().chain(known) {
        match Loopback::bind(port).await {
            Ok(bound) => return Ok(bound),
            Err(error) => tracing::warn!("port {port} can't be bound ({error}): using another"),
        }
    }
    Loopback::bind(0).await
}

impl HttpSide for DaemonHttp {
    /// Binds the port if the settings enable HTTP. After an error, the hub runs without HTTP.
    async fn open(home: &Home, config: Http, notes: &BTreeMap<String, String>) -> Option<Self> {
        if !config.enabled {
            return None;
        }
        let wanted = config.port;
        let opened = async {
            let token = home.token()?;
            let listener = listen(home, wanted, notes).await?;
            let port = listener.port();
            let guard = http_server::guard(token.clone(), &home.token_file(), &config);
            let answer_guard = home.answer_token()?;
            let answer_guard = http_server::guard(answer_guard, &home.answer_token_file(), &config);
            let address = HttpAddress { port, token };
            let (writer, orders) = NoteWriter::channel();
            let stored = StoredState::read(notes, home, &writer, port);
            anyhow::Ok(Self {
                listener,
                config,
                guard,
                answer_guard,
                address,
                stored,
                notes: (writer, orders),
            })
        };
        match opened.await {
            Ok(http) => Some(http),
            Err(error) => {
                tracing::error!("HTTP is not served: {error:#}");
                None
            }
        }
    }

    fn address(&self) -> HttpAddress {
        self.address.clone()
    }

    /// Serves HTTP until the hub ends.
    async fn serve(mut self, home: Home, hub: Rc<Hub>) {
        self.guard.sessions = Arc::clone(&hub.shared.sessions);
        let (writer, mut orders) = self.notes;
        self.guard.sessions.set_writer(writer.clone());
        // This is a task, because the code below waits for the store.
        let storing = Rc::clone(&hub);
        tokio::task::spawn_local(async move {
            while let Some(order) = orders.recv().await {
                storing.store_notes(order);
            }
        });
        if home.sessions_file().exists() || home.pairing_file().exists() {
            // These files are of an earlier version. Their content must be stored before anything uses it.
            writer.flush().await;
        }
        let (connect, mut connections) = mpsc::unbounded_channel::<ServerEnd>();
        let context = Arc::new(Context::in_process(home, connect));
        let shared = Arc::new(Shared::with_context(Arc::clone(&context), app_card::html));
        let accounts = self.config.accounts.clone();
        let web = Web::new(
            self.stored,
            Arc::clone(&context),
            Arc::clone(&hub.shared),
            self.config,
            (&self.guard, &self.answer_guard),
        );
        let mut pairing = web.start_pairing().await;
        let rest = ask_web::router(&web).merge(bridge::router(
            &context,
            &self.answer_guard,
            Filter::default(),
        ));
        let (used, mut uses) = mpsc::channel::<()>(1);
        let router = http_server::hub_endpoints(&shared, &self.guard, rest, used);
        tokio::task::spawn_local(self.listener.serve(router, accounts));
        let mut next = FIRST_OWN_CONNECTION;
        loop {
            tokio::select! {
                Some(server_end) = connections.recv() => {
                    let connection = ConnectionId(next);
                    tokio::task::spawn_local(in_process::serve(Rc::clone(&hub), connection, server_end));
                    next += 1;
                }
                Some(()) = uses.recv() => hub.mark_used(),
                Ok(()) = pairing.changed() => hub.notify_pairing_changed(),
                else => return,
            }
        }
    }
}
