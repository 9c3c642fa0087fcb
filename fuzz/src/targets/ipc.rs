//! Messages between the hub and its clients, `hub.json`, and stored asks: whatever can be read is the same after
//! it is written and read again, and an error is one clear line.

use ask_core::Ask;
use ask_protocol::ipc::{
    read_address, read_request, read_response, write_address, write_request, write_response,
};
use ask_protocol::native::{self, Malformed};
use ask_protocol::{json_text, text_json};

use super::{assert_is_clear, open_record, two_questions};

/// Fragments of the messages.
pub const PIECES: &[&str] = &[
    r#""n":1,"#,
    r#""do":"open""#,
    r#""do":"settle""#,
    r#""do":"keep""#,
    r#""verdict":{"#,
    r#""answer":"#,
    r#""draft":{"answers":["#,
    r#""picks":[0]"#,
    r#""record":{"#,
    r#""records":["#,
    r#""asked-again""#,
    r#""take_up":"left""#,
    r#""change":9"#,
    r#""gone":"#,
    r#""pairing":"#,
    r#""figures":{"#,
    r#""status":{"#,
    r#""fault":"#,
    "18446744073709551615",
    "2026-01-01T00:00:00Z",
    "a_0123456789abcdef",
    "AAEC",
];

/// Reads the input as each message, and as each stored part of an ask.
pub fn run(bytes: &[u8]) {
    check_messages(bytes);
    let text = String::from_utf8_lossy(bytes);
    match read_address(&text) {
        Ok(address) => assert_eq!(read_address(&write_address(&address)), Ok(address)),
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
    check_stored(&text, &two_questions());
}

fn check_messages(bytes: &[u8]) {
    match read_request(bytes) {
        (number, Ok(request)) => {
            let line = write_request(number, &request);
            assert_is_one_line(&line);
            assert_eq!(read_request(&line), (number, Ok(request)));
        }
        (_, Err(Malformed(problem))) => assert_is_clear(&problem),
    }
    match read_response(bytes) {
        Ok((number, response)) => {
            let line = write_response(number, &response);
            assert_is_one_line(&line);
            assert_eq!(read_response(&line), Ok((number, response)));
        }
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
}

fn check_stored(text: &str, ask: &Ask) {
    match native::read_record(text) {
        Ok(record) => {
            let written = json_text(&native::Record::from(&record));
            assert_eq!(native::read_record(&written), Ok(record));
        }
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
    match native::read_draft(text) {
        Ok(draft) => {
            let written = json_text(&native::Draft::from(&draft));
            assert_eq!(native::read_draft(&written), Ok(draft));
        }
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
    match native::read_settlement(ask, text) {
        Ok(settlement) => {
            let record = open_record(ask.clone());
            let written = json_text(&native::Settlement::from_settlement(&record, &settlement));
            assert_eq!(native::read_settlement(ask, &written), Ok(settlement));
        }
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
    if let Ok(value) = text_json(text)
        && let Err(Malformed(problem)) = native::read_outcome(ask, &value)
    {
        assert_is_clear(&problem);
    }
}

fn assert_is_one_line(line: &[u8]) {
    let ends = line.iter().filter(|byte| **byte == b'\n').count();
    assert!(ends == 1 && line.ends_with(b"\n"), "{line:?}");
}
