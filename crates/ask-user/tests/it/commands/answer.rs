//! `answer`, `decline` and `clarify`: every form of an answer, and every refusal.

use ask_core::Json;

use super::FixedHome;
use crate::support::hub::Hub;

const CALL: &str = r#"{"questions":[
    {"id":"db","question":"Which database?","header":"DB","options":["SQLite","PostgreSQL (Recommended)"]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth, all of it","Docs","Tests"]},
    {"id":"why","question":"Why?","required":false}]}"#;

/// Answers the call with these arguments; returns `values` and `customText` of each question.
fn answers(seed: u32, arguments: &[&str]) -> Json {
    let fixed = FixedHome::new();
    let id = fixed.ask_call(seed, CALL);
    let mut all = vec!["answer", &id, "--json"];
    all.extend(arguments);
    let record = fixed.json(&all);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["answeredBy"], "cli", "{record}");
    record["outcome"]["answers"].clone()
}

#[test]
fn questions_and_choices_are_addressed_by_id_label_or_number() {
    let ways: [&[&str]; 6] = [
        &["db=post", "parts=doc", "parts=T"],
        &[
            "--set",
            "db=PostgreSQL (Recommended)",
            "--set",
            "parts=Docs,Tests",
        ],
        &["--set", "DB=postgresql", "--set", "2=docs, tests"],
        &["--set", "1=2", "--set", "2=2,3"],
        &[
            "--set",
            "Which database?=2",
            "--set",
            "parts=3",
            "--set",
            "parts=2",
        ],
        &[
            "--answers",
            r#"["PostgreSQL (Recommended)",["Docs","Tests"],null]"#,
        ],
    ];
    for (seed, way) in (0..).zip(ways) {
        let said = answers(seed, way);
        assert_eq!(
            said[0]["values"][0], "PostgreSQL (Recommended)",
            "{way:?}: {said}"
        );
        assert_eq!(
            said[1]["values"].to_string(),
            r#"["Docs","Tests"]"#,
            "{way:?}: {said}"
        );
        assert_eq!(said[2]["status"], "skipped", "{way:?}: {said}");
    }
}

#[test]
fn labels_may_contain_commas_and_own_text_is_accepted() {
    let way = [
        "--set",
        "db=1",
        "--set",
        "parts=Auth, all of it",
        "--other",
        "parts=and more",
        "--set",
        "why=it's = fine",
    ];
    let said = answers(1, &way);
    assert_eq!(
        said[1]["values"].to_string(),
        r#"["Auth, all of it"]"#,
        "{said}"
    );
    assert_eq!(said[1]["customText"], "and more", "{said}");
    assert_eq!(said[2]["values"][0], "it's = fine", "{said}");
    let native = r#"{"answers":[{"questionId":"parts","values":["Docs"]},{"questionId":"db","values":[],"customText":"MySQL"}]}"#;
    let said = answers(2, &["--answers", native]);
    assert_eq!(said[0]["customText"], "MySQL", "{said}");
    assert_eq!(said[1]["values"][0], "Docs", "{said}");
}

