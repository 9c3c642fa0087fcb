//! The commands of the plain mode: a letter, and an argument behind some of them. The letters are
//! those of the card's keys. While own text is typed, commands begin with a slash.

use ask_core::Input;

use super::{
    AttachSource, NoteScope, PlainEffect, PlainSession, Prompt, Step, number, question, render,
};
use crate::editor::Edited;
use crate::ui::editor_file::{self, EditorFile};
use crate::ui::text_field::Field;

/// How many earlier answers are read out.
const EARLIER: usize = 9;

/// A command on an open ask.
pub enum Command {
    /// Return to the previous question.
    Back,
    /// Leave; the ask keeps waiting.
    Leave,
    /// Decline for this reason; prompt for it if empty.
    Decline(String),
    /// Ask the agent this question.
    AskBack(String),
    /// Read the question out again.
    Again,
    /// List the commands.
    Help,
    /// Put a note on one answer or on all; prompt for it if empty.
    Note(NoteScope, String),
    /// Take the recommended answer here, or in all questions without an answer.
    Recommended(NoteScope),
    /// Read out the preview of the choice with this number.
    Preview(usize),
    /// Read out the whole context.
    Context,
    /// Read out more choices.
    More,
    /// Read out the choices that contain this word.
    Find(String),
    /// Snooze the ask for this duration or until this time.
    Snooze(String),
    /// Request more time: this much, or the default if empty.
    MoreTime(String),
    /// Read out earlier answers, or take the one with this number.
    Earlier(Option<usize>),
    /// Fill in what is empty with the answer to the same ask shortly before.
    FillIn,
    /// Write the answer in an editor.
    Edit,
    /// Attach the file at this path; prompt for it if empty.
    Attach(String),
    /// Attach the clipboard's content.
    AttachCopied,
    /// Read out the project's files whose paths contain these letters.
    Files(String),
}

impl Command {
    /// Whether the command makes sense only for a question with choices.
    pub fn is_of_choices(&self) -> bool {
        matches!(self, Self::More | Self::Preview(_) | Self::Find(_))
    }
}

/// Parses a line as a command while a question's choices are open.
pub fn command(said: &str, input: &Input) -> Option<Command> {
    let confirm = matches!(input, Input::Confirm);
    match said {
        // On a yes-or-no question, `n` answers No.
        "n" if confirm => None,
        _ if said.starts_with('@') => Some(Command::Files(said[1..].trim().to_owned())),
        _ => match said.strip_prefix('/') {
            Some(word) if !word.trim().is_empty() => Some(Command::Find(word.trim().to_owned())),
            Some(_) => None,
            None => lettered(said),
        },
    }
}

/// Parses what follows a slash as a command while own text is typed.
pub fn command_in_words(said: &str, input: &Input) -> Option<Command> {
    lettered(said).filter(|command| !(input.is_empty() && command.is_of_choices()))
}

/// Whether a line is one letter that is a command.
pub fn is_letter(said: &str) -> bool {
    said.chars().count() == 1 && lettered(said).is_some()
}

fn lettered(said: &str) -> Option<Command> {
    let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
    let rest = rest.trim();
    match (word, rest) {
        ("b", "") => Some(Command::Back),
        ("q", "") => Some(Command::Leave),
        ("x", reason) => Some(Command::Decline(reason.to_owned())),
        ("a", "") => Some(Command::Again),
        ("?", "") => Some(Command::Help),
        ("r", "") => Some(Command::Recommended(NoteScope::One)),
        ("R", "") => Some(Command::Recommended(NoteScope::All)),
        ("i", "") => Some(Command::Context),
        ("m", "") => Some(Command::More),
        ("+", length) => Some(Command::MoreTime(length.to_owned())),
        ("s", length) => Some(Command::Snooze(length.to_owned())),
        ("o", "") => Some(Command::Earlier(None)),
        ("o", which) => number(which).map(|which| Command::Earlier(Some(which))),
        ("u", "") => Some(Command::FillIn),
        ("e", "") => Some(Command::Edit),
        ("f", path) => Some(Command::Attach(path.to_owned())),
        ("v", "") => Some(Command::AttachCopied),
        ("@", letters) => Some(Command::Files(letters.to_owned())),
        ("c", words) => Some(Command::AskBack(words.to_owned())),
        ("n", words) => Some(Command::Note(NoteScope::One, words.to_owned())),
        ("N", words) => Some(Command::Note(NoteScope::All, words.to_owned())),
        ("p", which) => Some(Command::Preview(number(which).unwrap_or(0))),
        (word, "") => {
            let numbered = |letter| word.strip_prefix(letter).and_then(number);
            let earlier = |which| Command::Earlier(Some(which));
            let preview = numbered('p').map(Command::Preview);
            preview.or_else(|| numbered('o').map(earlier))
        }
        (_, _) => None,
    }
}

