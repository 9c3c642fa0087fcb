//! Strategies for hostile asks, answers and calls.

use crate::attachment::safe_name;
use crate::record::{EarlierAnswer, InClient, Saved, Shown, Snooze, TakenBack};
use crate::{
    Answer, Ask, AskId, Asker, Attachment, Caller, Choice, Digest, Draft, Gaps, Input, Json, Media,
    Origin, Outcome, Process, Question, Record, Settlement, State, Time,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

/// A text as agents and people write it, or a hostile one.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zA-Z ,?]{0,20}",
        1 => any::<String>(),
        1 => select(vec![
            "", " ", "\n", "Other", "yes", "null", "'", "\"", "\\ud83d", "\u{202e}x", "\u{1b}[31m",
            "[{\"label\":\"a\"}]", "{\"question\":\"q\"}", "{", "A", "A (2)", "\u{200b}", "→ A",
        ]).prop_map(String::from),
    ]
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let choice = (text(), option::of(text()), option::of(text()));
    vec(choice, 1..6).prop_map(|choices| {
        let numbered = choices.into_iter().enumerate();
        let choice = |(at, (label, description, preview))| Choice {
            label: format!("{label}{at}"),
            description,
            preview,
        };
        numbered.map(choice).collect()
    })
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(Input::Text),
        Just(Input::Confirm),
        choices().prop_map(Input::One),
        choices().prop_map(Input::Many),
    ]
}

fn question() -> impl Strategy<Value = Question> {
    let words = (
        text(),
        text(),
        option::of(text()),
        option::of(text()),
        option::of(text()),
    );
    (words, input(), any::<bool>()).prop_map(
        |((id, text, label, placeholder, default), input, required)| Question {
            id,
            text,
            label,
            input,
            required,
            placeholder,
            default,
        },
    )
}

/// An ask of some questions.
pub fn ask() -> impl Strategy<Value = Ask> {
    let questions = vec(question(), 1..5).prop_map(|mut questions| {
        for (at, question) in questions.iter_mut().enumerate() {
            question.id = format!("{}{at}", question.id);
        }
        questions
    });
    let metadata = json().prop_filter("null is no metadata", |value| !value.is_null());
    let metadata = option::of(metadata.prop_map(|value| value.to_string()));
    (
        option::of(text()),
        option::of(text()),
        questions,
        option::of(any::<u64>()),
        metadata,
    )
        .prop_map(|(title, context, questions, limit_ms, metadata)| Ask {
            title,
            context,
            questions,
            limit_ms,
            metadata,
        })
}

/// A form of an ask, valid or not.
pub fn draft(ask: &Ask) -> impl Strategy<Value = Draft> + use<> {
    let answers: Vec<_> = ask
        .questions
        .iter()
        .map(|question| answer(&question.input))
        .collect();
    (answers, option::of(text())).prop_map(|(answers, note)| Draft { answers, note })
}

fn answer(input: &Input) -> impl Strategy<Value = Answer> + use<> {
    let many = input.is_many();
    let most = if many { input.len() } else { 1 };
    let offered = input.len().max(1);
    let some = !input.is_empty();
    let picks =
        vec(0..offered, 0..=most).prop_map(move |picks| if some { picks } else { Vec::new() });
    let files = vec(attachment(), 0..3);
    (
        picks,
        option::of(text()),
        option::of(text()),
        any::<bool>(),
        files,
    )
        .prop_map(move |(picks, own, note, none, attachments)| Answer {
            none: none && (picks.is_empty() || !many),
            picks,
            own,
            note,
            attachments,
        })
}

fn attachment() -> impl Strategy<Value = Attachment> {
    let media = select(vec![Media::Png, Media::Webp, Media::Text, Media::Other]);
    let pixels = option::of((any::<u32>(), any::<u32>()));
    (
        text(),
        media,
        any::<u64>(),
        pixels,
        any::<[u8; 32]>(),
        option::of(text()),
    )
        .prop_map(|(name, media, bytes, pixels, digest, path)| Attachment {
            name: safe_name(&name),
            media,
            bytes,
            pixels,
            digest: Digest(digest),
            path,
        })
}

