//! The callers of a campaign, and which of them may receive an answer: an agent's process or its
//! HTTP session. The hub's view isn't consulted. Each caller puts its number into the project of
//! its asks, which isn't part of their fingerprint, so that every record names its caller.
//!
//! An answer may go to its caller, to a call that names its id, and to one successor: an agent of
//! the same client in the same folder that began after the caller and the program that started it
//! had ended, and that is the only such agent. A program that still runs may continue what one of
//! its own servers left behind. Whoever takes up an ask is its caller from then on. If the
//! campaign can't tell whether a caller had ended, it assumes that it had, so that every reported
//! fault is one.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

/// What started an agent's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// The campaign, which is one client with many sub-agents.
    Campaign,
    /// A program of its own, which ends with it.
    Own,
    /// Nothing: it is an HTTP session, which lasts until it is deleted.
    Session,
    /// The campaign itself, over HTTP without a session. The caller of a request exists while that
    /// request is open.
    Requests,
}

/// A caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The name of its client.
    pub client: String,
    /// The folder that it works in.
    pub folder: Option<String>,
    /// A name that no other caller has, if it sends one.
    pub name: Option<String>,
    /// What started it.
    pub program: Program,
    /// When it began.
    pub began: Instant,
    /// When it may have begun to end; `None` while it certainly runs.
    pub may_leave_at: Option<Instant>,
    /// When it had certainly ended.
    pub ended_at: Option<Instant>,
}

/// A call that asks or fetches.
#[derive(Clone, Copy, Debug)]
struct Call {
    tag: Option<u64>,
    id: i64,
    called_at: Instant,
    ended_at: Option<Instant>,
}

/// All callers of a campaign, by their numbers.
#[derive(Default)]
pub(crate) struct Callers {
    all: BTreeMap<u64, Caller>,
    calls: BTreeMap<u64, Vec<Call>>,
    /// When an ask of each caller was first seen at the hub.
    seen: BTreeMap<u64, Instant>,
    /// When hubs began to end, in order.
    hub_ends: Vec<Instant>,
    /// When disks became full, in order. Agents then continue without the hub, which no longer
    /// knows about them.
    pub disks_full: Vec<Instant>,
}

/// Start times of processes are coarse, and starting one takes time.
const START_TOLERANCE: Duration = Duration::from_secs(2);

/// The client name of agents that are shell scripts.
pub(crate) const SHELL: &str = "ask-user";

const NAMED: &str = "caller-";

/// The project by which a caller names itself.
pub(crate) fn project(number: u64) -> String {
    format!("{NAMED}{number}")
}

/// The number of the caller that a record's project names.
pub(crate) fn caller_in(project: Option<&str>) -> Option<u64> {
    project?.strip_prefix(NAMED)?.parse().ok()
}

impl Callers {
    /// Records the start of a caller.
    pub(crate) fn begin(&mut self, number: u64, caller: Caller) {
        self.all.insert(number, caller);
    }

    /// Records that a caller may have begun to end.
    pub(crate) fn begin_to_leave(&mut self, number: u64, at: Instant) {
        if let Some(caller) = self.all.get_mut(&number) {
            caller.may_leave_at.get_or_insert(at);
        }
    }

    /// Records that a caller has ended.
    pub(crate) fn end(&mut self, number: u64, at: Instant) {
        self.begin_to_leave(number, at);
        if let Some(caller) = self.all.get_mut(&number) {
            caller.ended_at.get_or_insert(at);
        }
    }

    /// Records a call.
    pub(crate) fn record_call(&mut self, number: u64, id: i64, tag: Option<u64>, at: Instant) {
        let call = Call {
            tag,
            id,
            called_at: at,
            ended_at: None,
        };
        self.calls.entry(number).or_default().push(call);
    }

    /// Records that a call has its reply, or that nobody waits for it any more.
    pub(crate) fn end_call(&mut self, number: u64, id: i64, at: Instant) {
        let calls = self.calls.get_mut(&number).into_iter().flatten();
        for call in calls.filter(|call| call.id == id) {
            call.ended_at.get_or_insert(at);
        }
    }

    /// Records that an ask of a caller was seen at the hub.
    pub(crate) fn record_seen(&mut self, number: u64, at: Instant) {
        self.seen.entry(number).or_insert(at);
    }

