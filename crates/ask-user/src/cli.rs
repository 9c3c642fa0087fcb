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
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_hub::client::Client;
use ask_mcp::offline::orphans;
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
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    Mcp(mcp::Mcp),
    Hub(hub::Hub),
    Ask(ask::Ask),
    List(list::List),
    Show(show::Show),
    Wait(wait::Wait),
    Answer(answer::Answer),
    Decline(answer::Decline),
    Clarify(answer::Clarify),
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
struct McpAlone {
    #[command(flatten)]
    mcp: mcp::Mcp,
}

/// Runs the command line.
pub(crate) fn run() -> anyhow::Result<Exit> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|verb| verb == "mcp") {
        return match McpAlone::try_parse_from(&arguments[1..]) {
            Ok(alone) => alone.mcp.run(Home::find()?),
            Err(said) => explain(&said),
        };
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(said) => return explain(&said),
    };
    let home = Home::find()?;
    match cli.verb {
        None if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() => {
            inbox::Inbox::default().run(&home)
        }
        None => status::brief(&home),
        Some(verb) => match verb {
            Verb::Mcp(verb) => verb.run(home),
            Verb::Hub(verb) => verb.run(&home),
            Verb::Ask(verb) => verb.run(&home),
            Verb::List(verb) => verb.run(&home),
            Verb::Show(verb) => verb.run(&home),
            Verb::Wait(verb) => verb.run(&home),
            Verb::Answer(verb) => verb.run(&home),
            Verb::Decline(verb) => verb.run(&home),
            Verb::Clarify(verb) => verb.run(&home),
            Verb::Snooze(verb) => verb.run(&home),
            Verb::Extend(verb) => verb.run(&home),
            Verb::Inbox(verb) => verb.run(&home),
            Verb::Prompt(verb) => verb.run(&home),
            Verb::Register(verb) => verb.run(&home),
            Verb::Unregister(verb) => verb.run(&home),
            Verb::Pending(verb) => verb.run(&home),
            Verb::Popup(verb) => verb.run(),
            Verb::Notify(verb) => verb.run(&home),
            Verb::Rpc(verb) => verb.run(&home),
            Verb::Status(verb) => verb.run(&home),
            Verb::Watch(verb) => verb.run(&home),
            Verb::Web(verb) => verb.run(&home),
            Verb::Pair(verb) => verb.run(&home),
            Verb::History(verb) => verb.run(&home),
            Verb::Export(verb) => verb.run(&home),
            Verb::Stats(verb) => verb.run(&home),
            Verb::Forget(verb) => verb.run(&home),
            Verb::Doctor(verb) => verb.run(&home),
            Verb::Skill(verb) => verb.run(),
            Verb::Hook(verb) => verb.run(&home),
            Verb::Validate(verb) => verb.run(),
            Verb::Schema(verb) => verb.run(),
            Verb::Completions(verb) => verb.run(),
            Verb::Man(verb) => verb.run(),
            Verb::Docs(verb) => verb.run(&home),
        },
    }
}

/// Prints help and version to standard output, and usage errors to standard error.
fn explain(said: &clap::Error) -> anyhow::Result<Exit> {
    if let Some(failure) = usage::failure(said) {
        return Err(failure.into());
    }
    let plain = said.render().to_string();
    // The message repeats what was typed, which may contain escape sequences. Only a message
    // without any is printed with colours.
    match escape(plain.clone()) {
        safe if safe == plain => said.print()?,
        safe => write!(std::io::stderr(), "{safe}")?,
    }
    Ok(if said.use_stderr() {
        Exit::Usage
    } else {
        Exit::Done
    })
}

/// Runs a future on a single-threaded runtime.
fn on_runtime<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
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
    on_runtime(async { work(connected(home).await?).await })
}

async fn connected(home: &Home) -> anyhow::Result<Client> {
    warn(home);
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
            "ask-user: {}; what was in it is not here; `ask-user doctor` tells more",
            sqlite::describe_set_aside(&place)
        );
    }
}

/// Warns the person of invalid settings. Commands run with the default in their place.
fn warn(home: &Home) {
    for problem in Config::read(&home.config_file()).problems {
        // A warning that can't be printed doesn't stop the command.
        let _ = writeln!(std::io::stderr(), "ask-user: {problem}");
    }
}
