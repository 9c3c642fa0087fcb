//! Files attached to answers, from the command to the agent: stored once, sent as images, named
//! with a path for clients that take no images, and removed with their asks.

use std::fs;
use std::path::{Path, PathBuf};

use ask_core::attachment::Media;
use ask_core::{Answer, AskId, Attachment, Digest, Draft, Gaps, Json};
use ask_protocol::ipc::{Request, Response, Verdict, unbase64};

use crate::support::agent::{Agent, Era};
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

const ONE: &str =
    r#"{"questions":[{"id":"look","question":"Which layout?","options":["Wide","Narrow"]}]}"#;

/// The header of a PNG of 1280 by 800, and noise up to this size.
fn picture(bytes: usize, seed: u8) -> Vec<u8> {
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06".to_vec();
    let noise = (0..).map(|at: usize| (at.wrapping_mul(31) as u8) ^ seed);
    picture.extend(noise.take(bytes.saturating_sub(picture.len())));
    picture
}

fn write_file(sandbox: &Sandbox, name: &str, bytes: &[u8]) -> String {
    let path = sandbox.home().join(name);
    fs::write(&path, bytes).expect("a file can be written");
    path.display().to_string()
}

/// The stored files.
fn stored_files(home: &Path) -> Vec<PathBuf> {
    let Ok(folders) = fs::read_dir(home.join("attachments")) else {
        return Vec::new();
    };
    let files = folders.flat_map(|folder| fs::read_dir(folder.expect("an existing folder").path()));
    files
        .flatten()
        .map(|file| file.expect("a file").path())
        .collect()
}

fn usage_error(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asks as a client and answers with these files. Returns the agent's reply.
fn result(sandbox: &Sandbox, client: &'static str, dialect: &str, files: &[&str]) -> Json {
    let mut agent = Agent::start(sandbox, &["--dialect", dialect]);
    agent.set_name(client);
    agent.open(Era::Initialize("2025-11-25"));
    let mut person = Person::new(sandbox);
    let (tool, call) = match dialect {
        "native" => ("ask_user", ONE.to_owned()),
        _ => (
            "AskUserQuestion",
            r#"{"questions":[{"question":"Which layout?","header":"Layout","multiSelect":false,
               "options":[{"label":"Wide","description":"w"},{"label":"Narrow","description":"n"}]}]}"#
                .replace('\n', ""),
        ),
    };
    let call = agent.call(tool, &call);
    let id = person.next_ask();
    let mut answer = vec!["answer", &id, "--set", "Wide"];
    for file in files {
        answer.extend(["--attach", file]);
    }
    sandbox.run_ok(&answer);
    agent.result(call)
}

#[test]
fn an_agent_receives_the_image_after_a_text_that_names_it() {
    for dialect in ["native", "claude"] {
        let sandbox = Sandbox::new();
        let bytes = picture(219_000, 1);
        let path = write_file(&sandbox, "design.png", &bytes);
        let result = result(&sandbox, "fake-agent", dialect, &[&path]);
        let content = result["content"].as_array().expect("an array");
        assert_eq!(content.len(), 3, "{dialect}");
        let named = text(&content[1], "text");
        assert!(
            named.contains("attached image: design.png, 1280x800, 214 KB; shown here, and kept as"),
            "{named}"
        );
        assert_eq!(content[2]["type"], "image");
        assert_eq!(content[2]["mimeType"], "image/png");
        let data = unbase64(&text(&content[2], "data")).expect("base64");
        assert!(data == bytes, "{dialect}: the bytes are as they were");
        assert!(
            result.get("structuredContent").is_none(),
            "some clients show nothing else where there is one"
        );
        let kept = stored_files(sandbox.home());
        assert_eq!(kept.len(), 1, "{kept:?}");
        let place = kept[0].display().to_string();
        assert!(
            place.ends_with(".png"),
            "agents read by the ending: {place}"
        );
        assert!(named.contains(&place), "{named}");
        assert!(fs::read(&place).expect("a readable file") == bytes);
        if dialect == "native" {
            let reply = json(&text(&content[0], "text"));
            let file = &reply["answers"][0]["attachments"][0];
            assert_eq!(file["name"], "design.png", "{reply}");
            assert_eq!(file["mediaType"], "image/png", "{reply}");
            assert_eq!(file["path"], *place, "{reply}");
        }
    }
}

#[test]
fn files_that_a_client_cannot_show_are_named_with_their_path() {
    let sandbox = Sandbox::new();
    let small = write_file(&sandbox, "small.png", &picture(2_000, 1));
    let large = write_file(&sandbox, "large.png", &picture(4_500_000, 2));
    let log = write_file(&sandbox, "crash.log", b"it broke\n");
    let files = [small.as_str(), &large, &log];
    let result = result(&sandbox, "fake-agent", "native", &files);
    let content = result["content"].as_array().expect("an array");
    assert_eq!(content.len(), 3, "one image only");
    let named = text(&content[1], "text");
    for line in [
        "attached image: small.png, 1280x800, 2 KB; shown here, and kept as /",
        "attached image: large.png, 1280x800, 4.3 MB; not shown here, read it at /",
        "attached file: crash.log, 9 bytes; not shown here, read it at /",
    ] {
        assert!(named.contains(line), "{named}");
    }

    let sandbox = Sandbox::new();
    let path = write_file(&sandbox, "small.png", &picture(2_000, 1));
    let result = self::result(&sandbox, "@cline/core", "native", &[&path]);
    let content = result["content"].as_array().expect("an array");
    assert_eq!(content.len(), 2, "it would read the bytes as text");
    assert!(text(&content[1], "text").contains("not shown here, read it at /"));
}

