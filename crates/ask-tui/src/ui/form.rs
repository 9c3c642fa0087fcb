//! The form of an ask while it is filled in, with the rules of all terminal surfaces. Own text and
//! picked choices are kept side by side, so that changing one's mind loses neither; only what
//! counts becomes part of the [`Draft`].

use ask_core::attachment::MOST_FILES;
use ask_core::{Answer, Ask, Attachment, Draft, Input, Question};

use super::text_field::Field;

/// An answer of more characters than this needs a confirmation before it is sent.
pub(crate) const LONG_ANSWER: usize = 2_000;

/// The answers to an ask so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// One entry for each question, in their order.
    pub entries: Vec<Entry>,
    /// The note on all answers.
    pub note: Field,
}

/// The answer to one question so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    kind: Kind,
    picks: Vec<usize>,
    /// The own text, which may not count.
    pub field: Field,
    /// Whether the own text counts.
    own_counts: bool,
    none_of_these: bool,
    /// The note on this question. A note alone isn't an answer.
    pub note: Field,
    attachments: Vec<Attachment>,
    /// The greatest length in characters that the person has confirmed.
    confirmed_length: usize,
    /// Whether the own text is the agent's default, and the question wasn't shown yet. Until then
    /// nobody has answered it.
    is_unseen_default: bool,
}

/// How picked choices behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    One,
    Many,
}

impl Form {
    /// The form of an ask, filled in from a draft.
    pub(crate) fn new(ask: &Ask, draft: Option<&Draft>) -> Self {
        let blank = Draft::blank(ask);
        let draft = draft.unwrap_or(&blank);
        let entries = ask.questions.iter().enumerate().map(|(at, question)| {
            let answer = draft.answers.get(at).cloned().unwrap_or_default();
            Entry::new(question, answer)
        });
        let mut entries: Vec<Entry> = entries.collect();
        let mut note = draft.note.clone().unwrap_or_default();
        // One question has one note, which is shown.
        if let [entry] = entries.as_mut_slice() {
            let notes = [entry.note.text(), &note].map(str::trim);
            let notes = notes.into_iter().filter(|note| !note.is_empty());
            let joined = notes.collect::<Vec<_>>().join("\n");
            if !note.trim().is_empty() {
                entry.note = Field::new(&joined);
            }
            note.clear();
        }
        Self {
            entries,
            note: Field::new(&note),
        }
    }

    /// The answers that count, as a draft.
    pub(crate) fn draft(&self) -> Draft {
        Draft {
            answers: self.entries.iter().map(Entry::answer).collect(),
            note: note_text(&self.note),
        }
    }

    /// Like [`Form::draft`], without the agent's defaults of questions that were not shown.
    pub(crate) fn given(&self) -> Draft {
        Draft {
            answers: self.entries.iter().map(Entry::given).collect(),
            note: note_text(&self.note),
        }
    }

    /// Notes that the question at this index is shown.
    pub(crate) fn show(&mut self, at: usize) {
        if let Some(entry) = self.entries.get_mut(at) {
            entry.is_unseen_default = false;
        }
    }

    /// How many questions have an answer.
    pub(crate) fn answered_count(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_given()).count()
    }

    /// Whether the draft differs from that of an untouched form.
    pub(crate) fn is_touched(&self, ask: &Ask) -> bool {
        self.draft() != Self::new(ask, None).draft()
    }

    /// Own texts that don't count, because a choice replaced them.
    pub(crate) fn unused_texts(&self, ask: &Ask) -> Vec<String> {
        let blank = Self::new(ask, None);
        let entries = self.entries.iter().zip(&blank.entries);
        let typed = entries.filter(|(entry, blank)| {
            let text = entry.field.text();
            !entry.has_own() && !entry.field.is_blank() && text != blank.field.text()
        });
        typed
            .map(|(entry, _)| entry.field.text().to_owned())
            .collect()
    }

    /// The indices of required questions without an answer.
    pub(crate) fn missing(&self, ask: &Ask) -> Vec<usize> {
        let open = ask.questions.iter().zip(&self.entries).enumerate();
        open.filter(|(_, (question, entry))| question.required && !entry.is_given())
            .map(|(at, _)| at)
            .collect()
    }

    /// The indices of the questions that are empty and have an answer in an earlier form. A text
    /// that doesn't count isn't empty: it would be lost.
    pub(crate) fn fillable(&self, ask: &Ask, earlier: &Draft) -> Vec<usize> {
        let blank = Self::new(ask, None);
        let entries = self.entries.iter().zip(&blank.entries);
        let pairs = entries.zip(&earlier.answers).enumerate();
        let empty = pairs.filter(|(_, ((entry, blank), answer))| {
            // The agent's text for the beginning was not entered here.
            let is_typed = !entry.field.is_blank() && entry.field.text() != blank.field.text();
            let is_blank = !entry.is_given() || entry.answer() == blank.answer();
            is_blank && !is_typed && answer.is_given()
        });
        empty.map(|(at, _)| at).collect()
    }

    /// Takes the answers of an earlier form to the questions that are empty. What was entered
    /// stays, notes too. Returns the indices of the questions that it filled in.
    pub(crate) fn fill_in(&mut self, ask: &Ask, earlier: &Draft) -> Vec<usize> {
        let filled = self.fillable(ask, earlier);
        for &at in &filled {
            self.entries[at].fill_in(&ask.questions[at], earlier.answers[at].clone());
        }
        let note = earlier.note.as_deref();
        if let Some(note) = note.filter(|_| !filled.is_empty() && self.note.is_blank()) {
            self.note = Field::new(note);
        }
        filled
    }

    /// The first question with a long answer that isn't confirmed.
    pub(crate) fn first_long_answer(&self) -> Option<usize> {
        self.entries.iter().position(Entry::is_long)
    }
}