#[test]
fn answers_come_on_standard_input_too() {
    let fixed = FixedHome::new();
    let id = fixed.ask_call(1, CALL);
    let file = fixed.sandbox.home().join("answers.json");
    std::fs::write(&file, r#"["SQLite",["Docs"],"because"]"#).expect("a writable home");
    let mut command = fixed.sandbox.command(crate::support::sandbox::BINARY);
    command
        .stdin(std::fs::File::open(&file).expect("a written file"))
        .args(["answer", &id, "--answers", "-"]);
    let output = crate::support::sandbox::run_to_end(command);
    assert!(output.status.success(), "{output:?}");
    let record = fixed.json(&["show", &id, "--json"]);
    let said = &record["outcome"]["answers"];
    assert_eq!(said[2]["values"][0], "because", "{record}");
}

#[test]
fn invalid_answers_are_refused_and_change_nothing() {
    let fixed = FixedHome::new();
    let id = fixed.ask_call(1, CALL);
    let refused = [
        (
            &["--set", "nope"][..],
            "doesn't say which question",
            "1 (DB), 2 (Which parts?), 3 (Why?)",
        ),
        (
            &["--set", "db=Oracle"],
            "\"Oracle\" is no choice of \"DB\"",
            "own words with --other",
        ),
        (&["--set", "db=3"], "\"3\" is no choice", "1 SQLite"),
        (&["--set", "db=1"], "question 2", "--partial"),
        (
            &["--set", "db=1,2", "--set", "parts=1"],
            "question 1 takes one choice only",
            "",
        ),
        (&["--answers", "[1"], "--answers", "JSON"),
        (&["--answers", "[1,2,3,4]"], "--answers", ""),
        (&[], "", "--set"),
    ];
    for (arguments, what, way_out) in refused {
        let mut all = vec!["answer", &id];
        all.extend(arguments);
        let said = fixed.stderr_of(2, &all);
        assert!(said.contains(what), "{arguments:?} says {what}: {said}");
        assert!(
            said.contains(way_out),
            "{arguments:?} says {way_out}: {said}"
        );
        assert_eq!(fixed.json(&["show", &id, "--json"])["state"], "waiting");
    }
    let said = fixed.stderr_of(2, &["clarify", &id, "  "]);
    assert!(said.contains("say what you want to know"), "{said}");
}

#[test]
fn the_confirmation_repeats_the_answers() {
    let fixed = FixedHome::new();
    let id = fixed.ask_call(1, CALL);
    let said = fixed.stdout_of(&["answer", &id, "db=2", "parts=docs,tests"]);
    assert_eq!(
        said,
        format!(
            "{id} answered; kept for ask-user, which stopped waiting.\n  \
             DB: PostgreSQL (Recommended)\n  Which parts?: Docs, Tests\n"
        )
    );
}

#[test]
fn an_answer_without_an_id_gets_a_hint() {
    let fixed = FixedHome::new();
    fixed.ask(1, &["Ready?", "--confirm"]);
    let said = fixed.stderr_of(1, &["answer", "yes"]);
    assert!(said.contains("`ask-user answer latest ANSWER`"), "{said}");
    let said = fixed.stderr_of(1, &["answer", "a_zzzz", "yes"]);
    assert!(!said.contains("the id comes first"), "{said}");
}

#[test]
fn unquoted_words_are_refused() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["What next?"]);
    for (arguments, command) in [
        (&["answer", "latest", "fix", "it"][..], "answer latest"),
        (
            &["answer", "latest", "--other", "fix", "--other", "it"],
            "answer latest --other",
        ),
    ] {
        let said = fixed.stderr_of(2, arguments);
        let wanted = format!(
            "ask-user: the answer is 2 arguments\n  put it in quotes: ask-user {command} \"fix it\"\n"
        );
        assert_eq!(said, wanted, "{arguments:?}");
        assert_eq!(fixed.json(&["show", &id, "--json"])["state"], "waiting");
    }
    let several = fixed.ask_call(2, CALL);
    let said = fixed.stderr_of(2, &["answer", &several, "db=1", "why=so", "why=far"]);
    assert!(
        said.contains("the answer to \"Why?\" is 2 arguments"),
        "{said}"
    );
    assert!(
        said.contains(&format!("ask-user answer {several} \"3=so far\"")),
        "{said}"
    );
    fixed.stdout_of(&["answer", &id, "fix it"]);
    let record = fixed.json(&["show", &id, "--json"]);
    assert_eq!(
        record["outcome"]["answers"][0]["values"][0], "fix it",
        "{record}"
    );
}

