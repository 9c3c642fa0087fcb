//! `ask-user prompt`: one call in, one reply out.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;
use std::time::Duration;

use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::{Record, SafeText};
use ask_dialects::{Dialect, Word, pi};
use ask_hub::client::{Client, Waiter};
use ask_hub::streams::Lines;
use ask_mcp::find_dialect;
use ask_mcp::offline::pending_file;
use ask_protocol::Reply;
use ask_tui::tui::{self, StartupProblems};
use ask_tui::{Mode, SurfaceEnd, plain};
use ask_web::embed;
use ask_web::embed::stream::Out;
use clap::{Args, ValueEnum};
use rustix::termios::QueueSelector;

use super::pending::print;
use super::{answer, ask, inbox, input, style};

/// Read one call, ask it on this terminal, and print the reply
#[derive(Args)]
#[command(
    after_help = "Standard output carries the reply alone; the question is drawn on the terminal itself."
)]
pub(crate) struct Prompt {
    /// The call as JSON, at most 1 MB; `-` is standard input, or with --mode rpc its first line
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
    /// The dialect of the call and its reply
    #[arg(long, value_name = "NAME", default_value = "native")]
    dialect: String,
    /// Where to ask; auto uses the terminal if there is one, otherwise the pending file
    #[arg(long, value_enum, default_value_t = How::Auto)]
    mode: How,
    /// The answers, instead of asking: a JSON list in the order of the questions, or native answers
    #[arg(long, value_name = "JSON")]
    answers: Option<String>,
    /// Print the whole MCP tool result, including what the reply's own format leaves out
    #[arg(long)]
    result: bool,
}

/// The format of the reply.
#[derive(Clone, Copy)]
pub(crate) struct OutputFormat {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// Whether to print the whole tool result, with what the dialect's reply leaves out.
    pub whole: bool,
}

impl OutputFormat {
    /// A reply as it is printed.
    pub(crate) fn line(self, reply: Reply) -> String {
        match self.whole {
            true => reply.result(),
            false => reply.printed(),
        }
    }

    fn record_text(self, record: &Record) -> String {
        self.line(style::reply(self.dialect, record))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    Auto,
    Tui,
    Plain,
    Pending,
    Rpc,
}

impl Prompt {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::on_runtime(self.serve(home))
    }

    async fn serve(self, home: &Home) -> anyhow::Result<Exit> {
        let dialect = find_dialect(&self.dialect)?;
        let voice = OutputFormat {
            dialect,
            whole: self.result,
        };
        let mut host = (self.mode == How::Rpc).then(embed::read_stdin);
        let text = self.read(host.as_mut()).await?;
        let (record, _) = match ask::read_call(dialect, &text) {
            Ok(read) => read,
            Err(refused) => {
                let line = voice.line(Reply::error(refused));
                writeln!(std::io::stdout(), "{line}")?;
                return Ok(Exit::Failure);
            }
        };
        let how = match self.mode {
            How::Auto if terminal().is_err() => How::Pending,
            How::Auto if inbox::wants_plain() => How::Plain,
            How::Auto => How::Tui,
            chosen => chosen,
        };
        let config = Config::read(&home.config_file()).config;
        let client = super::connected(home).await?;
        // A pending file is accepted as a call, and stands for its ask.
        let path = Some(Path::new(&self.file)).filter(|path| *path != Path::new("-"));
        let record = match pending_file::find(&client, path, &text).await? {
            Some(known) if known.dialect == record.dialect => known,
            Some(_) | None => record,
        };
        match (&self.answers, host) {
            (Some(text), _) => {
                let draft = answer::answers(&record.ask, text)?;
                print::answered(&client, voice, record, draft).await
            }
            (None, None) if how == How::Pending => print::pass(&client, voice, record).await,
            (None, host) => {
                let asked = record.clone();
                let exit = match host {
                    Some(host) => converse(&client, voice, record, host).await,
                    None => self.ask(&client, voice, record, how, &config).await,
                }?;
                print::print_outcome(&client, voice, &asked).await?;
                Ok(exit)
            }
        }
    }

    async fn read(&self, host: Option<&mut Lines>) -> anyhow::Result<String> {
        match (self.file.as_str(), host) {
            ("-", Some(host)) => {
                let first = host.next().await?;
                let line = first.map(|line| line.bytes).unwrap_or_default();
                Ok(String::from_utf8_lossy(&line).into_owned())
            }
            ("-", None) => input::standard(),
            (file, _) => input::file(file).map_err(|error| match is_absent(&error) {
                true => no_file(file).into(),
                false => error,
            }),
        }
    }

