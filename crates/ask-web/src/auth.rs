//! Authentication and authorization. A request must name this machine and must not come from another
//! site.
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
use super::pairing::listener::DeviceEnds;
use super::proof::{self, KeyId, ProofError};
use super::sessions::{Session, SessionId, Transport};
use super::{Web, cookie};

/// The header that only our page sends, and its value, as a defence against cross-site requests.
const PAGE_HEADER: (&str, &str) = ("x-ask-user", "page");

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The credential that a client needs.
    pub scope: Scope,
    /// Which devices may use it.
    pub devices: DeviceRule,
}

/// The credential that a client needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// The route is public.
    None,
    /// The agents' token, or a stronger credential.
    Ask,
    /// The answer token, or a signed-in page.
    Answer,
}

/// The access of devices, which are browsers on other machines, to a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceRule {
    /// No access: the route is only for this computer.
    Never,
    /// No access, except with the one-time key in a link of `ask-user web`.
    WithKey,
    /// Access even while pairing is off, because a proxy in front of the page uses the health check.
    Always,
    /// Access before they are admitted.
    Unpaired,
    /// Access after they are admitted.
    See,
    /// Access after they are admitted with the permission to answer.
    Answer,
}

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Requester {
    /// A client without a credential.
    Unknown,
    /// A client with the agents' token.
    Agent,
    /// A program of the person, with the answer token.
    Program,
    /// A signed-in browser of this machine.
    Page(SessionId),
    /// A browser that the person has admitted, on another machine.
    Device(Device),
}

/// The device that sent a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Device {
    /// The id of its session.
    pub session: SessionId,
    /// The name that people see.
    pub name: String,
    /// What it may do.
    pub may: Permission,
}

impl Requester {
    /// The requester with this session.
    pub(crate) fn from_session(session: Session) -> Self {
        match session.access() {
            None => Self::Page(session.id),
            Some(access) => Self::Device(Device {
                session: session.id,
                name: session.name,
                may: access.may,
            }),
        }
    }

    /// The scope of the requester's credential.
    pub(crate) fn scope(&self) -> Scope {
        match self {
            Self::Unknown => Scope::None,
            Self::Agent => Scope::Ask,
            Self::Program | Self::Page(_) => Scope::Answer,
            // `check_device_access` checks what a device may do.
            Self::Device(_) => Scope::Answer,
        }
    }

    /// The name under which requests are counted.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Unknown => "",
            Self::Agent => AGENTS,
            Self::Program => "program",
            Self::Page(session) => session,
            Self::Device(device) => &device.session,
        }
    }

    /// The surface name in the record of its answers.
    pub(crate) fn surface(&self) -> &'static str {
        match self {
            Self::Unknown | Self::Agent | Self::Program => "api",
            Self::Page(_) | Self::Device(_) => "web",
        }
    }

    /// The session of its cookie, if it has one.
    pub(crate) fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Unknown | Self::Agent | Self::Program => None,
            Self::Page(session) => Some(session),
            Self::Device(device) => Some(&device.session),
        }
    }

    /// The device name in the record of its answers.
    pub(crate) fn device(&self) -> Option<String> {
        match self {
            Self::Unknown | Self::Agent | Self::Program | Self::Page(_) => None,
            Self::Device(device) => Some(device.name.clone()),
        }
    }
}

/// The text of a header; empty if it isn't ASCII.
fn header_text<'headers>(headers: &'headers HeaderMap, name: &HeaderName) -> Option<&'headers str> {
    let value = headers.get(name)?;
    Some(value.to_str().unwrap_or_default())
}

/// Determines the origin of a request.
///
/// # Errors
/// The request names a host that isn't ours (DNS rebinding), or a page of another origin sent it.
pub(crate) fn determine_origin(
    web: &Web,
    entry: &Entry,
    parts: &Parts,
) -> Result<RequestOrigin, Problem> {
    let named = named_hosts(&parts.uri, &parts.headers).unwrap_or_default();
    let first = named.first().copied();
    let is_consistent = |host: &&str| named.iter().all(|other| other.eq_ignore_ascii_case(host));
    let host = first.filter(is_consistent);
    let foreign_host = |message: &str| Problem::new(ProblemKind::ForeignHost, message);
    let ends = parts.extensions.get::<ConnectInfo<DeviceEnds>>();
    let peer = ends.map(|ends| ends.0.0.0.ip());
    let (host, origin) = match (entry, host, &web.config.public_url) {
        (Entry::Loopback, Some(host), _) if is_one_of(&Guard::default().hosts, host) => {
            (host, RequestOrigin::Local)
        }
        (Entry::Loopback, Some(host), Some(public)) if public.has(host) => {
            let origin = RequestOrigin::Remote {
                address: Ipv4Addr::LOCALHOST.into(),
                transport: Transport::Tunnel,
                is_encrypted: public.is_encrypted(),
            };
            (host, origin)
        }
        (Entry::Loopback, _, _) => {
            return Err(foreign_host(
                "this address is not one of this machine: use http://127.0.0.1, http://[::1] or http://localhost with the port",
            ));
        }
        (Entry::Lan(hosts), Some(host), _) if hosts.contains(host) => {
            let origin = RequestOrigin::Remote {
                address: peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
                transport: if hosts.is_encrypted() {
                    Transport::Tls
                } else {
                    Transport::Lan
                },
                is_encrypted: hosts.is_encrypted(),
            };
            (host, origin)
        }
        (Entry::Lan(_), _, _) => {
            return Err(foreign_host(
                "this address is not the one that `ask-user pair` printed",
            ));
        }
    };
    // A proxy with HTTPS in front of the page may be reachable over HTTP as well.
    let public = web.config.public_url.as_ref();
    let is_proxied = public.is_some_and(ask_config::config::Public::is_encrypted);
    let schemes: &[&str] = match origin {
        RequestOrigin::Remote {
            is_encrypted: true, ..
        } => &["https"],
        RequestOrigin::Local if is_proxied => &["http", "https"],
        RequestOrigin::Local | RequestOrigin::Remote { .. } => &["http"],
    };
    check_origin_header(parts, schemes, host)?;
    Ok(origin)
}

