//! `ask-user pair`: inviting and managing devices.

mod device_wait;
mod wrap;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_config::clock;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::Time;
use ask_core::devices::{Device, Invitation, On, Pairing, PairingCommand, Permission};
use ask_hub::client::Client;
use ask_protocol::{json_text, native};
use ask_web::qr::Qr;
use clap::Args;

use self::wrap::wrap_lines;
use super::duration::parse_duration;

/// Let a phone or another machine answer: a QR code invites one device, and you admit it here
#[derive(Args)]
pub(crate) struct Pair {
    /// For how long devices may connect: 1h, 12h, or always, which is until `--off` [default: unchanged
    /// while pairing is on, otherwise 12h]
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_length)]
    length: Option<PairingDuration>,
    /// The address of this machine that devices connect to [default: that of the default route]
    #[arg(long, value_name = "IP")]
    address: Option<String>,
    /// Serve devices over HTTPS with this certificate, in PEM, instead of `http.tls_cert`
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Let the device read what waits, but not answer
    #[arg(long)]
    see: bool,
    /// Print the state of pairing as JSON and don't wait for a device. Without --devices, --off or
    /// --revoke it turns pairing on, as without --json; `--devices --json` changes nothing
    #[arg(long)]
    json: bool,
    /// Turn pairing off, and cut off connected devices
    #[arg(long, group = "what")]
    off: bool,
    /// List paired devices
    #[arg(long, group = "what")]
    devices: bool,
    /// Remove a device, by its name or id
    #[arg(long, group = "what", value_name = "NAME")]
    revoke: Option<String>,
}

/// The default duration of pairing.
const DEFAULT_MS: u64 = 12 * 60 * 60 * 1_000;

/// A duration in milliseconds; `None` for `always`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PairingDuration(Option<u64>);

fn parse_length(text: &str) -> Result<PairingDuration, String> {
    if text == "always" {
        return Ok(PairingDuration(None));
    }
    let length = parse_duration(text).map(|ms| PairingDuration(Some(ms)));
    length.map_err(|problem| format!("{problem}; or give `always`"))
}

impl Pair {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let mut out = std::io::stdout();
            if self.off {
                let pairing = client.pairing(PairingCommand::Off).await?;
                match self.json {
                    true => print_json(&mut out, &pairing)?,
                    false => writeln!(out, "No device can come any more.")?,
                }
                return Ok(Exit::Done);
            }
            if let Some(device) = self.revoke.clone() {
                let gone = format!("\"{device}\" can come no more.");
                let pairing = client.pairing(PairingCommand::Revoke { device }).await?;
                match self.json {
                    true => print_json(&mut out, &pairing)?,
                    false => writeln!(out, "{gone}")?,
                }
                return Ok(Exit::Done);
            }
            if self.devices {
                let pairing = client.pairing(PairingCommand::Look).await?;
                match self.json {
                    true => print_json(&mut out, &pairing)?,
                    false => print_devices(&mut out, &pairing)?,
                }
                return Ok(Exit::Done);
            }
            self.invite(&client, &mut out).await
        })
    }

    /// How long pairing lasts. A further invitation without `--for` keeps the current end.
    async fn length(&self, client: &Client) -> anyhow::Result<PairingDuration> {
        if let Some(length) = self.length {
            return Ok(length);
        }
        let current = client.pairing(PairingCommand::Look).await?;
        Ok(match current.on {
            true => PairingDuration(current.until.map(|until| until.since_ms(clock::now()))),
            false => PairingDuration(Some(DEFAULT_MS)),
        })
    }

    async fn invite(&self, client: &Client, out: &mut impl Write) -> anyhow::Result<Exit> {
        let may = if self.see {
            Permission::See
        } else {
            Permission::Answer
        };
        let on = On {
            address: self.address.clone(),
            for_ms: self.length(client).await?.0,
            may,
            tls: match (&self.tls_cert, &self.tls_key) {
                (Some(cert), Some(key)) => Some((absolute_path(cert)?, absolute_path(key)?)),
                (Some(_), None) | (None, Some(_)) | (None, None) => None,
            },
        };
        let wants_encryption = on.tls.is_some();
        let pairing = client.pairing(PairingCommand::On(on)).await?;
        if wants_encryption && !pairing.encrypted {
            client.pairing(PairingCommand::Off).await?;
            anyhow::bail!(
                "the hub that runs is older and knows no certificates, so it was turned off again: ask-user hub --stop"
            );
        }
        if self.json {
            print_json(out, &pairing)?;
            return Ok(Exit::Done);
        }
        let is_shown = std::io::stdout().is_terminal();
        print_address(out, &pairing)?;
        if let Some(invitation) = &pairing.invitation {
            print_invitation(out, &pairing, invitation, is_shown)?;
        }
        out.flush()?;
        if is_shown && std::io::stdin().is_terminal() {
            device_wait::run(client, &pairing).await?;
        } else {
            writeln!(
                out,
                "Say yes to the device on the page (`ask-user web`, Settings): it waits for that."
            )?;
        }
        Ok(Exit::Done)
    }
}

