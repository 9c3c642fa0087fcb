//! The ids of events of a request in a legacy session. A client that lost its stream sends the last
//! one in `Last-Event-ID`. An id names rmcp's event, the session's period in memory and the
//! client's id of the request. After a restart of the hub, it is the only source for which request
//! has no reply.

use ask_core::secret::hex;
use rmcp::model::RequestId;

/// Longer request ids are left out, because clients send the event's id in a header.
const MAX_REQUEST_ID_BYTES: usize = 1_024;

/// The stream of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StreamId {
    /// rmcp's number of the request.
    pub number: u64,
    /// The session's period in memory.
    pub period: u64,
    /// The client's id of the request, if it is short enough.
    pub request: Option<RequestId>,
}

/// The id of an event that rmcp calls `event`.
pub(super) fn write(event: &str, period: u64, request: Option<&RequestId>) -> String {
    let request = match request {
        Some(RequestId::Number(number)) => format!("n{number}"),
        Some(RequestId::String(text)) if text.len() <= MAX_REQUEST_ID_BYTES => {
            format!("s{}", hex(text.as_bytes()))
        }
        Some(RequestId::String(_)) | None => "-".to_owned(),
    };
    format!("{event}.{period}.{request}")
}

/// The stream of an event with this id.
pub(super) fn read(event: &str) -> Option<StreamId> {
    let (_, stream) = event.split_once('/')?;
    let (number, rest) = stream.split_once('.')?;
    let (period, request) = rest.split_once('.')?;
    let request = match request.split_at_checked(1)? {
        ("n", number) => Some(RequestId::Number(number.parse().ok()?)),
        ("s", text) => Some(RequestId::String(parse_hex(text)?.into())),
        ("-", "") => None,
        _ => return None,
    };
    Some(StreamId {
        number: number.parse().ok()?,
        period: period.parse().ok()?,
        request,
    })
}

/// Whether an event of this hub, or of an earlier one, may have this id. Events of streams that
/// belong to no request have a plain number.
pub(super) fn is_possible(event: &str) -> bool {
    event.parse::<u64>().is_ok() || read(event).is_some()
}

fn parse_hex(text: &str) -> Option<String> {
    let pairs = text.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_id_names_any_request_id() {
        for request in [
            Some(RequestId::Number(7)),
            Some(RequestId::Number(-1)),
            Some(RequestId::String("".into())),
            Some(RequestId::String("a.b/ü".into())),
            None,
        ] {
            let event = write("3/12", 99, request.as_ref());
            assert!(event.is_ascii(), "{event} goes into a header");
            let stream = StreamId {
                number: 12,
                period: 99,
                request,
            };
            assert_eq!(read(&event), Some(stream), "{event}");
        }
        let long = RequestId::String("x".repeat(MAX_REQUEST_ID_BYTES + 1).into());
        let stream = read(&write("0/1", 2, Some(&long)));
        assert_eq!(stream.and_then(|stream| stream.request), None);
    }

    #[test]
    fn impossible_event_ids_are_recognized() {
        for event in ["0", "17", "0/1.5.n3", "0/1.5.-"] {
            assert!(is_possible(event), "{event}");
        }
        for event in [
            "", "x", "0/1", "0/1.5", "0/1.5.", "0/1.5.n", "0/1.5.sx", "0/1.5.é", "0/1.5.-x",
        ] {
            assert!(!is_possible(event), "{event}");
        }
    }
}
