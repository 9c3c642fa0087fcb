//! The state between two rounds of a dialog. The client stores it and could return anything, so it
//! is sealed.

mod key;

use anyhow::Context;
use ask_clients::strategy::Transport;
use ask_config::clock;
use ask_config::home::Home;
use ask_core::{AskId, Record, Time};
use rmcp::model::{RequestStateCodec, SealOptions};

/// How long a state is valid.
const VALID_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// The state of a call between two rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ElicitationState {
    pub id: AskId,
    /// When the agent first asked.
    pub asked_at: Time,
    /// When this dialog was sent.
    pub shown_at: Time,
    /// Whether a notice has named the unanswered questions.
    pub gaps_shown: bool,
}

/// Seals a state for its asker and dialect, and for the way in which the client is connected: a program
/// with the HTTP token doesn't continue the dialog of a client that has a server of its own.
pub(crate) struct StateSealer {
    codec: RequestStateCodec,
    transport: Transport,
}

impl StateSealer {
    /// A sealer with the person's key, which is created on first use.
    pub(crate) fn load(home: &Home, transport: Transport) -> anyhow::Result<Self> {
        let path = home.seal_file();
        let codec = RequestStateCodec::try_new(key::read_or_create_key(home, &path)?)
            .with_context(|| format!("{} is damaged: remove it", path.display()))?;
        Ok(Self { codec, transport })
    }

    /// Seals a state for the asker of this record.
    pub(crate) fn seal(&self, state: &ElicitationState, record: &Record) -> String {
        let ElicitationState {
            id,
            asked_at,
            shown_at,
            gaps_shown,
        } = state;
        let text = format!("{id} {} {} {gaps_shown}", asked_at.0, shown_at.0);
        let data = self.associated_data(record);
        self.codec
            .seal_with(text.as_bytes(), &SealOptions::new().associated_data(&data))
    }

    /// Opens a state; `None` if it was sealed for another asker, was changed, or is too old.
    pub(crate) fn open(&self, sealed: &str, record: &Record) -> Option<ElicitationState> {
        let data = self.associated_data(record);
        let text = self.codec.open_with(sealed, &data).ok()?;
        let text = String::from_utf8(text).ok()?;
        let mut parts = text.split(' ');
        let state = ElicitationState {
            id: AskId::parse(parts.next()?)?,
            asked_at: Time(parts.next()?.parse().ok()?),
            shown_at: Time(parts.next()?.parse().ok()?),
            gaps_shown: parts.next()?.parse().ok()?,
        };
        (clock::now().since_ms(state.shown_at) <= VALID_MS).then_some(state)
    }

    /// The bytes that bind a state to its asker. The ask's content is compared with the record that
    /// the state names.
    fn associated_data(&self, record: &Record) -> Vec<u8> {
        let asker = &record.asker;
        let transport = match self.transport {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
        };
        let parts = [
            transport,
            &record.dialect,
            asker.client.as_deref().unwrap_or_default(),
            asker.directory.as_deref().unwrap_or_default(),
        ];
        let mut data = Vec::new();
        for text in parts {
            data.extend_from_slice(&(text.len() as u64).to_be_bytes());
            data.extend_from_slice(text.as_bytes());
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use ask_core::{Ask, Asker, lifecycle};

    use super::*;

    fn record(client: &str, directory: &str) -> Record {
        let asker = Asker {
            client: Some(client.to_owned()),
            directory: Some(directory.to_owned()),
            ..Asker::default()
        };
        let id = AskId::parse("a_12345").unwrap();
        lifecycle::open(id, "native", Ask::default(), asker, clock::now())
    }

    fn sealer(key: u8) -> StateSealer {
        StateSealer {
            codec: RequestStateCodec::try_new(vec![key; 32]).unwrap(),
            transport: Transport::Stdio,
        }
    }

    #[test]
    fn only_the_asker_of_a_state_can_return_it() {
        let ours = record("agent", "/work");
        let state = ElicitationState {
            id: ours.id.clone(),
            asked_at: Time(5),
            shown_at: clock::now(),
            gaps_shown: true,
        };
        let sealed = sealer(1).seal(&state, &ours);
        assert_eq!(sealer(1).open(&sealed, &ours), Some(state.clone()));
        assert_eq!(sealer(2).open(&sealed, &ours), None);
        let over_http = StateSealer {
            transport: Transport::Http,
            ..sealer(1)
        };
        assert_eq!(over_http.open(&sealed, &ours), None);
        assert_eq!(sealer(1).open(&sealed, &record("agent", "/other")), None);
        assert_eq!(sealer(1).open(&sealed, &record("agent/w", "ork")), None);
        for at in 0..sealed.len() {
            let mut forged = sealed.clone().into_bytes();
            forged[at] ^= 1;
            let forged = String::from_utf8_lossy(&forged).into_owned();
            assert_eq!(sealer(1).open(&forged, &ours), None, "{forged}");
        }
    }

    #[test]
    fn a_state_expires() {
        let ours = record("agent", "/work");
        let now = clock::now();
        let sealed = |ms| {
            let shown_at = Time(now.0 - i64::try_from(ms).unwrap());
            let (id, asked_at, gaps_shown) = (ours.id.clone(), shown_at, false);
            sealer(1).seal(
                &ElicitationState {
                    id,
                    asked_at,
                    shown_at,
                    gaps_shown,
                },
                &ours,
            )
        };
        assert!(sealer(1).open(&sealed(VALID_MS - 60_000), &ours).is_some());
        assert!(sealer(1).open(&sealed(VALID_MS + 60_000), &ours).is_none());
    }
}