/// The absolute path as text, because the hub has another working directory.
fn absolute_path(path: &Path) -> anyhow::Result<String> {
    let path = std::path::absolute(path)?;
    let text = path.to_str().filter(|text| !text.contains('\n'));
    text.map(str::to_owned).with_context(|| {
        format!("{path:?} can't be passed on to the hub: copy it to a path of plain letters")
    })
}

fn print_json(out: &mut impl Write, pairing: &Pairing) -> anyhow::Result<()> {
    writeln!(out, "{}", json_text(&native::Pairing::from(pairing)))?;
    Ok(())
}

/// Until when pairing is on.
fn end_text(pairing: &Pairing) -> String {
    match pairing.until {
        Some(until) => format!("until {}", format_time(until)),
        None => "until you turn it off".to_owned(),
    }
}

/// Prints the address of pairing, its end, and whether it is encrypted.
fn print_address(out: &mut impl Write, pairing: &Pairing) -> anyhow::Result<()> {
    let url = pairing.url.as_deref().unwrap_or_default();
    let mut text = format!("Devices may come to {url} {}.\n", end_text(pairing));
    if let Some(remark) = &pairing.remark {
        text.push_str(&format!("Note: {remark}.\n"));
    }
    if !pairing.encrypted {
        text.push_str("NOT ENCRYPTED: whoever is in the same network can read what is asked and answered, and with that answer in your name. Use it where you trust everybody. docs/how-to/phones.md has encrypted ways.\n");
    }
    out.write_all(wrap_lines(&text, terminal_columns()).as_bytes())?;
    Ok(())
}

/// The width of the terminal; `None` if output isn't one.
fn terminal_columns() -> Option<u16> {
    let is_shown = std::io::stdout().is_terminal();
    let size = is_shown.then(crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| columns)
}

/// Prints the invitation: its QR code if it fits, its link, its code.
fn print_invitation(
    out: &mut impl Write,
    pairing: &Pairing,
    invitation: &Invitation,
    is_shown: bool,
) -> anyhow::Result<()> {
    let base = pairing.url.as_deref().unwrap_or_default();
    writeln!(out)?;
    if is_shown && let Some(qr) = Qr::encode(&invitation.url) {
        match can_draw(qr.size) {
            true => {
                for line in qr.lines() {
                    writeln!(out, "  {line}")?;
                }
            }
            false => writeln!(out, "  (this terminal is too narrow for a QR code)")?,
        }
        writeln!(out)?;
    }
    writeln!(out, "  {}", invitation.url)?;
    if let Some(code) = &invitation.code {
        writeln!(out, "  or open {base}/pair and type {}", format_code(code))?;
    }
    let long = match Some(invitation.until) == pairing.until {
        true => "as long as devices may come",
        false => "within three minutes",
    };
    writeln!(out, "\nIt lets one device ask, {long}.")?;
    Ok(())
}

/// Whether a QR code of this size fits.
fn can_draw(size: usize) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
    !is_dumb && usize::from(columns) >= size + 2
}

/// A code in two halves: `482 913`.
fn format_code(code: &str) -> String {
    match code.split_at_checked(3) {
        Some((first, last)) => format!("{first} {last}"),
        None => code.to_owned(),
    }
}