/// An outcome of an ask.
pub fn outcome(ask: &Ask) -> impl Strategy<Value = Outcome> + use<> {
    let asked = ask.clone();
    let answered = draft(ask).prop_map(move |draft| match draft.finish(&asked, Gaps::Send) {
        Ok(answered) => Outcome::Answered(answered),
        Err(_) => Outcome::Withdrawn,
    });
    prop_oneof![
        4 => answered,
        1 => option::of(text()).prop_map(|reason| Outcome::Declined { reason }),
        1 => text().prop_map(|words| Outcome::Clarify { words }),
        1 => Just(Outcome::Expired),
        1 => Just(Outcome::Withdrawn),
    ]
}

/// A time within the calendar.
pub fn time() -> impl Strategy<Value = Time> {
    (-60_000_000_000_000_i64..250_000_000_000_000).prop_map(Time)
}

/// The program that closed an ask. It is on the heap, because records of values of all strategies
/// are large.
pub fn origin() -> impl Strategy<Value = Box<Origin>> {
    let words = || option::of(text());
    (any::<u32>(), words(), words(), words())
        .prop_map(|(pid, program, terminal, below_agent)| {
            Box::new(Origin {
                pid,
                program,
                terminal,
                below_agent,
            })
        })
        .boxed()
}

/// A settlement of an ask.
pub fn settlement(ask: &Ask) -> impl Strategy<Value = Settlement> + use<> {
    let whence = (text(), option::of(text()), option::of(origin()));
    (outcome(ask), whence, time(), any::<(u64, bool)>()).prop_map(
        |(outcome, (surface, device, origin), at, (attempt, awaited))| Settlement {
            outcome,
            surface,
            device,
            origin,
            at,
            attempt,
            awaited,
        },
    )
}

fn state(ask: &Ask) -> impl Strategy<Value = State> + use<> {
    let closed = (settlement(ask), option::of(time())).prop_map(|(settlement, delivered_at)| {
        State::Closed {
            settlement,
            delivered_at,
        }
    });
    prop_oneof![Just(State::Open), closed]
}

fn asker() -> impl Strategy<Value = Asker> {
    vec(option::of(text()), 9).prop_map(|facts| {
        let mut facts = facts.into_iter().map(Some);
        let mut next = || facts.next().flatten().flatten();
        Asker {
            client: next(),
            version: next(),
            agent: next(),
            session: next(),
            instance: next(),
            project: next(),
            directory: next(),
            branch: next(),
            caller: next().map(|instance| Caller {
                process: Some(Process {
                    pid: instance.len() as u32,
                    start: u64::MAX,
                }),
                instance,
                client: None,
                agent: Some(Process { pid: 1, start: 0 }),
                senders: vec![Process { pid: 2, start: 0 }],
                above: vec![Process { pid: 3, start: 0 }],
                started_at: Time(1),
            }),
        }
    })
}

