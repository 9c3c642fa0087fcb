//! One run: everything that happens in its world, in the order of virtual time.

mod judge;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::sync::Arc;

use ask_core::record::Snooze;
use ask_core::{
    Answer, Ask, AskId, Asker, Draft, Gaps, Input, Outcome, Process, Question, Record, Time, Write,
    lifecycle,
};

use self::judge::Receiver;
use super::agent::{Agent, Call, Transport};
use super::connection::Client;
use super::disk::Disk;
use super::hub::{Hub, Processes};
use super::ledger::{Counts, Ledger};
use super::plan::Plan;
use super::random::Random;
use super::surface::Surface;
use crate::changes::{Change, Cursor};
use crate::engine::{Amount, Engine, OpenLimits, Settings};
use crate::event::{
    ConnectionId, Effect, Event, Now, Problem, Reply, Request, RequestId, Signature, TakeUp,
    Ticket, Verdict,
};

#[derive(Clone, Copy, Debug)]
enum Party {
    Agent(usize),
    /// The hub's own HTTP side, for all agents that come over HTTP.
    Http,
    Surface(usize),
}

#[derive(Debug)]
enum ToHub {
    Opens,
    Request(RequestId, Request),
    Drained,
    Ends,
}

#[derive(Debug)]
enum ToClient {
    Reply(RequestId, Reply),
    Change(Arc<Change>),
    Snapshot(Cursor, Vec<Arc<Record>>),
    Ends,
}

#[derive(Debug)]
enum Action {
    HubStarts,
    DiskIsDone,
    /// The hub of that number looks for an ask.
    Loads(u64, AskId),
    Tick,
    /// The agent whose server is the process of that number.
    AgentActs(usize, u32),
    AgentStarts(usize),
    /// A session over HTTP has been silent for too long.
    LeaseEnds(String),
    SurfaceActs(usize),
    Connects(Party),
    ToHub(ConnectionId, ToHub),
    ToClient(ConnectionId, ToClient),
}

/// What is asked over a link, and by whom.
#[derive(Debug)]
struct SentCall {
    call: Call,
    asker: Asker,
    /// The number that the ledger gave it when the hub received it.
    received: u64,
}

#[derive(Debug)]
struct Link {
    party: Party,
    is_open: bool,
    /// How many of its two ends have learned that it broke.
    ended: u8,
    calls: BTreeMap<RequestId, SentCall>,
    /// When the last message arrives, on each way: none overtakes another.
    to_hub_at: u64,
    to_client_at: u64,
}

struct Simulation {
    plan: Plan,
    random: Random,
    now_ms: u64,
    /// What the calendar is ahead of the clock that nobody sets.
    calendar_ms: i64,
    /// What is to happen when, in order, and where that lies in `actions`.
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    actions: Vec<Option<Action>>,
    /// Places in `actions` that are free.
    free: Vec<usize>,
    sequence: u64,
    disk: Disk,
    hub: Option<Hub>,
    hub_is_starting: bool,
    links: BTreeMap<ConnectionId, Link>,
    agents: Vec<Agent>,
    surfaces: Vec<Surface>,
    processes: Processes,
    /// The programs that start servers.
    programs: Vec<Option<Process>>,
    /// The connection of the hub's HTTP side, and whose each request on it is: of which agent, in which
    /// of its sessions, and under which number there.
    http: Option<ConnectionId>,
    shared: BTreeMap<RequestId, (usize, u32, RequestId)>,
    /// What a person said that is on its way, by ask and attempt: to whom.
    handed: BTreeMap<(AskId, u64), Vec<Receiver>>,
    /// Asks whose outcome this hub has sent to somebody, who may have it still.
    sent: BTreeSet<AskId>,
    /// Calls that must not open the ask that they sent, each with that and the one that is theirs.
    successors: BTreeMap<(ConnectionId, RequestId), (AskId, AskId)>,
    pids: u32,
    asked: u64,
    connections: u64,
    attempts: u64,
    ledger: Ledger,
    /// Who asked what where, to count twins.
    twins: BTreeMap<String, BTreeSet<String>>,
    is_over: bool,
    is_traced: bool,
    traced: Vec<String>,
}

/// What went wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What.
    pub problem: String,
    /// After how many steps.
    pub steps: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (step {})", self.problem, self.steps)
    }
}

type Judged = Result<(), String>;

pub(super) const SETTINGS: Settings = Settings {
    // So short that asks grow too old for it.
    take_up_ms: 10_000,
    list_undelivered_ms: 10_000,
    // So few that surfaces lag and miss changes.
    changes_kept: 12,
    changes_ahead: 4,
    open: OpenLimits {
        of_caller: Amount { asks: 0, bytes: 0 },
        of_all: Amount { asks: 0, bytes: 0 },
    },
};

/// So much a person does before any of it is acknowledged.
const BURST: usize = 12;

/// 2026-01-01.
const BEGIN: i64 = 1_767_225_600_000;

/// Runs one world to its end.
///
/// # Errors
/// What went wrong first: an answer lost, doubled, invented or given to another caller, a call that
/// hangs, a surface that shows something else than the hub has.
pub fn run(seed: u64, plan: Plan) -> Result<Counts, Failure> {
    Simulation::new(seed, plan).run(&mut |_| {})
}

