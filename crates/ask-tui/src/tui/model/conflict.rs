//! What is filled in for the same ask elsewhere, question by question: the newest wins where nobody
//! types, and what it takes the place of is a key away.

use ask_core::record::Saved;
use ask_core::{Answer, Draft, Record, Time};

/// How long after the last key somebody is still typing: nothing takes the place of their words.
const HANDS_MS: u64 = 3_000;

/// How a card stands to what the hub keeps.
#[derive(Clone, Debug, Default)]
pub struct Conflict {
    /// The revision that the form was last brought up to,
    revision: u64,
    /// and what was kept then.
    agreed: Draft,
    /// What went out since and has not been heard of: the revisions they should become.
    sent: Vec<(u64, Draft)>,
    /// The other wording of each question, where there are two; behind the last, of the note for all.
    pub others: Vec<Option<Other>>,
    /// What came from elsewhere last, for each of these: words that nobody typed here.
    taken: Vec<Option<Answer>>,
    /// Where somebody typed last, and when.
    typed: Option<(usize, Time)>,
    /// The deadline for which more time was asked, because somebody typed.
    pub prolonged: Option<Time>,
}

/// What comes into the form from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Answers, each with its question; behind the last one, the note for all.
    pub answers: Vec<(usize, Answer)>,
}

/// The other wording of an answer: what was filled in elsewhere, or what that took the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// The answer.
    pub answer: Answer,
    /// Where the question was changed,
    pub surface: String,
    /// and when.
    pub at: Time,
    /// Whether this is the person's own answer here, and that of elsewhere is in the form.
    pub own: bool,
}

impl Conflict {
    /// Begins with what a record holds, or a blank form.
    pub fn of(record: &Record, form: Draft) -> Self {
        Self {
            revision: record.draft.as_ref().map_or(0, |saved| saved.revision),
            others: vec![None; record.ask.questions.len() + 1],
            taken: vec![None; record.ask.questions.len() + 1],
            typed: None,
            agreed: bare(&form),
            sent: Vec::new(),
            prolonged: None,
        }
    }

    /// The revision that a draft is built on which goes out now.
    pub fn sends(&mut self, draft: &Draft) -> u64 {
        let last = self
            .sent
            .last()
            .map_or(self.revision, |(revision, _)| *revision);
        self.sent.push((last + 1, bare(draft)));
        last
    }

    /// What is kept, as far as is known.
    pub fn agreed(&self) -> &Draft {
        &self.agreed
    }

    /// A draft that went out came too late: another had been kept.
    pub fn came_too_late(&mut self) {
        self.sent.clear();
    }

    /// Whether the hub keeps something newer than was known here.
    pub fn hears_of(&self, saved: &Saved) -> bool {
        saved.revision > self.revision
    }

    /// Somebody types there.
    pub fn types(&mut self, at: usize, now: Time) {
        self.typed = Some((at, now));
    }

    /// Puts the other wording in the place of this one, which is the other now; what was the other.
    pub fn swaps(&mut self, at: usize, mine: Answer) -> Option<Answer> {
        let other = self.others.get_mut(at)?.as_mut()?;
        let loaded = std::mem::replace(&mut other.answer, mine);
        if !other.own {
            self.taken[at] = Some(loaded.clone());
        }
        other.own = !other.own;
        Some(loaded)
    }

    /// Whether somebody types there, or did a moment ago.
    fn is_typed(&self, at: usize, now: Time) -> bool {
        let typed = self.typed.filter(|(there, _)| *there == at);
        typed.is_some_and(|(_, last)| now.since_ms(last) < HANDS_MS)
    }

    /// Looks at what the hub keeps now, against what is in the form; gives the answers that take
    /// their place in it. `None` where there is nothing new.
    pub fn meets(&mut self, saved: &Saved, mine: &Draft, now: Time) -> Option<Taken> {
        if saved.revision <= self.revision {
            return None;
        }
        let (kept, mine) = (bare(&saved.draft), bare(mine));
        let own = |(revision, draft): &(u64, Draft)| *revision == saved.revision && *draft == kept;
        let is_own = self.sent.iter().any(own);
        self.sent.retain(|(revision, _)| *revision > saved.revision);
        let agreed = std::mem::replace(&mut self.agreed, kept.clone());
        self.revision = saved.revision;
        if is_own {
            return None;
        }
        let last = self.others.len().saturating_sub(1);
        let mut answers = Vec::new();
        for at in 0..self.others.len() {
            let of = |draft: &Draft| match at == last {
                true => noted(draft.note.clone()),
                false => draft.answers.get(at).cloned().unwrap_or_default(),
            };
            let (before, theirs, mine) = (of(&agreed), of(&kept), of(&mine));
            if theirs == before || theirs == mine {
                continue;
            }
            let other = |answer: Answer, own| Other {
                answer,
                surface: saved.surface.clone(),
                at: saved.at,
                own,
            };
            if mine != before || self.is_typed(at, now) {
                self.others[at] = Some(other(theirs, false));
                continue;
            }
            // Nothing was typed here since: the newest wins. Words of the person's own that it takes
            // the place of are kept, however often it changes afterwards.
            let own = if self.taken[at].as_ref() == Some(&mine) {
                let first = self.others[at].take().filter(|first| first.own);
                first.map(|first| first.answer)
            } else {
                Some(mine)
            };
            self.others[at] = own
                .filter(|own| own.is_touched() && *own != theirs)
                .map(|own| other(own, true));
            self.taken[at] = Some(theirs.clone());
            answers.push((at, theirs));
        }
        Some(Taken { answers })
    }
}

/// A note for all, as the answer that it is treated like.
pub fn noted(note: Option<String>) -> Answer {
    Answer {
        note,
        ..Answer::default()
    }
}

/// A draft as all surfaces would fill it in alike: without where the hub says that files are.
fn bare(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    draft.place(|_| None);
    draft
}
