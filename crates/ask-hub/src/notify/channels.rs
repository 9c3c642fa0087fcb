//! The configured notification channels: the status of each, and a test message through each.

use std::time::Duration;

use ask_config::config::Desktop;
use ask_config::config::Notify;
use ask_config::i18n::Words;
use ask_core::{Ask, AskId, Asker, Input, Question, Record, Time, lifecycle};
use ask_protocol::webhook::{self, Detail};

use super::desktop::{self, DesktopCommand, DesktopEvent};
use super::webhook::PushRequest;
use super::{command, text};

/// A channel's name, and its description, or why it doesn't work.
pub(crate) type ChannelStatus = (&'static str, Result<String, String>);

/// The time limit of a test message.
const TEST_LIMIT: Duration = Duration::from_secs(10);

/// Every configured channel with its status.
pub fn configured(settings: &Notify) -> Vec<ChannelStatus> {
    let mut channels = Vec::new();
    match (settings.desktop, desktop::address()) {
        (Desktop::Never, _) => {}
        // With `auto`, a machine without a desktop is no error.
        (Desktop::Auto, Err(_)) => {}
        (Desktop::Auto | Desktop::Always, address) => channels.push(("desktop", address)),
    }
    if let Some(program) = settings.command.first() {
        channels.push(("command", Ok(format!("{program}, on every event"))));
    }
    let after = settings.escalate_after_seconds;
    for (name, address) in [("webhook", &settings.webhook), ("ntfy", &settings.ntfy)] {
        if let Some(address) = address {
            let server = server_of(address);
            channels.push((name, Ok(format!("{server} after {after} s"))));
        }
    }
    channels
}

/// The server of an address. The rest of it may be a secret, and so may a user name and a password.
fn server_of(address: &str) -> String {
    let mut parts = address.splitn(4, '/');
    let scheme = parts.next().unwrap_or_default();
    let authority = parts.nth(1).unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}//{host}")
}

/// Sends a test message through a channel, and returns what the channel reported.
pub async fn send_test(
    name: &str,
    settings: &Notify,
    words: Words,
    now: Time,
) -> Result<String, String> {
    let record = example_record(now);
    let test_text = text::Text {
        title: words.say("notify-test-title"),
        body: words.say("notify-test-body"),
    };
    let records = [record];
    match name {
        "desktop" => show_on_desktop(test_text, settings.sound).await,
        "command" => {
            let event = webhook::write_event("test", now, false, &records[0], Detail::Everything);
            let variables = [
                ("ASK_USER_EVENT", "test".to_owned()),
                ("ASK_USER_ASK", records[0].id.to_string()),
            ];
            let output =
                command::run(&settings.command, &variables, event + "\n", TEST_LIMIT).await?;
            match output.code {
                Some(0) => Ok("it ran".to_owned()),
                Some(code) => Err(format!(
                    "it ended with exit code {code}: {}",
                    output.err.trim()
                )),
                None => Err(format!("it was killed: {}", output.err.trim())),
            }
        }
        "webhook" => {
            send_push(PushRequest::to_webhook(
                settings, "test", &test_text, &records, now,
            ))
            .await
        }
        _ => send_push(PushRequest::to_topic(settings, &test_text, &[], false)).await,
    }
}

async fn send_push(request: Option<PushRequest>) -> Result<String, String> {
    let request = request.ok_or("it isn't set")?;
    request.send().await?;
    Ok("the server took it".to_owned())
}

async fn show_on_desktop(text: text::Text, sound: bool) -> Result<String, String> {
    let mut desktop = desktop::start();
    let (group, open) = (0, None);
    // If the task has ended, the missing reply is reported below.
    let _ = desktop.commands.send(DesktopCommand::Show {
        group,
        text,
        sound,
        open,
    });
    let event = tokio::time::timeout(TEST_LIMIT, desktop.events.recv()).await;
    match event {
        Ok(Some(DesktopEvent::Shown(..))) => Ok("it is shown".to_owned()),
        Ok(Some(DesktopEvent::Failed(problem))) => Err(problem),
        Ok(Some(DesktopEvent::Clicked(_) | DesktopEvent::Gone(_)) | None) | Err(_) => {
            Err("the desktop doesn't answer".to_owned())
        }
    }
}

/// A made-up ask for the test message.
fn example_record(now: Time) -> Record {
    let question = Question {
        id: "1".to_owned(),
        text: "Is this noticed?".to_owned(),
        label: None,
        input: Input::Confirm,
        required: true,
        placeholder: None,
        default: None,
    };
    let ask = Ask {
        title: Some("A test".to_owned()),
        questions: vec![question],
        ..Ask::default()
    };
    let id = AskId::native([0; 16]);
    lifecycle::open(id, "native", ask, Asker::default(), now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_server_of_an_address_is_named() {
        for (address, server) in [
            ("https://ntfy.sh/secret-topic", "https://ntfy.sh"),
            ("http://127.0.0.1:9/hook?key=secret", "http://127.0.0.1:9"),
            ("http://user:secret@127.0.0.1:9/hook", "http://127.0.0.1:9"),
            ("https://user:se@cret@example.org", "https://example.org"),
        ] {
            assert_eq!(server_of(address), server);
        }
    }
}