    /// Asks on the terminal, and waits for the outcome from any surface.
    async fn ask(
        &self,
        client: &Client,
        voice: OutputFormat,
        record: Record,
        how: How,
        config: &Config,
    ) -> anyhow::Result<Exit> {
        // Without a terminal no ask is opened, because nobody would see it.
        terminal()?;
        let mut waiting = client.ask(record, true).await?;
        let Some(id) = waiting.id() else {
            let record = waiting.outcome().await?.record;
            return tell(client, voice, &record).await;
        };
        let mode = Mode::One(id.clone());
        let shown = async {
            let drawn = match how == How::Plain {
                true => SurfaceEnd::SwitchToPlain,
                false => {
                    tui::run(
                        client.clone(),
                        mode.clone(),
                        tui::Target::Tty,
                        config,
                        StartupProblems::default(),
                    )
                    .await?
                }
            };
            if drawn == SurfaceEnd::SwitchToPlain {
                let (reading, writing) = (terminal()?, terminal()?);
                let reading = BufReader::new(reading);
                let stdio = plain::Stdio {
                    input_is_terminal: true,
                    output_is_terminal: true,
                };
                plain::run(
                    client.clone(),
                    mode.clone(),
                    reading,
                    writing,
                    stdio,
                    config,
                )
                .await
            } else {
                anyhow::Ok(drawn)
            }
        };
        let ended = tokio::select! {
            ended = shown => ended?,
            ended = elsewhere(&mut waiting) => ended,
            // The program that called this one is gone, and its terminal may be used by another.
            () = orphaned() => SurfaceEnd::Left,
        };
        drop(waiting);
        let record = match ended {
            SurfaceEnd::Answered(record)
            | SurfaceEnd::Declined(record)
            | SurfaceEnd::Clarify(record)
            | SurfaceEnd::ClosedElsewhere(record) => *record,
            SurfaceEnd::Left | SurfaceEnd::Quit | SurfaceEnd::SwitchToPlain => match mode {
                Mode::One(id) => client.get(id.as_str()).await?,
                Mode::Inbox | Mode::Next => return Ok(Exit::Waiting),
            },
        };
        tell(client, voice, &record).await
    }
}

fn is_absent(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// The failure where the argument names no file: it may be a call.
fn no_file(argument: &str) -> Failure {
    let is_call = argument.trim_start().starts_with(['{', '[']);
    let (what, hint) = match is_call {
        true => (
            "FILE is the name of a file, and this is a call".to_owned(),
            "give the call on standard input: ask-user prompt <<< '{…}'; `ask-user validate` checks it without asking",
        ),
        false => (
            format!("there is no file {}", SafeText::line(argument)),
            "give a file that holds the call as JSON, or the call on standard input; `ask-user schema` prints what a call may hold",
        ),
    };
    Failure::new(Exit::Usage, what, hint)
}

/// Shows an answer from another surface for a while, and then continues without a key press: the
/// person may be away from this terminal.
async fn elsewhere(waiting: &mut Waiter) -> SurfaceEnd {
    let Ok(ended) = waiting.outcome().await else {
        // The surface receives the error too, and reports it.
        return std::future::pending().await;
    };
    // The timeout is the point: the notice is shown for this long.
    let _ = tokio::time::timeout(NOTICE, std::future::pending::<()>()).await;
    if let Ok(terminal) = terminal() {
        // Keys that were typed for the question must not reach the next program.
        rustix::termios::tcflush(&terminal, QueueSelector::IFlush).ok();
    }
    SurfaceEnd::ClosedElsewhere(Box::new(ended.record))
}

/// Resolves when the parent process is gone. If it was killed, nothing else tells.
async fn orphaned() {
    let parent = std::os::unix::process::parent_id();
    let mut look = tokio::time::interval(Duration::from_secs(1));
    while std::os::unix::process::parent_id() == parent {
        look.tick().await;
    }
}

/// How long the notice is shown.
const NOTICE: Duration = Duration::from_secs(5);

/// Asks through the program on the standard streams and on all surfaces. If the program ends
/// without an answer, the ask stays open, and the same call continues it.
async fn converse(
    client: &Client,
    voice: OutputFormat,
    record: Record,
    mut host: Lines,
) -> anyhow::Result<Exit> {
    let (out, _) = Out::stdout();
    let mut waiting = client.ask(record.clone(), true).await?;
    let Some(id) = waiting.id() else {
        let record = waiting.outcome().await?.record;
        return tell(client, voice, &record).await;
    };
    let record = client.get(id.as_str()).await?;
    if let Some(closed) = embed::show_one(client, out, &record, waiting, &mut host).await? {
        return tell(client, voice, &closed).await;
    }
    let reply = match voice.dialect.name() {
        "pi" => pi::lost_reply().for_record(&record),
        _ => voice.dialect.write(Word::Open(&record)),
    };
    writeln!(std::io::stdout(), "{}", voice.line(reply))?;
    writeln!(
        std::io::stderr(),
        "The program ended without an answer; the question stays open as {}, and the same call \
         takes it up again.",
        record.id
    )?;
    Ok(Exit::Waiting)
}

/// Prints the reply, and acknowledges the outcome's delivery.
pub(crate) async fn tell(
    client: &Client,
    voice: OutputFormat,
    record: &Record,
) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout();
    writeln!(out, "{}", voice.record_text(record))?;
    if record.is_open() {
        return Ok(Exit::Waiting);
    }
    out.flush()?;
    client.delivered(record).await?;
    Ok(style::exit(record))
}

fn terminal() -> anyhow::Result<File> {
    let opened = OpenOptions::new().read(true).write(true).open("/dev/tty");
    opened.map_err(|_| {
        Failure::new(
            Exit::Usage,
            "there is no terminal to ask on",
            "run this in a terminal, or use --mode pending, --mode rpc or --answers",
        )
        .into()
    })
}
