//! The pairing service: where devices connect and until when, invitations, and the person's
//! decisions. Commands, the page and the hub all use this one service.

pub(crate) mod address;
mod advertised_host;
pub(crate) mod api;
mod connection;
pub mod device_name;
pub(crate) mod device_store;
pub mod invitation;
mod join_requests;
mod lifecycle;
pub(crate) mod listener;
mod open_listener;
pub mod qr;
mod retry;

use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use ask_config::clock;
use ask_config::config::Files;
use ask_config::config::Http;
use ask_config::home::Home;
use ask_core::Time;
use ask_core::devices::{Device, Pairing, PairingCommand, Permission};
use ask_hub::http::limits::Limits;
use ask_hub::shared_state::{DevicePairing, PairingError};
use ask_protocol::ipc::ErrorKind;
use tokio::sync::watch;

use self::device_store::PairingStore;
use self::invitation::{Credential, Invitation, Redemption};
use self::join_requests::{AddedRequest, JoinRequests, NewRequest, RequestStatus};
use self::open_listener::OpenPairing;
use self::retry::Retry;
use super::events::EventStreams;
use super::proof::KeyId;
use super::sessions::{DeviceAccess, Session, SessionId, Sessions, Transport};
use super::{StoredState, Web};

/// How many attempts with an invitation one address has in a minute.
const ATTEMPTS_PER_MINUTE: u64 = 10;

/// How many devices may wait for a decision at a time.
const MAX_WAITING: usize = 8;

/// The longest sleep of the timer.
const MAX_SLEEP_MS: u64 = 24 * 60 * 60 * 1_000;

/// The longest sleep of the timer while pairing is on. Timers don't run while a machine is suspended,
/// so an end that passed meanwhile is noticed soon after.
const MAX_SLEEP_ON_MS: u64 = 60 * 1_000;

/// How many characters of a session's id identify a device to people.
const SHORT_ID_CHARS: usize = 12;

/// The state of pairing.
pub(crate) struct PairingService {
    /// The sessions of browsers and devices.
    pub sessions: Arc<Sessions>,
    /// The open event streams.
    pub streams: Arc<EventStreams>,
    config: Http,
    /// The hub's port on the loopback address.
    port: u16,
    /// The stored state of pairing.
    store: PairingStore,
    /// The folder where tests simulate that an address is missing.
    state_folder: PathBuf,
    state: Mutex<PairingState>,
    /// Serializes turning on and off.
    turn: tokio::sync::Mutex<()>,
    changed: watch::Sender<u64>,
    attempts: Limits,
    web: OnceLock<Weak<Web>>,
}

#[derive(Default)]
struct PairingState {
    open: Option<OpenPairing>,
    /// Pairing that waits for its address or certificate. No port is open meanwhile.
    retry: Option<Retry>,
    /// The certificate from the command line. It stays until the person turns pairing off, even after
    /// pairing has ended at its time.
    given_certificate: Option<Files>,
    invitation: Option<Invitation>,
    requests: JoinRequests,
}

impl PairingState {
    /// When pairing ends by itself; `None` if it doesn't.
    fn until(&self) -> Option<Time> {
        match (&self.open, &self.retry) {
            (Some(open), _) => open.until,
            (None, Some(retry)) => retry.saved.until,
            (None, None) => None,
        }
    }
}

impl DevicePairing for PairingService {
    fn needs_hub(&self) -> bool {
        self.is_on() || self.sessions.has_browser()
    }

    fn run_command(
        &self,
        command: PairingCommand,
    ) -> Pin<Box<dyn Future<Output = Result<Pairing, PairingError>> + '_>> {
        Box::pin(self.run(command))
    }

    fn notify_changed(&self) {
        self.notify_watchers();
    }
}

/// The part of a session's id that people see.
pub(crate) fn shortened(session: &SessionId) -> String {
    session.chars().take(SHORT_ID_CHARS).collect()
}

/// Why a device's request is refused before the person is asked.
pub(crate) enum AdmissionError {
    /// Its invitation or code is invalid.
    Invalid(Redemption),
    /// There were too many attempts. The number is the seconds until the next one.
    TooMany(u64),
}

impl PairingService {
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// A service with pairing off.
    pub(crate) fn new(
        stored: StoredState,
        streams: Arc<EventStreams>,
        config: Http,
        home: &Home,
    ) -> Self {
        Self {
            sessions: Arc::new(stored.sessions),
            streams,
            config,
            port: stored.port,
            store: stored.pairing,
            state_folder: home.state().to_owned(),
            state: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            changed: watch::Sender::new(0),
            attempts: Limits::new(ATTEMPTS_PER_MINUTE),
            web: OnceLock::new(),
        }
    }

    /// Starts the service. If pairing was on when the previous hub ended, it is turned on again.
    pub(crate) async fn start(&self, web: &Arc<Web>) {
        // Called once for each hub, so the cell is empty.
        let _ = self.web.set(Arc::downgrade(web));
        self.resume().await;
    }

