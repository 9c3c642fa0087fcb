//! The interfaces for an answer: a command, the hub's socket, the plain mode. The log records what
//! the person was told, and nothing else.

use std::process::Stdio;
use std::time::Duration;

use ask_core::{Answer, AskId, Draft, Gaps};
use ask_protocol::ipc::{ErrorKind, Request, Response, Verdict as Close};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::hub::HubConnection;
use crate::log::Verdict;
use crate::model::{Campaign, pause};
use crate::process::{Role, kill_within};
use crate::rng::Rng;
use crate::state::Task;
use crate::words;

/// Tries to answer once. True if the ask is known to be closed now.
pub(crate) async fn give(campaign: &Campaign, task: &Task, rng: &mut Rng) -> bool {
    let interfaces: &[&'static str] = if task.is_text {
        &[
            "answer", "decline", "clarify", "socket", "socket", "socket", "plain",
        ]
    } else {
        &[
            "answer", "answer", "decline", "clarify", "socket", "socket", "socket",
        ]
    };
    let interface = rng.one(interfaces);
    let nonce = campaign
        .log
        .borrow_mut()
        .attempt(&task.id, task.tag, interface);
    let verdict = match interface {
        "socket" => by_socket(campaign, task, nonce, rng).await,
        _ => by_command(campaign, task, nonce, interface, rng).await,
    };
    let done = match &verdict {
        Verdict::Won => true,
        Verdict::Refused(why) => why.starts_with("closed"),
        Verdict::Unknown => false,
    };
    campaign.log.borrow_mut().judged(nonce, verdict);
    done
}

async fn by_command(
    campaign: &Campaign,
    task: &Task,
    nonce: u64,
    interface: &'static str,
    rng: &mut Rng,
) -> Verdict {
    let words = words::answer(nonce);
    let arguments: Vec<&str> = match interface {
        "answer" => vec!["answer", &task.id, "--other", &words],
        "decline" => vec!["decline", &task.id, "--reason", &words],
        "clarify" => vec!["clarify", &task.id, &words],
        _ => vec!["inbox", "--plain", "--id", &task.id],
    };
    let mut command = campaign.dirs.command(&arguments);
    command.stderr(Stdio::piped()).stdin(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        return Verdict::Refused("it could not be started".to_owned());
    };
    let number = campaign.processes.number();
    let process = campaign
        .processes
        .adopt(&child, number, None, Role::Surface);
    if let Some(mut input) = child.stdin.take() {
        if interface == "plain" {
            // A process that ends early reads nothing of it.
            let _ = input.write_all(format!("{words}\n\ny\n").as_bytes()).await;
        }
        drop(input);
    }
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let reading = async {
        if let (Some(mut out), Some(mut err)) = (out, err) {
            // What a killed process had printed before counts.
            let _ = tokio::join!(
                out.read_to_string(&mut stdout),
                err.read_to_string(&mut stderr)
            );
        }
    };
    let dies = (rng.percent(8) && !campaign.is_over()).then(|| rng.ms(0, 60));
    if kill_within(reading, &process, dies).await {
        campaign.log.borrow_mut().fault("surfaces killed");
    }
    let code = campaign.processes.ended(&process, &mut child).await;
    judge(interface, code, &stdout, &stderr)
}

fn judge(interface: &str, code: Option<i32>, stdout: &str, stderr: &str) -> Verdict {
    let won = match interface {
        // If the ask was closed before it was opened, its outcome is read out, which also says that
        // the agent received it. So only this sentence counts.
        "plain" => stdout.contains("Answer sent to"),
        _ => ["answered;", "declined;", "asked back;"]
            .iter()
            .any(|word| stdout.contains(word)),
    };
    if won || (code == Some(0) && interface != "plain") {
        return Verdict::Won;
    }
    match code {
        Some(5) => Verdict::Refused("closed before".to_owned()),
        Some(1 | 2) if stderr.contains("nothing was changed") => {
            Verdict::Refused("the store could not write".to_owned())
        }
        // A process that was killed or lost the hub doesn't know whether it succeeded.
        _ => Verdict::Unknown,
    }
}

async fn by_socket(campaign: &Campaign, task: &Task, nonce: u64, rng: &mut Rng) -> Verdict {
    let (Some(id), words) = (AskId::parse(&task.id), words::answer(nonce)) else {
        return Verdict::Refused("its id is none".to_owned());
    };
    let surface = "campaign".to_owned();
    let mut draft = Draft {
        answers: vec![Answer::saying("half a word")],
        note: None,
    };
    let keep = Request::SaveDraft {
        id: id.clone(),
        draft: draft.clone(),
        surface: surface.clone(),
        built_on: None,
        sender: None,
    };
    let shown = Request::Shown {
        id: id.clone(),
        surface: surface.clone(),
    };
    draft.answers = vec![Answer::saying(words.clone())];
    let settle = Request::Settle {
        id,
        verdict: match rng.below(8) {
            0 => Close::Decline {
                reason: Some(words),
            },
            1 => Close::Clarify { words },
            _ => Close::Answer {
                draft,
                gaps: Gaps::Refuse,
            },
        },
        surface,
        device: None,
        attempt: rng.next() >> 1,
        hold: false,
        relayed: false,
        sender: None,
    };
    if rng.percent(20)
        && let Some(mut connection) = HubConnection::open(&campaign.dirs).await
    {
        // A `shown` or draft that is lost with its connection isn't judged.
        let _ = connection.call(&shown).await;
        let _ = connection.call(&keep).await;
    }
    for _ in 0..20 {
        let Some(mut connection) = HubConnection::open(&campaign.dirs).await else {
            pause(Duration::from_millis(40)).await;
            continue;
        };
        let asked = connection.call(&settle);
        if rng.percent(5) {
            // The connection is closed during the request. In most cases the answer is sent again.
            let within = rng.ms(0, 6);
            if let Ok(Some(response)) = tokio::time::timeout(within, asked).await {
                return verdict_of(&response);
            }
            campaign
                .log
                .borrow_mut()
                .fault("connections closed in an answer");
            if rng.percent(30) {
                return Verdict::Unknown;
            }
        } else if let Some(response) = asked.await {
            return verdict_of(&response);
        }
    }
    Verdict::Unknown
}

fn verdict_of(response: &Response) -> Verdict {
    match response {
        Response::Settled { won: true, .. } => Verdict::Won,
        Response::Settled { won: false, .. } => Verdict::Refused("closed before".to_owned()),
        Response::Fault {
            kind: ErrorKind::Store,
            text,
        } if !text.contains("nothing was changed") => Verdict::Unknown,
        Response::Fault { text, .. } => Verdict::Refused(text.clone()),
        _ => Verdict::Unknown,
    }
}