/// The same, and says everything that goes in and out of the engine, a line each.
///
/// # Errors
/// As [`run`].
pub fn run_traced(seed: u64, plan: Plan, trace: &mut dyn FnMut(String)) -> Result<Counts, Failure> {
    let mut simulation = Simulation::new(seed, plan);
    simulation.is_traced = true;
    simulation.run(trace)
}

impl Simulation {
    fn run(mut self, trace: &mut dyn FnMut(String)) -> Result<Counts, Failure> {
        let mut steps = 0;
        let ended = self.runs(&mut steps, trace).and_then(|()| self.end());
        ended.map_err(|problem| Failure { problem, steps })
    }

    fn runs(&mut self, steps: &mut u64, trace: &mut dyn FnMut(String)) -> Judged {
        let plan = self.plan;
        self.begin();
        // Far more than any run needs; who gets there goes in circles.
        let most = 10_000 + plan.asks * 2_000;
        loop {
            let Some((at, action)) = self.next() else {
                if self.comes_to_rest() {
                    return Ok(());
                }
                continue;
            };
            self.now_ms = at;
            let happened = self.act(action).and_then(|()| self.breaks());
            self.traced.drain(..).for_each(&mut *trace);
            happened?;
            // Where too much breaks, not all that was planned is ever asked.
            let is_late = *steps > plan.asks * 300;
            let all_asked = self.asked >= plan.asks && self.random.per_mille(5);
            if is_late || all_asked {
                self.is_over = true;
            }
            *steps += 1;
            if *steps > most {
                let open = self.disk.written.waiting.first();
                return Err(format!("no end after {steps} steps, open: {open:?}"));
            }
        }
    }

    fn new(seed: u64, plan: Plan) -> Self {
        let mut random = Random::new(seed);
        let mut place = || {
            let client = random.below(plan.places.min(2));
            let folder = (!random.per_mille(100)).then(|| random.below(plan.places));
            (client, folder)
        };
        let of_programs: Vec<_> = (0..plan.programs.max(1)).map(|_| place()).collect();
        let agents = (0..plan.agents as usize)
            .map(|at| {
                let program = at % of_programs.len();
                let (client, folder) = of_programs[program];
                if at < plan.requests as usize {
                    return Agent::new(Transport::HttpRequests(program), client, folder);
                }
                if at < plan.http as usize {
                    let (client, folder) = place();
                    return Agent::new(Transport::HttpSession, client, folder);
                }
                Agent::new(Transport::Stdio(program), client, folder)
            })
            .collect();
        Self {
            plan,
            random,
            now_ms: 0,
            calendar_ms: BEGIN,
            queue: BinaryHeap::new(),
            actions: Vec::new(),
            free: Vec::new(),
            sequence: 0,
            disk: Disk::default(),
            hub: None,
            hub_is_starting: false,
            links: BTreeMap::new(),
            agents,
            surfaces: (0..plan.surfaces).map(|_| Surface::default()).collect(),
            processes: Processes::default(),
            programs: vec![None; of_programs.len()],
            http: None,
            shared: BTreeMap::new(),
            handed: BTreeMap::new(),
            sent: BTreeSet::new(),
            successors: BTreeMap::new(),
            pids: 100,
            asked: 0,
            connections: 0,
            attempts: 0,
            ledger: Ledger::new(plan.clocks),
            twins: BTreeMap::new(),
            is_over: false,
            is_traced: false,
            traced: Vec::new(),
        }
    }

    fn begin(&mut self) {
        for at in 0..self.agents.len() {
            self.schedule_in(0, Action::AgentStarts(at));
        }
        for at in 0..self.surfaces.len() {
            self.schedule_in(0, Action::Connects(Party::Surface(at)));
            self.schedule_in(1, Action::SurfaceActs(at));
        }
    }

    fn schedule_in(&mut self, ms: u64, action: Action) {
        self.schedule_at(self.now_ms + ms, action);
    }

    fn schedule_at(&mut self, at: u64, action: Action) {
        self.sequence += 1;
        let place = match self.free.pop() {
            Some(place) => {
                self.actions[place] = Some(action);
                place
            }
            None => {
                self.actions.push(Some(action));
                self.actions.len() - 1
            }
        };
        self.queue.push(Reverse((at, self.sequence, place)));
    }

    fn next(&mut self) -> Option<(u64, Action)> {
        let Reverse((at, _, place)) = self.queue.pop()?;
        self.free.push(place);
        Some((at, self.actions[place].take()?))
    }

    fn wall(&self) -> Time {
        Time(self.calendar_ms.saturating_add_unsigned(self.now_ms))
    }

    fn now(&self) -> Now {
        Now {
            wall: self.wall(),
            boot_ms: self.now_ms,
        }
    }

    /// Whether nothing is left to do. Else somebody is woken who does it.
    fn comes_to_rest(&mut self) -> bool {
        self.is_over = true;
        if !self.has_open_asks() && self.surfaces_are_level() {
            return true;
        }
        if self.hub.is_none() {
            self.schedule_in(1, Action::HubStarts);
        }
        for at in 0..self.surfaces.len() {
            self.schedule_in(1, Action::SurfaceActs(at));
        }
        false
    }

