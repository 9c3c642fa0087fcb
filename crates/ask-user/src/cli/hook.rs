//! `ask-user hook`: what a client runs in place of its own question tool.
//!
//! A hook never blocks its client. Whatever it can't parse or can't ask, it reports on standard
//! error and leaves to the client's own dialog, with exit code 0, because a client may take any
//! other code for a refusal.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::{asker, clock};
use ask_core::{AskId, Asker, Caller, Record, Role, SafeText, lifecycle};
use ask_dialects::hook::{self, Asked, Closed, HookEvent};
use ask_hub::client::{Client, Settled, Waiter};
use ask_hub::streams::{self, Lines};
use ask_mcp::find_dialect;
use ask_protocol::escape;
use ask_protocol::ipc::{MAX_LINE_BYTES, Verdict};
use clap::Args;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::time::Instant;

use super::input;

/// Take over a client's own question tool (run by the client)
#[derive(Args)]
#[command(
    after_help = "claude-code is a PreToolUse hook for AskUserQuestion; opencode is what the plugin extensions/opencode/ask-user.js talks to. docs/how-to/replace-question-tools.md says how each is set up."
)]
pub(crate) struct Hook {
    /// The client: claude-code or opencode
    #[arg(required_unless_present = "hand_back")]
    client: Option<String>,
    /// Return an ask that was taken over to its client's own dialog
    #[arg(long, value_name = "ID", conflicts_with = "client")]
    hand_back: Option<String>,
}

type Takeover = &'static dyn hook::Hook;

/// How long to wait for the hub to notice that a hook has ended.
const HOOK_END_LIMIT: Duration = Duration::from_secs(5);
const HOOK_END_PAUSE: Duration = Duration::from_millis(50);

const ALREADY_CLOSED: &str = "the question is over already";

impl Hook {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if let Some(id) = &self.hand_back {
            return hand_back(home, id);
        }
        let name = self.client.unwrap_or_default();
        let Some(takeover) = hook::find(&name) else {
            let names: Vec<&str> = hook::HOOKS.iter().map(|hook| hook.name()).collect();
            return Err(Failure::new(
                Exit::Failure,
                format!("there is no hook for \"{name}\""),
                format!("known are {}", names.join(" and ")),
            )
            .into());
        };
        if std::io::stdin().is_terminal() {
            return Err(Failure::new(
                Exit::Failure,
                format!("{name} runs this command itself and passes it the question"),
                "docs/how-to/replace-question-tools.md says how it is set up",
            )
            .into());
        }
        let served = match takeover.is_lines() {
            true => super::block_on(serve_lines(home, takeover)),
            false => super::block_on(serve_one(home, takeover)),
        };
        if let Err(why) = served {
            let why = format!("{why:#}");
            writeln!(
                std::io::stderr(),
                "ask-user hook {name}: not taken over, the question is left to {name} itself: {}",
                SafeText::line(&why)
            )?;
        }
        Ok(Exit::Done)
    }
}

/// Serves a hook whose whole standard input is one message. Prints only the response.
async fn serve_one(home: &Home, takeover: Takeover) -> anyhow::Result<()> {
    let bytes = input::read_stdin_bytes()?;
    let text = String::from_utf8_lossy(&bytes);
    let asked = match takeover.read(&text).map_err(anyhow::Error::msg)? {
        HookEvent::Asked(asked) => *asked,
        HookEvent::Overtaken(asked, closed) => {
            let client = Client::connect(home).await?;
            return settle_overtaken(&client, takeover, &asked, &closed).await;
        }
        HookEvent::Closed(_) => anyhow::bail!(ALREADY_CLOSED),
    };
    let client = Client::connect(home).await?;
    let mut waiting = client.ask(record(takeover, &asked)?, true).await?;
    let record = tokio::select! {
        ended = waiting.outcome() => ended?.record,
        // The ask stays open; an equal question continues it.
        () = output_closed() => return Ok(()),
    };
    deliver(&client, takeover, &asked, &record).await
}

/// Serves a hook of several lines. The first line asks. A later one reports that the person has
/// answered in the client's own dialog. At the end of the lines the client is gone, and the ask
/// stays open.
async fn serve_lines(home: &Home, takeover: Takeover) -> anyhow::Result<()> {
    let mut lines = Lines::new(streams::stdin(), MAX_LINE_BYTES);
    let first = next_line(&mut lines)
        .await?
        .context("standard input is empty: the client passes its question there")?;
    let asked = match takeover.read(&first).map_err(anyhow::Error::msg)? {
        HookEvent::Asked(asked) => *asked,
        HookEvent::Closed(_) | HookEvent::Overtaken(..) => anyhow::bail!(ALREADY_CLOSED),
    };
    let client = Client::connect(home).await?;
    let mut waiting = client.ask(record(takeover, &asked)?, true).await?;
    let opened = waiting.id().cloned();
    let record = tokio::select! {
        ended = waiting.outcome() => ended?.record,
        line = next_line(&mut lines) => {
            let (Some(line), Some(id)) = (line?, opened) else {
                return Ok(());
            };
            return match takeover.read(&line).map_err(anyhow::Error::msg)? {
                HookEvent::Closed(closed) => {
                    let verdict = closed.verdict(&asked.ask);
                    settle(&client, takeover, &id, verdict, waiting).await
                }
                HookEvent::Asked(_) | HookEvent::Overtaken(..) => anyhow::bail!("a second question came before the first was answered; a hook asks one at a time"),
            };
        }
    };
    deliver(&client, takeover, &asked, &record).await
}

