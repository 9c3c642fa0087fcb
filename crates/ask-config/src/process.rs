//! Processes of this machine: which one an id means, who started it, and whether it still runs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::OnceLock;

use ask_core::{Ancestry, Caller, Process, Time};

use crate::clock;

/// The program at the other end of a connection, by its process id.
pub fn caller(pid: u32) -> Option<Caller> {
    let (process, parent) = look(pid)?;
    let agent = parent
        .and_then(program_above)
        .or_else(|| program_of_session(pid));
    // An agent's command that was left in the background has an agent that can't be found.
    let is_left = || {
        let (line, end) = line_of(pid);
        // The cheapest condition is the first: most callers are no agent's commands.
        end.is_none() && has_command_variables(line.iter()) && command_left_behind(&line).is_some()
    };
    let senders = match agent.is_none() && is_left() {
        true => vec![Process::UNKNOWN],
        false => Vec::new(),
    };
    Some(Caller {
        instance: format!("process:{process}"),
        process: Some(process),
        client: parent
            .filter(|parent| may_be_agent(*parent))
            .and_then(|parent| look(parent).map(|(client, _)| client))
            .or_else(|| agent_of_container(pid)),
        agent,
        senders,
        above: parent.map(programs_from).unwrap_or_default(),
        started_at: started_at(process).unwrap_or_else(clock::steady),
    })
}

/// This process as a caller, with the program that started it. It is looked up only once: if the
/// parent of a process ends, the process gets another parent, which didn't start it.
pub(crate) fn this_caller() -> Option<Caller> {
    static THIS: OnceLock<Option<Caller>> = OnceLock::new();
    THIS.get_or_init(|| caller(std::process::id())).clone()
}

/// Shells. A person types in them, or they only run the command that they are given.
const SHELLS: [&str; 26] = [
    "sh",
    "bash",
    "dash",
    "ash",
    "zsh",
    "fish",
    "ksh",
    "mksh",
    "busybox",
    "nu",
    "lksh",
    "oksh",
    "ksh93",
    "rc",
    "tcsh",
    "csh",
    "bsd-csh",
    "yash",
    "elvish",
    "pwsh",
    "xonsh",
    "oils-for-unix",
    "osh",
    "ysh",
    "murex",
    "ion",
];

/// Other programs that only run the command that they are given: the agent is whoever gave it.
const RUNNERS: [&str; 27] = [
    "su",
    "sg",
    "newgrp",
    "timeout",
    "env",
    "nice",
    "nohup",
    "setsid",
    "xargs",
    "parallel",
    "make",
    "script",
    "flock",
    "watch",
    "sudo",
    "doas",
    "find",
    "time",
    "strace",
    "stdbuf",
    "runuser",
    "dbus-run-session",
    "bwrap",
    "firejail",
    "unshare",
    "nsenter",
    "proot",
];

/// Programs that are the first process of a container, and run the command that they are given.
const INITS: [&str; 4] = ["tini", "docker-init", "dumb-init", "catatonit"];

/// Programs that start or adopt anything that a person starts. None of them is an agent.
const LAUNCHERS: [&str; 100] = [
    "systemd",
    "init",
    "runit",
    "runsvdir",
    "s6-svscan",
    "openrc-init",
    "dinit",
    "sleep",
    "tail",
    "pause",
    "tmux",
    "tmate",
    "screen",
    "zellij",
    "mprocs",
    "dtach",
    "abduco",
    "ttyd",
    "gotty",
    "mosh-server",
    "sshd",
    "sshd-session",
    "dropbear",
    "login",
    "cron",
    "crond",
    "atd",
    "supervisord",
    "gnome-shell",
    "gnome-session-binary",
    "kwin_wayland",
    "kwin_x11",
    "plasmashell",
    "sway",
    "i3",
    "Hyprland",
    "river",
    "niri",
    "labwc",
    "wayfire",
    "dwm",
    "qtile",
    "cinnamon",
    "lxqt-session",
    "mate-session",
    "mate-session-manager",
    "openbox",
    "xfwm4",
    "xfce4-session",
    "sxhkd",
    "awesome",
    "bspwm",
    "rofi",
    "krunner",
    "wofi",
    "fuzzel",
    "kitty",
    "alacritty",
    "wezterm-gui",
    "wezterm-mux-server",
    "gnome-terminal-server",
    "ptyxis",
    "ptyxis-agent",
    "kgx",
    "konsole",
    "foot",
    "footclient",
    "ghostty",
    "xterm",
    "urxvt",
    "urxvtd",
    "rxvt",
    "st",
    "tilix",
    "guake",
    "yakuake",
    "terminator",
    "xfce4-terminal",
    "mate-terminal",
    "lxterminal",
    "qterminal",
    "terminology",
    "rio",
    "warp",
    "warp-terminal",
    "tabby",
    "cosmic-term",
    "contour",
    "waveterm",
    "etterminal",
    "hyper",
    "blackbox",
    "deepin-terminal",
    "io.elementary.terminal",
    "sakura",
    "tilda",
    "mlterm",
    "zutty",
    "conmon",
    "containerd-shim-runc-v2",
];

/// Whether a person types in it: it is a shell for which a terminal was opened, and it was given no
/// command. So is a shell that such a shell started, perhaps as another account.
fn is_persons_shell(pid: u32, program: &str) -> bool {
    is_shell_without_command(pid, program)
        && (platform::leads_terminal(pid) || is_nested_shell(pid))
}

fn is_shell_without_command(pid: u32, program: &str) -> bool {
    SHELLS.contains(&program) && !runs_command(program, &platform::arguments(pid))
}

/// Whether a person started this shell in a shell of theirs, perhaps by programs that only run commands.
fn is_nested_shell(pid: u32) -> bool {
    let mut next = pid;
    for _ in 0..MAX_ANCESTORS {
        let Some(parent) = look(next).and_then(|(_, parent)| parent) else {
            return false;
        };
        let Some(program) = platform::program(parent) else {
            return false;
        };
        let starts_shells =
            INITS.contains(&program.as_str()) || is_shell_without_command(parent, &program);
        if starts_shells && platform::leads_terminal(parent) {
            return true;
        }
        if !is_wrapper(&program) {
            return false;
        }
        next = parent;
    }
    false
}

