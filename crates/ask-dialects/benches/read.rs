//! Measures how long it takes to read a call in each dialect: a usual call, and the largest one
//! that is accepted.

use ask_core::Json;
use ask_dialects::Setting;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const CALLS: [(&str, &str, &str); 9] = [
    (
        "native",
        "ask_user",
        r#"{"title":"Set-up","context":"The store holds one table.","questions":[
            {"id":"db","question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs","Tests"]}]}"#,
    ),
    (
        "codenomad",
        "ask_user",
        r#"{"title":"Set-up","questions":[
            {"id":"db","question":"Which database?","type":"select","options":["SQLite","PostgreSQL"]},
            {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs","Tests"]}]}"#,
    ),
    (
        "auq",
        "ask_user_questions",
        r#"{"questions":[
            {"prompt":"Which database?","title":"Database","multiSelect":false,"options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"prompt":"Which parts?","title":"Parts","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}]}"#,
    ),
    (
        "claude",
        "AskUserQuestion",
        r#"{"questions":[
            {"question":"Which database?","header":"Database","multiSelect":false,"options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","header":"Parts","multiSelect":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"}]}]}"#,
    ),
    (
        "pi",
        "ask_user",
        r#"{"questions":[
            {"question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}],
            "metadata":{"source":"project-setup"}}"#,
    ),
    (
        "gemini",
        "ask_user",
        r#"{"questions":[
            {"question":"Which database?","header":"Database","type":"choice","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"What is it called?","header":"Name","type":"text","placeholder":"shop"}]}"#,
    ),
    (
        "codex",
        "request_user_input",
        r#"{"questions":[
            {"id":"db","header":"Database","question":"Which database?","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]}]}"#,
    ),
    (
        "opencode",
        "question",
        r#"{"questions":[
            {"question":"Which database?","header":"Database","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","header":"Parts","multiple":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"}]}]}"#,
    ),
    (
        "roo",
        "ask_followup_question",
        r#"{"question":"Which database?","follow_up":[{"text":"SQLite","mode":null},{"text":"PostgreSQL","mode":"code"}]}"#,
    ),
];

/// The largest call that is accepted, in bytes.
const LARGEST: usize = 256 * 1024;

/// A call of that size: one question with as many choices as fit.
fn largest() -> String {
    let choice = r#"{"label":"A choice with \u001b[31m colours and 漢字 in it","description":"and some words"}"#;
    let choices = vec![choice; LARGEST / (choice.len() + 1) - 2].join(",");
    format!(r#"{{"questions":[{{"question":"Which?","header":"Which","options":[{choices}]}}]}}"#)
}

fn reading(criterion: &mut Criterion) {
    let largest = largest();
    for (dialect, tool, usual) in CALLS {
        let reader = ask_dialects::find(dialect).expect("a dialect of the table");
        let mut group = criterion.benchmark_group(dialect);
        for (name, call) in [("usual", usual), ("largest", largest.as_str())] {
            group.throughput(Throughput::Bytes(call.len() as u64));
            let parsed: Json = call.parse().expect("the call is JSON");
            let setting = Setting::default();
            group.bench_function(name, |bencher| {
                // The result is dropped outside of the measured time.
                bencher.iter_batched(
                    || (),
                    |()| reader.read(tool, &parsed, &setting),
                    BatchSize::SmallInput,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