#[test]
fn an_ambiguous_prefix_lists_the_matching_choices() {
    let fixed = FixedHome::new();
    fixed.ask(1, &["DB?", "--options", "SQLite,SQL Server,PostgreSQL"]);
    let said = fixed.stderr_of(2, &["answer", "latest", "SQL"]);
    assert!(
        said.contains("\"SQL\" fits 2 choices of \"DB?\": 1 SQLite, 2 SQL Server"),
        "{said}"
    );
    assert!(said.contains("more of its label"), "{said}");
    let said = fixed.stderr_of(2, &["answer", "latest"]);
    assert!(
        said.contains("give an answer with `ask-user answer latest ANSWER`, --set or --other"),
        "{said}"
    );
    fixed.stdout_of(&["answer", "latest", "SQL S"]);
}

#[test]
fn without_an_open_ask_there_is_no_latest_to_close() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Once?"]);
    fixed.stdout_of(&["decline", "latest"]);
    for arguments in [
        &["answer", "latest", "A"][..],
        &["decline", "latest"],
        &["clarify", "latest", "why?"],
    ] {
        let said = fixed.stderr_of(1, arguments);
        assert!(said.contains("no ask waits for an answer"), "{said}");
        assert!(!said.contains(&id), "{said}");
    }
}

#[test]
fn ids_may_be_shortened_or_latest() {
    let fixed = FixedHome::new();
    let first = fixed.ask(1, &["First?"]);
    let second = fixed.ask(2, &["Second?"]);
    assert_ne!(first, second);
    let show = |id: &str| fixed.stdout_of(&["show", id, "--summary"]);
    for id in ["latest", &second, &second[..8], &second[2..8]] {
        assert!(show(id).contains("Second?"), "{id}");
    }
    assert!(show(&first[..8]).contains("First?"));
    fixed.stdout_of(&["answer", "latest", "done"]);
    assert!(show("latest").contains("First?"), "the newest that waits");
    fixed.stdout_of(&["answer", "latest", "done"]);
    assert!(show("latest").contains("Second?"), "none waits");
    for (id, words) in [
        ("a_", "at least 4 characters"),
        ("a_zzzzzz", "no ask has the id"),
        ("'; drop", "no ask has the id"),
    ] {
        for arguments in [
            &["show", id][..],
            &["answer", id, "--set", "1"],
            &["wait", id],
        ] {
            let said = fixed.stderr_of(1, arguments);
            assert!(said.contains(words), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn several_asks_with_the_same_beginning_are_listed() {
    let fixed = FixedHome::new();
    let first = fixed.ask(1, &["First?"]);
    let record = fixed.json(&["show", &first, "--json"]).to_string();
    let last = if first.ends_with('0') { 1 } else { 0 };
    let twin = format!("{}{last}", &first[..first.len() - 1]);
    let record = record.replace(&first, &twin);
    let record = ask_protocol::native::read_record(&record);
    let record = Box::new(record.expect("a record"));
    let mut hub = Hub::connect(&fixed.sandbox);
    hub.call(&ask_protocol::ipc::Request::Open {
        record,
        wait: false,
        take_up: false.into(),
    });
    let said = fixed.stderr_of(1, &["show", &first[..8]]);
    assert!(said.contains(&first) && said.contains(&twin), "{said}");
    assert!(
        fixed
            .stdout_of(&["show", &first, "--summary"])
            .contains("First?")
    );
}

#[test]
fn the_second_answer_is_refused_with_the_first_surface() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Once?"]);
    let first = fixed.run_with_seed(9, &["decline", &id, "--reason", "no"]);
    assert_eq!(first.code, 0, "{}", first.err);
    for arguments in [
        &["answer", &id, "--set", "yes"][..],
        &["decline", &id],
        &["clarify", &id, "what?"],
    ] {
        let said = fixed.stderr_of(5, arguments);
        assert!(
            said.contains("was closed before: declined on cli"),
            "{said}"
        );
        assert!(said.contains("nothing of yours was sent"), "{said}");
    }
}

#[test]
fn what_fits_several_questions_or_choices_is_refused() {
    let fixed = FixedHome::new();
    let call = r#"{"questions":[
        {"id":"2","question":"May I push?","type":"confirm"},
        {"id":"1","question":"How many?","options":["2","4","1,2"],"multiSelect":true}]}"#;
    let id = fixed.ask_call(1, call);
    for (arguments, problem) in [
        (["1=Yes", "2=4"], "\"1\" fits several questions"),
        (["#1=Yes", "#2=2"], "\"2\" fits several choices"),
    ] {
        let said = fixed.stderr_of(2, &[&["answer", &id][..], &arguments].concat());
        assert!(said.contains(problem), "{said}");
        assert!(said.contains("write one of #"), "{said}");
        assert_eq!(fixed.json(&["show", &id, "--json"])["state"], "waiting");
    }
    let record = fixed.json(&["answer", &id, "#1=Yes", "#2=#1,#3", "--json"]);
    let answers = &record["outcome"]["answers"];
    assert_eq!(answers[0]["values"][0], "yes", "{record}");
    assert_eq!(answers[1]["values"][0], "2", "{record}");
    assert_eq!(answers[1]["values"][1], "1,2", "{record}");
}

#[test]
fn an_id_that_nobody_sees_does_not_beat_a_label() {
    let fixed = FixedHome::new();
    let call = r#"{"questions":[
        {"id":"a","question":"One?","header":"Deploy"},
        {"id":"deploy","question":"Two?","header":"Tests"}]}"#;
    let id = fixed.ask_call(1, call);
    let said = fixed.stderr_of(2, &["answer", &id, "deploy=no", "--partial"]);
    assert!(said.contains("#1 (Deploy), #2 (Tests)"), "{said}");
}

