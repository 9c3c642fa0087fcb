//! The page of the dialects: for each its tools, an example of a call and its replies, all as the
//! dialect itself has them.

use ask_dialects::examples::{self, Example};
use ask_dialects::{DIALECTS, Dialect, INSTRUCTIONS, Tool};

const INTRO: &str = r#"
# Dialects

A dialect is the contract of one question tool: the tool's name, its input schema, and the form of its replies. `ask-user mcp --dialect NAME` offers the tools of a dialect to an agent. Several names, separated by commas, offer several dialects whose tools have different names. The default is `native`.

| dialect | tool | questions in a call | kinds of questions | reply |
|---|---|---|---|---|
| `native` | `ask_user`, `ask_user_result` | 1 to 20 | text, select, multi-select, confirm | JSON, with a status for each question |
| `codenomad` | `ask_user` | 1 to 10 | text, select, multi-select, confirm | JSON by question id |
| `auq` | `ask_user_questions`, `get_answered_questions` | 1 to 5 | single and multiple choice | text |
| `claude` | `AskUserQuestion` | 1 to 4 | single and multiple choice | JSON by question text |
| `pi` | `ask_user` | 1 to 200 | text, single and multiple choice | JSON in the order asked |
| `gemini` | `ask_user` | 1 to 4 | text, single and multiple choice, yes or no | JSON by question number, from 0 |
| `codex` | `request_user_input` | 1 to 200 | single choice | JSON by question id |
| `opencode` | `question` | 1 to 200 | text, single and multiple choice | a sentence |
| `roo` | `ask_followup_question` | 1 | text, single choice | text in `<user_message>` |

In `native`, `pi` and `codenomad`, a question without `options` may have `suggestions`: a list of texts that the person can pick. As with options, own words are always possible.

Two commands help the author of a client:
- `ask-user schema --dialect NAME` prints the tools of a dialect.
- `ask-user validate --dialect NAME 'JSON'` checks a call. It asks nobody. `--strict` also reports properties that the schema doesn't have.

[Compatibility](../explanation/compatibility.md) lists where a dialect differs from the tool that it imitates.

The model receives the instructions of each offered dialect, followed by this:

> INSTRUCTIONS

## What all replies share

A reply has one text item. If the dialect replies in JSON, `structuredContent` holds the same value. `isError: true` marks a reply that an agent must read as an error; the examples below say so.

Only an answer is consent. A declined ask, a question from the person, a time limit that passed and an open ask are not.

Facts for which a dialect has no field are in `_meta`:

| key | value |
|---|---|
| `ask-user/askId` | the id of the ask |
| `ask-user/answeredBy` | the surface that closed the ask: `terminal`, `web`, `cli`, `dialog`, … |
| `ask-user/answeredAt` | when, in RFC 3339 |
| `ask-user/answeredFrom` | the program that answered, if an agent had started it |
| `ask-user/late` | `true` if the person answered before this call was made |
| `ask-user/details` | `pi` only: the questions, answers, `answeredAt`, `mode` and `metadata` that pi's tool keeps |

A reply can have more text items. Each begins with its purpose:

| begins with | meaning |
|---|---|
| `With the answers the user sent:` | the files that the person attached, with their paths. Images follow as image items |
| `Answers to your earlier questions are also available:` | other asks of this agent whose outcome it hasn't received, and how to fetch each |
| `This came from the dialog of your own client` | the person answered in the client's own dialog |
| `This came from a program that was started below an agent` | a program that an agent started gave the answer |

With one of the first three, `structuredContent` is left out, because some clients show nothing else when it is there.
"#;

/// The page.
pub(super) fn page() -> String {
    let sections = DIALECTS.iter().map(|dialect| section(*dialect));
    INTRO.replace("INSTRUCTIONS", INSTRUCTIONS) + &sections.collect::<String>()
}

fn section(dialect: &dyn Dialect) -> String {
    let name = dialect.name();
    let mut text = format!(
        "\n## {name}\n\nThe instructions that the model receives:\n\n> {}\n",
        dialect.instructions()
    );
    for tool in dialect.tools() {
        text.push_str(&contract(dialect, tool));
    }
    text.push_str(&format!(
        "\n### Replies of `{name}`\n\nTo the call of `{}` above.\n",
        dialect.tools()[0].name
    ));
    for example in examples::replies(dialect) {
        text.push_str(&shown(&example));
    }
    text
}

fn contract(dialect: &dyn Dialect, tool: &Tool) -> String {
    let id = examples::ask_id(dialect);
    let example = tool.example.replace("ASK_ID", id.as_str());
    format!(
        "\n### `{}` of `{}`\n\nThe tool as the agent sees it:\n\n{}\nThe arguments of a call:\n\n{}",
        tool.name,
        dialect.name(),
        block("json", tool.contract),
        block("json", &example),
    )
}

fn shown(example: &Example) -> String {
    let reply = &example.reply;
    let error = if reply.is_error {
        " (`isError: true`)"
    } else {
        ""
    };
    let when = example.when.trim_end_matches(':');
    let reply = match &reply.structured {
        Some(value) => block("json", &format!("{value:#}")),
        None => block("text", &reply.text),
    };
    format!("\n{when}{error}:\n\n{reply}")
}

fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}
