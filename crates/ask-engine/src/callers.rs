//! Who may be given an answer. An answer goes to whoever asked, and to nobody else by likeness
//! alone: two agents of one client in one folder are two.

use ask_core::{Asker, Caller, Process, Record, SafeText};

use crate::connections::Connections;

/// What only the machine knows.
pub trait Machine {
    /// Whether this very process still runs.
    fn runs(&self, process: Process) -> bool;

    /// Whether the HTTP session of that name still stands: it was neither deleted nor silent for
    /// longer than its lease.
    fn session_exists(&self, instance: &str) -> bool;

    /// The process that sends the requests of the HTTP session of that name, where it is known.
    fn session_process(&self, instance: &str) -> Option<Process>;
}

/// A caller that starts so shortly before another one is seen to end still counts as its successor:
/// clocks of processes are coarse, and a broken connection is noticed a little late.
const SLACK_MS: u64 = 1_000;

/// So far two clocks may be apart that tell when a process started and when it was asked something.
const COARSE_MS: u64 = 100;

/// Whether a call may take up this record, or be given its outcome, without naming its id.
pub(crate) fn may_have(
    record: &Record,
    by: &Asker,
    connections: &Connections,
    machine: &dyn Machine,
) -> bool {
    let asker = &record.asker;
    if asker.client != by.client || declared_apart(asker, by) {
        return false;
    }
    let (Some(theirs), Some(ours)) = (seen(asker), seen(by)) else {
        return may_have_unknown(record, by, connections, machine);
    };
    if theirs.instance == ours.instance {
        // It may be a gateway, whose agents work in several folders. A call of theirs that waits is
        // not given up: it stands as long as its connection.
        return !ours.is_sessionless_http() || (record.waiters == 0 && is_in_one_folder(asker, by));
    }
    if connections.is_present(&theirs.instance, machine) {
        return false;
    }
    let process_ended = theirs.process.is_none_or(|process| !machine.runs(process));
    if started_one_another(theirs, ours) {
        return process_ended;
    }
    if is_of_one_client(theirs, ours) {
        return process_ended
            && came_after(record, theirs, ours, connections)
            && is_only_candidate(
                (record, theirs),
                ours,
                connections,
                machine,
                |other, caller| is_of_one_client(theirs, caller) && !declared_apart(asker, other),
            );
    }
    is_in_one_folder(asker, by)
        && says_its_names(asker, by)
        && is_gone(theirs, machine)
        && came_after(record, theirs, ours, connections)
        && is_only_candidate((record, theirs), ours, connections, machine, |other, _| {
            may_be_either(other, asker, by)
        })
}

/// Who somebody is, as far as the machine could tell.
fn seen(asker: &Asker) -> Option<&Caller> {
    asker
        .caller
        .as_ref()
        .filter(|caller| !caller.is_unidentified())
}

/// The same where one of the two is not known: its process is another user's or on a machine that
/// doesn't tell, or it had gone before it was looked at. They must say the same name, unless it asked by
/// a version that kept no callers. Whoever waits or stands is not passed over.
fn may_have_unknown(
    record: &Record,
    by: &Asker,
    connections: &Connections,
    machine: &dyn Machine,
) -> bool {
    let asker = &record.asker;
    let theirs = seen(asker);
    let is_of_old = asker.caller.is_none() && seen(by).is_some();
    let is_gone = theirs.is_none_or(|theirs| {
        !connections.is_present(&theirs.instance, machine) && is_gone(theirs, machine)
    });
    is_gone
        && record.waiters == 0
        && is_in_one_folder(asker, by)
        && (is_of_old || have_one_name(asker, by))
        && !connections
            .present(machine)
            .any(|other| !are_one(other, by) && may_be_either(other, asker, by))
}

/// The client of an agent that is among the ancestors of a process, or is it: of the one that asks, or
/// of these others. What that process answers may be the agent's own word. The process that asked itself
/// is not below its own client, which it speaks for; what it says was answered in a dialog of that client
/// is not looked at further, because the agent has it already.
pub(crate) fn agent_above<'a>(
    line: &[Process],
    asks: Option<&'a Asker>,
    in_dialog: bool,
    others: impl Iterator<Item = &'a Asker>,
    machine: &dyn Machine,
) -> Option<String> {
    let own = asks.filter(|asks| is_server(line, asks));
    if own.is_some() && in_dialog {
        return None;
    }
    let client = |agent: &Asker| agent.caller.as_ref().and_then(|caller| caller.client);
    let is_other =
        |agent: &&Asker| own.is_none_or(|own| !are_one(own, agent) && client(own) != client(agent));
    let is_above =
        |process: Option<Process>| process.is_some_and(|process| line.contains(&process));
    let is_above = |caller: &Caller| match caller.process {
        Some(process) if caller.is_sessionless_http() => {
            is_above(Some(process)) || is_above(caller.client) || is_above(caller.agent)
        }
        Some(_) => is_above(caller.client) || is_above(caller.agent),
        None => is_above(machine.session_process(&caller.instance)),
    };
    let mut agents = asks.into_iter().chain(others).filter(is_other);
    let above = agents.find(|agent| agent.caller.as_ref().is_some_and(is_above))?;
    let name = above.client.as_deref();
    let name = name.filter(|name| !SafeText::line(name).as_str().trim().is_empty());
    Some(name.unwrap_or("an agent").to_owned())
}

