//! Names of files that were made safe.

use ask_core::attachment;
use ask_core::testing::strategies;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A safe name stays the same wherever it goes.
    #[test]
    fn safe_names_stay(name in strategies::text()) {
        let safe = attachment::safe_name(&name);
        prop_assert_eq!(attachment::safe_name(&safe), safe);
    }
}
