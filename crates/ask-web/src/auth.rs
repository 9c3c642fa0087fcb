//! Authentication and authorization. A request must name this machine and come from no other site.
//! A token or cookie says who sends it, and the route's [`Access`] says whether they may.
// Pages of other servers on this machine are another origin but the same site, so browsers send
// them our cookie (cookies ignore ports, RFC 6265, section 8.5). So a request with the cookie must
// come from exactly our origin, and one that changes something needs a header that no other origin
// can set.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ask_config::clock;
use ask_core::devices::Permission;
use ask_core::secret::same;
use ask_hub::http::limits::AGENTS;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::{Guard, named_hosts};
use ask_protocol::api::{bearer, is_one_of, origin_host};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};

use super::origin::{Entry, RequestOrigin};
use super::pairing::listener::Caller;
use super::proof::{self, KeyId, Unproven};
use super::sessions::{Session, SessionId, Through};
use super::{Web, cookie};

/// The header that only our page sends, and its value (a defence against cross-site requests).
const PAGE: (&str, &str) = ("x-ask-user", "page");

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The credential that a client needs.
    pub scope: Scope,
    /// Which devices may use it.
    pub devices: Devices,
}

/// The credential that a client needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// None.
    Nobody,
    /// The agents' token, or a stronger credential.
    Ask,
    /// The answer token, or a signed-in page.
    Answer,
}

/// The access of devices, that is paired browsers on other machines, to a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Devices {
    /// None: the route is for this computer alone.
    Never,
    /// None, but a link of `ask-user web` may lead there.
    WithKey,
    /// Even while pairing is off: a proxy in front of the page uses the health check.
    Always,
    /// Before they are admitted.
    Strangers,
    /// After they are admitted.
    See,
    /// After they are admitted with the permission to answer.
    Answer,
}

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Unknown.
    Nobody,
    /// An agent.
    Agent,
    /// A program that answers for its person.
    Program,
    /// A signed-in browser of this machine.
    Page(SessionId),
    /// A paired device.
    Device(Device),
}

/// A paired device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its session.
    pub session: SessionId,
    /// Its name.
    pub name: String,
    /// Its permission.
    pub may: Permission,
}

impl Sender {
    /// The owner of a session.
    pub fn from_session(session: Session) -> Self {
        match session.access() {
            None => Self::Page(session.id),
            Some(access) => Self::Device(Device {
                session: session.id,
                name: session.name,
                may: access.may,
            }),
        }
    }

    /// The credential that this sender has shown.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Nobody => Scope::Nobody,
            Self::Agent => Scope::Ask,
            Self::Program | Self::Page(_) => Scope::Answer,
            // The route's access of devices is checked separately.
            Self::Device(_) => Scope::Answer,
        }
    }

    /// The name under which requests are counted.
    pub fn name(&self) -> &str {
        match self {
            Self::Nobody => "",
            Self::Agent => AGENTS,
            Self::Program => "program",
            Self::Page(session) => session,
            Self::Device(device) => &device.session,
        }
    }

    /// The surface name of this sender's answers.
    pub fn surface(&self) -> &'static str {
        match self {
            Self::Nobody | Self::Agent | Self::Program => "api",
            Self::Page(_) | Self::Device(_) => "web",
        }
    }

    /// The session of its cookie.
    pub fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Nobody | Self::Agent | Self::Program => None,
            Self::Page(session) => Some(session),
            Self::Device(device) => Some(&device.session),
        }
    }

    /// The device name in the record of its answers.
    pub fn device(&self) -> Option<String> {
        match self {
            Self::Nobody | Self::Agent | Self::Program | Self::Page(_) => None,
            Self::Device(device) => Some(device.name.clone()),
        }
    }
}

fn text<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Option<&'headers str> {
    let value = headers.get(name)?;
    Some(value.to_str().unwrap_or_default())
}

