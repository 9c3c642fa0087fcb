//! The routes: their handlers, who may use them, and what all responses have in common.

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

use super::auth::{self, Access, DeviceRule, Requester, Scope};
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
    for (access, described) in all_routes() {
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
        .fallback(no_route)
        .method_not_allowed_fallback(no_route)
        .layer(Extension(Methods(Arc::new(allowed.collect()))))
        .layer(from_fn_with_state((Arc::clone(web), entry), respond))
        .with_state(Arc::clone(web))
}

/// The OpenAPI document of all handlers.
pub(crate) fn openapi() -> OpenApi {
    let all = all_routes().map(|(access, described)| {
        let (schemas, mut paths, methods) = described();
        secure(&mut paths, access);
        (schemas, paths, methods)
    });
    all.fold(OpenApiRouter::new(), OpenApiRouter::routes)
        .into_openapi()
}

/// A route with the description that `utoipa` makes of its handler. It is a function, because the
/// schemas of all routes take megabytes.
type Described = fn() -> UtoipaMethodRouter<Arc<Web>>;

/// Every route, with the access to it.
fn all_routes() -> impl Iterator<Item = (Access, Described)> {
    groups().into_iter().flat_map(|(scope, devices, routes)| {
        let access = Access { scope, devices };
        routes.into_iter().map(move |described| (access, described))
    })
}

type Group = (Scope, DeviceRule, Vec<Described>);

/// Every route, grouped by the access to it.
fn groups() -> Vec<Group> {
    vec![
        (
            Scope::None,
            DeviceRule::Always,
            vec![|| routes!(openapi::alive)],
        ),
        (
            Scope::None,
            DeviceRule::WithKey,
            vec![|| routes!(cookie::sign_in)],
        ),
        (
            Scope::None,
            DeviceRule::Unpaired,
            vec![|| routes!(api::pair), || routes!(api::request_status)],
        ),
        (
            Scope::Ask,
            DeviceRule::Never,
            vec![
                || routes!(openapi::describe),
                || routes!(metrics::serve),
                || routes!(ask_queries::open),
                || routes!(ask_queries::wait),
                || routes!(handlers::withdraw),
            ],
        ),
        (
            Scope::Ask,
            DeviceRule::See,
            vec![|| routes!(ask_queries::get)],
        ),
        (
            Scope::Answer,
            DeviceRule::See,
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
            DeviceRule::Answer,
            vec![
                || routes!(handlers::draft),
                || routes!(handlers::answer),
                || routes!(handlers::decline),
                || routes!(handlers::clarify),
                || routes!(handlers::take_back),
                || routes!(handlers::end_hold),
                || routes!(handlers::snooze),
                || routes!(handlers::extend),
                || routes!(handlers::shown),
                || routes!(files::put),
                || routes!(handlers::presence),
            ],
        ),
        (
            Scope::Answer,
            DeviceRule::Never,
            vec![
                || routes!(project_folders::paths),
                || routes!(handlers::forget),
                || routes!(history::forget),
                || routes!(handlers::mute),
                || routes!(api::pairing_state),
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
    let has = |is_served: fn(&PathItem) -> bool| items.iter().any(is_served);
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
    let wants_page = error_page::wants_page(&parts);
    let mut response = match auth::determine_origin(&web, &entry, &parts) {
        Ok(origin) => {
            parts.extensions.insert(origin);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    };
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        if let Some(kind) = problem.metric_kind() {
            web.hub_state.metrics.count_error(kind);
        }
        let page = wants_page
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

/// Passes a request to the handler if the requester may use the route.
async fn admit(
    State((web, access)): State<(Arc<Web>, Access)>,
    Extension(origin): Extension<RequestOrigin>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    if access.devices != DeviceRule::Always {
        auth::check_pairing_on(&web, origin)?;
    }
    let requester = if auth::is_open(access, origin) {
        Requester::Unknown
    } else {
        match auth::identify_requester(&web, origin, &parts, access.scope) {
            Ok(requester) => {
                auth::check_access(&requester, access, &parts)?;
                requester
            }
            Err(problem) => {
                // A page whose nonce is stale repeats its request. If the response came before the
                // body was read, the page might not see it.
                request::drain(body).await;
                return Err(problem);
            }
        }
    };
    let has_session = requester.session().is_some();
    parts.extensions.insert(Admitted { requester, origin });
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if has_session {
        proof::set_nonce(response.headers_mut(), &web.proofs.nonce());
    }
    Ok(response)
}

/// A path that doesn't exist, or not with this method.
async fn no_route(
    State(web): State<Arc<Web>>,
    Extension(origin): Extension<RequestOrigin>,
    Extension(Methods(methods)): Extension<Methods>,
    path: Option<MatchedPath>,
    parts: Parts,
) -> Result<Response, Problem> {
    auth::check_pairing_on(&web, origin)?;
    let methods = path.as_ref().map(|path| methods.get(path.as_str()));
    // A client without access doesn't learn which routes exist. A person's browser does, because
    // the routes of the page are no secret.
    let requester = auth::identify_requester(&web, origin, &parts, Scope::Ask);
    if matches!(methods, Some(Some(_))) {
        requester?;
    } else if !error_page::wants_page(&parts) {
        requester.map_err(Problem::without_challenge)?;
    }
    Err(match methods {
        None => Problem::new(
            ProblemKind::NoRoute,
            "nothing is served at this path: /openapi.json lists what is, and MCP is at /mcp",
        ),
        // The page's files aren't in the OpenAPI document.
        Some(None) => Problem::method_not_allowed(&["GET"]),
        Some(Some(methods)) => Problem::method_not_allowed(methods),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operation ids of the routes whose access matches.
    fn operation_ids(matches: impl Fn(Access) -> bool) -> Vec<String> {
        let matching = all_routes().filter(|(access, _)| matches(*access));
        let items = matching.flat_map(|(_, described)| described().1.paths.into_values());
        let operations = items.flat_map(|item| [item.get, item.post, item.put, item.delete]);
        let ids = operations
            .flatten()
            .filter_map(|operation| operation.operation_id);
        ids.collect()
    }

    #[test]
    fn each_scope_has_these_routes() {
        let public = operation_ids(|access| access.scope == Scope::None);
        assert_eq!(public, ["alive", "signIn", "pair", "pairState"]);
        let ask = operation_ids(|access| access.scope == Scope::Ask);
        let expected = ["describe", "metrics", "open", "wait", "withdraw", "get"];
        assert_eq!(ask, expected, "the agents' token permits no more");
    }

    #[test]
    fn devices_may_use_these_routes() {
        let ids = |devices| operation_ids(|access| access.devices == devices);
        assert_eq!(ids(DeviceRule::Unpaired), ["pair", "pairState"]);
        assert_eq!(ids(DeviceRule::Always), ["alive"]);
        assert_eq!(ids(DeviceRule::WithKey), ["signIn"]);
        let see = [
            "get", "session", "signOut", "list", "getFile", "stats", "export", "events", "status",
        ];
        assert_eq!(
            ids(DeviceRule::See),
            see,
            "these change at most the device's own session"
        );
        let answer = [
            "draft", "answer", "decline", "clarify", "takeBack", "endHold", "snooze", "extend",
            "shown", "putFile", "presence",
        ];
        assert_eq!(ids(DeviceRule::Answer), answer);
    }
}
