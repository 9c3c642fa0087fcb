//! An HTTP reply that is read as it arrives: headers, lines, events.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use ask_core::Json;

use super::lines::LIMIT;
use super::{json, text};

/// A reply whose body may still be arriving. Dropping it closes the connection.
pub(crate) struct Reply {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    body: BufReader<Body>,
}

impl Reply {
    /// Reads a reply up to its body.
    pub(crate) fn read(stream: impl Read + Send + 'static) -> Self {
        let stream: Box<dyn Read + Send> = Box::new(stream);
        let mut reader = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            let read = reader.read_line(&mut line);
            read.unwrap_or_else(|error| panic!("no reply within {LIMIT:?}: {error}"));
            line.trim_end().to_owned()
        };
        let first = line();
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.unwrap_or_else(|| panic!("not HTTP: {first:?}"));
        let headers: Vec<(String, String)> = std::iter::from_fn(|| {
            let line = line();
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
        let is_chunked = headers
            .iter()
            .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .and_then(|(_, value)| value.parse().ok());
        let body = Body {
            reader,
            is_chunked,
            left: length.unwrap_or(0),
        };
        Self {
            status,
            headers,
            body: BufReader::new(body),
        }
    }

    /// A header by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next line of the body; `None` at its end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.body.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end().to_owned()),
            // A peer that is killed sends no `close_notify` (TLS), which is an end all the same.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
            Err(error) => panic!("the body stopped: {error}"),
        }
    }

    /// The rest of the body.
    pub(crate) fn text(&mut self) -> String {
        let mut text = String::new();
        let read = self.body.read_to_string(&mut text);
        read.expect("the body is text");
        text
    }

    /// The next event with its id, if it has one; comments are skipped.
    pub(crate) fn event(&mut self) -> Option<(Option<String>, String)> {
        let (mut id, mut data) = (None, None);
        while let Some(line) = self.line() {
            if let Some(value) = line.strip_prefix("id:") {
                id = Some(value.trim().to_owned());
            } else if let Some(value) = line.strip_prefix("data:") {
                data = Some(value.trim().to_owned());
            } else if line.is_empty()
                && let Some(data) = data.take()
            {
                return Some((id, data));
            }
        }
        None
    }

    /// The next JSON message.
    pub(crate) fn message(&mut self) -> Json {
        loop {
            match self.event() {
                Some((_, data)) if data.is_empty() => {}
                Some((_, data)) => return json(&data),
                None => panic!("the stream ended without a message"),
            }
        }
    }

    /// The text of a tool's result in the next message.
    pub(crate) fn tool_text(&mut self) -> String {
        let message = self.message();
        text(&message["result"]["content"][0], "text")
    }
}

/// A body with a length, with chunks, or up to the end of the connection.
struct Body {
    reader: BufReader<Box<dyn Read + Send>>,
    is_chunked: bool,
    /// The bytes that are left of the body or of the chunk.
    left: usize,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 && self.is_chunked {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                // The line break behind the last chunk.
                line.clear();
                self.reader.read_line(&mut line)?;
            }
            self.left = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        }
        let length = buffer.len().min(self.left);
        if length == 0 {
            return Ok(0);
        }
        let read = self.reader.read(&mut buffer[..length])?;
        self.left -= read;
        Ok(read)
    }
}
