//! Exports of the history: JSON, CSV or Markdown. An export is written page by page, so that its
//! memory doesn't grow with the history.

mod csv;
pub mod ends;
pub mod markdown;

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use ask_config::checkout;
use ask_config::i18n::Words;
use ask_core::Record;
use ask_files::{LastLink, Mode};
use ask_protocol::ipc::{Filter, Request};
use ask_protocol::{json_text, native};
use jiff::tz::TimeZone;

use crate::client::Client;

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON array of records.
    Json,
    /// CSV with a row for each question.
    Csv,
    /// Markdown for readers.
    Md,
}

/// Records in one page.
const PAGE: u64 = 200;

/// Exports to a file that only its owner can read, and returns the number of asks. The file is
/// replaced only after the whole export succeeded. No link is written through, and in a checkout
/// none leads out of it.
pub async fn to_file(
    path: &Path,
    client: &Client,
    filter: Filter,
    format: Format,
    words: Words,
) -> anyhow::Result<u64> {
    let writing = || format!("writing {}", path.display());
    let written = async {
        let entry = checkout::named_here(path, LastLink::Kept)?;
        let file = entry.replacement(None, Mode::RUSR | Mode::WUSR)?;
        let mut out = BufWriter::new(&file.file);
        let count = write(&mut out, client, filter, format, words).await?;
        drop(out);
        file.place()?;
        anyhow::Ok(count)
    };
    written.await.with_context(writing)
}

/// Writes an export, and returns the number of asks.
pub async fn write(
    out: &mut impl Write,
    client: &Client,
    filter: Filter,
    format: Format,
    words: Words,
) -> anyhow::Result<u64> {
    let mut writing = Writing::new(filter, format, words);
    while let Some(page) = writing.next(client).await? {
        out.write_all(page.as_bytes())?;
    }
    out.flush()?;
    Ok(writing.count)
}

/// An export in progress.
pub struct Writing {
    filter: Filter,
    format: Format,
    words: Words,
    zone: TimeZone,
    begun: bool,
    ended: bool,
    /// How many asks were written.
    pub count: u64,
}

impl Writing {
    /// An export of which nothing is written yet.
    pub fn new(filter: Filter, format: Format, words: Words) -> Self {
        Self {
            filter: Filter {
                limit: Some(PAGE),
                ..filter
            },
            format,
            words,
            zone: TimeZone::system(),
            begun: false,
            ended: false,
            count: 0,
        }
    }

    /// The text of the next page; `None` at the end.
    pub async fn next(&mut self, client: &Client) -> anyhow::Result<Option<String>> {
        if self.ended {
            return Ok(None);
        }
        let filter = self.filter.clone();
        let (page, next) = client.list(Request::History { filter }).await?;
        let mut text = self.head();
        for record in &page {
            let is_first = self.count == 0;
            text.push_str(&one(record, is_first, self.format, self.words, &self.zone));
            self.count += 1;
        }
        self.filter.before = Some(next);
        self.ended = next == 0;
        if self.ended && self.format == Format::Json {
            text.push_str(if self.count > 0 { "\n]\n" } else { "]\n" });
        }
        Ok(Some(text))
    }

    fn head(&mut self) -> String {
        match (std::mem::replace(&mut self.begun, true), self.format) {
            (false, Format::Json) => "[".to_owned(),
            (false, Format::Csv) => csv::head(),
            (false, Format::Md) | (true, _) => String::new(),
        }
    }
}

fn one(record: &Record, is_first: bool, format: Format, words: Words, zone: &TimeZone) -> String {
    match format {
        Format::Json => {
            let comma = if is_first { "" } else { "," };
            format!("{comma}\n{}", json_text(&native::Record::from(record)))
        }
        Format::Csv => csv::rows(record),
        Format::Md => {
            let gap = if is_first { "" } else { "\n" };
            format!("{gap}{}", markdown::whole(words, record, zone))
        }
    }
}
