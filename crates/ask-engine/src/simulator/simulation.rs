//! One simulation: a queue of actions in the order of virtual time, and what each action does.

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

/// The client of a connection.
#[derive(Clone, Copy, Debug)]
enum Party {
    Agent(usize),
    /// The hub's own HTTP server, for all agents over HTTP.
    Http,
    Surface(usize),
}

#[derive(Debug)]
enum ToHub {
    Opened,
    Request(RequestId, Request),
    Drained,
    Closed,
}

#[derive(Debug)]
enum ToClient {
    Reply(RequestId, Reply),
    Change(Arc<Change>),
    Snapshot(Cursor, Vec<Arc<Record>>),
    Closed,
}

#[derive(Debug)]
enum Action {
    StartHub,
    FinishDisk,
    /// The store of the hub of this number looks up an ask.
    Load(u64, AskId),
    Tick,
    /// The machine reports that this process has ended.
    ReportEnd(Process),
    /// The agent acts, if its process or session still has this number.
    ActAsAgent(usize, u32),
    StartAgent(usize),
    /// The agent sends a request again that the store could not write.
    Repeat(usize, u32, RequestId),
    /// The lease of this HTTP session expires.
    EndLease(String),
    ActOnSurface(usize),
    Connect(Party),
    ToHub(ConnectionId, ToHub),
    ToClient(ConnectionId, ToClient),
}

/// A call that was sent over a link, and its caller.
#[derive(Debug)]
struct SentCall {
    call: Call,
    asker: Asker,
    /// The number from the ledger. 0 until the hub receives the call.
    received: u64,
}

/// A connection between a client and the hub.
#[derive(Debug)]
struct Link {
    party: Party,
    is_open: bool,
    /// How many of the two sides have learned that the link broke.
    ended: u8,
    calls: BTreeMap<RequestId, SentCall>,
    /// When the last message arrives, in each direction. No message overtakes another.
    to_hub_at: u64,
    to_client_at: u64,
}

struct Simulation {
    plan: Plan,
    random: Random,
    now_ms: u64,
    /// How far the wall clock is ahead of virtual time.
    wall_offset_ms: i64,
    /// The scheduled actions: the time, a number that keeps their order, and the index in
    /// `actions`.
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    actions: Vec<Option<Action>>,
    /// The free indexes in `actions`.
    free_slots: Vec<usize>,
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
    /// The connection of the hub's HTTP server.
    http: Option<ConnectionId>,
    /// The origin of each request on that connection: the agent, the number of its process or
    /// session, and the number of the request there.
    http_requests: BTreeMap<RequestId, (usize, u32, RequestId)>,
    /// The calls to which a person's outcome is in flight, by ask and attempt.
    receivers: BTreeMap<(AskId, u64), Vec<Receiver>>,
    /// Asks whose outcome this hub has sent to a call, which may still have it.
    sent: BTreeSet<AskId>,
    /// Calls that must take up an ask, with the id that they sent and the id of that ask.
    must_take_up: BTreeMap<(ConnectionId, RequestId), (AskId, AskId)>,
    pids: u32,
    asked: u64,
    connections: u64,
    attempts: u64,
    ledger: Ledger,
    /// The instances that asked, by client, folder and question. It is used to count twins.
    twins: BTreeMap<String, BTreeSet<String>>,
    /// Whether no more asks are opened and no more faults are injected.
    is_ending: bool,
    is_traced: bool,
    trace_lines: Vec<String>,
}

/// Why a simulation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The rule that was broken.
    pub problem: String,
    /// How many steps had run.
    pub steps: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (step {})", self.problem, self.steps)
    }
}

type CheckResult = Result<(), String>;

pub(super) const SETTINGS: Settings = Settings {
    // Short enough that asks become too old to be taken up.
    take_up_ms: 10_000,
    list_undelivered_ms: 10_000,
    // Few enough that surfaces lag and miss changes.
    changes_kept: 12,
    changes_ahead: 4,
    open: OpenLimits {
        of_caller: Amount { asks: 0, bytes: 0 },
        of_all: Amount { asks: 0, bytes: 0 },
    },
};

/// A person acts only while no more requests than this wait for a reply.
const MAX_PENDING: usize = 12;

/// The wall clock at the start: 2026-01-01, in milliseconds since 1970.
const START_MS: i64 = 1_767_225_600_000;

/// Runs one simulation to its end.
///
/// # Errors
/// The first rule that was broken: an answer was lost, doubled, invented or delivered to a wrong
/// caller, a call hangs, or a surface shows something else than the hub has.
pub fn run(seed: u64, plan: Plan) -> Result<Counts, Failure> {
    Simulation::new(seed, plan).run(&mut |_| {})
}

/// Like [`run`], and passes each event and effect of the engine to `trace`, as one line.
///
/// # Errors
/// Like [`run`].
pub fn run_traced(seed: u64, plan: Plan, trace: &mut dyn FnMut(String)) -> Result<Counts, Failure> {
    let mut simulation = Simulation::new(seed, plan);
    simulation.is_traced = true;
    simulation.run(trace)
}