/// Options of shells that have a value as the next argument, none of which is a command that ends.
const VALUE_OPTIONS: [&str; 17] = [
    "--rcfile",
    "--init-file",
    "-o",
    "+o",
    "-O",
    "+O",
    "-C",
    "--init-command",
    "-rc",
    "--rc",
    "--config",
    "--env-config",
    "--plugin-config",
    "-I",
    "--include-path",
    "--execute",
    "--emulate",
];

/// Whether the command line of a shell has it run a command or a script, and end then.
fn runs_command(program: &str, command_line: &[String]) -> bool {
    let mut arguments = command_line.iter().map(String::as_str).skip(1);
    if program == "pwsh" {
        let lower = |argument: &str| argument.to_lowercase();
        let stays = |argument: &str| lower(argument) == "-noexit";
        let is_command = |argument: &str| {
            let argument = lower(argument);
            let runs = ["-command", "-encodedcommand", "-file"];
            argument.len() > 1 && runs.iter().any(|option| option.starts_with(&argument))
        };
        return !arguments.clone().any(stays) && arguments.any(is_command);
    }
    if program == "busybox" {
        // The name of the shell in it.
        arguments.next();
    }
    while let Some(argument) = arguments.next() {
        if VALUE_OPTIONS.contains(&argument) {
            arguments.next();
        } else if let Some(long) = argument.strip_prefix("--") {
            if long.starts_with("command") {
                return true;
            }
        } else if let Some(short) = argument.strip_prefix(['-', '+']) {
            if short.contains('c') {
                return true;
            }
        } else if !argument.is_empty() {
            return true;
        }
    }
    false
}

/// Whether a program that started another one may be its agent.
fn may_be_agent(pid: u32) -> bool {
    let program = platform::program(pid);
    program.is_none_or(|program| !is_persons_shell(pid, &program) && !is_launcher(pid, &program))
}

/// Whether this is the first process of a container or sandbox. It adopts what its descendants leave behind.
/// Where it is a shell in which a person types, most of its children are the person's own.
fn is_init(pid: u32) -> bool {
    let is_persons = || {
        let program = platform::program(pid);
        program.is_some_and(|program| is_persons_shell(pid, &program))
    };
    adopts_in_container(pid) && !is_persons()
}

/// Whether a process adopts what others in its container leave behind.
fn adopts_in_container(pid: u32) -> bool {
    platform::is_first_of_namespace(pid)
        || platform::program(pid).is_some_and(|program| INITS.contains(&program.as_str()))
}

/// Whether a program starts anything that a person starts, or belongs to another account, as what lets
/// a person log in does.
fn is_launcher(pid: u32, program: &str) -> bool {
    // The system cuts a program's own name, which counts where its file can't be seen.
    let is_cut = |name: &&str| program.len() == MAX_OWN_NAME && name.starts_with(program);
    LAUNCHERS.contains(&program)
        || LAUNCHERS.iter().any(is_cut)
        || program.starts_with("python") && runs_launcher(&platform::arguments(pid))
        || platform::is_foreign(pid)
}

/// Whether this command line of Python runs a launcher: some terminals are written in it.
fn runs_launcher(command_line: &[String]) -> bool {
    let mut arguments = command_line.iter().skip(1);
    let script = arguments.find(|argument| !argument.starts_with('-'));
    let name = script.and_then(|script| script.rsplit('/').next());
    name.is_some_and(|name| LAUNCHERS.contains(&name))
}

/// How many bytes of a program's own name the system keeps.
const MAX_OWN_NAME: usize = 15;

fn is_wrapper(program: &str) -> bool {
    [&SHELLS[..], &RUNNERS, &INITS]
        .iter()
        .any(|programs| programs.contains(&program))
}

/// The nearest program above a wrapper that isn't one: an agent that runs commands, or a build.
/// `None` if a shell in which a person types comes first.
fn program_above(wrapper: u32) -> Option<Process> {
    let mut next = wrapper;
    for _ in 0..MAX_ANCESTORS {
        let program = platform::program(next)?;
        if is_end(next) || is_persons_shell(next, &program) {
            return None;
        }
        if !is_wrapper(&program) {
            let is_somebody = next != wrapper && !is_launcher(next, &program);
            return look(next)
                .map(|(process, _)| process)
                .filter(|_| is_somebody);
        }
        next = look(next)?.1?;
    }
    None
}

/// The programs that may be the agent of what a process runs, the nearest first: itself and those
/// above it, up to what starts anything, or a shell in which a person types.
fn programs_from(pid: u32) -> Vec<Process> {
    let mut programs = Vec::new();
    for process in line_of(pid).0 {
        let program = platform::program(process.pid);
        let runs_command = program
            .as_deref()
            .is_some_and(|program| is_wrapper(program) && !is_persons_shell(process.pid, program));
        if runs_command {
            continue;
        }
        if !may_be_agent(process.pid) || programs.len() == MAX_PROGRAMS {
            break;
        }
        programs.push(process);
    }
    programs
}

/// How many programs above a caller are looked at.
const MAX_PROGRAMS: usize = 8;

/// The agent of a process that none of its ancestors brought into its session: its parent has ended,
/// and another process of the session may have started it. That is the one that has the terminal at
/// the moment, or else the oldest that may be an agent.
fn program_of_session(pid: u32) -> Option<Process> {
    let session = platform::session(pid).filter(|session| *session != 0)?;
    let (mut process, mut next) = look(pid)?;
    // The uppermost one in the session: a desktop's `systemd --user` may have adopted it.
    let mut adopted = process;
    let mut init = None;
    for _ in 0..MAX_ANCESTORS {
        if process.pid == session || is_end(process.pid) {
            return None;
        }
        let Some(parent) = next else { break };
        (process, next) = look(parent)?;
        if is_init(parent) {
            init = Some(process);
            break;
        }
        if platform::session(parent) == Some(session) {
            adopted = process;
        }
    }
    let leader = platform::program(session);
    // Many programs of a desktop share the session of what started them.
    if init.is_none()
        && leader
            .as_deref()
            .is_some_and(|leader| is_launcher(session, leader))
    {
        return None;
    }
    // Where a person types, other programs of the session are their own.
    let is_persons = leader.is_some_and(|leader| is_persons_shell(session, &leader));
    let may_be_agent = |other: &u32| {
        let is_agent = |program: String| !is_wrapper(&program) && !is_launcher(*other, &program);
        *other != pid
            && !is_end(*other)
            && (!is_persons || platform::has_terminal(*other))
            && platform::program(*other).is_some_and(is_agent)
    };
    let others = platform::processes().filter(|other| platform::session(*other) == Some(session));
    let found = others.filter(may_be_agent).filter_map(|other| {
        let (process, _) = look(other)?;
        let is_within = |init| line_of(other).0.contains(&init);
        (process.may_have_started(adopted) && init.is_none_or(is_within))
            .then(|| (!platform::has_terminal(other), process.start, process))
    });
    found.min().map(|(.., process)| process)
}

