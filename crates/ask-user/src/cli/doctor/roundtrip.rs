//! Checks one ask from end to end: asked over MCP as an agent would, shown and answered at the hub
//! as a surface would, and read in the response. The asks are removed afterwards.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use ask_config::clock;
use ask_core::secret::hex;
use ask_core::{Answer, AskId, Draft, Gaps, Json, Record};
use ask_hub::client::{Client, Push, split_changes};
use ask_hub::spawn;
use ask_mcp::FALLBACK_ADVICE;
use ask_protocol::ipc::{ErrorKind, Request, Response, Verdict};
use ask_protocol::text_json;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::finding::{Finding, Report};

/// The time limit of each step, for a slow and busy machine.
const STEP_LIMIT: Duration = Duration::from_secs(10);

/// The agent's client name, and the surface of its answer.
const CLIENT: &str = "ask-user doctor";
const SURFACE: &str = CLIENT;

/// The question, for a person who sees it appear.
const QUESTION: &str =
    "This is a check by ask-user doctor, which answers it itself: please leave it.";

pub(super) async fn check(client: &Client, report: &mut Report) -> anyhow::Result<()> {
    let session = hex(&clock::random()[..8]);
    forget(client, is_left_over).await;
    let result = run_ask(client, &session).await;
    forget(client, |record| is_of_session(record, &session)).await;
    report.add(match result {
        Ok((end, ms)) => Finding::fine(
            "round trip",
            format!("a question reached the hub and its {end} the agent in {ms} ms"),
        ),
        Err(error) => Finding::failed("round trip", &error)
            .mend("CN_MCP_DEBUG=1 ask-user mcp </dev/null\nshows what an agent's server does, and hub.log what the hub does"),
    })
}

/// Asks and answers one question. Returns what the agent received, and after how many milliseconds.
async fn run_ask(client: &Client, session: &str) -> anyhow::Result<(&'static str, u128)> {
    let started = Instant::now();
    let mut agent = Agent::start(session)?;
    agent.send(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"{CLIENT}","version":"{}"}}}}}}"#,
        env!("CARGO_PKG_VERSION")
    ))?;
    agent.receive(1, "initializes the session").await?;
    agent.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    agent.send(&format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"ask_user","arguments":{{"question":"{QUESTION}"}}}}}}"#
    ))?;
    let asked = tokio::select! {
        found = timeout(STEP_LIMIT, wait_for_ask(client, session)) => {
            found.map_err(|_| anyhow!("the question did not reach the hub within {STEP_LIMIT:?}"))?
        }
        // A refusal comes before the ask is visible, and says more than its absence.
        reply = agent.receive(2, "asks") => {
            // The last part is advice to an agent.
            let refusal = reply_text(&reply?).replace(FALLBACK_ADVICE, "");
            bail!("the question was not asked: {}", refusal.trim())
        }
    };
    let answer_text = format!("answered by {CLIENT} {session}");
    let draft = Draft {
        answers: vec![Answer {
            own: Some(answer_text.clone()),
            ..Answer::default()
        }],
        ..Draft::default()
    };
    let is_answered = timeout(STEP_LIMIT, answer(client, &asked.id, draft)).await;
    let is_answered = is_answered
        .map_err(|_| anyhow!("the hub did not take the answer within {STEP_LIMIT:?}"))?
        .context("the hub did not take the answer")?;
    let reply = agent.receive(2, "returns the answer").await?;
    let elapsed_ms = started.elapsed().as_millis();
    if is_answered && !reply_text(&reply).contains(&answer_text) {
        bail!("the agent got a different answer: {}", reply_text(&reply));
    }
    agent.disconnect().await?;
    let end = match is_answered {
        true => "answer",
        // The settings don't accept answers from here.
        false => "end (answers are not taken from here)",
    };
    Ok((end, elapsed_ms))
}

/// Answers the ask. Where the settings don't accept answers from here, withdraws it instead: the
/// doctor started the agent's process, so it counts as below an agent. Returns whether it was
/// answered.
async fn answer(client: &Client, id: &AskId, draft: Draft) -> anyhow::Result<bool> {
    let gaps = Gaps::Refuse;
    let settle = |verdict: Verdict| Request::Settle {
        id: id.clone(),
        verdict,
        surface: SURFACE.to_owned(),
        device: None,
        attempt: clock::attempt(),
        hold: false,
        relayed: false,
        sender: None,
    };
    match client.send(settle(Verdict::Answer { draft, gaps })).await? {
        Response::Settled { won: true, .. } => Ok(true),
        Response::Settled { .. } => bail!("another surface closed the test question"),
        Response::Fault {
            kind: ErrorKind::NotAllowed,
            ..
        } => {
            client.settle(id, Verdict::Withdraw, SURFACE).await?;
            Ok(false)
        }
        Response::Fault { text, .. } => bail!(text),
        other => bail!("The hub sent an unexpected response: {}.", other.name()),
    }
}

