//! Which caller may receive an answer: the one that asked, or its only possible successor.
//! Similarity alone is never enough, because two agents of the same client in the same folder are
//! two callers.

use ask_core::record::CARD;
use ask_core::{Ancestry, Asker, Caller, Process, Record, Role, SafeText, Time, lifecycle};

use crate::connections::Connections;

/// Facts about the processes of this machine and the HTTP sessions of the hub.
pub trait Machine {
    /// Whether this process runs. A later process with the same number doesn't count.
    fn runs(&self, process: Process) -> bool;

    /// Whether the HTTP session of this instance exists: it was not deleted, and its lease has not
    /// expired.
    fn session_exists(&self, instance: &str) -> bool;

    /// The processes that send the requests of the HTTP session of this instance, as far as they are
    /// known.
    fn session_senders(&self, instance: &str) -> Vec<Process>;

    /// When this process started, if the system tells.
    fn started_at(&self, process: Process) -> Option<Time>;
}

/// A caller may have started this long before its predecessor was seen to end, and still counts as
/// its successor: start times of processes are coarse, and a broken connection is noticed late.
pub(crate) const DEPARTURE_TOLERANCE_MS: u64 = 500;

/// Until when something surely ran whose end is noticed now.
pub(crate) fn ran_at_least_until(now: Time) -> Time {
    Time(now.0 - DEPARTURE_TOLERANCE_MS as i64)
}

/// A caller may have started this long before the ask was opened, and still counts as a successor:
/// start times of processes are coarse.
const START_TOLERANCE_MS: u64 = 20;

/// Whether a caller may take up this record, or receive its outcome, without naming its id.
pub(crate) fn may_have(
    record: &Record,
    by: &Asker,
    connections: &Connections,
    machine: &dyn Machine,
) -> bool {
    let asker = &record.asker;
    if asker.client != by.client || declare_different_names(asker, by) {
        return false;
    }
    let (Some(theirs), Some(ours)) = (identified(asker), identified(by)) else {
        return may_have_unidentified(record, by, connections, machine);
    };
    if theirs.instance == ours.instance {
        // A process that sends HTTP requests without a session may be a gateway for agents in
        // several folders. A call of such a process that waits was not given up: it would have
        // ended with its connection.
        return !ours.is_sessionless_http() || (record.waiters == 0 && share_folder(asker, by));
    }
    if connections.is_present(&theirs.instance, machine) {
        return false;
    }
    // Any child of an agent's client could be a surface that takes up what a server left.
    if theirs.may_answer_itself() != ours.may_answer_itself() {
        return false;
    }
    // One client may work in several folders at the same time. Servers of one client process may be
    // without a folder, too: that process is known to have started both.
    if asker.directory != by.directory {
        return false;
    }
    let process_ended = connections.has_session_ended(&theirs.instance)
        || theirs.process.is_none()
        || theirs
            .needed_processes()
            .any(|process| !machine.runs(process));
    if !theirs.is_nested() && one_started_the_other(theirs, ours) {
        return process_ended;
    }
    // A name of its own, such as the session of pi, tells an agent wherever it is started again.
    let is_named = declare_same_name(asker, by);
    let compared = |caller: &Caller| match is_named {
        true => caller.without_above(),
        false => caller.clone(),
    };
    let their_agent = compared(theirs);
    let agent_may_follow = |caller: &Caller| {
        let caller = compared(caller);
        !their_agent.is_of_other_agent(&caller, |agent| machine.runs(agent))
            && agent_started_after(record, &their_agent, &caller, (connections, machine))
    };
    if share_client_process(theirs, ours) {
        // Agents that speak to the same server over HTTP were not started by its client.
        let may_follow = |caller: &Caller| {
            theirs.is_nested() == caller.is_nested()
                && (!theirs.is_nested() || agent_may_follow(caller))
        };
        return process_ended
            && may_follow(ours)
            && started_after(record, theirs, ours, (connections, machine))
            && is_only_candidate(
                (record, theirs),
                ours,
                connections,
                machine,
                |other, caller| {
                    share_client_process(theirs, caller)
                        && may_follow(caller)
                        && other.directory == asker.directory
                        && !declare_different_names(asker, other)
                },
            );
    }
    share_folder(asker, by)
        && lifecycle::declares_names_of(asker, by)
        && is_gone(theirs, connections, machine)
        && started_after(record, theirs, ours, (connections, machine))
        && agent_may_follow(ours)
        && is_only_candidate(
            (record, theirs),
            ours,
            connections,
            machine,
            |other, caller| may_be_either(other, asker, by) && agent_may_follow(caller),
        )
}

/// The caller of an asker, if its process or its session could be identified.
fn identified(asker: &Asker) -> Option<&Caller> {
    asker
        .caller
        .as_ref()
        .filter(|caller| !caller.is_unidentified())
}

/// Like [`may_have`], if one of the two callers could not be identified: its process belongs to
/// another user or runs outside of the hub's container, or the operating system doesn't tell. It is
/// the same caller over the same connection. Otherwise both must declare the same name, unless the
/// ask was stored by a version that stored no callers. Nobody may wait for the ask, and no other
/// present caller may be meant.
fn may_have_unidentified(
    record: &Record,
    by: &Asker,
    connections: &Connections,
    machine: &dyn Machine,
) -> bool {
    let asker = &record.asker;
    if are_same_instance(asker, by) {
        return true;
    }
    let has_no_caller = asker.caller.is_none() && identified(by).is_some();
    let is_present = asker
        .caller
        .as_ref()
        .is_some_and(|theirs| connections.is_present(&theirs.instance, machine));
    let is_gone = identified(asker).is_none_or(|theirs| is_gone(theirs, connections, machine));
    !is_present
        && is_gone
        && record.waiters == 0
        && share_folder(asker, by)
        && (has_no_caller || declare_same_name(asker, by))
        && !connections
            .present(machine)
            .any(|other| !are_same_instance(other, by) && may_be_either(other, asker, by))
}

/// Whether an earlier answer may be offered to the person for an equal ask. What a server answered
/// itself came from its client's dialog or from a file, and is not offered as the person's, unless the
/// card gave it. What an embedding program answered itself is its own person's, and is offered where
/// such a program asks.
pub(crate) fn may_offer(earlier: &Record, record: &Record) -> bool {
    let caller = earlier.asker.caller.as_ref();
    let role = caller.and_then(Caller::role);
    let its_role = record.asker.caller.as_ref().and_then(Caller::role);
    let settlement = earlier.settlement();
    let answered_by = settlement.and_then(|settlement| settlement.origin.as_ref());
    let answered_itself = match (caller.and_then(|caller| caller.process), answered_by) {
        (Some(asker), Some(origin)) => asker.pid == origin.pid,
        _ => false,
    };
    let in_card = settlement.is_some_and(|settlement| settlement.surface == CARD);
    let is_same_kind = caller.is_some_and(Caller::asks_for_program) && role == its_role;
    !answered_itself || in_card || is_same_kind
}

