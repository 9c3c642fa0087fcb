//! Turning pairing on and off: the address, the certificate and the end, and what is stored of them
//! for the next hub.

use std::net::IpAddr;
use std::sync::Arc;

use ask_config::clock;
use ask_config::config::Files;
use ask_core::Time;
use ask_core::devices::On;
use ask_hub::shared_state::PairingError;
use ask_protocol::ipc::ErrorKind;

use super::advertised_host::{AdvertisedHost, is_public, select_host};
use super::device_store::SavedPairing;
use super::invitation::Invitation;
use super::listener::{self, TlsOptions};
use super::open_listener::{LanListener, OpenPairing, ServedCertificate};
use super::retry::Retry;
use super::{PairingService, address};
use crate::origin::LanHosts;
use crate::tls::Tls;

/// The message for an address that this machine doesn't have.
fn missing_address(address: IpAddr) -> String {
    format!(
        "{address} is not an address of this machine at present: devices can connect once it is back, or at another after `ask-user pair`"
    )
}

/// The error for a command that the settings or the network don't permit.
fn failure(text: impl Into<String>) -> PairingError {
    (ErrorKind::Malformed, text.into())
}

impl PairingService {
    /// Turns pairing on, with a new invitation. If that fails, pairing stays as it was, except as in
    /// [`Self::explain_failure`].
    pub(super) async fn turn_on(&self, on: On) -> Result<(), PairingError> {
        let _turn = self.turn.lock().await;
        let has_certificate = on.tls.is_some();
        match self.try_turn_on(on).await {
            Ok(()) => Ok(()),
            Err((kind, reason)) => Err((kind, self.explain_failure(reason, has_certificate).await)),
        }
    }

    async fn try_turn_on(&self, on: On) -> Result<(), PairingError> {
        let now = clock::now();
        let until = on.for_ms.map(|ms| now.plus_ms(ms));
        let given = on.tls.map(|(cert, key)| Files {
            cert: cert.into(),
            key: key.into(),
        });
        let selected = self.select_certificate(given).inspect_err(|(_, reason)| {
            tracing::error!("pairing isn't turned on: {reason}");
        })?;
        let given = selected
            .as_ref()
            .filter(|selected| selected.is_from_command_line);
        let given = given.map(|selected| selected.tls.files().clone());
        match self.select_address(on.address.as_deref(), selected.as_ref())? {
            Some(address) => self.listen((address, None), until, selected).await?,
            None => self.open_tunnel(until)?,
        }
        let stored = {
            let mut state = self.lock_state();
            state.retry = None;
            state.given_certificate = given;
            state.invitation = Some(Invitation::new(on.may, now).limit_until(until));
            let open = state.open.as_ref();
            open.map(|open| self.store.save(&open.to_saved()))
        };
        self.notify_watchers_after(async {
            if let Some(stored) = stored {
                stored.await;
            }
        })
        .await;
        Ok(())
    }

    /// The message if pairing couldn't be turned on. Pairing that was on stays on, unless the
    /// person asked for HTTPS and it serves plain HTTP: then it is turned off.
    async fn explain_failure(&self, reason: String, has_certificate: bool) -> String {
        let (base, must_end) = {
            let state = self.lock_state();
            let wants_https = has_certificate
                || state.given_certificate.is_some()
                || self.config.means_encryption();
            match (&state.open, &state.retry) {
                (Some(open), _) => (Some(open.base.clone()), wants_https && !open.is_encrypted),
                // Pairing that waits for its address would start without the new certificate.
                (None, Some(retry)) => (None, has_certificate && !retry.saved.is_encrypted),
                (None, None) => (None, false),
            }
        };
        match (must_end, base) {
            (true, _) => {
                self.close().await;
                format!("{reason}. Plain HTTP was turned off too. Run `ask-user pair` again.")
            }
            (false, Some(base)) => {
                format!(
                    "{reason}. Devices still connect to {base}: `ask-user pair --off` turns that off"
                )
            }
            (false, None) => reason,
        }
    }

    /// Turns pairing off at the person's request, and forgets a certificate from the command line.
    pub(super) async fn turn_off(&self) {
        let _turn = self.turn.lock().await;
        self.lock_state().given_certificate = None;
        self.close().await;
    }

