//! Which accounts of this machine may connect: the person's own, root, and those that the settings
//! name.
//
// While no hub holds the port, another program may take it and receive the tokens that returning
// agents send. Those tokens are useless to another account because of this check. Only Linux says
// which account owns a connection; elsewhere the token alone decides.

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

/// The number of open connections of refused accounts. Each of them gets a reply with the reason,
/// and the limit leaves room for other connections.
const MOST_STRANGERS: usize = 64;

/// The accounts that may connect, besides the person's own and root.
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

    /// Closes the connection of a refused account if too many of these are open.
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

/// Restricts a router to programs of these accounts, where the request names this machine's
/// loopback. Requests from devices arrive through a proxy, which may run under any account.
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

/// The reply on a connection that is closed already. It only appears in the request log.
fn closed() -> Response {
    let said = "the connection was closed before it was known whose it is";
    rejection(ProblemKind::ForeignAccount, StatusCode::FORBIDDEN, said)
}
