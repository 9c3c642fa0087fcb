//! Exports of the history: JSON, CSV or Markdown. An export is written page by page, so that its
//! memory doesn't grow with the history.

mod csv;
pub mod ends;
pub mod markdown;

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use ask_config::i18n::Words;
use ask_config::{checkout, clock};
use ask_core::Record;
use ask_files::{FileType, LastLink, Mode, Stat};
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
    /// Markdown for people to read.
    Md,
}

/// Records in one page.
const PAGE_SIZE: u64 = 200;

/// Exports to a file that only its owner can read, and returns the number of asks. The file is
/// replaced only after the whole export succeeded. A link at the path is not followed, and in a
/// checkout no link in the path may lead out of it.
pub async fn to_file(
    path: &Path,
    client: &Client,
    filter: Filter,
    format: Format,
    words: Words,
) -> anyhow::Result<u64> {
    let context = || format!("writing {}", path.display());
    let written = async {
        let entry = checkout::named_here(path, LastLink::Kept)?;
        // The file is replaced by renaming, which would remove a device or a pipe.
        if let Ok(found) = entry.metadata()
            && !is_replaceable(&found)
        {
            anyhow::bail!("this is not a file: leave out --output, and redirect the output to it");
        }
        let file = entry.replacement(None, Mode::RUSR | Mode::WUSR)?;
        let mut out = BufWriter::new(&file.file);
        let count = write(&mut out, client, filter, format, words).await?;
        drop(out);
        file.place()?;
        anyhow::Ok(count)
    };
    written.await.with_context(context)
}

fn is_replaceable(found: &Stat) -> bool {
    let kind = FileType::from_raw_mode(found.st_mode);
    matches!(kind, FileType::RegularFile | FileType::Symlink)
}

/// Writes an export, and returns the number of asks.
pub async fn write(
    out: &mut impl Write,
    client: &Client,
    filter: Filter,
    format: Format,
    words: Words,
) -> anyhow::Result<u64> {
    let mut export = Export::new(filter, format, words);
    while let Some(page) = export.next(client).await? {
        out.write_all(page.as_bytes())?;
    }
    out.flush()?;
    Ok(export.count)
}

/// An export in progress.
pub struct Export {
    filter: Filter,
    format: Format,
    words: Words,
    zone: TimeZone,
    has_begun: bool,
    has_ended: bool,
    /// How many asks were written.
    pub count: u64,
}

impl Export {
    /// An export of which nothing is written yet.
    pub fn new(filter: Filter, format: Format, words: Words) -> Self {
        Self {
            filter: Filter {
                limit: Some(PAGE_SIZE),
                ..filter
            },
            format,
            words,
            zone: clock::zone(),
            has_begun: false,
            has_ended: false,
            count: 0,
        }
    }

    /// The text of the next page; `None` at the end.
    pub async fn next(&mut self, client: &Client) -> anyhow::Result<Option<String>> {
        if self.has_ended {
            return Ok(None);
        }
        let filter = self.filter.clone();
        let (page, next) = client.list(Request::History { filter }).await?;
        let mut text = self.header();
        for record in &page {
            let is_first = self.count == 0;
            text.push_str(&serialize_record(
                record,
                is_first,
                self.format,
                self.words,
                &self.zone,
            ));
            self.count += 1;
        }
        self.filter.before = Some(next);
        self.has_ended = next == 0;
        if self.has_ended && self.format == Format::Json {
            text.push_str(if self.count > 0 { "\n]\n" } else { "]\n" });
        }
        Ok(Some(text))
    }

    fn header(&mut self) -> String {
        match (std::mem::replace(&mut self.has_begun, true), self.format) {
            (false, Format::Json) => "[".to_owned(),
            (false, Format::Csv) => csv::header(),
            (false, Format::Md) | (true, _) => String::new(),
        }
    }
}

fn serialize_record(
    record: &Record,
    is_first: bool,
    format: Format,
    words: Words,
    zone: &TimeZone,
) -> String {
    match format {
        Format::Json => {
            let comma = if is_first { "" } else { "," };
            format!("{comma}\n{}", json_text(&native::Record::from(record)))
        }
        Format::Csv => csv::rows(record),
        Format::Md => {
            let gap = if is_first { "" } else { "\n" };
            format!("{gap}{}", markdown::render(words, record, zone))
        }
    }
}
