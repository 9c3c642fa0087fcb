//! Turning pairing on and off: at which address, with which certificate, until when, and what of
//! that is stored for the next hub.

use std::net::IpAddr;
use std::sync::Arc;

use ask_config::clock;
use ask_config::config::Files;
use ask_core::Time;
use ask_core::devices::On;
use ask_hub::shared_state::PairingError;
use ask_protocol::ipc::ErrorKind;

use super::advertised_host::{Called, advertised_host, is_public};
use super::device_store::SavedPairing;
use super::invitation::Invitation;
use super::listener::{self, Encrypted};
use super::open_listener::{Lan, Open, Own};
use super::retry::Away;
use super::{PairingService, address};
use crate::origin::Place;
use crate::tls::Tls;

/// The message for an address that this machine doesn't have.
fn gone(address: IpAddr) -> String {
    format!(
        "{address} is not an address of this machine at the moment: devices can come there once it is back, and to another after `ask-user pair`"
    )
}

/// The error for something that the current state doesn't permit.
fn cannot(text: impl Into<String>) -> PairingError {
    (ErrorKind::Malformed, text.into())
}

impl PairingService {
    /// Turns pairing on, with a new invitation. If that fails, pairing stays as it was, with the
    /// exception in [`Self::failed`].
    pub(super) async fn start(&self, on: On) -> Result<(), PairingError> {
        let _turn = self.turn.lock().await;
        let is_named = on.tls.is_some();
        match self.turn_on(on).await {
            Ok(()) => Ok(()),
            Err((fault, why)) => Err((fault, self.failed(why, is_named).await)),
        }
    }

    async fn turn_on(&self, on: On) -> Result<(), PairingError> {
        let now = clock::now();
        let until = on.for_ms.map(|ms| now.plus_ms(ms));
        let said = on.tls.map(|(cert, key)| Files {
            cert: cert.into(),
            key: key.into(),
        });
        let own = self.certificate(said).inspect_err(|(_, why)| {
            tracing::error!("pairing isn't turned on: {why}");
        })?;
        let named = own.as_ref().filter(|own| own.was_said);
        let named = named.map(|own| own.tls.files().clone());
        match self.wanted(on.address.as_deref(), own.as_ref())? {
            Some(address) => self.listen((address, None), until, own).await?,
            None => self.by_tunnel(until)?,
        }
        let kept = {
            let mut state = self.state();
            state.away = None;
            state.named = named;
            state.invitation = Some(Invitation::new(on.may, now).while_open(until));
            let open = state.open.as_ref();
            open.map(|open| self.store.keep(&open.kept()))
        };
        self.rings_after(async {
            if let Some(kept) = kept {
                kept.await;
            }
        })
        .await;
        Ok(())
    }

    /// The message if pairing couldn't be turned on. Pairing that was on stays on, unless the
    /// person asked for HTTPS and it serves plain HTTP: then it is turned off.
    async fn failed(&self, why: String, is_named: bool) -> String {
        let (base, is_plain) = {
            let state = self.state();
            let wants = is_named || state.named.is_some() || self.config.means_encryption();
            match (&state.open, &state.away) {
                (Some(open), _) => (Some(open.base.clone()), wants && !open.encrypted),
                // Pairing that waits for its address would start without the new certificate.
                (None, Some(away)) => (None, is_named && !away.kept.is_encrypted),
                (None, None) => (None, false),
            }
        };
        match (is_plain, base) {
            (true, _) => {
                self.ends().await;
                format!("{why}. Plain HTTP was turned off too. Run `ask-user pair` again.")
            }
            (false, Some(base)) => {
                format!("{why}. Devices come to {base} as before: `ask-user pair --off` ends that")
            }
            (false, None) => why,
        }
    }

    /// Turns pairing off on the person's request. A certificate from the command line is forgotten
    /// as well.
    pub(super) async fn stop(&self) {
        let _turn = self.turn.lock().await;
        self.state().named = None;
        self.ends().await;
    }

