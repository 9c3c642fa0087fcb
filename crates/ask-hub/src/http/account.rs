//! Which accounts of this machine may connect: the person's own, root, and those that the settings
//! name.
//
// While no hub has the port, another program may bind it and receive the tokens of agents that
// reconnect. Because of this check, a program of another account can't use such a token. Only Linux
// reports which account owns a connection; on other systems the token alone decides.

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
use super::{Client, Guard, named_hosts};

static REFUSED: Throttle = Throttle::new();

/// The most open connections of refused accounts. Each request on them gets a reply with the
/// reason. The limit leaves room for other connections.
const MAX_REFUSED: usize = 64;

/// The accounts that may connect, besides the person's own and root.
pub struct Accounts {
    named: Vec<u32>,
    refused: Arc<Semaphore>,
}

impl Accounts {
    /// `named` are the user ids in `http.accounts`.
    pub fn new(named: Vec<u32>) -> Self {
        Self {
            named,
            refused: Arc::new(Semaphore::new(MAX_REFUSED)),
        }
    }

    fn may_connect(&self, account: u32) -> bool {
        is_own_account(account) || self.named.contains(&account)
    }

    /// Closes the connection of a refused account if too many of these are open.
    pub(super) async fn limit_refused(self: Arc<Self>, client: Client) {
        let Account::Uid(account) = client.account().await else {
            return;
        };
        if self.may_connect(account) {
            return;
        }
        match Arc::clone(&self.refused).try_acquire_owned() {
            Ok(permit) => client.hold_permit(permit),
            Err(_) => client.close(),
        }
    }
}

/// Marks a request of an account that may connect because the settings name it, in the request's
/// extensions.
#[derive(Clone, Copy)]
pub struct NamedAccount;

/// Restricts a router to programs of these accounts, where the request names this machine's
/// loopback. Requests from devices arrive through a proxy, which may run under any account.
pub(crate) fn restrict_to_accounts(accounts: &Arc<Accounts>, router: Router) -> Router {
    let accounts = Arc::clone(accounts);
    router.layer(from_fn(
        move |ConnectInfo(client): ConnectInfo<Client>, mut request: Request, next: Next| {
            let accounts = Arc::clone(&accounts);
            async move {
                if !names_this_machine(&request) {
                    return next.run(request).await.into_response();
                }
                match client.account().await {
                    Account::Uid(account) if !accounts.may_connect(account) => {
                        foreign_account_response(account)
                    }
                    Account::Gone => closed_response(),
                    Account::Unknown if !client.is_connected() => closed_response(),
                    Account::Uid(account) if !is_own_account(account) => {
                        request.extensions_mut().insert(NamedAccount);
                        next.run(request).await.into_response()
                    }
                    Account::Uid(_) | Account::Unknown => next.run(request).await.into_response(),
                }
            }
        },
    ))
}

fn names_this_machine(request: &Request) -> bool {
    let hosts = named_hosts(request.uri(), request.headers()).unwrap_or_default();
    hosts
        .iter()
        .all(|host| is_one_of(&Guard::default().hosts, host))
}

fn foreign_account_response(account: u32) -> Response {
    if let Some(left_out) = REFUSED.pass() {
        tracing::warn!(
            account,
            left_out,
            "a program of another account was refused over HTTP"
        );
    }
    let detail = format!(
        "this hub belongs to another account of this machine. To let the account with the number {account} connect, its owner sets `accounts = \"{account}\"` under [http] in config.toml"
    );
    rejection(ProblemKind::ForeignAccount, StatusCode::FORBIDDEN, &detail)
}

/// The reply on a closed connection. It only appears in the request log.
fn closed_response() -> Response {
    let detail = "the connection was closed before its account was looked up";
    rejection(ProblemKind::ForeignAccount, StatusCode::FORBIDDEN, detail)
}
