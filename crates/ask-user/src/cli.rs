//! The command line: one table of commands, from which the parser, the help, the man page,
//! completions and `docs/reference/cli.md` are generated. Each command has a file.

pub(crate) mod answer;
pub(crate) mod ask;
pub(crate) mod completions;
pub(crate) mod docs;
pub(crate) mod doctor;
pub(crate) mod duration;
pub(crate) mod export;
pub(crate) mod forget;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod hub;
pub(crate) mod inbox;
pub(crate) mod input;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod notify;
pub(crate) mod number;
pub(crate) mod pair;
pub(crate) mod pending;
pub(crate) mod popup;
pub(crate) mod prompt;
pub(crate) mod register;
pub(crate) mod return_after;
pub(crate) mod rpc;
pub(crate) mod schema;
pub(crate) mod select;
pub(crate) mod show;
pub(crate) mod skill;
pub(crate) mod snooze;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod style;
pub(crate) mod unregister;
pub(crate) mod usage;
pub(crate) mod validate;
pub(crate) mod wait;
pub(crate) mod watch;
pub(crate) mod web;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};

use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_hub::client::Client;
use ask_mcp::orphans;
use ask_protocol::escape;
use ask_store::sqlite;
use clap::{Parser, Subcommand};

/// One way for any coding agent to ask its human, one place for the human to answer
#[derive(Parser)]
#[command(
    name = "ask-user",
    version,
    max_term_width = 100,
    after_help = "IDs may be shortened to any beginning of 4 characters or more; `latest` is the newest ask that waits, or the newest of all if none waits."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Mcp(mcp::Mcp),
    Hub(hub::Hub),
    Ask(ask::Ask),
    List(list::List),
    Show(show::Show),
    Wait(wait::Wait),
    Answer(answer::Answer),
    Decline(answer::Decline),
    Clarify(answer::Clarify),
    TakeBack(answer::TakeBack),
    Snooze(snooze::Snooze),
    Extend(snooze::Extend),
    Inbox(inbox::Inbox),
    Prompt(prompt::Prompt),
    Register(register::Register),
    Unregister(unregister::Unregister),
    Pending(pending::Pending),
    Popup(popup::Popup),
    Notify(notify::Notify),
    Rpc(rpc::Rpc),
    Status(status::Status),
    Watch(watch::Watch),
    Web(web::Web),
    Pair(pair::Pair),
    History(history::History),
    Export(export::Export),
    Stats(stats::Stats),
    Forget(forget::Forget),
    Doctor(doctor::Doctor),
    Skill(skill::Skill),
    Hook(hook::Hook),
    Validate(validate::Validate),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::Man),
    Docs(docs::Docs),
}

// Agents start this one command again and again, so it is parsed without building the others.
#[derive(Parser)]
#[command(
    name = "ask-user mcp",
    bin_name = "ask-user mcp",
    about = "Serve one agent over MCP on standard input and output",
    max_term_width = 100
)]
struct McpCli {
    #[command(flatten)]
    mcp: mcp::Mcp,
}

/// Runs the command line.
pub(crate) fn run() -> anyhow::Result<Exit> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|verb| verb == "mcp") {
        return match McpCli::try_parse_from(&arguments[1..]) {
            Ok(cli) => cli.mcp.run(Home::find()?),
            Err(error) => print_clap_message(&error),
        };
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return print_clap_message(&error),
    };
    let home = Home::find()?;
    match cli.command {
        None if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() => {
            inbox::Inbox::default().run(&home)
        }
        None => status::print_overview(&home),
        Some(command) => match command {
            Command::Mcp(command) => command.run(home),
            Command::Hub(command) => command.run(&home),
            Command::Ask(command) => with_reader(command.run(&home)),
            Command::List(command) => command.run(&home),
            Command::Show(command) => command.run(&home),
            Command::Wait(command) => with_reader(command.run(&home)),
            Command::Answer(command) => command.run(&home),
            Command::Decline(command) => command.run(&home),
            Command::Clarify(command) => command.run(&home),
            Command::TakeBack(command) => command.run(&home),
            Command::Snooze(command) => command.run(&home),
            Command::Extend(command) => command.run(&home),
            Command::Inbox(command) => command.run(&home),
            Command::Prompt(command) => with_reader(command.run(&home)),
            Command::Register(command) => command.run(&home),
            Command::Unregister(command) => command.run(&home),
            Command::Pending(command) => command.run(&home),
            Command::Popup(command) => command.run(),
            Command::Notify(command) => command.run(&home),
            Command::Rpc(command) => command.run(&home),
            Command::Status(command) => command.run(&home),
            Command::Watch(command) => command.run(&home),
            Command::Web(command) => command.run(&home),
            Command::Pair(command) => command.run(&home),
            Command::History(command) => command.run(&home),
            Command::Export(command) => command.run(&home),
            Command::Stats(command) => command.run(&home),
            Command::Forget(command) => command.run(&home),
            Command::Doctor(command) => command.run(&home),
            Command::Skill(command) => command.run(),
            Command::Hook(command) => command.run(&home),
            Command::Validate(command) => command.run(),
            Command::Schema(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Docs(command) => command.run(&home),
        },
    }
}

/// The result of a command that prints an outcome. If nobody reads that, exit code 0 would tell a
/// script that the person has answered.
fn with_reader(result: anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    result.map_err(|error| match crate::is_closed_pipe(&error) {
        true => Failure::plain(
            Exit::Failure,
            "nobody reads the output: `ask-user list` has the question, and its outcome is kept for `ask-user wait ID`",
        )
        .into(),
        false => error,
    })
}

/// Prints help and version to standard output, and usage errors to standard error.
fn print_clap_message(error: &clap::Error) -> anyhow::Result<Exit> {
    if let Some(failure) = usage::failure(error) {
        return Err(failure.into());
    }
    let text = error.render().to_string();
    // The message repeats what was typed, which may contain escape sequences. Only a message
    // without any is printed with colours.
    match escape(text.clone()) {
        safe if safe == text => error.print()?,
        safe => write!(std::io::stderr(), "{safe}")?,
    }
    Ok(if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Done
    })
}

/// Runs a future on a single-threaded runtime.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(work);
    // Doesn't wait for a thread that still reads a terminal.
    runtime.shutdown_background();
    result
}

/// Runs a future with a connection to the hub.
fn with_hub<T, F>(home: &Home, work: impl FnOnce(Client) -> F) -> anyhow::Result<T>
where
    F: Future<Output = anyhow::Result<T>>,
{
    block_on(async { work(connect(home).await?).await })
}

/// Connects to the hub, and hands it the asks that agents left without one.
async fn connect(home: &Home) -> anyhow::Result<Client> {
    warn_of_settings(home);
    let client = Client::connect(home).await?;
    orphans::move_all(home, &client).await;
    Ok(client)
}

/// Warns the person that asks may be missing after a damaged store was set aside.
fn warn_of_damage(home: &Home) {
    if let Some(place) = sqlite::set_aside(&home.store_file()).pop() {
        // A warning that can't be printed doesn't stop the command.
        let _ = writeln!(
            std::io::stderr(),
            "ask-user: {}; its asks are not here; `ask-user doctor` tells more",
            sqlite::describe_set_aside(&place)
        );
    }
}

/// Warns the person of invalid settings. Commands run with the default in their place.
fn warn_of_settings(home: &Home) {
    for problem in Config::read(&home.config_file()).problems {
        // A warning that can't be printed doesn't stop the command.
        let _ = writeln!(std::io::stderr(), "ask-user: {problem}");
    }
}
