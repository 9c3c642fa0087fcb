//! Who may have an answer: the program that asked, which the machine can tell apart from others of
//! its kind.

use std::fmt;

use crate::time::Time;

/// One process of this machine. An id is reused after its process has ended; together with the
/// start it names one process for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Process {
    /// The id of the process.
    pub pid: u32,
    /// When it started, in a unit of the machine: higher for what started later.
    pub start: u64,
}

/// A process with its ancestors: its parent, the parent of that one, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ancestry {
    /// The process itself, then its ancestors, the nearest first.
    pub processes: Vec<Process>,
    /// The file name of its program.
    pub program: Option<String>,
    /// The terminal that controls it, as in `pts/3`.
    pub terminal: Option<String>,
    /// The client of the agent that it is known to serve, whoever started it: the link by which it
    /// signed in was fetched below that agent.
    pub below_agent: Option<String>,
    /// The name under which one of these processes counts whose connections can't be looked up. It may
    /// be an asker that couldn't be identified.
    pub below_hidden: Option<String>,
    /// The agents' servers that one of these processes has started and that run, and an agent that
    /// has no server. These agents may not have asked yet.
    pub servers: Vec<Caller>,
    /// The uppermost of these processes, if an agent's command left it in the background. Nothing tells
    /// which agent that was, only that it started earlier.
    pub left_behind: Option<Process>,
    /// Whether its environment has a variable that agents set for the commands that they run.
    pub is_agents_command: bool,
}

impl Ancestry {
    /// An unknown process that counts as below an agent of this name.
    pub fn marked_below(agent: &str) -> Self {
        Self {
            below_agent: Some(agent.to_owned()),
            ..Self::default()
        }
    }
}

/// The program that asks, as the machine knows it. It is stored with the ask, so that the answer
/// reaches the program after any restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The server process on standard streams. Over HTTP it is the session, or without one the
    /// process that sends the requests.
    pub instance: String,
    /// The process that is connected to the hub. `None` in a session with the hub over HTTP.
    pub process: Option<Process>,
    /// The process that started it: the agent's client. In a session over HTTP, the one that started
    /// the sender of the first request.
    pub client: Option<Process>,
    /// The agent's own process if it is neither of these: the one above the shell that runs a
    /// command, or the sender of the first request of a session over HTTP. While it runs, no other
    /// agent succeeds the caller. It also shows who answers, and whose share of the limits an ask
    /// uses.
    pub agent: Option<Process>,
    /// Other processes that speak for the agent, or that started one that does: the senders of its
    /// requests over HTTP, or a program other than ours that speaks to the hub itself. They show who
    /// answers. [`Process::UNKNOWN`] is in place of one that couldn't be found.
    pub senders: Vec<Process>,
    /// The programs above it that may be its agent, up to a shell in which a person types, the nearest
    /// first. The nearest may be a program that the agent runs, such as a build.
    pub above: Vec<Process>,
    /// When that process, or the HTTP session, began.
    pub started_at: Time,
}

/// The beginning of the instance of a process that sends HTTP requests without a session. Each
/// request is an instance of its own.
const REQUESTS: &str = "requests:";

/// The beginning of the instance of a session over HTTP.
pub const SESSION: &str = "http:";

/// What separates a caller at an app's own server from that server, in its instance.
const AT_SERVER: char = '/';

/// The beginning of the instance of a caller that the machine couldn't identify.
const UNSEEN: &str = "unseen:";

/// What a program reports to be when it opens an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A hook of an agent's client.
    Hook,
    /// A command that a person or a script runs.
    Command,
    /// Such a command that may also answer: `ask-user prompt`.
    Prompt,
    /// A surface that asks by itself: `ask-user prompt`, or `ask-user rpc` for its host.
    Surface,
}

impl Role {
    /// The beginning of the instance of a process in this role.
    fn prefix(self) -> &'static str {
        match self {
            Self::Hook => "hook:",
            Self::Command => "command:",
            Self::Prompt => "prompt:",
            Self::Surface => "surface:",
        }
    }
}

impl Caller {
    /// The same program if it speaks HTTP without a session. It may be a gateway for several
    /// agents, so each of its calls lasts only as long as its connection.
    #[must_use]
    pub fn without_session(mut self) -> Self {
        if let Some(process) = self.process {
            self.instance = format!("{REQUESTS}{process}");
        }
        self
    }