/// Where somebody gives an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerPlace {
    /// In a dialog or card that the agent's server shows in its client.
    Dialog,
    /// In a pending file that the agent's server reads.
    PendingFile,
    /// On a surface of ours.
    Surface,
}

/// What an agent is called that gave no name.
const AN_AGENT: &str = "an agent";

/// The file name of our program.
const PROGRAM: &str = "ask-user";

/// Returns the client's name of an agent that is `process` or one of its ancestors, because an
/// answer from such a process may come from the agent itself. `record` is what was asked, and
/// `others` are the other agents to check.
///
/// The process that asked may speak for its own client, so that client doesn't count. An agent above
/// the client does: its shell may have started a client of its own. A command or a surface that asked
/// speaks for the program that started it, unless that also is an agent with servers.
pub(crate) fn agent_above<'a>(
    process: &Ancestry,
    record: Option<(&'a Record, Time)>,
    place: AnswerPlace,
    others: impl Iterator<Item = &'a Asker>,
    machine: &dyn Machine,
) -> Option<String> {
    let line = &process.processes;
    let asks = record.map(|(record, _)| &record.asker);
    let own = record
        .filter(|(record, opened_at)| speaks_for_client(process, &record.asker, *opened_at, place));
    let own = own.map(|(record, _)| &record.asker);
    let own_caller = own.and_then(|own| own.caller.as_ref());
    // An agent without a server starts the programs that ask for it, and another one may have started
    // that agent.
    let nearest = process.servers.iter().find(|one| one.has_no_server());
    let is_of_own_client = |agent: &Asker| {
        let (Some(own), Some(caller)) = (own_caller, agent.caller.as_ref()) else {
            return false;
        };
        let is_client = |process: Option<Process>| {
            process.is_some_and(|process| caller.agents().any(|one| one == process))
        };
        match own.role() {
            // A client may start its server in a shell, so it is either of two processes.
            None => is_client(own.client) || is_client(own.agent),
            // Its client may have started it through a launcher.
            Some(_) => {
                nearest == Some(caller) || (is_client(own.client) && caller.asks_for_program())
            }
        }
    };
    let is_other = |agent: &&Asker| {
        own.is_none_or(|own| !are_same_instance(own, agent) && !is_of_own_client(agent))
    };
    // Nothing tells which agent's command left it: each that is older and runs may have.
    let may_have_left = |agent: &Process| {
        let left = process.left_behind;
        left.is_some_and(|left| agent.may_have_started(left) && machine.runs(*agent))
    };
    let is_above = |caller: &Caller| {
        let processes = processes_of(caller, machine);
        let is_agent = caller.role().is_none();
        let mut processes = processes.iter();
        processes.any(|one| line.contains(one) || is_agent && may_have_left(one))
    };
    // Of a session, the sender may not have been found.
    let is_unseen = |agent: &&Asker| {
        let caller = agent.caller.as_ref();
        caller.is_some_and(|caller| {
            let senders = machine.session_senders(&caller.instance);
            let is_unseen = caller.is_unseen() && (caller.is_nested() || senders.is_empty());
            is_unseen || senders.contains(&Process::UNKNOWN)
        })
    };
    let agents: Vec<&Asker> = asks.into_iter().chain(others).collect();
    if let Some(hidden) = &process.below_hidden
        && agents.iter().any(is_unseen)
    {
        return Some(hidden.clone());
    }
    // Nothing else leads to the agent of a command that was left in the background before it asked.
    let is_of_unseen = process.is_agents_command
        && agents
            .iter()
            .any(|agent| is_other(agent) && is_unseen(agent));
    if is_of_unseen {
        return Some(AN_AGENT.to_owned());
    }
    let mut agents = agents.into_iter().filter(is_other);
    let above = agents.find(|agent| agent.caller.as_ref().is_some_and(is_above))?;
    let name = above.client.as_deref();
    let name = name.filter(|name| !SafeText::line(name).as_str().trim().is_empty());
    Some(name.unwrap_or(AN_AGENT).to_owned())
}

/// The processes of an agent, with the program that sends the requests of its session over HTTP now. A
/// session that has ended has none any more.
pub(crate) fn processes_of(caller: &Caller, machine: &dyn Machine) -> Vec<Process> {
    let senders = match caller.process {
        Some(_) => Vec::new(),
        None => machine.session_senders(&caller.instance),
    };
    let processes = caller.agents().chain(senders);
    processes
        .filter(|process| *process != Process::UNKNOWN)
        .collect()
}

/// The process that is this caller itself. An app's own server goes on when its callers end.
pub(crate) fn own_process(caller: &Caller) -> Option<Process> {
    match caller.is_nested() {
        true => caller.nested_sender(),
        false => caller.process,
    }
}

/// The processes that may go on as this caller when its connection has ended, the nearest first: its
/// own, those of its agent, and the programs above it.
fn possible_processes(caller: &Caller, machine: &dyn Machine) -> Vec<Process> {
    let own = own_process(caller).into_iter();
    let nearest = own.chain(processes_of(caller, machine));
    nearest.chain(caller.above.iter().copied()).collect()
}

/// The nearest process that runs and may be this caller. While it runs, the caller hasn't gone.
pub(crate) fn nearest_running(caller: &Caller, machine: &dyn Machine) -> Option<Process> {
    let mut processes = possible_processes(caller, machine).into_iter();
    processes.find(|process| machine.runs(*process))
}

/// Whether this process, which has ended, was the nearest that ran and may be this caller.
pub(crate) fn was_nearest(caller: &Caller, ended: Process, machine: &dyn Machine) -> bool {
    let processes = possible_processes(caller, machine);
    let place = processes.iter().position(|process| *process == ended);
    // Few callers have this process: the system is asked about no other caller's.
    place.is_some_and(|place| !processes[..place].iter().any(|one| machine.runs(*one)))
}

