//! The pairing service: the address of devices and its end, invitations, and the person's
//! decisions. Commands, the page and the hub all use this one service.

pub(crate) mod address;
mod advertised_host;
pub(crate) mod api;
mod connection;
pub mod device_name;
pub mod device_store;
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
use self::invitation::{Invitation, Shown, Tried};
use self::join_requests::{Asks, Made, RequestStatus, Requests};
use self::open_listener::Open;
use self::retry::Away;
use super::Web;
use super::events::Streams;
use super::proof::KeyId;
use super::sessions::{DeviceAccess, Session, SessionId, Sessions, Through};

/// How many attempts one address has in a minute.
const TRIES: u64 = 10;

/// How many devices may wait for a decision at a time.
const MOST_REQUESTS: usize = 8;

/// The longest single wait.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1_000;

/// The longest single wait while pairing is on. Timers don't run while a machine sleeps, so an end
/// that passed meanwhile is noticed soon after.
const LONGEST_OPEN_MS: u64 = 60 * 1_000;

/// How many characters of a session's id name a device.
const ID: usize = 12;

/// The state of pairing.
pub struct PairingService {
    /// The sessions of browsers and devices.
    pub sessions: Arc<Sessions>,
    /// The open event streams.
    pub streams: Arc<Streams>,
    /// The HTTP settings.
    config: Http,
    /// The loopback port.
    own_port: u16,
    /// Stores whether pairing is on.
    store: PairingStore,
    /// The folder where tests simulate that an address is gone.
    state_folder: PathBuf,
    state: Mutex<PairingState>,
    /// Serializes turning on and off.
    turn: tokio::sync::Mutex<()>,
    changed: watch::Sender<u64>,
    tries: Limits,
    web: OnceLock<Weak<Web>>,
}

#[derive(Default)]
struct PairingState {
    open: Option<Open>,
    /// Pairing that waits for its address or certificate. Then no port is open.
    away: Option<Away>,
    /// The certificate from the command line. It is kept until pairing is turned off, even after
    /// its time ended.
    named: Option<Files>,
    invitation: Option<Invitation>,
    requests: Requests,
}

impl PairingState {
    /// When pairing ends by itself; `None` if it doesn't.
    fn until(&self) -> Option<Time> {
        match (&self.open, &self.away) {
            (Some(open), _) => open.until,
            (None, Some(away)) => away.kept.until,
            (None, None) => None,
        }
    }
}

impl DevicePairing for PairingService {
    fn needs_hub(&self) -> bool {
        self.is_on() || self.sessions.any_browser()
    }

    fn run_command(
        &self,
        command: PairingCommand,
    ) -> Pin<Box<dyn Future<Output = Result<Pairing, PairingError>> + '_>> {
        Box::pin(self.does(command))
    }

    fn notify_changed(&self) {
        self.rings();
    }
}

/// The part of a session's id that people see.
pub(crate) fn shortened(session: &SessionId) -> String {
    session.chars().take(ID).collect()
}

/// Why a device's request is refused before the person is asked.
pub enum PairingUnavailable {
    /// Its invitation is invalid.
    Wrong(Tried),
    /// Too many attempts; the number is the seconds until the next one.
    TooOften(u64),
}

impl PairingService {
    /// The loopback port.
    pub(crate) fn own_port(&self) -> u16 {
        self.own_port
    }

    /// A service with pairing off.
    pub fn new(
        (sessions, store): (Sessions, PairingStore),
        streams: Arc<Streams>,
        config: Http,
        own_port: u16,
        home: &Home,
    ) -> Self {
        Self {
            sessions: Arc::new(sessions),
            streams,
            config,
            own_port,
            store,
            state_folder: home.state().to_owned(),
            state: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            changed: watch::Sender::new(0),
            tries: Limits::new(TRIES),
            web: OnceLock::new(),
        }
    }

    /// Starts the service. If pairing was on when the previous hub ended, it is turned on again.
    pub async fn begin(&self, web: &Arc<Web>) {
        // Called once for each hub, so the cell is empty.
        let _ = self.web.set(Arc::downgrade(web));
        self.resume().await;
    }

    /// Ends sessions, invitations, requests and pairing at their time.
    pub async fn keep_time(&self) {
        let mut changed = self.changed.subscribe();
        loop {
            let now = clock::now();
            self.sweep(now).await;
            let next = self.next_end().map(|at| at.since_ms(now));
            let longest = match self.is_on() {
                true => LONGEST_OPEN_MS,
                false => LONGEST_MS,
            };
            let pause = Duration::from_millis(next.unwrap_or(longest).min(longest));
            if let Ok(Err(_)) = tokio::time::timeout(pause, changed.changed()).await {
                return;
            }
        }
    }

