//! Filters a long list of choices by what the person types.

use ask_core::Input;
use ask_hub::surface::fuzzy::{contains, fold, score};

use crate::ui::text_field::Field;

/// The filter of one question's choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// The text to search for.
    pub field: Field,
    /// Whether the text is being typed.
    pub typing: bool,
    /// The indices of the matching choices, the best first.
    matches: Vec<usize>,
}

/// Added to the score of a match in the description, so that every match in a label precedes it.
const DESCRIPTION_SCORE: i32 = -10_000;
impl Filter {
    /// Whether the list is filtered or the filter is being typed.
    pub(crate) fn is_on(&self) -> bool {
        self.typing || !self.field.is_blank()
    }

    /// The indices of the shown choices, in their order. `offered` is the number of all.
    pub(crate) fn shown(&self, offered: usize) -> Vec<usize> {
        if self.field.is_blank() {
            return (0..offered).collect();
        }
        let fits = self.matches.iter().copied().filter(|&at| at < offered);
        fits.collect()
    }

    /// Searches again after the text has changed.
    pub(crate) fn update_matches(&mut self, input: &Input) {
        let wanted = fold(self.field.text().trim());
        let mut found: Vec<(i32, usize)> = (0..input.len())
            .filter_map(|at| {
                let label = input.label(at).unwrap_or_default();
                let about = input
                    .choices()
                    .get(at)
                    .and_then(|choice| choice.description.as_deref())
                    .unwrap_or_default();
                let in_label = score(&wanted, label);
                let score =
                    in_label.or_else(|| contains(&wanted, about).then_some(DESCRIPTION_SCORE));
                score.map(|score| (score, at))
            })
            .collect();
        found.sort_by_key(|&(score, at)| (-score, at));
        self.matches = found.into_iter().map(|(_, at)| at).collect();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use ask_core::Choice;

    use super::*;

    fn found(labels: &[&str], words: &str) -> Vec<usize> {
        let choices = labels.iter().map(|label| Choice::new(*label)).collect();
        let input = Input::One(choices);
        let mut filter = Filter::default();
        filter.field.insert(words);
        filter.update_matches(&input);
        filter.shown(input.len())
    }

    #[test]
    fn matches_at_word_starts_and_in_runs_come_first() {
        let labels = ["Express.js", "Next.js", "NestJS", "A nice jest"];
        assert_eq!(found(&labels, "njs"), [1, 2, 3]);
        assert_eq!(found(&labels, "NEST"), [2, 3]);
        assert_eq!(found(&labels, "js"), [0, 1, 3, 2]);
        assert_eq!(found(&["many mysteries", "mystery"], "my"), [1, 0]);
    }

    #[test]
    fn an_unmatched_text_shows_nothing_and_a_blank_one_all() {
        assert!(found(&["A", "B"], "z").is_empty());
        assert_eq!(found(&["A", "B"], "  "), [0, 1]);
    }

    #[test]
    fn matching_is_by_grapheme() {
        let labels = ["👩‍👩‍👧 family", "👩 alone", "データベース", "Größe"];
        assert_eq!(found(&labels, "👩"), [1]);
        assert_eq!(found(&labels, "ベース"), [2]);
        assert_eq!(found(&labels, "GRÖ"), [3]);
    }

    #[test]
    fn a_description_matches_after_all_labels() {
        let mut choices = vec![Choice::new("SQLite"), Choice::new("Document DB")];
        choices[0].description = Some("a document in a file".to_owned());
        let input = Input::One(choices);
        let mut filter = Filter::default();
        filter.field.insert("document");
        filter.update_matches(&input);
        assert_eq!(filter.shown(2), [1, 0]);
    }
}