    /// Turns pairing off because its time has passed.
    pub(super) async fn end_at_its_time(&self) {
        let _turn = self.turn.lock().await;
        self.close().await;
    }

    /// Turns pairing off: closes the port, disconnects its devices, and ends the
    /// streams of those that came through `http.public_url`.
    async fn close(&self) {
        let (open, retry, stored) = {
            let mut state = self.lock_state();
            state.invitation = None;
            state.requests.clear();
            let stored = self.store.save_off(state.given_certificate.as_ref());
            (state.open.take(), state.retry.take(), stored)
        };
        if open.is_some() || retry.is_some() {
            tracing::info!("pairing is off");
        }
        // Dropping the listener closes the port and all its connections.
        drop(open);
        for (session, _) in self.sessions.devices(clock::now()) {
            self.streams.end(&session.id);
        }
        self.notify_watchers_after(stored).await;
    }

    /// Turns pairing on as the previous hub had it, unless its time has passed.
    pub(super) async fn resume(&self) {
        let given = self.store.certificate();
        self.lock_state().given_certificate.clone_from(&given);
        let Some(saved) = self.store.saved() else {
            return;
        };
        if saved.until.is_some_and(|until| until <= clock::now()) {
            self.store.save_off(given.as_ref()).await;
            return;
        }
        let _turn = self.turn.lock().await;
        self.reopen(saved).await;
    }

    /// Retries pairing that waits for its address or certificate, if it is due.
    pub(super) async fn retry_if_due(&self, now: Time) {
        let _turn = self.turn.lock().await;
        let retry = self.lock_state().retry.clone();
        if let Some(retry) = retry.filter(|retry| retry.next <= now) {
            self.reopen(retry.saved).await;
        }
    }

    /// Turns stored pairing on, or makes it wait until its address exists and its certificate is
    /// usable.
    async fn reopen(&self, saved: SavedPairing) {
        let reopened = match saved.place {
            Some((address, _)) if self.is_missing(address) => {
                Err(failure(missing_address(address)))
            }
            Some((address, port)) => match self.select_certificate(saved.tls.clone()) {
                Ok(None) if saved.is_encrypted => Err(failure(
                    "devices used HTTPS, and http.tls_cert is no longer set: run `ask-user pair` again",
                )),
                Ok(selected) => {
                    let place = (address, Some(port));
                    match self.listen(place, saved.until, selected).await {
                        // The address existed a moment ago, and can't be bound yet.
                        Err((_, reason)) => return self.wait_for_retry(saved, reason),
                        Ok(()) => Ok(()),
                    }
                }
                // An unusable certificate may be replaced, as an expired one is.
                Err((_, reason)) => return self.wait_for_retry(saved, reason),
            },
            None => self.open_tunnel(saved.until),
        };
        match reopened {
            Ok(()) => {
                let mut state = self.lock_state();
                state.retry = None;
                // If the port was taken meanwhile, another one is stored.
                if let Some(open) = &state.open {
                    drop(self.store.save(&open.to_saved()));
                }
            }
            Err((_, reason))
                if saved
                    .place
                    .is_some_and(|(address, _)| self.is_missing(address)) =>
            {
                return self.wait_for_retry(saved, reason);
            }
            Err((_, reason)) => {
                tracing::error!("pairing is off: {reason}");
                let mut state = self.lock_state();
                state.retry = None;
                drop(self.store.save_off(state.given_certificate.as_ref()));
            }
        }
        self.notify_watchers();
    }

    /// Makes pairing wait until its address is back and its certificate is usable.
    fn wait_for_retry(&self, saved: SavedPairing, reason: String) {
        let message = format!("devices can't connect: {reason}");
        let retry = Retry::new(saved, reason, clock::now());
        let before = self.lock_state().retry.replace(retry.clone());
        // A reason is logged once, and not for every retry that fails with it.
        if before.is_none_or(|before| !before.has_same_reason(&retry)) {
            tracing::error!("{message}");
            self.notify_watchers();
        }
    }

    /// Whether this machine lacks an address at the moment. A test sandbox always has its
    /// addresses, so tests simulate the lack with a file.
    fn is_missing(&self, address: IpAddr) -> bool {
        let is_simulated = cfg!(feature = "testing") && self.state_folder.join("away").exists();
        is_simulated || !address::is_own(address)
    }

