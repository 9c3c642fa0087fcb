//! The prompts and their messages.

use rmcp::model::{
    ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt,
    PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

use crate::content::{self, PIXEL};
use crate::input_requests::{field, form, input_required, response};

pub(crate) fn list() -> Vec<Prompt> {
    let required = |name: &str| {
        let argument = PromptArgument::new(name).with_required(true);
        argument.with_description(format!("The argument {name}"))
    };
    let prompt = |name: &str, about: &str, arguments: Option<Vec<PromptArgument>>| {
        Prompt::new(name, Some(about), arguments)
    };
    vec![
        prompt("test_simple_prompt", "Says one thing", None),
        prompt(
            "test_prompt_with_arguments",
            "Repeats two arguments",
            Some(vec![required("arg1"), required("arg2")]),
        ),
        prompt(
            "test_prompt_with_embedded_resource",
            "Shows a resource",
            Some(vec![required("resourceUri")]),
        ),
        prompt("test_prompt_with_image", "Shows an image", None),
        prompt(
            "test_input_required_result_prompt",
            "Needs a context from the person",
            None,
        ),
    ]
}

/// A prompt's messages, or the input that it needs first.
pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let given = request.arguments.as_ref().and_then(|all| all.get(name));
        given.and_then(Value::as_str).unwrap_or_default()
    };
    let text_message = |text: String| PromptMessage::new_text(Role::User, text);
    let shown = |content: ContentBlock| PromptMessage::new(Role::User, content);
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![text_message(
            "This is a simple prompt for testing.".to_owned(),
        )],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text_message(format!(
                "Prompt with arguments: arg1='{first}', arg2='{second}'"
            ))]
        }
        "test_prompt_with_embedded_resource" => {
            let embedded = "Embedded resource content for testing.";
            vec![
                shown(content::resource(
                    argument("resourceUri"),
                    "text/plain",
                    embedded,
                )),
                text_message("Please process the embedded resource above.".to_owned()),
            ]
        }
        "test_prompt_with_image" => vec![
            shown(ContentBlock::image(PIXEL, "image/png")),
            text_message("Please analyze the image above.".to_owned()),
        ],
        "test_input_required_result_prompt" => {
            let Some(answer) = response(request.input_responses.as_ref(), "user_context") else {
                let asked = form("What context should the prompt use?", "context", "string");
                return Ok(input_required(vec![("user_context", asked)], None).into());
            };
            vec![text_message(format!(
                "The context is {}",
                field(answer, "context")
            ))]
        }
        name => {
            let message = format!("there is no prompt named \"{name}\"");
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    Ok(GetPromptResult::new(messages).into())
}
