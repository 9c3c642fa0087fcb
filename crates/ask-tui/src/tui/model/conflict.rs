//! Merges the drafts that other surfaces save for the open ask, question by question. The newest
//! answer wins unless the person types here; one key restores the answer that it replaced.

use ask_core::record::Saved;
use ask_core::{Answer, Draft, Record, Time};

/// How long after the last key another surface's answer doesn't replace the one typed here: the
/// person may still be typing.
const TYPING_PAUSE_MS: u64 = 3_000;

/// The open card's view of the draft that the hub stores.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflict {
    /// The revision that the form was last merged with.
    revision: u64,
    /// The stored draft at that revision.
    stored: Draft,
    /// Drafts that were sent since and aren't confirmed, with the revisions that they should
    /// become.
    sent: Vec<(u64, Draft)>,
    /// The other version of each answer where two exist; behind the last question, that of the note
    /// for all.
    pub others: Vec<Option<OtherVersion>>,
    /// The version last taken from another surface, for each of these. It wasn't typed here.
    taken: Vec<Option<Answer>>,
    /// The question that the person typed in last, and when.
    typed: Option<(usize, Time)>,
    /// The deadline for which typing has requested more time.
    pub extension_requested_for: Option<Time>,
}

/// The answers that replace those of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedAnswers {
    /// Each answer with the index of its question; the index behind the last one is the note for
    /// all.
    pub answers: Vec<(usize, Answer)>,
}

/// The other version of an answer: the other surface's, or the one that it replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OtherVersion {
    pub answer: Answer,
    /// The surface that changed the question.
    pub surface: String,
    /// When it changed the question.
    pub at: Time,
    /// Whether this version was typed here, and the form has the other surface's.
    pub is_own: bool,
}

impl Conflict {
    /// Starts from a record's saved draft, or from a blank form.
    pub(crate) fn from_record(record: &Record, form: Draft) -> Self {
        Self {
            revision: record.draft.as_ref().map_or(0, |saved| saved.revision),
            others: vec![None; record.ask.questions.len() + 1],
            taken: taken_of(record, &form),
            typed: None,
            stored: without_paths(&form),
            sent: Vec::new(),
            extension_requested_for: None,
        }
    }

    /// Records a draft that is about to be sent. Returns the revision that it is built on.
    pub(crate) fn record_sent(&mut self, draft: &Draft) -> u64 {
        let last = self
            .sent
            .last()
            .map_or(self.revision, |(revision, _)| *revision);
        self.sent.push((last + 1, without_paths(draft)));
        last
    }

    /// Whether the hub is known to store this draft.
    pub(crate) fn is_stored(&self, draft: &Draft) -> bool {
        without_paths(draft) == self.stored
    }

    /// Whether there are answers of which another version exists.
    pub(crate) fn has_other_versions(&self) -> bool {
        self.others.iter().any(Option::is_some)
    }

    /// The last draft that the hub is known to store.
    pub(crate) fn stored(&self) -> &Draft {
        &self.stored
    }

    /// Drops the drafts that the hub refused because another surface had saved one first.
    pub(crate) fn drop_unconfirmed(&mut self) {
        self.sent.clear();
    }

    /// Whether a saved draft is newer than the one merged last.
    pub(crate) fn is_newer(&self, saved: &Saved) -> bool {
        saved.revision > self.revision
    }

    /// Records that the person types in a question.
    pub(crate) fn record_typing(&mut self, at: usize, now: Time) {
        self.typed = Some((at, now));
    }

    /// Swaps the form's version of an answer with the other one. Returns the version for the form.
    pub(crate) fn swap(&mut self, at: usize, mine: Answer) -> Option<Answer> {
        let other = self.others.get_mut(at)?.as_mut()?;
        let loaded = std::mem::replace(&mut other.answer, mine);
        if !other.is_own {
            self.taken[at] = Some(loaded.clone());
        }
        other.is_own = !other.is_own;
        Some(loaded)
    }