#[test]
fn a_label_that_reads_like_several_choices_is_refused() {
    let fixed = FixedHome::new();
    let call = r##"{"question":"Which?","options":["a","b","a,b","#1"],"multiSelect":true}"##;
    let id = fixed.ask_call(1, call);
    let said = fixed.stderr_of(2, &["answer", &id, "a,b"]);
    assert!(
        said.contains("one choice, and also the list of several"),
        "{said}"
    );
    let record = fixed.json(&["answer", &id, "#3,#1", "--json"]);
    let values = &record["outcome"]["answers"][0]["values"];
    assert_eq!(
        (&values[0], &values[1]),
        (&Json::from("a"), &Json::from("a,b")),
        "{record}"
    );
}

#[test]
fn the_text_of_the_only_question_may_contain_an_equals_sign() {
    let fixed = FixedHome::new();
    let call = r#"{"id":"DEBUG","question":"Which setting?","header":"config"}"#;
    for (seed, text) in [
        (1, "DEBUG=1"),
        (2, "config=/etc/app.toml"),
        (3, "1=one, 2=two"),
    ] {
        let id = fixed.ask_call(seed, call);
        let said = fixed.stderr_of(2, &["answer", &id, text]);
        assert!(said.contains("may be the answer"), "{said}");
        let record = fixed.json(&["answer", &id, &format!("#1={text}"), "--json"]);
        let values = &record["outcome"]["answers"][0]["values"];
        assert_eq!(values[0], text, "{record}");
    }
    let id = fixed.ask_call(4, call);
    let record = fixed.json(&["answer", &id, "PORT=80", "--json"]);
    assert_eq!(
        record["outcome"]["answers"][0]["values"][0], "PORT=80",
        "{record}"
    );
}

#[test]
fn a_choice_may_contain_an_equals_sign() {
    let fixed = FixedHome::new();
    let call = r#"{"id":"DEBUG","question":"Which level?","header":"DEBUG","options":[{"label":"DEBUG=0"},{"label":"DEBUG=1"}]}"#;
    let id = fixed.ask_call(1, call);
    for arguments in [vec!["DEBUG=1"], vec!["--set", "DEBUG=1"]] {
        let said = fixed.stderr_of(
            2,
            &[&["answer", id.as_str()], arguments.as_slice()].concat(),
        );
        assert!(said.contains("may be the answer"), "{said}");
    }
    let record = fixed.json(&["answer", &id, "#1=DEBUG=1", "--json"]);
    assert_eq!(
        record["outcome"]["answers"][0]["values"][0], "DEBUG=1",
        "{record}"
    );
}
