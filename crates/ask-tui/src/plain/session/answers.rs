//! Reads a line while a question is open: a choice, own text, or a command. Each kind of input has
//! its plain form; the match over them has no catch-all arm.

use ask_config::i18n::Words;
use ask_core::{Gaps, Input};
use ask_hub::surface::labels;

use super::commands::{Command, command, command_in_words};
use super::confirm::{is_no, is_taken, is_yes};
use super::{Open, PlainSession, Prompt, Step, number, question, render};

/// A line read as an answer.
enum Reading {
    /// The choices at these indices, and own text as well if true.
    Picks(Vec<usize>, bool),
    /// An empty line.
    Empty,
    /// A word for yes or no in the person's language whose letter is a command.
    Taken,
    /// Not an answer.
    Unclear,
}

impl Open {
    pub(super) fn has_several(&self) -> bool {
        self.record.ask.questions.len() > 1
    }
}

impl PlainSession {
    pub(super) fn take_choice(&mut self, said: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let Some(question) = open.record.ask.questions.get(open.at) else {
            return;
        };
        let reading = read(self.words, &question.input, said);
        let answers = matches!(reading, Reading::Picks(..) | Reading::Taken);
        if let Some(command) = command(said, &question.input).filter(|_| !answers) {
            return self.obey(command, step);
        }
        let is_many = question.input.is_many();
        let entry = &mut open.form.entries[open.at];
        match reading {
            Reading::Picks(picks, own) => {
                // With several choices allowed, marking choices and typing own text are
                // independent.
                if !(is_many && own && picks.is_empty()) {
                    entry.pick_only(picks);
                }
                if own {
                    self.stage = Prompt::Words(Vec::new());
                    self.prompt(step);
                } else if self.terminal.digit_sends && !is_many && !open.has_several() {
                    self.say_answer(step);
                    self.send(Gaps::Refuse, step);
                } else {
                    self.advance(step);
                }
            }
            Reading::Empty if entry.is_given() => self.advance(step),
            Reading::Empty if is_many => {
                self.stage = Prompt::NoneSure;
                self.prompt(step);
            }
            Reading::Empty => self.skip(step),
            Reading::Taken => self.taken(said, step),
            Reading::Unclear => {
                step.line(question::unclear(self.words, &question.input));
                self.prompt(step);
            }
        }
    }

    pub(super) fn take_words(&mut self, line: &str, mut lines: Vec<String>, step: &mut Step) {
        if let Some(said) = line.strip_prefix('/').filter(|said| is_command_like(said)) {
            return self.take_command(said.trim(), &lines, step);
        }
        if !line.trim().is_empty() {
            // A leading space marks a line with a slash as text.
            let literal = line.strip_prefix(' ').filter(|rest| rest.starts_with('/'));
            lines.push(literal.unwrap_or(line).to_owned());
            self.stage = Prompt::Words(lines);
            return;
        }
        if !lines.is_empty() {
            self.put_words(&lines.join("\n"), step);
            return self.advance(step);
        }
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let question = &open.record.ask.questions[open.at];
        let (only_words, is_many) = (question.input.is_empty(), question.input.is_many());
        let entry = &mut open.form.entries[open.at];
        if is_many && !only_words && entry.has_own() {
            entry.toggle_own();
            step.line(self.words.say("line-own-off"));
        }
        if only_words && entry.is_open() {
            self.skip(step);
        } else if only_words || entry.is_given() {
            self.advance(step);
        } else {
            step.line(self.words.say("line-no-own"));
            self.keep(step);
            self.show_question(step);
        }
    }

    /// Handles a line that began with a slash: a command, or a message that there is no such
    /// command. It is never part of the answer; the lines before it are kept.
    fn take_command(&mut self, said: &str, lines: &[String], step: &mut Step) {
        let input = self
            .open
            .as_ref()
            .map(|open| &open.record.ask.questions[open.at].input);
        let command = input.and_then(|input| command_in_words(said, input));
        let Some(command) = command else {
            let word = render::line(said.split_whitespace().next().unwrap_or_default());
            let facts = [("word", word.into())];
            step.line(self.words.format("line-unclear-command", &facts));
            return self.prompt(step);
        };
        if !lines.is_empty() {
            self.put_words(&lines.join("\n"), step);
            self.keep(step);
        }
        self.obey(command, step);
    }

    /// Says that a letter is a command and wasn't taken as yes or no.
    fn taken(&mut self, letter: &str, step: &mut Step) {
        let facts = [("letter", render::line(letter).into())];
        step.line(self.words.format("line-letter-taken", &facts));
        self.prompt(step);
    }