    fn act(&mut self, action: Action) -> Judged {
        match action {
            Action::HubStarts => return self.hub_starts(),
            Action::DiskIsDone => return self.disk_is_done(),
            Action::Loads(hub, id) => {
                if hub == self.ledger.counts.hubs {
                    let found = self.disk.written.records.get(&id).cloned();
                    return self.event(Event::Loaded(id, found.map(Box::new)));
                }
            }
            Action::Tick => return self.tick(),
            Action::AgentStarts(at) => self.agent_starts(at),
            Action::AgentActs(at, pid) => self.agent_acts(at, pid),
            Action::LeaseEnds(instance) => {
                self.processes.sessions.remove(&instance);
                self.ledger.caller_ends(&instance, self.wall());
            }
            Action::SurfaceActs(at) => self.surface_acts(at),
            Action::Connects(party) => self.connects(party),
            Action::ToHub(connection, message) => {
                let ends = matches!(message, ToHub::Ends);
                self.hub_hears(connection, message)?;
                self.ends(connection, ends);
            }
            Action::ToClient(connection, message) => {
                let ends = matches!(message, ToClient::Ends);
                self.client_hears(connection, message)?;
                self.ends(connection, ends);
            }
        }
        Ok(())
    }

    // The hub.

    fn hub_starts(&mut self) -> Judged {
        self.hub_is_starting = false;
        if self.hub.is_some() {
            return Ok(());
        }
        let now = self.wall();
        let written = &mut self.disk.written;
        let records = written.working_set(now, SETTINGS.take_up_ms);
        self.ledger
            .hub_starts(records.iter().map(|record| &record.asker));
        let engine = Engine::new(SETTINGS, records, [], written.muted, self.random.next());
        self.hub = Some(Hub {
            engine,
            connections: BTreeSet::new(),
            tick_at: None,
        });
        self.plan_tick();
        let connection = self.new_link(Party::Http);
        self.http = Some(connection);
        self.event(Event::Opened(connection))
    }

    fn event(&mut self, event: Event) -> Judged {
        let now = self.now();
        let Some(hub) = &mut self.hub else {
            return Ok(());
        };
        if self.is_traced {
            self.traced.push(format!("{} -> {event:?}", self.now_ms));
        }
        let effects = hub.engine.handle(now, event, &self.processes);
        if self.is_traced {
            let lines = effects.iter();
            let lines = lines.map(|effect| format!("{} <- {effect:?}", self.now_ms));
            self.traced.extend(lines);
        }
        for effect in effects {
            self.effect(effect)?;
        }
        self.plan_tick();
        Ok(())
    }

    fn plan_tick(&mut self) {
        let now = self.now();
        let Some(hub) = &mut self.hub else { return };
        // The calendar may be set meanwhile, so it looks every second minute at the least.
        let Some(next) = hub.engine.next_in_ms(now) else {
            return;
        };
        if self.is_over && next > 60_000 {
            return;
        }
        let at = now.boot_ms + next.clamp(1, 120_000);
        if hub
            .tick_at
            .is_none_or(|planned| planned <= now.boot_ms || at < planned)
        {
            hub.tick_at = Some(at);
            self.schedule_at(at, Action::Tick);
        }
    }

    fn tick(&mut self) -> Judged {
        let due = self.hub.as_ref().and_then(|hub| hub.tick_at) == Some(self.now_ms);
        if due {
            if let Some(hub) = &mut self.hub {
                hub.tick_at = None;
            }
            return self.event(Event::Tick);
        }
        Ok(())
    }

    fn effect(&mut self, effect: Effect) -> Judged {
        match effect {
            Effect::Persist(ticket, writes) => {
                for write in &writes {
                    if let Write::TakeOver(id, caller) = write {
                        self.ledger.takes_over(id, caller, &self.processes)?;
                    }
                }
                if self.disk.order(ticket, writes) {
                    let ms = self.random.delay(2);
                    self.schedule_in(ms, Action::DiskIsDone);
                }
            }
            Effect::Load(id) => {
                let ms = self.random.delay(2);
                self.schedule_in(ms, Action::Loads(self.ledger.counts.hubs, id));
            }
            Effect::Reply(connection, request, reply) => {
                self.judge_reply(connection, request, &reply)?;
                self.send_to_client(connection, ToClient::Reply(request, reply));
            }
            Effect::Push(connection, change) => {
                self.send_to_client(connection, ToClient::Change(change));
            }
            Effect::Snapshot(connection, cursor, records) => {
                self.send_to_client(connection, ToClient::Snapshot(cursor, records));
            }
        }
        Ok(())
    }

    fn disk_is_done(&mut self) -> Judged {
        if self.hub.is_none() || !self.disk.is_busy() {
            return Ok(());
        }
        if !self.is_over && self.random.per_mille(self.plan.faults) && self.random.per_mille(250) {
            self.ledger.deliveries_lost();
            for ticket in self.disk.refuse() {
                self.event(Event::StoreFailed(ticket, "the disk is full".to_owned()))?;
            }
            return Ok(());
        }
        let done: Vec<(Ticket, _)> = self.disk.commit();
        for (ticket, written) in done {
            self.event(Event::Stored(ticket, written))?;
        }
        Ok(())
    }

    // What breaks.