impl Entry {
    fn new(question: &Question, answer: Answer) -> Self {
        let kind = match &question.input {
            Input::Text => Kind::Text,
            Input::Confirm => Kind::One,
            Input::One(choices) | Input::Many(choices) if choices.is_empty() => Kind::Text,
            Input::One(_) => Kind::One,
            Input::Many(_) => Kind::Many,
        };
        let offered = question.input.len();
        let default = Draft::first_text(question);
        Self {
            is_unseen_default: default.is_some() && answer.own == default,
            kind,
            picks: answer
                .picks
                .into_iter()
                .filter(|&pick| pick < offered)
                .collect(),
            own_counts: kind == Kind::Text || answer.own.is_some(),
            field: Field::new(answer.own.as_deref().unwrap_or_default()),
            none_of_these: answer.none,
            note: Field::new(answer.note.as_deref().unwrap_or_default()),
            attachments: answer.attachments,
            confirmed_length: 0,
        }
    }

    /// Replaces the entry by an answer. The confirmed length stays.
    pub(crate) fn replace(&mut self, question: &Question, answer: Answer) {
        let confirmed_length = self.confirmed_length;
        *self = Self::new(question, answer);
        self.confirmed_length = confirmed_length;
    }

    /// Takes an answer in place of an empty one. A note stays.
    fn fill_in(&mut self, question: &Question, answer: Answer) {
        let note = std::mem::replace(&mut self.note, Field::new(""));
        self.replace(question, answer);
        if !note.is_blank() {
            self.note = note;
        }
    }

    /// The answer that counts. With one choice allowed, own text replaces it; with several, own
    /// text is added.
    pub(crate) fn answer(&self) -> Answer {
        let own = self.has_own().then(|| self.field.text().to_owned());
        let picks = match self.kind {
            Kind::Text => Vec::new(),
            Kind::One if own.is_some() => Vec::new(),
            Kind::One | Kind::Many => self.picks.clone(),
        };
        Answer {
            none: self.none_of_these
                && self.kind == Kind::Many
                && picks.is_empty()
                && own.is_none(),
            picks,
            own,
            note: note_text(&self.note),
            attachments: self.attachments.clone(),
        }
    }

    /// Like [`Entry::answer`], without the agent's default if the question was not shown.
    pub(crate) fn given(&self) -> Answer {
        let answer = self.answer();
        Answer {
            own: answer.own.filter(|_| !self.is_unseen_default),
            ..answer
        }
    }

    /// Whether the question has an answer.
    pub(crate) fn is_given(&self) -> bool {
        self.given().is_given()
    }

    /// Whether own text counts and isn't blank.
    pub(crate) fn has_own(&self) -> bool {
        self.own_counts && !self.field.is_blank()
    }

    /// Whether a choice counts as picked.
    pub(crate) fn has_pick(&self, pick: usize) -> bool {
        self.picks.contains(&pick) && !(self.kind == Kind::One && self.has_own())
    }

    /// How many picked choices and own texts the answer has.
    pub(crate) fn selected_count(&self) -> usize {
        let answer = self.answer();
        answer.picks.len() + usize::from(answer.own.is_some())
    }

    /// Picks a choice: in place of the other if one is allowed, otherwise on or off.
    pub(crate) fn pick(&mut self, pick: usize) {
        self.none_of_these = false;
        match self.kind {
            Kind::Text => {}
            Kind::One => {
                self.picks = vec![pick];
                self.own_counts = false;
            }
            Kind::Many => match self.picks.iter().position(|&other| other == pick) {
                Some(at) => {
                    self.picks.remove(at);
                }
                None => {
                    self.picks.push(pick);
                    self.picks.sort_unstable();
                }
            },
        }
    }

