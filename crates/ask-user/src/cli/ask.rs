//! `ask-user ask`: asking without MCP.
//!
//! A shell command may be killed while it waits, for example by its agent's time limit or a signal.
//! So an equal ask in the same directory continues the earlier one, whether it is open or was answered
//! meanwhile, unless another command still waits for it ([`TakeUp::WhenLeft`]).

use std::io::{IsTerminal, Write};

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::{asker, clock};
use ask_core::record::SHELL;
use ask_core::{Asker, Caller, Choice, Input, Question, Record, Role, SafeText, json, lifecycle};
use ask_dialects::{Dialect, Word, is_visible};
use ask_hub::client::Client;
use ask_mcp::find_dialect;
use ask_protocol::ipc::TakeUp;
use clap::Args;

use super::duration::{format_duration, parse_duration};
use super::return_after::{ReturnAfter, SUGGESTED_MS, WaitEnd, still_open_text};
use super::{input, style};
use crate::call;

/// Ask from a shell or script, wait, and print the answer
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 answered, 3 declined, 4 timed out, 7 asked back, 8 still waiting."
)]
pub(crate) struct Ask {
    /// The question's text, in quotes
    #[arg(value_name = "TEXT", required_unless_present = "stdin")]
    text: Vec<String>,
    /// Offer a choice, with a description after `=`; repeat it for further choices
    #[arg(
        long = "option",
        value_name = "LABEL[=DESCRIPTION]",
        group = "choices",
        conflicts_with = "confirm"
    )]
    option: Vec<String>,
    /// Offer several choices, with commas between them
    #[arg(
        long,
        value_name = "LABEL,LABEL",
        value_delimiter = ',',
        group = "choices",
        conflicts_with_all = ["option", "confirm"]
    )]
    options: Vec<String>,
    /// Let the person pick several choices
    #[arg(long, requires = "choices")]
    multi: bool,
    /// Ask for yes or no
    #[arg(long)]
    confirm: bool,
    /// Set a title for the whole form
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Add what the person needs to know to decide, in Markdown
    #[arg(long, value_name = "MARKDOWN")]
    context: Option<String>,
    /// Give up after this long (`90s`, `5m`, `1h`); by default, wait until answered
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    timeout: Option<u64>,
    /// Print the id and exit; `ask-user wait ID` waits for the answer
    #[arg(long, conflicts_with = "return_after")]
    no_wait: bool,
    #[command(flatten)]
    return_after: ReturnAfter,
    /// Open a new ask even if an equal one from this directory was left without a waiting command;
    /// by default, continue that one
    #[arg(long)]
    anew: bool,
    /// Read a whole call as JSON from standard input, and print the reply in its dialect
    #[arg(long, conflicts_with_all = ["text", "choices", "confirm", "title", "context", "timeout"])]
    stdin: bool,
    /// The dialect of the call on standard input
    #[arg(
        long,
        value_name = "NAME",
        default_value = "native",
        requires = "stdin"
    )]
    dialect: String,
    /// Print the reply as JSON
    #[arg(long)]
    json: bool,
}