    fn breaks(&mut self) -> Judged {
        if self.is_over || !self.random.per_mille(self.plan.faults) {
            return Ok(());
        }
        match self.random.below(10) {
            0 => self.hub_dies(false)?,
            1 => self.hub_dies(true)?,
            2..7 => {
                let open: Vec<ConnectionId> = self
                    .links
                    .iter()
                    .filter(|(_, link)| link.is_open && !matches!(link.party, Party::Http))
                    .map(|(connection, _)| *connection)
                    .collect();
                if let Some(connection) = self.random.pick(&open).copied() {
                    self.ledger.counts.cuts += 1;
                    self.cut(connection);
                }
            }
            _ if self.plan.clocks => {
                const HOUR: i64 = 3_600_000;
                let hours = self.random.below(6) as i64 - 3;
                self.calendar_ms += hours * HOUR;
            }
            _ => {}
        }
        Ok(())
    }

    fn hub_dies(&mut self, with_power: bool) -> Judged {
        let Some(hub) = self.hub.take() else {
            return Ok(());
        };
        self.ledger.counts.hubs += 1;
        self.ledger.deliveries_lost();
        if with_power {
            let remaining = self.random.below(self.disk.unsynced() as u64 + 1);
            self.disk.power_lost(remaining as usize);
        } else {
            let was_idle = !self.disk.is_busy();
            let commits = self.random.per_mille(500);
            self.disk.process_died(commits);
            if was_idle {
                self.compare_rebuilt(&hub.engine)?;
            }
        }
        // Its HTTP side dies with it, and the calls there. The sessions are kept.
        if let Some(connection) = self.http.take() {
            self.links.remove(&connection);
        }
        self.shared.clear();
        self.handed.clear();
        self.sent.clear();
        self.successors.clear();
        for agent in &mut self.agents {
            if agent.transport.is_http() {
                agent.loses_calls();
                agent.client.pending.clear();
                agent.shared.clear();
            }
        }
        let connections: Vec<ConnectionId> = self.links.keys().copied().collect();
        for connection in connections {
            self.cut(connection);
        }
        Ok(())
    }

    /// A connection breaks; what is on its way is lost, and both ends learn of it.
    fn cut(&mut self, connection: ConnectionId) {
        let Some(link) = self.links.get_mut(&connection) else {
            return;
        };
        if !link.is_open {
            return;
        }
        link.is_open = false;
        let (hub, client) = (self.random.delay(5), self.random.delay(5));
        self.schedule_in(hub, Action::ToHub(connection, ToHub::Ends));
        self.schedule_in(client, Action::ToClient(connection, ToClient::Ends));
    }

    /// Nobody needs a link any more of which both ends know that it broke.
    fn ends(&mut self, connection: ConnectionId, ends: bool) {
        if ends && let Some(link) = self.links.get_mut(&connection) {
            link.ended += 1;
            if link.ended == 2 {
                self.links.remove(&connection);
            }
        }
    }

    // Connections.

    fn connects(&mut self, party: Party) {
        let is_wanted = match party {
            Party::Agent(at) => self.agents[at].is_up,
            Party::Surface(_) => true,
            Party::Http => false,
        };
        let is_connected = |client: &mut Client| client.connection.is_some();
        if !is_wanted || self.client(party).is_none_or(is_connected) {
            return;
        }
        if self.hub.is_none() {
            let ms = self.hub_is_wanted();
            return self.schedule_in(ms, Action::Connects(party));
        }
        let connection = self.new_link(party);
        self.send_to_hub(connection, ToHub::Opens);
        if let Some(client) = self.client(party) {
            client.connection = Some(connection);
        }
        if let Party::Surface(at) = party {
            let surface = &mut self.surfaces[at];
            let subscribe = Request::Subscribe {
                after: surface.cursor,
                paced: true,
            };
            surface
                .client
                .pending
                .retain(|_, body| !matches!(body, Request::Subscribe { .. }));
            let request = surface.client.new_request(subscribe, true);
            surface.subscribing = Some(request);
        }
        let Some(client) = self.client(party) else {
            return;
        };
        let again: Vec<(RequestId, Request)> = client
            .pending
            .iter()
            .map(|(request, body)| (*request, body.clone()))
            .collect();
        for (request, body) in again {
            self.send_request(party, connection, request, body);
        }
    }

    /// A client's end, where it has one of its own.
    fn client(&mut self, party: Party) -> Option<&mut Client> {
        match party {
            Party::Agent(at) => Some(&mut self.agents[at].client),
            Party::Surface(at) => Some(&mut self.surfaces[at].client),
            Party::Http => None,
        }
    }

    /// There is no hub: somebody starts one. After how long it may be there.
    fn hub_is_wanted(&mut self) -> u64 {
        if !self.hub_is_starting {
            self.hub_is_starting = true;
            let ms = 5 + self.random.delay(50);
            self.schedule_in(ms, Action::HubStarts);
        }
        10 + self.random.delay(20)
    }

    fn new_link(&mut self, party: Party) -> ConnectionId {
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        let link = Link {
            party,
            is_open: true,
            ended: 0,
            calls: BTreeMap::new(),
            to_hub_at: self.now_ms,
            to_client_at: self.now_ms,
        };
        self.links.insert(connection, link);
        if let Some(hub) = &mut self.hub {
            hub.connections.insert(connection);
        }
        connection
    }