/// The ask of a hook's question.
fn record(takeover: Takeover, asked: &Asked) -> anyhow::Result<Record> {
    let dialect = find_dialect(takeover.dialect())?;
    let directory = asked.directory.as_ref().map(PathBuf::from);
    let here = asker::working_in(directory.or_else(|| std::env::current_dir().ok()));
    let asker = Asker {
        client: Some(takeover.name().to_owned()),
        session: asked.session.clone().or(here.session),
        agent: asked.agent.clone().or(here.agent),
        caller: Some(Caller::of_role(Role::Hook)),
        ..here
    };
    let id = dialect.id(clock::random());
    let ask = asked.ask.clone();
    Ok(lifecycle::open(
        id,
        dialect.name(),
        ask,
        asker,
        clock::now(),
    ))
}

/// Settles an ask that a hook has left open, after the person has answered in the client's dialog.
/// Nobody may wait for it.
async fn settle_overtaken(
    client: &Client,
    takeover: Takeover,
    asked: &Asked,
    closed: &Closed,
) -> anyhow::Result<()> {
    let asked = record(takeover, asked)?;
    let is_asked = |open: &Record| {
        open.is_open()
            && open.asker.session == asked.asker.session
            && lifecycle::is_same(open, &asked)
    };
    let until = Instant::now() + HOOK_END_LIMIT;
    let open = loop {
        let mut asks = client.waiting().await?.records;
        asks.retain(is_asked);
        match asks.iter().position(|ask| ask.waiters == 0) {
            Some(at) => break asks.swap_remove(at),
            // The hub may not have noticed yet that the hook which asked has ended.
            None if !asks.is_empty() && Instant::now() < until => {
                tokio::time::sleep_until(Instant::now() + HOOK_END_PAUSE).await;
            }
            None => return Ok(()),
        }
    };
    let verdict = closed.verdict(&open.ask);
    match client.settle(&open.id, verdict, takeover.name()).await? {
        // The agent received the answer from its client.
        Settled::Won(record) => client.delivered(&record).await,
        Settled::Lost(_) => Ok(()),
    }
}

/// Prints the outcome, and acknowledges its delivery once it is written.
async fn deliver(
    client: &Client,
    takeover: Takeover,
    asked: &Asked,
    record: &Record,
) -> anyhow::Result<()> {
    let Some(line) = takeover.write(asked, record) else {
        return Ok(());
    };
    let mut out = std::io::stdout();
    match writeln!(out, "{}", escape(line)).and_then(|()| out.flush()) {
        Ok(()) => client.delivered(record).await,
        Err(_) => client.not_delivered(&record.id).await,
    }
}

/// Settles the ask with the answer from the client's own dialog, unless the person answered here first.
async fn settle(
    client: &Client,
    takeover: Takeover,
    id: &AskId,
    verdict: Verdict,
    mut waiting: Waiter,
) -> anyhow::Result<()> {
    match client.settle(id, verdict, takeover.name()).await? {
        // The agent received the answer from its client.
        Settled::Won(record) => client.delivered(&record).await,
        Settled::Lost(_) => {
            let lost = waiting.outcome().await?.record;
            client.not_delivered(&lost.id).await
        }
    }
}

/// Withdraws an ask of a hook. The hook then makes no decision, and the client shows its own dialog.
fn hand_back(home: &Home, id: &str) -> anyhow::Result<Exit> {
    super::with_hub(home, async |client| {
        let record = client.get(id).await?;
        let client_name = record.asker.client.as_deref().unwrap_or_default();
        if hook::find(client_name).is_none() {
            return Err(Failure::new(
                Exit::Usage,
                format!("{} was not taken over from a client's own tool", record.id),
                "answer or decline it",
            )
            .into());
        }
        let client_name = client_name.to_owned();
        match client.settle(&record.id, Verdict::Withdraw, "cli").await? {
            Settled::Won(_) => {
                writeln!(
                    std::io::stdout(),
                    "Given back: {client_name} asks in its own dialog."
                )?;
                Ok(Exit::Done)
            }
            Settled::Lost(record) => {
                Err(Failure::plain(Exit::Closed, format!("{} is closed already", record.id)).into())
            }
        }
    })
}

/// The next line of standard input that isn't blank; `None` at the end.
async fn next_line(lines: &mut Lines) -> anyhow::Result<Option<String>> {
    while let Some(line) = lines.next().await? {
        anyhow::ensure!(
            line.length == line.bytes.len(),
            "a line has {} bytes, more than the limit of {MAX_LINE_BYTES}",
            line.length
        );
        let text = String::from_utf8_lossy(&line.bytes);
        if !text.trim().is_empty() {
            return Ok(Some(text.into_owned()));
        }
    }
    Ok(None)
}

/// Resolves when nobody reads standard output any more: a client that was killed can't end its hook.
async fn output_closed() {
    let closed = tokio::task::spawn_blocking(|| {
        let out = std::io::stdout();
        let mut watched = [PollFd::new(&out, PollFlags::empty())];
        loop {
            match poll(&mut watched, None) {
                Ok(_) => return true,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    });
    if !closed.await.unwrap_or(false) {
        std::future::pending::<()>().await;
    }
}
