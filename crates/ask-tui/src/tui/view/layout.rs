//! How a card's rows are shared out when there are too few: first what a person
//! can't answer without, last what is only pleasant.

/// What a preview gets before the rest is shared out.
const PREVIEW: usize = 5;
/// From so many rows on a second row of hints comes before what can be scrolled.
const HINTED: usize = 18;

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
    /// What the list can fill besides, when nothing else wants the rows.
    pub list_fill: usize,
    /// A preview below the list; one row says at least that there is one.
    pub preview: usize,
    /// Rows of the note.
    pub note: usize,
    /// Whether there is a note, or a file: that it is there comes before most that is only pleasant.
    pub noted: bool,
    /// Whether the note is being typed: then it comes before most of the list.
    pub noting: bool,
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
    /// Rows of the preview below it.
    pub preview: usize,
    /// Rows of the note.
    pub note: usize,
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
        plan.note = take(usize::from(wants.noting));
        plan.message = take(usize::from(wants.message)) == 1;
        plan.who = take(1) == 1;
        plan.tabs = take(usize::from(wants.tabs)) == 1;
        if wants.noting {
            plan.note += take(wants.note.min(3).saturating_sub(plan.note));
        }
        for level in [
            wants.list_short.min(3),
            wants.list_short,
            wants.list_focused,
        ] {
            plan.list += take(level.saturating_sub(plan.list));
        }
        plan.note += take(usize::from(wants.noted && plan.note == 0));
        let fair = wants.prose.min((wants.rows * 2 / 5).max(1));
        plan.prose += take(fair.min(3).saturating_sub(plan.prose));
        plan.preview = take(wants.preview.min(1));
        plan.bottom_rule = take(1) == 1;
        plan.gap = take(1) == 1;
        // Whoever reads only the hints has to find every way there is.
        if wants.rows >= HINTED {
            plan.hints += take(wants.hints.saturating_sub(plan.hints));
        }
        plan.preview += take(wants.preview.min(PREVIEW).saturating_sub(plan.preview));
        plan.list += take(wants.list_full.saturating_sub(plan.list));
        // The preview is worth as much as the context.
        for _ in 0..wants.preview.max(fair) {
            plan.preview += take(usize::from(plan.preview < wants.preview));
            plan.prose += take(usize::from(plan.prose < fair));
        }
        plan.top_rule = take(1) == 1;
        plan.hints += take(wants.hints.saturating_sub(plan.hints));
        plan.note += take(wants.note.saturating_sub(plan.note));
        plan.heading = take(usize::from(wants.heading)) == 1;
        plan.preview += take(wants.preview.saturating_sub(plan.preview));
        plan.list += take(wants.list_fill.saturating_sub(plan.list));
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
            list_fill: 0,
            preview: 0,
            note: 1,
            noted: false,
            noting: false,
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
