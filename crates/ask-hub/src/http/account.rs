//! Which accounts of this machine may connect: the person's own, root, and those that the settings name.
//!
//! Whoever takes the port while no hub holds it is sent the tokens of agents that come back to it, and
//! this is why another account gets nowhere with them. Linux tells whose a connection is; elsewhere the
//! token alone decides.

use std::sync::Arc;

use ask_config::logging::Throttle;
use ask_config::process::{Account, is_own_account};
use ask_protocol::api::is_one_of;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::Semaphore;

use super::problem::ProblemKind;
use super::rejection::rejection;
use super::{Client, Guard, named};

static REFUSED: Throttle = Throttle::new();

/// So many connections of accounts that may not connect are open at a time: each is told why, and they
/// leave room for the others.
const MOST_STRANGERS: usize = 64;

/// The accounts that may connect beside the person's and root.
pub struct Accounts {
    named: Vec<u32>,
    strangers: Arc<Semaphore>,
}

impl Accounts {
    /// `named` are the user ids in `http.accounts`.
    pub fn new(named: Vec<u32>) -> Self {
        Self {
            named,
            strangers: Arc::new(Semaphore::new(MOST_STRANGERS)),
        }
    }

    fn has(&self, account: u32) -> bool {
        is_own_account(account) || self.named.contains(&account)
    }

    /// Hangs up on a client of another account, where there are many of these.
    pub(super) async fn look_at(self: Arc<Self>, client: Client) {
        let Account::Uid(account) = client.account().await else {
            return;
        };
        if self.has(account) {
            return;
        }
        match Arc::clone(&self.strangers).try_acquire_owned() {
            Ok(place) => client.keep(place),
            Err(_) => client.hang_up(),
        }
    }
}

/// Has a router answer nobody else than programs of these accounts, of the person and of root, where they
/// call this machine by a name of its own. Whoever passes on what devices send may be any account.
pub fn limited_to(accounts: &Arc<Accounts>, router: Router) -> Router {
    let accounts = Arc::clone(accounts);
    router.layer(from_fn(
        move |ConnectInfo(client): ConnectInfo<Client>, request: Request, next: Next| {
            let accounts = Arc::clone(&accounts);
            async move {
                if !names_this_machine(&request) {
                    return next.run(request).await.into_response();
                }
                match client.account().await {
                    Account::Uid(account) if !accounts.has(account) => foreign(account),
                    Account::Gone => closed(),
                    Account::Unknown if !client.is_there() => closed(),
                    Account::Uid(_) | Account::Unknown => next.run(request).await.into_response(),
                }
            }
        },
    ))
}

fn names_this_machine(request: &Request) -> bool {
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
    rejection(ProblemKind::ForeignAccount, StatusCode::FORBIDDEN, &said)
}

/// The reply on a connection whose other end is closed. Only the log of requests has it.
fn closed() -> Response {
    let said = "the connection was closed before it was known whose it is";
    rejection(ProblemKind::ForeignAccount, StatusCode::FORBIDDEN, said)
}
