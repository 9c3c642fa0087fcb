//! Asks as forms of MCP's elicitation: what they look like, and that whatever fits
//! a form comes back as a draft that can be finished.

mod strategies;

use ask_core::dialect::elicit::{Edition, read, request};
use ask_core::dialect::{Call, Dialect, Json, Setting, json, native};
use ask_core::{Answer, Ask, Draft, Gaps, Unfinished};
use proptest::prelude::{Just, ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::{BoxedStrategy, Strategy};

const CALL: &str = r#"{"title":"Set-up","context":"We **start** a service.","questions":[
    {"id":"db","question":"Which database should we use?","header":"Database","options":[
        {"label":"PostgreSQL (Recommended)","description":"Battle-tested"},{"label":"SQLite"}]},
    {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs","Tests"],"required":false},
    {"id":"go","question":"Shall I start?","type":"confirm"},
    {"id":"name","question":"What is it called?","header":"Name","placeholder":"orders","default":"billing"}]}"#;

fn ask(call: &str) -> Ask {
    let call = json::parse(call).expect("JSON");
    match native::Native.read("ask_user", &call, &Setting::default()) {
        Ok(Call::Ask { ask, .. }) => *ask,
        other => panic!("{other:?}"),
    }
}

fn shown(form: &Json) -> String {
    format!("{form:#}")
}

#[test]
fn titled_form() {
    insta::assert_snapshot!(shown(&request(&ask(CALL), None, Edition::Titled, None)));
}

#[test]
fn early_form() {
    insta::assert_snapshot!(shown(&request(&ask(CALL), None, Edition::Early, None)));
}

#[test]
fn form_again_with_what_was_filled_in() {
    let ask = ask(CALL);
    let draft = Draft {
        answers: vec![
            Answer::picking([1]),
            Answer {
                own: Some("and a page".into()),
                ..Answer::picking([0, 2])
            },
        ],
        note: None,
    };
    let notice = "Not sent yet: required and not answered: question 3.";
    let form = request(&ask, Some(&draft), Edition::Titled, Some(notice));
    insta::assert_snapshot!(shown(&form));
}

#[test]
fn one_question_is_said_once_and_what_does_not_fit_is_said_to_be_elsewhere() {
    let ask = ask(
        r#"{"question":"Which \u001b[31mlayout\u202e?","options":[{"label":"A","preview":"| a |"},"B"]}"#,
    );
    insta::assert_snapshot!(shown(&request(&ask, None, Edition::Titled, None)));
}

#[test]
fn ids_that_cannot_be_names_are_numbered() {
    let ask = ask(r#"{"questions":[{"id":"a b","question":"A?"},{"id":"c","question":"C?"}]}"#);
    let form = request(&ask, None, Edition::Titled, None);
    let fields = form["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("an object").keys().collect();
    assert_eq!(names, ["q1", "q2"]);
}

fn draft(edition: Edition, content: &str) -> Result<Vec<Answer>, String> {
    let content = json::parse(content).expect("JSON");
    match read(&ask(CALL), edition, Some(&content)) {
        Ok(draft) => Ok(draft.answers),
        Err(problem) => Err(problem.to_string()),
    }
}

#[test]
fn content_becomes_a_draft() {
    let content = r#"{"db":"SQLite","parts":["Tests","Auth"],"parts_own_words":"a page","go":"Yes","name":"x","more":1}"#;
    let parts = Answer {
        own: Some("a page".into()),
        ..Answer::picking([0, 2])
    };
    let expected = vec![
        Answer::picking([1]),
        parts.clone(),
        Answer::picking([0]),
        Answer::saying("x"),
    ];
    assert_eq!(draft(Edition::Titled, content), Ok(expected.clone()));
    let content = r#"{"db":"SQLite","parts_1":true,"parts_2":false,"parts_3":true,"parts_own_words":"a page","go":"Yes","name":"x"}"#;
    assert_eq!(draft(Edition::Early, content), Ok(expected));
    let nothing = r#"{"db":"","parts":[],"db_own_words":" ","name":""}"#;
    assert_eq!(
        draft(Edition::Titled, nothing),
        Ok(vec![Answer::default(); 4])
    );
    assert_eq!(
        read(&ask(CALL), Edition::Titled, None).map(|draft| draft.given()),
        Ok(0)
    );
}

#[test]
fn what_does_not_fit_is_named() {
    let said = |content| draft(Edition::Titled, content).unwrap_err();
    assert_eq!(said("[]"), "content: must be an object, not an array");
    assert_eq!(
        said(r#"{"db":"Oracle"}"#),
        "db: there is no choice \"Oracle\""
    );
    assert_eq!(
        said(r#"{"db":3}"#),
        "db: must name a choice, not be a number"
    );
    assert_eq!(
        said(r#"{"parts":["Auth","No"]}"#),
        "parts: there is no choice \"No\""
    );
    assert_eq!(
        said(r#"{"name":{}}"#),
        "name: must be a string, not an object"
    );
    let early = draft(Edition::Early, r#"{"parts_2":"on"}"#).unwrap_err();
    assert_eq!(early, "parts_2: must be a boolean, not a string");
}

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
    fn what_fits_the_form_can_be_finished((ask, edition, content) in (strategies::ask(), editions())
        .prop_flat_map(|(ask, edition)| {
            let form = request(&ask, None, edition, None);
            (Just(ask), Just(edition), content(&form))
        }))
    {
        let draft = read(&ask, edition, Some(&content)).expect("it fits the form");
        let given = draft.given();
        match draft.finish(&ask, Gaps::Send) {
            Ok(_) => {}
            Err(why) => prop_assert!(why == Unfinished::Empty && given == 0, "{why}"),
        }
    }

    #[test]
    fn what_is_filled_in_comes_back((ask, draft, edition) in strategies::ask()
        .prop_flat_map(|ask| { let draft = strategies::draft(&ask); (Just(ask), draft, editions()) }))
    {
        let form = request(&ask, Some(&draft), edition, None);
        let fields = form["requestedSchema"]["properties"].as_object().expect("fields");
        let sent = fields.iter().filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())));
        let back = read(&ask, edition, Some(&Json::Object(sent.collect()))).expect("it fits the form");
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
    fn no_form_carries_what_is_unsafe_to_show(ask in strategies::ask(), edition in editions()) {
        let form = request(&ask, None, edition, None).to_string();
        prop_assert!(!form.contains("\\u001b") && !form.contains('\u{202e}'), "{}", form);
    }
}
