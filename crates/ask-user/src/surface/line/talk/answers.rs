//! What a line means while a question is open: a choice, words, or a command.
//! Every kind of input has its line form; the match over them has no rest.

use ask_core::{Gaps, Input};

use super::{Open, Stage, Step, Talk, is_no, is_yes, number, say};
use crate::surface::paper::words;

/// A command, where a line can be one.
enum Command {
    Back,
    Leave,
    Decline,
    AskBack(String),
    Again,
    Help,
}

/// A line read as an answer.
enum Reading {
    /// These choices, and own words if so.
    Picks(Vec<usize>, bool),
    /// No answer at all.
    Empty,
    /// Not understood; what would have been.
    Unclear(String),
}

impl Open {
    /// The person's own words on the current question.
    pub fn say(&mut self, words: &str) {
        if let Some(entry) = self.form.entries.get_mut(self.at) {
            entry.field = crate::surface::paper::field::Field::new(words);
            entry.speak();
        }
    }

    fn has_several(&self) -> bool {
        self.record.ask.questions.len() > 1
    }
}

impl Talk {
    pub(super) fn take_choice(&mut self, said: &str, step: &mut Step) {
        if let Some(command) = command(said) {
            return self.obey(command, step);
        }
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        let Some(question) = open.record.ask.questions.get(open.at) else {
            return;
        };
        let entry = &mut open.form.entries[open.at];
        match read(&question.input, said) {
            Reading::Picks(picks, own) => {
                entry.pick_only(picks);
                if own {
                    step.text
                        .push_str("Your own answer, end with an empty line:\n");
                    self.stage = Stage::Words(Vec::new());
                } else {
                    self.advance(step);
                }
            }
            Reading::Empty if entry.is_given() => self.advance(step),
            Reading::Empty if question.input.is_many() => {
                let skip = if open.has_several() { ", s skips" } else { "" };
                let ask = format!(
                    "Nothing chosen: Enter again says 'none of these'{skip}; or choose now: "
                );
                step.text.push_str(&ask);
                self.stage = Stage::NoneSure;
            }
            Reading::Empty => self.skip(step),
            Reading::Unclear(hint) => {
                step.text.push_str(&format!("Not understood. {hint}\n"));
                let prompt = say::prompt(question, open.has_several());
                step.text.push_str(&prompt);
            }
        }
    }

    pub(super) fn take_words(&mut self, line: &str, mut lines: Vec<String>, step: &mut Step) {
        if lines.is_empty()
            && let Some(command) = line.strip_prefix('/').and_then(command)
        {
            return self.obey(command, step);
        }
        if !line.trim().is_empty() {
            lines.push(line.to_owned());
            self.stage = Stage::Words(lines);
            return;
        }
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        if !lines.is_empty() {
            open.say(&lines.join("\n"));
            return self.advance(step);
        }
        let only_words = open
            .record
            .ask
            .questions
            .get(open.at)
            .is_some_and(|question| question.input.is_empty());
        if only_words && open.form.entries[open.at].is_open() {
            self.skip(step);
        } else if only_words || open.form.entries[open.at].is_given() {
            self.advance(step);
        } else {
            step.text.push_str("No own answer.\n");
            self.show_question(step);
        }
    }

