// Anthropic's messages: Claude Code.
import { least, text } from "./aside.mjs";

export const serves = (path) => path.endsWith("/messages");
export const streams = (_, sent) => sent.stream === true;

export function read({ messages = [], tools = [] }) {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id, name }) => ({ id, name }));
  const named = new Map(calls.map(({ id, name }) => [id, name]));
  const results = blocks
    .filter(({ type }) => type === "tool_result")
    .map((block) => ({ id: block.tool_use_id, name: named.get(block.tool_use_id), text: text(block.content) }));
  // A tool that is deferred can't be called before a search has found it.
  const found = blocks.some(({ type, content }) => type === "tool_result" && JSON.stringify(content ?? "").includes("tool_reference"));
  const offered = tools.filter((tool) => tool.name && (found || !tool.defer_loading)).map(({ name }) => ({ name }));
  return { tools: offered, calls, results };
}

export function housekeeping({ output_config: config, output_format: format }) {
  const schema = (config?.format ?? format)?.schema;
  return schema ? JSON.stringify(least(schema)) : "A question for the person";
}

const usage = { input_tokens: 10, output_tokens: 10 };

export function whole({ model }, { text: said, calls }) {
  const content = calls
    ? calls.map(({ id, tool, arguments: input }) => ({ type: "tool_use", id: `toolu_${id}`, name: tool.name, input }))
    : [{ type: "text", text: said }];
  const stop_reason = calls ? "tool_use" : "end_turn";
  return { id: "msg_1", type: "message", role: "assistant", model, content, stop_reason, stop_sequence: null, usage };
}

export function* events(sent, says) {
  const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const { content, stop_reason, ...message } = whole(sent, says);
  yield event("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const tool = block.type === "tool_use";
    yield event("content_block_start", { index, content_block: tool ? { ...block, input: {} } : { type: "text", text: "" } });
    const delta = tool
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
      : { type: "text_delta", text: block.text };
    yield event("content_block_delta", { index, delta });
    yield event("content_block_stop", { index });
  }
  yield event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  yield event("message_stop", {});
}
