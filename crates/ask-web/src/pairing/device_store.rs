//! The file with the state of pairing, beside the sessions' file: a restarted hub turns pairing on
//! again until its end. The file contains no secret.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use ask_config::config::Files;
use ask_config::home;
use ask_core::Time;

/// The stored state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPairing {
    /// The address and port for devices; `None` if they only come through `http.public_url`.
    pub place: Option<(IpAddr, u16)>,
    /// The end; `None` if it doesn't end by itself.
    pub until: Option<Time>,
    /// Whether the port served HTTPS. Then it must not serve less.
    pub is_encrypted: bool,
    /// The certificate from the command line, in place of the one in the settings.
    pub tls: Option<Files>,
}

/// The stored certificate from the command line.
pub fn certificate(file: &Path) -> Option<Files> {
    files(&std::fs::read_to_string(file).ok()?)
}

/// Stores that pairing is off, and the certificate to use when it is turned on again.
pub(crate) fn keep_certificate(files: Option<&Files>, file: &Path) {
    match files {
        Some(files) => written(home::replace(file, &lines(files)), file),
        None => SavedPairing::keep(None, file),
    }
}

/// The value of a line.
fn word<'text>(text: &'text str, key: &str) -> Option<&'text str> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let mut found = lines.filter(|(known, _)| *known == key);
    found.next().map(|(_, value)| value)
}

fn files(text: &str) -> Option<Files> {
    let both = word(text, "cert").zip(word(text, "key"));
    both.map(|(cert, key)| Files {
        cert: PathBuf::from(cert),
        key: PathBuf::from(key),
    })
}

fn lines(files: &Files) -> String {
    let (cert, key) = (files.cert.display(), files.key.display());
    format!("cert {cert}\nkey {key}\n")
}

fn written(done: std::io::Result<()>, file: &Path) {
    if let Err(error) = done {
        tracing::error!(
            "{} can't be written ({error}): the next hub may not know whether pairing is on",
            file.display()
        );
    }
}

impl SavedPairing {
    /// Reads the file. If it is missing or malformed, pairing is off.
    pub fn read(file: &Path) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(file).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let word = |key: &str| word(text, key);
        Some(Self {
            place: match word("address")? {
                "none" => None,
                address => Some((address.parse().ok()?, word("port")?.parse().ok()?)),
            },
            until: match word("until")? {
                "off" => None,
                time => Some(Time(time.parse().ok()?)),
            },
            is_encrypted: word("encrypted") == Some("yes"),
            tls: files(text),
        })
    }

    fn text(&self) -> String {
        let mut text = match self.place {
            Some((address, port)) => format!("address {address}\nport {port}\n"),
            None => "address none\n".to_owned(),
        };
        let until = self.until.map(|until| until.0.to_string());
        text.push_str(&format!("until {}\n", until.as_deref().unwrap_or("off")));
        if self.is_encrypted {
            text.push_str("encrypted yes\n");
        }
        if let Some(tls) = &self.tls {
            text.push_str(&lines(tls));
        }
        text
    }

    /// Stores the state; `None` means off.
    pub fn keep(kept: Option<&Self>, file: &Path) {
        let done = match kept {
            Some(kept) => home::replace(file, &kept.text()),
            None => match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                Ok(()) | Err(_) => Ok(()),
            },
        };
        written(done, file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_and_nothing_else_turns_it_on() {
        let place = |ip: &str, port| Some((ip.parse().unwrap(), port));
        for (place, until) in [
            (place("192.168.1.7", 4127), Some(Time(7_000))),
            (place("fd00::1", 80), None),
            (None, Some(Time(1))),
        ] {
            let files = Files {
                cert: PathBuf::from("/my files/cert.pem"),
                key: PathBuf::from("/key"),
            };
            for (is_encrypted, tls) in [(false, None), (true, None), (true, Some(files))] {
                let kept = SavedPairing {
                    place,
                    until,
                    is_encrypted,
                    tls,
                };
                assert_eq!(SavedPairing::parse(&kept.text()), Some(kept));
            }
        }
        for text in [
            "",
            "address 192.168.1.7\nport 4127\n",
            "address x\nport 1\nuntil 5\n",
            "address 192.168.1.7\nport 99999\nuntil 5\n",
            "address 192.168.1.7\nport 1\nuntil soon\n",
            "cert /cert.pem\nkey /key.pem\n",
        ] {
            assert_eq!(SavedPairing::parse(text), None, "{text}");
        }
    }
}
