//! The hub's HTTP server: MCP for agents, the API and the page for people, the bridge for apps. For each
//! of them, the hub's process is a client of its own hub.

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
use ask_hub::shared_state::DevicePairing;
use ask_mcp::context::Shared;
use ask_mcp::http_server;
use ask_protocol::ipc::HttpAddress;
use ask_web::Web;
use ask_web::events::EventStreams;
use ask_web::idempotency::TakeUps;
use ask_web::pairing::PairingService;
use ask_web::pairing::device_store::PairingStore;
use ask_web::project_folders::ProjectFolders;
use ask_web::proof::Proofs;
use ask_web::sessions::{self, Sessions};
use ask_web::stored::Notes;
use ask_web::{app_card, bridge};
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// The connection numbers of the hub's own clients start here. Others start at 1.
const FIRST_OWN_CONNECTION: u64 = 1 << 62;

/// The hub's HTTP server. Its port is bound; `serve` accepts connections.
pub struct DaemonHttp {
    listener: Loopback,
    config: Http,
    guard: Guard,
    /// Checks requests that answer asks, which need another token.
    answer_guard: Guard,
    /// The port and its token.
    address: HttpAddress,
    /// The stored state of the page and of devices.
    stored: (Sessions, PairingStore),
    /// Writes notes, and receives the orders for the store.
    notes: (NoteWriter, UnboundedReceiver<NoteOrder>),
}

/// Binds the wanted port, or another if it is taken. For port 0, tries the port that signed-in
/// browsers know.
async fn listen(home: &Home, wanted: u16, notes: &Notes) -> std::io::Result<Loopback> {
    let first = match wanted {
        0 => sessions::known_port(notes, &home.sessions_file()).unwrap_or(0),
        wanted => wanted,
    };
    match Loopback::bind(first).await {
        Err(error) if first != 0 => {
            tracing::warn!("port {first} can't be bound ({error}): using another");
            Loopback::bind(0).await
        }
        bound => bound,
    }
}

impl HttpSide for DaemonHttp {
    /// Binds the port if the settings enable HTTP. After an error, the hub runs without HTTP.
    async fn open(home: &Home, config: Http, notes: &Notes) -> Option<Self> {
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
            let sessions = Sessions::new(notes, &home.sessions_file(), writer.clone(), port);
            let pairing = PairingStore::new(notes, &home.pairing_file(), writer.clone());
            anyhow::Ok(Self {
                listener,
                config,
                guard,
                answer_guard,
                address,
                stored: (sessions, pairing),
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
        let streams = Arc::new(EventStreams::default());
        let pairing_service = Arc::new(PairingService::new(
            self.stored,
            Arc::clone(&streams),
            self.config.clone(),
            self.address.port,
            &home,
        ));
        let context = Arc::new(Context::in_process(home, connect));
        let shared = Arc::new(Shared::with_context(Arc::clone(&context), app_card::html));
        let accounts = self.config.accounts.clone();
        let web = Web {
            config: self.config,
            hub_state: Arc::clone(&hub.shared),
            pairing_service: Arc::clone(&pairing_service),
            tokens: self
                .guard
                .token
                .clone()
                .zip(self.answer_guard.token.clone()),
            token_hints: (
                self.guard.token_hint.clone(),
                self.answer_guard.token_hint.clone(),
            ),
            streams,
            project_folders: ProjectFolders::default(),
            take_ups: TakeUps::default(),
            proofs: Proofs::default(),
            shared: Arc::clone(&context),
        };
        let web = Arc::new(web);
        pairing_service.start(&web).await;
        // The hub has one HTTP side, so the cell is empty.
        let _ = hub
            .shared
            .pairing_service
            .set(Arc::clone(&pairing_service) as Arc<dyn DevicePairing>);
        let mut pairing = pairing_service.watch();
        tokio::task::spawn_local(async move { pairing_service.run_timers().await });
        let rest = ask_web::router(&web).merge(bridge::router(&context, &self.answer_guard, None));
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
