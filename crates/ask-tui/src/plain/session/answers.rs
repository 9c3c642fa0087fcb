//! Handles a line while a question is open: a choice, own text, or a command. The match over the
//! kinds of input has no catch-all arm, so that none is forgotten.

use ask_config::i18n::Words;
use ask_core::{Gaps, Input};
use ask_hub::surface::labels;

use super::commands::{Command, parse_command, parse_slash_command};
use super::confirm::{is_command_letter, is_no, is_yes};
use super::{OpenAsk, PlainSession, Prompt, Step, number, question, render};

/// A line parsed as an answer.
enum ParsedAnswer {
    /// The choices at these indices, and own text as well if true.
    Picks(Vec<usize>, bool),
    Empty,
    /// A letter that means yes or no in the person's language but is a command here.
    CommandLetter,
    Unclear,
}

impl OpenAsk {
    pub(super) fn has_several(&self) -> bool {
        self.record.ask.questions.len() > 1
    }

    /// The index of the question that a note belongs to: the current one, or the only one.
    pub(super) fn noted(&self) -> usize {
        if self.has_several() { self.at } else { 0 }
    }
}

impl PlainSession {
    pub(super) fn handle_choice_line(&mut self, text: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let Some(question) = open.record.ask.questions.get(open.at) else {
            return;
        };
        let parsed = parse_answer(self.words, &question.input, text);
        let is_answer = matches!(
            parsed,
            ParsedAnswer::Picks(..) | ParsedAnswer::CommandLetter
        );
        if let Some(command) = parse_command(text, &question.input).filter(|_| !is_answer) {
            return self.execute(command, step);
        }
        let is_many = question.input.is_many();
        // The person sees in the review what a program filled in beside the answer.
        let may_send = self.terminal.digit_sends && open.record.filled_in_below().is_none();
        let entry = &mut open.form.entries[open.at];
        match parsed {
            ParsedAnswer::Picks(picks, own) => {
                // With several choices allowed, marking choices and typing own text are
                // independent.
                if !(is_many && own && picks.is_empty()) {
                    entry.pick_only(picks);
                }
                if own {
                    self.prompt = Prompt::OwnText(Vec::new());
                    self.write_prompt(step);
                } else if may_send && !is_many && !open.has_several() {
                    self.confirm_answer(step);
                    self.send(Gaps::Refuse, step);
                } else {
                    self.advance(step);
                }
            }
            ParsedAnswer::Empty if entry.is_given() => self.advance(step),
            ParsedAnswer::Empty if is_many => {
                self.prompt = Prompt::ConfirmNone;
                self.write_prompt(step);
            }
            ParsedAnswer::Empty => self.skip(step),
            ParsedAnswer::CommandLetter => self.refuse_command_letter(text, step),
            ParsedAnswer::Unclear => {
                step.line(question::unclear_message(self.words, &question.input));
                self.write_prompt(step);
            }
        }
    }

    fn continue_own_text(&mut self, lines: Vec<String>, step: &mut Step) {
        if self.is_typed {
            // The terminal may close before the answer ends.
            self.set_own_text(&lines.join("\n"), &mut Step::default());
            self.save_draft(step);
        }
        self.prompt = Prompt::OwnText(lines);
    }

    pub(super) fn handle_own_text_line(
        &mut self,
        line: &str,
        mut lines: Vec<String>,
        step: &mut Step,
    ) {
        // In a paste, neither an empty line nor a command ends the text.
        if self.is_pasting {
            lines.push(line.to_owned());
            return self.continue_own_text(lines, step);
        }
        if let Some(text) = line.strip_prefix('/').filter(|text| is_command_like(text)) {
            return self.handle_slash_line(text.trim(), &lines, step);
        }
        if !line.trim().is_empty() {
            // A leading space marks a line with a slash as text.
            let literal = line.strip_prefix(' ').filter(|rest| rest.starts_with('/'));
            lines.push(literal.unwrap_or(line).to_owned());
            return self.continue_own_text(lines, step);
        }
        if !lines.is_empty() {
            self.set_own_text(&lines.join("\n"), step);
            return self.advance(step);
        }
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let question = &open.record.ask.questions[open.at];
        let (is_text, is_many) = (question.input.is_empty(), question.input.is_many());
        let entry = &mut open.form.entries[open.at];
        if is_many && !is_text && entry.has_own() {
            entry.toggle_own();
            step.line(self.words.say("line-own-off"));
        }
        if is_text && !entry.is_given() {
            self.skip(step);
        } else if is_text || entry.is_given() {
            self.advance(step);
        } else {
            step.line(self.words.say("line-no-own"));
            self.save_draft(step);
            self.show_question(step);
        }
    }

    /// Executes the command in a line that began with a slash, or reports that it doesn't exist.
    /// The line is never part of the answer; the lines before it are kept.
    fn handle_slash_line(&mut self, text: &str, lines: &[String], step: &mut Step) {
        let input = self
            .open
            .as_ref()
            .map(|open| &open.record.ask.questions[open.at].input);
        let command = input.and_then(|input| parse_slash_command(text, input));
        let Some(command) = command else {
            let word = render::safe_line(text.split_whitespace().next().unwrap_or_default());
            let facts = [("word", word.into())];
            step.line(self.words.format("line-unclear-command", &facts));
            return self.write_prompt(step);
        };
        if !lines.is_empty() {
            self.set_own_text(&lines.join("\n"), step);
            self.save_draft(step);
        }
        self.execute(command, step);
    }