#[test]
fn commands_print_attachments_as_text_and_json() {
    let sandbox = Sandbox::new();
    let path = write_file(&sandbox, "shot.png", &picture(3_000, 1));
    let id = sandbox.ask(&["What is wrong?"]);
    sandbox.run_ok(&["answer", &id, "--attach", &path]);
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(shown.contains("=> (see the attached shot.png)"), "{shown}");
    assert!(
        shown.contains("attached image: shot.png, 1280x800, 3 KB: /"),
        "{shown}"
    );
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    let file = &record["outcome"]["answers"][0]["attachments"][0];
    assert_eq!(file["width"], 1280, "{record}");
    let place = text(file, "path");
    assert!(
        fs::exists(&place).expect("the path can be checked"),
        "{place}"
    );
    let told = sandbox.run_ok(&["wait", &id]);
    assert!(told.contains("attached image: shot.png"), "{told}");
}

#[test]
fn invalid_attachments_are_refused_and_the_ask_stays_open() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["What is wrong?"]);
    let large = write_file(&sandbox, "large.png", &picture(10 * 1024 * 1024 + 1, 1));
    let empty = write_file(&sandbox, "empty.png", b"");
    let folder = sandbox.home().display().to_string();
    for (path, says) in [
        (large.as_str(), "large.png has 10.1 MB, and at most 10.0 MB"),
        (&empty, "empty.png is empty"),
        ("/nowhere/at-all.png", "no file /nowhere/at-all.png"),
        (&folder, "is not a file that can be attached"),
        ("", "Say which file"),
    ] {
        let said = usage_error(&sandbox, &["answer", &id, "--attach", path]);
        assert!(said.contains(says), "{said}");
    }
    let largest = write_file(&sandbox, "largest.png", &picture(10 * 1024 * 1024, 1));
    sandbox.run_ok(&["answer", &id, "--attach", &largest]);
    assert_eq!(
        stored_files(sandbox.home()).len(),
        1,
        "nothing else was kept"
    );
}

#[test]
fn equal_files_are_stored_once_and_removed_with_the_last_ask() {
    let sandbox = Sandbox::new();
    let path = write_file(&sandbox, "shot.png", &picture(3_000, 1));
    let other = write_file(&sandbox, "other.png", &picture(3_000, 2));
    let ids: Vec<String> = ["One?", "Two?"].map(|ask| sandbox.ask(&[ask])).into();
    sandbox.run_ok(&["answer", &ids[0], "--attach", &path, "--attach", &other]);
    sandbox.run_ok(&["answer", &ids[1], "--attach", &path]);
    assert_eq!(stored_files(sandbox.home()).len(), 2);
    sandbox.run_ok(&["forget", &ids[0], "--yes"]);
    assert_eq!(
        stored_files(sandbox.home()).len(),
        1,
        "the other ask has it, too"
    );
    sandbox.run_ok(&["forget", &ids[1], "--yes"]);
    assert!(stored_files(sandbox.home()).is_empty());
}

#[test]
fn an_attachment_survives_a_killed_hub() {
    let sandbox = Sandbox::new();
    let bytes = picture(100_000, 3);
    let id = sandbox.ask(&["What is wrong?"]);
    let mut hub = Hub::connect(&sandbox);
    let Response::Filed { digest } = hub.call(&Request::PutFile {
        bytes: bytes.clone(),
    }) else {
        panic!("it is kept");
    };
    let attached = Attachment::from_bytes("shot.png", &bytes, digest).expect("a picture");
    let mut draft = Draft {
        answers: vec![Answer {
            attachments: vec![attached],
            ..Answer::default()
        }],
        note: None,
    };
    let ask = AskId::parse(&id).expect("an id");
    hub.call(&Request::SaveDraft {
        id: ask.clone(),
        draft: draft.clone(),
        surface: "story".to_owned(),
        built_on: None,
        sender: None,
    });
    hub.kill();

    let mut hub = Hub::start(&sandbox);
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    let place = text(&record["draft"]["answers"][0]["attachments"][0], "path");
    assert!(fs::read(place).expect("a stored file") == bytes);
    let answer = |draft: &Draft| Request::Settle {
        id: ask.clone(),
        verdict: Verdict::Answer {
            draft: draft.clone(),
            gaps: Gaps::Refuse,
        },
        surface: "story".to_owned(),
        device: None,
        attempt: 7,
        hold: false,
        relayed: false,
        sender: None,
    };
    draft.answers[0].attachments[0].digest = Digest([9; 32]);
    let Response::Fault { text: why, .. } = hub.call(&answer(&draft)) else {
        panic!("what isn't kept can't be sent");
    };
    assert_eq!(why, "shot.png is not kept any more: attach it again");
    draft.answers[0].attachments[0].digest = digest;
    draft.answers[0].attachments[0].bytes = 7;
    draft.answers[0].attachments[0].media = Media::Text;
    let Response::Settled { won: true, record } = hub.call(&answer(&draft)) else {
        panic!("it is sent");
    };
    let answered = record.answered().expect("the record is answered");
    let sent = &answered.answers()[0].attachments[0];
    assert_eq!(
        (sent.bytes, sent.media.is_image()),
        (bytes.len() as u64, true)
    );
    let Response::File { bytes: back } = hub.call(&Request::GetFile { digest }) else {
        panic!("it can be had");
    };
    assert!(back == bytes);
    let Response::Fault { text: why, .. } = hub.call(&Request::PutFile { bytes: Vec::new() })
    else {
        panic!("nothing can't be kept");
    };
    assert!(why.contains("is empty"), "{why}");
}