    /// Ends sessions, invitations, requests and pairing when their time has passed, until the service
    /// is dropped.
    pub(crate) async fn run_timers(&self) {
        let mut changed = self.changed.subscribe();
        loop {
            let now = clock::now();
            self.expire_due(now).await;
            let next = self.next_expiry().map(|at| at.since_ms(now));
            let longest = if self.is_on() {
                MAX_SLEEP_ON_MS
            } else {
                MAX_SLEEP_MS
            };
            let sleep = Duration::from_millis(next.unwrap_or(longest).min(longest));
            if let Ok(Err(_)) = tokio::time::timeout(sleep, changed.changed()).await {
                return;
            }
        }
    }

    async fn expire_due(&self, now: Time) {
        for session in self.sessions.remove_expired(now) {
            self.streams.end(&session);
        }
        let is_ended = {
            let mut state = self.lock_state();
            let is_past = |until: Option<Time>| until.is_some_and(|until| until <= now);
            let mut is_changed = state.requests.remove_expired(now);
            if is_past(state.invitation.as_ref().map(|one| one.until)) {
                state.invitation = None;
                is_changed = true;
            }
            if is_changed {
                self.notify_watchers();
            }
            is_past(state.until())
        };
        if is_ended {
            self.end_at_its_time().await;
        }
        self.retry_if_due(now).await;
    }

    fn next_expiry(&self) -> Option<Time> {
        let state = self.lock_state();
        let times = [
            state.until(),
            state.retry.as_ref().map(|retry| retry.next),
            state.invitation.as_ref().map(|one| one.until),
            state.requests.next_expiry(),
            self.sessions.next_expiry(),
        ];
        times.into_iter().flatten().min()
    }

