//! The pending file of print mode, and answers that are written down in any of their forms.

use ask_core::{Answer, Ask, AskId, Asker, Draft, Json, Time, json, lifecycle};
use ask_dialects::{Call, Dialect, Setting, pi};

const CALL: &str = r#"{"questions":[
    {"question":"Which database should we use?","header":"Database Selection","options":[
        {"label":"PostgreSQL (Recommended)","description":"Battle-tested relational DB"},
        {"label":"SQLite","description":"Lightweight, file-based"},
        {"label":"MongoDB","description":"Document store"}]},
    {"question":"What should we name this service?","header":"Service Setup"}]}"#;

const MANY: &str =
    r#"{"questions":[{"question":"Which features?","options":["A","B","C"],"multiSelect":true}]}"#;

fn ask(call: &str) -> Ask {
    let call = json::parse(call).expect("JSON");
    match pi::Pi.read("ask_user", &call, &Setting::default()) {
        Ok(Call::Ask { ask, .. }) => *ask,
        other => panic!("{other:?}"),
    }
}

fn list(call: &str, answers: &str) -> Result<Vec<Answer>, String> {
    let answers = json::parse(answers).expect("JSON");
    match ask_protocol::answers::parse(&ask(call), &answers) {
        Ok(Draft { answers, .. }) => Ok(answers),
        Err(problem) => Err(problem.to_string()),
    }
}

#[test]
fn the_file_has_the_specified_form() {
    let id = AskId::parse("abc123").expect("an id");
    let at = Time::parse("2026-02-04T22:16:32Z").expect("a time");
    let record = lifecycle::open(id, "pi", ask(CALL), Asker::default(), at);
    let printed = r#"{
  "sessionId": "abc123",
  "timestamp": "2026-02-04T22:16:32Z",
  "questions": [
    {
      "question": "Which database should we use?",
      "options": [
        "PostgreSQL (Recommended)",
        "SQLite",
        "MongoDB"
      ],
      "answer": null
    },
    {
      "question": "What should we name this service?",
      "answer": null
    }
  ]
}
"#;
    assert_eq!(pi::write_pending(&record, at), printed);
    assert_eq!(pi::read_pending(&record.ask, printed), Ok(None));
}

#[test]
fn the_file_is_a_call_for_the_same_ask() {
    let record = lifecycle::open(
        AskId::native([1; 16]),
        "pi",
        ask(MANY),
        Asker::default(),
        Time(0),
    );
    let file = pi::write_pending(&record, Time(0));
    assert_eq!(ask(&file).questions, record.ask.questions);
}

#[test]
fn an_edited_file_answers() {
    let edited = r#"{"questions":[
        {"question":"Service name?","answer":null},
        {"question":"Database?","answer":"PostgreSQL (Recommended)"},
        {"question":"What name?","answer":"order-processor"}]}"#;
    let draft = pi::read_pending(&ask(CALL), edited)
        .expect("readable")
        .expect("answered");
    assert_eq!(
        draft.answers,
        [Answer::picking([0]), Answer::saying("order-processor")]
    );
    let half = r#"{"questions":[{"answer":null},{"answer":"order-processor"}]}"#;
    let draft = pi::read_pending(&ask(CALL), half)
        .expect("readable")
        .expect("answered");
    assert_eq!(
        draft.answers,
        [Answer::default(), Answer::saying("order-processor")]
    );
}

