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

use super::{columns, flowed, invitation_as_text, may, moment, place, spaced};

/// A device whose page is open connects within this time after it was admitted.
const SOON: Duration = Duration::from_secs(2);

/// The state of the wait.
struct Waiting<'client> {
    client: &'client Client,
    /// Devices that were paired before, and those that were announced.
    known: HashSet<String>,
    /// The address of pairing.
    url: Option<String>,
    /// The present invitation.
    invitation: Option<Invitation>,
    /// The device that the person is being asked about.
    asked: Option<Request>,
    /// The device that was admitted last, until it connects.
    expects: Option<Request>,
    /// When to say that it hasn't connected yet.
    slow: Option<Instant>,
}

/// Whether to wait on.
#[derive(PartialEq, Eq)]
enum Next {
    Wait,
    Over,
}

/// Waits until a device is paired, no device can come any more, or the person stops.
pub(super) async fn wait(client: &Client, begun: &Pairing) -> anyhow::Result<()> {
    let subscription = client.subscribe_viewer();
    let mut lines = lines();
    let mut waiting = Waiting {
        client,
        known: begun.devices.iter().map(|one| one.id.clone()).collect(),
        url: begun.url.clone(),
        invitation: begun.invitation.clone(),
        asked: None,
        expects: None,
        slow: None,
    };
    // Registered before the first message, and once: a Ctrl+C while the hub is asked counts, too.
    let mut interrupt = signal(SignalKind::interrupt())?;
    say(
        "Waiting for a device. Ctrl+C stops the waiting and shuts nobody out; `ask-user pair --off` does.\n",
    )?;
    loop {
        let pairing = client.pairing(PairingCommand::Look).await?;
        if waiting.look(&pairing)? == Next::Over {
            return Ok(());
        }
        let slow = waiting.slow;
        tokio::select! {
            _ = subscription.next() => {}
            Some(line) = lines.recv() => waiting.decide(&line).await?,
            () = sleep_until(slow.unwrap_or_else(Instant::now)), if slow.is_some() => waiting.is_slow()?,
            _ = interrupt.recv() => {
                return say("\nDevices that you let in may still come. `ask-user pair --off` shuts them all out.\n");
            }
        }
    }
}

impl Waiting<'_> {
    /// Prints what changed since the last look.
    fn look(&mut self, pairing: &Pairing) -> anyhow::Result<Next> {
        let mut came = false;
        for device in &pairing.devices {
            if self.known.insert(device.id.clone()) {
                came = true;
                let (may, until) = (may(device.may), moment(device.until));
                say(&format!(
                    "\"{0}\" {may} until {until}. `ask-user pair --revoke \"{0}\"` shuts it out.\n",
                    device.name
                ))?;
            }
        }
        if came && self.expects.is_some() {
            return Ok(Next::Over);
        }
        if let Some(expected) = &self.expects
            && expected.until <= clock::now()
        {
            say(&format!(
                "\"{}\" did not come for its yes in time.\n",
                expected.name
            ))?;
            self.expects = None;
        }
        if let Some(asked) = &self.asked
            && pairing.requests.iter().all(|one| one.id != asked.id)
        {
            self.asked = None;
            say("\nIt was answered elsewhere, or its time is over.\n")?;
        }
        if self.asked.is_none()
            && let Some(request) = pairing.requests.first()
        {
            say(&question(request))?;
            self.asked = Some(request.clone());
        }
        self.look_at_invitation(pairing)?;
        if !pairing.on {
            say("It was turned off.\n")?;
            return Ok(Next::Over);
        }
        if pairing.invitation.is_none() && self.asked.is_none() && self.expects.is_none() {
            say("Nobody is waiting any more. `ask-user pair` invites again.\n")?;
            return Ok(Next::Over);
        }
        Ok(Next::Wait)
    }

    /// Prints a new invitation or code.
    fn look_at_invitation(&mut self, pairing: &Pairing) -> anyhow::Result<()> {
        let Some(invitation) = &pairing.invitation else {
            return Ok(());
        };
        let known = self.invitation.as_ref();
        if known.is_none_or(|known| known.url != invitation.url) {
            say(
                "\nAnother invitation was made, on the page or by another `ask-user pair`. The link and the code above let nobody ask any more; these do:\n",
            )?;
            let mut out = std::io::stdout();
            if self.url != pairing.url {
                place(&mut out, pairing)?;
            }
            invitation_as_text(&mut out, pairing, invitation, true)?;
            if let Some(request) = &self.asked {
                say(&question(request))?;
            }
        } else if known.is_some_and(|known| known.code != invitation.code) {
            match &invitation.code {
                Some(code) => say(&format!(
                    "Five wrong codes were tried: the code is {} now.\n",
                    spaced(code)
                ))?,
                None => say("Too many wrong codes were tried: only the link is left.\n")?,
            }
        }
        self.url = pairing.url.clone();
        self.invitation = Some(invitation.clone());
        Ok(())
    }

    /// Prints that an admitted device hasn't connected yet.
    fn is_slow(&mut self) -> anyhow::Result<()> {
        self.slow = None;
        match &self.expects {
            Some(expected) => say(&format!(
                "Your yes waits for \"{}\": the page has to be open there.\n",
                expected.name
            )),
            None => Ok(()),
        }
    }

    /// Handles the person's answer about the device.
    async fn decide(&mut self, line: &str) -> anyhow::Result<()> {
        let Some(request) = self.asked.take() else {
            return Ok(());
        };
        let allow = ["y", "yes"].contains(&line.trim().to_lowercase().as_str());
        let wish = PairingCommand::Decide {
            request: request.id.clone(),
            allow,
            may: None,
        };
        match (self.client.pairing(wish).await, allow) {
            (Err(error), _) => say(&format!("{error:#}\n")),
            (Ok(_), true) => {
                self.expects = Some(request);
                self.slow = Some(Instant::now() + SOON);
                Ok(())
            }
            (Ok(_), false) => say(&format!("\"{}\" was refused.\n", request.name)),
        }
    }
}

/// The question about a device, in one line.
fn question(request: &Request) -> String {
    let wants = match request.may {
        ask_core::devices::Permission::Answer => "wants to answer",
        ask_core::devices::Permission::See => "wants to see what waits",
    };
    format!(
        "\"{}\" at {} {wants}. Does it show {}? [y/N] ",
        request.name, request.address, request.number
    )
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    out.write_all(flowed(text, columns()).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The lines that the person types. A thread reads them, because terminal input can't be awaited.
fn lines() -> mpsc::UnboundedReceiver<String> {
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
