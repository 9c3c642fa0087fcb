//! Waits for a device in the terminal, and asks the person to admit each: does it show this number?

use std::collections::HashSet;
use std::io::Write;

use std::time::Duration;

use ask_config::clock;
use ask_core::devices::{Invitation, Pairing, PairingCommand, Request};
use ask_hub::client::Client;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::{
    format_code, format_time, permission_text, print_address, print_invitation, terminal_columns,
    wrap_lines,
};

/// How soon after its admission a device connects if its page is open.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// The state of the wait.
struct DeviceWait<'client> {
    client: &'client Client,
    /// The ids of devices that were paired before, and of those that were announced.
    known: HashSet<String>,
    /// The address of pairing.
    url: Option<String>,
    /// The current invitation.
    invitation: Option<Invitation>,
    /// The device that the person is being asked about.
    question: Option<Request>,
    /// The device that was admitted last, until it connects.
    admitted: Option<Request>,
    /// When to print that it hasn't connected yet.
    slow_at: Option<Instant>,
}

/// Whether the wait goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Wait,
    End,
}

/// Waits until a device is paired, no device can come any more, or the person stops.
pub(super) async fn run(client: &Client, initial: &Pairing) -> anyhow::Result<()> {
    let subscription = client.subscribe_viewer();
    let mut lines = stdin_lines();
    let mut waiting = DeviceWait {
        client,
        known: initial.devices.iter().map(|one| one.id.clone()).collect(),
        url: initial.url.clone(),
        invitation: initial.invitation.clone(),
        question: None,
        admitted: None,
        slow_at: None,
    };
    // Installed once, before the first message, so that a Ctrl+C during a request to the hub counts, too.
    let mut interrupt = signal(SignalKind::interrupt())?;
    print(
        "Waiting for a device. Ctrl+C stops the waiting and shuts nobody out; `ask-user pair --off` does.\n",
    )?;
    loop {
        let pairing = client.pairing(PairingCommand::Look).await?;
        if waiting.update(&pairing)? == Next::End {
            return Ok(());
        }
        let slow_at = waiting.slow_at;
        tokio::select! {
            _ = subscription.next() => {}
            Some(line) = lines.recv() => waiting.decide(&line).await?,
            () = sleep_until(slow_at.unwrap_or_else(Instant::now)), if slow_at.is_some() => waiting.report_slow()?,
            _ = interrupt.recv() => {
                return print("\nDevices that you let in may still come. `ask-user pair --off` shuts them all out.\n");
            }
        }
    }
}

impl DeviceWait<'_> {
    /// Compares the state of pairing with the last one, and prints the changes.
    fn update(&mut self, pairing: &Pairing) -> anyhow::Result<Next> {
        let mut has_connected = false;
        for device in &pairing.devices {
            if self.known.insert(device.id.clone()) {
                has_connected = true;
                let (may, until) = (permission_text(device.may), format_time(device.until));
                print(&format!(
                    "\"{0}\" {may} until {until}. `ask-user pair --revoke \"{0}\"` shuts it out.\n",
                    device.name
                ))?;
            }
        }
        if has_connected && self.admitted.is_some() {
            return Ok(Next::End);
        }
        if let Some(expected) = &self.admitted
            && expected.until <= clock::now()
        {
            print(&format!(
                "\"{}\" did not come for its yes in time.\n",
                expected.name
            ))?;
            self.admitted = None;
        }
        if let Some(question) = &self.question
            && pairing.requests.iter().all(|one| one.id != question.id)
        {
            self.question = None;
            print("\nIt was answered elsewhere, or its time is over.\n")?;
        }
        if self.question.is_none()
            && let Some(request) = pairing.requests.first()
        {
            print(&question_text(request))?;
            self.question = Some(request.clone());
        }
        self.update_invitation(pairing)?;
        if !pairing.on {
            print("It was turned off.\n")?;
            return Ok(Next::End);
        }
        if pairing.invitation.is_none() && self.question.is_none() && self.admitted.is_none() {
            print("Nobody is waiting any more. `ask-user pair` invites again.\n")?;
            return Ok(Next::End);
        }
        Ok(Next::Wait)
    }

    /// Prints the invitation or the code if it is a new one.
    fn update_invitation(&mut self, pairing: &Pairing) -> anyhow::Result<()> {
        let Some(invitation) = &pairing.invitation else {
            return Ok(());
        };
        let known = self.invitation.as_ref();
        if known.is_none_or(|known| known.url != invitation.url) {
            print(
                "\nAnother invitation was made, on the page or by another `ask-user pair`. The link and the code above let nobody ask any more; these do:\n",
            )?;
            let mut out = std::io::stdout();
            if self.url != pairing.url {
                print_address(&mut out, pairing)?;
            }
            print_invitation(&mut out, pairing, invitation, true)?;
            if let Some(request) = &self.question {
                print(&question_text(request))?;
            }
        } else if known.is_some_and(|known| known.code != invitation.code) {
            match &invitation.code {
                Some(code) => print(&format!(
                    "Five wrong codes were tried: the code is {} now.\n",
                    format_code(code)
                ))?,
                None => print("Too many wrong codes were tried: only the link is left.\n")?,
            }
        }
        self.url = pairing.url.clone();
        self.invitation = Some(invitation.clone());
        Ok(())
    }

    /// Prints that an admitted device hasn't connected yet.
    fn report_slow(&mut self) -> anyhow::Result<()> {
        self.slow_at = None;
        match &self.admitted {
            Some(expected) => print(&format!(
                "Your yes waits for \"{}\": the page has to be open there.\n",
                expected.name
            )),
            None => Ok(()),
        }
    }

    /// Handles the person's answer about the device.
    async fn decide(&mut self, line: &str) -> anyhow::Result<()> {
        let Some(request) = self.question.take() else {
            return Ok(());
        };
        let allow = ["y", "yes"].contains(&line.trim().to_lowercase().as_str());
        let command = PairingCommand::Decide {
            request: request.id.clone(),
            allow,
            may: None,
        };
        match (self.client.pairing(command).await, allow) {
            (Err(error), _) => print(&format!("{error:#}\n")),
            (Ok(_), true) => {
                self.admitted = Some(request);
                self.slow_at = Some(Instant::now() + CONNECT_LIMIT);
                Ok(())
            }
            (Ok(_), false) => print(&format!("\"{}\" was refused.\n", request.name)),
        }
    }
}

/// The question about a device, in one line.
fn question_text(request: &Request) -> String {
    let wants = match request.may {
        ask_core::devices::Permission::Answer => "wants to answer",
        ask_core::devices::Permission::See => "wants to see what waits",
    };
    format!(
        "\"{}\" at {} {wants}. Does it show {}? [y/N] ",
        request.name, request.address, request.number
    )
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    out.write_all(wrap_lines(text, terminal_columns()).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The lines that the person types. A thread reads them, because terminal input can't be awaited.
fn stdin_lines() -> mpsc::UnboundedReceiver<String> {
    let (typed, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let Ok(line) = line else { return };
            if typed.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