#[test]
fn an_answer_belongs_to_the_question_above_it() {
    let ask = ask(CALL);
    let alone = r#"[{"question":"What should we name this service?","answer":"orders"}]"#;
    let draft = pi::read_pending(&ask, alone).expect("readable");
    let answers = draft.expect("answered").answers;
    assert_eq!(answers, [Answer::default(), Answer::saying("orders")]);
    let problem = |entry: &str| {
        let read = pi::read_pending(&ask, &format!("[{entry}]"));
        read.expect_err("another question").to_string()
    };
    insta::assert_snapshot!(problem(r#"{"question":"Run the tests?","answer":"SQLite"}"#), @"questions[0].question: is not a question that was asked: restore it, or remove this line");
    insta::assert_snapshot!(problem(r#"{"options":["SQLite","MongoDB"],"answer":1}"#), @"questions[0].options: are not those that were offered: restore them, or remove this line");
    insta::assert_snapshot!(problem(r#"{"question":7,"answer":"SQLite"}"#), @"questions[0].question: is not a question that was asked: restore it, or remove this line");
    insta::assert_snapshot!(problem(r#"{"options":[{"label":"Keep"},"PostgreSQL (Recommended)","SQLite","MongoDB"],"answer":1}"#), @"questions[0].options: are not those that were offered: restore them, or remove this line");
    let name = r#"{"question":"What should we name this service?","answer":"a"}"#;
    insta::assert_snapshot!(problem(&format!("{name},{name}")), @"questions[1].question: is answered twice: remove one of the two");
    let twice =
        crate::ask(r#"{"questions":[{"question":"Which one?"},{"question":"Which one?"}]}"#);
    let second =
        r#"[{"question":"Which one?","answer":null},{"question":"Which one?","answer":"b"}]"#;
    let draft = pi::read_pending(&twice, second).expect("readable");
    let answers = draft.expect("answered").answers;
    assert_eq!(answers, [Answer::default(), Answer::saying("b")]);
    let blank = r#"[{"question":"Run the tests?","answer":" "}]"#;
    assert_eq!(pi::read_pending(&ask, blank), Ok(None));
}

#[test]
fn a_broken_file_says_where() {
    let problem = |text: &str| {
        pi::read_pending(&ask(CALL), text)
            .expect_err("broken")
            .to_string()
    };
    insta::assert_snapshot!(problem("{\n  \"questions\": [,]\n}"), @"not valid JSON (line 2, column 17): expected value");
    insta::assert_snapshot!(problem("{\"questions\":7}"), @"questions: must be an array of the questions, each with its answer");
    insta::assert_snapshot!(problem(r#"[{"answer":"a"},{"answer":"b"},{"answer":"c"}]"#), @"questions[2]: is one answer more than there are questions");
    insta::assert_snapshot!(problem(r#"[{"answer":["SQLite","MongoDB"]}]"#), @"questions[0]: takes one choice only");
}

#[test]
fn the_instructions_are_the_specified_ones() {
    let printed = "Questions pending. User input required.\n\nTo answer, re-run with:\n  \
        pi -p @.pi/pending-questions.json \"your answers\"\n\nOr edit the JSON file and run:\n  \
        pi -c\n\nQuestions saved to: .pi/pending-questions.json";
    assert_eq!(
        pi::pending_instructions(".pi/pending-questions.json"),
        printed
    );
    let reply = pi::pending_reply(".pi/pending-questions.json");
    assert_eq!(
        reply.text,
        r#"{"answered":false,"answers":[],"pendingFile":".pi/pending-questions.json"}"#
    );
    assert_eq!(
        pi::lost_reply().text,
        r#"{"answered":false,"answers":[],"connectionLost":true}"#
    );
}

#[test]
fn a_list_answers_the_questions_in_their_order() {
    let printed = list(CALL, r#"["PostgreSQL (Recommended)", "order-processor"]"#);
    assert_eq!(
        printed,
        Ok(vec![
            Answer::picking([0]),
            Answer::saying("order-processor")
        ])
    );
    for (answer, picks) in [
        ("\"PostgreSQL\"", Some(0)),
        ("\"postgresql\"", Some(0)),
        ("\" SQLite \"", Some(1)),
        ("2", Some(1)),
        ("\"3\"", None),
        ("\" +2 \"", None),
        ("[\"SQLite\"]", Some(1)),
        ("\"DynamoDB\"", None),
    ] {
        let answers = list(CALL, &format!("[{answer}]")).expect("readable");
        assert_eq!(
            answers[0].picks,
            picks.into_iter().collect::<Vec<_>>(),
            "{answer}"
        );
        assert_eq!(answers[0].own.is_some(), picks.is_none(), "{answer}");
        assert_eq!(answers[1], Answer::default());
    }
    assert_eq!(
        list(CALL, "[null, 8080]"),
        Ok(vec![Answer::default(), Answer::saying("8080")])
    );
    assert_eq!(list(CALL, "[]"), Ok(vec![Answer::default(); 2]));
}

#[test]
fn several_picks_are_a_list() {
    let mixed = Answer {
        own: Some("D, E".to_owned()),
        ..Answer::picking([2, 0])
    };
    assert_eq!(list(MANY, r#"[["C","D",1,"C","E"]]"#), Ok(vec![mixed]));
    assert_eq!(list(MANY, r#"["B"]"#), Ok(vec![Answer::picking([1])]));
    let own = Answer {
        own: Some("1".to_owned()),
        ..Answer::picking([1])
    };
    assert_eq!(list(MANY, r#"[["1",2]]"#), Ok(vec![own]));
    assert_eq!(
        list(MANY, "[[]]"),
        Ok(vec![Answer {
            none: true,
            ..Answer::default()
        }])
    );
}

#[test]
fn answers_as_clients_send_them() {
    let own = r#"[{"question":"Which database should we use?","answer":"2","wasCustom":true},
        {"answer":"x","wasCustom":true,"note":"for now"}]"#;
    let noted = Answer {
        note: Some("for now".to_owned()),
        ..Answer::saying("x")
    };
    assert_eq!(list(CALL, own), Ok(vec![Answer::saying("2"), noted]));
    let both = r#"[{"answer":"in WAL mode","selectedOption":"SQLite","wasCustom":true}]"#;
    let picked = Answer {
        own: Some("in WAL mode".to_owned()),
        ..Answer::picking([1])
    };
    assert_eq!(
        list(CALL, both).map(|answers| answers[0].clone()),
        Ok(picked)
    );
    let native = r#"{"answers":[{"questionId":"q2","values":["x"]},{"questionId":"q1","values":["SQLite"]}]}"#;
    assert_eq!(
        list(CALL, native),
        Ok(vec![Answer::picking([1]), Answer::saying("x")])
    );
    let listed = r#"[{"questionId":"q2","values":["x"]}]"#;
    assert_eq!(
        list(CALL, listed),
        Ok(vec![Answer::default(), Answer::saying("x")])
    );
}

#[test]
fn other_values_than_lists_are_refused() {
    for (answers, problem) in [
        (
            "7",
            "answers: must be an array in the order of the questions, not a number",
        ),
        ("{}", "answers: must be an array"),
        (r#"["a","b","c"]"#, "answers: has 3 answers for 2 questions"),
        (
            r#"[[{}]]"#,
            "answers[0][0]: must be a string, not an object",
        ),
        (
            r#"[["SQLite","MongoDB"]]"#,
            "answers[0]: takes one choice only",
        ),
        (
            r#"[{"questionId":"q9","values":[]}]"#,
            "answers[0].questionId: \"q9\" is no question of this ask; there are q1, q2",
        ),
        (
            r#"[{"questionId":9,"values":[]}]"#,
            "answers[0].questionId: must be a string",
        ),
        (
            r#"[{"values":[]},{"values":[]},{"values":[]}]"#,
            "answers[2]: is one too many: 2 were asked for",
        ),
    ] {
        assert_eq!(list(CALL, answers), Err(problem.to_owned()));
    }
}

#[test]
fn half_surrogates_are_replaced_where_they_are_escapes() {
    for (text, mended) in [
        (r#"["\ud83d"]"#, r#"["\ufffd"]"#),
        (r#"["\uDE00x"]"#, r#"["\ufffdx"]"#),
        (r#"["\ud83d\ude00"]"#, r#"["\ud83d\ude00"]"#),
        (r#"["\ud83d\ud83d\ude00"]"#, r#"["\ufffd\ud83d\ude00"]"#),
        (r#"["\\ud83d"]"#, r#"["\\ud83d"]"#),
        (r#"["\\\ud83d"]"#, r#"["\\\ufffd"]"#),
        (r#"["\"\ud83d"]"#, r#"["\"\ufffd"]"#),
        (r#"{"\udfff":"é\ud800é"}"#, r#"{"\ufffd":"é\ufffdé"}"#),
        (r#"["\ud8"]"#, r#"["\ud8"]"#),
        (r#"["\"#, r#"["\"#),
    ] {
        assert_eq!(json::mend_surrogates(text), mended);
    }
    assert_eq!(json::parse(r#""\ud83d!""#), Ok(Json::from("\u{fffd}!")));
}

#[test]
fn too_large_and_too_deep_are_refused_with_their_limits() {
    let large = format!("\"{}\"", "x".repeat(json::MAX_CALL_BYTES));
    let problem = json::parse(&large).expect_err("too large").to_string();
    insta::assert_snapshot!(problem, @"the call has 262146 bytes, at most 262144 are read: shorten the texts or ask in several calls");
    let deep = "[".repeat(1_000);
    let problem = json::parse(&deep).expect_err("too deep").to_string();
    insta::assert_snapshot!(problem, @"not valid JSON (line 1, column 128): at most 127 levels of nesting are read");
}
