//! Usage errors of the command line in the form of our other errors: the problem, then a hint. clap finds
//! the problem. It prints help, the version, and errors that have no text here.

use ask_config::exit::{Exit, Failure};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The failure for a usage error; `None` if clap's own text is to be printed.
pub(crate) fn failure(error: &Error) -> Option<Failure> {
    let text = |kind| text(error, kind);
    let argument = || Some(argument_name(text(ContextKind::InvalidArg)?));
    let given = || text(ContextKind::InvalidValue);
    let (what, hint) = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing_argument(error)?,
        ErrorKind::InvalidValue => {
            let what = match given().filter(|given| !given.is_empty()) {
                Some(given) => format!("\"{given}\" is no value of {}", argument()?),
                None => format!("{} needs a value", argument()?),
            };
            let mut hints = Vec::new();
            if let Some(near) = text(ContextKind::SuggestedValue) {
                hints.push(format!("did you mean {near}?"));
            }
            let values = list(error, ContextKind::ValidValue);
            if !values.is_empty() {
                hints.push(format!("the values are {}", values.join(", ")));
            }
            (what, hints.join(" "))
        }
        ErrorKind::ValueValidation => {
            let problem = std::error::Error::source(error)?;
            (
                format!("\"{}\" is no value of {}", given()?, argument()?),
                problem.to_string(),
            )
        }
        ErrorKind::UnknownArgument => {
            let unknown = text(ContextKind::InvalidArg)?;
            let command = command(error);
            match (text(ContextKind::SuggestedArg), unknown.starts_with('-')) {
                (Some(near), _) => (
                    format!("there is no option {unknown}"),
                    format!("did you mean {}?", argument_name(near)),
                ),
                (None, true) if !unknown.starts_with("--") => (
                    format!("there is no option {unknown}"),
                    format!("to give it as a value, write `-- {unknown}`"),
                ),
                (None, true) => (
                    format!("there is no option {unknown}"),
                    format!("`{command} --help` lists the options"),
                ),
                (None, false) => (
                    format!("\"{unknown}\" is one argument too many"),
                    format!("`{command} --help` shows what it takes"),
                ),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let command = command(error);
            let mut hint = format!("`{command} --help` lists the commands");
            if let Some(near) = list(error, ContextKind::SuggestedSubcommand).first() {
                hint = format!("did you mean `{command} {near}`? {hint}");
            }
            let unknown = text(ContextKind::InvalidSubcommand)?;
            (format!("there is no command \"{unknown}\""), hint)
        }
        ErrorKind::ArgumentConflict => {
            let argument = argument()?;
            let others = list(error, ContextKind::PriorArg);
            let others: Vec<String> = others.into_iter().map(argument_name).collect();
            match others.as_slice() {
                [] => return None,
                [other] if *other == argument => (
                    format!("{argument} is given twice"),
                    "give it once".to_owned(),
                ),
                others => (
                    format!("{argument} and {} exclude each other", others.join(", ")),
                    "leave one of them out".to_owned(),
                ),
            }
        }
        // clap's own text is help, or clear enough.
        _ => return None,
    };
    Some(match hint.is_empty() {
        true => Failure::plain(Exit::Usage, what),
        false => Failure::new(Exit::Usage, what, hint),
    })
}

/// The error for missing arguments. Most often the ask's id is missing.
fn missing_argument(error: &Error) -> Option<(String, String)> {
    let missing = list(error, ContextKind::InvalidArg);
    let usage = text(error, ContextKind::Usage)?;
    let usage = usage.trim_start_matches("Usage:").trim();
    if missing.first().is_some_and(|first| first == "<ID>") {
        let needed = usage.split(' ').filter(|word| !word.starts_with('['));
        let needed: Vec<&str> = needed.collect();
        let example = needed.join(" ").replace("<ID>", "latest");
        return Some((
            "which ask? give an id or `latest`".to_owned(),
            format!("as in `{example}`; `ask-user list` shows what waits"),
        ));
    }
    // A group makes the usage of this command line hard to read.
    let hint = match missing.iter().any(|one| one.starts_with("<--")) {
        true => format!("`{} --help` shows what it takes", command(error)),
        false => format!("as in `{usage}`; `{} --help` tells more", command(error)),
    };
    let missing: Vec<String> = missing.into_iter().map(argument_name).collect();
    let is = match missing.len() {
        1 => "is",
        _ => "are",
    };
    let what = format!("{} {is} missing", missing.join(" and "));
    Some((what, hint))
}

