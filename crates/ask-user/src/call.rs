//! A call of a dialect's asking tool that comes without MCP, as an ask: from `ask-user ask --stdin`,
//! or from a program that embeds ask-user.

use ask_config::clock;
use ask_core::{Asker, Json, Record, lifecycle};
use ask_dialects::{Call, Dialect, Setting, ToolAction, Word};
use ask_mcp::default_limit;

/// Parses a call into a new ask. The flag says whether its agent doesn't wait.
///
/// # Errors
/// The dialect's refusal, as text for the agent.
pub(crate) fn to_record(
    dialect: &'static dyn Dialect,
    arguments: &Json,
    asker: Asker,
) -> Result<(Record, bool), String> {
    let tools = dialect.tools();
    let tool = tools
        .iter()
        .find(|tool| tool.does == ToolAction::Ask)
        .map_or("", |tool| tool.name);
    let setting = Setting {
        limit_ms: default_limit::limit_ms(),
    };
    let call = dialect.read(tool, arguments, &setting);
    match call.map_err(|refusal| dialect.write(Word::Refused(&refusal)).printed())? {
        Call::Ask {
            ask,
            agent,
            detached,
        } => {
            let id = dialect.id(clock::random());
            let asker = Asker {
                agent: agent.or(asker.agent),
                ..asker
            };
            let record = lifecycle::open(id, dialect.name(), *ask, asker, clock::now());
            Ok((record, detached))
        }
        Call::Fetch { .. } => Err(dialect.write(Word::Failed("this call asks nothing")).text),
    }
}
