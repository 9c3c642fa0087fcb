//! The one table of routes: the hub serves what is in it, and the OpenAPI document is written
//! from it.

mod queries;
mod table;

pub use table::ROUTES;

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A sign of life.
    Alive,
    /// The document that describes all this.
    Describe,
    /// Figures for operators.
    Metrics,
    /// A cookie for a one-time key.
    SignIn,
    /// An end of that cookie.
    SignOut,
    /// To ask.
    Open,
    /// What waits, or what is over.
    List,
    /// One ask.
    Get,
    /// Its outcome, once there is one.
    Wait,
    /// Files that its answer may name.
    Paths,
    /// To keep a half-filled form.
    Draft,
    /// To answer.
    Answer,
    /// To decline.
    Decline,
    /// To ask back.
    Clarify,
    /// To put aside, or back.
    Snooze,
    /// To take more time.
    Extend,
    /// To take an ask back.
    Withdraw,
    /// To note that a person sees it.
    Shown,
    /// To remove it for good.
    Forget,
    /// To remove what a filter finds for good.
    ForgetSome,
    /// To keep a file.
    PutFile,
    /// A file.
    GetFile,
    /// The figures over a history.
    Stats,
    /// A history, written out.
    Export,
    /// What happens, as it happens.
    Events,
    /// To say whether the person is there.
    Presence,
    /// To mute notifications.
    Mute,
    /// How the hub is.
    Status,
    /// Who a page is, and how it reaches the hub.
    Session,
    /// To ask to be let in, for a device.
    Pair,
    /// What became of that.
    PairState,
    /// How pairing stands.
    Pairing,
    /// To let devices come.
    PairingOn,
    /// To let none come.
    PairingOff,
    /// To say yes or no to a device.
    Decide,
    /// To let a device in no more.
    Revoke,
}

/// What devices may do with a route: browsers of other machines that the person let in. One that
/// says nothing is not for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Devices {
    /// Nothing: it is for the computer alone.
    Never,
    /// Use it before they are let in.
    Strangers,
    /// Use it.
    See,
    /// Use it, if they may answer.
    Answer,
}

/// What a client must have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Nothing.
    Nobody,
    /// The token of agents, or more.
    Ask,
    /// The token of programs that answer, or a signed-in page.
    Answer,
}

/// What a body holds, by the name of its schema.
pub type Schema = &'static str;

/// One route.
pub struct Route {
    /// What it is for.
    pub op: Op,
    /// GET, POST, PUT or DELETE.
    pub method: &'static str,
    /// Its path; `{id}` and `{digest}` stand for one part.
    pub path: &'static str,
    /// Who may.
    pub scope: Scope,
    /// Which devices may.
    pub devices: Devices,
    /// What it does, in one line.
    pub does: &'static str,
    /// What it takes in its query.
    pub query: &'static [&'static [(&'static str, &'static str)]],
    /// What its body holds, if it has one.
    pub takes: Option<Schema>,
    /// How it succeeds, and what it gives then.
    pub gives: (u16, Option<Schema>),
    /// How it fails besides what all routes share.
    pub fails: &'static [(u16, &'static str)],
}

impl Route {
    /// Whether its query says which asks are meant. A word that nobody understands there would leave
    /// more of them than that.
    pub fn narrows(&self) -> bool {
        self.method == "DELETE" || self.query.contains(&queries::FILTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_needs_the_scope_that_answers() {
        use Op::{Answer, Clarify, Decide, Decline, Draft, Events, Extend, Forget, List, Revoke};
        use Op::{ForgetSome, Pairing, PairingOff, PairingOn, Paths, Snooze};
        let answering = [
            Answer, Clarify, Decline, Draft, Events, Extend, Forget, List, Snooze, Pairing,
            PairingOn, PairingOff, Decide, Revoke, ForgetSome, Paths,
        ];
        for route in ROUTES.iter().filter(|route| answering.contains(&route.op)) {
            assert_eq!(route.scope, Scope::Answer, "{}", route.path);
        }
        let open = ROUTES.iter().filter(|route| route.scope == Scope::Nobody);
        let open: Vec<Op> = open.map(|route| route.op).collect();
        assert_eq!(open, [Op::Alive, Op::SignIn, Op::Pair, Op::PairState]);
    }

    #[test]
    fn what_lists_counts_or_removes_asks_narrows_them_down() {
        let narrowing = ROUTES.iter().filter(|route| route.narrows());
        let reading = narrowing.filter(|route| route.method == "GET");
        let reading: Vec<Op> = reading.map(|route| route.op).collect();
        assert_eq!(reading, [Op::List, Op::Stats, Op::Export]);
    }

    #[test]
    fn what_devices_may_is_known_for_each_route() {
        let of = |wanted: Devices| -> Vec<Op> {
            let routes = ROUTES.iter().filter(|route| route.devices == wanted);
            routes.map(|route| route.op).collect()
        };
        assert_eq!(of(Devices::Strangers), [Op::Alive, Op::Pair, Op::PairState]);
        for route in ROUTES.iter().filter(|route| route.devices == Devices::See) {
            let is_own_end = route.op == Op::SignOut;
            assert!(route.method == "GET" || is_own_end, "{}", route.path);
        }
        let never = of(Devices::Never);
        for op in [
            Op::Describe,
            Op::Metrics,
            Op::SignIn,
            Op::Open,
            Op::Paths,
            Op::Withdraw,
            Op::Forget,
            Op::ForgetSome,
            Op::Mute,
            Op::Pairing,
            Op::PairingOn,
            Op::PairingOff,
            Op::Decide,
            Op::Revoke,
        ] {
            assert!(never.contains(&op), "{op:?}");
        }
    }
}