/// Whether `process` asked this and speaks for its client in this place. Each role has places of its
/// own. A server must have opened the ask itself, because any child of the client could have taken it
/// up. A command or a surface takes up only its own, after a crash.
fn speaks_for_client(
    process: &Ancestry,
    asker: &Asker,
    opened_at: Time,
    place: AnswerPlace,
) -> bool {
    let Some(caller) = &asker.caller else {
        return false;
    };
    let has_place = match caller.role() {
        None => matches!(place, AnswerPlace::Dialog | AnswerPlace::PendingFile),
        // Its client's shell can run a hook, too.
        Some(Role::Hook) => false,
        Some(Role::Command | Role::Prompt | Role::Surface) => place == AnswerPlace::Surface,
    };
    let opened_it = || caller.started_at <= opened_at.plus_ms(START_TOLERANCE_MS);
    has_place && is_server(process, asker) && (caller.asks_for_program() || opened_it())
}

/// Whether `process` is our program and the stdio server of this agent.
pub(crate) fn is_server(process: &Ancestry, agent: &Asker) -> bool {
    process.program.as_deref() == Some(PROGRAM)
        && agent.caller.as_ref().is_some_and(|caller| {
            let server = caller.process.filter(|_| !caller.is_sender());
            server.is_some() && server.as_ref() == process.processes.first()
        })
}

/// Whether a third caller could be the asker's successor as well as `by`: nothing that it declares
/// distinguishes it.
fn may_be_either(other: &Asker, asker: &Asker, by: &Asker) -> bool {
    other.client == by.client && share_folder(other, by) && !declare_different_names(asker, other)
}

/// Whether two askers are the same instance of a caller.
pub(crate) fn are_same_instance(one: &Asker, other: &Asker) -> bool {
    let instance = |asker: &Asker| asker.caller.as_ref().map(|caller| caller.instance.clone());
    instance(one).is_some() && instance(one) == instance(other)
}

/// Whether both declare a session or an agent name, and the names differ.
fn declare_different_names(one: &Asker, other: &Asker) -> bool {
    let differ = |one: &Option<String>, other: &Option<String>| {
        one.is_some() && other.is_some() && one != other
    };
    differ(&one.session, &other.session) || differ(&one.agent, &other.agent)
}

/// Whether both declare a name, and the same one.
fn declare_same_name(one: &Asker, other: &Asker) -> bool {
    let is_declared = one.session.is_some() || one.agent.is_some();
    is_declared && (&one.session, &one.agent) == (&other.session, &other.agent)
}

/// Whether both are in the same folder. Callers without a folder could be anywhere.
fn share_folder(one: &Asker, other: &Asker) -> bool {
    one.directory.is_some() && one.directory == other.directory
}

fn one_started_the_other(one: &Caller, other: &Caller) -> bool {
    match (one.process, other.process) {
        (Some(ours), Some(theirs)) => one.client == Some(theirs) || other.client == Some(ours),
        _ => false,
    }
}

/// Whether the same client process started both servers: it has restarted its server, or they are
/// the servers of its sub-agents.
fn share_client_process(one: &Caller, other: &Caller) -> bool {
    let are_servers = one.process.is_some() && other.process.is_some();
    are_servers && one.client.is_some() && one.client == other.client
}

/// Whether a caller has ended and can't come back. While its client runs, that may start the server
/// again, and the new server is the successor.
fn is_gone(caller: &Caller, connections: &Connections, machine: &dyn Machine) -> bool {
    let sender = caller.nested_sender();
    let has_sender_ended = sender.is_some_and(|sender| !machine.runs(sender));
    if has_sender_ended || connections.has_session_ended(&caller.instance) {
        return true;
    }
    let mut processes = [caller.process, caller.client].into_iter().flatten();
    match caller.process {
        Some(_) => processes.all(|process| !machine.runs(process)),
        None => !machine.session_exists(&caller.instance),
    }
}

/// When the caller of this ask ran for the last time, as far as is stored: at least when it asked.
pub(crate) fn caller_seen(record: &Record) -> Time {
    record.caller_seen.unwrap_or(record.asked_at)
}

/// When the caller of this ask, or its agent, ran for the last time, as far as is stored.
fn last_seen(record: &Record, agent_seen: Option<Time>) -> Time {
    agent_seen.map_or_else(|| caller_seen(record), |seen| seen.max(caller_seen(record)))
}

/// Whether our caller started late enough to be the successor of theirs. A caller that ran at the
/// same time is another agent.
fn started_after(
    record: &Record,
    theirs: &Caller,
    ours: &Caller,
    (connections, machine): (&Connections, &dyn Machine),
) -> bool {
    let departed = connections.departed_at(&theirs.instance);
    // Their own agent, if it goes on, may have started ours meanwhile.
    let mut agent = theirs.programs().take(1);
    let goes_on = agent.any(|agent| machine.runs(agent) && ours.is_known_by(agent));
    let agent_seen = record.agent_seen.filter(|_| !goes_on);
    let ran_until = last_seen(record, agent_seen);
    ours.started_at.plus_ms(START_TOLERANCE_MS) >= ran_until
        && departed.is_none_or(|at| ours.started_at.plus_ms(DEPARTURE_TOLERANCE_MS) >= at)
}

/// Whether the programs above our caller started late enough as well, unless they are also above
/// theirs. An agent that ran while theirs was connected is another one.
fn agent_started_after(
    record: &Record,
    theirs: &Caller,
    ours: &Caller,
    (connections, machine): (&Connections, &dyn Machine),
) -> bool {
    let departed = connections.departed_at(&theirs.instance);
    let ran_until = last_seen(record, record.agent_seen);
    let is_late = |at: Time| {
        at.plus_ms(START_TOLERANCE_MS) >= ran_until
            && departed.is_none_or(|departed| at.plus_ms(DEPARTURE_TOLERANCE_MS) >= departed)
    };
    let is_shared = |program: &Process| theirs.is_known_by(*program);
    // A shell of the same agent may be older than the ask.
    let nearest = ours.agent.or(ours.client);
    let programs = nearest.into_iter().chain(ours.above.iter().copied());
    let mut others = programs.filter(|program| !is_shared(program));
    others.all(|program| machine.started_at(program).is_none_or(is_late))
}

/// Whether no other present caller that `fits` could be the successor, too. If there is one,
/// neither may have the ask.
fn is_only_candidate(
    (record, theirs): (&Record, &Caller),
    ours: &Caller,
    connections: &Connections,
    machine: &dyn Machine,
    fits: impl Fn(&Asker, &Caller) -> bool,
) -> bool {
    !connections.present(machine).any(|other| {
        let Some(caller) = &other.caller else {
            return false;
        };
        caller.instance != ours.instance
            && !are_commands_of_one_program(ours, caller, machine)
            && fits(other, caller)
            && started_after(record, theirs, caller, (connections, machine))
    })
}