/// Determines the origin of a request.
///
/// # Errors
/// The request was led here by another site's DNS (rebinding) or page.
pub(crate) fn way(web: &Web, entry: &Entry, parts: &Parts) -> Result<RequestOrigin, Problem> {
    let named = named_hosts(&parts.uri, &parts.headers).unwrap_or_default();
    let first = named.first().copied();
    let alike = |host: &&str| named.iter().all(|other| other.eq_ignore_ascii_case(host));
    let host = first.filter(alike);
    let foreign = |said: &str| Problem::new(ProblemKind::ForeignHost, said);
    let caller = parts.extensions.get::<ConnectInfo<Caller>>();
    let caller = caller.map(|caller| caller.0.0);
    let (host, way) = match (entry, host, &web.config.public_url) {
        (Entry::Loopback, Some(host), _) if is_one_of(&Guard::default().hosts, host) => {
            (host, RequestOrigin::Here)
        }
        (Entry::Loopback, Some(host), Some(public)) if public.has(host) => {
            let way = RequestOrigin::From {
                address: Ipv4Addr::LOCALHOST.into(),
                through: Through::Tunnel,
                encrypted: public.is_encrypted(),
            };
            (host, way)
        }
        (Entry::Loopback, _, _) => {
            return Err(foreign(
                "this address is not one of this machine: use http://127.0.0.1, http://[::1] or http://localhost with the port",
            ));
        }
        (Entry::Lan(place), Some(host), _) if place.has(host) => {
            let way = RequestOrigin::From {
                address: caller.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
                through: match place.is_encrypted() {
                    true => Through::Tls,
                    false => Through::Lan,
                },
                encrypted: place.is_encrypted(),
            };
            (host, way)
        }
        (Entry::Lan(_), _, _) => {
            return Err(foreign(
                "this address is not the one that `ask-user pair` printed",
            ));
        }
    };
    // A proxy with HTTPS in front of the page may be reachable over HTTP as well.
    let public = web.config.public_url.as_ref();
    let passed_on = public.is_some_and(ask_config::config::Public::is_encrypted);
    let schemes: &[&str] = match way {
        RequestOrigin::From {
            encrypted: true, ..
        } => &["https"],
        RequestOrigin::Here if passed_on => &["http", "https"],
        RequestOrigin::Here | RequestOrigin::From { .. } => &["http"],
    };
    is_own_page(parts, schemes, host)?;
    Ok(way)
}

/// Refuses every device while pairing is off. The network port is closed then, but a proxy still
/// forwards requests to the loopback port.
pub(crate) fn check_pairing_on(web: &Web, way: RequestOrigin) -> Result<(), Problem> {
    match way.is_here() || web.pairing_service.is_on() {
        true => Ok(()),
        false => Err(Problem::new(
            ProblemKind::DevicesOff,
            "Pairing is off. Run `ask-user pair` on the computer.",
        )),
    }
}

/// Refuses a sender that was admitted before, if pairing was turned off or the session ended since.
pub(crate) fn may_stay(web: &Web, way: RequestOrigin, who: &Sender) -> Result<(), Problem> {
    check_pairing_on(web, way)?;
    let lasts = |session: &SessionId| web.pairing_service.sessions.lasts(session, clock::now());
    match who.session().is_none_or(lasts) {
        true => Ok(()),
        false => Err(unknown(
            web,
            way,
            Scope::Answer,
            "This browser is signed out.",
        )),
    }
}

