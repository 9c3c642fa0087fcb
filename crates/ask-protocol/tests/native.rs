//! The native form is read as it was written, and answers in any form are read or refused.

use ask_core::testing::strategies;
use ask_core::{Draft, Gaps, Outcome, State};
use ask_protocol::{answers, json_text, native, to_json};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::Strategy;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_are_read_as_they_were_written(record in strategies::record()) {
        let written = json_text(&native::Record::from(&record));
        prop_assert_eq!(native::read_record(&written).expect("a record"), record);
    }

    #[test]
    fn settlements_and_drafts_are_read_as_they_were_written(
        (record, settlement, draft) in strategies::record().prop_flat_map(|record| {
            let settlement = strategies::settlement(&record.ask);
            let draft = strategies::draft(&record.ask);
            (proptest::prelude::Just(record), settlement, draft)
        }),
    ) {
        let written = json_text(&native::Settlement::from_settlement(&record, &settlement));
        prop_assert_eq!(native::read_settlement(&record.ask, &written).expect("a settlement"), settlement);
        let written = json_text(&native::Draft::from(&draft));
        prop_assert_eq!(native::read_draft(&written).expect("a draft"), draft);
    }

    #[test]
    fn answers_in_any_form_are_read_or_refused(
        (record, given) in (strategies::record(), strategies::json()),
    ) {
        if let Ok(draft) = answers::parse(&record.ask, &given) {
            prop_assert!(draft.answers.len() <= record.ask.questions.len());
        }
    }

    /// The native answers of a draft give the draft.
    #[test]
    fn native_answers_are_accepted_as_a_list(record in strategies::record()) {
        if let State::Closed { settlement, .. } = &record.state
            && let Outcome::Answered(answered) = &settlement.outcome
        {
            let value = to_json(&native::Outcome::from_record(&record, &settlement.outcome));
            let draft: Draft = answers::parse(&record.ask, &value).expect("native answers");
            prop_assert_eq!(draft.finish(&record.ask, Gaps::Send), Ok(answered.clone()));
        }
    }
}
