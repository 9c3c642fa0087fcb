//! Writes the events of `tracing` to `hub.log`, or to the standard error of a server. Each event is
//! one line: the time, the level, the writer, the spans, the text and the fields. None of our
//! events contains what people ask and answer.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ask_core::{SafeText, Time};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{
    self, FmtContext, FormatEvent, FormatFields, FormattedFields, MakeWriter,
};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::{LookupSpan, Scope};

use crate::{clock, home};

/// A log with more bytes than this is rotated. One older log is kept next to it.
const MAX_BYTES: u64 = 1024 * 1024;

/// The shortest time between two lines of a throttled event.
const THROTTLE_MS: u64 = 60_000;

/// Writes events to this file. If it can't be opened, they are dropped.
pub fn to_file(path: &Path) {
    match Rotating::open(path) {
        Ok(file) => write_to(Mutex::new(file), std::process::id().to_string()),
        Err(error) => {
            let said = format!("ask-user: no log is written: {}: {error}\n", path.display());
            // This is seen if the hub has a terminal. `doctor` checks the log file for itself.
            let _ = io::stderr().write_all(said.as_bytes());
        }
    }
}

/// Writes the events of an MCP server to standard error.
pub fn to_stderr() {
    write_to(io::stderr, "MCP".to_owned());
}

fn write_to<W>(writer: W, who: String)
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let wanted = targets(std::env::var("RUST_LOG").ok().as_deref());
    let (targets, invalid) = match wanted {
        Ok(targets) => (targets, None),
        Err(error) => (default_targets(), Some(error)),
    };
    let lines = fmt::layer()
        .event_format(Line { who })
        // Reporting internal errors would panic if standard error is closed.
        .log_internal_errors(false)
        .with_writer(writer);
    let subscriber = tracing_subscriber::registry().with(targets).with(lines);
    // If several hubs run in one process, as in tests, the first one's log gets all events.
    let _ = tracing::subscriber::set_global_default(subscriber);
    if let Some(error) = invalid {
        tracing::warn!("RUST_LOG can't be read: {error}");
    }
}

/// Which events `RUST_LOG` enables. rmcp's events below a warning contain whole messages, with
/// questions and answers, so they are written only if `RUST_LOG` names rmcp.
fn targets(rust_log: Option<&str>) -> Result<Targets, ParseError> {
    match rust_log {
        None | Some("") => Ok(default_targets()),
        Some(wanted) => format!("rmcp=warn,{wanted}").parse(),
    }
}

fn default_targets() -> Targets {
    let debugs = std::env::var("CN_MCP_DEBUG")
        .is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    let level = match debugs {
        true => LevelFilter::DEBUG,
        false => LevelFilter::INFO,
    };
    Targets::new()
        .with_default(level)
        .with_target("rmcp", LevelFilter::WARN)
}

/// The format of a line, and who writes it.
struct Line {
    who: String,
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        let (level, target) = (event.metadata().level(), event.metadata().target());
        let level = level.as_str().to_ascii_lowercase();
        write!(out, "{} {level} [{}] ", clock::now(), self.who)?;
        let mut text = String::new();
        for span in context.event_scope().into_iter().flat_map(Scope::from_root) {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>();
            let fields = fields.map_or("", |fields| fields.as_str());
            write!(text, "{}{{{fields}}}: ", span.name())?;
        }
        if !target.starts_with("ask_") {
            write!(text, "{target}: ")?;
        }
        context.format_fields(Writer::new(&mut text), event)?;
        for character in text.chars() {
            match character.is_control() || SafeText::hides(character) {
                true => write!(out, "{}", character.escape_default())?,
                false => out.write_char(character)?,
            }
        }
        out.write_char('\n')
    }
}

/// A log file that is rotated when it has grown large.
struct Rotating {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Rotating {
    fn open(path: &Path) -> io::Result<Self> {
        let file = home::private_append(path)?;
        let length = file.metadata()?.len();
        let path = path.to_owned();
        let mut log = Self { path, file, length };
        log.rotate();
        Ok(log)
    }