    fn send_request(
        &mut self,
        party: Party,
        connection: ConnectionId,
        request: RequestId,
        body: Request,
    ) {
        let (mut number, mut body) = (request, body);
        if let Party::Agent(at) = party
            && self.agents[at].transport.is_http()
        {
            (number, body) = self.share(at, request, body);
        }
        if let Party::Agent(at) = party
            && let Some(call) = self.agents[at].calls.get(&request).cloned()
            && let Some(link) = self.links.get_mut(&connection)
        {
            let asker = self.agents[at].asker.clone();
            let sent = SentCall {
                call,
                asker,
                received: 0,
            };
            link.calls.insert(number, sent);
        }
        self.send_to_hub(connection, ToHub::Request(number, body));
    }

    /// A request as the hub's HTTP side passes it on: under a number of its own.
    fn share(&mut self, at: usize, request: RequestId, mut body: Request) -> (RequestId, Request) {
        let number = RequestId(self.shared.len() as u64 + 1);
        let agent = &mut self.agents[at];
        self.shared.insert(number, (at, agent.pid, request));
        if let Request::Leave { request, .. } = &mut body
            && let Some(known) = agent.shared.get(request)
        {
            *request = *known;
        }
        agent.shared.insert(request, number);
        (number, body)
    }

    /// Sends a request now if there is a connection, else with the next one.
    fn asks(&mut self, party: Party, body: Request, call: Option<Call>) -> RequestId {
        let expects_reply = !matches!(body, Request::Leave { .. });
        let (http, is_http) = match party {
            Party::Agent(at) => (self.http, self.agents[at].transport.is_http()),
            Party::Surface(_) | Party::Http => (None, false),
        };
        let Some(client) = self.client(party) else {
            return RequestId(0);
        };
        let request = client.new_request(body.clone(), expects_reply);
        let connection = if is_http { http } else { client.connection };
        if let (Party::Agent(at), Some(call)) = (party, call) {
            self.agents[at].calls.insert(request, call);
        }
        if let Some(connection) = connection {
            self.send_request(party, connection, request, body);
        }
        request
    }

    fn send_to_hub(&mut self, connection: ConnectionId, message: ToHub) {
        let delay = self.random.delay(3);
        if let Some(link) = self.links.get_mut(&connection) {
            let at = (self.now_ms + delay).max(link.to_hub_at);
            link.to_hub_at = at;
            self.schedule_at(at, Action::ToHub(connection, message));
        }
    }

    fn send_to_client(&mut self, connection: ConnectionId, message: ToClient) {
        let delay = self.random.delay(3);
        if let Some(link) = self.links.get_mut(&connection) {
            let at = (self.now_ms + delay).max(link.to_client_at);
            link.to_client_at = at;
            self.schedule_at(at, Action::ToClient(connection, message));
        }
    }

    fn hub_hears(&mut self, connection: ConnectionId, message: ToHub) -> Judged {
        let is_open = self.links.get(&connection).is_some_and(|link| link.is_open);
        let is_known = self
            .hub
            .as_ref()
            .is_some_and(|hub| hub.connections.contains(&connection));
        if !is_known {
            return Ok(());
        }
        match message {
            ToHub::Ends => {
                if let Some(hub) = &mut self.hub {
                    hub.connections.remove(&connection);
                }
                self.takes_back(|_, of, _| of == connection);
                self.event(Event::Closed(connection))
            }
            _ if !is_open => Ok(()),
            ToHub::Opens => self.event(Event::Opened(connection)),
            ToHub::Drained => self.event(Event::Drained(connection)),
            ToHub::Request(request, body) => {
                self.note_request(connection, request, &body);
                self.event(Event::Request {
                    connection,
                    request,
                    body,
                })
            }
        }
    }

    fn client_hears(&mut self, connection: ConnectionId, message: ToClient) -> Judged {
        let Some(link) = self.links.get(&connection) else {
            return Ok(());
        };
        let party = link.party;
        if matches!(message, ToClient::Ends) {
            let client = self.client(party);
            if let Some(client) = client
                && client.connection == Some(connection)
            {
                client.connection = None;
                let ms = self.random.delay(5);
                self.schedule_in(ms, Action::Connects(party));
            }
            return Ok(());
        }
        if !link.is_open {
            return Ok(());
        }
        match party {
            Party::Agent(at) => match message {
                ToClient::Reply(request, reply) => self.agent_hears(at, request, reply),
                other => Err(format!("an agent was told {other:?}")),
            },
            Party::Http => match message {
                ToClient::Reply(number, reply) => match self.shared.get(&number).copied() {
                    // Its calls were left when the connection ended.
                    Some((at, pid, _)) if !self.agents[at].is_up || self.agents[at].pid != pid => {
                        Ok(())
                    }
                    Some((at, _, request)) => self.agent_hears(at, request, reply),
                    None => Err(format!("nobody over HTTP has asked {number:?}")),
                },
                other => Err(format!("the HTTP side was told {other:?}")),
            },
            Party::Surface(at) => self.surface_hears(at, connection, message),
        }
    }

    // Agents.