    /// The remark if the address of open pairing is missing. Its listener works again once the address
    /// is back.
    pub(super) fn missing_address_remark(&self, open: &OpenPairing) -> Option<String> {
        let address = open.lan.as_ref()?.address;
        self.is_missing(address).then(|| missing_address(address))
    }

    /// Selects the certificate: the one given now, otherwise the one from an earlier command line since
    /// pairing was last turned off, otherwise the one from the settings.
    ///
    /// # Errors
    /// The selected certificate can't be used. Pairing must not be turned on without it.
    fn select_certificate(
        &self,
        given: Option<Files>,
    ) -> Result<Option<ServedCertificate>, PairingError> {
        let now = clock::now();
        let selected = |tls, is_from_command_line| ServedCertificate {
            tls: Arc::new(tls),
            is_from_command_line,
        };
        if let Some(given) = given {
            let tls = Tls::open(given, now).map_err(failure)?;
            return Ok(Some(selected(tls, true)));
        }
        let earlier = self.lock_state().given_certificate.clone();
        if let Some(earlier) = earlier {
            let tls = Tls::open(earlier, now).map_err(|reason| {
                failure(format!(
                    "{reason}; it was given by --tls-cert, which stays in effect until `ask-user pair --off`"
                ))
            })?;
            return Ok(Some(selected(tls, true)));
        }
        let set = self.config.tls().map_err(failure)?;
        let set = set.map(|set| Tls::open(set, now).map_err(failure));
        Ok(set.transpose()?.map(|tls| selected(tls, false)))
    }

    /// Selects the address to listen at; `None` for `http.public_url` alone.
    fn select_address(
        &self,
        given: Option<&str>,
        selected: Option<&ServedCertificate>,
    ) -> Result<Option<IpAddr>, PairingError> {
        let Some(given) = given else {
            let state = self.lock_state();
            let open = state.open.as_ref();
            let retry = state.retry.as_ref().and_then(|retry| retry.saved.place);
            if let Some((address, _)) = retry.filter(|(address, _)| !self.is_missing(*address)) {
                return Ok(Some(address));
            }
            // After a change of network, this machine may have another address.
            let here = open.and_then(|open| open.lan.as_ref());
            if let Some(lan) = here.filter(|lan| !self.is_missing(lan.address)) {
                return Ok(Some(lan.address));
            }
            let is_ours = |selected: &ServedCertificate| {
                selected.is_from_command_line
                    || is_public(&selected.tls.certificate(), &self.config)
            };
            if self.config.public_url.is_some() && !selected.is_some_and(is_ours) {
                return Ok(None);
            }
            let first = address::local_addresses().into_iter().next();
            return match first {
                Some(first) => Ok(Some(first.ip)),
                None if self.config.public_url.is_some() => Ok(None),
                None => Err(failure(
                    "this machine has no address that another one can reach: connect it to a network, or see docs/how-to/phones.md for tunnels through ssh",
                )),
            };
        };
        let parsed = given.parse().ok().filter(|ip| address::is_own(*ip));
        parsed.map(Some).ok_or_else(|| {
            let all = address::local_addresses();
            let all: Vec<String> = all.iter().map(|one| one.ip.to_string()).collect();
            let all = if all.is_empty() {
                "it has none that another machine can reach".to_owned()
            } else {
                format!("it has {}", all.join(", "))
            };
            failure(format!(
                "\"{given}\" is not an address of this machine: {all}"
            ))
        })
    }