    /// A receiver that is notified of changes.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Notifies every receiver of [`Self::watch`].
    pub(crate) fn notify_watchers(&self) {
        self.changed
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Notifies every receiver of a change once it is stored, because a crash could undo it before. If
    /// the returned future is dropped, they are notified at once.
    pub(crate) async fn notify_watchers_after<T>(&self, stored: impl Future<Output = T>) -> T {
        struct NotifyOnDrop<'a>(&'a PairingService);
        impl Drop for NotifyOnDrop<'_> {
            fn drop(&mut self) {
                self.0.notify_watchers();
            }
        }
        let _notify = NotifyOnDrop(self);
        stored.await
    }

    fn lock_state(&self) -> MutexGuard<'_, PairingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether pairing is on.
    pub(crate) fn is_on(&self) -> bool {
        let state = self.lock_state();
        let is_ended = state.until().is_some_and(|until| until <= clock::now());
        (state.open.is_some() || state.retry.is_some()) && !is_ended
    }

    /// Runs a command and returns the resulting state.
    pub(crate) async fn run(&self, command: PairingCommand) -> Result<Pairing, PairingError> {
        match command {
            PairingCommand::Look => {}
            PairingCommand::On(on) => self.turn_on(on).await?,
            PairingCommand::Off => self.turn_off().await,
            PairingCommand::Decide {
                request,
                allow,
                may,
            } => self.decide(&request, allow, may)?,
            PairingCommand::Revoke { device } => self.revoke(&device).await?,
            PairingCommand::RevokeAll => self.revoke_all().await,
        }
        Ok(self.snapshot())
    }

    /// The current state, as the person's own surfaces show it.
    pub(crate) fn snapshot(&self) -> Pairing {
        let now = clock::now();
        let state = self.lock_state();
        let mut pairing = Pairing {
            addresses: address::local_addresses()
                .iter()
                .map(address::Address::describe)
                .collect(),
            requests: state.requests.describe_waiting(now),
            devices: self.devices(now, state.open.as_ref()),
            browsers: self.browsers(now),
            signed_out: self.signed_out(),
            encrypted: state.given_certificate.is_some() || self.config.means_encryption(),
            ..Pairing::default()
        };
        if let Some(open) = &state.open {
            pairing.on = true;
            pairing.until = open.until;
            pairing.url = Some(open.base.clone());
            pairing.encrypted = open.is_encrypted;
            pairing.remark = self
                .missing_address_remark(open)
                .or_else(|| open.remark(now));
            let invitation = state.invitation.as_ref();
            let valid = invitation.filter(|invitation| invitation.until > now);
            pairing.invitation = valid.map(|invitation| invitation.describe(&open.base));
        } else if let Some(retry) = &state.retry {
            retry.apply_to(&mut pairing);
        }
        pairing
    }

    fn devices(&self, now: Time, open: Option<&OpenPairing>) -> Vec<Device> {
        let all = self.sessions.devices(now).into_iter();
        all.map(|(session, access)| self.device(session, access, open))
            .collect()
    }

    fn device(&self, session: Session, access: DeviceAccess, open: Option<&OpenPairing>) -> Device {
        let is_tunnel = access.transport == Transport::Tunnel && self.config.public_url.is_some();
        let stranded =
            open.is_some_and(|open| !is_tunnel && open.transport() != Some(access.transport));
        Device {
            stranded,
            ..self.describe_session(session, access.may)
        }
    }

    /// The signed-in browsers of this machine.
    fn browsers(&self, now: Time) -> Vec<Device> {
        let all = self.sessions.browsers(now).into_iter();
        all.map(|session| self.describe_session(session, Permission::Answer))
            .collect()
    }

    fn describe_session(&self, session: Session, may: Permission) -> Device {
        Device {
            stranded: false,
            here: !self.streams.clients_of(&session.id).is_empty(),
            id: shortened(&session.id),
            name: session.name,
            may,
            since: session.since,
            last_seen: session.last_seen,
            until: session.until,
        }
    }

    /// Why browsers of this machine were signed out at the start of this hub, if they were.
    fn signed_out(&self) -> Option<String> {
        let (previous, port) = (self.sessions.previous_port()?, self.port);
        Some(format!(
            "the page is at port {port} and was at port {previous}, so browsers of this machine were signed out: a program that has the old port now may have received their cookies. `ask-user web` signs a browser in"
        ))
    }

    fn decide(
        &self,
        request: &str,
        allow: bool,
        may: Option<Permission>,
    ) -> Result<(), PairingError> {
        let decided = self
            .lock_state()
            .requests
            .decide(request, allow, may, clock::now());
        if !decided {
            let message = "This request was already decided or has expired.";
            return Err((ErrorKind::NotFound, message.to_owned()));
        }
        self.notify_watchers();
        Ok(())
    }

    async fn revoke(&self, device: &str) -> Result<(), PairingError> {
        let all = self.all_sessions();
        let has_id = |session: &&Session| session.id.get(..SHORT_ID_CHARS) == Some(device);
        let found = all.iter().find(has_id);
        let found = found.or_else(|| all.iter().find(|session| session.name == device));
        let Some(session) = found else {
            let message = format!(
                "no device or browser has the id or name \"{device}\": see `ask-user pair --devices` and `ask-user web --sessions`"
            );
            return Err((ErrorKind::NotFound, message));
        };
        self.sign_out(&session.id).await;
        tracing::info!("ended a session");
        Ok(())
    }

    async fn revoke_all(&self) {
        let all = self.all_sessions();
        // All are ended before the first is awaited.
        let ending: Vec<_> = all.iter().map(|one| self.sign_out(&one.id)).collect();
        for ended in ending {
            ended.await;
        }
        tracing::info!("ended all sessions");
    }

    /// All sessions: devices first, then browsers of this machine.
    fn all_sessions(&self) -> Vec<Session> {
        let now = clock::now();
        let devices = self.sessions.devices(now).into_iter();
        let devices = devices.map(|(session, _)| session);
        devices.chain(self.sessions.browsers(now)).collect()
    }

    /// Ends a session that a new one of the same browser replaces, and its event streams.
    pub(crate) fn end_replaced(&self, session: &SessionId) {
        self.sessions.remove(session);
        self.streams.end(session);
        self.notify_watchers();
    }

    /// Ends a session and its event streams at once. The future is that of [`Sessions::end`].
    pub(crate) fn sign_out(
        &self,
        session: &SessionId,
    ) -> impl Future<Output = ()> + Send + use<'_> {
        let ended = self.sessions.end(session);
        self.streams.end(session);
        self.notify_watchers_after(ended)
    }

    /// Handles a device's attempt with an invitation. If it is valid, the device's request waits for
    /// the person's decision.
    ///
    /// # Errors
    /// The invitation is invalid, or there are too many attempts or waiting requests.
    pub(crate) fn request_admission(
        &self,
        credential: &Credential,
        name: &str,
        (address, transport): (IpAddr, Transport),
    ) -> Result<AddedRequest, AdmissionError> {
        let now = clock::now();
        let counted = self.attempts.count(&address.to_string(), now);
        counted.map_err(AdmissionError::TooMany)?;
        let mut state = self.lock_state();
        let Some(invitation) = &mut state.invitation else {
            return Err(AdmissionError::Invalid(Redemption::Invalid));
        };
        let may = invitation.may;
        let redemption = invitation.redeem(credential, now);
        match redemption {
            Redemption::Invalid | Redemption::WrongCode(_) => {
                return Err(AdmissionError::Invalid(redemption));
            }
            Redemption::CodeEnded { .. } => {
                drop(state);
                self.notify_watchers();
                return Err(AdmissionError::Invalid(redemption));
            }
            Redemption::Valid => {}
        }
        if state.requests.describe_waiting(now).len() >= MAX_WAITING {
            return Err(AdmissionError::TooMany(60));
        }
        state.invitation = None;
        let request = NewRequest {
            name,
            address,
            transport,
            may,
            until: state.until(),
        };
        let added = state.requests.add(&request, now);
        drop(state);
        self.notify_watchers();
        Ok(added)
    }

    /// The status of a device's request. The device identifies itself by the request's secret.
    pub(crate) fn request_status(&self, secret: &str, transport: Transport) -> RequestStatus {
        self.lock_state()
            .requests
            .status(secret, transport, clock::now())
    }

    /// Admits a device, and returns its cookie.
    pub(crate) async fn admit(
        &self,
        name: &str,
        access: DeviceAccess,
        key: Option<KeyId>,
    ) -> String {
        let cookie = self.sessions.admit(name, access, key, clock::now());
        tracing::info!("admitted a device");
        self.notify_watchers_after(cookie).await
    }
}
