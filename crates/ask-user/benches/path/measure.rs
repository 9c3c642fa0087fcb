//! The measurements, each in the order a person meets them: start, ask, answer,
//! many, none.

use std::time::{Duration, Instant};

use super::proc;
use super::rig::{Agent, CHOICES, Rig, Side};
use super::surface::Surface;

/// Spawn to the list of tools, and end of input to end of process, interleaved.
pub struct Start {
    pub listed: Vec<Duration>,
    pub ended: Vec<Duration>,
}

/// Cold starts of both sides, taking turns.
pub fn starts(rounds: usize) -> [Start; 2] {
    let rigs = [Side::Floor, Side::Ours].map(Rig::new);
    let mut starts = [(); 2].map(|()| Start {
        listed: Vec::new(),
        ended: Vec::new(),
    });
    for round in 0..rounds + WARM_UP {
        for (rig, start) in rigs.iter().zip(&mut starts) {
            let spawned = Instant::now();
            let mut agent = rig.agent();
            let listed = spawned.elapsed();
            let left = Instant::now();
            agent.leave();
            if round >= WARM_UP {
                start.listed.push(listed);
                start.ended.push(left.elapsed());
            }
        }
    }
    starts
}

/// Asks and answers on two paths that take turns, so that a busy moment meets both.
pub fn steps(paths: &mut [Path; 2], rounds: usize) -> [Steps; 2] {
    let mut steps = [Steps::default(), Steps::default()];
    for round in 0..rounds + WARM_UP {
        for (path, steps) in paths.iter_mut().zip(&mut steps) {
            let (shown, told) = path.step(round % CHOICES.len());
            if round >= WARM_UP {
                steps.shown.push(shown);
                steps.told.push(told);
            }
        }
    }
    steps
}

/// Asks and answers so many at once, again on two paths that take turns.
pub fn bursts(paths: &mut [Path; 2], asks: usize, rounds: usize) -> [Steps; 2] {
    let mut steps = [Steps::default(), Steps::default()];
    for _ in 0..rounds {
        for (path, steps) in paths.iter_mut().zip(&mut steps) {
            let (shown, told) = path.burst(asks);
            steps.shown.push(shown);
            steps.told.push(told);
        }
    }
    steps
}

const WARM_UP: usize = 5;

/// An agent, a surface, and asks that get numbers of their own.
pub struct Path {
    // In the order they end: a server that outlived the rig would start its hub again.
    pub agent: Agent,
    pub surface: Box<dyn Surface>,
    pub rig: Rig,
    next: u64,
}

/// Times of many steps: until asks were shown, until agents were told.
#[derive(Default)]
pub struct Steps {
    pub shown: Vec<Duration>,
    pub told: Vec<Duration>,
}

impl Path {
    /// A path that is ready to be gone.
    pub fn new(side: Side) -> Self {
        Self::on(Rig::new(side))
    }

