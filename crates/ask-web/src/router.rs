//! The routes: their handlers, the access to them, and what is common to every response.

use std::collections::BTreeMap;
use std::sync::Arc;

use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::http::request_log::RequestId;
use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Router};
use utoipa::openapi::{OpenApi, PathItem};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use super::auth::{self, Access, Devices, Scope, Sender};
use super::openapi::{self, secure};
use super::origin::{Entry, RequestOrigin};
use super::pairing::api;
use super::request::{self, Admitted};
use super::{
    Web, ask_list, ask_queries, cookie, error_page, events, files, handlers, history, metrics,
    project_folders, proof,
};

/// The routes of the API and the files of the page, for requests through one entry.
pub(crate) fn router(web: &Arc<Web>, entry: Entry) -> Router {
    let mut api = Router::new();
    let mut allowed = BTreeMap::<_, Vec<_>>::new();
    for (access, described) in served() {
        let (_, paths, methods) = described();
        let admit = from_fn_with_state((Arc::clone(web), access), admit);
        let methods = methods.route_layer(admit);
        for (path, item) in paths.paths {
            api = api.route(&path, methods.clone());
            allowed.entry(path).or_default().push(item);
        }
    }
    let allowed = allowed.into_iter();
    let allowed = allowed.map(|(path, items)| (path, served_methods(&items)));
    api.merge(super::assets::router())
        .fallback(unserved)
        .method_not_allowed_fallback(unserved)
        .layer(Extension(Methods(Arc::new(allowed.collect()))))
        .layer(from_fn_with_state((Arc::clone(web), entry), respond))
        .with_state(Arc::clone(web))
}

/// The OpenAPI document of all handlers.
pub(crate) fn openapi() -> OpenApi {
    let routes = served().map(|(access, described)| {
        let (schemas, mut paths, methods) = described();
        secure(&mut paths, access);
        (schemas, paths, methods)
    });
    routes
        .fold(OpenApiRouter::new(), OpenApiRouter::routes)
        .into_openapi()
}

/// A route with the description that `utoipa` makes of its handler. It is a function, because the
/// schemas of all routes take megabytes.
type Described = fn() -> UtoipaMethodRouter<Arc<Web>>;

/// Every route, with the access to it.
fn served() -> impl Iterator<Item = (Access, Described)> {
    groups().into_iter().flat_map(|(scope, devices, routes)| {
        let access = Access { scope, devices };
        routes.into_iter().map(move |described| (access, described))
    })
}

type Group = (Scope, Devices, Vec<Described>);

/// Every route, grouped by the access to it.
fn groups() -> Vec<Group> {
    vec![
        (
            Scope::Nobody,
            Devices::Always,
            vec![|| routes!(openapi::alive)],
        ),
        (
            Scope::Nobody,
            Devices::WithKey,
            vec![|| routes!(cookie::sign_in)],
        ),
        (
            Scope::Nobody,
            Devices::Strangers,
            vec![|| routes!(api::pair), || routes!(api::stands)],
        ),
        (
            Scope::Ask,
            Devices::Never,
            vec![
                || routes!(openapi::describe),
                || routes!(metrics::serve),
                || routes!(ask_queries::open),
                || routes!(ask_queries::wait),
                || routes!(handlers::withdraw),
            ],
        ),
        (Scope::Ask, Devices::See, vec![|| routes!(ask_queries::get)]),
        (
            Scope::Answer,
            Devices::See,
            vec![
                || routes!(api::session),
                || routes!(cookie::sign_out),
                || routes!(ask_list::list),
                || routes!(files::get),
                || routes!(history::stats),
                || routes!(history::export),
                || routes!(events::stream),
                || routes!(handlers::status),
            ],
        ),
        (
            Scope::Answer,
            Devices::Answer,
            vec![
                || routes!(handlers::draft),
                || routes!(handlers::answer),
                || routes!(handlers::decline),
                || routes!(handlers::clarify),
                || routes!(handlers::snooze),
                || routes!(handlers::extend),
                || routes!(handlers::shown),
                || routes!(files::put),
                || routes!(handlers::presence),
            ],
        ),
        (
            Scope::Answer,
            Devices::Never,
            vec![
                || routes!(project_folders::paths),
                || routes!(handlers::forget),
                || routes!(history::forget),
                || routes!(handlers::mute),
                || routes!(api::look),
                || routes!(api::pairing_on),
                || routes!(api::pairing_off),
                || routes!(api::decide),
                || routes!(api::revoke),
                || routes!(api::revoke_all),
            ],
        ),
    ]
}

/// The methods of each path of the API.
#[derive(Clone)]
struct Methods(Arc<BTreeMap<String, Vec<&'static str>>>);

fn served_methods(items: &[PathItem]) -> Vec<&'static str> {
    let has = |served: fn(&PathItem) -> bool| items.iter().any(served);
    let all = [
        ("GET", has(|item| item.get.is_some())),
        ("POST", has(|item| item.post.is_some())),
        ("PUT", has(|item| item.put.is_some())),
        ("DELETE", has(|item| item.delete.is_some())),
    ];
    let served = all.into_iter().filter(|(_, is_served)| *is_served);
    served.map(|(method, _)| method).collect()
}

