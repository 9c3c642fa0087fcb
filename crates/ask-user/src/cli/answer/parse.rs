//! Parses arguments that address a question or a choice of an ask.

use ask_config::exit::{Exit, Failure};
use ask_core::{Ask, Input, Question, SafeText};
use ask_protocol::native;

/// What comes before a number that is meant as such, and not as the text of a choice or the id of a
/// question.
const NUMBER_SIGN: char = '#';

/// Splits an argument into the index of its question and the value.
///
/// # Errors
/// The ask has several questions, and the argument names none, or could name two.
pub(super) fn split_question<'a>(ask: &Ask, text: &'a str) -> anyhow::Result<(usize, &'a str)> {
    if let Some((name, value)) = text.split_once('=')
        && let Some(at) = find_question(ask, name.trim())?
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

/// Finds a question by its number, id, label or text.
///
/// # Errors
/// The name fits several questions: people see numbers and labels, and agents choose ids.
fn find_question(ask: &Ask, name: &str) -> anyhow::Result<Option<usize>> {
    let number = number(name, ask.questions.len());
    if name.starts_with(NUMBER_SIGN) {
        return Ok(number);
    }
    let fits = |(at, question): &(usize, &Question)| {
        let label = question.label.as_deref();
        number == Some(*at)
            || question.id == name
            || question.text == name
            || label.is_some_and(|label| label.eq_ignore_ascii_case(name))
    };
    let fitting = ask.questions.iter().enumerate().filter(fits);
    let fitting: Vec<(usize, SafeText)> = fitting
        .map(|(at, question)| (at, question.name()))
        .collect();
    match fitting.as_slice() {
        [] => Ok(None),
        [(at, _)] => Ok(Some(*at)),
        several => Err(several_meanings(name, "questions", several)),
    }
}

/// Like [`split_question`]. With `is_doubtful`, the whole argument may be the answer to the only
/// question.
///
/// # Errors
/// It may be, and its beginning names the question.
pub(super) fn split_unless<'a>(
    is_doubtful: bool,
    ask: &Ask,
    text: &'a str,
) -> anyhow::Result<(usize, &'a str)> {
    let name = text.split_once('=').map(|(name, _)| name.trim());
    let name = name.filter(|name| is_doubtful && !name.starts_with(NUMBER_SIGN));
    // Without an error, because there is one question.
    if !name.is_some_and(|name| find_question(ask, name).is_ok_and(|at| at.is_some())) {
        return split_question(ask, text);
    }
    let text = SafeText::line(text);
    Err(Failure::new(
        Exit::Usage,
        format!("\"{text}\" may be the answer, or name the question before it"),
        format!("write \"#1={text}\" for all of it, or \"#1=\" and the rest"),
    )
    .into())
}

/// Whether the ask is one question for a text.
pub(super) fn is_one_text(ask: &Ask) -> bool {
    matches!(ask.questions.as_slice(), [only] if only.input == Input::Text)
}

/// Whether an argument is a choice of the only question as well.
pub(super) fn may_be_choice(ask: &Ask, text: &str) -> bool {
    let [only] = ask.questions.as_slice() else {
        return false;
    };
    only.input != Input::Text && !matches!(find_choice(only, text), Ok(None))
}

/// The index for a number from 1 to `count`.
fn number(text: &str, count: usize) -> Option<usize> {
    let digits = text.strip_prefix(NUMBER_SIGN).unwrap_or(text);
    let number: usize = digits.parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

/// The error for a text that fits several questions or choices, each with its name.
fn several_meanings(text: &str, what: &str, fitting: &[(usize, SafeText)]) -> anyhow::Error {
    let names = fitting
        .iter()
        .map(|(at, name)| format!("{NUMBER_SIGN}{} ({name})", at + 1));
    Failure::new(
        Exit::Usage,
        format!("\"{}\" fits several {what}", SafeText::line(text)),
        format!(
            "write one of {}, in quotes",
            names.collect::<Vec<_>>().join(", ")
        ),
    )
    .into()
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
    let find = |text: &str| find_choice(question, text);
    let parts: Vec<&str> = value.split(',').map(str::trim).collect();
    // A label may contain commas.
    let whole = find(value)?;
    if let (Some(whole), [_, _, ..]) = (whole, parts.as_slice()) {
        let all = parts.iter().map(|part| find(part));
        if all
            .collect::<anyhow::Result<Vec<_>>>()?
            .iter()
            .all(Option::is_some)
        {
            let hint = format!(
                "write {NUMBER_SIGN}{} for the one choice, or the numbers of several with {NUMBER_SIGN}, in quotes",
                whole + 1
            );
            let problem = format!(
                "\"{}\" is one choice, and also the list of several",
                SafeText::line(value)
            );
            return Err(Failure::new(Exit::Usage, problem, hint).into());
        }
    }
    if let Some(pick) = whole {
        answer.picks.push(pick);
        return Ok(());
    }
    for part in parts {
        match find(part)? {
            Some(pick) => answer.picks.push(pick),
            None => return Err(no_single_choice(question, part)),
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
///
/// # Errors
/// The text is the number of one choice and the label of another.
fn find_choice(question: &Question, text: &str) -> anyhow::Result<Option<usize>> {
    let only = |found: Vec<usize>| (found.len() == 1).then(|| found[0]);
    let number = number(text, question.input.len());
    if text.starts_with(NUMBER_SIGN) && number.is_some() {
        return Ok(number);
    }
    let named = native::pick(question, text)
        .or_else(|| only(matching(question, |label| label.eq_ignore_ascii_case(text))));
    match (number, named) {
        (Some(number), Some(named)) if number != named => {
            let label = |at: usize| SafeText::line(question.input.label(at).unwrap_or_default());
            let name = |at: usize| (at, label(at));
            let fitting = [name(number), name(named)];
            Err(several_meanings(text, "choices", &fitting))
        }
        (number, named) => Ok(named
            .or(number)
            .or_else(|| only(starting_with(question, text)))),
    }
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