/// Refuses every device while pairing is off. The network port is closed then, but a proxy still
/// forwards requests to the loopback port.
pub(crate) fn check_pairing_on(web: &Web, origin: RequestOrigin) -> Result<(), Problem> {
    if origin.is_local() || web.pairing_service.is_on() {
        return Ok(());
    }
    Err(Problem::new(
        ProblemKind::DevicesOff,
        "Pairing is off. Run `ask-user pair` on the computer.",
    ))
}

/// Refuses a requester that was identified before, if pairing was turned off or its session ended
/// since.
pub(crate) fn check_access_lasts(
    web: &Web,
    origin: RequestOrigin,
    requester: &Requester,
) -> Result<(), Problem> {
    check_pairing_on(web, origin)?;
    let sessions = &web.pairing_service.sessions;
    let is_valid = |session: &SessionId| sessions.is_valid(session, clock::now());
    if requester.session().is_none_or(is_valid) {
        return Ok(());
    }
    Err(no_credential(
        web,
        origin,
        Scope::Answer,
        "This browser is signed out.",
    ))
}

/// Refuses requests from pages of other origins (the `Origin` header, RFC 6454, section 7).
fn check_origin_header(parts: &Parts, schemes: &[&str], host: &str) -> Result<(), Problem> {
    let is_own = |origin: &str| {
        let page = origin_host(origin, schemes);
        page.is_some_and(|named| named.eq_ignore_ascii_case(host))
    };
    let mut origins = parts.headers.get_all(header::ORIGIN).iter();
    match origins.all(|origin| origin.to_str().is_ok_and(is_own)) {
        true => Ok(()),
        false => Err(Problem::new(
            ProblemKind::ForeignOrigin,
            "a web page of another site may not call this server",
        )),
    }
}

/// Determines who sends a request.
///
/// # Errors
/// The credential is missing or invalid. The problem says what the route's scope needs.
pub(crate) fn identify_requester(
    web: &Web,
    origin: RequestOrigin,
    parts: &Parts,
    scope: Scope,
) -> Result<Requester, Problem> {
    let headers = &parts.headers;
    let refuse = |reason: &str| no_credential(web, origin, scope, reason);
    if let Some(credentials) = header_text(headers, &header::AUTHORIZATION) {
        // Programs' tokens could be read on a network, so they are only accepted on this machine.
        if !origin.is_local() {
            return Err(refuse("Tokens are not accepted here."));
        }
        return match (bearer(credentials), &web.tokens) {
            (Some(token), Some((_, answer))) if same(token, answer) => Ok(Requester::Program),
            (Some(token), Some((ask, _))) if same(token, ask) => Ok(Requester::Agent),
            (Some(_), _) => Err(refuse("The token is wrong.")),
            (None, _) => Err(refuse("The header `Authorization` has no bearer token.")),
        };
    }
    let now = clock::now();
    let cookies = cookie::session_cookies(web, headers);
    let sessions = &web.pairing_service.sessions;
    let session = cookies
        .iter()
        .find_map(|cookie| sessions.find(cookie, origin.transport(), now));
    match session {
        Some(session) => {
            check_key_proof(web, origin, parts, &session)?;
            sessions.record_use(&session.id, now);
            Ok(Requester::from_session(session))
        }
        None if !cookies.is_empty() => Err(refuse("This browser is signed out.")),
        None => Err(refuse("The request has no credential.")),
    }
}

