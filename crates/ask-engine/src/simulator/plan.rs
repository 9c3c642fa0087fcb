//! The parameters of a simulation. They follow from a seed, or are given as `--agents 3 --asks 20
//! …`.

use std::fmt;

use super::random::Random;

/// The parameters of a simulation. Smaller numbers make a smaller simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of agents.
    pub agents: u64,
    /// How many of the agents use HTTP.
    pub http: u64,
    /// How many of the agents over HTTP have no session.
    pub requests: u64,
    /// The number of programs that start the servers of the other agents. Few programs have many
    /// sub-agents each.
    pub programs: u64,
    /// The number of surfaces.
    pub surfaces: u64,
    /// After this many asks no more are opened.
    pub asks: u64,
    /// The number of different questions. Few questions make many twins.
    pub words: u64,
    /// The number of different clients and folders. Few places make many twins.
    pub places: u64,
    /// How many of a thousand steps inject a fault.
    pub faults: u64,
    /// Whether the wall clock is set from time to time.
    pub clocks: bool,
    /// Whether to check two more rules: the outcome of a person is never in flight to two callers
    /// at the same time, and the ask that a caller over HTTP left is taken up by its successor.
    pub strict: bool,
    /// How many of a hundred actions of an agent withdraw an ask, at most 3.
    pub withdrawals: u64,
    /// In how many folders the servers of one program work.
    pub folders: u64,
    /// How many of a hundred outcomes of people are held, so that they can be taken back.
    pub holds: u64,
}

/// The names of the parameters, in the order of [`Plan::numbers`].
const NAMES: [&str; 14] = [
    "agents",
    "http",
    "requests",
    "programs",
    "surfaces",
    "asks",
    "words",
    "places",
    "faults",
    "clocks",
    "strict",
    "withdrawals",
    "folders",
    "holds",
];

impl Plan {
    /// The plan of a small simulation, different for each seed.
    pub fn small(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed);
        let agents = 2 + random.next_below(6);
        let mut plan = Self {
            agents,
            surfaces: 1 + random.next_below(3),
            asks: 20 + random.next_below(80),
            words: 1 + random.next_below(8),
            places: 1 + random.next_below(3),
            faults: random.next_below(40),
            clocks: random.per_mille(250),
            programs: match random.per_mille(500) {
                true => agents,
                false => 1 + random.next_below(agents),
            },
            http: match random.per_mille(500) {
                true => 0,
                false => random.next_below(agents + 1),
            },
            requests: 0,
            strict: true,
            withdrawals: 0,
            folders: 1,
            holds: 0,
        };
        plan.requests = random.next_below(plan.http + 1);
        plan.withdrawals = random.next_below(4);
        plan.folders = 1 + random.next_below(3);
        plan.holds = random.next_below(3) * 40;
        plan
    }

    /// The plan of a long simulation with many agents, different for each seed.
    pub fn large(seed: u64, asks: u64) -> Self {
        let mut random = Random::new(seed ^ 0x1a46e);
        let agents = 40 + random.next_below(60);
        let mut plan = Self {
            agents,
            surfaces: 2 + random.next_below(4),
            asks,
            words: 50 + random.next_below(200),
            places: 4 + random.next_below(8),
            faults: 1 + random.next_below(3),
            clocks: random.per_mille(250),
            programs: 1 + random.next_below(agents),
            http: random.next_below(agents / 2),
            requests: 0,
            strict: true,
            withdrawals: 0,
            folders: 1,
            holds: 0,
        };
        plan.requests = random.next_below(plan.http + 1);
        plan.withdrawals = random.next_below(4);
        plan.folders = 1 + random.next_below(3);
        plan.holds = random.next_below(3) * 40;
        plan
    }

    /// Sets the parameter with this name. Returns false if there is none.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let place = NAMES.iter().position(|known| *known == name);
        let mut numbers = self.numbers();
        if let Some(number) = place.and_then(|place| numbers.get_mut(place)) {
            *number = value;
        }
        *self = Self::from_numbers(numbers);
        place.is_some()
    }

    /// All parameters as numbers.
    pub(super) fn numbers(&self) -> [u64; 14] {
        [
            self.agents,
            self.http,
            self.requests,
            self.programs,
            self.surfaces,
            self.asks,
            self.words,
            self.places,
            self.faults,
            u64::from(self.clocks),
            u64::from(self.strict),
            self.withdrawals,
            self.folders,
            self.holds,
        ]
    }

    pub(super) fn from_numbers(numbers: [u64; 14]) -> Self {
        let [
            agents,
            http,
            requests,
            programs,
            surfaces,
            asks,
            words,
            places,
            faults,
            clocks,
            strict,
            withdrawals,
            folders,
            holds,
        ] = numbers;
        let agents = agents.max(1);
        let http = http.min(agents);
        Self {
            agents,
            http,
            requests: requests.min(http),
            programs: programs.max(1),
            surfaces: surfaces.max(1),
            asks: asks.max(1),
            words: words.max(1),
            places: places.max(1),
            faults: faults.min(1_000),
            clocks: clocks > 0,
            strict: strict > 0,
            withdrawals: withdrawals.min(3),
            folders: folders.max(1),
            holds: holds.min(100),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = NAMES.iter().zip(self.numbers());
        let all: Vec<String> = numbers
            .map(|(name, number)| format!("--{name} {number}"))
            .collect();
        formatter.write_str(&all.join(" "))
    }
}