impl Simulation {
    fn run(mut self, trace: &mut dyn FnMut(String)) -> Result<Counts, Failure> {
        let mut steps = 0;
        let result = self
            .run_steps(&mut steps, trace)
            .and_then(|()| self.check_end());
        result.map_err(|problem| Failure { problem, steps })
    }

    fn run_steps(&mut self, steps: &mut u64, trace: &mut dyn FnMut(String)) -> CheckResult {
        let plan = self.plan;
        self.schedule_start();
        // Far more steps than a simulation needs, unless it never ends.
        let max_steps = 10_000 + plan.asks * 2_000;
        loop {
            let Some((at, action)) = self.next() else {
                if self.check_finished() {
                    return Ok(());
                }
                continue;
            };
            self.now_ms = at;
            let result = self.execute(action).and_then(|()| self.inject_fault());
            self.trace_lines.drain(..).for_each(&mut *trace);
            result?;
            // With many faults some of the planned asks are never opened.
            let is_late = *steps > plan.asks * 300;
            let all_asked = self.asked >= plan.asks && self.random.per_mille(5);
            if is_late || all_asked {
                self.is_ending = true;
            }
            *steps += 1;
            if *steps > max_steps {
                let open = self.disk.written.waiting.first();
                return Err(format!("no end after {steps} steps, open: {open:?}"));
            }
        }
    }

