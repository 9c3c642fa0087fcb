//! The hub's HTTP API and its page: what a person does from a browser or a program of theirs.
//! Every request becomes a request to the desk, over a connection inside the process; who may
//! what is decided by `door`, what is served by the table of routes in the core.

pub mod app_card;
mod asks;
pub mod bridge;
mod call;
mod cookie;
mod deeds;
mod door;
pub mod embed;
mod error_page;
pub mod events;
mod files;
mod listed;
pub mod metrics;
mod page;
pub mod pairing;
mod past;
pub mod projects;
pub mod sessions;
pub mod taken;
pub mod tls;
mod way;

use std::sync::Arc;

use ask_config::config::Http;
use ask_hub::beside::Beside;
use ask_hub::context::Context;
use ask_hub::http::noted::{REQUEST_ID, note, number};
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_hub::ops;
use ask_protocol::api::routes::{self, Devices, Found, Op, Route, Scope};
use ask_protocol::api::{self};
use ask_protocol::ipc::{Request as Asked, Response as Said};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::response::Response;

use self::call::Call;
use self::door::Who;
use self::events::Streams;
use self::pairing::{Office, asked};
use self::projects::Projects;
use self::taken::Taken;
use self::way::{Entry, Place, Way};

/// Everything that a request may need.
pub struct Web {
    /// The way to the desk.
    pub shared: Arc<Context>,
    /// What the person set.
    pub config: Http,
    /// The token of agents, and that of programs that answer.
    pub tokens: Option<(String, String)>,
    /// Where a person finds each.
    pub token_is: (String, String),
    /// What the desk knows besides asks.
    pub beside: Arc<Beside>,
    /// Which browsers it was opened in, and how devices come in.
    pub office: Arc<Office>,
    /// Pages that listen.
    pub streams: Arc<Streams>,
    /// Folders that were looked into.
    pub projects: Projects,
    /// What requests took up.
    pub taken: Taken,
}

impl Web {
    /// Says something to the desk; a fault is a problem.
    async fn say(&self, request: Asked) -> Result<Said, Problem> {
        ops::say(self.shared.hub().await?, request).await
    }
}

/// Serves all that is not an endpoint of MCP.
pub fn router(web: Arc<Web>) -> Router {
    Router::new().fallback(move |request: Request| {
        let web = Arc::clone(&web);
        async move { serve(&web, &Entry::Loopback, request).await }
    })
}

/// Serves devices: the page, and what of the API is for them. There is nothing of MCP.
pub(crate) fn lan_router(web: Arc<Web>, place: Arc<Place>) -> Router {
    Router::new().fallback(move |request: Request| {
        let web = Arc::clone(&web);
        let entry = Entry::Lan(Arc::clone(&place));
        async move { serve(&web, &entry, request).await }
    })
}

async fn serve(web: &Arc<Web>, entry: &Entry, request: Request) -> Response {
    let number = number();
    let (parts, body) = request.into_parts();
    let mut response = match answer(web, entry, &parts, body).await {
        Ok(response) => response,
        Err(problem) => {
            if let Some(kind) = problem.counts_as() {
                web.beside.counts.failed(kind);
            }
            let page = error_page::is_looked_at(&parts)
                .then(|| error_page::page(web, entry, &problem))
                .flatten();
            page.unwrap_or_else(|| problem.into_response(&number))
        }
    };
    reply::harden(&mut response);
    let (method, status) = (parts.method.as_str(), response.status());
    web.beside.counts.served(method, status.as_u16());
    note(&number, method, parts.uri.path(), status);
    if let Ok(number) = HeaderValue::from_str(&number) {
        response.headers_mut().insert(REQUEST_ID, number);
    }
    response
}

