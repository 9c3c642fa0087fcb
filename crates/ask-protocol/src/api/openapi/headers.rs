//! What responses say in their headers.

use serde_json::json;

use crate::api::routes::{Op, Route};
use ask_core::Json;

/// Of how a route succeeds.
pub(super) fn done(route: &Route) -> Json {
    let mut out = json!({"X-Request-Id": request_id(true)});
    if route.op == Op::Open {
        out["Location"] = header("Where the ask is", true);
    }
    if [Op::Export, Op::GetFile].contains(&route.op) {
        let does = "Whether a browser shows it or saves it, and as what";
        out["Content-Disposition"] = header(does, true);
    }
    if [Op::SignIn, Op::SignOut].contains(&route.op) {
        out["Set-Cookie"] = header("The cookie, or its end", true);
    }
    if route.op == Op::PairState {
        let does = "The cookie, with the first `allowed`";
        out["Set-Cookie"] = header(does, false);
    }
    out
}

/// Of a problem.
pub(super) fn problem(status: u16) -> Json {
    let mut out = json!({"X-Request-Id": request_id(status != 503)});
    match status {
        401 => {
            let does = "`Bearer`; at the address of devices, which take no tokens, `Cookie`";
            out["WWW-Authenticate"] = header(does, true);
        }
        429 => out["Retry-After"] = seconds("In how many seconds to come again", true),
        503 => {
            let does = "In how many seconds to come again, where too many were connected";
            out["Retry-After"] = seconds(does, false);
        }
        _ => {}
    }
    out
}

fn request_id(required: bool) -> Json {
    let does = match required {
        true => "What the request is called, here and in the hub's log",
        false => {
            "What the request is called, here and in the hub's log; not where too many were connected"
        }
    };
    header(does, required)
}

fn header(does: &str, required: bool) -> Json {
    json!({"description": does, "required": required, "schema": {"type": "string"}})
}

fn seconds(does: &str, required: bool) -> Json {
    json!({"description": does, "required": required, "schema": {"type": "integer"}})
}
