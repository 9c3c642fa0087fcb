// OpenAI's chat completions: opencode, pi, Qwen Code, Cline, Copilot CLI, droid.
import { least, text } from "./aside.mjs";

export const serves = (path) => path.endsWith("/chat/completions");
export const streams = (_, sent) => sent.stream === true;

export function read({ messages = [], tools = [] }) {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name }));
  const named = new Map(calls.map(({ id, name }) => [id, name]));
  const results = messages
    .filter(({ role }) => role === "tool")
    .map((message) => ({ id: message.tool_call_id, name: named.get(message.tool_call_id), text: text(message.content) }));
  const offered = tools.filter((tool) => tool.function).map((tool) => ({ name: tool.function.name }));
  return { tools: offered, calls, results };
}

export function housekeeping({ response_format: format }) {
  return format?.json_schema ? JSON.stringify(least(format.json_schema.schema)) : "A question for the person";
}

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const tool_calls = (calls) =>
  calls.map(({ id, tool, arguments: given }, index) => ({
    index,
    id,
    type: "function",
    function: { name: tool.name, arguments: JSON.stringify(given) },
  }));

export function whole({ model }, { text: content, calls }) {
  const message = calls ? { role: "assistant", content: null, tool_calls: tool_calls(calls) } : { role: "assistant", content };
  const choices = [{ index: 0, message, finish_reason: calls ? "tool_calls" : "stop" }];
  return { id: "chatcmpl-1", object: "chat.completion", created: 1, model, choices, usage };
}

export function* events({ model }, { text: content, calls }) {
  const chunk = (delta, finish_reason = null, more = {}) => {
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, choices, ...more })}\n\n`;
  };
  yield chunk({ role: "assistant", content: calls ? null : "" });
  yield chunk(calls ? { tool_calls: tool_calls(calls) } : { content });
  yield chunk({}, calls ? "tool_calls" : "stop", { usage });
  yield "data: [DONE]\n\n";
}