async fn answer(
    web: &Arc<Web>,
    entry: &Entry,
    parts: &Parts,
    body: Body,
) -> Result<Response, Problem> {
    let way = door::way(web, entry, parts)?;
    let path = parts.uri.path();
    let reads = parts.method == Method::GET || parts.method == Method::HEAD;
    if reads && let Some(file) = page::find(path) {
        let may_look = || {
            let who =
                door::is_let_in(web, way).and_then(|()| door::who(web, way, parts, Scope::Answer));
            who.is_ok_and(|who| who.session().is_some())
        };
        let reader = page::Reader {
            set: web.shared.config().language,
            looks: path == "/" && may_look(),
        };
        return Ok(page::serve(file, &parts.headers, reader));
    }
    let found = routes::find(parts.method.as_str(), path);
    // Whoever passes the page on asks for a sign of life whether devices may come or not.
    if !matches!(&found, Found::Route(route, _) if route.op == Op::Alive) {
        door::is_let_in(web, way)?;
    }
    let (route, part, who) = match found {
        Found::Route(route, part) if is_open(route, way) => (route, part, Who::nobody()),
        // Who may not come in is not told what there is.
        Found::Nothing => {
            // A person at a wrong address is: none of the page's is a secret.
            if !error_page::is_looked_at(parts) {
                door::who(web, way, parts, Scope::Ask).map_err(Problem::unchallenging)?;
            }
            return Err(Problem::new(
                Kind::NoRoute,
                "there is nothing here: /openapi.json tells what there is, and MCP is at /mcp",
            ));
        }
        Found::Others(methods) => {
            door::who(web, way, parts, Scope::Ask)?;
            return Err(Problem::method(&methods));
        }
        Found::Route(route, part) => {
            let who = door::who(web, way, parts, route.scope)?;
            door::may(&who, route, parts)?;
            (route, part, who)
        }
    };
    let most = web.config.most_bytes();
    let call = Call::read(route, part, (who, way), most, parts, body).await?;
    // A body may come slowly, and who was let in before it may have been shut out meanwhile.
    if route.op != Op::Alive {
        door::may_stay(web, way, &call.who)?;
    }
    run(web, route, call).await
}

/// Whether nobody has to show anything. On a way from elsewhere that is only so of what devices are
/// let in by, and of the key of `ask-user web` where its link leads there.
fn is_open(route: &Route, way: Way) -> bool {
    route.scope == Scope::Nobody
        && match (route.devices, way.through()) {
            (Devices::Strangers, _) | (_, None) => true,
            (Devices::See | Devices::Answer | Devices::Never, Some(_)) => {
                route.op == Op::SignIn && way.takes_keys()
            }
        }
}

async fn run(web: &Arc<Web>, route: &Route, call: Call) -> Result<Response, Problem> {
    match route.op {
        Op::Alive => Ok(reply::text("ok\n")),
        Op::Describe => Ok(reply::json(&api::document(&ask_hub::version()))),
        Op::Metrics => metrics::serve(web).await,
        Op::SignIn => cookie::sign_in(web, &call),
        Op::SignOut => Ok(cookie::sign_out(web, &call)),
        Op::Session => Ok(asked::session(&call)),
        Op::Open => asks::open(web, &call).await,
        Op::List => listed::list(web, &call).await,
        Op::Get => asks::get(web, &call).await,
        Op::Wait => asks::wait(web, &call).await,
        Op::Paths => projects::paths(web, &call).await,
        Op::Draft => deeds::draft(web, &call).await,
        Op::Answer => deeds::answer(web, &call).await,
        Op::Decline => deeds::decline(web, &call).await,
        Op::Clarify => deeds::clarify(web, &call).await,
        Op::Snooze => deeds::snooze(web, &call).await,
        Op::Extend => deeds::extend(web, &call).await,
        Op::Withdraw => deeds::withdraw(web, &call).await,
        Op::Shown => deeds::shown(web, &call).await,
        Op::Forget => deeds::forget(web, &call).await,
        Op::ForgetSome => past::forget(web, &call).await,
        Op::PutFile => files::put(web, call).await,
        Op::GetFile => files::get(web, &call).await,
        Op::Stats => past::stats(web, &call).await,
        Op::Export => past::export(web, &call).await,
        Op::Events => events::stream(web, &call).await,
        Op::Presence => deeds::presence(web, &call).await,
        Op::Mute => deeds::mute(web, &call).await,
        Op::Pair => asked::pair(web, &call),
        Op::PairState => asked::stands(web, &call).await,
        Op::Pairing => asked::look(web).await,
        Op::PairingOn => asked::on(web, &call).await,
        Op::PairingOff => asked::off(web).await,
        Op::Decide => asked::decide(web, &call).await,
        Op::Revoke => asked::revoke(web, &call).await,
        Op::Status => deeds::status(web).await,
    }
}