/// The command that the error is about, from its usage: `ask-user forget`.
fn command(error: &Error) -> String {
    let usage = text(error, ContextKind::Usage).unwrap_or_default();
    let words = usage.trim_start_matches("Usage:").split_whitespace();
    let words = words.take_while(|word| !word.starts_with(['[', '<', '-']));
    let words: Vec<&str> = words.collect();
    match words.is_empty() {
        true => "ask-user".to_owned(),
        false => words.join(" "),
    }
}

/// The name of an argument without the marks of a usage line: `--mode` for `--mode <MODE>`, `ID` for
/// `[ID]...`, and `--option or --options` for a group of these.
fn argument_name(argument: String) -> String {
    if argument.starts_with("<--") {
        let group = argument.trim_start_matches('<').split('|');
        let names: Vec<String> = group.map(|one| argument_name(one.to_owned())).collect();
        return names.join(" or ");
    }
    if argument.starts_with('-') {
        let name = argument.split([' ', '=']).next();
        return name.unwrap_or_default().to_owned();
    }
    let one = argument.trim_end_matches("...");
    let inner = one.strip_prefix('<').and_then(|one| one.strip_suffix('>'));
    let inner = inner.or_else(|| one.strip_prefix('[').and_then(|one| one.strip_suffix(']')));
    inner.unwrap_or(one).to_owned()
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        _ => None,
    }
}

fn list(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(all)) => all.clone(),
        Some(ContextValue::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::Cli;
    use super::*;

    /// The text for a command line that is wrong.
    fn message(arguments: &[&str]) -> String {
        let all = std::iter::once(&"ask-user").chain(arguments);
        let error = Cli::try_parse_from(all).err().expect("a usage error");
        failure(&error).expect("a text of ours").to_string()
    }

    #[test]
    fn usage_errors_have_a_problem_and_a_hint() {
        for (arguments, wanted) in [
            (
                &["decline"][..],
                "which ask? give an id or `latest`\n  as in `ask-user decline latest`; `ask-user list` shows what waits",
            ),
            (
                &["answer"],
                "which ask? give an id or `latest`\n  as in `ask-user answer latest`; `ask-user list` shows what waits",
            ),
            (
                &["clarify"],
                "which ask? give an id or `latest`\n  as in `ask-user clarify latest <TEXT>`; `ask-user list` shows what waits",
            ),
            (
                &["clarify", "latest"],
                "TEXT is missing\n  as in `ask-user clarify <ID> <TEXT>`; `ask-user clarify --help` tells more",
            ),
            (
                &["ask", "Which?", "--multi"],
                "--option or --options is missing\n  `ask-user ask --help` shows what it takes",
            ),
            (
                &["popup", "screen"],
                "\"screen\" is no value of PROGRAM\n  the values are tmux, zellij",
            ),
            (
                &["prompt", "--mode", "foo"],
                "\"foo\" is no value of --mode\n  the values are auto, tui, plain, pending, rpc",
            ),
            (
                &["prompt", "--mode"],
                "--mode needs a value\n  the values are auto, tui, plain, pending, rpc",
            ),
            (
                &["history", "--state", "answerd"],
                "\"answerd\" is no value of --state\n  did you mean answered? the values are answered, late, declined, ask-back, expired, withdrawn, undelivered",
            ),
            (
                &["history", "--limit", "x"],
                "\"x\" is no value of --limit\n  it must be a whole number, such as 50",
            ),
            (
                &["pair", "--for", "5"],
                "\"5\" is no value of --for\n  it has no unit: write 5s, 5m or 5h for seconds, minutes or hours; or give `always`",
            ),
            (
                &["forget", "--bogus"],
                "there is no option --bogus\n  `ask-user forget --help` lists the options",
            ),
            (
                &["forget", "--projct", "x"],
                "there is no option --projct\n  did you mean --project?",
            ),
            (
                &["answer", "latest", "-5"],
                "there is no option -5\n  to give it as a value, write `-- -5`",
            ),
            (
                &["forget", "--all", "latest"],
                "--all and ID exclude each other\n  leave one of them out",
            ),
            (
                &["show", "latest", "more"],
                "\"more\" is one argument too many\n  `ask-user show --help` shows what it takes",
            ),
            (
                &["lst"],
                "there is no command \"lst\"\n  did you mean `ask-user list`? `ask-user --help` lists the commands",
            ),
        ] {
            assert_eq!(message(arguments), wanted, "{arguments:?}");
        }
    }

    #[test]
    fn help_is_left_to_clap() {
        let error = Cli::command().try_get_matches_from(["ask-user", "--help"]);
        assert!(failure(&error.expect_err("help")).is_none());
    }
}