/// The program at the other end of a TCP connection within this machine, if it belongs to this
/// user: `theirs` is its address, and `ours` the one that it connected to. This looks at every
/// process of the user, which takes milliseconds.
pub fn caller_from(theirs: SocketAddr, ours: SocketAddr) -> Option<Caller> {
    caller(platform::owner_of(theirs, ours)?).map(without_shell)
}

/// The same caller without a shell as its client. A program that speaks to the hub itself may be an
/// agent, and the shell that started it the person's, also below another shell.
pub fn without_shell(caller: Caller) -> Caller {
    let client = caller.client.filter(|client| {
        let program = platform::program(client.pid);
        program.is_none_or(|program| !is_wrapper(&program))
    });
    Caller { client, ..caller }
}

/// Whether a process can't be found by its connections: it isn't dumpable, as some agents make
/// themselves.
fn hides(pid: u32) -> bool {
    let may_hide = |program: String| !is_launcher(pid, &program);
    platform::hides_files(pid) && platform::program(pid).is_none_or(may_hide)
}

/// A process and its ancestors up to this process, because what the hub started belongs to nobody
/// above the hub. `None` if the process has ended.
pub fn ancestry(pid: u32) -> Option<Ancestry> {
    let (line, next) = line_of(pid);
    let is_too_deep = line.len() == MAX_ANCESTORS;
    if line.is_empty() && !is_end(pid) {
        return None;
    }
    let mut processes = line.clone();
    if next.is_none() {
        let first = line.last().and_then(|last| agent_of_container(last.pid));
        processes.extend(first);
        processes.extend(others_of_sessions(&line));
    }
    let mut servers = servers_of(processes.get(1..).unwrap_or_default());
    // What the hub started has its environment, which says nothing about this process.
    if next != Some(std::process::id()) {
        for agent in declared_agents(&line) {
            processes.extend(line_of(agent.pid).0);
            servers.push(Caller::without_server(agent));
        }
    }
    let left_behind = match servers.is_empty() && next.is_none() {
        true => command_left_behind(&line),
        false => None,
    };
    if let Some(left) = left_behind {
        servers = servers_older_than(left);
    }
    Some(Ancestry {
        program: platform::program(pid),
        terminal: platform::terminal(pid),
        below_agent: is_too_deep.then(|| HIDDEN_PROGRAM.to_owned()),
        below_hidden: processes
            .iter()
            .any(|process| hides(process.pid))
            .then(|| HIDDEN_PROGRAM.to_owned()),
        is_agents_command: next != Some(std::process::id()) && has_command_variables(line.iter()),
        servers,
        left_behind,
        processes,
    })
}

/// A process and its ancestors, and the process at which they end: this one, or none that can be
/// looked at.
fn line_of(pid: u32) -> (Vec<Process>, Option<u32>) {
    let mut processes: Vec<Process> = Vec::new();
    let mut next = Some(pid);
    let is_end = |pid, below: Option<&Process>| is_end(pid) && !below.is_some_and(is_earlier);
    while let Some(pid) = next.filter(|pid| !is_end(*pid, processes.last()))
        && processes.len() < MAX_ANCESTORS
        && let Some((process, parent)) = look(pid)
    {
        processes.push(process);
        next = parent;
    }
    (processes, next)
}

/// The agents without servers above a process and its ancestors: such an agent may have been started
/// by a shell of another one.
fn declared_agents(line: &[Process]) -> Vec<Process> {
    let mut line = line.to_vec();
    let mut agents = Vec::new();
    // Each started earlier than the one before it.
    while let Some(agent) = line
        .iter()
        .find_map(|process| declared_agent(process.pid))
        .filter(|agent| !agents.contains(agent))
    {
        agents.push(agent);
        line = line_of(agent.pid).0;
    }
    agents
}

/// The agent that has no server, and that a process inherited the environment of: a shell of it
/// started the process, or one of its ancestors. A process in another PID namespace means another
/// one by the same id.
fn declared_agent(pid: u32) -> Option<Process> {
    let declared = platform::variable(pid, AGENT_VARIABLE)?;
    let (declared, ticks) = declared.split_once(':')?;
    let (own, _) = look(pid)?;
    let (agent, _) = look(declared.parse().ok()?)?;
    let is_meant = platform::started_at_tick(agent, ticks.parse().ok()?)
        && platform::shares_pid_namespace(pid);
    (is_meant && agent.may_have_started(own)).then_some(agent)
}

/// The variable that names an agent whose extension runs `ask-user`, such as pi's: its process id, a
/// colon, and the tick at which it started. Its shells inherit it, also where their parents have
/// ended.
pub const AGENT_VARIABLE: &str = "ASK_USER_AGENT_PROCESS";

/// Variables that agents set for the commands that they run.
pub const COMMAND_VARIABLES: [&str; 14] = [
    "AGENT",
    "AI_AGENT",
    "CLAUDECODE",
    "CLINE_ACTIVE",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GOOSE_TERMINAL",
    "OPENCODE",
    "QWEN_CODE",
];

/// The uppermost process of a line whose parent has ended, if it is an agent's command by its
/// environment. Many agents give each command a session of its own, so nothing else leads from what
/// the command left in the background to them.
fn command_left_behind(line: &[Process]) -> Option<Process> {
    let is_adoptive = |process: &Process| {
        let program = platform::program(process.pid);
        is_init(process.pid) || program.is_some_and(|program| is_launcher(process.pid, &program))
    };
    // Whatever has adopted it has another session.
    let is_adopted = |process: &Process| {
        let leader = platform::session(process.pid).filter(|session| *session != 0);
        leader.is_some_and(has_ended)
    };
    let adopted = line.iter().rposition(is_adopted);
    let uppermost = line.iter().rposition(|process| !is_adoptive(process));
    [adopted, uppermost].into_iter().flatten().find_map(|at| {
        let is_command = has_command_variables(line.get(..=at)?.iter().rev());
        is_command.then_some(line[at])
    })
}