    /// The same program without what is above its agent.
    #[must_use]
    pub fn without_above(&self) -> Self {
        Self {
            above: Vec::new(),
            ..self.clone()
        }
    }

    /// A caller of which nothing but the instance is known.
    pub fn of_instance(instance: String) -> Self {
        Self {
            instance,
            process: None,
            client: None,
            agent: None,
            senders: Vec::new(),
            above: Vec::new(),
            started_at: Time(0),
        }
    }

    /// This caller, as an app's own server (`ask-user mcp --port`) reports it to the hub: an HTTP
    /// session, or a process that sends requests without one. It lasts no longer than `server`, which
    /// is that server, as the machine knows it. `None` if it is neither of the two.
    ///
    /// Nothing but its agent, and the programs around that, is taken from the report. A caller without
    /// a session is the process that sends the requests, or the agent above it if a shell runs
    /// commands. Any other program that started the sender counts as its agent for
    /// [`Self::is_of_other_agent`].
    pub fn nest_under(self, server: Self, now: Time) -> Option<Self> {
        let mut senders: Vec<Process> = self.processes().collect();
        senders.sort();
        senders.dedup();
        let (instance, agent) = match self.process {
            Some(sender) if self.instance == format!("{REQUESTS}{sender}") => {
                let agent = self.agent.or(self.client).unwrap_or(sender);
                let sender = self.agent.unwrap_or(sender);
                (format!("{REQUESTS}{sender}"), Some(agent))
            }
            _ if is_session_name(&self.instance) => (self.instance, self.agent.or(server.agent)),
            _ => return None,
        };
        Some(Self {
            instance: format!("{instance}{AT_SERVER}{}", server.instance),
            agent,
            senders,
            above: self.above,
            started_at: self.started_at.min(now).max(server.started_at),
            ..server
        })
    }

    /// Whether it speaks HTTP to an app's own server.
    pub fn is_nested(&self) -> bool {
        (self.is_session() || self.is_sessionless_http()) && self.instance.contains(AT_SERVER)
    }

    /// Whether it is an HTTP session: of the hub, or of a server of its own.
    pub fn is_session(&self) -> bool {
        self.instance.starts_with(SESSION)
    }

    /// The caller that a program reports when it opens an ask in this role. The machine knows the rest.
    pub fn of_role(role: Role) -> Self {
        Self::of_instance(role.prefix().to_owned())
    }

    /// An agent that has no server: its extension runs `ask-user prompt`.
    pub fn without_server(agent: Process) -> Self {
        Self {
            agent: Some(agent),
            ..Self::of_instance(format!("{}{agent}", Role::Surface.prefix()))
        }
    }

    /// Whether it is an agent that has no server.
    pub fn has_no_server(&self) -> bool {
        self.is_surface() && self.process.is_none()
    }

    /// The same program in this role.
    #[must_use]
    pub fn in_role(mut self, role: Role) -> Self {
        self.instance.insert_str(0, role.prefix());
        self
    }

    /// The role that it reported. `None` for a server of an agent.
    pub fn role(&self) -> Option<Role> {
        let roles = [Role::Hook, Role::Command, Role::Prompt, Role::Surface];
        roles
            .into_iter()
            .find(|role| self.instance.starts_with(role.prefix()))
    }

    /// Whether it is a surface that asks by itself.
    pub fn is_surface(&self) -> bool {
        self.role() == Some(Role::Surface)
    }

    /// Whether it is a command or a surface, which asks for the program that started it: perhaps a
    /// person's script or editor, and no agent.
    pub fn asks_for_program(&self) -> bool {
        matches!(
            self.role(),
            Some(Role::Command | Role::Prompt | Role::Surface)
        )
    }

    /// Whether it may answer what it asks. It takes up nothing of a caller that may not.
    pub fn may_answer_itself(&self) -> bool {
        matches!(self.role(), Some(Role::Prompt | Role::Surface))
    }

    /// The key under which an agent's share of the limits is counted, for all its servers and
    /// sessions together.
    pub fn share(&self) -> String {
        let sender = self.process.filter(|_| self.is_sender());
        let agent = self.agent.or(self.client).or(sender);
        agent.map_or_else(|| self.instance.clone(), |agent| agent.to_string())
    }