    /// Reports that a letter is a command and doesn't mean yes or no.
    fn refuse_command_letter(&mut self, letter: &str, step: &mut Step) {
        let facts = [("letter", render::safe_line(letter).into())];
        step.line(self.words.format("line-letter-taken", &facts));
        self.write_prompt(step);
    }

    pub(super) fn handle_none_reply(&mut self, text: &str, step: &mut Step) {
        self.prompt = Prompt::Question;
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        if text.is_empty() {
            open.form.entries[open.at].answer_none();
            self.advance(step);
        } else if text == "s" && open.has_several() {
            self.show_next_question(step);
        } else {
            self.handle_choice_line(text, step);
        }
    }

    pub(super) fn handle_long_reply(&mut self, text: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        if is_no(self.words, text) {
            return self.show_question(step);
        }
        if text.is_empty() || is_yes(self.words, text) {
            open.form.entries[open.at].confirm_length();
        }
        self.advance(step);
    }

    pub(super) fn handle_review_line(&mut self, text: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let chosen = number(text).filter(|number| (1..=open.form.entries.len()).contains(number));
        if let Some(chosen) = chosen {
            open.at = chosen - 1;
            return self.show_question(step);
        }
        if is_command_letter(self.words, text) {
            return self.refuse_command_letter(text, step);
        }
        if is_yes(self.words, text) {
            // The review has just listed the missing answers.
            return self.send(Gaps::Send, step);
        }
        if is_no(self.words, text) {
            return step.prompt(if open.has_several() {
                self.words.say("line-prompt-unsent")
            } else {
                self.words.say("line-prompt-unsent-one")
            });
        }
        match parse_command(text, &Input::Confirm) {
            Some(Command::Back) => {
                open.at = open.form.entries.len() - 1;
                open.from_review = false;
                self.show_question(step);
            }
            Some(command) if !command.needs_choices() => self.execute(command, step),
            Some(_) | None => {
                step.line(if open.has_several() {
                    self.words.say("line-unclear-review")
                } else {
                    self.words.say("line-unclear-review-one")
                });
                self.write_prompt(step);
            }
        }
    }

    /// Continues without an answer, unless the only question requires one.
    fn skip(&mut self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let question = open.record.ask.questions.get(open.at);
        let required = question.is_some_and(|question| question.required);
        if !open.has_several() && required {
            step.line(self.words.format("line-needed", &self.slash()));
            self.show_question(step);
        } else {
            self.show_next_question(step);
        }
    }

    /// Confirms the answer and continues. A long answer needs a confirmation by the person first.
    pub(super) fn advance(&mut self, step: &mut Step) {
        self.save_draft(step);
        let Some(open) = &self.open else { return };
        let entry = &open.form.entries[open.at];
        if entry.is_long() {
            self.prompt = Prompt::ConfirmLong;
            return self.write_prompt(step);
        }
        if open.has_several() {
            self.confirm_answer(step);
        }
        self.show_next_question(step);
    }

    fn confirm_answer(&self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let (entry, question) = (
            &open.form.entries[open.at],
            &open.record.ask.questions[open.at],
        );
        let answer = question::answer_text(self.words, question, entry);
        if !answer.is_empty() {
            let facts = [("answer", answer.into())];
            step.line(self.words.format("line-said", &facts));
        }
    }

    /// The prompt that asks whether a long answer may be sent.
    pub(super) fn long_prompt(&self) -> String {
        let entry = self
            .open
            .as_ref()
            .and_then(|open| open.form.entries.get(open.at));
        let count = entry.map_or(0, |entry| entry.field.count());
        let facts = [("count", labels::thousands(self.words, count).into())];
        self.words.format("line-prompt-long", &facts)
    }

    /// Continues with the next question or the review. The line that answers a question never
    /// sends.
    pub(super) fn show_next_question(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        open.at = if open.from_review {
            open.form.entries.len()
        } else {
            open.at + 1
        };
        self.show_question(step);
    }
}

/// Whether a line behind a slash could be a command. Any other beginning, such as that of a code
/// comment, makes it text.
fn is_command_like(line: &str) -> bool {
    line.starts_with(|first: char| first.is_alphanumeric() || ['?', '+', '@'].contains(&first))
}

fn parse_answer(words: Words, input: &Input, line: &str) -> ParsedAnswer {
    if line.is_empty() {
        return ParsedAnswer::Empty;
    }
    let offered = input.len();
    let numbers: Option<Vec<usize>> = line
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(number)
        .collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|&number| number <= offered));
    let numbers = numbers.unwrap_or_default();
    match input {
        // Own text is taken as it is and never reaches this point.
        Input::Text => ParsedAnswer::Unclear,
        Input::Confirm if is_command_letter(words, line) => ParsedAnswer::CommandLetter,
        Input::Confirm if is_yes(words, line) => ParsedAnswer::Picks(vec![0], false),
        Input::Confirm if is_no(words, line) => ParsedAnswer::Picks(vec![1], false),
        Input::Confirm | Input::One(_) => match numbers.as_slice() {
            [0] => ParsedAnswer::Picks(Vec::new(), true),
            [number] => ParsedAnswer::Picks(vec![number - 1], false),
            [] | [_, _, ..] => ParsedAnswer::Unclear,
        },
        Input::Many(_) if line == "-" => ParsedAnswer::Picks(Vec::new(), false),
        Input::Many(_) if numbers.is_empty() => ParsedAnswer::Unclear,
        Input::Many(_) => {
            let mut picks: Vec<usize> =
                numbers.iter().filter_map(|&at| at.checked_sub(1)).collect();
            picks.sort_unstable();
            picks.dedup();
            ParsedAnswer::Picks(picks, numbers.contains(&0))
        }
    }
}