/// Whether a process is the server on standard streams of this agent.
pub(crate) fn is_server(line: &[Process], agent: &Asker) -> bool {
    agent.caller.as_ref().is_some_and(|caller| {
        let process = caller.process.filter(|_| !caller.is_sessionless_http());
        process.is_some() && process.as_ref() == line.first()
    })
}

/// Whether nothing that a third one says of itself tells it apart from the asker and from who calls.
fn may_be_either(other: &Asker, asker: &Asker, by: &Asker) -> bool {
    other.client == by.client && is_in_one_folder(other, by) && !declared_apart(asker, other)
}

/// Whether two are the same instance of a caller.
pub(crate) fn are_one(one: &Asker, other: &Asker) -> bool {
    let instance = |asker: &Asker| asker.caller.as_ref().map(|caller| caller.instance.clone());
    instance(one).is_some() && instance(one) == instance(other)
}

/// Both say who they are, and say different things.
fn declared_apart(one: &Asker, other: &Asker) -> bool {
    let differ = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if one != other);
    differ(&one.session, &other.session) || differ(&one.agent, &other.agent)
}

/// Whoever asked under a name has a successor of that name alone.
fn says_its_names(asker: &Asker, by: &Asker) -> bool {
    let says = |theirs: &Option<String>, ours: &Option<String>| theirs.is_none() || theirs == ours;
    says(&asker.session, &by.session) && says(&asker.agent, &by.agent)
}

/// Both say who they are, and say the same.
fn have_one_name(one: &Asker, other: &Asker) -> bool {
    let is_said = one.session.is_some() || one.agent.is_some();
    is_said && (&one.session, &one.agent) == (&other.session, &other.agent)
}

/// An ask without a directory could be anybody's.
fn is_in_one_folder(one: &Asker, other: &Asker) -> bool {
    one.directory.is_some() && one.directory == other.directory
}

/// One of them started the other.
fn started_one_another(one: &Caller, other: &Caller) -> bool {
    let is_known = |process: Option<Process>| process.is_some();
    (is_known(one.client) && one.client == other.process)
        || (is_known(one.process) && one.process == other.client)
}

/// The same program started both servers: it has restarted its own, or they are those of its
/// sub-agents.
fn is_of_one_client(one: &Caller, other: &Caller) -> bool {
    one.client.is_some() && one.client == other.client
}

/// Whether nothing is left of a caller. Where its client still runs, that may start its server
/// again, and the ask is that one's.
fn is_gone(caller: &Caller, machine: &dyn Machine) -> bool {
    let mut processes = [caller.process, caller.client].into_iter().flatten();
    match caller.process {
        Some(_) => processes.all(|process| !machine.runs(process)),
        None => !machine.session_exists(&caller.instance),
    }
}

/// Whoever was there beside the asker is its twin, not its successor.
fn came_after(record: &Record, theirs: &Caller, ours: &Caller, connections: &Connections) -> bool {
    let departed = connections.departed_at(&theirs.instance);
    ours.started_at.plus_ms(COARSE_MS) >= record.asked_at
        && departed.is_none_or(|at| ours.started_at.plus_ms(SLACK_MS) >= at)
}

/// Where two could be the asker's successor, neither is given what may be the other's.
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
            && fits(other, caller)
            && came_after(record, theirs, caller, connections)
    })
}

#[cfg(test)]
mod tests {
    use ask_core::{Ask, AskId, Time, lifecycle};

    use super::*;

    /// A machine on which nothing is known to run.
    struct Nothing;

    impl Machine for Nothing {
        fn runs(&self, _: Process) -> bool {
            false
        }

        fn session_exists(&self, _: &str) -> bool {
            false
        }

        fn session_process(&self, _: &str) -> Option<Process> {
            None
        }
    }

    fn of(directory: Option<&str>, session: Option<&str>) -> Asker {
        Asker {
            client: Some("curl".to_owned()),
            directory: directory.map(str::to_owned),
            session: session.map(str::to_owned),
            ..Asker::default()
        }
    }