    /// Turns pairing off because its time has passed.
    pub(super) async fn expire(&self) {
        let _turn = self.turn.lock().await;
        self.ends().await;
    }

    /// Turns pairing off on every route: closes the port, disconnects its devices, and ends the
    /// streams of those that came through `http.public_url`.
    async fn ends(&self) {
        let (open, away, kept) = {
            let mut state = self.state();
            state.invitation = None;
            state.requests.clear();
            let kept = self.store.keep_off(state.named.as_ref());
            (state.open.take(), state.away.take(), kept)
        };
        if open.is_some() || away.is_some() {
            tracing::info!("pairing is off");
        }
        // Dropping the listener closes the port and all its connections.
        drop(open);
        for (session, _) in self.sessions.devices(clock::now()) {
            self.streams.end(&session.id);
        }
        self.rings_after(kept).await;
    }

    /// Turns pairing on as the previous hub had it, unless its time has passed.
    pub(super) async fn resume(&self) {
        let named = self.store.certificate();
        self.state().named.clone_from(&named);
        let Some(kept) = self.store.saved() else {
            return;
        };
        if kept.until.is_some_and(|until| until <= clock::now()) {
            self.store.keep_off(named.as_ref()).await;
            return;
        }
        let _turn = self.turn.lock().await;
        self.reopen(kept).await;
    }

    /// Retries pairing that waits for its address or certificate, if it is due.
    pub(super) async fn try_again(&self, now: Time) {
        let _turn = self.turn.lock().await;
        let away = self.state().away.clone();
        if let Some(away) = away.filter(|away| away.next <= now) {
            self.reopen(away.kept).await;
        }
    }

    /// Turns stored pairing on, or makes it wait until its address exists and its certificate is
    /// usable.
    async fn reopen(&self, kept: SavedPairing) {
        let reopened = match kept.place {
            Some((address, _)) if self.is_away(address) => Err(cannot(gone(address))),
            Some((address, port)) => match self.certificate(kept.tls.clone()) {
                Ok(None) if kept.is_encrypted => Err(cannot(
                    "devices used HTTPS, and http.tls_cert is no longer set: run `ask-user pair` again",
                )),
                Ok(own) => {
                    let place = (address, Some(port));
                    let listens = self.listen(place, kept.until, own).await;
                    match listens {
                        // The address existed a moment ago, and can't be bound yet.
                        Err((_, why)) => return self.waits(kept, why),
                        Ok(()) => Ok(()),
                    }
                }
                // A broken certificate will be replaced some day, as an expiring one is.
                Err((_, why)) => return self.waits(kept, why),
            },
            None => self.by_tunnel(kept.until),
        };
        match reopened {
            Ok(()) => {
                let mut state = self.state();
                state.away = None;
                // If the port was taken meanwhile, another one is stored.
                if let Some(open) = &state.open {
                    drop(self.store.keep(&open.kept()));
                }
            }
            Err((_, why)) if kept.place.is_some_and(|(address, _)| self.is_away(address)) => {
                return self.waits(kept, why);
            }
            Err((_, why)) => {
                tracing::error!("pairing is off: {why}");
                let mut state = self.state();
                state.away = None;
                drop(self.store.keep_off(state.named.as_ref()));
            }
        }
        self.rings();
    }

    /// Keeps what the person turned on, to retry it until the address is back and the certificate
    /// is usable.
    fn waits(&self, kept: SavedPairing, why: String) {
        let said = format!("devices can't come: {why}");
        let away = Away::new(kept, why, clock::now());
        let before = self.state().away.replace(away.clone());
        // A reason is logged once, and not for every retry that fails with it.
        if before.is_none_or(|before| !before.is_for_the_same(&away)) {
            tracing::error!("{said}");
            self.rings();
        }
    }

    /// Whether this machine lacks an address at the moment. A test sandbox always has its
    /// addresses, so tests simulate the lack with a file.
    fn is_away(&self, address: IpAddr) -> bool {
        let is_taken = cfg!(feature = "testing") && self.state_folder.join("away").exists();
        is_taken || !address::is_own(address)
    }

