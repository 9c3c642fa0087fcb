//! A partly filled form, and the only check that turns it into answers.
//!
//! Only [`Draft::finish`] makes an [`Answered`]: whatever counts as answered has passed it, coming
//! from a surface or from the store.

use std::collections::BTreeSet;

use crate::ask::{Ask, Input, Question};
use crate::attachment::{Attachment, MOST_FILES};
use crate::sanitize::SafeText;

/// What a person has filled in so far, one [`Answer`] per question.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Draft {
    /// In the order of the questions. Missing answers are empty.
    pub answers: Vec<Answer>,
    /// A note about the whole ask.
    pub note: Option<String>,
}

/// A person's answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Answer {
    /// Indices of the picks, ascending.
    pub picks: Vec<usize>,
    /// The person's own words.
    pub own: Option<String>,
    /// A remark. It is no answer by itself.
    pub note: Option<String>,
    /// Whether the person chose none of the choices. Only for a question that allows several picks.
    pub none: bool,
    /// Files that belong to it. They are an answer by themselves.
    pub attachments: Vec<Attachment>,
}

/// A form that a person has sent. Only [`Draft::finish`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    answers: Vec<Answer>,
    note: Option<String>,
}

/// What to do about required questions that have no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// Refuse, and name the questions.
    Refuse,
    /// Accept: the person saw them and sends nevertheless.
    Send,
}

/// Why a draft is not an answer yet. Indices count from zero.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// Required questions without an answer.
    #[error("required and not answered: question {}", numbers(.0))]
    Missing(Vec<usize>),
    /// Not one question has an answer and at least one is required.
    #[error("nothing is answered yet")]
    Empty,
    /// More answers than questions.
    #[error("there are {questions} questions, but {answers} answers")]
    TooMany {
        /// How many questions were asked.
        questions: usize,
        /// How many answers there are.
        answers: usize,
    },
    /// A pick that the question doesn't offer.
    #[error("question {} has no choice {}", .question + 1, .pick + 1)]
    NoSuchChoice {
        /// The index of the question.
        question: usize,
        /// The index of the pick.
        pick: usize,
    },
    /// Several picks where only one is allowed.
    #[error("question {} takes one choice only", .0 + 1)]
    OneOnly(usize),
    /// Picks, together with "none of these".
    #[error("question {}: \"none of these\" excludes other choices", .0 + 1)]
    Torn(usize),
    /// More files than an answer can have.
    #[error("question {} can have {} files attached, and has more", .0 + 1, MOST_FILES)]
    TooManyFiles(usize),
}

fn numbers(questions: &[usize]) -> String {
    let words: Vec<String> = questions.iter().map(|at| (at + 1).to_string()).collect();
    words.join(", ")
}

impl Answer {
    /// An answer that picks these choices.
    pub fn picking(picks: impl IntoIterator<Item = usize>) -> Self {
        Self {
            picks: picks.into_iter().collect(),
            ..Self::default()
        }
    }

    /// An answer in own words.
    pub fn saying(words: impl Into<String>) -> Self {
        Self {
            own: Some(words.into()),
            ..Self::default()
        }
    }

    /// Whether it answers anything. Blank words don't, and a note alone doesn't.
    pub fn is_given(&self) -> bool {
        self.none
            || !self.picks.is_empty()
            || !self.attachments.is_empty()
            || self.own.as_deref().is_some_and(has_words)
    }

    /// How many bytes its texts have together.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.own, &self.note];
        texts.into_iter().flatten().map(String::len).sum()
    }

    /// Whether it contains anything that the person would miss.
    pub fn is_touched(&self) -> bool {
        self.is_given() || self.note.as_deref().is_some_and(has_words)
    }

    /// Whether it picks choices and says that none of them fits, in a question that allows both.
    fn is_torn(&self, input: &Input) -> bool {
        self.none && input.is_many() && !self.picks.is_empty()
    }

    fn tidy(mut self, input: &Input) -> Self {
        self.picks.sort_unstable();
        self.picks.dedup();
        self.own = self.own.filter(|words| has_words(words));
        self.note = self.note.filter(|words| has_words(words));
        // A file says more than that no choice fits.
        self.none &= input.is_many()
            && self.picks.is_empty()
            && self.own.is_none()
            && self.attachments.is_empty();
        if self.picks.is_empty() && self.own.is_none() {
            self.own = self.only_files();
        }
        self
    }

    /// Whether anything of this answer is left in a later one.
    fn shares(&self, later: &Self, piece: usize) -> bool {
        let has_file = |file: &Attachment| {
            let mut files = later.attachments.iter();
            files.any(|other| other.digest == file.digest)
        };
        self.picks.iter().any(|pick| later.picks.contains(pick))
            || (self.none && later.none)
            || self.attachments.iter().any(has_file)
            || share_text(self.own.as_deref(), later.own.as_deref(), piece)
            || share_text(self.note.as_deref(), later.note.as_deref(), piece)
    }

    /// The own words of an answer that is only files: dialects have no words for that.
    pub fn only_files(&self) -> Option<String> {
        let names: Vec<&str> = self
            .attachments
            .iter()
            .map(|attachment| attachment.name.as_str())
            .collect();
        (!names.is_empty()).then(|| format!("(see the attached {})", names.join(", ")))
    }
}

