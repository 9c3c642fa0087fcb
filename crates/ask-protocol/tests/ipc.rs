//! Messages between the hub and its clients are read as they were written, and as other versions
//! write them.

use std::sync::Arc;

use ask_core::devices::PairingCommand;
use ask_core::history::{End, Filter};
use ask_core::record::{InClient, Snooze};
use ask_core::testing::strategies;
use ask_core::{Answer, AskId, Asker, Digest, Draft, Gaps, Record, Time};
use ask_protocol::ipc::{
    CallFailure, Change, Changed, Day, ErrorKind, Request, Response, Status, TakeUp, Verdict,
    read_request, read_response, write_request, write_response,
};
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

fn id() -> AskId {
    AskId::parse("a_0123456789abcdef").expect("an id")
}

fn assert_request_is_read(request: Request) {
    let line = write_request(7, &request);
    let text = String::from_utf8(line.clone()).expect("text");
    assert!(
        text.starts_with(r#"{"n":7,"do":""#) && text.ends_with("}\n"),
        "{text}"
    );
    assert_eq!(read_request(&line), (7, Ok(request)), "{text}");
}

fn assert_response_is_read(response: Response) {
    let line = write_response(7, &response);
    let text = String::from_utf8_lossy(&line).into_owned();
    assert!(
        text.starts_with(r#"{"n":7,""#) && text.ends_with("}\n"),
        "{text}"
    );
    assert_eq!(read_response(&line), Ok((7, response)), "{text}");
}

fn filter() -> Filter {
    Filter {
        search: Some("ship".to_owned()),
        end: Some(End::AskedBack),
        recommended: Some(false),
        since_ms: Some(-5),
        limit: Some(50),
        undelivered: true,
        ..Filter::default()
    }
}

#[test]
fn requests_are_read_as_they_were_written() {
    let draft = Draft {
        answers: vec![Answer::picking([1]), Answer::saying("own")],
        note: Some("a note".to_owned()),
    };
    let verdicts = [
        Verdict::Answer {
            draft: draft.clone(),
            gaps: Gaps::Send,
        },
        Verdict::Decline { reason: None },
        Verdict::Decline {
            reason: Some("no".to_owned()),
        },
        Verdict::Clarify {
            words: "why?".to_owned(),
        },
        Verdict::Withdraw,
    ];
    for verdict in verdicts {
        let (surface, device) = ("web".to_owned(), Some("iPad".to_owned()));
        assert_request_is_read(Request::Settle {
            id: id(),
            verdict,
            surface,
            device,
            attempt: u64::MAX,
            hold: false,
            relayed: false,
            sender: None,
        });
    }
    let asker = Asker {
        client: Some("claude".to_owned()),
        ..Asker::default()
    };
    let surface = || "terminal".to_owned();
    for request in [
        Request::Hello {
            version: "1".to_owned(),
        },
        Request::Wait {
            id: "a_0".to_owned(),
        },
        Request::Leave {
            request: 3,
            back_ms: 5,
            elsewhere: true,
        },
        Request::Delivered {
            id: id(),
            attempt: Some(9),
        },
        Request::Delivered {
            id: id(),
            attempt: None,
        },
        Request::NotDelivered { id: id() },
        Request::Get {
            id: "latest".to_owned(),
        },
        Request::Own {
            short: "0715032c".to_owned(),
            asker: Box::new(asker.clone()),
        },
        Request::Waiting { first: Some(4) },
        Request::Fetch {
            asker: Box::new(asker),
            take: true,
            or_open: false,
        },
        Request::Changes { after: 8 },
        Request::History { filter: filter() },
        Request::Stats {
            filter: Filter::default(),
        },
        Request::ForgetSome {
            filter: filter(),
            count: true,
            sender: None,
        },
        Request::Subscribe {
            after: None,
            only_looks: true,
            sender: None,
        },
        Request::Present {
            focused: Some(false),
            rings: true,
            input: false,
        },
        Request::SaveDraft {
            id: id(),
            draft,
            surface: surface(),
            built_on: Some(0),
            sender: None,
        },
        Request::Snooze {
            id: "a_0".to_owned(),
            snooze: Some(Snooze::AskedAgain),
        },
        Request::Snooze {
            id: "a_0".to_owned(),
            snooze: None,
        },
        Request::Extend {
            id: "a_0".to_owned(),
            until: Time(1_800_000_000_000),
        },
        Request::InClient {
            id: id(),
            how: Some(InClient::Handed),
        },
        Request::Mute { on: true },
        Request::Failed {
            why: CallFailure::TooLarge,
        },
        Request::PutFile {
            bytes: vec![0, 255, 7],
        },
        Request::GetFile {
            digest: Digest([7; 32]),
        },
        Request::Shown {
            id: id(),
            surface: surface(),
        },
        Request::Forget {
            ids: vec!["a_0".to_owned()],
            undelivered: true,
            sender: None,
        },
        Request::Status,
        Request::PageKey { public: false },
        Request::PageKey { public: true },
        Request::Pairing {
            command: PairingCommand::Look,
            sender: None,
        },
        Request::Pairing {
            command: PairingCommand::Revoke {
                device: "iPad".to_owned(),
            },
            sender: None,
        },
        Request::Stop,
        Request::Clock { now_ms: -1 },
    ] {
        assert_request_is_read(request);
    }
}

#[test]
fn responses_are_read_as_they_were_written() {
    let day = Day {
        answered: 1,
        muted: true,
        more: 2,
        port: Some(4127),
    };
    let change = |what| Response::Change(Arc::new(Change::new(9, what, day)));
    for response in [
        Response::Welcome {
            version: "1".to_owned(),
            pid: 7,
        },
        Response::Opened { id: id() },
        Response::Records {
            records: Vec::new(),
            more: 3,
            gone: vec!["a_0".to_owned()],
            cursor: 4,
            reset: true,
            day: Some(day),
        },
        Response::Forgotten {
            count: 1,
            undelivered: 2,
        },
        Response::Done { count: 0 },
        Response::Stats(Box::default()),
        Response::Filed {
            digest: Digest([1; 32]),
        },
        Response::File { bytes: vec![1, 2] },
        Response::Status(Status {
            version: "1".to_owned(),
            ..Status::default()
        }),
        Response::PageKey {
            key: "k".to_owned(),
            port: None,
        },
        Response::Pairing(Box::default()),
        change(Changed::Gone(id())),
        change(Changed::Day),
        change(Changed::Pairing),
        Response::Fault {
            kind: ErrorKind::Ambiguous,
            text: "two".to_owned(),
        },
        Response::Fault {
            kind: ErrorKind::Malformed,
            text: "?".to_owned(),
        },
    ] {
        assert_response_is_read(response);
    }
}

#[test]
fn messages_of_other_versions_are_read() {
    for (line, request) in [
        (
            r#"{"n":1,"do":"waiting","first":null}"#,
            Request::Waiting { first: None },
        ),
        (
            r#"{"n":1,"do":"mute","on":true,"more":[]}"#,
            Request::Mute { on: true },
        ),
        (r#"{"do":"changes","n":1}"#, Request::Changes { after: 0 }),
        (
            r#"{"n":1,"do":"inClient","id":"a_0123456789abcdef","how":"sung"}"#,
            Request::InClient {
                id: id(),
                how: None,
            },
        ),
    ] {
        assert_eq!(read_request(line.as_bytes()), (1, Ok(request)), "{line}");
    }
    for (line, number, said) in [
        (r#"{"n":4,"do":"sing"}"#, 4, "sing"),
        (r#"{"n":4,"do":"get"}"#, 4, "id"),
        (
            r#"{"n":4,"do":"not-delivered","id":"no id"}"#,
            4,
            "must be an id",
        ),
        ("{", 0, "EOF"),
        // The sender's words are made safe before they can reach a terminal.
        (
            r#"{"n":4,"do":"not-delivered","id":"\u001b[31m\bx\ny"}"#,
            4,
            "must be an id, not \"x y\"",
        ),
        (r#"{"n":4,"do":"sing\u001b[31m\nx"}"#, 4, "not \"sing x\""),
    ] {
        let (found, read) = read_request(line.as_bytes());
        let problem = read.expect_err("the message is wrong").to_string();
        assert!(
            found == number && problem.contains(said),
            "{line}: {problem}"
        );
    }
    let fault = br#"{"n":2,"fault":"of-tomorrow","text":"?"}"#;
    let read = Response::Fault {
        kind: ErrorKind::Malformed,
        text: "?".to_owned(),
    };
    assert_eq!(read_response(fault), Ok((2, read)));
    assert!(read_response(br#"{"n":2}"#).is_err());
}

#[test]
fn questions_with_equal_ids_are_refused() {
    let record = br#"{"n":2,"record":{"askId":"a_0123456789abcdef","state":"waiting","dialect":"native",
        "askedAt":"2026-01-01T00:00:00Z","questions":[{"questionId":"a","question":"?","type":"text"},
        {"questionId":"a","question":"??","type":"confirm"}]}}"#;
    let problem = read_response(record).expect_err("two are called a");
    let said = "questions[1].questionId: is the id of a question before it";
    assert!(problem.to_string().contains(said), "{problem}");
}

fn opening(record: &Record, take_up: TakeUp) -> Request {
    Request::Open {
        record: Box::new(Record {
            caller_seen: Some(record.asked_at),
            ..record.clone()
        }),
        wait: true,
        take_up,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_in_messages_are_read_as_they_were_written(record in strategies::record()) {
        for take_up in [TakeUp::Never, TakeUp::WhenLeft, TakeUp::Always] {
            let request = opening(&record, take_up);
            prop_assert_eq!(read_request(&write_request(1, &request)), (1, Ok(request)));
        }
        let record = Arc::new(record);
        let changed = Changed::Record(Arc::clone(&record));
        for response in [
            Response::Record(Arc::clone(&record)),
            Response::Outcome { record: Arc::clone(&record), missed: true },
            Response::Settled { won: false, record },
            Response::Change(Arc::new(Change::new(3, changed, Day::default()))),
        ] {
            prop_assert_eq!(read_response(&write_response(1, &response)), Ok((1, response)));
        }
    }
}