    fn new(seed: u64, plan: Plan) -> Self {
        let mut random = Random::new(seed);
        let mut place = || {
            let client = random.next_below(plan.places.min(2));
            let folder = (!random.per_mille(100)).then(|| random.next_below(plan.places));
            (client, folder)
        };
        let program_places: Vec<_> = (0..plan.programs.max(1)).map(|_| place()).collect();
        let agents = (0..plan.agents as usize)
            .map(|at| {
                let program = at % program_places.len();
                let (client, folder) = program_places[program];
                // The first is in the folder of the program, the others are in the next ones.
                let folder = match (at / program_places.len()) as u64 % plan.folders {
                    0 => folder,
                    other => Some(folder.unwrap_or(0) + other),
                };
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
            wall_offset_ms: START_MS,
            queue: BinaryHeap::new(),
            actions: Vec::new(),
            free_slots: Vec::new(),
            sequence: 0,
            disk: Disk::default(),
            hub: None,
            hub_is_starting: false,
            links: BTreeMap::new(),
            agents,
            surfaces: (0..plan.surfaces).map(|_| Surface::default()).collect(),
            processes: Processes::default(),
            programs: vec![None; program_places.len()],
            http: None,
            http_requests: BTreeMap::new(),
            receivers: BTreeMap::new(),
            sent: BTreeSet::new(),
            must_take_up: BTreeMap::new(),
            pids: 100,
            asked: 0,
            connections: 0,
            attempts: 0,
            ledger: Ledger::default(),
            twins: BTreeMap::new(),
            is_ending: false,
            is_traced: false,
            trace_lines: Vec::new(),
        }
    }

    fn schedule_start(&mut self) {
        for at in 0..self.agents.len() {
            self.schedule_in(0, Action::StartAgent(at));
        }
        for at in 0..self.surfaces.len() {
            self.schedule_in(0, Action::Connect(Party::Surface(at)));
            self.schedule_in(1, Action::ActOnSurface(at));
        }
    }

    fn schedule_in(&mut self, ms: u64, action: Action) {
        self.schedule_at(self.now_ms + ms, action);
    }

    fn schedule_at(&mut self, at: u64, action: Action) {
        self.sequence += 1;
        let place = match self.free_slots.pop() {
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
        self.free_slots.push(place);
        Some((at, self.actions[place].take()?))
    }

    /// What the wall clock would show if nobody had set it.
    fn steady(&self) -> Time {
        Time(START_MS.saturating_add_unsigned(self.now_ms))
    }

    fn wall(&self) -> Time {
        Time(self.wall_offset_ms.saturating_add_unsigned(self.now_ms))
    }

    fn now(&self) -> Now {
        Now {
            wall: self.wall(),
            boot_ms: self.now_ms,
            steady: self.steady(),
        }
    }

    /// Whether nothing is left to do. Otherwise schedules the actions that do it.
    fn check_finished(&mut self) -> bool {
        self.is_ending = true;
        if !self.has_open_asks() && self.are_surfaces_empty() {
            return true;
        }
        if self.hub.is_none() {
            self.schedule_in(1, Action::StartHub);
        }
        for at in 0..self.surfaces.len() {
            self.schedule_in(1, Action::ActOnSurface(at));
        }
        false
    }

    fn execute(&mut self, action: Action) -> CheckResult {
        match action {
            Action::StartHub => return self.start_hub(),
            Action::FinishDisk => return self.finish_disk(),
            Action::Load(hub, id) => {
                if hub == self.ledger.counts.hubs {
                    let found = self.disk.written.records.get(&id).cloned();
                    return self.handle_event(Event::Loaded(id, found.map(Box::new)));
                }
            }
            Action::Tick => return self.tick(),
            Action::ReportEnd(process) => {
                let hub = self.hub.as_mut();
                if hub.is_some_and(|hub| hub.watched.remove(&process)) {
                    return self.handle_event(Event::ProcessEnded(process));
                }
            }
            Action::StartAgent(at) => self.start_agent(at),
            Action::Repeat(at, pid, request) => self.repeat(at, pid, request),
            Action::ActAsAgent(at, pid) => self.act_as_agent(at, pid),
            Action::EndLease(instance) => {
                self.processes.sessions.remove(&instance);
                self.ledger.record_end(&instance, self.steady());
            }
            Action::ActOnSurface(at) => self.act_on_surface(at),
            Action::Connect(party) => self.connect(party),
            Action::ToHub(connection, message) => {
                let ended = matches!(message, ToHub::Closed);
                self.receive_at_hub(connection, message)?;
                self.count_end(connection, ended);
            }
            Action::ToClient(connection, message) => {
                let ended = matches!(message, ToClient::Closed);
                self.receive_at_client(connection, message)?;
                self.count_end(connection, ended);
            }
        }
        Ok(())
    }

    // The hub.

    fn start_hub(&mut self) -> CheckResult {
        self.hub_is_starting = false;
        if self.hub.is_some() {
            return Ok(());
        }
        let now = self.wall();
        let written = &mut self.disk.written;
        let records = written.working_set(now, SETTINGS.take_up_ms);
        self.ledger
            .start_hub(records.iter().map(|record| &record.asker));
        let engine = Engine::new(SETTINGS, records, [], written.muted, self.random.next());
        self.hub = Some(Hub {
            engine,
            connections: BTreeSet::new(),
            tick_at: None,
            watched: BTreeSet::new(),
        });
        self.schedule_tick();
        let connection = self.new_link(Party::Http);
        self.http = Some(connection);
        self.handle_event(Event::Opened(connection))?;
        self.handle_event(Event::Started)
    }

    fn handle_event(&mut self, event: Event) -> CheckResult {
        let now = self.now();
        let Some(hub) = &mut self.hub else {
            return Ok(());
        };
        if self.is_traced {
            self.trace_lines
                .push(format!("{} -> {event:?}", self.now_ms));
        }
        let effects = hub.engine.handle(now, event, &self.processes);
        if self.is_traced {
            let lines = effects.iter();
            let lines = lines.map(|effect| format!("{} <- {effect:?}", self.now_ms));
            self.trace_lines.extend(lines);
        }
        for effect in effects {
            self.apply_effect(effect)?;
        }
        self.schedule_tick();
        Ok(())
    }

    fn schedule_tick(&mut self) {
        let now = self.now();
        let Some(hub) = &mut self.hub else { return };
        // The wall clock may be set meanwhile, so there is a tick at least every two minutes.
        let Some(next) = hub.engine.next_in_ms(now) else {
            return;
        };
        if self.is_ending && next > 60_000 {
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

    fn tick(&mut self) -> CheckResult {
        let is_due = self.hub.as_ref().and_then(|hub| hub.tick_at) == Some(self.now_ms);
        if is_due {
            if let Some(hub) = &mut self.hub {
                hub.tick_at = None;
            }
            return self.handle_event(Event::Tick);
        }
        Ok(())
    }

    fn apply_effect(&mut self, effect: Effect) -> CheckResult {
        match effect {
            Effect::Persist(ticket, writes) => {
                for write in &writes {
                    if let Write::TakeOver(id, caller) = write {
                        self.ledger.record_takeover(id, caller, &self.processes)?;
                    }
                }
                if self.disk.submit(ticket, writes) {
                    let ms = self.random.delay(2);
                    self.schedule_in(ms, Action::FinishDisk);
                }
            }
            Effect::Load(id) => {
                let ms = self.random.delay(2);
                self.schedule_in(ms, Action::Load(self.ledger.counts.hubs, id));
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
            Effect::Watch(process) => {
                if let Some(hub) = &mut self.hub {
                    hub.watched.insert(process);
                }
            }
        }
        Ok(())
    }

    fn finish_disk(&mut self) -> CheckResult {
        if self.hub.is_none() || !self.disk.is_busy() {
            return Ok(());
        }
        if !self.is_ending && self.random.per_mille(self.plan.faults) && self.random.per_mille(250)
        {
            self.ledger.clear_delivered();
            for ticket in self.disk.fail() {
                self.handle_event(Event::StoreFailed(ticket, "the disk is full".to_owned()))?;
            }
            return Ok(());
        }
        let done: Vec<(Ticket, _)> = self.disk.commit();
        for (ticket, written) in done {
            self.handle_event(Event::Stored(ticket, written))?;
        }
        Ok(())
    }

    // Faults.

    fn inject_fault(&mut self) -> CheckResult {
        if self.is_ending || !self.random.per_mille(self.plan.faults) {
            return Ok(());
        }
        match self.random.next_below(10) {
            0 => self.kill_hub(false)?,
            1 => self.kill_hub(true)?,
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
                let hours = self.random.next_below(6) as i64 - 3;
                self.wall_offset_ms += hours * HOUR;
            }
            _ => {}
        }
        Ok(())
    }

    fn kill_hub(&mut self, with_power: bool) -> CheckResult {
        let Some(hub) = self.hub.take() else {
            return Ok(());
        };
        self.ledger.counts.hubs += 1;
        self.ledger.clear_delivered();
        if with_power {
            let remaining = self.random.next_below(self.disk.unsynced() as u64 + 1);
            self.disk.lose_power(remaining as usize);
            // Marks of deliveries may be lost with the power.
            self.ledger.clear_told();
        } else {
            let was_idle = !self.disk.is_busy();
            let commits = self.random.per_mille(500);
            self.disk.crash(commits);
            if was_idle {
                self.compare_rebuilt(&hub.engine)?;
            }
        }
        // The HTTP server dies with the hub, and so do its calls. The sessions survive.
        if let Some(connection) = self.http.take() {
            self.links.remove(&connection);
        }
        self.http_requests.clear();
        self.receivers.clear();
        self.sent.clear();
        self.must_take_up.clear();
        for agent in &mut self.agents {
            if agent.transport.is_http() {
                agent.abandon_calls();
                agent.client.pending.clear();
                agent.http_requests.clear();
            }
        }
        let connections: Vec<ConnectionId> = self.links.keys().copied().collect();
        for connection in connections {
            self.cut(connection);
        }
        Ok(())
    }

    /// Breaks a connection. Messages that are under way are lost, and both sides learn of it.
    fn cut(&mut self, connection: ConnectionId) {
        let Some(link) = self.links.get_mut(&connection) else {
            return;
        };
        if !link.is_open {
            return;
        }
        link.is_open = false;
        let (hub, client) = (self.random.delay(5), self.random.delay(5));
        self.schedule_in(hub, Action::ToHub(connection, ToHub::Closed));
        self.schedule_in(client, Action::ToClient(connection, ToClient::Closed));
    }

    /// If a side has learned that the link broke, counts it. Removes the link once both sides know.
    fn count_end(&mut self, connection: ConnectionId, ended: bool) {
        if ended && let Some(link) = self.links.get_mut(&connection) {
            link.ended += 1;
            if link.ended == 2 {
                self.links.remove(&connection);
            }
        }
    }

    // Connections.

    fn connect(&mut self, party: Party) {
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
            let ms = self.request_hub();
            return self.schedule_in(ms, Action::Connect(party));
        }
        let connection = self.new_link(party);
        self.send_to_hub(connection, ToHub::Opened);
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
            surface.client.new_request(subscribe, true);
        }
        let Some(client) = self.client(party) else {
            return;
        };
        let mut unanswered: Vec<(RequestId, Request)> = client
            .pending
            .iter()
            .map(|(request, body)| (*request, body.clone()))
            .collect();
        // Confirmations come first: a call that was sent before them must not receive the same
        // outcome again.
        unanswered.sort_by_key(|(_, body)| !matches!(body, Request::Delivered { .. }));
        for (request, body) in unanswered {
            self.send_request(party, connection, request, body);
        }
    }

    /// The client side of an agent or a surface.
    fn client(&mut self, party: Party) -> Option<&mut Client> {
        match party {
            Party::Agent(at) => Some(&mut self.agents[at].client),
            Party::Surface(at) => Some(&mut self.surfaces[at].client),
            Party::Http => None,
        }
    }

    /// Starts a hub, because there is none. Returns after how many milliseconds to try again.
    fn request_hub(&mut self) -> u64 {
        if !self.hub_is_starting {
            self.hub_is_starting = true;
            let ms = 5 + self.random.delay(50);
            self.schedule_in(ms, Action::StartHub);
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
            (number, body) = self.forward_over_http(at, request, body);
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

    /// Converts a request of an agent into one that the HTTP server sends under a number of its
    /// own.
    fn forward_over_http(
        &mut self,
        at: usize,
        request: RequestId,
        mut body: Request,
    ) -> (RequestId, Request) {
        let number = RequestId(self.http_requests.len() as u64 + 1);
        let agent = &mut self.agents[at];
        self.http_requests.insert(number, (at, agent.pid, request));
        if let Request::Leave { request, .. } = &mut body
            && let Some(known) = agent.http_requests.get(request)
        {
            *request = *known;
        }
        agent.http_requests.insert(request, number);
        (number, body)
    }

    /// Sends a request now if there is a connection, and otherwise once there is one.
    fn send(&mut self, party: Party, body: Request, call: Option<Call>) -> RequestId {
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

    fn receive_at_hub(&mut self, connection: ConnectionId, message: ToHub) -> CheckResult {
        let is_open = self.links.get(&connection).is_some_and(|link| link.is_open);
        let is_known = self
            .hub
            .as_ref()
            .is_some_and(|hub| hub.connections.contains(&connection));
        if !is_known {
            return Ok(());
        }
        match message {
            ToHub::Closed => {
                if let Some(hub) = &mut self.hub {
                    hub.connections.remove(&connection);
                }
                self.clear_receivers(|_, by, _| by == connection);
                self.handle_event(Event::Closed(connection))
            }
            _ if !is_open => Ok(()),
            ToHub::Opened => self.handle_event(Event::Opened(connection)),
            ToHub::Drained => self.handle_event(Event::Drained(connection)),
            ToHub::Request(request, body) => {
                self.note_request(connection, request, &body);
                self.handle_event(Event::Request {
                    connection,
                    request,
                    body,
                })
            }
        }
    }

    fn receive_at_client(&mut self, connection: ConnectionId, message: ToClient) -> CheckResult {
        let Some(link) = self.links.get(&connection) else {
            return Ok(());
        };
        let party = link.party;
        if matches!(message, ToClient::Closed) {
            let client = self.client(party);
            if let Some(client) = client
                && client.connection == Some(connection)
            {
                client.connection = None;
                let ms = self.random.delay(5);
                self.schedule_in(ms, Action::Connect(party));
            }
            return Ok(());
        }
        if !link.is_open {
            return Ok(());
        }
        match party {
            Party::Agent(at) => match message {
                ToClient::Reply(request, reply) => self.receive_at_agent(at, request, reply),
                other => Err(format!("an agent received {other:?}")),
            },
            Party::Http => match message {
                ToClient::Reply(number, reply) => match self.http_requests.get(&number).copied() {
                    // The calls of an earlier process or session were left when it ended.
                    Some((at, pid, _)) if !self.agents[at].is_up || self.agents[at].pid != pid => {
                        Ok(())
                    }
                    Some((at, _, request)) => self.receive_at_agent(at, request, reply),
                    None => Err(format!("no agent over HTTP sent request {number:?}")),
                },
                other => Err(format!("the HTTP server received {other:?}")),
            },
            Party::Surface(at) => self.receive_at_surface(at, connection, message),
        }
    }

    // Agents.

    fn start_agent(&mut self, at: usize) {
        if self.agents[at].is_up {
            return;
        }
        if self.agents[at].transport.is_http() && self.hub.is_none() {
            let ms = self.request_hub();
            return self.schedule_in(ms, Action::StartAgent(at));
        }
        self.pids += 2;
        let (pid, now) = (self.pids, self.steady());
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
            Transport::Stdio(_) => self.schedule_in(0, Action::Connect(Party::Agent(at))),
            Transport::HttpRequests(_) => {}
            Transport::HttpSession => {
                let place = self.agents[at].place();
                let caller = self.agents[at].asker.caller.as_ref();
                let session = caller.map(|caller| (caller.instance.clone(), place));
                self.processes.sessions.extend(session);
            }
        }
        let ms = self.random.delay(20);
        self.schedule_in(ms, Action::ActAsAgent(at, pid));
    }

    fn crash_agent(&mut self, at: usize) {
        let Some(program) = self.agents[at].transport.program() else {
            return self.end_session(at);
        };
        self.end_process(at);
        let is_running_sub_agent =
            |agent: &Agent| agent.transport.program() == Some(program) && agent.is_up;
        let has_others = self.agents.iter().any(is_running_sub_agent);
        // The client may go on and start another server. If it ends, all its servers end.
        let chance = if has_others { 200 } else { 600 };
        if self.random.per_mille(chance) {
            for other in 0..self.agents.len() {
                if is_running_sub_agent(&self.agents[other]) {
                    self.end_process(other);
                }
            }
            if let Some(client) = self.programs[program].take() {
                self.processes.end(client);
                let has_hub = self.hub.is_some();
                self.ledger
                    .record_client_end(client, self.steady(), has_hub);
                self.schedule_in(0, Action::ReportEnd(client));
            }
        }
    }

    /// Ends the process of an agent. If the agent uses HTTP, its HTTP connections end as well, and
    /// the HTTP server leaves its calls.
    fn end_process(&mut self, at: usize) {
        if self.agents[at].transport.is_http() {
            self.leave_calls(at, |_| 0);
        }
        self.stop_agent(at);
    }

    /// Stops an agent, and schedules its next start.
    fn stop_agent(&mut self, at: usize) {
        if let Some(caller) = &self.agents[at].asker.caller {
            self.ledger.record_end(&caller.instance, self.steady());
            if let Some(process) = caller.process {
                self.processes.end(process);
                self.schedule_in(0, Action::ReportEnd(process));
            }
        }
        let agent = &mut self.agents[at];
        agent.is_up = false;
        agent.abandon_calls();
        if let Some(connection) = agent.client.connection.take() {
            self.cut(connection);
        }
        let ms = 1 + self.random.delay(60);
        self.schedule_in(ms, Action::StartAgent(at));
    }

    /// Stops an agent over HTTP. It deletes its session, or the session exists until its lease
    /// expires. The HTTP server leaves its calls.
    fn end_session(&mut self, at: usize) {
        let caller = self.agents[at].asker.caller.as_ref();
        let Some(instance) = caller.map(|caller| caller.instance.clone()) else {
            return;
        };
        let is_deleted = self.random.per_mille(500);
        self.leave_calls(at, |random| match is_deleted {
            true => 0,
            false => 1 + random.next_below(200),
        });
        match is_deleted {
            true => drop(self.processes.sessions.remove(&instance)),
            false => {
                let ms = 100 + self.random.delay(400);
                self.schedule_in(ms, Action::EndLease(instance));
            }
        }
        self.stop_agent(at);
    }

    /// Makes the HTTP server leave all calls of an agent.
    fn leave_calls(&mut self, at: usize, back_ms: impl Fn(&mut Random) -> u64) {
        let pending = self.agents[at].client.pending.keys().copied();
        let calls = self.agents[at].calls.keys();
        let waiting: Vec<RequestId> = pending.chain(calls.copied()).collect();
        for request in waiting {
            let leave = Request::Leave {
                request,
                back_ms: back_ms(&mut self.random),
                elsewhere: true,
            };
            self.send(Party::Agent(at), leave, None);
        }
    }

    /// Sends a request of a process again, unless it has no connection: it is sent over the next one
    /// then.
    fn repeat(&mut self, at: usize, pid: u32, request: RequestId) {
        let agent = &self.agents[at];
        let body = agent.client.pending.get(&request).cloned();
        let connection = match agent.transport.is_http() {
            true => self.http,
            false => agent.client.connection,
        };
        if let (Some(body), Some(connection)) = (body.filter(|_| agent.pid == pid), connection) {
            self.send_request(Party::Agent(at), connection, request, body);
        }
    }

    fn act_as_agent(&mut self, at: usize, pid: u32) {
        let agent = &self.agents[at];
        if self.is_ending || !agent.is_up || agent.pid != pid {
            return;
        }
        let is_disconnected = agent.transport.is_http() && self.hub.is_none();
        let ms = 1 + self.random.delay(40);
        self.schedule_in(ms, Action::ActAsAgent(at, pid));
        if is_disconnected {
            self.request_hub();
            return;
        }
        let pending: Vec<RequestId> = self.agents[at].client.pending.keys().copied().collect();
        let calls: Vec<RequestId> = self.agents[at]
            .calls
            .keys()
            .copied()
            .filter(|request| pending.contains(request))
            .collect();
        let choice = match self.agents[at].known.len() {
            // An agent with many outstanding asks waits for one of them by its id.
            12.. if calls.len() < 4 && self.random.per_mille(500) => 80,
            _ => self.random.next_below(100),
        };
        match choice {
            0..50 if calls.len() < 2 => {
                let words = format!("question {}", self.random.next_below(self.plan.words));
                self.open_ask(at, words);
            }
            50..65 if calls.len() < 2 && !self.agents[at].abandoned.is_empty() => {
                let left = self
                    .random
                    .next_below(self.agents[at].abandoned.len() as u64);
                let words = self.agents[at].abandoned.swap_remove(left as usize);
                self.open_ask(at, words);
            }
            65..75 => {
                let asker = Box::new(self.agents[at].asker.clone());
                let take = !self.random.per_mille(200);
                let call = Call {
                    words: None,
                    is_fetch: true,
                    takes_outcome: take,
                };
                let fetch = Request::Fetch {
                    asker,
                    take,
                    or_open: false,
                };
                self.send(Party::Agent(at), fetch, Some(call));
            }
            75..82 => {
                if let Some(id) = self.agents[at].pick_known(&mut self.random) {
                    let call = Call {
                        words: None,
                        is_fetch: false,
                        takes_outcome: true,
                    };
                    self.send(Party::Agent(at), Request::Wait(id), Some(call));
                }
            }
            82..94 => {
                if let Some(request) = self.random.pick(&calls).copied() {
                    self.leave_call(at, request);
                }
            }
            94..97 if self.plan.faults > 0 => self.crash_agent(at),
            97.. if choice - 97 < self.plan.withdrawals => self.withdraw(at),
            _ => {}
        }
    }

    fn withdraw(&mut self, at: usize) {
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
            hold_ms: 0,
        };
        self.send(Party::Agent(at), withdraw, None);
    }

    fn open_ask(&mut self, at: usize, words: String) {
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
            .then(|| 1 + self.random.next_below(500));
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
        let mut record = lifecycle::open(id, "native", ask, asker.clone(), now);
        record.caller_seen = Some(self.steady());
        self.ledger.record_ask(&record, self.steady());
        let question = format!("{:?} {:?} {words}", asker.client, asker.directory);
        let instance = asker.caller.map(|caller| caller.instance);
        let instances = self.twins.entry(question).or_default();
        instances.extend(instance);
        if instances.len() > 1 {
            self.ledger.counts.twins += 1;
        }
        let call = Call {
            words: Some(words),
            is_fetch: false,
            takes_outcome: true,
        };
        let open = Request::Open {
            record: Box::new(record),
            wait: true,
            take_up: match self.random.next_below(10) {
                0 => TakeUp::WhenLeft,
                1 => TakeUp::Never,
                _ => TakeUp::Always,
            },
        };
        self.send(Party::Agent(at), open, Some(call));
    }

    fn leave_call(&mut self, at: usize, request: RequestId) {
        let agent = &mut self.agents[at];
        agent.client.pending.remove(&request);
        if let Some(words) = agent.calls.remove(&request).and_then(|call| call.words) {
            agent.abandoned.push(words);
        }
        let back_ms = match self.random.next_below(3) {
            0 => 1 + self.random.next_below(200),
            _ => 0,
        };
        let leave = Request::Leave {
            request,
            back_ms,
            elsewhere: self.random.per_mille(200),
        };
        self.send(Party::Agent(at), leave, None);
    }

    fn receive_at_agent(&mut self, at: usize, request: RequestId, reply: Reply) -> CheckResult {
        let agent = &mut self.agents[at];
        if !agent.client.receive(request, &reply) {
            if agent.client.pending.contains_key(&request) && matches!(reply, Reply::Refused(_)) {
                let repeat = Action::Repeat(at, agent.pid, request);
                let ms = 1 + self.random.delay(200);
                self.schedule_in(ms, repeat);
            }
            return Ok(());
        }
        match reply {
            Reply::Opened(id) => {
                agent.known.insert(id);
            }
            Reply::Outcome { record, .. } => {
                let call = agent.calls.remove(&request);
                return self.read_outcomes(at, request, &[record], call);
            }
            Reply::Fetched(records, _) => {
                let call = agent.calls.remove(&request);
                if !records.is_empty() {
                    return self.read_outcomes(at, request, &records, call);
                }
            }
            Reply::Refused(problem) => {
                let call = agent.calls.remove(&request);
                agent.abandoned.extend(call.and_then(|call| call.words));
                if let Problem::NotFound(id) = problem {
                    agent.known.remove(&id);
                }
            }
            Reply::Settled(true, record) => {
                agent.known.remove(&record.id);
                self.ledger.record_withdrawn(&record)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn read_outcomes(
        &mut self,
        at: usize,
        request: RequestId,
        records: &[Arc<Record>],
        call: Option<Call>,
    ) -> CheckResult {
        let words = call.as_ref().and_then(|call| call.words.clone());
        if !self.is_ending && self.random.per_mille(self.plan.faults) {
            self.agents[at].abandoned.extend(words);
            self.report_if_http(at, records);
            self.crash_agent(at);
            return Ok(());
        }
        let asker = self.agents[at].asker.clone();
        let is_told = call
            .as_ref()
            .is_some_and(|call| call.words.is_some() || call.is_fetch && call.takes_outcome);
        if self.random.per_mille(50) {
            // The agent's client has ended, so the reply can't be written.
            self.agents[at].abandoned.extend(words);
            self.report_undelivered(at, records);
            return Ok(());
        }
        let takes = call.as_ref().is_none_or(|call| call.takes_outcome);
        for record in records {
            self.ledger.record_read(record, &asker, takes)?;
            if is_told && !self.agents[at].transport.is_http() {
                let last = self.agents[at].client.last_request();
                self.ledger.record_told(record, &asker, request, last)?;
            }
            self.agents[at].known.remove(&record.id);
        }
        let crashes = !self.is_ending && self.random.per_mille(self.plan.faults);
        // Over HTTP the hub's own server wrote the reply, and confirms it even if the agent
        // crashes.
        if !crashes || self.agents[at].transport.is_http() {
            for record in records {
                let delivered = Request::Delivered {
                    id: record.id.clone(),
                    attempt: record.settlement().map(|settlement| settlement.attempt),
                };
                self.send(Party::Agent(at), delivered, None);
            }
        }
        if crashes {
            self.crash_agent(at);
        }
        Ok(())
    }

    /// The client of an agent ended before it read a reply. Over HTTP the connection to the hub is
    /// still open, and the HTTP server reports that it couldn't write the outcomes.
    fn report_if_http(&mut self, at: usize, records: &[Arc<Record>]) {
        if self.agents[at].transport.is_http() {
            self.report_undelivered(at, records);
        }
    }

    fn report_undelivered(&mut self, at: usize, records: &[Arc<Record>]) {
        for record in records {
            let id = record.id.clone();
            self.send(Party::Agent(at), Request::NotDelivered(id), None);
        }
    }

    // Surfaces.

    fn act_on_surface(&mut self, at: usize) {
        let ms = 1 + self.random.delay(15);
        if !self.is_ending || self.has_open_asks() {
            self.schedule_in(ms, Action::ActOnSurface(at));
        }
        // The more asks are shown, the faster the person works.
        for _ in 0..=self.surfaces[at].shown.len() / 16 {
            if self.surfaces[at].client.pending.len() > MAX_PENDING {
                break;
            }
            let late = !self.is_ending && self.random.per_mille(50);
            if let Some(id) = self.surfaces[at].pick(&mut self.random, late) {
                self.act_as_person(at, id);
            }
            if !self.is_ending && self.random.next_below(200) < self.plan.holds {
                self.change_mind(at);
            }
        }
    }

    /// A person takes an outcome back, or sends it at once.
    fn change_mind(&mut self, at: usize) {
        let Some((id, attempt)) = self.surfaces[at].pick_undelivered(&mut self.random) else {
            return;
        };
        let request = match self.random.per_mille(200) {
            true => Request::EndHold { id, attempt },
            false => {
                self.ledger.record_take_back(&id, attempt);
                Request::TakeBack {
                    id,
                    attempt,
                    signature: person(),
                }
            }
        };
        self.send(Party::Surface(at), request, None);
    }

    fn act_as_person(&mut self, at: usize, id: AskId) {
        self.attempts += 1;
        let attempt = self.attempts;
        let choice = match self.is_ending {
            true => 0,
            false => self.random.next_below(100),
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
                self.settle_request(at, id, verdict, attempt)
            }
            60..66 => self.settle_request(at, id, Verdict::Decline { reason: None }, attempt),
            66..70 => {
                let words = format!("back {attempt}");
                self.settle_request(at, id, Verdict::Clarify { words }, attempt)
            }
            70..78 => Request::SaveDraft {
                id,
                draft: Box::new(draft),
                surface: "sim".to_owned(),
                built_on: None,
            },
            78..82 => {
                let until = self.wall().plus_ms(1 + self.random.next_below(300));
                let snooze = match self.random.next_below(3) {
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
                self.ledger.record_forgotten(&id);
                Request::Forget {
                    ids: vec![id],
                    undelivered: true,
                }
            }
            _ => return,
        };
        self.send(Party::Surface(at), request, None);
    }

    /// The request that settles an ask. Records the outcome that it sends.
    fn settle_request(&mut self, at: usize, id: AskId, verdict: Verdict, attempt: u64) -> Request {
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
            self.ledger.record_sent(&id, outcome);
        }
        let hold_ms = match !self.is_ending && self.random.next_below(100) < self.plan.holds {
            true => 1 + self.random.delay(100),
            false => 0,
        };
        Request::Settle {
            id,
            verdict,
            signature: person(),
            attempt,
            hold_ms,
        }
    }

    fn receive_at_surface(
        &mut self,
        at: usize,
        connection: ConnectionId,
        message: ToClient,
    ) -> CheckResult {
        let surface = &mut self.surfaces[at];
        match message {
            ToClient::Reply(request, reply) => {
                let sent = surface.client.pending.get(&request).cloned();
                if !surface.client.receive(request, &reply) {
                    return Ok(());
                }
                match reply {
                    Reply::Subscribed(cursor, Some(all)) => surface.replace(cursor, all),
                    Reply::Settled(true, record) => self.ledger.record_accepted(&record)?,
                    Reply::Record(_) => {
                        if let Some(Request::TakeBack { id, attempt, .. }) = sent {
                            self.ledger.record_taken_back(&id, attempt);
                        }
                    }
                    _ => {}
                }
                return Ok(());
            }
            ToClient::Change(change) => surface.receive(&change)?,
            ToClient::Snapshot(cursor, records) => surface.replace(cursor, records),
            ToClient::Closed => {}
        }
        // The connection takes what was pushed to it, sometimes after a while.
        let ms = self.random.delay(30);
        self.schedule_in(ms, Action::ToHub(connection, ToHub::Drained));
        Ok(())
    }

    // The end.

    /// Whether no surface shows an open ask.
    fn are_surfaces_empty(&self) -> bool {
        self.surfaces.iter().all(|surface| surface.shown.is_empty())
    }

    /// Whether there may be open asks: on the disk, in changes that are not committed, or because
    /// no hub runs.
    fn has_open_asks(&self) -> bool {
        !self.disk.written.waiting.is_empty() || self.hub.is_none() || self.disk.is_busy()
    }
}

/// The signature of a person.
fn person() -> Signature {
    Signature {
        surface: "sim".to_owned(),
        device: None,
        origin: None,
    }
}