    /// Picks what the agent recommends: the first one if one is allowed, otherwise all, beside
    /// those that are picked. False if nothing is recommended.
    pub(crate) fn pick_recommended(&mut self, question: &Question) -> bool {
        let recommended = recommended(question);
        let Some(&first) = recommended.first() else {
            return false;
        };
        match self.kind {
            Kind::Text => return false,
            Kind::One => self.pick(first),
            Kind::Many => {
                for pick in recommended {
                    if !self.picks.contains(&pick) {
                        self.pick(pick);
                    }
                }
            }
        }
        true
    }

    /// Picks exactly these choices. With several allowed, own text stays.
    pub(crate) fn pick_only(&mut self, picks: Vec<usize>) {
        self.none_of_these = false;
        if self.kind == Kind::One {
            self.own_counts = false;
        }
        self.picks = picks;
    }

    /// Makes the own text count.
    pub(crate) fn use_own_text(&mut self) {
        self.own_counts = true;
        self.none_of_these = false;
    }

    /// Toggles whether the own text counts. False if there is none.
    pub(crate) fn toggle_own(&mut self) -> bool {
        if self.field.is_blank() {
            return false;
        }
        self.own_counts = self.kind == Kind::Text || !self.own_counts;
        true
    }

    /// Answers "none of these".
    pub(crate) fn answer_none(&mut self) {
        self.none_of_these = true;
    }

    /// The attachments of the answer.
    pub(crate) fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// Attaches a file once, under a name that no other attachment of the answer has. False if the
    /// answer has [`MOST_FILES`] already.
    pub(crate) fn attach(&mut self, mut file: Attachment) -> bool {
        let mut others = self.attachments.iter();
        if others.any(|other| other.digest == file.digest) {
            return true;
        }
        if self.attachments.len() >= MOST_FILES {
            return false;
        }
        let named = |name: &str| self.attachments.iter().any(|other| other.name == name);
        let wanted = file.name.clone();
        let mut number = 2;
        while named(&file.name) {
            file.name = match wanted.rsplit_once('.') {
                Some((stem, ending)) => format!("{stem}-{number}.{ending}"),
                None => format!("{wanted}-{number}"),
            };
            number += 1;
        }
        self.attachments.push(file);
        true
    }

    /// Removes the last attachment.
    pub(crate) fn detach(&mut self) -> Option<Attachment> {
        self.attachments.pop()
    }

    /// Whether the own text counts, is longer than [`LONG_ANSWER`] characters, and isn't confirmed
    /// at this length.
    pub(crate) fn is_long(&self) -> bool {
        self.has_own() && self.field.text().len() > LONG_ANSWER && {
            let count = self.field.count();
            count > LONG_ANSWER && count > self.confirmed_length
        }
    }

    /// Confirms the current length.
    pub(crate) fn confirm_length(&mut self) {
        self.confirmed_length = self.field.count();
    }
}

/// The indices of the recommended choices; only the first if one is allowed.
pub(crate) fn recommended(question: &Question) -> Vec<usize> {
    let choices = question.input.choices().iter().enumerate();
    let most = if question.input.is_many() {
        usize::MAX
    } else {
        1
    };
    choices
        .filter(|(_, choice)| choice.recommended().1)
        .map(|(at, _)| at)
        .take(most)
        .collect()
}

fn note_text(note: &Field) -> Option<String> {
    (!note.is_blank()).then(|| note.text().to_owned())
}

#[cfg(test)]
mod tests {
    use ask_core::Choice;

    use super::*;

    fn entry(input: Input) -> Entry {
        let question = Question {
            id: "q1".into(),
            text: "Which?".into(),
            label: None,
            input,
            required: true,
            placeholder: None,
            default: None,
        };
        Entry::new(&question, Answer::default())
    }

    fn choices() -> Vec<Choice> {
        vec![Choice::new("A"), Choice::new("B")]
    }

    #[test]
    fn own_text_and_one_choice_exclude_each_other_and_neither_is_lost() {
        let mut entry = entry(Input::One(choices()));
        entry.pick(1);
        entry.use_own_text();
        assert_eq!(entry.answer(), Answer::picking([1]));
        entry.field.insert("mine");
        assert_eq!(entry.answer(), Answer::saying("mine"));
        entry.pick(0);
        assert_eq!(entry.answer(), Answer::picking([0]));
        assert!(entry.toggle_own());
        assert_eq!(entry.answer(), Answer::saying("mine"));
    }