/// Whether the first of these processes that has an environment got it from an agent that ran a command. A
/// program that sets its own title writes over its environment.
fn has_command_variables<'a>(mut line: impl Iterator<Item = &'a Process>) -> bool {
    let names = line.find_map(|process| {
        let names = platform::variable_names(process.pid);
        (!names.is_empty()).then_some(names)
    });
    let is_set = |name: &String| COMMAND_VARIABLES.contains(&name.as_str());
    names.is_some_and(|names| names.iter().any(is_set))
}

/// Whether a process runs our program, as far as the system tells.
pub fn is_ours(pid: u32) -> bool {
    platform::program(pid).is_none_or(|program| program == "ask-user")
}

/// Whether it runs `ask-user mcp`.
pub fn is_mcp_server(pid: u32) -> bool {
    let mut arguments = platform::arguments(pid).into_iter().skip(1);
    is_ours(pid) && arguments.find(|argument| !argument.starts_with('-')) == Some("mcp".to_owned())
}

/// The running servers, `ask-user mcp`, whose agent is above a process. One that was started with
/// another home asks another hub.
fn servers_of(agents: &[Process]) -> Vec<Caller> {
    servers_whose_agent(|agent| agents.contains(&agent))
}

/// The running servers whose agent may have started a process.
fn servers_older_than(process: Process) -> Vec<Caller> {
    servers_whose_agent(|agent| agent.may_have_started(process))
}

fn servers_whose_agent(is_meant: impl Fn(Process) -> bool) -> Vec<Caller> {
    let home = |value: Option<String>| value.filter(|home| !home.is_empty());
    let own_home = home(std::env::var(HOME_VARIABLE).ok());
    // An app's own server serves agents that the app need not have started.
    let is_apps = |pid: u32| {
        let mut arguments = platform::arguments(pid).into_iter();
        arguments.any(|argument| argument == "--port" || argument.starts_with("--port="))
    };
    let is_server = |pid: &u32| {
        is_mcp_server(*pid)
            && !is_apps(*pid)
            && home(platform::variable(*pid, HOME_VARIABLE)) == own_home
    };
    let is_theirs = |server: &Caller| {
        let mut above = [server.client, server.agent].into_iter().flatten();
        above.any(&is_meant)
    };
    let servers = platform::processes().filter(is_server).filter_map(caller);
    servers.filter(is_theirs).collect()
}

/// Other processes that may have started a process or one of its ancestors, because a parent has
/// ended: those of the same session, if none of the line leads it. A program such as `script` gives
/// its child a session of its own, so each session of the line is looked at. An init adopts the orphans of
/// its own session as well. A person's shell as the first process of a container started most of its
/// children itself, each in a process group of its own: there, only the same group leads further.
fn others_of_sessions(line: &[Process]) -> Vec<Process> {
    // The uppermost of the line in each session: only its parent may have ended.
    let mut uppermost = BTreeMap::new();
    for process in line {
        if let Some(session) = platform::session(process.pid) {
            uppermost.insert(session, *process);
        }
    }
    // A person who enters a container has the parent 0 there, and session 0 like the agent.
    let parent = |process: &Process| platform::start_and_parent(process.pid)?.1;
    let is_from_outside = line.last().and_then(parent) == Some(0);
    uppermost.retain(|session, _| {
        !(is_from_outside && *session == 0) && line.iter().all(|process| process.pid != *session)
    });
    let below_init = line.windows(2).filter_map(|pair| {
        let session = platform::session(pair[0].pid).filter(|session| *session != 0)?;
        adopts_in_container(pair[1].pid).then_some((session, pair[0], Some(pair[1])))
    });
    // Each with its session, and with the init that may have adopted it.
    let uppermost = uppermost.into_iter();
    let uppermost = uppermost.map(|(session, process)| (session, process, None));
    let adopted: Vec<(u32, Process, Option<Process>)> = uppermost.chain(below_init).collect();
    if adopted.is_empty() {
        return Vec::new();
    }
    // No line goes beyond the first process of this namespace.
    let is_persons = |session: u32, init: Option<Process>| {
        let first = init.map_or(1, |init| init.pid);
        let program = || platform::program(first);
        session == first && program().is_some_and(|program| is_persons_shell(first, &program))
    };
    let is_same_group = |one, other| {
        let group = platform::group(one);
        group.is_some() && group == platform::group(other)
    };
    let of_session = platform::processes().filter_map(|pid| {
        let session = platform::session(pid)?;
        let mut adopted = adopted.iter().filter(|(of, ..)| *of == session).peekable();
        adopted.peek()?;
        let (process, _) = look(pid)?;
        let is_within = |init: &Process| line_of(pid).0.contains(init);
        adopted
            .any(|(_, adopted, init)| {
                process.may_have_started(*adopted)
                    && init.as_ref().is_none_or(is_within)
                    && (!is_persons(session, *init) || is_same_group(pid, adopted.pid))
            })
            .then_some(process)
    });
    of_session
        .filter(|process| !line.contains(process))
        .collect()
}

/// Of a program of this account that holds a device's cookie, at the other end of a connection: the
/// process with its ancestors, or all those that hide their connections, of which it may be one. A proxy
/// of the person may have an account of its own, and is not recorded.
pub fn device_ancestry(theirs: SocketAddr, ours: SocketAddr) -> Option<Ancestry> {
    let is_own = || accounts_from(&[(theirs, ours)]).first() == Some(&Account::own());
    ancestry_from(theirs, ours).or_else(|| is_own().then(hidden_ancestry))
}

/// The ancestry of a process of this account that can't be told apart from others.
fn hidden_ancestry() -> Ancestry {
    let hidden = platform::processes().filter(|pid| hides(*pid));
    Ancestry {
        processes: std::iter::once(Process::UNKNOWN)
            .chain(hidden.flat_map(|pid| line_of(pid).0))
            .collect(),
        below_hidden: Some(HIDDEN_PROGRAM.to_owned()),
        ..Ancestry::default()
    }
}

/// The ancestry of the process at the other end of a TCP connection within this machine.
pub fn ancestry_from(theirs: SocketAddr, ours: SocketAddr) -> Option<Ancestry> {
    ancestry(platform::owner_of(theirs, ours)?)
}

