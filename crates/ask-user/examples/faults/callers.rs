//! Who asks, and whose an answer is: an agent's process, or its session over HTTP. What the hub
//! knows of them is not asked; each caller names itself in the project of its asks, which makes
//! no two asks different, so that every record tells the campaign who asked it.
//!
//! An answer goes to its caller, to a call that names its id, and to nobody else but the one
//! that takes its caller's place: the same client in the same folder, once the caller and the
//! program that started it are gone, which came after it, and beside which no other stands.
//! A program that still runs may go on with what one of its own servers left behind. Where the
//! campaign can't tell whether a caller was gone already, it was: what is judged wrong is wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

/// What started an agent's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The campaign, which is one client with many sub-agents.
    Campaign,
    /// A program of its own, which ends with it.
    Own,
    /// It has no process: a session over HTTP, which stands until it is deleted.
    Session,
    /// The campaign itself, over HTTP: each request stands for itself, and the asker of one is there
    /// while it is open.
    Requests,
}

/// One caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The client that it says it is.
    pub client: String,
    /// The folder that it works in.
    pub folder: Option<String>,
    /// A name that tells it apart from all others, where it says one.
    pub name: Option<String>,
    /// What started it.
    pub program: Program,
    /// When it began.
    pub began: Instant,
    /// From when on it may be gone.
    pub leaves: Option<Instant>,
    /// When it certainly was.
    pub gone: Option<Instant>,
}

/// One call that asks, or fetches.
#[derive(Clone, Copy, Debug)]
struct Call {
    tag: Option<u64>,
    id: i64,
    made: Instant,
    over: Option<Instant>,
}

/// All callers of a campaign, by the numbers that name them.
#[derive(Default)]
pub struct Callers {
    all: BTreeMap<u64, Caller>,
    calls: BTreeMap<u64, Vec<Call>>,
    /// When an ask of theirs was first seen at the hub.
    heard: BTreeMap<u64, Instant>,
    /// When hubs began to end.
    hubs_gone: Vec<Instant>,
    /// When disks became full: agents go on without the hub, which thereby loses sight of them.
    pub disks_full: Vec<Instant>,
}

/// Clocks of processes are coarse, and starting one takes a while.
const SLACK: Duration = Duration::from_secs(2);

/// The client of agents that are shell scripts.
pub const SHELL: &str = "ask-user";

const NAMED: &str = "caller-";

/// How a caller names itself.
pub fn project(number: u64) -> String {
    format!("{NAMED}{number}")
}

/// Which caller a record says it is of.
pub fn number_in(project: Option<&str>) -> Option<u64> {
    project?.strip_prefix(NAMED)?.parse().ok()
}

impl Callers {
    /// A caller begins.
    pub fn begin(&mut self, number: u64, caller: Caller) {
        self.all.insert(number, caller);
    }

    /// From here on a caller may be gone.
    pub fn leaves(&mut self, number: u64, at: Instant) {
        if let Some(caller) = self.all.get_mut(&number) {
            caller.leaves.get_or_insert(at);
        }
    }

    /// A caller is gone.
    pub fn gone(&mut self, number: u64, at: Instant) {
        self.leaves(number, at);
        if let Some(caller) = self.all.get_mut(&number) {
            caller.gone.get_or_insert(at);
        }
    }

    /// A caller makes a call.
    pub fn calls(&mut self, number: u64, id: i64, tag: Option<u64>, at: Instant) {
        let call = Call {
            tag,
            id,
            made: at,
            over: None,
        };
        self.calls.entry(number).or_default().push(call);
    }

    /// A call has its reply, or nobody waits for that any more.
    pub fn over(&mut self, number: u64, id: i64, at: Instant) {
        let calls = self.calls.get_mut(&number).into_iter().flatten();
        for call in calls.filter(|call| call.id == id) {
            call.over.get_or_insert(at);
        }
    }

    /// An ask of a caller was seen at the hub.
    pub fn heard(&mut self, number: u64, at: Instant) {
        self.heard.entry(number).or_insert(at);
    }

    /// A hub begins to end.
    pub fn hub_goes(&mut self, at: Instant) {
        self.hubs_gone.push(at);
    }

    /// A hub's disk is full.
    pub fn disk_is_full(&mut self, at: Instant) {
        self.disks_full.push(at);
    }

