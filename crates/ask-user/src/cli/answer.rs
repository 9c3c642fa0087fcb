//! `ask-user answer`, `decline` and `clarify`: a person's outcomes, from a shell.

mod parse;

use std::io::Write;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::i18n::{Language, Words};
use ask_core::id::LATEST;
use ask_core::{Ask, Draft, Gaps, Input, Outcome, Record, SafeText, Settlement, Unfinished, json};
use ask_hub::client::{Client, Settled};
use ask_hub::surface::labels;
use ask_protocol::ipc::Verdict;
use ask_tui::attach;
use clap::Args;

use super::{input, style};

/// The surface name of these commands.
const SURFACE: &str = "cli";

/// Answer an ask
#[derive(Args)]
#[command(
    after_help = "QUESTION is a question's number, id or label. What is the number of one question or choice and the name of another is refused; `#2` is always a number. With one question it may be left out: `ask-user answer latest yes`. The beginning of a label is enough if only one label begins so."
)]
pub(crate) struct Answer {
    /// The ask's id
    id: String,
    /// The answer: choices by label or number, or the text of a text question; like `--set`
    #[arg(value_name = "[QUESTION=]PICK", conflicts_with = "answers")]
    values: Vec<String>,
    #[command(flatten)]
    args: AnswerArgs,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

/// Answers on a command line.
#[derive(Args)]
pub(crate) struct AnswerArgs {
    /// Pick choices by label or number, or give the text of a text question
    #[arg(
        long,
        value_name = "[QUESTION=]PICK[,PICK]",
        allow_hyphen_values = true
    )]
    set: Vec<String>,
    /// Answer in your own words
    #[arg(long, value_name = "[QUESTION=]TEXT", allow_hyphen_values = true)]
    other: Vec<String>,
    /// Attach a file to an answer; the agent sees images. At most 10 MB each and 10 files for an
    /// answer
    #[arg(long, value_name = "[QUESTION=]PATH")]
    attach: Vec<String>,
    /// Add a note to the agent
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
    /// Give all answers as JSON, or `-` to read them from standard input: a list in the order of
    /// the questions, or native answers
    #[arg(long, value_name = "JSON", conflicts_with_all = ["set", "other"])]
    answers: Option<String>,
    /// Send even though required questions have no answer
    #[arg(long)]
    partial: bool,
    /// Answers without an option
    #[arg(skip)]
    values: Vec<String>,
}

/// Decline an ask
#[derive(Args)]
pub(crate) struct Decline {
    /// The ask's id
    id: String,
    /// The reason, for the agent
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: Option<String>,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

/// Ask the agent to explain before you answer
#[derive(Args)]
pub(crate) struct Clarify {
    /// The ask's id
    id: String,
    /// The question to the agent
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

/// Take back an answer that no agent has: the ask waits again, with the answer filled in
#[derive(Args)]
pub(crate) struct TakeBack {
    /// The id of an ask whose answer no agent has
    id: String,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

impl Answer {
    pub(super) fn run(mut self, home: &Home) -> anyhow::Result<Exit> {
        self.args.read_stdin()?;
        let command = self.command_prefix();
        self.args.values = std::mem::take(&mut self.values);
        super::with_hub(home, async |client| {
            let record = match get_named(&client, &self.id).await {
                Err(error) if self.lacks_id(&client).await => {
                    let hint = "the id comes first: `ask-user answer latest ANSWER` answers the newest ask";
                    return Err(Failure::new(Exit::Failure, error.to_string(), hint).into());
                }
                found => found?,
            };
            if !record.is_answerable() {
                return Err(closed_before(&record));
            }
            let mut draft = self.args.parse_draft(&record.ask, &command)?;
            self.args
                .upload_attachments(&client, &record.ask, &mut draft)
                .await?;
            let gaps = self.args.gaps();
            check_draft(&record.ask, &draft, gaps, &self.answer_forms(&record.ask))?;
            settle(&client, &record, Verdict::Answer { draft, gaps }, self.json).await
        })
    }

    /// Whether the first argument is most likely the answer: it doesn't look like an id, and isn't the id
    /// of any ask.
    async fn lacks_id(&self, client: &Client) -> bool {
        let looks_like_id = self.id == LATEST || self.id.starts_with("a_");
        !looks_like_id && matches!(client.try_get(&self.id).await, Ok(None))
    }

    /// The command line up to the text of an answer, in the form that was used.
    fn command_prefix(&self) -> String {
        let id = SafeText::line(&self.id);
        if self.values.is_empty() {
            format!("ask-user answer {id} --other")
        } else {
            format!("ask-user answer {id}")
        }
    }

