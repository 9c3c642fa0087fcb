//! Checks pairing, if it is on, and whether browsers of this machine were signed out.

use ask_config::clock;
use ask_config::config::Files;
use ask_config::config::Http;
use ask_config::home::Home;
use ask_core::devices::{Pairing, PairingCommand};
use ask_hub::client::Client;
use ask_store::sqlite;
use ask_web::{PAIRING_NOTE, parse_certificate, tls};

use super::finding::{Finding, Report};
use crate::cli::pair;

/// How long before its end a certificate gets a warning.
const EXPIRES_SOON_MS: u64 = 14 * 24 * 60 * 60 * 1_000;

pub(super) async fn check(
    home: &Home,
    config: &Http,
    client: &Client,
    report: &mut Report,
) -> anyhow::Result<()> {
    // A certificate from the command line takes precedence over the settings. Whether the store can
    // be read is another check.
    let note = sqlite::read_note(&home.store_file(), PAIRING_NOTE);
    let note = note.ok().flatten().unwrap_or_default();
    let files = match parse_certificate(&note) {
        Some(named) => Ok(Some(named)),
        None => config.tls(),
    };
    let certificate_problem = match check_certificate(files) {
        Ok(None) => None,
        Ok(Some(finding)) => {
            report.add(finding)?;
            None
        }
        Err(why) => {
            report.add(Finding::fail("devices", why.as_str()))?;
            Some(why)
        }
    };
    // A hub of another version or without HTTP has no pairing.
    match client.pairing(PairingCommand::Look).await {
        Ok(pairing) => {
            if let Some(why) = &pairing.signed_out {
                report.add(Finding::warn("browsers", why.as_str()))?;
            }
            if pairing.on {
                report.add(pairing_finding(&pairing, certificate_problem.as_deref()))?;
            }
            Ok(())
        }
        Err(_) => Ok(()),
    }
}

/// Checks the certificate that the hub would use. An error says why it can't be used.
fn check_certificate(files: Result<Option<Files>, String>) -> Result<Option<Finding>, String> {
    let Some(files) = files? else {
        return Ok(None);
    };
    let certificate = tls::read_certificate(&files, clock::now())?;
    // Certificates last for months or years, so the date is enough.
    let until = certificate.until.to_string();
    let until = until.split('T').next().unwrap_or_default();
    let mut message = format!(
        "the certificate in {} is for {} until {until}",
        files.cert.display(),
        certificate.hosts_text()
    );
    if let Some(group) = files.group() {
        message.push_str(&format!(
            "; the accounts of group {group} can read its key, too"
        ));
    }
    let is_soon = certificate.until.since_ms(clock::now()) < EXPIRES_SOON_MS;
    Ok(Some(match is_soon {
        true => Finding::warn("devices", message)
            .mend("renew it: the hub takes the new one up by itself"),
        false => Finding::fine("devices", message),
    }))
}

/// The finding about pairing. `certificate_problem` was reported already and is not repeated.
fn pairing_finding(pairing: &Pairing, certificate_problem: Option<&str>) -> Finding {
    let url = pairing.url.as_deref().unwrap_or_default();
    let until = match pairing.until {
        Some(until) => format!("until {}", pair::format_time(until)),
        None => "until it is turned off".to_owned(),
    };
    let stranded: Vec<String> = pairing
        .devices
        .iter()
        .filter(|device| device.stranded)
        .map(|device| format!("\"{}\"", device.name))
        .collect();
    let count = pairing.devices.len() - stranded.len();
    let mut message = format!("{count} let in, at {url} {until}");
    if !stranded.is_empty() {
        message.push_str(&format!(
            "; let in on another way, and not there: {}",
            stranded.join(", ")
        ));
    }
    let remark = pairing.remark.as_deref().unwrap_or_default();
    let known = certificate_problem.and_then(|why| remark.strip_prefix(why));
    let is_kept_out = known.is_some_and(|rest| !rest.starts_with(". "));
    match known {
        None if remark.is_empty() => {}
        None => message.push_str(&format!("; {remark}")),
        Some(_) if is_kept_out => message.push_str("; that keeps devices out"),
        Some(_) => message.push_str("; the previous certificate is served until then"),
    }
    match (pairing.encrypted, is_kept_out) {
        (true, false) => Finding::fine("devices", message),
        (true, true) => Finding::warn("devices", message),
        (false, _) => Finding::warn("devices", format!("{message}, not encrypted"))
            .mend("ask-user pair --off\nencrypted ways are in docs/how-to/phones.md"),
    }
}
