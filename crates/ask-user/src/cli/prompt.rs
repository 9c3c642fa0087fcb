//! `ask-user prompt`: one call in, one reply out.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;
use std::time::Duration;

use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::{Record, Role, SafeText};
use ask_dialects::{Dialect, Word, pi};
use ask_hub::client::{Client, Waiter};
use ask_hub::streams::Lines;
use ask_mcp::find_dialect;
use ask_mcp::pending_file;
use ask_protocol::Reply;
use ask_tui::tui::{self, StartupProblems};
use ask_tui::{Mode, SurfaceEnd, plain};
use ask_web::embed;
use ask_web::embed::stream::Out;
use clap::{Args, ValueEnum};
use rustix::termios::QueueSelector;

use super::pending::{changed_file, print};
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
    #[arg(long, value_enum, default_value_t = PromptMode::Auto)]
    mode: PromptMode,
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
    /// The dialect of the reply.
    pub dialect: &'static dyn Dialect,
    /// Whether to print the whole tool result, with what the dialect's reply leaves out.
    pub whole_result: bool,
}

impl OutputFormat {
    /// Renders a reply as it is printed.
    pub(crate) fn render(self, reply: Reply) -> String {
        if self.whole_result {
            reply.result()
        } else {
            reply.printed()
        }
    }

    fn render_record(self, record: &Record) -> String {
        self.render(style::reply(self.dialect, record))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PromptMode {
    Auto,
    Tui,
    Plain,
    Pending,
    Rpc,
}

impl Prompt {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::block_on(self.serve(home))
    }

    async fn serve(self, home: &Home) -> anyhow::Result<Exit> {
        let dialect = find_dialect(&self.dialect)?;
        let format = OutputFormat {
            dialect,
            whole_result: self.result,
        };
        let mut host = (self.mode == PromptMode::Rpc).then(embed::read_stdin);
        let text = self.read(host.as_mut()).await?;
        let (record, _) = match ask::read_call(dialect, &text, Some(Role::Surface)) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                let line = format.render(Reply::error(refusal));
                writeln!(std::io::stdout(), "{line}")?;
                return Ok(Exit::Failure);
            }
        };
        let chosen = match self.mode {
            PromptMode::Auto if open_terminal().is_err() => PromptMode::Pending,
            PromptMode::Auto if inbox::wants_plain() => PromptMode::Plain,
            PromptMode::Auto => PromptMode::Tui,
            mode => mode,
        };
        let config = Config::read(&home.config_file()).config;
        let client = super::connect(home).await?;
        // A pending file is accepted as a call: it continues its ask.
        let path = Some(Path::new(&self.file)).filter(|path| *path != Path::new("-"));
        let record = match pending_file::find(&client, path, &text).await? {
            Some(mut known) if known.dialect == record.dialect => {
                if let (Some(path), true) = (path, self.answers.is_some()) {
                    pi::check_pending(&known.ask, &text)
                        .map_err(|problem| changed_file(path, &problem))?;
                }
                // This process asks now, and not the one that wrote the file.
                known.asker = record.asker;
                known
            }
            Some(_) | None => record,
        };
        match (&self.answers, host) {
            (Some(text), _) => {
                let draft = answer::parse_answers(&record.ask, text)?;
                print::send_answers(&client, format, record, draft).await
            }
            (None, None) if chosen == PromptMode::Pending => {
                print::run(&client, format, record).await
            }
            (None, host) => {
                let asked = record.clone();
                let exit = match host {
                    Some(host) => ask_host(&client, format, record, host).await,
                    None => self.ask(&client, format, record, chosen, &config).await,
                }?;
                print::remove_closed(&client, format, &asked).await?;
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
            ("-", None) => input::read_stdin(),
            (file, _) => input::read_file(file).map_err(|error| match is_not_found(&error) {
                true => no_file_error(file).into(),
                false => error,
            }),
        }
    }

    /// Asks on the terminal, and waits for the outcome from any surface.
    async fn ask(
        &self,
        client: &Client,
        format: OutputFormat,
        record: Record,
        chosen: PromptMode,
        config: &Config,
    ) -> anyhow::Result<Exit> {
        // Without a terminal no ask is opened, because nobody would see it.
        open_terminal()?;
        let mut waiting = client.ask(record, true).await?;
        let Some(id) = waiting.id() else {
            let record = waiting.outcome().await?.record;
            return deliver(client, format, &record).await;
        };
        let mode = Mode::One(id.clone());
        let surface = async {
            let drawn = match chosen == PromptMode::Plain {
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
                let (reading, writing) = (open_terminal()?, open_terminal()?);
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
            ended = surface => ended?,
            ended = closed_elsewhere(&mut waiting) => ended,
            // The program that called this one is gone, and its terminal may be used by another.
            () = parent_ended() => SurfaceEnd::Left,
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
        deliver(client, format, &record).await
    }
}

fn is_not_found(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// The error for an argument that names no file. It may be a call.
fn no_file_error(argument: &str) -> Failure {
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
async fn closed_elsewhere(waiting: &mut Waiter) -> SurfaceEnd {
    let Ok(ended) = waiting.outcome().await else {
        // The surface receives the error too, and reports it.
        return std::future::pending().await;
    };
    // This waits for the timeout: the notice is shown for this long.
    let _ = tokio::time::timeout(NOTICE_TIME, std::future::pending::<()>()).await;
    if let Ok(terminal) = open_terminal() {
        // Keys that were typed for the question must not reach the next program.
        rustix::termios::tcflush(&terminal, QueueSelector::IFlush).ok();
    }
    SurfaceEnd::ClosedElsewhere(Box::new(ended.record))
}

/// Resolves when the parent process is gone. If that was killed, there is no other sign of it.
async fn parent_ended() {
    let parent = std::os::unix::process::parent_id();
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    while std::os::unix::process::parent_id() == parent {
        ticks.tick().await;
    }
}

/// How long the notice is shown.
const NOTICE_TIME: Duration = Duration::from_secs(5);

/// Asks through the program on the standard streams and on all surfaces. If the program ends
/// without an answer, the ask stays open, and the same call continues it.
async fn ask_host(
    client: &Client,
    format: OutputFormat,
    record: Record,
    mut host: Lines,
) -> anyhow::Result<Exit> {
    let (out, _) = Out::stdout();
    let mut waiting = client.ask(record.clone(), true).await?;
    let Some(id) = waiting.id() else {
        let record = waiting.outcome().await?.record;
        return deliver(client, format, &record).await;
    };
    let record = client.get(id.as_str()).await?;
    if let Some(closed) = embed::show_one(client, out, &record, waiting, &mut host).await? {
        return deliver(client, format, &closed).await;
    }
    let reply = match format.dialect.name() {
        "pi" => pi::lost_reply().for_record(&record),
        _ => format.dialect.write(Word::Open(&record)),
    };
    writeln!(std::io::stdout(), "{}", format.render(reply))?;
    writeln!(
        std::io::stderr(),
        "The program ended without an answer; the question stays open as {}, and the same call \
         takes it up again.",
        record.id
    )?;
    Ok(Exit::Waiting)
}

/// Prints the reply, and acknowledges the outcome's delivery.
pub(crate) async fn deliver(
    client: &Client,
    format: OutputFormat,
    record: &Record,
) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout();
    writeln!(out, "{}", format.render_record(record))?;
    if record.is_open() {
        return Ok(Exit::Waiting);
    }
    out.flush()?;
    style::warn_of_agent(&mut std::io::stderr(), record)?;
    client.delivered(record).await?;
    Ok(style::exit_code(record))
}

fn open_terminal() -> anyhow::Result<File> {
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