    fn agent_starts(&mut self, at: usize) {
        if self.agents[at].is_up {
            return;
        }
        if self.agents[at].transport.is_http() && self.hub.is_none() {
            let ms = self.hub_is_wanted();
            return self.schedule_in(ms, Action::AgentStarts(at));
        }
        self.pids += 2;
        let (pid, now) = (self.pids, self.wall());
        let transport = self.agents[at].transport;
        let program = transport.program().map(|program| {
            let started = Process {
                pid: pid + 1,
                start: 1,
            };
            *self.programs[program].get_or_insert(started)
        });
        if let Some(program) = program {
            self.processes.start(program);
            self.processes.start(Process { pid, start: 1 });
        }
        self.agents[at].start(pid, program, now);
        match transport {
            Transport::Stdio(_) => self.schedule_in(0, Action::Connects(Party::Agent(at))),
            Transport::HttpRequests(_) => {}
            Transport::HttpSession => {
                let place = self.agents[at].place();
                let caller = self.agents[at].asker.caller.as_ref();
                let session = caller.map(|caller| (caller.instance.clone(), place));
                self.processes.sessions.extend(session);
            }
        }
        let ms = self.random.delay(20);
        self.schedule_in(ms, Action::AgentActs(at, pid));
    }

    fn agent_crashes(&mut self, at: usize) {
        let Some(program) = self.agents[at].transport.program() else {
            return self.session_ends(at);
        };
        self.process_ends(at);
        let is_its = |agent: &Agent| agent.transport.program() == Some(program) && agent.is_up;
        let has_others = self.agents.iter().any(is_its);
        // Its client may live on and start another server. If it doesn't, none of its servers does.
        let chance = if has_others { 200 } else { 600 };
        if self.random.per_mille(chance) {
            for other in 0..self.agents.len() {
                if is_its(&self.agents[other]) {
                    self.process_ends(other);
                }
            }
            if let Some(client) = self.programs[program].take() {
                self.processes.end(client);
            }
        }
    }

    /// A process ends. Where it spoke HTTP, its connections do, and the HTTP side gives its calls up.
    fn process_ends(&mut self, at: usize) {
        if self.agents[at].transport.is_http() {
            self.gives_calls_up(at, |_| 0);
        }
        self.agent_goes(at);
    }

    /// A server ends, or a session; it begins anew after a while.
    fn agent_goes(&mut self, at: usize) {
        if let Some(caller) = &self.agents[at].asker.caller {
            let now = Time(self.calendar_ms.saturating_add_unsigned(self.now_ms));
            self.ledger.caller_ends(&caller.instance, now);
            if let Some(process) = caller.process {
                self.processes.end(process);
            }
        }
        let agent = &mut self.agents[at];
        agent.is_up = false;
        agent.loses_calls();
        if let Some(connection) = agent.client.connection.take() {
            self.cut(connection);
        }
        let ms = 1 + self.random.delay(60);
        self.schedule_in(ms, Action::AgentStarts(at));
    }

    /// A client over HTTP deletes its session, or just goes: then the session stands until its lease
    /// ends. The HTTP side gives its calls up.
    fn session_ends(&mut self, at: usize) {
        let caller = self.agents[at].asker.caller.as_ref();
        let Some(instance) = caller.map(|caller| caller.instance.clone()) else {
            return;
        };
        let is_deleted = self.random.per_mille(500);
        self.gives_calls_up(at, |random| match is_deleted {
            true => 0,
            false => 1 + random.below(200),
        });
        match is_deleted {
            true => drop(self.processes.sessions.remove(&instance)),
            false => {
                let ms = 100 + self.random.delay(400);
                self.schedule_in(ms, Action::LeaseEnds(instance));
            }
        }
        self.agent_goes(at);
    }

    /// The HTTP side gives up what an agent waits for.
    fn gives_calls_up(&mut self, at: usize, back_ms: impl Fn(&mut Random) -> u64) {
        let pending = self.agents[at].client.pending.keys().copied();
        let calls = self.agents[at].calls.keys();
        let waiting: Vec<RequestId> = pending.chain(calls.copied()).collect();
        for request in waiting {
            let leave = Request::Leave {
                request,
                back_ms: back_ms(&mut self.random),
                elsewhere: true,
            };
            self.asks(Party::Agent(at), leave, None);
        }
    }

    fn agent_acts(&mut self, at: usize, pid: u32) {
        let agent = &self.agents[at];
        if self.is_over || !agent.is_up || agent.pid != pid {
            return;
        }
        let is_cut_off = agent.transport.is_http() && self.hub.is_none();
        let ms = 1 + self.random.delay(40);
        self.schedule_in(ms, Action::AgentActs(at, pid));
        if is_cut_off {
            self.hub_is_wanted();
            return;
        }
        let waits: Vec<RequestId> = self.agents[at].client.pending.keys().copied().collect();
        let calls: Vec<RequestId> = self.agents[at]
            .calls
            .keys()
            .copied()
            .filter(|request| waits.contains(request))
            .collect();
        let choice = match self.agents[at].known.len() {
            // It has lost sight of too much.
            12.. if calls.len() < 4 && self.random.per_mille(500) => 80,
            _ => self.random.below(100),
        };
        match choice {
            0..50 if calls.len() < 2 => {
                let words = format!("question {}", self.random.below(self.plan.words));
                self.agent_opens(at, words);
            }
            50..65 if calls.len() < 2 && !self.agents[at].left.is_empty() => {
                let left = self.random.below(self.agents[at].left.len() as u64);
                let words = self.agents[at].left.swap_remove(left as usize);
                self.agent_opens(at, words);
            }
            65..75 => {
                let asker = Box::new(self.agents[at].asker.clone());
                let take = !self.random.per_mille(200);
                let call = Call {
                    words: None,
                    is_fetch: true,
                    takes: take,
                };
                let fetch = Request::Fetch {
                    asker,
                    take,
                    or_open: false,
                };
                self.asks(Party::Agent(at), fetch, Some(call));
            }
            75..82 => {
                if let Some(id) = self.agents[at].pick_known(&mut self.random) {
                    let call = Call {
                        words: None,
                        is_fetch: false,
                        takes: true,
                    };
                    self.asks(Party::Agent(at), Request::Wait(id), Some(call));
                }
            }
            82..94 => {
                if let Some(request) = self.random.pick(&calls).copied() {
                    self.agent_leaves(at, request);
                }
            }
            94..97 if self.plan.faults > 0 => self.agent_crashes(at),
            97.. if choice - 97 < self.plan.withdrawals => self.agent_withdraws(at),
            _ => {}
        }
    }

