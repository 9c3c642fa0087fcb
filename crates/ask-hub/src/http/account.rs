//! Which accounts of this machine may connect: the person's own, root, and those that the settings name.
//!
//! Whoever takes the port while no hub holds it is sent the tokens of agents that come back to it, and
//! this is why another account gets nowhere with them. Linux tells whose a connection is; elsewhere the
//! token alone decides.

use ask_config::logging::Throttle;
use ask_config::process::{Account, is_own_account};
use ask_protocol::api::is_one_of;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};

use super::refusal::{Why, refusal};
use super::{Client, Guard, named};

static REFUSED: Throttle = Throttle::new();

/// Has a router answer nobody else than programs of these accounts, of the person and of root, where they
/// call this machine by a name of its own. Whoever passes on what devices send may be any account.
pub fn limited_to(accounts: Vec<u32>, router: Router) -> Router {
    router.layer(from_fn(
        move |ConnectInfo(client): ConnectInfo<Client>, request: Request, next: Next| {
            let accounts = accounts.clone();
            async move {
                if !is_for_here(&request) {
                    return next.run(request).await.into_response();
                }
                let is_in = |account| is_own_account(account) || accounts.contains(&account);
                match client.account().await {
                    Account::Of(account) if !is_in(account) => foreign(account),
                    Account::Gone => closed(),
                    Account::Unknown if !client.is_there() => closed(),
                    Account::Of(_) | Account::Unknown => next.run(request).await.into_response(),
                }
            }
        },
    ))
}

fn is_for_here(request: &Request) -> bool {
    let named = named(request.uri(), request.headers()).unwrap_or_default();
    named
        .iter()
        .all(|host| is_one_of(&Guard::default().hosts, host))
}

fn foreign(account: u32) -> Response {
    if let Some(left_out) = REFUSED.pass() {
        tracing::warn!(
            account,
            left_out,
            "a program of another account was refused over HTTP"
        );
    }
    let said = format!(
        "this hub is of another account of this machine: where the account with the number {account} may connect, its person says so by `accounts = \"{account}\"` under [http] in config.toml"
    );
    refusal(Why::ForeignAccount, StatusCode::FORBIDDEN, &said)
}

/// Nobody reads it.
fn closed() -> Response {
    let said = "the connection was closed before it was known whose it is";
    refusal(Why::ForeignAccount, StatusCode::FORBIDDEN, said)
}