    /// The same, in a rig that holds something already.
    pub fn on(rig: Rig) -> Self {
        let surface = rig.surface();
        let agent = rig.agent();
        Self {
            agent,
            surface,
            rig,
            next: 100,
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Leaves so many more asks waiting.
    pub fn wait(&mut self, asks: usize) {
        let numbers: Vec<u64> = (0..asks).map(|_| self.number()).collect();
        self.burst_shown(&numbers);
    }

    /// The same, with calls that want to hear of progress.
    pub fn wait_with_progress(&mut self, asks: usize) {
        self.agent.listen();
        for _ in 0..asks {
            let ask = self.number();
            self.agent.ask_with_progress(ask);
            assert_eq!(
                self.surface.shown(),
                [ask],
                "the surface shows what was asked"
            );
        }
    }

    /// Asks, each once the one before is shown; their numbers.
    pub fn asks_one_by_one(&mut self, asks: usize) -> Vec<u64> {
        let one = |path: &mut Self| {
            let ask = path.number();
            path.agent.ask(ask);
            path.surface.shown();
            ask
        };
        (0..asks).map(|_| one(self)).collect()
    }

    /// Answers, each once the one before has reached its asker.
    pub fn answers_one_by_one(&mut self, asks: &[u64]) {
        for &ask in asks {
            self.surface.answer(ask, 0);
            self.agent.reply();
            self.surface.rest();
        }
    }

    /// Asks and answers once: when it was shown, and then when it was told.
    fn step(&mut self, pick: usize) -> (Duration, Duration) {
        let ask = self.number();
        let asked = Instant::now();
        self.agent.ask(ask);
        assert_eq!(
            self.surface.shown(),
            [ask],
            "the surface shows what was asked"
        );
        let shown = asked.elapsed();
        let answered = Instant::now();
        self.surface.answer(ask, pick);
        let (told, reply) = self.agent.reply();
        let time = answered.elapsed();
        assert!(
            told == ask && reply.contains(CHOICES[pick]),
            "the reply is the answer: {reply}"
        );
        self.surface.rest();
        (shown, time)
    }

    /// Asks all at once and answers all at once: when all were shown, and when all were told.
    pub fn burst(&mut self, asks: usize) -> (Duration, Duration) {
        let numbers: Vec<u64> = (0..asks).map(|_| self.number()).collect();
        let begun = Instant::now();
        self.burst_shown(&numbers);
        let shown = begun.elapsed();
        let (surface, agent) = (&mut self.surface, &mut self.agent);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for &ask in &numbers {
                    surface.answer(ask, ask as usize % CHOICES.len());
                }
            });
            let mut told: Vec<u64> = Vec::with_capacity(asks);
            while told.len() < asks {
                let (ask, reply) = agent.reply();
                assert!(
                    reply.contains(CHOICES[ask as usize % CHOICES.len()]),
                    "each hears its own answer: {reply}"
                );
                told.push(ask);
            }
            told.sort_unstable();
            assert_eq!(told, numbers, "each is told once");
        });
        let told = begun.elapsed();
        self.surface.rest();
        (shown, told)
    }

    fn burst_shown(&mut self, numbers: &[u64]) {
        let (surface, agent) = (&mut self.surface, &mut self.agent);
        std::thread::scope(|scope| {
            scope.spawn(|| numbers.iter().for_each(|&ask| agent.ask(ask)));
            let mut shown = Vec::with_capacity(numbers.len());
            while shown.len() < numbers.len() {
                shown.extend(surface.shown());
            }
            shown.sort_unstable();
            assert_eq!(shown, numbers, "each is shown once");
        });
    }

    /// The answer from a shell, with its start: when the agent is told.
    pub fn shell_answers(&mut self, rounds: usize) -> Vec<Duration> {
        let mut times = Vec::new();
        for _ in 0..rounds {
            let ask = self.number();
            self.agent.ask(ask);
            self.surface.shown();
            let begun = Instant::now();
            let mut shell = self.rig.ours(&["answer", "latest", "--set", "1=1"]);
            let shell = shell.spawn();
            let (told, _) = self.agent.reply();
            times.push(begun.elapsed());
            let ended = shell
                .and_then(|mut shell| shell.wait())
                .expect("ask-user answer runs");
            assert!(told == ask && ended.success(), "ask-user answer answers");
        }
        times
    }
}

/// What processes do while nothing happens.
pub struct Rest {
    /// Wake-ups a second.
    pub wakeups: f64,
    /// Percent of a core.
    pub cpu: f64,
}

/// Listens for a while to nothing, with asks waiting that want progress.
pub fn rest(path: &mut Path, pids: &[u32], time: Duration) -> Rest {
    path.surface.listen(Duration::from_secs(1));
    let wakeups = || pids.iter().map(|&pid| proc::wakeups(pid)).sum::<u64>();
    let cpu = || pids.iter().map(|&pid| proc::cpu(pid)).sum::<Duration>();
    let (begun, woken, used) = (Instant::now(), wakeups(), cpu());
    path.surface.listen(time);
    let seconds = begun.elapsed().as_secs_f64();
    let (woken, used) = (wakeups() - woken, cpu() - used);
    Rest {
        wakeups: woken as f64 / seconds,
        cpu: used.as_secs_f64() * 100.0 / seconds,
    }
}
