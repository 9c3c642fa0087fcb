// A model that follows a script, behind OpenAI's chat completions. A turn is text, or a tool call
// {tool, arguments}, which may have an id. Each request with tools takes the next turn; after the last one the model repeats
// what it received. Requests without tools (a summary, a title) get a fixed text.
import { createServer } from "node:http";

export async function model(turns) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const sent = JSON.parse(Buffer.concat(parts).toString() || "{}");
    requests.push(sent);
    const offers = (sent.tools ?? []).length > 0;
    const turn = offers ? (turns.shift() ?? echo(sent)) : "A summary.";
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "script", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    if (typeof turn === "string") {
      write({ role: "assistant", content: turn });
      write({}, "stop");
    } else {
      const call = { index: 0, id: turn.id ?? `call_${requests.length}`, type: "function", function: { name: turn.tool, arguments: JSON.stringify(turn.arguments) } };
      write({ role: "assistant", tool_calls: [call] });
      write({}, "tool_calls");
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { requests, port: server.address().port, close: () => server.close() };
}

/** The last message that is not the model's own. */
function echo({ messages }) {
  const last = messages.at(-1);
  const text = typeof last.content === "string" ? last.content : last.content.map((one) => one.text ?? "").join("");
  return `Received: ${text}`;
}