    pub(super) fn take_none(&mut self, said: &str, step: &mut Step) {
        self.stage = Prompt::Question;
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        if said.is_empty() {
            open.form.entries[open.at].say_none();
            self.advance(step);
        } else if said == "s" && open.has_several() {
            self.go_on(step);
        } else {
            self.take_choice(said, step);
        }
    }

    pub(super) fn take_long(&mut self, said: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        if is_no(self.words, said) {
            return self.show_question(step);
        }
        if said.is_empty() || is_yes(self.words, said) {
            open.form.entries[open.at].accept_length();
        }
        self.advance(step);
    }

    pub(super) fn take_review(&mut self, said: &str, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let chosen = number(said).filter(|number| (1..=open.form.entries.len()).contains(number));
        if let Some(chosen) = chosen {
            open.at = chosen - 1;
            return self.show_question(step);
        }
        if is_taken(self.words, said) {
            return self.taken(said, step);
        }
        if is_yes(self.words, said) {
            // The review has just listed the missing answers.
            return self.send(Gaps::Send, step);
        }
        if is_no(self.words, said) {
            return step.prompt(if open.has_several() {
                self.words.say("line-prompt-unsent")
            } else {
                self.words.say("line-prompt-unsent-one")
            });
        }
        match command(said, &Input::Confirm) {
            Some(Command::Back) => {
                open.at = open.form.entries.len() - 1;
                open.reviewing = false;
                self.show_question(step);
            }
            Some(command) if !command.is_of_choices() => self.obey(command, step),
            Some(_) | None => {
                step.line(if open.has_several() {
                    self.words.say("line-unclear-review")
                } else {
                    self.words.say("line-unclear-review-one")
                });
                self.prompt(step);
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
            self.go_on(step);
        }
    }

    /// Confirms the answer and continues, or asks first whether a long answer may be sent.
    pub(super) fn advance(&mut self, step: &mut Step) {
        self.keep(step);
        let Some(open) = &self.open else { return };
        let entry = &open.form.entries[open.at];
        if entry.is_long() {
            self.stage = Prompt::LongSure;
            return self.prompt(step);
        }
        if open.has_several() {
            self.say_answer(step);
        }
        self.go_on(step);
    }

    fn say_answer(&self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let (entry, question) = (
            &open.form.entries[open.at],
            &open.record.ask.questions[open.at],
        );
        let answer = question::answered(self.words, question, entry);
        if !answer.is_empty() {
            let facts = [("answer", answer.into())];
            step.line(self.words.format("line-said", &facts));
        }
    }

    /// The prompt that asks whether a long answer may be sent.
    pub(super) fn long(&self) -> String {
        let entry = self
            .open
            .as_ref()
            .and_then(|open| open.form.entries.get(open.at));
        let count = entry.map_or(0, |entry| entry.field.count());
        let facts = [("count", labels::thousands(self.words, count).into())];
        self.words.format("line-prompt-long", &facts)
    }

    /// Continues with the next question or the review. The line that answers never sends.
    pub(super) fn go_on(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        open.at = if open.reviewing {
            open.form.entries.len()
        } else {
            open.at + 1
        };
        self.show_question(step);
    }
}

/// Whether a line behind a slash could be a command. Any other beginning, such as that of a code
/// comment, makes it text.
fn is_command_like(said: &str) -> bool {
    said.starts_with(|first: char| first.is_alphanumeric() || ['?', '+', '@'].contains(&first))
}

fn read(words: Words, input: &Input, said: &str) -> Reading {
    if said.is_empty() {
        return Reading::Empty;
    }
    let offered = input.len();
    let numbers: Option<Vec<usize>> = said
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(number)
        .collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|&number| number <= offered));
    let numbers = numbers.unwrap_or_default();
    match input {
        // Own text is taken as it is and never reaches this point.
        Input::Text => Reading::Unclear,
        Input::Confirm if is_taken(words, said) => Reading::Taken,
        Input::Confirm if is_yes(words, said) => Reading::Picks(vec![0], false),
        Input::Confirm if is_no(words, said) => Reading::Picks(vec![1], false),
        Input::Confirm | Input::One(_) => match numbers.as_slice() {
            [0] => Reading::Picks(Vec::new(), true),
            [number] => Reading::Picks(vec![number - 1], false),
            [] | [_, _, ..] => Reading::Unclear,
        },
        Input::Many(_) if said == "-" => Reading::Picks(Vec::new(), false),
        Input::Many(_) if numbers.is_empty() => Reading::Unclear,
        Input::Many(_) => {
            let mut picks: Vec<usize> =
                numbers.iter().filter_map(|&at| at.checked_sub(1)).collect();
            picks.sort_unstable();
            picks.dedup();
            Reading::Picks(picks, numbers.contains(&0))
        }
    }
}
