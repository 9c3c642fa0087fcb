//! `ask-user export`: the history as a file.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use ask_config::config::Config;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_config::i18n::Words;
use ask_core::SafeText;
use ask_hub::surface::export::{self, Format};
use clap::{Args, ValueEnum};

use super::select::FilterArgs;

/// Write what was asked and answered to a file or to standard output, newest first
#[derive(Args)]
pub(crate) struct Export {
    /// The format: JSON with everything, CSV with a row for each question, or Markdown for readers
    #[arg(long, value_enum, default_value_t = FormatArg::Json)]
    format: FormatArg,
    #[command(flatten)]
    filter: FilterArgs,
    /// The file to write; an existing file is replaced only after everything is written
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The formats, as they are named on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    /// A JSON array of records.
    Json,
    /// A row for each question, for spreadsheets.
    Csv,
    /// Markdown for readers.
    Md,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Json => Self::Json,
            FormatArg::Csv => Self::Csv,
            FormatArg::Md => Self::Md,
        }
    }
}

impl Export {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let filter = self.filter.into_filter()?;
        let words = Words::of_person(Config::read(&home.config_file()).config.language);
        let format = self.format.into();
        let output = self.output.filter(|path| path.as_os_str() != "-");
        super::with_hub(home, async |client| {
            let Some(path) = &output else {
                let mut out = BufWriter::new(std::io::stdout().lock());
                export::write(&mut out, &client, filter, format, words).await?;
                return Ok(());
            };
            let count = export::to_file(path, &client, filter, format, words).await?;
            let asks = if count == 1 { "ask" } else { "asks" };
            let path = SafeText::path(path);
            writeln!(std::io::stderr(), "{count} {asks} in {path}")?;
            Ok(())
        })?;
        Ok(Exit::Done)
    }
}
