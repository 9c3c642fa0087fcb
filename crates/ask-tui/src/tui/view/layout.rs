//! Distributes the rows of the screen to the parts of a card: first to those without which nobody
//! can answer, last to the optional ones.

/// The rows that a preview gets before the other parts.
const PREVIEW: usize = 5;
/// The height from which a second row of hints precedes the parts that can scroll.
const HINTED: usize = 18;

/// The rows that the parts of a card need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CardNeeds {
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
    /// Whether there is a note or an attachment. It precedes most optional parts.
    pub has_note: bool,
    /// Whether the note is being typed. It then precedes most of the list.
    pub typing_note: bool,
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
    pub shows_asker: bool,
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
    pub(super) fn new(needs: CardNeeds) -> Self {
        let mut left = needs.rows;
        let mut take = |wanted: usize| {
            let taken = wanted.min(left);
            left -= taken;
            taken
        };
        let mut plan = Self {
            list: take(needs.list_least.max(1)),
            prose: take(needs.prose.min(1)),
            hints: take(1),
            ..Self::default()
        };
        plan.note = take(usize::from(needs.typing_note));
        plan.message = take(usize::from(needs.message)) == 1;
        plan.shows_asker = take(1) == 1;
        plan.tabs = take(usize::from(needs.tabs)) == 1;
        if needs.typing_note {
            plan.note += take(needs.note.min(3).saturating_sub(plan.note));
        }
        for level in [
            needs.list_short.min(3),
            needs.list_short,
            needs.list_focused,
        ] {
            plan.list += take(level.saturating_sub(plan.list));
        }
        plan.note += take(usize::from(needs.has_note && plan.note == 0));
        let fair_share = needs.prose.min((needs.rows * 2 / 5).max(1));
        plan.prose += take(fair_share.min(3).saturating_sub(plan.prose));
        plan.preview = take(needs.preview.min(1));
        plan.bottom_rule = take(1) == 1;
        plan.gap = take(1) == 1;
        // The hints have to show every way to leave.
        if needs.rows >= HINTED {
            plan.hints += take(needs.hints.saturating_sub(plan.hints));
        }
        plan.preview += take(needs.preview.min(PREVIEW).saturating_sub(plan.preview));
        plan.list += take(needs.list_full.saturating_sub(plan.list));
        // Preview and context share the rows evenly.
        for _ in 0..needs.preview.max(fair_share) {
            plan.preview += take(usize::from(plan.preview < needs.preview));
            plan.prose += take(usize::from(plan.prose < fair_share));
        }
        plan.top_rule = take(1) == 1;
        plan.hints += take(needs.hints.saturating_sub(plan.hints));
        plan.note += take(needs.note.saturating_sub(plan.note));
        plan.heading = take(usize::from(needs.heading)) == 1;
        plan.preview += take(needs.preview.saturating_sub(plan.preview));
        plan.list += take(needs.list_fill.saturating_sub(plan.list));
        plan.prose += take(needs.prose.saturating_sub(plan.prose));
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_card_shows_its_essential_rows() {
        let needs = CardNeeds {
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
            has_note: false,
            typing_note: false,
            message: true,
            hints: 2,
            rows: 6,
        };
        let plan = Plan::new(needs);
        assert!(plan.shows_asker && plan.tabs && plan.message);
        assert_eq!((plan.prose, plan.list, plan.hints), (1, 1, 1));
        assert!(!plan.bottom_rule && !plan.top_rule);
    }
}
