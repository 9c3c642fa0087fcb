//! The page's cookie: exchanged for a one-time key, deleted, and found among a request's cookies
//! (RFC 6265).

use ask_config::clock;
use ask_config::config::BelowAgents;
use ask_core::devices::Permission;
use ask_core::secret::hash;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{Key, cookies};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::sync::Arc;

use super::Web;
use super::auth::NewKey;
use super::openapi::WrongKey;
use super::origin::RequestOrigin;
use super::pairing::device_name;
use super::proof::KeyId;
use super::request::Call;
use super::sessions::{DeviceAccess, LIFE_MS};

/// The prefix of the cookie's name; the rest identifies the hub. Cookies ignore ports, so a browser
/// with forwarded ports may have several hubs at 127.0.0.1, and each needs a cookie of its own.
const COOKIE: &str = "ask_user_session_";

/// How many digits of a digest distinguish a person's hubs.
const OWN: usize = 8;

/// How many cookies of that name are examined. Another server of this machine can set further ones
/// with longer paths; ours is still among these.
const MOST_COOKIES: usize = 16;

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
            headers(("Set-Cookie" = String, description = "The cookie, or its end")),
        ), WrongKey)
)]
pub(crate) async fn sign_in(
    State(web): State<Arc<Web>>,
    NewKey(bound): NewKey,
    call: Call,
) -> Result<Response, Problem> {
    let site = call.header("sec-fetch-site");
    if site.is_some_and(|site| site != "same-origin") {
        return Err(Problem::new(
            ProblemKind::ForeignOrigin,
            "Only a page from this origin may sign in.",
        ));
    }
    let Key { key } = call.json()?;
    // The key is used up, so it is checked last.
    let Some(session) = session_for(&web, &key, bound?, &call).await? else {
        return Err(Problem::new(
            ProblemKind::WrongKey,
            "the key was used before, or is older than two minutes: run `ask-user web` again",
        )
        .with_challenge(call.way.challenge()));
    };
    Ok(with_cookie(session_cookie(&web, &session, call.way)))
}

/// Signs a browser in if the key is valid, and returns the value of its cookie. The new session
/// replaces that of a cookie in the request.
async fn session_for(
    web: &Web,
    key: &str,
    bound: Option<KeyId>,
    call: &Call,
) -> Result<Option<String>, Problem> {
    let now = clock::now();
    let (way, headers) = (call.way, &call.headers);
    if !way.takes_keys() {
        return Ok(None);
    }
    let Some(below_agent) = web.hub_state.link_keys.redeem(key, now) else {
        return Ok(None);
    };
    let lets_in = way.transport().is_some();
    if let Some(agent) = below_agent.as_ref().filter(|_| lets_in)
        && web.shared.config().answers.below_agents != BelowAgents::Mark
    {
        return Err(Problem::new(
            ProblemKind::NotAllowed,
            format!(
                "this link was fetched below {agent}, which lets no device in: run `ask-user web` in a terminal of your own (answers.below_agents in config.toml)"
            ),
        ));
    }
    let known = |cookie: &&str| {
        web.pairing_service
            .sessions
            .find(cookie, way.transport(), now)
    };
    let before = shown(web, headers).iter().find_map(known);
    if let Some(before) = before {
        web.pairing_service.give_way(&before.id);
    }
    let name = headers.get(header::USER_AGENT);
    let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
    let name = device_name::of_agent(name);
    match way.transport() {
        None => {
            let Some(bound) = bound else {
                return Ok(None);
            };
            let cookie = web
                .pairing_service
                .sessions
                .begin(&name, bound, below_agent, now);
            Ok(Some(web.pairing_service.rings_after(cookie).await))
        }
        Some(through) => {
            let access = DeviceAccess {
                may: Permission::Answer,
                through,
            };
            let cookie = web.pairing_service.admit(&name, access, bound).await;
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
            headers(("Set-Cookie" = String, description = "The cookie, or its end")),
        ))
)]
pub(crate) async fn sign_out(State(web): State<Arc<Web>>, call: Call) -> Response {
    if let Some(session) = call.who.session() {
        web.pairing_service.sign_out(session).await;
    }
    with_cookie(cookie(&web, "", 0, call.way))
}

/// The `Set-Cookie` value of a session.
pub(crate) fn session_cookie(web: &Web, session: &str, way: RequestOrigin) -> Option<HeaderValue> {
    cookie(web, session, LIFE_MS / 1_000, way)
}

/// The values of our cookie in a request.
pub(crate) fn shown<'headers>(web: &Web, headers: &'headers HeaderMap) -> Vec<&'headers str> {
    let ours = cookie_name(web);
    let said = headers.get_all(header::COOKIE).iter();
    let said = said.filter_map(|value| value.to_str().ok());
    let values = said.flat_map(|value| cookies(value, &ours));
    values.take(MOST_COOKIES).collect()
}

fn cookie_name(web: &Web) -> String {
    let own = web.tokens.as_ref().map(|(_, answer)| hash(answer));
    let own = own.unwrap_or_default();
    format!("{COOKIE}{}", own.get(..OWN).unwrap_or_default())
}

fn cookie(web: &Web, value: &str, seconds: u64, way: RequestOrigin) -> Option<HeaderValue> {
    let secure = if way.is_encrypted() { "; Secure" } else { "" };
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
