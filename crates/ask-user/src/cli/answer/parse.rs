//! Parses arguments that address a question or a choice of an ask.

use ask_config::exit::{Exit, Failure};
use ask_core::{Ask, Question, SafeText};
use ask_protocol::native;

/// Splits an argument into the index of its question and the value.
///
/// # Errors
/// The ask has several questions, and the argument names none.
pub(super) fn split_question<'a>(ask: &Ask, text: &'a str) -> anyhow::Result<(usize, &'a str)> {
    if let Some((name, value)) = text.split_once('=')
        && let Some(at) = find_question(ask, name)
    {
        return Ok((at, value));
    }
    if ask.questions.len() == 1 {
        return Ok((0, text));
    }
    let names: Vec<String> = ask
        .questions
        .iter()
        .enumerate()
        .map(|(at, question)| format!("{} ({})", at + 1, question.name()))
        .collect();
    Err(Failure::new(
        Exit::Usage,
        format!("\"{text}\" doesn't say which question it answers"),
        format!(
            "write QUESTION=ANSWER; the questions are {}",
            names.join(", ")
        ),
    )
    .into())
}

fn find_question(ask: &Ask, name: &str) -> Option<usize> {
    let name = name.trim();
    let position = |matches: &dyn Fn(&Question) -> bool| ask.questions.iter().position(matches);
    position(&|question| question.id == name)
        .or_else(|| {
            position(&|question| {
                question
                    .label
                    .as_deref()
                    .is_some_and(|label| label.eq_ignore_ascii_case(name))
            })
        })
        .or_else(|| position(&|question| question.text == name))
        .or_else(|| {
            let number: usize = name.parse().ok()?;
            (1..=ask.questions.len())
                .contains(&number)
                .then(|| number - 1)
        })
}

/// The error for several arguments that are the text of one answer. `command` is the command line up
/// to that text.
pub(super) fn several_texts_error(
    ask: &Ask,
    at: usize,
    texts: &[&str],
    command: &str,
) -> anyhow::Error {
    let (addressee, address) = match ask.questions.len() {
        1 => (String::new(), String::new()),
        _ => {
            let name = ask.questions[at].name();
            (format!(" to \"{name}\""), format!("{}=", at + 1))
        }
    };
    Failure::new(
        Exit::Usage,
        format!("the answer{addressee} is {} arguments", texts.len()),
        format!(
            "put it in quotes: {command} \"{address}{}\"",
            SafeText::line(&texts.join(" "))
        ),
    )
    .into()
}

/// Adds the choices that `--set` names to an answer.
pub(super) fn add_picks(
    answer: &mut ask_core::Answer,
    question: &Question,
    value: &str,
) -> anyhow::Result<()> {
    // A label may contain commas, so the whole value is tried first.
    if let Some(pick) = find_choice(question, value) {
        answer.picks.push(pick);
        return Ok(());
    }
    for part in value.split(',') {
        match find_choice(question, part.trim()) {
            Some(pick) => answer.picks.push(pick),
            None => return Err(no_single_choice(question, part.trim())),
        }
    }
    Ok(())
}

/// The error for a text that fits no choice, or several.
fn no_single_choice(question: &Question, text: &str) -> anyhow::Error {
    let all: Vec<usize> = (0..question.input.len()).collect();
    let listed = |choices: &[usize]| {
        let lines = choices.iter().filter_map(|&at| {
            let label = question.input.label(at)?;
            Some(format!("{} {}", at + 1, SafeText::line(label)))
        });
        lines.collect::<Vec<_>>().join(", ")
    };
    let name = question.name();
    let (what, hint) = match starting_with(question, text).as_slice() {
        several @ [_, _, ..] => (
            format!(
                "\"{text}\" fits {} choices of \"{name}\": {}",
                several.len(),
                listed(several)
            ),
            "give the number of one, or more of its label".to_owned(),
        ),
        [] | [_] => (
            format!("\"{text}\" is no choice of \"{name}\""),
            format!(
                "choose from {}; or say it in your own words with --other",
                listed(&all)
            ),
        ),
    };
    Failure::new(Exit::Usage, what, hint).into()
}

/// Finds a choice: by its label, with or without the mark of a recommendation; in any case if that
/// is unambiguous; by its number; or by the beginning of its label, if no other label begins so.
fn find_choice(question: &Question, text: &str) -> Option<usize> {
    let only = |found: Vec<usize>| (found.len() == 1).then(|| found[0]);
    let numbered = || {
        let number: usize = text.parse().ok()?;
        (1..=question.input.len())
            .contains(&number)
            .then(|| number - 1)
    };
    native::pick(question, text)
        .or_else(|| only(matching(question, |label| label.eq_ignore_ascii_case(text))))
        .or_else(numbered)
        .or_else(|| only(starting_with(question, text)))
}

/// The choices whose labels begin with a text, in any case.
fn starting_with(question: &Question, text: &str) -> Vec<usize> {
    let lower = text.to_lowercase();
    matching(question, |label| {
        !lower.is_empty() && label.to_lowercase().starts_with(&lower)
    })
}

/// The choices whose labels fit, with or without the mark of a recommendation.
fn matching(question: &Question, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let bare = |at: usize| {
        let choice = question.input.choices().get(at);
        choice.map(|choice| choice.recommended().0)
    };
    let is_match =
        |at: &usize| question.input.label(*at).is_some_and(&fits) || bare(*at).is_some_and(&fits);
    (0..question.input.len()).filter(is_match).collect()
}
