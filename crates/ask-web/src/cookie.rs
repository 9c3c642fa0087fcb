//! The page's cookie: exchanged for a one-time key, deleted, and found among a request's cookies
//! (RFC 6265).

use ask_config::clock;
use ask_config::config::BelowAgents;
use ask_core::devices::Permission;
use ask_core::secret::hash;
use ask_hub::http::account::NamedAccount;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{Key, cookies};
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::sync::Arc;

use super::Web;
use super::auth::NewKey;
use super::openapi::InvalidKey;
use super::origin::RequestOrigin;
use super::pairing::device_name;
use super::proof::KeyId;
use super::request::ApiRequest;
use super::sessions::{DeviceAccess, LIFETIME_MS};

/// The prefix of the cookie's name; the rest identifies the hub. Cookies ignore ports, so a browser
/// with forwarded ports may have several hubs at 127.0.0.1, and each needs a cookie of its own.
const NAME_PREFIX: &str = "ask_user_session_";

/// How many digits of a digest identify a hub in the name.
const HUB_DIGITS: usize = 8;

/// How many cookies with that name are examined. Another server of this machine can set more of them,
/// with longer paths.
const MAX_COOKIES: usize = 16;

/// Exchange the one-time key of `ask-user web` for a cookie
#[utoipa::path(
    post,
    path = "/v1/session",
    operation_id = "signIn",
    params(("DPoP" = String, Header, description = "A proof of the key that the session is bound to")),
    request_body = Key,
    responses((
            status = 204,
            description = "Done",
            headers(("Set-Cookie" = String, description = "The cookie, or its deletion")),
        ), InvalidKey)
)]
pub(crate) async fn sign_in(
    State(web): State<Arc<Web>>,
    NewKey(browser_key): NewKey,
    named_account: Option<Extension<NamedAccount>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    // Such an account can read the link in the arguments of the program that opens it.
    if named_account.is_some() {
        return Err(Problem::new(
            ProblemKind::ForeignAccount,
            "a link signs in browsers of the hub's own account only: `ask-user pair` admits others",
        ));
    }
    let site = request.header("sec-fetch-site");
    if site.is_some_and(|site| site != "same-origin") {
        return Err(Problem::new(
            ProblemKind::ForeignOrigin,
            "Only a page from this origin may sign in.",
        ));
    }
    let Key { key } = request.json()?;
    // Checking uses the key up, so it comes after the checks of the request.
    let Some(session) = create_session(&web, &key, browser_key?, &request).await? else {
        return Err(Problem::new(
            ProblemKind::WrongKey,
            "the key was used before, or is older than two minutes: run `ask-user web` again",
        )
        .with_challenge(request.origin.challenge()));
    };
    Ok(with_cookie(set_session(&web, &session, request.origin)))
}

/// Signs a browser in if the key is valid, and returns the value of its cookie. The new session
/// replaces that of a cookie in the request.
async fn create_session(
    web: &Web,
    key: &str,
    browser_key: Option<KeyId>,
    request: &ApiRequest,
) -> Result<Option<String>, Problem> {
    let now = clock::now();
    let (origin, headers) = (request.origin, &request.headers);
    if !origin.accepts_keys() {
        return Ok(None);
    }
    let Some(below_agent) = web.hub_state.link_keys.redeem(key, !origin.is_local(), now) else {
        return Ok(None);
    };
    let is_device = origin.transport().is_some();
    if let Some(agent) = below_agent.as_ref().filter(|_| is_device)
        && web.shared.config().answers.below_agents != BelowAgents::Mark
    {
        return Err(Problem::new(
            ProblemKind::NotAllowed,
            format!(
                "this link was fetched below {agent}, and agents may not admit devices: run `ask-user web` in a terminal of your own (answers.below_agents in config.toml)"
            ),
        ));
    }
    let find = |cookie: &&str| {
        web.pairing_service
            .sessions
            .find(cookie, origin.transport(), now)
    };
    // Another server of this machine can add cookies of the same name.
    let current: Vec<_> = session_cookies(web, headers)
        .iter()
        .filter_map(find)
        .collect();
    // An agent's question may show such a link. One click must not make the person's browser the
    // agent's.
    if let Some(agent) = &below_agent
        && current.iter().any(|session| session.below_agent.is_none())
    {
        return Err(Problem::new(
            ProblemKind::NotAllowed,
            format!(
                "this link was fetched below {agent}, and this browser is signed in already: it stays as it is"
            ),
        ));
    }
    let replaced = current.first();
    if let Some(replaced) = replaced {
        web.pairing_service.end_replaced(&replaced.id);
    }
    let name = headers.get(header::USER_AGENT);
    let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
    let name = device_name::from_user_agent(name);
    match origin.transport() {
        None => {
            let Some(browser_key) = browser_key else {
                return Ok(None);
            };
            let cookie = web
                .pairing_service
                .sessions
                .sign_in(&name, browser_key, below_agent, now);
            Ok(Some(
                web.pairing_service.notify_watchers_after(cookie).await,
            ))
        }
        Some(transport) => {
            let access = DeviceAccess {
                may: Permission::Answer,
                transport,
            };
            let cookie = web.pairing_service.admit(&name, access, browser_key).await;
            Ok(Some(cookie))
        }
    }
}

/// End the session of this cookie
#[utoipa::path(
    delete,
    path = "/v1/session",
    operation_id = "signOut",
    responses((
            status = 204,
            description = "Done",
            headers(("Set-Cookie" = String, description = "The cookie, or its deletion")),
        ))
)]
pub(crate) async fn sign_out(State(web): State<Arc<Web>>, request: ApiRequest) -> Response {
    if let Some(session) = request.requester.session() {
        web.pairing_service.sign_out(session).await;
    }
    with_cookie(cookie(&web, "", 0, request.origin))
}

/// The `Set-Cookie` value that stores a session's cookie.
pub(crate) fn set_session(web: &Web, session: &str, origin: RequestOrigin) -> Option<HeaderValue> {
    cookie(web, session, LIFETIME_MS / 1_000, origin)
}

/// The values of our cookie in a request.
pub(crate) fn session_cookies<'headers>(
    web: &Web,
    headers: &'headers HeaderMap,
) -> Vec<&'headers str> {
    let name = cookie_name(web);
    let lines = headers.get_all(header::COOKIE).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    let values = lines.flat_map(|line| cookies(line, &name));
    values.take(MAX_COOKIES).collect()
}

fn cookie_name(web: &Web) -> String {
    let digest = web.tokens.as_ref().map(|(_, answer)| hash(answer));
    let digest = digest.unwrap_or_default();
    format!(
        "{NAME_PREFIX}{}",
        digest.get(..HUB_DIGITS).unwrap_or_default()
    )
}

fn cookie(web: &Web, value: &str, seconds: u64, origin: RequestOrigin) -> Option<HeaderValue> {
    let secure = if origin.is_encrypted() {
        "; Secure"
    } else {
        ""
    };
    let name = cookie_name(web);
    let cookie =
        format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&cookie).ok()
}

fn with_cookie(cookie: Option<HeaderValue>) -> Response {
    let mut response = reply::no_content();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
