//! A form being filled in: the rules that every surface of ours shares, over the
//! same [`Draft`]. Own words and picks are kept side by side, so that changing
//! one's mind loses neither; only what counts goes into the draft.

use ask_core::attachment::MOST_FILES;
use ask_core::{Answer, Ask, Attachment, Draft, Input, Question};

use super::text_field::Field;

/// An answer longer than this is asked about once before it goes out.
pub const LONG: usize = 2_000;

/// What is filled in, one entry a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// In the order of the questions.
    pub entries: Vec<Entry>,
    /// The remark that belongs to no single question.
    pub note: Field,
}

/// What is filled in for one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    kind: Kind,
    picks: Vec<usize>,
    /// The own words, whether they count or not.
    pub field: Field,
    /// Whether the own words count.
    speaking: bool,
    none: bool,
    /// The remark on this question. Alone it answers nothing.
    pub note: Field,
    attachments: Vec<Attachment>,
    /// How long an answer the person has agreed to send.
    accepted: usize,
}

/// How picks behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    One,
    Many,
}

impl Form {
    /// The form of an ask, as far as a draft fills it in.
    pub fn new(ask: &Ask, draft: Option<&Draft>) -> Self {
        let blank = Draft::blank(ask);
        let draft = draft.unwrap_or(&blank);
        let entries = ask.questions.iter().enumerate().map(|(at, question)| {
            let answer = draft.answers.get(at).cloned().unwrap_or_default();
            Entry::new(question, answer)
        });
        Self {
            entries: entries.collect(),
            note: Field::new(draft.note.as_deref().unwrap_or_default()),
        }
    }

    /// What counts, as a draft.
    pub fn draft(&self) -> Draft {
        Draft {
            answers: self.entries.iter().map(Entry::answer).collect(),
            note: remark(&self.note),
        }
    }