impl PlainSession {
    pub(super) fn obey(&mut self, command: Command, step: &mut Step) {
        let said = self.words;
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let asked = open.record.ask.questions.get(open.at);
        match command {
            Command::Back if open.at > 0 => {
                open.at -= 1;
                open.reviewing = false;
                self.show_question(step);
            }
            Command::Back | Command::Again => {
                self.read_question(step);
                self.prompt(step);
            }
            Command::Leave => self.leave(step),
            Command::Decline(reason) => {
                self.stage = match reason.is_empty() {
                    true => Prompt::Reason,
                    false => Prompt::DeclineSure(Some(reason)),
                };
                self.prompt(step);
            }
            Command::AskBack(words) if words.is_empty() => {
                step.line(self.words.format("line-ask-back-how", &self.slash()));
                self.prompt(step);
            }
            Command::AskBack(words) => {
                self.stage = Prompt::AskBackSure(words);
                self.prompt(step);
            }
            Command::Help => {
                let in_words = matches!(self.stage, Prompt::Words(_));
                step.line(match (asked.is_some(), in_words) {
                    (false, _) => said.say("line-help-review"),
                    (true, true) => said.say("line-help-text"),
                    (true, false) => said.say("line-help"),
                });
                self.prompt(step);
            }
            // The review has no current answer: the note goes on all of them.
            Command::Note(NoteScope::One, words) if asked.is_none() => {
                self.note(NoteScope::All, &words, step);
            }
            Command::Note(whole, words) => self.note(whole, &words, step),
            Command::Recommended(whole) => self.take_recommended(whole, step),
            Command::Context => {
                step.line(render::whole_context(said, &open.record));
                self.prompt(step);
            }
            Command::Preview(which) => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                let choice = which.checked_sub(1).and_then(|at| choices.get(at));
                match choice.and_then(|choice| choice.preview.as_deref()) {
                    Some(preview) => step.line(render::spoken(said, preview)),
                    None => step.line(said.say("line-preview-none")),
                }
                self.prompt(step);
            }
            Command::More => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                step.lines(question::some_choices(said, choices, open.read));
                open.read = choices.len().min(open.read + question::CHOICES);
                self.prompt(step);
            }
            Command::Find(word) => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                step.lines(question::found(said, choices, &word));
                self.prompt(step);
            }
            Command::Snooze(length) => self.snooze_open(&length, step),
            Command::MoreTime(length) => self.more_time(&length, step),
            Command::Edit => {
                let Some(entry) = open.form.entries.get(open.at) else {
                    return self.prompt(step);
                };
                let title = said.say("text-editor-answer");
                let about = editor_file::header_lines(said, title, &open.record.ask, asked);
                let name = editor_file::name(&open.record.id, &(open.at + 1).to_string());
                let editor_file = EditorFile::new(name, entry.field.text(), &about);
                self.keep(step);
                step.effects.push(PlainEffect::Edit(editor_file));
                self.stage = Prompt::Editing;
            }
            Command::Attach(path) => self.attach(&path, step),
            Command::AttachCopied => self.wish(AttachSource::Copied, step),
            Command::Files(letters) => self.find(&letters, step),
            Command::FillIn => self.fill_in(step),
            Command::Earlier(None) => {
                let project = open.record.asker.project.clone();
                step.effects.push(PlainEffect::Recall { project });
                self.stage = Prompt::Reading(Box::new(self.stage.clone()));
            }
            Command::Earlier(Some(which)) => {
                let answer = which.checked_sub(1).and_then(|at| open.earlier.get(at));
                match answer.cloned() {
                    Some(words) if asked.is_some() => {
                        self.put_words(&words, step);
                        self.advance(step);
                    }
                    Some(_) | None => {
                        step.line(self.words.format("line-earlier-which", &self.slash()));
                        self.prompt(step);
                    }
                }
            }
        }
    }

    /// Goes to the review, behind the last question.
    fn review(&mut self, step: &mut Step) {
        self.keep(step);
        if let Some(open) = &mut self.open {
            open.at = open.record.ask.questions.len();
        }
        self.show_question(step);
    }

    /// Fills in every empty question with the answer to the same ask shortly before, and reads out
    /// what would be sent.
    fn fill_in(&mut self, step: &mut Step) {
        let none = self.words.say("shared-earlier-answer-none");
        let Some(open) = &mut self.open else { return };
        let earlier = open.record.earlier_answer.as_ref();
        let filled = earlier.map(|earlier| open.form.fill_in(&open.record.ask, &earlier.draft));
        if filled.is_none_or(|filled| filled.is_empty()) {
            step.line(none);
            return self.prompt(step);
        }
        self.review(step);
    }

    /// Takes the editor's result as the answer.
    pub(super) fn edited(&mut self, edited: Option<Edited>, step: &mut Step) {
        let said = self.words;
        match edited {
            Some(Edited::Words(words)) => {
                self.put_words(words.trim_end(), step);
                self.keep(step);
            }
            Some(Edited::Refused) => step.line(said.say("text-editor-refused")),
            Some(Edited::Missing(editor)) => {
                let facts = [("editor", render::line(&editor).into())];
                step.line(said.format("text-editor-missing", &facts));
            }
            Some(Edited::Failed(reason)) => {
                let facts = [("reason", render::line(&reason).into())];
                step.line(said.format("text-editor-failed", &facts));
            }
            None => step.line(said.say("line-editor-none")),
        }
        self.show_question(step);
    }

    /// Reads out earlier answers, to be taken by their numbers.
    pub(super) fn recalled(&mut self, answers: Vec<String>, step: &mut Step) {
        let said = self.words;
        self.go_on_from_reading();
        let Some(open) = &mut self.open else { return };
        if answers.is_empty() {
            step.line(said.say("text-recall-none"));
        }
        for (at, answer) in answers.iter().take(EARLIER).enumerate() {
            let facts = [
                ("number", (at + 1).into()),
                ("answer", render::block(answer).into()),
            ];
            step.line(said.format("line-earlier", &facts));
        }
        open.earlier = answers;
        self.prompt(step);
    }

    pub(super) fn take_note(&mut self, whole: NoteScope, words: &str, step: &mut Step) {
        if let (Some(open), false) = (&mut self.open, words.is_empty()) {
            let note = Field::new(if words == "-" { "" } else { words });
            match whole {
                NoteScope::All => open.form.note = note,
                NoteScope::One => {
                    if let Some(entry) = open.form.entries.get_mut(open.at) {
                        entry.note = note;
                    }
                }
            }
        }
        self.keep(step);
        step.lines(self.noted(whole));
        self.prompt(step);
    }

    fn noted(&self, whole: NoteScope) -> Vec<String> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let entry = open.form.entries.get(open.at);
        let line = match (whole, entry) {
            (NoteScope::One, Some(entry)) => question::note(self.words, &entry.note)
                .unwrap_or_else(|| self.words.say("line-note-none")),
            (NoteScope::One, None) | (NoteScope::All, _) => {
                question::note_on_all(self.words, &open.form.note)
                    .unwrap_or_else(|| self.words.say("line-note-all-none"))
            }
        };
        vec![line]
    }

    fn note(&mut self, whole: NoteScope, words: &str, step: &mut Step) {
        if !words.is_empty() {
            return self.take_note(whole, words, step);
        }
        self.stage = Prompt::Note(whole, Box::new(self.stage.clone()));
        self.prompt(step);
    }

    fn take_recommended(&mut self, whole: NoteScope, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let take = |open: &mut super::Open, at: usize| {
            let asked = &open.record.ask.questions[at];
            let entry = open.form.entries.get_mut(at);
            entry.is_some_and(|entry| entry.pick_recommended(asked))
        };
        let count = open.record.ask.questions.len();
        match whole {
            NoteScope::One if open.at < count && take(open, open.at) => self.advance(step),
            NoteScope::One => {
                step.line(self.words.say("line-recommended-none"));
                self.prompt(step);
            }
            NoteScope::All => {
                let open_ones = (0..count).filter(|&at| open.form.entries[at].is_open());
                let taken: Vec<usize> = open_ones.collect();
                let some = taken
                    .into_iter()
                    .fold(false, |some, at| take(open, at) | some);
                if !some {
                    step.line(self.words.say("line-recommended-none"));
                    return self.prompt(step);
                }
                self.review(step);
            }
        }
    }
}