    fn agent_withdraws(&mut self, at: usize) {
        let Some(id) = self.agents[at].pick_known(&mut self.random) else {
            return;
        };
        self.attempts += 1;
        let withdraw = Request::Settle {
            id,
            verdict: Verdict::Withdraw,
            signature: Signature {
                surface: "agent".to_owned(),
                device: None,
                origin: None,
            },
            attempt: self.attempts,
        };
        self.asks(Party::Agent(at), withdraw, None);
    }

    fn agent_opens(&mut self, at: usize, words: String) {
        if self.asked >= self.plan.asks {
            return;
        }
        self.asked += 1;
        if self.agents[at].transport.is_http() {
            self.ledger.counts.over_http += 1;
        }
        let id = AskId::parse(&format!("a_{:08}", self.asked));
        let Some(id) = id else { return };
        let limit_ms = self
            .random
            .per_mille(200)
            .then(|| 1 + self.random.below(500));
        let ask = Ask {
            questions: vec![Question {
                id: "q1".to_owned(),
                text: words.clone(),
                label: None,
                input: Input::Text,
                required: true,
                placeholder: None,
                default: None,
            }],
            limit_ms,
            ..Ask::default()
        };
        let asker = self.agents[at].asker.clone();
        let now = self.wall();
        let record = lifecycle::open(id, "native", ask, asker.clone(), now);
        self.ledger.asks(&record, now);
        let place = format!("{:?} {:?} {words}", asker.client, asker.directory);
        let instance = asker.caller.map(|caller| caller.instance);
        let beside = self.twins.entry(place).or_default();
        beside.extend(instance);
        if beside.len() > 1 {
            self.ledger.counts.twins += 1;
        }
        let call = Call {
            words: Some(words),
            is_fetch: false,
            takes: true,
        };
        let open = Request::Open {
            record: Box::new(record),
            wait: true,
            take_up: match self.random.below(10) {
                0 => TakeUp::WhenLeft,
                1 => TakeUp::Never,
                _ => TakeUp::Always,
            },
        };
        self.asks(Party::Agent(at), open, Some(call));
    }

    fn agent_leaves(&mut self, at: usize, request: RequestId) {
        let agent = &mut self.agents[at];
        agent.client.pending.remove(&request);
        if let Some(words) = agent.calls.remove(&request).and_then(|call| call.words) {
            agent.left.push(words);
        }
        let back_ms = match self.random.below(3) {
            0 => 1 + self.random.below(200),
            _ => 0,
        };
        let leave = Request::Leave {
            request,
            back_ms,
            elsewhere: self.random.per_mille(200),
        };
        self.asks(Party::Agent(at), leave, None);
    }