/// How many characters in a row count as a piece of a text.
const PIECE: usize = 3;

/// The same where the texts need not follow each other, so that common words don't count.
const LONG_PIECE: usize = 16;

/// Whether two texts have a piece of this length in common. A text that is shorter is one piece.
fn share_text(before: Option<&str>, after: Option<&str>, piece: usize) -> bool {
    if before == after {
        return before.is_some_and(has_words);
    }
    // Of a text without letters, such as an emoji, every character counts.
    let before_text = before.unwrap_or_default();
    let has_letters = before_text.chars().any(char::is_alphanumeric);
    let counts = |letter: &char| match has_letters {
        true => letter.is_alphanumeric(),
        false => !letter.is_whitespace(),
    };
    let letters = |text: Option<&str>| -> Vec<char> {
        let text = text.unwrap_or_default().to_lowercase();
        text.chars().filter(counts).collect()
    };
    let (before, after) = (letters(before), letters(after));
    let size = match piece {
        PIECE => PIECE.min(before.len()).min(after.len()),
        piece => piece.min(before.len()),
    };
    if size == 0 {
        return false;
    }
    let pieces: BTreeSet<&[char]> = before.windows(size).collect();
    after.windows(size).any(|piece| pieces.contains(piece))
}

/// How many bytes the texts of these answers and the note for all have together.
fn bytes(answers: &[Answer], note: Option<&str>) -> usize {
    note.map_or(0, str::len) + answers.iter().map(Answer::bytes).sum::<usize>()
}

fn has_words(text: &str) -> bool {
    !text.trim().is_empty()
}

impl Draft {
    /// An empty form for an ask, with the agent's defaults filled in. Characters that the person
    /// can't see are removed, since the text would be sent as theirs.
    pub fn blank(ask: &Ask) -> Self {
        let begin = |question: &Question| Answer {
            own: Self::first_text(question),
            ..Answer::default()
        };
        Self {
            answers: ask.questions.iter().map(begin).collect(),
            note: None,
        }
    }

    /// The text that a question's field begins with: the agent's default.
    pub fn first_text(question: &Question) -> Option<String> {
        match question.input {
            Input::Text => question
                .default
                .as_deref()
                .map(|text| SafeText::block(text).to_string()),
            Input::One(_) | Input::Confirm | Input::Many(_) => None,
        }
    }

    /// Whether something was typed or attached here that another form doesn't have.
    pub fn has_more_than(&self, other: &Self) -> bool {
        let lacks = |text: &Option<String>, theirs: &Option<String>| {
            text.as_deref().is_some_and(has_words) && text != theirs
        };
        let has_more = |(at, answer): (usize, &Answer)| match other.answers.get(at) {
            None => answer.is_touched(),
            Some(theirs) => {
                let lacks_file = |file: &Attachment| !theirs.attachments.contains(file);
                lacks(&answer.own, &theirs.own)
                    || lacks(&answer.note, &theirs.note)
                    || answer.attachments.iter().any(lacks_file)
            }
        };
        lacks(&self.note, &other.note) || self.answers.iter().enumerate().any(has_more)
    }

    /// The draft without direction marks and invisible characters: a program filled it in, and the
    /// person could not see what is sent as theirs. Line breaks, tabs and spaces stay.
    #[must_use]
    pub fn without_hidden(mut self) -> Self {
        let is_kept = |letter: char| matches!(letter, '\n' | '\t') || !SafeText::hides(letter);
        let clean = |text: &mut String| text.retain(is_kept);
        self.note.as_mut().map(clean);
        for answer in &mut self.answers {
            answer.own.as_mut().map(clean);
            answer.note.as_mut().map(clean);
        }
        self
    }