    /// The forms in which the command line takes an answer, for a hint: the shortest first.
    fn answer_forms(&self, ask: &Ask) -> String {
        let id = SafeText::line(&self.id);
        let question = match ask.questions.len() {
            1 => "",
            _ => "QUESTION=",
        };
        format!("`ask-user answer {id} {question}ANSWER`, --set or --other")
    }
}

impl AnswerArgs {
    /// Reads the answers from standard input, if `--answers` is `-`.
    pub(crate) fn read_stdin(&mut self) -> anyhow::Result<()> {
        if self.answers.as_deref() == Some("-") {
            self.answers = Some(input::read_stdin()?);
        }
        Ok(())
    }

    /// Whether unanswered required questions are accepted.
    pub(crate) fn gaps(&self) -> Gaps {
        if self.partial {
            Gaps::Send
        } else {
            Gaps::Refuse
        }
    }

    /// Parses the command line into a draft. `command` is the command line up to the text of an answer,
    /// for a hint.
    ///
    /// # Errors
    /// A value fits no question or choice, or several values are the text of one answer. Those are words
    /// without quotes, of which only the last would be sent.
    pub(crate) fn parse_draft(&self, ask: &Ask, command: &str) -> anyhow::Result<Draft> {
        let mut draft = match &self.answers {
            Some(text) => parse_answers(ask, text)?,
            None => Draft::default(),
        };
        draft
            .answers
            .resize(ask.questions.len(), ask_core::Answer::default());
        let mut texts = vec![Vec::new(); ask.questions.len()];
        // The answer may contain an equals sign itself.
        let set = self.set.iter().map(|text| {
            let is_doubtful = parse::may_be_choice(ask, text);
            parse::split_unless(is_doubtful, ask, text)
        });
        let values = self.values.iter().map(|text| {
            let is_doubtful = parse::may_be_choice(ask, text) || parse::is_one_text(ask);
            parse::split_unless(is_doubtful, ask, text)
        });
        for split in set.chain(values) {
            let (at, value) = split?;
            match &ask.questions[at].input {
                Input::Text => texts[at].push(value),
                Input::One(_) | Input::Many(_) | Input::Confirm => {
                    parse::add_picks(&mut draft.answers[at], &ask.questions[at], value)?;
                }
            }
        }
        for text in &self.other {
            let (at, value) = parse::split_question(ask, text)?;
            texts[at].push(value);
        }
        for (at, texts) in texts.into_iter().enumerate() {
            match texts.as_slice() {
                [] => {}
                [text] => draft.answers[at].own = Some((*text).to_owned()),
                several => return Err(parse::several_texts_error(ask, at, several, command)),
            }
        }
        if self.note.is_some() {
            draft.note.clone_from(&self.note);
        }
        Ok(draft)
    }

    /// Uploads the files to the hub and adds them to the draft.
    pub(crate) async fn upload_attachments(
        &self,
        hub: &Client,
        ask: &Ask,
        draft: &mut Draft,
    ) -> anyhow::Result<()> {
        let words = Words::for_language(Language::English);
        for text in &self.attach {
            let (at, path) = parse::split_question(ask, text)?;
            let attached = attach::from_argument(hub, path).await;
            let attached =
                attached.map_err(|error| Failure::plain(Exit::Usage, error.message(words)))?;
            draft.answers[at].attachments.push(attached);
        }
        Ok(())
    }
}

impl Decline {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let verdict = Verdict::Decline {
            reason: self.reason,
        };
        super::with_hub(home, async |client| {
            let record = get_named(&client, &self.id).await?;
            settle(&client, &record, verdict, self.json).await
        })
    }
}

impl Clarify {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if self.text.trim().is_empty() {
            return Err(Failure::plain(Exit::Usage, "say what you want to know").into());
        }
        let verdict = Verdict::Clarify { words: self.text };
        super::with_hub(home, async |client| {
            let record = get_named(&client, &self.id).await?;
            settle(&client, &record, verdict, self.json).await
        })
    }
}

impl TakeBack {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let record = client.get(&self.id).await?;
            let Some(settlement) = record.settlement() else {
                let hint = format!("`ask-user answer {}` answers it", record.id);
                let problem = format!("{} waits for an answer", record.id);
                return Err(Failure::new(Exit::Failure, problem, hint).into());
            };
            let record = client
                .take_back(&record.id, settlement.attempt, SURFACE)
                .await?;
            let mut out = std::io::stdout();
            match self.json {
                true => style::print_json(&mut out, &record)?,
                false => writeln!(
                    out,
                    "{} waits again, with that answer filled in.",
                    record.id
                )?,
            }
            Ok(Exit::Done)
        })
    }
}

