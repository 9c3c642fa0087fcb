//! Searches for the smallest simulation that fails in the same way: it makes the numbers of the
//! plan smaller until no smaller plan fails. A smaller plan leads to other random choices, so
//! several seeds are tried with each plan.

use super::plan::Plan;
use super::simulation::{Failure, run};

/// A simulation that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The seed.
    pub seed: u64,
    /// The parameters.
    pub plan: Plan,
    /// How the simulation fails.
    pub failure: Failure,
}

/// How many seeds are tried with a plan before it counts as free of failures.
const SEEDS: u64 = 400;

/// Shrinks a failing simulation as far as possible. `None` if it doesn't fail.
pub fn shrink(seed: u64, plan: Plan) -> Option<Case> {
    shrink_by(seed, plan, |seed, plan| run(seed, plan).err())
}

pub(super) fn shrink_by(
    seed: u64,
    plan: Plan,
    fails: impl Fn(u64, Plan) -> Option<Failure>,
) -> Option<Case> {
    let failure = fails(seed, plan)?;
    let mut smallest = Case {
        seed,
        plan,
        failure,
    };
    while let Some(smaller) = smaller(&smallest, &fails) {
        smallest = smaller;
    }
    Some(smallest)
}

/// A failing simulation with a smaller plan, or with the same plan and fewer steps.
fn smaller(case: &Case, fails: impl Fn(u64, Plan) -> Option<Failure>) -> Option<Case> {
    let try_again = |seed, plan| {
        let failure =
            fails(seed, plan).filter(|failure| is_same_failure(failure, &case.failure))?;
        Some(Case {
            seed,
            plan,
            failure,
        })
    };
    let mut candidates = smaller_plans(case.plan)
        .into_iter()
        .flat_map(|plan| (0..SEEDS).map(move |seed| (seed, plan)));
    let with_smaller_plan = candidates.find_map(|(seed, plan)| try_again(seed, plan));
    with_smaller_plan.or_else(|| {
        // With another seed the same plan may fail after fewer steps.
        let others = (0..SEEDS).filter_map(|seed| try_again(seed, case.plan));
        let shortest = others.min_by_key(|other| other.failure.steps);
        shortest.filter(|other| other.failure.steps < case.failure.steps)
    })
}

/// Plans in which one number is smaller. For each number, the smallest value comes first.
fn smaller_plans(plan: Plan) -> Vec<Plan> {
    let numbers = plan.numbers();
    let mut all = Vec::new();
    for (at, number) in numbers.into_iter().enumerate() {
        for value in [0, number / 2, number.saturating_sub(1)] {
            let mut numbers = numbers;
            numbers[at] = value;
            let smaller = Plan::from_numbers(numbers);
            // Fewer rules don't make a plan smaller.
            if smaller != plan && smaller.strict == plan.strict && !all.contains(&smaller) {
                all.push(smaller);
            }
        }
    }
    all
}

/// Whether two failures are of the same kind: their messages differ only in numbers and in values
/// after the first brace.
fn is_same_failure(one: &Failure, other: &Failure) -> bool {
    let words = |failure: &Failure| {
        let problem = failure.problem.chars();
        let words: String = problem.filter(|sign| !sign.is_ascii_digit()).collect();
        words.split('{').next().unwrap_or_default().to_owned()
    };
    words(one) == words(other)
}