    fn agent_hears(&mut self, at: usize, request: RequestId, reply: Reply) -> Judged {
        let agent = &mut self.agents[at];
        if !agent.client.hear(request, &reply) {
            return Ok(());
        }
        match reply {
            Reply::Opened(id) => {
                agent.known.insert(id);
            }
            Reply::Outcome { record, .. } => {
                let call = agent.calls.remove(&request);
                return self.agent_is_told(at, &[record], call);
            }
            Reply::Fetched(records, _) => {
                let call = agent.calls.remove(&request);
                if !records.is_empty() {
                    return self.agent_is_told(at, &records, call);
                }
            }
            Reply::Refused(problem) => {
                let call = agent.calls.remove(&request);
                agent.left.extend(call.and_then(|call| call.words));
                if let Problem::NotFound(id) = problem {
                    agent.known.remove(&id);
                }
            }
            Reply::Settled(true, record) => {
                agent.known.remove(&record.id);
                self.ledger.withdrawn(&record)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn agent_is_told(&mut self, at: usize, records: &[Arc<Record>], call: Option<Call>) -> Judged {
        let words = call.and_then(|call| call.words);
        if !self.is_over && self.random.per_mille(self.plan.faults) {
            self.agents[at].left.extend(words);
            self.cannot_be_written(at, records);
            self.agent_crashes(at);
            return Ok(());
        }
        let asker = self.agents[at].asker.clone();
        if self.random.per_mille(50) {
            // Its own client has gone, so the reply can't be written.
            self.agents[at].left.extend(words);
            self.say_undelivered(at, records);
            return Ok(());
        }
        for record in records {
            self.ledger.reads(record, &asker)?;
            self.agents[at].known.remove(&record.id);
        }
        let crashes = !self.is_over && self.random.per_mille(self.plan.faults);
        // Over HTTP the hub itself has written the reply, and knows so.
        if !crashes || self.agents[at].transport.is_http() {
            for record in records {
                let delivered = Request::Delivered {
                    id: record.id.clone(),
                    attempt: record.settlement().map(|settlement| settlement.attempt),
                };
                self.asks(Party::Agent(at), delivered, None);
            }
        }
        if crashes {
            self.agent_crashes(at);
        }
        Ok(())
    }

    /// A client has gone before it read a reply. Over HTTP the connection to the hub stands all the
    /// same, and the HTTP side says so.
    fn cannot_be_written(&mut self, at: usize, records: &[Arc<Record>]) {
        if self.agents[at].transport.is_http() {
            self.say_undelivered(at, records);
        }
    }

    fn say_undelivered(&mut self, at: usize, records: &[Arc<Record>]) {
        for record in records {
            let id = record.id.clone();
            self.asks(Party::Agent(at), Request::NotDelivered(id), None);
        }
    }

    // Surfaces.

    fn surface_acts(&mut self, at: usize) {
        let ms = 1 + self.random.delay(15);
        if !self.is_over || self.has_open_asks() {
            self.schedule_in(ms, Action::SurfaceActs(at));
        }
        // The more there is, the faster its person works.
        for _ in 0..=self.surfaces[at].shown.len() / 16 {
            if self.surfaces[at].client.pending.len() > BURST {
                break;
            }
            let late = !self.is_over && self.random.per_mille(50);
            if let Some(id) = self.surfaces[at].pick(&mut self.random, late) {
                self.person_acts(at, id);
            }
        }
    }

    fn person_acts(&mut self, at: usize, id: AskId) {
        self.attempts += 1;
        let attempt = self.attempts;
        let choice = match self.is_over {
            true => 0,
            false => self.random.below(100),
        };
        let draft = Draft {
            answers: vec![Answer::saying(format!("answer {attempt}"))],
            note: None,
        };
        let request = match choice {
            0..60 => {
                let verdict = Verdict::Answer {
                    draft,
                    gaps: Gaps::Refuse,
                };
                self.settles(at, id, verdict, attempt)
            }
            60..66 => self.settles(at, id, Verdict::Decline { reason: None }, attempt),
            66..70 => {
                let words = format!("back {attempt}");
                self.settles(at, id, Verdict::Clarify { words }, attempt)
            }
            70..78 => Request::SaveDraft {
                id,
                draft: Box::new(draft),
                surface: "sim".to_owned(),
                built_on: None,
            },
            78..82 => {
                let until = self.wall().plus_ms(1 + self.random.below(300));
                let snooze = match self.random.below(3) {
                    0 => Some(Snooze::AskedAgain),
                    1 => Some(Snooze::Until(until)),
                    _ => None,
                };
                Request::Snooze(id, snooze)
            }
            82..86 => Request::Extend {
                id,
                until: self.wall().plus_ms(1_000),
                longest_ms: 60_000,
            },
            86..90 => Request::Shown(id, "sim".to_owned()),
            90..92 => Request::Mute(self.random.per_mille(500)),
            92..93 => {
                self.ledger.forgets(&id);
                Request::Forget {
                    ids: vec![id],
                    undelivered: true,
                }
            }
            _ => return,
        };
        self.asks(Party::Surface(at), request, None);
    }

    fn settles(&mut self, at: usize, id: AskId, verdict: Verdict, attempt: u64) -> Request {
        let shown = self.surfaces[at].find(&id);
        let outcome = match (&verdict, shown) {
            (Verdict::Answer { draft, gaps }, Some(shown)) => {
                let answered = draft.clone().finish(&shown.ask, *gaps);
                answered.ok().map(Outcome::Answered)
            }
            (Verdict::Decline { reason }, _) => Some(Outcome::Declined {
                reason: reason.clone(),
            }),
            (Verdict::Clarify { words }, _) => Some(Outcome::Clarify {
                words: words.clone(),
            }),
            (Verdict::Answer { .. }, None) | (Verdict::Withdraw, _) => None,
        };
        if let Some(outcome) = outcome {
            self.ledger.sends(&id, outcome);
        }
        Request::Settle {
            id,
            verdict,
            signature: Signature {
                surface: "sim".to_owned(),
                device: None,
                origin: None,
            },
            attempt,
        }
    }

    fn surface_hears(&mut self, at: usize, connection: ConnectionId, message: ToClient) -> Judged {
        let surface = &mut self.surfaces[at];
        match message {
            ToClient::Reply(request, reply) => {
                if !surface.client.hear(request, &reply) {
                    return Ok(());
                }
                match reply {
                    Reply::Subscribed(cursor, Some(all)) => surface.replace(cursor, all),
                    Reply::Settled(true, record) => self.ledger.accepted(&record)?,
                    _ => {}
                }
                return Ok(());
            }
            ToClient::Change(change) => surface.hear(&change)?,
            ToClient::Snapshot(cursor, records) => surface.replace(cursor, records),
            ToClient::Ends => {}
        }
        // Its connection takes what it was sent, some of them slowly.
        let ms = self.random.delay(30);
        self.schedule_in(ms, Action::ToHub(connection, ToHub::Drained));
        Ok(())
    }

    // The end.

    /// Whether no surface lags behind what the hub has.
    fn surfaces_are_level(&self) -> bool {
        self.surfaces.iter().all(|surface| surface.shown.is_empty())
    }

    fn has_open_asks(&self) -> bool {
        !self.disk.written.waiting.is_empty() || self.hub.is_none() || self.disk.is_busy()
    }
}