impl Ask {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if self.stdin {
            return self.ask_call(home);
        }
        // clap can't tell a default value from a given one, and ignoring a given one would be
        // worse.
        if self.dialect != "native" {
            return Err(Failure::new(
                Exit::Usage,
                "--dialect is the format of a call on standard input",
                "add --stdin and give the call there, or leave --dialect out",
            )
            .into());
        }
        let text = self.text.join(" ");
        if self.text.len() > 1 {
            return Err(Failure::new(
                Exit::Usage,
                format!("the question is {} arguments", self.text.len()),
                format!(
                    "put it in quotes: ask-user ask \"{}\"",
                    SafeText::line(&text)
                ),
            )
            .into());
        }
        if !is_visible(&text) {
            return Err(Failure::plain(Exit::Usage, "say what to ask").into());
        }
        let mut choices = self.choices();
        if choices.any(|choice| !is_visible(&choice.label)) {
            let (option, form) = match self.option.is_empty() {
                true => ("--options", "give them as `--options LABEL,LABEL`"),
                false => (
                    "--option",
                    "give it as `--option LABEL` or `--option LABEL=DESCRIPTION`",
                ),
            };
            return Err(Failure::new(
                Exit::Usage,
                format!("{option}: a choice needs a label to show"),
                form,
            )
            .into());
        }
        let dialect = find_dialect("native")?;
        let record = lifecycle::open(
            dialect.id(clock::random()),
            dialect.name(),
            self.to_ask(),
            shell_asker(None),
            clock::now(),
        );
        super::with_hub(home, async |client| {
            self.wait(&client, record, dialect, false).await
        })
    }

    /// Opens an ask from a dialect's call on standard input.
    fn ask_call(self, home: &Home) -> anyhow::Result<Exit> {
        let dialect = find_dialect(&self.dialect)?;
        let text = input::read_stdin()?;
        let (record, detached) = match read_call(dialect, &text, None) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                writeln!(std::io::stdout(), "{refusal}")?;
                return Ok(Exit::Failure);
            }
        };
        let no_wait = self.no_wait || detached;
        super::with_hub(home, async |client| {
            let ask = Self { no_wait, ..self };
            ask.wait(&client, record, dialect, true).await
        })
    }

    fn choices(&self) -> impl Iterator<Item = Choice> {
        self.option
            .iter()
            .chain(&self.options)
            .map(|text| parse_choice(text))
    }

    fn to_ask(&self) -> ask_core::Ask {
        let choices: Vec<Choice> = self.choices().collect();
        let input = match (self.confirm, choices.is_empty(), self.multi) {
            (true, ..) => Input::Confirm,
            (_, true, _) => Input::Text,
            (_, false, true) => Input::Many(choices),
            (_, false, false) => Input::One(choices),
        };
        ask_core::Ask {
            title: self.title.clone().filter(|title| is_visible(title)),
            context: self.context.clone().filter(|context| is_visible(context)),
            questions: vec![Question {
                id: "q1".to_owned(),
                text: self.text.join(" "),
                label: None,
                input,
                required: true,
                placeholder: None,
                default: None,
            }],
            limit_ms: self.timeout,
            metadata: None,
        }
    }

    async fn wait(
        &self,
        client: &Client,
        record: Record,
        dialect: &dyn Dialect,
        is_call: bool,
    ) -> anyhow::Result<Exit> {
        let mut out = std::io::stdout();
        let render = |word: Word<'_>| dialect.write(word).printed();
        let reply_dialect = (is_call || self.json).then_some(dialect);
        if self.no_wait {
            client.open(record.clone()).await?;
            match reply_dialect {
                Some(_) => {
                    let next_command = format!(
                        "ask-user wait {} --json --return-after {}",
                        record.id,
                        format_duration(SUGGESTED_MS)
                    );
                    writeln!(
                        out,
                        "{}",
                        still_open_text(&record, reply_dialect, &next_command)
                    )?;
                }
                None => writeln!(out, "{}", record.id)?,
            }
            return Ok(Exit::Waiting);
        }
        let mut asked = record;
        let take_up = if self.anew {
            TakeUp::Never
        } else {
            TakeUp::WhenLeft
        };
        let running = self.return_after.start()?;
        let mut waiting = client.ask(asked.clone(), take_up).await?;
        if let Some(id) = waiting.id() {
            asked.id.clone_from(id);
            if std::io::stderr().is_terminal() {
                writeln!(
                    std::io::stderr(),
                    "Asked as {id}; answer with `ask-user` in another terminal."
                )?;
            }
        }
        let record = match running.wait(&mut waiting).await? {
            WaitEnd::Outcome(record) => record,
            WaitEnd::Early(early) => {
                return early.print(client, waiting, &asked, reply_dialect).await;
            }
        };
        let is_late = waiting.is_earlier(&record, asked.asked_at);
        let exit = match reply_dialect {
            Some(_) if is_late => {
                writeln!(
                    out,
                    "{}",
                    render(Word::Fetched(std::slice::from_ref(&*record)))
                )?;
                style::exit_code(&record)
            }
            Some(_) => {
                writeln!(out, "{}", render(Word::Closed(&record)))?;
                style::exit_code(&record)
            }
            None => style::print_outcome(&mut out, &record)?,
        };
        style::warn_of_agent(&mut std::io::stderr(), &record)?;
        if is_late && reply_dialect.is_none() {
            writeln!(
                std::io::stderr(),
                "This was said before you asked again ({}); --anew asks once more.",
                record.id
            )?;
        }
        out.flush()?;
        client.delivered(&*record).await?;
        Ok(exit)
    }
}

/// Parses the JSON of a call into a new ask. The flag says whether its agent doesn't wait.
///
/// # Errors
/// The dialect's refusal, as text for the agent.
pub(crate) fn read_call(
    dialect: &'static dyn Dialect,
    text: &str,
    role: Option<Role>,
) -> Result<(Record, bool), String> {
    let arguments = json::parse(text)
        .map_err(|problem| dialect.write(Word::Refused(&problem.into())).printed())?;
    call::to_record(dialect, &arguments, shell_asker(role))
}

/// A command in a shell as an asker. The client that runs the shell counts more, if it is known:
/// then the command has this role.
fn shell_asker(role: Option<Role>) -> Asker {
    let here = asker::in_current_folder();
    let role = match (&here.client, role) {
        (Some(_), role) => role,
        (None, Some(_)) => Some(Role::Prompt),
        (None, None) => Some(Role::Command),
    };
    Asker {
        caller: role.map(Caller::of_role),
        client: here.client.clone().or_else(|| Some(SHELL.to_owned())),
        version: match here.client {
            Some(_) => None,
            None => Some(env!("CARGO_PKG_VERSION").to_owned()),
        },
        ..here
    }
}

fn parse_choice(text: &str) -> Choice {
    match text.split_once('=') {
        Some((label, description)) if !label.is_empty() => Choice {
            description: Some(description.to_owned()),
            ..Choice::new(label)
        },
        _ => Choice::new(text),
    }
}