/// Whether both are commands below one program that runs. A command asks one question, so another one that
/// has asked already is no candidate for the first one's.
fn are_commands_of_one_program(ours: &Caller, other: &Caller, machine: &dyn Machine) -> bool {
    let is_command = |caller: &Caller| matches!(caller.role(), Some(Role::Command | Role::Prompt));
    let mut programs = ours.programs();
    is_command(ours)
        && is_command(other)
        && programs.any(|program| machine.runs(program) && other.is_known_by(program))
}

/// A machine on which no session exists and, unless it says so, no process runs.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct EmptyMachine {
    /// When all processes started, if it tells.
    pub started_at: Option<Time>,
    /// Whether all processes run.
    pub runs: bool,
}

#[cfg(test)]
impl Machine for EmptyMachine {
    fn runs(&self, _: Process) -> bool {
        self.runs
    }

    fn session_exists(&self, _: &str) -> bool {
        false
    }

    fn session_senders(&self, _: &str) -> Vec<Process> {
        Vec::new()
    }

    fn started_at(&self, _: Process) -> Option<Time> {
        self.started_at
    }
}

#[cfg(test)]
mod tests {
    use ask_core::{
        Ask, AskId, Origin, Outcome, Role, SESSION, Settlement, State, Time, lifecycle,
    };

    use super::*;
    use crate::event::ConnectionId;

    fn asker(directory: Option<&str>, session: Option<&str>) -> Asker {
        Asker {
            client: Some("curl".to_owned()),
            directory: directory.map(str::to_owned),
            session: session.map(str::to_owned),
            ..Asker::default()
        }
    }

    /// An ask that this asker opened a second after the epoch.
    fn opened_by(asker: Asker) -> Record {
        let id = AskId::parse("a_1234567").expect("the id is valid");
        lifecycle::open(id, "native", Ask::default(), asker, Time(1_000))
    }

    /// Our program, as this process with these ancestors.
    fn ours(processes: Vec<Process>) -> Ancestry {
        Ancestry {
            processes,
            program: Some(PROGRAM.to_owned()),
            ..Ancestry::default()
        }
    }

    #[test]
    fn a_caller_speaks_for_its_client_only_in_the_places_of_its_role() {
        let process = |pid| Process { pid, start: 1 };
        let started = |pid, role: Option<Role>, at| {
            let caller = Caller {
                instance: format!("process:{pid}"),
                process: Some(process(pid)),
                client: Some(process(5)),
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(at),
            };
            Asker {
                client: Some("client-5".to_owned()),
                caller: Some(match role {
                    Some(role) => caller.in_role(role),
                    None => caller,
                }),
                ..Asker::default()
            }
        };
        let (server, surface) = (started(7, None, 0), started(8, Some(Role::Surface), 0));
        let places = [
            AnswerPlace::Dialog,
            AnswerPlace::PendingFile,
            AnswerPlace::Surface,
        ];
        // The places where this process speaks for its client, beside that other agent of the client.
        let speaks = |role, at, program: &str, other: &Asker| {
            let process = Ancestry {
                program: Some(program.to_owned()),
                ..ours(vec![process(9), process(5)])
            };
            let record = opened_by(started(9, role, at));
            let is_unmarked = |place: &AnswerPlace| {
                let others = std::iter::once(other);
                agent_above(
                    &process,
                    Some((&record, record.asked_at)),
                    *place,
                    others,
                    &EmptyMachine::default(),
                )
                .is_none()
            };
            places.into_iter().filter(is_unmarked).collect::<Vec<_>>()
        };
        let (opened_it, took_it_up) = (900, 5_000);
        assert_eq!(
            speaks(None, opened_it, PROGRAM, &server),
            [AnswerPlace::Dialog, AnswerPlace::PendingFile]
        );
        assert_eq!(speaks(None, took_it_up, PROGRAM, &server), []);
        assert_eq!(speaks(None, opened_it, "python3", &server), []);
        assert_eq!(speaks(Some(Role::Hook), opened_it, PROGRAM, &server), []);
        for role in [Role::Command, Role::Prompt, Role::Surface].map(Some) {
            let asks_itself = speaks(role, took_it_up, PROGRAM, &surface);
            assert_eq!(asks_itself, [AnswerPlace::Surface], "{role:?}");
            let client_is_agent = speaks(role, took_it_up, PROGRAM, &server);
            assert_eq!(client_is_agent, [], "{role:?}");
        }
    }

    #[test]
    fn what_a_program_answered_itself_is_offered_to_its_own_kind_only() {
        let asked_in = |role: Option<Role>| {
            let caller = Caller {
                instance: "process:9".to_owned(),
                process: Some(Process { pid: 9, start: 1 }),
                client: None,
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(0),
            };
            opened_by(Asker {
                caller: Some(match role {
                    Some(role) => caller.in_role(role),
                    None => caller,
                }),
                ..Asker::default()
            })
        };
        let answered_by = |pid| {
            let settlement = Settlement {
                outcome: Outcome::Declined { reason: None },
                surface: "rpc".to_owned(),
                device: None,
                origin: Some(Box::new(Origin {
                    pid,
                    ..Origin::default()
                })),
                at: Time(2_000),
                attempt: 1,
                awaited: true,
            };
            let mut record = asked_in(Some(Role::Surface));
            record.state = State::Closed {
                settlement,
                delivered_at: None,
            };
            record
        };
        let server = asked_in(None);
        assert!(may_offer(&answered_by(8), &server), "a person's surface");
        assert!(!may_offer(&answered_by(9), &server));
        assert!(may_offer(&answered_by(9), &asked_in(Some(Role::Surface))));
        let mut in_dialog = answered_by(9);
        in_dialog.asker = server.asker.clone();
        assert!(!may_offer(&in_dialog, &server));
        let mut in_card = in_dialog;
        if let State::Closed { settlement, .. } = &mut in_card.state {
            settlement.surface = CARD.to_owned();
        }
        assert!(may_offer(&in_card, &server));
    }