/// A time for a person.
pub(super) fn format_time(at: Time) -> String {
    wrap::format_time(at, clock::now(), &clock::zone())
}

fn permission_text(may: Permission) -> &'static str {
    match may {
        Permission::Answer => "may answer",
        Permission::See => "may see",
    }
}

/// The state of pairing: its address, its end, the invitation, and the devices that wait.
fn pairing_text(pairing: &Pairing) -> String {
    let url = pairing.url.as_deref().unwrap_or_default();
    let mut text = format!("Devices may come to {url} {}", end_text(pairing));
    match &pairing.invitation {
        Some(invitation) => {
            let end = format_time(invitation.until);
            text.push_str(&format!("; one is invited until {end}."));
        }
        None if pairing.requests.is_empty() => {
            text.push_str("; none is invited: `ask-user pair` invites one.");
        }
        None => text.push('.'),
    }
    for request in &pairing.requests {
        text.push_str(&format!(
            "\n\"{}\" at {} waits for your yes until {}: say it on the page (`ask-user web`, Settings), or by `ask-user pair`, which asks you.",
            request.name,
            request.address,
            format_time(request.until)
        ));
    }
    text
}

/// Prints the paired devices, one for each line.
fn print_devices(out: &mut impl Write, pairing: &Pairing) -> anyhow::Result<()> {
    if pairing.on {
        writeln!(out, "{}", pairing_text(pairing))?;
    }
    if pairing.devices.is_empty() {
        writeln!(
            out,
            "{}",
            match pairing.on {
                true => "No device was let in.",
                false => "No device was let in, and none can come: `ask-user pair` invites one.",
            }
        )?;
    }
    for device in &pairing.devices {
        writeln!(out, "{}", device_line(device))?;
    }
    if pairing.devices.iter().any(|device| device.stranded) {
        let url = pairing.url.as_deref().unwrap_or_default();
        writeln!(
            out,
            "Who was let in on another way than {url} can't come by that: `ask-user pair` lets them in anew."
        )?;
    }
    if let Some(remark) = pairing.remark.as_ref().filter(|_| pairing.on) {
        writeln!(out, "Note: {remark}.")?;
    }
    if !pairing.on && !pairing.devices.is_empty() {
        writeln!(
            out,
            "None of them can come at the moment: `ask-user pair` lets them."
        )?;
    }
    Ok(())
}

/// Prints the signed-in sessions, one for each line: browsers of this machine, then paired devices.
pub(super) fn print_sessions(
    out: &mut impl Write,
    pairing: &Pairing,
    json: bool,
) -> anyhow::Result<()> {
    if json {
        let sessions = native::Sessions::from(pairing);
        writeln!(out, "{}", json_text(&sessions))?;
        return Ok(());
    }
    if pairing.browsers.is_empty() {
        writeln!(
            out,
            "No browser of this machine is signed in: `ask-user web` signs one in."
        )?;
    }
    for browser in &pairing.browsers {
        writeln!(out, "{}", device_line(browser))?;
    }
    if !pairing.devices.is_empty() {
        writeln!(out, "Devices that were let in:")?;
    }
    for device in &pairing.devices {
        writeln!(out, "{}", device_line(device))?;
    }
    Ok(())
}

fn device_line(device: &Device) -> String {
    let (may, until) = (permission_text(device.may), format_time(device.until));
    let seen = match (device.stranded, device.here) {
        (true, _) => "can't come: let in on another way".to_owned(),
        (false, true) => "here now".to_owned(),
        (false, false) => format!("last seen {}", format_time(device.last_seen)),
    };
    format!(
        "{}  {}  {may}, {seen}, until {until}",
        device.id, device.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_durations_or_always() {
        assert_eq!(parse_length("1h"), Ok(PairingDuration(Some(3_600_000))));
        assert_eq!(parse_length("always"), Ok(PairingDuration(None)));
        for wrong in ["", "0h", "h", "12", "for ever"] {
            assert!(parse_length(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn codes_are_shown_in_two_halves() {
        assert_eq!(format_code("482913"), "482 913");
    }
}