/// Who owns the program at the other end of a TCP connection within this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// The account with this user id.
    Uid(u32),
    /// The other end is closed, and no process holds it.
    Gone,
    /// The system doesn't tell the account.
    Unknown,
}

impl Account {
    /// The account of this process.
    pub fn own() -> Self {
        Self::Uid(rustix::process::geteuid().as_raw())
    }
}

/// The two ends of a TCP connection within this machine: the address of the program at the other
/// end, and the one that it connected to.
pub type Ends = (SocketAddr, SocketAddr);

/// The accounts of the programs at the other ends of these connections, in their order. This reads
/// the system's list of connections once for all of them.
pub fn accounts_from(connections: &[Ends]) -> Vec<Account> {
    platform::accounts_of(connections)
}

/// Whether it is the account of this process, or root, which may do everything anyway. A test has
/// no second account, so it sets the own one in `ASK_USER_TEST_ACCOUNT`.
pub fn is_own_account(account: u32) -> bool {
    #[cfg(feature = "testing")]
    if let Ok(own) = std::env::var("ASK_USER_TEST_ACCOUNT") {
        return own == account.to_string();
    }
    account == 0 || account == rustix::process::geteuid().as_raw()
}

/// Whether it is the account of this process. A test has no second account, so it sets the own one in
/// `ASK_USER_TEST_HUB_ACCOUNT`.
pub fn is_same_account(account: u32) -> bool {
    #[cfg(feature = "testing")]
    if let Ok(own) = std::env::var("ASK_USER_TEST_HUB_ACCOUNT") {
        return own == account.to_string();
    }
    account == rustix::process::getuid().as_raw()
}

/// What this process had started before it became the hub by `exec`.
static EARLIER: OnceLock<Vec<Process>> = OnceLock::new();

/// Records that this process didn't start its current children as the hub. Orphans of theirs don't
/// become its children either.
pub fn disown_children() {
    platform::adopt_no_orphans();
    let children = platform::children().into_iter().filter_map(look);
    EARLIER.get_or_init(|| children.map(|(process, _)| process).collect());
}

fn is_earlier(process: &Process) -> bool {
    EARLIER.get().is_some_and(|all| all.contains(process))
}

/// The name of the agent above a process whose ancestors can't all be looked at.
pub const HIDDEN_PROGRAM: &str = "a program that hides";

/// The variable with the person's folder.
const HOME_VARIABLE: &str = "ASK_USER_HOME";

/// How many ancestors of a process are looked at.
const MAX_ANCESTORS: usize = 64;

/// Whether the ancestry ends at this process. In tests, one process starts agents and persons
/// alike: what the process with the id in `ASK_USER_TEST_PERSON` starts belongs to no agent.
fn is_end(pid: u32) -> bool {
    #[cfg(feature = "testing")]
    if std::env::var("ASK_USER_TEST_PERSON").is_ok_and(|person| person == pid.to_string()) {
        return true;
    }
    pid == std::process::id()
}

/// Whether exactly this process still runs. A process that can't be looked at counts as running, so
/// that nothing is taken from one that may exist.
pub fn runs(process: Process) -> bool {
    match look(process.pid) {
        Some((found, _)) => found == process,
        None => platform::exists(process.pid),
    }
}

/// The first process of this container, if it is the parent of a process and may be an agent. It adopts
/// what others leave behind, too, but all of that is in its own container.
fn agent_of_container(pid: u32) -> Option<Process> {
    let is_first = platform::start_and_parent(pid)?.1 == Some(1) && platform::is_contained();
    let program = is_first.then(|| platform::program(1)).flatten()?;
    let (first, _) = look(1)?;
    (!is_wrapper(&program) && may_be_agent(1) && !is_end(1)).then_some(first)
}

/// Whether the process with this id has ended. One whose parent has not noticed that yet has ended, too.
pub fn has_ended(pid: u32) -> bool {
    look(pid).is_none() && !platform::exists(pid)
}

/// A process and the id of its parent. The first process of a machine is left out as a parent: it
/// adopts every process whose parent has ended, so it says nothing about who belongs together.
fn look(pid: u32) -> Option<(Process, Option<u32>)> {
    let (start, parent) = platform::start_and_parent(pid)?;
    Some((Process { pid, start }, parent.filter(|parent| *parent > 1)))
}

/// A number for this boot of the machine; 0 if the system doesn't tell.
pub(crate) fn boot_number() -> u64 {
    platform::boot()
}

/// When a process started by the steady clock, as far as the system tells.
pub fn started_at(process: Process) -> Option<Time> {
    // A pause after this makes it seem older. One that seems younger could get an answer of a caller
    // that asked after its start.
    let now = clock::steady();
    let age_ms = match clock::is_fixed() {
        // While a test has stopped the clock, no process grows older.
        true => 0,
        false => platform::age_ms(process)?,
    };
    Some(Time(now.0.saturating_sub_unsigned(age_ms)))
}

#[cfg(target_os = "linux")]
mod platform {
    use std::collections::HashMap;
    use std::fs;
    use std::io::{self, BufRead, BufReader, Read as _};
    use std::net::{IpAddr, SocketAddr};
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    use ask_core::Process;
    use rustix::io::Errno;

    use super::{Account, Ends};

    /// The lower bits are the ticks, the upper ones a number for this boot of the machine: process
    /// ids and ticks repeat after a reboot.
    const TICK_BITS: u32 = 40;

    /// Reads `/proc/PID/stat`, proc(5): the 22nd field is the start in ticks since the machine
    /// started, the 4th the parent. The name before them may contain spaces and parentheses.
    pub(super) fn start_and_parent(pid: u32) -> Option<(u64, Option<u32>)> {
        let stat = stat(pid).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        // A zombie has ended, unless only its first thread has.
        let threads: Option<u32> = fields.get(17).and_then(|count| count.parse().ok());
        let is_zombie = matches!(fields.first(), Some(&"Z" | &"X"));
        if is_zombie && threads.is_none_or(|threads| threads <= 1) {
            return None;
        }
        let parent = fields.get(1)?.parse().ok();
        let ticks: u64 = fields.get(19)?.parse().ok()?;
        Some((boot() << TICK_BITS | ticks, parent))
    }