/// Refuses a page of another origin.
fn is_own_page(parts: &Parts, schemes: &[&str], host: &str) -> Result<(), Problem> {
    let own = |origin: &str| {
        let page = origin_host(origin, schemes);
        page.is_some_and(|named| named.eq_ignore_ascii_case(host))
    };
    match text(&parts.headers, &header::ORIGIN) {
        Some(origin) if !own(origin) => Err(Problem::new(
            ProblemKind::ForeignOrigin,
            "a web page of another site may not call this server",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Determines the sender of a request.
///
/// # Errors
/// The credential is missing or invalid. The problem says what the route's scope needs.
pub(crate) fn identify_sender(
    web: &Web,
    way: RequestOrigin,
    parts: &Parts,
    scope: Scope,
) -> Result<Sender, Problem> {
    let headers = &parts.headers;
    let unknown = |what: &str| unknown(web, way, scope, what);
    if let Some(shown) = text(headers, &header::AUTHORIZATION) {
        // Programs' tokens could be read on the way, so they are only accepted on this machine.
        if !way.is_here() {
            return Err(unknown("Tokens are not accepted here."));
        }
        return match (bearer(shown), &web.tokens) {
            (Some(token), Some((_, answer))) if same(token, answer) => Ok(Sender::Program),
            (Some(token), Some((ask, _))) if same(token, ask) => Ok(Sender::Agent),
            (Some(_), _) => Err(unknown("The token is wrong.")),
            (None, _) => Err(unknown("The header `Authorization` has no bearer token.")),
        };
    }
    let now = clock::now();
    let shown = cookie::shown(web, headers);
    let mut cookies = shown.iter().peekable();
    let is_any = cookies.peek().is_some();
    let sessions = &web.pairing_service.sessions;
    let session = cookies.find_map(|cookie| sessions.find(cookie, way.transport(), now));
    match (session, is_any) {
        (Some(session), _) => {
            is_bearer(web, way, parts, &session)?;
            sessions.heard(&session.id, now);
            Ok(Sender::from_session(session))
        }
        (None, true) => Err(unknown("This browser is signed out.")),
        (None, false) => Err(unknown("The request has no credential.")),
    }
}

/// Refuses a sender that has a session's cookie and can't prove that it is its browser.
fn is_bearer(
    web: &Web,
    way: RequestOrigin,
    parts: &Parts,
    session: &Session,
) -> Result<(), Problem> {
    match &session.key {
        Some(key) => {
            let proven = web.proofs.check(way, parts, |shown| same(shown, key));
            proven.map_err(|why| unproven(web, way, why))?;
            Ok(())
        }
        // The session began over an unencrypted connection, and is only accepted there.
        None if !way.is_bound() => Ok(()),
        None => Err(unproven(web, way, Unproven::None)),
    }
}

/// The key to which a new session will be bound; `None` where browsers have no keys.
pub(crate) struct NewKey(pub Result<Option<KeyId>, Problem>);

impl FromRequestParts<Arc<Web>> for NewKey {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, Infallible> {
        let way = parts.extensions.get::<RequestOrigin>().copied();
        let Some(way) = way.filter(|way| way.is_bound()) else {
            return Ok(Self(Ok(None)));
        };
        let proven = web.proofs.check(way, parts, |_| true);
        let proven = proven.map_err(|why| unproven(web, way, why));
        Ok(Self(proven.map(Some)))
    }
}

fn unproven(web: &Web, way: RequestOrigin, why: Unproven) -> Problem {
    unknown(web, way, Scope::Answer, why.said())
        .with_challenge(why.challenge())
        .with_header(proof::NONCE, web.proofs.nonce())
}

fn unknown(web: &Web, way: RequestOrigin, scope: Scope, what: &str) -> Problem {
    let (asking, answering) = &web.token_is;
    let token_is = match scope {
        Scope::Nobody | Scope::Ask => asking,
        Scope::Answer => answering,
    };
    let said = match way {
        RequestOrigin::Here => format!(
            "{what} Run `ask-user web` for a link that signs a browser in, or send the header `Authorization: Bearer TOKEN`. {token_is}"
        ),
        RequestOrigin::From { .. } => {
            format!("{what} Run `ask-user pair` on the computer to let this device in.")
        }
    };
    Problem::new(ProblemKind::NoCredential, said.trim_end()).with_challenge(way.challenge())
}

/// Whether a route needs no credential. For requests from elsewhere that only holds for pairing
/// routes, and for the one-time key of `ask-user web` if its link leads there.
pub(crate) fn is_open(access: Access, way: RequestOrigin) -> bool {
    access.scope == Scope::Nobody
        && match access.devices {
            Devices::Always | Devices::Strangers => true,
            Devices::WithKey => way.takes_keys(),
            Devices::Never | Devices::See | Devices::Answer => way.is_here(),
        }
}

/// Refuses senders without access, and requests that another origin's page made with our cookie.
pub(crate) fn may(who: &Sender, access: Access, parts: &Parts) -> Result<(), Problem> {
    if who.scope() < access.scope {
        return Err(Problem::new(
            ProblemKind::WrongScope,
            "The agents' token may only ask. A person answers with `ask-user web`, a person's program with the token in `answer-token`, which is not for agents.",
        ));
    }
    if let Sender::Device(device) = who {
        device_may(device, access.devices)?;
    }
    if who.session().is_none() {
        return Ok(());
    }
    let headers = &parts.headers;
    is_same_site(parts)?;
    let changes = parts.method != Method::GET && parts.method != Method::HEAD;
    if changes && headers.get(PAGE.0).is_none_or(|value| value != PAGE.1) {
        return Err(Problem::new(
            ProblemKind::NoCsrfHeader,
            "Requests that change something need `X-Ask-User: page` when sent with a cookie.",
        ));
    }
    Ok(())
}

/// Refuses what a device may not do.
fn device_may(device: &Device, needed: Devices) -> Result<(), Problem> {
    let said = match (needed, device.may) {
        (Devices::Always | Devices::Strangers | Devices::See, _)
        | (Devices::Answer, Permission::Answer) => {
            return Ok(());
        }
        (Devices::Answer, Permission::See) => "this device may only see: the person let it in so",
        (Devices::Never | Devices::WithKey, _) => "a device may not do that: do it at the computer",
    };
    Err(Problem::new(ProblemKind::WrongScope, said))
}

/// Refuses requests that another origin's page caused (Fetch Metadata, `Sec-Fetch-Site`).
fn is_same_site(parts: &Parts) -> Result<(), Problem> {
    let site = parts.headers.get("sec-fetch-site");
    // `none` is a typed address or a bookmark.
    match site.is_none_or(|site| site == "same-origin" || site == "none") {
        true => Ok(()),
        false => Err(Problem::new(
            ProblemKind::ForeignOrigin,
            "Only a page from this origin may do that.",
        )),
    }
}