    #[test]
    fn an_agent_without_a_visible_name_counts_as_an_agent() {
        let process = |pid| Process { pid, start: 1 };
        for name in [None, Some(""), Some(" "), Some("\u{200b}")] {
            let server = Caller {
                instance: "process:8:1".to_owned(),
                process: Some(process(8)),
                client: Some(process(7)),
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(0),
            };
            let asks = opened_by(Asker {
                client: name.map(str::to_owned),
                caller: Some(server),
                ..Asker::default()
            });
            let none = std::iter::empty();
            let process = ours(vec![process(9), process(7)]);
            let above = agent_above(
                &process,
                Some((&asks, asks.asked_at)),
                AnswerPlace::Surface,
                none,
                &EmptyMachine::default(),
            );
            assert_eq!(above.as_deref(), Some("an agent"), "{name:?}");
        }
    }

    #[test]
    fn an_unidentified_caller_may_have_only_asks_of_its_own_name() {
        let may_take = |by_asker: Asker, by: Asker, waiters| {
            let id = AskId::parse("a_1234567").expect("the id is valid");
            let mut record = lifecycle::open(id, "native", Ask::default(), by_asker, Time(0));
            record.waiters = waiters;
            record.asker.caller = Some(Caller::unidentified(&record.id, Time(0)));
            may_have(
                &record,
                &by,
                &Connections::default(),
                &EmptyMachine::default(),
            )
        };
        let shop = Some("/srv/shop");
        let named = || asker(shop, Some("s1"));
        let unnamed = || asker(shop, None);
        let nowhere = || asker(None, Some("s1"));
        assert!(may_take(named(), named(), 0));
        assert!(!may_take(named(), named(), 1), "a call waits for the ask");
        assert!(!may_take(unnamed(), unnamed(), 0), "neither has a name");
        assert!(!may_take(named(), unnamed(), 0));
        assert!(!may_take(named(), asker(shop, Some("s2")), 0));
        assert!(!may_take(nowhere(), nowhere(), 0));
        let identified = |asker| Asker {
            caller: Some(Caller {
                instance: "process:7:1".to_owned(),
                process: None,
                client: None,
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(0),
            }),
            ..asker
        };
        let over_connection = |number: u8| {
            let seen_as = format!("connection-{number}");
            Some(Caller::unidentified(seen_as, Time(0)))
        };
        let of_connection = |number| Asker {
            caller: over_connection(number),
            ..unnamed()
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let record = lifecycle::open(id, "native", Ask::default(), of_connection(1), Time(0));
        let may_have_it = |by| {
            may_have(
                &record,
                &by,
                &Connections::default(),
                &EmptyMachine::default(),
            )
        };
        assert!(may_have_it(of_connection(1)));
        assert!(!may_have_it(of_connection(2)));
        // The same name is no proof while the asker is connected.
        let of_agent = |number| Asker {
            caller: over_connection(number),
            ..named()
        };
        let id = AskId::parse("a_1234568").expect("the id is valid");
        let record = lifecycle::open(id, "native", Ask::default(), of_agent(1), Time(0));
        let mut connections = Connections::default();
        connections.open(ConnectionId(1));
        connections.record_caller(ConnectionId(1), &record.asker, &EmptyMachine::default());
        assert!(!may_have(
            &record,
            &of_agent(2),
            &connections,
            &EmptyMachine::default()
        ));
        connections.close(ConnectionId(1), Time(1));
        assert!(may_have(
            &record,
            &of_agent(2),
            &connections,
            &EmptyMachine::default()
        ));
        assert!(may_take(named(), identified(named()), 0));
        assert!(
            !may_take(unnamed(), identified(unnamed()), 0),
            "another agent of the client may have asked"
        );
    }

    #[test]
    fn a_successor_declares_the_names_of_the_asker_and_started_after_the_ask() {
        let may_take = |session: Option<&str>, started_at| {
            let server = |pid, started_at| Caller {
                instance: format!("process:{pid}"),
                process: Some(Process { pid, start: 1 }),
                client: None,
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(started_at),
            };
            let earlier = Asker {
                caller: Some(server(7, 0)),
                ..asker(Some("/srv/shop"), Some("s1"))
            };
            let by = Asker {
                caller: Some(server(8, started_at)),
                ..asker(Some("/srv/shop"), session)
            };
            let id = AskId::parse("a_1234567").expect("the id is valid");
            let record = lifecycle::open(id, "native", Ask::default(), earlier, Time(10_000));
            may_have(
                &record,
                &by,
                &Connections::default(),
                &EmptyMachine::default(),
            )
        };
        assert!(may_take(Some("s1"), 20_000));
        assert!(!may_take(Some("s2"), 20_000));
        assert!(!may_take(None, 20_000), "it declares no name");
        assert!(may_take(Some("s1"), 9_985), "clocks are coarse");
        assert!(
            !may_take(Some("s1"), 9_700),
            "it started before the ask was opened"
        );
    }

    /// A machine on which these processes run. The id of a process is when it started.
    struct Running(Vec<u32>);
    impl Machine for Running {
        fn runs(&self, process: Process) -> bool {
            self.0.contains(&process.pid)
        }
        fn session_exists(&self, _: &str) -> bool {
            false
        }
        fn session_senders(&self, _: &str) -> Vec<Process> {
            Vec::new()
        }
        fn started_at(&self, process: Process) -> Option<Time> {
            Some(Time(i64::from(process.pid)))
        }
    }

    #[test]
    fn a_program_that_an_agent_runs_hides_no_other_agent() {
        let process = |pid| Process { pid, start: 1 };
        // `ask-user ask` below a build below an agent.
        let command = |pid: u32, build: u32, agent: u32| Asker {
            caller: Some(Caller {
                process: Some(process(pid)),
                agent: Some(process(build)),
                above: vec![process(build), process(agent)],
                started_at: Time(i64::from(pid)),
                ..Caller::of_instance(format!("command:process:{pid}"))
            }),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let theirs = command(900, 800, 20);
        let record = lifecycle::open(id, "native", Ask::default(), theirs, Time(1_000));
        let may_take = |by: Asker, running: &[u32]| {
            let machine = Running(running.to_vec());
            may_have(&record, &by, &Connections::default(), &machine)
        };
        let another = || command(2_000, 1_900, 30);
        assert!(!may_take(another(), &[20, 30]), "its agent still runs");
        assert!(!may_take(another(), &[30]), "it ran beside that agent");
        assert!(may_take(command(2_000, 1_900, 20), &[20, 30]), "the same");
        assert!(may_take(command(2_000, 1_900, 1_500), &[30]), "a later one");
        let named = |caller: Asker| Asker {
            session: Some("s1".to_owned()),
            ..caller
        };
        let mut record = record;
        record.asker = named(command(900, 800, 20));
        let machine = Running(vec![20]);
        let by = named(command(2_000, 1_900, 1_500));
        let connections = Connections::default();
        assert!(
            may_have(&record, &by, &connections, &machine),
            "by its name"
        );
    }

    #[test]
    fn the_sender_at_an_apps_server_is_nearer_than_what_started_it() {
        let process = |pid| Process { pid, start: 1 };
        let machine = EmptyMachine {
            runs: true,
            ..EmptyMachine::default()
        };
        let nested = Caller {
            process: Some(process(10)),
            client: Some(process(11)),
            agent: Some(process(1)),
            ..Caller::of_instance("requests:20:1/process:10:1".to_owned())
        };
        assert_eq!(nearest_running(&nested, &machine), Some(process(20)));
        assert!(was_nearest(&nested, process(20), &machine));
        assert!(
            !was_nearest(&nested, process(1), &machine),
            "the sender runs"
        );
    }

    #[test]
    fn what_a_session_left_goes_to_no_other_agent_while_any_of_its_senders_runs() {
        let process = |pid| Process { pid, start: 1 };
        let session = |number: u32, senders: &[u32], at| Asker {
            caller: Some(Caller {
                agent: senders.first().map(|first| process(*first)),
                senders: senders.iter().map(|pid| process(*pid)).collect(),
                started_at: Time(at),
                ..Caller::of_instance(format!("{SESSION}{number}"))
            }),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let theirs = session(1, &[10, 20], 900);
        let record = lifecycle::open(id, "native", Ask::default(), theirs, Time(1_000));
        let may_take = |by: Asker, running: &[u32]| {
            let machine = Running(running.to_vec());
            may_have(&record, &by, &Connections::default(), &machine)
        };
        assert!(!may_take(session(2, &[2_000], 2_100), &[20, 2_000]));
        assert!(may_take(session(2, &[20], 2_100), &[20]), "it asked");
        assert!(may_take(session(2, &[2_000], 2_100), &[2_000]), "all ended");
    }

    #[test]
    fn a_caller_that_started_before_its_predecessor_was_last_seen_is_no_successor() {
        let process = |pid| Some(Process { pid, start: 1 });
        let server = |pid, at| Asker {
            caller: Some(Caller {
                process: process(pid),
                client: process(pid + 1),
                started_at: Time(at),
                ..Caller::of_instance(format!("process:{pid}"))
            }),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let theirs = server(10, 9_000);
        let mut record = lifecycle::open(id, "native", Ask::default(), theirs, Time(10_000));
        let may_take = |record: &Record| {
            let machine = EmptyMachine::default();
            may_have(
                record,
                &server(20, 20_000),
                &Connections::default(),
                &machine,
            )
        };
        assert!(may_take(&record));
        record.caller_seen = Some(Time(19_000));
        assert!(may_take(&record));
        record.caller_seen = Some(Time(21_000));
        assert!(!may_take(&record), "it ran beside the other");
    }

    #[test]
    fn a_command_of_an_agent_from_before_the_ask_is_no_successor() {
        let process = |pid| Some(Process { pid, start: 1 });
        let command = |pid, agent, at| Asker {
            caller: Some(Caller {
                instance: format!("command:process:{pid}"),
                process: process(pid),
                client: process(pid + 1),
                agent,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(at),
            }),
            ..asker(Some("/srv/shop"), None)
        };
        let may_take = |agent, started_at| {
            let earlier = command(10, process(5), 9_000);
            let id = AskId::parse("a_1234567").expect("the id is valid");
            let record = lifecycle::open(id, "native", Ask::default(), earlier, Time(10_000));
            let by = command(20, agent, 20_000);
            let machine = EmptyMachine {
                started_at: Some(Time(started_at)),
                runs: false,
            };
            may_have(&record, &by, &Connections::default(), &machine)
        };
        assert!(!may_take(process(6), 1_000), "it was there all along");
        assert!(may_take(process(6), 11_000), "the agent was started again");
        assert!(may_take(process(5), 1_000), "the same agent");
        assert!(!may_take(None, 1_000), "the program that ran the command");
    }

    #[test]
    fn a_server_of_the_same_client_process_is_a_successor_only_in_the_same_folder() {
        let process = |pid| Some(Process { pid, start: 1 });
        let server = |pid, client, directory| Asker {
            caller: Some(Caller {
                instance: format!("process:{pid}"),
                process: process(pid),
                client: process(client),
                agent: None,
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(i64::from(pid)),
            }),
            ..asker(directory, None)
        };
        let (shop, blog) = (Some("/srv/shop"), Some("/srv/blog"));
        let may_take = |theirs: Asker, by: Asker| {
            let id = AskId::parse("a_1234567").expect("the id is valid");
            let record = lifecycle::open(id, "native", Ask::default(), theirs, Time(0));
            may_have(
                &record,
                &by,
                &Connections::default(),
                &EmptyMachine::default(),
            )
        };
        for (next, starter) in [(8, 5), (8, 7)] {
            let one = |directory| server(7, 5, directory);
            let by = |directory| server(next, starter, directory);
            assert!(may_take(one(shop), by(shop)));
            assert!(may_take(one(None), by(None)));
            assert!(!may_take(one(shop), by(blog)));
            assert!(!may_take(one(shop), by(None)));
            assert!(!may_take(one(None), by(blog)));
        }
    }

    #[test]
    fn the_sessions_of_one_server_are_callers_of_their_own() {
        let process = |pid| Some(Process { pid, start: 1 });
        let server = Caller {
            instance: "process:7:1".to_owned(),
            process: process(7),
            client: process(5),
            agent: None,
            senders: Vec::new(),
            above: Vec::new(),
            started_at: Time(0),
        };
        let session = |id, agent, at| Asker {
            caller: Caller {
                agent: process(agent),
                started_at: Time(at),
                ..Caller::of_instance(format!("{SESSION}{id:0>24}"))
            }
            .nest_under(server.clone(), Time(9_000)),
            ..asker(Some("/srv/shop"), None)
        };
        let stdio = Asker {
            caller: Some(server.clone()),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let earlier = session(1, 20, 500);
        let record = lifecycle::open(id, "native", Ask::default(), earlier, Time(1_000));
        let machine = EmptyMachine {
            started_at: Some(Time(0)),
            runs: true,
        };
        let mut connections = Connections::default();
        let may_take =
            |by: &Asker, connections: &Connections| may_have(&record, by, connections, &machine);
        let again = session(2, 20, 3_000);
        for by in [&again, &session(3, 30, 3_000), &stdio] {
            assert!(!may_take(by, &connections), "the first session exists");
        }
        assert!(may_take(&session(1, 20, 500), &connections));
        connections.restore(&record.asker);
        connections.end_session("http:000000000000000000000001/process:7:1");
        assert!(may_take(&again, &connections), "its agent opened another");
        assert!(!may_take(&session(3, 30, 3_000), &connections));
        assert!(!may_take(&session(4, 20, 100), &connections));
        let next = Asker {
            caller: Some(Caller {
                instance: "process:8:1".to_owned(),
                process: process(8),
                started_at: Time(3_000),
                ..server.clone()
            }),
            ..stdio
        };
        assert!(!may_take(&next, &connections), "the app's own client");

        // The process that asked has started the server, too.
        let id = AskId::parse("a_7654321").expect("the id is valid");
        let record = lifecycle::open(
            id,
            "native",
            Ask::default(),
            session(6, 5, 500),
            Time(1_000),
        );
        connections.restore(&record.asker);
        connections.end_session("http:000000000000000000000006/process:7:1");
        let other = session(8, 30, 3_000);
        connections.restore(&other);
        let may_take = |by: &Asker| may_have(&record, by, &connections, &machine);
        assert!(may_take(&session(7, 5, 3_000)), "whatever others ask");
        assert!(!may_take(&other), "another program's");
    }

    #[test]
    fn an_agent_without_a_session_at_a_server_is_a_caller_of_its_own() {
        let process = |pid| Process { pid, start: 1 };
        let server = |pid: u32| Caller {
            instance: format!("process:{pid}:1"),
            process: Some(process(pid)),
            client: Some(process(5)),
            agent: None,
            senders: Vec::new(),
            above: Vec::new(),
            started_at: Time(i64::from(pid)),
        };
        // A command of an agent's shell, or the agent itself.
        let sender = |pid: u32, agent: Option<u32>, at| Asker {
            caller: Caller {
                client: None,
                agent: agent.map(process),
                ..server(pid)
            }
            .without_session()
            .nest_under(server(at), Time(9_000)),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let earlier = sender(20, None, 7);
        let record = lifecycle::open(id, "native", Ask::default(), earlier, Time(1_000));
        let may_take = |by: Asker, running: &[u32]| {
            let machine = Running(running.to_vec());
            let mut connections = Connections::default();
            connections.restore(&record.asker);
            may_have(&record, &by, &connections, &machine)
        };
        let stdio = Asker {
            caller: Some(server(7)),
            ..asker(Some("/srv/shop"), None)
        };
        // Commands that an agent starts without a shell.
        let command = |pid: u32, client: u32| Asker {
            caller: Caller {
                client: Some(process(client)),
                ..server(pid)
            }
            .without_session()
            .nest_under(server(7), Time(9_000)),
            ..asker(Some("/srv/shop"), None)
        };
        let id = AskId::parse("a_7654321").expect("the id is valid");
        let theirs = command(900, 20);
        let left = lifecycle::open(id, "native", Ask::default(), theirs, Time(1_000));
        let running = [5, 7, 20, 30, 1_040, 1_050];
        let takes_left = |by: Asker| {
            let machine = Running(running.to_vec());
            may_have(&left, &by, &Connections::default(), &machine)
        };
        assert!(takes_left(command(1_040, 20)), "the same agent's next");
        assert!(!takes_left(command(1_050, 30)), "another agent's");
        let all = [5, 7, 20, 30, 1_030];
        assert!(may_take(sender(20, None, 7), &all), "itself");
        assert!(may_take(sender(25, Some(20), 7), &all), "its shell");
        assert!(!may_take(sender(1_030, None, 7), &all), "another agent");
        assert!(!may_take(stdio.clone(), &all), "the server's own client");
        let without_it = [5, 7, 30, 1_030];
        assert!(may_take(sender(1_030, None, 7), &without_it), "a later one");
        assert!(!may_take(sender(30, None, 7), &without_it), "it ran before");
        assert!(!may_take(stdio, &without_it), "the server's own client");
        let restarted = [5, 1_040, 20, 30, 1_030];
        assert!(may_take(sender(20, None, 1_040), &restarted), "itself");
        assert!(!may_take(sender(1_030, None, 1_040), &restarted));
    }

    #[test]
    fn an_agent_is_found_above_the_process_that_answers() {
        let process = |pid| Process { pid, start: 1 };
        let started = |pid, by, agent: Option<u32>| Asker {
            client: Some(format!("client-{by}")),
            caller: Some(Caller {
                instance: format!("process:{pid}"),
                process: Some(process(pid)),
                client: Some(process(by)),
                agent: agent.map(process),
                senders: Vec::new(),
                above: Vec::new(),
                started_at: Time(0),
            }),
            ..Asker::default()
        };
        let (mut agent, own) = (started(20, 10, Some(18)), started(30, 25, None));
        let caller = agent.caller.as_mut().expect("it has a caller");
        caller.senders = vec![process(15)];
        let above = |line: &[u32], place| {
            let process = ours(line.iter().copied().map(process).collect());
            let others = [agent.clone(), own.clone()];
            let own = opened_by(own.clone());
            agent_above(
                &process,
                Some((&own, own.asked_at)),
                place,
                others.iter(),
                &EmptyMachine::default(),
            )
        };
        for place in [AnswerPlace::Dialog, AnswerPlace::PendingFile] {
            let case = format!("{place:?}");
            assert_eq!(above(&[30, 25], place), None, "a person's shell: {case}");
            let nested = above(&[30, 25, 10], place);
            assert_eq!(nested.as_deref(), Some("client-10"), "{case}");
        }
        assert_eq!(
            above(&[40, 25], AnswerPlace::Dialog).as_deref(),
            Some("client-25")
        );

        for line in [[40, 18], [40, 15], [40, 10]] {
            assert!(above(&line, AnswerPlace::Surface).is_some(), "{line:?}");
        }

        let in_shell = opened_by(started(50, 45, Some(5)));
        let shell = ours(vec![process(60), process(55), process(5)]);
        let above = agent_above(
            &shell,
            Some((&in_shell, in_shell.asked_at)),
            AnswerPlace::Surface,
            std::iter::empty(),
            &EmptyMachine::default(),
        );
        assert_eq!(
            above.as_deref(),
            Some("client-45"),
            "another shell of its agent"
        );
    }

    #[test]
    fn what_a_command_left_behind_is_below_the_older_agents_that_run() {
        let left = Ancestry {
            left_behind: Some(Process { pid: 40, start: 5 }),
            ..ours(vec![Process { pid: 41, start: 6 }])
        };
        let above = |client: Process, role: Option<Role>| {
            let mut caller = Caller::of_instance(format!("{SESSION}1"));
            caller.client = Some(client);
            let caller = role.into_iter().fold(caller, Caller::in_role);
            let asks = opened_by(Asker {
                caller: Some(caller),
                ..Asker::default()
            });
            let none = std::iter::empty();
            let machine = Sender(Caller::of_instance(String::new()));
            agent_above(
                &left,
                Some((&asks, asks.asked_at)),
                AnswerPlace::Surface,
                none,
                &machine,
            )
        };
        let older = Process { pid: 30, start: 4 };
        assert!(above(older, None).is_some());
        assert_eq!(
            above(older, Some(Role::Command)),
            None,
            "a person's command"
        );
        let younger = Process { pid: 30, start: 9 };
        assert_eq!(above(younger, None), None);
    }

    #[test]
    fn a_program_that_hides_its_connections_may_be_an_asker_that_nobody_could_identify() {
        let unseen = Asker {
            caller: Some(Caller::unidentified("a_1", Time(0))),
            ..asker(None, None)
        };
        let session = Asker {
            caller: Some(Caller::of_instance(format!("{SESSION}1"))),
            ..asker(None, None)
        };
        let known = Asker {
            caller: Some(Caller {
                process: Some(Process { pid: 7, start: 1 }),
                ..Caller::of_instance("process:7:1".to_owned())
            }),
            ..asker(None, None)
        };
        let hider = Ancestry {
            below_hidden: Some("a program that hides".to_owned()),
            ..ours(Vec::new())
        };
        let above = |process: &Ancestry, asker: &Asker| {
            let record = opened_by(asker.clone());
            let none = std::iter::empty();
            let machine = EmptyMachine::default();
            agent_above(
                process,
                Some((&record, record.asked_at)),
                AnswerPlace::Surface,
                none,
                &machine,
            )
        };
        assert_eq!(above(&hider, &unseen), hider.below_hidden);
        assert_eq!(above(&hider, &session), hider.below_hidden);
        assert_eq!(above(&hider, &known), None);
        assert_eq!(above(&ours(Vec::new()), &unseen), None);
    }

    /// A machine on which only this program sends the requests of all sessions.
    struct Sender(Caller);

    impl Machine for Sender {
        fn runs(&self, _: Process) -> bool {
            true
        }
        fn session_exists(&self, _: &str) -> bool {
            true
        }
        fn session_senders(&self, _: &str) -> Vec<Process> {
            self.0.processes().collect()
        }
        fn started_at(&self, _: Process) -> Option<Time> {
            None
        }
    }

    #[test]
    fn an_agent_is_found_above_the_helper_that_sends_the_requests_of_its_session() {
        let process = |pid| Process { pid, start: 1 };
        let session = Asker {
            caller: Some(Caller::of_instance(format!("{SESSION}1"))),
            ..asker(None, None)
        };
        let helper = Sender(Caller {
            process: Some(process(30)),
            client: Some(process(20)),
            ..Caller::of_instance("requests:30:1".to_owned())
        });
        let line = [process(90), process(20)];
        let record = opened_by(session.clone());
        let none = std::iter::empty();
        let answering = ours(line.to_vec());
        let above = agent_above(
            &answering,
            Some((&record, record.asked_at)),
            AnswerPlace::Surface,
            none,
            &helper,
        );
        assert_eq!(above.as_deref(), Some("curl"));
        let mut connections = Connections::default();
        connections.open(ConnectionId(1));
        connections.record_caller(ConnectionId(1), &session, &helper);
        let known: Vec<_> = connections.agents_among(&line).collect();
        assert_eq!(known, [&session], "also after the session has ended");
    }

    #[test]
    fn an_agent_that_ran_beside_the_asker_is_not_its_successor() {
        let machine = Running(vec![2_000, 5_500, 6_000]);
        let process = |pid| Process { pid, start: 1 };
        let server = |pid: u32, client: u32| Asker {
            caller: Some(Caller {
                process: Some(process(pid)),
                client: Some(process(client)),
                started_at: Time(i64::from(pid)),
                ..Caller::of_instance(format!("process:{pid}:1"))
            }),
            ..asker(Some("/srv/shop"), None)
        };
        let theirs = server(20, 10);
        let record = opened_by(theirs.clone());
        let mut connections = Connections::default();
        connections.open(ConnectionId(1));
        connections.record_caller(ConnectionId(1), &theirs, &machine);
        connections.close(ConnectionId(1), Time(5_000));
        let may_take = |by: Asker| may_have(&record, &by, &connections, &machine);
        assert!(may_take(server(6_000, 5_500)), "it started afterwards");
        assert!(!may_take(server(6_000, 2_000)), "its server was restarted");
    }

    #[test]
    fn a_command_that_has_asked_already_leaves_other_asks_to_commands_of_the_same_program() {
        let machine = Running(vec![5, 6, 2_000, 2_001, 3_000, 3_001]);
        let process = |pid| Process { pid, start: 1 };
        let program = |role: Option<Role>, pid: u32, above: u32| {
            let caller = Caller {
                process: Some(process(pid)),
                client: Some(process(pid + 1)),
                above: vec![process(above)],
                started_at: Time(i64::from(pid)),
                ..Caller::of_instance(format!("process:{pid}:1"))
            };
            Asker {
                caller: Some(role.into_iter().fold(caller, Caller::in_role)),
                ..asker(Some("/srv/shop"), None)
            }
        };
        for role in [Role::Command, Role::Prompt] {
            let command = |pid, above| program(Some(role), pid, above);
            let record = opened_by(command(20, 5));
            let may_take = |beside: Asker| {
                let mut connections = Connections::default();
                connections.open(ConnectionId(1));
                connections.record_caller(ConnectionId(1), &beside, &machine);
                may_have(&record, &command(2_000, 5), &connections, &machine)
            };
            assert!(may_take(command(3_000, 5)));
            assert!(may_take(command(3_000, 6)), "of another program");
        }
        let record = opened_by(program(None, 20, 5));
        let mut connections = Connections::default();
        connections.open(ConnectionId(1));
        connections.record_caller(ConnectionId(1), &program(None, 3_000, 5), &machine);
        let by = program(None, 2_000, 5);
        assert!(
            !may_have(&record, &by, &connections, &machine),
            "a server may ask more"
        );
    }
}