    #[test]
    fn files_are_attached_once_and_under_unique_names() {
        let file = |name: &str, digest| {
            Attachment::from_bytes(name, b"bytes", ask_core::Digest([digest; 32])).unwrap()
        };
        let mut entry = entry(Input::One(choices()));
        assert!(entry.attach(file("a.png", 1)));
        assert!(entry.attach(file("a.png", 1)));
        assert!(entry.attach(file("a.png", 2)));
        assert!(entry.is_given());
        let names: Vec<&str> = entry.attachments().iter().map(|file| &*file.name).collect();
        assert_eq!(names, ["a.png", "a-2.png"]);
        entry.pick(1);
        assert_eq!(entry.answer().attachments.len(), 2);
        for number in 3..=10 {
            assert!(entry.attach(file("more", number)));
        }
        assert!(!entry.attach(file("one too many", 11)));
        assert_eq!(
            entry.detach().map(|file| file.name).as_deref(),
            Some("more-8")
        );
    }

    #[test]
    fn own_text_is_added_to_several_choices() {
        let mut entry = entry(Input::Many(choices()));
        entry.pick(1);
        entry.pick(0);
        entry.field.insert("mine");
        entry.use_own_text();
        assert_eq!(entry.answer().picks, [0, 1]);
        assert_eq!(entry.answer().own.as_deref(), Some("mine"));
        entry.pick(0);
        assert_eq!(entry.selected_count(), 2);
    }

    #[test]
    fn none_of_these_is_an_answer_until_something_is_chosen() {
        let mut entry = entry(Input::Many(choices()));
        entry.answer_none();
        assert!(entry.is_given());
        entry.pick(0);
        entry.pick(0);
        assert!(!entry.is_given());
    }

    #[test]
    fn a_note_belongs_to_the_answer_and_is_none_by_itself() {
        let mut entry = entry(Input::One(choices()));
        entry.note.insert("only v1");
        assert!(!entry.is_given());
        assert_eq!(entry.answer().note.as_deref(), Some("only v1"));
        entry.pick(0);
        assert!(entry.is_given());
    }

    #[test]
    fn recommended_choices_are_added_to_picked_ones() {
        let choices = vec![
            Choice::new("A (Recommended)"),
            Choice::new("B"),
            Choice::new("C (Recommended)"),
        ];
        let mut question = Question {
            id: "q1".into(),
            text: "Which?".into(),
            label: None,
            input: Input::Many(choices.clone()),
            required: true,
            placeholder: None,
            default: None,
        };
        let mut many = Entry::new(&question, Answer::picking([1]));
        assert!(many.pick_recommended(&question));
        assert!(many.pick_recommended(&question));
        assert_eq!(many.answer().picks, [0, 1, 2]);
        question.input = Input::One(choices);
        let mut one = Entry::new(&question, Answer::saying("mine"));
        assert!(one.pick_recommended(&question));
        assert_eq!(one.answer(), Answer::picking([0]));
        question.input = Input::Confirm;
        assert!(!Entry::new(&question, Answer::default()).pick_recommended(&question));
    }

    #[test]
    fn an_earlier_form_fills_in_what_is_empty_and_nothing_else() {
        let ask = Ask {
            questions: [Input::One(choices()), Input::Text, Input::Many(choices())]
                .map(|input| Question {
                    id: "q1".into(),
                    text: "Which?".into(),
                    label: None,
                    default: matches!(input, Input::Text).then(|| "suggested".into()),
                    input,
                    required: true,
                    placeholder: None,
                })
                .into(),
            ..Ask::default()
        };
        let earlier = Draft {
            answers: vec![
                Answer::picking([1]),
                Answer::saying("orders"),
                Answer::picking([0]),
            ],
            note: Some("go on".into()),
        };
        let mut form = Form::new(&ask, None);
        form.entries[0].note.insert("only v1");
        form.entries[2].pick(1);
        assert_eq!(form.fillable(&ask, &earlier), [0, 1]);
        assert_eq!(form.fill_in(&ask, &earlier), [0, 1]);
        let draft = form.draft();
        assert_eq!(draft.answers[0].picks, [1]);
        assert_eq!(draft.answers[0].note.as_deref(), Some("only v1"));
        assert_eq!(draft.answers[1], Answer::saying("orders"));
        assert_eq!(draft.answers[2], Answer::picking([1]));
        assert_eq!(draft.note.as_deref(), Some("go on"));
        assert!(form.fill_in(&ask, &earlier).is_empty());
        // What was typed stays, whether it counts or not.
        let mut form = Form::new(&ask, None);
        form.entries[1].field = Field::new("mine");
        form.entries[2].field.insert("mine");
        assert_eq!(form.fill_in(&ask, &earlier), [0]);
        assert_eq!(form.draft().answers[1], Answer::saying("mine"));
        assert_eq!(form.entries[2].field.text(), "mine");
    }

    #[test]
    fn a_long_answer_is_confirmed_once_for_each_length() {
        let mut entry = entry(Input::Text);
        entry.field.insert(&"x".repeat(LONG_ANSWER));
        assert!(!entry.is_long());
        entry.field.insert("y");
        assert!(entry.is_long());
        entry.confirm_length();
        assert!(!entry.is_long());
        entry.field.insert("z");
        assert!(entry.is_long());
    }
}
