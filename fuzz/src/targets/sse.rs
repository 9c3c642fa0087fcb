//! Server-sent events: a separate reader, written from the HTML standard, gets back what was written, and no
//! text in an event can start another event or field.

use ask_core::Json;
use ask_protocol::api::{self, RecordView};
use ask_protocol::text_json;

use super::{open_record, two_questions};

/// Texts that are special in a stream.
pub const PIECES: &[&str] = &[
    "\n\n",
    "\r\r",
    "\r\n\r\n",
    "\ndata: ",
    "\nid: 9\n",
    "\nevent: ask.resolved\n",
    "\nretry: 1\n",
    "\n: ",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\\n\\ndata: x",
];

/// An event, as the standard passes it to a client.
#[derive(Debug, Default, PartialEq)]
struct Event {
    name: String,
    data: String,
    /// The last event ID when it was received.
    id: String,
}

/// Writes the input into events of each kind, and reads the stream.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let id = bytes.iter().fold(0_u64, |all, byte| {
        all.wrapping_mul(257).wrapping_add(u64::from(*byte))
    });
    let data = Json::from(&*text);
    let mut stream = api::write_event("hello", Some(id), &data);
    let mut ask = two_questions();
    ask.questions[0].text = text.to_string();
    let mut record = open_record(ask);
    record.asker.project = Some(text.to_string());
    stream += &api::write_event("ask.created", None, &RecordView::listed(&record));
    let events = read(&stream);
    let [first, second] = &events[..] else {
        panic!("two were written: {events:?}")
    };
    let id = id.to_string();
    assert_eq!((first.name.as_str(), &first.id), ("hello", &id));
    assert_eq!(text_json(&first.data), Ok(data));
    assert_eq!((second.name.as_str(), &second.id), ("ask.created", &id));
    let record = text_json(&second.data).expect("a record");
    assert_eq!(record["questions"][0]["question"], *text, "{record}");

    // An MCP document is written as one event, even if it has several lines.
    let stream = api::write_document_event(bytes);
    let events = read(&String::from_utf8_lossy(&stream));
    let lines = text.replace('\r', "\n");
    match &events[..] {
        [event] => {
            assert_eq!((event.name.as_str(), event.id.as_str()), ("message", ""));
            assert_eq!(event.data.trim_ascii(), lines.trim_ascii());
            if let Ok(value) = text_json(&text) {
                assert_eq!(text_json(&event.data), Ok(value));
            }
        }
        _ => panic!("one was written: {events:?}"),
    }
}

/// The events of a stream, interpreted as the HTML standard says.
fn read(stream: &str) -> Vec<Event> {
    let stream = stream.strip_prefix('\u{feff}').unwrap_or(stream);
    let lines = stream.replace("\r\n", "\n").replace('\r', "\n");
    let whole = lines.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let (mut events, mut event, mut has_data) = (Vec::new(), Event::default(), false);
    let mut last_id = String::new();
    for line in whole.split('\n') {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() => {
                let mut finished = std::mem::take(&mut event);
                if std::mem::take(&mut has_data) {
                    finished.data.pop();
                    if finished.name.is_empty() {
                        finished.name = "message".to_owned();
                    }
                    finished.id.clone_from(&last_id);
                    events.push(finished);
                }
            }
            "" => {}
            "event" => event.name = value.to_owned(),
            "data" => {
                event.data += value;
                event.data.push('\n');
                has_data = true;
            }
            "id" if !value.contains('\0') => last_id = value.to_owned(),
            _ => {}
        }
    }
    events
}