    /// The remark if the address of open pairing is gone. Its listener works again once the address
    /// is back.
    pub(super) fn gone(&self, open: &Open) -> Option<String> {
        let address = open.lan.as_ref()?.address;
        self.is_away(address).then(|| gone(address))
    }

    /// The certificate to use, in this order: from the command line now, from the command line of
    /// an earlier call since pairing was last turned off, from the settings.
    ///
    /// # Errors
    /// A certificate is selected and can't be used. Pairing then must not be turned on without it.
    fn certificate(&self, said: Option<Files>) -> Result<Option<Own>, PairingError> {
        let now = clock::now();
        let own = |tls, was_said| Own {
            tls: Arc::new(tls),
            was_said,
        };
        if let Some(said) = said {
            let tls = Tls::open(said, now).map_err(cannot)?;
            return Ok(Some(own(tls, true)));
        }
        let named = self.state().named.clone();
        if let Some(named) = named {
            let tls = Tls::open(named, now).map_err(|why| {
                cannot(format!(
                    "{why}; it was named with --tls-cert, which holds until `ask-user pair --off`"
                ))
            })?;
            return Ok(Some(own(tls, true)));
        }
        let set = self.config.tls().map_err(cannot)?;
        let set = set.map(|set| Tls::open(set, now).map_err(cannot));
        Ok(set.transpose()?.map(|tls| own(tls, false)))
    }

    /// The address to listen at; `None` for `http.public_url` alone.
    fn wanted(
        &self,
        said: Option<&str>,
        own: Option<&Own>,
    ) -> Result<Option<IpAddr>, PairingError> {
        let Some(said) = said else {
            let state = self.state();
            let open = state.open.as_ref();
            let away = state.away.as_ref().and_then(|away| away.kept.place);
            if let Some((address, _)) = away.filter(|(address, _)| !self.is_away(*address)) {
                return Ok(Some(address));
            }
            // After a change of network, this machine may have another address.
            let here = open.and_then(|open| open.lan.as_ref());
            if let Some(lan) = here.filter(|lan| !self.is_away(lan.address)) {
                return Ok(Some(lan.address));
            }
            let is_ours =
                |own: &Own| own.was_said || is_public(&own.tls.certificate(), &self.config);
            if self.config.public_url.is_some() && !own.is_some_and(is_ours) {
                return Ok(None);
            }
            let first = address::local_addresses().into_iter().next();
            return match first {
                Some(first) => Ok(Some(first.ip)),
                None if self.config.public_url.is_some() => Ok(None),
                None => Err(cannot(
                    "this machine has no address that another could reach: connect it to a network, or see docs/how-to/phones.md for ways through ssh",
                )),
            };
        };
        let own = said.parse().ok().filter(|ip| address::is_own(*ip));
        own.map(Some).ok_or_else(|| {
            let all = address::local_addresses();
            let all: Vec<String> = all.iter().map(|one| one.ip.to_string()).collect();
            let all = match all.is_empty() {
                true => "it has none that another could reach".to_owned(),
                false => format!("it has {}", all.join(", ")),
            };
            cannot(format!("\"{said}\" is no address of this machine: {all}"))
        })
    }