    /// Records that a hub begins to end.
    pub(crate) fn record_hub_end(&mut self, at: Instant) {
        self.hub_ends.push(at);
    }

    /// Records that a hub's disk is full.
    pub(crate) fn record_full_disk(&mut self, at: Instant) {
        self.disks_full.push(at);
    }

    /// Whether two callers can't be distinguished: both are single requests with the same client,
    /// folder and name.
    pub(crate) fn are_indistinguishable(&self, one: u64, other: u64) -> bool {
        let identity = |number: u64| {
            let caller = self.all.get(&number);
            let caller = caller.filter(|caller| caller.program == Program::Requests)?;
            Some((&caller.client, &caller.folder, &caller.name))
        };
        one == other || (identity(one).is_some() && identity(one) == identity(other))
    }

    /// A caller's description for the report.
    pub(crate) fn describe(&self, number: u64) -> String {
        match self.all.get(&number) {
            Some(caller) => format!("{number} ({}, {:?})", caller.client, caller.program),
            None => format!("{number} (nobody)"),
        }
    }

    /// Whether another sub-agent may take up what a caller left behind, now that all have ended:
    /// every agent of its client was a sub-agent, and it isn't a shell script, which names the id.
    pub(crate) fn leaves_to_sub_agents(&self, number: u64) -> bool {
        let caller = self.all.get(&number);
        let client = caller.map_or(SHELL, |caller| &caller.client);
        let mut of_client = self.all.values().filter(|other| other.client == client);
        client != SHELL && of_client.all(|other| other.program == Program::Campaign)
    }