    /// Whether an agent that runs started it, and another one started `other`. A command may have
    /// ended together with the shell that ran it, while the agent above that shell goes on.
    pub fn is_of_other_agent(&self, other: &Self, runs: impl Fn(Process) -> bool) -> bool {
        // The nearest program that runs decides: a person may have started several agents by one
        // program.
        let nearest = self.programs().find(|one| runs(*one));
        let is_others = |program: Process| other.programs().all(|theirs| theirs != program);
        // Any process may have gone on with a session of theirs.
        let running = self.senders.iter().filter(|one| runs(**one));
        let running: Vec<&Process> = running.collect();
        let is_shared = running.iter().any(|program| other.is_known_by(**program));
        nearest.is_some_and(is_others) || !running.is_empty() && !is_shared
    }

    /// Whether this process is known to belong to it, or to be above it.
    pub fn is_known_by(&self, process: Process) -> bool {
        let mut known = self.programs().chain(self.agents());
        known.any(|one| one == process)
    }

    /// The programs that may be its agent, the nearest first. The client of an app's own server
    /// didn't start the agents that speak to it.
    pub fn programs(&self) -> impl Iterator<Item = Process> {
        let client = self.client.filter(|_| !self.is_nested());
        let nearest = [self.agent, client].into_iter().flatten();
        nearest.chain(self.above.iter().copied())
    }

    /// Whether it speaks HTTP without a session.
    pub fn is_sessionless_http(&self) -> bool {
        self.instance.starts_with(REQUESTS)
    }

    /// Whether its process itself sends requests to the hub over HTTP, without a session.
    pub fn is_sender(&self) -> bool {
        self.is_sessionless_http() && !self.is_nested()
    }

    /// The process that sends requests to an app's own server, without a session. The caller ends
    /// with it, or with the server.
    pub fn nested_sender(&self) -> Option<Process> {
        let (sender, _) = self
            .instance
            .strip_prefix(REQUESTS)?
            .split_once(AT_SERVER)?;
        Process::parse(sender)
    }

    /// Its own process, and those of the programs that started it.
    pub fn processes(&self) -> impl Iterator<Item = Process> {
        let own = self.process.filter(|_| !self.is_sender());
        let client = self.client.filter(|_| self.is_nested());
        own.into_iter().chain(client).chain(self.agents())
    }

    /// The processes of its agent: what they start is below the agent. An app that has a server of its
    /// own is no agent.
    pub fn agents(&self) -> impl Iterator<Item = Process> {
        let sender = self.process.filter(|_| self.is_sender());
        let client = self.client.filter(|_| !self.is_nested());
        let agents = [sender, client, self.agent].into_iter().flatten();
        agents.chain(self.senders.iter().copied())
    }

    /// Whether the machine couldn't identify a process of its agent.
    pub fn is_unseen(&self) -> bool {
        let is_known = match self.is_nested() {
            true => !self.senders.is_empty(),
            false => self.processes().next().is_some(),
        };
        !is_known || self.senders.contains(&Process::UNKNOWN)
    }

    /// The processes that it needs: it ends with any of them.
    pub fn needed_processes(&self) -> impl Iterator<Item = Process> {
        self.process.into_iter().chain(self.nested_sender())
    }

    /// A caller that the machine couldn't identify. `seen_as` distinguishes it from other such
    /// callers: the connection that it uses, or what it asked.
    pub fn unidentified(seen_as: impl fmt::Display, at: Time) -> Self {
        Self {
            started_at: at,
            ..Self::of_instance(format!("{UNSEEN}{seen_as}"))
        }
    }

    /// Whether the machine couldn't identify it.
    pub fn is_unidentified(&self) -> bool {
        // The role comes first.
        self.process.is_none() && self.instance.contains(UNSEEN)
    }
}

/// Whether an instance is as a server names its sessions.
fn is_session_name(instance: &str) -> bool {
    let hash = instance.strip_prefix(SESSION).unwrap_or_default();
    hash.len() == 24 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Process {
    /// Stands for a process that couldn't be found.
    pub const UNKNOWN: Self = Self { pid: 0, start: 0 };

    /// Parses what `Display` writes: the id, a colon, the start.
    pub fn parse(text: &str) -> Option<Self> {
        let (pid, start) = text.split_once(':')?;
        Some(Self {
            pid: pid.parse().ok()?,
            start: start.parse().ok()?,
        })
    }

    /// Whether it may have started another process, itself or through others: it started earlier. Ids
    /// rise within the same tick of the clock.
    pub fn may_have_started(self, other: Self) -> bool {
        (self.start, self.pid) < (other.start, other.pid)
    }
}

impl fmt::Display for Process {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.pid, self.start)
    }
}
