//! Properties of every form of MCP's elicitation: content that fits the form becomes a draft that
//! can be finished, and content that doesn't fit names its field.

use ask_core::testing::strategies;
use ask_core::{Gaps, Json, Unfinished};
use ask_dialects::elicit::{Edition, read, request};
use proptest::prelude::{Just, ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::{BoxedStrategy, Strategy};

/// What a conforming client may put into a field.
fn value(field: &Json) -> BoxedStrategy<Json> {
    let consts = |choices: &Json| -> Vec<Json> {
        let choices = choices.as_array().expect("a list of choices");
        choices
            .iter()
            .map(|choice| choice["const"].clone())
            .collect()
    };
    let text = field["type"].as_str().expect("a field has a type");
    match (text, field.get("oneOf"), field.get("enum")) {
        ("string", Some(choices), _) => proptest::sample::select(consts(choices)).boxed(),
        ("string", _, Some(choices)) => {
            proptest::sample::select(choices.as_array().expect("a list").clone()).boxed()
        }
        ("string", ..) => strategies::text().prop_map(Json::from).boxed(),
        ("boolean", ..) => any::<bool>().prop_map(Json::from).boxed(),
        ("array", ..) => {
            let choices = consts(&field["items"]["anyOf"]);
            let most = choices.len();
            proptest::sample::subsequence(choices, 0..=most)
                .prop_map(Json::from)
                .boxed()
        }
        (other, ..) => panic!("no form has a field of type {other}"),
    }
}

/// What a conforming client may send: every required field, and some of the others.
fn content(form: &Json) -> BoxedStrategy<Json> {
    let schema = &form["requestedSchema"];
    let required = schema.get("required").cloned().unwrap_or_default();
    let fields = schema["properties"].as_object().expect("fields").clone();
    let each: Vec<_> = fields
        .into_iter()
        .map(|(name, field)| {
            let must = required
                .as_array()
                .is_some_and(|names| names.contains(&Json::from(name.as_str())));
            (
                Just(name),
                value(&field),
                any::<bool>().prop_map(move |some| must || some),
            )
        })
        .collect();
    each.prop_map(|fields| {
        let sent = fields.into_iter().filter(|(_, _, sent)| *sent);
        Json::Object(sent.map(|(name, value, _)| (name, value)).collect())
    })
    .boxed()
}

fn editions() -> impl Strategy<Value = Edition> {
    proptest::sample::select(vec![Edition::Early, Edition::Titled])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn content_that_fits_the_form_can_be_finished((ask, edition, content) in (strategies::ask(), editions())
        .prop_flat_map(|(ask, edition)| {
            let form = request(&ask, None, edition, None);
            (Just(ask), Just(edition), content(&form))
        }))
    {
        let draft = read(&ask, edition, Some(&content)).expect("the content fits the form");
        let given = draft.given();
        match draft.finish(&ask, Gaps::Send) {
            Ok(_) => {}
            Err(why) => prop_assert!(why == Unfinished::Empty && given == 0, "{why}"),
        }
    }

    #[test]
    fn filled_in_picks_come_back((ask, draft, edition) in strategies::ask()
        .prop_flat_map(|ask| { let draft = strategies::draft(&ask); (Just(ask), draft, editions()) }))
    {
        let form = request(&ask, Some(&draft), edition, None);
        let fields = form["requestedSchema"]["properties"].as_object().expect("fields");
        let sent = fields.iter().filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())));
        let back = read(&ask, edition, Some(&Json::Object(sent.collect()))).expect("the content fits the form");
        for (at, question) in ask.questions.iter().enumerate() {
            let was = draft.answers[at].clone();
            let mut picks = was.picks;
            picks.sort_unstable();
            picks.dedup();
            prop_assert_eq!(&back.answers[at].picks, &picks, "{:?}", question);
        }
    }

    #[test]
    fn any_content_is_read_or_its_field_is_named(ask in strategies::ask(), content in strategies::json(), edition in editions()) {
        if let Err(problem) = read(&ask, edition, Some(&content)) {
            prop_assert!(!problem.path.is_empty());
        }
    }

    #[test]
    fn no_form_contains_unsafe_text(ask in strategies::ask(), edition in editions()) {
        let form = request(&ask, None, edition, None).to_string();
        prop_assert!(!form.contains("\\u001b") && !form.contains('\u{202e}'), "{}", form);
    }
}