/// Parses answers given as JSON.
pub(crate) fn parse_answers(ask: &Ask, text: &str) -> anyhow::Result<Draft> {
    let usage = |problem: String| Failure::plain(Exit::Usage, format!("--answers: {problem}"));
    let value = json::parse(text).map_err(|problem| usage(problem.to_string()))?;
    Ok(ask_protocol::answers::parse(ask, &value).map_err(|problem| usage(problem.to_string()))?)
}

/// Checks a draft before it is sent. The hub checks it too, but here the message can name the
/// questions, and `forms` of the command to give an answer.
pub(crate) fn check_draft(ask: &Ask, draft: &Draft, gaps: Gaps, forms: &str) -> anyhow::Result<()> {
    let Err(unfinished) = draft.clone().finish(ask, gaps) else {
        return Ok(());
    };
    let hint = match &unfinished {
        Unfinished::Missing(missing) => {
            let names: Vec<String> = missing
                .iter()
                .map(|&at| format!("{} ({})", at + 1, ask.questions[at].name()))
                .collect();
            format!(
                "still without an answer: {}; give all answers in one command, with {forms}, or add --partial to send the rest",
                names.join(", ")
            )
        }
        Unfinished::Empty => {
            format!("give an answer with {forms}, or decline with `ask-user decline`")
        }
        Unfinished::OneOnly(_) => {
            "leave one; what else you want to say goes into --other".to_owned()
        }
        Unfinished::Torn(_) => "leave the choices, or that none fits".to_owned(),
        Unfinished::TooManyFiles(_) => "attach fewer, or put them into one file".to_owned(),
        Unfinished::TooMany { .. } | Unfinished::NoSuchChoice { .. } => {
            "`ask-user show ID` lists the questions and their choices".to_owned()
        }
    };
    Err(Failure::new(Exit::Usage, unfinished.to_string(), hint).into())
}

async fn settle(
    client: &Client,
    record: &Record,
    verdict: Verdict,
    as_json: bool,
) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout();
    match client.settle(&record.id, verdict, SURFACE).await? {
        Settled::Won(record) if as_json => style::print_json(&mut out, &record)?,
        Settled::Won(record) => writeln!(out, "{}", confirmation(&record))?,
        Settled::Lost(record) => return Err(closed_before(&record)),
    }
    Ok(Exit::Done)
}

/// The confirmation after an ask was closed, with the agent that receives the outcome and what was
/// answered.
pub(crate) fn confirmation(record: &Record) -> String {
    let state = match record.state_word() {
        "clarify" => "asked back",
        word => word,
    };
    let agent = style::asker_name(record);
    let id = &record.id;
    let is_kept = record.waiters == 0 && !record.is_delivered();
    let first_line = if is_kept {
        format!("{id} {state}; kept for {agent}, which stopped waiting.")
    } else {
        format!("{id} {state}; sent to {agent}.")
    };
    let outcome = record.settlement().map(|settlement| &settlement.outcome);
    let Some(Outcome::Answered(answered)) = outcome else {
        return first_line;
    };
    let words = Words::for_language(Language::English);
    let answers = record.ask.questions.iter().zip(answered.answers());
    let lines = answers.filter_map(|(question, answer)| {
        let answer = labels::answer(words, question, answer).join(", ");
        let name = question.name();
        (!answer.is_empty()).then(|| format!("\n  {name}: {}", SafeText::line(&answer)))
    });
    first_line + &lines.collect::<String>()
}

/// Gets the ask that a command line names.
///
/// # Errors
/// It doesn't exist; or the id is `latest`, and no ask waits.
async fn get_named(client: &Client, id: &str) -> anyhow::Result<Record> {
    let record = client.get(id).await?;
    if id.trim() == LATEST && !record.is_answerable() {
        return Err(Failure::new(
            Exit::Failure,
            "no ask waits for an answer",
            "`ask-user history` lists the closed ones",
        )
        .into());
    }
    Ok(record)
}

fn closed_before(record: &Record) -> anyhow::Error {
    let on = record
        .settlement()
        .map_or_else(|| "elsewhere".to_owned(), Settlement::place);
    Failure::new(
        Exit::Closed,
        format!(
            "{} was closed before: {} on {on}",
            record.id,
            record.state_word()
        ),
        format!(
            "`ask-user show {}` shows how; nothing of yours was sent",
            record.id
        ),
    )
    .into()
}
