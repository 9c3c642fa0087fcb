//! An agent, a home and a surface, and the steps between them.

use std::time::{Duration, Instant};

use super::agent::Agent;
use super::harness::{CHOICES, Home};
use super::surface::{Interface, Surface};

/// Rounds that precede the first measured one.
pub(crate) const WARM_UP: usize = 5;

/// A person takes seconds, so a step begins only after this long without a message.
const PAUSE: Duration = Duration::from_millis(10);

/// Everything that takes part in an ask.
pub(crate) struct Setup {
    // In the order in which they end: a server that outlived its home would start a hub again.
    pub agent: Agent,
    pub surface: Box<dyn Surface>,
    pub home: Home,
    interface: Interface,
    next: u64,
    /// How many answers the agent has received.
    pub delivered: usize,
}

/// The times of many steps: until asks were shown, and until answers were delivered.
#[derive(Default)]
pub(crate) struct Steps {
    pub shown: Vec<Duration>,
    pub delivered: Vec<Duration>,
}

impl Setup {
    /// A setup with an empty store.
    pub(crate) fn new(interface: Interface) -> Self {
        Self::in_home(Home::new(), interface)
    }

    /// A setup in a home with content.
    pub(crate) fn in_home(home: Home, interface: Interface) -> Self {
        let surface = interface.open(&home);
        let agent = interface.agent(&home);
        Self {
            agent,
            surface,
            home,
            interface,
            next: 100,
            delivered: 0,
        }
    }

    /// The process that stores asks: the hub, or the floor server.
    pub(crate) fn pid(&self) -> u32 {
        match self.interface {
            Interface::Floor => self.agent.pid(),
            Interface::Rpc | Interface::Socket | Interface::Page => self.home.hub().pid,
        }
    }

    /// A new ask's number.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Asks once; returns the number and the time until it was shown.
    pub(crate) fn ask(&mut self) -> (u64, Duration) {
        let ask = self.number();
        let asked = Instant::now();
        self.agent.ask(ask);
        let shown = self.surface.shown();
        assert_eq!(shown, [ask], "the surface shows the ask");
        (ask, asked.elapsed())
    }

    /// Answers once; returns the time until the agent received the answer.
    pub(crate) fn answer(&mut self, ask: u64) -> Duration {
        let pick = ask as usize % CHOICES.len();
        let answered = Instant::now();
        self.surface.answer(ask, pick);
        let reply = self.agent.reply();
        let time = answered.elapsed();
        assert_is_answer(ask, &reply);
        self.delivered += 1;
        self.surface.rest();
        time
    }

    /// Asks `asks` times at once; returns the numbers and the time until all were shown.
    pub(crate) fn ask_all(&mut self, asks: usize) -> (Vec<u64>, Duration) {
        let numbers: Vec<u64> = (0..asks).map(|_| self.number()).collect();
        let begun = Instant::now();
        let (surface, agent) = (&mut self.surface, &mut self.agent);
        std::thread::scope(|scope| {
            scope.spawn(|| numbers.iter().for_each(|&ask| agent.ask(ask)));
            let mut shown = Vec::with_capacity(asks);
            while shown.len() < asks {
                shown.extend(surface.shown());
            }
            shown.sort_unstable();
            assert_eq!(shown, numbers, "each is shown once");
        });
        (numbers, begun.elapsed())
    }

    /// Answers all these asks without waiting in between; returns the time until the agent had all
    /// answers.
    pub(crate) fn answer_all(&mut self, asks: &[u64]) -> Duration {
        let answers: Vec<(u64, usize)> = asks
            .iter()
            .map(|&ask| (ask, ask as usize % CHOICES.len()))
            .collect();
        let begun = Instant::now();
        let (surface, agent, delivered_total) =
            (&mut self.surface, &mut self.agent, &mut self.delivered);
        std::thread::scope(|scope| {
            scope.spawn(|| surface.answer_all(&answers));
            let mut delivered: Vec<u64> = Vec::with_capacity(asks.len());
            while delivered.len() < asks.len() {
                let reply = agent.reply();
                assert_is_answer(reply.0, &reply);
                delivered.push(reply.0);
                *delivered_total += 1;
            }
            let time = begun.elapsed();
            delivered.sort_unstable();
            assert_eq!(delivered, asks, "each answer arrives once");
            time
        })
    }

    /// Leaves `asks` waiting asks with progress tokens.
    pub(crate) fn wait_with_progress(&mut self, asks: usize) {
        self.agent.listen();
        for _ in 0..asks {
            let ask = self.number();
            self.agent.ask_with_progress(ask);
            let shown = self.surface.shown();
            assert_eq!(shown, [ask], "the surface shows the ask");
        }
    }
}

/// Asks and answers in turns on all setups, so that a busy moment affects all of them.
pub(crate) fn steps(setups: &mut [Setup], rounds: usize) -> Vec<Steps> {
    let mut all: Vec<Steps> = setups.iter().map(|_| Steps::default()).collect();
    for round in 0..rounds + WARM_UP {
        for (setup, steps) in setups.iter_mut().zip(&mut all) {
            let (ask, shown) = setup.ask();
            setup.surface.listen(PAUSE);
            let delivered = setup.answer(ask);
            setup.surface.listen(PAUSE);
            if round >= WARM_UP {
                steps.shown.push(shown);
                steps.delivered.push(delivered);
            }
        }
    }
    all
}

fn assert_is_answer(ask: u64, (delivered, reply): &(u64, String)) {
    let answer = CHOICES[ask as usize % CHOICES.len()];
    assert!(
        *delivered == ask && reply.contains(answer),
        "each hears its own answer: {reply}"
    );
}