/// The ask of this session, once the hub has it.
async fn wait_for_ask(client: &Client, session: &str) -> Record {
    let subscription = client.subscribe_viewer();
    loop {
        let records = match subscription.next().await {
            Push::All(listing) => listing.records,
            Push::Changed(changes) => split_changes(&changes).0,
        };
        let is_own = |record: &Record| record.is_open() && is_of_session(record, session);
        if let Some(record) = records.into_iter().find(is_own) {
            return record;
        }
    }
}

fn is_of_session(record: &Record, session: &str) -> bool {
    record.asker.client.as_deref() == Some(CLIENT)
        && record.asker.session.as_deref() == Some(session)
}

/// Whether an ask was left by a doctor that was killed. A running one waits for its ask.
fn is_left_over(record: &Record) -> bool {
    record.asker.client.as_deref() == Some(CLIENT) && record.waiters == 0
}

/// Removes the check's asks from lists and history. If that fails, they stay visible and do no harm.
async fn forget(client: &Client, is_wanted: impl Fn(&Record) -> bool) {
    let removal = async {
        // After a successful check the ask is closed and delivered, so only the history lists it.
        let filter = ask_protocol::ipc::Filter {
            limit: Some(50),
            open: true,
            ..Default::default()
        };
        let history = Request::History { filter };
        let (records, _) = client.list(history).await?;
        for record in records.iter().filter(|record| is_wanted(record)) {
            if record.is_open() {
                client
                    .settle(&record.id, Verdict::Withdraw, SURFACE)
                    .await?;
            }
            client.forget(vec![record.id.to_string()], true).await?;
        }
        anyhow::Ok(())
    };
    // The check's result doesn't depend on the removal.
    let _ = timeout(STEP_LIMIT, removal).await;
}

/// The text of a response that a model would read.
fn reply_text(reply: &Json) -> String {
    let result = &reply["result"]["content"][0]["text"];
    let error = &reply["error"]["message"];
    let text = result.as_str().or(error.as_str());
    text.map_or_else(|| reply.to_string(), str::to_owned)
}

/// An agent's end of `ask-user mcp`. Dropping it kills the server.
struct Agent {
    server: Child,
    input: Option<ChildStdin>,
    lines: mpsc::UnboundedReceiver<String>,
}

impl Agent {
    fn start(session: &str) -> anyhow::Result<Self> {
        let mut command = Command::new(spawn::program_path()?);
        // The person's settings for real agents must not affect this one.
        for name in [
            "CN_MCP_TIMEOUT",
            "ASK_USER_LIMIT_MS",
            "ASK_USER_PROJECT",
            "ASK_USER_CLIENT",
        ] {
            command.env_remove(name);
        }
        let mut server = command
            .arg("mcp")
            // Offline mode is off, because the hub is what this checks.
            .env("ASK_USER_ALONE", "0")
            .env("ASK_USER_AGENT", CLIENT)
            .env("ASK_USER_SESSION", session)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("starting `ask-user mcp`")?;
        let input = server.stdin.take();
        let (sender, lines) = mpsc::unbounded_channel();
        if let Some(output) = server.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            server,
            input,
            lines,
        })
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("`ask-user mcp` has no input")?;
        writeln!(input, "{line}").context("`ask-user mcp` does not read")
    }

    /// The response to a request. Notifications before it are skipped.
    async fn receive(&mut self, id: u64, step: &str) -> anyhow::Result<Json> {
        let reply = async {
            while let Some(line) = self.lines.recv().await {
                let message = text_json(&line).with_context(|| {
                    format!("`ask-user mcp` wrote a line that isn't MCP: {line}")
                })?;
                if message["id"] == id {
                    return Ok(Some(message));
                }
            }
            anyhow::Ok(None)
        };
        match timeout(STEP_LIMIT, reply).await {
            Ok(Ok(Some(reply))) => Ok(reply),
            Ok(Ok(None)) => bail!(
                "`ask-user mcp` ended before it {step}: {}",
                self.stderr_text()
            ),
            Ok(Err(error)) => Err(error),
            Err(_) => bail!("`ask-user mcp` needs more than {STEP_LIMIT:?} until it {step}"),
        }
    }

    /// Closes the connection, and waits until the server has acknowledged the outcome and ended.
    async fn disconnect(mut self) -> anyhow::Result<()> {
        self.input = None;
        let ended = async { while self.lines.recv().await.is_some() {} };
        let ended = timeout(STEP_LIMIT, ended).await;
        ended.map_err(|_| anyhow!("`ask-user mcp` did not end when its agent left"))
    }

    fn stderr_text(&mut self) -> String {
        // It may have ended already.
        let _ = self.server.kill();
        let mut text = String::new();
        if let Some(pipe) = self.server.stderr.take() {
            // After an error, what was read so far is used.
            let _ = pipe.take(2_000).read_to_string(&mut text);
        }
        text.trim().to_owned()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
