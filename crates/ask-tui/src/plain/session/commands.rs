//! The commands of the plain mode: a letter, and an argument behind some of them. The letters are
//! those of the card's keys. While own text is typed, commands begin with a slash.

use ask_core::Input;

use super::{NoteScope, PlainEffect, PlainSession, Prompt, Step, number, question, render};
use crate::attach::AttachmentSource;
use crate::editor::EditResult;
use crate::ui::editor_file::{self, EditorFile};
use crate::ui::text_field::Field;

/// How many earlier answers are read out.
const EARLIER: usize = 9;

/// A command on an open ask.
pub(super) enum Command {
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
    /// Whether the command works only on a question with choices.
    pub(super) fn needs_choices(&self) -> bool {
        matches!(self, Self::More | Self::Preview(_) | Self::Find(_))
    }
}

/// Parses a line as a command while a question's choices are open.
pub(super) fn parse_command(line: &str, input: &Input) -> Option<Command> {
    let confirm = matches!(input, Input::Confirm);
    match line {
        // On a yes-or-no question, `n` answers No.
        "n" if confirm => None,
        _ if line.starts_with('@') => Some(Command::Files(line[1..].trim().to_owned())),
        _ => match line.strip_prefix('/') {
            Some(word) if !word.trim().is_empty() => Some(Command::Find(word.trim().to_owned())),
            Some(_) => None,
            None => parse_letter(line),
        },
    }
}

/// Parses what follows a slash as a command while own text is typed.
pub(super) fn parse_slash_command(line: &str, input: &Input) -> Option<Command> {
    parse_letter(line).filter(|command| !(input.is_empty() && command.needs_choices()))
}

/// Whether a line is one letter that is a command.
pub(super) fn is_letter(line: &str) -> bool {
    line.chars().count() == 1 && parse_letter(line).is_some()
}

fn parse_letter(line: &str) -> Option<Command> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
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
            let find_by_number = |letter| word.strip_prefix(letter).and_then(number);
            let earlier = |which| Command::Earlier(Some(which));
            let preview = find_by_number('p').map(Command::Preview);
            preview.or_else(|| find_by_number('o').map(earlier))
        }
        (_, _) => None,
    }
}

