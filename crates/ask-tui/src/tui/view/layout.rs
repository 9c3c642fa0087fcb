//! Distributes a card's rows when there are too few: first what a person can't answer without, last
//! what is only pleasant.

/// The rows that a preview gets before the rest is distributed.
const PREVIEW: usize = 5;
/// The height from which a second row of hints precedes what can scroll.
const HINTED: usize = 18;

/// What a card would like to show.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wants {
    /// Whether there is a tab bar.
    pub tabs: bool,
    /// Whether there is a headline above the question.
    pub heading: bool,
    /// Rows of the question and its context.
    pub prose: usize,
    /// The fewest useful rows of the list.
    pub list_least: usize,
    /// Rows of the list with one row for each choice.
    pub list_short: usize,
    /// Rows with the focused choice's whole description as well.
    pub list_focused: usize,
    /// Rows with short descriptions of the other choices as well.
    pub list_full: usize,
    /// Further rows that the list can fill when nothing else needs them.
    pub list_fill: usize,
    /// Rows of the preview below the list. A single row only says that there is one.
    pub preview: usize,
    /// Rows of the note.
    pub note: usize,
    /// Whether there is a note or an attachment. It precedes most of what is only pleasant.
    pub noted: bool,
    /// Whether the note is being typed. It then precedes most of the list.
    pub noting: bool,
    /// Whether there is a message.
    pub message: bool,
    /// Rows of the key hints.
    pub hints: usize,
    /// All rows of the screen.
    pub rows: usize,
}

/// The distribution of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Whether the row of the asker is shown.
    pub who: bool,
    /// Whether a line below it is shown.
    pub top_rule: bool,
    /// Whether the tab bar is shown.
    pub tabs: bool,
    /// Whether the headline is shown.
    pub heading: bool,
    /// Rows of the question and its context.
    pub prose: usize,
    /// Whether an empty row precedes the list.
    pub gap: bool,
    /// Rows of the list.
    pub list: usize,
    /// Rows of the preview below it.
    pub preview: usize,
    /// Rows of the note.
    pub note: usize,
    /// Whether the message is shown.
    pub message: bool,
    /// Whether a line above the hints is shown.
    pub bottom_rule: bool,
    /// Rows of the key hints.
    pub hints: usize,
}

impl Plan {
    /// Distributes the rows.
    pub(super) fn new(wants: Wants) -> Self {
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
        // Somebody who reads only the hints has to find every way out.
        if wants.rows >= HINTED {
            plan.hints += take(wants.hints.saturating_sub(plan.hints));
        }
        plan.preview += take(wants.preview.min(PREVIEW).saturating_sub(plan.preview));
        plan.list += take(wants.list_full.saturating_sub(plan.list));
        // Preview and context share the rows evenly.
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
