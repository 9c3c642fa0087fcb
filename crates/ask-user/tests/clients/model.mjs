// A model that follows a script, for trying real agent clients without a network.
//   node model.mjs SCRIPT [LOG]
// listens on a free port of 127.0.0.1, prints the port as its first line, and serves until it is ended.
// SCRIPT is JSON, or a file that holds it and is read anew for each request:
//   {"turns": [TURN…], "final": "Heard: {results}"}
// A TURN is {"tool": "ask_human|ask_user", "arguments": {…}}, or {"calls": [such, such]} for several
// calls at once, or {"say": "text"}. `tool` names the tool as the client's server does, `|` between
// alternatives, the first that is offered wins: a name is matched whole, else at its end (clients put
// prefixes before it). "first": true matches in the client's own order of tools instead.
// A turn comes when the calls of those before it are in the conversation. Where the client hides tools
// behind a search, the search is called first. After the last turn the model says `final`, in which
// {results} is what it was shown as the results of its calls.
//
// It speaks OpenAI's chat completions and responses, Gemini's generateContent and Anthropic's messages,
// each streaming and not; which, the path tells. What clients ask besides (titles, classifiers, lists of
// models, counts of tokens) gets a harmless reply.
//
// LOG gets a JSON object a line for each request: {"n", "at", "path", "kind", "tools", "results",
// "reply", "body"}. `kind` is `turn`, `final`, `aside` (a request without tools) or `other` (no model is
// called), `tools` the names on offer, `results` what the model was shown so far as [{"id", "name",
// "text"}], `reply` what it said.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gunzipSync, inflateSync, brotliDecompressSync } from "node:zlib";
import * as chat from "./model/chat.mjs";
import * as gemini from "./model/gemini.mjs";
import * as messages from "./model/messages.mjs";
import * as responses from "./model/responses.mjs";
import { aside } from "./model/aside.mjs";

const [given, log] = process.argv.slice(2);
if (!given) {
  console.error("node model.mjs SCRIPT [LOG]");
  process.exit(2);
}
const read = () => JSON.parse(existsSync(given) ? readFileSync(given, "utf8") : given);
const wires = [chat, responses, gemini, messages];
const searches = ["ToolSearch", "tool_search"];
/** By which some clients have a tool called that a search has found. */
const VIA = "tool_call";

let count = 0;
function note(entry) {
  if (log) appendFileSync(log, JSON.stringify({ n: ++count, at: new Date().toISOString(), ...entry }) + "\n");
}

/** The tool on offer that a script means by its name. */
function offered(tools, { tool, first }) {
  const names = tool.split("|");
  const meets = (one, name) => one.name === name || (one.bare ?? one.name) === name;
  const ends = (one, name) => one.name.endsWith(`_${name}`) || one.name.endsWith(`-${name}`);
  if (first) return tools.find((one) => names.some((name) => meets(one, name) || ends(one, name)));
  for (const name of names) {
    const found = tools.find((one) => meets(one, name)) ?? tools.find((one) => ends(one, name));
    if (found) return found;
  }
}

/** A tool that only a search named, to be called by way of another. */
function found(tools, results, { tool }) {
  const via = tools.find(({ name }) => name === VIA);
  const names = results.filter(({ name }) => searches.includes(name)).flatMap(({ text }) => text.match(/(?<="name":")[^"]+/g) ?? []);
  const name = via && offered(names.map((name) => ({ name })), { tool })?.name;
  return name && { ...via, meant: name };
}

/** What the model says to a conversation: text, or calls. */
function next(script, { tools, calls, results }) {
  let made = calls.filter(({ name }) => !searches.includes(name)).length;
  for (const turn of script.turns ?? []) {
    const wanted = turn.calls ?? (turn.tool ? [turn] : []);
    if (made >= Math.max(wanted.length, 1)) {
      made -= wanted.length;
      continue;
    }
    if (turn.say) continue;
    const known = wanted.map((one) => offered(tools, one) ?? found(tools, results, one));
    if (known.every(Boolean)) {
      const said = known.map((tool, at) => {
        const given = wanted[at].arguments ?? {};
        const id = `call_${calls.length + at}_${Date.now()}`;
        return { id, tool, arguments: tool.meant ? { name: tool.meant, arguments: given } : given };
      });
      return { kind: "turn", calls: said };
    }
    const search = tools.find(({ name }) => searches.includes(name));
    const searched = calls.some(({ name }) => searches.includes(name));
    if (search && !searched) {
      const query = wanted.map((one) => one.tool.split("|")).flat();
      const id = `call_${calls.length}_${Date.now()}`;
      return { kind: "turn", calls: [{ id, tool: search, arguments: { query: query.join(" "), max_results: 5 } }] };
    }
    const names = tools.map(({ name }) => name).join(", ");
    return { kind: "final", text: `There is no tool ${wanted.map((one) => one.tool).join(", ")} among: ${names}` };
  }
  const said = (script.turns ?? []).findLast((turn) => turn.say)?.say;
  const heard = results.filter(({ name }) => !searches.includes(name)).map(({ text }) => text);
  return { kind: "final", text: (script.final ?? said ?? "Heard: {results}").replaceAll("{results}", heard.join("\n")) };
}

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const bytes = Buffer.concat(parts);
  const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[request.headers["content-encoding"]];
  return (unpack ? unpack(bytes) : bytes).toString("utf8");
}

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://model").pathname;
  const text = await body(request);
  let sent;
  try {
    sent = text ? JSON.parse(text) : {};
  } catch {
    sent = { text };
  }
  const json = (value) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  const wire = request.method === "POST" && wires.find((one) => one.serves(path));
  if (!wire) {
    note({ path: `${request.method} ${path}`, kind: "other", body: sent });
    return json(aside(path));
  }
  const talk = wire.read(sent);
  const says = talk.tools.length === 0 ? { kind: "aside", text: wire.housekeeping(sent) } : next(read(), talk);
  const reply = says.text ?? says.calls.map(({ tool, arguments: given }) => ({ tool: tool.name, arguments: given }));
  note({ path, kind: says.kind, tools: talk.tools.map(({ name }) => name), results: talk.results, reply, body: sent });
  if (!wire.streams(path, sent)) return json(wire.whole(sent, says));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of wire.events(sent, says)) response.write(event);
  response.end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