    pub(super) fn take_none(&mut self, said: &str, step: &mut Step) {
        self.stage = Stage::Question;
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
        if is_no(said) {
            return self.show_question(step);
        }
        if said.is_empty() || is_yes(said) {
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
        if is_yes(said) {
            // The review has just said what is missing.
            return self.send(Gaps::Send, step);
        }
        if is_no(said) {
            step.text
                .push_str("Not sent. A number changes an answer, y sends, q leaves: ");
            return;
        }
        match command(said) {
            Some(Command::Back) => {
                open.at = open.form.entries.len() - 1;
                open.reviewing = false;
                self.show_question(step);
            }
            Some(command) => self.obey(command, step),
            None => step
                .text
                .push_str("Not understood. Send? y, n, or a number to change: "),
        }
    }

    fn obey(&mut self, command: Command, step: &mut Step) {
        let Some(open) = &mut self.open else {
            return self.show_list(step);
        };
        match command {
            Command::Back if open.at > 0 => {
                open.at -= 1;
                open.reviewing = false;
                self.show_question(step);
            }
            Command::Back | Command::Again => self.show_question(step),
            Command::Leave => self.leave(step),
            Command::Decline => {
                step.text.push_str("Why? One line, empty gives no reason: ");
                self.stage = Stage::Reason;
            }
            Command::AskBack(words) if words.is_empty() => {
                step.text
                    .push_str("Type c and your question on one line.\n");
                self.show_question(step);
            }
            Command::AskBack(words) => {
                let ask = format!(
                    "Ask back \"{}\" in place of an answer? y/n: ",
                    say::line(&words)
                );
                step.text.push_str(&ask);
                self.stage = Stage::AskBackSure(words);
            }
            Command::Help => {
                step.text.push_str(say::help());
                self.show_question(step);
            }
        }
    }

    /// Goes on without an answer, where that is possible.
    fn skip(&mut self, step: &mut Step) {
        let Some(open) = &self.open else { return };
        let question = open.record.ask.questions.get(open.at);
        let required = question.is_some_and(|question| question.required);
        if !open.has_several() && required {
            step.text
                .push_str("It needs an answer; x declines, q leaves it waiting.\n");
            self.show_question(step);
        } else {
            self.go_on(step);
        }
    }

    /// Says what was understood and goes on, unless the answer is long.
    fn advance(&mut self, step: &mut Step) {
        self.keep(step);
        let Some(open) = &self.open else { return };
        let (entry, question) = (
            &open.form.entries[open.at],
            &open.record.ask.questions[open.at],
        );
        if entry.is_long() {
            let count = words::thousands(entry.field.count());
            let ask = format!("Answer is long ({count} chars). Continue anyway? [Y/n] ");
            step.text.push_str(&ask);
            self.stage = Stage::LongSure;
            return;
        }
        let said = say::said(question, entry);
        if !said.is_empty() {
            step.text.push_str(&format!("Your answer: {said}\n"));
        }
        self.go_on(step);
    }

    fn go_on(&mut self, step: &mut Step) {
        let Some(open) = &mut self.open else { return };
        if !open.has_several() {
            return self.send(Gaps::Refuse, step);
        }
        open.at = if open.reviewing {
            open.form.entries.len()
        } else {
            open.at + 1
        };
        self.show_question(step);
    }
}

fn command(said: &str) -> Option<Command> {
    let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
    match (word, rest.trim()) {
        ("b", "") => Some(Command::Back),
        ("q", "") => Some(Command::Leave),
        ("x", "") => Some(Command::Decline),
        ("r", "") => Some(Command::Again),
        ("?", "") => Some(Command::Help),
        ("c", words) => Some(Command::AskBack(words.to_owned())),
        (_, _) => None,
    }
}

fn read(input: &Input, said: &str) -> Reading {
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
        // Own words are read as they are and never come here.
        Input::Text => Reading::Unclear("Type your answer.".to_owned()),
        Input::Confirm if is_yes(said) => Reading::Picks(vec![0], false),
        Input::Confirm if is_no(said) => Reading::Picks(vec![1], false),
        Input::Confirm | Input::One(_) => match numbers.as_slice() {
            [0] => Reading::Picks(Vec::new(), true),
            [number] => Reading::Picks(vec![number - 1], false),
            [] | [_, _, ..] if matches!(input, Input::Confirm) => {
                Reading::Unclear("Type y, n, or 0 for your own answer.".to_owned())
            }
            [] | [_, _, ..] => Reading::Unclear(format!(
                "Type one number from 1 to {offered}, or 0 for your own answer."
            )),
        },
        Input::Many(_) if numbers.is_empty() => Reading::Unclear(format!(
            "Type numbers from 1 to {offered} as in 1 3, or 0 for your own answer."
        )),
        Input::Many(_) => {
            let mut picks: Vec<usize> =
                numbers.iter().filter_map(|&at| at.checked_sub(1)).collect();
            picks.sort_unstable();
            picks.dedup();
            Reading::Picks(picks, numbers.contains(&0))
        }
    }
}
