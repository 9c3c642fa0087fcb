//! What was told of which ask, kept so that the next hub tells nothing twice: one line each in a
//! file of its own. It is no part of any ask: where it is lost, what waits is told once more.

use std::collections::BTreeMap;
use std::path::Path;

use ask_config::home;
use ask_core::{AskId, Time};

use super::engine::{Notice, Step};
use super::parcels::Parcel;

/// All that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// What was told of the asks that are not over.
    pub notices: BTreeMap<AskId, Notice>,
    /// The notifications on the desktop: our number, and the desktop's.
    pub shown: BTreeMap<u64, u32>,
    /// The number of the last notification.
    pub last_group: u64,
    /// What is on its way to the phone.
    pub parcels: Vec<Parcel>,
}

impl Kept {
    /// Reads the file; what isn't there or can't be read was not told.
    pub fn read(path: &Path) -> Self {
        let mut kept = Self::default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines() {
            kept.take(line);
        }
        kept
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        home::replace(path, &self.text())
    }

    fn text(&self) -> String {
        let mut text = format!("last {}\n", self.last_group);
        for (id, notice) in &self.notices {
            let snoozed = notice.snoozed.map_or(0, |until| until.0);
            text.push_str(&format!(
                "ask {id} {} {} {snoozed} {} {}\n",
                notice.since.0,
                u8::from(notice.shown),
                word(notice.desktop),
                word(notice.push)
            ));
        }
        for (group, number) in &self.shown {
            text.push_str(&format!("desktop {group} {number}\n"));
        }
        for parcel in &self.parcels {
            text.push_str(&format!("parcel {}\n", parcel.line()));
        }
        text
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        match words.next()? {
            "last" => self.last_group = words.next()?.parse().ok()?,
            "ask" => {
                let id = AskId::parse(words.next()?)?;
                let since = Time(words.next()?.parse().ok()?);
                let shown = words.next()? == "1";
                let until: i64 = words.next()?.parse().ok()?;
                let notice = Notice {
                    since,
                    shown,
                    snoozed: (until != 0).then_some(Time(until)),
                    desktop: step(words.next()?)?,
                    push: step(words.next()?)?,
                };
                self.notices.insert(id, notice);
            }
            "desktop" => {
                let group = words.next()?.parse().ok()?;
                self.shown.insert(group, words.next()?.parse().ok()?);
            }
            "parcel" => self.parcels.push(Parcel::read(words)?),
            _ => {}
        }
        Some(())
    }
}

fn word(step: Step) -> String {
    match step {
        Step::Open => "open".to_owned(),
        Step::Passed => "passed".to_owned(),
        Step::Done(group) => group.to_string(),
    }
}

fn step(word: &str) -> Option<Step> {
    Some(match word {
        "open" => Step::Open,
        "passed" => Step::Passed,
        number => Step::Done(number.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::super::engine::Event;
    use super::super::parcels::Channel;
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let id = AskId::parse("a_0123456789abcdef").or_else(|| AskId::parse("a_abcdefgh"));
        let id = id.expect("an id");
        let notice = Notice {
            since: Time(5),
            shown: true,
            snoozed: Some(Time(9)),
            desktop: Step::Done(3),
            push: Step::Passed,
        };
        let kept = Kept {
            notices: BTreeMap::from([(id.clone(), notice)]),
            shown: BTreeMap::from([(3, 17)]),
            last_group: 3,
            parcels: vec![Parcel::new(
                Channel::Webhook,
                Event::Asked,
                vec![id],
                Time(7),
            )],
        };
        let mut read = Kept::default();
        for line in kept.text().lines() {
            read.take(line).expect("a line of ours");
        }
        assert_eq!(read, kept);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let mut kept = Kept::default();
        for line in [
            "",
            "ask",
            "ask ../x 1 0 0 open open",
            "desktop a b",
            "else",
            "parcel x",
        ] {
            kept.take(line);
        }
        assert_eq!(kept, Kept::default());
    }
}