    async fn sweep(&self, now: Time) {
        for session in self.sessions.sweep(now) {
            self.streams.end(&session);
        }
        let is_over = {
            let mut state = self.state();
            let is_over = |until: Option<Time>| until.is_some_and(|until| until <= now);
            let mut news = state.requests.sweep(now);
            if is_over(state.invitation.as_ref().map(|one| one.until)) {
                state.invitation = None;
                news = true;
            }
            if news {
                self.rings();
            }
            is_over(state.until())
        };
        if is_over {
            self.expire().await;
        }
        self.try_again(now).await;
    }

    fn next_end(&self) -> Option<Time> {
        let state = self.state();
        let ends = [
            state.until(),
            state.away.as_ref().map(|away| away.next),
            state.invitation.as_ref().map(|one| one.until),
            state.requests.next_end(),
            self.sessions.next_end(),
        ];
        ends.into_iter().flatten().min()
    }

    /// A receiver that is notified of changes.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Notifies every receiver.
    pub fn rings(&self) {
        self.changed
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Notifies every receiver of a change once it is stored: a crash could undo it before. If whoever waits for it is gone, they are notified at once.
    pub(crate) async fn rings_after<T>(&self, stored: impl Future<Output = T>) -> T {
        struct Rings<'a>(&'a PairingService);
        impl Drop for Rings<'_> {
            fn drop(&mut self) {
                self.0.rings();
            }
        }
        let _rings = Rings(self);
        stored.await
    }

    fn state(&self) -> MutexGuard<'_, PairingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether pairing is on.
    pub fn is_on(&self) -> bool {
        let state = self.state();
        let is_over = state.until().is_some_and(|until| until <= clock::now());
        (state.open.is_some() || state.away.is_some()) && !is_over
    }

    /// Runs a command and returns the resulting state.
    pub async fn does(&self, wish: PairingCommand) -> Result<Pairing, PairingError> {
        match wish {
            PairingCommand::Look => {}
            PairingCommand::On(on) => self.start(on).await?,
            PairingCommand::Off => self.stop().await,
            PairingCommand::Decide {
                request,
                allow,
                may,
            } => self.decide(&request, allow, may)?,
            PairingCommand::Revoke { device } => self.revoke(&device).await?,
            PairingCommand::RevokeAll => self.revoke_all().await,
        }
        Ok(self.look())
    }

    /// The present state.
    pub fn look(&self) -> Pairing {
        let now = clock::now();
        let state = self.state();
        let mut pairing = Pairing {
            addresses: address::local_addresses()
                .iter()
                .map(address::Address::shown)
                .collect(),
            requests: state.requests.shown(now),
            devices: self.devices(now, state.open.as_ref()),
            browsers: self.browsers(now),
            signed_out: self.signed_out(),
            encrypted: state.named.is_some() || self.config.means_encryption(),
            ..Pairing::default()
        };
        if let Some(open) = &state.open {
            pairing.on = true;
            pairing.until = open.until;
            pairing.url = Some(open.base.clone());
            pairing.encrypted = open.encrypted;
            pairing.remark = self.gone(open).or_else(|| open.remark(now));
            let invitation = state.invitation.as_ref();
            let lasting = invitation.filter(|invitation| invitation.until > now);
            pairing.invitation = lasting.map(|invitation| invitation.shown(&open.base));
        } else if let Some(away) = &state.away {
            away.show(&mut pairing);
        }
        pairing
    }

    fn devices(&self, now: Time, open: Option<&Open>) -> Vec<Device> {
        let all = self.sessions.devices(now).into_iter();
        all.map(|(session, access)| self.device(session, access, open))
            .collect()
    }

    fn device(&self, session: Session, access: DeviceAccess, open: Option<&Open>) -> Device {
        let is_tunnel = access.through == Through::Tunnel && self.config.public_url.is_some();
        let stranded = open.is_some_and(|open| !is_tunnel && open.way() != Some(access.through));
        Device {
            stranded,
            ..self.listed(session, access.may)
        }
    }

    /// The signed-in browsers of this machine.
    fn browsers(&self, now: Time) -> Vec<Device> {
        let all = self.sessions.browsers(now).into_iter();
        all.map(|session| self.listed(session, Permission::Answer))
            .collect()
    }

    fn listed(&self, session: Session, may: Permission) -> Device {
        Device {
            stranded: false,
            here: !self.streams.clients_of(&session.id).is_empty(),
            id: shortened(&session.id),
            name: session.name,
            may,
            since: session.since,
            last_seen: session.seen,
            until: session.until,
        }
    }

    /// Why browsers of this machine were signed out at the start of this hub, if they were.
    fn signed_out(&self) -> Option<String> {
        let (left, port) = (self.sessions.left()?, self.own_port);
        Some(format!(
            "the page is at port {port} and was at port {left}, so browsers of this machine were signed out: whoever has that port now may have got their cookies. `ask-user web` signs one in"
        ))
    }

    fn decide(
        &self,
        request: &str,
        allow: bool,
        may: Option<Permission>,
    ) -> Result<(), PairingError> {
        let decided = self
            .state()
            .requests
            .decide(request, allow, may, clock::now());
        if !decided {
            let said = "This request was decided or has expired.";
            return Err((ErrorKind::NotFound, said.to_owned()));
        }
        self.rings();
        Ok(())
    }

    async fn revoke(&self, device: &str) -> Result<(), PairingError> {
        let all = self.everybody();
        let by_id = |session: &&Session| session.id.get(..ID) == Some(device);
        let found = all.iter().find(by_id);
        let found = found.or_else(|| all.iter().find(|session| session.name == device));
        let Some(session) = found else {
            let said = format!(
                "no device and no browser is called \"{device}\": see `ask-user pair --devices` and `ask-user web --sessions`"
            );
            return Err((ErrorKind::NotFound, said));
        };
        self.sign_out(&session.id).await;
        tracing::info!("ended a session");
        Ok(())
    }

    async fn revoke_all(&self) {
        let all = self.everybody();
        let ended: Vec<_> = all.iter().map(|one| self.sign_out(&one.id)).collect();
        for ended in ended {
            ended.await;
        }
        tracing::info!("ended all sessions");
    }

    /// All sessions: devices first, then browsers of this machine.
    fn everybody(&self) -> Vec<Session> {
        let now = clock::now();
        let devices = self.sessions.devices(now).into_iter();
        let devices = devices.map(|(session, _)| session);
        devices.chain(self.sessions.browsers(now)).collect()
    }

    /// Ends a session that is replaced by a new one of the same browser, and its event streams.
    pub(crate) fn give_way(&self, session: &SessionId) {
        self.sessions.give_way(session);
        self.streams.end(session);
        self.rings();
    }

    /// Ends a session and its event streams at once. The future is that of [`Sessions::end`].
    pub(crate) fn sign_out(
        &self,
        session: &SessionId,
    ) -> impl Future<Output = ()> + Send + use<'_> {
        let ended = self.sessions.end(session);
        self.streams.end(session);
        self.rings_after(ended)
    }

    /// Handles a device's attempt with an invitation. If it is valid, the person is asked from now
    /// on.
    pub fn meet(
        &self,
        shown: &Shown,
        name: &str,
        (address, through): (IpAddr, Through),
    ) -> Result<Made, PairingUnavailable> {
        let now = clock::now();
        let tried = self.tries.count(&address.to_string(), now);
        tried.map_err(PairingUnavailable::TooOften)?;
        let mut state = self.state();
        let Some(invitation) = &mut state.invitation else {
            return Err(PairingUnavailable::Wrong(Tried::Wrong));
        };
        let may = invitation.may;
        let came = invitation.takes(shown, now);
        match came {
            Tried::Wrong | Tried::Missed(_) => return Err(PairingUnavailable::Wrong(came)),
            Tried::Ended { .. } => {
                drop(state);
                self.rings();
                return Err(PairingUnavailable::Wrong(came));
            }
            Tried::Good => {}
        }
        if state.requests.shown(now).len() >= MOST_REQUESTS {
            return Err(PairingUnavailable::TooOften(60));
        }
        state.invitation = None;
        let asks = Asks {
            name,
            address,
            through,
            may,
            until: state.until(),
        };
        let made = state.requests.add(&asks, now);
        drop(state);
        self.rings();
        Ok(made)
    }

    /// The status of a device's request. Knowing its secret identifies the device.
    pub fn stands(&self, secret: &str, through: Through) -> RequestStatus {
        self.state().requests.stands(secret, through, clock::now())
    }

    /// Admits a device, and returns its cookie.
    pub async fn admit(&self, name: &str, access: DeviceAccess, key: Option<KeyId>) -> String {
        let cookie = self.sessions.admit(name, access, key, clock::now());
        tracing::info!("admitted a device");
        self.rings_after(cookie).await
    }
}