    /// Reads `/proc/PID/stat`. Its size isn't known in advance, so the buffer has space for all of
    /// it.
    fn stat(pid: u32) -> io::Result<String> {
        let mut text = Vec::with_capacity(1_024);
        let file = fs::File::open(format!("/proc/{pid}/stat"))?;
        file.take(64 * 1_024).read_to_end(&mut text)?;
        // The system cuts the name after 15 bytes, perhaps within a character.
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The file name of its program, also if the file was removed since it started.
    pub(super) fn program(pid: u32) -> Option<String> {
        let Ok(path) = fs::read_link(format!("/proc/{pid}/exe")) else {
            // It isn't dumpable, or belongs to another account. Then its own name for itself counts.
            let stat = stat(pid).ok()?;
            let name = stat.split_once('(')?.1.rsplit_once(')')?.0;
            return Some(name.to_owned());
        };
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(name.trim_end_matches(" (deleted)").to_owned())
    }

    /// Whether a process of this account hides its open files, so that its connections can't be told
    /// apart from others.
    pub(super) fn hides_files(pid: u32) -> bool {
        let is_ours = || {
            let own = rustix::process::geteuid().as_raw();
            status_uid(pid) == Some(own)
        };
        let files = fs::read_dir(format!("/proc/{pid}/fd"));
        files.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) && is_ours()
    }

    /// Whether it belongs to another account, which root doesn't count as.
    pub(super) fn is_foreign(pid: u32) -> bool {
        let own = rustix::process::geteuid().as_raw();
        own != 0 && status_uid(pid).is_some_and(|uid| uid != own)
    }

    /// The account of a process, from `/proc/PID/status`: its files in `/proc` belong to root if it
    /// isn't dumpable.
    fn status_uid(pid: u32) -> Option<u32> {
        let status = fs::read(format!("/proc/{pid}/status")).ok()?;
        let status = String::from_utf8_lossy(&status);
        let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// The terminal that controls it, from the 7th field of `/proc/PID/stat`, proc(5). The numbers
    /// are those of the kernel's list of devices: 136 to 143 for pseudo-terminals, 4 for consoles.
    pub(super) fn terminal(pid: u32) -> Option<String> {
        let number: i32 = field(pid, 4)?.parse().ok()?;
        let number = number.cast_unsigned();
        let (major, minor) = (
            (number >> 8) & 0xfff,
            (number & 0xff) | ((number >> 12) & 0xfff00),
        );
        match major {
            136..=143 => Some(format!("pts/{}", (major - 136) * 256 + minor)),
            4 => Some(format!("tty{minor}")),
            _ => None,
        }
    }

    /// Whether it leads a session with a terminal, by the 7th field of `/proc/PID/stat`, proc(5).
    pub(super) fn leads_terminal(pid: u32) -> bool {
        session(pid) == Some(pid) && field(pid, 4).is_some_and(|terminal| terminal != "0")
    }

    /// Whether its group of processes has the terminal at the moment, by the 5th and the 8th field.
    pub(super) fn has_terminal(pid: u32) -> bool {
        let group = field(pid, 2);
        group.is_some() && group == field(pid, 5)
    }

    /// Its session, by the id of the process that leads it or led it: the 6th field. 0 means that
    /// the session began outside: with the process that started this container, or with the
    /// system's first.
    pub(super) fn session(pid: u32) -> Option<u32> {
        field(pid, 3)?.parse().ok()
    }

    /// Whether this process is in another PID namespace than the machine's first process. Linux gives that
    /// namespace a fixed number.
    pub(super) fn is_contained() -> bool {
        let own = fs::read_link("/proc/self/ns/pid");
        own.is_ok_and(|own| own.as_os_str() != "pid:[4026531836]")
    }

    /// Whether it is the first process of a PID namespace within ours.
    pub(super) fn is_first_of_namespace(pid: u32) -> bool {
        fs::read_to_string(format!("/proc/{pid}/status")).is_ok_and(|status| is_first(&status))
    }

    /// Whether the line `NSpid` of proc(5) ends with process 1 of an inner namespace.
    pub(super) fn is_first(status: &str) -> bool {
        let mut lines = status.lines();
        let ids = lines.find_map(|line| line.strip_prefix("NSpid:"));
        ids.is_some_and(|ids| ids.split_whitespace().skip(1).last() == Some("1"))
    }

    /// The field at this position after the name in `/proc/PID/stat`.
    fn field(pid: u32, after: usize) -> Option<String> {
        let stat = stat(pid).ok()?;
        let field = stat.rsplit_once(") ")?.1.split(' ').nth(after)?;
        Some(field.to_owned())
    }

    /// Its group of processes, by the 5th field. An interactive shell gives each job one.
    pub(super) fn group(pid: u32) -> Option<u32> {
        field(pid, 2)?.parse().ok()
    }

    /// The arguments that it was started with, its own name first.
    pub(super) fn arguments(pid: u32) -> Vec<String> {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let arguments = line.split(|byte| *byte == 0);
        arguments
            .map(|one| String::from_utf8_lossy(one).into_owned())
            .collect()
    }

    /// A variable of the environment that it was started with.
    pub(super) fn variable(pid: u32, name: &str) -> Option<String> {
        let all = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut all = all.split(|byte| *byte == 0);
        all.find_map(|one| {
            let value = one.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(String::from_utf8_lossy(value).into_owned())
        })
    }

    /// The names of the variables that it was started with. Empty if it has written over them.
    pub(super) fn variable_names(pid: u32) -> Vec<String> {
        let all = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let all = String::from_utf8_lossy(&all);
        let names = all.split('\0').filter_map(|one| one.split_once('='));
        names.map(|(name, _)| name.to_owned()).collect()
    }

    /// The ids of all processes of this machine.
    pub(super) fn processes() -> impl Iterator<Item = u32> {
        let names = fs::read_dir("/proc").into_iter().flatten();
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.parse().ok())
    }

    /// Whether there is a process with this id that can't be looked at.
    pub(super) fn exists(pid: u32) -> bool {
        match stat(pid) {
            // It could be read, so the process was looked at before, and has ended.
            Ok(_) => false,
            // Too many open files, for example, say nothing about the process.
            Err(error) => {
                let gone = [Errno::NOENT, Errno::SRCH].map(|gone| Some(gone.raw_os_error()));
                !gone.contains(&error.raw_os_error())
            }
        }
    }