    /// Only what forms show of the draft. Where one answer is possible, own words replace a choice.
    #[must_use]
    pub fn as_shown(mut self, ask: &Ask) -> Self {
        self.answers.truncate(ask.questions.len());
        for (answer, question) in self.answers.iter_mut().zip(&ask.questions) {
            let is_covered =
                !question.input.is_many() && answer.own.as_deref().is_some_and(has_words);
            answer
                .picks
                .retain(|pick| !is_covered && *pick < question.input.len());
            answer.picks.sort_unstable();
            answer.picks.dedup();
        }
        self.normalized(ask)
    }

    /// The draft in the form in which all surfaces have it: with one question there is one note, so
    /// the note of the whole ask becomes that question's.
    #[must_use]
    pub fn normalized(mut self, ask: &Ask) -> Self {
        if let [_] = ask.questions[..]
            && let Some(note) = self.note.take_if(|note| has_words(note))
        {
            self.answers.resize(1, Answer::default());
            let own = &mut self.answers[0].note;
            *own = Some(match own.take().filter(|own| has_words(own)) {
                Some(own) => format!("{own}\n\n{note}"),
                None => note,
            });
        }
        self
    }

    /// Whether anything of this draft is left in the next one: a pick, a file, or a piece of a text.
    pub fn shares(&self, next: &Self) -> bool {
        self.shares_pieces(next, PIECE)
    }

    /// Whether something of this draft is in a much later one, which has nothing in common with it
    /// but what was brought back: a pick, a file, or a long piece of a text.
    pub fn comes_back_in(&self, later: &Self) -> bool {
        self.shares_pieces(later, LONG_PIECE)
    }

    fn shares_pieces(&self, later: &Self, piece: usize) -> bool {
        let mut pairs = self.answers.iter().zip(&later.answers);
        share_text(self.note.as_deref(), later.note.as_deref(), piece)
            || pairs.any(|(before, after)| before.shares(after, piece))
    }

    /// How many bytes its texts have together.
    pub fn bytes(&self) -> usize {
        bytes(&self.answers, self.note.as_deref())
    }

    /// How many questions have an answer.
    pub fn given(&self) -> usize {
        self.answers
            .iter()
            .filter(|answer| answer.is_given())
            .count()
    }

    /// Whether it contains anything that the person would miss.
    pub fn is_touched(&self) -> bool {
        self.note.as_deref().is_some_and(has_words) || self.answers.iter().any(Answer::is_touched)
    }

    /// Every file that is attached to any answer.
    pub fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        self.answers.iter().flat_map(|answer| &answer.attachments)
    }

    /// Sets for each attached file where it can be read, or that this is unknown.
    pub fn set_attachment_paths(&mut self, path: impl Fn(&Attachment) -> Option<String>) {
        let answers = self.answers.iter_mut();
        for attachment in answers.flat_map(|answer| &mut answer.attachments) {
            attachment.path = path(attachment);
        }
    }

    /// The only check: turns a form into answers, or says what is wrong with it.
    pub fn finish(self, ask: &Ask, gaps: Gaps) -> Result<Answered, Unfinished> {
        let wanted = ask.questions.len();
        if self.answers.len() > wanted {
            return Err(Unfinished::TooMany {
                questions: wanted,
                answers: self.answers.len(),
            });
        }
        let mut given = self.answers;
        given.resize(wanted, Answer::default());
        let mut answers = Vec::with_capacity(wanted);
        for (at, (answer, question)) in given.into_iter().zip(&ask.questions).enumerate() {
            answers.push(check(at, answer, question)?);
        }
        let missing: Vec<usize> = (0..wanted)
            .filter(|&at| ask.questions[at].required && !answers[at].is_given())
            .collect();
        if !missing.is_empty() {
            if answers.iter().all(|answer| !answer.is_given()) {
                return Err(Unfinished::Empty);
            }
            if gaps == Gaps::Refuse {
                return Err(Unfinished::Missing(missing));
            }
        }
        Ok(Answered {
            answers,
            note: self.note.filter(|words| has_words(words)),
        })
    }
}