    /// Whether nothing tells two apart: requests that stand for themselves, and say the same.
    pub fn are_one(&self, one: u64, other: u64) -> bool {
        let said = |number: u64| {
            let caller = self.all.get(&number);
            let caller = caller.filter(|caller| caller.program == Program::Requests)?;
            Some((&caller.client, &caller.folder, &caller.name))
        };
        one == other || (said(one).is_some() && said(one) == said(other))
    }

    /// A caller, in words.
    pub fn describe(&self, number: u64) -> String {
        match self.all.get(&number) {
            Some(caller) => format!("{number} ({}, {:?})", caller.client, caller.program),
            None => format!("{number} (nobody)"),
        }
    }

    /// Whether what one left behind is another sub-agent's, now that all have gone: where its client
    /// had no other agents than sub-agents, and is no shell, which names the id.
    pub fn leaves_to_sub_agents(&self, number: u64) -> bool {
        let caller = self.all.get(&number);
        let client = caller.map_or(SHELL, |caller| &caller.client);
        let mut of_client = self.all.values().filter(|other| other.client == client);
        client != SHELL && of_client.all(|other| other.program == Program::Campaign)
    }

    /// Whether an answer to what one asked may come out at another, at that moment, as the reply to a
    /// call that it made then and that names no id.
    ///
    /// # Errors
    /// Why not.
    pub fn may_have(
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
        if self.are_one(asker, by) {
            return Ok(());
        }
        if self.stands(asker, theirs, tag, at) {
            return Err("its caller still stands");
        }
        if theirs.program == Program::Campaign {
            return match ours.program {
                Program::Campaign | Program::Requests => Ok(()),
                _ => Err("its caller's client still runs"),
            };
        }
        let asked = self.asked(asker, tag);
        if asked.is_some_and(|asked| ours.began + SLACK < asked) {
            return Err("it was there before that was asked");
        }
        if self.has_rival(asker, by, called, at) {
            return Err("another stands that may be the successor as well");
        }
        Ok(())
    }

    /// Whether a caller is certainly there.
    fn stands(&self, number: u64, caller: &Caller, tag: u64, at: Instant) -> bool {
        match caller.program {
            Program::Campaign | Program::Own | Program::Session => {
                caller.leaves.is_none_or(|left| left > at)
            }
            Program::Requests => {
                let mut calls = self.of_tag(number, tag).peekable();
                let is_open = |call: &Call| {
                    call.over.is_none_or(|over| over > at) && !self.has_hub_died(call.made, at)
                };
                calls.peek().is_some() && calls.all(is_open)
            }
        }
    }

    fn of_tag(&self, number: u64, tag: u64) -> impl Iterator<Item = &Call> {
        let calls = self.calls.get(&number).into_iter().flatten();
        calls.filter(move |call| call.tag == Some(tag))
    }

    /// When a caller first asked this.
    fn asked(&self, number: u64, tag: u64) -> Option<Instant> {
        self.of_tag(number, tag).map(|call| call.made).min()
    }

    /// Whether the hub must know of another that may be the successor: it came after the asker, the
    /// hub had an ask of its before this call was made, and neither of them went since.
    fn has_rival(&self, asker: u64, by: u64, called: Option<Instant>, at: Instant) -> bool {
        let (Some(theirs), Some(called)) = (self.all.get(&asker), called) else {
            return false;
        };
        let Some(gone) = theirs.gone else {
            return false;
        };
        self.all.iter().any(|(number, other)| {
            let is_alike = *number != asker
                && *number != by
                && other.client == theirs.client
                && other.folder == theirs.folder
                && (theirs.name.is_none() || other.name.is_none() || theirs.name == other.name);
            let came_after = other.began > gone + SLACK;
            let has_place = matches!(other.program, Program::Campaign | Program::Own);
            let stays = other.leaves.is_none_or(|left| left > at);
            let is_known = || {
                let heard = self.heard.get(number).copied();
                heard.is_some_and(|heard| {
                    let is_seen = !any_between(&self.hubs_gone, heard, at)
                        && !any_between(&self.disks_full, heard, at);
                    heard < called && is_seen
                })
            };
            stays && came_after && has_place && is_alike && is_known()
        })
    }

    /// Whether a hub began to end between two moments.
    fn has_hub_died(&self, from: Instant, to: Instant) -> bool {
        any_between(&self.hubs_gone, from, to)
    }
}

/// Whether one of these, which are in order, lies between two moments.
fn any_between(moments: &[Instant], from: Instant, to: Instant) -> bool {
    let next = moments.partition_point(|moment| *moment < from);
    moments.get(next).is_some_and(|moment| *moment <= to)
}