/// Determines the origin of a request, turns problems into documents or pages, and counts the
/// response.
async fn respond(
    State((web, entry)): State<(Arc<Web>, Entry)>,
    request: Request,
    next: Next,
) -> Response {
    let id = RequestId::from_extensions(request.extensions())
        .unwrap_or_default()
        .to_owned();
    let (mut parts, body) = request.into_parts();
    let method = parts.method.clone();
    let is_looked_at = error_page::is_looked_at(&parts);
    let mut response = match auth::way(&web, &entry, &parts) {
        Ok(way) => {
            parts.extensions.insert(way);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    };
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        if let Some(kind) = problem.metric_kind() {
            web.hub_state.metrics.count_error(kind);
        }
        let page = is_looked_at
            .then(|| error_page::page(&web, &entry, &problem))
            .flatten();
        response = page.unwrap_or_else(|| problem.into_document(&id));
    }
    reply::add_default_headers(&mut response);
    let status = response.status().as_u16();
    web.hub_state
        .metrics
        .count_http_request(method.as_str(), status);
    response
}

/// Passes a request on if its sender may use the route.
async fn admit(
    State((web, access)): State<(Arc<Web>, Access)>,
    Extension(way): Extension<RequestOrigin>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    if access.devices != Devices::Always {
        auth::check_pairing_on(&web, way)?;
    }
    let who = match auth::is_open(access, way) {
        true => Sender::Nobody,
        false => match auth::identify_sender(&web, way, &parts, access.scope) {
            Ok(who) => {
                auth::may(&who, access, &parts)?;
                who
            }
            Err(problem) => {
                // If the response came before the body was read, a page whose nonce is too old
                // might not read it, and couldn't repeat its request.
                request::pass_over(body).await;
                return Err(problem);
            }
        },
    };
    let proves = who.session().is_some();
    parts.extensions.insert(Admitted { who, way });
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if proves {
        proof::tell(response.headers_mut(), &web.proofs.nonce());
    }
    Ok(response)
}

/// A path that doesn't exist, or not with this method.
async fn unserved(
    State(web): State<Arc<Web>>,
    Extension(way): Extension<RequestOrigin>,
    Extension(Methods(methods)): Extension<Methods>,
    path: Option<MatchedPath>,
    parts: Parts,
) -> Result<Response, Problem> {
    auth::check_pairing_on(&web, way)?;
    let methods = path.as_ref().map(|path| methods.get(path.as_str()));
    // A client without access doesn't learn which routes exist. A person at a wrong address does,
    // because the page's own routes are no secret.
    let who = auth::identify_sender(&web, way, &parts, Scope::Ask);
    if matches!(methods, Some(Some(_))) {
        who?;
    } else if !error_page::is_looked_at(&parts) {
        who.map_err(Problem::without_challenge)?;
    }
    Err(match methods {
        None => Problem::new(
            ProblemKind::NoRoute,
            "there is nothing here: /openapi.json tells what there is, and MCP is at /mcp",
        ),
        // The page's files aren't in the OpenAPI document.
        Some(None) => Problem::method_not_allowed(&["GET"]),
        Some(Some(methods)) => Problem::method_not_allowed(methods),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the routes with this access.
    fn named(is_meant: impl Fn(Access) -> bool) -> Vec<String> {
        let meant = served().filter(|(access, _)| is_meant(*access));
        let items = meant.flat_map(|(_, described)| described().1.paths.into_values());
        let operations = items.flat_map(|item| [item.get, item.post, item.put, item.delete]);
        let names = operations
            .flatten()
            .filter_map(|operation| operation.operation_id);
        names.collect()
    }

    #[test]
    fn what_answers_needs_the_scope_that_answers() {
        let open = named(|access| access.scope == Scope::Nobody);
        assert_eq!(open, ["alive", "signIn", "pair", "pairState"]);
        let asking = named(|access| access.scope == Scope::Ask);
        let asks = ["describe", "metrics", "open", "wait", "withdraw", "get"];
        assert_eq!(asking, asks, "an agent's token does no more");
    }

    #[test]
    fn what_devices_may_is_known_for_each_route() {
        let of = |devices| named(|access| access.devices == devices);
        assert_eq!(of(Devices::Strangers), ["pair", "pairState"]);
        assert_eq!(of(Devices::Always), ["alive"]);
        assert_eq!(of(Devices::WithKey), ["signIn"]);
        let see = [
            "get", "session", "signOut", "list", "getFile", "stats", "export", "events", "status",
        ];
        assert_eq!(
            of(Devices::See),
            see,
            "these change nothing but their own session"
        );
        let answer = [
            "draft", "answer", "decline", "clarify", "snooze", "extend", "shown", "putFile",
            "presence",
        ];
        assert_eq!(of(Devices::Answer), answer);
    }
}
