//! Which handler serves which route of the table, who is let in before it, and what every response
//! has.

use std::sync::Arc;

use ask_hub::http::noted::RequestId;
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_protocol::api;
use ask_protocol::api::routes::{Op, ROUTES, Route, Scope};
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use axum::{Extension, Router};

use super::Web;
use super::call::{Admitted, Call};
use super::door::Who;
use super::pairing::asked;
use super::way::{Entry, Way};
use super::{
    asks, cookie, deeds, door, error_page, events, files, listed, metrics, past, projects,
};

/// The routes of the table and the files of the page, for whoever comes by one entry.
pub fn router(web: &Arc<Web>, entry: Entry) -> Router {
    let mut router = super::page::router();
    for route in ROUTES {
        let admit = from_fn_with_state((Arc::clone(web), route), admit);
        router = router.route(route.path, handler(route).route_layer(admit));
    }
    router
        .fallback(unserved)
        .method_not_allowed_fallback(unserved)
        .layer(from_fn_with_state((Arc::clone(web), entry), respond))
        .with_state(Arc::clone(web))
}

fn handler(route: &Route) -> MethodRouter<Arc<Web>> {
    let method = Method::try_from(route.method).ok();
    let method = method.and_then(|method| MethodFilter::try_from(method).ok());
    let method = method.expect("the table has methods of HTTP alone");
    match route.op {
        Op::Alive => on(method, async || reply::text("ok\n")),
        Op::Describe => on(method, async || {
            reply::json(&api::document(&ask_hub::version()))
        }),
        Op::Metrics => on(method, metrics::serve),
        Op::SignIn => on(method, cookie::sign_in),
        Op::SignOut => on(method, cookie::sign_out),
        Op::Session => on(method, asked::session),
        Op::Open => on(method, asks::open),
        Op::List => on(method, async |State(web): State<Arc<Web>>, call: Call| {
            listed::list(&web, &call).await
        }),
        Op::Get => on(method, asks::get),
        Op::Wait => on(method, asks::wait),
        Op::Paths => on(method, projects::paths),
        Op::Draft => on(method, deeds::draft),
        Op::Answer => on(method, deeds::answer),
        Op::Decline => on(method, deeds::decline),
        Op::Clarify => on(method, deeds::clarify),
        Op::Snooze => on(method, deeds::snooze),
        Op::Extend => on(method, deeds::extend),
        Op::Withdraw => on(method, deeds::withdraw),
        Op::Shown => on(method, deeds::shown),
        Op::Forget => on(method, deeds::forget),
        Op::ForgetSome => on(method, past::forget),
        Op::PutFile => on(method, files::put),
        Op::GetFile => on(method, files::get),
        Op::Stats => on(method, past::stats),
        Op::Export => on(method, past::export),
        Op::Events => on(method, async |State(web): State<Arc<Web>>, call: Call| {
            events::stream(&web, &call).await
        }),
        Op::Presence => on(method, deeds::presence),
        Op::Mute => on(method, deeds::mute),
        Op::Pair => on(method, asked::pair),
        Op::PairState => on(method, asked::stands),
        Op::Pairing => on(method, asked::look),
        Op::PairingOn => on(method, asked::on),
        Op::PairingOff => on(method, asked::off),
        Op::Decide => on(method, asked::decide),
        Op::Revoke => on(method, asked::revoke),
        Op::Status => on(method, deeds::status),
    }
}

/// Finds out on which way a request came, and gives every response what all have.
async fn respond(
    State((web, entry)): State<(Arc<Web>, Entry)>,
    request: Request,
    next: Next,
) -> Response {
    let id = RequestId::of(request.extensions())
        .unwrap_or_default()
        .to_owned();
    let (mut parts, body) = request.into_parts();
    let method = parts.method.clone();
    let is_looked_at = error_page::is_looked_at(&parts);
    let mut response = match door::way(&web, &entry, &parts) {
        Ok(way) => {
            parts.extensions.insert(way);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    };
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        if let Some(kind) = problem.counts_as() {
            web.beside.counts.failed(kind);
        }
        let page = is_looked_at
            .then(|| error_page::page(&web, &entry, &problem))
            .flatten();
        response = page.unwrap_or_else(|| problem.document(&id));
    }
    reply::harden(&mut response);
    let status = response.status().as_u16();
    web.beside.counts.served(method.as_str(), status);
    response
}

/// Lets in who may use a route.
async fn admit(
    State((web, route)): State<(Arc<Web>, &'static Route)>,
    Extension(way): Extension<Way>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    // Whoever passes the page on asks for a sign of life whether devices may come or not.
    if route.op != Op::Alive {
        door::is_let_in(&web, way)?;
    }
    let who = match door::is_open(route, way) {
        true => Who::Nobody,
        false => {
            let who = door::who(&web, way, &parts, route.scope)?;
            door::may(&who, route, &parts)?;
            who
        }
    };
    parts.extensions.insert(Admitted { route, who, way });
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// A path that is not there, or with other methods alone.
async fn unserved(
    State(web): State<Arc<Web>>,
    Extension(way): Extension<Way>,
    path: Option<MatchedPath>,
    parts: Parts,
) -> Result<Response, Problem> {
    door::is_let_in(&web, way)?;
    let path = path.as_ref().map(MatchedPath::as_str);
    let routes = ROUTES.iter().filter(|route| Some(route.path) == path);
    let methods: Vec<&str> = routes.map(|route| route.method).collect();
    // Who may not come in is not told what there is. A person at a wrong address is: none of the
    // page's is a secret.
    let who = door::who(&web, way, &parts, Scope::Ask);
    if !methods.is_empty() {
        who?;
    } else if !error_page::is_looked_at(&parts) {
        who.map_err(Problem::unchallenging)?;
    }
    Err(match path {
        None => Problem::new(
            Kind::NoRoute,
            "there is nothing here: /openapi.json tells what there is, and MCP is at /mcp",
        ),
        // The page's files are in no table.
        Some(_) if methods.is_empty() => Problem::method(&["GET"]),
        Some(_) => Problem::method(&methods),
    })
}