    /// Listens at an address, unless a listener with the same certificate and host already does. An
    /// earlier listener at this address is closed before, and one at another address afterwards.
    async fn listen(
        &self,
        (address, port): (IpAddr, Option<u16>),
        until: Option<Time>,
        selected: Option<ServedCertificate>,
    ) -> Result<(), PairingError> {
        if address::is_public(address) {
            return Err(failure(format!(
                "{address} can be reached from the whole internet: use an address of a local network, or see docs/how-to/phones.md for other connections"
            )));
        }
        if self.keep_same_listener(address, until, selected.as_ref()) {
            return Ok(());
        }
        let web = self.web.get().and_then(std::sync::Weak::upgrade);
        let web = web.ok_or_else(|| failure("the hub is ending: try again"))?;
        let preferred = port.unwrap_or(self.port);
        if let Some(selected) = &selected {
            // Checked before the earlier listener is closed, so that it stays if this fails.
            select_host(
                &selected.tls.certificate(),
                &self.config,
                (address, preferred),
            )
            .map_err(failure)?;
        }
        let before = {
            let mut state = self.lock_state();
            let is_same =
                |open: &OpenPairing| open.lan.as_ref().is_some_and(|lan| lan.address == address);
            let same = state.open.take_if(|open| is_same(open));
            same.and_then(|open| open.lan)
        };
        if let Some(before) = before {
            before.server.close().await;
        }
        let failed = |error| failure(format!("can't listen at {address}: {error}"));
        let (listener, is_preferred) = match listener::bind(address, preferred).await {
            Ok(listener) => (listener, true),
            Err(_) => (listener::bind(address, 0).await.map_err(failed)?, false),
        };
        let port = listener.local_addr().map_err(failed)?.port();
        let mut names = self.config.names.clone();
        if let Some(selected) = &selected {
            let certificate = selected.tls.certificate();
            names.extend(certificate.whole_names().map(str::to_owned));
        }
        let hosts = LanHosts::from_address(address, port, &names, selected.is_some());
        let host = match &selected {
            Some(selected) => {
                select_host(&selected.tls.certificate(), &self.config, (address, port))
            }
            None => Ok(AdvertisedHost {
                base: format!("http://{}", address::authority(address, port)),
                host: address.to_string(),
                remark: None,
            }),
        };
        let host = host.map_err(failure)?;
        let tls_options = selected.as_ref().map(|selected| {
            selected.tls.set_name(&host.host);
            TlsOptions {
                tls: Arc::clone(&selected.tls),
                base: host.base.clone(),
            }
        });
        let router = crate::lan_router(&web, Arc::new(hosts.with_base(&host.base)));
        let server = listener::serve(listener, router, tls_options).map_err(failed)?;
        tracing::info!("pairing is on: {}", host.base);
        let port_remark = (!is_preferred)
            .then(|| format!("port {preferred} is taken at {address}, so devices use {port}"));
        let remarks: Vec<String> = port_remark.into_iter().chain(host.remark).collect();
        self.open(OpenPairing {
            is_encrypted: selected.is_some(),
            lan: Some(LanListener {
                address,
                server,
                certificate: selected,
            }),
            until,
            base: host.base,
            initial_remark: (!remarks.is_empty()).then(|| remarks.join("; ")),
        });
        Ok(())
    }

    /// Changes only the end of pairing if a listener at this address already serves the same certificate
    /// and host. Returns whether that is so.
    fn keep_same_listener(
        &self,
        address: IpAddr,
        until: Option<Time>,
        selected: Option<&ServedCertificate>,
    ) -> bool {
        let mut state = self.lock_state();
        let Some(open) = &mut state.open else {
            return false;
        };
        let Some(lan) = open.lan.as_ref().filter(|lan| lan.address == address) else {
            return false;
        };
        let is_same = match (&lan.certificate, selected) {
            (None, None) => true,
            (Some(served), Some(selected)) => {
                let place = (address, lan.server.port);
                let host = select_host(&selected.tls.certificate(), &self.config, place);
                served.tls.files() == selected.tls.files()
                    && served.tls.problem(clock::now()).is_none()
                    && host.is_ok_and(|host| host.base == open.base)
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        if is_same {
            open.until = until;
        }
        is_same
    }

    /// Turns pairing on for devices that come through `http.public_url` alone.
    fn open_tunnel(&self, until: Option<Time>) -> Result<(), PairingError> {
        let Some(public) = &self.config.public_url else {
            return Err(failure("http.public_url is no longer set"));
        };
        self.open(OpenPairing {
            lan: None,
            until,
            base: public.url().to_owned(),
            is_encrypted: public.is_encrypted(),
            initial_remark: None,
        });
        Ok(())
    }

    fn open(&self, open: OpenPairing) {
        let before = self.lock_state().open.replace(open);
        // Dropping the earlier listener disconnects its devices.
        drop(before);
    }
}