/// Refuses a request with a session's cookie that doesn't prove that the session's browser sent it.
fn check_key_proof(
    web: &Web,
    origin: RequestOrigin,
    parts: &Parts,
    session: &Session,
) -> Result<(), Problem> {
    match &session.key {
        Some(key) => {
            let proven = web.proofs.check(origin, parts, |proven| same(proven, key));
            proven.map_err(|error| proof_problem(web, origin, error))?;
            Ok(())
        }
        // The session began over an unencrypted connection, and is only accepted there.
        None if !origin.has_browser_keys() => Ok(()),
        None => Err(proof_problem(web, origin, ProofError::Invalid)),
    }
}

/// The key to which a new session will be bound; `None` where browsers have no keys.
pub(crate) struct NewKey(pub Result<Option<KeyId>, Problem>);

impl FromRequestParts<Arc<Web>> for NewKey {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, Infallible> {
        let origin = parts.extensions.get::<RequestOrigin>().copied();
        let Some(origin) = origin.filter(|origin| origin.has_browser_keys()) else {
            return Ok(Self(Ok(None)));
        };
        let proven = web.proofs.check(origin, parts, |_| true);
        let proven = proven.map_err(|error| proof_problem(web, origin, error));
        Ok(Self(proven.map(Some)))
    }
}

fn proof_problem(web: &Web, origin: RequestOrigin, error: ProofError) -> Problem {
    no_credential(web, origin, Scope::Answer, error.message())
        .with_challenge(error.challenge())
        .with_header(proof::NONCE, web.proofs.nonce())
}

/// The problem for a missing or invalid credential: the reason, and how to get a valid one.
fn no_credential(web: &Web, origin: RequestOrigin, scope: Scope, reason: &str) -> Problem {
    let (asking, answering) = &web.token_hints;
    let token_hint = match scope {
        Scope::None | Scope::Ask => asking,
        Scope::Answer => answering,
    };
    let message = match origin {
        RequestOrigin::Local => format!(
            "{reason} Run `ask-user web` for a link that signs a browser in, or send the header `Authorization: Bearer TOKEN`. {token_hint}"
        ),
        RequestOrigin::Remote { .. } => {
            format!("{reason} Run `ask-user pair` on the computer to let this device in.")
        }
    };
    Problem::new(ProblemKind::NoCredential, message.trim_end()).with_challenge(origin.challenge())
}

/// Whether a route needs no credential. Remote requests need
/// one except on pairing routes, and to exchange the one-time key of `ask-user web`.
pub(crate) fn is_open(access: Access, origin: RequestOrigin) -> bool {
    access.scope == Scope::None
        && match access.devices {
            DeviceRule::Always | DeviceRule::Unpaired => true,
            DeviceRule::WithKey => origin.accepts_keys(),
            DeviceRule::Never | DeviceRule::See | DeviceRule::Answer => origin.is_local(),
        }
}

/// Refuses requesters without access, and requests that another origin's page made with our cookie.
pub(crate) fn check_access(
    requester: &Requester,
    access: Access,
    parts: &Parts,
) -> Result<(), Problem> {
    if requester.scope() < access.scope {
        return Err(Problem::new(
            ProblemKind::WrongScope,
            "The agents' token may only ask. A person answers with `ask-user web`, a person's program with the token in `answer-token`, which is not for agents.",
        ));
    }
    if let Requester::Device(device) = requester {
        check_device_access(device, access.devices)?;
    }
    if requester.session().is_none() {
        return Ok(());
    }
    let headers = &parts.headers;
    check_same_site(parts)?;
    let is_change = parts.method != Method::GET && parts.method != Method::HEAD;
    if is_change
        && headers
            .get(PAGE_HEADER.0)
            .is_none_or(|value| value != PAGE_HEADER.1)
    {
        return Err(Problem::new(
            ProblemKind::NoCsrfHeader,
            "Requests that change something need `X-Ask-User: page` when sent with a cookie.",
        ));
    }
    Ok(())
}

/// Refuses what a device may not do.
fn check_device_access(device: &Device, needed: DeviceRule) -> Result<(), Problem> {
    let message = match (needed, device.may) {
        (DeviceRule::Always | DeviceRule::Unpaired | DeviceRule::See, _)
        | (DeviceRule::Answer, Permission::Answer) => {
            return Ok(());
        }
        (DeviceRule::Answer, Permission::See) => {
            "This device may only see questions. The person can let it in again so that it may answer."
        }
        (DeviceRule::Never | DeviceRule::WithKey, _) => {
            "A device may not do that. Do it at the computer."
        }
    };
    Err(Problem::new(ProblemKind::WrongScope, message))
}

/// Refuses requests that another origin's page caused (Fetch Metadata, `Sec-Fetch-Site`).
fn check_same_site(parts: &Parts) -> Result<(), Problem> {
    let site = parts.headers.get("sec-fetch-site");
    // `none` is a typed address or a bookmark.
    if site.is_none_or(|site| site == "same-origin" || site == "none") {
        return Ok(());
    }
    Err(Problem::new(
        ProblemKind::ForeignOrigin,
        "Only a page from this origin may do that.",
    ))
}