fn check(at: usize, answer: Answer, question: &Question) -> Result<Answer, Unfinished> {
    if answer.is_torn(&question.input) {
        return Err(Unfinished::Torn(at));
    }
    let answer = answer.tidy(&question.input);
    let offered = question.input.len();
    if let Some(&pick) = answer.picks.iter().find(|&&pick| pick >= offered) {
        return Err(Unfinished::NoSuchChoice { question: at, pick });
    }
    if answer.picks.len() > 1 && !question.input.is_many() {
        return Err(Unfinished::OneOnly(at));
    }
    if answer.attachments.len() > MOST_FILES {
        return Err(Unfinished::TooManyFiles(at));
    }
    Ok(answer)
}

impl Answered {
    /// One answer per question, in their order.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The note that belongs to no single question.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// How many bytes its texts have together.
    pub(crate) fn bytes(&self) -> usize {
        bytes(&self.answers, self.note.as_deref())
    }

    /// Sets for each attached file where it can be read.
    pub fn place(&mut self, path: impl Fn(&Attachment) -> Option<String>) {
        let answers = self.answers.iter_mut();
        for attachment in answers.flat_map(|answer| &mut answer.attachments) {
            attachment.path = path(attachment);
        }
    }

    /// The form that it was made from.
    pub fn draft(&self) -> Draft {
        Draft {
            answers: self.answers.clone(),
            note: self.note.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_only_question_has_the_one_note_that_is_shown() {
        let question = Question {
            id: "q".to_owned(),
            text: "Which?".to_owned(),
            label: None,
            input: Input::Text,
            required: true,
            placeholder: None,
            default: None,
        };
        let ask = |questions| Ask {
            questions: vec![question.clone(); questions],
            ..Ask::default()
        };
        let with_both = |own: &str, note: Option<&str>| Draft {
            note: note.map(str::to_owned),
            ..draft(&[0], "", own)
        };
        let shown = |draft: Draft| draft.normalized(&ask(1));
        assert_eq!(shown(with_both("", Some("b"))), with_both("b", None));
        assert_eq!(shown(with_both("a", Some("b"))), with_both("a\n\nb", None));
        assert_eq!(shown(with_both("a", None)), with_both("a", None));
        let alone = Draft {
            answers: Vec::new(),
            note: Some("b".to_owned()),
        };
        assert_eq!(shown(alone), draft(&[], "", "b"));
        let of_two = with_both("a", Some("b"));
        assert_eq!(of_two.clone().normalized(&ask(2)), of_two);
        let of_input = |input| Ask {
            questions: vec![Question {
                input,
                ..question.clone()
            }],
            ..Ask::default()
        };
        let torn = draft(&[0], "no!", "");
        let confirmed = torn.clone().as_shown(&of_input(Input::Confirm));
        assert_eq!(confirmed, draft(&[], "no!", ""), "forms show one answer");
        let many = of_input(Input::Many(vec![crate::Choice::new("Yes")]));
        assert_eq!(torn.clone().as_shown(&many), torn);
    }

    fn draft(picks: &[usize], own: &str, note: &str) -> Draft {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let answer = Answer {
            picks: picks.to_vec(),
            own: given(own),
            note: given(note),
            ..Answer::default()
        };
        Draft {
            answers: vec![answer],
            note: None,
        }
    }

    #[test]
    fn a_draft_shares_what_is_left_of_it() {
        let filled = draft(&[0, 1], "Drop the tables", "also the backups");
        for later in [
            draft(&[1], "", ""),
            draft(&[2], "drop the tables.", ""),
            draft(&[2], "no tables", ""),
            draft(&[2], "mine", "not the backups"),
        ] {
            assert!(filled.shares(&later), "{later:?}");
        }
        for later in [
            draft(&[2], "", ""),
            draft(&[], "mine", ""),
            draft(&[2], "No", "never"),
        ] {
            assert!(!filled.shares(&later), "{later:?}");
        }
        assert!(draft(&[], "是", "").shares(&draft(&[], "不是", "")));
        assert!(draft(&[], "--", "").shares(&draft(&[], "--", "")));
        assert!(draft(&[], "👍👍👍", "").shares(&draft(&[], "👍👍👍x", "")));
        assert!(!draft(&[], "👍👍👍", "").shares(&draft(&[], "no", "")));
        assert!(!draft(&[], "", "").shares(&draft(&[], "", "")));
    }
}
