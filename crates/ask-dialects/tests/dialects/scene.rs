//! What happened to a call, parsed from the lines of a case.

use ask_core::{
    Answer, Ask, Asker, Attachment, Digest, Draft, Gaps, Origin, Outcome, Record, Settlement,
    State, Time, lifecycle,
};
use ask_dialects::Dialect;
use ask_protocol::native;

/// The random bytes of every case.
pub(crate) const RANDOM: [u8; 16] = [7, 21, 3, 44, 5, 61, 7, 8, 90, 10, 11, 12, 130, 14, 15, 16];

/// What happened to a call, one line per step.
///
/// `1: pick A | B`, `1: say words`, `1: none`, `1: note words`, `1: attach NAME` fill in question
/// 1; `note words` belongs to the whole form; `decline [reason]`, `clarify words`, `expire`,
/// `withdraw` end it otherwise; `open` leaves it open; `fetch`, `fetch nothing`, `fetch two`,
/// `fetch unknown ID` reply to a fetch instead of the call; `fail words` is a failure on our side;
/// `refused` says that the call must be refused, `read` that only reading it matters. `tool NAME`,
/// `limit MS`, `surface NAME` and `below AGENT` (the closing program was started below it) set the
/// scene.
#[derive(Default)]
pub(crate) struct Scene {
    pub tool: Option<String>,
    pub limit: Option<u64>,
    pub fetch: Option<String>,
    pub fail: Option<String>,
    pub refused: bool,
    pub only_read: bool,
    surface: Option<String>,
    below: Option<String>,
    answers: Vec<(usize, String)>,
    note: Option<String>,
    outcome: Option<fn(&Scene, &Ask) -> Outcome>,
    words: Option<String>,
}

impl Scene {
    pub(crate) fn read(steps: &str) -> Self {
        let mut scene = Self::default();
        for line in steps.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let numbered = line.split_once(": ").and_then(|(number, step)| {
                let number: usize = number.parse().ok()?;
                Some((number - 1, step.to_owned()))
            });
            match numbered {
                Some(answer) => {
                    scene.answers.push(answer);
                    scene.outcome.get_or_insert(answered);
                }
                None => scene.step(line),
            }
        }
        scene
    }

    fn step(&mut self, line: &str) {
        let (step, words) = line.split_once(' ').unwrap_or((line, ""));
        let some = (!words.is_empty()).then(|| words.to_owned());
        match step {
            "tool" => self.tool = some,
            "limit" => self.limit = Some(words.parse().expect("milliseconds")),
            "surface" => self.surface = some,
            "below" => self.below = some,
            "note" => self.note = some,
            "decline" => {
                self.outcome = Some(declined);
                self.words = some;
            }
            "clarify" => {
                self.outcome = Some(clarified);
                self.words = some;
            }
            "expire" => self.outcome = Some(|_, _| Outcome::Expired),
            "withdraw" => self.outcome = Some(|_, _| Outcome::Withdrawn),
            "open" => {}
            "fetch" => self.fetch = Some(words.to_owned()),
            "fail" => self.fail = some,
            "refused" => self.refused = true,
            "read" => self.only_read = true,
            other => panic!("no such step: {other}"),
        }
    }

    /// The record of an ask after all steps.
    pub(crate) fn record(&self, dialect: &dyn Dialect, ask: Ask) -> Record {
        let now = Time(1_770_243_392_000);
        let outcome = self.outcome.map(|outcome| outcome(self, &ask));
        let id = dialect.id(RANDOM);
        let mut record = lifecycle::open(id, dialect.name(), ask, Asker::default(), now);
        if let Some(outcome) = outcome {
            let settlement = Settlement {
                outcome,
                surface: self.surface.clone().unwrap_or_else(|| "tui".to_owned()),
                device: None,
                origin: self.below.as_ref().map(|agent| {
                    Box::new(Origin {
                        pid: 4242,
                        program: Some("ask-user".to_owned()),
                        terminal: None,
                        below_agent: Some(agent.clone()),
                    })
                }),
                at: now.plus_ms(90_000),
                attempt: 1,
                awaited: false,
            };
            record.state = State::Closed {
                settlement,
                delivered_at: None,
            };
        }
        record
    }
}

/// A file with this name, and with content that fits its extension.
fn attachment(name: &str) -> Attachment {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
    let bytes: &[u8] = match name.ends_with(".png") {
        true => png,
        false => b"some text",
    };
    let mut file = Attachment::from_bytes(name, bytes, Digest([0xab; 32])).expect("a file");
    file.path = Some(format!("/home/me/attachments/ab/{name}"));
    file
}

fn answered(scene: &Scene, ask: &Ask) -> Outcome {
    let mut answers = vec![Answer::default(); ask.questions.len()];
    for (at, step) in &scene.answers {
        let (step, words) = step.split_once(' ').unwrap_or((step, ""));
        let answer = &mut answers[*at];
        let pick = |label| match native::pick(&ask.questions[*at], label) {
            Some(pick) => pick,
            None => panic!("no choice {label}"),
        };
        match step {
            "pick" => answer.picks.extend(words.split(" | ").map(pick)),
            "say" => answer.own = Some(words.replace("\\n", "\n")),
            "note" => answer.note = Some(words.to_owned()),
            "none" => answer.none = true,
            "attach" => answer.attachments.push(attachment(words)),
            "skip" => {}
            other => panic!("no such step: {other}"),
        }
    }
    let draft = Draft {
        answers,
        note: scene.note.clone(),
    };
    Outcome::Answered(draft.finish(ask, Gaps::Send).expect("a finished form"))
}

fn declined(scene: &Scene, _ask: &Ask) -> Outcome {
    Outcome::Declined {
        reason: scene.words.clone(),
    }
}

fn clarified(scene: &Scene, _ask: &Ask) -> Outcome {
    Outcome::Clarify {
        words: scene.words.clone().unwrap_or_default(),
    }
}
