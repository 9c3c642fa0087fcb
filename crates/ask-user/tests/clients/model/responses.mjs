// OpenAI's responses: Codex. Tools of an MCP server come in a namespace there.
import { least, text } from "./aside.mjs";

export const serves = (path) => path.endsWith("/responses");
export const streams = (_, sent) => sent.stream === true;

export function read({ input = [], tools = [] }) {
  const items = Array.isArray(input) ? input : [];
  const calls = items
    .filter(({ type }) => type === "function_call" || type === "custom_tool_call")
    .map((call) => ({ id: call.call_id, name: call.name }));
  const named = new Map(calls.map(({ id, name }) => [id, name]));
  const results = items
    .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
    .map((item) => ({ id: item.call_id, name: named.get(item.call_id), text: text(item.output) }));
  const offered = tools.flatMap((tool) =>
    tool.type === "namespace"
      ? (tool.tools ?? []).map(({ name }) => ({ name: `${tool.name}__${name}`, bare: name, namespace: tool.name }))
      : [{ name: tool.name ?? tool.type }],
  );
  return { tools: offered, calls, results };
}

export function housekeeping({ text: format }) {
  return format?.format?.schema ? JSON.stringify(least(format.format.schema)) : "A question for the person";
}

function items({ text: said, calls }) {
  if (!calls) {
    const content = [{ type: "output_text", text: said, annotations: [] }];
    return [{ type: "message", id: "msg_1", role: "assistant", status: "completed", content }];
  }
  return calls.map(({ id, tool, arguments: given }) => ({
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    name: tool.bare ?? tool.name,
    ...(tool.namespace ? { namespace: tool.namespace } : {}),
    arguments: JSON.stringify(given),
    status: "completed",
  }));
}

export function whole({ model }, says) {
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
  return { id: "resp_1", object: "response", created_at: 1, status: "completed", model, output: items(says), usage };
}

export function* events(sent, says) {
  let sequence_number = 0;
  const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...more })}\n\n`;
  const response = whole(sent, says);
  yield event("response.created", { response: { ...response, status: "in_progress", output: [], usage: null } });
  for (const [output_index, item] of response.output.entries()) {
    const at = { output_index, item_id: item.id };
    if (item.type === "message") {
      yield event("response.output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } });
      yield event("response.output_text.delta", { ...at, content_index: 0, delta: says.text });
    } else {
      yield event("response.output_item.added", { output_index, item: { ...item, status: "in_progress", arguments: "" } });
      yield event("response.function_call_arguments.delta", { ...at, delta: item.arguments });
      yield event("response.function_call_arguments.done", { ...at, arguments: item.arguments });
    }
    yield event("response.output_item.done", { output_index, item });
  }
  yield event("response.completed", { response });
}
