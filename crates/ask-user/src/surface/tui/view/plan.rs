//! How a card's rows are shared out when there are too few: first what a person
//! can't answer without, last what is only pleasant.

/// What a card would like to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// The tab bar.
    pub tabs: bool,
    /// A headline above the question.
    pub heading: bool,
    /// Rows of the question and its context.
    pub prose: usize,
    /// The fewest rows of the list that make sense.
    pub list_least: usize,
    /// All choices, a row each.
    pub list_short: usize,
    /// Besides, all about the focused one.
    pub list_focused: usize,
    /// Besides, something about the others.
    pub list_full: usize,
    /// A line for the person.
    pub message: bool,
    /// Rows of hints that are worth showing.
    pub hints: usize,
    /// All rows there are.
    pub rows: usize,
}

/// What it gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The line that says who asks.
    pub who: bool,
    /// A rule below it.
    pub top_rule: bool,
    /// The tab bar.
    pub tabs: bool,
    /// The headline.
    pub heading: bool,
    /// Rows of the question and its context.
    pub prose: usize,
    /// A free row before the list.
    pub gap: bool,
    /// Rows of the list.
    pub list: usize,
    /// The line for the person.
    pub message: bool,
    /// A rule above the hints.
    pub bottom_rule: bool,
    /// Rows of hints.
    pub hints: usize,
}

impl Plan {
    /// Shares the rows out.
    pub fn new(wants: Wants) -> Self {
        let mut left = wants.rows;
        let mut take = |want: usize| {
            let got = want.min(left);
            left -= got;
            got
        };
        let mut plan = Self {
            list: take(wants.list_least.max(1)),
            prose: take(wants.prose.min(1)),
            hints: take(1),
            ..Self::default()
        };
        plan.message = take(usize::from(wants.message)) == 1;
        plan.who = take(1) == 1;
        plan.tabs = take(usize::from(wants.tabs)) == 1;
        for level in [
            wants.list_short.min(3),
            wants.list_short,
            wants.list_focused,
        ] {
            plan.list += take(level.saturating_sub(plan.list));
        }
        let fair = wants.prose.min((wants.rows * 2 / 5).max(1));
        plan.prose += take(fair.min(3).saturating_sub(plan.prose));
        plan.bottom_rule = take(1) == 1;
        plan.gap = take(1) == 1;
        plan.list += take(wants.list_full.saturating_sub(plan.list));
        plan.prose += take(fair.saturating_sub(plan.prose));
        plan.top_rule = take(1) == 1;
        plan.hints += take(wants.hints.saturating_sub(plan.hints));
        plan.heading = take(usize::from(wants.heading)) == 1;
        plan.prose += take(wants.prose.saturating_sub(plan.prose));
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_card_still_has_its_rows() {
        let wants = Wants {
            tabs: true,
            heading: true,
            prose: 9,
            list_least: 1,
            list_short: 5,
            list_focused: 6,
            list_full: 9,
            message: true,
            hints: 2,
            rows: 6,
        };
        let plan = Plan::new(wants);
        assert!(plan.who && plan.tabs && plan.message);
        assert_eq!((plan.prose, plan.list, plan.hints), (1, 1, 1));
        assert!(!plan.bottom_rule && !plan.top_rule);
    }
}
