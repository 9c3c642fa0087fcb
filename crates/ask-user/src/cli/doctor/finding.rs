//! The result of a check, and the report for a person or a program.

use std::io::{IsTerminal, Write};
use std::path::Path;

use ask_config::exit::Exit;
use ask_core::{Json, SafeText};
use ask_protocol::json_text;

/// The result of a check.
pub(crate) struct Finding {
    /// The name of the check.
    check: &'static str,
    /// The key of the client, for programs. For people, its name is in the text.
    client: Option<String>,
    severity: Severity,
    /// What was found and where.
    message: String,
    /// The command or edit that fixes it.
    mend: Option<String>,
}

/// How severe a finding is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    Fine,
    /// Everything works, but the person should know.
    Warn,
    Fail,
}

impl Finding {
    /// A check that succeeded.
    pub(crate) fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(check, Severity::Fine, message)
    }

    /// A check that succeeded, with something that the person should know.
    pub(crate) fn warn(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(check, Severity::Warn, message)
    }

    /// A check that failed.
    pub(crate) fn fail(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(check, Severity::Fail, message)
    }

    /// A failed check from another part's error: what happened, and below it what to do.
    pub(crate) fn failed(check: &'static str, error: &anyhow::Error) -> Self {
        let text = format!("{error:#}");
        let (message, hint) = text.split_once("\n").unwrap_or((&text, ""));
        let mut finding = Self::fail(check, message.trim());
        finding.mend = Some(hint.trim().to_owned()).filter(|hint| !hint.is_empty());
        finding
    }

    /// Adds a fix, unless the finding has one.
    pub(crate) fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend.get_or_insert_with(|| mend.into());
        self
    }

    /// Marks the finding as one about this client.
    pub(crate) fn for_client(mut self, client: &str) -> Self {
        self.client = Some(client.to_owned());
        self
    }

    fn new(check: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            check,
            client: None,
            severity,
            message: message.into(),
            mend: None,
        }
    }

    fn json(&self) -> Json {
        let text = |text: &str| Json::from(text);
        let mend = self.mend.as_deref().map_or(Json::Null, text);
        let client = self.client.as_deref().map(|key| ("client", text(key)));
        let fields = [
            ("check", text(self.check)),
            ("state", text(self.severity.state())),
            ("said", text(&self.message)),
            ("mend", mend),
        ];
        fields.into_iter().chain(client).collect()
    }
}

impl Severity {
    fn state(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }

    /// The mark at the beginning of a line. It is distinct without colour, too.
    fn label(self, colours: bool) -> String {
        let (word, colour) = match self {
            Self::Fine => ("ok  ", 32),
            Self::Warn => ("warn", 33),
            Self::Fail => ("FAIL", 31),
        };
        if colours {
            format!("\x1b[1;{colour}m{word}\x1b[0m")
        } else {
            word.to_owned()
        }
    }
}

/// All findings. A person sees each line at once, because some checks take long.
pub(crate) struct Report {
    findings: Vec<Finding>,
    as_json: bool,
    colours: bool,
}

/// The width of the longest check's name and a gap.
const NAME_WIDTH: usize = 12;

impl Report {
    /// An empty report.
    pub(crate) fn new(as_json: bool) -> Self {
        let no_colour = std::env::var("NO_COLOR").is_ok_and(|value| !value.is_empty());
        Self {
            findings: Vec::new(),
            as_json,
            colours: std::io::stdout().is_terminal() && !no_colour,
        }
    }

    /// Adds a finding, and prints it unless the report is JSON.
    pub(crate) fn add(&mut self, finding: Finding) -> anyhow::Result<()> {
        if !self.as_json {
            let mut out = std::io::stdout();
            let severity = finding.severity.label(self.colours);
            writeln!(
                out,
                "{severity}  {:NAME_WIDTH$}{}",
                finding.check,
                SafeText::line(&finding.message)
            )?;
            if let Some(mend) = &finding.mend {
                for (at, line) in mend.lines().enumerate() {
                    let label = if at == 0 { "  mend:" } else { "" };
                    writeln!(out, "      {label:NAME_WIDTH$}{}", SafeText::line(line))?;
                }
            }
        }
        self.findings.push(finding);
        Ok(())
    }

    /// Prints the summary, or everything as JSON.
    pub(crate) fn end(self) -> anyhow::Result<Exit> {
        let count = |severity| {
            let alike = self
                .findings
                .iter()
                .filter(|finding| finding.severity == severity);
            alike.count()
        };
        let (failed, warned) = (count(Severity::Fail), count(Severity::Warn));
        let mut out = std::io::stdout();
        if self.as_json {
            let checks: Vec<Json> = self.findings.iter().map(Finding::json).collect();
            let all = [("ok", Json::from(failed == 0)), ("checks", checks.into())];
            writeln!(out, "{}", json_text(&Json::from_iter(all)))?;
        } else {
            let warnings = match warned {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                many => format!(", {many} warnings"),
            };
            match failed {
                0 => writeln!(out, "\nAll is well{warnings}.")?,
                1 => writeln!(out, "\n1 check failed{warnings}.")?,
                many => writeln!(out, "\n{many} checks failed{warnings}.")?,
            }
        }
        Ok(match failed {
            0 => Exit::Done,
            _ => Exit::Failure,
        })
    }
}

/// A path quoted for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(&byte);
    match text.bytes().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