    /// Whether a process started at this tick.
    pub(super) fn started_at_tick(process: Process, tick: u64) -> bool {
        process.start & ((1 << TICK_BITS) - 1) == tick
    }

    /// Whether a process sees the same process ids as this one.
    pub(super) fn shares_pid_namespace(pid: u32) -> bool {
        let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
        namespace(&pid.to_string()) == namespace("self")
    }

    pub(super) fn age_ms(process: Process) -> Option<u64> {
        let uptime = fs::read_to_string("/proc/uptime").ok()?;
        let seconds: f64 = uptime.split(' ').next()?.parse().ok()?;
        let ticks = process.start & ((1 << TICK_BITS) - 1);
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        let started_ms = ticks.saturating_mul(1_000) / per_second;
        Some(((seconds * 1_000.0) as u64).saturating_sub(started_ms))
    }

    /// Gives up the role of a subreaper. A program keeps it when it becomes another one by `exec`.
    pub(super) fn adopt_no_orphans() {
        // It has no reason to fail. If it does, orphans count as started by this process, as before.
        let _ = rustix::process::set_child_subreaper(None);
    }

    /// The children of this process that still run.
    pub(super) fn children() -> Vec<u32> {
        let threads = fs::read_dir("/proc/self/task")
            .into_iter()
            .flatten()
            .flatten();
        let texts =
            threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        texts
            .flat_map(|text| {
                text.split_whitespace()
                    .filter_map(|pid| pid.parse().ok())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// The process that holds the end of a connection with this address. If several hold it, it is
    /// the one that started the others: a child holds what its parent does until it runs another
    /// program.
    pub(super) fn owner_of(theirs: SocketAddr, ours: SocketAddr) -> Option<u32> {
        let inode = end_of(theirs, ours)?.inode;
        if inode == 0 {
            return None;
        }
        let wanted = format!("socket:[{inode}]");
        let holder = processes().find(|pid| holds(*pid, &wanted))?;
        let parent = |pid| start_and_parent(pid)?.1;
        Some(eldest(holder, parent, |pid| holds(pid, &wanted)))
    }

    /// The topmost of a process and its ancestors that hold the same socket. Ids don't tell the
    /// order, because small ones are reused.
    pub(super) fn eldest(
        holder: u32,
        parent: impl Fn(u32) -> Option<u32>,
        holds: impl Fn(u32) -> bool,
    ) -> u32 {
        let above = |pid: &u32| parent(*pid).filter(|parent| holds(*parent));
        std::iter::successors(Some(holder), above)
            .last()
            .unwrap_or(holder)
    }

    pub(super) fn accounts_of(connections: &[Ends]) -> Vec<Account> {
        let mut found: HashMap<_, Option<End>> = connections
            .iter()
            .map(|ends| (plain(*ends), None))
            .collect();
        for table in TABLES {
            if found.values().all(Option::is_some) {
                break;
            }
            for line in lines(table) {
                if let Some((ends, end)) = parse(&line)
                    && let Some(place @ None) = found.get_mut(&ends)
                {
                    *place = Some(end);
                }
            }
        }
        let account = |ends| match found.get(&plain(ends)) {
            // The system lists a socket that no process holds any more as root's.
            Some(Some(End { inode: 0, .. })) => Account::Gone,
            Some(Some(End { account, .. })) => Account::Uid(*account),
            Some(None) | None => Account::Unknown,
        };
        connections.iter().copied().map(account).collect()
    }

    /// One end of a connection, as the system lists it.
    struct End {
        account: u32,
        /// 0 once it is closed.
        inode: u64,
    }

    /// The system's lists of connections. `/proc/net`, a link to them, is missing where `/proc` shows
    /// processes alone (`subset=pid`).
    const TABLES: [&str; 2] = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

    fn end_of(theirs: SocketAddr, ours: SocketAddr) -> Option<End> {
        let wanted = plain((theirs, ours));
        let ends = |table| lines(table).filter_map(|line| parse(&line));
        let mut all = TABLES.into_iter().flat_map(ends);
        all.find_map(|(ends, end)| (ends == wanted).then_some(end))
    }

    /// The lines of a list without its header. The list may be long, so it is never in memory as a
    /// whole.
    fn lines(table: &str) -> impl Iterator<Item = String> + use<> {
        let table = fs::File::open(table).ok().map(BufReader::new);
        let lines = table.into_iter().flat_map(BufRead::lines).skip(1);
        lines.map_while(Result::ok)
    }

    /// Parses a line, proc(5): the second and third field are the addresses in hexadecimal, each
    /// word of them in the machine's byte order, the eighth is the account and the tenth the inode.
    fn parse(line: &str) -> Option<(PlainEnds, End)> {
        let mut fields = line.split_whitespace().skip(1);
        let ends = (address(fields.next()?)?, address(fields.next()?)?);
        let account = fields.nth(4)?.parse().ok()?;
        let inode = fields.nth(1)?.parse().ok()?;
        Some((ends, End { account, inode }))
    }

    fn address(field: &str) -> Option<(IpAddr, u16)> {
        let (address, port) = field.split_once(':')?;
        let port = u16::from_str_radix(port, 16).ok()?;
        let mut bytes = Vec::with_capacity(16);
        for at in (0..address.len()).step_by(8) {
            let word = u32::from_str_radix(address.get(at..at + 8)?, 16).ok()?;
            bytes.extend(word.to_ne_bytes());
        }
        let four = <[u8; 4]>::try_from(bytes.as_slice()).map(IpAddr::from);
        let sixteen = || <[u8; 16]>::try_from(bytes.as_slice()).map(IpAddr::from);
        let address = four.or_else(|_| sixteen()).ok()?;
        Some((address.to_canonical(), port))
    }

    /// Both ends of a connection, written alike for both families of addresses.
    type PlainEnds = ((IpAddr, u16), (IpAddr, u16));

    fn plain((theirs, ours): Ends) -> PlainEnds {
        let plain = |address: SocketAddr| (address.ip().to_canonical(), address.port());
        (plain(theirs), plain(ours))
    }

    fn holds(pid: u32, wanted: &str) -> bool {
        let files = |folder: PathBuf| {
            let held = fs::read_dir(folder.join("fd")).into_iter().flatten();
            held.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        };
        let of_process = |folder| files(folder).any(|target| target == Path::new(wanted));
        // A first thread that has ended has no files any more.
        let has_ended = || field(pid, 0).is_none_or(|state| state == "Z");
        let folder = PathBuf::from(format!("/proc/{pid}"));
        let threads = || {
            fs::read_dir(folder.join("task"))
                .into_iter()
                .flatten()
                .flatten()
        };
        of_process(folder.clone())
            || has_ended() && threads().any(|thread| of_process(thread.path()))
    }

    /// A number of 24 bits for this boot of the machine.
    pub(super) fn boot() -> u64 {
        static BOOT: OnceLock<u64> = OnceLock::new();
        *BOOT.get_or_init(|| {
            let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
            u64::from_str_radix(id.get(..6).unwrap_or("0"), 16).unwrap_or(0)
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::net::SocketAddr;

    use ask_core::Process;
    use rustix::process::{Pid, test_kill_process};

    /// No start time can be read, so an id means whichever process has it.
    pub fn start_and_parent(pid: u32) -> Option<(u64, Option<u32>)> {
        exists(pid).then_some((0, None))
    }

    pub fn exists(pid: u32) -> bool {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| match test_kill_process(pid) {
            Ok(()) => true,
            Err(error) => error != rustix::io::Errno::SRCH,
        })
    }

    pub fn age_ms(_: Process) -> Option<u64> {
        None
    }

    pub fn boot() -> u64 {
        0
    }

    pub fn program(_: u32) -> Option<String> {
        None
    }

    pub fn hides_files(_: u32) -> bool {
        false
    }

    pub fn is_foreign(_: u32) -> bool {
        false
    }

    pub fn terminal(_: u32) -> Option<String> {
        None
    }

    pub fn leads_terminal(_: u32) -> bool {
        false
    }

    pub fn has_terminal(_: u32) -> bool {
        false
    }

    pub fn is_contained() -> bool {
        false
    }

    pub fn is_first_of_namespace(_: u32) -> bool {
        false
    }

    pub fn group(_: u32) -> Option<u32> {
        None
    }

    pub fn session(_: u32) -> Option<u32> {
        None
    }

    pub fn arguments(_: u32) -> Vec<String> {
        Vec::new()
    }

    pub fn started_at_tick(_: super::Process, _: u64) -> bool {
        false
    }

    pub fn shares_pid_namespace(_: u32) -> bool {
        false
    }

    pub fn variable(_: u32, _: &str) -> Option<String> {
        None
    }

    pub fn variable_names(_: u32) -> Vec<String> {
        Vec::new()
    }

    pub fn processes() -> impl Iterator<Item = u32> {
        std::iter::empty()
    }

    pub fn adopt_no_orphans() {}

    pub fn children() -> Vec<u32> {
        Vec::new()
    }

    pub fn owner_of(_: SocketAddr, _: SocketAddr) -> Option<u32> {
        None
    }

    pub fn accounts_of(connections: &[super::Ends]) -> Vec<super::Account> {
        vec![super::Account::Unknown; connections.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_first_process_of_an_inner_namespace_is_known() {
        assert!(platform::is_first(
            "Name:\tinit\nNSpid:\t812\t1\nNSpgid:\t812\t1\n"
        ));
        assert!(!platform::is_first("NSpid:\t1\n"), "the system's first");
        assert!(!platform::is_first("NSpid:\t812\t7\n"));
        assert!(!platform::is_first("Name:\tinit\n"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_hub_adopts_no_orphans() {
        let own = rustix::process::getpid();
        rustix::process::set_child_subreaper(Some(own)).expect("the system can do that");
        platform::adopt_no_orphans();
        assert_eq!(rustix::process::child_subreaper(), Ok(None));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_owner_of_a_connection_is_the_process_that_started_its_other_holders() {
        let parent = |pid| (pid == 7_363).then_some(23_992);
        let eldest = |holder, holders: &[u32]| {
            platform::eldest(holder, parent, |pid| holders.contains(&pid))
        };
        assert_eq!(eldest(7_363, &[7_363, 23_992]), 23_992);
        assert_eq!(eldest(23_992, &[7_363, 23_992]), 23_992);
        assert_eq!(eldest(7_363, &[7_363]), 7_363);
    }

    #[test]
    fn a_person_types_in_a_shell_without_a_command() {
        for (line, is_command) in [
            ("-bash", false),
            ("bash -l", false),
            ("bash --norc -i", false),
            ("bash --rcfile /usr/share/integration.sh -i", false),
            ("bash -o vi", false),
            ("fish -C greet", false),
            ("elvish -rc rc.elv", false),
            ("busybox sh", false),
            ("pwsh -NoExit -Command prompt", false),
            ("bash -c ask", true),
            ("bash -lc ask", true),
            ("bash ask.sh", true),
            ("bash -e ask.sh", true),
            ("bash --rcfile own.sh ask.sh", true),
            ("nu --commands ask", true),
            ("fish --command=ask", true),
            ("busybox sh ask.sh", true),
            ("pwsh -Command ask", true),
            ("pwsh -f ask.ps1", true),
        ] {
            let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let program = line[0].trim_start_matches('-');
            assert_eq!(runs_command(program, &line), is_command, "{line:?}");
        }
    }

    #[test]
    fn a_terminal_that_is_written_in_python_is_a_launcher() {
        let runs = |line: &str| {
            let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
            runs_launcher(&line)
        };
        assert!(runs("/usr/bin/python3 /usr/bin/terminator"));
        assert!(runs("python3 -s -E /usr/bin/guake --show"));
        assert!(!runs("python3 agent.py terminator"));
        assert!(!runs("python3"));
    }

    #[test]
    fn this_process_runs_and_another_with_its_id_does_not() {
        let own = caller(std::process::id()).and_then(|caller| caller.process);
        let own = own.expect("this process can be looked at");
        assert!(runs(own));
        #[cfg(target_os = "linux")]
        assert!(!runs(Process {
            start: own.start + 1,
            ..own
        }));
    }

    #[test]
    fn a_zombie_does_not_run() {
        let mut child = std::process::Command::new("true")
            .spawn()
            .expect("the program starts");
        let process = caller(child.id()).and_then(|caller| caller.process);
        if let Some(process) = process {
            // It stays a zombie until its parent waits for it.
            while runs(process) {
                std::thread::yield_now();
            }
        }
        child.wait().expect("the process ends");
    }
}
