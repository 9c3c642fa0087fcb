//! The note with the state of pairing, so that a restarted hub turns pairing on again until its end.
//! The note contains no secret.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ask_config::config::Files;
use ask_core::Time;
use ask_hub::note_writer::NoteWriter;

use crate::stored::{self, Notes, StoredNotes};

/// The key of the note.
pub const PAIRING_NOTE: &str = "web.pairing";

/// The state of pairing, as the note has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedPairing {
    /// The address and port for devices; `None` if they only come through `http.public_url`.
    pub(crate) place: Option<(IpAddr, u16)>,
    /// The end; `None` if it doesn't end by itself.
    pub(crate) until: Option<Time>,
    /// Whether the port served HTTPS. Then it must not serve less.
    pub(crate) is_encrypted: bool,
    /// The certificate from the command line, in place of the one in the settings.
    pub(crate) tls: Option<Files>,
}

/// The note in the store, and its current text.
pub(crate) struct PairingStore {
    notes: StoredNotes,
    text: Mutex<Option<String>>,
}

impl PairingStore {
    /// Reads the state from the store's notes, or from an earlier version's file, which moves to the
    /// store.
    pub(crate) fn new(notes: &Notes, file: &Path, writer: NoteWriter) -> Self {
        let stored = StoredNotes::new(notes, PAIRING_NOTE, file, writer);
        let read = stored::read_file(file).or_else(|| notes.get(PAIRING_NOTE).cloned());
        let store = Self {
            notes: stored,
            text: Mutex::default(),
        };
        // Nothing waits for the store: the file stays until the note is written.
        drop(store.write(read.filter(|text| !text.is_empty())));
        store
    }

    /// The stored state. Returns `None`, and pairing is off, if it is missing or malformed.
    pub(crate) fn saved(&self) -> Option<SavedPairing> {
        SavedPairing::parse(&self.text()?)
    }

    /// The stored certificate from the command line.
    pub(crate) fn certificate(&self) -> Option<Files> {
        parse_certificate(&self.text()?)
    }

    /// Stores that pairing is on. The future resolves once it is stored or storing has failed.
    pub(crate) fn save(&self, saved: &SavedPairing) -> impl Future<Output = ()> + Send + use<> {
        self.write(Some(saved.to_text()))
    }

    /// Stores that pairing is off, and the certificate to use when it is turned on again. The future
    /// resolves once the next hub won't turn it on either.
    pub(crate) fn save_off(
        &self,
        files: Option<&Files>,
    ) -> impl Future<Output = ()> + Send + use<> {
        self.write(files.map(certificate_lines))
    }

    fn text(&self) -> Option<String> {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.clone()
    }

    fn write(&self, text: Option<String>) -> impl Future<Output = ()> + Send + use<> {
        let mut known = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone_from(&text);
        let is_ended = text.is_none();
        let notes = text.map(|text| (PAIRING_NOTE.to_owned(), text));
        let written = self.notes.replace(notes.into_iter().collect(), is_ended);
        async move {
            // A failure is logged.
            let _ = written.await;
        }
    }
}

/// Parses the certificate from the command line in a note's text.
pub fn parse_certificate(text: &str) -> Option<Files> {
    let both = value(text, "cert").zip(value(text, "key"));
    both.map(|(cert, key)| Files {
        cert: PathBuf::from(cert),
        key: PathBuf::from(key),
    })
}

/// The value of the line with this key.
fn value<'text>(text: &'text str, key: &str) -> Option<&'text str> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let mut found = lines.filter(|(known, _)| *known == key);
    found.next().map(|(_, value)| value)
}

fn certificate_lines(files: &Files) -> String {
    let (cert, key) = (files.cert.display(), files.key.display());
    format!("cert {cert}\nkey {key}\n")
}

impl SavedPairing {
    fn parse(text: &str) -> Option<Self> {
        let value = |key: &str| value(text, key);
        Some(Self {
            place: match value("address")? {
                "none" => None,
                address => Some((address.parse().ok()?, value("port")?.parse().ok()?)),
            },
            until: match value("until")? {
                "off" => None,
                time => Some(Time(time.parse().ok()?)),
            },
            is_encrypted: value("encrypted") == Some("yes"),
            tls: parse_certificate(text),
        })
    }

    fn to_text(&self) -> String {
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
            text.push_str(&certificate_lines(tls));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::testing::FakeStore;

    #[test]
    fn a_stored_state_is_parsed_and_a_malformed_one_is_off() {
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
                let saved = SavedPairing {
                    place,
                    until,
                    is_encrypted,
                    tls,
                };
                assert_eq!(SavedPairing::parse(&saved.to_text()), Some(saved));
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

    #[test]
    fn the_file_of_an_earlier_version_moves_to_the_store_and_pairing_stays_off_on_a_full_disk() {
        let process = std::process::id();
        let file = std::env::temp_dir().join(format!("ask-user-pairing-{process}"));
        let (mut store, writer) = FakeStore::new();
        std::fs::write(&file, "address none\nuntil off\ncert /cert\nkey /key\n").unwrap();
        let pairing = PairingStore::new(&store.notes, &file, writer.clone());
        let saved = pairing.saved().unwrap();
        assert_eq!((saved.place, saved.until), (None, None));
        assert!(file.exists(), "the store hasn't written the note yet");
        store.run_orders();
        assert!(!file.exists());
        let pairing = PairingStore::new(&store.notes, &file, writer.clone());
        assert_eq!(pairing.saved().as_ref(), Some(&saved));

        let files = saved.tls.clone();
        drop(pairing.save_off(files.as_ref()));
        store.run_orders();
        let pairing = PairingStore::new(&store.notes, &file, writer.clone());
        assert_eq!((pairing.saved(), pairing.certificate()), (None, files));

        drop(pairing.save(&saved));
        store.run_orders();
        store.is_full = true;
        drop(pairing.save_off(None));
        store.run_orders();
        let next = PairingStore::new(&store.notes, &file, writer.clone());
        assert_eq!((next.saved(), next.certificate()), (None, None));
        store.is_full = false;
        store.run_orders();
        assert!(!file.exists() && store.notes.is_empty());
    }
}
