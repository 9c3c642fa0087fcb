//! The smallest world that still goes wrong in the same way: fewer agents and asks, until nothing can be
//! left out. A smaller plan makes other random choices, so a few seeds are tried with each.

use super::plan::Plan;
use super::simulation::{Failure, run};

/// A world that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its seed.
    pub seed: u64,
    /// Its plan.
    pub plan: Plan,
    /// How it goes wrong.
    pub failure: Failure,
}

/// So many seeds are tried with a smaller plan before it counts as sound.
const SEEDS: u64 = 400;

/// Makes a case smaller until it can't be. `None` where nothing goes wrong.
pub fn shrink(seed: u64, plan: Plan) -> Option<Case> {
    shrink_by(seed, plan, |seed, plan| run(seed, plan).err())
}

pub(super) fn shrink_by(
    seed: u64,
    plan: Plan,
    fails: impl Fn(u64, Plan) -> Option<Failure>,
) -> Option<Case> {
    let failure = fails(seed, plan)?;
    let mut least = Case {
        seed,
        plan,
        failure,
    };
    while let Some(smaller) = smaller(&least, &fails) {
        least = smaller;
    }
    Some(least)
}

fn smaller(case: &Case, fails: impl Fn(u64, Plan) -> Option<Failure>) -> Option<Case> {
    let again = |seed, plan| {
        let failure = fails(seed, plan).filter(|failure| is_alike(failure, &case.failure))?;
        Some(Case {
            seed,
            plan,
            failure,
        })
    };
    let mut of_plans = plans(case.plan)
        .into_iter()
        .flat_map(|plan| (0..SEEDS).map(move |seed| (seed, plan)));
    let with_less = of_plans.find_map(|(seed, plan)| again(seed, plan));
    with_less.or_else(|| {
        // The same plan may go wrong sooner by another seed.
        let others = (0..SEEDS).filter_map(|seed| again(seed, case.plan));
        let soonest = others.min_by_key(|other| other.failure.steps);
        soonest.filter(|other| other.failure.steps < case.failure.steps)
    })
}

/// Plans with less of one thing, the least first.
fn plans(plan: Plan) -> Vec<Plan> {
    let numbers = plan.numbers();
    let mut all = Vec::new();
    for (at, number) in numbers.into_iter().enumerate() {
        for less in [0, number / 2, number.saturating_sub(1)] {
            let mut numbers = numbers;
            numbers[at] = less;
            let smaller = Plan::from_numbers(numbers);
            // Less strict is not smaller.
            if smaller != plan && smaller.strict == plan.strict && !all.contains(&smaller) {
                all.push(smaller);
            }
        }
    }
    all
}

/// Whether it went wrong in the same way: the same words, whichever ask it was.
fn is_alike(one: &Failure, other: &Failure) -> bool {
    let words = |failure: &Failure| {
        let problem = failure.problem.chars();
        let words: String = problem.filter(|sign| !sign.is_ascii_digit()).collect();
        words.split('{').next().unwrap_or_default().to_owned()
    };
    words(one) == words(other)
}