/// A record, open or closed.
pub fn record() -> impl Strategy<Value = Record> {
    ask().prop_flat_map(|ask| {
        let saved = (draft(&ask), time(), text(), any::<u32>()).prop_map(
            |(draft, at, surface, revision)| Saved {
                draft,
                at,
                surface,
                revision: revision.into(),
            },
        );
        // A strategy of all parts is too large for the stack of a test.
        let saved = saved.boxed();
        let taken_back = (settlement(&ask), time(), text(), option::of(text()))
            .prop_map(|(settlement, at, surface, device)| TakenBack {
                settlement,
                at,
                surface,
                device,
            })
            .boxed();
        let earlier = (draft(&ask), time())
            .prop_map(|(draft, at)| EarlierAnswer { draft, at })
            .boxed();
        let shown = (text(), time()).prop_map(|(surface, at)| Shown { surface, at });
        let times = (time(), option::of(time()));
        let snooze = prop_oneof![time().prop_map(Snooze::Until), Just(Snooze::AskedAgain),];
        let in_client = select(vec![InClient::Dialog, InClient::Handed]);
        let marks = (
            option::of(snooze),
            option::of(time()),
            option::of(in_client),
            option::of(time()),
            vec(taken_back, 0..3),
        );
        (
            state(&ask),
            (option::of(saved), option::of(earlier)),
            option::of(shown),
            asker(),
            times,
            any::<[u8; 16]>(),
            any::<u32>(),
            marks,
        )
            .prop_map(
                move |(
                    state,
                    (draft, earlier_answer),
                    shown,
                    asker,
                    (asked_at, deadline_at),
                    random,
                    waiters,
                    marks,
                )| {
                    let mut record = Record {
                        id: AskId::native(random),
                        dialect: "native".to_owned(),
                        ask: ask.clone(),
                        asker,
                        asked_at,
                        deadline_at,
                        state,
                        draft,
                        earlier_answer,
                        shown,
                        waiters,
                        snoozed: marks.0,
                        asked_again: marks.1,
                        in_client: marks.2,
                        caller_seen: None,
                        agent_seen: None,
                        held_until: marks.3,
                        taken_back: marks.4,
                    };
                    // Clients get the forms of a closed ask only for what wasn't sent.
                    if !record.is_answerable() {
                        record.draft = record.unsent().cloned();
                        record.earlier_answer = None;
                    }
                    record
                },
            )
    })
}

/// Any JSON, with property names that dialects know.
pub fn json() -> impl Strategy<Value = Json> {
    let key = select(vec![
        "questions",
        "question",
        "prompt",
        "title",
        "header",
        "options",
        "choices",
        "follow_up",
        "text",
        "mode",
        "label",
        "value",
        "description",
        "preview",
        "multiSelect",
        "type",
        "required",
        "placeholder",
        "default",
        "id",
        "timeout",
        "metadata",
        "agent",
        "context",
        "nonBlocking",
        "session_id",
        "blocking",
        "askId",
        "wait",
        "x",
    ]);
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        text().prop_map(Json::from),
        select(vec!["text", "select", "multi-select", "confirm", "yesno"]).prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::from),
            vec((key.clone(), inner.clone()), 0..8).prop_map(|fields| {
                Json::Object(
                    fields
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
            inner.prop_map(|value| Json::from(value.to_string())),
        ]
    })
}

/// A call that is nearly right: each part is valid, or anything.
pub fn call() -> impl Strategy<Value = Json> {
    let option = prop_oneof![
        3 => (text(), text()).prop_map(|(label, description)| serde_json::json!({"label": label, "description": description})),
        2 => text().prop_map(Json::from),
        1 => json(),
    ];
    let options = prop_oneof![4 => vec(option, 0..6).prop_map(Json::from), 1 => json()].boxed();
    let suggestions = prop_oneof![3 => options.clone(), 1 => tags().prop_map(Json::from)];
    let kind = prop_oneof![
        select(vec!["text", "select", "multi-select", "confirm", ""]).prop_map(Json::from),
        Just(Json::Null),
    ];
    let words = (text(), text(), option::of(text()));
    let question = (words, options, kind, any::<bool>()).prop_map(
        |((text, header, id), options, kind, many)| {
            serde_json::json!({
                "question": text, "prompt": text, "header": header, "title": header, "id": id,
                "options": options, "type": kind, "multiSelect": many,
            })
        },
    );
    let question = prop_oneof![6 => question, 1 => json()];
    let questions = prop_oneof![5 => vec(question, 0..6).prop_map(Json::from), 1 => json()];
    let one = (text(), suggestions);
    (questions, one, json(), option::of(json())).prop_map(
        |(questions, (question, follow_up), timeout, metadata)| {
            serde_json::json!({
                "questions": questions, "question": question, "follow_up": follow_up,
                "timeout": timeout, "metadata": metadata,
            })
        },
    )
}

/// Suggestions in tags, well-formed or not.
fn tags() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "<suggest>",
        "<suggest mode=\"code\">",
        "<suggest mode='",
        "</suggest>",
        "<",
        "&lt;",
        ">",
        "A",
        "é",
        "\n",
    ]);
    vec(piece, 0..12).prop_map(|pieces| format!("<suggest{}", pieces.concat()))
}