    /// How many questions have an answer.
    pub fn given(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_given()).count()
    }

    /// Whether anything differs from the form as the agent sent it.
    pub fn is_touched(&self, ask: &Ask) -> bool {
        self.draft() != Self::new(ask, None).draft()
    }

    /// Own words that are typed and don't count, because a choice took their place.
    pub fn unspoken(&self, ask: &Ask) -> Vec<String> {
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

    /// The required questions without an answer.
    pub fn missing(&self, ask: &Ask) -> Vec<usize> {
        let open = ask.questions.iter().zip(&self.entries).enumerate();
        open.filter(|(_, (question, entry))| question.required && !entry.is_given())
            .map(|(at, _)| at)
            .collect()
    }

    /// The first question with an answer so long that the person has to agree to it.
    pub fn long(&self) -> Option<usize> {
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
        Self {
            kind,
            picks: answer
                .picks
                .into_iter()
                .filter(|&pick| pick < offered)
                .collect(),
            speaking: kind == Kind::Text || answer.own.is_some(),
            field: Field::new(answer.own.as_deref().unwrap_or_default()),
            none: answer.none,
            note: Field::new(answer.note.as_deref().unwrap_or_default()),
            attachments: answer.attachments,
            accepted: 0,
        }
    }

    /// Puts an answer in place of what was filled in.
    pub fn take(&mut self, question: &Question, answer: Answer) {
        let accepted = self.accepted;
        *self = Self::new(question, answer);
        self.accepted = accepted;
    }

    /// What counts. One choice and own words exclude each other; several choices take them along.
    pub fn answer(&self) -> Answer {
        let own = self.has_own().then(|| self.field.text().to_owned());
        let picks = match self.kind {
            Kind::Text => Vec::new(),
            Kind::One if own.is_some() => Vec::new(),
            Kind::One | Kind::Many => self.picks.clone(),
        };
        Answer {
            none: self.none && self.kind == Kind::Many && picks.is_empty() && own.is_none(),
            picks,
            own,
            note: remark(&self.note),
            attachments: self.attachments.clone(),
        }
    }

    /// Whether it answers anything.
    pub fn is_given(&self) -> bool {
        self.answer().is_given()
    }

    /// Whether the own words count: they are chosen and there are some.
    pub fn has_own(&self) -> bool {
        self.speaking && !self.field.is_blank()
    }

    /// Whether a choice counts as picked.
    pub fn has(&self, pick: usize) -> bool {
        self.picks.contains(&pick) && !(self.kind == Kind::One && self.has_own())
    }

    /// Whether nothing was chosen and nothing said.
    pub fn is_open(&self) -> bool {
        !self.answer().is_given()
    }

    /// How many things are chosen, own words among them.
    pub fn chosen(&self) -> usize {
        let answer = self.answer();
        answer.picks.len() + usize::from(answer.own.is_some())
    }

    /// Picks: the only one where one is wanted, else on or off.
    pub fn pick(&mut self, pick: usize) {
        self.none = false;
        match self.kind {
            Kind::Text => {}
            Kind::One => {
                self.picks = vec![pick];
                self.speaking = false;
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

    /// Picks what the agent recommends: the first of them where one is wanted, else all, beside
    /// what is picked already. False where nothing is recommended.
    pub fn pick_recommended(&mut self, question: &Question) -> bool {
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

    /// Picks exactly these, in place of whatever was picked; own words beside several choices stay.
    pub fn pick_only(&mut self, picks: Vec<usize>) {
        self.none = false;
        if self.kind == Kind::One {
            self.speaking = false;
        }
        self.picks = picks;
    }

    /// The own words count from now on.
    pub fn speak(&mut self) {
        self.speaking = true;
        self.none = false;
    }

    /// Whether the own words count is turned round; false when there are none to turn.
    pub fn toggle_own(&mut self) -> bool {
        if self.field.is_blank() {
            return false;
        }
        self.speaking = self.kind == Kind::Text || !self.speaking;
        true
    }

    /// The person says: none of these.
    pub fn say_none(&mut self) {
        self.none = true;
    }

    /// The files that belong to the answer.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// Attaches a file, once, under a name that no other file of the answer has. False when there
    /// are as many as an answer can carry.
    pub fn attach(&mut self, mut file: Attachment) -> bool {
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

    /// Takes away the file that was attached last.
    pub fn detach(&mut self) -> Option<Attachment> {
        self.attachments.pop()
    }

    /// Whether there are more characters than the person agreed to.
    pub fn is_long(&self) -> bool {
        self.has_own() && self.field.text().len() > LONG && {
            let count = self.field.count();
            count > LONG && count > self.accepted
        }
    }

    /// The person agrees to an answer of this length.
    pub fn accept_length(&mut self) {
        self.accepted = self.field.count();
    }
}

/// The choices that the agent recommends; the first of them where only one can be picked.
pub fn recommended(question: &Question) -> Vec<usize> {
    let choices = question.input.choices().iter().enumerate();
    let most = match question.input.is_many() {
        true => usize::MAX,
        false => 1,
    };
    choices
        .filter(|(_, choice)| choice.recommended().1)
        .map(|(at, _)| at)
        .take(most)
        .collect()
}

fn remark(note: &Field) -> Option<String> {
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
    fn own_words_and_one_choice_exclude_each_other_and_neither_is_lost() {
        let mut entry = entry(Input::One(choices()));
        entry.pick(1);
        entry.speak();
        assert_eq!(entry.answer(), Answer::picking([1]));
        entry.field.insert("mine");
        assert_eq!(entry.answer(), Answer::saying("mine"));
        entry.pick(0);
        assert_eq!(entry.answer(), Answer::picking([0]));
        assert!(entry.toggle_own());
        assert_eq!(entry.answer(), Answer::saying("mine"));
    }

    #[test]
    fn files_are_attached_once_and_under_names_of_their_own() {
        let file = |name: &str, digest| {
            Attachment::of(name, b"bytes", ask_core::Digest([digest; 32])).unwrap()
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
    fn several_choices_take_own_words_along() {
        let mut entry = entry(Input::Many(choices()));
        entry.pick(1);
        entry.pick(0);
        entry.field.insert("mine");
        entry.speak();
        assert_eq!(entry.answer().picks, [0, 1]);
        assert_eq!(entry.answer().own.as_deref(), Some("mine"));
        entry.pick(0);
        assert_eq!(entry.chosen(), 2);
    }

    #[test]
    fn none_of_these_is_an_answer_until_something_is_chosen() {
        let mut entry = entry(Input::Many(choices()));
        entry.say_none();
        assert!(entry.is_given());
        entry.pick(0);
        entry.pick(0);
        assert!(!entry.is_given());
    }

    #[test]
    fn a_note_goes_along_and_alone_answers_nothing() {
        let mut entry = entry(Input::One(choices()));
        entry.note.insert("only v1");
        assert!(entry.is_open());
        assert_eq!(entry.answer().note.as_deref(), Some("only v1"));
        entry.pick(0);
        assert!(entry.is_given());
    }

    #[test]
    fn what_is_recommended_is_picked_beside_what_was_picked_already() {
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
    fn a_long_answer_is_asked_about_once_and_again_when_it_grows() {
        let mut entry = entry(Input::Text);
        entry.field.insert(&"x".repeat(LONG));
        assert!(!entry.is_long());
        entry.field.insert("y");
        assert!(entry.is_long());
        entry.accept_length();
        assert!(!entry.is_long());
        entry.field.insert("z");
        assert!(entry.is_long());
    }
}