impl PlainSession {
    pub(super) fn execute(&mut self, command: Command, step: &mut Step) {
        let words = self.words;
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let asked = open.record.ask.questions.get(open.at);
        match command {
            Command::Back if open.at > 0 => {
                open.at -= 1;
                open.from_review = false;
                self.show_question(step);
            }
            Command::Back | Command::Again => {
                self.read_question(step);
                self.write_prompt(step);
            }
            Command::Leave => self.leave(step),
            Command::Decline(reason) => {
                self.prompt = if reason.is_empty() {
                    Prompt::Reason
                } else {
                    Prompt::ConfirmDecline(Some(reason))
                };
                self.write_prompt(step);
            }
            Command::AskBack(words) if words.is_empty() => {
                step.line(self.words.format("line-ask-back-how", &self.slash()));
                self.write_prompt(step);
            }
            Command::AskBack(words) => {
                self.prompt = Prompt::ConfirmAskBack(words);
                self.write_prompt(step);
            }
            Command::Help => {
                let in_own_text = matches!(self.prompt, Prompt::OwnText(_));
                step.line(match (asked.is_some(), in_own_text) {
                    (false, _) => words.say("line-help-review"),
                    (true, true) => words.say("line-help-text"),
                    (true, false) => words.say("line-help"),
                });
                self.write_prompt(step);
            }
            // The review has no current answer: the note goes on all of them.
            Command::Note(NoteScope::One, words) if asked.is_none() => {
                self.edit_note(NoteScope::All, &words, step);
            }
            Command::Note(scope, words) => self.edit_note(scope, &words, step),
            Command::Recommended(scope) => self.pick_recommended_answers(scope, step),
            Command::Context => {
                step.line(render::whole_context(words, &open.record));
                self.write_prompt(step);
            }
            Command::Preview(which) => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                let choice = which.checked_sub(1).and_then(|at| choices.get(at));
                match choice.and_then(|choice| choice.preview.as_deref()) {
                    Some(preview) => step.line(render::speech(words, preview)),
                    None => step.line(words.say("line-preview-none")),
                }
                self.write_prompt(step);
            }
            Command::More => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                step.lines(question::choice_lines(words, choices, open.choices_read));
                open.choices_read = choices.len().min(open.choices_read + question::CHOICES);
                self.write_prompt(step);
            }
            Command::Find(word) => {
                let choices = asked.map_or(&[][..], |asked| asked.input.choices());
                step.lines(question::matching_choices(words, choices, &word));
                self.write_prompt(step);
            }
            Command::Snooze(length) => self.snooze_open(&length, step),
            Command::MoreTime(length) => self.request_more_time(&length, step),
            Command::Edit => {
                let Some(entry) = open.form.entries.get(open.at) else {
                    return self.write_prompt(step);
                };
                let title = words.say("text-editor-answer");
                let about = editor_file::header_lines(words, title, &open.record.ask, asked);
                let name = editor_file::file_name(&open.record.id, &(open.at + 1).to_string());
                let editor_file = EditorFile::new(name, entry.field.text(), &about);
                self.save_draft(step);
                step.effects.push(PlainEffect::Edit(editor_file));
                self.prompt = Prompt::Editing;
            }
            Command::Attach(path) => self.attach(&path, step),
            Command::AttachCopied => self.request_attachment(AttachmentSource::Clipboard, step),
            Command::Files(letters) => self.find_files(&letters, step),
            Command::FillIn => self.fill_in(step),
            Command::Earlier(None) => {
                let project = open.record.asker.project.clone();
                self.request_reply(PlainEffect::Recall { project }, step);
            }
            Command::Earlier(Some(which)) => {
                let answer = which.checked_sub(1).and_then(|at| open.earlier.get(at));
                match answer.cloned() {
                    Some(words) if asked.is_some() => {
                        self.set_own_text(&words, step);
                        self.advance(step);
                    }
                    Some(_) | None => {
                        step.line(self.words.format("line-earlier-which", &self.slash()));
                        self.write_prompt(step);
                    }
                }
            }
        }
    }

    /// Goes to the review, behind the last question.
    fn review(&mut self, step: &mut Step) {
        self.save_draft(step);
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
            return self.write_prompt(step);
        }
        self.review(step);
    }

    /// Handles the editor's result: a saved text becomes the answer.
    pub(super) fn on_edited(&mut self, edited: Option<EditResult>, step: &mut Step) {
        let words = self.words;
        match edited {
            Some(EditResult::Text(words)) => {
                self.set_own_text(words.trim_end(), step);
                self.save_draft(step);
            }
            Some(EditResult::Discarded) => step.line(words.say("text-editor-refused")),
            Some(EditResult::Missing(editor)) => {
                let facts = [("editor", render::safe_line(&editor).into())];
                step.line(words.format("text-editor-missing", &facts));
            }
            Some(EditResult::Failed(reason)) => {
                let facts = [("reason", render::safe_line(&reason).into())];
                step.line(words.format("text-editor-failed", &facts));
            }
            None => step.line(words.say("line-editor-none")),
        }
        self.show_question(step);
    }

    /// Reads out earlier answers under the numbers by which they can be taken.
    pub(super) fn on_recalled(&mut self, answers: Vec<String>, step: &mut Step) {
        let words = self.words;
        self.restore_prompt();
        let Some(open) = &mut self.open else { return };
        if answers.is_empty() {
            step.line(words.say("text-recall-none"));
        }
        for (at, answer) in answers.iter().take(EARLIER).enumerate() {
            let facts = [
                ("number", (at + 1).into()),
                ("answer", render::safe_block(answer).into()),
            ];
            step.line(words.format("line-earlier", &facts));
        }
        open.earlier = answers;
        self.write_prompt(step);
    }

    pub(super) fn set_note(&mut self, scope: NoteScope, words: &str, step: &mut Step) {
        if let (Some(open), false) = (&mut self.open, words.is_empty()) {
            let note = Field::new(if words == "-" { "" } else { words });
            match scope {
                NoteScope::All => open.form.note = note,
                NoteScope::One => {
                    let at = open.noted();
                    if let Some(entry) = open.form.entries.get_mut(at) {
                        entry.note = note;
                    }
                }
            }
        }
        self.save_draft(step);
        step.lines(self.note_lines(scope));
        self.write_prompt(step);
    }

    fn note_lines(&self, scope: NoteScope) -> Vec<String> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let entry = open.form.entries.get(open.noted());
        let line = match (scope, entry) {
            (NoteScope::One, Some(entry)) => question::note_line(self.words, &entry.note)
                .unwrap_or_else(|| self.words.say("line-note-none")),
            (NoteScope::One, None) | (NoteScope::All, _) => {
                question::note_on_all_line(self.words, &open.form.note)
                    .unwrap_or_else(|| self.words.say("line-note-all-none"))
            }
        };
        vec![line]
    }

    fn edit_note(&mut self, scope: NoteScope, words: &str, step: &mut Step) {
        let scope = match &self.open {
            Some(open) if !open.has_several() => NoteScope::One,
            _ => scope,
        };
        if !words.is_empty() {
            return self.set_note(scope, words, step);
        }
        self.prompt = Prompt::Note(scope, Box::new(self.prompt.clone()));
        self.write_prompt(step);
    }

    fn pick_recommended_answers(&mut self, scope: NoteScope, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        let pick = |open: &mut super::OpenAsk, at: usize| {
            let asked = &open.record.ask.questions[at];
            let entry = open.form.entries.get_mut(at);
            entry.is_some_and(|entry| entry.pick_recommended(asked))
        };
        let count = open.record.ask.questions.len();
        match scope {
            NoteScope::One if open.at < count && pick(open, open.at) => self.advance(step),
            NoteScope::One => {
                step.line(self.words.say("line-recommended-none"));
                self.write_prompt(step);
            }
            NoteScope::All => {
                let unanswered = (0..count).filter(|&at| !open.form.entries[at].is_given());
                let picked: Vec<usize> = unanswered.collect();
                let any_picked = picked
                    .into_iter()
                    .fold(false, |any, at| pick(open, at) | any);
                if !any_picked {
                    step.line(self.words.say("line-recommended-none"));
                    return self.write_prompt(step);
                }
                self.review(step);
            }
        }
    }
}