    /// Listens at an address, unless it already does so with the same certificate and name. The
    /// port of an earlier listener at this address is closed first, and another address's only
    /// afterwards.
    async fn listen(
        &self,
        (address, port): (IpAddr, Option<u16>),
        until: Option<Time>,
        own: Option<Own>,
    ) -> Result<(), PairingError> {
        if address::is_public(address) {
            return Err(cannot(format!(
                "{address} can be reached from the whole internet: use an address of a local network, or one of the ways in docs/how-to/phones.md"
            )));
        }
        if self.goes_on(address, until, own.as_ref()) {
            return Ok(());
        }
        let web = self.web.get().and_then(std::sync::Weak::upgrade);
        let web = web.ok_or_else(|| cannot("the hub is about to end: try again"))?;
        let usual = port.unwrap_or(self.own_port);
        if let Some(own) = &own {
            // Checked before the earlier listener is closed, so that it stays if this fails.
            advertised_host(&own.tls.certificate(), &self.config, (address, usual))
                .map_err(cannot)?;
        }
        let before = {
            let mut state = self.state();
            let is_there =
                |open: &Open| open.lan.as_ref().is_some_and(|lan| lan.address == address);
            match state.open.as_ref().is_some_and(is_there) {
                true => state.open.take().and_then(|open| open.lan),
                false => None,
            }
        };
        if let Some(before) = before {
            before.listening.close().await;
        }
        let failed = |error| cannot(format!("{address} can't be listened at: {error}"));
        let (listener, is_usual) = match listener::bind(address, usual).await {
            Ok(listener) => (listener, true),
            Err(_) => (listener::bind(address, 0).await.map_err(failed)?, false),
        };
        let port = listener.local_addr().map_err(failed)?.port();
        let mut names = self.config.names.clone();
        if let Some(own) = &own {
            let certified = own.tls.certificate();
            names.extend(certified.whole_names().map(str::to_owned));
        }
        let place = Place::from_address(address, port, &names, own.is_some());
        let called = match &own {
            Some(own) => advertised_host(&own.tls.certificate(), &self.config, (address, port)),
            None => Ok(Called {
                base: format!("http://{}", address::authority(address, port)),
                host: address.to_string(),
                remark: None,
            }),
        };
        let called = called.map_err(cannot)?;
        let encrypted = own.as_ref().map(|own| {
            own.tls.is_called(&called.host);
            Encrypted {
                tls: Arc::clone(&own.tls),
                base: called.base.clone(),
            }
        });
        let router = crate::lan_router(&web, Arc::new(place.also(&called.base)));
        let listening = listener::serve(listener, router, encrypted).map_err(failed)?;
        tracing::info!("pairing is on: {}", called.base);
        let taken =
            (!is_usual).then(|| format!("port {usual} is taken at {address}: it is {port}"));
        let remarks: Vec<String> = taken.into_iter().chain(called.remark).collect();
        self.open(Open {
            encrypted: own.is_some(),
            lan: Some(Lan {
                address,
                listening,
                certificate: own,
            }),
            until,
            base: called.base,
            remark_at_first: (!remarks.is_empty()).then(|| remarks.join("; ")),
        });
        Ok(())
    }

    /// Whether devices are already served at this address with the same certificate and name. Then
    /// only the end is changed.
    fn goes_on(&self, address: IpAddr, until: Option<Time>, own: Option<&Own>) -> bool {
        let mut state = self.state();
        let Some(open) = &mut state.open else {
            return false;
        };
        let Some(lan) = open.lan.as_ref().filter(|lan| lan.address == address) else {
            return false;
        };
        let is_same = match (&lan.certificate, own) {
            (None, None) => true,
            (Some(served), Some(own)) => {
                let place = (address, lan.listening.port);
                let called = advertised_host(&own.tls.certificate(), &self.config, place);
                served.tls.files() == own.tls.files()
                    && served.tls.trouble(clock::now()).is_none()
                    && called.is_ok_and(|called| called.base == open.base)
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        if is_same {
            open.until = until;
        }
        is_same
    }

    /// Turns pairing on for devices that come through `http.public_url` alone.
    fn by_tunnel(&self, until: Option<Time>) -> Result<(), PairingError> {
        let Some(public) = &self.config.public_url else {
            return Err(cannot("http.public_url is no longer set"));
        };
        self.open(Open {
            lan: None,
            until,
            base: public.url().to_owned(),
            encrypted: public.is_encrypted(),
            remark_at_first: None,
        });
        Ok(())
    }

    fn open(&self, open: Open) {
        let before = self.state().open.replace(open);
        // Dropping the earlier listener disconnects its devices.
        drop(before);
    }
}
