//! Who may be given an answer: the one program that asked, told apart from its twins by what the
//! machine knows of it.

use std::fmt;

use crate::id::AskId;
use crate::time::Time;

/// One process of this machine. A number is used again after its process has ended; together with
/// the start it names one process for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started, in a unit of the machine's own. Only compared for equality.
    pub start: u64,
}

/// A process with the ones above it: who started it, who started that one, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ancestry {
    /// The process itself, then its ancestors, the nearest first.
    pub processes: Vec<Process>,
    /// The file name of its program.
    pub program: Option<String>,
    /// The terminal that controls it, as in `pts/3`.
    pub terminal: Option<String>,
    /// The client of an agent that it is known to serve, whoever started it: what was fetched below that
    /// agent lets it in.
    pub below_agent: Option<String>,
}

/// The program that asks, as the machine knows it. It is kept with the ask, so that the answer finds
/// its way after any restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The server process on standard streams; over HTTP the session, or without one the process
    /// that sends the requests.
    pub instance: String,
    /// The process that speaks to the hub. None in a session over HTTP.
    pub process: Option<Process>,
    /// The process that started it: the agent's client.
    pub client: Option<Process>,
    /// The agent's own process where it is neither of these: above the shell that runs a command, or what
    /// sends the requests of a session over HTTP. It doesn't say whose an answer is, but who answers, and
    /// whose share of room an ask takes.
    pub agent: Option<Process>,
    /// When that process, or the session over HTTP, began.
    pub started_at: Time,
}

/// How a process is named that sends requests over HTTP, each of which stands for itself.
const REQUESTS: &str = "requests:";

/// What the name of a process begins with that is a hook of its client.
const HOOK: &str = "hook:";

/// How somebody is named of whom nothing is known but what they asked.
const UNSEEN: &str = "unseen:";

impl Caller {
    /// The same program where it speaks HTTP without a session. It may be a gateway for several
    /// agents, and each of its calls stands as long as its connection does.
    #[must_use]
    pub fn without_session(mut self) -> Self {
        if let Some(process) = self.process {
            self.instance = format!("{REQUESTS}{process}");
        }
        self
    }

    /// What a hook says of itself when it opens an ask. The machine tells the rest.
    pub fn of_hook() -> Self {
        Self {
            instance: HOOK.to_owned(),
            process: None,
            client: None,
            agent: None,
            started_at: Time(0),
        }
    }

    /// The same program as a hook of its client.
    #[must_use]
    pub fn as_hook(mut self) -> Self {
        self.instance.insert_str(0, HOOK);
        self
    }

    /// Whether it is a hook of its client, and no server of an agent.
    pub fn is_hook(&self) -> bool {
        self.instance.starts_with(HOOK)
    }

    /// Under what an agent's share of room is counted, however many servers and sessions it has.
    pub fn share(&self) -> String {
        let sender = self.process.filter(|_| self.is_sessionless_http());
        let agent = self.agent.or(sender).or(self.client);
        agent.map_or_else(|| self.instance.clone(), |agent| agent.to_string())
    }

    /// Whether it speaks HTTP without a session.
    pub fn is_sessionless_http(&self) -> bool {
        self.instance.starts_with(REQUESTS)
    }

    /// Whoever asked this, where the machine couldn't tell who that was.
    pub fn unidentified(asked: &AskId, at: Time) -> Self {
        Self {
            instance: format!("{UNSEEN}{asked}"),
            process: None,
            client: None,
            agent: None,
            started_at: at,
        }
    }

    /// Whether nothing is known of it.
    pub fn is_unidentified(&self) -> bool {
        self.instance.starts_with(UNSEEN)
    }
}

impl Process {
    /// Reads what `Display` wrote: the number, a colon, the start.
    pub fn parse(text: &str) -> Option<Self> {
        let (pid, start) = text.split_once(':')?;
        Some(Self {
            pid: pid.parse().ok()?,
            start: start.parse().ok()?,
        })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.pid, self.start)
    }
}
