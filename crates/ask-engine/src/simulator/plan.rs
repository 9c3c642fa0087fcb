//! What a run is made of, by its seed or in words: `--agents 3 --asks 20 …`.

use std::fmt;

use super::random::Random;

/// What a run is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Conversations.
    pub agents: u64,
    /// So many of them are over HTTP.
    pub http: u64,
    /// So many of those have no session there.
    pub requests: u64,
    /// Programs that start the servers of the others: few have many sub-agents.
    pub programs: u64,
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
    /// Whether two more rules are judged: what a person said is not on its way to two callers at the
    /// same time, and what is left by a caller over HTTP is taken up by its successor.
    pub strict: bool,
    /// How often, in a hundred acts, an agent withdraws an ask: at most three.
    pub withdrawals: u64,
}

/// What each number of a plan is called.
const NAMES: [&str; 12] = [
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
];

impl Plan {
    /// A small world, different for each seed.
    pub fn small(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed);
        let agents = 2 + random.below(6);
        let mut plan = Self {
            agents,
            surfaces: 1 + random.below(3),
            asks: 20 + random.below(80),
            words: 1 + random.below(8),
            places: 1 + random.below(3),
            faults: random.below(40),
            clocks: random.per_mille(250),
            programs: match random.per_mille(500) {
                true => agents,
                false => 1 + random.below(agents),
            },
            http: match random.per_mille(500) {
                true => 0,
                false => random.below(agents + 1),
            },
            requests: 0,
            strict: true,
            withdrawals: 0,
        };
        plan.requests = random.below(plan.http + 1);
        plan.withdrawals = random.below(4);
        plan
    }

    /// A world with many agents, for long.
    pub fn large(seed: u64, asks: u64) -> Self {
        let mut random = Random::new(seed ^ 0x1a46e);
        let agents = 40 + random.below(60);
        let mut plan = Self {
            agents,
            surfaces: 2 + random.below(4),
            asks,
            words: 50 + random.below(200),
            places: 4 + random.below(8),
            faults: 1 + random.below(3),
            clocks: random.per_mille(250),
            programs: 1 + random.below(agents),
            http: random.below(agents / 2),
            requests: 0,
            strict: true,
            withdrawals: 0,
        };
        plan.requests = random.below(plan.http + 1);
        plan.withdrawals = random.below(4);
        plan
    }

    /// Sets what has this name. False where nothing has.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let place = NAMES.iter().position(|known| *known == name);
        let mut numbers = self.numbers();
        if let Some(number) = place.and_then(|place| numbers.get_mut(place)) {
            *number = value;
        }
        *self = Self::from_numbers(numbers);
        place.is_some()
    }

    /// Its numbers, by which a smaller plan is a smaller world.
    pub(super) fn numbers(&self) -> [u64; 12] {
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
        ]
    }

    pub(super) fn from_numbers(numbers: [u64; 12]) -> Self {
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