    fn rotate(&mut self) {
        if self.length <= MAX_BYTES {
            return;
        }
        // If that fails, it is tried again only after as many bytes again.
        self.length = 0;
        let before = self.path.with_extension("log.1");
        if std::fs::rename(&self.path, before).is_ok()
            && let Ok(file) = home::private_append(&self.path)
        {
            self.file = file;
        }
    }
}

impl io::Write for Rotating {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.file.write_all(line)?;
        self.length += line.len() as u64;
        self.rotate();
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Limits an event that may happen a thousand times a second to one line a minute.
pub struct Throttle(Mutex<Option<(Time, u64)>>);

impl Default for Throttle {
    fn default() -> Self {
        Self::new()
    }
}

impl Throttle {
    /// A throttle for an event that has not happened yet.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// How many events were left out since the last one was written; `None` if this one must be
    /// left out, too.
    pub fn pass(&self) -> Option<u64> {
        self.pass_at(clock::now())
    }

    fn pass_at(&self, now: Time) -> Option<u64> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *last {
            Some((at, left_out)) if *at <= now && now.since_ms(*at) < THROTTLE_MS => {
                *left_out += 1;
                None
            }
            last => last
                .replace((now, 0))
                .map_or(Some(0), |(_, left_out)| Some(left_out)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_large_log_is_rotated_while_it_is_written() {
        let name = format!("ask-user-log-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("hub.log");
        let mut log = Rotating::open(&path).unwrap();
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..3 * 1024 {
            log.write_all(line.as_bytes()).unwrap();
        }
        log.write_all(b"the last\n").unwrap();
        let length = |path: &Path| std::fs::metadata(path).unwrap().len();
        assert!(
            std::fs::read_to_string(&path)
                .unwrap()
                .ends_with("the last\n")
        );
        assert!(
            length(&path) <= MAX_BYTES && length(&path.with_extension("log.1")) <= MAX_BYTES + 1024
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_frequent_event_is_written_once_a_minute() {
        let throttle = Throttle::new();
        assert_eq!(throttle.pass_at(Time(1_000)), Some(0));
        for ms in 1_000..1_060 {
            assert_eq!(throttle.pass_at(Time(ms)), None);
        }
        assert_eq!(throttle.pass_at(Time(61_000)), Some(60));
        assert_eq!(throttle.pass_at(Time(5)), Some(0), "the clock was set back");
    }

    /// The lines that are written for events, without the time.
    fn written(targets: Targets, happens: impl FnOnce()) -> Vec<String> {
        let out = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&out);
        let who = "7".to_owned();
        let lines = fmt::layer()
            .event_format(Line { who })
            .with_writer(move || Shared(Arc::clone(&into)));
        let subscriber = tracing_subscriber::registry().with(targets).with(lines);
        tracing::subscriber::with_default(subscriber, happens);
        let text = String::from_utf8(out.lock().unwrap().clone()).unwrap();
        let without_time = |line: &str| line.split_once(' ').unwrap().1.to_owned();
        text.lines().map(without_time).collect()
    }

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Shared {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(text)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_event_is_one_line_with_its_spans_and_fields() {
        let lines = written(targets(Some("info")).unwrap(), || {
            let call = tracing::info_span!("call", request = 3, ask = tracing::field::Empty);
            let _in = call.enter();
            call.record("ask", "a\n1");
            tracing::warn!(left_out = 2, "two\nlines \u{1b}[31m \u{202e}");
            tracing::debug!("nobody wanted that");
        });
        let line =
            r#"warn [7] call{request=3 ask="a\n1"}: two\nlines \x1b[31m \u{202e} left_out=2"#;
        assert_eq!(lines, [line]);
    }

    #[test]
    fn events_with_whole_messages_are_written_only_if_they_are_named() {
        let happens = || {
            tracing::debug!(target: "rmcp::service", "a message");
            tracing::warn!(target: "rmcp::service", "a warning");
            tracing::debug!(target: "ask_hub", "ours");
        };
        let all = targets(Some("trace")).unwrap();
        let ours = ["warn [7] rmcp::service: a warning", "debug [7] ours"];
        assert_eq!(written(all, happens), ours);
        let named = written(targets(Some("rmcp=debug")).unwrap(), happens);
        assert_eq!(named[0], "debug [7] rmcp::service: a message");
        assert!(targets(Some("ask_hub=loud")).is_err());
    }
}