    /// Whether agent `by` may have received the answer to an ask of `asker` at a time, as the reply
    /// to a call that it made at `called` and that names no id: from the asker, or from an agent
    /// that had taken the ask up.
    ///
    /// # Errors
    ///
    /// The reason why it may not.
    pub(crate) fn may_have(
        &self,
        asker: u64,
        tag: u64,
        by: u64,
        called: Option<Instant>,
        at: Instant,
    ) -> Result<(), &'static str> {
        let direct = self.may_take_up(asker, tag, by, called, at);
        match direct {
            Err(_) if self.may_have_taken_up_earlier(asker, tag, by, called, at) => Ok(()),
            direct => direct,
        }
    }

    /// Whether an earlier call of this agent, or the call of one that it may succeed, may have taken
    /// the ask up from its asker.
    fn may_have_taken_up_earlier(
        &self,
        asker: u64,
        tag: u64,
        by: u64,
        called: Option<Instant>,
        at: Instant,
    ) -> bool {
        let numbers = self.calls.keys().filter(|number| **number != asker);
        numbers.copied().any(|number| {
            let mut earlier = self
                .calls_with_tag(number, tag)
                .filter(|call| call.called_at < at);
            earlier.any(|call| {
                // It is made again at the next hub, so it may have taken the ask up at any time until its end.
                let until = call.ended_at.map_or(at, |ended_at| ended_at.min(at));
                let took_up = self.may_take_up(asker, tag, number, Some(call.called_at), until);
                took_up.is_ok()
            }) && (number == by || self.may_take_up(number, tag, by, called, at).is_ok())
        })
    }

    /// Who has called for an ask, and when, relative to a receipt: for the report.
    pub(crate) fn describe_calls(&self, tag: u64, receipt: Instant) -> String {
        let mut lines = String::new();
        for number in self.calls.keys().copied() {
            let mut calls = self.calls_with_tag(number, tag).peekable();
            let Some(caller) = self.all.get(&number).filter(|_| calls.peek().is_some()) else {
                continue;
            };
            let from_receipt = |at: Instant| {
                let after = at.saturating_duration_since(receipt).as_secs_f64();
                after - receipt.saturating_duration_since(at).as_secs_f64()
            };
            let seconds = |at: Option<Instant>| {
                at.map_or("never".to_owned(), |at| {
                    format!("{:+.3} s", from_receipt(at))
                })
            };
            lines.push_str(&format!(
                "\n        caller {} began {}, left {}, gone {}, calls",
                self.describe(number),
                seconds(Some(caller.began)),
                seconds(caller.may_leave_at),
                seconds(caller.ended_at)
            ));
            for call in calls {
                lines.push_str(&format!(
                    " {}..{}",
                    seconds(Some(call.called_at)),
                    seconds(call.ended_at)
                ));
            }
        }
        lines
    }

    fn may_take_up(
        &self,
        asker: u64,
        tag: u64,
        by: u64,
        called: Option<Instant>,
        at: Instant,
    ) -> Result<(), &'static str> {
        if asker == by {
            return Ok(());
        }
        let (Some(theirs), Some(ours)) = (self.all.get(&asker), self.all.get(&by)) else {
            return Err("one of the two is nobody");
        };
        if theirs.client != ours.client {
            return Err("it is another client");
        }
        if theirs.folder.is_none() || theirs.folder != ours.folder {
            return Err("it works in another folder");
        }
        if theirs.name.is_some() && ours.name.is_some() && theirs.name != ours.name {
            return Err("they say different names");
        }
        if self.are_indistinguishable(asker, by) {
            return Ok(());
        }
        if self.still_runs(asker, theirs, tag, at) {
            return Err("its caller still stands");
        }
        if theirs.program == Program::Campaign {
            return match ours.program {
                Program::Campaign | Program::Requests => Ok(()),
                _ => Err("its caller's client still runs"),
            };
        }
        let asked = self.first_call(asker, tag);
        if asked.is_some_and(|asked| ours.began + START_TOLERANCE < asked) {
            return Err("it was there before that was asked");
        }
        if self.has_rival(asker, by, called, at) {
            return Err("another stands that may be the successor as well");
        }
        Ok(())
    }

    /// Whether a caller certainly still runs, or its request is still open.
    fn still_runs(&self, number: u64, caller: &Caller, tag: u64, at: Instant) -> bool {
        match caller.program {
            Program::Campaign | Program::Own | Program::Session => {
                caller.may_leave_at.is_none_or(|left| left > at)
            }
            Program::Requests => {
                let mut calls = self.calls_with_tag(number, tag).peekable();
                let is_open = |call: &Call| {
                    call.ended_at.is_none_or(|ended_at| ended_at > at)
                        && !self.has_hub_died(call.called_at, at)
                };
                calls.peek().is_some() && calls.all(is_open)
            }
        }
    }

    fn calls_with_tag(&self, number: u64, tag: u64) -> impl Iterator<Item = &Call> {
        let calls = self.calls.get(&number).into_iter().flatten();
        calls.filter(move |call| call.tag == Some(tag))
    }

    /// When a caller first asked this ask.
    fn first_call(&self, number: u64, tag: u64) -> Option<Instant> {
        self.calls_with_tag(number, tag)
            .map(|call| call.called_at)
            .min()
    }

    /// Whether the hub must know of another possible successor: it began after the asker had ended,
    /// the hub had seen an ask of it before this call was made, and since then neither that agent
    /// nor the hub's knowledge of it was lost.
    fn has_rival(&self, asker: u64, by: u64, called: Option<Instant>, at: Instant) -> bool {
        let (Some(theirs), Some(called)) = (self.all.get(&asker), called) else {
            return false;
        };
        let Some(ended_at) = theirs.ended_at else {
            return false;
        };
        self.all.iter().any(|(number, other)| {
            let is_alike = *number != asker
                && *number != by
                && other.client == theirs.client
                && other.folder == theirs.folder
                && (theirs.name.is_none() || other.name.is_none() || theirs.name == other.name);
            let came_after = other.began > ended_at + START_TOLERANCE;
            let has_process = matches!(other.program, Program::Campaign | Program::Own);
            let stays = other.may_leave_at.is_none_or(|left| left > at);
            let is_known = || {
                let seen = self.seen.get(number).copied();
                seen.is_some_and(|seen| {
                    let is_seen = !any_between(&self.hub_ends, seen, at)
                        && !any_between(&self.disks_full, seen, at);
                    seen < called && is_seen
                })
            };
            stays && came_after && has_process && is_alike && is_known()
        })
    }

    /// Whether a hub began to end between two times.
    fn has_hub_died(&self, from: Instant, to: Instant) -> bool {
        any_between(&self.hub_ends, from, to)
    }
}

/// Whether one of these sorted times lies between two times.
fn any_between(moments: &[Instant], from: Instant, to: Instant) -> bool {
    let next = moments.partition_point(|moment| *moment < from);
    moments.get(next).is_some_and(|moment| *moment <= to)
}
