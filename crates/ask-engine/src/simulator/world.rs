//! The world: everything that happens, in the order of virtual time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use ask_core::record::Snooze;
use ask_core::{
    Answer, Ask, AskId, Asker, Draft, Gaps, Input, Outcome, Process, Question, Record, Time,
    lifecycle,
};

use super::agent::{Agent, Call};
use super::disk::Disk;
use super::hub::{Hub, Processes};
use super::ledger::{Counts, Ledger, Through};
use super::random::Random;
use super::surface::Surface;
use crate::changes::{Change, Cursor};
use crate::engine::{Engine, Settings};
use crate::event::{
    Effect, Event, Now, Problem, Reply, Request, RequestId, SessionId, TakeUp, Ticket, Verdict,
};

/// What a run is made of.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Conversations.
    pub agents: u64,
    /// Surfaces.
    pub surfaces: u64,
    /// Asks after which no more are made.
    pub asks: u64,
    /// Different questions: few make many twins.
    pub words: u64,
    /// Clients and folders: few make many twins.
    pub places: u64,
    /// How often, in a thousand steps, something breaks.
    pub faults: u64,
    /// Whether the calendar is set now and then.
    pub clocks: bool,
}

impl Plan {
    /// A small world, different for each seed.
    pub fn small(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed);
        Self {
            agents: 2 + random.below(6),
            surfaces: 1 + random.below(3),
            asks: 20 + random.below(80),
            words: 1 + random.below(8),
            places: 1 + random.below(3),
            faults: random.below(40),
            clocks: random.per_mille(250),
        }
    }

    /// A world with many agents, for long.
    pub fn large(seed: u64, asks: u64) -> Self {
        let mut random = Random::new(seed ^ 0x1a46e);
        Self {
            agents: 40 + random.below(60),
            surfaces: 2 + random.below(4),
            asks,
            words: 50 + random.below(200),
            places: 4 + random.below(8),
            faults: 1 + random.below(3),
            clocks: random.per_mille(250),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Party {
    Agent(usize),
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
    SurfaceActs(usize),
    Connects(Party),
    ToHub(SessionId, ToHub),
    ToClient(SessionId, ToClient),
}

#[derive(Debug)]
struct Link {
    party: Party,
    is_open: bool,
    /// How many of its two ends have learned that it broke.
    ended: u8,
    /// Who asks over it.
    asker: Asker,
    calls: BTreeMap<RequestId, Call>,
    /// When the last message arrives, on each way: none overtakes another.
    to_hub_at: u64,
    to_client_at: u64,
}

struct World {
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
    links: BTreeMap<SessionId, Link>,
    agents: Vec<Agent>,
    surfaces: Vec<Surface>,
    processes: Processes,
    pids: u32,
    asked: u64,
    sessions: u64,
    attempts: u64,
    ledger: Ledger,
    /// Who asked what where, to count twins.
    twins: BTreeMap<String, BTreeSet<String>>,
    is_over: bool,
    is_traced: bool,
    traced: Vec<String>,
}

type Judged = Result<(), String>;

const SETTINGS: Settings = Settings {
    // So short that asks grow too old for it.
    take_up_ms: 10_000,
    list_undelivered_ms: 10_000,
    // So few that surfaces lag and miss changes.
    changes_kept: 12,
    changes_ahead: 4,
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
pub fn run(seed: u64, plan: Plan) -> Result<Counts, String> {
    World::new(seed, plan).run(&mut |_| {})
}

/// The same, and says everything that goes in and out of the engine, a line each.
///
/// # Errors
/// As [`run`].
pub fn run_traced(seed: u64, plan: Plan, trace: &mut dyn FnMut(String)) -> Result<Counts, String> {
    let mut world = World::new(seed, plan);
    world.is_traced = true;
    world.run(trace)
}

impl World {
    fn run(mut self, trace: &mut dyn FnMut(String)) -> Result<Counts, String> {
        let plan = self.plan;
        self.begin();
        // Far more than any run needs; who gets there goes in circles.
        let most = 10_000 + plan.asks * 2_000;
        let mut steps = 0;
        loop {
            let Some((at, action)) = self.next() else {
                if self.comes_to_rest() {
                    break;
                }
                continue;
            };
            self.now_ms = at;
            let happened = self.act(action).and_then(|()| self.breaks());
            self.traced.drain(..).for_each(&mut *trace);
            happened?;
            // Where too much breaks, not all that was planned is ever asked.
            let is_late = steps > plan.asks * 300;
            let all_asked = self.asked >= plan.asks && self.random.per_mille(5);
            if is_late || all_asked {
                self.is_over = true;
            }
            steps += 1;
            if steps > most {
                let open = self.disk.written.waiting.first();
                return Err(format!("no end after {steps} steps, open: {open:?}"));
            }
        }
        self.end()
    }

    fn new(seed: u64, plan: Plan) -> Self {
        let mut random = Random::new(seed);
        let agents = (0..plan.agents)
            .map(|_| {
                let client = random.below(plan.places.min(2));
                let folder = (!random.per_mille(100)).then(|| random.below(plan.places));
                Agent::new(client, folder)
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
            pids: 100,
            asked: 0,
            sessions: 0,
            attempts: 0,
            ledger: Ledger::default(),
            twins: BTreeMap::new(),
            is_over: false,
            is_traced: false,
            traced: Vec::new(),
        }
    }

    fn begin(&mut self) {
        for at in 0..self.agents.len() {
            self.after(0, Action::AgentStarts(at));
        }
        for at in 0..self.surfaces.len() {
            self.after(0, Action::Connects(Party::Surface(at)));
            self.after(1, Action::SurfaceActs(at));
        }
    }

    fn after(&mut self, ms: u64, action: Action) {
        self.at(self.now_ms + ms, action);
    }

    fn at(&mut self, at: u64, action: Action) {
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
            self.after(1, Action::HubStarts);
        }
        for at in 0..self.surfaces.len() {
            self.after(1, Action::SurfaceActs(at));
        }
        false
    }

    fn act(&mut self, action: Action) -> Judged {
        match action {
            Action::HubStarts => self.hub_starts(),
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
            Action::SurfaceActs(at) => self.surface_acts(at),
            Action::Connects(party) => self.connects(party),
            Action::ToHub(session, message) => {
                let ends = matches!(message, ToHub::Ends);
                self.hub_hears(session, message)?;
                self.ends(session, ends);
            }
            Action::ToClient(session, message) => {
                let ends = matches!(message, ToClient::Ends);
                self.client_hears(session, message)?;
                self.ends(session, ends);
            }
        }
        Ok(())
    }

    // The hub.

    fn hub_starts(&mut self) {
        self.hub_is_starting = false;
        if self.hub.is_some() {
            return;
        }
        let now = self.wall();
        let written = &mut self.disk.written;
        let engine = Engine::new(
            SETTINGS,
            written.working_set(now, SETTINGS.take_up_ms),
            [],
            written.muted,
            self.random.next(),
        );
        self.hub = Some(Hub {
            engine,
            sessions: BTreeSet::new(),
            tick_at: None,
        });
        self.plan_tick();
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
            self.at(at, Action::Tick);
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
                if self.disk.order(ticket, writes) {
                    let ms = self.random.delay(2);
                    self.after(ms, Action::DiskIsDone);
                }
            }
            Effect::Load(id) => {
                let ms = self.random.delay(2);
                self.after(ms, Action::Loads(self.ledger.counts.hubs, id));
            }
            Effect::Reply(session, request, reply) => {
                self.judge_reply(session, request, &reply)?;
                self.send_to_client(session, ToClient::Reply(request, reply));
            }
            Effect::Push(session, change) => {
                self.send_to_client(session, ToClient::Change(change));
            }
            Effect::Snapshot(session, cursor, records) => {
                self.send_to_client(session, ToClient::Snapshot(cursor, records));
            }
        }
        Ok(())
    }

    fn judge_reply(&self, session: SessionId, request: RequestId, reply: &Reply) -> Judged {
        let Some(link) = self.links.get(&session) else {
            return Ok(());
        };
        let through = match link.calls.get(&request) {
            Some(Call {
                words: Some(words), ..
            }) => Through::Words(words),
            Some(Call { is_fetch: true, .. }) => Through::Fetch,
            Some(_) | None => Through::Id,
        };
        let runs = |process: Process| {
            let key = (process.pid, process.start);
            self.processes.0.contains(&key)
        };
        match reply {
            Reply::Outcome { record, .. } => self.ledger.hands(record, &link.asker, through, runs),
            Reply::Fetched(records) => records
                .iter()
                .try_for_each(|record| self.ledger.hands(record, &link.asker, through, runs)),
            _ => Ok(()),
        }
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
                let open: Vec<SessionId> = self
                    .links
                    .iter()
                    .filter(|(_, link)| link.is_open)
                    .map(|(session, _)| *session)
                    .collect();
                if let Some(session) = self.random.pick(&open).copied() {
                    self.ledger.counts.cuts += 1;
                    self.cut(session);
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
        let sessions: Vec<SessionId> = self.links.keys().copied().collect();
        for session in sessions {
            self.cut(session);
        }
        Ok(())
    }

    /// What an engine held and what the next one begins with are the same.
    fn compare_rebuilt(&mut self, lived: &Engine) -> Judged {
        let now = self.wall();
        let kept = self.disk.written.working_set(now, SETTINGS.take_up_ms);
        let rebuilt = Engine::new(SETTINGS, kept, [], false, 1);
        for record in lived.records() {
            let bare = Record {
                waiters: 0,
                in_client: None,
                ..(**record).clone()
            };
            match rebuilt.record(&record.id) {
                Some(again) if *again == bare => {}
                // It is only held while its outcome is on the way.
                None if !bare.is_waiting() => {}
                again => {
                    return Err(format!("lived on: {bare:?}; rebuilt: {again:?}"));
                }
            }
        }
        Ok(())
    }

    /// A connection breaks; what is on its way is lost, and both ends learn of it.
    fn cut(&mut self, session: SessionId) {
        let Some(link) = self.links.get_mut(&session) else {
            return;
        };
        if !link.is_open {
            return;
        }
        link.is_open = false;
        let (hub, client) = (self.random.delay(5), self.random.delay(5));
        self.after(hub, Action::ToHub(session, ToHub::Ends));
        self.after(client, Action::ToClient(session, ToClient::Ends));
    }

    /// Nobody needs a link any more of which both ends know that it broke.
    fn ends(&mut self, session: SessionId, ends: bool) {
        if ends && let Some(link) = self.links.get_mut(&session) {
            link.ended += 1;
            if link.ended == 2 {
                self.links.remove(&session);
            }
        }
    }

    // Connections.

    fn connects(&mut self, party: Party) {
        let asker = match party {
            Party::Agent(at) => {
                let agent = &self.agents[at];
                if !agent.is_up || agent.client.session.is_some() {
                    return;
                }
                agent.asker.clone()
            }
            Party::Surface(at) => {
                if self.surfaces[at].client.session.is_some() {
                    return;
                }
                Asker::default()
            }
        };
        if self.hub.is_none() {
            if !self.hub_is_starting {
                self.hub_is_starting = true;
                let ms = 5 + self.random.delay(50);
                self.after(ms, Action::HubStarts);
            }
            let ms = 10 + self.random.delay(20);
            return self.after(ms, Action::Connects(party));
        }
        self.sessions += 1;
        let session = SessionId(self.sessions);
        let link = Link {
            party,
            is_open: true,
            ended: 0,
            asker,
            calls: BTreeMap::new(),
            to_hub_at: self.now_ms,
            to_client_at: self.now_ms,
        };
        self.links.insert(session, link);
        if let Some(hub) = &mut self.hub {
            hub.sessions.insert(session);
        }
        self.send_to_hub(session, ToHub::Opens);
        let client = match party {
            Party::Agent(at) => &mut self.agents[at].client,
            Party::Surface(at) => &mut self.surfaces[at].client,
        };
        client.session = Some(session);
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
        let client = match party {
            Party::Agent(at) => &self.agents[at].client,
            Party::Surface(at) => &self.surfaces[at].client,
        };
        let again: Vec<(RequestId, Request)> = client
            .pending
            .iter()
            .map(|(request, body)| (*request, body.clone()))
            .collect();
        for (request, body) in again {
            self.send_request(party, session, request, body);
        }
    }

    fn send_request(
        &mut self,
        party: Party,
        session: SessionId,
        request: RequestId,
        body: Request,
    ) {
        if let Party::Agent(at) = party
            && let Some(call) = self.agents[at].calls.get(&request).cloned()
            && let Some(link) = self.links.get_mut(&session)
        {
            link.calls.insert(request, call);
        }
        self.send_to_hub(session, ToHub::Request(request, body));
    }

    /// Sends a request now if there is a connection, else with the next one.
    fn asks(&mut self, party: Party, body: Request, call: Option<Call>) -> RequestId {
        let expects_reply = !matches!(body, Request::Leave { .. });
        let client = match party {
            Party::Agent(at) => &mut self.agents[at].client,
            Party::Surface(at) => &mut self.surfaces[at].client,
        };
        let request = client.new_request(body.clone(), expects_reply);
        let session = client.session;
        if let (Party::Agent(at), Some(call)) = (party, call) {
            self.agents[at].calls.insert(request, call);
        }
        if let Some(session) = session {
            self.send_request(party, session, request, body);
        }
        request
    }

    fn send_to_hub(&mut self, session: SessionId, message: ToHub) {
        let delay = self.random.delay(3);
        if let Some(link) = self.links.get_mut(&session) {
            let at = (self.now_ms + delay).max(link.to_hub_at);
            link.to_hub_at = at;
            self.at(at, Action::ToHub(session, message));
        }
    }

    fn send_to_client(&mut self, session: SessionId, message: ToClient) {
        let delay = self.random.delay(3);
        if let Some(link) = self.links.get_mut(&session) {
            let at = (self.now_ms + delay).max(link.to_client_at);
            link.to_client_at = at;
            self.at(at, Action::ToClient(session, message));
        }
    }

    fn hub_hears(&mut self, session: SessionId, message: ToHub) -> Judged {
        let is_open = self.links.get(&session).is_some_and(|link| link.is_open);
        let is_known = self
            .hub
            .as_ref()
            .is_some_and(|hub| hub.sessions.contains(&session));
        if !is_known {
            return Ok(());
        }
        match message {
            ToHub::Ends => {
                if let Some(hub) = &mut self.hub {
                    hub.sessions.remove(&session);
                }
                self.event(Event::Closed(session))
            }
            _ if !is_open => Ok(()),
            ToHub::Opens => self.event(Event::Opened(session)),
            ToHub::Drained => self.event(Event::Drained(session)),
            ToHub::Request(request, body) => {
                if let Request::Delivered { id, attempt } = &body {
                    self.ledger.delivered(id, *attempt);
                }
                self.event(Event::Request {
                    session,
                    request,
                    body,
                })
            }
        }
    }

    fn client_hears(&mut self, session: SessionId, message: ToClient) -> Judged {
        let Some(link) = self.links.get(&session) else {
            return Ok(());
        };
        let party = link.party;
        if matches!(message, ToClient::Ends) {
            let client = match party {
                Party::Agent(at) => &mut self.agents[at].client,
                Party::Surface(at) => &mut self.surfaces[at].client,
            };
            if client.session == Some(session) {
                client.session = None;
                let ms = self.random.delay(5);
                self.after(ms, Action::Connects(party));
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
            Party::Surface(at) => self.surface_hears(at, session, message),
        }
    }

    // Agents.

    fn agent_starts(&mut self, at: usize) {
        if self.agents[at].is_up {
            return;
        }
        self.pids += 2;
        let now = self.wall();
        let client = self.agents[at]
            .asker
            .caller
            .as_ref()
            .and_then(|caller| caller.client)
            .filter(|client| self.processes.0.contains(&(client.pid, client.start)));
        let client = self.agents[at].start(self.pids, client, now);
        self.processes.start(client);
        self.processes.start(Process {
            pid: self.pids,
            start: 1,
        });
        self.after(0, Action::Connects(Party::Agent(at)));
        let ms = self.random.delay(20);
        self.after(ms, Action::AgentActs(at, self.pids));
    }

    fn agent_crashes(&mut self, at: usize) {
        let Some(caller) = self.agents[at].asker.caller.clone() else {
            return;
        };
        if let Some(process) = caller.process {
            self.processes.end(process);
        }
        // Its client may live on and start another server.
        if let Some(client) = caller.client
            && self.random.per_mille(600)
        {
            self.processes.end(client);
        }
        let agent = &mut self.agents[at];
        agent.is_up = false;
        let waited = std::mem::take(&mut agent.calls).into_values();
        agent.left.extend(waited.filter_map(|call| call.words));
        if let Some(session) = agent.client.session.take() {
            self.cut(session);
        }
        let ms = 1 + self.random.delay(60);
        self.after(ms, Action::AgentStarts(at));
    }

    fn agent_acts(&mut self, at: usize, pid: u32) {
        let agent = &self.agents[at];
        if self.is_over || !agent.is_up || agent.pid != pid {
            return;
        }
        let ms = 1 + self.random.delay(40);
        self.after(ms, Action::AgentActs(at, pid));
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
                let call = Call {
                    words: None,
                    is_fetch: true,
                };
                let take = !self.random.per_mille(200);
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
            _ => {}
        }
    }

    fn agent_opens(&mut self, at: usize, words: String) {
        if self.asked >= self.plan.asks {
            return;
        }
        self.asked += 1;
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
            Reply::Fetched(records) => {
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
            _ => {}
        }
        Ok(())
    }

    fn agent_is_told(&mut self, at: usize, records: &[Arc<Record>], call: Option<Call>) -> Judged {
        let words = call.and_then(|call| call.words);
        if !self.is_over && self.random.per_mille(self.plan.faults) {
            self.agents[at].left.extend(words);
            self.agent_crashes(at);
            return Ok(());
        }
        let asker = self.agents[at].asker.clone();
        if self.random.per_mille(50) {
            // Its own client has gone, so the reply can't be written.
            self.agents[at].left.extend(words);
            for record in records {
                let id = record.id.clone();
                self.asks(Party::Agent(at), Request::Undelivered(id), None);
            }
            return Ok(());
        }
        for record in records {
            self.ledger.reads(record, &asker)?;
            self.agents[at].known.remove(&record.id);
        }
        if !self.is_over && self.random.per_mille(self.plan.faults) {
            self.agent_crashes(at);
            return Ok(());
        }
        for record in records {
            let delivered = Request::Delivered {
                id: record.id.clone(),
                attempt: record.settlement().map(|settlement| settlement.attempt),
            };
            self.asks(Party::Agent(at), delivered, None);
        }
        Ok(())
    }

    // Surfaces.

    fn surface_acts(&mut self, at: usize) {
        let ms = 1 + self.random.delay(15);
        if !self.is_over || self.has_open_asks() {
            self.after(ms, Action::SurfaceActs(at));
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
            surface: "sim".to_owned(),
            device: None,
            attempt,
        }
    }

    fn surface_hears(&mut self, at: usize, session: SessionId, message: ToClient) -> Judged {
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
        self.after(ms, Action::ToHub(session, ToHub::Drained));
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

    /// Everything has come to rest: nothing breaks any more, and what was open is answered.
    fn end(mut self) -> Result<Counts, String> {
        for (at, agent) in self.agents.iter().enumerate() {
            let waits = agent.client.pending.iter().find(|(_, body)| {
                matches!(body, Request::Open { .. } | Request::Wait(_)) && agent.is_up
            });
            if let Some((request, body)) = waits {
                return Err(format!("agent {at} hangs in call {request:?}: {body:?}"));
            }
        }
        let Some(hub) = &self.hub else {
            return Err("there is no hub at the end".to_owned());
        };
        for record in self.disk.written.records.values() {
            let human = record.settlement().filter(|end| end.outcome.is_human());
            if human.is_some() && !record.is_delivered() && hub.engine.record(&record.id).is_none()
            {
                return Err(format!("{} is undelivered, and not shown", record.id));
            }
        }
        let is_needed = |record: &Record| {
            let human = record.settlement().map(|end| end.outcome.is_human());
            match human {
                None => true,
                Some(true) => !record.is_delivered(),
                Some(false) => record.is_answerable(),
            }
        };
        if let Some(record) = hub.engine.records().find(|record| !is_needed(record)) {
            return Err(format!("{} is held for nothing", record.id));
        }
        for (at, surface) in self.surfaces.iter().enumerate() {
            if let Some(id) = surface.shown.keys().next() {
                return Err(format!("surface {at} still shows {id} as open"));
            }
        }
        let records = std::mem::take(&mut self.disk.written.records);
        self.ledger.close(&records)?;
        Ok(self.ledger.counts)
    }
}