    /// The texts that were typed here and that another surface's have replaced.
    pub(crate) fn own_texts(&self) -> Vec<String> {
        let own = self.others.iter().flatten().filter(|other| other.is_own);
        let texts = own.flat_map(|other| {
            let files = other.answer.only_files();
            let own = other
                .answer
                .own
                .clone()
                .filter(|own| Some(own) != files.as_ref());
            [own, other.answer.note.clone()]
        });
        texts.flatten().collect()
    }

    /// Whether the form's version of an answer is another surface's.
    pub(crate) fn is_taken(&self, at: usize, mine: &Answer) -> bool {
        self.taken.get(at).and_then(Option::as_ref) == Some(mine)
    }

    /// Offers another surface's version of an answer, and returns the one that it replaced.
    pub(crate) fn restore_own(&mut self, at: usize, theirs: Answer, by: &Saved) -> Answer {
        let offered = OtherVersion {
            answer: theirs,
            surface: by.surface.clone(),
            at: by.at,
            is_own: false,
        };
        let own = self.others[at].replace(offered).filter(|own| own.is_own);
        own.map(|own| own.answer).unwrap_or_default()
    }

    /// Whether the person has typed in a question within the last [`TYPING_PAUSE_MS`].
    fn is_being_typed(&self, at: usize, now: Time) -> bool {
        let typed = self.typed.filter(|(question, _)| *question == at);
        typed.is_some_and(|(_, last)| now.since_ms(last) < TYPING_PAUSE_MS)
    }

    /// Merges the stored draft with the form. Returns the answers that replace those of the form;
    /// `None` if the revision isn't newer or is our own.
    pub(crate) fn merge(
        &mut self,
        saved: &Saved,
        mine: &Draft,
        now: Time,
    ) -> Option<MergedAnswers> {
        if saved.revision <= self.revision {
            return None;
        }
        let (saved_draft, mine) = (without_paths(&saved.draft), without_paths(mine));
        let own =
            |(revision, draft): &(u64, Draft)| *revision == saved.revision && *draft == saved_draft;
        let is_own = self.sent.iter().any(own);
        self.sent.retain(|(revision, _)| *revision > saved.revision);
        let stored = std::mem::replace(&mut self.stored, saved_draft.clone());
        self.revision = saved.revision;
        if is_own {
            return None;
        }
        let last = self.others.len().saturating_sub(1);
        let mut answers = Vec::new();
        for at in 0..self.others.len() {
            let answer_in = |draft: &Draft| {
                if at == last {
                    note_answer(draft.note.clone())
                } else {
                    draft.answers.get(at).cloned().unwrap_or_default()
                }
            };
            let (before, theirs, mine) = (
                answer_in(&stored),
                answer_in(&saved_draft),
                answer_in(&mine),
            );
            if theirs == before || theirs == mine {
                continue;
            }
            let other = |answer: Answer, is_own| OtherVersion {
                answer,
                surface: saved.surface.clone(),
                at: saved.at,
                is_own,
            };
            if mine != before || self.is_being_typed(at, now) {
                self.others[at] = Some(other(theirs, false));
                continue;
            }
            // Nothing was typed here since: the newest answer wins. Own text that it replaces is
            // kept, however often the other surface changes its answer afterwards.
            let own = if self.taken[at].as_ref() == Some(&mine) {
                let first = self.others[at].take().filter(|first| first.is_own);
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
        Some(MergedAnswers { answers })
    }
}

/// What a program below an agent has filled in before the card was opened was not typed here.
fn taken_of(record: &Record, form: &Draft) -> Vec<Option<Answer>> {
    let questions = record.ask.questions.len();
    if record.filled_in_below().is_none() {
        return vec![None; questions + 1];
    }
    let form = without_paths(form);
    let answer = |at: usize| form.answers.get(at).cloned().unwrap_or_default();
    let answers = (0..questions).map(answer);
    let note = note_answer(form.note.clone());
    answers.chain([note]).map(Some).collect()
}

/// Wraps the note for all as an answer, so that it is merged like one.
pub(crate) fn note_answer(note: Option<String>) -> Answer {
    Answer {
        note,
        ..Answer::default()
    }
}

/// A draft without the storage paths of attachments, which differ between surfaces.
fn without_paths(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    draft.set_attachment_paths(|_| None);
    draft
}