    #[test]
    fn an_agent_without_a_name_is_one_all_the_same() {
        let process = |pid| Process { pid, start: 1 };
        for name in [None, Some(""), Some(" "), Some("\u{200b}")] {
            let server = Caller {
                instance: "process:8:1".to_owned(),
                process: Some(process(8)),
                client: Some(process(7)),
                agent: None,
                started_at: Time(0),
            };
            let asks = Asker {
                client: name.map(str::to_owned),
                caller: Some(server),
                ..Asker::default()
            };
            let none = std::iter::empty();
            let line = [process(9), process(7)];
            let above = agent_above(&line, Some(&asks), false, none, &Nothing);
            assert_eq!(above.as_deref(), Some("an agent"), "{name:?}");
        }
    }

    #[test]
    fn who_is_not_known_has_only_what_was_asked_under_its_own_name() {
        let takes = |asker: Asker, by: Asker, waiters| {
            let id = AskId::parse("a_1234567").expect("an id");
            let mut record = lifecycle::open(id, "native", Ask::default(), asker, Time(0));
            record.waiters = waiters;
            record.asker.caller = Some(Caller::unidentified(&record.id, Time(0)));
            may_have(&record, &by, &Connections::default(), &Nothing)
        };
        let shop = Some("/srv/shop");
        let named = || of(shop, Some("s1"));
        assert!(takes(named(), named(), 0));
        assert!(!takes(named(), named(), 1), "somebody waits for it");
        assert!(!takes(of(shop, None), of(shop, None), 0), "nobody is named");
        assert!(!takes(named(), of(shop, None), 0));
        assert!(!takes(named(), of(shop, Some("s2")), 0));
        assert!(!takes(of(None, Some("s1")), of(None, Some("s1")), 0));
        let known = |asker| Asker {
            caller: Some(Caller {
                instance: "process:7:1".to_owned(),
                process: None,
                client: None,
                agent: None,
                started_at: Time(0),
            }),
            ..asker
        };
        assert!(takes(named(), known(named()), 0));
        assert!(!takes(of(shop, None), known(of(shop, None)), 0), "a twin");
    }

    #[test]
    fn a_successor_has_the_names_of_who_asked_and_was_not_there_beside_it() {
        let takes = |names: Option<&str>, started_at| {
            let server = |pid, started_at| Caller {
                instance: format!("process:{pid}"),
                process: Some(Process { pid, start: 1 }),
                client: None,
                agent: None,
                started_at: Time(started_at),
            };
            let asker = Asker {
                caller: Some(server(7, 0)),
                ..of(Some("/srv/shop"), Some("s1"))
            };
            let by = Asker {
                caller: Some(server(8, started_at)),
                ..of(Some("/srv/shop"), names)
            };
            let id = AskId::parse("a_1234567").expect("an id");
            let record = lifecycle::open(id, "native", Ask::default(), asker, Time(10_000));
            may_have(&record, &by, &Connections::default(), &Nothing)
        };
        assert!(takes(Some("s1"), 20_000));
        assert!(!takes(Some("s2"), 20_000));
        assert!(!takes(None, 20_000), "it says no name");
        assert!(takes(Some("s1"), 9_950), "clocks are coarse");
        assert!(
            !takes(Some("s1"), 9_700),
            "it was there before that was asked"
        );
    }

    #[test]
    fn who_asks_in_its_own_terminal_may_have_been_started_by_an_agent() {
        let process = |pid| Process { pid, start: 1 };
        let started = |pid, by, agent: Option<u32>| Asker {
            client: Some(format!("client-{by}")),
            caller: Some(Caller {
                instance: format!("process:{pid}"),
                process: Some(process(pid)),
                client: Some(process(by)),
                agent: agent.map(process),
                started_at: Time(0),
            }),
            ..Asker::default()
        };
        let (agent, own) = (started(20, 10, None), started(30, 25, None));
        let above = |line: &[u32], in_dialog| {
            let line: Vec<Process> = line.iter().copied().map(process).collect();
            let others = [agent.clone(), own.clone()];
            agent_above(&line, Some(&own), in_dialog, others.iter(), &Nothing)
        };
        assert_eq!(above(&[30, 25], false), None, "a person's shell");
        assert_eq!(above(&[30, 25, 10], true), None, "a dialog of its client");
        assert_eq!(above(&[30, 25, 10], false).as_deref(), Some("client-10"));
        assert_eq!(above(&[40, 25], true).as_deref(), Some("client-25"));

        let in_shell = started(50, 45, Some(5));
        let line = [process(60), process(55), process(5)];
        let above = agent_above(&line, Some(&in_shell), false, std::iter::empty(), &Nothing);
        assert_eq!(
            above.as_deref(),
            Some("client-45"),
            "another shell of its agent"
        );
    }
}
